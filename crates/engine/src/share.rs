//! Elimination of common subexpressions across loops. A dear value (see [`dear`]) is computed once, and stored for a later loop that would
//! compute it again at the same points.

use crate::fuse::dear;
use crate::loops::{Access, Buffer, Holds, Item, Loop, Plan, Source, dense};
use fletch_smooth::{Operation, Step};
use std::collections::HashMap;

/// Value numbering of assignments: equal numbers for equal values, at the points of a space in order.
#[derive(Default)]
struct Meanings {
    /// Number of points, operation as text, and value numbers of the operands.
    numbers: HashMap<(usize, String, Vec<usize>), usize>,
}

impl Meanings {
    fn number(&mut self, points: usize, what: String, of: Vec<usize>) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry((points, what, of)).or_insert(next)
    }

    /// Value numbers of a loop's assignments. A value written in order is numbered as an entry of its buffer.
    fn of(&mut self, each: &Loop, item: usize, plan: &Plan) -> Vec<usize> {
        let points = each.space.iter().product();
        let mut meanings: Vec<usize> = Vec::new();
        for (number, operation) in each.body.iter().enumerate() {
            let written = each.writes.iter().find(|(write, value)| {
                let size = plan
                    .buffers
                    .get(write.buffer)
                    .map_or(0, |buffer| buffer.size);
                *value == number && write.is_all(&each.space, size)
            });
            let at = |register: &usize| meanings.get(*register).copied().unwrap_or(usize::MAX);
            let meaning = match (operation, written) {
                (_, Some((write, _))) => self.number(points, entry(write, &each.space), Vec::new()),
                (Operation::Read(position), _) => match each.sources.get(*position) {
                    Some(Source::Entry(access)) => {
                        self.number(points, entry(access, &each.space), Vec::new())
                    }
                    _ => self.number(points, format!("the sum of {item}"), Vec::new()),
                },
                (Operation::Index(level), _) => {
                    let what = format!("index {level} of {:?}", each.space);
                    self.number(points, what, Vec::new())
                }
                (Operation::Constant(constant), _) => {
                    self.number(points, format!("{:x}", constant.to_bits()), Vec::new())
                }
                (Operation::Map(function, x), _) => {
                    self.number(points, format!("{function:?}"), vec![at(x)])
                }
                (Operation::Binary(binary, a, b), _) => {
                    self.number(points, format!("{binary:?}"), vec![at(a), at(b)])
                }
                (Operation::Choose(is, operands), _) => {
                    let operands = operands.iter().map(at).collect();
                    self.number(points, format!("{is:?}"), operands)
                }
            };
            meanings.push(meaning);
        }
        meanings
    }
}

/// Text key of the entries that an access visits at the points of a space, in order. Adjacent axes that step as a single axis are merged,
/// so that equal sequences of entries have equal keys.
fn entry(access: &Access, space: &[usize]) -> String {
    let mut runs: Vec<(usize, Step)> = Vec::new();
    for (extent, step) in space.iter().zip(&access.steps).rev() {
        match runs.last_mut() {
            Some((so_far, inner))
                if inner.scale == (1, 1)
                    && step.scale == (1, 1)
                    && step.stride == inner.stride * *so_far =>
            {
                *so_far *= extent;
            }
            _ => runs.push((*extent, *step)),
        }
    }
    format!("{} at {} {runs:?}", access.buffer, access.offset)
}

impl Plan {
    /// Plan with dear values computed once.
    #[must_use]
    pub fn shared(&self) -> Plan {
        let mut plan = self.clone();
        let mut meanings = Meanings::default();
        let mut last_writes = plan.last_writes();
        // First occurrence of a dear value: the item, and the assignment.
        let mut known: HashMap<usize, (usize, usize)> = HashMap::new();
        for number in 0..plan.items.len() {
            let Some(Item::Loop(mut each)) = plan.items.get(number).cloned() else {
                continue;
            };
            let found = meanings.of(&each, number, &plan);
            for (register, meaning) in found.iter().enumerate().rev() {
                if !each.body.get(register).is_some_and(dear) {
                    continue;
                }
                let earlier = known.get(meaning).copied();
                let Some((earlier, value)) = earlier
                    .filter(|(earlier, _)| each.holds_still(register, *earlier, &last_writes))
                else {
                    continue;
                };
                let Some(Item::Loop(before)) = plan.items.get_mut(earlier) else {
                    continue;
                };
                let mut added = Vec::new();
                let buffer = before.leave(value, &plan.buffers, &mut added);
                plan.buffers.extend(added);
                last_writes.resize(plan.buffers.len(), Some(earlier));
                let read = Source::Entry(in_order(buffer, &each.space));
                each.sources.push(read);
                if let Some(operation) = each.body.get_mut(register) {
                    *operation = Operation::Read(each.sources.len() - 1);
                }
            }
            each.tidy();
            for (register, meaning) in meanings.of(&each, number, &plan).into_iter().enumerate() {
                if each.body.get(register).is_some_and(dear) {
                    known.entry(meaning).or_insert((number, register));
                }
            }
            if let Some(item) = plan.items.get_mut(number) {
                *item = Item::Loop(each);
            }
        }
        plan.swept()
    }

    /// Last item that writes each buffer, without the `Put` items, which write locations at the end of the step.
    pub(crate) fn last_writes(&self) -> Vec<Option<usize>> {
        let mut last = vec![None; self.buffers.len()];
        for (number, item) in self.items.iter().enumerate() {
            if matches!(item, Item::Put { .. }) {
                continue;
            }
            for buffer in item.writes() {
                if let Some(slot) = last.get_mut(buffer) {
                    *slot = Some(number);
                }
            }
        }
        last
    }
}

impl Loop {
    /// True if the assignment depends on no sum, and on no buffer that an item after `earlier` writes. `last_writes` has the last writer of
    /// each buffer.
    pub(crate) fn holds_still(
        &self,
        register: usize,
        earlier: usize,
        last_writes: &[Option<usize>],
    ) -> bool {
        let mut left = vec![register];
        while let Some(register) = left.pop() {
            match self.body.get(register) {
                Some(Operation::Read(position)) => {
                    let Some(Source::Entry(access)) = self.sources.get(*position) else {
                        return false;
                    };
                    let last = last_writes.get(access.buffer).copied().flatten();
                    if last.is_some_and(|last| last > earlier) {
                        return false;
                    }
                }
                Some(operation) => left.extend(crate::fuse::operands(operation)),
                None => {}
            }
        }
        true
    }

    /// Buffer in which the loop stores the value of an assignment: one that it already writes, or a new one, which is pushed to `added`.
    /// `plan` has the buffers of the plan.
    pub(crate) fn leave(
        &mut self,
        value: usize,
        plan: &[Buffer],
        added: &mut Vec<Buffer>,
    ) -> usize {
        let whole = |write: &Access| {
            let own = match write.buffer.checked_sub(plan.len()) {
                None => plan.get(write.buffer),
                Some(place) => added.get(place),
            };
            own.is_some_and(|own| write.is_all(&self.space, own.size))
        };
        let mut writes = self.writes.iter();
        let known = writes.find(|(write, other)| *other == value && whole(write));
        if let Some((write, _)) = known {
            return write.buffer;
        }
        let next = plan.len() + added.len();
        self.writes.push((in_order(next, &self.space), value));
        added.push(Buffer {
            size: self.space.iter().product(),
            holds: Holds::Local,
        });
        next
    }
}

/// Access to all of a buffer at the points of a space, in order.
fn in_order(buffer: usize, space: &[usize]) -> Access {
    let steps = dense(space).into_iter().map(|stride| Step {
        stride,
        scale: (1, 1),
    });
    Access {
        buffer,
        offset: 0,
        steps: steps.collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::cases::{check, looped};

    #[test]
    fn what_is_dear_is_computed_once_and_left_for_later_loops() {
        check(
            &looped("x : Real(2) ⊢ let m ⇐ Get[w]() in let o ⇐ ⌊matmul[2, 2, 1](m, swish[2](x))⌋ in ⌊o.rd(u. swish[2](u))(x)⌋").inlined().joined().shared(),
            "
                for i < 2
                  v1 = σ(x0[i])
                  b2[i] = (x0[i] · v1)
                  b6[i] = v1
                for i < 2
                  s = the sum over j < 2 of (w[2 i + j] · b2[j])
                  b5[i] = (s · (b6[i] + ((x0[i] · b6[i]) · (1 − b6[i]))))",
        );
    }

    #[test]
    fn what_is_cheap_is_computed_again() {
        check(
            &looped("x : Real(2) ⊢ let m ⇐ Get[w]() in ⌊matmul[2, 2, 1](m, x + x) + (x + x)⌋")
                .inlined()
                .joined()
                .shared(),
            "
                for i < 2
                  b2[i] = (x0[i] + x0[i])
                for i < 2
                  s = the sum over j < 2 of (w[2 i + j] · b2[j])
                  b4[i] = (s + (x0[i] + x0[i]))",
        );
    }

    #[test]
    fn what_is_computed_at_other_points_is_computed_again() {
        check(
            &looped("x : Real(4), y : Real(4) ⊢ let o ⇐ ⌊sum[4](swish[4](x))⌋ in ⌊⟨o, y.rd(u. swish[4](u))(transpose[2, 2](x))⟩⌋").inlined().shared(),
            "
                for i < 4
                  b2[i] = (x0[i] · σ(x0[i]))
                at one point
                  s = the sum over i < 4 of b2[i]
                  b3[0] = s
                for i < 2, j < 2
                  b4[2 i + j] = x0[i + 2 j]
                for i < 4
                  v2 = σ(b4[i])
                  b6[i] = (x1[i] · (v2 + ((b4[i] · v2) · (1 − v2))))",
        );
    }
}
