//! The steps of a trace in words, as the command line prints them.

use crate::values::tensor_json;
use fletch_explain::{self as explain, Telling};
use fletch_print::numbers::Digits;
use fletch_print::{Chips, Values};
use fletch_reduction::Step;
use fletch_trace::Trace;
use serde_json::{Value as Json, json};

/// Width of a printed command, in columns.
const WIDTH: usize = 100;

/// A step in words.
pub struct StepText<'t> {
    /// Number of the step, from 1.
    pub number: usize,
    /// The step itself.
    pub step: &'t Step,
    /// Term or command that is reduced or unfolded.
    pub redex: String,
    /// Explanation of the step, in a sentence.
    pub explanation: String,
    /// The command after the step; of a large command, only the parts near the step.
    pub command: String,
}

/// The steps from `from` to `to`, counted from 1 and inclusive, with numbers in this notation.
pub fn steps(
    trace: &Trace,
    from: usize,
    to: usize,
    digits: Digits,
) -> impl Iterator<Item = StepText<'_>> {
    let from = from.max(1);
    // Every state is laid out once: for the step that leads to it and for the step that leaves it.
    let mut before = StateText::of(trace, from - 1, digits);
    (from..=to.min(trace.len())).filter_map(move |number| {
        let after = StateText::of(trace, number, digits);
        let text = StepText {
            number,
            step: trace.step(number - 1)?,
            redex: std::mem::take(&mut before.redex),
            explanation: std::mem::take(&mut before.explanation),
            command: after.command.clone(),
        };
        before = after;
        Some(text)
    })
}

/// A state in words, with the step that leaves it.
pub(crate) struct StateText {
    pub(crate) command: String,
    pub(crate) redex: String,
    pub(crate) explanation: String,
}

impl StateText {
    pub(crate) fn of(trace: &Trace, position: usize, digits: Digits) -> StateText {
        let state = trace.state(position);
        let command = state.command();
        let style = explain::style(trace, position, &command, Values::Text(digits));
        let telling = Telling {
            names: &style.names,
            chips: &Chips::default(),
            first: 1,
            source: "",
        };
        let explanation = explain::plain(&explain::sentence(trace, position, telling));
        let lines = fletch_print::lines(&command, style, WIDTH);
        StateText {
            command: fletch_print::text(&lines),
            redex: fletch_print::marked_text(&lines),
            explanation,
        }
    }
}

impl StepText<'_> {
    /// The step as JSON: a line of `trace --json`.
    pub fn json(&self) -> Json {
        let writes: Vec<Json> = writes(self.step).collect();
        json!({
            "step": self.number,
            "rule": self.step.action.rule().name(),
            "redex": self.redex,
            "explanation": self.explanation,
            "command": self.command,
            "heap_writes": writes,
        })
    }
}

/// JSON of the heap writes of a step.
pub(crate) fn writes(step: &Step) -> impl Iterator<Item = Json> {
    step.write.iter().map(|write| {
        json!({
            "location": &*write.location.name,
            "before": tensor_json(&write.before),
            "after": tensor_json(&write.after),
        })
    })
}
