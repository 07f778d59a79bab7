//! Vectors from memory and back, several at once. Past the end of memory is no number.

use crate::number::Number;
use crate::vectors::Vector;

/// So many vectors are computed together: one does not wait for the other, and short loops cost more than what is in them.
pub(super) const GROUP: usize = 4;

/// The vectors from here on.
#[inline]
pub(super) fn load<N: Number, const VECTORS: usize>(
    memory: &[N],
    at: usize,
) -> [N::Vector; VECTORS] {
    let numbers = memory.get(at..at + VECTORS * N::Vector::LANES);
    match N::Vector::all(numbers.unwrap_or(&[])).first_chunk::<VECTORS>() {
        Some(vectors) => vectors.map(N::Vector::of),
        None => [N::Vector::splat(N::NAN); VECTORS],
    }
}

/// The number here in all lanes.
#[inline]
pub(super) fn splat<N: Number>(memory: &[N], at: usize) -> N::Vector {
    N::Vector::splat(memory.get(at).copied().unwrap_or(N::NAN))
}

/// Puts vectors here.
#[inline]
pub(super) fn store<N: Number, const VECTORS: usize>(
    memory: &mut [N],
    at: usize,
    vectors: [N::Vector; VECTORS],
) {
    let numbers = memory.get_mut(at..at + VECTORS * N::Vector::LANES);
    let out = N::Vector::all_mut(numbers.unwrap_or(&mut []));
    if let Some(out) = out.first_chunk_mut::<VECTORS>() {
        *out = vectors.map(Vector::lanes);
    }
}
