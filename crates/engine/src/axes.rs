//! Choice of the axes of a loop to vectorise. Entries that are adjacent along such an axis are loaded and stored as one vector.

use crate::loops::{Access, Fold, Loop};
use fletch_smooth::{Operation, Step};

impl Loop {
    /// Adds an outermost axis of extent 1, along which every access has stride 0.
    pub fn add_axis(&mut self) {
        self.space.insert(0, 1);
        for (access, _) in self.accesses() {
            access.steps.insert(0, Step::plain(0));
        }
        if let Some(sum) = &mut self.sum {
            for operation in &mut sum.body.operations {
                if let Operation::Index(level) = operation {
                    *level += 1;
                }
            }
        }
    }

    /// Axis to vectorise: the one along which the fewest accesses are gathered or scattered entry by entry; the longest of several.
    pub fn axis_of_vectors(&self) -> usize {
        let axes = self.space.iter().enumerate();
        let best = axes.min_by_key(|(axis, extent)| (self.gathers(*axis), usize::MAX - **extent));
        best.map_or(0, |(axis, _)| axis)
    }

    /// Second axis, along which the most operands of the sum are constant, so that several rows of results share loads. `None` if no other
    /// axis is longer than 1.
    pub fn axis_of_rows(&self, vectors: usize) -> Option<usize> {
        let axes = self.space.iter().enumerate();
        let others = axes.filter(|(axis, extent)| *axis != vectors && **extent > 1);
        let best = others.max_by_key(|(axis, extent)| (self.shares(*axis), **extent));
        best.map(|(axis, _)| axis)
    }

    /// Number of accesses per point that a vector along an axis must gather or scatter entry by entry.
    fn gathers(&self, axis: usize) -> usize {
        let apart = |access: &&Access| !matches!(access.stride(axis), Some(0 | 1));
        let writes = self.writes.iter().map(|(write, _)| write);
        let once = self.body.entries().chain(writes).filter(apart).count();
        match &self.sum {
            Some(sum) if !matches!(sum.fold, Fold::Lanes(_)) => {
                let terms: usize = sum.extents.iter().product();
                once + terms * sum.body.entries().filter(apart).count()
            }
            _ => once,
        }
    }

    /// Number of operands of the sum that are constant along an axis.
    fn shares(&self, axis: usize) -> usize {
        let reads = self.sum.iter().flat_map(|sum| sum.body.entries());
        reads.filter(|read| read.stride(axis) == Some(0)).count()
    }
}

impl Access {
    /// Stride along an axis, in entries; `None` if the access scales the index, so that no single stride holds.
    pub fn stride(&self, axis: usize) -> Option<usize> {
        match self.steps.get(axis) {
            None => Some(0),
            Some(step) if step.stride == 0 || step.scale == (1, 1) => Some(step.stride),
            Some(_) => None,
        }
    }
}
