//! Continues a training from another state: from a saved history, or from where another training is. Also holds the goal of a training: a
//! value of a measure.

use super::{Live, Point, given};

/// History of a training, from which it can be resumed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// Number of epochs of each item, including those that the training was continued for.
    pub epochs: Vec<usize>,
    /// Index of the current item.
    pub item: usize,
    /// Number of steps of the current item that are done.
    pub done: usize,
    /// The measures so far.
    pub points: Vec<Point>,
}

impl Live {
    /// History of the training so far.
    pub fn history(&self) -> History {
        History {
            epochs: self.trains.iter().map(|train| train.epochs).collect(),
            item: self.item,
            done: self.done,
            points: self.points.clone(),
        }
    }

    /// Resumes a training of the same program at the end of its history, with the heap that it had there. Returns false, and changes
    /// nothing, if the history is not of as many items.
    pub fn resume(&mut self, heap: &[(String, fletch_smooth::Tensor)], history: History) -> bool {
        if history.epochs.len() != self.trains.len() || history.item > self.trains.len() {
            return false;
        }
        let most = usize::MAX / self.trains.len().max(1);
        self.begin(given(self.initial.clone(), heap));
        for (train, epochs) in self.trains.iter_mut().zip(history.epochs) {
            train.epochs = epochs.min(most / train.steps.max(1));
        }
        self.item = history.item;
        self.done = history.done;
        self.kept = self.done;
        self.next_item();
        self.points = history.points;
        self.measure();
        true
    }

    /// Continues from the state of another training, of a program with as many items: one with another learning rate or other samples. If
    /// the current item has another number of steps per epoch, its current epoch begins again. Returns false if the items do not
    /// correspond.
    pub fn continue_from(&mut self, other: &mut Live) -> bool {
        other.keep();
        if (self.trains.len(), self.first) != (other.trains.len(), other.first) {
            return false;
        }
        self.heap = given(std::mem::take(&mut self.heap), &other.heap);
        for (own, other) in self.trains.iter_mut().zip(&other.trains) {
            if own.written == other.written {
                own.epochs = other.epochs;
            }
        }
        self.item = other.item;
        let steps = |live: &Live| live.trains.get(live.item).map_or(0, |train| train.steps);
        self.done = match (steps(self), steps(other)) {
            (own, others) if own == others => other.done,
            (own, others) => other.done / others.max(1) * own,
        };
        self.kept = self.done;
        self.loaded = false;
        self.fresh = true;
        self.next_item();
        // The measures at this time may be taken on other samples now.
        let epochs = self.epochs();
        let points = other.points.iter().filter(|point| point.epochs < epochs);
        self.points = points.cloned().collect();
        self.measure();
        true
    }

    /// Sets the goal: the training pauses when the measure of this index is below the bound.
    pub fn aim(&mut self, goal: Option<(usize, f64)>) {
        self.goal = goal;
    }

    /// True if the current value of the goal's measure is below its bound.
    pub fn reached(&self) -> bool {
        let last = self.points.last();
        let last = last.filter(|last| last.epochs >= self.epochs());
        let value = |measure: usize| last.and_then(|last| last.values.get(measure));
        self.goal
            .is_some_and(|(measure, below)| value(measure).is_some_and(|value| *value < below))
    }
}
