//! Traversals of the commands and terms inside a command.

use fletch_syntax::tree::{Command, CommandKind, Pattern, PatternKind, Term, TermKind};
use std::collections::BTreeSet;

/// Calls `look` for a command and all commands inside it, except those in handlers.
pub(super) fn commands(command: &Command, look: &mut dyn FnMut(&Command)) {
    look(command);
    match &command.node {
        CommandKind::Let(_, bound, rest) => {
            commands(bound, look);
            commands(rest, look);
        }
        CommandKind::RevHandle { body, .. }
        | CommandKind::Handle { body, .. }
        | CommandKind::Iterate { body, .. }
        | CommandKind::Feedback { body, .. } => commands(body, look),
        CommandKind::Pure(_)
        | CommandKind::Call { .. }
        | CommandKind::Resume(..)
        | CommandKind::Error => {}
    }
}

/// Calls `look` for all terms of a command and the terms inside them.
pub(super) fn terms(command: &Command, look: &mut dyn FnMut(&Term)) {
    commands(command, &mut |command| match &command.node {
        CommandKind::RevHandle { argument, .. }
        | CommandKind::Iterate { argument, .. }
        | CommandKind::Feedback { argument, .. } => inside(argument, look),
        CommandKind::Pure(term) | CommandKind::Resume(_, term) => inside(term, look),
        CommandKind::Call { arguments, .. } => {
            arguments.iter().for_each(|argument| inside(argument, look));
        }
        CommandKind::Let(..) | CommandKind::Handle { .. } | CommandKind::Error => {}
    });
}

fn inside(term: &Term, look: &mut dyn FnMut(&Term)) {
    look(term);
    match &term.node {
        TermKind::Tuple(parts) | TermKind::Call(_, parts) => {
            parts.iter().for_each(|part| inside(part, look));
        }
        TermKind::Let(_, one, other) | TermKind::Binary(_, one, other) => {
            inside(one, look);
            inside(other, look);
        }
        TermKind::Negate(of) | TermKind::Transpose(of) | TermKind::Projection(of, _) => {
            inside(of, look);
        }
        TermKind::ReverseDerivative {
            cotangent,
            body,
            point,
            ..
        } => [cotangent, body, point]
            .into_iter()
            .for_each(|part| inside(part, look)),
        TermKind::Variable(_)
        | TermKind::Literal(_)
        | TermKind::Unit
        | TermKind::Zero(_)
        | TermKind::Error => {}
    }
}

/// The names that a command and its terms bind.
pub(super) fn bound(command: &Command) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    commands(command, &mut |command| match &command.node {
        CommandKind::Let(pattern, ..) => of_pattern(pattern, &mut names),
        CommandKind::RevHandle { patterns, .. }
        | CommandKind::Iterate { patterns, .. }
        | CommandKind::Feedback { patterns, .. } => {
            patterns
                .iter()
                .for_each(|pattern| of_pattern(pattern, &mut names));
        }
        _ => {}
    });
    terms(command, &mut |term| match &term.node {
        TermKind::Let(pattern, ..) => of_pattern(pattern, &mut names),
        TermKind::ReverseDerivative { variable, .. } => {
            names.insert(variable.text.to_string());
        }
        _ => {}
    });
    names
}

/// The names that a command and its terms bind or use.
pub(crate) fn names(command: &Command) -> BTreeSet<String> {
    let mut names = bound(command);
    terms(command, &mut |term| {
        if let TermKind::Variable(name) = &term.node {
            names.insert(name.text.to_string());
        }
    });
    names
}

fn of_pattern(pattern: &Pattern, names: &mut BTreeSet<String>) {
    match &pattern.node {
        PatternKind::Name(name) => {
            names.insert(name.text.to_string());
        }
        PatternKind::Wildcard => {}
        PatternKind::Tuple(parts) => parts.iter().for_each(|part| of_pattern(part, names)),
    }
}
