//! Parser of terms, as in the grammar of the language page, one function per rule. A command in the
//! place of a term is reported and, if possible, read as the intended term.

use super::combinators::{
    chain, expect, expected_with, group, grow, list, list_or_none, required, room, scoped, token,
};
use super::input::{Parsed, Tokens};
use super::lets::{Arrow, Binding, LetKind, binding};
use super::literal::{component, literal};
use super::misplaced::misplaced;
use super::name::{name, required_name};
use super::size::{index_args, size};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::span::{Span, Spanned};
use crate::token::{Keyword, TokenKind};
use crate::tree::{
    BinaryOperator, IndexKind, Literal, Name, SizeKind, SymbolKind, SymbolRef, Term, TermKind,
};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::map;
use std::sync::Arc;

/// term ::= 'let' pattern '←' term 'in' term | sum
pub(super) fn term(i: Tokens<'_>) -> Parsed<'_, Term> {
    if i.is(TokenKind::Word(Keyword::Let)) {
        lets(i)
    } else {
        sum(i)
    }
}

const LET: LetKind<Term> = LetKind {
    arrow: TokenKind::Gets,
    other: TokenKind::Bind,
    error: error_at,
    starts_body: |i| i.kind().is_some_and(starts_term) || i.is(TokenKind::Word(Keyword::Let)),
};

pub(super) fn error_at(span: Span) -> Term {
    Spanned::new(TermKind::Error, span)
}

pub(super) fn lets(start: Tokens<'_>) -> Parsed<'_, Term> {
    scoped(start, chain_of_lets)
}

fn chain_of_lets(start: Tokens<'_>) -> Parsed<'_, Term> {
    let mut links: Vec<Binding<Term>> = Vec::new();
    let mut i = start;
    while i.is(TokenKind::Word(Keyword::Let)) {
        let (rest, link) = binding(i, &LET, bound)?;
        i = rest;
        let has_body = link.has_body;
        links.push(link);
        room(i, links.len())?;
        if !has_body {
            return Ok((i, fold(links, error_at(i.gap()))));
        }
    }
    let (i, body) = required("a term", sum)(i)?;
    let (i, ()) = grow(i, links.len())?;
    Ok((i, fold(links, body)))
}

/// Parses the bound term of a `let`. After a wrong arrow, the term may be in `⌊…⌋`; both count as
/// one mistake.
fn bound(i: Tokens<'_>, arrow: Arrow) -> Parsed<'_, Term> {
    if arrow.wrong().is_some() && i.is(TokenKind::OpenFloor) {
        let content = required("a term", term);
        let (rest, floor) = group(TokenKind::OpenFloor, content, || error_at(i.here()))(i)?;
        let text = i.text_of(floor.node.span).to_owned();
        LET.report_arrow(i, arrow, Some((floor.span, text)));
        return Ok((rest, floor.node));
    }
    LET.report_arrow(i, arrow, None);
    required("a term", term)(i)
}

fn fold(links: Vec<Binding<Term>>, body: Term) -> Term {
    links.into_iter().rfold(body, |body, link| {
        let span = link.start.to(body.span);
        Spanned::new(
            TermKind::Let(link.pattern, Box::new(link.bound), Box::new(body)),
            span,
        )
    })
}

/// sum ::= product (('+' | '−') product)*
fn sum(i: Tokens<'_>) -> Parsed<'_, Term> {
    let operator = alt((
        infix(TokenKind::Plus, BinaryOperator::Add),
        infix(TokenKind::Minus, BinaryOperator::Subtract),
    ));
    chain("a term", product, operator, join)(i)
}

/// product ::= unary (('·' | '∗' | '⊙' | '/') unary)*
fn product(i: Tokens<'_>) -> Parsed<'_, Term> {
    let operator = alt((
        infix(TokenKind::Scale, BinaryOperator::Scale),
        infix(TokenKind::Star, BinaryOperator::Multiply),
        infix(TokenKind::Hadamard, BinaryOperator::Hadamard),
        infix(TokenKind::Slash, BinaryOperator::Divide),
        at_sign,
    ));
    chain("a term", unary, operator, join)(i)
}

/// Parses `@`, the matrix product of other languages, as `∗`, with an error.
fn at_sign(i: Tokens<'_>) -> Parsed<'_, Spanned<BinaryOperator>> {
    let Some(sign) = i.first().filter(|sign| sign.kind == TokenKind::Resume) else {
        return i.mismatch();
    };
    if !i.after_invalid() {
        let message = format!("the matrix product is `∗`, not `{}`", i.text(sign));
        i.report_understood(
            Diagnostic::error(codes::EXPECTED, sign.span, message)
                .hint("`•`, also written `@`, resumes a continuation: `k • M`, which is a command")
                .fix("write `∗`", sign.span, "∗"),
        );
    }
    Ok((
        i.advance(1),
        Spanned::new(BinaryOperator::Multiply, sign.span),
    ))
}

fn infix<'a>(
    kind: TokenKind,
    operator: BinaryOperator,
) -> impl Parser<Tokens<'a>, Output = Spanned<BinaryOperator>, Error = super::input::Stop> {
    map(token(kind), move |token| Spanned::new(operator, token.span))
}

fn join(left: Term, operator: Spanned<BinaryOperator>, right: Term) -> Term {
    let span = left.span.to(right.span);
    Spanned::new(
        TermKind::Binary(operator, Box::new(left), Box::new(right)),
        span,
    )
}

/// unary ::= '−' unary | postfix. A minus right before a number is part of the number.
fn unary(start: Tokens<'_>) -> Parsed<'_, Term> {
    let mut i = start;
    while i.is(TokenKind::Minus) && i.kind_at(1) != Some(TokenKind::Number) {
        i = i.advance(1);
    }
    let signs = i.at - start.at;
    if signs == 0 {
        return postfix(i);
    }
    let (rest, operand) = required("a term", postfix)(i)?;
    let (rest, ()) = grow(rest, signs)?;
    let term = (0..signs).rev().fold(operand, |operand, sign| {
        let span = start.advance(sign).here().to(operand.span);
        Spanned::new(TermKind::Negate(Box::new(operand)), span)
    });
    Ok((rest, term))
}

/// postfix ::= atom ('ᵀ' | '.' NAT | '.' 'rd' '(' NAME '.' term ')' '(' term ')')*
pub(super) fn postfix(start: Tokens<'_>) -> Parsed<'_, Term> {
    let (mut i, mut term) = atom(start)?;
    loop {
        let (rest, next) = match (i.kind(), i.kind_at(1)) {
            (Some(TokenKind::Transpose), _) => (
                i.advance(1),
                Spanned::new(
                    TermKind::Transpose(Box::new(term)),
                    i.advance(1).since(start),
                ),
            ),
            (Some(TokenKind::Dot), Some(TokenKind::Number))
                if i.previous().is_some_and(|last| {
                    last.kind == TokenKind::Number && last.span.end == i.here().start
                }) && matches!(term.node, TermKind::Literal(Literal::Number(_))) =>
            {
                let rest = i.advance(2);
                two_points(i, rest.since(start));
                (rest, term)
            }
            (Some(TokenKind::Dot), Some(TokenKind::Number)) => {
                projections(start, i.advance(1), term)
            }
            (Some(TokenKind::Dot), Some(TokenKind::Word(Keyword::Rd))) => {
                reverse_derivative(start, i.advance(2), term)?
            }
            (Some(TokenKind::Dot), _) => {
                let after = i.advance(1);
                expected_with(
                    after,
                    "the number of a component or `rd(x. N)(L)`",
                    |error| match after.first() {
                        Some(name) if after.text(name) == "T" => {
                            error.fix("write `ᵀ`", i.here().to(name.span), "ᵀ")
                        }
                        Some(name) if is_module(i.text_of(term.span)) => {
                            let symbol = after.text(name);
                            let prefix = term.span.to(i.here());
                            error
                                .hint("function symbols stand without the name of a module")
                                .fix(format!("write `{symbol}`"), prefix, "")
                        }
                        _ if matches!(term.node, TermKind::Literal(_)) => {
                            let number = i.text_of(term.span);
                            error.fix(format!("write `{number}`"), i.here(), "")
                        }
                        _ => error.hint("the first component of a tuple is `M.1`"),
                    },
                );
                return after.failure();
            }
            _ => return Ok((i, term)),
        };
        (i, term) = (rest, next);
        grow(i, 1)?;
    }
}

/// True if `name` is a usual Python name for a module of functions.
fn is_module(name: &str) -> bool {
    const MODULES: &[&str] = &[
        "np", "jnp", "numpy", "jax", "torch", "tf", "math", "nn", "F",
    ];
    MODULES.contains(&name)
}

/// Reports `1.2.3`, a number with two points.
fn two_points(i: Tokens<'_>, span: Span) {
    let message = format!("`{}` is no number: it has two points", i.text_of(span));
    let hint = "a number has one point, before its decimals; a vector is written `[1, 2, 3]`";
    i.report(Diagnostic::error(codes::NUMBER_IN_NAME, span, message).hint(hint));
}

/// Parses the projections after a point: the number `1.2` is two projections.
fn projections<'a>(start: Tokens<'a>, i: Tokens<'a>, term: Term) -> (Tokens<'a>, Term) {
    let Some(number) = i.first() else {
        return (i, term);
    };
    let rest = i.advance(1);
    let mut at = number.span.start as usize;
    let term = i.text(number).split('.').fold(term, |term, text| {
        let span = Span::new(at, at + text.len());
        at += text.len() + 1;
        let index = component(i, text, span);
        let whole = rest.since(start);
        let whole = Span {
            start: whole.start.min(term.span.start),
            end: span.end,
        };
        Spanned::new(TermKind::Projection(Box::new(term), index), whole)
    });
    (rest, term)
}

/// '(' NAME '.' term ')' '(' term ')', after `M.rd`
fn reverse_derivative<'a>(
    start: Tokens<'a>,
    i: Tokens<'a>,
    cotangent: Term,
) -> Result<(Tokens<'a>, Term), nom::Err<super::input::Stop>> {
    let function = |i| {
        let (i, variable) = required_name("a variable")(i)?;
        let (i, ()) = expect(TokenKind::Dot)(i)?;
        let (i, body) = required("a term", term)(i)?;
        Ok((i, Some((variable, body))))
    };
    let (i, function) = required("`(x. N)` and a point `(L)`", |i| {
        group(TokenKind::OpenParen, function, || None)(i)
    })(i)?;
    let (i, point) = required("the point `(L)`", parenthesised)(i)?;
    let kind = match function.node {
        Some((variable, body)) => TermKind::ReverseDerivative {
            cotangent: Box::new(cotangent),
            variable,
            body: Box::new(body),
            point: Box::new(point),
        },
        None => TermKind::Error,
    };
    Ok((i, Spanned::new(kind, i.since(start))))
}

/// True if a term can start with a token of this kind.
pub(super) fn starts_term(kind: TokenKind) -> bool {
    use TokenKind::*;
    match kind {
        Identifier | Number | Projection | OpenAngle | OpenParen | OpenBracket | Minus => true,
        Word(word) => matches!(word, Keyword::Rd | Keyword::Zero),
        _ => false,
    }
}

/// atom ::= NAME | literal | '⟨' term (',' term)* '⟩' | '(' ')' | '(' term ')' | symbol args
///        | 'proj_'NAT '(' term ')' | 'zero' '[' size ']'
fn atom(i: Tokens<'_>) -> Parsed<'_, Term> {
    use TokenKind::*;
    match i.kind() {
        Some(Identifier) => match i.kind_at(1) {
            Some(OpenBracket) if are_entries(i) => entries(i, ["", ""]),
            Some(OpenParen | OpenBracket) => call(i),
            _ => variable(i),
        },
        Some(Word(Keyword::Rd)) => call(i),
        Some(Number | OpenBracket) => number_or_brackets(i),
        Some(Minus) if i.kind_at(1) == Some(Number) => number_or_brackets(i),
        Some(OpenAngle) => tuple(i),
        Some(OpenParen) => parenthesised(i),
        Some(Projection) => projection(i),
        Some(Word(Keyword::Zero)) => zero(i),
        _ => misplaced(i),
    }
}

fn variable(i: Tokens<'_>) -> Parsed<'_, Term> {
    let (rest, name) = name(i)?;
    let span = name.span;
    Ok((rest, Spanned::new(TermKind::Variable(name), span)))
}

/// True if `x[3]` or `x[1:3]` is here, the notation of other languages for entries of a vector.
pub(super) fn are_entries(i: Tokens<'_>) -> bool {
    let symbol = i
        .first()
        .is_some_and(|name| i.context.symbols.contains(i.text(name)));
    let number = |ahead| i.kind_at(ahead) == Some(TokenKind::Number);
    let length = match i.kind_at(3) {
        Some(TokenKind::CloseBracket) if number(2) => 4,
        Some(TokenKind::Colon) if number(2) && number(4) => 6,
        _ => return false,
    };
    let closed = i.kind_at(length - 1) == Some(TokenKind::CloseBracket);
    i.is(TokenKind::Identifier)
        && i.kind_at(1) == Some(TokenKind::OpenBracket)
        && closed
        && !symbol
        && !matches!(
            i.kind_at(length),
            Some(TokenKind::OpenParen | TokenKind::OpenBracket)
        )
}

/// Parses `x[3]` as `slice[3, 1](x)`, with an error; the fix writes the call between `open` and
/// `close`.
pub(super) fn entries<'a>(i: Tokens<'a>, [open, close]: [&str; 2]) -> Parsed<'a, Term> {
    let number = |ahead: usize| -> Option<u64> { i.text(i.peek(ahead)?).parse().ok() };
    let range = i.kind_at(3) == Some(TokenKind::Colon);
    let rest = i.advance(if range { 6 } else { 4 });
    let span = rest.since(i);
    let start = number(2);
    let count = match start {
        Some(start) if range => number(4).and_then(|end| end.checked_sub(start)),
        _ => Some(1),
    };
    let name = i.first().map_or("", |name| i.text(name));
    let error = Diagnostic::error(
        codes::EXPECTED,
        span,
        "entries of a vector are taken with `slice`, not with brackets",
    )
    .hint("`slice[i, m](x)` has the m entries of x from entry i on, counted from 0");
    let (Some(start), Some(count)) = (start, count.filter(|count| *count > 0)) else {
        i.report(error);
        return Ok((rest, error_at(span)));
    };
    let text = format!("{open}slice[{start}, {count}]({name}){close}");
    i.report_understood(error.fix(format!("write `{text}`"), span, text));
    let index = |size| {
        Spanned::new(
            IndexKind::Size(Spanned::new(SizeKind::Number(size), span)),
            span,
        )
    };
    let slice = Name {
        text: Arc::from("slice"),
        span: Span {
            end: span.start,
            ..span
        },
    };
    let (_, vector) = variable(i)?;
    let symbol = SymbolKind::Named(slice, vec![index(start), index(count)]);
    let call = TermKind::Call(Spanned::new(symbol, span), vec![vector]);
    Ok((rest, Spanned::new(call, span)))
}

fn number_or_brackets(i: Tokens<'_>) -> Parsed<'_, Term> {
    let (rest, literal) = literal(i)?;
    Ok((
        rest,
        Spanned::new(TermKind::Literal(literal.node), literal.span),
    ))
}

/// '⟨' term (',' term)* '⟩'
fn tuple(i: Tokens<'_>) -> Parsed<'_, Term> {
    let (rest, mut terms) = group(TokenKind::OpenAngle, list("a term", term), Vec::new)(i)?;
    let kind = match terms.node.pop() {
        None => TermKind::Error,
        Some(only) if terms.node.is_empty() => only.node,
        Some(last) => {
            terms.node.push(last);
            TermKind::Tuple(terms.node)
        }
    };
    Ok((rest, Spanned::new(kind, terms.span)))
}

/// '(' ')' | '(' term ')'
fn parenthesised(i: Tokens<'_>) -> Parsed<'_, Term> {
    if i.is(TokenKind::OpenParen) && i.kind_at(1) == Some(TokenKind::CloseParen) {
        let rest = i.advance(2);
        return Ok((rest, Spanned::new(TermKind::Unit, rest.since(i))));
    }
    let content = |inside| {
        let (rest, first) = required("a term", term)(inside)?;
        if !rest.is(TokenKind::Comma) {
            return Ok((rest, first.node));
        }
        let (rest, mut others) = required("a term", list("a term", term))(rest.advance(1))?;
        let text = inside.text_of(rest.since(inside)).to_owned();
        let whole = i.here().to(rest.here());
        i.report(
            Diagnostic::error(codes::EXPECTED, whole, "a tuple is written with `⟨…⟩`").fix(
                "write a tuple",
                whole,
                format!("⟨{text}⟩"),
            ),
        );
        others.insert(0, first);
        Ok((rest, TermKind::Tuple(others)))
    };
    group(TokenKind::OpenParen, content, || TermKind::Error)(i)
}

/// args ::= '(' (term (',' term)*)? ')'
pub(super) fn args(i: Tokens<'_>) -> Parsed<'_, Vec<Term>> {
    let broken = || vec![error_at(i.here())];
    let (rest, args) = group(TokenKind::OpenParen, list_or_none("a term", term), broken)(i)?;
    Ok((rest, args.node))
}

/// args; if they are missing, this is reported.
pub(super) fn required_args(i: Tokens<'_>) -> Parsed<'_, Vec<Term>> {
    match args(i) {
        Err(nom::Err::Error(_)) => {
            expected_with(i, "the arguments, in parentheses", |error| {
                error.hint("what it is applied to stands in parentheses: `f(x)`, `Op[ℓ](x)`")
            });
            i.failure()
        }
        other => other,
    }
}

/// symbol args
fn call(i: Tokens<'_>) -> Parsed<'_, Term> {
    let (rest, symbol) = symbol(i)?;
    let (rest, args) = required_args(rest)?;
    Ok((
        rest,
        Spanned::new(TermKind::Call(symbol, args), rest.since(i)),
    ))
}

/// symbol ::= NAME ('[' (index|symbol) (',' (index|symbol))* ']')? | 'rd' '[' symbol ']'
fn symbol(i: Tokens<'_>) -> Parsed<'_, SymbolRef> {
    if i.is(TokenKind::Word(Keyword::Rd)) {
        return reverse_symbol(i);
    }
    let (rest, name) = name(i)?;
    let (rest, indices) = index_args(rest)?;
    Ok((
        rest,
        Spanned::new(SymbolKind::Named(name, indices), rest.since(i)),
    ))
}

/// 'rd' '[' symbol ']'
pub(super) fn reverse_symbol(i: Tokens<'_>) -> Parsed<'_, SymbolRef> {
    let after = i.advance(1);
    if !after.is(TokenKind::OpenBracket) {
        expected_with(after, "`[` and a function symbol", |error| {
            error.hint("`rd[f]` is the reverse derivative of f; that of a term is `M.rd(x. N)(L)`")
        });
        return after.failure();
    }
    let content = |i| {
        let (i, inner) = required("a function symbol", symbol)(i)?;
        Ok((i, Some(inner)))
    };
    let (rest, inner) = group(TokenKind::OpenBracket, content, || None)(after)?;
    match inner.node {
        Some(inner) => {
            let symbol = SymbolKind::Reverse(Box::new(inner));
            Ok((rest, Spanned::new(symbol, rest.since(i))))
        }
        None => rest.failure(),
    }
}

/// 'proj_'NAT '(' term ')'
fn projection(i: Tokens<'_>) -> Parsed<'_, Term> {
    let Some(token) = i.first() else {
        return i.mismatch();
    };
    let digits = i.text(token).trim_start_matches("proj_");
    let span = Span {
        start: token.span.start + 5,
        end: token.span.end,
    };
    let index = component(i, digits, span);
    let (rest, tuple) = required("a term in parentheses", parenthesised)(i.advance(1))?;
    Ok((
        rest,
        Spanned::new(TermKind::Projection(Box::new(tuple), index), rest.since(i)),
    ))
}

/// 'zero' '[' size ']'
fn zero(i: Tokens<'_>) -> Parsed<'_, Term> {
    let content = |i| {
        let (i, size) = required("a size", size)(i)?;
        Ok((i, TermKind::Zero(size)))
    };
    let brackets = |i| group(TokenKind::OpenBracket, content, || TermKind::Error)(i);
    let (rest, zero) = required("`[` and a size", brackets)(i.advance(1))?;
    Ok((rest, Spanned::new(zero.node, rest.since(i))))
}
