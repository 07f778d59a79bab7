//! What the command line prints: checks, runs and traces as JSON and as text.

use crate::explain;
use crate::names::Names;
use crate::place;
use crate::print::Values;
use crate::trace::Trace;
use crate::view;
use fletch_calculus::{LocationRef, Program, Tensor, Value};
use fletch_elaborate::{Elaboration, Entry, Main, elaborate, outline};
use fletch_reduction::{Heap, Progress, State, Stuck, advance};
use fletch_smooth::Partiality;
use fletch_syntax::{Diagnostic, LineIndex, parse};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

/// A program as text, with everything there is to say about it.
pub struct Checked {
    /// In order of place.
    pub diagnostics: Vec<Diagnostic>,
    /// Its declarations.
    pub outline: Vec<Entry>,
    /// `main`, if it has a type.
    pub main: Option<Main>,
    /// Places as lines and columns.
    pub index: LineIndex,
}

/// Parses and checks.
pub fn check(source: &str) -> Checked {
    let (program, mut diagnostics) = parse(source);
    let broken = diagnostics.iter().any(Diagnostic::is_error);
    let Elaboration {
        diagnostics: found,
        main,
    } = elaborate(&program);
    // Where the text is broken, a declaration may be missing: what follows from that is not said.
    diagnostics.extend(
        found
            .into_iter()
            .filter(|found| !broken || stands_alone(found)),
    );
    Diagnostic::sort(&mut diagnostics, |one, other| {
        one.span.start.cmp(&other.span.start)
    });
    Checked {
        diagnostics,
        outline: outline(&program),
        main: main.filter(|_| !broken),
        index: LineIndex::new(source),
    }
}

/// Whether an error of the elaborator is one even if other declarations could not be read: a name may
/// be unknown, and an operation unhandled, because its declaration is the broken one; and the typing rules
/// know nothing of a part that could not be read.
fn stands_alone(diagnostic: &Diagnostic) -> bool {
    diagnostic.is_error() && !["F0201", "F0506", "F0999"].contains(&diagnostic.code.as_str())
}

impl Checked {
    /// Whether the program is rejected.
    pub fn rejected(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

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
    let end = fletch_syntax::Span::new(source.len(), source.len());
    Diagnostic::error("F0604", end, "there is no `main` to run")
        .hint("add one: `main = …`, a closed command")
}

/// How a run ended.
pub enum Outcome {
    /// At a value.
    Value(Value),
    /// In a state without a step.
    Stuck(Stuck),
    /// At its limit of steps.
    Exhausted(usize),
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

/// Runs a program by reduction, for at most `limit` steps.
pub fn run(program: &Program, partiality: Partiality, limit: usize) -> Run {
    let mut state = State::start(program, partiality);
    let mut rules = BTreeMap::new();
    let mut reductions = 0;
    let mut steps = 0;
    let outcome = loop {
        match advance(&state) {
            Progress::Step(_) if steps >= limit => break Outcome::Exhausted(limit),
            Progress::Step(step) => {
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
                let message = format!("the run was stopped after {limit} steps");
                Some(
                    Diagnostic::error("F0603", span, message)
                        .hint("allow more with `--max-steps N`"),
                )
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

/// The steps from `from` to `to`, counted from 1 and inclusive, one JSON object each.
pub fn trace_json(trace: &Trace, from: usize, to: usize) -> impl Iterator<Item = Json> {
    (from.max(1)..=to.min(trace.len())).filter_map(|number| {
        let step = trace.step(number - 1)?;
        let text = step_text(trace, number)?;
        let writes: Vec<Json> = step
            .write
            .iter()
            .map(|write| {
                json!({
                    "location": &*write.location.name,
                    "before": tensor_json(&write.before),
                    "after": tensor_json(&write.after),
                })
            })
            .collect();
        Some(json!({
            "step": number,
            "rule": step.action.rule().name(),
            "redex": text.redex,
            "explanation": text.explanation,
            "command": text.command,
            "heap_writes": writes,
        }))
    })
}

/// A step in words.
pub struct StepText {
    /// What is reduced or unfolded.
    pub redex: String,
    /// What happens.
    pub explanation: String,
    /// The command after the step.
    pub command: String,
}

/// Step `number`, counted from 1, in words.
pub fn step_text(trace: &Trace, number: usize) -> Option<StepText> {
    let step = trace.step(number.checked_sub(1)?)?;
    let before = trace.state(number - 1).command();
    let names = Names::of(&before, trace.first_introduced);
    let explanation = explain::plain(&explain::sentence(step, trace.state(number - 1), &names));
    let marks = view::marks(Some(step), None);
    let redex = view::marked_text(&view::lines(&before, names, Values::Full, marks, 1000));
    let after = step.next.command();
    let names = Names::of(&after, trace.first_introduced);
    let lines = view::lines(
        &after,
        names,
        Values::Full,
        crate::print::Marks::default(),
        100,
    );
    Some(StepText {
        redex,
        explanation,
        command: view::text(&lines),
    })
}

/// A diagnostic as in `check --json`.
pub fn diagnostic_json(diagnostic: &Diagnostic, index: &LineIndex) -> Json {
    let span = |span: fletch_syntax::Span| {
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

fn tensor_json(tensor: &Tensor) -> Json {
    json!({ "shape": tensor.shape().dims(), "data": numbers_json(tensor.data()) })
}

/// Non-finite numbers are strings: JSON has none.
fn numbers_json(numbers: &[f64]) -> Vec<Json> {
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
