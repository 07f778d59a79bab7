//! The sandwich: the handled calls of one run of a handler, outermost first; forward parts on the way
//! in, backward parts on the way out, the return clause between them.

use crate::calls::{CallRecord, Run};
use crate::chips;
use crate::place;
use crate::protocol::{Entry, Layer, Phase, Saved, Stack, Tick, TickKind, Turn};
use crate::trace::Trace;
use fletch_calculus::Called;
use fletch_reduction::Action;
use fletch_syntax::LineIndex;

/// The stacks at a position.
pub(crate) fn stacks(trace: &Trace, position: usize, index: &LineIndex) -> Vec<Stack> {
    let Some((number, run)) = trace.calls().run_at(position) else {
        return Vec::new();
    };
    let entries = trace
        .calls()
        .records
        .iter()
        .filter(|record| record.run == number && record.met_at < position)
        .map(|record| Entry::Call(layer(record, position, index)))
        .collect();
    vec![Stack {
        handler: run.handler.to_string(),
        from: clip(run.from),
        source: place::utf16(place::span(run.return_origin), index),
        entries,
        turn: turn(run, position, index),
        turns_at: run.turned_at.filter(|at| *at >= position).map(clip),
        done_at: run.done_at.filter(|at| *at <= position).map(clip),
    }]
}

fn layer(record: &CallRecord, position: usize, index: &LineIndex) -> Layer {
    let reached = |from: Option<usize>| from.is_some_and(|from| from <= position);
    let phase = if reached(record.done_at) {
        Phase::Done
    } else if reached(record.cotangent_at) {
        Phase::Backward
    } else if reached(record.waits_from) {
        Phase::Waiting
    } else {
        Phase::Forward
    };
    let waiting = phase != Phase::Forward;
    let first = |term: &fletch_calculus::Term| chips::chips(term).into_iter().next();
    let cotangent = record
        .cotangent
        .as_ref()
        .filter(|_| reached(record.cotangent_at));
    Layer {
        name: name(&record.call.called),
        operation: matches!(record.call.called, Called::Operation(_)),
        handler: record.call.handler.to_string(),
        met_at: clip(record.met_at),
        saved: record
            .saved
            .as_ref()
            .filter(|_| waiting)
            .map(chips::chips)
            .unwrap_or_default()
            .into_iter()
            .map(|chip| Saved { name: None, chip })
            .collect(),
        result: record.result.as_ref().filter(|_| waiting).and_then(first),
        cotangent_type: record
            .cotangent_type
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default(),
        cotangent: cotangent.and_then(first),
        cotangent_at: record
            .cotangent_at
            .filter(|_| cotangent.is_some())
            .map(clip),
        done_at: record.done_at.filter(|at| *at <= position).map(clip),
        phase,
        source: place::utf16(place::span(record.call.origin), index),
        line: index.line_column(place::span(record.call.origin).start).0,
        locations: Vec::new(),
        puts: Vec::new(),
    }
}

fn turn(run: &Run, position: usize, index: &LineIndex) -> Option<Turn> {
    let met_at = run.turned_at.filter(|met_at| *met_at < position)?;
    let result = run
        .turned_until
        .as_ref()
        .filter(|(from, _)| *from <= position);
    Some(Turn {
        handler: run.handler.to_string(),
        met_at: clip(met_at),
        argument: run
            .returned
            .as_ref()
            .and_then(|term| chips::chips(term).into_iter().next()),
        result: result.and_then(|(_, term)| chips::chips(term).into_iter().next()),
        done_at: result.map(|(from, _)| clip(*from)),
        source: place::utf16(place::span(run.return_origin), index),
    })
}

/// The steps worth a mark on the slider, in order.
pub(crate) fn ticks(trace: &Trace) -> Vec<Tick> {
    let calls = trace.calls();
    let mut ticks = Vec::new();
    for record in &calls.records {
        if let Called::Operation(operation) = &record.call.called {
            let position = clip(record.met_at);
            ticks.push(Tick {
                position,
                kind: TickKind::Forward,
                label: format!("{operation} runs forward"),
            });
            if let Some(at) = record.cotangent_at {
                let label = format!("{operation} runs backward");
                ticks.push(Tick {
                    position: clip(at),
                    kind: TickKind::Backward,
                    label,
                });
            }
        }
    }
    for run in &calls.runs {
        if let Some(at) = run.turned_at {
            let label = format!("the return clause of {}", run.handler);
            ticks.push(Tick {
                position: clip(at),
                kind: TickKind::Return,
                label,
            });
        }
    }
    for (position, step) in trace.steps().iter().enumerate() {
        if let Action::Put { location } = &step.action {
            let label = format!("Put[{}]", location.name);
            ticks.push(Tick {
                position: clip(position),
                kind: TickKind::Put,
                label,
            });
        }
    }
    ticks.sort_by_key(|tick| tick.position);
    ticks
}

/// What was called, as a name.
pub(crate) fn name(called: &Called) -> String {
    match called {
        Called::Operation(operation) => operation.to_string(),
        Called::Function(symbol) => match symbol.reverse_of() {
            Some(_) => symbol.to_string(),
            None => symbol.name(),
        },
        Called::Term => "pure term".to_owned(),
    }
}

fn clip(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}
