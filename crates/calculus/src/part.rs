//! Commands and terms as nodes of one tree, with numbered children.

use crate::command::{Command, CommandKind};
use crate::term::{Term, TermKind};
use crate::variable::{Origin, Variable};

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
pub enum Part<'c> {
    /// A command.
    Command(&'c Command),
    /// A term.
    Term(&'c Term),
}

impl<'c> Part<'c> {
    /// Child number `index`, from 0. The children of a `let` are its bound command and its body; those of RH are
    /// its values and its body; those of other nodes stand in the order of writing. Handlers are no children.
    pub fn child(self, index: usize) -> Option<Part<'c>> {
        match self {
            Part::Command(command) => match (command.kind(), index) {
                (
                    CommandKind::Pure(m)
                    | CommandKind::Perform(_, m)
                    | CommandKind::Resume(_, m)
                    | CommandKind::RevHandle { argument: m, .. }
                    | CommandKind::Feedback { argument: m, .. },
                    0,
                ) => Some(Part::Term(m)),
                (CommandKind::Let { bound: p, .. } | CommandKind::Handle { body: p, .. }, 0)
                | (CommandKind::Let { body: p, .. } | CommandKind::RevHandle { body: p, .. }, 1) => {
                    Some(Part::Command(p))
                }
                (CommandKind::Feedback { feedback, .. }, 1) => Some(Part::Command(&feedback.body)),
                (CommandKind::Handled(handled), _) if index == handled.values.len() => {
                    Some(Part::Command(&handled.body))
                }
                (CommandKind::Handled(handled), _) => handled.values.get(index).map(Part::Term),
                _ => None,
            },
            Part::Term(term) => {
                let child = match (term.kind(), index) {
                    (TermKind::Apply(_, m) | TermKind::Project(_, m), 0)
                    | (TermKind::Add(m, _) | TermKind::Let(_, m, _), 0)
                    | (TermKind::Add(_, m) | TermKind::Let(_, _, m), 1)
                    | (TermKind::ReverseDerivative { cotangent: m, .. }, 0)
                    | (TermKind::ReverseDerivative { body: m, .. }, 1)
                    | (TermKind::ReverseDerivative { point: m, .. }, 2) => Some(m),
                    (TermKind::Tuple(parts), _) => parts.get(index),
                    _ => None,
                };
                child.map(Part::Term)
            }
        }
    }

    /// Children, in order.
    pub fn children(self) -> impl Iterator<Item = Part<'c>> {
        (0..).map_while(move |index| self.child(index))
    }

    /// Returns the node that the path leads to.
    pub fn at(self, path: &[usize]) -> Option<Part<'c>> {
        path.iter().try_fold(self, |node, index| node.child(*index))
    }

    /// The command, if the node is one.
    pub fn command(self) -> Option<&'c Command> {
        match self {
            Part::Command(command) => Some(command),
            Part::Term(_) => None,
        }
    }

    /// Variables that the node itself names: those it binds, or the variable that it is.
    pub fn variables(self) -> &'c [Variable] {
        match self {
            Part::Command(command) => match command.kind() {
                CommandKind::Let { variable, .. } | CommandKind::Resume(variable, _) => {
                    std::slice::from_ref(variable)
                }
                CommandKind::RevHandle { variables, .. } => variables,
                CommandKind::Handled(handled) => &handled.variables,
                CommandKind::Feedback { feedback, .. } => &feedback.variables,
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

    /// Variables that the node binds in child number `index`.
    pub fn bound_in(self, index: usize) -> &'c [Variable] {
        let scope = match self {
            Part::Command(command) => match command.kind() {
                CommandKind::Let { .. }
                | CommandKind::RevHandle { .. }
                | CommandKind::Feedback { .. } => Some(1),
                CommandKind::Handled(handled) => Some(handled.values.len()),
                _ => None,
            },
            Part::Term(term) => match term.kind() {
                TermKind::Let(..) | TermKind::ReverseDerivative { .. } => Some(1),
                _ => None,
            },
        };
        if scope == Some(index) {
            self.variables()
        } else {
            &[]
        }
    }

    /// Origin.
    pub fn origin(self) -> Origin {
        match self {
            Part::Command(command) => command.origin(),
            Part::Term(term) => term.origin(),
        }
    }

    /// Address that distinguishes this node of the shared tree from all other live nodes.
    pub fn identity(self) -> usize {
        match self {
            Part::Command(command) => command.identity(),
            Part::Term(term) => term.identity(),
        }
    }

    /// True if the node has more than `limit` nodes, itself included; visits at most `limit` + 1 nodes.
    pub fn exceeds(self, limit: usize) -> bool {
        let mut left = limit + 1;
        self.spend(&mut left);
        left == 0
    }

    fn spend(self, left: &mut usize) {
        if *left > 0 {
            *left -= 1;
            self.children().for_each(|child| child.spend(left));
        }
    }
}
