//! What a front end and the session of figures say to each other: plain data. Source positions are UTF-16 code units.

pub use super::carrying::{Carried, Carry, Carrying};
pub use super::checking::{AgainstMeasure, AgainstPlace, CheckedGradient, Checking, Differences};
pub use super::compare::{Comparable, Compared, Equality, Shown, Side};
pub use super::data::{AboutData, DataCard, OfData, WishOfData};
pub use super::derivation::{Derived, Deriving};
pub use super::follow::{Following, Linked, Links, Share};
pub use super::listing::{Applied, Listing, Statement};
pub use super::pictures::{Kind, Look, Pictured, SIDE, Samples, Sketch};
pub use super::runs::{End, Half, Pair, Ran, Variant, Wrong};
pub use super::same::{Opened, Performed, Same, Verdict};
pub use super::training::{Asked, Begin, Beside, Cell, Measured, Scalar, Trained, Training};
pub use super::values::{Norms, Values};
pub use fletch_engine::Precision;

use crate::protocol::{Edit, EditorDiagnostic, Mode, Sample, TextEdit};
use fletch_diagrams::{Picture, Style};
use serde::{Deserialize, Serialize};

/// What a front end asks for. A request about an outdated text is answered with [`Reply::Outdated`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// These are the files that data sets are read from, for all that is loaded from now on: their names and texts.
    Files(Vec<(String, String)>),
    /// The run of this sample of a `train` item stands in the place of `main`, for all that is loaded from now on; or `main` again.
    Sample(Option<Sample>),
    /// Read a program that checks without an error.
    Load {
        /// The front end's number for this text.
        revision: u32,
        /// The program.
        source: String,
        /// Initial contents that take the place of the program's.
        heap: Vec<Edit>,
        /// How partial function symbols are read.
        mode: Mode,
    },
    /// Draw what a command denotes.
    Draw(Drawing),
    /// Which parts of the run are in the diagram of `main`, and when are they at work?
    Follow(Following),
    /// What do the wires of `main` carry?
    Values {
        /// The program meant.
        revision: u32,
    },
    /// How long is what the wires of `main` carry, from the heap that its training has now?
    Norms {
        /// The program meant.
        revision: u32,
    },
    /// Derive the type of what a cursor is in.
    Derive(Deriving),
    /// Does the arrow stay the same on a move of the run?
    Same(Move),
    /// Which commands can be compared?
    Comparable {
        /// The program meant.
        revision: u32,
        /// The text of another program, whose commands are listed too.
        other: Option<String>,
    },
    /// Do two commands denote equal arrows?
    Compare(Comparison),
    /// How else can the program be run?
    Variants {
        /// The program meant.
        revision: u32,
    },
    /// What do two runs come to?
    Run(Runs),
    /// Train.
    Train(Training),
    /// Hold a training against differences of its measures.
    Check(Checking),
    /// Carry the heap of a training elsewhere, or back.
    Carry(Carrying),
    /// Write the program as a module of Python with JAX.
    Export {
        /// The program meant.
        revision: u32,
    },
    /// Turn to another picture of the training.
    Look {
        /// The program meant.
        revision: u32,
        /// What is looked at from now on.
        look: Look,
    },
    /// What does a prediction give for an input, now?
    Try(Tried),
    /// Something with the data sets or the seeds of the program.
    Data(AboutData),
}

/// An input that a reader made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// The program meant.
    pub revision: u32,
    /// The prediction of this number.
    pub prediction: u32,
    /// All numbers that go in.
    pub input: Vec<f64>,
}

/// Two runs that are to be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runs {
    /// The program meant.
    pub revision: u32,
    /// What is written otherwise in the first.
    pub left: TextEdit,
    /// What is written otherwise in the second.
    pub right: TextEdit,
}

/// Two commands that are to be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// The program meant.
    pub revision: u32,
    /// One command.
    pub left: Side,
    /// The other one.
    pub right: Side,
    /// How both are drawn.
    pub style: Style,
}

/// What can be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commands {
    /// The program meant.
    pub revision: u32,
    /// Its commands.
    pub own: Vec<Comparable>,
    /// Those of the other program; what is wrong with its text.
    pub other: Option<Result<Vec<Comparable>, String>>,
}

/// A diagram that is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawing {
    /// The program meant.
    pub revision: u32,
    /// `main`, or a declared command.
    pub of: String,
    /// The body of its first `rev handle` alone.
    pub network: bool,
    /// Out and back side by side, or in one line.
    pub style: Style,
    /// From top to bottom, for a narrow place.
    pub down: bool,
    /// What is opened, by what opens it ([`fletch_diagrams::Shape::opens`]), and the runs that are folded, by the same.
    pub open: Vec<String>,
}

/// A move of the run that is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// The program meant.
    pub revision: u32,
    /// The position before.
    pub position: u32,
    /// The position after.
    pub to: u32,
    /// Whether both arrows are wanted.
    pub open: bool,
}

/// What the session answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Reply {
    /// To `Files`.
    Taken,
    /// To `Load`.
    Loaded(Loaded),
    /// To `Draw`.
    Drawn(Box<Drawn>),
    /// To `Follow`.
    Followed(Box<Links>),
    /// To `Values`.
    Values(Box<Values>),
    /// To `Norms`.
    Norms(Box<Norms>),
    /// To `Derive`.
    Derived(Box<Derived>),
    /// To `Same`.
    Same(Move, Box<Opened>),
    /// To `Comparable`.
    Comparable(Commands),
    /// To `Compare`.
    Compared(Box<(Comparison, Compared)>),
    /// To `Variants`.
    Variants(u32, Vec<Variant>),
    /// To `Run`.
    Ran(Box<(Runs, Ran)>),
    /// To `Train`; an error if there is nothing to train, or what would be trained is enormous.
    Trained(Box<(Training, Result<Trained, EditorDiagnostic>)>),
    /// To `Check`, by the program meant; an error if nothing can be checked.
    CheckedGradient(u32, Box<Result<CheckedGradient, EditorDiagnostic>>),
    /// To `Carry`, by the program meant.
    Carried(u32, Box<Carried>),
    /// To `Export`: the module, or why there is none.
    Exported(u32, Result<String, EditorDiagnostic>),
    /// To `Look`: of each training that is side by side.
    Pictured(u32, Vec<Pictured>),
    /// To `Try`: what comes out.
    Tried(Box<(Tried, Vec<f64>)>),
    /// To `Data`.
    Data(Box<(AboutData, OfData)>),
    /// The request named a text that is no longer loaded.
    Outdated,
}

/// What a program has to draw.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loaded {
    /// The program meant.
    pub revision: u32,
    /// Whether it has errors; then there is nothing to draw.
    pub rejected: bool,
    /// `main` and the declared commands, in order.
    pub commands: Vec<String>,
}

/// A diagram, or why there is none.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Drawn {
    /// What was asked.
    pub asked: Drawing,
    /// The picture.
    pub figure: Result<Figure, Refusal>,
}

/// A picture of an arrow.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Figure {
    /// `x : Real(2) → Real(1)`
    pub signature: String,
    /// Where everything is.
    pub picture: Picture,
    /// What each of its boxes is, in the program's words.
    pub definitions: Vec<String>,
}

/// Why something cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// In words.
    pub message: String,
    /// What can be done, if that is known.
    pub hint: Option<String>,
    /// The place in the source it is about, if it is about one.
    pub source: Option<(u32, u32)>,
}
