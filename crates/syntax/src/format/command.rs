//! Layout of commands, and of the `let`s that commands and terms share: one `let` per line, its body
//! below it.

use super::comments::Gap;
use super::doc::Doc;
use super::printer::Printer;
use crate::span::Spanned;
use crate::tree::{
    Command, CommandKind, Handler, HandlerCall, HandlerKind, Pattern, Term, TermKind,
};

/// Maximum number of `let`s on a line, provided they share one in the source.
const MAX_ON_A_LINE: usize = 2;

/// Components of a `let`: pattern, bound syntax, body.
type LetParts<'t, K> = (&'t Pattern, &'t Spanned<K>, &'t Spanned<K>);

/// True if a command that does not fit on one line is laid out as a block.
pub(super) fn is_block(command: &Command) -> bool {
    use CommandKind::{Feedback, Handle, Iterate, RevHandle};
    matches!(
        command.node,
        RevHandle { .. } | Handle { .. } | Iterate { .. } | Feedback { .. }
    )
}

impl<'a> Printer<'a> {
    /// Lays out a command.
    pub(super) fn command(&mut self, command: &Command) -> Doc<'a> {
        let docs = self.docs;
        let brackets = self.brackets_around(command.span, 0);
        self.inside_brackets(brackets, |p| match &command.node {
            CommandKind::Let(..) => p.lets(
                command,
                |command| match &command.node {
                    CommandKind::Let(pattern, bound, body) => Some((pattern, &**bound, &**body)),
                    _ => None,
                },
                Self::bound_command,
                Self::command,
            ),
            CommandKind::RevHandle {
                argument,
                patterns,
                body,
                handler,
            } => {
                let words = docs.cat([p.token(), p.gap(Gap::Space), p.token()]);
                let head = docs.cat([words, p.input(argument, patterns), p.token()]);
                p.handled(head, body, handler)
            }
            CommandKind::Handle { body, handler } => {
                let head = p.token();
                p.handled(head, body, handler)
            }
            CommandKind::Iterate {
                variable,
                count,
                argument,
                patterns,
                body,
            } => {
                let word = p.token();
                let range = p.bracketed(|p| {
                    let variable = p.name(variable);
                    let colon = p.spaced(Gap::Space, Gap::Space);
                    docs.cat([variable, colon, p.size(count)])
                });
                let head = docs.cat([word, range, p.input(argument, patterns), p.token()]);
                let body = p.indented(|p| docs.cat([p.gap(Gap::Line), p.command(body)]));
                docs.group(docs.cat([head, body]))
            }
            CommandKind::Feedback {
                count,
                argument,
                patterns,
                body,
            } => {
                let word = p.token();
                let count = p.bracketed(|p| p.size(count));
                let head = docs.cat([word, count, p.input(argument, patterns), p.token()]);
                let body = p.indented(|p| docs.cat([p.gap(Gap::Line), p.command(body)]));
                docs.group(docs.cat([head, body]))
            }
            CommandKind::Pure(term) => {
                let open = p.bracket_word("⌊", "pure(");
                let inside = [p.gap(Gap::None), p.term(term), p.close_bracket_word("⌋")];
                docs.cat([open, docs.align(docs.cat(inside))])
            }
            CommandKind::Call {
                name,
                indices,
                arguments,
            } => {
                let callee = docs.cat([p.name(name), p.indices(indices)]);
                docs.cat([callee, p.arguments(arguments)])
            }
            CommandKind::Resume(continuation, argument) => {
                let continuation = p.name(continuation);
                let resume = p.spaced(Gap::Space, Gap::Space);
                docs.cat([continuation, resume, p.term(argument)])
            }
            CommandKind::Error => docs.nil,
        })
    }

    /// Lays out a chain of `let p ⇐ P in` or `let p ← M in` and its body. Every `let` has a line of its
    /// own, unless the chain is short, shares a line in the source and fits there. `parts` destructures
    /// a `let`; `bound` and `body` lay out its components.
    pub(super) fn lets<K>(
        &mut self,
        start: &Spanned<K>,
        parts: impl Fn(&Spanned<K>) -> Option<LetParts<'_, K>>,
        bound: impl Fn(&mut Self, &Spanned<K>) -> Doc<'a>,
        body: impl Fn(&mut Self, &Spanned<K>) -> Doc<'a>,
    ) -> Doc<'a> {
        let docs = self.docs;
        let source = self.text.source;
        // A `let` in brackets starts a chain of its own.
        let goes_on = |node: &Spanned<K>| {
            let rest = source.get(node.span.start as usize..).unwrap_or("");
            parts(node).is_some() && rest.starts_with("let")
        };
        let mut count = 0;
        let mut was_broken = false;
        let mut node = start;
        while let Some((_, _, body)) = parts(node) {
            count += 1;
            was_broken |= self.breaks_before(self.token_from(body.span.start));
            node = body;
            if count > MAX_ON_A_LINE || !goes_on(node) {
                break;
            }
        }
        let after_in = if count > MAX_ON_A_LINE || was_broken {
            Gap::Hard
        } else {
            Gap::Line
        };
        let mut links = Vec::new();
        let mut node = start;
        while let Some((pattern, value, rest)) = parts(node) {
            links.extend([self.token(), self.gap(Gap::Space), self.pattern(pattern)]);
            links.extend([self.gap(Gap::Space), self.token(), bound(self, value)]);
            links.push(self.spaced(Gap::Space, after_in));
            node = rest;
            if !goes_on(node) {
                break;
            }
        }
        links.push(body(self, node));
        docs.group(docs.align(docs.cat(links)))
    }

    /// Lays out a command bound by a `let`, after the arrow.
    pub(super) fn bound_command(&mut self, command: &Command) -> Doc<'a> {
        if is_block(command) {
            self.beside(command)
        } else {
            self.hanging(|p| p.command(command))
        }
    }

    /// Lays out a term bound by a `let`, after the arrow.
    pub(super) fn bound_term(&mut self, term: &Term) -> Doc<'a> {
        self.hanging(|p| p.term(term))
    }

    /// Places the content after the current text if it fits there, else on the next line, indented.
    pub(super) fn hanging(&mut self, content: impl FnOnce(&mut Self) -> Doc<'a>) -> Doc<'a> {
        let docs = self.docs;
        let hanging = self.indented(|p| docs.cat([p.gap(Gap::Line), content(p)]));
        docs.group(hanging)
    }

    /// Places a command after the current text, with all its lines in the column of the first.
    pub(super) fn beside(&mut self, command: &Command) -> Doc<'a> {
        if self.comment_breaks() {
            return self.hanging(|p| p.command(command));
        }
        let docs = self.docs;
        let gap = self.gap(Gap::Space);
        docs.cat([gap, docs.align(self.command(command))])
    }

    /// Lays out `(M)⟨p, …⟩`, the input of `rev handle`, `iterate` and `feedback`.
    fn input(&mut self, argument: &Term, patterns: &[Pattern]) -> Doc<'a> {
        let docs = self.docs;
        let is_group = argument.span.start == self.start();
        let argument = match &argument.node {
            TermKind::Unit if is_group => self.arguments(&[]),
            TermKind::Tuple(parts) if is_group => self.arguments(parts),
            _ => self.arguments(std::slice::from_ref(argument)),
        };
        docs.cat([argument, self.patterns(patterns)])
    }

    /// Lays out `head P with H`.
    fn handled(&mut self, head: Doc<'a>, body: &Command, handler: &Handler) -> Doc<'a> {
        let docs = self.docs;
        let was_below = self.breaks_before(self.at.token);
        let gap = if was_below { Gap::Hard } else { Gap::Line };
        let body = self.indented(|p| docs.cat([p.gap(gap), p.command(body)]));
        let with = self.spaced(Gap::Line, Gap::Space);
        let front = docs.cat([docs.group(docs.cat([head, body])), with]);
        match &handler.node {
            HandlerKind::Call(call) => docs.group(docs.cat([front, self.handler_call(call)])),
            HandlerKind::Literal(clauses) => self.clauses(front, clauses),
        }
    }

    /// Lays out `H[ℓ](M)`, or `H` without arguments.
    pub(super) fn handler_call(&mut self, call: &HandlerCall) -> Doc<'a> {
        let docs = self.docs;
        let name = docs.cat([self.name(&call.name), self.indices(&call.indices)]);
        // A parenthesis here may be part of the surrounding syntax rather than of the call; the span of
        // the call decides.
        let has_arguments = call.span.end > self.end_of_previous();
        if has_arguments {
            docs.cat([name, self.arguments(&call.arguments)])
        } else {
            name
        }
    }

    fn end_of_previous(&self) -> u32 {
        let before = self.at.token.checked_sub(1);
        let before = before.and_then(|at| self.text.tokens.get(at));
        before.map_or(0, |token| token.span.end)
    }
}
