//! Training from beginning to end, as the command line runs it. Every sample is a run of its own, from the heap that the previous one left.

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

/// Growth factor beyond which a measure counts as diverged, although its numbers are finite.
const BEYOND: f64 = 1e12;

/// The outcome of a training.
#[derive(Clone, Debug, Default)]
pub struct Training {
    /// All locations with their contents; empty if the training could not begin.
    pub heap: Cells,
    /// Number of epochs run, over all `train` items.
    pub epochs: usize,
    /// The name of each `measure`, with its values before training and then after every epoch. A measure that stops the training has no
    /// value there.
    pub measures: Vec<(String, Vec<f64>)>,
    /// True if the training was halted before its end, possibly in the middle of an epoch.
    pub halted: bool,
    /// The precision in which the training computes.
    pub precision: Precision,
    /// The samples that no epoch sees.
    pub unseen: Vec<Unseen>,
    /// False if the training could not begin, so there is no heap.
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

    /// The measures that have diverged, with their first and last values.
    pub fn diverged(&self) -> impl Iterator<Item = (&str, f64, f64)> {
        self.measures.iter().filter_map(|(name, values)| {
            let (first, last) = (*values.first()?, *values.last()?);
            let bound = BEYOND * first.abs().max(1.0);
            let lost = last.is_nan() && !first.is_nan();
            (lost || last.abs() > bound).then_some((name.as_str(), first, last))
        })
    }

    /// The heap as JSON, also for a training that failed.
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
    /// Number of epochs of every item, instead of the one in the program.
    pub epochs: Option<usize>,
    /// The budget of a run by reduction.
    pub budget: Budget,
    /// Initial contents of locations, by name, instead of those in the program.
    pub heap: &'h [(String, Tensor)],
    /// Host that runs plans as WebAssembly modules, if there is one.
    pub host: Option<Host>,
    /// Called about every millisecond, and before every step that takes longer; on true the training stops where it is.
    pub halt: &'h dyn Fn() -> bool,
}

/// Runs the `train` items of a program in file order. The program was checked with these files and without an error. Calls `watch` with the
/// training so far and the total number of epochs, before the first epoch and after each. Returns the training as far as it got, and the
/// error that stopped it, if any.
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

/// Appends the values of each measure after the new epochs; on the first call, the values before training.
fn measured(live: &Live, measures: &mut [(String, Vec<f64>)]) {
    for (number, (_, values)) in measures.iter_mut().enumerate() {
        for epoch in values.len()..=live.at().epochs {
            let point = live.after(epoch);
            let value = point.and_then(|point| point.values.get(number));
            // A measure that stops has no value. Any other NaN is a value, such as the mean of ∞ and −∞: `values` has one for each epoch.
            values.extend(value.filter(|value| !value.is_nan() || live.stopped().is_none()));
        }
    }
}

/// All locations of a program, with their initial contents.
pub fn locations(program: &tree::Program, files: &Files) -> Vec<(String, Tensor)> {
    with_items(program, files, |items| items.heap())
}

/// Number of `train` items.
pub fn count(program: &tree::Program, files: &Files) -> usize {
    with_items(program, files, |items| items.trains().len())
}
