//! Timeline of a run, as a front end takes it: the positions between which each part is at work.

use crate::clip;
use fletch_calculus::{Called, OperationRef, Origin};
use fletch_ide::place;
use fletch_syntax::LineIndex;
use fletch_trace::{self as trace, Pass, Trace};
use serde::{Deserialize, Serialize};

/// The handled calls of a run, the runs of handlers that met them, and what ran outside; all by number, as they began.
/// A position that is not known is not reached by as much of the run as there is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeline {
    /// The runs of reverse handlers.
    pub runs: Vec<RunTimes>,
    /// The calls that they met.
    pub calls: Vec<CallTimes>,
    /// Terms and heap accesses outside of all of them, and those in moments.
    pub outside: Vec<OutsideTimes>,
    /// The feedbacks that ran.
    pub loops: Vec<LoopTimes>,
    /// Moments of the loops.
    pub moments: Vec<MomentTimes>,
    /// Part at work in each access of the heap, in order.
    pub accesses: Vec<Option<Work>>,
}

/// A run of a reverse handler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunTimes {
    /// The run that handles it, if it is not at the top.
    pub parent: Option<u32>,
    /// The part of another run that it began in: it is code of a clause of that one.
    pub inside: Option<Work>,
    /// Source span of the `rev handle`: from, to.
    pub place: (u32, u32),
    /// Occurrence of the `rev handle` ([`Origin::occurrence`]).
    pub occurrence: u32,
    /// The position before the return clause.
    pub turned: Option<u32>,
    /// The position from which the result of the return clause is there.
    pub until: Option<u32>,
}

/// A handled call: an operation, a feedback or a term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallTimes {
    /// The run that met it.
    pub run: u32,
    /// The call of a handler further inside whose clause it is part of, and which one.
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
    /// The position before the step that meets it: what [`super::sandwich::Layer::met_at`] is.
    pub met: u32,
    /// Position from which its result and its saved value are known.
    pub result: Option<u32>,
    /// The position from which its cotangent is there.
    pub cotangent: Option<u32>,
    /// The stop whose sentence tells how its backward part begins.
    pub told: Option<u32>,
    /// The position from which its backward part is done.
    pub done: Option<u32>,
}

/// A half of a handled call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Half {
    /// Out.
    Forward,
    /// Back.
    Backward,
}

/// A feedback that runs: one that is written, or one of the clauses that a handler derives for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopTimes {
    /// The part of a run that it is code of.
    pub around: Option<Work>,
    /// The moment that it runs in.
    pub inside: Option<u32>,
    /// Source span of the command: from, to.
    pub place: (u32, u32),
    /// Occurrence of the command.
    pub occurrence: u32,
}

/// A moment of a feedback.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MomentTimes {
    /// The feedback.
    pub looped: u32,
    /// Number of the moment, from 1.
    pub number: u32,
    /// The position before the step that begins it.
    pub from: u32,
    /// The position from which it is over.
    pub until: Option<u32>,
}

/// A term, or an access of the heap, outside of all runs or in a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutsideTimes {
    /// The part of a run that it is code of, in a moment.
    pub around: Option<Work>,
    /// The moment that it is in.
    pub moment: Option<u32>,
    /// True for an access of the heap.
    pub access: bool,
    /// Source span: from, to.
    pub place: (u32, u32),
    /// Occurrence of the term or of the access.
    pub occurrence: u32,
    /// The position before its first step.
    pub from: u32,
    /// The position from which it is done.
    pub until: Option<u32>,
}

/// Part at work at a position, by its number in the [`Timeline`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Work {
    /// A half of a call.
    Call(u32, Half),
    /// The return clause of a run.
    Return(u32),
    /// A term or heap access outside of all runs.
    Outside(u32),
}

impl Timeline {
    /// Converts spans to bytes, the unit of arrows.
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

/// The table of a trace.
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

/// The operation whose clause runs in the step from a position, of a reverse handler or else of an ordinary one.
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
