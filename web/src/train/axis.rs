//! The axis of the epochs: logarithmic, for much happens early. The curves and the slider of a training have the same one.

/// The place of an epoch on an axis up to the epoch `end`, from 0 to 1.
pub fn place(epoch: f64, end: f64) -> f64 {
    if end > 0.0 {
        (libm::log1p(epoch) / libm::log1p(end)).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// The epoch at a place of the axis.
pub fn epoch(place: f64, end: f64) -> f64 {
    libm::expm1(place.clamp(0.0, 1.0) * libm::log1p(end.max(0.0)))
}

/// A part of the axis, from one epoch to another.
pub type Window = (f64, f64);

/// The place of an epoch in a part of the axis, from 0 to 1; epochs outside have places outside.
pub fn within(epoch: f64, (from, to): Window) -> f64 {
    let at = |epoch: f64| libm::log1p(epoch.max(0.0));
    if to > from {
        (at(epoch) - at(from)) / (at(to) - at(from))
    } else {
        0.0
    }
}

/// The epoch at a place in a part of the axis.
pub fn epoch_within(place: f64, (from, to): Window) -> f64 {
    let at = |epoch: f64| libm::log1p(epoch.max(0.0));
    libm::expm1(at(from) + place.clamp(0.0, 1.0) * (at(to) - at(from)))
}

/// The epochs that a part of the axis names: its ends, and between them those of [`named`] that have room.
pub fn named_within(window: Window) -> Vec<f64> {
    // Two charts stand side by side, each with less room than the slider.
    const ROOM: f64 = 0.15;
    let (from, to) = window;
    let inside = named(to).into_iter();
    let inside = inside.filter(|epoch| (ROOM..=1.0 - ROOM).contains(&within(*epoch, window)));
    let ends = if to > from { Some(to) } else { None };
    [from].into_iter().chain(inside).chain(ends).collect()
}

/// The epochs that the axis names: 0, powers of ten, and its end; none that would stand in another one's place.
pub fn named(end: f64) -> Vec<f64> {
    const ROOM: f64 = 0.12;
    let mut named = vec![0.0];
    let mut power = 1.0;
    while power < end {
        let free = place(power, end) - place(named.last().copied().unwrap_or(0.0), end) >= ROOM;
        if free && place(power, end) <= 1.0 - ROOM {
            named.push(power);
        }
        power *= 10.0;
    }
    if end > 0.0 {
        named.push(end);
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_and_its_epoch_are_inverse() {
        for (number, end) in [(0.0, 2000.0), (1.0, 2000.0), (37.5, 2000.0), (3.0, 3.0)] {
            let there = epoch(place(number, end), end);
            assert!((there - number).abs() < 1e-9, "{number} of {end}: {there}");
        }
        assert_eq!((place(5.0, 0.0), epoch(0.5, 0.0)), (0.0, 0.0));
        assert_eq!((place(9.0, 3.0), place(0.0, 3.0)), (1.0, 0.0));
    }

    #[test]
    fn a_part_of_the_axis_is_an_axis_of_its_own() {
        let window = (100.0, 2000.0);
        assert_eq!((within(100.0, window), within(2000.0, window)), (0.0, 1.0));
        assert!(within(50.0, window) < 0.0 && within(3000.0, window) > 1.0);
        assert!((epoch_within(within(700.0, window), window) - 700.0).abs() < 1e-9);
        assert_eq!(within(37.0, (0.0, 2000.0)), place(37.0, 2000.0));
        assert_eq!(named_within((0.0, 2000.0)), named(2000.0));
        assert_eq!(named_within((20.0, 2000.0)), [20.0, 100.0, 2000.0]);
        assert_eq!(named_within((0.0, 0.0)), [0.0]);
    }

    #[test]
    fn powers_of_ten_are_named_where_they_have_room() {
        assert_eq!(named(2000.0), [0.0, 10.0, 100.0, 2000.0]);
        assert_eq!(named(3.0), [0.0, 1.0, 3.0]);
        assert_eq!(named(0.0), [0.0]);
    }
}
