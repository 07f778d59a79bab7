//! Layers of the examples as plain loops over row-major arrays, written from their definitions.

use crate::examples::dual::{Dual, duals};
use std::iter::repeat_n;

/// Returns the matrix product of a, which has `inner` columns, and b, which has `inner` rows.
pub(crate) fn product(a: &[Dual], b: &[Dual], inner: usize) -> Vec<Dual> {
    let columns = b.len() / inner;
    let entry = |row: &[Dual], j: usize| (0..inner).map(|k| row[k] * b[k * columns + j]).sum();
    a.chunks(inner)
        .flat_map(|row| (0..columns).map(move |j| entry(row, j)))
        .collect()
}

/// Applies a matrix to a vector.
pub(crate) fn apply(w: &[Dual], x: &[Dual]) -> Vec<Dual> {
    product(w, x, x.len())
}

/// Returns the transpose of a matrix with this number of columns.
pub(crate) fn transposed(a: &[Dual], columns: usize) -> Vec<Dual> {
    (0..columns)
        .flat_map(|j| a.iter().skip(j).step_by(columns).copied())
        .collect()
}

/// Applies f to every entry.
pub(crate) fn each(f: impl Fn(Dual) -> Dual, x: &[Dual]) -> Vec<Dual> {
    x.iter().map(|x| f(*x)).collect()
}

/// Applies f to every pair of entries at the same position.
pub(crate) fn zip(f: impl Fn(Dual, Dual) -> Dual, x: &[Dual], y: &[Dual]) -> Vec<Dual> {
    assert_eq!(x.len(), y.len());
    x.iter().zip(y).map(|(x, y)| f(*x, *y)).collect()
}

pub(crate) fn plus(x: &[Dual], y: &[Dual]) -> Vec<Dual> {
    zip(|x, y| x + y, x, y)
}

pub(crate) fn softmax(x: &[Dual]) -> Vec<Dual> {
    let total = x.iter().map(|x| x.exp()).sum();
    each(|x| x.exp() / total, x)
}

/// Returns ½·rate·|x − t|².
pub(crate) fn squared_error(rate: f64, x: &[Dual], t: &[f64]) -> Dual {
    let squares = zip(|x, t| (x - t) * (x - t), x, &duals(t));
    Dual::from(0.5 * rate) * squares.into_iter().sum()
}

/// Returns −rate·Σ tᵢ·log softmax(x)ᵢ.
pub(crate) fn cross_entropy(rate: f64, x: &[Dual], t: &[f64]) -> Dual {
    let terms = zip(|p, t| t * p.ln(), &softmax(x), &duals(t));
    Dual::from(-rate) * terms.into_iter().sum()
}

/// Returns rate·(log(1 + eˣ) − t·x), the cross-entropy of the prediction sigmoid(x) for the truth t.
pub(crate) fn binary_cross_entropy(rate: f64, x: &[Dual], t: f64) -> Dual {
    let one = Dual::from(1.0);
    Dual::from(rate) * ((one + x[0].exp()).ln() - Dual::from(t) * x[0])
}

/// Returns out[l, i] = Σ x[k, i + j]·w[l, k, j] for c channels x and filters w of length m.
pub(crate) fn conv1d(x: &[Dual], w: &[Dual], c: usize, m: usize) -> Vec<Dual> {
    let n = x.len() / c;
    w.chunks(c * m)
        .flat_map(|filter| {
            (0..=n - m).map(move |i| {
                (0..c)
                    .flat_map(|k| (0..m).map(move |j| x[k * n + i + j] * filter[k * m + j]))
                    .sum()
            })
        })
        .collect()
}

/// Returns the maximum of each window of m entries, in each of c channels.
pub(crate) fn maxpool1d(x: &[Dual], m: usize, c: usize) -> Vec<Dual> {
    let largest = |a: Dual, b: Dual| if b.value > a.value { b } else { a };
    x.chunks(x.len() / c)
        .flat_map(|channel| channel.chunks(m))
        .map(|window| window.iter().copied().reduce(largest).unwrap())
        .collect()
}

/// Pads c channels with zeros on both sides, to length m.
pub(crate) fn padding(x: &[Dual], c: usize, m: usize) -> Vec<Dual> {
    let n = x.len() / c;
    let left = (m - n) / 2;
    let zeros = |count| repeat_n(Dual::from(0.0), count);
    x.chunks(n)
        .flat_map(|channel| {
            zeros(left)
                .chain(channel.iter().copied())
                .chain(zeros(m - n - left))
        })
        .collect()
}

/// Upsamples c channels to length m by repeating entries.
pub(crate) fn upscale(x: &[Dual], c: usize, m: usize) -> Vec<Dual> {
    let n = x.len() / c;
    x.chunks(n)
        .flat_map(|channel| (0..m).map(|i| channel[i * n / m]))
        .collect()
}
