//! Where one can go in a trace: for every step its rule, a text to search, its place in the source; the stops
//! of each level of detail; and the steps worth a mark on the slider. Kept beside the trace as it grows, in
//! tables of what occurs, so that a long run costs a few numbers a step.

use crate::calls::{Calls, Event, Owner};
use crate::explain;
use crate::moves;
use crate::place;
use crate::print;
use crate::protocol::{Index, Level, Tick, TickKind};
use crate::trace::Trace;
use fletch_calculus::{Called, OperationRef, Origin, Symbol};
use fletch_reduction::{Action, Rule, State, Step};
use fletch_syntax::LineIndex;
use std::collections::BTreeMap;
use std::sync::Arc;

/// More marks than this are a grey bar, not marks.
const TICKS: usize = 2000;

/// The tables.
#[derive(Debug, Default)]
pub(crate) struct TraceIndex {
    rules: Vec<Rule>,
    rule: Vec<u8>,
    labels: Vec<String>,
    label: Vec<u32>,
    known_labels: BTreeMap<Label, u32>,
    places: Vec<Origin>,
    place: Vec<u32>,
    known_places: BTreeMap<(u32, u32), u32>,
    /// The positions before steps that are not administrative.
    plain: Vec<u32>,
    operations: Vec<u32>,
    handlers: Vec<u32>,
    /// The positions before reads and writes of the heap.
    accesses: Vec<u32>,
    /// How many of the events of the calls are among the stops.
    noted: usize,
}

/// What a step is, as far as a search tells steps apart.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Label {
    rule: Rule,
    subject: String,
    owner: Option<(Arc<str>, &'static str)>,
}

impl TraceIndex {
    /// Notes the step from this position, and says whether it is more than administrative; the calls know of it
    /// already.
    pub(crate) fn record(
        &mut self,
        position: usize,
        before: &State,
        step: &Step,
        owner: Owner,
        calls: &Calls,
    ) -> bool {
        let rule = step.action.rule();
        let number = self.rules.iter().position(|known| *known == rule);
        let number = number.unwrap_or_else(|| {
            self.rules.push(rule);
            self.rules.len() - 1
        });
        self.rule.push(u8::try_from(number).unwrap_or(u8::MAX));
        self.label(step, owner, calls);
        let places = &mut self.places;
        let origin = step.origin;
        let known = self.known_places.entry((origin.start, origin.end));
        let place = known.or_insert_with(|| {
            places.push(origin);
            clip(places.len() - 1)
        });
        self.place.push(*place);
        let telling = !moves::administrative(step, before);
        if position == 0 || telling {
            push(&mut self.plain, position);
        }
        if let Action::Get { .. } | Action::Put { .. } = &step.action {
            push(&mut self.accesses, position);
        }
        telling
    }

    /// Takes over what the calls have noted since the last time, up to this position.
    pub(crate) fn events(&mut self, calls: &Calls) {
        for (position, event) in calls.events.iter().skip(self.noted) {
            match event {
                Event::Forward(at) | Event::Backward(at) => {
                    if calls.records.get(*at).is_some_and(|call| call.operation()) {
                        push(&mut self.operations, *position);
                        // Where a backward clause starts only values are moved, but this is what they are moved for.
                        push(&mut self.plain, *position);
                    }
                }
                Event::Clause(_) => push(&mut self.operations, *position),
                Event::Returns(_) | Event::OrdinaryReturns(_) => {
                    push(&mut self.operations, *position);
                    push(&mut self.handlers, *position);
                }
                Event::Ends(_) => {
                    push(&mut self.handlers, *position);
                    push(&mut self.plain, *position);
                }
                Event::Begins(_) | Event::OrdinaryBegins(_) | Event::OrdinaryEnds(_) => {
                    push(&mut self.handlers, *position)
                }
            }
        }
        self.noted = calls.events.len();
    }

    fn label(&mut self, step: &Step, owner: Owner, calls: &Calls) {
        let key = Label {
            rule: step.action.rule(),
            subject: subject(&step.action),
            owner: calls.owner_name(owner),
        };
        let number = match self.known_labels.get(&key) {
            Some(number) => *number,
            None => {
                let number = clip(self.labels.len());
                self.labels.push(key.text());
                self.known_labels.insert(key, number);
                number
            }
        };
        self.label.push(number);
    }

    fn stops(&self, level: Level) -> &[u32] {
        match level {
            Level::Every => &[],
            Level::Plain => &self.plain,
            Level::Operations if self.operations.is_empty() => &self.accesses,
            Level::Operations => &self.operations,
            Level::Handlers => &self.handlers,
        }
    }

    /// The first stop after a position; the last position known is one.
    pub(crate) fn next(&self, level: Level, position: usize) -> Option<usize> {
        let last = self.rule.len();
        if position >= last {
            return None;
        }
        if level == Level::Every {
            return Some(position + 1);
        }
        let stops = self.stops(level);
        let at = stops.partition_point(|stop| *stop as usize <= position);
        let stop = stops.get(at).map_or(last, |stop| *stop as usize);
        Some(stop.min(last))
    }

    /// The last stop before a position; the first position is one.
    pub(crate) fn previous(&self, level: Level, position: usize) -> Option<usize> {
        let before = position.checked_sub(1)?;
        if level == Level::Every {
            return Some(before);
        }
        let stops = self.stops(level);
        let at = stops.partition_point(|stop| *stop as usize <= before);
        let stop = at.checked_sub(1).and_then(|at| stops.get(at));
        Some(stop.map_or(0, |stop| *stop as usize))
    }

    /// Whether a position is a stop of a level; the first one is.
    pub(crate) fn is_stop(&self, level: Level, position: usize) -> bool {
        let stops = self.stops(level);
        level == Level::Every || position == 0 || stops.binary_search(&clip(position)).is_ok()
    }

    /// The stops of a level, ascending, with the first and the last position.
    pub(crate) fn all(&self, level: Level) -> Vec<u32> {
        let last = clip(self.rule.len());
        let mut stops = vec![0];
        match level {
            Level::Every => stops.extend(1..=last),
            _ => {
                let inner = self.stops(level).iter().copied();
                stops.extend(inner.filter(|stop| (1..last).contains(stop)));
                stops.extend((last > 0).then_some(last));
            }
        }
        stops
    }

    /// The tables as a front end takes them.
    pub(crate) fn index(&self, revision: u32, trace: &Trace, lines: &LineIndex) -> Index {
        let place = |origin: &Origin| {
            let span = place::span(*origin);
            let (from, to) = place::utf16(span, lines);
            (from, to, lines.line_column(span.start).0)
        };
        Index {
            revision,
            steps: clip(self.rule.len()),
            rules: self
                .rules
                .iter()
                .map(|rule| rule.name().to_owned())
                .collect(),
            rule: self.rule.clone(),
            labels: self.labels.clone(),
            label: self.label.clone(),
            places: self.places.iter().map(place).collect(),
            place: self.place.clone(),
            plain: self.all(Level::Plain),
            operations: self.all(Level::Operations),
            handlers: self.all(Level::Handlers),
            ticks: ticks(trace.calls(), trace),
        }
    }
}

impl Label {
    /// The text that a search looks through.
    fn text(&self) -> String {
        let (title, _) = explain::title(self.rule);
        let mut text = format!("{} {title}", self.rule.name());
        if !self.subject.is_empty() {
            text.push(' ');
            text.push_str(&self.subject);
        }
        if let Some((name, part)) = &self.owner {
            text.push_str(&format!(" {name} {part}"));
        }
        text
    }
}

/// The names that a step is about.
fn subject(action: &Action) -> String {
    match action {
        Action::Eval { symbol, .. } => symbol_name(symbol),
        Action::Add { .. } => "+".to_owned(),
        // Which component would make labels as many as the program is large, squared.
        Action::Proj { .. } => String::new(),
        Action::Let { variable, .. }
        | Action::Rd { variable, .. }
        | Action::Bind { variable, .. } => variable.name.to_string(),
        Action::RevHandle { handler, .. }
        | Action::HandleRet { handler, .. }
        | Action::RhRet { handler, .. } => handler.to_string(),
        Action::HandleOp {
            handler, operation, ..
        }
        | Action::RhOp {
            handler, operation, ..
        } => format!("{operation} {handler}"),
        // As one types it, and as it is written.
        Action::Get { location, .. } => format!("Get {0} Get[{0}]", location.name),
        Action::Put { location } => format!("Put {0} Put[{0}]", location.name),
        Action::RhLet {
            variable,
            replacement,
        } => format!("{} {}", variable.name, replacement.name),
        Action::RhHandle { outer, inner } => format!("{inner} {outer}"),
        Action::RhTerm {
            handler, called, ..
        } => match called {
            Called::Operation(operation) => format!("{operation} {handler}"),
            Called::Function(symbol) => format!("{} {handler}", symbol_name(symbol)),
            Called::Term => handler.to_string(),
        },
    }
}

/// The name of a function, and its operator if it has one.
fn symbol_name(symbol: &Symbol) -> String {
    match (symbol.reverse_of(), print::infix(symbol)) {
        (Some(inner), _) => format!("rd[{}]", symbol_name(inner)),
        (None, Some((operator, _))) => format!("{}{}", symbol.name(), operator.trim_end()),
        (None, None) => symbol.name(),
    }
}

/// The steps worth a mark on the slider, in order.
fn ticks(calls: &Calls, trace: &Trace) -> Vec<Tick> {
    let mut ticks: Vec<Tick> = calls
        .events
        .iter()
        .filter_map(|(position, event)| {
            let (kind, label) = tick(calls, *event)?;
            Some(Tick {
                position: clip(*position),
                kind,
                label,
            })
        })
        .collect();
    for position in trace.writes().positions() {
        if let Some(write) = trace.step(*position).and_then(|step| step.write.as_ref()) {
            ticks.push(Tick {
                position: clip(*position),
                kind: TickKind::Put,
                label: format!("Put[{}]", write.location.name),
            });
        }
    }
    ticks.sort_by_key(|tick| tick.position);
    let every = ticks.len().div_ceil(TICKS).max(1);
    ticks.into_iter().step_by(every).collect()
}

fn tick(calls: &Calls, event: Event) -> Option<(TickKind, String)> {
    let call = |at: usize, way: &str| {
        let record = calls.records.get(at).filter(|call| call.operation())?;
        let run = calls.runs.get(record.run)?;
        // The clauses of a handler inside another are code of that one.
        let inside = match run.parent.and_then(|parent| calls.runs.get(parent)) {
            Some(parent) => format!(" inside {}", parent.handler),
            None => String::new(),
        };
        Some(format!("{} runs {way}{inside}", record.name))
    };
    let handled =
        |operation: &OperationRef, handler: &str| format!("{operation} is handled by {handler}");
    match event {
        Event::Forward(at) => Some((TickKind::Forward, call(at, "forward")?)),
        Event::Backward(at) => Some((TickKind::Backward, call(at, "backward")?)),
        Event::Returns(at) => {
            let handler = &calls.runs.get(at)?.handler;
            Some((TickKind::Return, format!("the return clause of {handler}")))
        }
        Event::Clause(at) => {
            let clause = calls.clauses.get(at)?;
            let label = handled(&clause.operation, &clause.handler);
            Some((TickKind::Forward, label))
        }
        Event::OrdinaryReturns(at) => {
            let handler = &calls.ordinary.get(at)?.handler.name;
            Some((TickKind::Return, format!("the return clause of {handler}")))
        }
        Event::Begins(_) | Event::Ends(_) | Event::OrdinaryBegins(_) | Event::OrdinaryEnds(_) => {
            None
        }
    }
}

/// Adds a stop at the end, where later ones come.
fn push(stops: &mut Vec<u32>, position: usize) {
    let position = clip(position);
    if stops.last().is_none_or(|last| *last < position) {
        stops.push(position);
    }
}

fn clip(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
