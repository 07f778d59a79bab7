//! The text of a learner's program: another `main`, items that are added, and the tokens of an item.

use crate::checks::Side;
use fletch_ide::Checked;
use fletch_syntax::tree::{ClauseKind, ItemKind, Program};
use fletch_syntax::{Span, Spelling, TokenClass, format, highlight};

/// A program with items added at its end and, if there is one, another `main`. The own `main` gives way to blanks, so that places
/// before and after it stay.
pub(crate) fn composed(source: &str, own: &Checked, main: Option<&str>, with: &str) -> String {
    let mut text = source.to_owned();
    if let Some(main) = main {
        let mains = own.outline.iter().filter(|entry| entry.kind == "main");
        for span in mains.map(|entry| entry.span) {
            let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
            let blanks: String = span.text(source).bytes().map(blank).collect();
            text.replace_range(span.start as usize..span.end as usize, &blanks);
        }
        text.push('\n');
        text.push_str(with);
        text.push_str(&format!("\nmain = {main}\n"));
    } else if !with.is_empty() {
        text.push('\n');
        text.push_str(with);
    }
    text
}

/// The places of the items of this name, such as `handler H`; `main` is named alone.
pub(crate) fn items(checked: &Checked, named: &str) -> Vec<Span> {
    let entries = checked.outline.iter();
    let found = entries.filter(|entry| match entry.kind {
        "main" => named == "main",
        kind => named.split_once(' ') == Some((kind, &entry.name)),
    });
    found.map(|entry| entry.span).collect()
}

/// The place of one side of the clause for an operation, in a handler within a place.
pub(crate) fn side(program: &Program, within: Span, operation: &str, side: Side) -> Option<Span> {
    let inside = |span: Span| within.start <= span.start && span.end <= within.end;
    let handlers = program.items.iter().filter_map(|item| match &item.node {
        ItemKind::Handler(handler) if inside(item.span) => Some(handler),
        _ => None,
    });
    let mut clauses = handlers.flat_map(|handler| &handler.clauses);
    clauses.find_map(|clause| match &clause.node {
        ClauseKind::Reverse {
            operation: name,
            forward_pattern,
            forward,
            cotangent,
            backward,
            ..
        } if &*name.text == operation => Some(match side {
            Side::Forward => forward_pattern.span.to(forward.span),
            Side::Backward => cotangent.span.to(backward.span),
        }),
        _ => None,
    })
}

/// A program in its one spelling, laid out, so that its tokens can be compared; as it is where it cannot be read.
pub(crate) fn canonical(source: &str) -> String {
    let symbols = fletch_smooth::symbols();
    format(source, Spelling::Unicode, symbols).unwrap_or_else(|_| source.to_owned())
}

/// The tokens of a part of a text, without comments.
pub(crate) fn tokens(source: &str, part: Span) -> Vec<&str> {
    let part = part.text(source);
    let tokens = highlight(part, fletch_smooth::symbols()).into_iter();
    let tokens = tokens.filter(|token| token.class != TokenClass::Comment);
    tokens.map(|token| token.span.text(part)).collect()
}
