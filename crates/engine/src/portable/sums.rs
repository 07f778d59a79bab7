//! Sums for the points of a block, in the order that the plan says.

use super::dots::Dots;
use super::operations::{
    Assignment, BLOCK, Block, Operand, accumulate, assign, fill, take_if_largest,
};
use super::position::Position;
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
    pub(super) code: Vec<Assignment>,
    /// What each term adds, in order.
    pub(super) values: Vec<Operand>,
    pub(super) fold: Fold,
}

/// How far ways are in each term.
#[derive(Clone, Debug, Default)]
pub(super) struct Further {
    pub(super) terms: usize,
    pub(super) ways: Vec<(usize, Vec<u32>)>,
}

/// How terms come together.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fold {
    /// They are added.
    Sum(f64),
    /// The largest.
    Maximum,
    /// That of the largest key, which has a register.
    AtMaximum { key: Operand, largest: usize },
}

impl Further {
    /// The ways are where they are in a term.
    fn go(&self, term: usize, starts: &[usize], places: &mut [usize]) {
        for (way, further) in &self.ways {
            if let (Some(place), Some(start), Some(further)) =
                (places.get_mut(*way), starts.get(*way), further.get(term))
            {
                *place = start + *further as usize;
            }
        }
    }
}

impl Sums {
    pub(super) fn run<N: Number, const ROWS: usize>(
        &self,
        memory: &mut [N],
        ways: &[Way],
        position: &mut Position,
        apart: usize,
        (from, length): (usize, usize),
    ) {
        let to = position.registers + self.to;
        match &self.what {
            Terms::Products(products) => {
                let step = ways.get(products.number).and_then(Way::innermost);
                let number = position.start(products.number);
                let numbers = std::array::from_fn(|row| number + row * step.unwrap_or(0));
                let rows = std::array::from_fn(|row| to + row * apart);
                let row = position.start(products.row);
                products.run::<N, ROWS>(memory, row, numbers, rows, length);
            }
            Terms::Dots(dots) => {
                let [first, second] = dots.ways;
                let along = |way: usize, point: usize| {
                    let along = ways.get(way).map_or(0, |way| way.offset(from, point));
                    position.start(way) + along
                };
                let step = ways.get(second).and_then(Way::innermost).unwrap_or(0);
                let fours = if dots.shared { length / 4 * 4 } else { 0 };
                let starts = std::array::from_fn(|row| position.start(second) + row * step);
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
                let sum = lanes.run(memory, ways, position);
                if let Some(out) = memory.get_mut(to) {
                    *out = sum;
                }
            }
            Terms::Each(each) => each.run(memory, ways, position, self.to, (from, length)),
        }
    }
}

impl Lanes {
    fn run<N: Number>(&self, memory: &mut [N], ways: &[Way], position: &mut Position) -> N {
        let mut sums = N::Vector::splat(N::of(self.start));
        for term in 0..self.further.terms {
            let mut from = 0;
            while from < self.extent {
                let length = BLOCK.min(self.extent - from);
                position.places.clone_from(&position.starts);
                self.further
                    .go(term, &position.starts, &mut position.places);
                for (place, way) in position.places.iter_mut().zip(ways) {
                    *place += way.further(from);
                }
                let (places, registers) = (&position.places, position.registers);
                let block = Block::new::<N>(ways, places, registers, (from, length));
                assign(&self.code, memory, block);
                let lanes = N::Vector::LANES;
                let at = position.registers + self.value;
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
    fn run<N: Number>(
        &self,
        memory: &mut [N],
        ways: &[Way],
        position: &mut Position,
        to: usize,
        (from, length): (usize, usize),
    ) {
        position.places.clone_from(&position.starts);
        for term in 0..self.further.terms.max(1) {
            self.further
                .go(term, &position.starts, &mut position.places);
            let (places, registers) = (&position.places, position.registers);
            let block = Block::new::<N>(ways, places, registers, (from, length));
            if term == 0 {
                let start = match self.fold {
                    Fold::Sum(start) => N::of(start),
                    Fold::Maximum => N::LEAST,
                    Fold::AtMaximum { largest, .. } => {
                        fill(memory, largest, N::LEAST, block);
                        N::of(0.0)
                    }
                };
                fill(memory, to, start, block);
            }
            if self.further.terms == 0 {
                return;
            }
            assign(&self.code, memory, block);
            for value in &self.values {
                match self.fold {
                    Fold::Sum(_) => accumulate(memory, to, *value, block, |a, b| a + b),
                    Fold::Maximum => accumulate(memory, to, *value, block, Vector::larger),
                    Fold::AtMaximum { key, largest } => {
                        take_if_largest(memory, [to, largest], [key, *value], block, term == 0);
                    }
                }
            }
        }
    }
}
