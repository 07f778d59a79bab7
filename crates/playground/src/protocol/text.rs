//! What checking a text gives.

use super::{EditorDiagnostic, TextEdit};
use serde::{Deserialize, Serialize};

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
    /// A `main` that runs, for a program that checks and has none.
    pub offer: Option<Offer>,
}

/// A `main` that can be put into the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The item.
    pub text: String,
    /// The change of the program that adds it.
    pub edit: TextEdit,
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
