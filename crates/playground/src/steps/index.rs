//! Index of a trace, as a front end takes it: tables of rules and origins with their texts, and the steps worth a mark on
//! the slider.

use crate::clip;
use fletch_calculus::{OperationRef, Origin, Value};
use fletch_ide::place;
use fletch_print::numbers;
use fletch_reduction::{Action, Rule};
use fletch_syntax::LineIndex;
use fletch_syntax::sort_by;
use fletch_trace::{Calls, Event, Label, Level, Trace};
use serde::{Deserialize, Serialize};

/// Index of a trace: the rule and the origin of each step, in tables of those that occur.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Index {
    /// The number of steps it covers.
    pub steps: u32,
    /// The rules that occur.
    pub rules: Vec<Rule>,
    /// For every step, the number of its rule in `rules`.
    pub rule: Vec<u8>,
    /// The texts that a search looks through: `Put ℓ1 put heap FC[ℓ1] backward`.
    pub labels: Vec<String>,
    /// For every step, the number of its text in `labels`.
    pub label: Vec<u32>,
    /// Places in the source that steps come from: from, to, line from 1.
    pub places: Vec<(u32, u32, u32)>,
    /// For every step, the number of its place in `places`.
    pub place: Vec<u32>,
    /// The stops of [`Level::Plain`], ascending, with the first and the last position.
    pub plain: Vec<u32>,
    /// The stops of [`Level::Operations`].
    pub operations: Vec<u32>,
    /// The stops of [`Level::Handlers`].
    pub handlers: Vec<u32>,
    /// The stops of [`Level::Moments`]; empty where no moment of a feedback has run.
    pub moments: Vec<u32>,
    /// The steps worth a mark on the slider.
    pub ticks: Vec<Tick>,
    /// The first value that is no finite number, if there is one.
    pub non_finite: Option<NonFinite>,
    /// The lines whose step notes no step is on, ascending; from 1.
    pub unreached: Vec<u32>,
}

/// A step worth a mark on the slider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tick {
    /// The position just before the step.
    pub position: u32,
    /// Kind of event.
    pub kind: TickKind,
    /// The name beside the mark: `FC[ℓ0]`, or the location that is written; empty if there is none.
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
    /// The first value that is no finite number.
    NonFinite,
    /// The run is stuck here.
    Stuck,
}

/// The first value of a run that is no finite number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NonFinite {
    /// The position before the step that makes it.
    pub position: u32,
    /// The number of the step that a reader is shown.
    pub step: u32,
    /// Symbol that makes it, and the value: "`exp` gives ∞".
    pub what: String,
}

/// Maximum number of marks on the slider; more are drawn as a grey bar.
const TICKS: usize = 2000;

/// The tables of a trace as a front end takes them.
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

/// The first value that is no finite number: at which step, and what gives it.
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

/// The text that a search looks through.
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

/// The steps worth a mark on the slider, in order.
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
    // Of these there is one each, which is never left out.
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
        // The clauses of a handler inside another are code of that one.
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
