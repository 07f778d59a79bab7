//! Index of a trace, as sent to a front end: tables of rules and origins with their texts, and the steps to mark on the slider.

use crate::clip;
use fletch_calculus::{OperationRef, Origin, Value};
use fletch_ide::place;
use fletch_print::numbers;
use fletch_reduction::{Action, Rule};
use fletch_syntax::LineIndex;
use fletch_syntax::sort_by;
use fletch_trace::{Calls, Event, Label, Level, Trace};
use serde::{Deserialize, Serialize};

/// Index of a trace. Rules, labels and source spans of the steps are stored once each, in tables.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Index {
    /// Number of steps that the index covers.
    pub steps: u32,
    /// Rules that occur, each once.
    pub rules: Vec<Rule>,
    /// Index into `rules` for every step.
    pub rule: Vec<u8>,
    /// Texts that a search looks through, each once: `Put ℓ1 put heap FC[ℓ1] backward`.
    pub labels: Vec<String>,
    /// Index into `labels` for every step.
    pub label: Vec<u32>,
    /// Source spans from which steps originate, each once: from, to, line from 1.
    pub places: Vec<(u32, u32, u32)>,
    /// Index into `places` for every step.
    pub place: Vec<u32>,
    /// Stops of [`Level::Plain`], ascending, including the first and the last position.
    pub plain: Vec<u32>,
    /// Stops of [`Level::Operations`].
    pub operations: Vec<u32>,
    /// Stops of [`Level::Handlers`].
    pub handlers: Vec<u32>,
    /// Stops of [`Level::Moments`]; empty if no moment of a feedback has run.
    pub moments: Vec<u32>,
    /// Steps to mark on the slider.
    pub ticks: Vec<Tick>,
    /// The first non-finite value, if there is one.
    pub non_finite: Option<NonFinite>,
    /// Lines with a step note that no step of the run reaches, ascending, from 1.
    pub unreached: Vec<u32>,
}

/// A step to mark on the slider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tick {
    /// Position just before the step.
    pub position: u32,
    /// Kind of event.
    pub kind: TickKind,
    /// Name next to the mark: `FC[ℓ0]`, a handler, or the location that is written. Empty if there is none.
    pub name: String,
    /// Label in words, such as `FC[ℓ0] runs forward`.
    pub label: String,
}

/// Kind of event that a tick marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TickKind {
    /// An operation starts to run forward.
    Forward,
    /// The return clause runs.
    Return,
    /// A backward clause starts.
    Backward,
    /// A `Put`.
    Put,
    /// The first non-finite value.
    NonFinite,
    /// The run is stuck here.
    Stuck,
}

/// The first non-finite value of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NonFinite {
    /// Position before the step that produces it.
    pub position: u32,
    /// Step number that a reader sees: the stop of [`Level::Plain`] whose sentence tells the step.
    pub step: u32,
    /// Symbol that produces the value, and the value: "`exp` gives ∞".
    pub what: String,
}

/// Approximate maximum number of marks on the slider. Of more marks, every n-th is kept.
const TICKS: usize = 2000;

/// Makes the index of a trace for a front end.
pub(crate) fn index(trace: &Trace, lines: &LineIndex, unreached: Vec<u32>) -> Index {
    let index = trace.index();
    let mut labels = vec![String::new(); index.labels.len()];
    for (label, number) in &index.labels {
        if let Some(text) = labels.get_mut(*number as usize) {
            *text = self::text(label);
        }
    }
    let place = |origin: &Origin| {
        let span = place::span(*origin);
        let (from, to) = place::utf16(span, lines);
        (from, to, lines.line_column(span.start).0)
    };
    Index {
        steps: clip(index.rule.len()),
        rules: index.rules.clone(),
        rule: index.rule.clone(),
        labels,
        label: index.label.clone(),
        places: index.places.iter().map(place).collect(),
        place: index.place.clone(),
        plain: index.all(Level::Plain),
        operations: index.all(Level::Operations),
        handlers: index.all(Level::Handlers),
        moments: match index.has_moments() {
            true => index.all(Level::Moments),
            false => Vec::new(),
        },
        ticks: ticks(trace.calls(), trace),
        non_finite: non_finite(trace),
        unreached,
    }
}

/// Finds the first non-finite value: its step, and what produces it.
pub(crate) fn non_finite(trace: &Trace) -> Option<NonFinite> {
    let position = trace.non_finite()?;
    let (made, value) = match &trace.step(position)?.action {
        Action::Eval { symbol, result, .. } => (format!("`{symbol}` gives"), result.to_value()?),
        Action::Add { result, .. } => ("`+` gives".to_owned(), result.to_value()?),
        Action::Get { location, contents } => (
            format!("`{}` holds", location.name),
            Value::Real(contents.clone()),
        ),
        _ => return None,
    };
    let tensors = value.tensors();
    let mut entries = tensors.iter().flat_map(|tensor| tensor.data());
    let entry = entries.find(|entry| !entry.is_finite())?;
    let index = trace.index();
    let stop = if index.is_stop(Level::Plain, position) {
        position
    } else {
        index.previous(Level::Plain, position)?
    };
    Some(NonFinite {
        position: clip(position),
        step: clip(stop),
        what: format!("{made} {}", numbers::short(*entry)),
    })
}

/// Text of a label for the search.
fn text(label: &Label) -> String {
    let (title, _) = fletch_explain::title(label.rule);
    let mut text = format!("{} {title}", label.rule.name());
    if !label.subject.is_empty() {
        text.push(' ');
        text.push_str(&label.subject);
    }
    if let Some((name, part)) = &label.owner {
        text.push_str(&format!(" {name} {part}"));
    }
    text
}

/// Steps to mark on the slider, in order.
fn ticks(calls: &Calls, trace: &Trace) -> Vec<Tick> {
    let mut ticks: Vec<Tick> = calls
        .events
        .iter()
        .filter_map(|(position, event)| {
            let (kind, name, label) = tick(calls, *event)?;
            Some(Tick {
                position: clip(*position),
                kind,
                name,
                label,
            })
        })
        .collect();
    for position in trace.writes().positions() {
        if let Some(write) = trace.step(*position).and_then(|step| step.write.as_ref()) {
            ticks.push(Tick {
                position: clip(*position),
                kind: TickKind::Put,
                name: write.location.name.to_string(),
                label: format!("Put[{}]", write.location.name),
            });
        }
    }
    sort_by(&mut ticks, |first, second| {
        first.position.cmp(&second.position)
    });
    let every = ticks.len().div_ceil(TICKS).max(1);
    let mut ticks: Vec<Tick> = ticks.into_iter().step_by(every).collect();
    // A run has at most one of each of these marks, so they are never thinned out.
    let last = trace.len();
    let stuck = trace.blocked(last).map(|_| Tick {
        position: clip(last),
        kind: TickKind::Stuck,
        name: String::new(),
        label: "the run is stuck".to_owned(),
    });
    let non_finite = non_finite(trace).map(|found| Tick {
        position: found.position,
        kind: TickKind::NonFinite,
        name: String::new(),
        label: format!(
            "{}, the first value that is not finite",
            found.what.replace('`', "")
        ),
    });
    ticks.extend(non_finite);
    ticks.extend(stuck);
    sort_by(&mut ticks, |first, second| {
        first.position.cmp(&second.position)
    });
    ticks
}

fn tick(calls: &Calls, event: Event) -> Option<(TickKind, String, String)> {
    let call = |at: usize, way: &str| {
        let record = calls.records.get(at).filter(|call| call.operation())?;
        let run = calls.runs.get(record.run)?;
        // The clauses of a handler inside another one are code of the outer one.
        let inside = match run.parent.and_then(|parent| calls.runs.get(parent)) {
            Some(parent) => format!(" inside {}", parent.handler),
            None => String::new(),
        };
        let label = format!("{} runs {way}{inside}", record.name);
        Some((record.name.to_string(), label))
    };
    let handled =
        |operation: &OperationRef, handler: &str| format!("{operation} is handled by {handler}");
    match event {
        Event::Forward(at) => {
            let (name, label) = call(at, "forward")?;
            Some((TickKind::Forward, name, label))
        }
        Event::Backward(at) => {
            let (name, label) = call(at, "backward")?;
            Some((TickKind::Backward, name, label))
        }
        Event::Returns(at) => {
            let handler = &calls.runs.get(at)?.handler;
            let label = format!("the return clause of {handler}");
            Some((TickKind::Return, handler.to_string(), label))
        }
        Event::Clause(at) => {
            let clause = calls.clauses.get(at)?;
            let label = handled(&clause.operation, &clause.handler);
            Some((TickKind::Forward, clause.operation.to_string(), label))
        }
        Event::OrdinaryReturns(at) => {
            let handler = &calls.ordinary.get(at)?.handler.name;
            let label = format!("the return clause of {handler}");
            Some((TickKind::Return, handler.to_string(), label))
        }
        Event::Begins(_) | Event::Ends(_) | Event::OrdinaryBegins(_) | Event::OrdinaryEnds(_) => {
            None
        }
    }
}
