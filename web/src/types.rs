//! State of the types tab: the derivation shown, its open and folded parts, and the selected judgement.

#[cfg(test)]
mod tests;
pub(crate) mod update;
pub(crate) mod view;

use crate::model::Shared;
use fletch_playground::protocol::Underivable;
use fletch_playground::protocol::derivation::{
    At, Deriving, Handle, Node, Place, Room, Shown, Which,
};

/// Derivation, or the reason why there is none.
pub type Derived = Result<Shown, Underivable>;

/// State of the types tab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Types {
    /// Derivation that is requested.
    pub wanted: Deriving,
    /// Last reply.
    pub derived: Option<Shared<Derived>>,
    /// True if the derivation was copied, false if the browser refused; `None` before an attempt.
    pub copied: Option<bool>,
    /// True once the size of the pane is measured.
    pub measured: bool,
    /// Element with the keyboard focus, if it is not the selected judgement.
    pub beside: Option<Beside>,
}

/// Focusable element of the tree that is not a judgement, listed with the premises of the judgement at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Beside {
    /// Placeholder for the premises that are left out.
    Others(Vec<u32>),
    /// Side condition, by its index.
    Side(Vec<u32>, usize),
}

/// Event of the types tab.
#[derive(Clone, Debug, PartialEq)]
pub enum TypesMsg {
    /// The pane has this size.
    Room(Room),
    /// Select a judgement: show its details, and mark its source.
    Select(Vec<u32>),
    /// Open or fold a part of the tree.
    Toggle(Handle),
    /// Move the focus to an element that is not a judgement.
    Beside(Beside),
    /// Show the derivation at a place.
    Go(Place),
    /// Show the derivation of the selected judgement alone.
    In,
    /// Show the derivation that encloses the current one.
    Out,
    /// Show another instance of the source span.
    Instance(u32),
    /// Show the derivation of this source span.
    At(u32, u32),
    /// Handle a key that moves from judgement to judgement.
    Key(TreeKey),
    /// Copy the derivation to the clipboard, as LaTeX.
    Copy,
    /// The browser copied the derivation (true), or refused to.
    Copied(bool),
}

/// Action of a key, as in a tree widget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names say it.
pub enum TreeKey {
    Next,
    Previous,
    First,
    Last,
    /// Opens a judgement, or moves to its first premise.
    Open,
    /// Folds a judgement, or moves to its conclusion.
    Fold,
    /// Opens or folds.
    Toggle,
    /// Shows the judgement alone, or opens the premises left out.
    Enter,
}

impl Types {
    /// Shows the derivation at the cursor, an offset in UTF-16 code units.
    pub fn follow(&mut self, cursor: u32) {
        self.start((cursor, cursor), Which::Number(0));
    }

    /// Shows the derivation around a source span.
    pub fn start(&mut self, (from, to): (u32, u32), instance: Which) {
        self.begin(At::Source { from, to, instance });
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

    /// Stores a reply.
    pub fn show(&mut self, derived: Derived) {
        self.derived = Some(Shared::new(derived));
        self.copied = None;
    }

    /// Focusable items of the tree in order: a judgement, its premises, then the placeholder and the side conditions.
    fn items(&self) -> Vec<Item<'_>> {
        let mut found = Vec::new();
        let shown = self.derived.as_deref();
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

/// Focusable item of the tree.
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
