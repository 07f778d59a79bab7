//! Writes that change what is there: by a product, or by one number.

use crate::fuse::operands;
use crate::loops::{Access, Loop, Source};
use fletch_smooth::{Binary, Operation};

/// What a write adds to what is there, or takes from it.
pub(super) struct Change {
    pub(super) operation: Binary,
    /// The assignments whose product it is, or one alone.
    pub(super) factors: [Option<usize>; 2],
}

/// For each write the change that it is, if it is one.
pub(super) fn changes(each: &Loop) -> Vec<Option<Change>> {
    let uses = |register: usize| {
        let operands = each.body.iter().flat_map(operands);
        let writes = each.writes.iter().map(|(_, written)| *written);
        operands
            .chain(writes)
            .filter(|other| *other == register)
            .count()
    };
    let read = |register: usize| match each.body.get(register) {
        Some(Operation::Read(position)) => match each.sources.get(*position)? {
            Source::Entry(access) => Some(access),
            Source::Sum => None,
        },
        _ => None,
    };
    // What is read of what is written would have changed.
    let safe = |register: &usize| {
        read(*register).is_none_or(|access| {
            each.writes
                .iter()
                .all(|(write, _)| write.buffer != access.buffer)
        })
    };
    let change = |(write, register): &(Access, usize)| {
        let Operation::Binary(operation @ (Binary::Add | Binary::Sub), there, by) =
            *each.body.get(*register)?
        else {
            return None;
        };
        if read(there) != Some(write) || uses(*register) != 1 {
            return None;
        }
        let factors = match *each.body.get(by)? {
            Operation::Binary(Binary::Mul, a, b) if uses(by) == 1 => [Some(a), Some(b)],
            _ => [Some(by), None],
        };
        factors
            .iter()
            .flatten()
            .all(safe)
            .then_some(Change { operation, factors })
    };
    each.writes.iter().map(change).collect()
}
