//! Conversion of tokens to the surface tree: section "Grammar" of the language page, rule by rule, with nom. The
//! comment of a parser function is its production. One pass finds all errors of a file; names are not resolved.
//!
//! Recovery: a parser whose first token matches, and a later one does not, reports the error and fails. Brackets,
//! `let … in`, `handle … with`, clauses and declarations catch the failure and continue after their end. `outline` pairs
//! their ends beforehand, so recovery is a jump, not a search.

mod combinators;
mod command;
mod foreign;
mod generator;
mod handle;
mod handler;
mod informal;
mod input;
mod item;
mod lets;
mod literal;
mod misplaced;
mod name;
mod size;
mod term;

use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::lexer::lex;
use crate::limits::{MAX_DIAGNOSTICS, MAX_SOURCE};
use crate::outline::Outline;
use crate::span::Span;
use crate::token::{Keyword, Token, TokenKind};
use crate::tree::{Index, Name, Program};
pub use foreign::foreign_word;
pub use generator::COMBINATORS;
pub(crate) use handle::FEEDBACK;
use input::{Context, Tokens};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// Result of reading a source file.
#[derive(Debug, Default)]
pub struct Reading {
    /// Tree, with error nodes where the source could not be parsed. A tree without diagnostics has no error nodes.
    pub program: Program,
    /// Diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// Spans of diagnostics at which the tree may not be the intended one, in source order.
    pub misread: Vec<Span>,
}

/// Parses as [`read`] does, and leaves out the misread spans.
pub fn parse(source: &str, symbols: &[&str]) -> (Program, Vec<Diagnostic>) {
    let reading = read(source, symbols);
    (reading.program, reading.diagnostics)
}

/// Parses a source file; `symbols` are the names of the function symbols. Total: no input causes a panic or takes more
/// than linear time, and the tree is at most [`crate::MAX_HEIGHT`] high.
pub fn read(source: &str, symbols: &[&str]) -> Reading {
    if source.len() > MAX_SOURCE {
        let message = format!(
            "the source has {} MB; at most {} MB are read",
            source.len() >> 20,
            MAX_SOURCE >> 20
        );
        let place = Span::default();
        return Reading {
            diagnostics: vec![Diagnostic::error(codes::TOO_LARGE, place, message)],
            misread: vec![place],
            ..Reading::default()
        };
    }
    let (program, diagnostics, misread) = with_tokens(source, symbols, program);
    in_order(Reading {
        program,
        diagnostics,
        misread,
    })
}

/// A command with index arguments, such as `Layer[ℓ0, 3]`.
#[derive(Debug)]
pub struct Instance {
    /// Name of the command.
    pub name: Name,
    /// Index arguments; empty without brackets.
    pub indices: Vec<Index>,
}

/// Parses `COMMAND[indices]`, a text that is not part of a program.
///
/// # Errors
/// Returns the diagnostics, with spans in this text.
pub fn read_instance(source: &str) -> Result<Instance, Vec<Diagnostic>> {
    // Any text up to the limit for sources is accepted; [`read`] reports a longer one.
    if source.len() > MAX_SOURCE {
        return Err(read(source, &[]).diagnostics);
    }
    let (read, diagnostics, _) = with_tokens(source, &[], |context| {
        let all = Tokens::new(context, 0, context.tokens.len());
        let (rest, name) = name::required_name("the name of a command")(all).ok()?;
        let (rest, indices) = size::index_args(rest).ok()?;
        if let Some(found) = rest.first() {
            let text = combinators::describe(rest, found);
            let message =
                format!("{text} does not belong here: a command and its indices end before it");
            rest.report(Diagnostic::error(codes::LEFT_OVER, found.span, message));
        }
        Some(Instance { name, indices })
    });
    match read {
        Some(instance) if diagnostics.is_empty() => Ok(instance),
        _ => Err(diagnostics),
    }
}

/// Lexes a text and runs `read` on its tokens; returns the result, the diagnostics, and the spans that may have been
/// misread.
fn with_tokens<T>(
    source: &str,
    symbols: &[&str],
    read: impl FnOnce(&Context<'_>) -> T,
) -> (T, Vec<Diagnostic>, Vec<Span>) {
    let lexed = lex(source);
    let outline = Outline::new(&lexed.tokens);
    let context = Context {
        source,
        tokens: &lexed.tokens,
        outline: &outline,
        symbols: unhidden_symbols(source, &lexed.tokens, symbols),
        ends_invalid: lexed.ends_invalid,
        diagnostics: RefCell::default(),
        misread: RefCell::default(),
        last_expected: Cell::new(None),
        limit_reported: Cell::new(false),
        nesting: Cell::new(0),
        height: Cell::new(0),
    };
    let result = read(&context);
    let mut diagnostics = lexed.diagnostics;
    diagnostics.extend(context.diagnostics.into_inner());
    let mut misread = lexed.misread;
    misread.extend(context.misread.into_inner());
    misread.sort_unstable();
    (result, diagnostics, misread)
}

/// Function symbols whose names no `op` and no `command` of the source has.
fn unhidden_symbols<'a>(source: &str, tokens: &[Token], symbols: &[&'a str]) -> BTreeSet<&'a str> {
    // `BTreeSet::from_iter` sorts, which would add another sort to the first download.
    let all = symbols.iter().copied();
    let mut symbols = BTreeSet::new();
    symbols.extend(all);
    for (word, name) in tokens.iter().zip(tokens.iter().skip(1)) {
        if matches!(word.kind, TokenKind::Word(Keyword::Op | Keyword::Command)) {
            symbols.remove(name.span.text(source));
        }
    }
    symbols
}

/// program ::= item*
fn program(context: &Context<'_>) -> Program {
    let starts = &context.outline.starts;
    let ends = starts.iter().copied().skip(1).chain([context.tokens.len()]);
    let first = starts.first().copied().unwrap_or(context.tokens.len());
    if first > 0 {
        report_left_over(Tokens::new(context, 0, first));
    }
    let mut program = Program::default();
    for (at, end) in starts.iter().copied().zip(ends) {
        context.height.set(0);
        context.limit_reported.set(false);
        // A declaration that fails has reported its error; the next one is parsed independently.
        if let Ok((rest, item)) = item::item(Tokens::new(context, at, end)) {
            program.items.push(item);
            if rest.first().is_some() {
                report_left_over(rest);
            }
        }
    }
    program
}

/// Reports tokens that are part of no declaration.
fn report_left_over(i: Tokens<'_>) {
    let Some(found) = i.first() else { return };
    if i.context.last_expected.replace(Some(i.at)) == Some(i.at) || i.after_invalid() {
        return;
    }
    let text = combinators::describe(i, found);
    if !found.new_line {
        let message = format!("{text} does not belong here: the declaration is complete before it");
        let error = Diagnostic::error(codes::LEFT_OVER, found.span, message);
        let after_pure = i
            .previous()
            .is_some_and(|token| token.kind == TokenKind::CloseFloor);
        i.report_understood(match found.kind {
            TokenKind::Semicolon => error
                .hint("a declaration ends where the next one starts")
                .fix("delete it", found.span, ""),
            kind if after_pure && is_infix(kind) => {
                error.hint("operators make terms, which stand inside of `⌊…⌋`")
            }
            _ => match foreign::advice(i) {
                Some(advice) => error.hint(advice),
                None => error,
            },
        });
        return;
    }
    let error = Diagnostic::error(
        codes::NO_ITEM,
        found.span,
        format!("expected a declaration, found {text}"),
    );
    i.report(match nearest_item_word(i.text(found)) {
        Some(word) => error.fix(format!("write `{word}`"), found.span, word),
        None if found.kind == TokenKind::Word(Keyword::Let) && i.kind_at(2) == Some(TokenKind::Equals) => error.hint(
            "a constant is `fun a() = 0.1`, used as `a()`; a size is `dim n = 2`, and what a training changes is `loc`",
        ),
        None if command::starts_command(i) && found.kind != TokenKind::Identifier => {
            error.hint("a command is run as `main`").fix(
                "write `main =` before it",
                Span {
                    end: found.span.start,
                    ..found.span
                },
                "main = ",
            )
        }
        None if found.kind == TokenKind::Identifier && i.kind_at(1) == Some(TokenKind::Equals) => {
            error.hint("a value is defined with `fun`, `command`, `dim` or `data`")
        }
        None => {
            error.hint("a declaration starts with a word such as `command`, `handler` or `main`")
        }
    });
}

fn is_infix(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(
        kind,
        Plus | Minus | Scale | Star | Hadamard | Slash | Transpose
    )
}

/// Word that starts a declaration and is at most two edits away from `text`.
fn nearest_item_word(text: &str) -> Option<&'static str> {
    // The bound on the length keeps the distance cheap to compute.
    if text.len() > 16 {
        return None;
    }
    let words = Keyword::ALL
        .iter()
        .filter(|word| word.starts_item())
        .map(|word| word.text());
    let near = words
        .map(|word| (strsim::levenshtein(text, word), word))
        .min()?;
    (near.0 <= 2 && near.0 * 2 < near.1.len()).then_some(near.1)
}

/// Sorts the diagnostics by position and limits their number.
fn in_order(mut reading: Reading) -> Reading {
    let diagnostics = &mut reading.diagnostics;
    Diagnostic::sort(diagnostics, |one, other| {
        (one.span.start, &one.code).cmp(&(other.span.start, &other.code))
    });
    if diagnostics.len() > MAX_DIAGNOSTICS {
        diagnostics.truncate(MAX_DIAGNOSTICS);
        let place = diagnostics.last().map_or(Span::default(), |last| last.span);
        let message =
            format!("there are more than {MAX_DIAGNOSTICS} mistakes; further ones are not shown");
        diagnostics.push(Diagnostic::error(codes::TOO_MANY, place, message));
        reading.misread.retain(|misread| *misread <= place);
        reading.misread.push(place);
    }
    reading
}
