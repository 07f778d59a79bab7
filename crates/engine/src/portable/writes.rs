//! Where what was computed goes: to its place, or into what is there.

use super::operations::{Block, GROUP, Operand, Values, groups, groups_mut};
use super::ways::Along;
use crate::number::Number;
use crate::vectors::Vector;

/// What goes where a way leads.
#[derive(Clone, Debug)]
pub(super) struct Write {
    pub(super) way: usize,
    pub(super) what: Written,
}

#[derive(Clone, Debug)]
pub(super) enum Written {
    Value(Operand),
    /// What is there, and the product of two.
    Plus([Operand; 2]),
    /// What is there, less the product of two.
    Minus([Operand; 2]),
}

/// Writes to where a way goes.
pub(super) fn write<N: Number>(memory: &mut [N], write: &Write, block: Block<'_>) {
    match write.what {
        Written::Value(value) => put(memory, write.way, value, block),
        Written::Plus(factors) => {
            change(memory, write.way, factors, block, |there, product| {
                there + product
            });
        }
        Written::Minus(factors) => {
            change(memory, write.way, factors, block, |there, product| {
                there - product
            });
        }
    }
}

/// Changes what lies side by side by the products of two that lie elsewhere.
fn change<N: Number>(
    memory: &mut [N],
    way: usize,
    factors: [Operand; 2],
    block: Block<'_>,
    function: impl Fn(N::Vector, N::Vector) -> N::Vector,
) {
    let (place, lanes) = (block.way(way), N::Vector::LANES);
    let end = place.saturating_add(block.length);
    if end > memory.len() {
        return;
    }
    let (before, rest) = memory.split_at_mut(place);
    let (there, after) = rest.split_at_mut(block.length);
    let (before, after) = (&*before, &*after);
    let values = |operand: Operand| {
        let from = block.place(operand);
        let numbers = match from.checked_sub(end) {
            Some(from) => after.get(from..),
            None => before.get(from..),
        };
        let numbers = numbers.unwrap_or(&[]);
        if operand.same {
            Values::Same(N::Vector::splat(numbers.first().copied().unwrap_or(N::NAN)))
        } else {
            Values::Each(numbers.get(..block.length).unwrap_or(&[]))
        }
    };
    let [a, b] = factors;
    let (a, b) = (values(a), values(b));
    let all = groups_mut(there).iter_mut();
    match (a, b) {
        (Values::Same(a), Values::Same(b)) => {
            for there in all.flatten() {
                *there = function(N::Vector::of(*there), a * b).lanes();
            }
        }
        (Values::Same(one), Values::Each(each)) | (Values::Each(each), Values::Same(one)) => {
            for (there, each) in all.zip(groups(each)) {
                for (there, each) in there.iter_mut().zip(each) {
                    *there = function(N::Vector::of(*there), N::Vector::of(*each) * one).lanes();
                }
            }
        }
        (Values::Each(a), Values::Each(b)) => {
            for (there, (a, b)) in all.zip(groups(a).iter().zip(groups(b))) {
                for (there, (a, b)) in there.iter_mut().zip(a.iter().zip(b)) {
                    let product = N::Vector::of(*a) * N::Vector::of(*b);
                    *there = function(N::Vector::of(*there), product).lanes();
                }
            }
        }
    }
    let mut done = block.length / (GROUP * lanes) * (GROUP * lanes);
    while let Some(there) = there.get_mut(done..)
        && !there.is_empty()
    {
        let end = |values: Values<'_, N>| match values {
            Values::Same(vector) => vector,
            Values::Each(numbers) => N::Vector::part(numbers.get(done..).unwrap_or(&[])),
        };
        let product = end(a) * end(b);
        function(N::Vector::part(there), product).store(there);
        done += lanes;
    }
}

/// Puts a value where a way goes.
fn put<N: Number>(memory: &mut [N], way: usize, value: Operand, block: Block<'_>) {
    let (place, from) = (block.way(way), block.place(value));
    match block.ways.get(way).map(|way| &way.along) {
        Some(Along::Row) if !value.same && from >= place.saturating_add(block.length) => {
            let (before, after) = memory.split_at_mut(from.min(memory.len()));
            let out = before.get_mut(place..place + block.length);
            let (out, numbers) = (out.unwrap_or(&mut []), after.get(..block.length));
            let numbers = numbers.unwrap_or(&[]);
            let whole = numbers.len() / N::Vector::LANES * N::Vector::LANES;
            for (out, numbers) in N::Vector::all_mut(out)
                .iter_mut()
                .zip(N::Vector::all(numbers))
            {
                *out = *numbers;
            }
            for (out, number) in out.iter_mut().zip(numbers).skip(whole) {
                *out = *number;
            }
        }
        along => {
            for point in 0..block.length {
                let offset = match along {
                    Some(Along::Apart(offsets)) => offsets
                        .get(block.from + point)
                        .map_or(0, |offset| *offset as usize),
                    Some(Along::Row) => point,
                    Some(Along::Same) | None => 0,
                };
                let from = if value.same { from } else { from + point };
                let number = memory.get(from).copied().unwrap_or(N::NAN);
                if let Some(slot) = memory.get_mut(place + offset) {
                    *slot = number;
                }
            }
        }
    }
}
