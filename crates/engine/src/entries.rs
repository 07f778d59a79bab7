//! One assignment on many entries at once, written so that it is done in vectors.

use crate::number::Number;
use fletch_smooth::{Binary, Elementary};

/// A function at each entry.
pub(crate) fn map<N: Number>(function: Elementary, x: &[N], out: &mut [N]) {
    let pairs = out.iter_mut().zip(x);
    match function {
        Elementary::Neg => pairs.for_each(|(out, x)| *out = -*x),
        Elementary::Sqrt => pairs.for_each(|(out, x)| *out = x.sqrt()),
        Elementary::Abs => pairs.for_each(|(out, x)| *out = x.abs()),
        _ => pairs.for_each(|(out, x)| *out = N::at(function, *x)),
    }
}

/// An operation on each pair of entries.
pub(crate) fn binary<N: Number>(operation: Binary, a: &[N], b: &[N], out: &mut [N]) {
    let triples = out.iter_mut().zip(a.iter().zip(b));
    match operation {
        Binary::Add => triples.for_each(|(out, (a, b))| *out = *a + *b),
        Binary::Sub => triples.for_each(|(out, (a, b))| *out = *a - *b),
        Binary::Mul => triples.for_each(|(out, (a, b))| *out = *a * *b),
        Binary::Div => triples.for_each(|(out, (a, b))| *out = *a / *b),
        Binary::Max | Binary::Pow => {
            triples.for_each(|(out, (a, b))| *out = N::both(operation, *a, *b));
        }
    }
}
