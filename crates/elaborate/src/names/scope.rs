//! The names that are visible at a place of the surface tree, by name and by order.

use fletch_syntax::Span;
use fletch_syntax::tree::Name;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One name space of bound names.
#[derive(Default)]
pub(super) struct Space {
    entries: Vec<Entry>,
    /// The positions in `entries` of each name, innermost last.
    by_name: BTreeMap<Arc<str>, Vec<usize>>,
    /// Locals below this position are hidden.
    floor: usize,
}

struct Entry {
    name: Arc<str>,
    definition: Span,
    /// Constants and continuations are seen beyond a border.
    constant: bool,
}

/// A position to return to.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    length: usize,
    floor: usize,
}

impl Space {
    pub(super) fn mark(&self) -> Mark {
        Mark {
            length: self.entries.len(),
            floor: self.floor,
        }
    }

    /// Forgets what was bound since `mark`.
    pub(super) fn reset(&mut self, mark: Mark) {
        for entry in self.entries.split_off(mark.length.min(self.entries.len())) {
            if let Some(positions) = self.by_name.get_mut(&entry.name) {
                positions.pop();
            }
        }
        self.floor = mark.floor;
    }

    pub(super) fn bind(&mut self, name: &Name, constant: bool) {
        let position = self.entries.len();
        self.by_name
            .entry(name.text.clone())
            .or_default()
            .push(position);
        self.entries.push(Entry {
            name: name.text.clone(),
            definition: name.span,
            constant,
        });
    }

    /// Hides all locals so far, as the body of `rev handle` and the clauses of a handler do.
    pub(super) fn hide_locals(&mut self) {
        self.floor = self.entries.len();
    }

    /// Binder of a name. A hidden one is found if no other is: it may be the intended one.
    pub(super) fn find(&self, name: &str) -> Option<Span> {
        let positions = self.by_name.get(name)?;
        let entries = || {
            positions
                .iter()
                .rev()
                .filter_map(|position| Some((*position, self.entries.get(*position)?)))
        };
        entries()
            .find(|(position, entry)| *position >= self.floor || entry.constant)
            .or_else(|| entries().next())
            .map(|(_, entry)| entry.definition)
    }
}
