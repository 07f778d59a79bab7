//! Updates of the types tab, and its requests to the worker.

use super::{Beside, Item, TreeKey, Types, TypesMsg};
use crate::effects::{Copier, Effect};
use crate::model::{Model, Tab, Want};
use crate::update::page;
use fletch_playground::protocol::Ask;
use fletch_playground::protocol::derivation::{At, Handle, Node, Which};

/// Request for the derivation of the tab, once the size of the pane is known.
#[inline(never)] // A start does without it.
pub(crate) fn wants(model: &Model) -> Option<Want> {
    let shown = model.tab == Tab::Types && model.types.measured && !model.is_outdated();
    let ask = || Ask::Derive(model.types.wanted.clone());
    shown.then(|| Want::once(ask()))
}

/// Handles an event of the types tab.
#[inline(never)] // A start does without it.
pub(crate) fn change(model: &mut Model, msg: TypesMsg, effects: &mut Vec<Effect>) {
    let types = &mut model.types;
    match msg {
        TypesMsg::Room(room) => {
            types.wanted.room = room;
            types.measured = true;
        }
        TypesMsg::Select(path) => {
            let source = types.node(&path).map(|node| node.source);
            types.wanted.selected = path;
            types.beside = None;
            if let Some(source) = source.filter(|_| model.tab == Tab::Types) {
                page::mark(model, source, effects);
            }
        }
        TypesMsg::Toggle(handle) => toggle(types, handle),
        TypesMsg::Beside(beside) => types.beside = Some(beside),
        TypesMsg::Go(place) => types.begin(At::Place(place)),
        TypesMsg::In => {
            let shown = types.derived.as_deref();
            if let Some(Ok(shown)) = shown {
                let mut place = shown.place.clone();
                place.path.extend(&types.wanted.selected);
                types.begin(At::Place(place));
            }
        }
        TypesMsg::Out => {
            let shown = types.derived.as_deref();
            let around = match shown {
                Some(Ok(shown)) => shown.around.iter().rev().nth(1),
                _ => None,
            };
            if let Some(place) = around.map(|around| around.place.clone()) {
                types.begin(At::Place(place));
            }
        }
        TypesMsg::Instance(number) => {
            if let At::Source { from, to, .. } = types.wanted.at {
                types.start((from, to), Which::Number(number));
            }
        }
        TypesMsg::At(from, to) => types.start((from, to), Which::Number(0)),
        TypesMsg::Key(way) => key(model, way, effects),
        TypesMsg::Copy => {
            let shown = types.derived.as_deref();
            if let Some(Ok(shown)) = shown {
                effects.push(Effect::Copy(shown.latex.as_str().into(), Copier::Types));
            }
        }
        TypesMsg::Copied(done) => types.copied = Some(done),
    }
}

/// Opens a folded part of the tree, or folds an open one.
fn toggle(types: &mut Types, handle: Handle) {
    let open = match &handle {
        Handle::Above(path) => types.node(path).is_some_and(|node| node.open),
        Handle::Others(path) => types.node(path).is_some_and(|node| node.others == 0),
    };
    types.beside = None;
    let wanted = &mut types.wanted;
    wanted.opened.retain(|other| *other != handle);
    wanted.folded.retain(|other| *other != handle);
    if open {
        wanted.folded.push(handle);
    } else {
        wanted.opened.push(handle);
    }
}

fn key(model: &mut Model, way: TreeKey, effects: &mut Vec<Effect>) {
    let types = &model.types;
    let items = types.items();
    let here = items.iter().position(|item| match (item, &types.beside) {
        (Item::Node(node), None) => node.path == types.wanted.selected,
        (Item::Beside(item), Some(beside)) => item == beside,
        _ => false,
    });
    let here = here.unwrap_or(0);
    let Some(item) = items.get(here) else {
        return;
    };
    let to = |item: Option<&Item<'_>>| {
        item.map(|item| match item {
            Item::Node(node) => TypesMsg::Select(node.path.clone()),
            Item::Beside(beside) => TypesMsg::Beside(beside.clone()),
        })
    };
    let msg = match (way, item) {
        (TreeKey::Next, _) => to(items.get(here + 1)),
        (TreeKey::Previous, _) => to(here.checked_sub(1).and_then(|before| items.get(before))),
        (TreeKey::First, _) => to(items.first()),
        (TreeKey::Last, _) => to(items.last()),
        (TreeKey::Enter, Item::Node(_)) => Some(TypesMsg::In),
        (_, Item::Node(node)) => Some(at_judgement(node, way)),
        (TreeKey::Fold, Item::Beside(Beside::Others(path) | Beside::Side(path, _))) => {
            Some(TypesMsg::Select(path.clone()))
        }
        (TreeKey::Open | TreeKey::Toggle | TreeKey::Enter, Item::Beside(Beside::Others(path))) => {
            Some(TypesMsg::Toggle(Handle::Others(path.clone())))
        }
        (TreeKey::Open | TreeKey::Toggle | TreeKey::Enter, Item::Beside(Beside::Side(..))) => None,
    };
    if let Some(msg) = msg {
        change(model, msg, effects);
    }
}

/// Message of a key that opens or folds a judgement.
fn at_judgement(node: &Node, way: TreeKey) -> TypesMsg {
    match (way, node.premises.first(), node.path.split_last()) {
        (TreeKey::Open, Some(first), _) if node.open => TypesMsg::Select(first.path.clone()),
        (TreeKey::Fold, _, Some((_, parent))) if !node.open || node.premises.is_empty() => {
            TypesMsg::Select(parent.to_vec())
        }
        _ => TypesMsg::Toggle(Handle::Above(node.path.clone())),
    }
}
