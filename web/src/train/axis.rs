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
    fn powers_of_ten_are_named_where_they_have_room() {
        assert_eq!(named(2000.0), [0.0, 10.0, 100.0, 2000.0]);
        assert_eq!(named(3.0), [0.0, 1.0, 3.0]);
        assert_eq!(named(0.0), [0.0]);
    }
}
