//! `run`: runs `main` to its end.

use crate::answers::{answer, by_name, failure, heap, problem, put, value, without_place};
use crate::heap::GivenHeap;
use crate::requests::{
    DataFiles, EngineName, ModeName, PrecisionName, budget, engine, options, refusal,
};
use fletch_ide::check_with_files;
use fletch_runs::live::given;
use fletch_runs::{Cells, Outcome, run_by, without_arrow};
use serde::Deserialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Default of the maximum number of steps of a reduction.
const STEPS: usize = 1_000_000;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Running {
    engine: Option<EngineName>,
    precision: PrecisionName,
    mode: ModeName,
    shortcuts: bool,
    max_steps: Option<usize>,
}

/// Runs `main`: `{ ok, value, heap, steps }`, or `{ ok, error, heap, steps }` for a run that stops.
///
/// # Errors
/// If an option is invalid, or if options contradict each other.
#[wasm_bindgen]
pub fn run(
    source: &str,
    files: &DataFiles,
    start: &GivenHeap,
    asked: &str,
) -> Result<JsValue, JsValue> {
    let asked: Running = options(asked)?;
    let name = asked.engine.unwrap_or(EngineName::Step);
    if asked.max_steps.is_some() && !matches!(name, EngineName::Step) {
        return Err(refusal(
            "maxSteps is for the engine 'step': the others take no steps",
        ));
    }
    let engine = engine(name, asked.shortcuts, asked.precision)?;
    let limit = asked.max_steps.unwrap_or(STEPS);
    let mode = asked.mode.into();
    let checked = check_with_files(source, files.files());
    let main = match checked.runnable(source) {
        Ok(main) => main,
        Err(error) => return Ok(failure(&problem(&error, &checked.index))),
    };
    let mut program = main.program.clone();
    let names = program.locations.iter();
    let names: Vec<String> = names.map(|location| location.name.to_string()).collect();
    let cells: Cells = names
        .iter()
        .cloned()
        .zip(program.initial.iter().cloned())
        .collect();
    match start.cells(&cells) {
        Ok(contents) => {
            program.initial = given(cells, &contents)
                .into_iter()
                .map(|(_, cell)| cell)
                .collect();
        }
        Err(message) => return Ok(failure(&without_place(message))),
    }
    let run = match run_by(engine, &program, mode, budget(limit)) {
        Ok(run) => run,
        Err(fault) => {
            let error = without_arrow(&fault, &program, mode, limit);
            return Ok(failure(&problem(&error, &checked.index)));
        }
    };
    let contents = run.heap.contents().iter().cloned();
    let cells: Cells = names.into_iter().zip(contents).collect();
    let told = match &run.outcome {
        Outcome::Value(reached) => answer([("value", value(reached))]),
        Outcome::Stuck(_) | Outcome::Exhausted(_) => {
            let error = run.error(&program);
            failure(&error.map_or(serde_json::Value::Null, |error| {
                problem(&error, &checked.index)
            }))
        }
    };
    put(&told, "heap", &heap(&cells));
    let steps = run.steps.as_ref().map_or(JsValue::NULL, |steps| {
        let rules = steps.rules.iter();
        let rules = by_name(rules.map(|(rule, uses)| (*rule, JsValue::from_f64(*uses as f64))));
        by_name(
            [
                ("total", JsValue::from_f64(steps.reductions as f64)),
                ("rules", rules),
            ]
            .into_iter(),
        )
    });
    put(&told, "steps", &steps);
    Ok(told)
}
