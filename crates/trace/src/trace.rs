//! Trace of a run: the state and the step at every position.

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

/// Number of steps between two calls of [`Trace::forget`].
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

/// States and steps of a run, as far as they are known, with the records made of them.
#[derive(Debug)]
pub struct Trace {
    steps: Steps,
    status: Status,
    calls: Calls,
    index: TraceIndex,
    writes: Writes,
    timeline: Timeline,
    /// Position before the first step whose value is not finite.
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

    /// Computes at most `steps` further steps. Stops earlier if `pause`, called before each step, returns true.
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

    /// Stops the run at its last position, as it has used up its budget.
    pub fn exhaust(&mut self, limit: Limit) {
        if matches!(self.status, Status::Running) {
            self.status = Status::Exhausted(limit);
        }
    }

    /// Lets a run that has used up its budget continue. Returns true if it had.
    pub fn resume(&mut self) -> bool {
        let exhausted = matches!(self.status, Status::Exhausted(_));
        if exhausted {
            self.status = Status::Running;
        }
        exhausted
    }

    /// Computes the run up to position `to`, its end, or a limit of the budget. Returns the limit, if the run has reached one.
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

    /// Position before the first step whose value has an entry that is not finite.
    pub fn non_finite(&self) -> Option<usize> {
        self.non_finite
    }

    /// Convention by which partial function symbols are read.
    pub fn partiality(&self) -> Partiality {
        self.steps.start().partiality()
    }

    /// Number of known steps. Positions go from 0 to this number, inclusive.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True if no step is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Limits the trace to about this number of stored steps between two requests. Other steps are recomputed when requested.
    pub fn keep(&mut self, steps: usize) {
        self.steps.keep(steps);
    }

    /// Forgets steps beyond the limit. To be called between two requests, as the results of a request refer to steps.
    pub fn forget(&mut self) {
        self.calls.made_again |= self.steps.forget();
    }

    /// Span of the source that the step from a position comes from. Recomputes no step.
    pub fn origin(&self, position: usize) -> Option<Origin> {
        let place = self.index.place.get(position)?;
        self.index.places.get(*place as usize).copied()
    }

    /// Number of steps that are stored, and need not be recomputed.
    pub fn stored(&self) -> usize {
        self.steps.stored()
    }

    /// The state at a position; the last known state if the position is beyond it.
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

    /// The known steps from the positions of a range.
    pub fn steps(&self, positions: Range<usize>) -> impl DoubleEndedIterator<Item = &Step> {
        let end = positions.end.min(self.len());
        (positions.start..end).filter_map(|position| self.step(position))
    }

    /// The writes of the heap.
    pub fn writes(&self) -> &Writes {
        &self.writes
    }

    /// Timeline of the run: the unit of work at each position.
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

/// True if the value that a step makes is finite. Only the rules listed here can make a new number.
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
