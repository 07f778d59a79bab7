//! Scatters run by the portable machine: what falls on the same place is summed in the order of the nest.

use crate::loops::{Scatter, next};
use crate::number::Number;
use crate::rows::{BLOCK, Scratch, gather, row};
use crate::sums::{factors, number};
use fletch_smooth::Step;

pub(crate) fn scattered<N: Number>(scatter: &Scatter, memory: &mut [N], scratch: &mut Scratch<N>) {
    let mut indices = std::mem::take(&mut scratch.indices);
    indices.clear();
    indices.resize(scatter.extents.len(), 0);
    let innermost = scatter.extents.len().saturating_sub(1);
    let outer = scatter.extents.get(..innermost).unwrap_or(&[]);
    let extent = scatter.extents.last().copied().unwrap_or(1);
    if !scatter.extents.contains(&0) {
        loop {
            let row_indices = indices.get(..innermost).unwrap_or(&[]);
            let (place, step) = row(&scatter.write, row_indices, innermost);
            // Along a row that is written entry by entry, products are added block by block.
            let factors = factors(&scatter.reads, &scatter.body, innermost);
            match (step, factors) {
                (
                    Step {
                        stride: 1,
                        scale: (1, 1),
                    },
                    Some(factors),
                ) => {
                    let rows = factors.map(|access| row(access, row_indices, innermost));
                    add_products(memory, place, rows, extent, &mut scratch.registers);
                }
                _ => one_by_one(scatter, memory, &mut indices, &mut scratch.numbers),
            }
            let rest = indices.get_mut(..innermost).unwrap_or(&mut []);
            if !next(rest, outer) {
                break;
            }
        }
    }
    scratch.indices = indices;
}

/// Adds to a row the products of two.
fn add_products<N: Number>(
    memory: &mut [N],
    place: usize,
    rows: [(usize, Step); 2],
    extent: usize,
    registers: &mut [N],
) {
    let (u, v) = registers.split_at_mut(BLOCK.min(registers.len()));
    let mut from = 0;
    while from < extent {
        let length = BLOCK.min(extent - from);
        let (Some(u), Some(v)) = (u.get_mut(..length), v.get_mut(..length)) else {
            return;
        };
        for ((start, step), values) in rows.into_iter().zip([&mut *u, &mut *v]) {
            gather(memory, start, step, from, values);
        }
        let sums = memory.get_mut(place + from..place + from + length);
        for (sum, (u, v)) in sums.into_iter().flatten().zip(u.iter().zip(&*v)) {
            *sum += *u * *v;
        }
        from += length;
    }
}

/// A row of a scatter, number by number; the last index runs.
fn one_by_one<N: Number>(
    scatter: &Scatter,
    memory: &mut [N],
    indices: &mut [usize],
    numbers: &mut Vec<N>,
) {
    let extent = scatter.extents.last().copied().unwrap_or(1);
    for index in 0..extent {
        if let Some(last) = indices.last_mut() {
            *last = index;
        }
        let value = number(
            &scatter.body,
            |read| {
                let access = scatter.reads.get(read);
                let place = access.map_or(usize::MAX, |access| access.place(indices));
                memory.get(place).copied().unwrap_or(N::NAN)
            },
            |level| indices.get(level).copied().unwrap_or(0),
            numbers,
        );
        if let Some(slot) = memory.get_mut(scatter.write.place(indices)) {
            *slot += value;
        }
    }
    if let Some(last) = indices.last_mut() {
        *last = 0;
    }
}
