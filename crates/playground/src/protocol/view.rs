//! One position of the trace, laid out.

use super::{CellView, Chip, FoldKey, Level, Line, Piece, RuleView, Stack, Work};
use serde::{Deserialize, Serialize};

/// Which position to show, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Show {
    /// The program meant.
    pub revision: u32,
    /// The position, from 0 to the number of steps known.
    pub position: u32,
    /// The stop that the reader comes from, if they came by one move: its step is what the marks tell of.
    pub from: Option<u32>,
    /// The level of detail: what the sentence tells goes until the next stop.
    pub level: Level,
    /// The width to print in, in characters.
    pub width: u32,
    /// What the reader has opened that is folded by itself, or folded that is open by itself.
    pub toggled: Vec<FoldKey>,
    /// Whether the state after the step is wanted too.
    pub compare: bool,
    /// Whether what is said at the next stop is wanted too.
    pub ahead: bool,
}

/// What the author of a program says of a step, by a step note above a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caption {
    /// The text; lines end with `\n`.
    pub text: String,
    /// Whether the line is entered here; else it was the last one entered.
    pub fresh: bool,
}

/// What is said at the next stop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ahead {
    /// The sentence there.
    pub sentence: Vec<Piece>,
    /// The step note there.
    pub caption: Option<Caption>,
}

/// A location that changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// `ℓ0`
    pub name: String,
    /// What it holds here.
    pub before: Chip,
    /// What it holds at the next stop.
    pub after: Chip,
}

/// One position of the trace, ready to be drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepView {
    /// The program meant.
    pub revision: u32,
    /// The position shown.
    pub position: u32,
    /// The next stop of the level, if there is one.
    pub next: Option<u32>,
    /// The rule of the next step; `None` at the end.
    pub rule: Option<RuleView>,
    /// What happens until the next stop, in words; at the end, what was reached.
    pub sentence: Vec<Piece>,
    /// The step note of the line that the run has reached.
    pub caption: Option<Caption>,
    /// What is said at the next stop; if that was asked for.
    pub ahead: Option<Ahead>,
    /// The command, laid out.
    pub lines: Vec<Line>,
    /// The command at the next stop, laid out, with what was made marked; if it was asked for.
    pub after: Option<Vec<Line>>,
    /// The locations that hold something else at the next stop; if that was asked for.
    pub changed: Vec<Change>,
    /// The heap.
    pub heap: Vec<CellView>,
    /// Whether the run has come to its value, so that the heap's writes are all there will be.
    pub over: bool,
    /// The largest absolute value in the heap as it is shown, contents before the writes told included: the colour scale.
    pub scale: f64,
    /// The stacks of handled calls: one for the run of a handler at the top, those inside it nested. The last one is
    /// the newest.
    pub sandwich: Vec<Stack>,
    /// Where the next redex comes from in the source, or what a stuck run stops at: from, to.
    pub source: Option<(u32, u32)>,
    /// What is at work in the next step, by its number in the [`super::Timeline`].
    pub work: Option<Work>,
    /// Whether the run is stuck here.
    pub stuck: bool,
    /// The convention by which a step until the next stop goes on that the paper's reading does not have.
    pub convention: Option<String>,
    /// What makes the first value of the run that is no finite number, if a step until the next stop does: "`exp` gives ∞".
    pub non_finite: Option<String>,
    /// The same of the stop before: what has just run.
    pub ran: Option<(u32, u32)>,
}
