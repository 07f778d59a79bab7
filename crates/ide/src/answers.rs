//! Questions of an editor about a text, their answers, and diagnostics placed for it. Offsets are in UTF-16 code units, as
//! editors count.

use fletch_syntax::Severity;
use serde::{Deserialize, Serialize};

/// A question about a text. Offsets are in UTF-16 code units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// What is the name or the word here, or right before?
    Hover {
        /// Where.
        offset: u32,
    },
    /// The same of what the pointer is on: what stands right before is not meant.
    Point {
        /// Where.
        offset: u32,
    },
    /// What is to be written where the name here stands, for it to have another one?
    Rename {
        /// Where.
        offset: u32,
        /// The new name.
        to: String,
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

/// The answer to a question about a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// What the name is, if one is there.
    Hover(Option<Hover>),
    /// What can be written.
    Complete(Completions),
    /// What is to be written where for another name; why that cannot be.
    Rename(Result<Vec<TextEdit>, String>),
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextEdit {
    /// Where what is replaced starts.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// What stands there instead.
    pub insert: String,
}

/// A diagnostic, placed for an editor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EditorDiagnostic {
    /// `F0102`
    pub code: String,
    /// How much it weighs.
    pub severity: Severity,
    /// Start, in UTF-16 code units.
    pub from: u32,
    /// End.
    pub to: u32,
    /// Line of the start, from 1.
    pub line: u32,
    /// The sentence.
    pub message: String,
    /// Further places, and what is to be seen there.
    pub labels: Vec<EditorLabel>,
    /// What to do.
    pub hint: Option<String>,
    /// A fix: title, from, to, replacement.
    pub fix: Option<(String, u32, u32, String)>,
    /// The name of the file that it is about: one that the program reads, and that is not there or at fault.
    pub file: Option<String>,
}

/// A second place that explains the first, placed for an editor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditorLabel {
    /// Start, in UTF-16 code units.
    pub from: u32,
    /// End.
    pub to: u32,
    /// Line of the start, from 1.
    pub line: u32,
    /// What is to be seen there.
    pub text: String,
}
