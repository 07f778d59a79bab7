//! A run with all its states: any position is there at once, nothing is run again. States share
//! structure, so that a trace of many thousand steps stays small.

use crate::budget::{Budget, Limit};
use crate::calls::Calls;
use crate::index::TraceIndex;
use crate::writes::Writes;
use fletch_calculus::Program;
use fletch_reduction::{Progress, State, Step, Stuck, advance};
use fletch_smooth::{Partiality, Value};

/// How a run stands.
#[derive(Clone, Debug)]
pub enum Status {
    /// There are more steps.
    Running,
    /// It reached a value.
    Value(Value),
    /// No rule applies.
    Stuck(Stuck),
    /// It used up its budget.
    Exhausted(Limit),
}

/// The states of a run, as far as they are known.
#[derive(Debug)]
pub struct Trace {
    start: State,
    steps: Vec<Step>,
    status: Status,
    calls: Calls,
    index: TraceIndex,
    writes: Writes,
    /// Variables from this number on were introduced by the run.
    pub first_introduced: u32,
}

impl Trace {
    /// The trace of a program, with no step yet.
    pub fn new(program: &Program, partiality: Partiality) -> Trace {
        let start = State::start(program, partiality);
        let first_introduced = program.supply.clone().fresh("").id;
        let mut calls = Calls::default();
        calls.start(&start);
        Trace {
            start,
            steps: Vec::new(),
            status: Status::Running,
            calls,
            index: TraceIndex::default(),
            writes: Writes::default(),
            first_introduced,
        }
    }

    /// Computes further steps, at most `steps` of them, or until `pause`, asked before each, says so.
    pub fn advance(&mut self, steps: usize, mut pause: impl FnMut() -> bool) {
        for _ in 0..steps {
            if !matches!(self.status, Status::Running) || pause() {
                return;
            }
            match advance(self.last()) {
                Progress::Step(step) => {
                    let position = self.steps.len();
                    let before = self.steps.last().map_or(&self.start, |step| &step.next);
                    let owner = self.calls.owner(before);
                    self.calls.record(position, before, &step, owner);
                    if self
                        .index
                        .record(position, before, &step, owner, &self.calls)
                    {
                        self.calls.stops(position, owner);
                    }
                    self.index.events(&self.calls);
                    if let Some(write) = &step.write {
                        self.writes.record(position, write);
                    }
                    self.steps.push(*step);
                }
                Progress::Done(value) => {
                    self.calls.finish(self.len());
                    self.index.events(&self.calls);
                    self.status = Status::Value(value);
                }
                Progress::Stuck(stuck) => self.status = Status::Stuck(stuck),
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

    /// Whether and how the run ended.
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// The number of steps known; positions go from 0 to this.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether no step is known.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The state at a position, or the last one known.
    pub fn state(&self, position: usize) -> &State {
        match position.checked_sub(1) {
            None => &self.start,
            Some(index) => self
                .steps
                .get(index)
                .map_or_else(|| self.last(), |step| &step.next),
        }
    }

    /// The step from this position to the next.
    pub fn step(&self, position: usize) -> Option<&Step> {
        self.steps.get(position)
    }

    /// All steps known.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The writes of the heap.
    pub fn writes(&self) -> &Writes {
        &self.writes
    }

    /// The handled calls.
    pub fn calls(&self) -> &Calls {
        &self.calls
    }

    /// Where one can go.
    pub fn index(&self) -> &TraceIndex {
        &self.index
    }

    fn last(&self) -> &State {
        self.steps.last().map_or(&self.start, |step| &step.next)
    }
}
