//! Heaps of trainings at past epochs. They are kept at the stops of a *film*: epochs at even distances on a
//! logarithmic axis, since most changes happen early. A *moment* here is such a stop with its heaps.

use fletch_smooth::Tensor;

/// Maximum number of stops of a film.
pub const STOPS: u32 = 120;

/// Maximum number of tensor entries kept; beyond it every other moment is dropped.
const ENTRIES: usize = 1 << 22;

/// Contents of the locations of one training, by name.
pub(super) type Heap = Vec<(String, Tensor)>;

/// The stop of the film after `epoch`, for a training of `of` epochs.
pub fn after(epoch: u32, of: u32) -> u32 {
    let ratio = libm::pow(f64::from(of) + 1.0, 1.0 / f64::from(STOPS));
    let next = libm::ceil((f64::from(epoch) + 1.0) * ratio) - 1.0;
    // The film has stops beyond the end too, since a training may be extended.
    (next as u32).max(epoch.saturating_add(1))
}

/// Heaps of all trainings side by side, at some epochs.
#[derive(Clone, Debug, Default)]
pub(super) struct Moments {
    kept: Vec<(u32, Vec<Heap>)>,
    entries: usize,
}

impl Moments {
    /// Records the heaps of an epoch if it is a stop of the film, or the last epoch. Otherwise `heaps` is not called.
    pub(super) fn keep(
        &mut self,
        epoch: u32,
        of: u32,
        over: bool,
        heaps: impl FnOnce() -> Vec<Heap>,
    ) {
        let due = match self.kept.last() {
            None => true,
            Some((last, _)) => epoch >= after(*last, of) || (over && epoch > *last),
        };
        if !due {
            return;
        }
        let heaps = heaps();
        self.entries += entries(&heaps);
        self.kept.push((epoch, heaps));
        while self.entries > ENTRIES && self.kept.len() > 2 {
            let last = self.kept.len() - 1;
            let mut number = 0;
            self.kept.retain(|_| {
                number += 1;
                (number - 1) % 2 == 0 || number - 1 == last
            });
            self.entries = self.kept.iter().map(|(_, heaps)| entries(heaps)).sum();
        }
    }

    /// Removes all moments.
    pub(super) fn clear(&mut self) {
        *self = Moments::default();
    }

    /// The last moment up to an epoch, or else the first moment; with its epoch.
    pub(super) fn at(&self, epoch: u32) -> Option<&(u32, Vec<Heap>)> {
        let after = self.kept.partition_point(|(kept, _)| *kept <= epoch);
        self.kept.get(after.saturating_sub(1))
    }
}

fn entries(heaps: &[Heap]) -> usize {
    let cells = heaps.iter().flatten();
    cells.map(|(_, contents)| contents.len()).sum()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_film_has_few_stops_whatever_the_length() {
        for (of, most) in [(1, 1), (20, 20), (2000, 110), (100_000, 120)] {
            let stops = std::iter::successors(Some(0), |epoch| Some(after(*epoch, of)));
            let count = stops.take_while(|epoch| *epoch < of).count();
            assert!(count <= most, "{count} stops of {of} epochs");
        }
        assert_eq!(after(0, 2000), 1);
        assert!(after(1000, 2000) > 1050);
    }

    #[test]
    fn the_moment_of_an_epoch_is_the_last_one_kept_up_to_it() {
        let mut moments = Moments::default();
        assert!(moments.at(3).is_none());
        for epoch in 0..=10 {
            moments.keep(epoch, 10, epoch == 10, Vec::new);
        }
        assert_eq!(moments.at(0).unwrap().0, 0);
        assert_eq!(moments.at(7).unwrap().0, 7);
        assert_eq!(moments.at(99).unwrap().0, 10);
    }

    #[test]
    fn of_large_heaps_every_other_moment_is_kept_and_the_last() {
        let large = || {
            let tensor = Tensor::vector(vec![0.0; ENTRIES / 4]);
            vec![vec![("ℓ".to_owned(), tensor)]]
        };
        let mut moments = Moments::default();
        for epoch in 0..8 {
            moments.keep(epoch, 8, false, large);
        }
        assert!(moments.kept.len() <= 4, "{}", moments.kept.len());
        assert_eq!((moments.kept[0].0, moments.at(9).unwrap().0), (0, 7));
    }
}
