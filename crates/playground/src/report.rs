//! What the command line prints: checks, runs and traces as JSON and as text.

use crate::budget::{Budget, Limit};
pub use crate::check::{Checked, check, check_bytes};
use crate::place;
use fletch_calculus::{LocationRef, Program, Tensor, Value};
use fletch_reduction::{Heap, Progress, State, Stuck, advance};
use fletch_smooth::Partiality;
use fletch_syntax::{Diagnostic, LineIndex, Span};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

impl Checked {
    /// The result of `check --json`.
    pub fn json(&self) -> Json {
        let diagnostics: Vec<Json> = self
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic_json(diagnostic, &self.index))
            .collect();
        let main = self.main.as_ref().map(|main| {
            json!({ "type": main.program.ty.to_string(), "depth": main.depth, "size": main.size })
        });
        json!({ "diagnostics": diagnostics, "main": main })
    }
}

/// The diagnostic of a program that checks but has nothing to run.
pub fn no_main(source: &str) -> Diagnostic {
    let end = Span::new(source.len(), source.len());
    Diagnostic::error("F0604", end, "there is no `main` to run")
        .hint("add one: `main = …`, a closed command")
}

/// How a run ended.
pub enum Outcome {
    /// At a value.
    Value(Value),
    /// In a state without a step.
    Stuck(Stuck),
    /// At a limit of its budget.
    Exhausted(Limit),
}

/// A run that kept nothing but its end.
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// The heap at the end.
    pub heap: Heap,
    /// The number of reductions.
    pub reductions: usize,
    /// How often each rule was used, unfoldings included.
    pub rules: BTreeMap<&'static str, usize>,
}

/// Runs a program by reduction, within a budget: a number of steps, or more than that.
pub fn run(program: &Program, partiality: Partiality, budget: impl Into<Budget>) -> Run {
    let budget = budget.into();
    let started = (budget.now)();
    let mut state = State::start(program, partiality);
    let mut rules = BTreeMap::new();
    let mut reductions = 0;
    let mut steps = 0;
    let outcome = loop {
        let exceeded = budget.exceeded(steps, started);
        match advance(&state) {
            Progress::Step(step) => {
                if let Some(limit) = exceeded {
                    break Outcome::Exhausted(limit);
                }
                steps += 1;
                *rules.entry(step.action.rule().name()).or_insert(0) += 1;
                reductions += usize::from(step.reduction);
                state = step.next;
            }
            Progress::Done(value) => break Outcome::Value(value),
            Progress::Stuck(stuck) => break Outcome::Stuck(stuck),
        }
    };
    Run {
        outcome,
        heap: state.heap().clone(),
        reductions,
        rules,
    }
}

impl Run {
    /// The diagnostic of a run that did not reach a value.
    pub fn error(&self, program: &Program) -> Option<Diagnostic> {
        match &self.outcome {
            Outcome::Value(_) => None,
            Outcome::Stuck(stuck) => Some(place::stuck(stuck)),
            Outcome::Exhausted(limit) => {
                let span = place::span(program.main.origin());
                Some(place::exhausted(*limit, span))
            }
        }
    }

    /// The result of `run --json`.
    pub fn json(&self, program: &Program, index: &LineIndex) -> Json {
        let heap = heap_json(&program.locations, &self.heap);
        let steps = json!({ "total": self.reductions, "rules": self.rules });
        match (&self.outcome, self.error(program)) {
            (Outcome::Value(value), _) => {
                json!({ "value": value_json(value), "heap": heap, "steps": steps })
            }
            (_, error) => {
                let error = error.map(|error| diagnostic_json(&error, index));
                json!({ "error": error, "heap": heap, "steps": steps })
            }
        }
    }
}

/// A diagnostic as in `check --json`.
pub fn diagnostic_json(diagnostic: &Diagnostic, index: &LineIndex) -> Json {
    let span = |span: Span| {
        let (line, column) = index.line_column(span.start);
        json!({ "start": span.start, "end": span.end, "line": line, "column": column })
    };
    let mut object = Map::new();
    object.insert("code".into(), json!(diagnostic.code));
    object.insert("severity".into(), json!(diagnostic.severity));
    object.insert("message".into(), json!(diagnostic.message));
    object.insert("span".into(), span(diagnostic.span));
    if !diagnostic.labels.is_empty() {
        let labels: Vec<Json> = diagnostic
            .labels
            .iter()
            .map(|label| json!({ "span": span(label.span), "text": label.text }))
            .collect();
        object.insert("labels".into(), json!(labels));
    }
    if let Some(hint) = &diagnostic.hint {
        object.insert("hint".into(), json!(hint));
    }
    if let Some(fix) = &diagnostic.fix {
        let fix =
            json!({ "title": fix.title, "span": span(fix.span), "replacement": fix.replacement });
        object.insert("fix".into(), fix);
    }
    Json::Object(object)
}

/// `{"real": […]}` or `{"tuple": […]}`
pub fn value_json(value: &Value) -> Json {
    match value {
        Value::Real(tensor) => json!({ "real": numbers_json(tensor.data()) }),
        Value::Tuple(parts) => json!({ "tuple": parts.iter().map(value_json).collect::<Vec<_>>() }),
    }
}

fn heap_json(locations: &[LocationRef], heap: &Heap) -> Json {
    let cells = locations.iter().zip(heap.contents());
    Json::Object(
        cells
            .map(|(location, contents)| (location.name.to_string(), tensor_json(contents)))
            .collect(),
    )
}

pub(crate) fn tensor_json(tensor: &Tensor) -> Json {
    json!({ "shape": tensor.shape().dims(), "data": numbers_json(tensor.data()) })
}

/// Non-finite numbers are strings: JSON has none.
pub(crate) fn numbers_json(numbers: &[f64]) -> Vec<Json> {
    numbers
        .iter()
        .map(|number| match number {
            n if n.is_finite() => json!(n),
            n if n.is_nan() => json!("NaN"),
            n if *n > 0.0 => json!("Infinity"),
            _ => json!("-Infinity"),
        })
        .collect()
}
