//! Components of a tuple. A long tuple is kept as a tuple of short ones: changing a component copies one of these, and whether all
//! are values is known of each.

use crate::term::{Term, TermKind};
use crate::variable::Origin;
use std::sync::Arc;

/// Components of one of the short tuples; a tuple with no more is kept as it is.
const SHORT: usize = 16;

/// M₁, …, Mₙ of ⟨M₁, …, Mₙ⟩. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Components(Kept);

#[derive(Clone, Debug)]
enum Kept {
    Short(Arc<[Term]>),
    /// Short tuples, all but the last one of `SHORT` components.
    Long(Arc<[Term]>),
}

impl Components {
    /// n
    pub fn len(&self) -> usize {
        match &self.0 {
            Kept::Short(terms) => terms.len(),
            Kept::Long(tuples) => {
                let last = tuples.last().map_or(0, |last| within(last).len());
                tuples.len().saturating_sub(1) * SHORT + last
            }
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Mᵢ, from 0
    pub fn get(&self, index: usize) -> Option<&Term> {
        match &self.0 {
            Kept::Short(terms) => terms.get(index),
            Kept::Long(tuples) => within(tuples.get(index / SHORT)?).get(index % SHORT),
        }
    }

    /// M₁, …, Mₙ
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Term> + Clone {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// M₁, …, Mₙ side by side.
    pub fn to_vec(&self) -> Vec<Term> {
        self.iter().cloned().collect()
    }

    /// All of them, if there are N.
    pub fn exactly<const N: usize>(&self) -> Option<&[Term; N]> {
        match &self.0 {
            Kept::Short(terms) => terms.as_ref().try_into().ok(),
            Kept::Long(_) => None,
        }
    }

    /// The first that is no value, from 0.
    pub fn first_reducible(&self) -> Option<usize> {
        let first = |terms: &[Term]| terms.iter().position(|term| !term.is_value());
        let place = first(self.kept())?;
        match &self.0 {
            Kept::Short(_) => Some(place),
            Kept::Long(tuples) => Some(place * SHORT + first(within(tuples.get(place)?))?),
        }
    }

    /// Components with another Mᵢ, from 0.
    #[must_use]
    pub fn with(&self, index: usize, term: Term) -> Components {
        let replaced = |terms: &[Term], index: usize, term: Term| -> Arc<[Term]> {
            let others = terms.iter().enumerate();
            let others = others.map(|(place, other)| match place == index {
                true => term.clone(),
                false => other.clone(),
            });
            others.collect()
        };
        Components(match &self.0 {
            Kept::Short(terms) => Kept::Short(replaced(terms, index, term)),
            Kept::Long(tuples) => {
                let place = index / SHORT;
                let changed = tuples.get(place).map_or(&[][..], within);
                let changed = short(replaced(changed, index % SHORT, term));
                Kept::Long(replaced(tuples, place, changed))
            }
        })
    }

    /// Terms whose free variables are those of the components together, and which are values if these are.
    pub(crate) fn kept(&self) -> &[Term] {
        match &self.0 {
            Kept::Short(terms) | Kept::Long(terms) => terms,
        }
    }
}

impl FromIterator<Term> for Components {
    fn from_iter<I: IntoIterator<Item = Term>>(terms: I) -> Self {
        let terms: Arc<[Term]> = terms.into_iter().collect();
        Components(match terms.len() <= SHORT {
            true => Kept::Short(terms),
            false => Kept::Long(
                terms
                    .chunks(SHORT)
                    .map(|terms| short(Arc::from(terms)))
                    .collect(),
            ),
        })
    }
}

/// A short tuple.
fn short(terms: Arc<[Term]>) -> Term {
    let components = Components(Kept::Short(terms));
    Term::new(TermKind::Tuple(components), Origin::default())
}

/// Components of a short tuple.
fn within(tuple: &Term) -> &[Term] {
    match tuple.kind() {
        TermKind::Tuple(components) => components.kept(),
        _ => &[],
    }
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
        for n in [0, 1, 2, 15, 16, 17, 32, 33, 100] {
            let (components, terms) = variables(n);
            assert_eq!(components.len(), n);
            assert_eq!(components.is_empty(), n == 0);
            assert!(
                components
                    .iter()
                    .zip(&terms)
                    .all(|(one, two)| one.same(two))
            );
            assert_eq!(components.iter().count(), n);
            assert!(
                components
                    .iter()
                    .rev()
                    .zip(terms.iter().rev())
                    .all(|(one, two)| one.same(two))
            );
            assert!(components.get(n).is_none());
        }
        assert!(variables(2).0.exactly::<2>().is_some());
        assert!(variables(3).0.exactly::<2>().is_none());
    }

    #[test]
    fn one_is_changed_and_the_others_stay() {
        let zero = Term::zero(&Type::Real(1), Origin::default());
        for (n, index) in [(2, 0), (16, 15), (17, 16), (17, 0), (50, 31), (50, 32)] {
            let (components, terms) = variables(n);
            let changed = components.with(index, zero.clone());
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
        for (n, index) in [(2, 1), (16, 0), (17, 16), (50, 31), (50, 32)] {
            let (components, _) = variables(n);
            assert_eq!(components.first_reducible(), None);
            let (one, origin) = (Term::unit(Origin::default()), Origin::default());
            let sum = Term::add(one.clone(), one, origin);
            let changed = components.with(n - 1, sum.clone()).with(index, sum);
            assert_eq!(changed.first_reducible(), Some(index), "{index} of {n}");
        }
    }
}
