//! Training and measuring, by reduction or by what the items denote: every sample is a run of its own, and the heap goes from one to the next.

pub use crate::compiled::Cells;
use crate::compiled::first_nan;
use crate::ending;
use crate::planned::Planned;
use crate::run::{Engine, Outcome, Precision, run_by};
use fletch_calculus::{Program, Tensor, Value};
use fletch_elaborate::{Files, Items, Measure, Train, with_items};
use fletch_engine::Wanted;
use fletch_ide::place;
use fletch_smooth::Partiality;
use fletch_syntax::{Diagnostic, Span, tree};
use fletch_trace::Budget;
use fletch_transcript::{numbers_json, tensor_json};
use serde_json::{Value as Json, json};

/// What came of a training.
#[derive(Clone, Debug, Default)]
pub struct Training {
    /// The locations met, with their contents.
    pub heap: Cells,
    /// The epochs run, of all `train` items together.
    pub epochs: usize,
    /// For every `measure` its name and its values: before training, then after every epoch.
    pub measures: Vec<(String, Vec<f64>)>,
    /// Whether it was halted before its end, perhaps in the midst of an epoch.
    pub halted: bool,
    /// What its numbers are.
    pub precision: Precision,
}

impl Training {
    /// The result of `train --json`.
    pub fn json(&self) -> Json {
        let measures: serde_json::Map<String, Json> = self
            .measures
            .iter()
            .map(|(name, values)| (name.clone(), json!(numbers_json(values))))
            .collect();
        let mut json =
            json!({ "heap": self.heap_json(), "epochs": self.epochs, "measures": measures });
        if let Json::Object(json) = &mut json
            && self.halted
        {
            json.insert("halted".to_owned(), json!(true));
        }
        if let Json::Object(json) = &mut json
            && self.precision == Precision::Single
        {
            json.insert("precision".to_owned(), json!("f32"));
        }
        json
    }

    /// The heap alone, for a training that failed.
    pub fn heap_json(&self) -> Json {
        let cells = self
            .heap
            .iter()
            .map(|(name, contents)| (name.clone(), tensor_json(contents)));
        Json::Object(cells.collect())
    }
}

/// How items are trained.
#[derive(Clone, Copy)]
pub struct Course<'h> {
    /// What runs the commands.
    pub engine: Engine,
    /// Epochs of every item, instead of what it says.
    pub epochs: Option<usize>,
    /// The budget of a run by reduction.
    pub budget: Budget,
    /// What locations hold at first, by name, instead of what the program says.
    pub heap: &'h [(String, Tensor)],
    /// Asked before every step: whether to leave it at what is there.
    pub halt: &'h dyn Fn() -> bool,
}

/// Runs the `train` items of a program that was checked with these files and without an error, in file order. `watch` is told the
/// training so far and the number of all epochs, before the first and after each.
/// Gives the training as far as it went, and what stopped it if something did.
pub fn train(
    program: &tree::Program,
    files: &Files,
    course: Course<'_>,
    mut watch: impl FnMut(&Training, usize),
) -> (Training, Option<Diagnostic>) {
    with_items(program, files, |items| {
        let mut trainer = Trainer {
            training: Training {
                precision: course.engine.precision(),
                ..Training::default()
            },
            course,
        };
        let stopped = trainer.run(items, &mut watch).err();
        (trainer.training, stopped.map(|stopped| *stopped))
    })
}

/// All locations of a program, with what they hold at first.
pub fn locations(program: &tree::Program, files: &Files) -> Vec<(String, Tensor)> {
    with_items(program, files, |items| items.heap())
}

/// How many `train` items there are.
pub fn count(program: &tree::Program, files: &Files) -> usize {
    with_items(program, files, |items| items.trains().len())
}

/// That the file of some data set is not there.
pub(crate) fn missing(items: &Items<'_, '_>) -> Option<Box<Diagnostic>> {
    let (file, span) = items.missing()?;
    let message = format!("there is no file `{file}`, so there are no samples to train on");
    Some(Box::new(Diagnostic::error("F0606", span, message).hint(
        "put it beside the program, or write the samples in the program: `data d = [⟨…⟩, …]`",
    )))
}

/// That there is no `train` item.
pub(crate) fn nothing_to_train() -> Box<Diagnostic> {
    let message = "there is no `train` item to run";
    Box::new(
        Diagnostic::error("F0604", Span::default(), message)
            .hint("add one: `train D as p for 100 epochs = …`"),
    )
}

/// That something is not there which a checked program has.
pub(crate) fn defect(message: &str) -> Box<Diagnostic> {
    let error = Diagnostic::error("F0999", Span::default(), message);
    Box::new(error.hint("this is a defect of Fletch, not of your program"))
}

struct Trainer<'h> {
    training: Training,
    course: Course<'h>,
}

impl Trainer<'_> {
    fn run(
        &mut self,
        items: &mut Items<'_, '_>,
        watch: &mut dyn FnMut(&Training, usize),
    ) -> Result<(), Box<Diagnostic>> {
        if let Some(missing) = missing(items) {
            return Err(missing);
        }
        let trains = items.trains();
        if trains.is_empty() {
            return Err(nothing_to_train());
        }
        self.training.heap = items.heap();
        for (name, contents) in &mut self.training.heap {
            let mut given = self.course.heap.iter();
            if let Some((_, given)) = given.find(|(other, _)| other == name) {
                *contents = given.clone();
            }
        }
        let epochs = self.course.epochs;
        let epochs_of = |written: usize| epochs.unwrap_or(written);
        let all = trains.iter().map(|train| epochs_of(train.epochs)).sum();
        let mut measures = Vec::new();
        for measure in items.measures() {
            let plan = match self.course.engine {
                Engine::Compiled(precision) => {
                    let samples = measure.samples;
                    Planned::of(items, measure, samples, Wanted::Value, precision, None)?
                }
                Engine::Step { .. } | Engine::Denotation => None,
            };
            measures.push((measure, plan));
        }
        let series = |(measure, _): &(Measure<'_>, _)| (measure.name().to_owned(), Vec::new());
        self.training.measures = measures.iter().map(series).collect();
        self.measure(items, &mut measures)?;
        watch(&self.training, all);
        for train in trains {
            let mut plan = match self.course.engine {
                Engine::Compiled(precision) => {
                    Planned::of(items, train, train.steps, Wanted::Heap, precision, None)?
                }
                Engine::Step { .. } | Engine::Denotation => None,
            };
            for epoch in 1..=epochs_of(train.epochs) {
                match &mut plan {
                    Some(plan) => self.epoch(items, train, epoch, plan)?,
                    None => {
                        for step in 0..train.steps {
                            if (self.course.halt)() {
                                self.training.halted = true;
                                break;
                            }
                            self.step(items, train, (epoch, step))?;
                        }
                    }
                }
                if self.training.halted {
                    return Ok(());
                }
                self.training.epochs += 1;
                self.measure(items, &mut measures)?;
                watch(&self.training, all);
            }
        }
        Ok(())
    }

    /// One sample, or batch, by an engine that runs every command anew.
    fn step<'a>(
        &mut self,
        items: &mut Items<'_, 'a>,
        train: Train<'a>,
        (epoch, step): (usize, usize),
    ) -> Result<(), Box<Diagnostic>> {
        let run = items
            .on(train, step)
            .and_then(|program| self.value(program));
        let (_, heap) = run.map_err(|error| at(error, &step_of(train, epoch, step)))?;
        if has_nan(&heap) && !has_nan(&self.training.heap) {
            return Err(self.diverged(items, train, (epoch, step)));
        }
        self.training.heap = heap;
        Ok(())
    }

    /// All samples once, by a plan of the command; where it stops, what the command denotes says why.
    fn epoch<'a>(
        &mut self,
        items: &mut Items<'_, 'a>,
        train: Train<'a>,
        epoch: usize,
        plan: &mut Planned,
    ) -> Result<(), Box<Diagnostic>> {
        plan.command.load(&self.training.heap);
        for (step, sample) in plan.samples.iter().enumerate() {
            if (self.course.halt)() {
                self.training.halted = true;
                break;
            }
            if plan.command.step(sample).is_err() {
                self.training.heap = plan.heap();
                self.step(items, train, (epoch, step))?;
                plan.command.load(&self.training.heap);
            }
        }
        let heap = plan.heap();
        if !has_nan(&heap) || has_nan(&self.training.heap) {
            self.training.heap = heap;
            return Ok(());
        }
        // Once more, to the step that gives it.
        plan.command.load(&self.training.heap);
        for (step, sample) in plan.samples.iter().enumerate() {
            self.training.heap = plan.heap();
            if plan.command.step(sample).is_err() || has_nan(&plan.heap()) {
                return Err(self.diverged(items, train, (epoch, step)));
            }
        }
        Ok(())
    }

    fn diverged<'a>(
        &self,
        items: &mut Items<'_, 'a>,
        train: Train<'a>,
        (epoch, step): (usize, usize),
    ) -> Box<Diagnostic> {
        diverged(
            items,
            train,
            epoch,
            step,
            &self.training.heap,
            self.course.engine.precision(),
        )
    }

    fn value(&self, program: Program) -> Result<(Value, Cells), Box<Diagnostic>> {
        let Course { engine, budget, .. } = self.course;
        value(engine, budget, program, &self.training.heap)
    }

    /// The mean of each measure over its data set; the heap stays as it is.
    fn measure<'a>(
        &mut self,
        items: &mut Items<'_, 'a>,
        measures: &mut [(Measure<'a>, Option<Planned>)],
    ) -> Result<(), Box<Diagnostic>> {
        for (index, (measure, plan)) in measures.iter_mut().enumerate() {
            if let Some(plan) = plan {
                plan.command.load(&self.training.heap);
            }
            let mut sum = 0.0;
            for sample in 0..measure.samples {
                let planned = plan.as_mut().and_then(|plan| plan.number(sample));
                if let Some(number) = planned {
                    sum += number;
                } else {
                    let run = items
                        .on(*measure, sample)
                        .and_then(|program| self.value(program));
                    let place = sample_of(*measure, sample, self.training.epochs);
                    let (value, _) = run.map_err(|error| at(error, &place))?;
                    sum += total(&value);
                }
            }
            if let Some((_, values)) = self.training.measures.get_mut(index) {
                values.push(sum / measure.samples as f64);
            }
        }
        Ok(())
    }
}

/// That the next step, of this epoch from 1, gives a heap with a NaN, and which part of the program makes it.
pub(crate) fn diverged<'a>(
    items: &mut Items<'_, 'a>,
    train: Train<'a>,
    epoch: usize,
    step: usize,
    heap: &[(String, Tensor)],
    precision: Precision,
) -> Box<Diagnostic> {
    let program = items.on(train, step).ok();
    let origin = program.and_then(|program| first_nan(&program, heap, precision));
    let span = origin.map_or(Span::default(), place::span);
    let place = step_of(train, epoch, step);
    let message = format!("this gives NaN at {place}: the training diverges");
    Box::new(Diagnostic::error("F0608", span, message).hint(
        "numbers have grown beyond what there are: a smaller learning rate, other initial weights, or clipping may keep them in bounds",
    ))
}

/// The place of a step in a training, from 0, of an epoch of its item, from 1: ``sample 2 of epoch 1 of `train d` ``.
pub(crate) fn step_of(train: Train<'_>, epoch: usize, step: usize) -> String {
    let one = if train.is_by_batch() {
        "batch"
    } else {
        "sample"
    };
    let (step, data) = (step + 1, train.data());
    let item = match train.number {
        (_, 1) => String::new(),
        (number, _) => format!(", item {number}"),
    };
    format!("{one} {step} of epoch {epoch} of `train {data}`{item}")
}

/// The place of a sample, from 0, in a measure that is taken after so many epochs.
pub(crate) fn sample_of(measure: Measure<'_>, sample: usize, epochs: usize) -> String {
    let (sample, data, name) = (sample + 1, measure.data(), measure.name());
    let when = match epochs {
        0 => "before training".to_owned(),
        epochs => format!("after epoch {epochs}"),
    };
    format!("sample {sample} of `{data}` in `measure {name}`, {when}")
}

/// What stopped a run, with the place among the runs that it was one of.
pub(crate) fn at(mut error: Box<Diagnostic>, place: &str) -> Box<Diagnostic> {
    error.message = format!("{} ({place})", error.message);
    error
}

/// The number that a measure gives.
pub(crate) fn total(value: &Value) -> f64 {
    let tensors = value.tensors().into_iter();
    tensors.flat_map(Tensor::data).sum()
}

/// Runs a command from a heap: its value and the heap after it.
pub(crate) fn value(
    engine: Engine,
    budget: Budget,
    mut program: Program,
    heap: &[(String, Tensor)],
) -> Result<(Value, Cells), Box<Diagnostic>> {
    for (contents, (_, known)) in program.initial.iter_mut().zip(heap) {
        *contents = known.clone();
    }
    let run = run_by(engine, &program, Partiality::Total, budget)
        .map_err(|fault| Box::new(ending::no_arrow(&fault)))?;
    let error = run.error(&program).map(|error| match run.outcome {
        Outcome::Exhausted(_) => error.hint("the other engines do not count steps: `fletch train` uses the compiled one, if no other is asked for"),
        _ => error,
    });
    match run.outcome {
        Outcome::Value(value) => {
            let names = program
                .locations
                .iter()
                .map(|location| location.name.to_string());
            Ok((
                value,
                names.zip(run.heap.contents().iter().cloned()).collect(),
            ))
        }
        Outcome::Stuck(_) | Outcome::Exhausted(_) => Err(Box::new(error.unwrap_or_else(|| {
            let span = place::span(program.main.origin());
            Diagnostic::error("F0999", span, "the run ended without a value")
        }))),
    }
}

pub(crate) fn has_nan(cells: &[(String, Tensor)]) -> bool {
    let mut entries = cells.iter().flat_map(|(_, contents)| contents.data());
    entries.any(|entry| entry.is_nan())
}
