//! Places in a command: child numbers from the whole of it, as in `fletch_reduction::Locus`.

use crate::parts::Part;
use fletch_calculus::{Command, CommandKind, TermKind, Variable};

/// Child number `index` of a node.
pub(crate) fn child(part: Part<'_>, index: usize) -> Option<Part<'_>> {
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

/// The node at a place.
pub(crate) fn at<'c>(command: &'c Command, path: &[usize]) -> Option<Part<'c>> {
    path.iter()
        .try_fold(Part::Command(command), |part, index| child(part, *index))
}

/// The variables that a node binds in child number `index`.
pub(crate) fn bound_in(part: Part<'_>, index: usize) -> &[Variable] {
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
