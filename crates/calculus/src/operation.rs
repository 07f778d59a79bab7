//! Heap locations and operation symbols `Op : A ▷ B` (the paper's signature Σ_op), at their indices.

use fletch_smooth::{Shape, Type};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// A heap cell, or one instance of a family of them.
#[derive(Debug)]
pub struct Location {
    /// Name as printed: `ℓ0`, `velocity[ℓ0]`.
    pub name: Arc<str>,
    /// Number, in order of declaration, then of first occurrence: its place in a heap.
    pub number: usize,
    /// The sizes (n₁, …, n_t) as declared.
    pub sizes: Vec<usize>,
}

impl Location {
    /// The shape of its contents, n_t × … × n₁.
    pub fn shape(&self) -> Shape {
        Shape::new(self.sizes.iter().rev().copied().collect())
    }

    /// The type of its contents, Real(n_t ⋯ n₁).
    pub fn ty(&self) -> Type {
        Type::real(self.sizes.iter().product())
    }
}

/// Locations are shared.
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

/// The operations with a behaviour of their own, given by the heap (Example mlp-reduction).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// `Get[ℓ]`
    Get,
    /// `Put[ℓ]`
    Put,
}

/// An operation symbol Op : A ▷ B at its indices.
#[derive(Debug)]
pub struct Operation {
    /// The family's name.
    pub name: Arc<str>,
    /// Indices.
    pub indices: Vec<Index>,
    /// A, the coarity: the type of its argument.
    pub domain: Type,
    /// B, the arity: the type of its result.
    pub codomain: Type,
    /// Builtin, for `Get` and `Put`.
    pub builtin: Option<Builtin>,
}

/// Operation symbols are shared.
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

    /// Heap access, with its location, for `Get` and `Put`.
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
