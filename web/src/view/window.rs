//! Long lists are drawn in part: what is at work and its surroundings, so that a deep network costs no more
//! than a small one.

use std::ops::Range;

/// The part of `count` entries to draw: `around` entries on both sides of those at work, or from the start
/// if nothing is at work.
pub(super) fn window(count: usize, work: Option<Range<usize>>, around: usize) -> Range<usize> {
    let mut work = work.unwrap_or(0..0);
    if work.len() > 2 * around {
        work.end = work.start + 1;
    }
    let start = work.start.min(count).saturating_sub(around);
    // What does not fit on one side is given to the other.
    let end = work
        .end
        .saturating_add(around)
        .max(start.saturating_add(2 * around))
        .min(count);
    start.min(end.saturating_sub(2 * around))..end
}

/// From the first entry that is at work to the last, if any is.
pub(super) fn at_work<T>(entries: &[T], works: impl Fn(&T) -> bool) -> Option<Range<usize>> {
    let first = entries.iter().position(&works)?;
    let last = entries.iter().rposition(&works)?;
    Some(first..last + 1)
}

#[cfg(test)]
mod tests {
    use super::{at_work, window};

    #[test]
    fn a_window_keeps_its_size_at_both_ends() {
        let cases = [
            (10, None, 20, 0..10),
            (100, None, 20, 0..40),
            (100, Some(50..52), 20, 30..72),
            (100, Some(3..4), 20, 0..40),
            (100, Some(98..99), 20, 60..100),
            (100, Some(0..100), 20, 0..40),
        ];
        for (count, work, around, drawn) in cases {
            assert_eq!(
                window(count, work.clone(), around),
                drawn,
                "{count} {work:?}"
            );
        }
    }

    #[test]
    fn what_is_at_work_is_a_range() {
        assert_eq!(at_work(&[1, 2, 2, 3, 2, 1], |n| *n == 2), Some(1..5));
        assert_eq!(at_work(&[1], |n| *n == 2), None);
    }
}
