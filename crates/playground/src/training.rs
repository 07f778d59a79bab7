//! Training from beginning to end, as the command line does: every sample is a run of its own, and the heap goes from one to the next.

pub use crate::compiled::Cells;
use crate::compiled::first_nan;
use crate::ending;
use crate::live::{Begin, Live};
use crate::run::{Engine, Outcome, Precision, run_by};
use fletch_calculus::{Program, Tensor, Value};
use fletch_elaborate::{Files, Items, Measure, Train, with_items};
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
    let begin = Begin {
        engine: course.engine,
        budget: course.budget,
        epochs: course.epochs,
        only: None,
        heap: course.heap,
        host: None,
    };
    let mut training = Training {
        precision: course.engine.precision(),
        ..Training::default()
    };
    let mut live = match Live::begun(program, files, begin) {
        Ok(live) => live,
        Err(error) => return (training, Some(*error)),
    };
    let all = live.at().of;
    let names = live.measures().map(str::to_owned);
    training.measures = names.map(|name| (name, Vec::new())).collect();
    let mut look = |live: &mut Live, training: &mut Training| {
        training.heap = live.current().to_vec();
        training.epochs = live.at().epochs;
        measured(live, &mut training.measures);
        if live.stopped().is_none() && !training.halted {
            watch(training, all);
        }
    };
    look(&mut live, &mut training);
    for epoch in 1..=all {
        if live.stopped().is_some() || training.halted {
            break;
        }
        live.advance_unless(Some(course.halt), f64::INFINITY, Some(epoch));
        training.halted = live.stopped().is_none() && live.at().epochs < epoch;
        look(&mut live, &mut training);
    }
    (training, live.stopped().cloned())
}

/// Adds the values of each measure after the epochs that are new, or before training.
fn measured(live: &Live, measures: &mut [(String, Vec<f64>)]) {
    let points = live.points();
    for (number, (_, values)) in measures.iter_mut().enumerate() {
        for epoch in values.len()..=live.at().epochs {
            let before = points.partition_point(|point| point.epochs <= epoch as f64);
            let point = before.checked_sub(1).and_then(|last| points.get(last));
            values.extend(point.and_then(|point| point.values.get(number)));
        }
    }
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
