//! Where a kernel is on its way.

use super::ways::Way;

/// Where a kernel is; room for it is made once for all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Position {
    /// The first register.
    pub(super) registers: usize,
    pub(super) indices: Vec<usize>,
    /// Where each way is, in the term at hand and in the first one.
    pub(super) places: Vec<usize>,
    pub(super) starts: Vec<usize>,
}

impl Position {
    pub(super) fn innermost(&mut self, index: usize) {
        if let Some(last) = self.indices.last_mut() {
            *last = index;
        }
    }

    /// The ways are where they are at the indices, and at this point.
    pub(super) fn go(&mut self, ways: &[Way], from: usize) {
        self.starts.resize(ways.len(), 0);
        for (start, way) in self.starts.iter_mut().zip(ways) {
            *start = way.place(&self.indices) + way.further(from);
        }
    }

    pub(super) fn start(&self, way: usize) -> usize {
        self.starts.get(way).copied().unwrap_or(usize::MAX)
    }
}
