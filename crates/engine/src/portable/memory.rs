//! The memory of a machine.

use crate::number::Number;
use std::marker::PhantomData;
use wide::bytemuck::{cast_slice, cast_slice_mut};
use wide::f64x8;

/// Numbers aligned to a cache line: a vector access stays within one line, wherever memory is allocated.
#[derive(Clone, Debug)]
pub(super) struct Memory<N> {
    lines: Vec<f64x8>,
    of: PhantomData<N>,
}

impl<N: Number> Memory<N> {
    /// Memory of so many numbers, all 0.
    pub(super) fn new(numbers: usize) -> Memory<N> {
        let lines = (numbers * size_of::<N>()).div_ceil(size_of::<f64x8>());
        Memory {
            lines: vec![f64x8::default(); lines],
            of: PhantomData,
        }
    }

    pub(super) fn numbers(&self) -> &[N] {
        cast_slice(&self.lines)
    }

    pub(super) fn numbers_mut(&mut self) -> &mut [N] {
        cast_slice_mut(&mut self.lines)
    }
}
