//! Sums of products of a row and a number: tiles of results stay in vector registers while all terms are added.

use super::groups::{load, splat, store};
use crate::number::Number;
use crate::vectors::Vector;

/// Sum of products of neighbours and one number.
#[derive(Clone, Debug)]
pub(super) struct Products {
    /// Ways to the neighbours, and to the number.
    pub(super) row: usize,
    pub(super) number: usize,
    /// Offsets of both in each product.
    pub(super) terms: Vec<(u32, u32)>,
    pub(super) start: f64,
}

impl Products {
    /// Computes sums for rows of so many points, from one row of neighbours and a number for each row of results.
    pub(super) fn run<N: Number, const ROWS: usize>(
        &self,
        memory: &mut [N],
        row: usize,
        numbers: [usize; ROWS],
        to: [usize; ROWS],
        length: usize,
    ) {
        let lanes = N::Vector::LANES;
        let mut left = length.div_ceil(lanes);
        let mut done = 0;
        while left > 0 {
            let row = row + done * lanes;
            let to = to.map(|to| to + done * lanes);
            // Registers are enough for eight sums.
            let computed = match left {
                1 => self.tile::<N, ROWS, 1>(memory, row, numbers, to),
                2 => self.tile::<N, ROWS, 2>(memory, row, numbers, to),
                3 => self.tile::<N, ROWS, 3>(memory, row, numbers, to),
                8.. if ROWS == 1 => self.tile::<N, ROWS, 8>(memory, row, numbers, to),
                _ => self.tile::<N, ROWS, 4>(memory, row, numbers, to),
            };
            let Some(vectors) = computed else { return };
            done += vectors;
            left -= vectors;
        }
    }

    #[inline(never)]
    fn tile<N: Number, const ROWS: usize, const VECTORS: usize>(
        &self,
        memory: &mut [N],
        row: usize,
        numbers: [usize; ROWS],
        to: [usize; ROWS],
    ) -> Option<usize> {
        let start = N::Vector::splat(N::of(self.start));
        let mut sums = [[start; VECTORS]; ROWS];
        for (further, other) in &self.terms {
            let values = load::<N, VECTORS>(memory, row + *further as usize)?;
            for (sums, number) in sums.iter_mut().zip(numbers) {
                let factor = splat(memory, number + *other as usize)?;
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum = *sum + value * factor;
                }
            }
        }
        for (sums, to) in sums.into_iter().zip(to) {
            store(memory, to, sums)?;
        }
        Some(VECTORS)
    }
}
