//! When the parts of a run are at work, as a front end takes it.

use crate::protocol::{CallTimes, Half, OutsideTimes, RunTimes, Timeline, Work};
use fletch_calculus::Origin;
use fletch_reduction::Action;
use fletch_trace::{self as trace, Pass, Trace};

/// The table of a trace.
pub(crate) fn timeline(trace: &Trace, revision: u32) -> Timeline {
    let calls = trace.calls();
    let runs = calls.runs.iter().enumerate();
    let runs = runs.map(|(number, run)| RunTimes {
        parent: run.parent.map(clip),
        place: place(run.origin),
        inside: trace.timeline().inside(number).map(part),
        turned: run.turned_at.map(clip),
        until: run.turned_until.as_ref().map(|(until, _)| clip(*until)),
    });
    let records = calls.records.iter().map(|record| CallTimes {
        run: clip(record.run),
        within: record.within.map(|(call, pass)| (clip(call), half(pass))),
        operation: record.operation(),
        moves: record.moves,
        place: place(record.call.origin),
        met: clip(record.met_at),
        result: record.waits_from.map(clip),
        cotangent: record.cotangent_at.map(clip),
        told: record.told().map(clip),
        done: record.done_at.map(clip),
    });
    let outside = trace.timeline().outside.iter();
    let steps = trace.steps().iter().enumerate();
    let accesses =
        steps.filter(|(_, step)| matches!(step.action, Action::Get { .. } | Action::Put { .. }));
    Timeline {
        revision,
        runs: runs.collect(),
        calls: records.collect(),
        outside: outside
            .map(|outside| OutsideTimes {
                access: outside.access,
                place: place(outside.origin),
                from: clip(outside.from),
                until: outside.until.map(clip),
            })
            .collect(),
        accesses: accesses
            .map(|(position, _)| work(trace, position))
            .collect(),
    }
}

/// What is at work in the step from a position.
pub(crate) fn work(trace: &Trace, position: usize) -> Option<Work> {
    trace.timeline().at(position).map(part)
}

fn part(work: trace::Work) -> Work {
    match work {
        trace::Work::Call(call, pass) => Work::Call(clip(call), half(pass)),
        trace::Work::Return(run) => Work::Return(clip(run)),
        trace::Work::Outside(number) => Work::Outside(clip(number)),
    }
}

fn half(pass: Pass) -> Half {
    match pass {
        Pass::Forward => Half::Forward,
        Pass::Backward => Half::Backward,
    }
}

fn place(origin: Origin) -> (u32, u32) {
    (origin.start, origin.end)
}

fn clip(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
