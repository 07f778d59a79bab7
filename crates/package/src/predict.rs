//! `predict`: evaluates a `predict` item at inputs, from a heap.

use crate::answers::{answer, failure, problem, put, value, without_place};
use crate::heap::GivenHeap;
use crate::requests::{DataFiles, PrecisionName, options};
use fletch_ide::check_with_files;
use fletch_runs::predictions::{self, Inputs, NotPredicted};
use fletch_runs::training::locations;
use fletch_syntax::nfc;
use js_sys::{Array, Object};
use serde::Deserialize;
use std::ops::ControlFlow;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Asking {
    precision: PrecisionName,
    inputs: Option<Vec<Vec<f64>>>,
}

/// Runs the prediction of this name at each input: `{ ok, predictions }`.
///
/// # Errors
/// If an option is invalid.
#[wasm_bindgen]
pub fn predict(
    source: &str,
    files: &DataFiles,
    start: &GivenHeap,
    name: &str,
    asked: &str,
) -> Result<JsValue, JsValue> {
    let Asking { precision, inputs } = options(asked)?;
    let files = files.files();
    let checked = check_with_files(source, files);
    let told = |reason: NotPredicted| match reason {
        NotPredicted::Asked(words) => without_place(words),
        NotPredicted::Stopped(error) => problem(&error, &checked.index),
    };
    if let Some(first) = checked.diagnostics.iter().find(|found| found.is_error()) {
        return Ok(failure(&problem(first, &checked.index)));
    }
    let heap = match start.cells(&locations(&checked.program, files)) {
        Ok(heap) => heap,
        Err(message) => return Ok(failure(&without_place(message))),
    };
    // Numbers are passed as text, as a user would type them. The shortest text of a number reads back as the same number.
    let lines = inputs.map(|inputs| {
        let lines = inputs.into_iter().map(|input| {
            let numbers: Vec<String> = input.iter().map(|number| format!("{number:?}")).collect();
            numbers.join(", ")
        });
        lines.collect::<Vec<String>>()
    });
    let mut numbered = lines.map(|lines| (1..).zip(lines));
    let inputs = match &mut numbered {
        Some(lines) => Inputs::Lines(lines),
        None => Inputs::Data,
    };
    let found = Array::new();
    let mut first = None;
    let each = &mut |predicted| match predicted {
        Ok(predictions::Predicted {
            input,
            value: gives,
            ..
        }) => {
            let entry = Object::new();
            put(&entry, "input", &value(&input));
            put(&entry, "value", &value(&gives));
            found.push(&entry);
            ControlFlow::Continue(())
        }
        Err(reason) => {
            first = Some(reason);
            ControlFlow::Break(())
        }
    };
    let all = predictions::predict(
        &checked.program,
        files,
        &nfc(name),
        &heap,
        inputs,
        (precision.into(), Some(fletch_host::host)),
        each,
    );
    Ok(match all.err().or(first) {
        Some(reason) => failure(&told(reason)),
        None => answer([("predictions", found.into())]),
    })
}
