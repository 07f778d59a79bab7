//! Loads and stores of several vectors at once. An access past the end of memory ends the loop: with a fallback value instead, the
//! compiler would repeat the computation for each of several destinations.

use crate::number::Number;
use crate::vectors::Vector;

/// Vectors computed together: their latencies overlap, and short loops cost more than their bodies.
pub(super) const GROUP: usize = 4;

/// The vectors from here on.
#[inline]
pub(super) fn load<N: Number, const VECTORS: usize>(
    memory: &[N],
    at: usize,
) -> Option<[N::Vector; VECTORS]> {
    let numbers = memory.get(at..at + VECTORS * N::Vector::LANES)?;
    let vectors = N::Vector::all(numbers).first_chunk::<VECTORS>()?;
    Some(vectors.map(N::Vector::of))
}

/// The number here in all lanes.
#[inline]
pub(super) fn splat<N: Number>(memory: &[N], at: usize) -> Option<N::Vector> {
    memory.get(at).copied().map(N::Vector::splat)
}

/// Puts vectors here.
#[inline]
pub(super) fn store<N: Number, const VECTORS: usize>(
    memory: &mut [N],
    at: usize,
    vectors: [N::Vector; VECTORS],
) -> Option<()> {
    let numbers = memory.get_mut(at..at + VECTORS * N::Vector::LANES)?;
    let out = N::Vector::all_mut(numbers).first_chunk_mut::<VECTORS>()?;
    *out = vectors.map(Vector::lanes);
    Some(())
}
