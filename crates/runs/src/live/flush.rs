//! Sets numbers next to 0 in the heap of a training to 0. A weight that decays reaches the subnormal numbers in the end and stays there,
//! and a processor computes many times more slowly with subnormal numbers. The heap is searched so rarely that the search costs nothing.

use crate::planned::{Cells, Planned};
use fletch_engine::Precision;
use fletch_smooth::Tensor;

/// Number of steps of an item between two searches of the heap.
pub(super) const EVERY: usize = 1 << 14;

/// Bound below which entries become 0. The product of an entry above the bound and a number that is not small is still a normal number.
fn least(precision: Precision) -> f64 {
    match precision {
        Precision::Double => 1e-300,
        Precision::Single => 1e-30,
    }
}

/// The number of steps until the next search of the heap after `done` steps, but at most `count`.
pub(super) fn until_next(done: usize, count: usize) -> usize {
    count.min(EVERY - done % EVERY)
}

/// Sets the entries of a heap that are next to 0 to 0, if a search is due after `done` steps; returns true if there were any.
pub(super) fn flush(cells: &mut Cells, done: usize, precision: Precision) -> bool {
    if !done.is_multiple_of(EVERY) {
        return false;
    }
    let least = least(precision);
    let tiny = |entry: f64| entry != 0.0 && entry.abs() < least;
    let mut found = false;
    for (_, contents) in cells {
        if contents.data().iter().any(|entry| tiny(*entry)) {
            let entries = contents.data().iter();
            let entries = entries.map(|entry| if tiny(*entry) { 0.0 } else { *entry });
            if let Some(flushed) = Tensor::new(contents.shape().clone(), entries.collect()) {
                *contents = flushed;
                found = true;
            }
        }
    }
    found
}

/// As [`flush`], for the heap of a plan.
pub(super) fn flush_plan(plan: &mut Planned, done: usize, precision: Precision) {
    if done.is_multiple_of(EVERY) {
        let mut heap = plan.heap();
        if flush(&mut heap, done, precision) {
            plan.load(&heap);
        }
    }
}
