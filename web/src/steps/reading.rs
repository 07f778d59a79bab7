//! How the reader looks at a position.

use crate::model::Anchor;
use fletch_playground::protocol::{FoldKey, Inspection};
use std::rc::Rc;

/// Pieces that are opened, folded and compared, and the one that the reader asks about.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Folds that the reader has opened or closed.
    pub toggled: Rc<[FoldKey]>,
    /// True if the state after the step stands beside the one before.
    pub compare: bool,
    /// The piece that the pointer rests on, until it is asked about.
    pub rested: Option<Asked>,
    /// The piece that was asked about.
    pub asked: Option<Asked>,
    /// Description of the piece that was asked about, once the answer is there.
    pub inspection: Option<Inspection>,
}

/// A piece of the command on the screen, by its number, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its number.
    pub node: u32,
    /// Where it is.
    pub anchor: Anchor,
    /// True if a click or a key keeps the answer open.
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
