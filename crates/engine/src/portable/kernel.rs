//! Compiled loop: the split of its points into blocks, and the addresses of its operands.

use super::compute::run;
use super::instructions::{Instruction, Instructions};
use super::operations::{Assignment, Form};
use super::sums::{Block, Sums, Terms};
use super::updates::Update;
use super::ways::Way;
use crate::loops::{each, next};
use crate::number::Number;

/// Room that kernels share.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// Address of the first register.
    pub(super) registers: usize,
    /// Address of each way in the current term of a sum.
    pub(super) places: Vec<usize>,
}

/// A loop: others around, and points side by side inside.
#[derive(Clone, Debug, Default)]
pub(super) struct Kernel {
    /// The extents of the loops around, outermost first, and where they are.
    pub(super) around: Vec<usize>,
    pub(super) indices: Vec<usize>,
    /// The points inside, and so many of them are computed at once.
    pub(super) points: usize,
    pub(super) length: usize,
    pub(super) ways: Vec<Way>,
    /// Address of each way, and in the next row.
    pub(super) starts: [Vec<usize>; 2],
    pub(super) sums: Option<Sums>,
    /// True if the sums of two rows are computed at once.
    pub(super) twice: bool,
    /// Assignments from the sums to the stores.
    pub(super) code: Vec<Assignment>,
    /// The assignments as an outer-product update of many rows at once.
    pub(super) update: Option<Update>,
    /// The assignments as instructions, for a row and for the next one.
    pub(super) rows: Vec<Instructions>,
}

/// Maximum number of instructions that are unrolled over all blocks.
const FEW: usize = 64;

/// Distance between registers of so many points; neighbours fall on different cache lines.
pub(super) fn span(points: usize) -> usize {
    points.next_multiple_of(16) + 8
}

impl Kernel {
    /// Goes to where the first points are; registers are from this place on.
    pub(super) fn begin(&mut self, registers: usize) {
        self.indices = vec![0; self.around.len()];
        let instructions = Instructions::of(&self.code);
        // Registers of the next row follow those of the first one.
        let further = span(self.length);
        let rows = 0..if self.twice { 2 } else { 1 };
        let settled = rows.map(|row| instructions.settled(registers + row * further));
        self.rows = settled.collect();
        if let Some(sums) = &mut self.sums {
            sums.settle(registers);
        }
        self.go();
    }

    /// Kernel unrolled, if it is short; registers start at this address, and sums in lanes have this number.
    pub(super) fn straight(&self, registers: usize, number: usize) -> Option<Vec<Instruction>> {
        if self.points == 0 || self.update.is_some() {
            return None;
        }
        let blocks = self.around.iter().product::<usize>() * self.points.div_ceil(self.length);
        let own = self.rows.first()?;
        let summed = match self.sums.as_ref().map(|sums| &sums.what) {
            Some(Terms::Each(terms)) => terms.count(),
            Some(Terms::Dots(_)) if self.points == 1 => 1,
            Some(_) => return None,
            None => 0,
        };
        if blocks * (own.code.len() + summed) > FEW {
            return None;
        }
        let mut code = Vec::new();
        each(&self.around, |indices| {
            for from in (0..self.points).step_by(self.length) {
                let ways = self.ways.iter();
                let places = ways.map(|way| way.place(indices) + way.along.further(from));
                let places: Vec<usize> = places.collect();
                let points = self.length.min(self.points - from);
                let at = |way: usize| places.get(way).copied().unwrap_or(0);
                match &self.sums {
                    Some(Sums {
                        what: Terms::Each(terms),
                        ..
                    }) => code.extend(terms.at(&places, from, points)),
                    Some(Sums {
                        what: Terms::Dots(dots),
                        to,
                    }) => code.push(Instruction {
                        form: Form::Dot,
                        exactly: false,
                        points,
                        to: registers + to,
                        from: [at(dots.ways[0]), at(dots.ways[1]), number, 0],
                    }),
                    _ => {}
                }
                code.extend(own.at(&places, from, points));
            }
        });
        Some(code)
    }

    #[inline(never)]
    pub(super) fn run<N: Number>(&mut self, memory: &mut [N], scratch: &mut Scratch) {
        if self.points == 0 || self.around.contains(&0) {
            return;
        }
        let Some((innermost, around)) = self.around.split_last() else {
            return self.blocks::<N, 1>(memory, scratch);
        };
        let (innermost, around) = (*innermost, around.len());
        loop {
            let mut left = innermost;
            if let Some(update) = &self.update {
                let [starts, _] = &self.starts;
                update.run(memory, starts, innermost, self.points);
                left = 0;
            }
            while left > 0 {
                let rows = if self.twice && left > 1 { 2 } else { 1 };
                if rows == 2 {
                    self.blocks::<N, 2>(memory, scratch);
                } else {
                    self.blocks::<N, 1>(memory, scratch);
                }
                left -= rows;
                if left > 0 {
                    self.go_on(rows);
                }
            }
            if let Some(index) = self.indices.last_mut() {
                *index = 0;
            }
            let outer = self.indices.get_mut(..around).unwrap_or(&mut []);
            let more = next(outer, self.around.get(..around).unwrap_or(&[]));
            self.go();
            if !more {
                return;
            }
        }
    }

    /// Sets the address of each way for the current indices.
    fn go(&mut self) {
        let [starts, others] = &mut self.starts;
        starts.clear();
        starts.extend(self.ways.iter().map(|way| way.place(&self.indices)));
        others.clear();
        if self.twice {
            let further = self.ways.iter().map(|way| way.innermost().unwrap_or(0));
            others.extend(starts.iter().zip(further).map(|(start, step)| start + step));
        }
    }

    /// Advances all ways by so many rows.
    fn go_on(&mut self, rows: usize) {
        if let Some(index) = self.indices.last_mut() {
            *index += rows;
        }
        let [starts, others] = &mut self.starts;
        for (start, way) in starts.iter_mut().zip(&self.ways) {
            match way.innermost() {
                Some(step) => *start += rows * step,
                None => *start = way.place(&self.indices),
            }
        }
        for ((other, start), way) in others.iter_mut().zip(starts).zip(&self.ways) {
            *other = *start + way.innermost().unwrap_or(0);
        }
    }

    /// Executes the rows, block by block.
    fn blocks<N: Number, const ROWS: usize>(&mut self, memory: &mut [N], scratch: &mut Scratch) {
        let (apart, mut from) = (span(self.length), 0);
        loop {
            let length = self.length.min(self.points - from);
            let [places, _] = &self.starts;
            let block = Block {
                ways: &self.ways,
                places,
                registers: scratch.registers,
                from,
                length,
            };
            if let Some(sums) = &mut self.sums {
                sums.run::<N, ROWS>(memory, block, &mut scratch.places, apart);
            }
            for (row, places) in self.rows.iter_mut().zip(&self.starts).take(ROWS) {
                row.go(places, from, length);
                run(&row.code, memory, &self.ways, length);
            }
            if from + length >= self.points {
                break;
            }
            self.along(from, from + length);
            from += length;
        }
        self.along(from, 0);
    }

    /// The ways are no longer at the block of one point, but at that of another.
    fn along(&mut self, from: usize, to: usize) {
        if from == to {
            return;
        }
        for starts in &mut self.starts {
            for (start, way) in starts.iter_mut().zip(&self.ways) {
                *start = *start + way.along.further(to) - way.along.further(from);
            }
        }
    }
}
