//! A sort that is small rather than fast. The sort of the library is compiled again for every type of sorted items, three
//! kilobytes each time, which every visitor of the page downloads. This sort sorts indices, so nearly all of its code is
//! compiled once.

use std::cmp::Ordering;

/// Sorts by an order, stably. Takes linear time for items that are sorted already, or that consist of a few sorted runs.
pub fn sort_by<T>(items: &mut Vec<T>, mut order: impl FnMut(&T, &T) -> Ordering) {
    let places = sorted(items.len(), &mut |first, second| {
        let both = items.get(first).zip(items.get(second));
        both.map_or(Ordering::Equal, |(first, second)| order(first, second))
    });
    let mut taken: Vec<Option<T>> = std::mem::take(items).into_iter().map(Some).collect();
    let next = places
        .into_iter()
        .filter_map(|place| taken.get_mut(place)?.take());
    items.extend(next);
}

/// Returns the indices 0 … count − 1 in sorted order. Sorted runs are found first, then merged in pairs until one is left.
fn sorted(count: usize, order: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for place in 0..count {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|&last| order(last, place).is_le()) => {
                run.push(place);
            }
            _ => runs.push(vec![place]),
        }
    }
    while runs.len() > 1 {
        let mut rest = runs.into_iter();
        let mut merged = Vec::new();
        while let Some(first) = rest.next() {
            merged.push(match rest.next() {
                Some(second) => merge(&first, &second, order),
                None => first,
            });
        }
        runs = merged;
    }
    runs.pop().unwrap_or_default()
}

fn merge(
    first: &[usize],
    second: &[usize],
    order: &mut dyn FnMut(usize, usize) -> Ordering,
) -> Vec<usize> {
    let mut merged = Vec::with_capacity(first.len() + second.len());
    let mut second = second.iter().copied().peekable();
    for &place in first {
        while let Some(before) = second.next_if(|&other| order(other, place).is_lt()) {
            merged.push(before);
        }
        merged.push(place);
    }
    merged.extend(second);
    merged
}

#[cfg(test)]
mod tests {
    use super::sort_by;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_library_does(items in prop::collection::vec((0..20_u8, any::<u8>()), 0..200)) {
            let (mut expected, mut found) = (items.clone(), items);
            expected.sort_by_key(|&(key, _)| key);
            sort_by(&mut found, |first, second| first.0.cmp(&second.0));
            prop_assert_eq!(found, expected);
        }
    }
}
