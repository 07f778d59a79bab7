//! Sums in the lanes of vectors: dot products of two rows, several results at once, so that their additions overlap.

use crate::number::Number;
use crate::vectors::Vector;

/// Products along two rows.
#[derive(Clone, Debug)]
pub(super) struct Dots {
    /// Ways to both operands; an operand that is constant over a block is the second one.
    pub(super) ways: [usize; 2],
    /// Offsets of both operands in each iteration of the loops around the innermost one.
    pub(super) around: Vec<(u32, u32)>,
    /// The extent of the innermost loop.
    pub(super) extent: usize,
    pub(super) start: f64,
    /// True if the second operand is the same for all points of a block.
    pub(super) shared: bool,
}

/// The vectors of a row.
type Row<'m, N> = &'m [<<N as Number>::Vector as Vector<N>>::Lanes];

impl Dots {
    /// Computes so many results, four at a time, for each row of results; the last group repeats the last result.
    pub(super) fn fours<N: Number, const ROWS: usize>(
        &self,
        memory: &mut [N],
        first: impl Fn(usize) -> usize,
        second: [usize; ROWS],
        (to, apart): (usize, usize),
        points: usize,
    ) {
        // Operands lie before all registers.
        let Some((numbers, registers)) = memory.split_at_mut_checked(to) else {
            return;
        };
        for point in (0..points).step_by(4) {
            let firsts = std::array::from_fn(|next| first((point + next).min(points - 1)));
            let sums = self.four::<N, ROWS>(numbers, firsts, second);
            for (row, sums) in sums.into_iter().enumerate() {
                let at = row * apart + point;
                if let Some(out) = registers.get_mut(at..).and_then(<[N]>::first_chunk_mut) {
                    *out = N::Vector::each_together(sums);
                }
            }
        }
    }

    #[inline]
    fn four<N: Number, const ROWS: usize>(
        &self,
        memory: &[N],
        first: [usize; 4],
        second: [usize; ROWS],
    ) -> [[N::Vector; 4]; ROWS] {
        let mut sums = [[N::Vector::splat(N::of(self.start)); 4]; ROWS];
        for (further, other) in &self.around {
            let firsts = first.map(|start| self.row(memory, start + *further as usize));
            let seconds = second.map(|start| self.row(memory, start + *other as usize));
            let [a, b, c, d] = firsts;
            for (vector, (((a, b), c), d)) in a.iter().zip(b).zip(c).zip(d).enumerate() {
                let [a, b, c, d] = [a, b, c, d].map(|lanes| N::Vector::of(*lanes));
                for (sums, row) in sums.iter_mut().zip(seconds) {
                    let Some(x) = row.get(vector) else { break };
                    let x = N::Vector::of(*x);
                    let [p, q, r, s] = *sums;
                    *sums = [p + a * x, q + b * x, r + c * x, s + d * x];
                }
            }
            let left = self.extent % N::Vector::LANES;
            if left > 0 {
                let [a, b, c, d] = first.map(|start| self.end(memory, start + *further as usize));
                for (sums, start) in sums.iter_mut().zip(second) {
                    let x = self.end(memory, start + *other as usize);
                    let [p, q, r, s] = *sums;
                    *sums = [
                        p + (a * x).head(left),
                        q + (b * x).head(left),
                        r + (c * x).head(left),
                        s + (d * x).head(left),
                    ];
                }
            }
        }
        sums
    }

    /// The sum of one result.
    pub(super) fn one<N: Number>(&self, memory: &[N], [a, b]: [usize; 2]) -> N {
        let mut sum = N::Vector::splat(N::of(self.start));
        for (further, other) in &self.around {
            let (a, b) = (a + *further as usize, b + *other as usize);
            let (first, second): (Row<'_, N>, Row<'_, N>) =
                (self.row(memory, a), self.row(memory, b));
            for (a, b) in first.iter().zip(second) {
                sum = sum + N::Vector::of(*a) * N::Vector::of(*b);
            }
            let left = self.extent % N::Vector::LANES;
            if left > 0 {
                sum = sum + (self.end(memory, a) * self.end(memory, b)).head(left);
            }
        }
        sum.together()
    }

    #[inline]
    fn row<'m, N: Number>(&self, memory: &'m [N], start: usize) -> Row<'m, N> {
        N::Vector::all(memory.get(start..start + self.extent).unwrap_or(&[]))
    }

    /// Remainder of a row that does not fill a vector, and the numbers after it.
    #[inline]
    fn end<N: Number>(&self, memory: &[N], start: usize) -> N::Vector {
        let lanes = N::Vector::LANES;
        let end = start + self.extent / lanes * lanes;
        let numbers = memory.get(end..end + lanes);
        match N::Vector::all(numbers.unwrap_or(&[])).first() {
            Some(numbers) => N::Vector::of(*numbers),
            None => N::Vector::splat(N::NAN),
        }
    }
}
