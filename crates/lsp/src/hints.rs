//! Inlay hints: types and indices that a text leaves out. A click on a hint for indices writes them into the text.

use crate::program::Program;
use fletch_elaborate::{LeftOut, NameKind, Occurrence};
use fletch_ide::Survey;
use fletch_syntax::Span;
use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, Range, TextEdit};

/// The hints in a range.
pub(crate) fn hints(program: &mut Program<'_>, range: Range) -> Vec<InlayHint> {
    let document = program.document;
    let within = document.places.span(range);
    let text = document.text.clone();
    let survey = program.survey();
    let names = survey.names.iter();
    let names = names.filter(|name| within.start <= name.span.end && name.span.start <= within.end);
    let hints = names.filter_map(|name| {
        let Hint {
            at,
            label,
            kind,
            writes,
        } = hint(name, survey, &text)?;
        let edit = writes.map(|(span, new_text)| TextEdit {
            range: document.places.range(span),
            new_text,
        });
        Some(InlayHint {
            position: document.places.position(at),
            label: InlayHintLabel::String(label),
            kind: Some(kind),
            text_edits: edit.map(|edit| vec![edit]),
            tooltip: None,
            padding_left: None,
            padding_right: None,
            data: None,
        })
    });
    hints.collect()
}

struct Hint {
    at: u32,
    label: String,
    kind: InlayHintKind,
    /// Edit that makes the hint explicit in the text: a span and its replacement.
    writes: Option<(Span, String)>,
}

fn hint(name: &Occurrence, survey: Survey<'_>, text: &str) -> Option<Hint> {
    let end = name.span.end;
    let first = survey
        .tokens
        .partition_point(|token| token.span.start < end);
    let signs = survey.tokens.iter().map(|token| token.span);
    let mut signs = signs.skip(first).map(|span| (span, span.text(text)));
    match name.left_out.as_ref()? {
        LeftOut::Type(ty) => Some(Hint {
            at: match name.kind {
                NameKind::Variable => end,
                // The type of a definition's result is shown before its `=`.
                _ => signs
                    .take_while(|(_, sign)| *sign != "=")
                    .last()
                    .map_or(end, |(span, _)| span.end),
            },
            label: match name.kind {
                NameKind::Variable => format!(": {ty}"),
                _ => format!(" : {ty}"),
            },
            kind: InlayHintKind::TYPE,
            writes: None,
        }),
        LeftOut::Indices(all) => {
            let mut depth = 0;
            let written = signs.find(|(_, sign)| {
                match *sign {
                    "[" => depth += 1,
                    "]" => depth -= 1,
                    _ => {}
                }
                depth == 0
            });
            let written = written.filter(|(_, sign)| *sign == "]");
            let written = written.map_or(end, |(close, _)| close.end);
            let label = match written > end {
                true => format!(" = [{all}]"),
                false => format!("[{all}]"),
            };
            let span = Span {
                start: end,
                end: written,
            };
            Some(Hint {
                at: written,
                label,
                kind: InlayHintKind::PARAMETER,
                writes: Some((span, format!("[{all}]"))),
            })
        }
    }
}
