//! A derivation as it is displayed: the tree, the enclosing derivations, measures and operations, and one judgement in full.

use super::derivation::{Deriving, Detail, Place, Shown};
use super::environments::Environments;
use super::outward::{OutwardPath, outward_path};
use super::tree::{self, Wishes};
use super::{Target, Types, judgement, latex, rules};
use crate::clip;
use crate::program::Program;
use fletch_calculus::typing::{Derivation, Subject};
use fletch_calculus::{
    CommandKind, OperationRef, depth, handler_depth, handler_size, ordinary_depth, ordinary_size,
    size, term_size,
};
use fletch_ide::place;
use fletch_print::numbers::Digits;
use fletch_print::{Folds, Marks, Names, Style, Values, fitted, lines, term_lines};
use fletch_print::{Line, Piece};
use fletch_syntax::LineIndex;
use std::collections::BTreeSet;

/// Maximum number of operations listed.
const OPERATIONS: usize = 12;

/// Minimum width of the layout of a full subject, in characters.
const NARROWEST: usize = 24;

/// Makes the display of the derivation of a target; `None` if its position does not exist.
pub(super) fn show(
    program: &Program,
    types: &Types,
    target: &Target,
    asked: &Deriving,
) -> Option<Shown> {
    let index = &program.checked.index;
    let OutwardPath {
        derivation,
        mut environments,
        environment,
        around,
    } = outward_path(program, types, target)?;
    let wishes = Wishes {
        room: asked.room,
        opened: &asked.opened,
        folded: &asked.folded,
        clause: &target.found.clause,
    };
    let (tree, shown) = tree::tree(derivation, environment, &mut environments, &wishes, index);
    let legend = environments.legend();
    let latex = latex::document(&tree, &legend);
    let mut operations = BTreeSet::new();
    performed(derivation, &mut operations);
    let (depth, size) = measures(&derivation.subject);
    let listed = operations.iter().take(OPERATIONS);
    Some(Shown {
        place: Place {
            root: clip(target.root),
            path: target.found.path.clone(),
        },
        instance: target.instance.clone(),
        note: target.note.clone(),
        around,
        tree,
        environments: legend,
        depth: depth.map(clip),
        size: clip(size),
        rules: (clip(shown), clip(tree::size(derivation))),
        signature: listed.map(judgement::signature).collect(),
        more_operations: clip(operations.len().saturating_sub(OPERATIONS)),
        detail: detail(derivation, environment, environments, asked, index),
        latex,
    })
}

/// Depth and size of a subject (Figs. depth-of-reverse-handlers and size-of-derivation-trees). A term has no depth.
fn measures(subject: &Subject) -> (Option<usize>, usize) {
    match subject {
        Subject::Term(term) => (None, term_size(term)),
        Subject::Command(command) => (Some(depth(command)), size(command)),
        Subject::ReverseHandler(handler) => (Some(handler_depth(handler)), handler_size(handler)),
        Subject::Handler(handler) => (Some(ordinary_depth(handler)), ordinary_size(handler)),
    }
}

/// Collects the operations that are performed in a derivation.
fn performed(derivation: &Derivation, found: &mut BTreeSet<OperationRef>) {
    if let Subject::Command(command) = &derivation.subject
        && let CommandKind::Perform(operation, _) = command.kind()
    {
        found.insert(operation.clone());
    }
    for premise in &derivation.premises {
        performed(premise, found);
    }
}

/// The selected judgement in full, or else the conclusion.
fn detail(
    bottom: &Derivation,
    environment: usize,
    mut environments: Environments,
    asked: &Deriving,
    index: &LineIndex,
) -> Detail {
    let (mut derivation, mut environment) = (bottom, environment);
    let mut path = Vec::new();
    for premise in &asked.selected {
        let Some(above) = derivation.premises.get(*premise as usize) else {
            break;
        };
        environment = environments.above(environment, &derivation.subject, &above.environment);
        derivation = above;
        path.push(*premise);
    }
    let names = environments.names(environment);
    let columns = (asked.room.columns as usize).max(NARROWEST);
    Detail {
        path,
        rule: rules::rule(derivation.rule),
        environment: environments.entries(environment),
        subject: in_full(derivation, &names, columns),
        ty: judgement::ty(derivation),
        source: place::utf16(place::span(derivation.origin()), index),
    }
}

/// A subject, laid out in this number of columns.
fn in_full(derivation: &Derivation, names: &Names, columns: usize) -> Vec<Line> {
    let style = |folds| Style {
        names: names.clone(),
        folds,
        values: Values::Text(Digits::Rounded),
        marks: Marks::default(),
    };
    let lines = match &derivation.subject {
        Subject::Term(term) => term_lines(term, style(Folds::inside(term)), columns),
        Subject::Command(command) => lines(command, style(Folds::around(command, &[])), columns),
        Subject::ReverseHandler(_) | Subject::Handler(_) => {
            let pieces: Vec<Piece> = judgement::subject(derivation, names, columns);
            vec![Line { indent: 0, pieces }]
        }
    };
    fitted(lines, columns)
}
