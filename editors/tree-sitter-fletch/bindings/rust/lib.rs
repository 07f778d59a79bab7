//! The tree-sitter grammar of Fletch for programs that use the crate `tree-sitter`, with the queries that editors use.
#![allow(unsafe_code)] // The parser is generated C.

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_fletch() -> *const ();
}

/// The language, as `tree-sitter` expects it.
// SAFETY: `tree_sitter_fletch` is the function that the generated parser exports for this purpose.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_fletch) };

/// Query for highlighting: classes of nodes.
pub const HIGHLIGHTS: &str = include_str!("../../queries/highlights.scm");

/// Query for folding: nodes that can be folded.
pub const FOLDS: &str = include_str!("../../queries/folds.scm");

/// Query for injections: nodes whose text is in another language.
pub const INJECTIONS: &str = include_str!("../../queries/injections.scm");

/// Query for scopes, definitions and uses of names.
pub const LOCALS: &str = include_str!("../../queries/locals.scm");
