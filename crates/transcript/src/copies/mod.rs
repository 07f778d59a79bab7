//! States of a trace as texts to be copied: plain, Markdown, LaTeX in the paper's notation, JSON.

mod json;
pub(crate) mod latex;
mod markdown;
#[cfg(test)]
mod tests;
mod text;

use fletch_calculus::{Command, LocationRef, Tensor};
use fletch_explain::{self as explain, RuleView, Telling};
use fletch_print::numbers::Digits;
use fletch_print::{Chips, Line, Piece, PieceKind, Style, Values};
use fletch_reduction::{Heap, Step};
use fletch_trace::Trace;
use serde::{Deserialize, Serialize};

/// The form of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // The names say it.
pub enum Format {
    Text,
    Markdown,
    /// A document in the paper's notation, which compiles by itself.
    Latex,
    Json,
}

/// Maximum number of states written; the text says if there are more.
const STATES: usize = 500;

/// Copies the states at these positions, ascending, with the steps between them. JSON, which programs read, has
/// all digits whatever `digits` says.
pub fn copy(
    trace: &Trace,
    locations: &[LocationRef],
    positions: &[usize],
    format: Format,
    digits: Digits,
) -> String {
    let stops = Stops {
        digits,
        trace,
        locations,
        positions: positions.get(..STATES).unwrap_or(positions),
        left_out: positions.get(STATES..).unwrap_or_default(),
    };
    match format {
        Format::Text => text::text(&stops),
        Format::Markdown => markdown::markdown(&stops),
        Format::Latex => latex::document(&stops),
        Format::Json => json::json(&stops),
    }
}

/// States to be written.
struct Stops<'t> {
    digits: Digits,
    trace: &'t Trace,
    locations: &'t [LocationRef],
    positions: &'t [usize],
    /// Requested positions beyond the limit.
    left_out: &'t [usize],
}

/// A state, ready to be written.
struct Stop<'t, 'c> {
    position: usize,
    heap: &'t Heap,
    /// True if the previous stop has the same heap.
    same_heap: bool,
    command: Command,
    style: Style<'c>,
    /// The step that leaves the state; the last state may have none.
    leaving: Option<Leaving>,
}

struct Leaving {
    rule: RuleView,
    sentence: Vec<Piece>,
    /// Number of steps until the next stop; 1 for the last stop.
    steps: usize,
}

impl<'t> Stops<'t> {
    /// The states, one after the other.
    fn each<'c>(&'c self, values: Values<'c>) -> impl Iterator<Item = Stop<'t, 'c>> + 'c {
        let (trace, positions) = (self.trace, self.positions);
        positions
            .iter()
            .enumerate()
            .map(move |(number, &position)| {
                let state = trace.state(position);
                let before = number
                    .checked_sub(1)
                    .and_then(|before| positions.get(before));
                let same_heap = before.is_some_and(|before| {
                    let writes = trace.writes().positions();
                    let first = writes.partition_point(|write| write < before);
                    writes.get(first).is_none_or(|write| *write >= position)
                });
                let command = state.command();
                let style = explain::style(trace, position, &command, values);
                let telling = Telling {
                    names: &style.names,
                    chips: &Chips::default(),
                    first: 0,
                    source: "",
                };
                let leaving = trace.step(position).map(|step| Leaving {
                    rule: explain::rule_view(step),
                    sentence: explain::sentence(trace, position, telling),
                    steps: positions
                        .get(number + 1)
                        .map_or(1, |after| after.saturating_sub(position)),
                });
                Stop {
                    position,
                    heap: state.heap(),
                    same_heap,
                    command,
                    style,
                    leaving,
                }
            })
    }

    /// Text of the contents of a location; of large contents the first entries.
    fn contents(&self, tensor: &Tensor) -> String {
        fletch_print::literal(tensor, tensor.data(), self.digits)
    }

    /// Title of the copy: `State 5 of 89`, `States 0 to 89 of 89`.
    fn title(&self) -> String {
        match self.positions {
            [] => "No state".to_owned(),
            [only] => format!("State {only} of {}", self.trace.len()),
            [first, .., last] => format!("States {first} to {last} of {}", self.trace.len()),
        }
    }

    /// Notice about the states left out, if there are any.
    fn notice(&self) -> Option<String> {
        let (first, last) = (self.left_out.first()?, self.left_out.last()?);
        Some(format!(
            "Only the first {STATES} states are here; {} more, from position {first} to {last}, are left out. Copy them \
             separately.",
            self.left_out.len(),
        ))
    }

    /// Locations with their contents.
    fn cells<'h>(&self, heap: &'h Heap) -> impl Iterator<Item = (&'t LocationRef, &'h Tensor)> {
        self.locations.iter().zip(heap.contents())
    }

    /// The steps from the previous stop to this position.
    fn steps_to(&self, position: usize) -> impl Iterator<Item = &'t Step> {
        let number = self.positions.partition_point(|at| *at < position);
        let from = number
            .checked_sub(1)
            .and_then(|before| self.positions.get(before));
        self.trace.steps(*from.unwrap_or(&position)..position)
    }
}

/// Notice about a state that is not printed in full.
const FOLDED: &str =
    "Of this large state only what is near the step is printed; … stands for the rest.";

fn folded(lines: &[Line]) -> bool {
    let mut pieces = lines.iter().flat_map(|line| &line.pieces);
    pieces.any(|piece| piece.kind == PieceKind::Folded)
}

/// Arrow and name of a rule: `→ rev-handle`, `= RH-op`.
fn arrow(rule: &RuleView) -> String {
    let arrow = if rule.equation { "=" } else { "→" };
    format!("{arrow} {}", rule.rule.name())
}

/// Notice about steps that are not shown one by one.
fn skipped(leaving: &Leaving) -> Option<String> {
    (leaving.steps > 1).then(|| format!("and {} more steps", leaving.steps - 1))
}
