//! The command of an item on one of its samples: run by an engine in total mode, and the words for where it stops.

use crate::compiled::{Cells, first_nan};
use crate::ending;
use crate::run::{Engine, Outcome, Precision, run_by};
use fletch_calculus::{Program, Tensor, Value};
use fletch_elaborate::{Items, Measure, Train};
use fletch_ide::place;
use fletch_smooth::Partiality;
use fletch_syntax::{Diagnostic, Span};
use fletch_trace::Budget;

/// An error for a data set whose file is not there, or cannot be read.
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

/// An error for a program without a `train` item.
pub(crate) fn nothing_to_train() -> Box<Diagnostic> {
    let message = "there is no `train` item to run";
    Box::new(
        Diagnostic::error("F0604", Span::default(), message)
            .hint("add one: `train D as p for 100 epochs = …`"),
    )
}

/// An error for a defect: a checked program has what this message misses.
pub(crate) fn defect(message: &str) -> Box<Diagnostic> {
    let error = Diagnostic::error("F0999", Span::default(), message);
    Box::new(error.hint("this is a defect of Fletch, not of your program"))
}

/// An error for a step, of this epoch from 1, that gives a heap with a NaN, at the part of the program that makes it.
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

/// An error of a run, with the place of the run among the others.
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
