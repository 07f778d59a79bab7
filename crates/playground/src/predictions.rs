//! What `predict` items give: the input of each sample, or what was typed in, from a heap that was trained.

use crate::compiled::{Cells, Compiled, NotCompiled};
use crate::ending;
use crate::run::{Engine, Precision};
use crate::samples;
use fletch_calculus::{Program, Tensor, Value};
use fletch_elaborate::{Files, Items, Prediction, with_items};
use fletch_engine::Wanted;
use fletch_smooth::Partiality;
use fletch_syntax::{Diagnostic, tree};
use fletch_trace::Budget;
use fletch_transcript::value_json;
use serde_json::{Value as Json, json};

/// An input with what is predicted for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicted {
    /// A value for each parameter.
    pub input: Value,
    /// What the command gives.
    pub value: Value,
}

/// Why nothing is predicted.
#[derive(Debug)]
pub enum NotPredicted {
    /// What was asked for is not there, in words.
    Asked(String),
    /// The command stops at an input, or cannot be run.
    Stopped(Box<Diagnostic>),
}

/// The result of `predict --json`.
pub fn json(predicted: &[Predicted]) -> Json {
    let one = |predicted: &Predicted| json!({ "input": value_json(&predicted.input), "value": value_json(&predicted.value) });
    json!({ "predictions": predicted.iter().map(one).collect::<Vec<_>>() })
}

/// Runs the prediction of this name, from this heap, in the total reading of partial symbols: on the inputs that are written in a
/// text, one a line, or without one on those in the first data set that has such; in numbers of this precision.
///
/// # Errors
/// If there is no such prediction, if there are no inputs, or if the command stops at one.
pub fn predict(
    program: &tree::Program,
    files: &Files,
    name: &str,
    heap: &[(String, Tensor)],
    text: Option<&str>,
    precision: Precision,
) -> Result<Vec<Predicted>, NotPredicted> {
    with_items(program, files, |items| {
        let prediction = named(items, name).map_err(NotPredicted::Asked)?;
        let inputs = match text {
            Some(text) => items
                .inputs(prediction, text)
                .map_err(|wrong| NotPredicted::Asked(format!("standard input:{wrong}")))?,
            None => items.inputs_in_data(prediction).ok_or_else(|| {
                let none = format!("no data set has samples that begin with what `{name}` takes: write inputs to standard input");
                NotPredicted::Asked(none)
            })?,
        };
        let mut plan = None;
        let mut predicted = Vec::with_capacity(inputs.len());
        for input in inputs {
            if plan.is_none() {
                let planned = planned(items, prediction, &input, heap, precision);
                plan = Some(planned.map_err(NotPredicted::Stopped)?);
            }
            let sample: Vec<Tensor> = input.tensors().into_iter().cloned().collect();
            let of_plan = plan.as_mut().and_then(Option::as_mut).and_then(|plan| {
                plan.step(&sample).ok()?;
                plan.value()
            });
            let value = match of_plan {
                Some(value) => value,
                // Where a plan stops, what the command denotes says why.
                None => {
                    let program = items.on_input(prediction, &input);
                    let run = program.and_then(|program| {
                        let program = from(program, heap);
                        let initial: Cells = (program.locations.iter())
                            .map(|location| location.name.to_string())
                            .zip(program.initial.iter().cloned())
                            .collect();
                        let budget = Budget::steps(0);
                        samples::value(Engine::Denotation, budget, program, &initial)
                    });
                    let place = format!("input {} of `predict {name}`", predicted.len() + 1);
                    let run = run.map_err(|error| samples::at(error, &place));
                    run.map_err(NotPredicted::Stopped)?.0
                }
            };
            predicted.push(Predicted { input, value });
        }
        Ok(predicted)
    })
}

fn named<'a>(items: &Items<'_, 'a>, name: &str) -> Result<Prediction<'a>, String> {
    let predictions = items.predictions();
    let found = predictions
        .iter()
        .find(|prediction| prediction.name() == name);
    found.copied().ok_or_else(|| {
        let known: Vec<String> = predictions
            .iter()
            .map(|prediction| format!("`{}`", prediction.name()))
            .collect();
        match known.is_empty() {
            true => "the program has no `predict` item".to_owned(),
            false => format!(
                "there is no prediction `{name}`: the program has {}",
                known.join(", ")
            ),
        }
    })
}

/// A plan of the command on any input like this one; nothing if it stops wherever it is run.
fn planned<'a>(
    items: &mut Items<'_, 'a>,
    prediction: Prediction<'a>,
    input: &Value,
    heap: &[(String, Tensor)],
    precision: Precision,
) -> Result<Option<Compiled>, Box<Diagnostic>> {
    let program = items.on_any_input(prediction, input)?;
    let sizes: Vec<usize> = input.tensors().into_iter().map(Tensor::len).collect();
    match Compiled::of(
        from(program, heap),
        &sizes,
        Wanted::Value,
        Partiality::Total,
        precision,
    ) {
        Ok(command) => Ok(Some(command)),
        Err(NotCompiled::Stops) => Ok(None),
        Err(NotCompiled::Large(fault)) => Err(Box::new(ending::no_arrow(&fault))),
    }
}

/// The program with what a heap has in the place of what its locations hold at first.
fn from(mut program: Program, heap: &[(String, Tensor)]) -> Program {
    for (initial, location) in program.initial.iter_mut().zip(&program.locations) {
        let mut given = heap.iter();
        if let Some((_, contents)) = given.find(|(name, _)| **name == *location.name) {
            *initial = contents.clone();
        }
    }
    program
}
