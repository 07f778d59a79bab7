//! How the reader looks at a position.

use fletch_playground::protocol::FoldKey;
use std::rc::Rc;

/// What is open, folded and compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// What the reader has opened or folded.
    pub toggled: Rc<[FoldKey]>,
    /// Whether the state after the step stands beside the one before.
    pub compare: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Reading {
            toggled: Rc::new([]),
            compare: false,
        }
    }
}
