//! The rows of loops: a machine computes block by block along the innermost extent.

use crate::loops::{Access, reached};
use crate::number::Number;
use fletch_smooth::Step;

/// So many points of a loop are computed at once.
pub(crate) const BLOCK: usize = 128;

/// Room for what is computed, made once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch<N> {
    /// A block for each assignment.
    pub(crate) registers: Vec<N>,
    /// One number for each assignment of a sum's body.
    pub(crate) numbers: Vec<N>,
    pub(crate) indices: Vec<usize>,
    /// The arguments of a primitive that may not be defined.
    pub(crate) checked: [Vec<f64>; 4],
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
pub(crate) fn gather<N: Number>(
    memory: &[N],
    start: usize,
    step: Step,
    from: usize,
    out: &mut [N],
) {
    let at = |place: usize| memory.get(place).copied().unwrap_or(N::NAN);
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
