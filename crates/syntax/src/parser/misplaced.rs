//! Constructs that are no terms, in the place of a term. `⌊M⌋`, a `let` as an operand, and a reserved word as a name are
//! read as intended, with an error. Other commands are rejected with advice.

use super::combinators::{group, nested, required};
use super::input::{Parsed, Tokens};
use super::name::{is_misused_variable, name_of, reserved};
use super::term::{error_at, lets, term};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::span::Spanned;
use crate::token::{Keyword, TokenKind};
use crate::tree::{Term, TermKind};

/// Parses a misplaced construct; does not match if there is none.
pub(super) fn misplaced(i: Tokens<'_>) -> Parsed<'_, Term> {
    match i.first() {
        Some(token) => match token.kind {
            TokenKind::OpenFloor => floor_in_term(i),
            TokenKind::Word(Keyword::Pure) if i.kind_at(1) == Some(TokenKind::OpenParen) => {
                floor_in_term(i)
            }
            TokenKind::Word(Keyword::Let) => let_operand(i),
            TokenKind::Word(Keyword::Rev | Keyword::Handle | Keyword::Iterate) => {
                let message = format!(
                    "`{}` makes a command, and a term is expected here",
                    i.text(token)
                );
                i.report_understood(
                    Diagnostic::error(codes::COMMAND_IN_TERM, token.span, message)
                        .hint("bind its result first: `let x ⇐ … in`, then use `x`"),
                );
                i.failure()
            }
            TokenKind::Word(_) if is_misused_variable(i) && !token.new_line => {
                reserved(i, token);
                let name = name_of(i, token);
                Ok((
                    i.advance(1),
                    Spanned::new(TermKind::Variable(name), token.span),
                ))
            }
            _ => i.mismatch(),
        },
        None => i.mismatch(),
    }
}

/// Parses `⌊M⌋` in a term as M.
fn floor_in_term(i: Tokens<'_>) -> Parsed<'_, Term> {
    let content = required("a term", term);
    let broken = || error_at(i.here());
    let (rest, inner) = if i.is(TokenKind::OpenFloor) {
        group(TokenKind::OpenFloor, content, broken)(i)?
    } else {
        group(TokenKind::OpenParen, content, broken)(i.advance(1))?
    };
    let whole = rest.since(i);
    let text = i.text_of(inner.node.span);
    let simple = matches!(
        inner.node.node,
        TermKind::Variable(_)
            | TermKind::Call(..)
            | TermKind::Tuple(_)
            | TermKind::Unit
            | TermKind::Literal(_)
    );
    let replacement = if simple {
        text.to_owned()
    } else {
        format!("({text})")
    };
    i.report_understood(
        Diagnostic::error(
            codes::COMMAND_IN_TERM,
            whole,
            "`⌊…⌋` makes a command, and a term is expected here",
        )
        .fix("write the term without `⌊…⌋`", whole, replacement),
    );
    Ok((rest, Spanned::new(inner.node.node, whole)))
}

/// Parses a `let` as an operand, where it needs parentheses.
fn let_operand(i: Tokens<'_>) -> Parsed<'_, Term> {
    let (rest, term) = nested(i, lets)?;
    let text = i.text_of(term.span);
    i.report_understood(
        Diagnostic::error(
            codes::LET_OPERAND,
            i.here(),
            "a `let` that is an operand needs parentheses",
        )
        .fix(
            "write parentheses around it",
            term.span,
            format!("({text})"),
        ),
    );
    Ok((rest, term))
}
