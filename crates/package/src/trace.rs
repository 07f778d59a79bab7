//! `trace`: the steps of `main`.

use crate::answers::{object, problem, put, tensor, value};
use crate::requests::{DataFiles, ModeName, budget, options, refusal};
use fletch_ide::{check_with_files, place};
use fletch_print::numbers::Digits;
use fletch_reduction::Setting;
use fletch_runs::{ending, stuck_at};
use fletch_syntax::LineIndex;
use fletch_trace::{Status, Trace};
use fletch_transcript::steps::{StepText, steps};
use js_sys::{Array, Object};
use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::VecDeque;
use std::num::NonZero;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Number of steps that are laid out together, so that a state between two steps is laid out only once.
const AT_ONCE: usize = 32;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Tracing {
    from: Option<NonZero<usize>>,
    to: Option<NonZero<usize>>,
    shortcuts: bool,
    mode: ModeName,
    exact: bool,
}

/// A run that makes steps only when they are requested.
#[wasm_bindgen]
pub struct Steps {
    index: LineIndex,
    run: Option<Run>,
    error: Json,
}

struct Run {
    trace: Trace,
    program: fletch_calculus::Program,
    setting: Setting,
    digits: Digits,
    /// The next step to lay out and the last step, both from 1.
    next: usize,
    last: usize,
    ready: VecDeque<JsValue>,
}

#[wasm_bindgen]
impl Steps {
    /// Prepares a run whose steps are returned from `from` on.
    ///
    /// # Errors
    /// If an option is invalid, or if the range has no steps.
    pub fn of(source: &str, files: &DataFiles, asked: &str) -> Result<Steps, JsValue> {
        let asked: Tracing = options(asked)?;
        let next = asked.from.map_or(1, NonZero::get);
        let last = asked.to.map_or(usize::MAX, NonZero::get);
        if last < next {
            return Err(refusal(&format!(
                "there are no steps from {next} to {last}"
            )));
        }
        let checked = check_with_files(source, files.files());
        let (run, error) = match checked.runnable(source) {
            Ok(main) => {
                let setting = Setting {
                    partiality: asked.mode.into(),
                    shortcuts: asked.shortcuts,
                };
                let run = Run {
                    trace: Trace::new(&main.program, setting),
                    program: main.program.clone(),
                    setting,
                    digits: match asked.exact {
                        true => Digits::Exact,
                        false => Digits::Clean,
                    },
                    next,
                    last,
                    ready: VecDeque::new(),
                };
                (Some(run), Json::Null)
            }
            Err(error) => (None, problem(&error, &checked.index)),
        };
        Ok(Steps {
            index: checked.index,
            run,
            error,
        })
    }

    /// Returns the next step, or undefined after the last one.
    #[allow(clippy::should_implement_trait)] // It is an iterator in JavaScript.
    pub fn next(&mut self) -> JsValue {
        let Some(run) = &mut self.run else {
            return JsValue::UNDEFINED;
        };
        if run.ready.is_empty() {
            run.more();
            self.error = run.error(&self.index);
        }
        run.ready.pop_front().unwrap_or(JsValue::UNDEFINED)
    }

    /// The problem for which the run has no value, once it is known; null if there is none.
    pub fn error(&self) -> JsValue {
        // Steps that are laid out already are returned before the end of the run is reported.
        match self.run.as_ref().is_some_and(|run| !run.ready.is_empty()) {
            true => JsValue::NULL,
            false => object(&self.error),
        }
    }

    /// The value that the run has reached; null before.
    pub fn value(&self) -> JsValue {
        let run = self.run.as_ref().filter(|run| run.ready.is_empty());
        match run.map(|run| run.trace.status()) {
            Some(Status::Value(reached)) => value(reached),
            _ => JsValue::NULL,
        }
    }
}

impl Run {
    /// Lays out the next steps.
    fn more(&mut self) {
        let to = self.last.min(self.next.saturating_add(AT_ONCE - 1));
        if self.next > to {
            return;
        }
        if let Some(limit) = self.trace.run(to, &budget(usize::MAX)) {
            self.trace.exhaust(limit);
        }
        let texts = steps(&self.trace, self.next, to, self.digits);
        self.ready.extend(texts.map(|text| told(&text)));
        self.next = to.saturating_add(1);
    }

    /// The problem of a run that ended without a value.
    fn error(&self, index: &LineIndex) -> Json {
        let found = match self.trace.status() {
            Status::Stuck(blocked) => stuck_at(&blocked.stuck, &self.program, self.setting),
            Status::Exhausted(limit) => {
                let span = place::span(self.program.main.origin());
                ending::exhausted(*limit, self.setting.shortcuts, false, span)
            }
            Status::Running | Status::Value(_) => return Json::Null,
        };
        problem(&found, index)
    }
}

/// A step as `Step` of `fletch.d.ts`.
fn told(text: &StepText<'_>) -> JsValue {
    let step = Object::new();
    put(&step, "number", &JsValue::from_f64(text.number as f64));
    put(&step, "rule", &text.step.action.rule().name().into());
    put(&step, "redex", &(&*text.redex).into());
    put(&step, "explanation", &(&*text.explanation).into());
    put(&step, "command", &(&*text.command).into());
    let writes = text.step.write.iter().map(|write| {
        let told = Object::new();
        put(&told, "location", &(&*write.location.name).into());
        put(&told, "before", &tensor(&write.before));
        put(&told, "after", &tensor(&write.after));
        JsValue::from(told)
    });
    put(&step, "writes", &writes.collect::<Array>());
    step.into()
}
