//! The tab of types: which derivation is shown, what of it a reader opened and folded, and which judgement is told more of.

#[cfg(test)]
mod tests;
pub(crate) mod update;
pub(crate) mod view;

use crate::model::Shared;
use fletch_playground::protocol::Underivable;
use fletch_playground::protocol::derivation::{
    At, Deriving, Handle, Node, Place, Room, Shown, Which,
};

/// A derivation, or why there is none.
pub type Derived = Result<Shown, Underivable>;

/// The tab of types.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Types {
    /// Derivation that is asked for.
    pub wanted: Deriving,
    /// The last answer.
    pub derived: Option<Shared<Derived>>,
    /// True if the derivation was copied, false if it could not be; none before an attempt.
    pub copied: Option<bool>,
    /// True if the room is known.
    pub measured: bool,
    /// Where the keyboard is, if not at the selected judgement.
    pub beside: Option<Beside>,
}

/// Element of the tree beside the premises of the judgement at a path; it is no judgement.
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
        self.start((cursor, cursor), Which::Number(0));
    }

    /// Starts at what is around a place of the program.
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

    /// Takes an answer.
    pub fn show(&mut self, derived: Derived) {
        self.derived = Some(Shared::new(derived));
        self.copied = None;
    }

    /// Items of the tree shown: a judgement before its premises, and what else is above it after them.
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

/// Item of the tree that the keyboard can be at.
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
