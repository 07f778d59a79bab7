//! The operations that the current command may perform, with the spans of their calls.

use crate::names::Calls;
use fletch_calculus::OperationRef;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::mem::replace;

/// The operations that a command may perform, with the spans of their calls.
pub(crate) type Performed = BTreeMap<OperationRef, Calls>;

/// Stack of collections of performed operations, innermost last; and the operations of the continuation of the current ordinary clause.
#[derive(Default)]
pub(crate) struct Effects {
    collections: Vec<Performed>,
    resumed: Resumed,
}

/// Continuation of the ordinary clause being elaborated, which the clause may resume.
#[derive(Default)]
pub(crate) struct Resumed {
    operations: Performed,
    /// Number of open collections at the clause, its own included.
    level: usize,
    /// True if the continuation is resumed inside another handler.
    inside: bool,
}

impl Effects {
    /// Records that an operation may be performed by these calls.
    pub(crate) fn perform(&mut self, operation: OperationRef, calls: Calls) {
        if let Some(collection) = self.collections.last_mut() {
            match collection.entry(operation) {
                Entry::Vacant(entry) => {
                    entry.insert(calls);
                }
                Entry::Occupied(mut entry) => entry.get_mut().extend(&calls),
            }
        }
    }

    /// Records the operations of the continuation, which is resumed here.
    pub(crate) fn resume(&mut self) {
        self.resumed.inside |= self.collections.len() > self.resumed.level;
        for (operation, calls) in self.resumed.operations.clone() {
            self.perform(operation, calls);
        }
    }

    /// Begins a collection.
    pub(crate) fn open(&mut self) {
        self.collections.push(Performed::new());
    }

    /// Ends a collection, and returns it.
    pub(crate) fn close(&mut self) -> Performed {
        self.collections.pop().unwrap_or_default()
    }

    /// Begins the clauses of a handler whose continuation may perform these operations. The result is the argument of the matching
    /// [`Self::leave_clauses`].
    pub(crate) fn enter_clauses(&mut self, operations: Performed) -> Resumed {
        self.open();
        let resumed = Resumed {
            operations,
            level: self.collections.len(),
            inside: false,
        };
        replace(&mut self.resumed, resumed)
    }

    /// Ends the clauses of a handler. Returns the operations that the clauses perform, and true if they resume their continuation inside
    /// another handler.
    pub(crate) fn leave_clauses(&mut self, outer: Resumed) -> (Performed, bool) {
        let inside = replace(&mut self.resumed, outer).inside;
        (self.close(), inside)
    }
}
