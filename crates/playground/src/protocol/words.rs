//! What is said of a piece of a state, and what can be copied.

use super::{Chip, Digits, Format, Level};
use serde::{Deserialize, Serialize};

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
    /// Whether numbers are rounded; in JSON they never are.
    pub digits: Digits,
}
