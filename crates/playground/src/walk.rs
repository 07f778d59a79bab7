//! Places in a command: child numbers from the whole of it, as in `fletch_reduction::Locus`.

use crate::names::Names;
use crate::parts::Part;
use crate::print::Folds;
use crate::trace::Trace;
use crate::view;
use fletch_calculus::{Command, CommandKind, TermKind, Variable};
use fletch_reduction::Locus;

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

/// Child numbers from the whole command.
pub(crate) fn whole_path(locus: &Locus) -> Vec<usize> {
    let mut path = vec![0; locus.frames];
    path.extend(&locus.path);
    path
}

/// The names that the state has on the page, with those in scope at a place.
pub(crate) fn names(trace: &Trace, position: usize, command: &Command, path: &[usize]) -> Names {
    let last = position.checked_sub(1).and_then(|last| trace.step(last));
    let folds = Folds::around(command, &view::centre(trace.step(position), last));
    let mut names = Names::of(command, &folds, trace.first_introduced);
    let mut here = Part::Command(command);
    for index in path {
        for variable in bound_in(here, *index) {
            names.enter(variable);
        }
        match child(here, *index) {
            Some(child) => here = child,
            None => break,
        }
    }
    names
}
