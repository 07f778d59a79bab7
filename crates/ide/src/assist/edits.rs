//! The result of the formatter as a list of small edits, so that the cursor of the editor stays at its token.

use crate::answers::{EditorDiagnostic, TextEdit};
use crate::place::{for_editor, utf16};
use fletch_syntax::{Diagnostic, LineIndex, Span, Spelling, format, highlight};

/// Number of tokens to look ahead for the next common token of both texts.
const WINDOW: usize = 48;

/// Edits that format the text, in the order of their positions; the first error if the text does not parse.
pub(super) fn formatted(source: &str) -> Result<Vec<TextEdit>, Box<EditorDiagnostic>> {
    let index = LineIndex::new(source);
    match format(source, Spelling::Unicode, fletch_smooth::symbols()) {
        Ok(formatted) => Ok(edits(source, &formatted, &index)),
        Err(diagnostics) => {
            let error = diagnostics
                .iter()
                .find(|diagnostic| diagnostic.is_error())
                .cloned();
            let unknown =
                || Diagnostic::error("F0101", Span::default(), "the text could not be read");
            Err(Box::new(for_editor(&error.unwrap_or_else(unknown), &index)))
        }
    }
}

/// The edits that turn `before` into `after`, token by token. The text between two tokens is one edit, and so is a token with another
/// spelling.
pub(super) fn edits(before: &str, after: &str, index: &LineIndex) -> Vec<TextEdit> {
    let spans = |source: &str| -> Vec<Span> {
        highlight(source, fletch_smooth::symbols())
            .iter()
            .map(|token| token.span)
            .collect()
    };
    let (old, new) = (spans(before), spans(after));
    let (old_texts, new_texts): (Vec<&str>, Vec<&str>) = (
        old.iter().map(|span| span.text(before)).collect(),
        new.iter().map(|span| span.text(after)).collect(),
    );
    let mut edits = Vec::new();
    let (mut old_end, mut new_end) = (0, 0);
    let mut replace = |old: Span, new: Span| {
        let insert = new.text(after);
        if old.text(before) != insert {
            let (from, to) = utf16(old, index);
            edits.push(TextEdit {
                from,
                to,
                insert: insert.to_owned(),
            });
        }
    };
    let between = |start: u32, end: u32| Span { start, end };
    for (at_old, at_new) in pairs(&old_texts, &new_texts) {
        let (Some(one), Some(other)) = (old.get(at_old), new.get(at_new)) else {
            continue;
        };
        replace(between(old_end, one.start), between(new_end, other.start));
        replace(*one, *other);
        (old_end, new_end) = (one.end, other.end);
    }
    let (old_length, new_length) = (
        Span::new(0, before.len()).end,
        Span::new(0, after.len()).end,
    );
    replace(between(old_end, old_length), between(new_end, new_length));
    edits
}

/// Pairs the corresponding tokens of two texts. The formatter changes spellings, and adds or removes few tokens, so the next common token
/// is near.
fn pairs(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::with_capacity(old.len().min(new.len()));
    let (mut i, mut j) = (0, 0);
    let agree = |i: usize, j: usize| match (old.get(i), new.get(j)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => true,
        _ => false,
    };
    while i < old.len() && j < new.len() {
        if agree(i, j) || agree(i + 1, j + 1) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let steps = (1..=WINDOW).flat_map(|sum| (0..=sum).map(move |part| (part, sum - part)));
        let next = steps
            .map(|(by_old, by_new)| (i + by_old, j + by_new))
            .find(|&(i, j)| i < old.len() && j < new.len() && agree(i, j));
        match next {
            Some(next) => (i, j) = next,
            None => break,
        }
    }
    pairs
}
