//! Sums for the points of a block, in the order that the plan says.

use super::compute::run;
use super::dots::Dots;
use super::instructions::{Instruction, Instructions};
use super::operations::BLOCK;
use super::products::Products;
use super::ways::Way;
use crate::number::Number;
use crate::vectors::Vector;

/// Sums for the points of a block.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    pub(super) what: Terms,
    /// Offset of the results from the first register; those of a second row follow.
    pub(super) to: usize,
}

/// Terms of a sum, by implementation.
#[derive(Clone, Debug)]
pub(super) enum Terms {
    /// Products, one after the other.
    Products(Products),
    /// Products in lanes.
    Dots(Dots),
    /// Anything in lanes, along the only point of a block.
    Lanes(Lanes),
    /// Anything, term by term.
    Each(Each),
}

/// Terms in the lanes of vectors.
#[derive(Clone, Debug)]
pub(super) struct Lanes {
    /// Offsets of the ways in each iteration of the loops around the innermost one.
    pub(super) further: Further,
    pub(super) extent: usize,
    pub(super) code: Instructions,
    /// The register of the terms.
    pub(super) value: usize,
    pub(super) start: f64,
}

/// Terms for all points of a block, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Each {
    pub(super) further: Further,
    /// Instructions for the first term, for each later one, and for the last one.
    pub(super) first: Instructions,
    pub(super) later: Instructions,
    pub(super) last: Instructions,
}

/// Position of a block.
#[derive(Clone, Copy)]
pub(super) struct Block<'k> {
    pub(super) ways: &'k [Way],
    /// Address of each way.
    pub(super) places: &'k [usize],
    /// Address of the first register.
    pub(super) registers: usize,
    /// First point, and number of points.
    pub(super) from: usize,
    pub(super) length: usize,
}

/// Offsets of ways in each term.
#[derive(Clone, Debug, Default)]
pub(super) struct Further {
    pub(super) terms: usize,
    pub(super) ways: Vec<(usize, Vec<u32>)>,
}

impl Further {
    /// Goes from where the ways are in a block to where they are in a term.
    fn go(&self, term: usize, block: &[usize], places: &mut Vec<usize>) {
        places.clear();
        places.extend_from_slice(block);
        for (way, further) in &self.ways {
            if let (Some(place), Some(further)) = (places.get_mut(*way), further.get(term)) {
                *place += *further as usize;
            }
        }
    }
}

impl Sums {
    /// Registers are from this place on.
    pub(super) fn settle(&mut self, first: usize) {
        match &mut self.what {
            Terms::Lanes(lanes) => lanes.code = lanes.code.settled(first),
            Terms::Each(each) => {
                for code in [&mut each.first, &mut each.later, &mut each.last] {
                    *code = code.settled(first);
                }
            }
            Terms::Products(_) | Terms::Dots(_) => {}
        }
    }

    /// The sums of this block, and of those of the rows after it.
    #[inline(never)]
    pub(super) fn run<N: Number, const ROWS: usize>(
        &mut self,
        memory: &mut [N],
        block: Block<'_>,
        places: &mut Vec<usize>,
        apart: usize,
    ) {
        let to = block.registers + self.to;
        let (from, length) = (block.from, block.length);
        let start = |way: usize| block.places.get(way).copied().unwrap_or(usize::MAX >> 1);
        let step = |way: usize| block.ways.get(way).and_then(Way::innermost).unwrap_or(0);
        match &mut self.what {
            Terms::Products(products) => {
                let (number, step) = (start(products.number), step(products.number));
                let numbers = std::array::from_fn(|row| number + row * step);
                let rows = std::array::from_fn(|row| to + row * apart);
                products.run::<N, ROWS>(memory, start(products.row), numbers, rows, length);
            }
            Terms::Dots(dots) => {
                let [first, second] = dots.ways;
                let along = |way: usize, point: usize| {
                    let ways = block.ways.get(way);
                    start(way) + ways.map_or(0, |way| way.along.offset(from, point))
                };
                let step = step(second);
                // A single result is not worth a group of four.
                let shared = match (dots.shared, length % 4) {
                    (false, _) => 0,
                    (true, 1) => length - 1,
                    (true, _) => length,
                };
                let starts = std::array::from_fn(|row| start(second) + row * step);
                let first_at = |point| along(first, point);
                dots.fours::<N, ROWS>(memory, first_at, starts, (to, apart), shared);
                for point in shared..length {
                    for row in 0..ROWS {
                        let starts = [along(first, point), along(second, point) + row * step];
                        let sum = dots.one(memory, starts);
                        if let Some(out) = memory.get_mut(to + row * apart + point) {
                            *out = sum;
                        }
                    }
                }
            }
            Terms::Lanes(lanes) => {
                let sum = lanes.run(memory, block, places);
                if let Some(out) = memory.get_mut(to) {
                    *out = sum;
                }
            }
            Terms::Each(each) => each.run(memory, block, places),
        }
    }
}

impl Lanes {
    fn run<N: Number>(&mut self, memory: &mut [N], block: Block<'_>, places: &mut Vec<usize>) -> N {
        let mut sums = N::Vector::splat(N::of(self.start));
        for term in 0..self.further.terms {
            let mut from = 0;
            while from < self.extent {
                let length = BLOCK.min(self.extent - from);
                self.further.go(term, block.places, places);
                for (place, way) in places.iter_mut().zip(block.ways) {
                    *place += way.along.further(from);
                }
                self.code.go(places, from, length);
                run(&self.code.code, memory, block.ways, length);
                let lanes = N::Vector::LANES;
                let at = block.registers + self.value;
                let terms = memory.get(at..at + length.next_multiple_of(lanes));
                for (number, terms) in N::Vector::all(terms.unwrap_or(&[])).iter().enumerate() {
                    let (terms, left) = (N::Vector::of(*terms), length - number * lanes);
                    sums = sums
                        + if left < lanes {
                            terms.head(left)
                        } else {
                            terms
                        };
                }
                from += length;
            }
        }
        sums.together()
    }
}

impl Each {
    /// Upper bound of the instructions that the sum unrolls to.
    pub(super) fn count(&self) -> usize {
        self.further.terms.max(1) * self.first.code.len().max(self.later.code.len())
    }

    fn code(&mut self, term: usize) -> &mut Instructions {
        match term {
            0 => &mut self.first,
            term if term + 1 == self.further.terms => &mut self.last,
            _ => &mut self.later,
        }
    }

    /// Instructions of a block, all terms unrolled.
    pub(super) fn at(&self, block: &[usize], from: usize, points: usize) -> Vec<Instruction> {
        let (mut each, mut places, mut code) = (self.clone(), Vec::new(), Vec::new());
        for term in 0..self.further.terms.max(1) {
            self.further.go(term, block, &mut places);
            let there = each.code(term);
            there.go(&places, from, points);
            code.extend_from_slice(&there.code);
        }
        code
    }

    fn run<N: Number>(&mut self, memory: &mut [N], block: Block<'_>, places: &mut Vec<usize>) {
        for term in 0..self.further.terms.max(1) {
            self.further.go(term, block.places, places);
            let code = self.code(term);
            code.go(places, block.from, block.length);
            run(&code.code, memory, block.ways, block.length);
        }
    }
}
