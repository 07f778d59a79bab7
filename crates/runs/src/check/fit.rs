//! Fit of the factors in `change = −factor · slope`, entry by entry. Pure arithmetic, independent of the origin of the numbers.

/// An entry of a location at a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    /// The place in the tensor, row-major.
    pub(super) entry: usize,
    /// The number that the step adds to it.
    pub(super) change: f64,
    /// The rounding of that change.
    pub(super) rounding: f64,
    /// The partial derivative of the measure, by differences.
    pub(super) slope: f64,
    /// The rounding of that slope.
    pub(super) noise: f64,
    /// Reason for which the differences do not determine the slope, if they do not.
    pub(super) doubt: Option<Doubt>,
}

/// Reason for which differences do not determine a slope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// The differences from the two sides do not agree.
    Kink,
    /// The measure has no value beside the point.
    NoValue,
}

/// The entries of a location at a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Group {
    /// The step, from 0.
    pub(super) step: usize,
    /// The number of the location.
    pub(super) location: usize,
    /// The entries that were looked at.
    pub(super) pairs: Vec<Pair>,
}

/// Largest deviation of a group from `change = −factor · slope`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Deviation {
    /// The largest distance, as a part of the largest change of the group.
    pub(super) part: f64,
    /// Entry with that distance.
    pub(super) pair: Pair,
}

/// Slopes within so many times their rounding are zero.
const ZERO: f64 = 8.0;
/// Factors that describe fewer than so many entries each describe nothing.
const ENTRIES: usize = 2;

impl Pair {
    fn is_flat(&self) -> bool {
        self.slope.abs() <= ZERO * self.noise
    }
}

impl Group {
    /// The entries of which differences say something.
    fn sound(&self) -> impl Iterator<Item = &Pair> {
        self.pairs.iter().filter(|pair| pair.doubt.is_none())
    }

    /// True if the measure does not change with any of them.
    pub(super) fn is_flat(&self) -> bool {
        self.sound().all(Pair::is_flat)
    }

    /// True if the step changes none of them.
    pub(super) fn is_still(&self) -> bool {
        self.sound().all(|pair| pair.change == 0.0)
    }

    /// Largest deviation of the group from a factor; None if no entry is sound.
    pub(super) fn deviation(&self, factor: f64) -> Option<Deviation> {
        let largest = |pair: &Pair| pair.change.abs().max((factor * pair.slope).abs());
        let scale = self.sound().map(largest).fold(0.0, f64::max);
        let mut found: Option<Deviation> = None;
        for pair in self.sound() {
            // A distance that may be rounding is none.
            let rounding = ZERO * (factor.abs() * pair.noise + pair.rounding);
            let distance = (pair.change + factor * pair.slope).abs() - rounding;
            let part = match distance > 0.0 {
                true => distance / scale,
                false => 0.0,
            };
            if found.is_none_or(|found| part > found.part) {
                found = Some(Deviation { part, pair: *pair });
            }
        }
        found
    }

    /// True if it is as near to a factor as that.
    pub(super) fn fits(&self, factor: f64, tolerance: f64) -> bool {
        let deviation = self.deviation(factor);
        deviation.is_none_or(|deviation| deviation.part <= tolerance)
    }
}

/// The factors that describe the changes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pattern {
    /// The measure changes with none of the entries.
    Flat,
    /// No entry is changed, though the measure changes with some.
    Still,
    /// One factor.
    One(f64),
    /// A factor for each location with a slope, by number; 0 where it is left as it is.
    Locations(Vec<(usize, f64)>),
    /// A factor for each step with a slope.
    Steps(Vec<(usize, f64)>),
    /// A factor for each location at each step.
    Each,
    /// No pattern. The factor describes the most entries.
    None(f64),
    /// No entry is sound.
    Doubtful,
    /// Entries are changed by no more than rounding.
    Rounding,
}

/// The factor of least squares; nothing if all slopes are zero.
fn least_squares<'g>(groups: impl Iterator<Item = &'g Group>) -> Option<f64> {
    let (mut across, mut along) = (0.0, 0.0);
    for pair in groups.flat_map(Group::sound).filter(|pair| !pair.is_flat()) {
        across += pair.change * pair.slope;
        along += pair.slope * pair.slope;
    }
    (along > 0.0).then(|| -across / along)
}

/// The factor that all of some groups have; zero slopes say nothing of it.
pub(super) fn common(groups: &[&Group], tolerance: f64) -> Option<f64> {
    let factor = least_squares(groups.iter().copied());
    let factor = factor.unwrap_or(0.0);
    let fit = groups.iter().all(|group| group.fits(factor, tolerance));
    fit.then_some(factor)
}

/// A factor for each set of groups, if each has one, and there are entries enough to tell.
fn by(groups: &[&Group], of: fn(&Group) -> usize, tolerance: f64) -> Option<Vec<(usize, f64)>> {
    let mut keys: Vec<usize> = groups.iter().map(|group| of(group)).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut factors = Vec::new();
    let (mut described, mut needed) = (0, 0);
    for key in keys {
        let set = groups.iter().filter(|group| of(group) == key);
        let set: Vec<&Group> = set.copied().collect();
        let factor = common(&set, tolerance)?;
        let slopes = set.iter().flat_map(|group| group.sound());
        let slopes = slopes.filter(|pair| !pair.is_flat()).count();
        if slopes > 0 {
            factors.push((key, factor));
            described += slopes;
            needed += ENTRIES;
        }
    }
    (described >= needed).then_some(factors)
}

/// The factors that describe these groups, the simplest that do.
pub(super) fn pattern(groups: &[&Group], tolerance: f64) -> Pattern {
    if groups.iter().all(|group| group.sound().next().is_none()) {
        return Pattern::Doubtful;
    }
    let Some(squares) = least_squares(groups.iter().copied()) else {
        return Pattern::Flat;
    };
    if groups.iter().all(|group| group.is_still()) {
        return Pattern::Still;
    }
    let rounds = |pair: &Pair| pair.change.abs() <= ZERO * pair.rounding;
    if groups.iter().all(|group| group.sound().all(rounds)) {
        return Pattern::Rounding;
    }
    if let Some(factor) = common(groups, tolerance) {
        return Pattern::One(factor);
    }
    if let Some(factors) = by(groups, |group| group.location, tolerance) {
        return Pattern::Locations(factors);
    }
    if let Some(factors) = by(groups, |group| group.step, tolerance) {
        return Pattern::Steps(factors);
    }
    let each: Option<usize> = groups.iter().map(|group| own(group, tolerance)).sum();
    if each.is_some_and(|slopes| slopes >= ENTRIES * groups.len()) {
        return Pattern::Each;
    }
    // The factor of the group whose factor describes the most entries, so that those are found which differ.
    let candidates = groups.iter().filter(|group| !group.is_flat());
    let candidates = candidates.filter_map(|group| common(&[group], tolerance));
    let mut best = (0, squares);
    for factor in candidates.filter(|factor| *factor != 0.0) {
        let fit = groups.iter().filter(|group| group.fits(factor, tolerance));
        let described = fit.map(|group| group.pairs.len()).sum();
        if described > best.0 {
            best = (described, factor);
        }
    }
    Pattern::None(best.1)
}

/// Number of slopes that the group's own factor describes; None if it has no such factor.
fn own(group: &Group, tolerance: f64) -> Option<usize> {
    common(&[group], tolerance)?;
    Some(group.sound().filter(|pair| !pair.is_flat()).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(step: usize, location: usize, pairs: &[(f64, f64)]) -> Group {
        let pairs = pairs.iter().enumerate();
        let pairs = pairs.map(|(entry, (change, slope))| Pair {
            entry,
            change: *change,
            rounding: 0.0,
            slope: *slope,
            noise: 1e-12,
            doubt: None,
        });
        Group {
            step,
            location,
            pairs: pairs.collect(),
        }
    }

    fn found(groups: &[Group]) -> Pattern {
        pattern(&groups.iter().collect::<Vec<_>>(), 1e-6)
    }

    /// Slopes, and changes that are −`factor` times as large.
    fn along(step: usize, location: usize, factor: f64) -> Group {
        let slopes = [1.0, -2.0, 0.5, 0.0].map(|slope| slope + location as f64 + step as f64);
        group(
            step,
            location,
            &slopes.map(|slope| (-factor * slope, slope)),
        )
    }

    #[test]
    fn factors_are_found_where_there_are_some() {
        assert_eq!(
            found(&[along(0, 0, 0.5), along(0, 1, 0.5), along(1, 0, 0.5)]),
            Pattern::One(0.5)
        );
        assert_eq!(
            found(&[along(0, 0, 0.5), along(0, 1, 0.0), along(1, 0, 0.5)]),
            Pattern::Locations(vec![(0, 0.5), (1, 0.0)])
        );
        assert_eq!(
            found(&[along(0, 0, 0.5), along(0, 1, 0.5), along(1, 0, 0.25)]),
            Pattern::Steps(vec![(0, 0.5), (1, 0.25)])
        );
        let each = [
            along(0, 0, 0.5),
            along(0, 1, 0.25),
            along(1, 0, 0.25),
            along(1, 1, 0.5),
        ];
        assert_eq!(found(&each), Pattern::Each);
    }

    #[test]
    fn where_there_is_none_the_factor_of_most_entries_stands_out() {
        let turned = group(0, 1, &[(1.0, 1.0), (1.0, -1.0), (1.0, 2.0)]);
        let groups = [along(0, 0, 0.5), turned.clone(), along(1, 0, 0.5)];
        assert_eq!(found(&groups), Pattern::None(0.5));
        let deviation = turned.deviation(0.5).unwrap();
        assert_eq!((deviation.pair.entry, deviation.part), (2, 2.0 - 4e-12));
    }

    #[test]
    fn zero_slopes_no_changes_and_doubts_are_told_apart() {
        assert_eq!(found(&[group(0, 0, &[(1.0, 0.0)])]), Pattern::Flat);
        assert_eq!(found(&[group(0, 0, &[(0.0, 1.0)])]), Pattern::Still);
        let mut ended = group(0, 0, &[(1e-17, 1e-10), (0.0, -1e-10)]);
        for pair in &mut ended.pairs {
            pair.rounding = 1e-16;
        }
        assert_eq!(found(&[ended]), Pattern::Rounding);
        let mut doubtful = along(0, 0, 0.5);
        for pair in &mut doubtful.pairs {
            pair.doubt = Some(Doubt::Kink);
        }
        assert_eq!(found(&[doubtful]), Pattern::Doubtful);
    }

    #[test]
    fn single_numbers_have_no_factors_of_their_own() {
        // With one entry at each step, any change would be along the slope.
        let groups = [group(0, 0, &[(-0.5, 1.0)]), group(1, 0, &[(-0.3, 1.0)])];
        assert_eq!(found(&groups), Pattern::None(0.5));
    }
}
