//! Elimination of common subexpressions across loops. A dear value (see [`dear`]) is computed once, and stored for a later loop that would
//! compute it again at the same points.

use crate::body::{dear, operands, renamed};
use crate::loops::{Access, Buffer, Holds, Item, Loop, Plan, Source, set};
use fletch_smooth::{Operation, Step};
use std::collections::{BTreeMap, HashMap};

/// Value numbering of assignments: equal numbers for equal values, at the points of a space in order.
#[derive(Default)]
struct Meanings {
    /// By number of points, and operation on the value numbers of its operands, as text.
    numbers: HashMap<(usize, String), usize>,
}

impl Meanings {
    /// Value numbers of a loop's assignments. A value written in order is numbered as an entry of its buffer.
    fn of(&mut self, each: &Loop, item: usize, plan: &Plan) -> Vec<usize> {
        let points = each.space.iter().product();
        let mut meanings: Vec<usize> = Vec::new();
        for (number, operation) in each.body.operations.iter().enumerate() {
            let source = match operation {
                Operation::Read(position) => each.body.sources.get(*position),
                _ => None,
            };
            let what = match (each.left(number, &plan.buffers), source, operation) {
                (Some(access), ..) | (None, Some(Source::Entry(access)), _) => {
                    entry(access, &each.space)
                }
                (None, _, Operation::Read(_)) => format!("the sum of {item}"),
                (None, _, Operation::Index(level)) => format!("index {level} of {:?}", each.space),
                (None, _, other) => format!("{:?}", renamed(other, &meanings)),
            };
            let next = self.numbers.len();
            meanings.push(*self.numbers.entry((points, what)).or_insert(next));
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
                if each.body.operations.get(register).is_some_and(dear)
                    && let Some((earlier, value)) = known.get(meaning).copied()
                    && each.holds_still(register, earlier, &last_writes)
                    && let Some(Item::Loop(before)) = plan.items.get_mut(earlier)
                {
                    let buffer = before.leave(value, &mut plan.buffers);
                    last_writes.entry(buffer).or_insert(earlier);
                    let read = Source::Entry(Access::in_order(buffer, &each.space));
                    each.body.replace_by_read(register, read);
                }
            }
            each.tidy();
            let found = meanings.of(&each, number, &plan);
            let found = each.body.operations.iter().zip(found).enumerate();
            for (register, (_, meaning)) in found.filter(|(_, (operation, _))| dear(operation)) {
                known.entry(meaning).or_insert((number, register));
            }
            set(&mut plan.items, number, Item::Loop(each));
        }
        plan.swept()
    }

    /// Last item that writes each buffer, without the `Put` items, which write locations at the end of the step.
    pub(crate) fn last_writes(&self) -> BTreeMap<usize, usize> {
        let items = self.items.iter().enumerate();
        let items = items.filter(|(_, item)| !matches!(item, Item::Put { .. }));
        let writes = items.flat_map(|(number, item)| {
            let written = item.writes().into_iter();
            written.map(move |buffer| (buffer, number))
        });
        writes.collect()
    }
}

impl Loop {
    /// True if the assignment depends on no sum, and on no buffer that an item after `earlier` writes. `last_writes` has the last writer of
    /// each buffer.
    pub(crate) fn holds_still(
        &self,
        register: usize,
        earlier: usize,
        last_writes: &BTreeMap<usize, usize>,
    ) -> bool {
        let mut left = vec![register];
        while let Some(register) = left.pop() {
            match self.body.operations.get(register) {
                Some(Operation::Read(position)) => {
                    let Some(Source::Entry(access)) = self.body.sources.get(*position) else {
                        return false;
                    };
                    let last = last_writes.get(&access.buffer);
                    if last.is_some_and(|last| *last > earlier) {
                        return false;
                    }
                }
                Some(operation) => left.extend(operands(operation)),
                None => {}
            }
        }
        true
    }

    /// Write of an assignment's value to all of a buffer, in order.
    fn left(&self, value: usize, buffers: &[Buffer]) -> Option<&Access> {
        let size = |write: &Access| buffers.get(write.buffer).map(|buffer| buffer.size);
        let whole = |write| size(write).is_some_and(|size| write.is_all(&self.space, size));
        let mut writes = self.writes.iter();
        let found = writes.find(|(write, other)| *other == value && whole(write));
        found.map(|(write, _)| write)
    }

    /// Buffer in which the loop stores the value of an assignment: one that it already writes, or a new one, which is added to these
    /// buffers of the plan.
    pub(crate) fn leave(&mut self, value: usize, buffers: &mut Vec<Buffer>) -> usize {
        if let Some(write) = self.left(value, buffers) {
            return write.buffer;
        }
        let added = buffers.len();
        buffers.push(Buffer {
            size: self.space.iter().product(),
            holds: Holds::Local,
        });
        let write = Access::in_order(added, &self.space);
        self.writes.push((write, value));
        added
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
