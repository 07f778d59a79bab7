//! `train`: runs the `train` items epoch by epoch.

use crate::answers::{by_name, heap, object, problem, without_place};
use crate::heap::GivenHeap;
use crate::requests::{DataFiles, EngineName, PrecisionName, budget, engine, options, refusal};
use fletch_ide::check_with_files;
use fletch_runs::live::{Begin, Live};
use fletch_runs::training::locations;
use fletch_syntax::LineIndex;
use serde::Deserialize;
use serde_json::Value as Json;
use std::num::NonZero;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Maximum number of reduction steps of a run on one sample.
const STEPS: usize = 1_000_000;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Course {
    engine: Option<EngineName>,
    precision: PrecisionName,
    shortcuts: bool,
    epochs: Option<usize>,
    item: Option<usize>,
    every: Option<NonZero<usize>>,
}

/// A training that is advanced in slices.
#[wasm_bindgen]
pub struct Epochs {
    index: LineIndex,
    live: Option<Live>,
    error: Json,
    /// Number of epochs between two reports of the measures.
    every: usize,
    /// The epoch after which the measures are reported next.
    next: usize,
}

#[wasm_bindgen]
impl Epochs {
    /// Plans the training, and takes the measures before it.
    ///
    /// # Errors
    /// If an option is invalid, or if options contradict each other.
    pub fn of(
        source: &str,
        files: &DataFiles,
        start: &GivenHeap,
        asked: &str,
    ) -> Result<Epochs, JsValue> {
        let asked: Course = options(asked)?;
        let fastest = match asked.shortcuts {
            true => EngineName::Step,
            false => EngineName::Compiled,
        };
        let engine = engine(
            asked.engine.unwrap_or(fastest),
            asked.shortcuts,
            asked.precision,
        )?;
        let checked = check_with_files(source, files.files());
        let mut epochs = Epochs {
            index: checked.index,
            live: None,
            error: Json::Null,
            every: asked.every.map_or(1, NonZero::get),
            next: 0,
        };
        if let Some(first) = checked.diagnostics.iter().find(|found| found.is_error()) {
            epochs.error = problem(first, &epochs.index);
            return Ok(epochs);
        }
        let items = fletch_runs::training::count(&checked.program, files.files());
        if let Some(item) = asked.item.filter(|item| *item >= items) {
            return Err(refusal(&format!(
                "there is no `train` item {item}: they are counted from 0, and there are {items}"
            )));
        }
        let cells = match start.cells(&locations(&checked.program, files.files())) {
            Ok(cells) => cells,
            Err(message) => {
                epochs.error = without_place(message);
                return Ok(epochs);
            }
        };
        let begin = Begin {
            engine,
            budget: budget(STEPS),
            epochs: asked.epochs,
            only: asked.item,
            measured: true,
            heap: &cells,
            host: Some(fletch_host::host),
        };
        match Live::begun(&checked.program, files.files(), begin) {
            Ok(live) => epochs.live = Some(live),
            Err(error) => epochs.error = problem(&error, &epochs.index),
        }
        Ok(epochs)
    }

    /// Trains for about this many milliseconds, but no further than to the next epoch that is reported. If that epoch is reached, returns
    /// `{ epoch, epochs, steps, measures }`, else undefined.
    pub fn advance(&mut self, milliseconds: f64) -> JsValue {
        let Some(live) = &mut self.live else {
            return JsValue::UNDEFINED;
        };
        if live.at().epochs < self.next {
            live.advance(milliseconds, Some(self.next));
        }
        if let Some(error) = live.stopped() {
            self.error = problem(error, &self.index);
            return JsValue::UNDEFINED;
        }
        let at = live.at();
        if at.epochs < self.next {
            return JsValue::UNDEFINED;
        }
        let values = live.after(at.epochs).map(|point| point.values.clone());
        let values = values.unwrap_or_default();
        let measures = live.measures().zip(values);
        let measures = by_name(measures.map(|(name, value)| (name, JsValue::from_f64(value))));
        let numbers = [("epoch", at.epochs), ("epochs", at.of), ("steps", at.steps)];
        let numbers = numbers.map(|(name, number)| (name, JsValue::from_f64(number as f64)));
        self.next = match at.epochs >= at.of {
            true => usize::MAX,
            false => at.of.min(at.epochs.saturating_add(self.every)),
        };
        by_name(numbers.into_iter().chain([("measures", measures)]))
    }

    /// True if nothing is left to do: the training has reached its end, was stopped by an error, or could not begin.
    pub fn over(&self) -> bool {
        let live = self.live.as_ref();
        live.is_none_or(|live| live.stopped().is_some() || self.next == usize::MAX)
    }

    /// The contents of all locations now; after a step that stopped, those before that step.
    pub fn heap(&mut self) -> JsValue {
        heap(self.live.as_mut().map_or(&[], |live| live.current()))
    }

    /// The problem that has stopped the training or prevented its start; null if there is none.
    pub fn error(&self) -> JsValue {
        object(&self.error)
    }

    /// The reason for which an item does not run as a generated module; undefined if all do.
    #[wasm_bindgen(js_name = notGenerated)]
    pub fn not_generated(&self) -> Option<String> {
        let live = self.live.as_ref()?;
        live.not_generated().map(str::to_owned)
    }
}
