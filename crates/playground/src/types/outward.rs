//! The path from the root of a derivation to the shown one: the enclosing handlers, clauses and calls, so that a reader
//! can navigate outward and back.

use super::derivation::{Around, Place};
use super::environments::Environments;
use super::tree::roles;
use super::{Target, Types, judgement};
use crate::clip;
use crate::program::Program;
use fletch_calculus::typing::{Derivation, Subject, TypingRule};
use fletch_ide::place;
use fletch_print::Names;
use fletch_syntax::tree::{Item, ItemKind};

/// Approximate maximum length of a label, in characters.
const SHORT: usize = 24;

/// The derivation to show, with its position.
pub(super) struct OutwardPath<'d> {
    pub(super) derivation: &'d Derivation,
    pub(super) environments: Environments,
    /// Number of its environment in `environments`.
    pub(super) environment: usize,
    /// Enclosing derivations, outermost first; the last one is `derivation`.
    pub(super) around: Vec<Around>,
}

/// Path to a target; `None` if its position does not exist.
pub(super) fn outward_path<'d>(
    program: &Program,
    types: &'d Types,
    target: &Target,
) -> Option<OutwardPath<'d>> {
    let index = &program.checked.index;
    let items = &program.checked.program.items;
    let (root, _) = types.roots.get(target.root)?;
    let mut derivation = types.derivation(target.root)?;
    let mut environments = Environments::default();
    let mut environment = environments.bottom(&derivation.environment);
    let path = &target.found.path;
    let mut around: Vec<Around> = Vec::new();
    let mut note = |label: String, level: usize, source: (u32, u32)| {
        let path = path.get(..level).unwrap_or_default().to_vec();
        if around.last().is_some_and(|last| last.place.path == path) {
            return;
        }
        let root = clip(target.root);
        let place = Place { root, path };
        around.push(Around {
            label,
            place,
            source,
        });
    };
    let source = |derivation: &Derivation| place::utf16(place::span(derivation.origin()), index);
    let declared = items.get(root.item)?;
    note(label(&declared.node), 0, place::utf16(declared.span, index));
    let mut item = Some(root.item);
    for (level, premise) in path.iter().enumerate() {
        let above = derivation.premises.get(*premise as usize)?;
        let handles = matches!(
            derivation.rule,
            TypingRule::CommandRevHandle | TypingRule::CommandHandle
        );
        if handles || level + 1 == path.len() {
            let names = environments.names(environment);
            note(short(derivation, &names), level, source(derivation));
        }
        environment = environments.go_on(&derivation.subject, &above.environment);
        // A premise from another declaration is the body of a called command, or a handler.
        let now = item_at(items, above);
        let entered = (now != item).then(|| now.and_then(|now| items.get(now)));
        item = now;
        let mut roles = roles(&derivation.subject).into_iter();
        let label = match (&above.subject, entered.flatten()) {
            (Subject::ReverseHandler(handler), _) => Some(handler.name.to_string()),
            (Subject::Handler(handler), _) => Some(handler.name.to_string()),
            (_, Some(entered)) if defines(entered) => Some(label(&entered.node)),
            _ => roles.nth(*premise as usize),
        };
        if let Some(label) = label {
            note(label, level + 1, source(above));
        }
        derivation = above;
    }
    let names = environments.names(environment);
    note(short(derivation, &names), path.len(), source(derivation));
    Some(OutwardPath {
        derivation,
        environments,
        environment,
        around,
    })
}

fn defines(item: &Item) -> bool {
    matches!(item.node, ItemKind::Command(_) | ItemKind::Fun(_))
}

/// Index of the declaration that contains the origin of a derivation.
fn item_at(items: &[Item], derivation: &Derivation) -> Option<usize> {
    let at = derivation.origin();
    let contains = |item: &Item| item.span.start <= at.start && at.end <= item.span.end;
    items.iter().position(contains)
}

/// A subject as a label.
fn short(derivation: &Derivation, names: &Names) -> String {
    let pieces = judgement::subject(derivation, names, SHORT).into_iter();
    pieces.map(|piece| piece.text).collect()
}

/// Caption of a declaration: ``command R_MLP``.
pub(super) fn label(item: &ItemKind) -> String {
    match item {
        ItemKind::Main(_) => "main".to_owned(),
        ItemKind::Command(decl) => format!("command {}", decl.name.text),
        ItemKind::Fun(decl) => format!("fun {}", decl.name.text),
        ItemKind::Train(decl) => format!("train {}", decl.data.text),
        ItemKind::Measure(decl) => format!("measure {}", decl.name.text),
        ItemKind::Predict(decl) => format!("predict {}", decl.name.text),
        ItemKind::Handler(decl) => format!("handler {}", decl.name.text),
        ItemKind::Op(decl) => format!("op {}", decl.name.text),
        ItemKind::Loc(decl) => format!("loc {}", decl.name.text),
        ItemKind::Data(decl) => format!("data {}", decl.name.text),
        ItemKind::Dim(_) => "dim".to_owned(),
    }
}
