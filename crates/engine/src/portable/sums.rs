//! Sums for the points of a block, in the order that the plan says.

use super::dots::Dots;
use super::operations::{Assignment, BLOCK, Block, assign};
use super::products::Products;
use super::ways::Way;
use crate::number::Number;
use crate::vectors::Vector;

/// Sums for the points of a block.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    pub(super) what: Terms,
    /// Where they are, so far behind the first register; of a second row behind them.
    pub(super) to: usize,
}

/// What is summed, and how.
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
    /// For each of the loops around the innermost one, how far each way is.
    pub(super) further: Further,
    pub(super) extent: usize,
    pub(super) code: Vec<Assignment>,
    /// The register of the terms.
    pub(super) value: usize,
    pub(super) start: f64,
}

/// Terms for all points of a block, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Each {
    pub(super) further: Further,
    /// What is made of the first term, and of each later one.
    pub(super) first: Vec<Assignment>,
    pub(super) later: Vec<Assignment>,
}

/// How far ways are in each term.
#[derive(Clone, Debug, Default)]
pub(super) struct Further {
    pub(super) terms: usize,
    pub(super) ways: Vec<(usize, Vec<u32>)>,
}

impl Further {
    /// The ways are where they are in a term.
    fn go(&self, term: usize, places: &mut [usize]) {
        for (way, further) in &self.ways {
            if let (Some(place), Some(further)) = (places.get_mut(*way), further.get(term)) {
                *place += *further as usize;
            }
        }
    }
}

impl Sums {
    /// The sums of this block, and of those of the rows after it.
    pub(super) fn run<N: Number, const ROWS: usize>(
        &self,
        memory: &mut [N],
        block: Block<'_>,
        places: &mut Vec<usize>,
        apart: usize,
    ) {
        let to = block.registers + self.to;
        let (from, length) = (block.from, block.length);
        let start = |way: usize| block.places.get(way).copied().unwrap_or(usize::MAX >> 1);
        let step = |way: usize| block.ways.get(way).and_then(Way::innermost).unwrap_or(0);
        match &self.what {
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
                let fours = if dots.shared { length / 4 * 4 } else { 0 };
                let starts = std::array::from_fn(|row| start(second) + row * step);
                for point in (0..fours).step_by(4) {
                    let firsts = [
                        along(first, point),
                        along(first, point + 1),
                        along(first, point + 2),
                        along(first, point + 3),
                    ];
                    let sums = dots.shared::<N, ROWS>(memory, firsts, starts);
                    for (row, sums) in sums.into_iter().enumerate() {
                        let out = memory.get_mut(to + row * apart + point..);
                        for (out, sum) in out.unwrap_or(&mut []).iter_mut().zip(sums) {
                            *out = sum;
                        }
                    }
                }
                for point in fours..length {
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
    fn run<N: Number>(&self, memory: &mut [N], block: Block<'_>, places: &mut Vec<usize>) -> N {
        let mut sums = N::Vector::splat(N::of(self.start));
        for term in 0..self.further.terms {
            let mut from = 0;
            while from < self.extent {
                let length = BLOCK.min(self.extent - from);
                places.clear();
                let ways = block.places.iter().zip(block.ways);
                places.extend(ways.map(|(start, way)| start + way.along.further(from)));
                self.further.go(term, places);
                let block = Block {
                    places,
                    from,
                    length,
                    ..block
                };
                assign(&self.code, memory, block);
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
    fn run<N: Number>(&self, memory: &mut [N], block: Block<'_>, places: &mut Vec<usize>) {
        for term in 0..self.further.terms.max(1) {
            places.clear();
            places.extend_from_slice(block.places);
            self.further.go(term, places);
            let code = if term == 0 { &self.first } else { &self.later };
            assign(code, memory, Block { places, ..block });
        }
    }
}
