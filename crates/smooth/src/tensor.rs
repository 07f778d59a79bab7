//! Immutable tensors of real numbers, shared by reference count. A tensor is a point of `Real(n)` with the shape
//! that the program remembers for it; all arithmetic is in the primitives.

use std::fmt;
use std::sync::Arc;

use crate::Shape;

/// A row-major tensor: a [`Shape`] and its number of `f64` entries. Cloning shares the entries.
#[derive(Clone)]
pub struct Tensor {
    shape: Shape,
    data: Arc<[f64]>,
}

impl Tensor {
    /// The tensor with this shape and these entries, row-major; `None` when their number is not the shape's size.
    pub fn new(shape: Shape, data: Vec<f64>) -> Option<Tensor> {
        (shape.size() == data.len()).then(|| Tensor {
            shape,
            data: data.into(),
        })
    }

    /// The vector with these entries.
    pub fn vector(data: Vec<f64>) -> Tensor {
        Tensor {
            shape: Shape::vector(data.len()),
            data: data.into(),
        }
    }

    /// The tensor of zeros.
    pub fn zeros(shape: Shape) -> Tensor {
        let data = zeros(shape.size());
        Tensor { shape, data }
    }

    /// The vector over an existing shared buffer.
    pub(crate) fn shared(data: Arc<[f64]>) -> Tensor {
        Tensor {
            shape: Shape::vector(data.len()),
            data,
        }
    }

    /// The shape, outermost dimension first.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The entries, row-major.
    pub fn data(&self) -> &[f64] {
        &self.data
    }

    /// The shared buffer of the entries.
    pub fn buffer(&self) -> &Arc<[f64]> {
        &self.data
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// True if there are no entries: the point of the unit type.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Tensor of the same entries under another shape; `None` when the sizes differ.
    pub fn with_shape(&self, shape: Shape) -> Option<Tensor> {
        (shape.size() == self.len()).then(|| Tensor {
            shape,
            data: Arc::clone(&self.data),
        })
    }
}

/// n shared zeros, from one allocation.
pub(crate) fn zeros(n: usize) -> Arc<[f64]> {
    std::iter::repeat_n(0.0, n).collect()
}

/// Tensors are equal if their shapes and entries are. Two entries are equal if `==` holds or their bits agree, so a tensor with
/// a NaN equals itself.
impl PartialEq for Tensor {
    fn eq(&self, other: &Tensor) -> bool {
        self.shape == other.shape
            && self
                .data
                .iter()
                .zip(other.data.iter())
                .all(|(a, b)| a == b || a.to_bits() == b.to_bits())
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor({} : {:?})", self.shape, &self.data)
    }
}
