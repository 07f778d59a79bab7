//! Heap locations, and operation symbols `Op : A ▷ B` (signature Σ_op of the paper) with their
//! indices.

use fletch_smooth::{Shape, Type};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// A heap cell: a declared location, or an instance of a declared family of locations.
#[derive(Debug)]
pub struct Location {
    /// Name as printed: `ℓ0`, `velocity[ℓ0]`.
    pub name: Arc<str>,
    /// Position in a heap, from 0. Declared locations come first, in order of declaration; instances
    /// follow in order of first occurrence.
    pub number: usize,
    /// Sizes (n₁, …, n_t), as declared.
    pub sizes: Vec<usize>,
}

impl Location {
    /// Shape of the contents, n_t × … × n₁.
    pub fn shape(&self) -> Shape {
        Shape::new(self.sizes.iter().rev().copied().collect())
    }

    /// Type of the contents, Real(n_t ⋯ n₁).
    pub fn ty(&self) -> Type {
        Type::real(self.sizes.iter().product())
    }
}

/// Shared location.
pub type LocationRef = Arc<Location>;

/// An index of an operation symbol.
#[derive(Clone, Debug)]
pub enum Index {
    /// A size.
    Size(usize),
    /// A location.
    Location(LocationRef),
}

impl Index {
    fn key(&self) -> (u8, usize) {
        match self {
            Index::Size(size) => (0, *size),
            Index::Location(location) => (1, location.number),
        }
    }
}

impl fmt::Display for Index {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Index::Size(size) => write!(formatter, "{size}"),
            Index::Location(location) => formatter.write_str(&location.name),
        }
    }
}

/// Operations whose behaviour the heap gives, without a handler (Example mlp-reduction).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// `Get[ℓ]`
    Get,
    /// `Put[ℓ]`
    Put,
}

/// An operation symbol Op : A ▷ B with its indices.
#[derive(Debug)]
pub struct Operation {
    /// Name of the family.
    pub name: Arc<str>,
    /// Indices of this instance.
    pub indices: Vec<Index>,
    /// A, the coarity: type of the argument.
    pub domain: Type,
    /// B, the arity: type of the result.
    pub codomain: Type,
    /// Heap operation, for `Get` and `Put`.
    pub builtin: Option<Builtin>,
}

/// Shared operation symbol.
pub type OperationRef = Arc<Operation>;

impl Operation {
    /// `Get[ℓ] : Real(0) ▷ Real(n_t × … × n₁)`
    pub fn get(location: &LocationRef) -> OperationRef {
        Arc::new(Operation {
            name: Arc::from("Get"),
            indices: vec![Index::Location(Arc::clone(location))],
            domain: Type::unit(),
            codomain: location.ty(),
            builtin: Some(Builtin::Get),
        })
    }

    /// `Put[ℓ] : Real(n_t × … × n₁) ▷ Real(0)`
    pub fn put(location: &LocationRef) -> OperationRef {
        Arc::new(Operation {
            name: Arc::from("Put"),
            indices: vec![Index::Location(Arc::clone(location))],
            domain: location.ty(),
            codomain: Type::unit(),
            builtin: Some(Builtin::Put),
        })
    }

    /// Heap operation and its location, for `Get` and `Put`.
    pub fn heap_access(&self) -> Option<(Builtin, &LocationRef)> {
        match (self.builtin, self.indices.first()) {
            (Some(builtin), Some(Index::Location(location))) => Some((builtin, location)),
            _ => None,
        }
    }

    fn order(&self, other: &Self) -> Ordering {
        let keys =
            |operation: &Operation| operation.indices.iter().map(Index::key).collect::<Vec<_>>();
        self.name
            .cmp(&other.name)
            .then_with(|| keys(self).cmp(&keys(other)))
    }
}

impl PartialEq for Operation {
    fn eq(&self, other: &Self) -> bool {
        self.order(other) == Ordering::Equal
    }
}

impl Eq for Operation {}

impl PartialOrd for Operation {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Operation {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order(other)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)?;
        for (position, index) in self.indices.iter().enumerate() {
            formatter.write_str(if position == 0 { "[" } else { ", " })?;
            write!(formatter, "{index}")?;
        }
        if !self.indices.is_empty() {
            formatter.write_str("]")?;
        }
        Ok(())
    }
}
