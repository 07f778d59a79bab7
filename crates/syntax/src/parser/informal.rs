//! Literals in the notation of other languages: entries separated by spaces, rows by semicolons. `[1 -2]`, `[1, 2; 3, 4]` and
//! `[[1 2] [3 4]]` are read as intended, with an error whose fix writes all commas and brackets.

use super::input::Tokens;
use super::literal::matrix;
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::lexer::plain_number;
use crate::span::{Span, Spanned};
use crate::token::TokenKind;
use crate::tree::Literal;

/// A row: its numbers, their texts, and its span.
type Row = (Vec<f64>, Vec<String>, Span);

/// Syntax that a literal lacks, with the span at which the lack shows first.
#[derive(Clone, Copy)]
enum Lack {
    Comma(Span),
    Brackets(Span),
}

/// Parses and reports a complete literal that lacks commas or has semicolons; `None` for anything else.
pub(super) fn informal<'a>(i: Tokens<'a>) -> Option<(Tokens<'a>, Spanned<Literal>)> {
    if !lacks(i) {
        return None;
    }
    let mut reader = Reader {
        at: i.advance(1),
        lack: None,
    };
    let nested = reader.at.is(TokenKind::OpenBracket);
    let rows = match nested {
        true => reader.rows()?,
        false => reader.entries()?,
    };
    let rest = reader.at.advance(1);
    let lack = reader.lack?;
    let span = rest.since(i);
    let several = nested || rows.len() > 1;
    let written: Vec<String> = rows
        .iter()
        .map(|(_, texts, _)| format!("[{}]", texts.join(", ")))
        .collect();
    let meant = match (several, written.as_slice()) {
        (false, [only]) => only.clone(),
        _ => format!("[{}]", written.join(", ")),
    };
    let (place, message) = match lack {
        Lack::Comma(place) => (
            place,
            "a comma is missing: entries and rows are separated by `,`",
        ),
        Lack::Brackets(place) => (place, "the rows of a matrix stand in brackets of their own"),
    };
    i.report_understood(Diagnostic::error(codes::NOT_A_NUMBER, place, message).fix(
        format!("write `{}`", shortened(&meant)),
        span,
        meant,
    ));
    let mut numbers = rows
        .into_iter()
        .map(|(numbers, _, span)| Spanned::new(numbers, span));
    let literal = match several {
        true => matrix(i, numbers.collect()),
        false => Literal::Vector(numbers.next()?.node),
    };
    Some((rest, Spanned::new(literal, span)))
}

/// True if, in the brackets that open here, two neighbours have nothing between them, or there is a semicolon. Most literals fail this
/// cheap test.
fn lacks(i: Tokens<'_>) -> bool {
    let Some(rest) = i.after_partner() else {
        return false;
    };
    let kinds = i.context.tokens.get(i.at..rest.at).unwrap_or_default();
    kinds.windows(2).any(|pair| {
        let [one, other] = pair else { return false };
        let ends = matches!(one.kind, TokenKind::Number | TokenKind::CloseBracket);
        let begins = matches!(
            other.kind,
            TokenKind::Number | TokenKind::OpenBracket | TokenKind::Minus | TokenKind::Plus
        );
        other.kind == TokenKind::Semicolon || (ends && begins)
    })
}

/// Reader of the contents of brackets; gives up at any token that is not part of a literal of numbers.
struct Reader<'a> {
    at: Tokens<'a>,
    lack: Option<Lack>,
}

impl Reader<'_> {
    /// Reads entries up to the closing bracket; semicolons separate them into rows.
    fn entries(&mut self) -> Option<Vec<Row>> {
        let mut rows = Vec::new();
        let mut row = self.empty();
        loop {
            let first = row.0.is_empty();
            match self.at.kind()? {
                TokenKind::CloseBracket if !first => {
                    rows.push(row);
                    return Some(rows);
                }
                TokenKind::Comma if !first => {
                    self.at = self.at.advance(1);
                    self.number(&mut row)?;
                }
                TokenKind::Semicolon if !first => {
                    let place = self.at.here();
                    self.lack.get_or_insert(Lack::Brackets(place));
                    self.at = self.at.advance(1);
                    rows.push(std::mem::replace(&mut row, self.empty()));
                    // A semicolon at the end only ends the last row.
                    if self.at.is(TokenKind::CloseBracket) {
                        return Some(rows);
                    }
                }
                _ if first => self.number(&mut row)?,
                _ => {
                    let place = self.at.here();
                    self.apart()?;
                    self.number(&mut row)?;
                    self.lack.get_or_insert(Lack::Comma(place));
                }
            }
        }
    }

    /// Reads rows in brackets, up to the closing bracket around them.
    fn rows(&mut self) -> Option<Vec<Row>> {
        let mut rows: Vec<Row> = Vec::new();
        loop {
            match self.at.kind()? {
                TokenKind::CloseBracket if !rows.is_empty() => return Some(rows),
                TokenKind::Comma if !rows.is_empty() => self.at = self.at.advance(1),
                TokenKind::Semicolon if !rows.is_empty() => {
                    let place = self.at.here();
                    self.lack.get_or_insert(Lack::Comma(place));
                    self.at = self.at.advance(1);
                }
                TokenKind::OpenBracket if !rows.is_empty() => {
                    let place = self.at.here();
                    let comma = self
                        .at
                        .previous()
                        .is_some_and(|token| token.kind == TokenKind::CloseBracket);
                    if comma {
                        self.lack.get_or_insert(Lack::Comma(place));
                    }
                }
                TokenKind::OpenBracket => {}
                _ => return None,
            }
            if self.at.is(TokenKind::OpenBracket) {
                self.at = self.at.advance(1);
                let mut inner = self.entries()?;
                self.at = self.at.advance(1);
                match (inner.pop(), inner.is_empty()) {
                    (Some(row), true) => rows.push(row),
                    _ => return None,
                }
            } else {
                return None;
            }
        }
    }

    fn empty(&self) -> Row {
        (Vec::new(), Vec::new(), self.at.here())
    }

    /// Reads a number with its sign, which must touch the number.
    fn number(&mut self, row: &mut Row) -> Option<()> {
        let token = self.at.first()?;
        let sign = matches!(token.kind, TokenKind::Minus | TokenKind::Plus);
        let number = match sign {
            true => self.at.peek(1)?,
            false => token,
        };
        if number.kind != TokenKind::Number || number.after_invalid || token.after_invalid {
            return None;
        }
        let i = self.at.advance(usize::from(sign));
        let text = i.text(number);
        let value: f64 = plain_number(text).parse().ok()?;
        let minus = token.kind == TokenKind::Minus;
        if !value.is_finite() {
            return None;
        }
        row.0.push(if minus { -value } else { value });
        row.1.push(if minus {
            format!("{}{text}", self.at.text(token))
        } else {
            text.to_owned()
        });
        row.2 = Span {
            start: row.2.start,
            end: number.span.end,
        };
        self.at = i.advance(1);
        Some(())
    }

    /// `Some` if the entry here is separate from the one before: `1 -2` is two entries, `1 - 2` and `1-2` are differences.
    fn apart(&self) -> Option<()> {
        let (token, before) = (self.at.first()?, self.at.previous()?);
        let space = token.span.start > before.span.end;
        let touches = match token.kind {
            TokenKind::Minus | TokenKind::Plus => self.at.peek(1)?.span.start == token.span.end,
            _ => true,
        };
        (space && touches && !token.new_line).then_some(())
    }
}

/// Literal cut to the length of a fix title.
pub(super) fn shortened(literal: &str) -> String {
    const MOST: usize = 40;
    match literal.chars().nth(MOST) {
        None => literal.to_owned(),
        Some(_) => literal.chars().take(MOST).chain(['…']).collect(),
    }
}
