//! Paths in a command: the numbers of the children from the whole of it down to a node.

use crate::command::{Command, CommandKind};
use crate::part::Part;
use crate::term::TermKind;
use crate::variable::Variable;

/// Child number `index` of a node.
pub fn child(part: Part<'_>, index: usize) -> Option<Part<'_>> {
    let mut found = None;
    let mut position = 0;
    part.each_child(&mut |child| {
        if position == index {
            found = Some(child);
        }
        position += 1;
    });
    found
}

/// The node at a path.
pub fn at<'c>(command: &'c Command, path: &[usize]) -> Option<Part<'c>> {
    path.iter()
        .try_fold(Part::Command(command), |part, index| child(part, *index))
}

/// The variables that a node binds in child number `index`.
pub fn bound_in(part: Part<'_>, index: usize) -> &[Variable] {
    let body = match part {
        Part::Command(command) => match command.kind() {
            CommandKind::Let { .. } | CommandKind::RevHandle { .. } => Some(1),
            CommandKind::Handled { values, .. } => Some(values.len()),
            _ => None,
        },
        Part::Term(term) => match term.kind() {
            TermKind::Let(..) | TermKind::ReverseDerivative { .. } => Some(1),
            _ => None,
        },
    };
    if body == Some(index) {
        part.variables()
    } else {
        &[]
    }
}
