//! Runs the command of an item on one of its samples, by an engine in total mode. Formulates the errors of such runs, with the position in
//! the training.

use crate::ending;
use crate::planned::Cells;
use crate::run::{Engine, Outcome, Precision, run_by};
use fletch_arrows::Arrow;
use fletch_calculus::{Origin, Program, Tensor, Value};
use fletch_elaborate::{Item, Items, Measure, Train};
use fletch_engine::{Reference, Wanted, looped, lower};
use fletch_ide::place;
use fletch_reduction::Stuck;
use fletch_smooth::{Partiality, counted};
use fletch_syntax::{Diagnostic, Span};
use fletch_trace::Budget;
use std::fmt;

/// The error for a data set whose file is missing or cannot be read; `None` if there is no such data set.
pub(crate) fn unread(items: &Items<'_, '_>) -> Option<Box<Diagnostic>> {
    let (file, span, wrong) = items.unread()?;
    let error = match wrong {
        Some(wrong) => Diagnostic::error("F0607", span, format!("{file}:{wrong}")),
        None => {
            let message = format!("there is no file `{file}`, so there are no samples to train on");
            Diagnostic::error("F0606", span, message).hint(
                "put it beside the program, in the page add it to the program, or write the samples in the program: `data d = [⟨…⟩, …]`",
            )
        }
    };
    Some(Box::new(error.about(file)))
}

/// The error for a program without a `train` item.
pub(crate) fn nothing_to_train() -> Box<Diagnostic> {
    let message = "there is no `train` item to run";
    Box::new(
        Diagnostic::error("F0604", Span::default(), message)
            .hint("add one: `train D as p for 100 epochs = …`"),
    )
}

/// The error for a defect of Fletch: `message` names something that a checked program always has.
pub(crate) fn defect(message: &str) -> Box<Diagnostic> {
    let error = Diagnostic::error("F0999", Span::default(), message);
    Box::new(error.hint("this is a defect of Fletch, not of your program"))
}

/// The error for a command that gives a NaN from a heap without one. `place` is the position in the training, in words. The error is
/// located at the part of the program that makes the NaN.
pub(crate) fn diverged<'a>(
    items: &mut Items<'_, 'a>,
    item: impl Into<Item<'a>>,
    step: usize,
    place: &str,
    heap: &[(String, Tensor)],
    precision: Precision,
) -> Box<Diagnostic> {
    let program = items.on(item, step).ok();
    let origin = program.and_then(|program| first_nan(&program, heap, precision));
    let span = origin.map_or(Span::default(), place::span);
    let message = format!("this gives NaN at {place}: the training diverges");
    Box::new(Diagnostic::error("F0608", span, message).hint(
        "numbers have grown beyond what there are: a smaller learning rate, other initial weights, or clipping may keep them in bounds",
    ))
}

/// Origin of the first statement that gives a NaN in a run from this heap.
fn first_nan(program: &Program, heap: &[(String, Tensor)], precision: Precision) -> Option<Origin> {
    let arrow = Arrow::of(&[], &program.main, &program.ty).ok()?;
    let line = lower(&arrow, &[], |_| None, Wanted::All).ok()?;
    let plan = looped(&line, Partiality::Total);
    let mut reference = Reference::new(plan, Partiality::Total, precision);
    for (number, (_, contents)) in heap.iter().enumerate() {
        reference.set_cell(number, contents.data());
    }
    reference.step_to_nan()
}

/// The last samples of a data set that fill no batch, so an item by batch never sees them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unseen {
    data: String,
    /// Number of the item among the `train` items, from 1, and number of `train` items.
    number: (usize, usize),
    /// Number of samples in the data set, number of them that are never seen, and batch size.
    samples: usize,
    rest: usize,
    batch: usize,
}

impl Unseen {
    pub(crate) fn of(train: Train<'_>) -> Option<Unseen> {
        let (rest, batch) = train.unseen()?;
        Some(Unseen {
            data: train.data().to_owned(),
            number: train.number,
            samples: train.samples,
            rest,
            batch,
        })
    }
}

impl fmt::Display for Unseen {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unseen {
            data,
            number,
            samples,
            rest,
            batch,
        } = self;
        let item = item_of(*number);
        let samples = counted(*samples, "sample");
        match rest {
            1 => write!(
                out,
                "the last of the {samples} of `{data}` fills no batch of {batch}, so `train {data}`{item} never sees it"
            ),
            rest => write!(
                out,
                "the last {rest} of the {samples} of `{data}` fill no batch of {batch}, so `train {data}`{item} never sees them"
            ),
        }
    }
}

/// The number of a `train` item in words; empty for a program's only one.
fn item_of(number: (usize, usize)) -> String {
    match number {
        (_, 1) => String::new(),
        (number, _) => format!(", item {number},"),
    }
}

/// The position of a step in a training, in words: ``sample 2 of epoch 1 of `train d` ``. `step` counts from 0, `epoch` from 1 in its item.
pub(crate) fn step_of(train: Train<'_>, epoch: usize, step: usize) -> String {
    let one = if train.is_by_batch() {
        "batch"
    } else {
        "sample"
    };
    let (step, data) = (step + 1, train.data());
    let item = item_of(train.number);
    let item = item.trim_end_matches(',');
    format!("{one} {step} of epoch {epoch} of `train {data}`{item}")
}

/// The position of a sample in a measure that is taken after this number of epochs, in words. `sample` counts from 0.
pub(crate) fn sample_of(measure: Measure<'_>, sample: usize, epochs: usize) -> String {
    let (sample, data, name) = (sample + 1, measure.data(), measure.name());
    let when = match epochs {
        0 => "before training".to_owned(),
        epochs => format!("after epoch {epochs}"),
    };
    format!("sample {sample} of `{data}` in `measure {name}`, {when}")
}

/// Adds the position of a run to the message of its error.
pub(crate) fn at(mut error: Box<Diagnostic>, place: &str) -> Box<Diagnostic> {
    error.message = format!("{} ({place})", error.message);
    error
}

/// The number that a measure gives: the sum of all entries of its value.
pub(crate) fn total(value: &Value) -> f64 {
    let tensors = value.tensors().into_iter();
    tensors.flat_map(Tensor::data).sum()
}

/// A run that ended without a value.
pub(crate) struct NotRun {
    pub(crate) error: Box<Diagnostic>,
    /// True if the run stops at a symbol whose argument has a NaN.
    pub(crate) by_nan: bool,
}

impl From<Box<Diagnostic>> for NotRun {
    fn from(error: Box<Diagnostic>) -> NotRun {
        let by_nan = false;
        NotRun { error, by_nan }
    }
}

/// Runs a command from a heap; returns its value and the heap after the run.
pub(crate) fn value(
    engine: Engine,
    budget: Budget,
    program: Program,
    heap: &[(String, Tensor)],
) -> Result<(Value, Cells), Box<Diagnostic>> {
    run(engine, budget, program, heap).map_err(|not_run| not_run.error)
}

/// Makes a step of a training and returns the heap after it. `step` counts from 0, `epoch` from 1 in its item.
///
/// # Errors
/// If the step stops. If it gives a NaN from a heap without one: then the training diverges.
pub(crate) fn stepped<'a>(
    items: &mut Items<'_, 'a>,
    train: Train<'a>,
    (epoch, step): (usize, usize),
    engine: Engine,
    budget: Budget,
    heap: &[(String, Tensor)],
) -> Result<Cells, Box<Diagnostic>> {
    let place = step_of(train, epoch, step);
    let command = items.on(train, step).map_err(NotRun::from);
    let run = command.and_then(|command| run(engine, budget, command, heap));
    let sound = !has_nan(heap);
    match run {
        Ok((_, after)) if !sound || !has_nan(&after) => Ok(after),
        Err(stopped) if !sound || !stopped.by_nan => Err(at(stopped.error, &place)),
        _ => {
            let precision = engine.precision();
            Err(diverged(items, train, step, &place, heap, precision))
        }
    }
}

/// Runs a command as [`value`] does. The error reports if a NaN stopped the run.
pub(crate) fn run(
    engine: Engine,
    budget: Budget,
    mut program: Program,
    heap: &[(String, Tensor)],
) -> Result<(Value, Cells), NotRun> {
    for (contents, (_, known)) in program.initial.iter_mut().zip(heap) {
        *contents = known.clone();
    }
    let run = run_by(engine, &program, Partiality::Total, budget)
        .map_err(|fault| Box::new(ending::no_arrow(&fault)))?;
    let error = run.error(&program).map(|error| match run.outcome {
        Outcome::Exhausted(_) => error.hint(match engine {
            Engine::Step { shortcuts: false } => "the compiled engine takes no steps: `fletch train` uses it, if no other is asked for; `--shortcuts` leaves steps of zeros out",
            _ => "the compiled engine takes no steps: `fletch train` uses it, if no other is asked for",
        }),
        _ => error,
    });
    let by_nan = match &run.outcome {
        Outcome::Stuck(Stuck::Undefined { argument, .. }) => {
            let mut tensors = argument.tensors().into_iter();
            tensors.any(|tensor| tensor.data().iter().any(|entry| entry.is_nan()))
        }
        _ => false,
    };
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
        Outcome::Stuck(_) | Outcome::Exhausted(_) => {
            let error = error.unwrap_or_else(|| {
                let span = place::span(program.main.origin());
                Diagnostic::error("F0999", span, "the run ended without a value")
            });
            let error = Box::new(error);
            Err(NotRun { error, by_nan })
        }
    }
}

pub(crate) fn has_nan(cells: &[(String, Tensor)]) -> bool {
    let mut entries = cells.iter().flat_map(|(_, contents)| contents.data());
    entries.any(|entry| entry.is_nan())
}
