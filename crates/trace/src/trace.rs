//! A run with its states: any position can be looked at.

use crate::budget::{Budget, Limit};
use crate::calls::Calls;
use crate::index::TraceIndex;
use crate::steps::Steps;
use crate::timeline::Timeline;
use crate::writes::Writes;
use fletch_calculus::{Origin, Program};
use fletch_reduction::{Action, Blocked, Progress, Setting, State, Step, advance};
use fletch_smooth::{Partiality, Tensor, Value};
use std::ops::Range;

/// Number of steps after which it is looked whether some are to be forgotten.
const LOOKS: usize = 1 << 10;

/// Status of a run.
#[derive(Clone, Debug)]
pub enum Status {
    /// More steps remain.
    Running,
    /// The run reached a value.
    Value(Value),
    /// No rule applies.
    Stuck(Box<Blocked>),
    /// The run used up its budget.
    Exhausted(Limit),
}

/// The states of a run, as far as they are known.
#[derive(Debug)]
pub struct Trace {
    steps: Steps,
    status: Status,
    calls: Calls,
    index: TraceIndex,
    writes: Writes,
    timeline: Timeline,
    /// The position before the first step that makes a value which is not finite.
    non_finite: Option<usize>,
    /// Variables from this number on were introduced by the run.
    pub first_introduced: u32,
}

impl Trace {
    /// The trace of a program, with no step yet.
    pub fn new(program: &Program, setting: impl Into<Setting>) -> Trace {
        let start = State::start(program, setting);
        let first_introduced = program.supply.clone().fresh("").id;
        let mut calls = Calls::default();
        calls.start(&start);
        Trace {
            steps: Steps::new(start),
            status: Status::Running,
            calls,
            index: TraceIndex::default(),
            writes: Writes::default(),
            timeline: Timeline::default(),
            non_finite: None,
            first_introduced,
        }
    }

    /// Computes further steps, at most `steps` of them, or until `pause`, asked before each, says so.
    pub fn advance(&mut self, steps: usize, mut pause: impl FnMut() -> bool) {
        for _ in 0..steps {
            if !matches!(self.status, Status::Running) || pause() {
                return;
            }
            match advance(self.steps.last()) {
                Progress::Step(step) => {
                    let position = self.steps.len();
                    let before = self.steps.last();
                    let owner = self.calls.owner(before);
                    self.calls.record(position, before, &step, owner);
                    if self
                        .index
                        .record(position, before, &step, owner, &self.calls)
                    {
                        self.calls.stops(position, owner);
                    }
                    self.index.events(&self.calls);
                    let (timeline, action) = (&mut self.timeline, Some(&step.action));
                    timeline.record(position, before, action, owner, &self.calls);
                    if self.non_finite.is_none() && !is_finite(&step) {
                        self.non_finite = Some(position);
                    }
                    if let Some(write) = &step.write {
                        self.writes.record(position, write);
                    }
                    self.steps.push(*step);
                    if position.is_multiple_of(LOOKS) {
                        self.forget();
                    }
                }
                Progress::Done(value) => {
                    self.calls.finish(self.len());
                    self.index.events(&self.calls);
                    self.timeline.ends(self.steps.len());
                    self.status = Status::Value(value);
                }
                Progress::Stuck(blocked) => {
                    let position = self.steps.len();
                    let last = self.steps.last();
                    let owner = self.calls.owner(last);
                    (self.timeline).record(position, last, None, owner, &self.calls);
                    self.status = Status::Stuck(blocked);
                }
            }
        }
    }

    /// Stops the run where it is: it has used up its budget.
    pub fn exhaust(&mut self, limit: Limit) {
        if matches!(self.status, Status::Running) {
            self.status = Status::Exhausted(limit);
        }
    }

    /// Lets a run that has used up its budget go on; whether it was one.
    pub fn resume(&mut self) -> bool {
        let exhausted = matches!(self.status, Status::Exhausted(_));
        if exhausted {
            self.status = Status::Running;
        }
        exhausted
    }

    /// Computes the run up to position `to`, its end, or a limit of the budget, which is returned.
    pub fn run(&mut self, to: usize, budget: &Budget) -> Option<Limit> {
        let started = (budget.now)();
        let mut exceeded = None;
        let mut known = self.len();
        self.advance(to.saturating_sub(known), || {
            exceeded = budget.exceeded(known, started);
            known += 1;
            exceeded.is_some()
        });
        exceeded
    }

    /// Status of the run.
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// Reason for which the run is stuck at a position, if it is.
    pub fn blocked(&self, position: usize) -> Option<&Blocked> {
        match &self.status {
            Status::Stuck(blocked) if position == self.len() => Some(blocked),
            _ => None,
        }
    }

    /// The first step whose value has an entry that is no finite number, by the position before it.
    pub fn non_finite(&self) -> Option<usize> {
        self.non_finite
    }

    /// Reading of partial function symbols.
    pub fn partiality(&self) -> Partiality {
        self.steps.start().partiality()
    }

    /// The number of steps known; positions go from 0 to this.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True if no step is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Limits the memory of the trace to about so many steps between two requests; others are made again when they are asked for.
    pub fn keep(&mut self, steps: usize) {
        self.steps.keep(steps);
    }

    /// Forgets steps beyond the limit. Between two requests, for what they return refers to the steps.
    pub fn forget(&mut self) {
        self.calls.made_again |= self.steps.forget();
    }

    /// Place in the source that the step from a position comes from. No step is made again for it.
    pub fn origin(&self, position: usize) -> Option<Origin> {
        let place = self.index.place.get(position)?;
        self.index.places.get(*place as usize).copied()
    }

    /// Number of steps that need not be made again.
    pub fn at_hand(&self) -> usize {
        self.steps.at_hand()
    }

    /// The state at a position, or the last one known.
    pub fn state(&self, position: usize) -> &State {
        match position.checked_sub(1) {
            None => self.steps.start(),
            Some(before) => self
                .steps
                .get(before)
                .map_or_else(|| self.steps.last(), |step| &step.next),
        }
    }

    /// The step from this position to the next.
    pub fn step(&self, position: usize) -> Option<&Step> {
        self.steps.get(position)
    }

    /// The steps from these positions, as far as they are known.
    pub fn steps(&self, positions: Range<usize>) -> impl DoubleEndedIterator<Item = &Step> {
        let end = positions.end.min(self.len());
        (positions.start..end).filter_map(|position| self.step(position))
    }

    /// The writes of the heap.
    pub fn writes(&self) -> &Writes {
        &self.writes
    }

    /// Timeline of the run: the parts at work at each position.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// The handled calls.
    pub fn calls(&self) -> &Calls {
        &self.calls
    }

    /// Index of the trace.
    pub fn index(&self) -> &TraceIndex {
        &self.index
    }
}

/// True if the value that a step makes is finite. Steps other than these only move values.
fn is_finite(step: &Step) -> bool {
    match &step.action {
        Action::Eval { result, .. } | Action::Add { result, .. } => result
            .to_value()
            .is_none_or(|value| value.tensors().iter().all(|tensor| finite(tensor))),
        Action::Get { contents, .. } => finite(contents),
        _ => true,
    }
}

fn finite(tensor: &Tensor) -> bool {
    tensor.data().iter().all(|entry| entry.is_finite())
}
