//! Positions in a tree of commands and terms, as paths of child indices. Redexes, folds and inspected pieces
//! are located by paths.

use std::ops::Deref;

/// Path from a node down to a node below: child indices, from 0 ([`crate::Part::child`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(Vec<usize>);

impl Path {
    /// Path to the hole of an evaluation context F^c of this many layers: the first child at each layer.
    pub fn hole(layers: usize) -> Path {
        Path(vec![0; layers])
    }

    /// Extends the path by a step down to child number `index`.
    #[must_use]
    pub fn child(mut self, index: usize) -> Path {
        self.0.push(index);
        self
    }

    /// Extends the path by another path further down.
    #[must_use]
    pub fn then(mut self, path: &[usize]) -> Path {
        self.0.extend_from_slice(path);
        self
    }

    /// Path to the same node from the parent of the current start; the start is child `index` of that parent.
    #[must_use]
    pub fn under(mut self, index: usize) -> Path {
        self.0.insert(0, index);
        self
    }
}

impl Deref for Path {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.0
    }
}

impl From<Vec<usize>> for Path {
    fn from(children: Vec<usize>) -> Path {
        Path(children)
    }
}
