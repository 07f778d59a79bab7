//! The writes of a run, location by location, noted as the run goes by: so that a view of any position finds
//! its own by bisection, however long the run.

use crate::calls::Calls;
use crate::sandwich;
use fletch_reduction::HeapWrite;

/// A write.
#[derive(Debug)]
pub(crate) struct Write {
    /// The position before the `Put`.
    pub(crate) at: usize,
    /// The norm of what is there after it.
    pub(crate) norm: f64,
    /// The norm of the difference.
    pub(crate) change: f64,
    /// The call at work: its number among the records of calls, and whether it was on its way back.
    by: Option<(usize, bool)>,
}

/// The writes of every location, ascending.
#[derive(Debug, Default)]
pub(crate) struct Writes(Vec<Vec<Write>>);

impl Writes {
    /// Notes what a step wrote; the calls know the step already.
    pub(crate) fn record(&mut self, at: usize, write: &HeapWrite, calls: &Calls) {
        let number = write.location.number;
        if self.0.len() <= number {
            self.0.resize_with(number + 1, Vec::new);
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
            by: writer(calls, at),
        };
        if let Some(writes) = self.0.get_mut(number) {
            writes.push(write);
        }
    }

    /// All writes to the location of this number.
    pub(crate) fn of(&self, location: usize) -> &[Write] {
        self.0.get(location).map_or(&[], Vec::as_slice)
    }

    /// How many of them come before a position.
    pub(crate) fn until(&self, location: usize, position: usize) -> usize {
        self.of(location)
            .partition_point(|write| write.at < position)
    }
}

impl Write {
    /// Who wrote: `FC[ℓ0] backward`.
    pub(crate) fn by(&self, calls: &Calls) -> Option<String> {
        let (number, backward) = self.by?;
        let record = calls.records.get(number)?;
        let part = if backward { "backward" } else { "forward" };
        Some(format!("{} {part}", sandwich::name(&record.call.called)))
    }
}

/// The Euclidean norm.
pub(crate) fn norm(entries: impl Iterator<Item = f64>) -> f64 {
    entries.map(|entry| entry * entry).sum::<f64>().sqrt()
}

/// The call whose backward clause a step belongs to, or its forward clause.
fn writer(calls: &Calls, at: usize) -> Option<(usize, bool)> {
    let back = |from: Option<usize>| from.is_some_and(|from| from <= at);
    let number = calls.records.iter().rposition(|record| {
        record.met_at < at
            && record.done_at.is_none_or(|done| done > at)
            && record.call.saved.is_some()
            && (back(record.cotangent_at) || record.waits_from.is_none_or(|from| from > at))
    })?;
    let record = calls.records.get(number)?;
    Some((number, back(record.cotangent_at)))
}
