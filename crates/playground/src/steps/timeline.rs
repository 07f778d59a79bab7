//! Timeline of a run, as sent to a front end: the positions at which each call, term and return clause is at work.
//!
//! Terms used here: a *run* is the evaluation of one `rev handle`, a *call* an operation, feedback or term that a run
//! handles. A *part* of a run is a half of a call, a return clause, or a term or heap access outside of all runs
//! ([`Work`]). Code of a part is code that runs while the part is at work.

use crate::clip;
use fletch_calculus::{Called, OperationRef, Origin};
use fletch_ide::place;
use fletch_syntax::LineIndex;
use fletch_trace::{self as trace, Pass, Trace};
use serde::{Deserialize, Serialize};

/// Runs of handlers, the calls that they handle, and terms and heap accesses outside of runs. Each list is in the
/// order in which its elements began. A position is `None` if the run, as far as it is computed, has not reached it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeline {
    /// Runs of reverse handlers.
    pub runs: Vec<RunTimes>,
    /// Calls that these runs handle.
    pub calls: Vec<CallTimes>,
    /// Terms and heap accesses outside of all runs, and those in moments.
    pub outside: Vec<OutsideTimes>,
    /// Feedbacks that ran.
    pub loops: Vec<LoopTimes>,
    /// Moments of these feedbacks.
    pub moments: Vec<MomentTimes>,
    /// Part at work in each access of the heap, in order.
    pub accesses: Vec<Option<Work>>,
}

/// A run of a reverse handler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunTimes {
    /// The outer run that handles this run; `None` at the top level.
    pub parent: Option<u32>,
    /// Part of another run in which this run began: the `rev handle` is code of a clause of that run.
    pub inside: Option<Work>,
    /// Source span of the `rev handle`: from, to.
    pub place: (u32, u32),
    /// Occurrence of the `rev handle` ([`Origin::occurrence`]).
    pub occurrence: u32,
    /// Position before the return clause.
    pub turned: Option<u32>,
    /// Position from which the result of the return clause exists.
    pub until: Option<u32>,
}

/// A handled call: an operation, a feedback or a term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallTimes {
    /// Run that handles the call.
    pub run: u32,
    /// Call of an inner handler that contains this call in one of its clauses, and the half to which the clause belongs.
    pub within: Option<(u32, Half)>,
    /// True if the call is an operation.
    pub operation: bool,
    /// True if the call is a feedback.
    pub feedback: bool,
    /// True if the call is a term that only permutes values.
    pub moves: bool,
    /// Source span of the call: from, to.
    pub place: (u32, u32),
    /// Occurrence of the call.
    pub occurrence: u32,
    /// Position before the step that handles the call, equal to [`super::sandwich::Layer::met_at`].
    pub met: u32,
    /// Position from which its result and its saved value are known.
    pub result: Option<u32>,
    /// Position from which its cotangent is known.
    pub cotangent: Option<u32>,
    /// Stop whose sentence tells how the backward half begins.
    pub told: Option<u32>,
    /// Position from which the backward half is done.
    pub done: Option<u32>,
}

/// A half of a handled call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Half {
    /// The forward half: the forward clause.
    Forward,
    /// The backward half: the backward clause.
    Backward,
}

/// A feedback that runs: one of the source, or a clause that a handler derives for one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopTimes {
    /// Part whose code contains the feedback.
    pub around: Option<Work>,
    /// Index of the moment in which the feedback runs.
    pub inside: Option<u32>,
    /// Source span of the command: from, to.
    pub place: (u32, u32),
    /// Occurrence of the command.
    pub occurrence: u32,
}

/// A moment, that is, one iteration of a feedback.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MomentTimes {
    /// Index of the feedback in [`Timeline::loops`].
    pub looped: u32,
    /// Number of the moment, from 1.
    pub number: u32,
    /// Position before the step that begins the moment.
    pub from: u32,
    /// Position from which the moment is over.
    pub until: Option<u32>,
}

/// A term, or an access of the heap, outside of all runs or in a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutsideTimes {
    /// Part whose code contains it, for a term or an access in a moment.
    pub around: Option<Work>,
    /// Index of the moment that contains it.
    pub moment: Option<u32>,
    /// True for an access of the heap.
    pub access: bool,
    /// Source span: from, to.
    pub place: (u32, u32),
    /// Occurrence of the term or of the access.
    pub occurrence: u32,
    /// Position before its first step.
    pub from: u32,
    /// Position from which it is done.
    pub until: Option<u32>,
}

/// Part at work at a position, by its index in the [`Timeline`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Work {
    /// A half of a call, by the index of the call.
    Call(u32, Half),
    /// The return clause of a run, by the index of the run.
    Return(u32),
    /// A term or heap access, by its index in [`Timeline::outside`].
    Outside(u32),
}

impl Timeline {
    /// Converts source spans from UTF-16 units to bytes, the unit of arrows.
    #[must_use]
    pub fn in_bytes(mut self, lines: &LineIndex) -> Timeline {
        let runs = self.runs.iter_mut().map(|run| &mut run.place);
        let calls = self.calls.iter_mut().map(|call| &mut call.place);
        let outside = self.outside.iter_mut().map(|outside| &mut outside.place);
        let loops = self.loops.iter_mut().map(|looped| &mut looped.place);
        for place in runs.chain(calls).chain(outside).chain(loops) {
            *place = (lines.from_utf16(place.0), lines.from_utf16(place.1));
        }
        self
    }
}

/// Makes the timeline of a trace.
pub(crate) fn timeline(trace: &Trace, lines: &LineIndex) -> Timeline {
    let calls = trace.calls();
    let place = |origin: Origin| place::utf16(place::span(origin), lines);
    let runs = calls.runs.iter().enumerate();
    let runs = runs.map(|(number, run)| RunTimes {
        parent: run.parent.map(clip),
        place: place(run.origin),
        occurrence: run.origin.occurrence,
        inside: trace.timeline().inside(number).map(part),
        turned: run.turned_at.map(clip),
        until: run.turned_until.as_ref().map(|(until, _)| clip(*until)),
    });
    let records = calls.records.iter().map(|record| CallTimes {
        run: clip(record.run),
        within: record.within.map(|(call, pass)| (clip(call), half(pass))),
        operation: matches!(record.call.called, Called::Operation(_)),
        feedback: matches!(record.call.called, Called::Feedback(_)),
        moves: record.moves,
        place: place(record.call.origin),
        occurrence: record.call.origin.occurrence,
        met: clip(record.met_at),
        result: record.waits_from.map(clip),
        cotangent: record.cotangent_at.map(clip),
        told: record.told().map(clip),
        done: record.done_at.map(clip),
    });
    let outside = trace.timeline().outside.iter();
    Timeline {
        runs: runs.collect(),
        calls: records.collect(),
        outside: outside
            .map(|outside| OutsideTimes {
                around: outside.around.map(part),
                moment: outside.moment.map(clip),
                access: outside.access,
                place: place(outside.origin),
                occurrence: outside.origin.occurrence,
                from: clip(outside.from),
                until: outside.until.map(clip),
            })
            .collect(),
        loops: (trace.timeline().loops.iter())
            .map(|looped| LoopTimes {
                around: looped.around.map(part),
                inside: looped.inside.map(clip),
                place: place(looped.origin),
                occurrence: looped.origin.occurrence,
            })
            .collect(),
        moments: (trace.timeline().moments.iter())
            .map(|moment| MomentTimes {
                looped: clip(moment.looped),
                number: clip(moment.number),
                from: clip(moment.from),
                until: moment.until.map(clip),
            })
            .collect(),
        accesses: (trace.index().accesses().iter())
            .map(|position| work(trace, *position as usize))
            .collect(),
    }
}

/// Part at work in the step from a position.
pub(crate) fn work(trace: &Trace, position: usize) -> Option<Work> {
    trace.timeline().at(position).map(part)
}

/// The operation whose clause runs in the step from a position. The clause may be one of a reverse handler, or else of
/// an ordinary one.
pub(crate) fn clause(trace: &Trace, position: usize) -> Option<&OperationRef> {
    let calls = trace.calls();
    if let Some(trace::Work::Call(call, _)) = trace.timeline().at(position) {
        return match &calls.records.get(call)?.call.called {
            Called::Operation(operation) => Some(operation),
            Called::Function(_) | Called::Term | Called::Feedback(_) => None,
        };
    }
    let runs = |clause: &&trace::Clause| {
        let over = clause.resumed.as_ref().map(|(at, _)| *at);
        !clause.outside && clause.met_at < position && over.is_none_or(|over| position < over)
    };
    let clause = calls.clauses.iter().rev().find(runs)?;
    Some(&clause.operation)
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
