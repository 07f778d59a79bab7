//! The objects of PSmooth: finite products of the base types `Real(n)`. Shapes are not part of a type.

use std::fmt;
use std::sync::Arc;

/// A type A: a base type `Real(n)` or a product of at least two types. `Real(0)` is the unit type, printed `1`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `Real(n)`: the space of n real numbers.
    Real(usize),
    /// `A₁ × … × A_k`, k ≥ 2 when built with [`Type::product`].
    Product(Arc<[Type]>),
}

impl Type {
    /// The unit type `Real(0)`.
    pub fn unit() -> Type {
        Type::Real(0)
    }

    /// The base type `Real(n)`.
    pub fn real(n: usize) -> Type {
        Type::Real(n)
    }

    /// The product of these types. A single type is returned as it is; no types give the unit type.
    pub fn product(components: Vec<Type>) -> Type {
        match components.as_slice() {
            [] => Type::unit(),
            [only] => only.clone(),
            _ => Type::Product(components.into()),
        }
    }

    /// The number of real numbers in a value (saturating).
    pub fn dimension(&self) -> usize {
        match self {
            Type::Real(n) => *n,
            Type::Product(components) => components
                .iter()
                .fold(0, |sum: usize, c| sum.saturating_add(c.dimension())),
        }
    }

    /// The sizes of the base types, left to right.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes = Vec::new();
        self.collect_sizes(&mut sizes);
        sizes
    }

    fn collect_sizes(&self, sizes: &mut Vec<usize>) {
        match self {
            Type::Real(n) => sizes.push(*n),
            Type::Product(components) => components.iter().for_each(|c| c.collect_sizes(sizes)),
        }
    }

    /// Type with the k-th base type `Real(n)` replaced by `Real(change(n))`.
    pub(crate) fn map_sizes(&self, change: &dyn Fn(usize) -> usize) -> Type {
        match self {
            Type::Real(n) => Type::Real(change(*n)),
            Type::Product(components) => {
                Type::Product(components.iter().map(|c| c.map_sizes(change)).collect())
            }
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Real(0) => f.write_str("1"),
            Type::Real(n) => write!(f, "Real({n})"),
            Type::Product(components) => {
                for (position, component) in components.iter().enumerate() {
                    if position > 0 {
                        f.write_str(" × ")?;
                    }
                    match component {
                        Type::Product(_) => write!(f, "({component})")?,
                        Type::Real(_) => write!(f, "{component}")?,
                    }
                }
                Ok(())
            }
        }
    }
}
