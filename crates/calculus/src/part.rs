//! Commands and terms as nodes of one tree, for walks that treat both alike. A path is the
//! numbers of the children from a node down.

use crate::command::{Command, CommandKind};
use crate::term::{Term, TermKind};
use crate::variable::{Origin, Variable};

/// The term that a head evaluates first: M of ⌊M⌋, Op(M) and rev handle(M).
pub fn argument(head: &Command) -> Option<&Term> {
    match head.kind() {
        CommandKind::Pure(m)
        | CommandKind::Perform(_, m)
        | CommandKind::RevHandle { argument: m, .. } => Some(m),
        _ => None,
    }
}

/// A node.
#[derive(Clone, Copy)]
pub enum Part<'c> {
    /// A command.
    Command(&'c Command),
    /// A term.
    Term(&'c Term),
}

impl<'c> Part<'c> {
    /// Visits the children in order.
    pub fn each_child(self, visit: &mut dyn FnMut(Part<'c>)) {
        match self {
            Part::Command(command) => match command.kind() {
                CommandKind::Pure(m) | CommandKind::Perform(_, m) | CommandKind::Resume(_, m) => {
                    visit(Part::Term(m));
                }
                CommandKind::Let { bound, body, .. } => {
                    visit(Part::Command(bound));
                    visit(Part::Command(body));
                }
                CommandKind::RevHandle { argument, body, .. } => {
                    visit(Part::Term(argument));
                    visit(Part::Command(body));
                }
                CommandKind::Handled { values, body, .. } => {
                    values.iter().for_each(|value| visit(Part::Term(value)));
                    visit(Part::Command(body));
                }
                CommandKind::Handle { body, .. } => visit(Part::Command(body)),
            },
            Part::Term(term) => match term.kind() {
                TermKind::Variable(_) | TermKind::Constant(_) => {}
                TermKind::Apply(_, m) | TermKind::Project(_, m) => visit(Part::Term(m)),
                TermKind::Tuple(parts) => parts.iter().for_each(|part| visit(Part::Term(part))),
                TermKind::Add(m, n) | TermKind::Let(_, m, n) => {
                    visit(Part::Term(m));
                    visit(Part::Term(n));
                }
                TermKind::ReverseDerivative {
                    cotangent,
                    body,
                    point,
                    ..
                } => {
                    visit(Part::Term(cotangent));
                    visit(Part::Term(body));
                    visit(Part::Term(point));
                }
            },
        }
    }

    /// The variables that the node itself names: what it binds, or is.
    pub fn variables(self) -> &'c [Variable] {
        match self {
            Part::Command(command) => match command.kind() {
                CommandKind::Let { variable, .. } | CommandKind::Resume(variable, _) => {
                    std::slice::from_ref(variable)
                }
                CommandKind::RevHandle { variables, .. }
                | CommandKind::Handled { variables, .. } => variables,
                CommandKind::Pure(_) | CommandKind::Perform(..) | CommandKind::Handle { .. } => &[],
            },
            Part::Term(term) => match term.kind() {
                TermKind::Variable(variable)
                | TermKind::Let(variable, ..)
                | TermKind::ReverseDerivative { variable, .. } => std::slice::from_ref(variable),
                _ => &[],
            },
        }
    }

    /// Where it comes from.
    pub fn origin(self) -> Origin {
        match self {
            Part::Command(command) => command.origin(),
            Part::Term(term) => term.origin(),
        }
    }

    /// Which node of the shared tree this is.
    pub fn identity(self) -> usize {
        match self {
            Part::Command(command) => command.identity(),
            Part::Term(term) => term.identity(),
        }
    }

    /// Whether there are more nodes than this; looks at no more than that.
    pub fn exceeds(self, limit: usize) -> bool {
        let mut left = limit + 1;
        self.spend(&mut left);
        left == 0
    }

    fn spend(self, left: &mut usize) {
        if *left > 0 {
            *left -= 1;
            self.each_child(&mut |child| child.spend(left));
        }
    }
}
