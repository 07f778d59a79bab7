//! State of the heap panel: the reader's edits, the open editor, and the scale of the colours.

use fletch_playground::protocol::Edit;
use std::rc::Rc;

/// Contents that take the place of the program's.
#[derive(Clone, Debug, PartialEq)]
pub struct Heap {
    /// Edits that the run starts from instead.
    pub edits: Rc<[Edit]>,
    /// The location whose contents are being edited.
    pub editor: Option<Editor>,
    /// Scale of the colours of a card.
    pub scale: Scale,
    /// True if a reader has asked for all locations of a large heap.
    pub whole: bool,
}

/// Scale of the colours of the heap's cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// The largest absolute value of the heap, so that cards can be compared.
    #[default]
    Shared,
    /// That of each card, so that a huge one leaves the others their colours.
    Own,
}

/// Contents as a text that can be edited.
#[derive(Clone, Debug, PartialEq)]
pub struct Editor {
    /// The location.
    pub location: Rc<str>,
    /// Its shape, as it is said.
    pub shape: Rc<str>,
    /// Rows and columns of the text.
    pub size: (usize, usize),
    /// Text at the time it was opened.
    pub opened: Rc<str>,
    /// The exact entries, of which the text shows the first digits.
    pub exact: Rc<[f64]>,
    /// The text: a line for each row.
    pub text: Rc<str>,
    /// Error in the text that was to be applied.
    pub error: Option<Rc<str>>,
}

impl Default for Heap {
    fn default() -> Self {
        Heap {
            edits: Rc::new([]),
            editor: None,
            scale: Scale::default(),
            whole: false,
        }
    }
}
