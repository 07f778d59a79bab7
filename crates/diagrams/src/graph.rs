//! What is drawn of an arrow: boxes, each a term or a clause of its statements, and the wires between them.

mod group;
mod inner;
mod label;
mod nets;
mod open;

use fletch_arrows::Pass;
use serde::{Deserialize, Serialize};

pub(crate) use nets::is_saved;
pub use open::Opening;

/// The boxes and the wires of an arrow.
#[derive(Debug, Default)]
pub struct Graph {
    /// The boxes, in the order of their first statements.
    pub boxes: Vec<Block>,
    /// The wires that are drawn; those of the unit type are not.
    pub nets: Vec<Net>,
    /// What is opened, and the runs of handlers inside: the outer before the inner.
    pub frames: Vec<Opened>,
    /// The runs of reverse handlers, in order.
    pub runs: Vec<Run>,
    /// The types of inputs and outputs, as they are written.
    pub inputs: Vec<String>,
    /// See `inputs`.
    pub outputs: Vec<String>,
    /// The names of what can be opened, in the order of the diagram.
    pub openable: Vec<String>,
    /// Those of the names asked for that are names of nothing.
    pub unknown: Vec<String>,
    /// The handlers whose runs can be folded, and those of the names to be folded that are none.
    pub foldable: Vec<String>,
    /// See `foldable`.
    pub not_foldable: Vec<String>,
    /// Whether it is drawn from top to bottom, for a narrow place.
    pub down: bool,
    /// The most rows that it is broken into; it is one road where this is 0 or 1.
    pub rows: usize,
    /// How much its boxes say.
    pub labels: Labels,
}

/// How much boxes say.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Labels {
    /// Terms as they are written, operations with their indices.
    #[default]
    Full,
    /// Operations without their sizes, of a term the map that gives its result.
    Brief,
    /// The same, but `…` for every term.
    Folded,
}

impl Block {
    /// Its label where boxes say so much.
    pub(crate) fn said(&self, labels: Labels) -> &str {
        match (labels, self.kind) {
            (Labels::Full, _) | (_, Kind::Sum) => &self.label,
            (Labels::Folded, Kind::Pure) => "…",
            (Labels::Brief | Labels::Folded, _) => &self.brief,
        }
    }
}

impl Graph {
    /// Whether what stands in this frame is inside a box that was opened; the frame of a run is there from the start.
    pub(crate) fn is_opened(&self, mut frame: Option<usize>) -> bool {
        while let Some(own) = frame.and_then(|frame| self.frames.get(frame)) {
            if !own.is_run {
                return true;
            }
            frame = own.parent;
        }
        false
    }
}

/// A box.
#[derive(Debug)]
pub struct Block {
    /// What it shows.
    pub label: String,
    /// The same without sizes and arguments.
    pub brief: String,
    /// How it looks.
    pub kind: Kind,
    /// Whether it is a reverse derivative: of a term on the way back, or of a function.
    pub derivative: bool,
    /// Which half of a handled operation it is.
    pub mark: Option<Pass>,
    /// The run of a reverse handler that it belongs to, and its part in it.
    pub part: Option<Part>,
    /// The statements that it stands for.
    pub statements: Vec<usize>,
    /// The place in the source, in bytes.
    pub place: (u32, u32),
    /// What stays the same from one picture of the arrow to the next.
    pub key: String,
    /// What opens it, if it can be opened: both halves of an operation have the same.
    pub opens: Option<String>,
    /// What folds the run that bends, if it is of one.
    pub folds: Option<String>,
    /// The frame that it stands in, of those the innermost.
    pub frame: Option<usize>,
    /// Its place among the boxes when nothing is opened: of one in a frame, the frame's.
    pub rank: usize,
}

/// An opened box, or a run of a handler inside.
#[derive(Debug)]
pub struct Opened {
    /// What it is: `FC[ℓ0]`; of a run, the handler's name.
    pub label: String,
    /// Whether it is a run, which is open at first.
    pub is_run: bool,
    /// Which half of a handled operation it is.
    pub half: Option<Pass>,
    /// How it looked when it was folded.
    pub kind: Kind,
    /// The opened box that it stands in.
    pub parent: Option<usize>,
    /// The key of the box that was opened.
    pub key: String,
    /// What folds it again.
    pub opens: String,
    /// The statements that it stands for.
    pub statements: Vec<usize>,
    /// The place in the source, in bytes.
    pub place: (u32, u32),
}

/// How a box looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// An operation, or a clause of one.
    Operation,
    /// A pure map.
    Pure,
    /// +
    Sum,
}

/// Where a box stands in a run of a reverse handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The run, by its place among all.
    pub run: usize,
    /// On the way out, at the turn, on the way back.
    pub pass: Pass,
    /// The unit: what is handled together, forward and backward.
    pub unit: usize,
}

/// A run of a reverse handler: its units, forward and backward.
#[derive(Debug, Default)]
pub struct Run {
    /// The handler's name.
    pub handler: String,
    /// The boxes of each unit on the way out, and those on the way back.
    pub units: Vec<[Vec<usize>; 2]>,
    /// The box of the return clause, if it computes anything.
    pub turn: Option<usize>,
}

/// A wire from where it begins to all where it ends.
#[derive(Debug)]
pub struct Net {
    /// The wire of the arrow.
    pub wire: usize,
    /// Its size.
    pub size: usize,
    /// What it is called, if it has a name.
    pub name: Option<String>,
    /// Where it begins.
    pub from: End,
    /// Where it ends, in order.
    pub to: Vec<End>,
    /// How many values it carries: what a term saves for its derivative is drawn as one.
    pub count: usize,
}

/// An end of a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// At an input of the arrow.
    Input(usize),
    /// At a box.
    Box(usize),
    /// At an output of the arrow.
    Output(usize),
}

/// `Real(3)`
pub(crate) fn real(n: usize) -> String {
    format!("Real({n})")
}
