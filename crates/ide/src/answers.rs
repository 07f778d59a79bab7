//! Questions of an editor about a text, the answers, and diagnostics with the positions that an editor needs. Offsets are in UTF-16 code
//! units, as editors count.

use fletch_syntax::Severity;
use serde::{Deserialize, Serialize};

/// A question about a text. Offsets are in UTF-16 code units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// Description of the name or word at the offset; one that ends there counts.
    Hover {
        /// Offset of the cursor.
        offset: u32,
    },
    /// Description of the name or word under the pointer; one that ends there does not count.
    Point {
        /// Offset of the pointer.
        offset: u32,
    },
    /// Edits that rename the name at the offset.
    Rename {
        /// Offset of the cursor.
        offset: u32,
        /// The new name.
        to: String,
    },
    /// Completions at the cursor.
    Complete {
        /// Offset of the cursor.
        offset: u32,
    },
    /// Definition of the name at the offset.
    Definition {
        /// Offset of the cursor.
        offset: u32,
    },
    /// Edits that format the text.
    Format,
    /// Edits that insert a handler of the shelf.
    Insert {
        /// Name of the handler on the shelf.
        name: String,
    },
}

/// The answer to a question about a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// Description of the name, if there is one.
    Hover(Option<Hover>),
    /// Completions.
    Complete(Completions),
    /// Edits that rename, or the reason for which the name cannot be changed.
    Rename(Result<Vec<TextEdit>, String>),
    /// Definition of the name, if there is one.
    Definition(Option<Defined>),
    /// Edits that format, in the order of their positions, or the first error of a text that does not parse.
    Format(Result<Vec<TextEdit>, Box<EditorDiagnostic>>),
    /// The insertion of a handler, or the reason for which it does not fit.
    Insert(Result<Box<Insertion>, String>),
}

/// Description of a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hover {
    /// Start of the name.
    pub from: u32,
    /// End of the name.
    pub to: u32,
    /// `operation`, `location`, `variable`, …
    pub kind: String,
    /// The known part of its type: `x_in : Real(2)`. At a call, the type of the instance, and below it that of the family.
    pub signature: String,
    /// Documentation of the name, the instance whose type is shown, and the handlers that treat it.
    pub note: Option<String>,
}

/// Completions at a cursor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Completions {
    /// Start of the word that a completion replaces.
    pub from: u32,
    /// True if the cursor is in an index, where completions are offered before a letter is typed.
    pub index: bool,
    /// The choices, best first.
    pub options: Vec<Completion>,
}

/// A completion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Completion {
    /// Text to insert.
    pub label: String,
    /// `operation`, `keyword`, …
    pub kind: String,
    /// The type of the name, abbreviated.
    pub detail: String,
    /// Further text about the name.
    pub info: Option<String>,
}

/// Definition of a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Defined {
    /// The name.
    pub name: String,
    /// Start and end of the definition; `None` for a built-in name.
    pub place: Option<(u32, u32)>,
}

/// A change of a text. Offsets are in UTF-16 code units of the text before all changes that belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextEdit {
    /// Start of the replaced text.
    pub from: u32,
    /// End of the replaced text.
    pub to: u32,
    /// Replacement text.
    pub insert: String,
}

/// An insertion of a handler. The changed text has no errors if the program had none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Insertion {
    /// Name on the shelf.
    pub name: String,
    /// One sentence about the handler.
    pub about: String,
    /// Start of the handler's name in the changed text, in UTF-16 code units.
    pub from: u32,
    /// End of that name.
    pub to: u32,
    /// The changes of the text, in the order of their positions.
    pub edits: Vec<TextEdit>,
}

/// A diagnostic with positions for an editor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EditorDiagnostic {
    /// `F0102`
    pub code: String,
    /// Severity of the diagnostic.
    pub severity: Severity,
    /// Start, in UTF-16 code units.
    pub from: u32,
    /// End.
    pub to: u32,
    /// Line of the start, from 1.
    pub line: u32,
    /// The message.
    pub message: String,
    /// Further spans, each with a text.
    pub labels: Vec<EditorLabel>,
    /// Advice on how to repair the program.
    pub hint: Option<String>,
    /// A fix: title, start and end of the replaced text, replacement.
    pub fix: Option<(String, u32, u32, String)>,
    /// The name of the data file that the diagnostic is about, if it is about one: the program reads it, but it is missing or faulty.
    pub file: Option<String>,
}

/// A further span that explains a diagnostic, with positions for an editor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditorLabel {
    /// Start, in UTF-16 code units.
    pub from: u32,
    /// End.
    pub to: u32,
    /// Line of the start, from 1.
    pub line: u32,
    /// Text of the label.
    pub text: String,
}
