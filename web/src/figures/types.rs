//! The tab of types: which derivation is shown, what of it a reader opened and folded, and which judgement is told more of.

use super::model::Model;
use super::update::Effect;
use crate::model::Shared;
use crate::talk::{FromFigures, Tab};
use fletch_playground::figures::derivation::{At, Derived, Deriving, Handle, Node, Place, Room};
use fletch_playground::figures::protocol::Request;

/// The tab of types.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Types {
    /// What is asked for; its revision is that of the program when it is sent.
    pub wanted: Deriving,
    /// What was asked for last.
    pub asked: Option<Deriving>,
    /// The last answer.
    pub derived: Option<Shared<Derived>>,
    /// Whether the derivation was copied, or could not be.
    pub copied: Option<bool>,
    /// Whether the room is known.
    pub measured: bool,
    /// Where the keyboard is, if not at the selected judgement.
    pub beside: Option<Beside>,
}

/// What stands in the tree beside the premises of the judgement at a path, and is no judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Beside {
    /// The premises that are left out.
    Others(Vec<u32>),
    /// The side condition of this number.
    Side(Vec<u32>, usize),
}

/// Something that happened in the tab.
#[derive(Clone, Debug, PartialEq)]
pub enum TypesMsg {
    /// There is this much room.
    Room(Room),
    /// Tell more of this judgement, and show its place in the program.
    Select(Vec<u32>),
    /// Open or fold.
    Toggle(Handle),
    /// Bring the keyboard to what is no judgement.
    Beside(Beside),
    /// Show this derivation.
    Go(Place),
    /// Show the selected judgement at the bottom.
    In,
    /// Show what is around the bottom.
    Out,
    /// Show another instance.
    Instance(u32),
    /// Show what is at this place of the program.
    At(u32, u32),
    /// A key goes from judgement to judgement.
    Key(Way),
    /// Put the derivation on the clipboard, as LaTeX.
    Copy,
    /// The clipboard has it, or the browser would not.
    Copied(bool),
}

/// Where a key leads, as in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names say it.
pub enum Way {
    Next,
    Previous,
    First,
    Last,
    /// Opens, or goes to the first premise.
    Open,
    /// Folds, or goes to the conclusion.
    Fold,
    /// Opens or folds.
    Toggle,
    /// Shows the judgement alone, or opens what is left out.
    Enter,
}

impl Types {
    /// Follows the cursor.
    pub fn follow(&mut self, cursor: u32) {
        self.begin(At::Source {
            from: cursor,
            to: cursor,
            instance: 0,
        });
    }

    fn begin(&mut self, at: At) {
        self.beside = None;
        if self.wanted.at != at {
            self.wanted = Deriving {
                at,
                room: self.wanted.room,
                ..Deriving::default()
            };
        }
    }

    /// What is asked of this program, if it was not.
    pub fn want(&mut self, revision: u32) -> Option<Request> {
        if !self.measured {
            return None;
        }
        let wanted = Deriving {
            revision,
            ..self.wanted.clone()
        };
        if self.asked.as_ref() == Some(&wanted) {
            return None;
        }
        self.asked = Some(wanted.clone());
        Some(Request::Derive(wanted))
    }

    /// Takes an answer.
    pub fn show(&mut self, derived: Derived) {
        if self.asked.as_ref() == Some(&derived.asked) {
            self.derived = Some(Shared::new(derived));
            self.copied = None;
        }
    }

    /// What is shown, a judgement before its premises, and what else is above it after them.
    fn items(&self) -> Vec<Item<'_>> {
        let mut found = Vec::new();
        let shown = self.derived.as_ref().map(|derived| &derived.shown);
        if let Some(Ok(shown)) = shown {
            collect(&shown.tree, &mut found);
        }
        found
    }

    fn node(&self, path: &[u32]) -> Option<&Node> {
        let mut items = self.items().into_iter();
        items.find_map(|item| match item {
            Item::Node(node) if node.path == path => Some(node),
            _ => None,
        })
    }
}

/// What the keyboard can be at.
enum Item<'n> {
    Node(&'n Node),
    Beside(Beside),
}

fn collect<'n>(node: &'n Node, found: &mut Vec<Item<'n>>) {
    found.push(Item::Node(node));
    if !node.open {
        return;
    }
    for premise in &node.premises {
        collect(premise, found);
    }
    if node.others > 0 {
        found.push(Item::Beside(Beside::Others(node.path.clone())));
    }
    let sides = 0..node.side.len();
    found.extend(sides.map(|number| Item::Beside(Beside::Side(node.path.clone(), number))));
}

/// Something happened in the tab.
pub fn change(model: &mut Model, msg: TypesMsg, effects: &mut Vec<Effect>) {
    let stale = model.stale;
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
            if let (false, Some((from, to))) = (stale, source)
                && model.tab == Tab::Types
            {
                effects.push(Effect::Tell(FromFigures::Mark(from, to)));
            }
        }
        TypesMsg::Toggle(handle) => toggle(types, handle),
        TypesMsg::Beside(beside) => types.beside = Some(beside),
        TypesMsg::Go(place) => types.begin(At::Place(place)),
        TypesMsg::In => {
            let shown = types.derived.as_ref().map(|derived| &derived.shown);
            if let Some(Ok(shown)) = shown {
                let mut place = shown.place.clone();
                place.path.extend(&types.wanted.selected);
                types.begin(At::Place(place));
            }
        }
        TypesMsg::Out => {
            let shown = types.derived.as_ref().map(|derived| &derived.shown);
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
                types.begin(At::Source {
                    from,
                    to,
                    instance: number,
                });
            }
        }
        TypesMsg::At(from, to) => types.begin(At::Source {
            from,
            to,
            instance: 0,
        }),
        TypesMsg::Key(way) => key(model, way, effects),
        TypesMsg::Copy => {
            let shown = types.derived.as_ref().map(|derived| &derived.shown);
            if let Some(Ok(shown)) = shown {
                effects.push(Effect::Copy(shown.latex.as_str().into()));
            }
        }
        TypesMsg::Copied(done) => types.copied = Some(done),
    }
}

/// Opens what is folded, and folds what is open.
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

fn key(model: &mut Model, way: Way, effects: &mut Vec<Effect>) {
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
        (Way::Next, _) => to(items.get(here + 1)),
        (Way::Previous, _) => to(here.checked_sub(1).and_then(|before| items.get(before))),
        (Way::First, _) => to(items.first()),
        (Way::Last, _) => to(items.last()),
        (Way::Enter, Item::Node(_)) => Some(TypesMsg::In),
        (_, Item::Node(node)) => Some(at_judgement(node, way)),
        (Way::Fold, Item::Beside(Beside::Others(path) | Beside::Side(path, _))) => {
            Some(TypesMsg::Select(path.clone()))
        }
        (Way::Open | Way::Toggle | Way::Enter, Item::Beside(Beside::Others(path))) => {
            Some(TypesMsg::Toggle(Handle::Others(path.clone())))
        }
        (Way::Open | Way::Toggle | Way::Enter, Item::Beside(Beside::Side(..))) => None,
    };
    if let Some(msg) = msg {
        change(model, msg, effects);
    }
}

/// What a key that opens and folds does at a judgement.
fn at_judgement(node: &Node, way: Way) -> TypesMsg {
    match (way, node.premises.first(), node.path.split_last()) {
        (Way::Open, Some(first), _) if node.open => TypesMsg::Select(first.path.clone()),
        (Way::Fold, _, Some((_, parent))) if !node.open || node.premises.is_empty() => {
            TypesMsg::Select(parent.to_vec())
        }
        _ => TypesMsg::Toggle(Handle::Above(node.path.clone())),
    }
}
