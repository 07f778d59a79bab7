//! A loop, made ready to run: which of its points are computed at once, and where everything is that they need.

use super::operations::{Assignment, Block, assign};
use super::position::Position;
use super::sums::{Sums, Terms};
use super::ways::Way;
use super::writes::{Write, write};
use crate::loops::next;
use crate::number::Number;

/// A loop: others around, and points side by side inside.
#[derive(Clone, Debug, Default)]
pub(super) struct Kernel {
    /// The extents of the loops around, outermost first.
    pub(super) around: Vec<usize>,
    /// The points inside, and so many of them are computed at once.
    pub(super) points: usize,
    pub(super) length: usize,
    pub(super) ways: Vec<Way>,
    pub(super) sums: Option<Sums>,
    pub(super) code: Vec<Assignment>,
    pub(super) writes: Vec<Write>,
}

/// So far apart are registers for so many points; neighbours do not fall on the same lines of a cache.
pub(super) fn span(points: usize) -> usize {
    points.next_multiple_of(16) + 8
}

impl Kernel {
    pub(super) fn run<N: Number>(&self, memory: &mut [N], position: &mut Position) {
        if self.points == 0 || self.around.contains(&0) {
            return;
        }
        position.indices.clear();
        position.indices.resize(self.around.len(), 0);
        let Some((innermost, around)) = self.around.split_last() else {
            return self.blocks::<N, 1>(memory, position);
        };
        let twice = match self.sums.as_ref().map(|sums| &sums.what) {
            Some(Terms::Products(products)) => products.twice,
            Some(Terms::Dots(dots)) => dots.twice,
            Some(Terms::Lanes(_) | Terms::Each(_)) | None => false,
        };
        loop {
            let mut index = 0;
            while index < *innermost {
                position.innermost(index);
                if twice && index + 1 < *innermost {
                    self.blocks::<N, 2>(memory, position);
                    index += 2;
                } else {
                    self.blocks::<N, 1>(memory, position);
                    index += 1;
                }
            }
            position.innermost(0);
            let (_, outer) = position
                .indices
                .split_last_mut()
                .unwrap_or((&mut 0, &mut []));
            if !next(outer, around) {
                return;
            }
        }
    }

    /// So many rows, block by block.
    fn blocks<N: Number, const ROWS: usize>(&self, memory: &mut [N], position: &mut Position) {
        let first = position.indices.last().copied().unwrap_or(0);
        let registers = position.registers;
        let mut from = 0;
        while from < self.points {
            let length = self.length.min(self.points - from);
            position.go(&self.ways, from);
            if let Some(sums) = &self.sums {
                let apart = span(self.length);
                sums.run::<N, ROWS>(memory, &self.ways, position, apart, (from, length));
            }
            for row in 0..ROWS {
                if row > 0 {
                    position.innermost(first + row);
                    position.go(&self.ways, from);
                }
                // The sums of the next row lie behind those of the first.
                let registers = registers + row * span(self.length);
                let (ways, places) = (&self.ways, &position.starts);
                let block = Block::new::<N>(ways, places, registers, (from, length));
                assign(&self.code, memory, block);
                for each in &self.writes {
                    write(memory, each, block);
                }
            }
            position.innermost(first);
            from += length;
        }
    }
}
