//! What a front end and its session say to each other: plain data, serialisable, without a trace of
//! the calculus. Source positions are UTF-16 code units, as editors count.
//!
//! A *position* is a state of the trace: 0 is the initial one, position k the one after k steps. A front end
//! that does not show every step goes from *stop* to stop of a [`Level`]. The view of a position marks what the
//! next step will touch, what was made since the stop before, and tells in words what happens until the next stop.
//!
//! The number of a *step* that a reader is shown, and what a link leads to, is the position before it: the stop of
//! [`Level::Plain`] whose sentence tells the thing. Where a thing is first there is the position after it, or one
//! further on; a field says which of the two it has.

mod heap;
mod sandwich;
mod text;
mod timeline;
mod trace;
mod view;
mod words;

pub use heap::{Access, Blank, CellView, Edit, Picture, Summary, Update, WriteView};
pub use sandwich::{Entry, Layer, Phase, Saved, Stack, Turn};
pub use text::{Checked, MainSummary, Offer, OutlineEntry};
pub use timeline::{CallTimes, Half, OutsideTimes, RunTimes, Timeline, Work};
pub use trace::{
    Advanced, Found, Index, Mode, NonFinite, RunStatus, Search, Stuck, Tick, TickKind,
};
pub use view::{Ahead, Caption, Change, Show, StepView};
pub use words::{Entries, Export, Inspection};

pub use fletch_explain::{Part, RuleFamily, RuleView, Why};
pub use fletch_ide::{
    Answer, Completion, Completions, Defined, EditorDiagnostic, EditorLabel, Hover, Question,
    TextEdit,
};
pub use fletch_print::numbers::Digits;
pub use fletch_print::{Chip, Fold, FoldKey, Line, Mark, Piece, PieceKind};
pub use fletch_reduction::Rule;
pub use fletch_syntax::Severity;
pub use fletch_trace::Level;
pub use fletch_transcript::Format;

use serde::{Deserialize, Serialize};

/// A sample, or a batch, that a `train` item runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// The item, from 0.
    pub item: u32,
    /// The step of an epoch, from 0.
    pub step: u32,
}

/// What the front end asks for. Requests that name an outdated revision are answered with
/// [`Reply::Outdated`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// These are the files that data sets are read from, for all that is loaded from now on: their names and texts.
    Files(Vec<(String, String)>),
    /// The run of this sample of a `train` item stands in the place of `main`, for all that is loaded from now on; or `main` again.
    Sample(Option<Sample>),
    /// Parse and check a program, and start its trace if it has a `main` that runs.
    Load {
        /// The front end's number for this text.
        revision: u32,
        /// The program.
        source: String,
        /// Initial contents that take the place of the program's; those that do not fit are left out.
        heap: Vec<Edit>,
        /// How partial function symbols are read.
        mode: Mode,
    },
    /// Compute further steps for about this long; to be repeated until the run has ended.
    Advance {
        /// The program meant.
        revision: u32,
        /// For how long, in milliseconds.
        milliseconds: u32,
    },
    /// Give a run that used up its budget another one.
    Extend {
        /// The program meant.
        revision: u32,
    },
    /// Where one can go in the trace, as far as it is known. Asked when the run has ended or is stopped.
    Index {
        /// The program meant.
        revision: u32,
    },
    /// When are the parts of the run at work? Asked, where a diagram is shown, when the run has ended or is stopped.
    Timeline {
        /// The program meant.
        revision: u32,
    },
    /// Show a position of the trace.
    Show(Show),
    /// At which stops does the sentence have these words?
    Search(Search),
    /// What is this piece of the view that was shown last?
    Inspect {
        /// The program meant.
        revision: u32,
        /// [`Piece::node`]
        node: u32,
    },
    /// All entries of a chip of the view that was shown last.
    Entries {
        /// The program meant.
        revision: u32,
        /// [`Chip::id`]
        chip: u32,
    },
    /// The rule of the step from this position, as the paper has it.
    Why {
        /// The program meant.
        revision: u32,
        /// The position.
        position: u32,
    },
    /// A state, or a range of steps, as a text to be copied.
    Export {
        /// The program meant.
        revision: u32,
        /// What of it, and how.
        export: Export,
    },
    /// Answer a question about a text. It carries the text, which may be newer than the one loaded, half-typed
    /// and never to be run; a text that is known already is not read again.
    Ask {
        /// The text.
        source: String,
        /// What is asked.
        question: Question,
    },
}

/// What the session answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// To `Files`.
    Taken,
    /// To `Load`.
    Checked(Checked),
    /// To `Advance` and `Extend`.
    Advanced(Advanced),
    /// To `Index`.
    Indexed(Box<Index>),
    /// To `Timeline`.
    Timeline(Box<Timeline>),
    /// To `Show`.
    Shown(Box<StepView>),
    /// To `Search`.
    Found(Found),
    /// To `Inspect`, if there is something to say.
    Inspected(Option<Inspection>),
    /// To `Entries`, if the chip is still known.
    Entries(Option<Entries>),
    /// To `Why`, if there is a step.
    Why(Option<Box<Why>>),
    /// To `Export`.
    Exported(String),
    /// To `Ask`.
    Answered(Answer),
    /// The request named a program that is no longer loaded, or one that does not run.
    Outdated,
}
