//! What the reader does with the heap.

use fletch_playground::protocol::Edit;
use std::rc::Rc;

/// Contents that take the place of the program's.
#[derive(Clone, Debug, PartialEq)]
pub struct Heap {
    /// What the run starts from instead.
    pub edits: Rc<[Edit]>,
}

impl Default for Heap {
    fn default() -> Self {
        Heap { edits: Rc::new([]) }
    }
}
