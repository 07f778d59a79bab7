//! How the reader looks at a position.

use crate::model::Anchor;
use fletch_playground::protocol::{FoldKey, Inspection};
use std::rc::Rc;

/// What is open, folded and compared, and what the reader asks about.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// What the reader has opened or folded.
    pub toggled: Rc<[FoldKey]>,
    /// Whether the state after the step stands beside the one before.
    pub compare: bool,
    /// The piece that the pointer rests on, until it is asked about.
    pub rested: Option<Asked>,
    /// The piece that was asked about.
    pub asked: Option<Asked>,
    /// What it is.
    pub inspection: Option<Inspection>,
}

/// A piece of the command on the screen, by its number, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its number.
    pub node: u32,
    /// Where it is.
    pub anchor: Anchor,
    /// Whether a click or a key keeps the answer open.
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
