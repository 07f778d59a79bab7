//! The writes of a run, location by location, noted as the run goes by: so that a view of any position finds
//! its own by bisection, however long the run.

use crate::calls::Calls;
use fletch_reduction::HeapWrite;

/// A write.
#[derive(Debug)]
pub struct Write {
    /// The position before the `Put`.
    pub at: usize,
    /// The norm of what is there after it.
    pub norm: f64,
    /// The norm of the difference.
    pub change: f64,
}

/// The writes of a run.
#[derive(Debug, Default)]
pub struct Writes {
    /// The positions before all of them, ascending.
    positions: Vec<usize>,
    /// Writes of each location, ascending.
    locations: Vec<Vec<Write>>,
}

impl Writes {
    /// Notes what a step wrote.
    pub fn record(&mut self, at: usize, write: &HeapWrite) {
        self.positions.push(at);
        let number = write.location.number;
        if self.locations.len() <= number {
            self.locations.resize_with(number + 1, Vec::new);
        }
        let (before, after) = (write.before.data(), write.after.data());
        let differences = after
            .iter()
            .zip(before)
            .map(|(after, before)| after - before);
        let write = Write {
            at,
            norm: norm(after.iter().copied()),
            change: norm(differences),
        };
        if let Some(writes) = self.locations.get_mut(number) {
            writes.push(write);
        }
    }

    /// The positions before all writes, ascending.
    pub fn positions(&self) -> &[usize] {
        &self.positions
    }

    /// All writes to the location of this number.
    pub fn of(&self, location: usize) -> &[Write] {
        self.locations.get(location).map_or(&[], Vec::as_slice)
    }

    /// Number of writes to a location before a position.
    pub fn until(&self, location: usize, position: usize) -> usize {
        self.of(location)
            .partition_point(|write| write.at < position)
    }
}

impl Write {
    /// Call that wrote: `FC[ℓ0] backward`.
    pub fn by(&self, calls: &Calls) -> Option<String> {
        let (name, part) = calls.owner_name(calls.accessor(self.at))?;
        Some(format!("{name} {part}"))
    }
}

/// The Euclidean norm.
pub fn norm(entries: impl Iterator<Item = f64>) -> f64 {
    entries.map(|entry| entry * entry).sum::<f64>().sqrt()
}
