//! Parser of commands, as in the grammar of the language page, one function per rule. A term in the
//! place of a command is reported with the fix `⌊…⌋`, and read as that command.

use super::combinators::{expected_with, group, grow, required, room, scoped};
use super::foreign::foreign_word;
use super::handle::{feedback, handle, iterate, rev_handle, starts_feedback};
use super::handler::starts_clause;
use super::input::{Parsed, Tokens};
use super::lets::{Arrow, Binding, LetKind, binding, shorten};
use super::name::name;
use super::size::index_args;
use super::term::{are_entries, args, entries, postfix, required_args, starts_term, term};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::span::{Span, Spanned};
use crate::token::{Keyword, TokenKind};
use crate::tree::{Command, CommandKind, SymbolKind, Term, TermKind};

/// A parsed command. `bare` is true for a term in the place of a command, to which `⌊…⌋` has been added
/// in the tree.
pub(super) struct Written {
    pub(super) command: Command,
    bare: bool,
}

impl Written {
    pub(super) fn command(kind: CommandKind, span: Span) -> Written {
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
    i.report_understood(
        Diagnostic::error(
            codes::BARE_TERM,
            command.span,
            "this is a term, and a command is expected here",
        )
        .hint("`⌊M⌋` is the command that does nothing but return the value of M")
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

/// Parses any command except a `let`; its first tokens decide the rule.
fn without_let(i: Tokens<'_>) -> Parsed<'_, Written> {
    use TokenKind::*;
    match (i.kind(), i.kind_at(1)) {
        (Some(Word(Keyword::Rev)), _) => rev_handle(i),
        (Some(Word(Keyword::Handle)), _) => handle(i),
        (Some(Word(Keyword::Iterate)), _) => iterate(i),
        (Some(Identifier), _) if starts_feedback(i) => feedback(i),
        (Some(OpenFloor), _) | (Some(Word(Keyword::Pure)), _) => pure(i),
        (Some(OpenParen), Some(next)) if next != CloseParen && !continues_as_term(i) => {
            parenthesised(i)
        }
        (Some(Identifier), Some(Resume)) => resume(i),
        (Some(Identifier), Some(OpenBracket)) if are_entries(i) => bare_entries(i),
        (Some(Identifier), Some(OpenBracket | OpenParen)) if !is_term_call(i) => call(i),
        (Some(Identifier), _) if is_foreign(i) => {
            report_foreign(i);
            i.failure()
        }
        (Some(Identifier | Underscore | OpenAngle), _) if starts_binding(i) => {
            expected_with(i, "a command", |error| {
                let error = error.hint("a result is bound with `let x ⇐ P in Q`");
                match as_let(i) {
                    Some((span, text)) => {
                        error.fix(format!("write `{}`", shorten(&text)), span, text)
                    }
                    None => error,
                }
            });
            i.failure()
        }
        (Some(OpenBracket), Some(Identifier)) if is_nameless_call(i) => {
            expected_with(i, "the name of an operation or command", |error| {
                error.hint("indices in brackets stand after a name: `Op[ℓ](x)`")
            });
            i.failure()
        }
        (Some(kind), _) if starts_term(kind) => bare_term(i),
        _ => i.mismatch(),
    }
}

/// True if an operator of terms follows the group at `i`.
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

/// True if `f[…](…)` at `i` is an operand, or if f is a function symbol whose name no operation or
/// command has.
fn is_term_call(i: Tokens<'_>) -> bool {
    if i.first()
        .is_some_and(|name| i.context.symbols.contains(i.text(name)))
    {
        return true;
    }
    let args = i.advance(1);
    let args = if args.is(TokenKind::OpenBracket) {
        args.after_partner()
    } else {
        Some(args)
    };
    args.is_some_and(|args| args.is(TokenKind::OpenParen) && continues_as_term(args))
}

/// True if a word of another language, or a capitalised reserved word, is followed by an operand.
fn is_foreign(i: Tokens<'_>) -> bool {
    let follows = i.peek(1).is_some_and(|next| {
        let starts = matches!(
            next.kind,
            TokenKind::Identifier
                | TokenKind::Number
                | TokenKind::OpenParen
                | TokenKind::Word(Keyword::Handle)
        );
        starts && !next.new_line
    });
    let word = i.first().map_or("", |token| i.text(token));
    // `select(x)` may be a call of a declared operation.
    let called = i.kind_at(1) == Some(TokenKind::OpenParen) && word != "if";
    follows && ((foreign_word(word).is_some() && !called) || capital(word).is_some())
}

/// Reserved word that `word` is a capitalised spelling of.
fn capital(word: &str) -> Option<String> {
    let small = word.to_ascii_lowercase();
    (small != word && Keyword::from_text(&small).is_some()).then_some(small)
}

fn report_foreign(i: Tokens<'_>) {
    let Some(token) = i.first() else { return };
    let word = i.text(token);
    expected_with(i, "a command", |error| match capital(word) {
        Some(small) => error.fix(format!("write `{small}`"), token.span, small),
        None => error.hint(foreign_word(word).unwrap_or_default()),
    });
}

/// Span of `x = M`, and the `let` to replace it with.
fn as_let(i: Tokens<'_>) -> Option<(Span, String)> {
    let arrow = after_pattern(i)?;
    let (rest, bound) = arrow.advance(1).quietly(written).ok()?;
    let span = i.here().to(bound.command.span);
    let pattern = i.text_of(arrow.since(i));
    let text = i.text_of(bound.command.span);
    let bound = if bound.bare {
        format!("⌊{text}⌋")
    } else {
        text.to_owned()
    };
    let end = if rest.is(TokenKind::Word(Keyword::In)) {
        ""
    } else {
        " in"
    };
    Some((span, format!("let {pattern} ⇐ {bound}{end}")))
}

fn after_pattern(i: Tokens<'_>) -> Option<Tokens<'_>> {
    if i.is(TokenKind::OpenAngle) {
        i.after_partner()
    } else {
        Some(i.advance(1))
    }
}

/// True if a pattern and an arrow are here: a `let` without the word `let`.
fn starts_binding(i: Tokens<'_>) -> bool {
    after_pattern(i).is_some_and(|after| {
        [TokenKind::Bind, TokenKind::Gets, TokenKind::Equals]
            .iter()
            .any(|&arrow| after.is(arrow))
    })
}

/// True if `[…](…)` is here: a call without its name.
fn is_nameless_call(i: Tokens<'_>) -> bool {
    i.after_partner()
        .is_some_and(|args| args.is(TokenKind::OpenParen))
}

fn bare_term(i: Tokens<'_>) -> Parsed<'_, Written> {
    let (rest, term) = term(i)?;
    if rest.is(TokenKind::CloseFloor) && rest.partner().is_none() {
        let start = Span {
            end: term.span.start,
            ..term.span
        };
        i.report_understood(
            Diagnostic::error(codes::BARE_TERM, term.span, "expected `⌊` before this term")
                .label(rest.here(), "which this bracket ends")
                .fix("write `⌊`", start, "⌊"),
        );
        let pure = CommandKind::Pure(Box::new(term));
        let rest = rest.advance(1);
        return Ok((rest, Written::command(pure, rest.since(i))));
    }
    Ok((rest, Written::term(term)))
}

/// Parses `x[0]` in the place of a command. It is one mistake, so it gets one error with one fix, for
/// both the brackets and the missing `⌊…⌋`.
fn bare_entries(i: Tokens<'_>) -> Parsed<'_, Written> {
    let (after, _) = i.quietly(term)?;
    let (rest, _) = i.quietly(|i| entries(i, ["", ""]))?;
    if after.at != rest.at {
        return bare_term(i);
    }
    let (rest, term) = entries(i, ["⌊", "⌋"])?;
    let pure = CommandKind::Pure(Box::new(term));
    Ok((rest, Written::command(pure, rest.since(i))))
}

const LET: LetKind<Written> = LetKind {
    arrow: TokenKind::Bind,
    other: TokenKind::Gets,
    error: |span| Written::command(CommandKind::Error, span),
    starts_body: |i| starts_command(i) && !starts_clause(i),
};

/// True if a command, or a term in the place of a command, starts here.
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

/// ('let' pattern '⇐' command 'in')* command
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
    let (i, body) = required("a command", without_let)(i)?;
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

/// Folds a chain that consists of terms only: `let p ← M in N` in the place of a command.
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

/// '⌊' term '⌋', also in the spelling `pure(M)`
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
    let (rest, arguments) = match args(rest) {
        // `Get` has no arguments, but it needs parentheses.
        Err(nom::Err::Error(_)) if &*name.text == "Get" => {
            expected_with(rest, "`()`", |error| {
                error
                    .hint("an operation is performed when it is applied, even to nothing")
                    .fix("write `()`", rest.gap(), "()")
            });
            (rest, Vec::new())
        }
        Err(nom::Err::Error(_)) => required_args(rest)?,
        other => other?,
    };
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
    // A bare term keeps its own span, so that the fix writes `⌊…⌋` inside the parentheses.
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
    let argument = rest.advance(1);
    let negated = argument.is(TokenKind::Minus) && argument.kind_at(1) != Some(TokenKind::Number);
    let (rest, argument) = if negated {
        operators(argument)?
    } else {
        let (rest, postfix) = required("a term", postfix)(argument)?;
        if is_infix(rest.kind()) {
            operators(argument)?
        } else {
            (rest, postfix)
        }
    };
    let kind = CommandKind::Resume(continuation, Box::new(argument));
    Ok((rest, Written::command(kind, rest.since(i))))
}

fn is_infix(kind: Option<TokenKind>) -> bool {
    use TokenKind::*;
    matches!(kind, Some(Plus | Minus | Scale | Star | Hadamard | Slash))
}

/// Parses an argument of `•` with operators; reports that it needs parentheses.
fn operators(i: Tokens<'_>) -> Parsed<'_, Term> {
    let (rest, term) = required("a term", term)(i)?;
    let text = format!("({})", i.text_of(term.span));
    let message = "an argument of `•` with operators needs parentheses";
    i.report(Diagnostic::error(codes::EXPECTED, term.span, message).fix(
        "write parentheses around it",
        term.span,
        text,
    ));
    Ok((rest, term))
}
