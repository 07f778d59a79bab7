//! Scatters: contributions to one entry are summed in the order of the nest.

use super::Scratch;
use crate::loops::{Scatter, next};
use crate::number::Number;
use fletch_smooth::Operation;

pub(super) fn scattered<N: Number>(scatter: &Scatter, memory: &mut [N], scratch: &mut Scratch<N>) {
    let indices = &mut scratch.indices;
    indices.clear();
    indices.resize(scatter.extents.len(), 0);
    if scatter.extents.contains(&0) {
        return;
    }
    loop {
        let value = number(
            &scatter.body,
            |read| {
                let access = scatter.reads.get(read);
                let place = access.map_or(usize::MAX, |access| access.place(indices));
                memory.get(place).copied().unwrap_or(N::NAN)
            },
            |level| indices.get(level).copied().unwrap_or(0),
            &mut scratch.numbers,
        );
        if let Some(slot) = memory.get_mut(scatter.write.place(indices)) {
            *slot += value;
        }
        if !next(indices, &scatter.extents) {
            return;
        }
    }
}

/// The value of single assignments.
fn number<N: Number>(
    body: &[Operation],
    read: impl Fn(usize) -> N,
    index: impl Fn(usize) -> usize,
    numbers: &mut Vec<N>,
) -> N {
    numbers.clear();
    for operation in body {
        let at = |register: usize| numbers.get(register).copied().unwrap_or(N::NAN);
        let value = match *operation {
            Operation::Read(position) => read(position),
            Operation::Index(level) => N::of(index(level) as f64),
            Operation::Constant(constant) => N::of(constant),
            Operation::Map(function, x) => N::at(function, at(x)),
            Operation::Binary(operation, a, b) => N::both(operation, at(a), at(b)),
            Operation::Choose(is, [a, b, then, otherwise]) => {
                if is.holds(at(a).double(), at(b).double()) {
                    at(then)
                } else {
                    at(otherwise)
                }
            }
        };
        numbers.push(value);
    }
    numbers.last().copied().unwrap_or(N::NAN)
}
