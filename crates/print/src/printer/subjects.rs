//! Subjects of the pieces of a printed state: the nodes that a reader asks about. Pieces are numbered in the order of printing;
//! the same state printed in the same style has the same numbers.

use fletch_calculus::Variable;
use std::cell::{Cell, RefCell};

/// Subject of a piece.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Path to the node of the piece: child numbers from the whole command.
    pub path: Vec<usize>,
    /// The variable that the piece binds, if any.
    pub binder: Option<Variable>,
}

/// Counter of pieces, which keeps the subject of the requested piece.
#[derive(Debug, Default)]
pub(super) struct Subjects {
    count: Cell<u32>,
    wanted: u32,
    /// True while text is printed that readers cannot ask about.
    elsewhere: Cell<bool>,
    found: RefCell<Option<Subject>>,
}

impl Subjects {
    pub(super) fn wanting(wanted: u32) -> Subjects {
        Subjects {
            wanted,
            ..Subjects::default()
        }
    }

    /// Sets whether the text from here on is text that readers cannot ask about. Returns the previous setting.
    pub(super) fn elsewhere(&self, elsewhere: bool) -> bool {
        self.elsewhere.replace(elsewhere)
    }

    /// The number of the next piece; 0 if readers cannot ask about it.
    pub(super) fn next(&self, path: &[usize], binder: Option<&Variable>) -> u32 {
        if self.elsewhere.get() {
            return 0;
        }
        let number = self.count.get() + 1;
        self.count.set(number);
        if number == self.wanted {
            *self.found.borrow_mut() = Some(Subject {
                path: path.to_vec(),
                binder: binder.cloned(),
            });
        }
        number
    }

    pub(super) fn found(self) -> Option<Subject> {
        self.found.into_inner()
    }
}
