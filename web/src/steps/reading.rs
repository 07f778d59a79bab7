//! State of how the reader looks at a position: folds, comparison, and the description of a piece.

use crate::model::Anchor;
use fletch_playground::protocol::{FoldKey, Inspection};
use std::rc::Rc;

/// Folds, comparison, and the piece that the reader requests a description of. A piece is a subterm of the printed command, with a
/// number.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Folds that the reader has opened or closed.
    pub toggled: Rc<[FoldKey]>,
    /// True if the state after the step is shown next to the state before.
    pub compare: bool,
    /// Piece under the pointer, until the pointer has rested long enough.
    pub rested: Option<Asked>,
    /// Piece whose description is requested or shown.
    pub asked: Option<Asked>,
    /// Description of `asked`, once the worker has replied.
    pub inspection: Option<Inspection>,
}

/// Piece of the command on the screen, and its position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Number of the piece in the shown view.
    pub node: u32,
    /// Position of the piece on the screen.
    pub anchor: Anchor,
    /// True if a click or a key keeps the description open.
    pub pinned: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Reading {
            toggled: Rc::new([]),
            compare: false,
            rested: None,
            asked: None,
            inspection: None,
        }
    }
}
