//! Components of a tuple. A long tuple is kept as a tree of short tuples: replacing a component copies one short tuple at each
//! height, and each short tuple knows if all its components are values.

use crate::term::{Term, TermKind};
use crate::variable::Origin;
use std::sync::Arc;

/// Maximum number of components of a short tuple; a tuple with no more components is kept flat.
const SHORT: usize = 16;

/// M₁, …, Mₙ of ⟨M₁, …, Mₙ⟩. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Components {
    /// Components of the tuple, or short tuples of them.
    kept: Arc<[Term]>,
    /// Number of components that each entry of `kept` stands for; the last entry may have fewer.
    each: usize,
}

impl Components {
    /// Index of the first component that is not a value, from 0.
    pub fn first_reducible(&self) -> Option<usize> {
        let place = self.kept.iter().position(|term| !term.is_value())?;
        Some(place * self.each + self.within(place).map_or(Some(0), Self::first_reducible)?)
    }

    /// Mᵢ, with i counted from 0.
    pub fn get(&self, index: usize) -> Option<&Term> {
        let place = index / self.each;
        match self.within(place) {
            Some(components) => components.get(index % self.each),
            None => self.kept.get(place),
        }
    }

    /// Iterates over the components in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Term> + Clone {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Components as a flat vector.
    pub fn to_vec(&self) -> Vec<Term> {
        self.iter().cloned().collect()
    }

    /// Number of components.
    #[allow(clippy::len_without_is_empty)] // A tuple of none is the unit.
    pub fn len(&self) -> usize {
        let full = self.kept.len().saturating_sub(1);
        let last = self.within(full).map_or(1, Self::len);
        match self.kept.is_empty() {
            true => 0,
            false => full * self.each + last,
        }
    }

    /// M₁ and M₂ of ⟨M₁, M₂⟩; `None` for other lengths.
    pub fn pair(&self) -> Option<(&Term, &Term)> {
        match &*self.kept {
            [first, second] if self.each == 1 => Some((first, second)),
            _ => None,
        }
    }

    /// Components with Mᵢ replaced, i from 0; unchanged if there is no Mᵢ.
    #[must_use]
    pub fn with(&self, index: usize, term: &Term) -> Components {
        let place = index / self.each;
        let changed = match self.within(place) {
            Some(components) => tuple(components.with(index % self.each, term)),
            None => term.clone(),
        };
        let others = self.kept.iter().enumerate();
        let kept = others.map(|(at, other)| if at == place { &changed } else { other });
        Components {
            kept: kept.cloned().collect(),
            each: self.each,
        }
    }

    /// Entries of the top level of the tree. Their free variables together are those of the components; all of them are values if
    /// all components are.
    pub(crate) fn kept(&self) -> &[Term] {
        &self.kept
    }

    /// Components that an entry of `kept` stands for; `None` if the entry is itself a component.
    fn within(&self, place: usize) -> Option<&Components> {
        match self.kept.get(place)?.kind() {
            TermKind::Tuple(components) if self.each > 1 => Some(components),
            _ => None,
        }
    }

    /// The same components in a tree that is one level higher.
    #[inline(never)] // A start does without it.
    fn shortened(&self) -> Components {
        let tuples = self.kept.chunks(SHORT).map(|kept| {
            tuple(Components {
                kept: Arc::from(kept),
                each: self.each,
            })
        });
        Components {
            kept: tuples.collect(),
            each: self.each * SHORT,
        }
    }
}

impl From<Arc<[Term]>> for Components {
    fn from(kept: Arc<[Term]>) -> Self {
        let mut components = Components { kept, each: 1 };
        while components.kept.len() > SHORT {
            components = components.shortened();
        }
        components
    }
}

impl FromIterator<Term> for Components {
    fn from_iter<I: IntoIterator<Item = Term>>(terms: I) -> Self {
        Components::from(terms.into_iter().collect::<Arc<[Term]>>())
    }
}

fn tuple(components: Components) -> Term {
    Term::new(TermKind::Tuple(components), Origin::default())
}

#[cfg(test)]
mod tests {
    use super::Components;
    use crate::{Origin, Supply, Term, Type};

    /// ⟨x₀, …⟩
    fn variables(n: usize) -> (Components, Vec<Term>) {
        let mut supply = Supply::default();
        let terms = (0..n).map(|_| Term::variable(&supply.fresh("x"), Origin::default()));
        let terms: Vec<Term> = terms.collect();
        (terms.iter().cloned().collect(), terms)
    }

    #[test]
    fn components_are_what_they_were_made_of() {
        for n in [0, 1, 2, 15, 16, 17, 32, 33, 256, 257, 700] {
            let (components, terms) = variables(n);
            assert_eq!(components.len(), n);
            for (index, term) in terms.iter().enumerate() {
                let one = components.get(index);
                assert!(one.is_some_and(|one| one.same(term)));
            }
            assert!(components.get(n).is_none());
            assert!(
                components
                    .iter()
                    .zip(&terms)
                    .all(|(one, two)| one.same(two))
            );
            assert_eq!(components.iter().count(), n);
            assert_eq!(components.pair().is_some(), n == 2);
        }
    }

    #[test]
    fn one_is_changed_and_the_others_stay() {
        let zero = Term::zero(&Type::Real(1), Origin::default());
        for (n, index) in [
            (2, 0),
            (16, 15),
            (17, 16),
            (17, 0),
            (50, 31),
            (50, 32),
            (600, 599),
        ] {
            let (components, terms) = variables(n);
            let changed = components.with(index, &zero);
            let expected = terms.iter().enumerate();
            let expected = expected.map(|(place, term)| if place == index { &zero } else { term });
            assert!(
                changed.iter().zip(expected).all(|(one, two)| one.same(two)),
                "{index} of {n}"
            );
            assert_eq!(changed.len(), n);
        }
    }

    #[test]
    fn the_first_that_is_no_value_is_found() {
        for (n, index) in [(2, 1), (16, 0), (17, 16), (50, 31), (50, 32), (600, 300)] {
            let (components, _) = variables(n);
            assert_eq!(components.first_reducible(), None);
            let (one, origin) = (Term::unit(Origin::default()), Origin::default());
            let sum = Term::add(one.clone(), one, origin);
            let changed = components.with(n - 1, &sum).with(index, &sum);
            assert_eq!(changed.first_reducible(), Some(index), "{index} of {n}");
        }
    }
}
