//! Parser of names and patterns, the binding positions of a program.

use super::combinators::{expected, group, list, token};
use super::input::{Parsed, Tokens};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::lexer::{resembles_digit, resembles_prime};
use crate::span::Spanned;
use crate::token::{Keyword, Token, TokenKind};
use crate::tree::{Name, Pattern, PatternKind};
use crate::unicode::composed;
use nom::Parser;
use nom::branch::alt;
use nom::combinator::map;
use std::sync::Arc;

/// NAME
pub(super) fn name(i: Tokens<'_>) -> Parsed<'_, Name> {
    match i.first() {
        Some(token) if token.kind == TokenKind::Identifier => Ok((i.advance(1), name_of(i, token))),
        Some(token) if is_misused(i, token) => {
            reserved(i, token);
            Ok((i.advance(1), name_of(i, token)))
        }
        _ => i.mismatch(),
    }
}

/// NAME; if there is none, reports that `what` was expected.
pub(super) fn required_name<'a>(what: &'static str) -> impl Fn(Tokens<'a>) -> Parsed<'a, Name> {
    super::combinators::required(what, name)
}

/// True if a reserved word is used as a name: the next token fits a name, not the word.
fn is_misused(i: Tokens<'_>, token: Token) -> bool {
    use TokenKind::*;
    let TokenKind::Word(word) = token.kind else {
        return false;
    };
    if token.new_line || matches!(word, Keyword::Real | Keyword::Pure | Keyword::Rd) {
        return false;
    }
    match i.kind_at(1) {
        Some(
            Bind | Gets | Equals | Typing | Colon | Comma | MapsTo | CloseAngle | CloseBracket,
        ) => true,
        Some(CloseParen | OpenParen | OpenBracket) => word.starts_item() || is_connective(word),
        Some(Word(Keyword::As | Keyword::On | Keyword::By | Keyword::For)) => word.starts_item(),
        _ => false,
    }
}

/// True if the reserved word here, as the start of a term, can only be meant as a name.
pub(super) fn is_misused_variable(i: Tokens<'_>) -> bool {
    match i.kind() {
        Some(TokenKind::Word(word)) => word.starts_item() || is_connective(word),
        _ => false,
    }
}

fn is_connective(word: Keyword) -> bool {
    use Keyword::*;
    matches!(word, As | For | On | Epochs | Extends | By)
}

/// Reports a reserved word that is used as a name.
pub(super) fn reserved(i: Tokens<'_>, token: Token) {
    let word = i.text(token);
    i.report_understood(
        Diagnostic::error(
            codes::RESERVED,
            token.span,
            format!("`{word}` is a reserved word, not a name"),
        )
        .hint(format!("choose another name, such as `{word}'`"))
        .fix(format!("write `{word}'`"), token.span, format!("{word}'")),
    );
}

/// Name that a token spells, in NFC, with look-alikes replaced by plain primes and digits.
pub(super) fn name_of(i: Tokens<'_>, token: Token) -> Name {
    let text = i.text(token);
    let text = if text.is_ascii() {
        Arc::from(text)
    } else {
        normalise(text)
    };
    Name {
        text,
        span: token.span,
    }
}

fn normalise(text: &str) -> Arc<str> {
    let mut plain = String::new();
    for character in composed(text) {
        match resembles_prime(character) {
            Some(prime) => plain.push_str(prime),
            None => plain.push(resembles_digit(character).unwrap_or(character)),
        }
    }
    Arc::from(plain)
}

/// pattern ::= NAME | '_' | '⟨' pattern (',' pattern)* '⟩'
pub(super) fn pattern(i: Tokens<'_>) -> Parsed<'_, Pattern> {
    alt((
        map(token(TokenKind::Underscore), |token| {
            Spanned::new(PatternKind::Wildcard, token.span)
        }),
        map(name, |name| {
            let span = name.span;
            Spanned::new(PatternKind::Name(name), span)
        }),
        tuple_pattern,
        paren_pattern,
    ))
    .parse(i)
}

fn tuple_pattern(i: Tokens<'_>) -> Parsed<'_, Pattern> {
    let (rest, mut patterns) = patterns(i)?;
    let pattern = match (patterns.node.len(), patterns.node.pop()) {
        (0, _) | (_, None) => Spanned::new(PatternKind::Wildcard, patterns.span),
        (1, Some(only)) => only,
        (_, Some(last)) => {
            patterns.node.push(last);
            Spanned::new(PatternKind::Tuple(patterns.node), patterns.span)
        }
    };
    Ok((rest, pattern))
}

/// '⟨' pattern (',' pattern)* '⟩', in patterns and after `rev handle(M)`
pub(super) fn patterns(i: Tokens<'_>) -> Parsed<'_, Spanned<Vec<Pattern>>> {
    group(TokenKind::OpenAngle, list("a pattern", pattern), Vec::new)(i)
}

/// Parses a tuple pattern in parentheses, as in other languages, with an error.
fn paren_pattern(i: Tokens<'_>) -> Parsed<'_, Pattern> {
    let looks_like_it = i.is(TokenKind::OpenParen)
        && matches!(
            i.kind_at(1),
            Some(TokenKind::Identifier | TokenKind::Underscore)
        )
        && i.kind_at(2) == Some(TokenKind::Comma);
    if !looks_like_it {
        return i.mismatch();
    }
    let (rest, patterns) = group(TokenKind::OpenParen, list("a pattern", pattern), Vec::new)(i)?;
    let inner = i.text_of(patterns.span);
    let inner = inner.trim_start_matches('(').trim_end_matches(')').trim();
    let tuple = format!("⟨{inner}⟩");
    i.report(
        Diagnostic::error(
            codes::EXPECTED,
            patterns.span,
            "a tuple is written with `⟨…⟩`",
        )
        .fix(format!("write `{tuple}`"), patterns.span, tuple),
    );
    Ok((
        rest,
        Spanned::new(PatternKind::Tuple(patterns.node), patterns.span),
    ))
}

/// Reports that a pattern was expected here.
pub(super) fn expected_pattern(i: Tokens<'_>) {
    expected(i, "a pattern (`x`, `_` or `⟨x, y⟩`)");
}
