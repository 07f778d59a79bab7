//! Numbers next to 0 in the heap of a training become 0. A weight that decays reaches the subnormal numbers in the end, and stays there: a
//! processor computes with those many times as slowly. It is looked for them from time to time, so that it costs nothing.

use crate::planned::{Cells, Planned};
use fletch_engine::Precision;
use fletch_smooth::Tensor;

/// The heap is looked at after so many steps of an item, and so many again.
pub(super) const EVERY: usize = 1 << 14;

/// Entries smaller than this become 0. A product with a number that is not small itself is a normal number still.
fn least(precision: Precision) -> f64 {
    match precision {
        Precision::Double => 1e-300,
        Precision::Single => 1e-30,
    }
}

/// The number of steps, of this many, to the next look at the heap after `done` steps.
pub(super) fn until_next(done: usize, count: usize) -> usize {
    count.min(EVERY - done % EVERY)
}

/// Makes entries next to 0 of a heap 0, if a look is due after so many steps; returns true if there are any.
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

/// As [`flush`], for the heap that a plan has.
pub(super) fn flush_plan(plan: &mut Planned, done: usize, precision: Precision) {
    if done.is_multiple_of(EVERY) {
        let mut heap = plan.heap();
        if flush(&mut heap, done, precision) {
            plan.load(&heap);
        }
    }
}
