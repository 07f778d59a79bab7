//! Combinators of the grammar, on top of nom: single tokens, required syntax, groups that recover at
//! their closer, lists, left-associative chains, and bounds on depth and height.

use super::foreign;
use super::input::{Parsed, Stop, Tokens};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::limits::{MAX_HEIGHT, MAX_NESTING};
use crate::span::{Span, Spanned};
use crate::token::{Keyword, Token, TokenKind};
use nom::Parser;

/// Parses one token of this kind.
pub(super) fn token<'a>(kind: TokenKind) -> impl Fn(Tokens<'a>) -> Parsed<'a, Token> + Copy {
    move |i| match i.first() {
        Some(token) if token.kind == kind => Ok((i.advance(1), token)),
        _ => i.mismatch(),
    }
}

/// Parses one reserved word.
pub(super) fn word<'a>(word: Keyword) -> impl Fn(Tokens<'a>) -> Parsed<'a, Token> + Copy {
    token(TokenKind::Word(word))
}

/// Runs `parser`; if it does not match, reports that `what` was expected here, and fails.
pub(super) fn required<'a, T>(
    what: &'static str,
    parser: impl Fn(Tokens<'a>) -> Parsed<'a, T>,
) -> impl Fn(Tokens<'a>) -> Parsed<'a, T> {
    move |i| match parser(i) {
        Err(nom::Err::Error(_)) => missing(i, what),
        other => other,
    }
}

fn missing<'a, T>(i: Tokens<'a>, what: &str) -> Parsed<'a, T> {
    expected(i, what);
    i.failure()
}

/// Parses the token `kind`. If the token is missing, reports this with a fix that writes it, and
/// parsing continues as if it were there.
pub(super) fn expect<'a>(kind: TokenKind) -> impl Fn(Tokens<'a>) -> Parsed<'a, ()> {
    move |i| {
        if i.is(kind) {
            return Ok((i.advance(1), ()));
        }
        let spelling = kind.spelling();
        let title = format!("write `{spelling}`");
        if let Some(found) = i.first().filter(|_| is_nearly(i, kind)) {
            expected_with(i, &format!("`{spelling}`"), |error| {
                error.fix(title, found.span, spelling)
            });
            return Ok((i.advance(1), ()));
        }
        let space = if matches!(
            kind,
            TokenKind::Comma | TokenKind::Semicolon | TokenKind::Dot
        ) {
            ""
        } else {
            " "
        };
        let written = format!("{space}{spelling}");
        expected_with(i, &format!("`{spelling}`"), |error| {
            error.fix(title, i.gap(), written)
        });
        Ok((i, ()))
    }
}

/// True if the identifier here is a truncated or extended spelling of the reserved word `kind`.
fn is_nearly(i: Tokens<'_>, kind: TokenKind) -> bool {
    let word = kind.spelling();
    matches!(kind, TokenKind::Word(_))
        && i.first().is_some_and(|found| {
            let text = i.text(found);
            found.kind == TokenKind::Identifier
                && text.len().min(word.len()) >= 3
                && (text.starts_with(word) || word.starts_with(text))
        })
}

/// Reports that `what` was expected here.
pub(super) fn expected(i: Tokens<'_>, what: &str) {
    expected_with(i, what, |error| error);
}

/// Reports that `what` was expected here; `more` adds to the diagnostic. Reports nothing where an
/// error has already been reported: at unknown characters, and at the position of the last report.
pub(super) fn expected_with(
    i: Tokens<'_>,
    what: &str,
    more: impl FnOnce(Diagnostic) -> Diagnostic,
) {
    let repeated = i.context.last_expected.replace(Some(i.at)) == Some(i.at);
    if !repeated && !i.after_invalid() {
        i.report(more(expectation(i, what)));
    }
}

fn expectation(i: Tokens<'_>, what: &str) -> Diagnostic {
    let after = |span: Span| match i.previous() {
        Some(previous) => Diagnostic::error(
            codes::EXPECTED,
            span,
            format!("expected {what} after {}", describe(i, previous)),
        ),
        None => Diagnostic::error(codes::EXPECTED, span, format!("expected {what}")),
    };
    match i.first() {
        None => after(i.gap()),
        Some(found) if found.new_line && i.previous().is_some() => {
            let found_there = format!("found {} instead", describe(i, found));
            after(i.gap()).label(found.span, found_there)
        }
        Some(found) => Diagnostic::error(
            codes::EXPECTED,
            found.span,
            format!("expected {what}, found {}", describe(i, found)),
        ),
    }
}

/// Describes a token in words.
pub(super) fn describe(i: Tokens<'_>, token: Token) -> String {
    let text = i.text(token);
    let text = match text.char_indices().nth(24) {
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or("")),
        None => text.to_owned(),
    };
    match token.kind {
        TokenKind::Word(_) => format!("the reserved word `{text}`"),
        TokenKind::String => format!("the string {text}"),
        _ => format!("`{text}`"),
    }
}

/// Runs `parser` one nesting level deeper: inside a bracket, a handler or a bound command.
pub(super) fn nested<'a, T>(
    i: Tokens<'a>,
    parser: impl FnOnce(Tokens<'a>) -> Parsed<'a, T>,
) -> Parsed<'a, T> {
    let context = i.context;
    let nesting = context.nesting.get();
    if nesting >= MAX_NESTING {
        let message = format!("this is nested more than {MAX_NESTING} levels deep");
        let hint = "give inner parts a name, as `fun`, `command`, `handler` or with `let`";
        return beyond_limit(i, codes::TOO_DEEP, message, hint);
    }
    context.nesting.set(nesting + 1);
    let outside = context.height.replace(0);
    let result = parser(i);
    context.nesting.set(nesting);
    context.height.set(outside.max(context.height.get() + 1));
    result
}

/// Runs `parser` with a separate height count, so that the trees parsed before do not add to the
/// heights inside.
pub(super) fn scoped<'a, T>(
    i: Tokens<'a>,
    parser: impl FnOnce(Tokens<'a>) -> Parsed<'a, T>,
) -> Parsed<'a, T> {
    let height = &i.context.height;
    let outside = height.replace(0);
    let result = parser(i);
    height.set(outside.max(height.get()));
    result
}

/// Adds `levels` to the height of the tallest tree so far; fails if the sum exceeds the limit.
pub(super) fn grow(i: Tokens<'_>, levels: usize) -> Parsed<'_, ()> {
    let (i, height) = room(i, levels)?;
    i.context.height.set(height);
    Ok((i, ()))
}

/// Returns the height of the tallest tree so far plus `levels`; fails if the sum exceeds the limit.
pub(super) fn room(i: Tokens<'_>, levels: usize) -> Parsed<'_, u32> {
    let levels = u32::try_from(levels).unwrap_or(u32::MAX);
    let height = levels.saturating_add(i.context.height.get());
    if height <= MAX_HEIGHT {
        return Ok((i, height));
    }
    let message = format!("this chain is more than {MAX_HEIGHT} links long");
    let hint = "split it: as `fun`, as `command`, or with `iterate`";
    beyond_limit(i, codes::TOO_LONG, message, hint)
}

/// Fails, and reports the limit once per declaration.
fn beyond_limit<'a, T>(i: Tokens<'a>, code: &str, message: String, hint: &str) -> Parsed<'a, T> {
    if !i.context.limit_reported.replace(true) {
        i.report(Diagnostic::error(code, i.here(), message).hint(hint));
    }
    i.failure()
}

/// Parses `operand (operator operand)*`, associated to the left, without recursion.
pub(super) fn chain<'a, T, O>(
    what: &'static str,
    operand: impl Fn(Tokens<'a>) -> Parsed<'a, T>,
    mut operator: impl Parser<Tokens<'a>, Output = O, Error = Stop>,
    join: impl Fn(T, O, T) -> T,
) -> impl FnOnce(Tokens<'a>) -> Parsed<'a, T> {
    move |start| {
        scoped(start, |start| {
            let (mut i, mut left) = operand(start)?;
            while let Ok((after, operator)) = operator.parse(i) {
                let (rest, right) = required(what, &operand)(after)?;
                grow(i, 1)?;
                left = join(left, operator, right);
                i = rest;
            }
            Ok((i, left))
        })
    }
}

/// Parses `open content close` and returns the content with the span of the whole. If the content is
/// broken, the value is `otherwise()`, and parsing continues after the closer.
pub(super) fn group<'a, T>(
    open: TokenKind,
    content: impl FnOnce(Tokens<'a>) -> Parsed<'a, T>,
    otherwise: impl FnOnce() -> T,
) -> impl FnOnce(Tokens<'a>) -> Parsed<'a, Spanned<T>> {
    move |start| {
        if !start.is(open) {
            return start.mismatch();
        }
        let (rest, value) = match nested(start.advance(1), content) {
            Ok((rest, value)) => (close(start, rest), value),
            Err(stop) => (abandon(start, stop)?, otherwise()),
        };
        Ok((rest, Spanned::new(value, rest.since(start))))
    }
}

/// Skips the bracket at `start`, whose content is broken, with its content.
fn abandon<'a>(start: Tokens<'a>, stop: nom::Err<Stop>) -> Result<Tokens<'a>, nom::Err<Stop>> {
    let stop = match stop {
        nom::Err::Error(_) => {
            let inside = start.advance(1);
            expected(inside, "something else");
            nom::Err::Failure(Stop { at: inside.at })
        }
        stop => stop,
    };
    start.after_partner().ok_or(stop)
}

/// Skips the closer of the bracket at `start`. If other text precedes the closer, reports it and
/// continues after the closer. If there is no closer, reports this and continues as if the closer
/// were here.
pub(super) fn close<'a>(start: Tokens<'a>, i: Tokens<'a>) -> Tokens<'a> {
    let Some(opener) = start.first() else {
        return i;
    };
    let Some(closer) = opener.kind.closer() else {
        return i;
    };
    if i.is(closer) {
        return i.advance(1);
    }
    let spelling = match (closer, start.text(opener)) {
        (TokenKind::CloseAngle, "<") => ">",
        _ => closer.spelling(),
    };
    match start.after_partner() {
        Some(rest) => {
            let what = match opener.kind {
                TokenKind::OpenBrace => "a clause or `}`".to_owned(),
                TokenKind::OpenFloor => format!("an operator or `{spelling}`"),
                TokenKind::OpenAngle | TokenKind::OpenBracket => format!("`,` or `{spelling}`"),
                _ => format!("`{spelling}`"),
            };
            let applied = matches!(opener.kind, TokenKind::OpenFloor | TokenKind::OpenParen)
                && i.previous()
                    .is_some_and(|token| token.kind == TokenKind::Identifier)
                && matches!(i.kind(), Some(TokenKind::Identifier | TokenKind::Number));
            expected_with(i, &what, |error| {
                let error = error.label(opener.span, "opened here");
                if i.is(TokenKind::Semicolon) {
                    error.hint(
                        "commands follow one another with `let`: `let _ ⇐ P in Q` runs P, then Q",
                    )
                } else if applied {
                    error.hint("a function is applied with parentheses, `f(x)`; a product has an operator: `·`, `∗` or `⊙`")
                } else if let Some(advice) = foreign::advice(i) {
                    error.hint(advice)
                } else {
                    error
                }
            });
            rest
        }
        None => {
            let repeated = i.context.last_expected.replace(Some(i.at)) == Some(i.at);
            if !repeated && !i.after_invalid() {
                let opened = i.text(opener);
                let place = match i.first() {
                    Some(found) if !found.new_line => found.span,
                    _ => i.gap(),
                };
                let message = format!("`{opened}` is never closed: expected `{spelling}` here");
                i.report(
                    Diagnostic::error(codes::UNCLOSED, place, message)
                        .label(opener.span, "opened here")
                        .fix(format!("write `{spelling}`"), i.gap(), spelling),
                );
            }
            i
        }
    }
}

/// Parses `entry (',' entry)*`, at least one entry. A comma with nothing after it is reported and
/// ignored.
pub(super) fn list<'a, T>(
    what: &'static str,
    entry: impl Fn(Tokens<'a>) -> Parsed<'a, T>,
) -> impl Fn(Tokens<'a>) -> Parsed<'a, Vec<T>> {
    move |i| {
        if is_empty(i, what) {
            return i.failure();
        }
        let (mut i, first) = required(what, &entry)(i)?;
        let mut entries = vec![first];
        while let Some(comma) = i.first().filter(|token| token.kind == TokenKind::Comma) {
            i = i.advance(1);
            if i.kind().is_some_and(TokenKind::is_closer) {
                stray(i, comma, what);
                break;
            }
            let (rest, next) = required(what, &entry)(i)?;
            entries.push(next);
            i = rest;
        }
        Ok((i, entries))
    }
}

/// True if a closer directly follows its opener; reports the empty group.
fn is_empty(i: Tokens<'_>, what: &str) -> bool {
    let Some(closer) = i.first().filter(|token| token.kind.is_closer()) else {
        return false;
    };
    let Some(opener) = i.previous() else {
        return false;
    };
    let message = format!("expected {what} between the brackets");
    let error = Diagnostic::error(codes::EMPTY, opener.span.to(closer.span), message);
    i.report(match opener.kind {
        TokenKind::OpenAngle => error.hint("the empty tuple is `()`"),
        _ => error,
    });
    true
}

fn stray(i: Tokens<'_>, comma: Token, what: &str) {
    let message = format!("expected {what} after the comma");
    i.report(
        Diagnostic::error(codes::STRAY_COMMA, comma.span, message).fix(
            "delete the comma",
            comma.span,
            "",
        ),
    );
}

/// Parses as [`list`] does, but accepts an empty list.
pub(super) fn list_or_none<'a, T>(
    what: &'static str,
    entry: impl Fn(Tokens<'a>) -> Parsed<'a, T>,
) -> impl Fn(Tokens<'a>) -> Parsed<'a, Vec<T>> {
    let some = list(what, entry);
    move |i| match i.kind() {
        Some(kind) if kind.is_closer() => Ok((i, Vec::new())),
        _ => some(i),
    }
}

/// Runs `parser`. If the syntax is broken, returns `otherwise()` and continues at the next token of
/// one of these kinds outside of brackets.
pub(super) fn recover_at<'a, T>(
    kinds: &'static [TokenKind],
    parser: impl FnOnce(Tokens<'a>) -> Parsed<'a, T>,
    otherwise: impl FnOnce() -> T,
) -> impl FnOnce(Tokens<'a>) -> Parsed<'a, T> {
    move |start| match parser(start) {
        Err(nom::Err::Failure(stop)) => match seek(start.jump(stop.at), kinds) {
            Some(i) => Ok((i, otherwise())),
            None => Err(nom::Err::Failure(stop)),
        },
        other => other,
    }
}

/// Finds the next token of one of these kinds outside of brackets.
fn seek<'a>(mut i: Tokens<'a>, kinds: &[TokenKind]) -> Option<Tokens<'a>> {
    while !kinds.contains(&i.kind()?) {
        i = skip_one(i);
    }
    Some(i)
}

/// Skips one token, or a whole group.
pub(super) fn skip_one(i: Tokens<'_>) -> Tokens<'_> {
    match i.after_partner() {
        Some(rest) if i.kind().is_some_and(|kind| kind.closer().is_some()) => rest,
        _ => i.advance(1),
    }
}
