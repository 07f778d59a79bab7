//! The trace: computing it slice by slice, and moving along it.

use super::program::PATIENCE;
use super::worker::rest;
use crate::animation;
use crate::effects::{Effect, Timer};
use crate::model::{CheckPhase, Model, RunState, Sent, Shared, Trace};
use crate::texts;
use fletch_playground::protocol::{
    Advanced, Chip, Index, Mark, Piece, Request, RunStatus, Show, StepView,
};

/// How long the worker computes before it answers, so that it can be told to stop or to show a position.
const SLICE: u32 = 25;
/// How long the page keeps its width before the command is printed anew.
const DEBOUNCE: u32 = 120;
/// How long stepping pauses before the sentence is read aloud.
const PAUSE: u32 = 350;
/// How much of a redex is read aloud, in characters.
const SPOKEN: usize = 120;

/// Asks for the next slice of steps.
fn advance(model: &mut Model, effects: &mut Vec<Effect>) {
    let revision = model.worker.holds;
    model.worker.in_flight.push_back(Sent::Advance(revision));
    effects.push(Effect::Send(Request::Advance {
        revision,
        milliseconds: SLICE,
    }));
}

/// Goes on with the run that the worker holds, unless all of it is here: that of the text, or while that does not
/// check, the one before.
pub(super) fn resume(model: &mut Model, effects: &mut Vec<Effect>) {
    let holds = model.worker.holds;
    let known = model.trace.as_ref().is_some_and(|trace| {
        trace.revision == holds && trace.state != RunState::Worker(RunStatus::Running)
    });
    if holds == 0 || known {
        rest(model, effects);
    } else {
        advance(model, effects);
    }
}

/// Takes the run away: the text has nothing to run, and what ran before is not its own. Where the reader was is kept for a
/// text that runs again.
pub(super) fn withdraw(model: &mut Model, effects: &mut Vec<Effect>) {
    model.worker.holds = 0;
    let Some(trace) = model.trace.take() else {
        return;
    };
    model.stepping.left = trace.position;
    super::stepping::pause(model, effects);
    super::page::chip_closed(model, effects);
    super::reading::close(model, effects);
    model.words.why = None;
    effects.push(Effect::Mark {
        range: None,
        ran: None,
        reveal: false,
    });
}

/// More steps are known. While the text is newer than the run, no more are asked for.
pub(super) fn advanced(
    model: &mut Model,
    advanced: Advanced,
    go_on: bool,
    effects: &mut Vec<Effect>,
) {
    if advanced.revision != model.worker.holds {
        return;
    }
    let before = model.trace.take();
    let same = before
        .as_ref()
        .filter(|trace| trace.revision == advanced.revision);
    let running = advanced.status == RunStatus::Running;
    let stopped = running && model.worker.stopping;
    let state = if stopped {
        RunState::Stopped
    } else {
        RunState::Worker(advanced.status)
    };
    let ended = stopped || !running;
    let index = same.map_or_else(
        || Shared::new(Index::default()),
        |trace| trace.index.clone(),
    );
    let from = same.and_then(|trace| trace.from);
    let follow = same.is_some_and(|trace| trace.follow);
    let known = same.map_or(0, |trace| trace.known);
    let position = before.as_ref();
    let position = position.map_or(model.stepping.left, |trace| trace.position);
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
        from,
        view,
        shown,
        known,
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
        if go_on {
            advance(model, effects);
        }
    }
}

/// The worker cannot go on with this run.
pub(super) fn not_advanced(model: &mut Model, revision: u32) {
    if let Some(trace) = &mut model.trace
        && trace.revision == revision
        && trace.state == RunState::Worker(RunStatus::Running)
    {
        trace.state = RunState::Stopped;
    }
}

/// The reader stops the run. The page does not wait for the slice under way: its steps come in later.
pub(super) fn stopped(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(trace) = &mut model.trace else {
        return;
    };
    if trace.state == RunState::Worker(RunStatus::Running) {
        trace.state = RunState::Stopped;
        trace.position = trace.position.min(trace.steps);
    } else if let Some(shown) = trace
        .shown
        .as_ref()
        .filter(|shown| shown.revision == trace.revision)
    {
        // A view that takes long is given up.
        (trace.position, trace.from) = (shown.position, shown.from);
    }
    model.worker.slow = false;
    effects.push(Effect::Cancel(Timer::Slow));
    super::stepping::pause(model, effects);
}

/// Goes on with a run that was stopped or has used up its budget.
pub(super) fn go_on(model: &mut Model, effects: &mut Vec<Effect>) {
    let revision = model.worker.holds;
    let Some(trace) = &mut model.trace else {
        return;
    };
    let extends = match trace.state {
        RunState::Stopped => false,
        RunState::Worker(RunStatus::Exhausted(_)) => true,
        RunState::Worker(_) | RunState::Lost => return,
    };
    if trace.revision != revision {
        return;
    }
    trace.state = RunState::Worker(RunStatus::Running);
    model.worker.stopping = false;
    effects.push(Effect::Cancel(Timer::Stop));
    effects.push(Effect::Start(Timer::Slow, PATIENCE));
    if extends {
        model.worker.in_flight.push_back(Sent::Advance(revision));
        effects.push(Effect::Send(Request::Extend { revision }));
    } else if !model.worker.awaits(|sent| matches!(sent, Sent::Advance(_))) {
        advance(model, effects);
    }
}

/// Shows a position, or the nearest there is. It is the reader's move, so what goes by itself pauses.
pub(super) fn show(model: &mut Model, position: u32, effects: &mut Vec<Effect>) {
    super::stepping::pause(model, effects);
    move_to(model, position, None, effects);
}

/// Goes to a position, coming from a stop by one move or from anywhere.
pub(super) fn move_to(
    model: &mut Model,
    position: u32,
    from: Option<u32>,
    effects: &mut Vec<Effect>,
) {
    if !model.can_step() {
        return;
    }
    model.stepping.note = None;
    if let Some(trace) = &mut model.trace {
        let position = position.min(trace.steps);
        if position != trace.position {
            (trace.position, trace.from) = (position, from);
        }
        trace.follow = true;
    }
    super::page::chip_closed(model, effects);
    super::reading::close(model, effects);
    ask(model, effects);
}

/// Asks for the view that is wanted, unless it is there or another one is awaited: while the slider is
/// dragged, only the newest position is asked for.
pub(super) fn ask(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(trace) = &mut model.trace else {
        return;
    };
    // While a run has not come to the step of a link, its beginning is on the screen: nobody waits for a step that may never be.
    let another = trace
        .shown
        .as_ref()
        .is_none_or(|shown| shown.revision != trace.revision);
    let position = match model.travel.linked && another {
        true => trace.position.min(trace.steps),
        false => trace.position,
    };
    let show = Show {
        revision: trace.revision,
        position,
        from: trace.from,
        level: model.stepping.level,
        width: model.columns,
        toggled: model.reading.toggled.to_vec(),
        compare: model.reading.compare,
        ahead: model.showing.speaker,
    };
    let growing = trace.state == RunState::Worker(RunStatus::Running);
    // What a check finds out decides which trace the worker holds.
    let awaited = model
        .worker
        .awaits(|sent| matches!(sent, Sent::Show(_) | Sent::Load(_)));
    if awaited
        || trace.revision != model.worker.holds
        || (trace.shown.as_ref() == Some(&show) && (growing || trace.known == trace.steps))
        || show.position > trace.steps
        || trace.state == RunState::Lost
    {
        return;
    }
    trace.known = trace.steps;
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
        super::search::find_all(model);
    }
}

/// A view is there.
pub(super) fn shown(model: &mut Model, key: Show, view: StepView, effects: &mut Vec<Effect>) {
    let Some(trace) = &mut model.trace else {
        return;
    };
    if view.revision != trace.revision {
        return;
    }
    let moved = trace
        .shown
        .as_ref()
        .is_none_or(|shown| (shown.revision, shown.position) != (key.revision, key.position));
    let scene = trace
        .view
        .as_ref()
        .and_then(|before| animation::scene(before, &view, &key));
    // While the slider is dragged another view is wanted already: this one is drawn, and nothing more is done for it.
    let passing = trace.position != key.position;
    trace.shown = Some(key);
    // In a text that has changed since, the place would be another one.
    let current =
        model.check.phase == CheckPhase::Checked && trace.revision == model.program.revision;
    // Numbers of tensors are those of a view.
    model.alike = 0;
    let mark = Effect::Mark {
        range: view.source.filter(|_| current),
        ran: view.ran.filter(|_| current),
        reveal: current && moved && trace.follow,
    };
    trace.view = Some(Shared::new(view));
    super::heap::shown(model);
    if moved && !passing {
        effects.push(Effect::RevealRedex);
        effects.push(Effect::Move(scene));
        effects.push(Effect::Start(Timer::Announce, PAUSE));
    }
    // After what looks where things are: the editor moves them, and the browser would lay the page out once more.
    if !passing {
        effects.push(mark);
    }
    super::stepping::drawn(model, effects);
}

pub(super) fn measured(model: &mut Model, columns: u32, effects: &mut Vec<Effect>) {
    if columns == model.columns {
        return;
    }
    model.columns = columns;
    effects.push(Effect::Start(
        Timer::Resize,
        if model.trace.is_some() { DEBOUNCE } else { 0 },
    ));
}

/// Tells a screen reader the step: where, what happens until the next stop, and what it works on.
pub(super) fn announce(model: &mut Model) {
    let Some((trace, view)) = model
        .trace
        .as_ref()
        .and_then(|trace| Some((trace, trace.view.as_ref()?)))
    else {
        return;
    };
    let read = |piece: &Piece| {
        piece
            .chip
            .as_ref()
            .map_or_else(|| piece.text.clone(), Chip::words)
    };
    let sentence: String = view.sentence.iter().map(read).collect();
    let redex: String = view
        .lines
        .iter()
        .flat_map(|line| &line.pieces)
        .filter(|piece| piece.mark == Mark::Redex)
        .map(read)
        .collect();
    let mut text = texts::transport::step_of(view.position, trace.steps, &sentence);
    if !redex.is_empty() {
        let short: String = redex.chars().take(SPOKEN).collect();
        let rest = if short.len() < redex.len() {
            texts::transport::AND_SO_ON
        } else {
            ""
        };
        text.push_str(&texts::transport::redex(&short, rest));
    }
    model.announcement = text.into();
}
