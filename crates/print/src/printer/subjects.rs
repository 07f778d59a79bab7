//! Subjects of the pieces of a printed state, for a reader's questions about them. Pieces are numbered in the order of printing;
//! the same state printed in the same style has the same numbers.

use fletch_calculus::Variable;
use std::cell::{Cell, RefCell};

/// Subject of a piece.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Child numbers from the whole command to the node it belongs to.
    pub path: Vec<usize>,
    /// The variable, where the piece binds one.
    pub binder: Option<Variable>,
}

/// Counts pieces, and keeps the one that is asked for.
#[derive(Debug, Default)]
pub(super) struct Subjects {
    count: Cell<u32>,
    wanted: u32,
    /// True if the text being printed has no place in the command.
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

    /// Sets whether the text from here on has no place in the command; returns the setting before.
    pub(super) fn elsewhere(&self, elsewhere: bool) -> bool {
        self.elsewhere.replace(elsewhere)
    }

    /// The number of the next piece; 0 if there is nothing to ask about it.
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
