//! The axis of the epochs, logarithmic since much happens early, or linear. The curves and the slider of a training share it.

/// Axis from one epoch to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// First epoch.
    pub from: f64,
    /// Last epoch.
    pub to: f64,
    /// True if the axis is linear; else it is logarithmic.
    pub even: bool,
}

impl Axis {
    /// Coordinate of an epoch, 0 at the start of the axis and 1 at its end. Epochs outside have coordinates outside.
    pub fn place(self, epoch: f64) -> f64 {
        let [from, to, at] = [self.from, self.to, epoch].map(|epoch| self.scaled(epoch));
        if to > from {
            (at - from) / (to - from)
        } else {
            0.0
        }
    }

    /// Epoch at a coordinate.
    pub fn epoch(self, place: f64) -> f64 {
        let [from, to] = [self.from, self.to].map(|epoch| self.scaled(epoch));
        self.unscaled(from + place * (to - from))
    }

    /// Distance of an epoch from epoch 0, in units of the axis.
    pub fn scaled(self, epoch: f64) -> f64 {
        match self.even {
            true => epoch,
            false => libm::log1p(epoch.max(0.0)),
        }
    }

    /// Epoch at a distance from epoch 0.
    pub fn unscaled(self, distance: f64) -> f64 {
        match self.even {
            true => distance,
            false => libm::expm1(distance),
        }
    }

    /// Epochs that label the axis: its ends, and round epochs between them. Labels are at least `room` apart, a share of the axis.
    pub fn named(self, room: f64) -> Vec<f64> {
        let mut named = vec![self.from];
        let mut last = 0.0;
        for epoch in self.round() {
            let place = self.place(epoch);
            if place - last >= room && place <= 1.0 - room {
                named.push(epoch);
                last = place;
            }
        }
        named.extend(Some(self.to).filter(|to| *to > self.from));
        named
    }

    /// Round epochs of the axis, ascending: powers of ten, or on a linear axis multiples of 1, 2 or 5 times a power of ten, with
    /// steps of at least a sixth of the axis.
    fn round(self) -> Vec<f64> {
        if !self.even {
            let powers = (0..16).map(|power| libm::pow(10.0, f64::from(power)));
            return powers.take_while(|power| *power < self.to).collect();
        }
        let least = (self.to - self.from) / 6.0;
        let power = libm::pow(10.0, libm::log10(least).floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
        let Some(step) = step.into_iter().find(|step| *step >= least) else {
            return Vec::new();
        };
        let first = (self.from / step).ceil();
        let multiples = (0..7).map(|number| (first + f64::from(number)) * step);
        multiples.take_while(|epoch| *epoch < self.to).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Axis;

    fn steep(from: f64, to: f64) -> Axis {
        let even = false;
        Axis { from, to, even }
    }

    fn even(from: f64, to: f64) -> Axis {
        Axis {
            even: true,
            ..steep(from, to)
        }
    }

    #[test]
    fn a_place_and_its_epoch_are_inverse() {
        for axis in [
            steep(0.0, 2000.0),
            even(0.0, 2000.0),
            steep(20.0, 30.0),
            even(20.0, 30.0),
        ] {
            assert_eq!((axis.place(axis.from), axis.place(axis.to)), (0.0, 1.0));
            for epoch in [0.0, 1.0, 23.5, 2000.0] {
                let there = axis.epoch(axis.place(epoch));
                assert!((there - epoch).abs() < 1e-9, "{axis:?} {epoch}: {there}");
            }
            assert!(axis.place(axis.from - 1.0) <= 0.0 && axis.place(axis.to + 1.0) > 1.0);
        }
        assert_eq!(even(0.0, 2000.0).place(500.0), 0.25);
        let empty = steep(0.0, 0.0);
        assert_eq!((empty.place(5.0), empty.epoch(0.5)), (0.0, 0.0));
    }

    #[test]
    fn round_epochs_are_named_where_they_have_room() {
        for (axis, named) in [
            (steep(0.0, 2000.0), [0.0, 10.0, 100.0, 2000.0].as_slice()),
            (steep(0.0, 3.0), &[0.0, 1.0, 3.0]),
            (steep(20.0, 2000.0), &[20.0, 100.0, 2000.0]),
            (even(0.0, 2000.0), &[0.0, 500.0, 1000.0, 1500.0, 2000.0]),
            (even(0.0, 60.0), &[0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0]),
            (
                even(100.0, 160.0),
                &[100.0, 110.0, 120.0, 130.0, 140.0, 150.0, 160.0],
            ),
            (even(0.0, 3.0), &[0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]),
            (steep(0.0, 0.0), &[0.0]),
            (even(0.0, 0.0), &[0.0]),
        ] {
            assert_eq!(axis.named(0.155), named, "{axis:?}");
        }
    }
}
