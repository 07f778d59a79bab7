//! Positions of a run between which its parts are at work, and from which the wires of an arrow have their values.

use crate::steps::timeline::{Half, Timeline, Work};
use fletch_arrows::{Arrow, NodeKind};
use fletch_smooth::Wire;
use std::collections::BTreeMap;

/// Position from which each wire has its value; None if it never has. A wire without a part has it as soon as its arguments
/// have theirs.
pub fn arrivals(arrow: &Arrow, timeline: &Timeline, works: &[Option<Work>]) -> Vec<Option<u32>> {
    let mut from: Vec<Option<u32>> = vec![Some(0); arrow.map.inputs().len()];
    let mut loops: BTreeMap<u32, usize> = BTreeMap::new();
    for (statement, work) in arrow.map.statements().iter().zip(works) {
        let arguments = statement.arguments.iter();
        let mut arguments = arguments.map(|Wire(wire)| from.get(*wire).copied().flatten());
        let there = match (work, &statement.applied.kind) {
            (Some(work), _) => until(timeline, *work),
            (None, NodeKind::Loop(looped)) => {
                let origin = statement.applied.provenance.origin;
                let before = loops.entry(origin.occurrence).or_default();
                *before += 1;
                ended(timeline, origin.occurrence, *before - 1, looped.count)
            }
            (None, _) => arguments.try_fold(0, |last, at| Some(at?.max(last))),
        };
        from.extend(statement.results().map(|_| there));
    }
    from
}

/// Position from which the last of so many moments is over, of a feedback outside of all runs, given its node and the number of times
/// that the node ran before.
fn ended(timeline: &Timeline, occurrence: u32, before: usize, count: usize) -> Option<u32> {
    let loops = timeline.loops.iter().enumerate();
    let mut loops = loops.filter(|(_, looped)| {
        looped.occurrence == occurrence && looped.inside.is_none() && looped.around.is_none()
    });
    let (number, _) = loops.nth(before)?;
    let moments = timeline.moments.iter();
    let mut moments = moments.filter(|moment| moment.looped as usize == number);
    moments.nth(count.checked_sub(1)?)?.until
}

/// The part of a diagram that a part of a run is, given those that it has: a run in a clause is that clause where it has none of its own.
pub fn drawn(timeline: &Timeline, work: Work, has: impl Fn(Work) -> bool) -> Work {
    let mut work = work;
    // A run begins in one that began before.
    for _ in &timeline.runs {
        match around(timeline, work).filter(|_| !has(work)) {
            Some(around) => work = around,
            None => break,
        }
    }
    work
}

/// The part of another run that the run of a part began in.
fn around(timeline: &Timeline, work: Work) -> Option<Work> {
    let run = match work {
        Work::Call(call, _) => timeline.calls.get(call as usize)?.run,
        Work::Return(run) => run,
        Work::Outside(_) => return None,
    };
    timeline.runs.get(run as usize)?.inside
}

/// The position from which a part of a run is at work.
pub fn from(timeline: &Timeline, work: Work) -> Option<u32> {
    match work {
        Work::Call(call, Half::Forward) => Some(timeline.calls.get(call as usize)?.met),
        Work::Call(call, Half::Backward) => timeline.calls.get(call as usize)?.cotangent,
        Work::Return(run) => timeline.runs.get(run as usize)?.turned,
        Work::Outside(outside) => Some(timeline.outside.get(outside as usize)?.from),
    }
}

/// The position from which a part of a run is done.
pub fn until(timeline: &Timeline, work: Work) -> Option<u32> {
    match work {
        Work::Call(call, Half::Forward) => timeline.calls.get(call as usize)?.result,
        Work::Call(call, Half::Backward) => timeline.calls.get(call as usize)?.done,
        Work::Return(run) => timeline.runs.get(run as usize)?.until,
        Work::Outside(outside) => timeline.outside.get(outside as usize)?.until,
    }
}
