//! A training that goes on a while at a time, for the page, the command line and whoever else watches: it is planned once, and between two
//! slices its heap and its measures can be looked at, or it can be left where it is. A step is made by its plan; without one, or where
//! the plan stops, by the engine that runs the command as it is (`stepwise`).

mod flush;
mod measures;
mod resumed;
mod stepwise;

pub use resumed::Way;

use crate::generated::Host;
use crate::planned::{Cells, Planned};
use crate::run::{Engine, Precision};
use crate::samples::{self, Unseen, diverged, has_nan};
use fletch_elaborate::{Files, with_items};
use fletch_engine::Wanted;
use fletch_syntax::{Diagnostic, tree};
use fletch_trace::Budget;

/// A call runs about so long, in milliseconds: long enough to be worth a call, short enough to look at the clock after it.
const CALL: [f64; 2] = [0.5, 2.0];
/// Measures take no more than the inverse of this of the time that training takes.
const RARELY: f64 = 3.0;
/// But so much time a reader gives them at once, in milliseconds, for a curve of so many points.
const GIVEN: f64 = 200.0;
const POINTS: usize = 150;

/// A large heap is taken over when the training since took so many times as long, a small one always.
const SELDOM: f64 = 4.0;
const SMALL: f64 = 2.0;
/// The speed is known after so many milliseconds.
const LEAST: f64 = 50.0;

/// A training that can be watched.
pub struct Live {
    program: tree::Program,
    files: Files,
    engine: Engine,
    /// Budget of a step by reduction; its clock is that of the training.
    budget: Budget,
    trains: Vec<Lesson>,
    /// The number of the first of these among the `train` items of the program.
    first: usize,
    measures: Vec<Gauge>,
    initial: Cells,
    heap: Cells,
    /// The one of `trains` that is at work.
    item: usize,
    /// The steps of it that are done.
    done: usize,
    /// Number of steps per call of the plan.
    stride: usize,
    /// True if the plan has the heap.
    loaded: bool,
    /// True if the heap is the one that the plan has; and the steps of the item that were done when it was.
    fresh: bool,
    kept: usize,
    /// The time that taking it over took last, and the training since, in milliseconds.
    keeping: f64,
    unkept: f64,
    stopped: Option<Box<Diagnostic>>,
    /// The time that the last measuring took, and the training since, in milliseconds.
    measuring: f64,
    since: f64,
    /// All measuring so far, in milliseconds.
    measured: f64,
    /// All training so far, in milliseconds, and its steps.
    spent: f64,
    taken: usize,
    /// The measures after so many steps of all items.
    points: Vec<Point>,
    /// Goal: the measure, and the number below which the training stops.
    goal: Option<(usize, f64)>,
}

/// A `train` item.
struct Lesson {
    data: String,
    /// Plan of the command; None if the command stops wherever it is run, or another engine runs it.
    plan: Option<Planned>,
    /// As many as it says, and again as many each time that it goes on after its end.
    epochs: usize,
    written: usize,
    steps: usize,
    unseen: Option<Unseen>,
}

/// A `measure` item.
struct Gauge {
    name: String,
    plan: Option<Planned>,
    samples: usize,
}

/// The measures at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// After so many epochs of all items, and the part of one that has begun.
    pub epochs: f64,
    /// The mean of each measure.
    pub values: Vec<f64>,
}

/// Progress of a training.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// The complete epochs of all items.
    pub epochs: usize,
    /// All epochs of all items.
    pub of: usize,
    /// The steps of all items.
    pub steps: usize,
    /// True if it has come to its end.
    pub ended: bool,
}

/// Options for the start of a training.
#[derive(Clone, Copy)]
pub struct Begin<'h> {
    /// The engine that runs the commands.
    pub engine: Engine,
    /// Budget of a step by reduction; its clock is that of the training, in milliseconds.
    pub budget: Budget,
    /// Epochs of every item, instead of those that it says.
    pub epochs: Option<usize>,
    /// The `train` item of this number alone, from 0.
    pub only: Option<usize>,
    /// True if the measures of the program are taken on the way.
    pub measured: bool,
    /// Contents of locations of these names and sizes, instead of those of the program.
    pub heap: &'h [(String, fletch_smooth::Tensor)],
    /// Runs plans as modules of their own.
    pub host: Option<Host>,
}

impl Live {
    /// A training of a program that was checked with these files and without an error: of all its items, one after the other, or of the
    /// one of this number. Locations of these names and sizes begin with these contents.
    ///
    /// # Errors
    /// If there is nothing to train, or the command of an item cannot be planned.
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

    /// Begins a training of any engine.
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
                // In a page no more than 2³² steps can be counted, which takes hours.
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
                trains.push(Lesson {
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

    /// Restarts the training with these contents of the locations of the same names and sizes.
    pub fn take(&mut self, heap: &[(String, fletch_smooth::Tensor)]) {
        self.begin(given(self.initial.clone(), heap));
    }

    /// After its end it goes on: with as many epochs again, of the last item.
    pub fn go_on(&mut self) {
        let most = usize::MAX / self.trains.len().max(1);
        let Some(last) = self.trains.len().checked_sub(1) else {
            return;
        };
        if let (None, true, Some(lesson)) =
            (&self.stopped, self.at().ended, self.trains.get_mut(last))
        {
            self.done = lesson.epochs * lesson.steps;
            let more = lesson.epochs.saturating_add(lesson.written);
            lesson.epochs = more.min(most / lesson.steps.max(1));
            self.item = last;
            self.kept = self.done;
            self.next_item();
        }
    }

    fn begin(&mut self, heap: Cells) {
        for lesson in &mut self.trains {
            lesson.epochs = lesson.written;
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

    /// Trains for about so long, in milliseconds, but no further than to the end of epoch `target`, from 1.
    pub fn advance(&mut self, milliseconds: f64, target: Option<usize>) {
        self.advance_unless(None, milliseconds, target);
    }

    /// Trains as [`Live::advance`] does, but asks `halt` before every call of a plan, a millisecond or so, and leaves the
    /// training where it is if that says so.
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

    /// Takes over the heap that the plan has, and looks whether it has a NaN.
    fn keep(&mut self) {
        let Some(Lesson {
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

    /// The steps of the item at work until the end of epoch `target` of all items, or until its own end.
    fn end(&self, target: Option<usize>) -> Option<usize> {
        let lesson = self.trains.get(self.item)?;
        let all = lesson.epochs * lesson.steps;
        let whole = self.at().epochs;
        Some(target.map_or(all, |target| {
            let epochs = self.done / lesson.steps.max(1) + target.saturating_sub(whole);
            (epochs * lesson.steps).min(all)
        }))
    }

    /// Runs the item at work, to its end at most; returns true if it was halted.
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

    /// Makes this step of the first item, from 0, on the heap as it is, and gives the one that it leaves.
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

    /// Runs the item at work until so many of its steps are done; returns true if it was halted.
    fn run_to(&mut self, end: usize, until: f64, halt: Option<&dyn Fn() -> bool>) -> bool {
        let (now, precision) = (self.budget.now, self.engine.precision());
        let Some(Lesson {
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
            // Measures of whole epochs can be compared, so calls end with one where they are long enough.
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

    /// Replays the training from the heap that was taken over last to the step that gives a NaN.
    fn replay(&mut self) {
        let start = self.kept;
        let Some(Lesson {
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

    /// Leaves items that are done, or have nothing to do.
    fn next_item(&mut self) {
        while let Some(lesson) = self.trains.get(self.item)
            && self.done >= lesson.epochs * lesson.steps
        {
            self.item += 1;
            self.done = 0;
            self.stride = 1;
            self.loaded = false;
        }
    }

    /// The precision of its numbers.
    pub fn precision(&self) -> Precision {
        self.engine.precision()
    }

    /// The epochs so far, and the part of one that has begun.
    fn epochs(&self) -> f64 {
        let part = match self.trains.get(self.item) {
            Some(lesson) => (self.done % lesson.steps.max(1)) as f64 / lesson.steps.max(1) as f64,
            None => 0.0,
        };
        self.at().epochs as f64 + part
    }

    /// Progress of the training.
    pub fn at(&self) -> At {
        let before = self.trains.get(..self.item).unwrap_or(&[]);
        let lesson = self.trains.get(self.item);
        let began = lesson.map_or(0, |lesson| self.done / lesson.steps.max(1));
        At {
            epochs: before.iter().map(|lesson| lesson.epochs).sum::<usize>() + began,
            of: self.trains.iter().map(|lesson| lesson.epochs).sum(),
            steps: before
                .iter()
                .map(|lesson| lesson.epochs * lesson.steps)
                .sum::<usize>()
                + self.done,
            ended: lesson.is_none(),
        }
    }

    /// Steps per second, without the time for measures; None before it is known.
    pub fn speed(&self) -> Option<f64> {
        (self.spent >= LEAST).then(|| self.taken as f64 / self.spent * 1000.0)
    }

    /// The contents of its locations; of a large heap, those of when it was taken over last.
    pub fn heap(&self) -> &[(String, fletch_smooth::Tensor)] {
        &self.heap
    }

    /// The contents of its locations now.
    pub fn current(&mut self) -> &[(String, fletch_smooth::Tensor)] {
        self.keep();
        &self.heap
    }

    /// The `train` item of the program that is at work, from 0; the last one when all is done.
    pub fn item(&self) -> usize {
        self.first + self.item.min(self.trains.len().saturating_sub(1))
    }

    fn lesson(&self) -> Option<&Lesson> {
        self.trains.get(self.item).or(self.trains.last())
    }

    /// The data set of that item.
    pub fn data(&self) -> &str {
        self.lesson().map_or("", |lesson| &lesson.data)
    }

    /// Steps per epoch of the current item: its samples, or its batches.
    pub fn samples(&self) -> usize {
        self.lesson().map_or(0, |lesson| lesson.steps)
    }

    /// The contents of its locations at first.
    pub fn initial(&self) -> &[(String, fletch_smooth::Tensor)] {
        &self.initial
    }

    /// The samples that its items never see.
    pub fn unseen(&self) -> impl Iterator<Item = &Unseen> {
        self.trains
            .iter()
            .filter_map(|lesson| lesson.unseen.as_ref())
    }

    /// The names of its measures.
    pub fn measures(&self) -> impl Iterator<Item = &str> {
        self.measures.iter().map(|gauge| gauge.name.as_str())
    }

    /// The measures so far: before it, and then as often as there was time.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The measures after so many whole epochs: the last ones that were taken until then.
    pub fn after(&self, epochs: usize) -> Option<&Point> {
        let until = |point: &Point| point.epochs <= epochs as f64;
        let before = self.points.partition_point(until);
        self.points.get(before.checked_sub(1)?)
    }

    /// The error that has stopped it, if one has.
    pub fn stopped(&self) -> Option<&Diagnostic> {
        self.stopped.as_deref()
    }

    /// Reason for which an item does not run as a generated module, if one does not.
    pub fn not_generated(&self) -> Option<&str> {
        let mut plans = self.trains.iter().filter_map(|lesson| lesson.plan.as_ref());
        plans.find_map(Planned::not_generated)
    }
}

/// Gives locations other contents, where some of their name and shape are given.
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
