//! Parser of literals: numbers, vectors and matrices, and the whole numbers of sizes and
//! projections.

use super::combinators::{close, describe, list, nested, required};
use super::informal::{informal, shortened};
use super::input::{Parsed, Tokens};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::lexer::plain_number;
use crate::span::{Span, Spanned};
use crate::token::{Token, TokenKind};
use crate::tree::Literal;

/// A number with its sign: a `-` right before a number is part of it.
pub(super) fn signed_number(i: Tokens<'_>) -> Parsed<'_, Spanned<f64>> {
    let after = if i.is(TokenKind::Minus) {
        i.advance(1)
    } else {
        i
    };
    let Some(token) = after
        .first()
        .filter(|token| token.kind == TokenKind::Number)
    else {
        return i.mismatch();
    };
    let rest = after.advance(1);
    let magnitude = real(after, token);
    let value = if after.at > i.at {
        -magnitude
    } else {
        magnitude
    };
    Ok((rest, Spanned::new(value, rest.since(i))))
}

fn real(i: Tokens<'_>, token: Token) -> f64 {
    let value = plain_number(i.text(token))
        .parse::<f64>()
        .unwrap_or(f64::NAN);
    if value.is_finite() {
        return value;
    }
    let message = format!("{} is too large a number", describe(i, token));
    i.report(
        Diagnostic::error(codes::NUMBER_RANGE, token.span, message)
            .hint("the largest number is about 1.8e308"),
    );
    0.0
}

/// NAT; another number in its place is reported, and read as the digits before its point or
/// exponent.
pub(super) fn natural<'a>(what: &'static str) -> impl Fn(Tokens<'a>) -> Parsed<'a, Spanned<u64>> {
    move |i| match i.first() {
        Some(token) if token.kind == TokenKind::Number => Ok((
            i.advance(1),
            Spanned::new(
                whole(i, &plain_number(i.text(token)), token.span, what),
                token.span,
            ),
        )),
        _ => i.mismatch(),
    }
}

fn whole(i: Tokens<'_>, text: &str, span: Span, what: &str) -> u64 {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().unwrap_or_else(|_| {
            let message = format!("{what} this large cannot be represented");
            i.report(Diagnostic::error(codes::NUMBER_RANGE, span, message));
            1
        });
    }
    let message = format!("{what} is a whole number, and `{text}` is not written as one");
    i.report(Diagnostic::error(codes::WHOLE_NUMBER, span, message));
    text.split(['.', 'e', 'E'])
        .next()
        .and_then(|digits| digits.parse().ok())
        .unwrap_or(1)
}

/// Index of a projection: a whole number, counted from 1.
pub(super) fn component(i: Tokens<'_>, text: &str, span: Span) -> Spanned<u32> {
    let number = whole(i, text, span, "a projection");
    let index = u32::try_from(number).ok().filter(|&index| index > 0);
    if index.is_none() {
        let message = format!("there is no component {number}");
        i.report(
            Diagnostic::error(codes::NUMBER_RANGE, span, message)
                .hint("components are counted from 1"),
        );
    }
    Spanned::new(index.unwrap_or(1), span)
}

/// literal ::= NUMBER | '[' NUMBER (',' NUMBER)* ']' | '[' row (',' row)* ']'
pub(super) fn literal(i: Tokens<'_>) -> Parsed<'_, Spanned<Literal>> {
    if i.is(TokenKind::OpenBracket) {
        return bracketed(i);
    }
    let (rest, number) = signed_number(i)?;
    Ok((
        rest,
        Spanned::new(Literal::Number(number.node), number.span),
    ))
}

fn bracketed(i: Tokens<'_>) -> Parsed<'_, Spanned<Literal>> {
    if let Some(read) = informal(i) {
        return Ok(read);
    }
    let inside = i.advance(1);
    let parsed = nested(inside, |i| {
        if i.is(TokenKind::OpenBracket) {
            let (rest, rows) = list("a row of numbers", row)(i)?;
            Ok((rest, matrix(i, rows)))
        } else {
            let (rest, numbers) = list("a number", number)(i)?;
            Ok((rest, Literal::Vector(numbers)))
        }
    });
    // Broken contents have been reported. The literal is kept with a dummy value, so that the
    // declaration around it exists.
    let (rest, literal) = match parsed {
        Ok((rest, literal)) => (close(i, rest), literal),
        Err(stop) => match i.after_partner() {
            Some(rest) => (rest, Literal::Vector(vec![0.0])),
            None => return Err(stop),
        },
    };
    Ok((rest, Spanned::new(literal, rest.since(i))))
}

/// A number in brackets, with an optional sign, `-` or `+`.
fn number(i: Tokens<'_>) -> Parsed<'_, f64> {
    let signed = if i.is(TokenKind::Plus) && i.kind_at(1) == Some(TokenKind::Number) {
        i.advance(1)
    } else {
        i
    };
    match signed_number(signed) {
        Ok((rest, number)) if ends_entry(rest) => Ok((rest, number.node)),
        _ if i
            .first()
            .is_some_and(|token| !token.kind.is_closer() && !token.new_line) =>
        {
            not_a_number(i);
            i.failure()
        }
        Ok((rest, number)) => Ok((rest, number.node)),
        Err(stop) => Err(stop),
    }
}

fn ends_entry(i: Tokens<'_>) -> bool {
    i.first().is_none_or(|token| {
        token.new_line
            || token.after_invalid
            || token.kind == TokenKind::Comma
            || token.kind.is_closer()
            || !matches!(
                token.kind,
                TokenKind::Plus
                    | TokenKind::Minus
                    | TokenKind::Slash
                    | TokenKind::Star
                    | TokenKind::Scale
                    | TokenKind::Hadamard
                    | TokenKind::Dot
                    | TokenKind::Transpose
            )
    })
}

fn not_a_number(i: Tokens<'_>) {
    if i.after_invalid() {
        return;
    }
    let computed = matches!(
        i.kind(),
        Some(TokenKind::Number | TokenKind::Minus | TokenKind::Plus)
    );
    // In a sum, the first number alone is fine; the whole sum is reported.
    let (found, span) = match i.first() {
        Some(_) if computed => {
            let span = entry(i);
            (format!("`{}`", shortened(i.text_of(span))), span)
        }
        Some(token) => (describe(i, token), i.here()),
        None => (String::new(), i.here()),
    };
    let hint = match i.kind() {
        Some(TokenKind::OpenBracket) => "either all entries are rows or all are numbers",
        _ if computed => "a literal is not computed: write the number itself",
        _ => "a tuple of terms is `⟨M, N⟩`; `concat` joins vectors",
    };
    let message = format!("expected a number between the brackets, found {found}");
    i.report(Diagnostic::error(codes::NOT_A_NUMBER, span, message).hint(hint));
}

/// Span of an entry, up to the comma or bracket that ends it, or to the end of its line.
fn entry(start: Tokens<'_>) -> Span {
    let mut i = start.advance(1);
    while let Some(token) = i.first().filter(|token| {
        !token.new_line && token.kind != TokenKind::Comma && !token.kind.is_closer()
    }) {
        i = match token.kind {
            TokenKind::Word(_) => break,
            _ => i.after_partner().unwrap_or_else(|| i.advance(1)),
        };
    }
    i.since(start)
}

/// row ::= '[' NUMBER (',' NUMBER)* ']'
fn row(i: Tokens<'_>) -> Parsed<'_, Spanned<Vec<f64>>> {
    if !i.is(TokenKind::OpenBracket) {
        if let Some(token) = i.first().filter(|token| !token.kind.is_closer()) {
            let message = format!("expected a row of numbers, found {}", describe(i, token));
            let error = Diagnostic::error(codes::NOT_A_NUMBER, i.here(), message);
            i.report(error.hint("either all entries are rows or all are numbers"));
            return i.failure();
        }
        return i.mismatch();
    }
    let inside = i.advance(1);
    let numbers = if inside.is(TokenKind::OpenBracket) {
        deeper(inside);
        inside.failure()
    } else {
        required("a number", |i| list("a number", number)(i))(inside)
    };
    let (rest, numbers) = match numbers {
        Ok((rest, numbers)) => (close(i, rest), numbers),
        Err(stop) => match i.after_partner() {
            Some(rest) => (rest, Vec::new()),
            None => return Err(stop),
        },
    };
    Ok((rest, Spanned::new(numbers, rest.since(i))))
}

fn deeper(i: Tokens<'_>) {
    i.report(
        Diagnostic::error(
            codes::NOT_A_NUMBER,
            i.here(),
            "a literal has at most rows and columns",
        )
        .hint("for more dimensions write all entries in one flat list, row by row"),
    );
}

/// Makes the matrix of these rows. Rows with another length than the first are reported, and cut or
/// filled with zeros, so that later phases get a matrix. Empty rows have been reported already.
pub(super) fn matrix(i: Tokens<'_>, rows: Vec<Spanned<Vec<f64>>>) -> Literal {
    let first = rows
        .iter()
        .find(|row| !row.node.is_empty())
        .map(|row| (row.node.len(), row.span));
    let Some((width, first_span)) = first else {
        return Literal::Vector(vec![0.0]);
    };
    let numbers = |count: usize| {
        if count == 1 {
            "1 number".to_owned()
        } else {
            format!("{count} numbers")
        }
    };
    if let Some(odd) = rows
        .iter()
        .find(|row| !row.node.is_empty() && row.node.len() != width)
    {
        let message = format!(
            "this row has {}, the first one {}",
            numbers(odd.node.len()),
            numbers(width)
        );
        i.report(
            Diagnostic::error(codes::UNEQUAL_ROWS, odd.span, message)
                .label(first_span, format!("{} here", numbers(width))),
        );
    }
    // Rows are filled up only in small matrices: one long row must not lengthen thousands of short
    // ones.
    let small = rows.len().saturating_mul(width) <= 1 << 16;
    let even = |row: Spanned<Vec<f64>>| {
        let mut row = row.node;
        if small {
            row.resize(width, 0.0);
        }
        (row.len() == width).then_some(row)
    };
    Literal::Matrix(rows.into_iter().filter_map(even).collect())
}
