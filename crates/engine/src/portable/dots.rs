//! Sums in the lanes of vectors: of products along two rows, several results at once, so that one does not wait for the other.

use crate::number::Number;
use crate::vectors::Vector;

/// Products along two rows.
#[derive(Clone, Debug)]
pub(super) struct Dots {
    /// The ways to both.
    pub(super) ways: [usize; 2],
    /// How far both are in each of the loops around the innermost one.
    pub(super) around: Vec<(u32, u32)>,
    /// The extent of the innermost loop.
    pub(super) extent: usize,
    pub(super) start: f64,
}

impl Dots {
    /// The sums of so many results from where their rows start. Rows that begin at the same place are read once.
    pub(super) fn run<N: Number, const SUMS: usize>(
        &self,
        memory: &[N],
        first: [usize; SUMS],
        second: [usize; SUMS],
    ) -> [N; SUMS] {
        let start = N::Vector::splat(N::of(self.start));
        let mut sums = [start; SUMS];
        let shared = |starts: [usize; SUMS]| starts.iter().all(|start| Some(start) == starts.first());
        for (further, other) in &self.around {
            let first = first.map(|start| start + *further as usize);
            let second = second.map(|start| start + *other as usize);
            if shared(second) {
                self.along::<N, SUMS, true>(memory, first, second, &mut sums);
            } else if shared(first) {
                self.along::<N, SUMS, true>(memory, second, first, &mut sums);
            } else {
                self.along::<N, SUMS, false>(memory, first, second, &mut sums);
            }
        }
        sums.map(Vector::together)
    }

    /// Adds the products along the innermost loop. The second rows are one if they are shared.
    fn along<N: Number, const SUMS: usize, const SHARED: bool>(
        &self,
        memory: &[N],
        first: [usize; SUMS],
        second: [usize; SUMS],
        sums: &mut [N::Vector; SUMS],
    ) {
        let lanes = N::Vector::LANES;
        let whole = self.extent / lanes * lanes;
        let row = |start: usize| memory.get(start..start + whole).unwrap_or(&[]);
        let (first_rows, second_rows) = (first.map(row), second.map(row));
        let at = |row: &[N], place: usize| N::Vector::load(row.get(place..).unwrap_or(&[]));
        let mut taken = *sums;
        for place in (0..whole).step_by(lanes) {
            let one = second_rows.first().map_or(N::Vector::splat(N::NAN), |row| at(row, place));
            for ((sum, a), b) in taken.iter_mut().zip(&first_rows).zip(&second_rows) {
                let b = if SHARED { one } else { at(b, place) };
                *sum = *sum + at(a, place) * b;
            }
        }
        if whole < self.extent {
            for ((sum, a), b) in taken.iter_mut().zip(first).zip(second) {
                let tail = |start: usize| at(memory.get(start + whole..).unwrap_or(&[]), 0);
                *sum = *sum + (tail(a) * tail(b)).head(self.extent - whole);
            }
        }
        *sums = taken;
    }
}
