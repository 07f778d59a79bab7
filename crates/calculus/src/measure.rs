//! Depth and size (Figs. depth-of-reverse-handlers and size-of-derivation-trees). The paper's |H|
//! is a sum over the signature; here the sum runs over the operations that can reach the handler,
//! which are its clauses.

use crate::command::{Command, CommandKind};
use crate::handler::{OrdinaryHandler, ReverseHandler};
use crate::term::{Term, TermKind};

/// dep(P): nesting depth of reverse handlers. Ordinary handlers count like reverse handlers.
pub fn depth(command: &Command) -> usize {
    match command.kind() {
        CommandKind::Pure(_) | CommandKind::Perform(..) | CommandKind::Resume(..) => 0,
        CommandKind::Let { bound, body, .. } => depth(bound).max(depth(body)),
        CommandKind::RevHandle { body, handler, .. } => 1 + depth(body).max(handler_depth(handler)),
        CommandKind::Handled(handled) => depth(&handled.body).max(handler_depth(&handled.handler)),
        CommandKind::Feedback { feedback, .. } => depth(&feedback.body),
        CommandKind::Handle { body, handler } => 1 + depth(body).max(ordinary_depth(handler)),
    }
}

/// dep(H), the nesting depth of a reverse handler.
pub fn handler_depth(handler: &ReverseHandler) -> usize {
    let clauses = handler
        .clauses
        .values()
        .map(|clause| depth(&clause.forward).max(depth(&clause.backward)));
    depth(&handler.return_clause.body).max(clauses.max().unwrap_or(0))
}

/// dep(H) of an ordinary handler, counted like a reverse handler.
pub fn ordinary_depth(handler: &OrdinaryHandler) -> usize {
    let clauses = handler.clauses.values().map(|clause| depth(&clause.body));
    depth(&handler.return_clause.body).max(clauses.max().unwrap_or(0))
}

/// |P|: size of the typing derivation of P.
pub fn size(command: &Command) -> usize {
    match command.kind() {
        CommandKind::Pure(m) => term_size(m),
        CommandKind::Perform(_, m) | CommandKind::Resume(_, m) => 2 + term_size(m),
        CommandKind::Let { bound, body, .. } => 1 + size(bound) + size(body),
        CommandKind::RevHandle {
            argument,
            body,
            handler,
            ..
        } => 1 + term_size(argument) + size(body) + handler_size(handler),
        CommandKind::Handled(handled) => {
            let values: usize = handled.values.iter().map(term_size).sum();
            1 + values + size(&handled.body) + handler_size(&handled.handler)
        }
        // The size does not depend on n: the loop stands for all its moments.
        CommandKind::Feedback { argument, feedback } => {
            1 + term_size(argument) + size(&feedback.body)
        }
        CommandKind::Handle { body, handler } => 1 + size(body) + ordinary_size(handler),
    }
}

/// |H|, the size of a reverse handler.
pub fn handler_size(handler: &ReverseHandler) -> usize {
    let clauses = handler
        .clauses
        .values()
        .map(|clause| size(&clause.forward) + size(&clause.backward));
    1 + size(&handler.return_clause.body) + clauses.sum::<usize>()
}

/// |H| of an ordinary handler, counted like a reverse handler.
pub fn ordinary_size(handler: &OrdinaryHandler) -> usize {
    let clauses = handler.clauses.values().map(|clause| size(&clause.body));
    1 + size(&handler.return_clause.body) + clauses.sum::<usize>()
}

/// |M|, the size of a term.
pub fn term_size(term: &Term) -> usize {
    match term.kind() {
        TermKind::Variable(_) | TermKind::Constant(_) => 1,
        TermKind::Apply(_, m) | TermKind::Project(_, m) => 1 + term_size(m),
        TermKind::Add(m, n) | TermKind::Let(_, m, n) => 1 + term_size(m) + term_size(n),
        TermKind::Tuple(components) => 1 + components.iter().map(term_size).sum::<usize>(),
        TermKind::ReverseDerivative {
            cotangent,
            body,
            point,
            ..
        } => 1 + term_size(cotangent) + term_size(body) + term_size(point),
    }
}
