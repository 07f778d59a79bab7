//! When the parts of a run are at work, for a diagram that is lit while one steps.

use serde::{Deserialize, Serialize};

/// The handled calls of a run, the runs of handlers that met them, and what ran outside; all by number, as they began.
/// A position that is not known is not reached by as much of the run as there is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeline {
    /// The program meant.
    pub revision: u32,
    /// The runs of reverse handlers.
    pub runs: Vec<RunTimes>,
    /// The calls that they met.
    pub calls: Vec<CallTimes>,
    /// Terms and heap accesses outside of all of them.
    pub outside: Vec<OutsideTimes>,
    /// What is at work in each access of the heap, in order.
    pub accesses: Vec<Option<Work>>,
}

/// A run of a reverse handler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunTimes {
    /// The run that handles it, if it is not at the top.
    pub parent: Option<u32>,
    /// The part of another run that it began in: it is code of a clause of that one.
    pub inside: Option<Work>,
    /// Where the `rev handle` stands in the source, in bytes: from, to.
    pub place: (u32, u32),
    /// The position before the return clause.
    pub turned: Option<u32>,
    /// The position from which the result of the return clause is there.
    pub until: Option<u32>,
}

/// A handled call: an operation or a term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallTimes {
    /// The run that met it.
    pub run: u32,
    /// The call of a handler further inside whose clause it is part of, and which one.
    pub within: Option<(u32, Half)>,
    /// Whether it is an operation.
    pub operation: bool,
    /// Whether it is a term that only moves values about.
    pub moves: bool,
    /// Where it stands in the source, in bytes: from, to.
    pub place: (u32, u32),
    /// The position before the step that meets it: what [`super::Layer::met_at`] is.
    pub met: u32,
    /// The position from which its result is there, and what it saved.
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

/// A term, or an access of the heap, outside of all runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutsideTimes {
    /// Whether it is an access of the heap.
    pub access: bool,
    /// Where it stands in the source, in bytes: from, to.
    pub place: (u32, u32),
    /// The position before its first step.
    pub from: u32,
    /// The position from which it is done.
    pub until: Option<u32>,
}

/// What is at work at a position, by its number in the [`Timeline`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Work {
    /// A half of a call.
    Call(u32, Half),
    /// The return clause of a run.
    Return(u32),
    /// What stands outside.
    Outside(u32),
}
