//! State of the heap panel: the reader's edits, the open editor, and the scale of the colours.

use fletch_playground::protocol::Edit;
use std::rc::Rc;

/// State of the heap panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Heap {
    /// Initial contents by the reader, in place of the program's.
    pub edits: Rc<[Edit]>,
    /// Editor of a location's initial contents, if it is open.
    pub editor: Option<Editor>,
    /// Scale of the colours of the cards.
    pub scale: Scale,
    /// True if the reader has requested all locations of a large heap.
    pub whole: bool,
}

/// Scale of the colours of the heap's cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// One scale for all cards, up to the largest absolute value of the heap, so that cards can be compared.
    #[default]
    Shared,
    /// A scale for each card, so that one huge value does not pale the other cards.
    Own,
}

/// Editor of the initial contents of a location, as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Editor {
    /// Name of the location.
    pub location: Rc<str>,
    /// Shape of the location, as the page writes it.
    pub shape: Rc<str>,
    /// Number of rows and columns of the text.
    pub size: (usize, usize),
    /// Text at the time when the editor was opened.
    pub opened: Rc<str>,
    /// Exact entries, row-major; the text shows only their first digits.
    pub exact: Rc<[f64]>,
    /// Current text, one line for each row.
    pub text: Rc<str>,
    /// Error in the text that the reader tried to apply.
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
