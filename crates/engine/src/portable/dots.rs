//! Sums in the lanes of vectors: of products along two rows, several results at once, so that one does not wait for the other.

use crate::number::Number;
use crate::vectors::Vector;

/// Products along two rows.
#[derive(Clone, Debug)]
pub(super) struct Dots {
    /// The ways to both; the second one stays where it is at all points of a block, if one does.
    pub(super) ways: [usize; 2],
    /// How far both are in each of the loops around the innermost one.
    pub(super) around: Vec<(u32, u32)>,
    /// The extent of the innermost loop.
    pub(super) extent: usize,
    pub(super) start: f64,
    /// Whether the second stays.
    pub(super) shared: bool,
}

/// The vectors of a row.
type Row<'m, N> = &'m [<<N as Number>::Vector as Vector<N>>::Lanes];

impl Dots {
    /// The sums of four results, for each row of results, from where their rows start; the second one is that of all four.
    #[inline(never)]
    pub(super) fn shared<N: Number, const ROWS: usize>(
        &self,
        memory: &[N],
        first: [usize; 4],
        second: [usize; ROWS],
    ) -> [[N; 4]; ROWS] {
        let mut sums = [[N::Vector::splat(N::of(self.start)); 4]; ROWS];
        for (further, other) in &self.around {
            let [a, b, c, d] = first;
            let row = |start: usize| self.row(memory, start + *further as usize);
            let (a, b, c, d) = (row(a), row(b), row(c), row(d));
            let mut others = [Row::<N>::default(); ROWS];
            for (row, start) in others.iter_mut().zip(second) {
                *row = self.row(memory, start + *other as usize);
            }
            let vectors = self.extent / N::Vector::LANES;
            for vector in 0..vectors {
                let (Some(a), Some(b), Some(c), Some(d)) =
                    (a.get(vector), b.get(vector), c.get(vector), d.get(vector))
                else {
                    break;
                };
                let [a, b, c, d] = [*a, *b, *c, *d].map(N::Vector::of);
                for (sums, row) in sums.iter_mut().zip(others) {
                    let Some(x) = row.get(vector) else { break };
                    let x = N::Vector::of(*x);
                    let [p, q, r, s] = *sums;
                    *sums = [p + a * x, q + b * x, r + c * x, s + d * x];
                }
            }
            let left = self.extent % N::Vector::LANES;
            if left > 0 {
                let [a, b, c, d] = first;
                let end = |start: usize| self.end(memory, start + *further as usize);
                let (a, b, c, d) = (end(a), end(b), end(c), end(d));
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
        sums.map(|sums| sums.map(Vector::together))
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

    /// What is left at the end of a row, and what follows it.
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
