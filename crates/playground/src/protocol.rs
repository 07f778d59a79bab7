//! The language between a front end and its session: plain data, serialisable, without a trace of
//! the calculus. Source positions are UTF-16 code units, as editors count.
//!
//! A *position* is a state of the trace: 0 is the initial one, position k the one after k steps. A front end
//! that does not show every step goes from *stop* to stop of a [`Level`]. The view of a position marks what the
//! next step will touch, what was made since the stop before, and tells in words what happens until the next stop.
//!
//! The number of a *step* that a reader is shown, and what a link leads to, is the position before it: the stop of
//! [`Level::Plain`] whose sentence tells the thing. Where a thing is first there is the position after it, or one
//! further on; a field says which of the two it has.
//!
//! Each request gets one reply, in order. A reply does not repeat what was asked.

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

/// A question of a front end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The front end's number for the text meant.
    pub revision: u32,
    /// Request proper.
    pub ask: Ask,
}

/// Reads and writes what no start of a page asks, or an answer to it. Functions of their own, so that a start does without them
/// (`web/site/late.txt`).
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
    /// Read data sets from these files in all that is loaded from now on.
    Files(Vec<InputFile>),
    /// Put the run of this sample of a `train` item in the place of `main`, in all that is loaded from now on; or `main` again.
    Sample(Option<Sample>),
    /// Parse and check a program, and start its trace if it has a `main` that runs. From then on the request's revision is
    /// that of this text.
    Load {
        /// The program.
        source: String,
        /// Initial contents that take the place of the program's; those that do not fit are left out.
        heap: Vec<Edit>,
        /// Options of the program's semantics.
        mode: Mode,
    },
    /// Offer a `main` for the program, which checks and has none.
    Offer,
    /// Answer a question about a text. It carries the text, which may be newer than the one loaded, half-typed
    /// and never to be run; a text that is known already is not read again. The revision is of no matter.
    Question {
        /// The text.
        source: String,
        /// The question.
        question: Question,
    },

    /// Compute further steps for about this long; to be repeated until the run has ended.
    Advance {
        /// For how long, in milliseconds.
        milliseconds: u32,
    },
    /// Give a run that used up its budget another one.
    Extend,
    /// Send the index of the trace, as far as it is known. Requested when the run has ended or is paused.
    Index,
    /// Tell when the parts of the run are at work. Asked, where a diagram is shown, when the run has ended or is stopped.
    Timeline,
    /// Show a position of the trace.
    Show(Show),
    /// Find the stops whose sentences have these words.
    #[serde(with = "later")]
    Search(Search),
    /// Describe a piece of the view that was shown last.
    Inspect {
        /// [`Piece::node`]
        node: u32,
    },
    /// Give all entries of a chip of the view that was shown last.
    Entries {
        /// [`Chip::id`]
        chip: u32,
    },
    /// Give the rule of the step from this position, as the paper has it.
    Why {
        /// The position.
        position: u32,
    },
    /// Give a state, or a range of steps, as a text to be copied.
    #[serde(with = "later")]
    Copy(Copying),

    /// Draw what a command denotes.
    #[serde(with = "later")]
    Draw(Drawing),
    /// Write a diagram as text.
    Write(Drawing, diagram::Format),
    /// Tell which parts of the run are in the diagram of `main`, and when they are at work.
    Follow {
        /// The network alone.
        network: bool,
        /// The run.
        timeline: Rc<Timeline>,
    },
    /// Tell what the wires of `main` carry; those in loops at these moments.
    #[serde(with = "later")]
    Values(Moments),
    /// Measure what the wires of `main` carry, from the heap that its training has now.
    #[serde(with = "later")]
    Norms(Moments),

    /// Derive the type of the syntax at a cursor.
    #[serde(with = "later")]
    Derive(Deriving),

    /// Tell whether the arrow stays the same on a move of the run.
    #[serde(with = "later")]
    Same(Move),
    /// List the commands that can be compared.
    Comparable {
        /// The text of another program, whose commands are listed too.
        other: Option<String>,
    },
    /// Tell whether two commands denote equal arrows.
    #[serde(with = "later")]
    Compare(Comparison),
    /// List how else the program can be run.
    Variants,
    /// Run the program in two ways.
    #[serde(with = "later")]
    Run(Runs),

    /// Train.
    #[serde(with = "later")]
    Train(Training),
    /// Turn to another picture of the training.
    #[serde(with = "later")]
    Look(Look),
    /// Show the inside of the network that is trained from now on, or no longer.
    Inside(bool),
    /// Predict for an input, now.
    #[serde(with = "later")]
    Try(Tried),
    /// Do something with the data sets or the seeds of the program.
    #[serde(with = "later")]
    Data(WishOfData),
    /// Hold a training against differences of its measures.
    #[serde(with = "later")]
    Check(Checking),
    /// Carry the heap of a training elsewhere, or back.
    #[serde(with = "later")]
    Carry(Carry),

    /// Write the program as a module of Python with JAX.
    Python,

    /// Limit the steps of runs of programs loaded from now on; None removes the limit.
    #[serde(with = "later")]
    Hold(Option<u32>),
    /// Hold something against a lesson of the tour.
    #[serde(with = "later")]
    Tour(Touring),
}

impl Ask {
    /// Load a program with its own heap, in the paper's reading, every step.
    pub fn load(source: impl Into<String>) -> Ask {
        Ask::Load {
            source: source.into(),
            heap: Vec::new(),
            mode: Mode::default(),
        }
    }
}

/// The answer of a session, to the request of the same name unless it says so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // A reply is named after its request.
pub enum Reply {
    /// To `Files`, `Sample` and `Hold`.
    Taken,
    /// To `Load`.
    Checked(Checked),
    /// The `main`, if there is one that runs.
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
    /// To `Inspect`, if there is something to say.
    #[serde(with = "later")]
    Inspected(Option<Inspection>),
    /// To `Entries`, if the chip is still known.
    #[serde(with = "later")]
    Entries(Option<Entries>),
    /// To `Why`, if there is a step.
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

    /// To `Train`; an error if there is nothing to train, or what would be trained is enormous.
    #[serde(with = "later")]
    Trained(Box<Result<Trained, EditorDiagnostic>>),
    /// To `Look`: of each training that is side by side.
    #[serde(with = "later")]
    Pictured(Vec<Pictured>),
    /// The inside now; nothing if it is closed or there is no network. An error if it cannot be planned.
    #[serde(with = "later")]
    Inside(Box<Result<Option<Inside>, EditorDiagnostic>>),
    /// To `Try`: what comes out.
    Tried(Vec<f64>),
    #[serde(with = "later")]
    Data(Box<OfData>),
    /// To `Check`; an error if nothing can be checked.
    #[serde(with = "later")]
    CheckedGradient(Box<Result<CheckedGradient, EditorDiagnostic>>),
    #[serde(with = "later")]
    Carried(Box<Carried>),

    /// The module, or why there is none.
    #[serde(with = "later")]
    Python(Result<String, EditorDiagnostic>),

    /// To `Tour`.
    #[serde(with = "later")]
    Toured(Box<Toured>),

    /// The request named a text that is not loaded, does not run or has errors.
    Outdated,
}
