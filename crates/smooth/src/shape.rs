//! Shapes of tensors, outermost dimension first: a location `ℓ ∷ (n₁, …, n_t)` holds a tensor n_t × … × n₁. A shape is a way to
//! read a point of a base type `Real(n)`, and no part of the type: types depend on the size alone.

use std::fmt;
use std::sync::Arc;

/// The shape (n_t, …, n₁) of a row-major tensor, outermost first. Rank 0 does not occur; a vector is `[n]`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Shape(Arc<[usize]>);

impl Shape {
    /// The shape with these dimensions, outermost first. No dimensions at all give the vector of one entry.
    pub fn new(dims: Vec<usize>) -> Shape {
        if dims.is_empty() {
            Shape::vector(1)
        } else {
            Shape(dims.into())
        }
    }

    /// The vector of n entries.
    pub fn vector(n: usize) -> Shape {
        Shape(Arc::new([n]))
    }

    /// The matrix of `rows` × `columns`.
    pub fn matrix(rows: usize, columns: usize) -> Shape {
        Shape(Arc::new([rows, columns]))
    }

    /// The dimensions, outermost first; never empty.
    pub fn dims(&self) -> &[usize] {
        &self.0
    }

    /// The number of dimensions, at least 1.
    pub fn rank(&self) -> usize {
        self.0.len()
    }

    /// The number of entries n_t⋯n₁ (saturating).
    pub fn size(&self) -> usize {
        self.0
            .iter()
            .fold(1, |size: usize, n| size.saturating_mul(*n))
    }

    /// Matrix reading of the shape: a vector of n is a column n × 1; `None` above rank 2.
    pub fn as_matrix(&self) -> Option<(usize, usize)> {
        match *self.dims() {
            [n] => Some((n, 1)),
            [rows, columns] => Some((rows, columns)),
            _ => None,
        }
    }

    /// Shape of a matrix result; a matrix of one column is a vector ("Index inference" of the language page).
    pub(crate) fn matrix_or_vector(rows: usize, columns: usize) -> Shape {
        if columns == 1 {
            Shape::vector(rows)
        } else {
            Shape::matrix(rows, columns)
        }
    }

    /// The shape of higher rank of two shapes with equal sizes; the left one at equal rank.
    pub(crate) fn higher<'a>(left: &'a Shape, right: &'a Shape) -> &'a Shape {
        if right.rank() > left.rank() {
            right
        } else {
            left
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, n) in self.0.iter().enumerate() {
            if position > 0 {
                f.write_str(" × ")?;
            }
            write!(f, "{n}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Shape({self})")
    }
}
