//! Conversion between source text and surface tree: tokens, the `nom` grammar with recovery, spans,
//! diagnostics, highlighting and layout.
//!
//! This crate knows nothing of the calculus: it resolves no names and computes no sizes. Highlighting
//! and one message depend on the names of the function symbols; these are an argument.

mod codes;
mod diagnostic;
mod format;
mod highlight;
mod lexer;
mod limits;
mod line_index;
mod notes;
mod outline;
mod parser;
mod sorting;
mod span;
mod spellings;
mod token;
pub mod tree;
mod unicode;

pub use codes::CODES;
pub use diagnostic::{Diagnostic, Fix, Label, Severity};
pub use format::{Spelling, format, format_file};
pub use highlight::{HighlightToken, TokenClass, highlight};
pub use lexer::{is_name, seen, told_apart};
pub use limits::{MAX_DIAGNOSTICS, MAX_HEIGHT, MAX_NESTING, MAX_SOURCE};
pub use line_index::{LineIndex, line_column};
pub use notes::{Note, notes};
pub use parser::{COMBINATORS, Instance, Reading, foreign_word, parse, read, read_instance};
pub use sorting::sort_by;
pub use span::{Span, Spanned};
pub use spellings::{names, spellings, wrappers};
pub use token::words;
pub use unicode::{accented, nfc};
