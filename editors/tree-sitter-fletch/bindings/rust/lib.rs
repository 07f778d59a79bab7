//! The tree-sitter grammar of Fletch, for programs that use the crate `tree-sitter`, with the queries that editors ask.
#![allow(unsafe_code)] // The parser is generated C.

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_fletch() -> *const ();
}

/// The language.
// SAFETY: the function is the one that the generated parser exports for this.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_fletch) };

/// Classes of nodes for colours.
pub const HIGHLIGHTS: &str = include_str!("../../queries/highlights.scm");

/// Nodes that fold.
pub const FOLDS: &str = include_str!("../../queries/folds.scm");

/// Texts of another language.
pub const INJECTIONS: &str = include_str!("../../queries/injections.scm");

/// Scopes, definitions and uses of names.
pub const LOCALS: &str = include_str!("../../queries/locals.scm");
