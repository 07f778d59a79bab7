//! Types with shapes. `Real(m × n)` is the type `Real(m·n)`; the shape serves to infer indices and is displayed to users. Where two known
//! matrices of equal size differ in shape, a warning is given.

use fletch_smooth::{Shape, Type, Value};
use std::fmt;

/// A type with the shapes of its components.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shaped {
    /// The type of a rejected expression: it agrees with every type.
    Unknown,
    Real(Shape),
    Product(Vec<Shaped>),
}

impl Shaped {
    pub(crate) fn vector(size: usize) -> Shaped {
        Shaped::Real(Shape::vector(size))
    }

    pub(crate) fn unit() -> Shaped {
        Shaped::vector(0)
    }

    pub(crate) fn product(mut components: Vec<Shaped>) -> Shaped {
        match components.len() {
            0 => Shaped::unit(),
            1 => components.pop().unwrap_or(Shaped::Unknown),
            _ => Shaped::Product(components),
        }
    }

    /// The type with every base type as a vector.
    pub(crate) fn of_type(ty: &Type) -> Shaped {
        match ty {
            Type::Real(size) => Shaped::vector(*size),
            Type::Product(parts) => Shaped::Product(parts.iter().map(Shaped::of_type).collect()),
        }
    }

    pub(crate) fn of_value(value: &Value) -> Shaped {
        match value {
            Value::Real(tensor) => Shaped::Real(tensor.shape().clone()),
            Value::Tuple(parts) => Shaped::Product(parts.iter().map(Shaped::of_value).collect()),
        }
    }

    /// The type without shapes; unknown components become the unit type.
    pub(crate) fn ty(&self) -> Type {
        match self {
            Shaped::Unknown => Type::unit(),
            Shaped::Real(shape) => Type::real(shape.size()),
            Shaped::Product(parts) => Type::product(parts.iter().map(Shaped::ty).collect()),
        }
    }

    pub(crate) fn is_known(&self) -> bool {
        match self {
            Shaped::Unknown => false,
            Shaped::Real(_) => true,
            Shaped::Product(parts) => parts.iter().all(Shaped::is_known),
        }
    }

    /// True if both types are the same, as far as they are known.
    pub(crate) fn agrees(&self, other: &Shaped) -> bool {
        match (self, other) {
            (Shaped::Unknown, _) | (_, Shaped::Unknown) => true,
            (Shaped::Real(left), Shaped::Real(right)) => left.size() == right.size(),
            (Shaped::Product(left), Shaped::Product(right)) => {
                left.len() == right.len()
                    && left
                        .iter()
                        .zip(right)
                        .all(|(left, right)| left.agrees(right))
            }
            _ => false,
        }
    }

    /// Number of tensors in a value of the type.
    pub(crate) fn leaves(&self) -> usize {
        match self {
            Shaped::Unknown | Shaped::Real(_) => 1,
            Shaped::Product(parts) => parts.iter().map(Shaped::leaves).sum(),
        }
    }

    /// The components of a product, or any other type as its only component.
    pub(crate) fn components(&self) -> &[Shaped] {
        match self {
            Shaped::Product(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// The first pair of corresponding matrices with equal size and different shape.
    pub(crate) fn clash<'a>(&'a self, other: &'a Shaped) -> Option<(&'a Shape, &'a Shape)> {
        match (self, other) {
            (Shaped::Real(left), Shaped::Real(right)) => {
                let matrices = left.rank() >= 2 && right.rank() >= 2;
                (matrices && left.size() == right.size() && left != right).then_some((left, right))
            }
            (Shaped::Product(left), Shaped::Product(right)) => left
                .iter()
                .zip(right)
                .find_map(|(left, right)| left.clash(right)),
            _ => None,
        }
    }

    /// Type with the shape of the higher rank at each component; the two types must agree.
    pub(crate) fn higher_rank(&self, other: &Shaped) -> Shaped {
        match (self, other) {
            (Shaped::Real(left), Shaped::Real(right)) if right.rank() > left.rank() => {
                other.clone()
            }
            (Shaped::Product(left), Shaped::Product(right)) if left.len() == right.len() => {
                Shaped::Product(
                    left.iter()
                        .zip(right)
                        .map(|(left, right)| left.higher_rank(right))
                        .collect(),
                )
            }
            (Shaped::Unknown, _) => other.clone(),
            _ => self.clone(),
        }
    }
}

impl fmt::Display for Shaped {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shaped::Unknown => formatter.write_str("?"),
            Shaped::Real(shape) if shape.size() == 0 => formatter.write_str("1"),
            Shaped::Real(shape) => write!(formatter, "Real({shape})"),
            Shaped::Product(parts) => {
                for (position, part) in parts.iter().enumerate() {
                    if position > 0 {
                        formatter.write_str(" × ")?;
                    }
                    match part {
                        Shaped::Product(_) => write!(formatter, "({part})")?,
                        _ => write!(formatter, "{part}")?,
                    }
                }
                Ok(())
            }
        }
    }
}
