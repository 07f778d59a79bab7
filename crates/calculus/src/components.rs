//! Components of a tuple. A long tuple is kept as a tuple of short ones: changing a component copies one of these, and whether all
//! are values is known of each.

use crate::term::{Term, TermKind};
use crate::variable::Origin;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// Components of one of the short tuples; a tuple with no more is kept as it is.
const SHORT: usize = 16;

/// M₁, …, Mₙ of ⟨M₁, …, Mₙ⟩. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Components(Kept);

#[derive(Clone, Debug)]
enum Kept {
    Short(Arc<[Term]>),
    Long(Arc<Long>),
}

#[derive(Debug)]
struct Long {
    /// Short tuples, all but the last one of `SHORT` components.
    tuples: Arc<[Term]>,
    /// Components side by side, once somebody asks for more than one.
    all: OnceLock<Arc<[Term]>>,
}

impl Long {
    fn of(tuples: Arc<[Term]>) -> Kept {
        let all = OnceLock::new();
        Kept::Long(Arc::new(Long { tuples, all }))
    }
}

impl Components {
    /// The first that is no value, from 0.
    pub fn first_reducible(&self) -> Option<usize> {
        let first = |terms: &[Term]| terms.iter().position(|term| !term.is_value());
        let place = first(self.kept())?;
        match &self.0 {
            Kept::Short(_) => Some(place),
            Kept::Long(long) => Some(place * SHORT + first(within(long.tuples.get(place)?))?),
        }
    }

    /// Mᵢ, from 0
    pub fn component(&self, index: usize) -> Option<&Term> {
        match &self.0 {
            Kept::Short(terms) => terms.get(index),
            Kept::Long(long) => within(long.tuples.get(index / SHORT)?).get(index % SHORT),
        }
    }

    /// Components with another Mᵢ, from 0; the same where there is no Mᵢ.
    #[must_use]
    pub fn with(&self, index: usize, term: &Term) -> Components {
        Components(match &self.0 {
            Kept::Short(terms) => Kept::Short(replaced(terms, index, term)),
            Kept::Long(long) => {
                let place = index / SHORT;
                let Some(changed) = long.tuples.get(place) else {
                    return self.clone();
                };
                let changed = short(replaced(within(changed), index % SHORT, term));
                Long::of(replaced(&long.tuples, place, &changed))
            }
        })
    }

    /// Terms whose free variables are those of the components together, and which are values if these are.
    pub(crate) fn kept(&self) -> &[Term] {
        match &self.0 {
            Kept::Short(terms) => terms,
            Kept::Long(long) => &long.tuples,
        }
    }
}

impl Deref for Components {
    type Target = [Term];

    fn deref(&self) -> &[Term] {
        match &self.0 {
            Kept::Short(terms) => terms,
            Kept::Long(long) => {
                let tuples = || long.tuples.iter().flat_map(within).cloned();
                long.all.get_or_init(|| tuples().collect())
            }
        }
    }
}

impl From<Arc<[Term]>> for Components {
    fn from(terms: Arc<[Term]>) -> Self {
        Components(match terms.len() <= SHORT {
            true => Kept::Short(terms),
            false => Long::of(shortened(&terms)),
        })
    }
}

impl FromIterator<Term> for Components {
    fn from_iter<I: IntoIterator<Item = Term>>(terms: I) -> Self {
        Components::from(terms.into_iter().collect::<Arc<[Term]>>())
    }
}

/// Terms with another one at this place.
fn replaced(terms: &[Term], index: usize, term: &Term) -> Arc<[Term]> {
    let others = terms.iter().enumerate();
    let others = others.map(|(place, other)| if place == index { term } else { other });
    others.cloned().collect()
}

/// Terms as short tuples.
#[inline(never)] // A start does without it.
fn shortened(terms: &[Term]) -> Arc<[Term]> {
    terms
        .chunks(SHORT)
        .map(|terms| short(Arc::from(terms)))
        .collect()
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
    #![allow(clippy::indexing_slicing)] // A failed test is a panic.

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
            for (index, term) in terms.iter().enumerate() {
                assert!(components[index].same(term));
                assert!(
                    components
                        .component(index)
                        .is_some_and(|one| one.same(term))
                );
            }
            assert!(components.component(n).is_none());
        }
    }

    #[test]
    fn one_is_changed_and_the_others_stay() {
        let zero = Term::zero(&Type::Real(1), Origin::default());
        for (n, index) in [(2, 0), (16, 15), (17, 16), (17, 0), (50, 31), (50, 32)] {
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
        for (n, index) in [(2, 1), (16, 0), (17, 16), (50, 31), (50, 32)] {
            let (components, _) = variables(n);
            assert_eq!(components.first_reducible(), None);
            let (one, origin) = (Term::unit(Origin::default()), Origin::default());
            let sum = Term::add(one.clone(), one, origin);
            let changed = components.with(n - 1, &sum).with(index, &sum);
            assert_eq!(changed.first_reducible(), Some(index), "{index} of {n}");
        }
    }
}
