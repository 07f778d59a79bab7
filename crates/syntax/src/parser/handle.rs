//! Parser of the commands with a body and a handler or a count: `rev handle`, `handle`, `iterate`, `feedback`. The words `handle`
//! and `with` are paired in the outline, so recovery from a broken body continues at its `with`.

use super::combinators::{expect, expected, expected_with, group, nested, required, token};
use super::command::{Written, command};
use super::handler::handler;
use super::input::{Parsed, Tokens};
use super::name::{patterns, required_name};
use super::size::size;
use super::term::args;
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::span::{Span, Spanned};
use crate::token::{Keyword, Token, TokenKind};
use crate::tree::{CommandKind, Handler, Pattern, Term, TermKind};

/// Name that begins a feedback if brackets, an argument and a binder follow.
pub(crate) const FEEDBACK: &str = "feedback";

/// 'rev' 'handle' '(' term ')' '⟨' pattern (',' pattern)* '⟩' '.' command 'with' handler
pub(super) fn rev_handle(i: Tokens<'_>) -> Parsed<'_, Written> {
    let word = i.advance(1);
    if !word.is(TokenKind::Word(Keyword::Handle)) {
        expected_with(word, "`handle`", |error| {
            error.fix("write `handle`", word.gap(), " handle")
        });
        return word.failure();
    }
    rev_handle_from(i, word)
}

/// Parses a `rev handle` from the word `handle` on; `i` is the start of the command, `word` that of the word `handle`.
fn rev_handle_from<'a>(i: Tokens<'a>, word: Tokens<'a>) -> Parsed<'a, Written> {
    let parts = |i: Tokens<'a>| {
        const FORM: &str = "rev handle(M)⟨x⟩. P with H";
        if !i.is(TokenKind::OpenParen) {
            expected_with(i, "`(`, the argument, and `)`", |error| {
                error.hint(format!(
                    "the form is `{FORM}`: P runs with x for the value of M"
                ))
            });
            return i.failure();
        }
        let (i, argument) = argument(i)?;
        let (i, patterns) = binder(i, FORM)?;
        let (i, body) = required("a command", command)(i)?;
        Ok((i, (argument, patterns, body)))
    };
    let (rest, parts) = with_handler(word, parts)?;
    let kind = match parts {
        Some(((argument, Some(patterns), body), handler)) => CommandKind::RevHandle {
            argument: Box::new(argument),
            patterns,
            body: Box::new(body),
            handler,
        },
        _ => CommandKind::Error,
    };
    Ok((rest, Written::command(kind, rest.since(i))))
}

/// 'handle' command 'with' handler
pub(super) fn handle(i: Tokens<'_>) -> Parsed<'_, Written> {
    let binder = |i: Tokens<'_>| {
        i.after_partner()
            .is_some_and(|i| i.is(TokenKind::OpenAngle))
    };
    if i.kind_at(1) == Some(TokenKind::OpenParen) && binder(i.advance(1)) {
        let start = Span {
            end: i.here().start,
            ..i.here()
        };
        expected_with(i, "`rev`", |error| {
            error
                .hint("`rev handle(M)⟨x⟩. P with H` names the input; `handle P with H` has none")
                .fix("write `rev`", start, "rev ")
        });
        return rev_handle_from(i, i);
    }
    let (rest, parts) = with_handler(i, required("a command", command))?;
    let kind = match parts {
        Some((body, handler)) => CommandKind::Handle {
            body: Box::new(body),
            handler,
        },
        None => CommandKind::Error,
    };
    Ok((rest, Written::command(kind, rest.since(i))))
}

/// Parses 'handle' parts 'with' handler, from the word `handle` at `i`. Returns `None` if the text before the `with` is broken,
/// or if both the `with` and the handler are missing.
fn with_handler<'a, T>(
    i: Tokens<'a>,
    parts: impl FnOnce(Tokens<'a>) -> Parsed<'a, T>,
) -> Parsed<'a, Option<(T, Handler)>> {
    let after_with = i.after_partner();
    let (rest, parts) = match (nested(i.advance(1), parts), after_with) {
        (Ok((rest, parts)), _) => (rest, Some(parts)),
        (Err(_), Some(after)) => (after, None),
        (Err(stop), None) => return Err(stop),
    };
    let rest = match (&parts, after_with) {
        (None, _) => rest,
        _ if rest.is(TokenKind::Word(Keyword::With)) => rest.advance(1),
        (_, Some(after)) if after.at > rest.at => {
            expected(rest, "`with` and a handler");
            after
        }
        _ => {
            let handler_follows = rest.first().is_some_and(|token| {
                let starts = matches!(token.kind, TokenKind::Identifier | TokenKind::OpenBrace);
                starts && !token.new_line
            });
            missing_with(i, rest, handler_follows);
            if !handler_follows {
                return Ok((rest, None));
            }
            rest
        }
    };
    let (rest, handler) = nested(rest, required("a handler (`H(…)` or `{ … }`)", handler))?;
    Ok((rest, parts.map(|parts| (parts, handler))))
}

fn missing_with(handle: Tokens<'_>, i: Tokens<'_>, handler_follows: bool) {
    let repeated = i.context.last_expected.replace(Some(i.at)) == Some(i.at);
    if repeated || i.after_invalid() {
        return;
    }
    let place = i
        .first()
        .filter(|token| !token.new_line)
        .map_or(i.gap(), |token| token.span);
    let error = Diagnostic::error(
        codes::MISSING_WITH,
        place,
        "expected `with` and a handler here",
    )
    .label(handle.here(), "for this `handle`")
    .hint("`with H` names the handler that says what the operations do");
    let reverse = handle
        .previous()
        .is_some_and(|word| word.kind == TokenKind::Word(Keyword::Rev));
    let handler = if handler_follows {
        Some("")
    } else {
        only_handler(i.context.source, i.context.tokens, reverse)
    };
    i.report(match handler {
        Some(name) => {
            let written = format!("with {name}");
            let written = written.trim_end();
            error.fix(format!("write `{written}`"), i.gap(), format!(" {written}"))
        }
        None => error,
    });
}

/// Name of the only handler of this kind without parameters that the source declares; `None` if there are none or several.
fn only_handler<'a>(source: &'a str, tokens: &[Token], reverse: bool) -> Option<&'a str> {
    let mut found = None;
    for (at, token) in tokens.iter().enumerate() {
        let [name, colon, ..] = tokens.get(at + 1..)? else {
            break;
        };
        let plain = name.kind == TokenKind::Identifier && colon.kind == TokenKind::Colon;
        if token.kind != TokenKind::Word(Keyword::Handler) || !plain {
            continue;
        }
        let head = tokens.get(at + 2..)?;
        let ordinary = head
            .iter()
            .take_while(|token| token.kind != TokenKind::OpenBrace)
            .any(|token| token.kind == TokenKind::Yields);
        if ordinary != reverse && found.replace(name.span.text(source)).is_some() {
            return None;
        }
    }
    found
}

/// '(' term ')', the argument of `rev handle`, `iterate` and `feedback`.
fn argument(i: Tokens<'_>) -> Parsed<'_, Term> {
    let (rest, mut args) = args(i)?;
    let term = match (args.len(), args.pop()) {
        (1, Some(only)) => only,
        (0, _) | (_, None) => Spanned::new(TermKind::Unit, rest.since(i)),
        (_, Some(last)) => {
            args.push(last);
            Spanned::new(TermKind::Tuple(args), rest.since(i))
        }
    };
    Ok((rest, term))
}

/// '⟨' pattern (',' pattern)* '⟩' '.'
fn binder<'a>(i: Tokens<'a>, form: &str) -> Parsed<'a, Option<Vec<Pattern>>> {
    if !i.is(TokenKind::OpenAngle) {
        // `(x).` and `x.` are skipped, as binders in the wrong brackets.
        let other = if i.is(TokenKind::OpenParen) {
            i.after_partner()
        } else {
            Some(i.advance(1))
        };
        let other = other
            .filter(|rest| rest.is(TokenKind::Dot))
            .map(|rest| (rest.since(i), rest.advance(1)));
        if !i.after_invalid() {
            let message = "the input of the command has no name here: expected `⟨x⟩.`";
            let error = Diagnostic::error(codes::MISSING_BINDER, i.gap(), message)
                .hint(format!("the form is `{form}`"));
            i.report(match other {
                Some((span, _)) => {
                    let names = i.text_of(span).trim_matches(['(', ')']).trim();
                    error.fix(format!("write `⟨{names}⟩`"), span, format!("⟨{names}⟩"))
                }
                None => error.fix("write `⟨x⟩.`", i.gap(), "⟨x⟩."),
            });
        }
        return Ok((other.map_or(i, |(_, rest)| rest), None));
    }
    let (i, patterns) = patterns(i)?;
    let (i, ()) = expect(TokenKind::Dot)(i)?;
    Ok((i, Some(patterns.node)))
}

/// 'iterate' '[' NAME ':' size ']' '(' term ')' '⟨' pattern (',' pattern)* '⟩' '.' command
pub(super) fn iterate(i: Tokens<'_>) -> Parsed<'_, Written> {
    let range = |i| {
        let (i, variable) = required_name("a name for the step")(i)?;
        let (i, _) = required("`:` and how often", token(TokenKind::Colon))(i)?;
        let (i, count) = required("how often, as a size", size)(i)?;
        Ok((i, Some((variable, count))))
    };
    let range = |i| group(TokenKind::OpenBracket, range, || None)(i);
    let (rest, range) = required("`[i : k]`", range)(i.advance(1))?;
    let (rest, argument) = required("`(`, the argument, and `)`", argument)(rest)?;
    let (rest, patterns) = binder(rest, "iterate[i : k](M)⟨x⟩. P")?;
    let (rest, body) = nested(rest, required("a command", command))?;
    let kind = match (range.node, patterns) {
        (Some((variable, count)), Some(patterns)) => CommandKind::Iterate {
            variable,
            count,
            argument: Box::new(argument),
            patterns,
            body: Box::new(body),
        },
        _ => CommandKind::Error,
    };
    Ok((rest, Written::command(kind, rest.since(i))))
}

/// True if a feedback starts here: the name `feedback`, which is no reserved word, before brackets, an argument and a binder.
pub(super) fn starts_feedback(i: Tokens<'_>) -> bool {
    let is_named = i.is(TokenKind::Identifier) && i.text_of(i.here()) == FEEDBACK;
    if !is_named || i.kind_at(1) != Some(TokenKind::OpenBracket) {
        return false;
    }
    let argument = i.advance(1).after_partner();
    let argument = argument.filter(|i| i.is(TokenKind::OpenParen));
    let binder = argument.and_then(|i| i.after_partner());
    binder.is_some_and(|i| i.is(TokenKind::OpenAngle))
}

/// 'feedback' '[' size ']' '(' term ')' '⟨' pattern ',' pattern '⟩' '.' command
pub(super) fn feedback(i: Tokens<'_>) -> Parsed<'_, Written> {
    let count = |i| {
        let (i, count) = required("how many moments, as a size", size)(i)?;
        Ok((i, Some(count)))
    };
    let count = |i| group(TokenKind::OpenBracket, count, || None)(i);
    let (rest, count) = required("`[n]`", count)(i.advance(1))?;
    let (rest, argument) = required("`(`, the argument, and `)`", argument)(rest)?;
    let (rest, patterns) = binder(rest, "feedback[n](M)⟨s, x⟩. P")?;
    let (rest, body) = nested(rest, required("a command", command))?;
    let kind = match (count.node, patterns) {
        (Some(count), Some(patterns)) => CommandKind::Feedback {
            count,
            argument: Box::new(argument),
            patterns,
            body: Box::new(body),
        },
        _ => CommandKind::Error,
    };
    Ok((rest, Written::command(kind, rest.since(i))))
}
