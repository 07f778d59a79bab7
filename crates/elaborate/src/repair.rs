//! Repairs of frequent slips, as data: a span, and its replacement, made of new text and of pieces of the source that stay. A repair
//! becomes the fix of a diagnostic when the diagnostic is written. The caller that can check the repaired text again decides whether to
//! offer the fix.

use crate::shaped::Shaped;
use crate::words::flattened;
use fletch_smooth::Shape;
use fletch_syntax::tree::{Pattern, Term, TermKind};
use fletch_syntax::{Diagnostic, Span};

/// Edit that repairs a fault.
#[derive(Debug)]
pub(crate) struct Repair {
    /// Title of the quick fix, if it differs from the written text.
    title: Option<String>,
    span: Span,
    written: Vec<Piece>,
}

#[derive(Debug)]
enum Piece {
    New(String),
    Kept(Span),
    /// Source text that is kept; parenthesised unless it is a name, a number or already in brackets.
    Operand(Span),
    /// The white space before a clause of a handler.
    Indentation(Span),
}

/// Replaces `span` with the pieces `written`.
fn instead<const N: usize>(span: Span, written: [Piece; N]) -> Repair {
    Repair {
        title: None,
        span,
        written: Vec::from(written),
    }
}

fn new(text: &str) -> Piece {
    Piece::New(text.to_owned())
}

fn between(start: u32, end: u32) -> Piece {
    Piece::Kept(Span { start, end })
}

impl Repair {
    /// Adds the repair to a diagnostic as its fix.
    pub(crate) fn fix(&self, diagnostic: Diagnostic, source: &str) -> Diagnostic {
        let mut text = String::new();
        for piece in &self.written {
            match piece {
                Piece::New(new) => text.push_str(new),
                Piece::Kept(span) => text.push_str(span.text(source)),
                Piece::Operand(span) => text.push_str(&operand(span.text(source))),
                Piece::Indentation(span) => text.push_str(indentation(source, *span)),
            }
        }
        let written = || format!("write `{}`", shorten(text.trim_end()));
        diagnostic.fix(self.title.clone().unwrap_or_else(written), self.span, text)
    }
}

/// The first line of a text, cut to 40 characters to fit in a button.
fn shorten(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    match line.char_indices().nth(40) {
        Some((cut, _)) => format!("{}…", line.get(..cut).unwrap_or("")),
        None => line.to_owned(),
    }
}

/// Text of a term as an operand of a product, parenthesised where needed.
fn operand(text: &str) -> String {
    let atomic = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '′' | '.');
    let inside = |open: char, close: char| {
        let inner = text.strip_prefix(open).and_then(|t| t.strip_suffix(close));
        inner.is_some_and(|inner| !inner.contains([open, close]))
    };
    if text.chars().all(atomic) || inside('(', ')') || inside('[', ']') {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

/// A line break and the indentation of the line of `place`; a single space if `place` is not the first text of its line.
fn indentation(source: &str, place: Span) -> &str {
    let before = source.get(..place.start as usize).unwrap_or("");
    let line = before.rfind('\n').unwrap_or(0);
    match before.get(line..) {
        Some(white) if white.starts_with('\n') && white.trim().is_empty() => white,
        _ => " ",
    }
}

/// An operand or an argument: its span and its shape.
type Side<'a> = (Span, &'a Shaped);

fn shape<'a>((_, shaped): Side<'a>) -> Option<&'a Shape> {
    match shaped {
        Shaped::Real(shape) => Some(shape),
        _ => None,
    }
}

/// Replaces a number that meets a vector: `x + 1` becomes `x + broadcast[n](1)`.
pub(crate) fn broadcast(left: Side<'_>, right: Side<'_>) -> Option<Repair> {
    let (first, second) = (shape(left)?.size(), shape(right)?.size());
    let (span, size) = match (first, second) {
        (1, size) if size > 1 => (left.0, size),
        (size, 1) if size > 1 => (right.0, size),
        _ => return None,
    };
    let call = format!("broadcast[{size}](");
    Some(instead(
        span,
        [Piece::New(call), Piece::Kept(span), new(")")],
    ))
}

/// Replaces a product that does not fit by the product that is probably meant.
pub(crate) fn product(written: &str, left: Side<'_>, right: Side<'_>) -> Option<Repair> {
    let (one, other) = (shape(left)?, shape(right)?);
    let columns = one.dims().get(1).copied().unwrap_or(1);
    let rows = other.dims().first().copied().unwrap_or(1);
    let (first, meant, second) = match (one.size(), other.size()) {
        (1, size) if size > 1 && written != "·" => (left, "·", right),
        (size, 1) if size > 1 => (right, "·", left),
        _ if one.rank() >= 2 && columns == rows && written != "∗" => (left, "∗", right),
        (size, same) if size == same && written == "·" => (left, "⊙", right),
        _ if one == other && one.rank() < 2 && written == "∗" => (left, "⊙", right),
        _ if written == "∗" => return column(left, right),
        _ => return None,
    };
    let whole = left.0.to(right.0);
    let sign = Piece::New(format!(" {meant} "));
    Some(instead(
        whole,
        [Piece::Operand(first.0), sign, Piece::Operand(second.0)],
    ))
}

/// Reshapes one operand of a product to one column: `w ∗ reshape[n, 1](y)`.
fn column(left: Side<'_>, right: Side<'_>) -> Option<Repair> {
    let (n, side) = flattened(shape(left)?, shape(right)?)?;
    let span = if side == "right" { right.0 } else { left.0 };
    let call = Piece::New(format!("reshape[{n}, 1]("));
    Some(instead(span, [call, Piece::Kept(span), new(")")]))
}

/// Replaces `w @ x`, parsed as a command, by `⌊w ∗ x⌋`.
pub(crate) fn product_command(whole: Span, left: Span, right: Span) -> Repair {
    let parts = [
        new("⌊"),
        Piece::Kept(left),
        new(" ∗ "),
        Piece::Kept(right),
        new("⌋"),
    ];
    instead(whole, parts)
}

/// Spans of the argument and binders of a `rev handle`, through which values get into its body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entrance {
    argument: Span,
    /// End of the last component of an argument that is written as a tuple.
    components: Option<u32>,
    /// Span from the first to the last binder.
    binders: Span,
    alone: bool,
}

impl Entrance {
    pub(crate) fn of(argument: &Term, patterns: &[Pattern]) -> Option<Entrance> {
        let (first, last) = (patterns.first()?, patterns.last()?);
        let components = match &argument.node {
            TermKind::Tuple(terms) => terms.last().map(|last| last.span.end),
            _ => None,
        };
        Some(Entrance {
            argument: argument.span,
            components,
            binders: first.span.to(last.span),
            alone: patterns.len() == 1,
        })
    }

    /// Passes one more variable into the body: `rev handle(M)⟨x⟩.` becomes `rev handle(⟨M, b⟩)⟨x, b⟩.`.
    pub(crate) fn admit(&self, name: &str) -> Option<Repair> {
        let Span { start, end } = self.argument;
        let last = self.binders.end;
        let one_more = || Piece::New(format!(", {name}"));
        let span = Span { start, end: last };
        let repair = match (self.alone, self.components) {
            (true, _) => instead(
                span,
                [
                    new("⟨"),
                    Piece::Kept(self.argument),
                    one_more(),
                    new("⟩"),
                    between(end, last),
                    one_more(),
                ],
            ),
            (false, Some(tuple)) => instead(
                span,
                [
                    between(start, tuple),
                    one_more(),
                    between(tuple, last),
                    one_more(),
                ],
            ),
            (false, None) => return None,
        };
        Some(Repair {
            title: Some(format!("pass `{name}` in")),
            ..repair
        })
    }
}

/// Inserts a return clause before the clause at `first`.
pub(crate) fn return_clause(first: Span) -> Repair {
    let place = Span {
        end: first.start,
        ..first
    };
    instead(place, [new("x ↦ ⌊x⌋"), Piece::Indentation(place)])
}
