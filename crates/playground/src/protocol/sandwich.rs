//! The sandwich at a position: one stack for each run of a handler, those inside it nested.

use super::Chip;
use serde::{Deserialize, Serialize};

/// The calls that one run of a handler has met, outermost first: forward parts on the way in, the return clause,
/// backward parts on the way out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stack {
    /// The handler's name.
    pub handler: String,
    /// The position before its run began.
    pub from: u32,
    /// Where the `rev handle` stands in the source: from, to.
    pub source: (u32, u32),
    /// What it has met so far; of many, those near the one at work.
    pub entries: Vec<Entry>,
    /// The return clause, where forward turns into backward: the bottom of the U.
    pub turn: Option<Turn>,
    /// The position before the return clause runs, if that is known and still to come.
    pub turns_at: Option<u32>,
    /// The position from which the run is over, if it is; a stop whose sentence tells it.
    pub done_at: Option<u32>,
}

/// An entry of a stack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant)] // Most are calls.
pub enum Entry {
    /// A call.
    Call(Layer),
    /// A handler whose run is handled by this one: its calls are this one's code.
    Inner(Stack),
    /// So many calls are left out here.
    Left(u32),
}

/// The return clause of the handler whose sandwich is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The handler's name.
    pub handler: String,
    /// The position before the return clause runs, whose sentence tells what it is given.
    pub met_at: u32,
    /// Whether what it gives back is a cotangent.
    pub gradient: bool,
    /// What it returned.
    pub argument: Option<Chip>,
    /// The first cotangent, or whatever goes back first, which the return clause gives back, once known.
    pub result: Option<Chip>,
    /// The position from which the first cotangent is there, and the return clause done.
    pub done_at: Option<u32>,
    /// The stop whose sentence tells the first cotangent, if the return clause is done.
    pub told_at: Option<u32>,
    /// Where the return clause stands in the source: from, to.
    pub source: (u32, u32),
}

/// One handled call of the sandwich: an operation or a function that ran forward, and its backward part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    /// What was called: `FC[ℓ0]`, `swish`.
    pub name: String,
    /// Whether it is an operation (magenta) rather than a function (blue).
    pub operation: bool,
    /// The handler's name.
    pub handler: String,
    /// The position before the step that meets it.
    pub met_at: u32,
    /// What the forward clause saved.
    pub saved: Vec<Saved>,
    /// Its result, once known.
    pub result: Option<Chip>,
    /// Whether what comes back to it is a cotangent.
    pub gradient: bool,
    /// The type of the cotangent that it waits for.
    pub cotangent_type: String,
    /// The cotangent, once known.
    pub cotangent: Option<Chip>,
    /// The position from which the cotangent is there, and the backward part no longer waits.
    pub cotangent_at: Option<u32>,
    /// The stop whose sentence tells the cotangent, if it is there: where the backward clause starts, which may be a
    /// few steps later.
    pub told_at: Option<u32>,
    /// The position from which its backward part is done.
    pub done_at: Option<u32>,
    /// How far it is.
    pub phase: Phase,
    /// Where it was called in the source: from, to.
    pub source: (u32, u32),
    /// The line of that, from 1.
    pub line: u32,
    /// The heap cells among its indices.
    pub locations: Vec<String>,
    /// The positions before its writes so far, with the cells written.
    pub puts: Vec<(u32, String)>,
}

/// A part of what a forward clause saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// The name that the backward clause gives it, if it gives one.
    pub name: Option<String>,
    /// The value.
    pub chip: Chip,
}

/// How far a handled call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Its forward part runs.
    Forward,
    /// Its backward part waits for a cotangent.
    Waiting,
    /// Its backward part runs.
    Backward,
    /// Its backward part is done.
    Done,
}
