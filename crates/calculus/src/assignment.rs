//! Persistent maps from variables, which share structure. Entries are grouped by the words of the set of variables
//! ([`FreeVariables`]): adding an entry copies the entries of one word, however large the map is.

use crate::free::FreeVariables;
use std::sync::Arc;

/// A map from the numbers of variables to values of type `T`.
#[derive(Clone, Debug)]
pub(crate) struct Assignment<T> {
    variables: FreeVariables,
    /// Entries for the variables of each word of the set, in ascending order of the variables.
    words: Arc<[Arc<[T]>]>,
}

impl<T> Default for Assignment<T> {
    fn default() -> Self {
        Assignment {
            variables: FreeVariables::default(),
            words: Arc::from([]),
        }
    }
}

impl<T: Clone> Assignment<T> {
    /// The map with one entry.
    pub(crate) fn one(id: u32, thing: T) -> Self {
        Assignment {
            variables: FreeVariables::one(id),
            words: Arc::from([Arc::from([thing])]),
        }
    }

    /// Variables that have an entry.
    pub(crate) fn variables(&self) -> &FreeVariables {
        &self.variables
    }

    /// Entry of a variable.
    pub(crate) fn get(&self, id: u32) -> Option<&T> {
        let (word, rank) = self.variables.place(id).ok()?;
        self.words.get(word)?.get(rank)
    }

    /// Variables with their entries, in ascending order of the numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.variables
            .ids()
            .zip(self.words.iter().flat_map(|word| word.iter()))
    }

    /// Map with an entry added for a variable; an existing entry of the variable is kept.
    #[must_use]
    pub(crate) fn with(&self, id: u32, thing: T) -> Self {
        let Err((word, rank)) = self.variables.place(id) else {
            return self.clone();
        };
        let variables = self.variables.with(id);
        let mut words = self.words.to_vec();
        match words.get_mut(word) {
            Some(changed) if variables.words().len() == self.words.len() => {
                let mut things = changed.to_vec();
                things.insert(rank, thing);
                *changed = things.into();
            }
            _ => words.insert(word, Arc::from([thing])),
        }
        let words = words.into();
        Assignment { variables, words }
    }

    /// Map without the entry of one variable.
    #[must_use]
    #[inline(never)] // A start does without it.
    pub(crate) fn without(&self, id: u32) -> Self {
        match self.get(id) {
            Some(_) => {
                let others = self.iter().filter(|(other, _)| *other != id);
                others.map(|(id, thing)| (id, thing.clone())).collect()
            }
            None => self.clone(),
        }
    }
}

impl<T: Clone> FromIterator<(u32, T)> for Assignment<T> {
    /// Collects pairs; the first pair of a variable counts.
    fn from_iter<I: IntoIterator<Item = (u32, T)>>(pairs: I) -> Self {
        let with = |assignment: Self, (id, thing)| assignment.with(id, thing);
        pairs.into_iter().fold(Assignment::default(), with)
    }
}

#[cfg(test)]
mod tests {
    use super::Assignment;

    fn listed(assignment: &Assignment<char>) -> String {
        let pairs = assignment.iter();
        let pairs = pairs.map(|(id, thing)| format!("{id}{thing}"));
        pairs.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn each_variable_has_its_own() {
        let pairs = [
            (70, 'a'),
            (3, 'b'),
            (64, 'c'),
            (500, 'd'),
            (0, 'e'),
            (3, 'f'),
        ];
        let all: Assignment<char> = pairs.into_iter().collect();
        assert_eq!(listed(&all), "0e 3b 64c 70a 500d");
        assert_eq!(all.get(64), Some(&'c'));
        assert_eq!((all.get(1), all.get(65), all.get(9000)), (None, None, None));
    }

    #[test]
    fn less_one_variable() {
        let all = Assignment::one(64, 'a').with(3, 'b').with(65, 'c');
        assert_eq!(listed(&all.without(64)), "3b 65c");
        assert_eq!(listed(&all.without(3)), "64a 65c");
        assert_eq!(listed(&all.without(4)), listed(&all));
        assert!(Assignment::one(2, 'a').without(2).variables().is_empty());
    }
}
