//! What the page and its figures say to each other. They are two modules on one thread, the second loaded when a reader first asks
//! for a figure, so what is said crosses as bytes. Places in the source are UTF-16 code units.

use crate::texts;
use fletch_link::Diagram;
use fletch_playground::Sample;
use fletch_playground::protocol::{Edit, Mode, TextEdit, Timeline, Work};
use serde::{Deserialize, Serialize};

/// What is shown of a program beside its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tab {
    /// The reduction.
    #[default]
    Steps,
    /// What a command denotes, as a string diagram.
    Diagram,
    /// The typing derivation of what the cursor is in.
    Types,
    /// Two programs, and two runs.
    Compare,
    /// The training.
    Train,
}

/// The tabs, each with its name on the page.
pub const TABS: [(Tab, &str); 5] = [
    (Tab::Steps, texts::layout::STEPS),
    (Tab::Diagram, texts::layout::DIAGRAM),
    (Tab::Train, texts::layout::TRAIN),
    (Tab::Types, texts::layout::TYPES),
    (Tab::Compare, texts::layout::COMPARE),
];

/// What the page tells its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToFigures {
    /// The tab that is shown.
    Tab(Tab),
    /// The files that data sets are read from: names and texts.
    Files(Vec<(String, String)>),
    /// The run of this sample stands in the place of `main` in the program that follows; or `main` again.
    Sample(Option<Sample>),
    /// The newest program that checks.
    Program(Program),
    /// The heap that was trained before and is kept with the program; empty if none is.
    Kept(String),
    /// The text has changed, and is not known to check: figures are those of an older one.
    Stale,
    /// The cursor of the editor.
    Cursor(u32),
    /// The position of the trace that is shown.
    At(At),
    /// When the parts of the run are at work.
    Timeline(Timeline),
    /// Show the box of the call, or of the return clause, that was met at this position.
    Box(u32),
    /// Light, dark, or as the system says.
    Theme(String),
    /// Whether it is to be said at each step that the arrow stays the same.
    Marks(bool),
    /// Show the arrows of the step.
    Step,
    /// Draw this, in this way.
    Look(Diagram),
    /// Write the program as a module of Python.
    Export,
}

/// A program that checks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// The page's number for it.
    pub revision: u32,
    /// Its text.
    pub source: String,
    /// The text that it was opened as, if it is another one.
    pub opened: Option<String>,
    /// Initial contents that take the place of the program's.
    pub heap: Vec<Edit>,
    /// How partial function symbols are read.
    pub mode: Mode,
}

/// Where the stepper is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct At {
    /// The program whose trace it is.
    pub revision: u32,
    /// The position.
    pub position: u32,
    /// The next stop, whose state the step comes to.
    pub to: u32,
    /// Where the redex comes from: from, to.
    pub redex: Option<(u32, u32)>,
    /// What is at work there.
    pub work: Option<Work>,
}

/// What the figures tell the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FromFigures {
    /// Mark this place in the source, and show it.
    Mark(u32, u32),
    /// Write something else at a place of the source.
    Edit(TextEdit),
    /// Write something else at several places of the source, as one step.
    Edits(Vec<TextEdit>),
    /// Let the reader choose files to add to the program.
    ChooseFile,
    /// Show this position of the trace.
    Show(u32),
    /// Bring the card of this location into view.
    Location(String),
    /// Show the call, or the return clause, that was met at this position in the sandwich; it is there from a later one on.
    Entry {
        /// The position before the step that meets it.
        met: u32,
        /// A position at which the sandwich has it.
        there: u32,
    },
    /// Whether the arrow stays the same in a step.
    Same(Same),
    /// Whether that is to be said at each step.
    Marks(bool),
    /// Whether what they show of the tab of comparisons is about the step.
    AboutStep(bool),
    /// What the diagram shows.
    Look(Diagram),
    /// Keep this heap with the program, as a text; empty for none.
    Keep(String),
    /// Show the steps of a sample.
    Sample {
        /// The sample.
        sample: Sample,
        /// Its data set.
        data: String,
        /// What the run starts from.
        heap: Vec<Edit>,
    },
    /// The program as a module of Python, or why there is none.
    Exported(Result<String, String>),
    /// They cannot go on.
    Failed(String),
}

/// Whether the arrow stays the same in a step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Same {
    /// The program meant.
    pub revision: u32,
    /// The position before the step.
    pub position: u32,
    /// The position after.
    pub to: u32,
    /// Nothing if it is not known.
    pub same: Option<bool>,
    /// The same in a few words.
    pub words: String,
}
