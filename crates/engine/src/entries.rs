//! One assignment on many entries at once, written so that it is done in vectors.

use crate::elementary;
use fletch_smooth::{Binary, Elementary};

/// A function at each entry.
pub(crate) fn map(function: Elementary, x: &[f64], out: &mut [f64]) {
    let pairs = out.iter_mut().zip(x);
    match function {
        Elementary::Neg => pairs.for_each(|(out, x)| *out = -x),
        Elementary::Sqrt => pairs.for_each(|(out, x)| *out = x.sqrt()),
        Elementary::Abs => pairs.for_each(|(out, x)| *out = x.abs()),
        _ => pairs.for_each(|(out, x)| *out = elementary::at(function, *x)),
    }
}

/// An operation on each pair of entries.
pub(crate) fn binary(operation: Binary, a: &[f64], b: &[f64], out: &mut [f64]) {
    let triples = out.iter_mut().zip(a.iter().zip(b));
    match operation {
        Binary::Add => triples.for_each(|(out, (a, b))| *out = a + b),
        Binary::Sub => triples.for_each(|(out, (a, b))| *out = a - b),
        Binary::Mul => triples.for_each(|(out, (a, b))| *out = a * b),
        Binary::Div => triples.for_each(|(out, (a, b))| *out = a / b),
        Binary::Max | Binary::Pow => {
            triples.for_each(|(out, (a, b))| *out = operation.at(*a, *b));
        }
    }
}
