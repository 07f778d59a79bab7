//! Ways: address streams of accesses, over the loops around a block and over the points in it.

use crate::loops::{Access, each, reached};
use fletch_smooth::Step;

/// Address stream of an access: a base for the loops around a block, and a pattern within the block.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Way {
    offset: usize,
    /// Steps of the loops around, outermost first.
    steps: Vec<Step>,
    pub(super) along: Along,
}

/// Pattern of a way over the points of a block.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Along {
    /// Constant.
    Same,
    /// Contiguous.
    Row,
    /// Constant stride.
    Strided(usize),
    /// Contiguous, each entry for so many points; the count divides every block.
    Repeated(usize),
    /// Cyclic with this period, which divides every block.
    Again(usize),
    /// Offsets from the first block's start, tabulated.
    Apart(Vec<u32>),
}

impl Along {
    fn of(offsets: Vec<u32>) -> Along {
        let goes = |along: &Along| {
            let mut points = offsets.iter().zip(0..);
            points.all(|(offset, point)| *offset as usize == along.offset(0, point))
        };
        let strided = offsets
            .get(1)
            .map(|stride| Along::Strided(*stride as usize));
        let again = [2, 4, 8].into_iter();
        let again = again.flat_map(|times| [Along::Repeated(times), Along::Again(times)]);
        let simple = [Along::Same, Along::Row].into_iter().chain(strided);
        let found = simple.chain(again).find(goes);
        found.unwrap_or(Along::Apart(offsets))
    }

    /// Offset of the block at the point `from` from the first block.
    pub(super) fn further(&self, from: usize) -> usize {
        match self {
            Along::Row => from,
            Along::Strided(stride) => from * stride,
            Along::Repeated(times) => from / times,
            Along::Same | Along::Again(_) | Along::Apart(_) => 0,
        }
    }

    /// Offset of a point from the address of its block, which begins at `from`.
    pub(super) fn offset(&self, from: usize, point: usize) -> usize {
        match self {
            Along::Apart(offsets) => {
                let offset = offsets.get(from + point);
                offset.map_or(0, |offset| *offset as usize)
            }
            Along::Again(times) => point % times,
            along => along.further(point),
        }
    }
}

impl Way {
    /// The way of an access when these axes are around, and blocks are of the points of those, which have these extents.
    pub(super) fn new(
        access: &Access,
        around: &[usize],
        inside: &[usize],
        extents: &[usize],
    ) -> Way {
        let still = Step {
            stride: 0,
            scale: (1, 1),
        };
        let step = |axis: &usize| access.steps.get(*axis).copied().unwrap_or(still);
        let inner: Vec<Step> = inside.iter().map(step).collect();
        let mut offsets = Vec::new();
        each(extents, |indices| {
            let steps = inner.iter().zip(indices);
            offsets.push(place(0, steps) as u32);
        });
        let along = Along::of(offsets);
        Way {
            offset: access.offset,
            steps: around.iter().map(step).collect(),
            along,
        }
    }

    /// Address at these indices of the loops around.
    pub(super) fn place(&self, indices: &[usize]) -> usize {
        place(self.offset, self.steps.iter().zip(indices))
    }

    /// Stride of the innermost loop around; none if the access scales its index.
    pub(super) fn innermost(&self) -> Option<usize> {
        match self.steps.last() {
            None => Some(0),
            Some(step) if step.stride == 0 || step.scale == (1, 1) => Some(step.stride),
            Some(_) => None,
        }
    }

    /// Offset of another way from this one, if they differ in nothing else.
    pub(super) fn beside(&self, other: &Way) -> Option<isize> {
        let same = self.steps == other.steps && self.along == other.along;
        same.then(|| other.offset as isize - self.offset as isize)
    }
}

fn place<'s>(offset: usize, steps: impl Iterator<Item = (&'s Step, &'s usize)>) -> usize {
    steps.fold(offset, |place, (step, index)| {
        place + step.stride * reached(*step, *index)
    })
}

/// Offsets that the loops of a sum add to an access, for all terms in order.
pub(super) fn terms(access: &Access, first: usize, extents: &[usize]) -> Vec<u32> {
    let steps = access.steps.get(first..).unwrap_or(&[]);
    let mut places = Vec::new();
    each(extents, |indices| {
        places.push(place(0, steps.iter().zip(indices)) as u32);
    });
    places
}
