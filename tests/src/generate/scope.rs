//! Scope at a point of a random program: the names and operations that a command may mention there.

use super::types::{Size, Ty};

/// A family of operations, such as `FC[ℓ]` for every location ℓ.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) kind: FamilyKind,
}

/// Indices and types of a family.
#[derive(Clone, Debug)]
pub(crate) enum FamilyKind {
    /// `O : A ▷ B`
    Plain(Ty, Ty),
    /// `Q[n] : Real(n) ▷ Real(n)`
    Sized,
    /// `FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)`
    Layer,
    /// `Mix[ℓ ∷ (n, m), k] : Real(n) × Real(k) ▷ Real(k × m)`
    Mix,
    /// `Get[ℓ]`
    Get,
    /// `Put[ℓ]`
    Put,
}

/// An operation symbol at its indices.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) family: usize,
    /// Text with all indices, as in a call or in a clause for this instance: `FC[w]`.
    pub(crate) text: String,
    /// Text as in a call, without the indices that the arguments determine.
    pub(crate) short: String,
    pub(crate) domain: Ty,
    pub(crate) codomain: Ty,
}

/// Permission to perform operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Permit {
    /// All instances of a family, given by its number.
    All(usize),
    /// One instance, given by the number of its family and its text.
    One(usize, String),
}

/// Names and operations that may be mentioned at a point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// Variables, innermost last.
    pub(crate) variables: Vec<(String, Ty)>,
    /// Parameters of a handler, visible in its clauses at any depth.
    pub(crate) constants: Vec<(String, Ty)>,
    /// A continuation k : B ⇝ D.
    pub(crate) continuation: Option<(String, Ty, Ty)>,
    /// Locations with their sizes (n₁, …, n_t).
    pub(crate) locations: Vec<(String, Vec<Size>)>,
    /// Index parameters that are sizes.
    pub(crate) sizes: Vec<&'static str>,
    /// Index parameters that are natural numbers, such as that of `iterate`.
    pub(crate) numbers: Vec<&'static str>,
    /// Operations that an enclosing handler or the heap answers.
    pub(crate) permits: Vec<Permit>,
    /// Number of enclosing reverse handlers.
    pub(crate) level: usize,
}

impl Scope {
    /// Returns the scope with further variables.
    pub(crate) fn with(&self, variables: &[(String, Ty)]) -> Scope {
        let mut inner = self.clone();
        inner.variables.extend(variables.iter().cloned());
        inner
    }

    /// Returns the scope of the body of a `rev handle`.
    pub(crate) fn handled(&self, variables: &[(String, Ty)]) -> Scope {
        let mut inner = self.clone();
        inner.variables = variables.to_vec();
        // The body of a reverse handler may not resume an outer continuation.
        inner.continuation = None;
        inner.level += 1;
        inner
    }

    /// Returns the scope of a clause.
    pub(crate) fn clause(&self, variables: &[(String, Ty)]) -> Scope {
        let mut inner = self.clone();
        inner.variables = variables.to_vec();
        inner.continuation = None;
        inner
    }

    /// Returns all visible variables, without those that a later binding hides.
    pub(crate) fn visible(&self) -> Vec<(String, Ty)> {
        let mut seen: Vec<(String, Ty)> = Vec::new();
        for (name, ty) in self.variables.iter().rev().chain(&self.constants) {
            if name != "_" && !seen.iter().any(|(other, _)| other == name) {
                seen.push((name.clone(), ty.clone()));
            }
        }
        seen
    }

    /// True if an instance may be performed.
    pub(crate) fn permits(&self, instance: &Instance) -> bool {
        self.permits.iter().any(|permit| match permit {
            Permit::All(family) => *family == instance.family,
            Permit::One(family, text) => *family == instance.family && *text == instance.text,
        })
    }
}
