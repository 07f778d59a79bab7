//! Sets of free variables. Every node keeps one, so that substitution skips subtrees it cannot change: the cost of a long reduction is
//! linear in what its steps change.

use std::sync::Arc;

/// Number of variables that one word of a set covers.
const BITS: u32 = u64::BITS;

/// A set of variable numbers: the nonzero words of a bitmap, ascending, each with its position in the bitmap. Variables of a command
/// have numbers close to one another, so that a word has many of them. The empty set allocates nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FreeVariables(Option<Arc<[(u32, u64)]>>);

impl FreeVariables {
    /// The set of one variable.
    pub fn one(id: u32) -> Self {
        FreeVariables(Some(Arc::from([(id / BITS, bit(id))])))
    }

    /// True if the set is empty, that is, its node is closed.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The members, ascending.
    pub fn ids(&self) -> impl Iterator<Item = u32> {
        self.words().iter().flat_map(|(place, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let lowest = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(place * BITS + lowest)
            })
        })
    }

    /// True if `id` is a member.
    pub fn contains(&self, id: u32) -> bool {
        self.place(id).is_ok()
    }

    /// Index of the word of a member among the words of the set, and the number of members in that word with lower numbers. The error
    /// has the position at which `id` would be inserted.
    pub(crate) fn place(&self, id: u32) -> Result<(usize, usize), (usize, usize)> {
        let words = self.words();
        let found = words.binary_search_by_key(&(id / BITS), |(place, _)| *place);
        let (Ok(at) | Err(at)) = found;
        let word = found.ok().and_then(|at| words.get(at));
        let word = word.map_or(0, |(_, word)| *word);
        let rank = (word & (bit(id) - 1)).count_ones() as usize;
        match word & bit(id) {
            0 => Err((at, rank)),
            _ => Ok((at, rank)),
        }
    }

    /// True if the sets have a common member.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        let (mut left, mut right) = (self.words(), other.words());
        while let ([(at, one), rest @ ..], [(place, two), others @ ..]) = (left, right) {
            if at == place && one & two != 0 {
                return true;
            }
            if at <= place {
                left = rest;
            }
            if place <= at {
                right = others;
            }
        }
        false
    }

    /// Set difference: the set without the members of `other`.
    #[must_use]
    pub(crate) fn minus(&self, other: &Self) -> Self {
        if !self.meets(other) {
            return self.clone();
        }
        let mut others = other.words().iter().peekable();
        let words = self.words().iter().map(|(place, word)| {
            while others.next_if(|(at, _)| at < place).is_some() {}
            let gone = others.peek().filter(|(at, _)| at == place);
            (*place, word & !gone.map_or(0, |(_, word)| *word))
        });
        let words: Vec<_> = words.filter(|(_, word)| *word != 0).collect();
        FreeVariables((!words.is_empty()).then(|| Arc::from(words)))
    }

    /// Union of both sets; shares the larger set if it contains the other.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        if self.includes(other) {
            return self.clone();
        }
        if other.includes(self) {
            return other.clone();
        }
        let (mut left, mut right) = (self.words(), other.words());
        let mut merged = Vec::with_capacity(left.len() + right.len());
        while let ([(at, one), rest @ ..], [(place, two), others @ ..]) = (left, right) {
            merged.push((
                (*at).min(*place),
                match at.cmp(place) {
                    std::cmp::Ordering::Less => *one,
                    std::cmp::Ordering::Equal => one | two,
                    std::cmp::Ordering::Greater => *two,
                },
            ));
            if at <= place {
                left = rest;
            }
            if place <= at {
                right = others;
            }
        }
        merged.extend_from_slice(left);
        merged.extend_from_slice(right);
        FreeVariables(Some(Arc::from(merged)))
    }

    /// Union of many sets; shares the set with the most words if it contains all others.
    pub fn union_of<'a>(sets: impl IntoIterator<Item = &'a FreeVariables>) -> Self {
        let sets: Vec<&FreeVariables> = sets.into_iter().filter(|set| !set.is_empty()).collect();
        let Some(largest) = sets.iter().max_by_key(|set| set.words().len()) else {
            return Self::default();
        };
        if sets.iter().all(|set| largest.includes(set)) {
            return (*largest).clone();
        }
        let mut words: Vec<(u32, u64)> = sets.iter().flat_map(|set| set.words()).copied().collect();
        words.sort_unstable();
        words.dedup_by(|(place, word), (before, union)| {
            let same = place == before;
            *union |= if same { *word } else { 0 };
            same
        });
        FreeVariables(Some(Arc::from(words)))
    }

    /// The set with one more variable.
    #[must_use]
    pub(crate) fn with(&self, id: u32) -> Self {
        let Err((at, _)) = self.place(id) else {
            return self.clone();
        };
        let (before, after) = self.words().split_at_checked(at).unwrap_or_default();
        let (word, rest) = match after.split_first() {
            Some(((place, word), rest)) if *place == id / BITS => (word | bit(id), rest),
            _ => (bit(id), after),
        };
        let words = before.iter().copied();
        let words = words.chain([(id / BITS, word)]);
        FreeVariables(Some(words.chain(rest.iter().copied()).collect()))
    }

    /// The set without one variable.
    #[must_use]
    pub fn without(&self, id: u32) -> Self {
        match self.contains(id) {
            true => self.minus(&Self::one(id)),
            false => self.clone(),
        }
    }

    /// The set without several variables.
    #[must_use]
    pub fn without_all(&self, ids: impl IntoIterator<Item = u32>) -> Self {
        ids.into_iter()
            .fold(self.clone(), |set, id| set.without(id))
    }

    /// Nonzero words, each with its position in the bitmap.
    pub(crate) fn words(&self) -> &[(u32, u64)] {
        self.0.as_deref().unwrap_or(&[])
    }

    /// True if `other` is a subset of the set.
    fn includes(&self, other: &Self) -> bool {
        let mut own = self.words().iter();
        let same = match (&self.0, &other.0) {
            (Some(one), Some(two)) => Arc::ptr_eq(one, two),
            _ => false,
        };
        same || other.words().iter().all(|(place, word)| {
            let found = own.find(|(at, _)| at >= place);
            found.is_some_and(|(at, bits)| at == place && word & !bits == 0)
        })
    }
}

/// The bit of a variable in its word.
fn bit(id: u32) -> u64 {
    1 << (id % BITS)
}

#[cfg(test)]
mod tests {
    use super::FreeVariables;

    fn set(ids: &[u32]) -> FreeVariables {
        let sets: Vec<FreeVariables> = ids.iter().map(|id| FreeVariables::one(*id)).collect();
        FreeVariables::union_of(&sets)
    }

    fn members(set: &FreeVariables) -> Vec<u32> {
        set.ids().collect()
    }

    #[test]
    fn members_are_ascending_in_whatever_order_they_come() {
        let all = [700, 3, 64, 63, 0, 3, u32::MAX, 128];
        assert_eq!(members(&set(&all)), [0, 3, 63, 64, 128, 700, u32::MAX]);
        assert!(all.iter().all(|id| set(&all).contains(*id)));
        assert!(!set(&all).contains(1) && !set(&all).contains(701));
    }

    #[test]
    fn a_set_is_what_is_in_it() {
        assert_eq!(set(&[1, 70]), set(&[70, 1]).union(&set(&[1])));
        assert_eq!(set(&[1, 70]).without(70), set(&[1]));
        assert_eq!(set(&[1, 2]).without(2).without(1), FreeVariables::default());
        assert!(set(&[5]).without(5).is_empty());
        assert_eq!(members(&set(&[1, 2, 70]).without(3).without(2)), [1, 70]);
        assert_eq!(set(&[1, 2, 3]).without_all([1, 3]), set(&[2]));
    }

    #[test]
    fn a_difference_is_that_of_sets() {
        let (one, two) = (set(&[1, 64, 65, 200, 300]), set(&[2, 64, 201, 300, 900]));
        assert_eq!(members(&one.minus(&two)), [1, 65, 200]);
        assert_eq!(members(&two.minus(&one)), [2, 201, 900]);
        assert!(one.meets(&two) && !one.minus(&two).meets(&two));
        assert_eq!(one.minus(&one), FreeVariables::default());
        assert_eq!(one.minus(&FreeVariables::default()), one);
    }

    #[test]
    fn one_more_is_a_union_with_it() {
        let some = set(&[1, 64, 200]);
        for id in [0, 1, 2, 63, 64, 65, 128, 199, 200, 900] {
            assert_eq!(some.with(id), some.union(&set(&[id])), "{id}");
        }
        assert_eq!(FreeVariables::default().with(7), set(&[7]));
    }

    #[test]
    fn a_union_is_that_of_sets() {
        let (one, two) = (set(&[1, 64, 200]), set(&[2, 64, 65, 300]));
        assert_eq!(members(&one.union(&two)), [1, 2, 64, 65, 200, 300]);
        assert_eq!(one.union(&two), two.union(&one));
        for (whole, part) in [(&one, set(&[64])), (&one, FreeVariables::default())] {
            assert_eq!(&whole.union(&part), whole);
            assert_eq!(&part.union(whole), whole);
        }
        assert_eq!(members(&set(&[1, 2]).union(&set(&[1, 3]))), [1, 2, 3]);
    }
}
