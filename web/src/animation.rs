//! Animation of a move to the next stop, to show where values and clauses go: a value to its new occurrences, the
//! clauses of a handled operation, a write to its cell, a cotangent to its layer. This module decides the motion from
//! the two views, without a browser; [`stage`] plays it.

mod stage;

pub(crate) use stage::{Stage, flash, still};

use fletch_playground::protocol::{
    Access, Entry, Layer, Line, Mark, Phase, PieceKind, Rule, Show, Stack, StepView,
};
use std::collections::BTreeSet;

/// Greatest number of values that fly at once from one origin.
const SWARM: usize = 6;

/// Motion after a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Flights of values and of the parts of a handled call.
    pub flights: Vec<Flight>,
    /// Layer that is new in the sandwich, by the position that met it.
    pub entering: Option<u32>,
    /// Layers that are done and shrink to a line, by the positions that met them.
    pub leaving: Vec<u32>,
    /// Name of the location whose card flashes.
    pub flash: Option<String>,
}

/// A flight: an element that moves over the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Flight {
    /// The value or part that flies.
    pub what: What,
    /// Start, a place of the view before the step.
    pub from: Place,
    /// End, a place of the view after the step.
    pub to: Place,
}

/// Subject of a flight: a value, or a part of a handled call.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A value, given by its accessible name. It flies to each of its occurrences at the end.
    Value(String),
    /// A part of a handled call: its name, and the class of its colour.
    Part(&'static str, &'static str),
}

/// A place on the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// The redex: the pieces that the next step rewrites.
    Redex,
    /// The contractum of the last step, and the redex of the next one.
    Marked,
    /// The line this number of lines below the start of the redex.
    Below(usize),
    /// The backward half of the layer that was met at this position.
    Layer(u32),
    /// The card of a location.
    Card(String),
}

/// Scene between two views of a run. `None` if the reader did not come by a single move forward, or if nothing moves.
pub fn scene(before: &StepView, after: &StepView, show: &Show) -> Option<Scene> {
    let single = show.from == Some(before.position) && before.next == Some(after.position);
    if !single {
        return None;
    }
    let rule = before.rule.as_ref()?.rule;
    let mut scene = Scene::default();
    let redex = values(&before.lines, |mark| mark == Mark::Redex);
    match rule {
        Rule::Bind | Rule::Let => {
            let marked = values(&after.lines, |mark| mark != Mark::None);
            scene.fly(redex.intersection(&marked), &Place::Redex, &Place::Marked);
        }
        Rule::Put => {
            if let Some(cell) = accessed(before, Access::WillWrite) {
                scene.fly(&redex, &Place::Redex, &Place::Card(cell.clone()));
                scene.flash = Some(cell);
            }
        }
        Rule::Get => {
            if let Some(cell) = accessed(before, Access::Reads) {
                let marked = values(&after.lines, |mark| mark != Mark::None);
                scene.fly(marked.iter().take(1), &Place::Card(cell), &Place::Marked);
            }
        }
        Rule::RhOp | Rule::RhOpShort => {
            scene.split(&after.lines, "forward clause", "backward clause")
        }
        Rule::RhFeedback | Rule::RhFeedbackShort => scene.split(
            &after.lines,
            "all moments, forward",
            "all moments, backward",
        ),
        Rule::RhTerm | Rule::RhTermShort => {
            scene.split(&after.lines, "value", "reverse derivative")
        }
        _ => {}
    }
    let passed = |at: u32| before.position < at && at <= after.position;
    let done_before: BTreeSet<u32> = layers(&before.sandwich)
        .iter()
        .filter(|layer| layer.phase == Phase::Done)
        .map(|layer| layer.met_at)
        .collect();
    for layer in layers(&after.sandwich) {
        if (before.position..after.position).contains(&layer.met_at) {
            scene.entering = Some(layer.met_at);
        }
        if layer.phase == Phase::Done && !done_before.contains(&layer.met_at) {
            scene.leaving.push(layer.met_at);
        }
        if let Some(cotangent) = &layer.cotangent
            && layer.cotangent_at.is_some_and(passed)
        {
            let label = cotangent.words();
            scene.fly([&label], &Place::Redex, &Place::Layer(layer.met_at));
        }
    }
    (scene != Scene::default()).then_some(scene)
}

impl Scene {
    fn fly<'a>(&mut self, values: impl IntoIterator<Item = &'a String>, from: &Place, to: &Place) {
        let flights = values.into_iter().take(SWARM).map(|value| Flight {
            what: What::Value(value.clone()),
            from: from.clone(),
            to: to.clone(),
        });
        self.flights.extend(flights);
    }

    /// Adds the flights of a call that splits: its forward part runs next, the remainder is handled below it, and its
    /// backward part follows.
    fn split(&mut self, after: &[Line], forward: &'static str, backward: &'static str) {
        let mut part = |name, class, to| {
            self.flights.push(Flight {
                what: What::Part(name, class),
                from: Place::Redex,
                to,
            });
        };
        part(forward, "forward", Place::Redex);
        let Some((continuation, waiting)) = remainder(after) else {
            return;
        };
        part("continuation", "rest", Place::Below(continuation));
        if let Some(waiting) = waiting {
            part(backward, "backward", Place::Below(waiting));
        }
    }
}

/// Line numbers relative to the redex: the start of the handled remainder, and the line after it that waits for its cotangents.
fn remainder(lines: &[Line]) -> Option<(usize, Option<usize>)> {
    let text = |line: &Line| -> String {
        line.pieces
            .iter()
            .map(|piece| piece.text.as_str())
            .collect()
    };
    let redex = lines
        .iter()
        .position(|line| line.pieces.iter().any(|piece| piece.mark == Mark::Redex))?;
    let rest = lines
        .iter()
        .enumerate()
        .skip(redex)
        .find(|(_, line)| text(line).contains("RH("))?
        .0;
    // The `let` that binds the results of the remainder is on the same line or above.
    let binds = |line: &Line| text(line).trim_start().starts_with("let");
    let outer = (redex..=rest)
        .rev()
        .filter_map(|number| lines.get(number))
        .find(|line| binds(line))?
        .indent;
    let waiting = lines
        .iter()
        .enumerate()
        .skip(rest + 1)
        .find(|(_, line)| line.indent <= outer && text(line).trim() != "in")
        .map(|(number, _)| number - redex);
    Some((rest - redex, waiting))
}

/// Values on the pieces with the selected marks, by their accessible names.
fn values(lines: &[Line], marked: impl Fn(Mark) -> bool) -> BTreeSet<String> {
    let pieces = lines.iter().flat_map(|line| &line.pieces);
    pieces
        .filter(|piece| marked(piece.mark))
        .filter_map(|piece| match &piece.chip {
            Some(chip) => Some(chip.words()),
            None if piece.kind == PieceKind::Value => Some(piece.text.trim().to_owned()),
            None => None,
        })
        .collect()
}

/// Name of the location that a step accesses in this way.
fn accessed(view: &StepView, access: Access) -> Option<String> {
    let cell = view.heap.iter().find(|cell| cell.active == Some(access))?;
    Some(cell.name.clone())
}

/// Layers of stacks, including those of inner stacks.
fn layers(stacks: &[Stack]) -> Vec<&Layer> {
    let entries = stacks.iter().flat_map(|stack| &stack.entries);
    entries
        .flat_map(|entry| match entry {
            Entry::Call(layer) => vec![layer],
            Entry::Inner(inner) => layers(std::slice::from_ref(inner)),
            Entry::Left(_) => Vec::new(),
        })
        .collect()
}

#[cfg(test)]
mod tests;
