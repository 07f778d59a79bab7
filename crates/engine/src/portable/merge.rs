//! Axes of a loop merged where each access crosses from one row to the next with the stride within a row: longer rows, fewer of
//! them.

use crate::loops::Loop;
use fletch_smooth::{Operation, Step};

/// The loop with as few axes as may be.
pub(super) fn merged(mut each: Loop) -> Loop {
    for axis in (1..each.space.len()).rev() {
        merge(&mut each, axis);
    }
    each
}

/// Merges an axis with the one around it, if that is possible.
fn merge(each: &mut Loop, axis: usize) {
    let around = axis - 1;
    let (Some(outer), Some(inner)) = (each.space.get(around), each.space.get(axis)) else {
        return;
    };
    let (outer, inner) = (*outer, *inner);
    let sums = each.sum.iter().flat_map(|sum| &sum.body);
    let mut indices = each.body.iter().chain(sums).filter_map(level);
    if indices.any(|level| level == around || level == axis) {
        return;
    }
    let both = |steps: &[Step]| match (steps.get(around), steps.get(axis)) {
        (Some(_), Some(step)) if outer == 1 => Some(*step),
        (Some(step), Some(_)) if inner == 1 => Some(*step),
        (Some(first), Some(step)) => {
            let even = first.scale == (1, 1) && step.scale == (1, 1);
            (even && first.stride == inner * step.stride).then_some(*step)
        }
        _ => None,
    };
    if each.accesses().any(|access| both(&access.steps).is_none()) {
        return;
    }
    for access in each.accesses() {
        if let Some(step) = both(&access.steps) {
            access.steps.splice(around..=axis, [step]);
        }
    }
    each.space.splice(around..=axis, [outer * inner]);
    let sums = each.sum.iter_mut().flat_map(|sum| &mut sum.body);
    for operation in each.body.iter_mut().chain(sums) {
        if let Operation::Index(level) = operation
            && *level > axis
        {
            *level -= 1;
        }
    }
}

/// Axis of an index operation.
fn level(operation: &Operation) -> Option<usize> {
    match operation {
        Operation::Index(level) => Some(*level),
        _ => None,
    }
}
