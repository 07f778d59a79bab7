//! Fit of the factors in `change = −factor · slope`, entry by entry: the change that a training step makes, and the slope of a measure.
//! Pure arithmetic, independent of the origin of the numbers.

/// Change and slope of an entry of a location at a training step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    /// Index of the entry in the tensor, row-major.
    pub(super) entry: usize,
    /// The number that the training step adds to the entry.
    pub(super) change: f64,
    /// Estimate of the rounding error of that change.
    pub(super) rounding: f64,
    /// The partial derivative of the measure by the entry, from finite differences.
    pub(super) slope: f64,
    /// Estimate of the rounding error of that slope.
    pub(super) noise: f64,
    /// Reason for which the differences do not determine the slope; `None` for a *sound* pair.
    pub(super) doubt: Option<Doubt>,
}

/// Reason for which differences do not determine a slope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// The one-sided differences do not agree.
    Kink,
    /// The measure has no value near the point.
    NoValue,
}

/// The entries of one location at one training step.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Group {
    /// Index of the step among the checked steps, from 0.
    pub(super) step: usize,
    /// The number of the location.
    pub(super) location: usize,
    /// The entries that were examined.
    pub(super) pairs: Vec<Pair>,
}

/// Largest deviation of a group from `change = −factor · slope`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Deviation {
    /// The largest distance, relative to the largest change of the group, made or expected.
    pub(super) part: f64,
    /// The entry with that distance.
    pub(super) pair: Pair,
}

/// Multiple of its rounding error up to which a slope counts as zero.
const ZERO: f64 = 8.0;
/// Number of entries per factor below which factors of their own explain nothing.
const ENTRIES: usize = 2;

impl Pair {
    fn is_flat(&self) -> bool {
        self.slope.abs() <= ZERO * self.noise
    }
}

impl Group {
    /// The entries whose slopes are determined by differences.
    fn sound(&self) -> impl Iterator<Item = &Pair> {
        self.pairs.iter().filter(|pair| pair.doubt.is_none())
    }

    /// True if the measure does not depend on any sound entry.
    pub(super) fn is_flat(&self) -> bool {
        self.sound().all(Pair::is_flat)
    }

    /// True if the step changes no sound entry.
    pub(super) fn is_still(&self) -> bool {
        self.sound().all(|pair| pair.change == 0.0)
    }

    /// Largest deviation of the group from a factor; `None` if no entry is sound.
    pub(super) fn deviation(&self, factor: f64) -> Option<Deviation> {
        let largest = |pair: &Pair| pair.change.abs().max((factor * pair.slope).abs());
        let scale = self.sound().map(largest).fold(0.0, f64::max);
        let mut found: Option<Deviation> = None;
        for pair in self.sound() {
            // A distance within the rounding error counts as none.
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

    /// True if no entry deviates from the factor by more than the tolerance.
    pub(super) fn fits(&self, factor: f64, tolerance: f64) -> bool {
        let deviation = self.deviation(factor);
        deviation.is_none_or(|deviation| deviation.part <= tolerance)
    }
}

/// The factors that describe the changes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pattern {
    /// The measure depends on none of the entries.
    Flat,
    /// No entry is changed, though the measure depends on some of them.
    Still,
    /// One factor for all entries.
    One(f64),
    /// A factor for each location with a slope, by number; 0 for a location that is not changed.
    Locations(Vec<(usize, f64)>),
    /// A factor for each step with a slope, by index.
    Steps(Vec<(usize, f64)>),
    /// A factor for each location at each step.
    Each,
    /// No pattern. This factor describes the most entries.
    None(f64),
    /// No entry is sound.
    Doubtful,
    /// No entry is changed by more than rounding.
    Rounding,
}

/// The factor of least squares; `None` if all slopes are zero.
fn least_squares<'g>(groups: impl Iterator<Item = &'g Group>) -> Option<f64> {
    let (mut across, mut along) = (0.0, 0.0);
    for pair in groups.flat_map(Group::sound).filter(|pair| !pair.is_flat()) {
        across += pair.change * pair.slope;
        along += pair.slope * pair.slope;
    }
    (along > 0.0).then(|| -across / along)
}

/// The factor that fits all of these groups, if there is one; zero slopes do not determine it.
pub(super) fn common(groups: &[&Group], tolerance: f64) -> Option<f64> {
    let factor = least_squares(groups.iter().copied());
    let factor = factor.unwrap_or(0.0);
    let fit = groups.iter().all(|group| group.fits(factor, tolerance));
    fit.then_some(factor)
}

/// A factor for each set of groups with the same key `of`; `None` if a set has none, or if there are too few entries to tell.
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

/// Finds the simplest pattern of factors that describes these groups.
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
    // The groups that deviate are found with the factor of one group that describes the most entries.
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

/// Number of nonzero slopes in a group that one factor describes; `None` if no factor describes the group.
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

    /// A group with given slopes, and with changes of −`factor` times the slopes.
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
