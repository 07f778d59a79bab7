//! Steps of a run that match a description.

use crate::question::StepLike;
use fletch_print::numbers::Digits;
use fletch_reduction::{Action, HeapWrite, Step};
use fletch_trace::Trace;
use fletch_transcript::steps::steps;

/// Positions before the steps that match, in order.
pub fn like(trace: &Trace, like: &StepLike) -> Vec<usize> {
    let fits = |position: &usize| {
        let Some(step) = trace.step(*position) else {
            return false;
        };
        let rule = like.rule.as_deref();
        if rule.is_some_and(|rule| rule != step.action.rule().name()) {
            return false;
        }
        let place = like.location.as_deref();
        if place.is_some_and(|place| location(step).as_deref() != Some(place)) {
            return false;
        }
        // The redex is tested last: only the remaining steps need their states laid out.
        like.redex.as_deref().is_none_or(|redex| {
            let number = position + 1;
            steps(trace, number, number, Digits::Clean).any(|text| text.redex.contains(redex))
        })
    };
    (0..trace.len()).filter(fits).collect()
}

/// Position before the step that a description selects: the `nth` match, by default the first.
pub fn meant(trace: &Trace, described: &StepLike) -> Option<usize> {
    let before = described.nth.map_or(0, |nth| nth.get() - 1);
    like(trace, described).get(before).copied()
}

/// The locations that are written, in order.
pub(crate) fn written(trace: &Trace) -> Vec<String> {
    writes(trace)
        .map(|write| write.location.name.to_string())
        .collect()
}

/// The writes of the heap, in order.
pub(crate) fn writes(trace: &Trace) -> impl Iterator<Item = &HeapWrite> {
    let positions = trace.writes().positions().iter();
    positions.filter_map(|at| trace.step(*at)?.write.as_ref())
}

/// The location that a step reads or writes.
fn location(step: &Step) -> Option<String> {
    match (&step.write, &step.action) {
        (Some(write), _) => Some(write.location.name.to_string()),
        (None, Action::Get { location, .. }) => Some(location.name.to_string()),
        _ => None,
    }
}
