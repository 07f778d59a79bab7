//! Common subexpressions across loops: a dear value is computed once, and stored for a later loop that would compute it again at
//! the same points.

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

/// An entry at the points of a space, in their order: neighbouring loops that step through as one are one.
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
                let earlier =
                    earlier.filter(|(earlier, _)| plan.holds_still(&each, register, *earlier));
                let Some(buffer) = earlier.and_then(|(earlier, value)| plan.leave(earlier, value))
                else {
                    continue;
                };
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

    /// True if no item after an earlier loop writes a buffer that the assignment depends on.
    pub(crate) fn holds_still(&self, each: &Loop, register: usize, earlier: usize) -> bool {
        let later = self.items.get(earlier + 1..).unwrap_or(&[]);
        let mut left = vec![register];
        while let Some(register) = left.pop() {
            match each.body.get(register) {
                Some(Operation::Read(position)) => {
                    let Some(Source::Entry(access)) = each.sources.get(*position) else {
                        return false;
                    };
                    let puts = |item: &Item| !matches!(item, Item::Put { .. });
                    let writes = |item: &Item| item.writes_to(access.buffer);
                    if later.iter().any(|item| puts(item) && writes(item)) {
                        return false;
                    }
                }
                Some(operation) => left.extend(crate::fuse::operands(operation)),
                None => {}
            }
        }
        true
    }

    /// The buffer in which a loop leaves the value of an assignment.
    pub(crate) fn leave(&mut self, item: usize, value: usize) -> Option<usize> {
        let next = self.buffers.len();
        let buffers = &self.buffers;
        let Some(Item::Loop(each)) = self.items.get_mut(item) else {
            return None;
        };
        let size: usize = each.space.iter().product();
        let whole = |write: &Access| {
            let own = buffers.get(write.buffer).map_or(0, |buffer| buffer.size);
            write.is_all(&each.space, own)
        };
        let known = each
            .writes
            .iter()
            .find(|(write, other)| *other == value && whole(write));
        if let Some((write, _)) = known {
            return Some(write.buffer);
        }
        each.writes.push((in_order(next, &each.space), value));
        self.buffers.push(Buffer {
            size,
            holds: Holds::Local,
        });
        Some(next)
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
