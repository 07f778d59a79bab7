//! The sandwich: the handled calls of each run of a handler, outermost first. Forward halves come on the forward pass,
//! backward halves on the backward pass, with the return clause between them. Runs of handlers inside another one are
//! nested. Of many calls, only those near the current one are laid out.

use crate::clip;
use fletch_calculus::{Called, Index, Term};
use fletch_ide::place;
use fletch_print::{Chip, Chips};
use fletch_reduction::Action;
use fletch_syntax::LineIndex;
use fletch_trace::{CallRecord, Level, ReverseRun, Trace};
use serde::{Deserialize, Serialize};

/// The calls that one run of a handler has met, outermost first: forward halves, the return clause, backward halves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stack {
    /// Name of the handler.
    pub handler: String,
    /// Position before the run began.
    pub from: u32,
    /// Source span of the `rev handle`: from, to.
    pub source: (u32, u32),
    /// Calls met so far; of many calls, those near the current one.
    pub entries: Vec<Entry>,
    /// The return clause, where the forward pass turns into the backward pass: the bottom of the U.
    pub turn: Option<Turn>,
    /// Position before the return clause runs, if it is known and not yet passed.
    pub turns_at: Option<u32>,
    /// Position from which the run is over, if it is. It is a stop whose sentence tells this.
    pub done_at: Option<u32>,
}

/// An entry of a stack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant)] // Most are calls.
pub enum Entry {
    /// A handled call.
    Call(Layer),
    /// A run of an inner handler, itself handled by the outer one: the calls of the inner run are code of the outer run.
    Inner(Stack),
    /// Number of calls omitted here.
    Left(u32),
}

/// The return clause of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Name of the handler.
    pub handler: String,
    /// Position before the return clause runs; the sentence there tells its argument.
    pub met_at: u32,
    /// True if the return clause gives a cotangent.
    pub gradient: bool,
    /// Argument of the return clause.
    pub argument: Option<Chip>,
    /// Result of the return clause, once known: the first cotangent, or whatever value the backward pass begins with.
    pub result: Option<Chip>,
    /// Position from which the result exists and the return clause is done.
    pub done_at: Option<u32>,
    /// Stop whose sentence tells the result, if the return clause is done.
    pub told_at: Option<u32>,
    /// Source span of the return clause: from, to.
    pub source: (u32, u32),
}

/// A handled call in the sandwich: an operation, a feedback or a function, with its forward and its backward half.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    /// Name of the callee: `FC[ℓ0]`, `swish`.
    pub name: String,
    /// True for an operation or a feedback (magenta), false for a function (blue).
    pub operation: bool,
    /// Name of the handler.
    pub handler: String,
    /// Position before the step that handles the call.
    pub met_at: u32,
    /// Values saved by the forward clause.
    pub saved: Vec<Saved>,
    /// Result of the call, once known.
    pub result: Option<Chip>,
    /// True if the value that comes back to the call is a cotangent.
    pub gradient: bool,
    /// Type of the cotangent that the backward half waits for.
    pub cotangent_type: String,
    /// The cotangent, once known.
    pub cotangent: Option<Chip>,
    /// Position from which the cotangent is known and the backward half no longer waits.
    pub cotangent_at: Option<u32>,
    /// Stop whose sentence tells the cotangent, if it is known. There the backward clause starts, possibly a few steps
    /// after `cotangent_at`.
    pub told_at: Option<u32>,
    /// Position from which the backward half is done.
    pub done_at: Option<u32>,
    /// Phase of the call.
    pub phase: Phase,
    /// Source span of the call: from, to.
    pub source: (u32, u32),
    /// Line where the source span begins, from 1.
    pub line: u32,
    /// Heap cells among the indices of the callee.
    pub locations: Vec<String>,
    /// Writes by the call's clauses so far: the position before each, and the cell written.
    pub puts: Vec<(u32, String)>,
}

/// Component of the value that a forward clause saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// Name of the component in the backward clause, if it has one.
    pub name: Option<String>,
    /// Value of the component.
    pub chip: Chip,
}

/// Phase of a handled call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// The forward half runs.
    Forward,
    /// The backward half waits for a cotangent.
    Waiting,
    /// The backward half runs.
    Backward,
    /// The backward half is done.
    Done,
}

/// Maximum number of calls up to which all are laid out.
const FEW: usize = 18;
/// Number of calls laid out on each side of the current one, if there are more than `FEW`. Room unused after it goes to
/// the calls before it.
const NEAR: usize = 6;

/// Maximum number of finished runs shown.
const OVER: usize = 12;

/// The stacks at a position: finished runs at the top level in short form, then the runs under way. Each group is in order of time.
pub(crate) fn stacks(
    trace: &Trace,
    position: usize,
    index: &LineIndex,
    chips: &Chips,
) -> Vec<Stack> {
    let view = View {
        trace,
        position,
        index,
        chips,
    };
    let top = &trace.calls().top;
    // Runs begin in the order of their numbers.
    let begun = top.partition_point(|at| view.run(*at).is_some_and(|run| run.from <= position));
    let mut runs: Vec<(usize, &ReverseRun)> = top
        .iter()
        .take(begun)
        .filter_map(|at| Some((view.over_at(view.run(*at)?), view.run(*at)?)))
        .collect();
    let key = |(over, run): &(usize, &ReverseRun)| (*over, run.from);
    fletch_syntax::sort_by(&mut runs, |first, second| key(first).cmp(&key(second)));
    // A loop may have made thousands of runs. Of the finished ones, only the last `OVER` are shown.
    let over = runs.partition_point(|(over, _)| *over <= position);
    runs.drain(..over.saturating_sub(OVER));
    let last = runs.len().saturating_sub(1);
    let short = |at: usize, over: usize| at < last && over <= position;
    let stacks = runs.into_iter().enumerate();
    stacks
        .map(|(at, (over, run))| view.stack(run, short(at, over)))
        .collect()
}

struct View<'t> {
    trace: &'t Trace,
    position: usize,
    index: &'t LineIndex,
    chips: &'t Chips,
}

/// Call or nested run that a run has met.
enum Met<'t> {
    Call(&'t CallRecord),
    Inner(&'t ReverseRun),
}

impl<'t> View<'t> {
    fn run(&self, number: usize) -> Option<&'t ReverseRun> {
        self.trace.calls().runs.get(number)
    }

    fn reached(&self, position: Option<usize>) -> bool {
        position.is_some_and(|position| position <= self.position)
    }

    /// Position from which a run is over; `usize::MAX` if it is not over at the position shown.
    fn over_at(&self, run: &ReverseRun) -> usize {
        let over = run.done_at.filter(|at| *at <= self.position);
        over.unwrap_or(usize::MAX)
    }

    fn stack(&self, run: &ReverseRun, short: bool) -> Stack {
        Stack {
            handler: run.handler.to_string(),
            from: clip(run.from),
            source: place::utf16(place::span(run.origin), self.index),
            entries: if short {
                let left = self.met(run).len();
                (left > 0)
                    .then(|| Entry::Left(clip(left)))
                    .into_iter()
                    .collect()
            } else {
                self.entries(run)
            },
            turn: self.turn(run),
            turns_at: run.turned_at.filter(|at| *at >= self.position).map(clip),
            done_at: run.done_at.filter(|at| *at <= self.position).map(clip),
        }
    }

    /// Calls and nested runs that a run has met so far, in order. Terms that only permute values are left out.
    fn met(&self, run: &ReverseRun) -> Vec<Met<'t>> {
        let records = &self.trace.calls().records;
        let calls = run.calls.iter().filter_map(|at| records.get(*at));
        let calls = calls
            .take_while(|record| record.met_at < self.position)
            .filter(|record| !record.moves);
        let mut calls = calls.peekable();
        let inner = run.inner.iter().filter_map(|at| self.run(*at));
        let mut inner = inner.take_while(|run| run.from < self.position).peekable();
        let mut met = Vec::new();
        loop {
            let next = match (calls.peek(), inner.peek()) {
                (Some(call), Some(run)) if run.from <= call.met_at => inner.next().map(Met::Inner),
                (Some(_), _) => calls.next().map(Met::Call),
                (None, _) => inner.next().map(Met::Inner),
            };
            match next {
                Some(next) => met.push(next),
                None => return met,
            }
        }
    }

    fn entries(&self, run: &ReverseRun) -> Vec<Entry> {
        let met = self.met(run);
        // The current call is the innermost that is not done: the last one on the forward pass, an earlier one on the
        // backward pass.
        let done = |met: &Met<'_>| match met {
            Met::Call(record) => self.reached(record.done_at),
            Met::Inner(run) => self.reached(run.done_at),
        };
        let work = met.iter().rposition(|met| !done(met)).unwrap_or(0);
        let (from, to) = if met.len() <= FEW {
            (0, met.len())
        } else {
            let to = (work + NEAR + 1).min(met.len());
            (to.saturating_sub(2 * NEAR + 1), to)
        };
        let left = |count: usize| (count > 0).then(|| Entry::Left(clip(count)));
        let shown = met.iter().skip(from).take(to - from).map(|met| match met {
            Met::Call(record) => Entry::Call(self.layer(record)),
            Met::Inner(run) => Entry::Inner(self.stack(run, false)),
        });
        let shown: Vec<Entry> = shown.collect();
        let before = left(from);
        let after = left(met.len() - to);
        before.into_iter().chain(shown).chain(after).collect()
    }

    fn layer(&self, record: &CallRecord) -> Layer {
        let phase = self.phase(record);
        let waiting = phase != Phase::Forward;
        let cotangent_at = record.cotangent_at.filter(|at| *at <= self.position);
        let cotangent = record.cotangent.as_ref().filter(|_| cotangent_at.is_some());
        let span = place::span(record.call.origin);
        Layer {
            name: record.name.to_string(),
            operation: record.operation(),
            handler: record.call.handler.to_string(),
            met_at: clip(record.met_at),
            saved: if waiting {
                self.saved(record)
            } else {
                Vec::new()
            },
            result: record
                .result
                .as_ref()
                .filter(|_| waiting)
                .and_then(|term| self.first(term)),
            gradient: self.trace.calls().gradient(record),
            cotangent_type: record
                .cotangent_type
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            cotangent: cotangent.and_then(|term| self.first(term)),
            cotangent_at: cotangent_at.map(clip),
            told_at: cotangent_at.map(|at| clip(self.told(record, at))),
            done_at: record.done_at.filter(|at| *at <= self.position).map(clip),
            phase,
            source: place::utf16(span, self.index),
            line: self.index.line_column(span.start).0,
            locations: locations(&record.call.called),
            puts: self.puts(record),
        }
    }

    /// Stop whose sentence tells the cotangent of a call, known from position `from`.
    fn told(&self, record: &CallRecord, from: usize) -> usize {
        record.told().unwrap_or_else(|| self.before(from))
    }

    /// The last stop before a position: its sentence tells what exists from that position.
    fn before(&self, position: usize) -> usize {
        let stop = self.trace.index().previous(Level::Plain, position);
        stop.unwrap_or(position)
    }

    fn phase(&self, record: &CallRecord) -> Phase {
        if self.reached(record.done_at) {
            Phase::Done
        } else if self.reached(record.cotangent_at) {
            Phase::Backward
        } else if self.reached(record.waits_from) {
            Phase::Waiting
        } else {
            Phase::Forward
        }
    }

    /// Writes that a call's clauses have made so far: the position before each, and the cell.
    fn puts(&self, record: &CallRecord) -> Vec<(u32, String)> {
        let accesses = record.accesses.iter().copied();
        let writes = self.trace.writes().positions();
        accesses
            .take_while(|at| *at < self.position)
            .filter(|at| writes.binary_search(at).is_ok())
            .filter_map(|at| match &self.trace.step(at)?.action {
                Action::Put { location, .. } => Some((clip(at), location.name.to_string())),
                _ => None,
            })
            .collect()
    }

    /// Values saved by a call, under the names that the backward clause gives them.
    fn saved(&self, record: &CallRecord) -> Vec<Saved> {
        let Some(saved) = &record.saved else {
            return Vec::new();
        };
        let parts: Vec<&Term> = match saved.kind() {
            fletch_calculus::TermKind::Tuple(parts) if record.saved_names.len() == parts.len() => {
                parts.iter().collect()
            }
            _ => vec![saved],
        };
        let names = record.saved_names.iter().map(|name| name.name.to_string());
        let named = (record.saved_names.len() == parts.len()).then_some(names);
        let mut names = named.into_iter().flatten();
        let mut found = Vec::new();
        for part in parts {
            let name = names.next().filter(|name| name != "_");
            for chip in self.chips.of(part) {
                found.push(Saved {
                    name: name.clone(),
                    chip,
                });
            }
        }
        found
    }

    fn first(&self, term: &Term) -> Option<Chip> {
        self.chips.of(term).into_iter().next()
    }

    fn turn(&self, run: &ReverseRun) -> Option<Turn> {
        let met_at = run.turned_at.filter(|met_at| *met_at < self.position)?;
        let result = run
            .turned_until
            .as_ref()
            .filter(|(from, _)| *from <= self.position);
        Some(Turn {
            handler: run.handler.to_string(),
            met_at: clip(met_at),
            gradient: run.turn.is_gradient(),
            argument: run.returned.as_ref().and_then(|term| self.first(term)),
            result: result.and_then(|(_, term)| self.first(term)),
            done_at: result.map(|(from, _)| clip(*from)),
            told_at: result.map(|(from, _)| clip(self.before(*from))),
            source: place::utf16(place::span(run.return_origin), self.index),
        })
    }
}

/// Heap cells among the indices of the callee.
fn locations(called: &Called) -> Vec<String> {
    let Called::Operation(operation) = called else {
        return Vec::new();
    };
    let locations = operation.indices.iter().filter_map(|index| match index {
        Index::Location(location) => Some(location.name.to_string()),
        Index::Size(_) => None,
    });
    locations.collect()
}
