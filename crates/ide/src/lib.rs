//! What an editor asks about a text: everything that is wrong with it, what a name is and where it is defined, what may be
//! written at the cursor, and the text laid out. Diagnostics are data here, and JSON for the command line.

mod answers;
mod assist;
pub mod beside;
mod check;
pub mod codes;
mod consequences;
mod examination;
mod fixes;
pub mod place;
mod report;
mod standing;

pub use answers::{
    Answer, Completion, Completions, Defined, EditorDiagnostic, EditorLabel, Hover, Question,
    TextEdit,
};
pub use assist::{Assistant, Survey};
pub use check::{Checked, NotText, check, check_bytes, check_with_files, files, files_of, text};
pub use report::{diagnostic_json, no_main};
