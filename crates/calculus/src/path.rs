//! Places in a tree of commands and terms: what a step's redex, a fold and an inspected piece mean by a place.

use std::ops::Deref;

/// A place below a node: child numbers from there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(Vec<usize>);

impl Path {
    /// The hole of an evaluation context F^c of so many layers: always the first child.
    pub fn hole(layers: usize) -> Path {
        Path(vec![0; layers])
    }

    /// Further down, to child number `index`.
    #[must_use]
    pub fn child(mut self, index: usize) -> Path {
        self.0.push(index);
        self
    }

    /// Further down, along another path.
    #[must_use]
    pub fn then(mut self, path: &[usize]) -> Path {
        self.0.extend_from_slice(path);
        self
    }

    /// Path to the same place from the parent of the path's origin; the origin is the parent's child `index`.
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
