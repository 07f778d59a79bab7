//! The typing derivation at a cursor (Figs. typing-terms and typing-commands-handlers). It is found by the origins of the
//! nodes of the calculus, folded to the available space, and shown with its enclosing derivations. A definition that is
//! used several times has a derivation for each use; the first is shown unless another is requested.

pub mod derivation;
mod environments;
mod judgement;
mod latex;
mod outward;
mod rules;
mod search;
mod shown;
mod surface;
mod tree;

use crate::clip;
use crate::program::Program;
use derivation::{At, Deriving, Instance, Nearest, Shown, Underivable, Which};
use fletch_calculus::typing::{self, Derivation, Subject};
use fletch_elaborate::{Root, roots};
use fletch_ide::{Checked, place};
use fletch_syntax::tree::{Item, ItemKind};
use fletch_syntax::{Span, TokenClass, highlight};
use outward::label;
use search::{Found, search};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use surface::Sought;

const UNUSED: &str =
    "No operation reaches this clause, so it has no derivation. This is that of its handler.";

/// The derivations of a program, each made when it is first needed.
pub(crate) struct Types {
    roots: Vec<(Root, OnceCell<Option<Derivation>>)>,
}

impl Types {
    /// Prepares the derivations of a program without errors.
    fn of(checked: &Checked) -> Types {
        let roots = roots(&checked.program).into_iter();
        Types {
            roots: roots.map(|root| (root, OnceCell::new())).collect(),
        }
    }

    fn derivation(&self, root: usize) -> Option<&Derivation> {
        let (root, derived) = self.roots.get(root)?;
        let derive = || match &root.subject {
            Subject::Term(term) => typing::term(&root.environment, term).ok(),
            Subject::Command(command) => typing::command(&root.environment, command).ok(),
            Subject::ReverseHandler(handler) => typing::reverse_handler(handler).ok(),
            Subject::Handler(handler) => typing::ordinary_handler(handler).ok(),
        };
        derived.get_or_init(derive).as_ref()
    }
}

/// Subject of a request.
struct Target {
    root: usize,
    found: Found,
    instance: Option<Instance>,
    note: Option<String>,
}

/// The requested derivation. `standing` is the program itself, or the program without its faulty declarations if it is rejected.
pub(crate) fn derive(
    program: &Program,
    standing: &Program,
    types: &mut Option<Types>,
    asked: &Deriving,
) -> Result<Shown, Underivable> {
    let none = |message: &str| Underivable {
        message: message.to_owned(),
        nearest: None,
    };
    if standing.checked.rejected() {
        return Err(none(
            "The program has mistakes, and only what has none has a derivation.",
        ));
    }
    let types = types.get_or_insert_with(|| Types::of(&standing.checked));
    let target = target(standing, types, &asked.at).map_err(|mut none| {
        if is_left_out(program, standing, &asked.at) {
            none.message =
                "This declaration has a mistake, or needs one that has, so nothing in it is derived."
                    .to_owned();
        }
        none
    })?;
    let shown = shown::show(standing, types, &target, asked);
    shown.ok_or_else(|| none("This place is not in the program any more."))
}

/// True if the cursor is in a declaration that was left out as faulty.
fn is_left_out(program: &Program, standing: &Program, at: &At) -> bool {
    let At::Source { from, .. } = at else {
        return false;
    };
    let from = program.checked.index.from_utf16(*from);
    let is_in = |program: &Program| {
        let mut entries = program.checked.outline.iter();
        entries.any(|entry| entry.span.start <= from && from <= entry.span.end)
    };
    is_in(program) && !is_in(standing)
}

fn target(program: &Program, types: &Types, at: &At) -> Result<Target, Underivable> {
    let (from, to, instance) = match at {
        At::Place(place) => {
            return Ok(Target {
                root: place.root as usize,
                found: Found {
                    path: place.path.clone(),
                    clause: Vec::new(),
                },
                instance: None,
                note: None,
            });
        }
        At::Source { from, to, instance } => (*from, *to, instance),
    };
    let index = &program.checked.index;
    let from = index.from_utf16(from);
    let selection = Span {
        start: from,
        end: index.from_utf16(to).max(from),
    };
    let items = &program.checked.program.items;
    let comment = is_comment(&program.source, selection);
    if !comment {
        let sought = surface::sought(&program.checked.program, selection);
        for (place, (wanted, _)) in sought.iter().enumerate() {
            for root in 0..types.roots.len() {
                let Some(derivation) = types.derivation(root) else {
                    continue;
                };
                let found = search(derivation, *wanted);
                let count = found.len();
                let which = match instance {
                    Which::Number(number) => (*number as usize).min(count.saturating_sub(1)),
                    Which::ClauseOf(operation) => {
                        let mut found = found.iter();
                        let of = found.position(|it| it.is_in_clause(derivation, operation));
                        of.unwrap_or_default()
                    }
                };
                let Some(found) = found.into_iter().nth(which) else {
                    continue;
                };
                let clauses = sought.iter().take(place);
                let unused = clauses
                    .map(|(sought, _)| sought)
                    .any(|sought| matches!(sought, Sought::Clause(_)));
                return Ok(Target {
                    root,
                    found,
                    instance: (count > 1).then_some(Instance {
                        number: clip(which),
                        count: clip(count),
                    }),
                    note: unused.then(|| UNUSED.to_owned()),
                });
            }
        }
    }
    let around = items
        .iter()
        .find(|item| item.span.start <= selection.start && selection.end <= item.span.end);
    Err(Underivable {
        message: match (comment, around) {
            (true, _) => "A comment has no type.".to_owned(),
            (false, Some(item)) => without(&item.node),
            (false, None) => "There is no term, command, handler or clause here.".to_owned(),
        },
        nearest: nearest(program, types, selection),
    })
}

/// True if a selection is in a comment.
fn is_comment(source: &str, selection: Span) -> bool {
    highlight(source, &[]).iter().any(|token| {
        token.class == TokenClass::Comment
            && token.span.start <= selection.start
            && selection.end <= token.span.end
    })
}

/// Message for a declaration without a derivation.
fn without(item: &ItemKind) -> String {
    let message = match item {
        ItemKind::Dim(_) => "A dimension is a number, which has no derivation.",
        ItemKind::Loc(_) => {
            "A location is declared here. Where `Get` and `Put` are called on it, there is a derivation."
        }
        ItemKind::Op(_) => {
            "An operation is declared here: its type is given, not derived. Where it is called, there is a derivation."
        }
        ItemKind::Data(_) => "Data are values that stand for names: they are not derived here.",
        ItemKind::Handler(_) => {
            "Nothing is handled with this handler, so its clauses have no types to be derived at."
        }
        ItemKind::Command(_) | ItemKind::Fun(_) => {
            "Nothing calls this, so its indices are not known."
        }
        ItemKind::Train(_) | ItemKind::Measure(_) | ItemKind::Predict(_) | ItemKind::Main(_) => {
            "There is no term, command, handler or clause here."
        }
    };
    message.to_owned()
}

/// The declaration with a derivation that is nearest to the selection; of two at equal distance, the later one.
fn nearest(program: &Program, types: &Types, selection: Span) -> Option<Nearest> {
    let items = &program.checked.program.items;
    let derived: BTreeSet<usize> = types.roots.iter().map(|(root, _)| root.item).collect();
    let candidates = derived.iter().filter_map(|item| items.get(*item));
    let distance = |item: &&Item| {
        let after = selection.start.saturating_sub(item.span.end);
        let before = item.span.start.saturating_sub(selection.end);
        (after.max(before), after > 0)
    };
    let item = candidates.min_by_key(distance)?;
    Some(Nearest {
        label: label(&item.node),
        source: place::utf16(item.span, &program.checked.index),
    })
}
