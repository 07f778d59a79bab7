//! Start and goal of a resumed training: from where it was left, from where another one is, or up to a value of a measure.

use super::{Live, Point, given};

/// History of a training, from which it can be resumed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Way {
    /// The epochs of each item, with those that it went on for.
    pub epochs: Vec<usize>,
    /// The item at work.
    pub item: usize,
    /// The steps of it that are done.
    pub done: usize,
    /// The measures so far.
    pub points: Vec<Point>,
}

impl Live {
    /// History of the training so far.
    pub fn way(&self) -> Way {
        Way {
            epochs: self.trains.iter().map(|lesson| lesson.epochs).collect(),
            item: self.item,
            done: self.done,
            points: self.points.clone(),
        }
    }

    /// Goes on at the end of a way that a training of the same program went, with the heap that it had there. Returns false where the
    /// items are others: then nothing is changed.
    pub fn resume(&mut self, heap: &[(String, fletch_smooth::Tensor)], way: Way) -> bool {
        if way.epochs.len() != self.trains.len() || way.item > self.trains.len() {
            return false;
        }
        let most = usize::MAX / self.trains.len().max(1);
        self.begin(given(self.initial.clone(), heap));
        for (lesson, epochs) in self.trains.iter_mut().zip(way.epochs) {
            lesson.epochs = epochs.min(most / lesson.steps.max(1));
        }
        self.item = way.item;
        self.done = way.done;
        self.kept = self.done;
        self.next_item();
        self.points = way.points;
        self.measure();
        true
    }

    /// Goes on where another training is, of as many items in other words: a learning rate that was changed, or samples. Where an epoch
    /// has another length, the one that has begun begins again. Returns false if it cannot go on there.
    pub fn go_on_from(&mut self, other: &mut Live) -> bool {
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
        let steps = |live: &Live| live.trains.get(live.item).map_or(0, |lesson| lesson.steps);
        self.done = match (steps(self), steps(other)) {
            (own, others) if own == others => other.done,
            (own, others) => other.done / others.max(1) * own,
        };
        self.kept = self.done;
        self.loaded = false;
        self.fresh = true;
        self.next_item();
        // Measures of this point may be taken on other samples now.
        let epochs = self.epochs();
        let points = other.points.iter().filter(|point| point.epochs < epochs);
        self.points = points.cloned().collect();
        self.measure();
        true
    }

    /// Sets the goal: the training stops where the measure of this number is below the bound.
    pub fn aim(&mut self, goal: Option<(usize, f64)>) {
        self.goal = goal;
    }

    /// True if the measure of the goal is below its number now.
    pub fn reached(&self) -> bool {
        let last = self.points.last();
        let last = last.filter(|last| last.epochs >= self.epochs());
        let value = |measure: usize| last.and_then(|last| last.values.get(measure));
        self.goal
            .is_some_and(|(measure, below)| value(measure).is_some_and(|value| *value < below))
    }
}
