//! Uniform traversal of the surface syntax. It finds the pieces of syntax that enclose a selection, and the subject in a
//! derivation that corresponds to each. Nodes of the calculus know their origins.

use fletch_calculus::Origin;
use fletch_syntax::Span;
use fletch_syntax::tree::{
    Clause, ClauseKind, Command, CommandKind, Handler, HandlerKind, Item, ItemKind, Pattern,
    PatternKind, Program, SymbolKind, Term, TermKind,
};

/// A piece of the surface syntax that has a derivation, or contains pieces that have one.
#[derive(Clone, Copy)]
enum Surface<'p> {
    Item(&'p Item),
    Command(&'p Command),
    Term(&'p Term),
    Handler(&'p Handler),
    Clause(&'p Clause),
    Pattern(&'p Pattern),
}

/// Subject to look for in a derivation, by its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sought {
    /// A term that is no `let`.
    Term(Origin),
    /// A `let` of terms.
    TermLet(Origin),
    /// A command that is no `let`.
    Command(Origin),
    /// A `let` of commands.
    CommandLet(Origin),
    /// A `let` of terms or of commands, given by the origin of its pattern.
    Let(Origin),
    /// The handler of a handled command, given by the origin of the command.
    HandlerOf(Origin),
    /// A declared handler.
    Handler(Origin),
    /// A clause of a handler.
    Clause(Origin),
}

impl<'p> Surface<'p> {
    /// Source span.
    fn span(self) -> Span {
        match self {
            Surface::Item(item) => item.span,
            Surface::Command(command) => command.span,
            Surface::Term(term) => term.span,
            Surface::Handler(handler) => handler.span,
            Surface::Clause(clause) => clause.span,
            Surface::Pattern(pattern) => pattern.span,
        }
    }

    /// Pieces directly inside, in source order.
    fn parts(self) -> Vec<Surface<'p>> {
        match self {
            Surface::Item(item) => match &item.node {
                ItemKind::Fun(decl) => vec![Surface::Term(&decl.body)],
                ItemKind::Command(decl) => vec![Surface::Command(&decl.body)],
                ItemKind::Handler(decl) => decl.clauses.iter().map(Surface::Clause).collect(),
                ItemKind::Train(decl) => vec![Surface::Command(&decl.body)],
                ItemKind::Measure(decl) => vec![Surface::Command(&decl.body)],
                ItemKind::Predict(decl) => vec![Surface::Command(&decl.body)],
                ItemKind::Main(body) => vec![Surface::Command(body)],
                ItemKind::Dim(_) | ItemKind::Loc(_) | ItemKind::Op(_) | ItemKind::Data(_) => {
                    Vec::new()
                }
            },
            Surface::Command(command) => command_parts(command),
            Surface::Term(term) => term_parts(term),
            Surface::Handler(handler) => match &handler.node {
                HandlerKind::Literal(clauses) => clauses.iter().map(Surface::Clause).collect(),
                HandlerKind::Call(_) => Vec::new(),
            },
            Surface::Clause(clause) => match &clause.node {
                ClauseKind::Return(pattern, body) => {
                    vec![Surface::Pattern(pattern), Surface::Command(body)]
                }
                ClauseKind::Reverse {
                    forward_pattern,
                    forward,
                    cotangent,
                    saved,
                    backward,
                    ..
                } => vec![
                    Surface::Pattern(forward_pattern),
                    Surface::Command(forward),
                    Surface::Pattern(cotangent),
                    Surface::Pattern(saved),
                    Surface::Command(backward),
                ],
                ClauseKind::Ordinary { pattern, body, .. } => {
                    vec![Surface::Pattern(pattern), Surface::Command(body)]
                }
            },
            Surface::Pattern(pattern) => match &pattern.node {
                PatternKind::Tuple(parts) => parts.iter().map(Surface::Pattern).collect(),
                PatternKind::Name(_) | PatternKind::Wildcard => Vec::new(),
            },
        }
    }

    /// Subject that corresponds to this piece in a derivation.
    fn sought(self, program: &Program) -> Option<Sought> {
        match self {
            Surface::Item(item) => match &item.node {
                ItemKind::Handler(decl) => Some(Sought::Handler(origin(decl.name.span))),
                _ => self.parts().first().and_then(|body| body.sought(program)),
            },
            Surface::Command(command) => match &command.node {
                CommandKind::Error => None,
                CommandKind::Let(pattern, ..) => {
                    Some(Sought::CommandLet(origin(command.span.to(pattern.span))))
                }
                CommandKind::Iterate { .. } => Some(Sought::CommandLet(origin(command.span))),
                CommandKind::Call {
                    name, arguments, ..
                } => match definition(program, &name.text, true) {
                    None => Some(Sought::Command(origin(command.span))),
                    Some(body) => match arguments.first() {
                        Some(first) => Some(Sought::CommandLet(origin(first.span))),
                        None => body.sought(program),
                    },
                },
                CommandKind::RevHandle { .. }
                | CommandKind::Handle { .. }
                | CommandKind::Pure(_)
                | CommandKind::Feedback { .. }
                | CommandKind::Resume(..) => Some(Sought::Command(origin(command.span))),
            },
            Surface::Term(term) => match &term.node {
                TermKind::Error => None,
                TermKind::Let(..) => Some(Sought::TermLet(origin(term.span))),
                TermKind::Call(symbol, arguments) => {
                    let called = match &symbol.node {
                        SymbolKind::Named(name, _) => definition(program, &name.text, false),
                        SymbolKind::Reverse(_) => None,
                    };
                    match (called, arguments.first()) {
                        (None, _) => Some(Sought::Term(origin(term.span))),
                        (Some(_), Some(first)) => Some(Sought::TermLet(origin(first.span))),
                        (Some(body), None) => body.sought(program),
                    }
                }
                _ => Some(Sought::Term(origin(term.span))),
            },
            // The handled command around it gives the subject, see [`sought`].
            Surface::Handler(_) => None,
            Surface::Clause(clause) => Some(Sought::Clause(origin(clause.span))),
            Surface::Pattern(pattern) => Some(Sought::Let(origin(pattern.span))),
        }
    }
}

fn command_parts(command: &Command) -> Vec<Surface<'_>> {
    match &command.node {
        CommandKind::Let(pattern, bound, body) => vec![
            Surface::Pattern(pattern),
            Surface::Command(bound),
            Surface::Command(body),
        ],
        CommandKind::RevHandle {
            argument,
            patterns,
            body,
            handler,
        } => std::iter::once(Surface::Term(argument))
            .chain(patterns.iter().map(Surface::Pattern))
            .chain([Surface::Command(body), Surface::Handler(handler)])
            .collect(),
        CommandKind::Handle { body, handler } => {
            vec![Surface::Command(body), Surface::Handler(handler)]
        }
        CommandKind::Iterate {
            argument,
            patterns,
            body,
            ..
        }
        | CommandKind::Feedback {
            argument,
            patterns,
            body,
            ..
        } => std::iter::once(Surface::Term(argument))
            .chain(patterns.iter().map(Surface::Pattern))
            .chain([Surface::Command(body)])
            .collect(),
        CommandKind::Pure(term) | CommandKind::Resume(_, term) => vec![Surface::Term(term)],
        CommandKind::Call { arguments, .. } => arguments.iter().map(Surface::Term).collect(),
        CommandKind::Error => Vec::new(),
    }
}

fn term_parts(term: &Term) -> Vec<Surface<'_>> {
    match &term.node {
        TermKind::Tuple(parts) | TermKind::Call(_, parts) => {
            parts.iter().map(Surface::Term).collect()
        }
        TermKind::Let(pattern, bound, body) => vec![
            Surface::Pattern(pattern),
            Surface::Term(bound),
            Surface::Term(body),
        ],
        TermKind::Binary(_, left, right) => vec![Surface::Term(left), Surface::Term(right)],
        TermKind::Negate(inner) | TermKind::Transpose(inner) | TermKind::Projection(inner, _) => {
            vec![Surface::Term(inner)]
        }
        TermKind::ReverseDerivative {
            cotangent,
            body,
            point,
            ..
        } => vec![
            Surface::Term(cotangent),
            Surface::Term(body),
            Surface::Term(point),
        ],
        TermKind::Variable(_)
        | TermKind::Literal(_)
        | TermKind::Unit
        | TermKind::Zero(_)
        | TermKind::Error => Vec::new(),
    }
}

/// The body of the declared command or function of this name.
fn definition<'p>(program: &'p Program, name: &str, command: bool) -> Option<Surface<'p>> {
    program.items.iter().find_map(|item| match &item.node {
        ItemKind::Command(decl) if command && *decl.name.text == *name => {
            Some(Surface::Command(&decl.body))
        }
        ItemKind::Fun(decl) if !command && *decl.name.text == *name => {
            Some(Surface::Term(&decl.body))
        }
        _ => None,
    })
}

/// Pieces of syntax that enclose a selection, outermost first.
fn around(program: &Program, selection: Span) -> Vec<Surface<'_>> {
    let contains = |part: &Surface<'_>| {
        let span = part.span();
        span.start <= selection.start && selection.end <= span.end
    };
    let mut found = Vec::new();
    let mut level: Vec<Surface<'_>> = program.items.iter().map(Surface::Item).collect();
    // Reversed, so that the piece that begins at the cursor precedes the piece that ends there.
    while let Some(inner) = level.into_iter().rev().find(contains) {
        found.push(inner);
        level = inner.parts();
    }
    found
}

/// Subjects that enclose a selection, innermost first, each with its span.
pub(super) fn sought(program: &Program, selection: Span) -> Vec<(Sought, Span)> {
    let around = around(program, selection);
    let mut found = Vec::new();
    let mut command = None;
    for part in around {
        let sought = match (part, command) {
            (Surface::Handler(_), Some(whole)) => Some(Sought::HandlerOf(origin(whole))),
            _ => part.sought(program),
        };
        if let Surface::Command(it) = part {
            command = Some(it.span);
        }
        found.extend(sought.map(|sought| (sought, part.span())));
    }
    found.reverse();
    found
}

pub(super) fn origin(span: Span) -> Origin {
    Origin {
        start: span.start,
        end: span.end,
        occurrence: 0,
    }
}
