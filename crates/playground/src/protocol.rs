//! The protocol between a front end and its session: plain data, serialisable, without types of the calculus. Source positions
//! are UTF-16 code units, as editors count.
//!
//! A *position* is a state of the trace: 0 is the initial state, position k the state after k steps. A front end that does not
//! show every step goes from *stop* to stop of a [`Level`]. The view of a position marks what the next step touches and what
//! was made since the previous stop. Its sentence tells what happens until the next stop.
//!
//! The step number that a reader sees, and that a link leads to, is the position before the step: the stop of [`Level::Plain`]
//! whose sentence tells the step. The effect of a step first exists at the position after it, or at a later one. Each position
//! field says which of the two it holds.
//!
//! Each request gets one reply, in order. A reply does not repeat its request.

pub use crate::bytes::InputFile;
pub use crate::compare::listing::{Applied, Listing, Statement};
pub use crate::compare::runs::{End, Pair, Ran, RunTensor, Runs, Variant, Wrong};
pub use crate::compare::same::{Move, Opened, Performed, Same, Verdict};
pub use crate::compare::{Commands, Comparable, Compared, Comparison, Equality, Shown, Side};
pub use crate::diagram::draw::{Drawing, Figure, Refusal, Unasked};
pub use crate::diagram::follow::{InLoop, Linked, LinkedLoop, Links, Share};
pub use crate::diagram::inside::During;
pub use crate::diagram::values::{Looped, Moments, Norms, Values};
pub use crate::locations::{Blank, Edit};
pub use crate::offer::Offer;
pub use crate::program::{Checked, MainSummary, Mode, OutlineEntry, Sample};
pub use crate::steps::heap::update::Update;
pub use crate::steps::heap::{Access, CellView, Picture, Summary, WriteView};
pub use crate::steps::index::{Index, NonFinite, Tick, TickKind};
pub use crate::steps::notes::Caption;
pub use crate::steps::sandwich::{Entry, Layer, Phase, Saved, Stack, Turn};
pub use crate::steps::search::{Found, Search};
pub use crate::steps::timeline::{
    CallTimes, Half, LoopTimes, MomentTimes, OutsideTimes, RunTimes, Timeline, Work,
};
pub use crate::steps::view::{Ahead, Change, Show, StepView};
pub use crate::steps::{Advanced, Copying, Entries, Inspection, RunStatus, Stuck};
pub use crate::tour::{Judged, Submitted, Toured, Touring};
pub use crate::train::Tried;
pub use crate::train::carrying::{Carried, Carry, Given};
pub use crate::train::checking::{
    AgainstMeasure, AgainstPlace, CheckedGradient, Checking, Differences,
};
pub use crate::train::data::{DataCard, OfData, WishOfData};
pub use crate::train::inside::{Drawn, Figures, Inside, LayerFigures, Over, Weights};
pub use crate::train::moments::{STOPS, after as next_moment};
pub use crate::train::numerals::Numeral;
pub use crate::train::pictures::{Kind, Look, Pictured, SIDE, Samples, Sketch};
pub use crate::train::training::{
    Asked, Begin, Beside, Cell, Goal, Measured, Scalar, Trained, Training,
};
pub use crate::types::derivation::{self, Deriving, Underivable};
pub use fletch_engine::Precision;
pub use fletch_explain::{Part, RuleFamily, RuleView, Why};
pub use fletch_ide::{
    Answer, ChainEdit, Completion, Completions, Defined, EditKind, EditorDiagnostic, EditorLabel,
    Hover, Insertion, Question, SHELF, TextEdit,
};
pub use fletch_print::numbers::Digits;
pub use fletch_print::{Chip, Fold, FoldKey, Line, Mark, Piece, PieceKind};
pub use fletch_reduction::Rule;
pub use fletch_syntax::Severity;
pub use fletch_tour::{Judgement, State as Standing, Verdict as LessonVerdict};
pub use fletch_trace::Level;
pub use fletch_transcript::Format;

use crate::diagram;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A request of a front end, with the text that it is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Revision of the text: a number that the front end chooses.
    pub revision: u32,
    /// The request itself.
    pub ask: Ask,
}

/// Serialisation of requests and replies that the start of a page never uses. Separate functions let the start load without
/// this code (`web/site/late.txt`).
mod later {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[inline(never)]
    pub(super) fn deserialize<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
        from: D,
    ) -> Result<T, D::Error> {
        T::deserialize(from)
    }

    #[inline(never)]
    pub(super) fn serialize<S: Serializer, T: Serialize>(
        what: &T,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        what.serialize(to)
    }
}

/// Requests of a front end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ask {
    /// Read data sets from these files, in all programs loaded from now on.
    Files(Vec<InputFile>),
    /// Run this sample of a `train` item instead of `main`, in all programs loaded from now on; `None` restores `main`.
    Sample(Option<Sample>),
    /// Parse and check a program, and start its trace if it has a `main` that runs. From then on the request's revision denotes
    /// this text.
    Load {
        /// Source text of the program.
        source: String,
        /// Initial contents that replace the program's own; contents that do not fit are ignored.
        heap: Vec<Edit>,
        /// Options of the program's semantics.
        mode: Mode,
    },
    /// Offer a `main` for the loaded program, which checks and has none.
    Offer,
    /// Answer a question about a text. The request carries the text, which may be newer than the loaded one, incomplete and
    /// never meant to run. A text that is already known is not parsed again. The revision is ignored.
    Question {
        /// Source text.
        source: String,
        /// The question.
        question: Question,
    },

    /// Compute further steps for about this time. The front end repeats the request until the run has ended.
    Advance {
        /// Computing time, in milliseconds.
        milliseconds: u32,
    },
    /// Grant another budget to a run that has used up its own.
    Extend,
    /// Send the index of the steps computed so far. The front end requests it when the run has ended or is paused.
    Index,
    /// Send the timeline: the positions at which each operation, term and handler of the run is at work. The front end requests
    /// it when a diagram is shown and the run has ended or is stopped.
    Timeline,
    /// Show a position of the trace.
    Show(Show),
    /// Find the stops whose sentences contain these words.
    #[serde(with = "later")]
    Search(Search),
    /// Describe a piece of the view that was shown last.
    Inspect {
        /// Number of the piece, as in [`Piece::node`].
        node: u32,
    },
    /// Send all entries of a chip of the view that was shown last.
    Entries {
        /// Number of the chip, as in [`Chip::id`].
        chip: u32,
    },
    /// Explain the step from this position by the rule of the paper.
    Why {
        /// Position before the step.
        position: u32,
    },
    /// Copy a state or a range of steps as text.
    #[serde(with = "later")]
    Copy(Copying),

    /// Draw the arrow that a command denotes.
    #[serde(with = "later")]
    Draw(Drawing),
    /// Write a diagram as text in a format.
    Write(Drawing, diagram::Format),
    /// Link the run to the diagram of `main`: which calls the boxes of the diagram are, and when they are at work.
    Follow {
        /// True if the diagram shows the network alone.
        network: bool,
        /// Timeline of the run.
        timeline: Rc<Timeline>,
    },
    /// Evaluate the wires of the diagram of `main`, wires in loops at these moments.
    #[serde(with = "later")]
    Values(Moments),
    /// Measure the norms of the wires of `main`, starting from the current heap of the training.
    #[serde(with = "later")]
    Norms(Moments),

    /// Derive the type of the syntax at a cursor.
    #[serde(with = "later")]
    Derive(Deriving),

    /// Compare the arrows before and after a move of the run.
    #[serde(with = "later")]
    Same(Move),
    /// List the commands that can be compared.
    Comparable {
        /// Source text of another program, whose commands are listed too.
        other: Option<String>,
    },
    /// Compare the arrows of two commands.
    #[serde(with = "later")]
    Compare(Comparison),
    /// List the variants in which the program can be run.
    Variants,
    /// Run the program in two variants.
    #[serde(with = "later")]
    Run(Runs),

    /// Start, continue or control a training.
    #[serde(with = "later")]
    Train(Training),
    /// Choose another picture of the training.
    #[serde(with = "later")]
    Look(Look),
    /// Open or close the view of the inside of the trained network.
    Inside(bool),
    /// Predict the output for an input, with the current heap of the training.
    #[serde(with = "later")]
    Try(Tried),
    /// Look at or edit the data sets or the seeds of the program.
    #[serde(with = "later")]
    Data(WishOfData),
    /// Check the gradients of a training against difference quotients of its measures.
    #[serde(with = "later")]
    Check(Checking),
    /// Save the heap of a training, or load one.
    #[serde(with = "later")]
    Carry(Carry),

    /// Write the program as a module of Python with JAX.
    Python,

    /// Limit the steps of runs of programs loaded from now on; `None` removes the limit.
    #[serde(with = "later")]
    Hold(Option<u32>),
    /// Judge an answer or a program by a lesson of the tour.
    #[serde(with = "later")]
    Tour(Touring),
}

impl Ask {
    /// Makes a `Load` request with the program's own heap, the paper's reading of partial symbols and no shortcuts.
    pub fn load(source: impl Into<String>) -> Ask {
        Ask::Load {
            source: source.into(),
            heap: Vec::new(),
            mode: Mode::default(),
        }
    }
}

/// The reply of a session. It answers the request of the same name unless its comment says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // A reply is named after its request.
pub enum Reply {
    /// To `Files`, `Sample` and `Hold`.
    Taken,
    /// To `Load`.
    Checked(Checked),
    /// To `Offer`: the `main`, if a candidate runs.
    Offered(Option<Offer>),
    /// To `Question`.
    #[serde(with = "later")]
    Answered(Answer),

    /// To `Advance` and `Extend`.
    Advanced(Advanced),
    Indexed(Box<Index>),
    #[serde(with = "later")]
    Timeline(Box<Timeline>),
    Shown(Box<StepView>),
    #[serde(with = "later")]
    Found(Found),
    /// To `Inspect`; `None` if there is nothing to describe.
    #[serde(with = "later")]
    Inspected(Option<Inspection>),
    /// To `Entries`; `None` if the chip is no longer known.
    #[serde(with = "later")]
    Entries(Option<Entries>),
    /// To `Why`; `None` if the position has no step.
    #[serde(with = "later")]
    Why(Option<Box<Why>>),
    Copied(String),

    #[serde(with = "later")]
    Drawn(Box<Result<Figure, Refusal>>),
    Written(Result<String, Refusal>),
    #[serde(with = "later")]
    Followed(Box<Links>),
    #[serde(with = "later")]
    Values(Box<Values>),
    #[serde(with = "later")]
    Norms(Box<Norms>),

    #[serde(with = "later")]
    Derived(Box<Result<derivation::Shown, Underivable>>),

    #[serde(with = "later")]
    Same(Box<Opened>),
    #[serde(with = "later")]
    Comparable(Commands),
    #[serde(with = "later")]
    Compared(Box<Compared>),
    #[serde(with = "later")]
    Variants(Vec<Variant>),
    #[serde(with = "later")]
    Ran(Box<Ran>),

    /// To `Train`; an error if there is nothing to train, or if the training would be too large.
    #[serde(with = "later")]
    Trained(Box<Result<Trained, EditorDiagnostic>>),
    /// To `Look`: the pictures of each training, in order, if several run side by side.
    #[serde(with = "later")]
    Pictured(Vec<Pictured>),
    /// To `Inside`: the current inside; `None` if the view is closed or there is no network. An error if it cannot be planned.
    #[serde(with = "later")]
    Inside(Box<Result<Option<Inside>, EditorDiagnostic>>),
    /// To `Try`: the output.
    Tried(Vec<f64>),
    #[serde(with = "later")]
    Data(Box<OfData>),
    /// To `Check`; an error if nothing can be checked.
    #[serde(with = "later")]
    CheckedGradient(Box<Result<CheckedGradient, EditorDiagnostic>>),
    #[serde(with = "later")]
    Carried(Box<Carried>),

    /// To `Python`: the module, or the error because of which there is none.
    #[serde(with = "later")]
    Python(Result<String, EditorDiagnostic>),

    /// To `Tour`.
    #[serde(with = "later")]
    Toured(Box<Toured>),

    /// The request named a text that is not loaded, does not run or has errors.
    Outdated,
}
