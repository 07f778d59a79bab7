//! Positions of a run between which its parts are at work, and from which the wires of an arrow have their values. A *part* is a half of
//! a call, a return clause, or a term or heap access outside of all runs ([`Work`]).

use crate::steps::timeline::{Half, Timeline, Work};
use fletch_arrows::{Arrow, NodeKind};
use fletch_smooth::Wire;
use std::collections::BTreeMap;

/// Position from which each wire has its value; `None` if it never has one. The result of a statement without a part has its value as
/// soon as all its arguments have theirs.
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

/// Position from which the last of `count` moments of a feedback is over. The feedback is outside of all runs; it is identified by its
/// occurrence and the number of times that the node ran before.
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

/// The part of a diagram that shows a part of a run. `has` is true for the parts with boxes of their own. A part without one belongs to a
/// run that began in a clause, and is shown as that clause.
pub fn drawn(timeline: &Timeline, work: Work, has: impl Fn(Work) -> bool) -> Work {
    let mut work = work;
    // A run begins inside a run that began earlier, so the number of runs bounds the iterations.
    for _ in &timeline.runs {
        match around(timeline, work).filter(|_| !has(work)) {
            Some(around) => work = around,
            None => break,
        }
    }
    work
}

/// The part of another run in which the run of this part began.
fn around(timeline: &Timeline, work: Work) -> Option<Work> {
    let run = match work {
        Work::Call(call, _) => timeline.calls.get(call as usize)?.run,
        Work::Return(run) => run,
        Work::Outside(_) => return None,
    };
    timeline.runs.get(run as usize)?.inside
}

/// Position from which a part of a run is at work.
pub fn from(timeline: &Timeline, work: Work) -> Option<u32> {
    match work {
        Work::Call(call, Half::Forward) => Some(timeline.calls.get(call as usize)?.met),
        Work::Call(call, Half::Backward) => timeline.calls.get(call as usize)?.cotangent,
        Work::Return(run) => timeline.runs.get(run as usize)?.turned,
        Work::Outside(outside) => Some(timeline.outside.get(outside as usize)?.from),
    }
}

/// Position from which a part of a run is done.
pub fn until(timeline: &Timeline, work: Work) -> Option<u32> {
    match work {
        Work::Call(call, Half::Forward) => timeline.calls.get(call as usize)?.result,
        Work::Call(call, Half::Backward) => timeline.calls.get(call as usize)?.done,
        Work::Return(run) => timeline.runs.get(run as usize)?.until,
        Work::Outside(outside) => timeline.outside.get(outside as usize)?.until,
    }
}
