//! What is said of a step, of a piece of a state, and what can be copied.

use super::{Chip, Level, Line, RuleView};
use serde::{Deserialize, Serialize};

/// A rule of the paper, matched to a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Why {
    /// The position before the step.
    pub position: u32,
    /// The rule.
    pub rule: RuleView,
    /// Where the paper has it: `Fig. 10, case Op`.
    pub source: String,
    /// The rule as the paper writes it: its left side, `→` or `=`, its right side. Metavariables are pieces of the
    /// kind `Metavariable`.
    pub statement: Vec<Line>,
    /// What the metavariables are here.
    pub parts: Vec<Part>,
    /// Why it is so, in two or three sentences.
    pub words: String,
}

/// What a metavariable of a rule is in a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// `V`
    pub name: String,
    /// What it stands for: `the argument`.
    pub role: String,
    /// What it is here, in short.
    pub actual: Vec<Line>,
}

/// What a piece of a state is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inspection {
    /// The piece asked for.
    pub node: u32,
    /// What kind of thing: `variable`, `operation`, `value`, …
    pub kind: String,
    /// Its name or text, with its type: `z_hid : Real(8)`.
    pub signature: String,
    /// What it does or where it comes from, in a sentence or two.
    pub note: Option<String>,
    /// Its value, where it is or will be one.
    pub value: Option<Chip>,
    /// Where it comes from in the source: from, to.
    pub source: Option<(u32, u32)>,
    /// The line of that, from 1.
    pub line: Option<u32>,
}

/// All entries of a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entries {
    /// The chip asked for.
    pub chip: u32,
    /// Row-major; the first 65 536 of a larger one.
    pub entries: Vec<f64>,
}

/// What to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// The first position.
    pub from: u32,
    /// The last position; the same as `from` for one state.
    pub to: u32,
    /// Which positions between them.
    pub level: Level,
    /// How.
    pub format: Format,
}

/// The form of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // The names say it.
pub enum Format {
    Text,
    Markdown,
    /// A document in the paper's notation, which compiles by itself.
    Latex,
    Json,
}
