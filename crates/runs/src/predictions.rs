//! Predictions: the values of a `predict` item from a trained heap, at the input part of each sample of a data set or at inputs that were
//! typed in.

use crate::generated::Host;
use crate::planned::{Cells, Planned};
use crate::run::{Engine, Precision};
use crate::samples;
use fletch_calculus::{Program, Tensor, Value};
use fletch_elaborate::{Files, Items, Prediction, with_items};
use fletch_engine::Wanted;
use fletch_syntax::{Diagnostic, tree};
use fletch_trace::Budget;
use fletch_transcript::value_json;
use serde_json::{Value as Json, json};
use std::ops::ControlFlow;

/// An input with the value predicted for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicted {
    /// A value for each parameter.
    pub input: Value,
    /// The value of the command at the input.
    pub value: Value,
    /// Number of empty fields left out at the end of the input's line.
    pub empty: usize,
}

/// Reason for which a prediction fails, for all inputs or for one of them.
#[derive(Debug)]
pub enum NotPredicted {
    /// There is no such prediction, or an input cannot be read; the message says which.
    Asked(String),
    /// The command stops at an input, or cannot be run.
    Stopped(Box<Diagnostic>),
}

/// The inputs of a prediction.
pub enum Inputs<'i> {
    /// The samples of the first data set whose samples begin with what the prediction takes.
    Data,
    /// Lines with one input each, as they arrive, with their numbers.
    Lines(&'i mut dyn Iterator<Item = (usize, String)>),
}

/// An entry of `predict --json`.
pub fn json(predicted: &Predicted) -> Json {
    let input = match &predicted.input {
        // A tuple of one component is written as that component.
        Value::Tuple(parts) if parts.len() == 1 => parts.first().unwrap_or(&predicted.input),
        input => input,
    };
    json!({ "input": value_json(input), "value": value_json(&predicted.value) })
}

/// Runs the prediction of this name from this heap, in the total reading of partial symbols and in numbers of this precision. The plan runs
/// as a module if there is a host. Passes the answer for each input, or the reason why there is none, to `each` before the next input is
/// read. Ends early if `each` breaks.
///
/// # Errors
/// If there is no such prediction, or if [`Inputs::Data`] is requested and no data set has samples that begin with its input.
pub fn predict(
    program: &tree::Program,
    files: &Files,
    name: &str,
    heap: &[(String, Tensor)],
    inputs: Inputs<'_>,
    (precision, host): (Precision, Option<Host>),
    each: &mut dyn FnMut(Result<Predicted, NotPredicted>) -> ControlFlow<()>,
) -> Result<(), NotPredicted> {
    with_items(program, files, |items| {
        let prediction = named(items, name).map_err(NotPredicted::Asked)?;
        let mut run = Run {
            prediction,
            heap,
            precision,
            host,
            plan: None,
        };
        match inputs {
            Inputs::Data => {
                let inputs = items.inputs_in_data(prediction).ok_or_else(|| {
                    let none = format!("no data set has samples that begin with what `{name}` takes: write inputs to standard input");
                    NotPredicted::Asked(none)
                })?;
                for (number, input) in (1..).zip(inputs) {
                    let place = format!("input {number} of `predict {name}`");
                    let answer = run.answer(items, input, &place);
                    if each(answer.map_err(NotPredicted::Stopped)).is_break() {
                        break;
                    }
                }
            }
            Inputs::Lines(lines) => {
                for (number, line) in lines {
                    let place = format!("line {number} of the input of `predict {name}`");
                    let answer = match items.input(prediction, number, &line) {
                        Ok((input, empty)) => {
                            let answer = run.answer(items, input, &place);
                            let answer = answer.map(|answer| Predicted { empty, ..answer });
                            answer.map_err(NotPredicted::Stopped)
                        }
                        Err(wrong) => Err(NotPredicted::Asked(format!("standard input:{wrong}"))),
                    };
                    if each(answer).is_break() {
                        break;
                    }
                }
            }
        }
        Ok(())
    })
}

/// A prediction that is run on one input after another.
struct Run<'a, 'h> {
    prediction: Prediction<'a>,
    heap: &'h [(String, Tensor)],
    precision: Precision,
    host: Option<Host>,
    /// The plan of its command: `None` before the first input, `Some(None)` if the command stops wherever it is run.
    plan: Option<Option<Planned>>,
}

impl<'a> Run<'a, '_> {
    fn answer(
        &mut self,
        items: &mut Items<'_, 'a>,
        input: Value,
        place: &str,
    ) -> Result<Predicted, Box<Diagnostic>> {
        let plan = match &mut self.plan {
            Some(plan) => plan,
            None => {
                // The plan takes any input of the sizes of this one.
                let program = items.on_any_input(self.prediction, &input)?;
                let program = from(program, self.heap);
                let (like, wanted) = (vec![tensors(&input)], Wanted::Value);
                let plan = Planned::with(program, like, wanted, self.precision, self.host)?;
                self.plan.insert(plan)
            }
        };
        let of_plan = plan.as_mut();
        let of_plan = of_plan.and_then(|plan| plan.value_at(&tensors(&input)));
        let value = match of_plan {
            Some(value) => value,
            // A run of the denotation gives the reason for which the plan stops.
            None => {
                let program = items.on_input(self.prediction, &input);
                let run = program.and_then(|program| {
                    let program = from(program, self.heap);
                    let initial: Cells = (program.locations.iter())
                        .map(|location| location.name.to_string())
                        .zip(program.initial.iter().cloned())
                        .collect();
                    let budget = Budget::steps(0);
                    samples::value(Engine::Denotation, budget, program, &initial)
                });
                run.map_err(|error| samples::at(error, place))?.0
            }
        };
        let empty = 0;
        Ok(Predicted {
            input,
            value,
            empty,
        })
    }
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

fn tensors(input: &Value) -> Vec<Tensor> {
    input.tensors().into_iter().cloned().collect()
}

/// The program with the contents of a heap as the initial contents of its locations; locations that the heap does not name keep theirs.
fn from(mut program: Program, heap: &[(String, Tensor)]) -> Program {
    for (initial, location) in program.initial.iter_mut().zip(&program.locations) {
        let mut given = heap.iter();
        if let Some((_, contents)) = given.find(|(name, _)| **name == *location.name) {
            *initial = contents.clone();
        }
    }
    program
}
