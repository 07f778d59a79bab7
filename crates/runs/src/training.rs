//! Training from beginning to end, as the command line does: every sample is a run of its own, and the heap goes from one to the next.

use crate::generated::Host;
use crate::live::{Begin, Live};
use crate::planned::Cells;
use crate::run::{Engine, Precision};
use crate::samples::Unseen;
use fletch_calculus::Tensor;
use fletch_elaborate::{Files, with_items};
use fletch_syntax::{Diagnostic, tree};
use fletch_trace::Budget;
use fletch_transcript::{numbers_json, tensor_json};
use serde_json::{Value as Json, json};

/// A measure that has grown by so much has left every sensible range, though its numbers are finite.
const BEYOND: f64 = 1e12;

/// The outcome of a training.
#[derive(Clone, Debug, Default)]
pub struct Training {
    /// The locations met, with their contents.
    pub heap: Cells,
    /// The epochs run, of all `train` items together.
    pub epochs: usize,
    /// For every `measure` its name and its values: before training, then after every epoch.
    pub measures: Vec<(String, Vec<f64>)>,
    /// True if it was halted before its end, perhaps in the midst of an epoch.
    pub halted: bool,
    /// The precision of its numbers.
    pub precision: Precision,
    /// Samples that no epoch sees.
    pub unseen: Vec<Unseen>,
    /// False if it could not begin, so there is no heap.
    pub began: bool,
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
        let diverged: Vec<&str> = self.diverged().map(|(name, ..)| name).collect();
        if let Json::Object(json) = &mut json
            && !diverged.is_empty()
        {
            json.insert("diverged".to_owned(), json!(diverged));
        }
        if let Json::Object(json) = &mut json
            && self.precision == Precision::Single
        {
            json.insert("precision".to_owned(), json!("f32"));
        }
        json
    }

    /// The measures that have grown beyond all bounds, with what they began and ended at.
    pub fn diverged(&self) -> impl Iterator<Item = (&str, f64, f64)> {
        self.measures.iter().filter_map(|(name, values)| {
            let (first, last) = (*values.first()?, *values.last()?);
            let bound = BEYOND * first.abs().max(1.0);
            (last.abs() > bound).then_some((name.as_str(), first, last))
        })
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

/// Options of a training.
#[derive(Clone, Copy)]
pub struct Course<'h> {
    /// The engine that runs the commands.
    pub engine: Engine,
    /// Epochs of every item, instead of what it says.
    pub epochs: Option<usize>,
    /// The budget of a run by reduction.
    pub budget: Budget,
    /// Contents of locations at first, by name, instead of those that the program says.
    pub heap: &'h [(String, Tensor)],
    /// Runs plans as modules of their own.
    pub host: Option<Host>,
    /// Asked every millisecond or so, and before every step that takes longer; on true the training is left as it is.
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
        measured: true,
        heap: course.heap,
        host: course.host,
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
    training.began = true;
    training.unseen = live.unseen().cloned().collect();
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
    for (number, (_, values)) in measures.iter_mut().enumerate() {
        for epoch in values.len()..=live.at().epochs {
            let point = live.after(epoch);
            let value = point.and_then(|point| point.values.get(number));
            // A measure that stops has no value.
            values.extend(value.filter(|value| !value.is_nan()));
        }
    }
}

/// All locations of a program, with what they hold at first.
pub fn locations(program: &tree::Program, files: &Files) -> Vec<(String, Tensor)> {
    with_items(program, files, |items| items.heap())
}

/// Number of `train` items.
pub fn count(program: &tree::Program, files: &Files) -> usize {
    with_items(program, files, |items| items.trains().len())
}
