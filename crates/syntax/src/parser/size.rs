//! Parser of sizes, types, index parameters and index arguments, the syntax that is evaluated
//! before a run.

use super::combinators::{
    chain, expect, expected_with, group, list, list_or_none, required, token, word,
};
use super::input::{Parsed, Tokens};
use super::literal::natural;
use super::name::{name, required_name};
use super::term::reverse_symbol;
use crate::lexer::plain_number;
use crate::span::Spanned;
use crate::token::{Keyword, TokenKind};
use crate::tree::{
    Index, IndexKind, IndexParam, IndexParamKind, Param, Size, SizeKind, Type, TypeKind,
};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{map, opt, value};
use nom::sequence::{pair, preceded};

type MakeSize = fn(Box<Size>, Box<Size>) -> SizeKind;

/// size ::= sprod (('+'|'-') sprod)*
pub(super) fn size(i: Tokens<'_>) -> Parsed<'_, Size> {
    let operator = alt((
        value(SizeKind::Add as MakeSize, token(TokenKind::Plus)),
        value(SizeKind::Subtract as MakeSize, token(TokenKind::Minus)),
    ));
    chain("a size", size_product, operator, join)(i)
}

/// sprod ::= satom ('*' satom)*
fn size_product(i: Tokens<'_>) -> Parsed<'_, Size> {
    let operator = value(SizeKind::Multiply as MakeSize, token(TokenKind::Star));
    chain("a size", size_atom, operator, join)(i)
}

fn join(left: Size, make: MakeSize, right: Size) -> Size {
    let span = left.span.to(right.span);
    Spanned::new(make(Box::new(left), Box::new(right)), span)
}

/// satom ::= NAT | NAME | '⌈' size '/' size '⌉' | '(' size ')'
fn size_atom(i: Tokens<'_>) -> Parsed<'_, Size> {
    alt((
        map(natural("a size"), |number| {
            Spanned::new(SizeKind::Number(number.node), number.span)
        }),
        size_name,
        ceiling,
        parenthesised_size,
    ))
    .parse(i)
}

fn size_name(i: Tokens<'_>) -> Parsed<'_, Size> {
    // A reserved word is not taken as a misused name here: one often follows a missing size.
    if !i.is(TokenKind::Identifier) {
        return i.mismatch();
    }
    let (rest, name) = name(i)?;
    let span = name.span;
    Ok((rest, Spanned::new(SizeKind::Name(name), span)))
}

fn ceiling(i: Tokens<'_>) -> Parsed<'_, Size> {
    let inside = |i| {
        let (i, dividend) = required("a size", size)(i)?;
        let (i, ()) = expect(TokenKind::Slash)(i)?;
        let (i, divisor) = required("a size", size)(i)?;
        Ok((i, SizeKind::Ceiling(Box::new(dividend), Box::new(divisor))))
    };
    if i.is(TokenKind::OpenCeiling) {
        return group(TokenKind::OpenCeiling, inside, || SizeKind::Number(1))(i);
    }
    let (after, _) = word(Keyword::Ceil)(i)?;
    let (rest, ratio) = required("`(`", |i| {
        group(TokenKind::OpenParen, inside, || SizeKind::Number(1))(i)
    })(after)?;
    Ok((rest, Spanned::new(ratio.node, rest.since(i))))
}

fn parenthesised_size(i: Tokens<'_>) -> Parsed<'_, Size> {
    let content = required("a size", size);
    let unknown = || Spanned::new(SizeKind::Number(1), i.here());
    let (rest, grouped) = group(TokenKind::OpenParen, content, unknown)(i)?;
    Ok((rest, Spanned::new(grouped.node.node, grouped.span)))
}

/// '(' size (',' size)* ')', the shape of a location.
pub(super) fn shape(i: Tokens<'_>) -> Parsed<'_, Vec<Size>> {
    let (i, shape) = group(TokenKind::OpenParen, list("a size", size), Vec::new)(i)?;
    Ok((i, shape.node))
}

/// type ::= factor ('×' factor)*
pub(super) fn type_(i: Tokens<'_>) -> Parsed<'_, Type> {
    let times = |i| alt((token(TokenKind::Times), token(TokenKind::Star))).parse(i);
    let (mut rest, first) = factor(i)?;
    if times(rest).is_err() {
        return Ok((rest, first));
    }
    let mut factors = vec![first];
    while let Ok((after, _)) = times(rest) {
        let (next, factor) = required("a type", factor)(after)?;
        factors.push(factor);
        rest = next;
    }
    Ok((
        rest,
        Spanned::new(TypeKind::Product(factors), rest.since(i)),
    ))
}

/// factor ::= 'Real' '(' size (('×'|',') size)* ')' | '1' | '(' type ')'
fn factor(i: Tokens<'_>) -> Parsed<'_, Type> {
    match i.first() {
        Some(token) if token.kind == TokenKind::Word(Keyword::Real) => {
            let after = i.advance(1);
            if !after.is(TokenKind::OpenParen) {
                expected_with(after, "`(` and a size", |error| {
                    let error =
                        error.hint("a number has the type `Real(1)`, a vector of n `Real(n)`");
                    // A size in other brackets follows, which the fix would leave over.
                    if matches!(
                        after.kind(),
                        Some(TokenKind::OpenAngle | TokenKind::OpenBracket)
                    ) {
                        return error;
                    }
                    error.fix("write `Real(1)`", token.span, "Real(1)")
                });
                return Ok((
                    after,
                    Spanned::new(TypeKind::Real(vec![one(after)]), token.span),
                ));
            }
            let (rest, sizes) = group(TokenKind::OpenParen, sizes, Vec::new)(after)?;
            Ok((
                rest,
                Spanned::new(TypeKind::Real(sizes.node), rest.since(i)),
            ))
        }
        Some(token) if token.kind == TokenKind::Number && plain_number(i.text(token)) == "1" => {
            Ok((i.advance(1), Spanned::new(TypeKind::Unit, token.span)))
        }
        Some(token) if token.kind == TokenKind::OpenParen => {
            if let Some(closer) = i
                .peek(1)
                .filter(|token| token.kind == TokenKind::CloseParen)
            {
                let unit = token.span.to(closer.span);
                expected_with(i.advance(1), "a type", |error| {
                    error
                        .hint("the unit type is `1`")
                        .fix("write `1`", unit, "1")
                });
                return Ok((i.advance(2), Spanned::new(TypeKind::Unit, unit)));
            }
            let unknown = || Spanned::new(TypeKind::Unit, token.span);
            let (rest, grouped) =
                group(TokenKind::OpenParen, required("a type", type_), unknown)(i)?;
            Ok((rest, Spanned::new(grouped.node.node, grouped.span)))
        }
        _ => i.mismatch(),
    }
}

fn one(i: Tokens<'_>) -> Size {
    Spanned::new(SizeKind::Number(1), i.gap())
}

/// size (('×'|',') size)*
fn sizes(i: Tokens<'_>) -> Parsed<'_, Vec<Size>> {
    let (mut i, first) = required("a size", size)(i)?;
    let mut sizes = vec![first];
    while let Some(TokenKind::Times | TokenKind::Comma) = i.kind() {
        let (rest, next) = required("a size", size)(i.advance(1))?;
        sizes.push(next);
        i = rest;
    }
    Ok((i, sizes))
}

/// ':' type; if it is missing, this is reported.
pub(super) fn annotation<'a>(i: Tokens<'a>) -> Parsed<'a, Type> {
    let colon = |i: Tokens<'a>| match i.first() {
        Some(found) if found.kind == TokenKind::Colon => Ok((i.advance(1), found)),
        _ => {
            expected_with(i, "`:` and a type", |error| {
                error.hint("the type of a number is `Real(1)`, of a vector of n `Real(n)`, of a tuple `A × B`")
            });
            i.failure()
        }
    };
    preceded(colon, required("a type", type_)).parse(i)
}

/// (':' type)?
pub(super) fn optional_annotation(i: Tokens<'_>) -> Parsed<'_, Option<Type>> {
    opt(preceded(token(TokenKind::Colon), required("a type", type_))).parse(i)
}

/// '(' params ')', params ::= (NAME ':' type (',' NAME ':' type)*)?
pub(super) fn params(i: Tokens<'_>) -> Parsed<'_, Vec<Param>> {
    let param = map(pair(name, annotation), |(name, ty)| Param { name, ty });
    let param = std::cell::RefCell::new(param);
    let entries = list_or_none("a parameter `x : A`", |i| param.borrow_mut().parse(i));
    let (i, params) = group(TokenKind::OpenParen, entries, Vec::new)(i)?;
    Ok((i, params.node))
}

/// indexparams? ::= ('[' indexparam (',' indexparam)* ']')?
pub(super) fn index_params(i: Tokens<'_>) -> Parsed<'_, Vec<IndexParam>> {
    if !i.is(TokenKind::OpenBracket) {
        return Ok((i, Vec::new()));
    }
    let entries = list("an index parameter", index_param);
    let (i, params) = group(TokenKind::OpenBracket, entries, Vec::new)(i)?;
    Ok((i, params.node))
}

/// indexparam ::= NAME | NAME '∷' '(' size (',' size)* ')' | size
fn index_param(i: Tokens<'_>) -> Parsed<'_, IndexParam> {
    if let Some(TokenKind::Typing | TokenKind::Colon) = i.kind_at(1) {
        let (rest, name) = required_name("the name of a location")(i)?;
        let (rest, ()) = typing(rest)?;
        let (rest, shape) = required("a shape such as `(n, m)`", shape)(rest)?;
        let kind = IndexParamKind::Location { name, shape };
        return Ok((rest, Spanned::new(kind, rest.since(i))));
    }
    let (rest, size) = size(i)?;
    let kind = match size.node {
        SizeKind::Name(name) if name.span == size.span => IndexParamKind::Name(name),
        _ => IndexParamKind::Size(size),
    };
    Ok((rest, Spanned::new(kind, rest.since(i))))
}

/// '∷'; a single colon in its place is reported with a fix.
pub(super) fn typing(i: Tokens<'_>) -> Parsed<'_, ()> {
    match i.first() {
        Some(colon) if colon.kind == TokenKind::Colon => {
            expected_with(i, "`∷`", |error| error.fix("write `∷`", colon.span, "∷"));
            Ok((i.advance(1), ()))
        }
        Some(other) if !matches!(other.kind, TokenKind::Typing | TokenKind::OpenParen) => {
            expected_with(i, "`∷` and a shape", |error| {
                error.hint("a location has a shape: `loc b ∷ (3)` holds 3 numbers, `loc w ∷ (2, 3)` a 3 × 2 matrix")
            });
            i.failure()
        }
        _ => expect(TokenKind::Typing)(i),
    }
}

/// indexargs? ::= ('[' index (',' index)* ']')?
pub(super) fn index_args(i: Tokens<'_>) -> Parsed<'_, Vec<Index>> {
    if !i.is(TokenKind::OpenBracket) {
        return Ok((i, Vec::new()));
    }
    let entries = list("an index", index);
    let (i, indices) = group(TokenKind::OpenBracket, entries, Vec::new)(i)?;
    Ok((i, indices.node))
}

/// index ::= size | LOCATION indexargs? | symbol. A name before `[` may be a location or a function
/// symbol; `elaborate` decides.
fn index(i: Tokens<'_>) -> Parsed<'_, Index> {
    if i.is(TokenKind::Word(Keyword::Rd)) {
        let (rest, symbol) = reverse_symbol(i)?;
        return Ok((rest, Spanned::new(IndexKind::Symbol(symbol), rest.since(i))));
    }
    if i.is(TokenKind::Identifier) && i.kind_at(1) == Some(TokenKind::OpenBracket) {
        let (rest, (name, indices)) = pair(name, index_args).parse(i)?;
        return Ok((
            rest,
            Spanned::new(IndexKind::Name(name, indices), rest.since(i)),
        ));
    }
    let (rest, size) = size(i)?;
    let kind = match size.node {
        SizeKind::Name(name) if name.span == size.span => IndexKind::Name(name, Vec::new()),
        _ => IndexKind::Size(size),
    };
    Ok((rest, Spanned::new(kind, rest.since(i))))
}
