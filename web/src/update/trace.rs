//! The trace: computing it slice by slice, and moving along it.

use super::Move;
use super::program::PATIENCE;
use super::worker::rest;
use crate::effects::{Effect, Timer};
use crate::model::{CheckPhase, Model, RunState, Sent, Shared, Trace};
use crate::view::words;
use fletch_playground::protocol::{Advanced, Index, Piece, Request, RunStatus, Show, StepView};

/// How long the worker computes before it answers, so that it can be told to stop or to show a position.
const SLICE: u32 = 25;
/// How long the page keeps its width before the command is printed anew.
const SETTLED: u32 = 120;
/// How long stepping pauses before the sentence is read aloud.
const PAUSE: u32 = 350;

/// Asks for the next slice of steps.
pub(super) fn advance(model: &mut Model, effects: &mut Vec<Effect>) {
    let revision = model.program.revision;
    model.worker.in_flight.push_back(Sent::Advance(revision));
    effects.push(Effect::Send(Request::Advance {
        revision,
        milliseconds: SLICE,
    }));
}

/// More steps are known.
pub(super) fn advanced(model: &mut Model, advanced: Advanced, effects: &mut Vec<Effect>) {
    if advanced.revision != model.program.revision {
        return;
    }
    let before = model.trace.take();
    let running = advanced.status == RunStatus::Running;
    let stopped = running && model.worker.stopping;
    let state = if stopped {
        RunState::Stopped
    } else {
        RunState::Worker(advanced.status)
    };
    let ended = stopped || !running;
    let position = before.as_ref().map_or(0, |trace| trace.position);
    let follow = before
        .as_ref()
        .is_some_and(|trace| trace.follow && trace.revision == advanced.revision);
    let index = before
        .as_ref()
        .filter(|trace| trace.revision == advanced.revision)
        .map_or_else(
            || Shared::new(Index::default()),
            |trace| trace.index.clone(),
        );
    let (view, shown) = before.map_or((None, None), |trace| (trace.view, trace.shown));
    model.trace = Some(Trace {
        revision: advanced.revision,
        steps: advanced.steps,
        state,
        index,
        position: if ended {
            position.min(advanced.steps)
        } else {
            position
        },
        view,
        shown,
        follow,
    });
    if ended {
        rest(model, effects);
        ask(model, effects);
        let revision = advanced.revision;
        model.worker.in_flight.push_back(Sent::Index(revision));
        effects.push(Effect::Send(Request::Index { revision }));
    } else {
        // The first view goes before the next slice.
        ask(model, effects);
        advance(model, effects);
    }
}

/// Goes on with a stopped run.
pub(super) fn go_on(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(trace) = &mut model.trace else {
        return;
    };
    if trace.revision != model.program.revision || trace.state == RunState::Lost {
        return;
    }
    trace.state = RunState::Worker(RunStatus::Running);
    effects.push(Effect::Start(Timer::Slow, PATIENCE));
    advance(model, effects);
}

/// Moves along the trace.
pub(super) fn go(model: &mut Model, step: Move, effects: &mut Vec<Effect>) {
    let Some(trace) = &model.trace else { return };
    let here = trace.position;
    let ticks = trace.index.ticks.iter().map(|tick| tick.position);
    let position = match step {
        Move::First => 0,
        Move::Previous => here.saturating_sub(1),
        Move::Next => here.saturating_add(1),
        Move::Last => trace.steps,
        Move::PreviousTick => ticks.filter(|tick| *tick < here).max().unwrap_or(0),
        Move::NextTick => ticks
            .filter(|tick| *tick > here)
            .min()
            .unwrap_or(trace.steps),
    };
    show(model, position, effects);
}

/// Shows a position, or the nearest there is.
pub(super) fn show(model: &mut Model, position: u32, effects: &mut Vec<Effect>) {
    if !model.can_step() {
        return;
    }
    if let Some(trace) = &mut model.trace {
        trace.position = position.min(trace.steps);
        trace.follow = true;
    }
    super::page::chip_closed(model, effects);
    ask(model, effects);
}

/// Asks for the view that is wanted, unless it is there or another one is awaited: while the slider is
/// dragged, only the newest position is asked for.
pub(super) fn ask(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(trace) = &model.trace else { return };
    let show = Show {
        revision: trace.revision,
        position: trace.position,
        from: None,
        level: model.stepping.level,
        width: model.columns,
        toggled: model.reading.toggled.to_vec(),
        compare: model.reading.compare,
    };
    let current =
        trace.revision == model.program.revision && model.check.phase == CheckPhase::Checked;
    let awaited = model
        .worker
        .in_flight
        .iter()
        .any(|sent| matches!(sent, Sent::Show(_)));
    if !current
        || awaited
        || trace.shown.as_ref() == Some(&show)
        || show.position > trace.steps
        || trace.state == RunState::Lost
    {
        return;
    }
    if model.worker.in_flight.is_empty() {
        effects.push(Effect::Start(Timer::Slow, 2 * PATIENCE));
    }
    model.worker.in_flight.push_back(Sent::Show(show.clone()));
    effects.push(Effect::Send(Request::Show(show)));
}

/// The worker has said where one can go.
pub(super) fn indexed(model: &mut Model, index: Index) {
    if let Some(trace) = &mut model.trace
        && trace.revision == index.revision
    {
        trace.index = Shared::new(index);
    }
}

/// A view is there.
pub(super) fn shown(model: &mut Model, key: Show, view: StepView, effects: &mut Vec<Effect>) {
    let Some(trace) = &mut model.trace else {
        return;
    };
    if view.revision != trace.revision || trace.revision != model.program.revision {
        return;
    }
    let moved = trace
        .shown
        .as_ref()
        .is_none_or(|shown| (shown.revision, shown.position) != (key.revision, key.position));
    trace.shown = Some(key);
    if model.check.phase == CheckPhase::Checked {
        effects.push(Effect::Mark {
            range: view.source,
            reveal: moved && trace.follow,
        });
    }
    trace.view = Some(Shared::new(view));
    super::heap::shown(model);
    if moved {
        effects.push(Effect::RevealRedex);
        effects.push(Effect::Start(Timer::Announce, PAUSE));
    }
}

pub(super) fn measured(model: &mut Model, columns: u32, effects: &mut Vec<Effect>) {
    if columns == model.columns {
        return;
    }
    model.columns = columns;
    effects.push(Effect::Start(
        Timer::Resize,
        if model.trace.is_some() { SETTLED } else { 0 },
    ));
}

/// Tells a screen reader the step.
pub(super) fn announce(model: &mut Model) {
    let Some(view) = model.trace.as_ref().and_then(|trace| trace.view.as_ref()) else {
        return;
    };
    let read = |piece: &Piece| {
        piece
            .chip
            .as_ref()
            .map_or_else(|| piece.text.clone(), words)
    };
    let sentence: String = view.sentence.iter().map(read).collect();
    model.announcement = format!("Step {}. {sentence}", view.position).into();
}
