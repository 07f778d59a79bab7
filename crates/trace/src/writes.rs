//! Heap writes of a run by location, recorded as the run advances. A view of any position finds the writes
//! of a location by bisection, however long the run.

use crate::calls::Calls;
use fletch_reduction::HeapWrite;

/// A write to a location.
#[derive(Debug)]
pub struct Write {
    /// The position before the `Put`.
    pub at: usize,
    /// Euclidean norm of the new contents.
    pub norm: f64,
    /// Euclidean norm of the difference between new and old contents.
    pub change: f64,
}

/// The writes of a run.
#[derive(Debug, Default)]
pub struct Writes {
    /// The positions before all writes, ascending.
    positions: Vec<usize>,
    /// Writes of each location, by its number; ascending.
    locations: Vec<Vec<Write>>,
}

impl Writes {
    /// Records the write of a step; `at` is the position before the step.
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
    /// Owner of the code that wrote: `FC[ℓ0] backward`.
    pub fn by(&self, calls: &Calls) -> Option<String> {
        let (name, part) = calls.owner_name(calls.accessor(self.at))?;
        Some(format!("{name} {part}"))
    }
}

/// The Euclidean norm.
pub fn norm(entries: impl Iterator<Item = f64>) -> f64 {
    entries.map(|entry| entry * entry).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing)] // A failed test is a panic.

    use crate::cases::{HANDLED, check, run};

    const TWO: &str = "
        loc v ∷ (2) = [3, 0]
        main = let _ ⇐ Put[v]([3, 4]) in let _ ⇐ Put[w]([1]) in let _ ⇐ Put[v]([0, 4]) in ⌊()⌋";

    #[test]
    fn a_write_has_the_norm_of_its_contents_and_of_the_change() {
        let trace = run(TWO);
        let of = |location| {
            let writes = trace.writes().of(location).iter();
            let lines = writes.map(|write| {
                format!(
                    "at {}: {}, changed by {}",
                    write.at, write.norm, write.change
                )
            });
            lines.collect::<Vec<_>>()
        };
        check(&of(0), "at 2: 1, changed by 1");
        check(
            &of(1),
            "
                at 0: 5, changed by 4
                at 4: 4, changed by 3",
        );
    }

    #[test]
    fn a_write_counts_after_its_step_alone() {
        let trace = run(TWO);
        let until = |position| trace.writes().until(1, position);
        assert_eq!([0, 1, 4, 5].map(until), [0, 1, 1, 2]);
        assert_eq!(trace.writes().until(7, 5), 0, "no such location");
    }

    #[test]
    fn a_write_is_by_the_clause_that_performs_it() {
        let by = |source: &str| {
            let trace = run(source);
            trace.writes().of(0)[0].by(trace.calls())
        };
        assert_eq!(by(HANDLED).as_deref(), Some("D backward"));
        assert_eq!(by("main = Put[w]([1])"), None);
    }
}
