//! States of a run as texts to be copied and printed: plain, Markdown, LaTeX in the paper's notation, JSON, and source that
//! can be run again.

mod copies;
pub mod source;
pub mod steps;
mod values;

pub use copies::{Format, copy};

/// A piece of the language as LaTeX text, its signs in mathematics.
pub fn latex(text: &str) -> String {
    copies::latex::names::prose(text)
}

pub use values::{numbers_json, tensor_json, value_json};
