//! Commands, as in the grammar of the language page, one function per rule. A term that stands where
//! a command is expected is reported with the fix `⌊…⌋`, and read as that command.

use super::combinators::{
    expect, expected, expected_with, group, grow, nested, required, room, scoped, token,
};
use super::handler::{handler, starts_clause};
use super::input::{Parsed, Tokens};
use super::lets::{Arrow, Binding, LetKind, binding, shorten};
use super::name::{name, patterns, required_name};
use super::size::{index_args, size};
use super::term::{args, postfix, starts_term, term};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::span::{Span, Spanned};
use crate::token::{Keyword, TokenKind};
use crate::tree::{Command, CommandKind, Handler, Pattern, SymbolKind, Term, TermKind};

/// A command as written: perhaps a term, to which a `⌊…⌋` has been added.
struct Written {
    command: Command,
    bare: bool,
}

impl Written {
    fn command(kind: CommandKind, span: Span) -> Written {
        Written {
            command: Spanned::new(kind, span),
            bare: false,
        }
    }

    fn term(term: Term) -> Written {
        let span = term.span;
        Written {
            command: Spanned::new(CommandKind::Pure(Box::new(term)), span),
            bare: true,
        }
    }
}

/// command ::= …
pub(super) fn command(i: Tokens<'_>) -> Parsed<'_, Command> {
    let (rest, written) = written(i)?;
    if written.bare {
        report_bare(i, &written.command);
    }
    Ok((rest, written.command))
}

fn report_bare(i: Tokens<'_>, command: &Command) {
    let text = format!("⌊{}⌋", i.text_of(command.span));
    i.report(
        Diagnostic::error(
            codes::BARE_TERM,
            command.span,
            "this is a term, and a command is expected here",
        )
        .hint("`⌊M⌋` is the command that returns the value of M")
        .fix(format!("write `{}`", shorten(&text)), command.span, text),
    );
}

fn written(i: Tokens<'_>) -> Parsed<'_, Written> {
    if i.is(TokenKind::Word(Keyword::Let)) {
        lets(i)
    } else {
        without_let(i)
    }
}

/// Every command but a `let`, told apart by its first tokens.
fn without_let(i: Tokens<'_>) -> Parsed<'_, Written> {
    use TokenKind::*;
    match (i.kind(), i.kind_at(1)) {
        (Some(Word(Keyword::Rev)), _) => rev_handle(i),
        (Some(Word(Keyword::Handle)), _) => handle(i),
        (Some(Word(Keyword::Iterate)), _) => iterate(i),
        (Some(OpenFloor), _) | (Some(Word(Keyword::Pure)), _) => pure(i),
        (Some(OpenParen), Some(next)) if next != CloseParen && !continues_as_term(i) => {
            parenthesised(i)
        }
        (Some(Identifier), Some(Resume)) => resume(i),
        (Some(Identifier), Some(OpenBracket | OpenParen)) if !is_term_call(i) => call(i),
        (Some(kind), _) if starts_term(kind) => bare_term(i),
        _ => i.mismatch(),
    }
}

/// Whether an operator of terms follows the group at `i`.
fn continues_as_term(i: Tokens<'_>) -> bool {
    use TokenKind::*;
    let Some(after) = i.after_partner() else {
        return false;
    };
    match after.kind() {
        Some(Plus | Minus | Scale | Star | Hadamard | Slash | Transpose) => true,
        Some(Dot) => matches!(after.kind_at(1), Some(Number | Word(Keyword::Rd))),
        _ => false,
    }
}

/// Whether `f[…](…)` at `i` is an operand.
fn is_term_call(i: Tokens<'_>) -> bool {
    let args = i.advance(1);
    let args = if args.is(TokenKind::OpenBracket) {
        args.after_partner()
    } else {
        Some(args)
    };
    args.is_some_and(|args| args.is(TokenKind::OpenParen) && continues_as_term(args))
}

fn bare_term(i: Tokens<'_>) -> Parsed<'_, Written> {
    let (rest, term) = term(i)?;
    Ok((rest, Written::term(term)))
}

const LET: LetKind<Written> = LetKind {
    arrow: TokenKind::Bind,
    other: TokenKind::Gets,
    error: |span| Written::command(CommandKind::Error, span),
    starts_body: |i| starts_command(i) && !starts_clause(i),
};

/// Whether a command, or a term in its place, starts here.
pub(super) fn starts_command(i: Tokens<'_>) -> bool {
    use Keyword::*;
    match i.kind() {
        Some(TokenKind::Word(word)) => {
            matches!(word, Let | Rev | Handle | Iterate | Pure | Rd | Zero)
        }
        Some(TokenKind::OpenFloor) => true,
        Some(kind) => starts_term(kind),
        None => false,
    }
}

/// 'let' pattern '⇐' command 'in' command, as often as it is written.
fn lets(start: Tokens<'_>) -> Parsed<'_, Written> {
    scoped(start, chain_of_lets)
}

fn chain_of_lets(start: Tokens<'_>) -> Parsed<'_, Written> {
    let mut links: Vec<Binding<Written>> = Vec::new();
    let mut i = start;
    while i.is(TokenKind::Word(Keyword::Let)) {
        let (rest, link) = binding(i, &LET, |i, _| required("a command", written)(i))?;
        i = rest;
        let has_body = link.has_body;
        links.push(link);
        room(i, links.len())?;
        if !has_body {
            let body = Written::command(CommandKind::Error, i.gap());
            return Ok((i, fold(start, links, body)));
        }
    }
    let (i, body) = required("a command after `in`", without_let)(i)?;
    let (i, ()) = grow(i, links.len())?;
    Ok((i, fold(start, links, body)))
}

fn fold(i: Tokens<'_>, links: Vec<Binding<Written>>, body: Written) -> Written {
    let of_terms = body.bare
        && links.iter().all(|link| {
            let fits =
                link.bound.bare || matches!(link.bound.command.node, CommandKind::Call { .. });
            matches!(link.arrow, Arrow::Other(_)) && fits
        });
    if of_terms {
        return Written::term(fold_term(links, body));
    }
    for link in &links {
        let bound = &link.bound;
        match (link.arrow, bound.bare) {
            (Arrow::Right, false) => {}
            (Arrow::Right, true) => report_bare(i, &bound.command),
            (arrow, bare) => {
                let span = bound.command.span;
                let rewritten = bare.then(|| (span, format!("⌊{}⌋", i.text_of(span))));
                LET.report_arrow(i, arrow, rewritten);
            }
        }
    }
    if body.bare {
        report_bare(i, &body.command);
    }
    let command = links.into_iter().rfold(body.command, |body, link| {
        let span = link.start.to(body.span);
        let bound = Box::new(link.bound.command);
        Spanned::new(CommandKind::Let(link.pattern, bound, Box::new(body)), span)
    });
    Written {
        command,
        bare: false,
    }
}

/// A chain that is a term throughout: `let p ← M in N` in the place of a command.
fn fold_term(links: Vec<Binding<Written>>, body: Written) -> Term {
    links
        .into_iter()
        .rfold(as_term(body.command), |body, link| {
            let span = link.start.to(body.span);
            let bound = Box::new(as_term(link.bound.command));
            Spanned::new(TermKind::Let(link.pattern, bound, Box::new(body)), span)
        })
}

fn as_term(command: Command) -> Term {
    match command.node {
        CommandKind::Pure(term) => *term,
        CommandKind::Call {
            name,
            indices,
            arguments,
        } => {
            let symbol = Spanned::new(SymbolKind::Named(name, indices), command.span);
            Spanned::new(TermKind::Call(symbol, arguments), command.span)
        }
        _ => Spanned::new(TermKind::Error, command.span),
    }
}

/// 'rev' 'handle' '(' term ')' '⟨' pattern (',' pattern)* '⟩' '.' command 'with' handler
fn rev_handle(i: Tokens<'_>) -> Parsed<'_, Written> {
    let word = i.advance(1);
    if !word.is(TokenKind::Word(Keyword::Handle)) {
        expected_with(word, "`handle`", |error| {
            error.fix("write `handle`", word.gap(), " handle")
        });
        return word.failure();
    }
    let parts = |i| {
        let (i, argument) = required("`(`, the argument, and `)`", argument)(i)?;
        let (i, patterns) = binder(i, "rev handle(M)⟨x⟩. R with H")?;
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
fn handle(i: Tokens<'_>) -> Parsed<'_, Written> {
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

/// 'handle' parts 'with' handler, where `i` stands before the word `handle`. What stands before the
/// `with` may be broken and is then left out, as it is if the `with` is missing.
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
            missing_with(i, rest);
            let handler_follows = rest.first().is_some_and(|token| {
                let starts = matches!(token.kind, TokenKind::Identifier | TokenKind::OpenBrace);
                starts && !token.new_line
            });
            if !handler_follows {
                return Ok((rest, None));
            }
            rest
        }
    };
    let (rest, handler) = nested(rest, required("a handler (`H(…)` or `{ … }`)", handler))?;
    Ok((rest, parts.map(|parts| (parts, handler))))
}

fn missing_with(handle: Tokens<'_>, i: Tokens<'_>) {
    let repeated = i.context.last_expected.replace(Some(i.at)) == Some(i.at);
    if repeated || i.after_invalid() {
        return;
    }
    let place = i
        .first()
        .filter(|token| !token.new_line)
        .map_or(i.gap(), |token| token.span);
    i.report(
        Diagnostic::error(
            codes::MISSING_WITH,
            place,
            "expected `with` and a handler here",
        )
        .label(handle.here(), "for this `handle`")
        .fix("write `with`", i.gap(), " with"),
    );
}

/// '(' term ')', the argument of `rev handle` and `iterate`.
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
        // `(x).` and `x.` are read over, as binders in other brackets.
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
fn iterate(i: Tokens<'_>) -> Parsed<'_, Written> {
    let range = |i| {
        let (i, variable) = required_name("a name for the step")(i)?;
        let (i, _) = required("`:` and how often", token(TokenKind::Colon))(i)?;
        let (i, count) = required("how often, as a size,", size)(i)?;
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

/// '⌊' term '⌋', also written `pure(M)`
fn pure(i: Tokens<'_>) -> Parsed<'_, Written> {
    let content = |i| {
        let (i, term) = required("a term", term)(i)?;
        Ok((i, CommandKind::Pure(Box::new(term))))
    };
    let (open, brackets) = match i.kind() {
        Some(TokenKind::OpenFloor) => (TokenKind::OpenFloor, i),
        _ => (TokenKind::OpenParen, i.advance(1)),
    };
    let group = |i| group(open, content, || CommandKind::Error)(i);
    let (rest, pure) = required("`(` and a term", group)(brackets)?;
    Ok((rest, Written::command(pure.node, rest.since(i))))
}

/// OPERATION indexargs? args | COMMAND indexargs? args
fn call(i: Tokens<'_>) -> Parsed<'_, Written> {
    let (rest, name) = name(i)?;
    let (rest, indices) = index_args(rest)?;
    let (rest, arguments) = required("the arguments, in parentheses,", args)(rest)?;
    let kind = CommandKind::Call {
        name,
        indices,
        arguments,
    };
    Ok((rest, Written::command(kind, rest.since(i))))
}

/// '(' command ')'
fn parenthesised(i: Tokens<'_>) -> Parsed<'_, Written> {
    let broken = || Written::command(CommandKind::Error, i.here());
    let (rest, inner) = group(TokenKind::OpenParen, required("a command", written), broken)(i)?;
    let Written { command, bare } = inner.node;
    // A bare term keeps its own span, so that the fix stands inside of the parentheses.
    let span = if bare { command.span } else { inner.span };
    Ok((
        rest,
        Written {
            command: Spanned::new(command.node, span),
            bare,
        },
    ))
}

/// NAME '•' postfix
fn resume(i: Tokens<'_>) -> Parsed<'_, Written> {
    let (rest, continuation) = name(i)?;
    let (rest, argument) =
        required("a term (in parentheses if it has operators)", postfix)(rest.advance(1))?;
    let kind = CommandKind::Resume(continuation, Box::new(argument));
    Ok((rest, Written::command(kind, rest.since(i))))
}
