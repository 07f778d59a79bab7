//! Simplification of loops: scalar constants are no longer read, products with 1 vanish, and several quotients by the same number share one
//! division.

use crate::fuse::Assignments;
use crate::loops::{Access, Holds, Item, Loop, Plan, Source};
use fletch_smooth::{Binary, Operation};

impl Plan {
    /// The plan with simpler loops.
    #[must_use]
    pub fn simplified(&self) -> Plan {
        let mut plan = self.clone();
        for item in &mut plan.items {
            if let Item::Loop(each) = item {
                self.simplify(each);
            }
        }
        plan.swept()
    }

    fn simplify(&self, each: &mut Loop) {
        if let Some(sum) = &mut each.sum {
            let sources: Vec<Source> = sum.reads.iter().cloned().map(Source::Entry).collect();
            let root = sum.body.len().saturating_sub(1);
            // The key of this fold is its first operand, so its reads keep their order.
            if sum.fold != crate::loops::Fold::AtMaximum {
                let (made, roots) = self.simpler(&sources, &sum.body, &[root]);
                if roots.first().copied() == made.body.len().checked_sub(1) {
                    let reads = made.sources.into_iter().filter_map(|source| match source {
                        Source::Entry(access) => Some(access),
                        Source::Sum => None,
                    });
                    (sum.reads, sum.body) = (reads.collect(), made.body);
                }
            }
        }
        let roots: Vec<usize> = each.writes.iter().map(|(_, value)| *value).collect();
        let (made, roots) = self.simpler(&each.sources, &each.body, &roots);
        for ((_, value), root) in each.writes.iter_mut().zip(roots) {
            *value = root;
        }
        (each.sources, each.body) = (made.sources, made.body);
    }

    fn simpler(
        &self,
        sources: &[Source],
        body: &[Operation],
        roots: &[usize],
    ) -> (Assignments, Vec<usize>) {
        let mut made = Assignments::default();
        let is_one = |made: &Assignments, register: usize| {
            matches!(made.body.get(register), Some(Operation::Constant(1.0)))
        };
        // Registers whose reciprocals the body computes.
        let inverted: Vec<usize> = body
            .iter()
            .filter_map(|operation| match operation {
                Operation::Binary(Binary::Div, a, b)
                    if matches!(body.get(*a), Some(Operation::Constant(1.0))) =>
                {
                    Some(*b)
                }
                _ => None,
            })
            .collect();
        let read = |made: &mut Assignments, position: usize| match sources.get(position) {
            Some(Source::Entry(access)) => match self.uniform(access) {
                Some(constant) => made.push(Operation::Constant(constant)),
                None => made.read(Source::Entry(access.clone())),
            },
            _ => made.read(Source::Sum),
        };
        let by_inverted = |operation: &Operation| matches!(operation, Operation::Binary(Binary::Div, _, b) if inverted.contains(b));
        let write = |made: &mut Assignments, was: &Operation, operation| match operation {
            Operation::Binary(Binary::Div, a, b) if by_inverted(was) => {
                let one = made.push(Operation::Constant(1.0));
                let inverse = made.push(Operation::Binary(Binary::Div, one, b));
                match a == one {
                    true => inverse,
                    false => made.push(Operation::Binary(Binary::Mul, a, inverse)),
                }
            }
            Operation::Binary(Binary::Mul, a, b) if is_one(made, b) => a,
            Operation::Binary(Binary::Mul, a, b) if is_one(made, a) => b,
            other => made.push(other),
        };
        let registers = made.rewrite(body.iter().map(Some), read, write);
        let roots = roots.iter();
        let roots = roots.map(|root| registers.get(*root).copied().unwrap_or(*root));
        let roots = roots.collect();
        (made, roots)
    }

    /// The number that all entries of a constant buffer have; `None` if entries differ.
    fn uniform(&self, access: &Access) -> Option<f64> {
        let Holds::Constant(constant) = &self.buffers.get(access.buffer)?.holds else {
            return None;
        };
        let first = constant.0.first().copied()?;
        let same = |entry: &f64| entry.to_bits() == first.to_bits();
        constant.0.iter().all(same).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use crate::cases::{check, looped};

    #[test]
    fn a_product_with_1_vanishes() {
        check(
            &looped("x : Real(2) ⊢ ⌊hadamard[2](x, [1, 1])⌋").simplified(),
            "
                for i < 2
                  b2[i] = x0[i]",
        );
    }

    #[test]
    fn a_constant_with_one_entry_is_written_out() {
        check(
            &looped("x : Real(2) ⊢ ⌊x + [3, 3]⌋").simplified(),
            "
                for i < 2
                  b2[i] = (x0[i] + 3)",
        );
        check(
            &looped("x : Real(2) ⊢ ⌊x + [3, 4]⌋").simplified(),
            "
                for i < 2
                  b2[i] = (x0[i] + c1[i])",
        );
    }

    #[test]
    fn of_several_quotients_by_one_number_one_divides() {
        check(
            &looped("x : Real(2), y : Real(2) ⊢ ⌊y.rd(u. tanh[2](u))(x)⌋").simplified(),
            "
                for i < 2
                  v3 = (2 · x0[i])
                  v8 = exp((−abs(v3)))
                  v10 = (1 / (1 + v8))
                  v11 = (v8 · v10)
                  b2[i] = (4 · ((0 ≤ v3 ? v11 : v10) · (0 ≤ v3 ? v10 : v11)))
                for i < 2
                  b3[i] = (x1[i] · b2[i])",
        );
    }
}
