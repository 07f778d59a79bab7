//! The text laid out, as changes between its tokens.

use crate::program::Program;
use fletch_ide::{Answer, Question};
use lsp_types::TextEdit;

/// The changes of the formatter. A text with a syntax error has none; its diagnostics say why.
pub(crate) fn format(program: &mut Program<'_>) -> Option<Vec<TextEdit>> {
    match program.ask(Question::Format) {
        Answer::Format(Ok(edits)) => Some(program.edit(&edits)),
        _ => None,
    }
}
