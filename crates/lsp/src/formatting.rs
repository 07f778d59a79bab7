//! Formatting, as edits between the tokens of a text.

use crate::program::Program;
use fletch_ide::{Answer, Question};
use lsp_types::TextEdit;

/// The edits of the formatter. A text with a syntax error has none; its diagnostics give the reason.
pub(crate) fn format(program: &mut Program<'_>) -> Option<Vec<TextEdit>> {
    match program.ask(Question::Format) {
        Answer::Format(Ok(edits)) => Some(program.edit(&edits)),
        _ => None,
    }
}
