//! Values: points of a type, as trees of tuples over tensors, with the commutative monoid (zero, addition) that every object of
//! a reverse differential category has. Symbols are applied to values in `symbol.rs`.

use std::sync::Arc;

use crate::{Shape, Tensor, Type};

/// A point of a type: a tensor of a base type, or a tuple of a product.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A point of `Real(n)`.
    Real(Tensor),
    /// A point of `A₁ × … × A_k`.
    Tuple(Arc<[Value]>),
}

impl Value {
    /// The point of the unit type.
    pub fn unit() -> Value {
        Value::Real(Tensor::zeros(Shape::vector(0)))
    }

    /// The vector with these entries.
    pub fn vector(data: Vec<f64>) -> Value {
        Value::Real(Tensor::vector(data))
    }

    /// The tuple of these values. A single value is returned as it is; no values give the point of the unit type.
    pub fn tuple(components: Vec<Value>) -> Value {
        match components.as_slice() {
            [] => Value::unit(),
            [only] => only.clone(),
            _ => Value::Tuple(components.into()),
        }
    }

    /// The type of this value.
    pub fn ty(&self) -> Type {
        match self {
            Value::Real(tensor) => Type::Real(tensor.len()),
            Value::Tuple(components) => Type::Product(components.iter().map(Value::ty).collect()),
        }
    }

    /// True if the value is a point of `ty`.
    pub fn has_type(&self, ty: &Type) -> bool {
        match (self, ty) {
            (Value::Real(tensor), Type::Real(n)) => tensor.len() == *n,
            (Value::Tuple(values), Type::Product(types)) => {
                values.len() == types.len()
                    && values.iter().zip(types.iter()).all(|(v, t)| v.has_type(t))
            }
            _ => false,
        }
    }

    /// The zero of a type; its tensors are vectors.
    pub fn zero(ty: &Type) -> Value {
        match ty {
            Type::Real(n) => Value::Real(Tensor::zeros(Shape::vector(*n))),
            Type::Product(components) => Value::Tuple(components.iter().map(Value::zero).collect()),
        }
    }

    /// The sum, component by component; `None` when the types differ. A sum of tensors has the shape of higher
    /// rank, the left one on equal rank.
    pub fn add(&self, other: &Value) -> Option<Value> {
        match (self, other) {
            (Value::Real(a), Value::Real(b)) if a.len() == b.len() => {
                let sum = a.data().iter().zip(b.data()).map(|(x, y)| x + y).collect();
                Tensor::shared(sum)
                    .with_shape(Shape::higher(a.shape(), b.shape()).clone())
                    .map(Value::Real)
            }
            (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => a
                .iter()
                .zip(b.iter())
                .map(|(x, y)| x.add(y))
                .collect::<Option<_>>()
                .map(Value::Tuple),
            _ => None,
        }
    }

    /// The tensors of this value, left to right.
    pub fn tensors(&self) -> Vec<&Tensor> {
        let mut tensors = Vec::new();
        self.collect_tensors(&mut tensors);
        tensors
    }

    fn collect_tensors<'a>(&'a self, tensors: &mut Vec<&'a Tensor>) {
        match self {
            Value::Real(tensor) => tensors.push(tensor),
            Value::Tuple(components) => components.iter().for_each(|c| c.collect_tensors(tensors)),
        }
    }

    /// The value of this type over these tensors, taken left to right; `None` if there are too few tensors, or if they have
    /// other sizes.
    pub fn assemble(ty: &Type, tensors: &mut dyn Iterator<Item = Tensor>) -> Option<Value> {
        match ty {
            Type::Real(n) => tensors.next().filter(|t| t.len() == *n).map(Value::Real),
            Type::Product(components) => components
                .iter()
                .map(|c| Value::assemble(c, tensors))
                .collect::<Option<_>>()
                .map(Value::Tuple),
        }
    }
}
