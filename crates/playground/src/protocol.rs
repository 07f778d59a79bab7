//! What a front end and its session say to each other: plain data, serialisable, without a trace of
//! the calculus. Source positions are UTF-16 code units, as editors count.
//!
//! A *position* is a state of the trace: 0 is the initial one, position k the one after k steps. The
//! view of a position marks what the next step will touch, what the last step made, and tells the next
//! step in words.

use serde::{Deserialize, Serialize};

/// What the front end asks for. Requests that name an outdated revision are answered with
/// [`Reply::Outdated`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Parse and check a program, and start its trace if it has a `main` that runs.
    Load {
        /// The front end's number for this text.
        revision: u32,
        /// The program.
        source: String,
    },
    /// Compute further steps for about this long; to be repeated until the run has ended.
    Advance {
        /// The program meant.
        revision: u32,
        /// For how long, in milliseconds.
        milliseconds: u32,
    },
    /// Show a position of the trace.
    Show {
        /// The program meant.
        revision: u32,
        /// The position, from 0 to the number of steps known.
        position: u32,
        /// The width to print in, in characters.
        width: u32,
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

/// A question about a text. Offsets are in UTF-16 code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// What is the name here?
    Hover {
        /// Where.
        offset: u32,
    },
    /// What can be written here?
    Complete {
        /// Where the cursor is.
        offset: u32,
    },
    /// Where is the name here defined?
    Definition {
        /// Where.
        offset: u32,
    },
    /// What would the formatter change?
    Format,
}

/// What the session answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// To `Load`.
    Checked(Checked),
    /// To `Advance`.
    Advanced(Advanced),
    /// To `Show`.
    Shown(Box<StepView>),
    /// To `Ask`.
    Answered(Answer),
    /// The request named a program that is no longer loaded, or one that does not run.
    Outdated,
}

/// The answer to a question about a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// What the name is, if one is there.
    Hover(Option<Hover>),
    /// What can be written.
    Complete(Completions),
    /// Where the name is defined, if one is there.
    Definition(Option<Defined>),
    /// What the formatter would change, in order of place; the first error of a text that does not parse.
    Format(Result<Vec<TextEdit>, Box<EditorDiagnostic>>),
}

/// What a name is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hover {
    /// Where the name starts.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// `operation`, `location`, `variable`, …
    pub kind: String,
    /// What is known of its type: `x_in : Real(2)`. At a call, the instance and below it the family.
    pub signature: String,
    /// Documentation, the instance that the type is of, and who handles it.
    pub note: Option<String>,
}

/// What can be written at a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Completions {
    /// Where the word starts that a choice replaces.
    pub from: u32,
    /// Whether the place is an index, where something is offered before a letter is typed.
    pub index: bool,
    /// The choices, the most fitting first.
    pub options: Vec<Completion>,
}

/// A choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Completion {
    /// What is written.
    pub label: String,
    /// `operation`, `keyword`, …
    pub kind: String,
    /// Its type, in short.
    pub detail: String,
    /// More about it.
    pub info: Option<String>,
}

/// Where a name is defined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Defined {
    /// The name.
    pub name: String,
    /// From and to; nothing for what is built in.
    pub place: Option<(u32, u32)>,
}

/// A change of a text, in UTF-16 code units of the text before any of the changes that come with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextEdit {
    /// Where what is replaced starts.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// What stands there instead.
    pub insert: String,
}

/// The result of checking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// The program checked.
    pub revision: u32,
    /// Everything there is to say about it, in order of place.
    pub diagnostics: Vec<EditorDiagnostic>,
    /// Its declarations.
    pub outline: Vec<OutlineEntry>,
    /// What `main` is, if it checks.
    pub main: Option<MainSummary>,
}

/// A diagnostic, placed for an editor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EditorDiagnostic {
    /// `F0102`
    pub code: String,
    /// `error`, `warning` or `hint`
    pub severity: String,
    /// Start, in UTF-16 code units.
    pub from: u32,
    /// End.
    pub to: u32,
    /// Line of the start, from 1.
    pub line: u32,
    /// The sentence.
    pub message: String,
    /// Further places with their texts: from, to, text.
    pub labels: Vec<(u32, u32, String)>,
    /// What to do.
    pub hint: Option<String>,
    /// A fix: title, from, to, replacement.
    pub fix: Option<(String, u32, u32, String)>,
}

/// One declaration of the outline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutlineEntry {
    /// `command`, `handler`, …
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its place.
    pub from: u32,
    /// Its end.
    pub to: u32,
}

/// What `main` is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MainSummary {
    /// Its type.
    pub ty: String,
    /// Its depth of reverse handlers.
    pub depth: u32,
    /// The size of its typing derivation.
    pub size: u32,
}

/// How far the trace is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advanced {
    /// The program meant.
    pub revision: u32,
    /// The number of steps known: positions go from 0 to this.
    pub steps: u32,
    /// Whether and how the run ended.
    pub status: RunStatus,
    /// The steps a reader may want to jump to, all that are known so far.
    pub ticks: Vec<Tick>,
}

/// Whether and how a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RunStatus {
    /// There is more to compute.
    Running,
    /// A value was reached.
    Value,
    /// No rule applies.
    Stuck(EditorDiagnostic),
    /// A budget was used up; the steps so far are kept.
    Exhausted(String),
}

/// A step worth a mark on the slider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tick {
    /// The position just before the step.
    pub position: u32,
    /// What happens there.
    pub kind: TickKind,
    /// In words, such as `FC[ℓ0] forward`.
    pub label: String,
}

/// What a tick marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TickKind {
    /// An operation starts to run forward.
    Forward,
    /// The return clause runs.
    Return,
    /// A backward clause starts.
    Backward,
    /// A `Put`.
    Put,
}

/// One position of the trace, ready to be drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepView {
    /// The program meant.
    pub revision: u32,
    /// The position shown.
    pub position: u32,
    /// The rule of the next step; `None` at the end.
    pub rule: Option<RuleView>,
    /// The next step in words; at the end, what was reached.
    pub sentence: Vec<Piece>,
    /// The command, laid out.
    pub lines: Vec<Line>,
    /// The heap.
    pub heap: Vec<CellView>,
    /// The largest absolute value in the heap now and before the last write: the colour scale.
    pub scale: f64,
    /// The handled calls under way, outermost first: the sandwich.
    pub sandwich: Vec<Layer>,
    /// The return clause, where forward turns into backward: the bottom of the U.
    pub turn: Option<Turn>,
    /// Where the next redex comes from in the source: from, to.
    pub source: Option<(u32, u32)>,
}

/// The return clause of the handler whose sandwich is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The handler's name.
    pub handler: String,
    /// The position at which the handled computation returned.
    pub met_at: u32,
    /// What it returned.
    pub argument: Option<Chip>,
    /// The first cotangent, which the return clause gives back, once known.
    pub result: Option<Chip>,
    /// The position at which the return clause was done.
    pub done_at: Option<u32>,
    /// Where the return clause stands in the source: from, to.
    pub source: (u32, u32),
}

/// The rule of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleView {
    /// `rev-handle`, `RH-op`, …
    pub name: String,
    /// In plain words: `handle an operation`.
    pub title: String,
    /// Whether it unfolds a definition (=) rather than reduces (→).
    pub equation: bool,
    /// `forward`, `return`, `backward`, `heap` or `plain`: which part of backprop it belongs to.
    pub family: String,
}

/// A line of the command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Columns of indentation.
    pub indent: u32,
    /// What stands on it.
    pub pieces: Vec<Piece>,
}

/// A run of text of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// The text; for a chip, what stands for it in plain text.
    pub text: String,
    /// Whether it belongs to the next redex or to what the last step made.
    pub mark: Mark,
    /// The value of a chip.
    pub chip: Option<Chip>,
}

/// What a piece of text is: its colour, and more than its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // The names say it.
pub enum PieceKind {
    Plain,
    Keyword,
    Operation,
    Function,
    Location,
    Handler,
    Variable,
    Bracket,
    Value,
    Code,
    /// What is left out since the step does not touch it.
    Folded,
}

/// The part a piece has in the steps around the position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mark {
    /// None.
    #[default]
    None,
    /// It belongs to what the next step touches.
    Redex,
    /// It belongs to what the last step made.
    Contractum,
}

/// A tensor as a chip: shape and thumbnail, all entries on demand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chip {
    /// `2 × 4`, or `4`
    pub shape: String,
    /// Rows of the thumbnail.
    pub rows: u32,
    /// Columns of the thumbnail.
    pub columns: u32,
    /// Entries, row-major; at most `rows × columns`, the first ones where the tensor is large.
    pub entries: Vec<f64>,
    /// How many entries the tensor has.
    pub size: u32,
}

/// A heap cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellView {
    /// `ℓ0`
    pub name: String,
    /// `4 × 3`
    pub shape: String,
    /// Rows as drawn.
    pub rows: u32,
    /// Columns as drawn.
    pub columns: u32,
    /// Contents now, row-major.
    pub entries: Vec<f64>,
    /// Contents before the last `Put`, if there was one.
    pub before: Option<Vec<f64>>,
    /// How many times it was written so far.
    pub writes: u32,
    /// The position right after the last write.
    pub written_at: Option<u32>,
    /// Who wrote last: `FC[ℓ0] backward`.
    pub written_by: Option<String>,
    /// The source line of the last `Put`, from 1.
    pub written_line: Option<u32>,
    /// Whether the last step read or wrote it, or the next one will.
    pub active: Option<Access>,
}

/// How a step touches a heap cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// The next step reads it.
    Reads,
    /// The next step writes it.
    WillWrite,
    /// The last step wrote it.
    Wrote,
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
    /// The position at which it was met.
    pub met_at: u32,
    /// What the forward clause saved, with the names it has there if known.
    pub saved: Vec<Chip>,
    /// Its result, once known.
    pub result: Option<Chip>,
    /// The type of the cotangent that it waits for.
    pub cotangent_type: String,
    /// The cotangent, once known.
    pub cotangent: Option<Chip>,
    /// The position at which the cotangent arrived.
    pub cotangent_at: Option<u32>,
    /// How far it is.
    pub phase: Phase,
    /// Where it was called in the source: from, to.
    pub source: (u32, u32),
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
