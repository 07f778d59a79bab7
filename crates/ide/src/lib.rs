//! Language services of an editor: diagnostics, hover, definition, completion and formatting of a text. Diagnostics are data, also as JSON
//! for the command line.

mod answers;
mod assist;
mod chain;
mod check;
pub mod codes;
mod consequences;
pub mod data_files;
mod examination;
mod fixes;
pub mod place;
mod report;
mod shelf;
mod standing;

pub use answers::{
    Answer, Completion, Completions, Defined, EditorDiagnostic, EditorLabel, Hover, Insertion,
    Question, TextEdit,
};
pub use assist::{Assistant, Survey};
pub use chain::{ChainEdit, EditKind, chain_edits};
pub use check::{Checked, NotText, check, check_bytes, check_with_files, files, files_of, text};
pub use report::{diagnostic_json, no_main};
pub use shelf::{OnShelf, SHELF, Unfit, insertion};
