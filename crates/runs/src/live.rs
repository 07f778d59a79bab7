//! A training that is advanced in slices, for the page, the command line and other callers. It is planned once. Between two slices its heap
//! and its measures can be read, and it can be abandoned. A step is made by its plan; without a plan, or where the plan stops, it is made
//! by the engine that runs the command itself (`stepwise`).
//!
//! A plan has a heap of its own while it runs. *Keeping* the heap means to read it back from the plan into `Live::heap`.

mod flush;
mod measures;
mod resumed;
mod stepwise;

pub use resumed::History;

use crate::generated::Host;
use crate::planned::{Cells, Planned};
use crate::run::{Engine, Precision};
use crate::samples::{self, Unseen, diverged, has_nan};
use fletch_elaborate::{Files, with_items};
use fletch_engine::Wanted;
use fletch_syntax::{Diagnostic, tree};
use fletch_trace::Budget;

/// Bounds of the duration of one call of a plan, in ms: long enough to outweigh the cost of the call, short enough to check the clock after
/// it.
const CALL: [f64; 2] = [0.5, 2.0];
/// Inverse of the share that measuring may take of the training time: at most 1/3.
const RARELY: f64 = 3.0;
/// Time in ms that measuring may take regardless of `RARELY`, at the start, for a curve of `POINTS` points.
const GIVEN: f64 = 200.0;
const POINTS: usize = 150;

/// A heap is kept if that took less than `SMALL` ms last time, or if the training since took `SELDOM` times as long.
const SELDOM: f64 = 4.0;
const SMALL: f64 = 2.0;
/// Training time in ms after which the speed is known.
const LEAST: f64 = 50.0;

/// A training that can be watched.
pub struct Live {
    program: tree::Program,
    files: Files,
    engine: Engine,
    /// Budget of a step by reduction; its clock is used for all times.
    budget: Budget,
    trains: Vec<TrainPlan>,
    /// The number of the first of `trains` among the `train` items of the program.
    first: usize,
    measures: Vec<Gauge>,
    initial: Cells,
    heap: Cells,
    /// Index of the current item in `trains`.
    item: usize,
    /// Number of steps of the current item that are done.
    done: usize,
    /// Number of steps per call of the plan.
    stride: usize,
    /// True if the plan has been given the heap.
    loaded: bool,
    /// `fresh`: true if `heap` equals the heap of the plan. `kept`: value of `done` when the heap was last kept.
    fresh: bool,
    kept: usize,
    /// Duration of the last keeping of the heap, and of the training since then, in ms.
    keeping: f64,
    unkept: f64,
    stopped: Option<Box<Diagnostic>>,
    /// Duration of the last measuring, and of the training since then, in ms.
    measuring: f64,
    since: f64,
    /// Duration of all measuring so far, in ms.
    measured: f64,
    /// Duration of all training so far, in ms, and the number of its steps.
    spent: f64,
    taken: usize,
    /// The measures at all times at which they were taken.
    points: Vec<Point>,
    /// Goal: the index of a measure, and the number below which the training stops.
    goal: Option<(usize, f64)>,
}

/// A `train` item as it is trained.
struct TrainPlan {
    data: String,
    /// Plan of the command; `None` if the command stops wherever it is run, or if another engine runs it.
    plan: Option<Planned>,
    /// Number of epochs: `written` at first, and as many again each time that the training is continued after its end.
    epochs: usize,
    written: usize,
    steps: usize,
    unseen: Option<Unseen>,
}

/// A `measure` item as it is taken.
struct Gauge {
    name: String,
    plan: Option<Planned>,
    samples: usize,
}

/// The values of the measures at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Number of epochs of all items so far, including the fraction of the current one.
    pub epochs: f64,
    /// The mean of each measure.
    pub values: Vec<f64>,
}

/// Progress of a training.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// Number of complete epochs so far, over all items.
    pub epochs: usize,
    /// Total number of epochs of all items.
    pub of: usize,
    /// Number of steps so far, over all items.
    pub steps: usize,
    /// True if the training has reached its end.
    pub ended: bool,
}

/// Options for the start of a training.
#[derive(Clone, Copy)]
pub struct Begin<'h> {
    /// The engine that runs the commands.
    pub engine: Engine,
    /// Budget of a step by reduction; its clock, in ms, is used for all times.
    pub budget: Budget,
    /// Number of epochs of every item, instead of the one in the program.
    pub epochs: Option<usize>,
    /// The number, from 0, of the only `train` item to run; `None` for all.
    pub only: Option<usize>,
    /// True if the measures of the program are taken during the training.
    pub measured: bool,
    /// Initial contents of locations of these names and shapes, instead of those in the program.
    pub heap: &'h [(String, fletch_smooth::Tensor)],
    /// Host that runs plans as WebAssembly modules, if there is one.
    pub host: Option<Host>,
}

impl Live {
    /// Begins a training by plans, of a program that was checked with these files and without an error. Trains all its items one after the
    /// other, or `only` the item of this number, from 0. Locations of the names and shapes in `heap` begin with its contents. `now` is the
    /// clock, in ms.
    ///
    /// # Errors
    /// If there is nothing to train, or if the command of an item cannot be planned.
    pub fn new(
        program: &tree::Program,
        files: &Files,
        only: Option<usize>,
        heap: &[(String, fletch_smooth::Tensor)],
        precision: Precision,
        host: Option<Host>,
        now: fn() -> f64,
    ) -> Result<Live, Box<Diagnostic>> {
        let begin = Begin {
            engine: Engine::Compiled(precision),
            budget: Budget {
                now,
                ..Budget::steps(0)
            },
            epochs: None,
            only,
            measured: true,
            heap,
            host,
        };
        Live::begun(program, files, begin)
    }

    /// Begins a training by any engine.
    ///
    /// # Errors
    /// As [`Live::new`].
    pub fn begun(
        program: &tree::Program,
        files: &Files,
        begin: Begin<'_>,
    ) -> Result<Live, Box<Diagnostic>> {
        with_items(program, files, |items| {
            if let Some(unread) = samples::unread(items) {
                return Err(unread);
            }
            let planned = match begin.engine {
                Engine::Compiled(precision) => Some(precision),
                Engine::Step { .. } | Engine::Denotation => None,
            };
            let mut trains = Vec::new();
            let all = items.trains();
            let most = usize::MAX / all.len().max(1);
            let all = all.into_iter().enumerate();
            let wanted = all.filter(|(number, _)| begin.only.is_none_or(|only| only == *number));
            for (_, train) in wanted {
                // In a page steps are counted in 32 bits; a training of 2³² steps takes hours.
                let epochs = begin.epochs.unwrap_or(train.epochs);
                let epochs = epochs.min(most / train.steps.max(1));
                let plan = planned.map(|precision| {
                    Planned::of(
                        items,
                        train,
                        train.steps,
                        Wanted::Heap,
                        precision,
                        begin.host,
                    )
                });
                trains.push(TrainPlan {
                    data: train.data().to_owned(),
                    plan: plan.transpose()?.flatten(),
                    epochs,
                    written: epochs,
                    steps: train.steps,
                    unseen: Unseen::of(train),
                });
            }
            if trains.is_empty() {
                return Err(samples::nothing_to_train());
            }
            let mut measures = Vec::new();
            let all = items.measures().into_iter();
            for measure in all.filter(|_| begin.measured) {
                let samples = measure.samples;
                let plan = planned.map(|precision| {
                    Planned::of(
                        items,
                        measure,
                        samples,
                        Wanted::Value,
                        precision,
                        begin.host,
                    )
                });
                measures.push(Gauge {
                    name: measure.name().to_owned(),
                    plan: plan.transpose()?.flatten(),
                    samples,
                });
            }
            let initial = given(items.heap(), begin.heap);
            let mut live = Live {
                program: program.clone(),
                files: files.clone(),
                engine: begin.engine,
                budget: begin.budget,
                trains,
                first: begin.only.unwrap_or(0),
                measures,
                heap: initial.clone(),
                initial,
                item: 0,
                done: 0,
                stride: 1,
                loaded: false,
                fresh: true,
                kept: 0,
                keeping: 0.0,
                unkept: 0.0,
                stopped: None,
                measuring: 0.0,
                since: 0.0,
                measured: 0.0,
                spent: 0.0,
                taken: 0,
                points: Vec::new(),
                goal: None,
            };
            live.next_item();
            live.measure();
            Ok(live)
        })
    }

    fn now(&self) -> f64 {
        (self.budget.now)()
    }

    /// Restarts the training.
    pub fn reset(&mut self) {
        self.begin(self.initial.clone());
    }

    /// Restarts the training; locations of the names and shapes in `heap` begin with its contents.
    pub fn take(&mut self, heap: &[(String, fletch_smooth::Tensor)]) {
        self.begin(given(self.initial.clone(), heap));
    }

    /// Continues a training that has reached its end: adds as many epochs of the last item as the program says.
    pub fn extend(&mut self) {
        let most = usize::MAX / self.trains.len().max(1);
        let Some(last) = self.trains.len().checked_sub(1) else {
            return;
        };
        if let (None, true, Some(train)) =
            (&self.stopped, self.at().ended, self.trains.get_mut(last))
        {
            self.done = train.epochs * train.steps;
            let more = train.epochs.saturating_add(train.written);
            train.epochs = more.min(most / train.steps.max(1));
            self.item = last;
            self.kept = self.done;
            self.next_item();
        }
    }

    fn begin(&mut self, heap: Cells) {
        for train in &mut self.trains {
            train.epochs = train.written;
        }
        self.heap = heap;
        self.item = 0;
        self.done = 0;
        self.loaded = false;
        self.fresh = true;
        self.kept = 0;
        self.stopped = None;
        self.measured = 0.0;
        self.points.clear();
        self.next_item();
        self.measure();
    }

    /// Trains for about this many milliseconds, but no further than to the end of epoch `target` of all items, from 1.
    pub fn advance(&mut self, milliseconds: f64, target: Option<usize>) {
        self.advance_unless(None, milliseconds, target);
    }

    /// Trains as [`Live::advance`] does, and calls `halt` before every call of a plan, about every millisecond. If `halt` returns true, the
    /// training stops where it is.
    pub fn advance_unless(
        &mut self,
        halt: Option<&dyn Fn() -> bool>,
        milliseconds: f64,
        target: Option<usize>,
    ) {
        let until = self.now() + milliseconds;
        let mut halted = false;
        while self.stopped.is_none() && !self.at().ended && !halted && !self.reached() {
            if target.is_some_and(|target| self.at().epochs >= target) {
                break;
            }
            let at = self.at();
            let next = at.epochs + (at.of / POINTS).max(1);
            if self.measured < GIVEN {
                let next = target.map_or(next, |target| target.min(next));
                halted = self.slice(until, Some(next), halt);
                self.measure();
            } else {
                let due = (RARELY * self.measuring - self.since).max(0.0);
                halted = self.slice(until.min(self.now() + due), target, halt);
                if self.since >= RARELY * self.measuring {
                    self.measure();
                }
            }
            if self.now() >= until {
                break;
            }
        }
        if self.keeping < SMALL || self.unkept >= SELDOM * self.keeping {
            self.keep();
        }
        let reached = target.is_some_and(|target| self.at().epochs >= target);
        if self.stopped.is_some() || self.at().ended || reached {
            self.measure();
        }
    }

    /// Keeps the heap of the plan. If a NaN has appeared in it, finds the step that made the NaN.
    fn keep(&mut self) {
        let Some(TrainPlan {
            plan: Some(plan), ..
        }) = self.trains.get(self.item).filter(|_| !self.fresh)
        else {
            return;
        };
        let began = self.now();
        let heap = plan.heap();
        self.fresh = true;
        if has_nan(&heap) && !has_nan(&self.heap) {
            self.replay();
        } else {
            self.heap = heap;
        }
        self.kept = self.done;
        self.keeping = self.now() - began;
        self.unkept = 0.0;
    }

    /// The number of steps of the current item at the end of epoch `target` of all items, but at most the total number of its steps.
    fn end(&self, target: Option<usize>) -> Option<usize> {
        let train = self.trains.get(self.item)?;
        let all = train.epochs * train.steps;
        let whole = self.at().epochs;
        Some(target.map_or(all, |target| {
            let epochs = self.done / train.steps.max(1) + target.saturating_sub(whole);
            (epochs * train.steps).min(all)
        }))
    }

    /// Runs the current item until this time, or up to the end of epoch `target` or of the item; returns true if it was halted.
    fn slice(
        &mut self,
        until: f64,
        target: Option<usize>,
        halt: Option<&dyn Fn() -> bool>,
    ) -> bool {
        let Some(end) = self.end(target) else {
            return false;
        };
        self.run_to(end, until, halt)
    }

    /// Makes this step, from 0, of the first item of this training on the current heap; returns the heap after the step.
    ///
    /// # Errors
    /// If the step stops.
    pub(crate) fn step(
        &mut self,
        step: usize,
    ) -> Result<&[(String, fletch_smooth::Tensor)], Box<Diagnostic>> {
        (self.item, self.done, self.kept) = (0, step, step);
        self.run_to(step + 1, f64::INFINITY, None);
        self.keep();
        match self.stopped.take() {
            Some(stopped) => Err(stopped),
            None => Ok(&self.heap),
        }
    }

    /// Runs the current item until `end` of its steps are done, or until this time; returns true if it was halted.
    fn run_to(&mut self, end: usize, until: f64, halt: Option<&dyn Fn() -> bool>) -> bool {
        let (now, precision) = (self.budget.now, self.engine.precision());
        let Some(TrainPlan {
            plan: Some(plan),
            epochs,
            steps,
            ..
        }) = self.trains.get_mut(self.item)
        else {
            return self.steps_to(end, until, halt);
        };
        if !self.loaded {
            plan.load(&self.heap);
            self.loaded = true;
            self.kept = self.done;
        }
        let all = *epochs * *steps;
        let began = now();
        let start = self.done;
        let mut time = began;
        let (mut stops, mut halted) = (false, false);
        while self.done < end {
            let mut count = flush::until_next(self.done, self.stride.min(end - self.done));
            if let Some(halt) = halt {
                halted = halt();
                if halted {
                    break;
                }
            }
            // Measures are comparable at whole epochs, so a call that reaches past the end of an epoch stops there.
            let over = (self.done + count) % *steps;
            if count > over {
                count -= over;
            }
            if let Err(before) = plan.steps(self.done % *steps, count) {
                self.done += before;
                stops = true;
                break;
            }
            self.done += count;
            flush::flush_plan(plan, self.done, precision);
            let after = now();
            let [least, most] = CALL;
            if after - time < least {
                self.stride = count.saturating_mul(2).max(self.stride);
            } else if after - time > most {
                self.stride = (count / 2).max(1);
            }
            time = after;
            if time >= until {
                break;
            }
        }
        self.since += time - began;
        self.spent += time - began;
        self.taken += self.done - start;
        self.unkept += time - began;
        self.fresh = false;
        if stops || self.done >= all {
            self.keep();
        }
        if self.stopped.is_some() {
            return halted;
        }
        if stops {
            self.step_once();
        } else if self.done >= all {
            self.next_item();
        }
        halted
    }

    /// Repeats the steps since the heap was last kept, one by one, up to the step that gives a NaN. The heap and the error are those of
    /// that step.
    fn replay(&mut self) {
        let start = self.kept;
        let Some(TrainPlan {
            plan: Some(plan),
            steps,
            ..
        }) = self.trains.get_mut(self.item)
        else {
            return;
        };
        plan.load(&self.heap);
        let mut found = start;
        for done in start..self.done.max(start + 1) {
            found = done;
            let before = plan.heap();
            let stepped = plan.steps(done % *steps, 1);
            flush::flush_plan(plan, done + 1, self.engine.precision());
            let after = plan.heap();
            self.heap = before;
            if stepped.is_err() || has_nan(&after) {
                break;
            }
        }
        self.done = found;
        let item = self.first + self.item;
        let (epoch, step) = (found / *steps + 1, found % *steps);
        let (heap, precision) = (&self.heap, self.engine.precision());
        let why = with_items(&self.program, &self.files, |items| {
            let train = items.trains().get(item).copied()?;
            let place = samples::step_of(train, epoch, step);
            Some(diverged(items, train, step, &place, heap, precision))
        });
        self.stopped = why;
    }

    /// Moves on to the first item from the current one on that has steps left.
    fn next_item(&mut self) {
        while let Some(train) = self.trains.get(self.item)
            && self.done >= train.epochs * train.steps
        {
            self.item += 1;
            self.done = 0;
            self.stride = 1;
            self.loaded = false;
        }
    }

    /// The precision in which the training computes.
    pub fn precision(&self) -> Precision {
        self.engine.precision()
    }

    /// Number of epochs so far, including the fraction of the current one.
    fn epochs(&self) -> f64 {
        let part = match self.trains.get(self.item) {
            Some(train) => (self.done % train.steps.max(1)) as f64 / train.steps.max(1) as f64,
            None => 0.0,
        };
        self.at().epochs as f64 + part
    }

    /// Progress of the training.
    pub fn at(&self) -> At {
        let before = self.trains.get(..self.item).unwrap_or(&[]);
        let train = self.trains.get(self.item);
        let began = train.map_or(0, |train| self.done / train.steps.max(1));
        At {
            epochs: before.iter().map(|train| train.epochs).sum::<usize>() + began,
            of: self.trains.iter().map(|train| train.epochs).sum(),
            steps: before
                .iter()
                .map(|train| train.epochs * train.steps)
                .sum::<usize>()
                + self.done,
            ended: train.is_none(),
        }
    }

    /// Steps per second, without the time for measures; `None` before it is known.
    pub fn speed(&self) -> Option<f64> {
        (self.spent >= LEAST).then(|| self.taken as f64 / self.spent * 1000.0)
    }

    /// The contents of the locations; for a large heap, as of when it was last kept.
    pub fn heap(&self) -> &[(String, fletch_smooth::Tensor)] {
        &self.heap
    }

    /// The contents of the locations now.
    pub fn current(&mut self) -> &[(String, fletch_smooth::Tensor)] {
        self.keep();
        &self.heap
    }

    /// Number of the current `train` item among those of the program, from 0; that of the last one when all are done.
    pub fn item(&self) -> usize {
        self.first + self.item.min(self.trains.len().saturating_sub(1))
    }

    fn train(&self) -> Option<&TrainPlan> {
        self.trains.get(self.item).or(self.trains.last())
    }

    /// The data set of the current item.
    pub fn data(&self) -> &str {
        self.train().map_or("", |train| &train.data)
    }

    /// Number of steps per epoch of the current item: its samples, or its batches.
    pub fn samples(&self) -> usize {
        self.train().map_or(0, |train| train.steps)
    }

    /// The initial contents of the locations.
    pub fn initial(&self) -> &[(String, fletch_smooth::Tensor)] {
        &self.initial
    }

    /// The samples that its items never see.
    pub fn unseen(&self) -> impl Iterator<Item = &Unseen> {
        self.trains.iter().filter_map(|train| train.unseen.as_ref())
    }

    /// The names of its measures.
    pub fn measures(&self) -> impl Iterator<Item = &str> {
        self.measures.iter().map(|gauge| gauge.name.as_str())
    }

    /// The measures so far: before the training, and then as often as there was time.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The measures after this number of complete epochs: the last ones taken up to that time.
    pub fn after(&self, epochs: usize) -> Option<&Point> {
        let until = |point: &Point| point.epochs <= epochs as f64;
        let before = self.points.partition_point(until);
        self.points.get(before.checked_sub(1)?)
    }

    /// The error that has stopped the training, if any.
    pub fn stopped(&self) -> Option<&Diagnostic> {
        self.stopped.as_deref()
    }

    /// The reason for which an item does not run as a generated module; `None` if all do.
    pub fn not_generated(&self) -> Option<&str> {
        let mut plans = self.trains.iter().filter_map(|train| train.plan.as_ref());
        plans.find_map(Planned::not_generated)
    }
}

/// Replaces the contents of the locations that occur in `contents` with the same name and shape.
pub fn given(mut cells: Cells, contents: &[(String, fletch_smooth::Tensor)]) -> Cells {
    for (name, cell) in &mut cells {
        let mut given = contents.iter();
        if let Some((_, given)) = given.find(|(other, _)| other == name)
            && given.shape() == cell.shape()
        {
            *cell = given.clone();
        }
    }
    cells
}
