//! Outer-product update: a column times a row, added to a matrix or subtracted from it, all rows at once.

use super::groups::GROUP;
use super::operations::{Assignment, At, Form};
use super::ways::{Along, Way};
use crate::number::Number;
use crate::vectors::Vector;
use fletch_smooth::Binary;

/// A multiple of a row, added to each row of a matrix, or taken from it.
#[derive(Clone, Debug)]
pub(super) struct Update {
    sign: Binary,
    /// Ways to the matrix, to the row, and to the row's factor; each with its stride to the next row.
    matrix: (usize, usize),
    row: (usize, usize),
    number: (usize, usize),
}

impl Update {
    /// Update that the assignments make, if they are one.
    pub(super) fn of(code: &[Assignment], ways: &[Way]) -> Option<Update> {
        let [Assignment { to, form, from, .. }] = code else {
            return None;
        };
        let sign = match form {
            Form::PlusSame => Binary::Add,
            Form::MinusSame => Binary::Sub,
            _ => return None,
        };
        let found = |at: At| match at {
            At::Way(way) => Some((way, ways.get(way)?.innermost()?)),
            At::Place(_) | At::Register(_) => None,
        };
        let [there, row, number] = from.as_slice() else {
            return None;
        };
        let [matrix, row, number] = [found(*to)?, found(*row)?, found(*number)?];
        let goes = |way: usize| ways.get(way).map(|way| &way.along);
        let in_rows = goes(matrix.0) == Some(&Along::Row) && goes(row.0) == Some(&Along::Row);
        (there == to && in_rows).then_some(Update {
            sign,
            matrix,
            row,
            number,
        })
    }

    /// Executes the update on so many rows of so many points, from the starts of the ways.
    pub(super) fn run<N: Number>(
        &self,
        memory: &mut [N],
        starts: &[usize],
        rows: usize,
        points: usize,
    ) {
        match self.sign {
            Binary::Sub => self.rows(memory, starts, [rows, points], |a, b| a - b),
            _ => self.rows(memory, starts, [rows, points], |a, b| a + b),
        }
    }

    #[inline]
    fn rows<N: Number>(
        &self,
        memory: &mut [N],
        starts: &[usize],
        [rows, points]: [usize; 2],
        function: impl Fn(N::Vector, N::Vector) -> N::Vector,
    ) {
        let [mut matrix, mut row, mut number] = [self.matrix, self.row, self.number]
            .map(|(way, _)| starts.get(way).copied().unwrap_or(usize::MAX >> 1));
        for _ in 0..rows {
            let factor = memory.get(number).copied().unwrap_or(N::NAN);
            let Some((before, after)) = memory.split_at_mut_checked(matrix) else {
                return;
            };
            let Some((out, after)) = after.split_at_mut_checked(points) else {
                return;
            };
            let numbers = match row.checked_sub(matrix + points) {
                Some(further) => after.get(further..further + points),
                None => before.get(row..row + points),
            };
            self.row(out, numbers.unwrap_or(&[]), factor, &function);
            matrix += self.matrix.1;
            row += self.row.1;
            number += self.number.1;
        }
    }

    #[inline]
    fn row<N: Number>(
        &self,
        out: &mut [N],
        numbers: &[N],
        number: N,
        function: &impl Fn(N::Vector, N::Vector) -> N::Vector,
    ) {
        let factor = N::Vector::splat(number);
        let lanes = N::Vector::LANES;
        let whole = out.len() / lanes * lanes;
        let left = out.iter_mut().zip(numbers).skip(whole);
        for (out, x) in left {
            *out = N::both(self.sign, *out, N::both(Binary::Mul, *x, number));
        }
        let (out, last) = N::Vector::all_mut(out).as_chunks_mut::<GROUP>();
        let (numbers, others) = N::Vector::all(numbers).as_chunks::<GROUP>();
        for (out, numbers) in out.iter_mut().zip(numbers) {
            for (out, x) in out.iter_mut().zip(numbers) {
                *out = function(N::Vector::of(*out), N::Vector::of(*x) * factor).lanes();
            }
        }
        for (out, x) in last.iter_mut().zip(others) {
            *out = function(N::Vector::of(*out), N::Vector::of(*x) * factor).lanes();
        }
    }
}
