//! `let p ⇐ P in` and `let p ← M in`: the parsing that chains of commands and of terms share. A chain
//! is read in a loop, not by recursion, because a program may have thousands of links.

use super::combinators::{describe, expected, nested, required};
use super::input::{Parsed, Tokens};
use super::name::{expected_pattern, pattern};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::span::{Span, Spanned};
use crate::token::{Keyword, TokenKind};
use crate::tree::{Pattern, PatternKind};

/// One link of a chain: a `let` up to its `in`.
pub(super) struct Binding<T> {
    /// Span of the word `let`.
    pub(super) start: Span,
    pub(super) pattern: Pattern,
    /// Arrow as written.
    pub(super) arrow: Arrow,
    pub(super) bound: T,
    /// True if a body can follow: there was an `in`, or the next token can start the body.
    pub(super) has_body: bool,
}

/// Arrow of a `let`, compared with the arrow that this kind of `let` requires.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Arrow {
    /// The required arrow.
    Right,
    /// The arrow of the other kind of `let`, with its span.
    Other(Span),
    /// `=` or `:=`, with its span.
    Equals(Span),
}

impl Arrow {
    /// Span of a wrong arrow.
    pub(super) fn wrong(self) -> Option<Span> {
        match self {
            Arrow::Right => None,
            Arrow::Other(span) | Arrow::Equals(span) => Some(span),
        }
    }
}

/// Kind of `let`, of commands or of terms: the differences between the two.
pub(super) struct LetKind<T> {
    /// Arrow of this kind.
    pub(super) arrow: TokenKind,
    /// Arrow of the other kind.
    pub(super) other: TokenKind,
    /// Makes the error node for a broken bound command or term.
    pub(super) error: fn(Span) -> T,
    /// True if a body starts here; used if the `in` is missing.
    pub(super) starts_body: fn(Tokens<'_>) -> bool,
}

/// 'let' pattern arrow bound 'in'. Errors are reported here, except a wrong arrow, which the caller
/// reports.
pub(super) fn binding<'a, T>(
    i: Tokens<'a>,
    kind: &LetKind<T>,
    bound: impl Fn(Tokens<'a>, Arrow) -> Parsed<'a, T>,
) -> Parsed<'a, Binding<T>> {
    let start = i.here();
    let after_in = i.after_partner();
    let mut known = None;
    let parsed = nested(i.advance(1), |i| {
        let (i, pattern) = match pattern(i) {
            Err(nom::Err::Error(_)) => {
                expected_pattern(i);
                return i.failure();
            }
            other => other?,
        };
        known = Some(pattern);
        let (i, arrow) = required(kind.arrow_expected(), |i| kind.arrow(i))(i)?;
        let (i, bound) = bound(i, arrow)?;
        Ok((i, (arrow, bound)))
    });
    let pattern = known.unwrap_or_else(|| Spanned::new(PatternKind::Wildcard, start));
    let (rest, (arrow, bound)) = match (parsed, after_in) {
        (Ok(parsed), _) => parsed,
        // The `let` is broken; parsing continues after its `in`.
        (Err(_), Some(rest)) => {
            let bound = (kind.error)(i.since(i).to(rest.gap()));
            return Ok((
                rest,
                Binding {
                    start,
                    pattern,
                    arrow: Arrow::Right,
                    bound,
                    has_body: true,
                },
            ));
        }
        (Err(stop), None) => return Err(stop),
    };
    let link_pattern = pattern.span;
    let link = |has_body| Binding {
        start,
        pattern,
        arrow,
        bound,
        has_body,
    };
    if rest.is(TokenKind::Word(Keyword::In)) {
        return Ok((rest.advance(1), link(true)));
    }
    if let Some(after_in) = after_in.filter(|after| after.at > rest.at) {
        expected(rest, "`in`");
        return Ok((after_in, link(true)));
    }
    if let Some(semicolon) = rest
        .first()
        .filter(|token| token.kind == TokenKind::Semicolon)
    {
        let message = "`let` is followed by `in`, not by `;`";
        rest.report_understood(
            Diagnostic::error(codes::MISSING_IN, semicolon.span, message)
                .label(start, "the `let`")
                .fix("write `in`", rest.gap().to(semicolon.span), " in"),
        );
        return Ok((rest.advance(1), link(true)));
    }
    let has_body = (kind.starts_body)(rest);
    let repeated = rest.context.last_expected.replace(Some(rest.at)) == Some(rest.at);
    if !repeated && !rest.after_invalid() {
        let message = match rest.first().filter(|token| !token.new_line) {
            Some(found) => format!(
                "this `let` has no `in`: expected it before {}",
                describe(rest, found)
            ),
            None if has_body => "this `let` has no `in`: expected it here".to_owned(),
            None => "this `let` has no `in`: expected it here, and what uses the result".to_owned(),
        };
        let error = Diagnostic::error(codes::MISSING_IN, rest.gap(), message)
            .label(start, "the `let`")
            .hint("`let x ⇐ P in Q` runs P, then Q, where x is the result of P");
        let written = if has_body {
            "in".to_owned()
        } else {
            kind.result(rest.text_of(link_pattern))
        };
        rest.report_understood(error.fix(
            format!("write `{written}`"),
            rest.gap(),
            format!(" {written}"),
        ));
    }
    Ok((rest, link(has_body)))
}

impl<T> LetKind<T> {
    /// Ending of a `let` that returns the bound variables.
    fn result(&self, bound: &str) -> String {
        if self.arrow == TokenKind::Bind {
            format!("in ⌊{bound}⌋")
        } else {
            format!("in {bound}")
        }
    }

    fn arrow_expected(&self) -> &'static str {
        if self.arrow == TokenKind::Bind {
            "`⇐`"
        } else {
            "`←`"
        }
    }

    fn arrow<'a>(&self, i: Tokens<'a>) -> Parsed<'a, Arrow> {
        let Some(first) = i.first() else {
            return i.mismatch();
        };
        if first.kind == self.arrow {
            return Ok((i.advance(1), Arrow::Right));
        }
        if first.kind == self.other {
            return Ok((i.advance(1), Arrow::Other(first.span)));
        }
        if first.kind == TokenKind::Equals {
            return Ok((i.advance(1), Arrow::Equals(first.span)));
        }
        match i.peek(1) {
            Some(second) if first.kind == TokenKind::Colon && second.kind == TokenKind::Equals => {
                Ok((i.advance(2), Arrow::Equals(first.span.to(second.span))))
            }
            _ => i.mismatch(),
        }
    }

    /// Reports a wrong arrow, with a fix. If `bound` is given, the fix also replaces the bound
    /// command or term, up to the end of that span, by that text.
    pub(super) fn report_arrow(&self, i: Tokens<'_>, arrow: Arrow, bound: Option<(Span, String)>) {
        let Some(span) = arrow.wrong() else { return };
        let right = self.arrow.spelling();
        let written = i.text_of(span);
        let commands = self.arrow == TokenKind::Bind;
        let message = match (arrow, commands) {
            (Arrow::Equals(_), _) => {
                format!("`let` binds with `{right}` here, not with `{written}`")
            }
            (_, true) => {
                format!("`{written}` binds a term, and a command stands here: expected `{right}`")
            }
            (_, false) => {
                format!("`{written}` binds a command, and a term stands here: expected `{right}`")
            }
        };
        let error = Diagnostic::error(codes::LET_ARROW, span, message)
            .hint("`⇐` binds the result of a command, `←` that of a term");
        i.report_understood(match bound {
            Some((until, text)) => {
                let text = format!("{right} {text}");
                error.fix(format!("write `{}`", shorten(&text)), span.to(until), text)
            }
            None => error.fix(format!("write `{right}`"), span, right),
        });
    }
}

/// Start of a text, short enough for the title of a fix.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(32) {
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or("")),
        None => text.to_owned(),
    }
}
