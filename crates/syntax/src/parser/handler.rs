//! Parser of uses of handlers, and of the clauses of all handlers. A broken clause is skipped or keeps an error node; the
//! next clause is recognised by its first tokens.

use super::combinators::{
    close, expect, expected, expected_with, group, nested, recover_at, required, skip_one, token,
};
use super::command::command;
use super::input::{Parsed, Tokens};
use super::name::{name, pattern, required_name};
use super::size::{index_args, index_params};
use super::term::args;
use crate::span::{Span, Spanned};
use crate::token::TokenKind;
use crate::tree::{
    Clause, ClauseKind, Command, CommandKind, Handler, HandlerCall, HandlerKind, IndexParam, Name,
    Pattern, PatternKind,
};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::map;

/// handler ::= hcall | '{' clause* '}'
pub(super) fn handler(i: Tokens<'_>) -> Parsed<'_, Handler> {
    alt((
        map(handler_call, |call| {
            let span = call.span;
            Spanned::new(HandlerKind::Call(call), span)
        }),
        map(clauses, |clauses| {
            Spanned::new(HandlerKind::Literal(clauses.node), clauses.span)
        }),
    ))
    .parse(i)
}

/// hcall ::= NAME indexargs? args?
pub(super) fn handler_call(i: Tokens<'_>) -> Parsed<'_, HandlerCall> {
    let (rest, name) = name(i)?;
    let (rest, indices) = index_args(rest)?;
    let (rest, arguments) = if rest.is(TokenKind::OpenParen) {
        args(rest)?
    } else {
        (rest, Vec::new())
    };
    Ok((
        rest,
        HandlerCall {
            name,
            indices,
            arguments,
            span: rest.since(i),
        },
    ))
}

/// '{' clause* '}'
pub(super) fn clauses(start: Tokens<'_>) -> Parsed<'_, Spanned<Vec<Clause>>> {
    if !start.is(TokenKind::OpenBrace) {
        return start.mismatch();
    }
    let end = start.partner();
    let (rest, clauses) = nested(start.advance(1), |mut i| {
        let mut clauses = Vec::new();
        while i.first().is_some() && !i.is(TokenKind::CloseBrace) {
            match clause(i) {
                Ok((rest, clause)) => {
                    clauses.push(clause);
                    i = rest;
                }
                Err(nom::Err::Error(_)) => {
                    if !i.kind().is_some_and(TokenKind::is_closer) || end.is_some() {
                        expected_clause(i);
                    }
                    match next_clause(i.advance(1), end) {
                        Some(next)
                            if end.is_some() || !i.kind().is_some_and(TokenKind::is_closer) =>
                        {
                            i = next
                        }
                        _ => break,
                    }
                }
                Err(nom::Err::Failure(stop)) => {
                    match next_clause(i.jump(stop.at.max(i.at + 1)), end) {
                        Some(next) => i = next,
                        None => return Err(nom::Err::Failure(stop)),
                    }
                }
                Err(stop) => return Err(stop),
            }
        }
        Ok((i, clauses))
    })
    .or_else(|stop| match start.after_partner() {
        Some(rest) => Ok((rest.jump(rest.at - 1), Vec::new())),
        None => Err(stop),
    })?;
    let rest = close(start, rest);
    Ok((rest, Spanned::new(clauses, rest.since(start))))
}

fn expected_clause(i: Tokens<'_>) {
    expected_with(i, "a clause or `}`", |error| {
        if let Some(separator) = i
            .first()
            .filter(|token| matches!(token.kind, TokenKind::Comma | TokenKind::Semicolon))
        {
            return error
                .hint("clauses stand one after the other, with nothing between them")
                .fix("delete it", separator.span, "");
        }
        error.hint("clauses are `x ↦ P`, `Op[ℓ] ( x ↦ P | y, z ↦ Q )` and `Op[ℓ], k; x ↦ P`")
    });
}

/// Skips to the next clause, or to the closing brace of the handler.
fn next_clause(from: Tokens<'_>, end: Option<usize>) -> Option<Tokens<'_>> {
    let mut i = from;
    loop {
        match i.kind() {
            None => return None,
            Some(TokenKind::CloseBrace) if end.is_none_or(|end| i.at >= end) => return Some(i),
            Some(_) if starts_clause(i) => return Some(i),
            Some(_) => i = skip_one(i),
        }
    }
}

/// True if the tokens here start a clause: a pattern before `↦`, or an operation before `( pattern ↦` or `, k;`.
pub(super) fn starts_clause(i: Tokens<'_>) -> bool {
    use TokenKind::*;
    // Patterns inside a clause also precede a `↦`; the token before them shows that they are inside.
    let inner = matches!(
        i.previous().map(|token| token.kind),
        Some(Semicolon | Comma | Bar | OpenParen)
    );
    match i.kind() {
        Some(Identifier) => {
            let after = i.advance(1);
            let head = if after.is(OpenBracket) {
                after.after_partner()
            } else {
                Some(after)
            };
            let is_operation = head.is_some_and(|head| match head.kind() {
                Some(OpenParen) => after_pattern(head.advance(1)).is_some_and(|i| i.is(MapsTo)),
                Some(Comma) => {
                    head.kind_at(1) == Some(Identifier) && head.kind_at(2) == Some(Semicolon)
                }
                _ => false,
            });
            is_operation || (after.is(MapsTo) && !inner)
        }
        Some(Underscore | OpenAngle) if !inner => after_pattern(i).is_some_and(|i| i.is(MapsTo)),
        _ => false,
    }
}

/// Skips tokens that have the shape of a pattern.
fn after_pattern(i: Tokens<'_>) -> Option<Tokens<'_>> {
    match i.kind() {
        Some(TokenKind::Identifier | TokenKind::Underscore) => Some(i.advance(1)),
        Some(TokenKind::OpenAngle) => i.after_partner(),
        _ => None,
    }
}

/// clause ::= pattern '↦' command
///          | OPERATION indexparams? '(' pattern '↦' command '|' pattern ',' pattern '↦' command ')'
///          | OPERATION indexparams? ',' NAME ';' pattern '↦' command
fn clause(i: Tokens<'_>) -> Parsed<'_, Clause> {
    use TokenKind::*;
    let (rest, kind) = match (i.kind(), i.kind_at(1)) {
        (Some(Identifier), Some(OpenBracket | OpenParen | Comma)) => operation_clause(i)?,
        _ => return_clause(i)?,
    };
    Ok((rest, Spanned::new(kind, rest.since(i))))
}

/// pattern '↦' command
fn return_clause(start: Tokens<'_>) -> Parsed<'_, ClauseKind> {
    let mut i = start;
    let word = i.first().filter(|token| i.text(*token) == "return");
    if let Some(word) = word.filter(|_| after_pattern(i.advance(1)).is_some()) {
        expected_with(i, "a pattern and `↦`", |error| {
            error
                .hint("a return clause is `x ↦ P`, without a word before it")
                .fix(
                    "delete it",
                    Span {
                        end: i.advance(1).here().start,
                        ..word.span
                    },
                    "",
                )
        });
        i = i.advance(1);
    }
    let (i, pattern) = pattern(i)?;
    let (i, body) = maps_to(i)?;
    Ok((i, ClauseKind::Return(pattern, body)))
}

/// '↦' command
fn maps_to(i: Tokens<'_>) -> Parsed<'_, Command> {
    let (i, ()) = arrow(i)?;
    required("a command", command)(i)
}

/// '↦'; `->`, `=>` or another sign in its place is reported with a fix.
fn arrow(i: Tokens<'_>) -> Parsed<'_, ()> {
    use TokenKind::*;
    let length = match (i.kind(), i.kind_at(1)) {
        (Some(MapsTo), _) => return Ok((i.advance(1), ())),
        (Some(Yields | Gets | Bind | Performs | Equals | Colon), _) => 1,
        (Some(Minus), Some(CloseAngle)) => 2,
        _ => return required("`↦`", |i| map(token(MapsTo), |_| ()).parse(i))(i),
    };
    let rest = i.advance(length);
    let span = rest.since(i);
    expected_with(i, "`↦`", |error| error.fix("write `↦`", span, "↦"));
    Ok((rest, ()))
}

/// Parses a clause of an operation, reverse or ordinary.
fn operation_clause(i: Tokens<'_>) -> Parsed<'_, ClauseKind> {
    let (i, operation) = name(i)?;
    let (i, params) = index_params(i)?;
    match i.kind() {
        Some(TokenKind::OpenParen) => reverse_clause(i, operation, params),
        Some(TokenKind::Comma) => ordinary_clause(i.advance(1), operation, params),
        _ => {
            expected(i, "`( x ↦ P | y, z ↦ Q )` or `, k; x ↦ P`");
            i.failure()
        }
    }
}

/// NAME ';' pattern '↦' command, after the comma
fn ordinary_clause(
    i: Tokens<'_>,
    operation: Name,
    params: Vec<IndexParam>,
) -> Parsed<'_, ClauseKind> {
    let (i, continuation) = required_name("a name for the continuation")(i)?;
    let (i, ()) = expect(TokenKind::Semicolon)(i)?;
    let (i, pattern) = required("a pattern", pattern)(i)?;
    let (i, body) = maps_to(i)?;
    Ok((
        i,
        ClauseKind::Ordinary {
            operation,
            params,
            continuation,
            pattern,
            body,
        },
    ))
}

/// Placeholder for a half of a reverse clause that could not be parsed.
fn broken_side(span: Span) -> (Pattern, Command) {
    (
        Spanned::new(PatternKind::Wildcard, span),
        Spanned::new(CommandKind::Error, span),
    )
}

/// '(' pattern '↦' command '|' pattern ',' pattern '↦' command ')'
fn reverse_clause(
    i: Tokens<'_>,
    operation: Name,
    params: Vec<IndexParam>,
) -> Parsed<'_, ClauseKind> {
    let here = i.here();
    let mut forward_side = broken_side(here);
    let content = |i| {
        let (i, forward) = recover_at(&[TokenKind::Bar], forward, || broken_side(here))(i)?;
        forward_side = forward;
        let (i, _) = required(
            "`|` and the backward side `y, z ↦ Q`",
            token(TokenKind::Bar),
        )(i)?;
        let (i, cotangent) = required("a pattern for the cotangent", pattern)(i)?;
        let (i, saved) = saved(i)?;
        let (i, backward) = maps_to(i)?;
        Ok((i, (cotangent, saved, backward)))
    };
    let otherwise = || {
        let ((cotangent, backward), (saved, _)) = (broken_side(here), broken_side(here));
        (cotangent, saved, backward)
    };
    let (rest, backward_side) = group(TokenKind::OpenParen, content, otherwise)(i)?;
    let (forward_pattern, forward) = forward_side;
    let (cotangent, saved, backward) = backward_side.node;
    let kind = ClauseKind::Reverse {
        operation,
        params,
        forward_pattern,
        forward,
        cotangent,
        saved,
        backward,
    };
    Ok((rest, kind))
}

/// ',' pattern, after the pattern of the cotangent. If there is only one pattern, this is reported and the saved value is
/// unused.
fn saved(i: Tokens<'_>) -> Parsed<'_, Pattern> {
    if i.is(TokenKind::MapsTo) {
        expected_with(
            i,
            "`,` and a pattern for what the forward side saved",
            |error| {
                error
                .hint("the backward side is `y, z ↦ Q`: y is the cotangent, z what was saved, `_` if it is not used")
                .fix("write `, _`", i.gap(), ", _")
            },
        );
        return Ok((i, Spanned::new(PatternKind::Wildcard, i.gap())));
    }
    let (i, ()) = expect(TokenKind::Comma)(i)?;
    required("a pattern for what the forward side saved", pattern)(i)
}

/// pattern '↦' command
fn forward(i: Tokens<'_>) -> Parsed<'_, (Pattern, Command)> {
    let (i, pattern) = required("a pattern", pattern)(i)?;
    let (i, body) = maps_to(i)?;
    Ok((i, (pattern, body)))
}
