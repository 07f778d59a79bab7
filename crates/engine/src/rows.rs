//! The rows of loops: a machine computes block by block along the innermost extent.

use crate::loops::{Access, reached};
use fletch_smooth::Step;

/// So many points of a loop are computed at once.
pub(crate) const BLOCK: usize = 128;

/// Room for what is computed, made once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// A block for each assignment.
    pub(crate) registers: Vec<f64>,
    /// One number for each assignment of a sum's body.
    pub(crate) numbers: Vec<f64>,
    pub(crate) indices: Vec<usize>,
}

/// Where a row of a loop starts, and the step along it.
pub(crate) fn row(access: &Access, indices: &[usize], innermost: usize) -> (usize, Step) {
    let outer = access.steps.iter().zip(indices).take(innermost);
    let start = outer.fold(access.offset, |place, (step, index)| {
        place + step.stride * reached(*step, *index)
    });
    let step = access.steps.get(innermost).copied();
    let still = Step {
        stride: 0,
        scale: (1, 1),
    };
    (start, step.unwrap_or(still))
}

/// Reads a block along a row.
pub(crate) fn gather(memory: &[f64], start: usize, step: Step, from: usize, out: &mut [f64]) {
    let at = |place: usize| memory.get(place).copied().unwrap_or(f64::NAN);
    match step {
        Step { stride: 0, .. } => out.fill(at(start)),
        Step {
            stride: 1,
            scale: (1, 1),
        } => {
            let start = start + from;
            if let Some(values) = memory.get(start..start + out.len()) {
                out.copy_from_slice(values);
            }
        }
        step => {
            for (index, out) in (from..).zip(out) {
                *out = at(start + step.stride * reached(step, index));
            }
        }
    }
}
