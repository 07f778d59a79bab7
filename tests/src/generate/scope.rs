//! Scope of a place: names and operations that a random command may mention there.

use super::types::{Size, Ty};

/// A family of operations, with its instances.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) kind: FamilyKind,
}

/// How a family is indexed, and its types.
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
    /// As in a call with all its indices, and as in a clause of its own: `FC[w]`.
    pub(crate) text: String,
    /// As in a call, indices that the arguments determine left out.
    pub(crate) short: String,
    pub(crate) domain: Ty,
    pub(crate) codomain: Ty,
}

/// Operations that may be performed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Permit {
    /// All of a family, by its number.
    All(usize),
    /// One instance, by its family and text.
    One(usize, String),
}

/// Names and operations that may be mentioned.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// Variables, the latest last.
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
    /// Operations that something outside will treat.
    pub(crate) permits: Vec<Permit>,
    /// How many reverse handlers are around.
    pub(crate) level: usize,
}

impl Scope {
    /// The scope with one more variable.
    pub(crate) fn with(&self, variables: &[(String, Ty)]) -> Scope {
        let mut inner = self.clone();
        inner.variables.extend(variables.iter().cloned());
        inner
    }

    /// The scope of the body of `rev handle`.
    pub(crate) fn handled(&self, variables: &[(String, Ty)]) -> Scope {
        let mut inner = self.clone();
        inner.variables = variables.to_vec();
        // Below another reverse handler a continuation is open, and this body is not.
        inner.continuation = None;
        inner.level += 1;
        inner
    }

    /// The scope of a clause.
    pub(crate) fn clause(&self, variables: &[(String, Ty)]) -> Scope {
        let mut inner = self.clone();
        inner.variables = variables.to_vec();
        inner.continuation = None;
        inner
    }

    /// All that is visible, what is hidden by a later binding left out.
    pub(crate) fn visible(&self) -> Vec<(String, Ty)> {
        let mut seen: Vec<(String, Ty)> = Vec::new();
        for (name, ty) in self.variables.iter().rev().chain(&self.constants) {
            if name != "_" && !seen.iter().any(|(other, _)| other == name) {
                seen.push((name.clone(), ty.clone()));
            }
        }
        seen
    }

    /// Tells if an instance may be performed.
    pub(crate) fn permits(&self, instance: &Instance) -> bool {
        self.permits.iter().any(|permit| match permit {
            Permit::All(family) => *family == instance.family,
            Permit::One(family, text) => *family == instance.family && *text == instance.text,
        })
    }
}
