//! Simplification of loops: scalar constants are no longer read, products with 1 vanish, and several quotients by the same number share one
//! division.

use crate::loops::{Access, Body, Fold, Holds, Item, Loop, Plan, Source};
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
        // The key of this fold is its first operand, so its reads keep their order.
        if let Some(sum) = &mut each.sum
            && sum.fold != Fold::AtMaximum
        {
            let (body, registers) = self.simpler(&sum.body);
            if registers.last().copied() == body.operations.len().checked_sub(1) {
                sum.body = body;
            }
        }
        let (body, registers) = self.simpler(&each.body);
        each.replace(body, &registers);
    }

    /// Simpler body, and the register in it of each assignment.
    fn simpler(&self, body: &Body) -> (Body, Vec<usize>) {
        let mut made = Body::default();
        let is_one = |body: &Body, register: usize| {
            matches!(
                body.operations.get(register),
                Some(Operation::Constant(1.0))
            )
        };
        // Registers whose reciprocals the body computes.
        let operations = body.operations.iter();
        let inverted = operations.filter_map(|operation| match operation {
            Operation::Binary(Binary::Div, a, b) if is_one(body, *a) => Some(*b),
            _ => None,
        });
        let inverted: Vec<usize> = inverted.collect();
        let read = |made: &mut Body, source: &Source| {
            let constant = match source {
                Source::Entry(access) => self.uniform(access),
                Source::Sum => None,
            };
            match constant {
                Some(constant) => made.push(Operation::Constant(constant)),
                None => made.read(source),
            }
        };
        let by_inverted = |operation: &Operation| matches!(operation, Operation::Binary(Binary::Div, _, b) if inverted.contains(b));
        let write = |made: &mut Body, was: &Operation, operation| match operation {
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
        let registers = made.rewrite(body, |_| true, read, write);
        (made, registers)
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
