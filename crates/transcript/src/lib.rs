//! States of a run as texts to be copied and printed: plain, Markdown, LaTeX in the paper's notation, JSON, and source text
//! that can be run again.

mod copies;
pub mod source;
pub mod steps;
mod values;

pub use copies::{Format, copy};

use fletch_print::Piece;
use fletch_print::numbers::Digits;

/// Text of the language as LaTeX, with its signs in math mode.
pub fn latex(text: &str) -> String {
    copies::latex::names::prose(text)
}

/// A name as LaTeX, in math mode.
pub fn latex_name(name: &str) -> String {
    copies::latex::names::name(name)
}

/// A piece of a command as LaTeX in math mode, with the commands of [`NOTATION`].
pub fn latex_piece(piece: &Piece) -> String {
    copies::latex::command::piece(piece, Digits::Rounded)
}

pub use copies::latex::NOTATION;
pub use values::{numbers_json, tensor_json, value_json};
