//! Parser of initial contents and data sets: literals, and calls of generators with named arguments.

use super::combinators::{expected, expected_with, group, list, list_or_none, required};
use super::input::{Parsed, Tokens};
use super::literal::{literal, signed_number};
use super::name::{name, name_of};
use super::size::size;
use super::term::term;
use crate::lexer::{plain_number, unquoted};
use crate::span::Spanned;
use crate::token::TokenKind;
use crate::tree::{ArgumentValue, Combination, Dataset, GeneratorCall, Init, NamedArgument};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::map;

/// init ::= literal | NAME namedargs?
pub(super) fn init(i: Tokens<'_>) -> Parsed<'_, Init> {
    alt((map(literal, Init::Literal), map(generator, Init::Generator))).parse(i)
}

/// dataset ::= '[' term (',' term)* ']' | NAME namedargs? | 'csv' '(' STRING ')' | combinator '(' dataset … ')'
pub(super) fn dataset(i: Tokens<'_>) -> Parsed<'_, Dataset> {
    let generator = map(generator, Dataset::Generator);
    alt((samples, csv, map(combination, Dataset::Combined), generator)).parse(i)
}

/// Names of the combinators of data sets, each with the number of data sets that it takes.
pub const COMBINATORS: [(&str, usize); 6] = [
    ("shuffle", 1),
    ("take", 1),
    ("drop", 1),
    ("join", 2),
    ("standardise", 1),
    ("noise", 1),
];

/// NAME '(' dataset (',' dataset)* (',' (NAME ':')? value)* ')'
fn combination(i: Tokens<'_>) -> Parsed<'_, Combination> {
    let known = i.first().and_then(|token| {
        let text = i.text(token);
        COMBINATORS.iter().find(|(name, _)| *name == text)
    });
    let Some((_, count)) = known.filter(|_| i.kind_at(1) == Some(TokenKind::OpenParen)) else {
        return i.mismatch();
    };
    let content = |i| {
        let (mut i, first) = required("a data set", placed)(i)?;
        let (mut of, mut arguments) = (vec![first], Vec::new());
        while i.is(TokenKind::Comma) {
            let after = i.advance(1);
            if of.len() < *count {
                let (rest, next) = required("a data set", placed)(after)?;
                of.push(next);
                i = rest;
            } else {
                let (rest, next) = named_argument(after)?;
                arguments.push(next);
                i = rest;
            }
        }
        Ok((i, (of, arguments)))
    };
    let (after, name) = name(i)?;
    let (rest, all) = group(TokenKind::OpenParen, content, || (Vec::new(), Vec::new()))(after)?;
    let (of, arguments) = all.node;
    let span = rest.since(i);
    let call = GeneratorCall {
        name,
        arguments,
        span,
    };
    Ok((rest, Combination { of, call }))
}

/// Parses a data set; returns it with its span.
fn placed(i: Tokens<'_>) -> Parsed<'_, Spanned<Dataset>> {
    let (rest, dataset) = dataset(i)?;
    Ok((rest, Spanned::new(dataset, rest.since(i))))
}

fn samples(i: Tokens<'_>) -> Parsed<'_, Dataset> {
    let (rest, samples) = group(TokenKind::OpenBracket, list("a sample", term), Vec::new)(i)?;
    Ok((rest, Dataset::Samples(samples.node)))
}

fn csv(i: Tokens<'_>) -> Parsed<'_, Dataset> {
    let is_csv = i.first().is_some_and(|token| i.text(token) == "csv");
    if !is_csv || i.kind_at(1) != Some(TokenKind::OpenParen) {
        return i.mismatch();
    }
    let unknown = || Spanned::new(String::new(), i.here());
    let (rest, file) = group(TokenKind::OpenParen, file_name, unknown)(i.advance(1))?;
    Ok((rest, Dataset::Csv(file.node)))
}

fn file_name(i: Tokens<'_>) -> Parsed<'_, Spanned<String>> {
    match i.first() {
        Some(token) if token.kind == TokenKind::String => {
            let name = unquoted(i.text(token));
            Ok((i.advance(1), Spanned::new(name.to_owned(), token.span)))
        }
        _ => {
            expected(i, "the name of a file, such as `\"file.csv\"`");
            i.failure()
        }
    }
}

/// NAME namedargs?
fn generator(i: Tokens<'_>) -> Parsed<'_, GeneratorCall> {
    let (rest, name) = name(i)?;
    let (rest, arguments) = if rest.is(TokenKind::OpenParen) {
        let arguments = list_or_none("an argument", named_argument);
        let (rest, arguments) = group(TokenKind::OpenParen, arguments, Vec::new)(rest)?;
        (rest, arguments.node)
    } else {
        (rest, Vec::new())
    };
    Ok((
        rest,
        GeneratorCall {
            name,
            arguments,
            span: rest.since(i),
        },
    ))
}

/// (NAME ':')? value
fn named_argument(i: Tokens<'_>) -> Parsed<'_, NamedArgument> {
    // A reserved word is accepted as a key: `for: 3` cannot mean anything else.
    let key = i.first().filter(|token| {
        let is_name = matches!(token.kind, TokenKind::Identifier | TokenKind::Word(_));
        is_name && matches!(i.kind_at(1), Some(TokenKind::Colon | TokenKind::Equals))
    });
    let key = key.map(|token| name_of(i, token));
    if let Some(equals) = i
        .peek(1)
        .filter(|token| key.is_some() && token.kind == TokenKind::Equals)
    {
        expected_with(i.advance(1), "`:`", |error| {
            error.fix("write `:`", equals.span, ":")
        });
    }
    let rest = if key.is_some() { i.advance(2) } else { i };
    let (rest, value) = required("a number or a size", value)(rest)?;
    Ok((rest, NamedArgument { key, value }))
}

/// True if a numeral is an integer that `f64` cannot represent exactly; seeds may be that large.
fn is_inexact(text: &str) -> bool {
    text.parse::<u64>().is_ok_and(|number| number > 1 << 53)
}

/// A number with its sign, or a size expression
fn value(i: Tokens<'_>) -> Parsed<'_, Spanned<ArgumentValue>> {
    use TokenKind::*;
    let signed = i.is(Minus);
    let whole = i
        .first()
        .is_some_and(|token| is_inexact(&plain_number(i.text(token))));
    if let Ok((rest, number)) = signed_number(i)
        && (signed || !whole && !matches!(rest.kind(), Some(Plus | Minus | Star)))
    {
        return Ok((
            rest,
            Spanned::new(ArgumentValue::Number(number.node), number.span),
        ));
    }
    let (rest, size) = size(i)?;
    let span = size.span;
    Ok((rest, Spanned::new(ArgumentValue::Size(size), span)))
}
