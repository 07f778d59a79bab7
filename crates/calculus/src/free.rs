//! Sets of free variables, kept at every node: substitution skips what it cannot change, which keeps
//! a long reduction linear in what really happens.

use std::sync::Arc;

/// A sorted set of variable numbers; the empty set is free of charge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FreeVariables(Option<Arc<[u32]>>);

impl FreeVariables {
    /// The set of one variable.
    pub fn one(id: u32) -> Self {
        FreeVariables(Some(Arc::from([id])))
    }

    /// True if the set is empty, that is, the node closed.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The members, ascending.
    pub fn ids(&self) -> &[u32] {
        self.0.as_deref().unwrap_or(&[])
    }

    /// True if `id` is a member.
    pub fn contains(&self, id: u32) -> bool {
        self.ids().binary_search(&id).is_ok()
    }

    fn from_sorted(ids: Vec<u32>) -> Self {
        FreeVariables(if ids.is_empty() {
            None
        } else {
            Some(Arc::from(ids))
        })
    }

    /// The union; shares an argument that contains the other.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let (left, right) = (self.ids(), other.ids());
        if right.is_empty() {
            return self.clone();
        }
        if left.is_empty() {
            return other.clone();
        }
        let mut merged = Vec::with_capacity(left.len() + right.len());
        merged.extend_from_slice(left);
        merged.extend_from_slice(right);
        merged.sort_unstable();
        merged.dedup();
        if merged.len() == left.len() {
            self.clone()
        } else if merged.len() == right.len() {
            other.clone()
        } else {
            Self::from_sorted(merged)
        }
    }

    /// The union of many.
    pub fn union_of<'a>(sets: impl IntoIterator<Item = &'a FreeVariables>) -> Self {
        let mut ids = Vec::new();
        let mut count = 0usize;
        let mut last = None;
        for set in sets {
            if !set.is_empty() {
                ids.extend_from_slice(set.ids());
                count += 1;
                last = Some(set);
            }
        }
        match (count, last) {
            (0, _) => Self::default(),
            (1, Some(set)) => set.clone(),
            _ => {
                ids.sort_unstable();
                ids.dedup();
                Self::from_sorted(ids)
            }
        }
    }

    /// The set without one variable.
    #[must_use]
    pub fn without(&self, id: u32) -> Self {
        if self.contains(id) {
            Self::from_sorted(
                self.ids()
                    .iter()
                    .copied()
                    .filter(|&other| other != id)
                    .collect(),
            )
        } else {
            self.clone()
        }
    }

    /// The set without several variables.
    #[must_use]
    pub fn without_all(&self, ids: impl IntoIterator<Item = u32>) -> Self {
        ids.into_iter()
            .fold(self.clone(), |set, id| set.without(id))
    }
}
