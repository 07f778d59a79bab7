//! The operations that the command being looked at may perform, with the places of their calls.

use crate::names::Calls;
use fletch_calculus::OperationRef;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::mem::replace;

/// The operations that a command may perform, with the places of their calls.
pub(crate) type Performed = BTreeMap<OperationRef, Calls>;

/// Collections of what is performed, innermost last, and what the continuation of the ordinary clause that is
/// being looked at may perform.
#[derive(Default)]
pub(crate) struct Effects {
    collections: Vec<Performed>,
    resumed: Resumed,
}

/// Continuation of the clause being elaborated, which may resume it.
#[derive(Default)]
pub(crate) struct Resumed {
    operations: Performed,
    /// The number of collections around and at the clause.
    level: usize,
    /// True if the continuation is resumed inside another handler.
    inside: bool,
}

impl Effects {
    /// Notes that an operation may be performed here, by these calls.
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

    /// Performs the operations of the continuation, which is resumed here.
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

    /// The clauses of a handler follow, whose continuation may perform these operations; gives what to
    /// [`Self::leave_clauses`] with.
    pub(crate) fn enter_clauses(&mut self, operations: Performed) -> Resumed {
        self.open();
        let resumed = Resumed {
            operations,
            level: self.collections.len(),
            inside: false,
        };
        replace(&mut self.resumed, resumed)
    }

    /// Operations performed by the clauses; true if they resume their continuation inside another handler.
    pub(crate) fn leave_clauses(&mut self, outer: Resumed) -> (Performed, bool) {
        let inside = replace(&mut self.resumed, outer).inside;
        (self.close(), inside)
    }
}
