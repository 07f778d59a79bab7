//! The trace: requesting its steps slice by slice, and moving along it.

use crate::animation;
use crate::diagram;
use crate::editor::CheckPhase;
use crate::editor::update::PATIENCE;
use crate::effects::{Effect, Timer};
use crate::model::{Model, Shared, WorkerId};
use crate::steps::place::Place;
use crate::steps::run::{RunState, Shown, Trace};
use crate::update::ask::send;
use crate::update::worker::rest;
use fletch_playground::protocol::{
    Advanced, Ask, Chip, Index, Mark, Piece, RunStatus, Show, StepView,
};

/// Time that the worker computes before it replies, in milliseconds, so that it can take a stop or a position in between.
const SLICE: u32 = 25;
/// Time for which the width of the pane must not change before the command is laid out again, in milliseconds.
const DEBOUNCE: u32 = 120;
/// Time for which stepping must pause before the sentence is read aloud, in milliseconds.
const PAUSE: u32 = 350;
/// Length of a redex that is read aloud, in characters.
const SPOKEN: usize = 120;

/// Requests the next slice of steps.
fn advance(model: &mut Model, effects: &mut Vec<Effect>) {
    let revision = model.worker.holds;
    let milliseconds = SLICE;
    let ask = Ask::Advance { milliseconds };
    send(model, WorkerId::Steps, revision, ask, effects);
}

/// Continues the run that the worker holds, unless all of it is known. While the text has errors, that is the run of an earlier
/// text.
pub(crate) fn resume(model: &mut Model, effects: &mut Vec<Effect>) {
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

/// Withdraws the run when the text has nothing to run. The position of the reader is kept for a text that runs again.
pub(crate) fn withdraw(model: &mut Model, effects: &mut Vec<Effect>) {
    model.worker.holds = 0;
    let Some(trace) = model.trace.take() else {
        return;
    };
    model.stepping.left = trace.position;
    crate::steps::update::pause(model, effects);
    crate::update::page::chip_closed(model, effects);
    crate::steps::update::reading::close(model, effects);
    model.words.why = None;
    effects.push(Effect::Mark {
        range: None,
        ran: None,
        reveal: false,
    });
}

/// Stores the number of steps known, and requests the next slice if `go_on` is true. The caller passes false while the text is
/// newer than the run.
pub(crate) fn advanced(
    model: &mut Model,
    revision: u32,
    advanced: Advanced,
    go_on: bool,
    effects: &mut Vec<Effect>,
) {
    if revision != model.worker.holds {
        return;
    }
    let before = model.trace.take();
    let same = before.as_ref().filter(|trace| trace.revision == revision);
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
        revision,
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
        send(model, WorkerId::Steps, revision, Ask::Index, effects);
    } else {
        // The first view goes before the next slice.
        ask(model, effects);
        if go_on {
            advance(model, effects);
        }
    }
}

/// Marks the run as stopped, since the worker cannot continue it.
pub(crate) fn not_advanced(model: &mut Model, revision: u32) {
    if let Some(trace) = &mut model.trace
        && trace.revision == revision
        && trace.state == RunState::Worker(RunStatus::Running)
    {
        trace.state = RunState::Stopped;
    }
}

/// Stops the run at the reader's request. The page does not wait for the current slice: its steps arrive later.
pub(crate) fn stopped(model: &mut Model, effects: &mut Vec<Effect>) {
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
        // Gives up a view that takes long.
        (trace.position, trace.from) = (shown.show.position, shown.show.from);
    }
    model.worker.slow = false;
    effects.push(Effect::Cancel(Timer::Slow));
    crate::steps::update::pause(model, effects);
}

/// Continues a run that was stopped or has used up its budget.
pub(crate) fn go_on(model: &mut Model, effects: &mut Vec<Effect>) {
    let revision = model.worker.holds;
    let Some(trace) = &mut model.trace else {
        return;
    };
    let extends = match trace.state {
        RunState::Stopped => false,
        // A lesson holds the run until its question is answered.
        RunState::Worker(RunStatus::Exhausted(_)) if model.worker.hold.is_some() => return,
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
        send(model, WorkerId::Steps, revision, Ask::Extend, effects);
    } else if !model
        .worker
        .awaits(|ask| matches!(ask, Ask::Advance { .. } | Ask::Extend))
    {
        advance(model, effects);
    }
}

/// Shows a position, or the nearest known one. Playing pauses, since the reader made the move.
pub(crate) fn show(model: &mut Model, position: u32, effects: &mut Vec<Effect>) {
    crate::steps::update::pause(model, effects);
    move_to(model, position, None, effects);
}

/// Goes to a position. `from` is the stop that one move led from, `None` for any other change of position.
pub(crate) fn move_to(
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
    crate::update::page::chip_closed(model, effects);
    crate::steps::update::reading::close(model, effects);
    ask(model, effects);
}

/// Requests the view of the current position, unless it is shown or another view is awaited. While the slider is dragged, only the
/// newest position is requested.
pub(crate) fn ask(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(trace) = &mut model.trace else {
        return;
    };
    // Until the run reaches the step of a link or of a reloaded page, its last known position is shown: the step may not exist.
    let another = trace
        .shown
        .as_ref()
        .is_none_or(|shown| shown.revision != trace.revision);
    let empty = trace.view.is_none();
    let position = match (model.travel.linked || empty) && another {
        true => trace.position.min(trace.steps),
        false => trace.position,
    };
    let revision = trace.revision;
    let show = Show {
        position,
        from: trace.from,
        level: model.stepping.level,
        width: model.columns,
        toggled: model.reading.toggled.to_vec(),
        compare: model.reading.compare,
        ahead: model.showing.speaker,
    };
    let growing = trace.state == RunState::Worker(RunStatus::Running);
    // The outcome of a check decides which trace the worker holds.
    let awaited = model
        .worker
        .awaits(|ask| matches!(ask, Ask::Show(_) | Ask::Load { .. }));
    let is_there = |shown: &Shown| (shown.revision, &shown.show) == (revision, &show);
    if awaited
        || trace.revision != model.worker.holds
        || (trace.shown.as_ref().is_some_and(is_there) && (growing || trace.known == trace.steps))
        || show.position > trace.steps
        || trace.state == RunState::Lost
    {
        return;
    }
    trace.known = trace.steps;
    if model.worker.in_flight.is_empty() {
        effects.push(Effect::Start(Timer::Slow, 2 * PATIENCE));
    }
    send(model, WorkerId::Steps, revision, Ask::Show(show), effects);
}

/// Stores the bookmark of the reader, for a page that is reloaded.
#[inline(never)] // A start does without it.
pub(crate) fn keep_place(model: &Model, effects: &mut Vec<Effect>) {
    effects.extend(Place::of(model).map(Effect::Place));
}

/// Stores the index of the run.
pub(crate) fn indexed(model: &mut Model, revision: u32, index: Index) {
    if let Some(trace) = &mut model.trace
        && trace.revision == revision
    {
        trace.index = Shared::new(index);
        crate::steps::update::search::find_all(model);
    }
}

/// Shows a view that the worker has sent.
pub(crate) fn shown(
    model: &mut Model,
    revision: u32,
    show: Show,
    view: StepView,
    effects: &mut Vec<Effect>,
) {
    let Some(trace) = &mut model.trace else {
        return;
    };
    if revision != trace.revision {
        return;
    }
    let moved = trace
        .shown
        .as_ref()
        .is_none_or(|shown| (shown.revision, shown.show.position) != (revision, show.position));
    // A new layout may have moved the redex out of sight, also in the editor.
    let wider =
        |shown: &Shown| shown.show.width != show.width || shown.show.compare != show.compare;
    let laid = moved || trace.shown.as_ref().is_some_and(wider);
    // A page starts at the beginning of a run, so no bookmark is needed there.
    let began =
        show.position == 0 && (trace.shown.as_ref()).is_none_or(|shown| shown.revision != revision);
    let scene = trace
        .view
        .as_ref()
        .zip(trace.shown.as_ref())
        .filter(|(_, shown)| shown.revision == revision)
        .and_then(|(before, _)| animation::scene(before, &view, &show));
    // While the slider is dragged, a newer view is already needed: this one is drawn without scrolling, animation or announcement.
    let passing = trace.position != show.position;
    trace.shown = Some(Shown { revision, show });
    // Spans refer to the checked text, so they are wrong once it has changed.
    let current =
        model.check.phase == CheckPhase::Checked && trace.revision == model.program.revision;
    // The numbers of tensors are valid within one view.
    model.alike = 0;
    let mark = Effect::Mark {
        range: view.source.filter(|_| current),
        ran: view.ran.filter(|_| current),
        reveal: current && laid && trace.follow,
    };
    trace.view = Some(Shared::new(view));
    crate::steps::update::heap::shown(model);
    if laid && !passing {
        effects.push(Effect::RevealRedex);
    }
    if moved && !passing {
        effects.push(Effect::Move(scene));
        effects.push(Effect::Start(Timer::Announce, PAUSE));
    }
    if moved && !passing && current && !began {
        keep_place(model, effects);
    }
    // Comes after the effects that measure positions on the page: marking changes the editor, which would force another layout.
    if !passing {
        effects.push(mark);
    }
    crate::steps::update::drawn(model, effects);
    if moved {
        diagram::update::reveal(model);
    }
}

pub(crate) fn measured(model: &mut Model, columns: u32, effects: &mut Vec<Effect>) {
    if columns == model.columns {
        return;
    }
    model.columns = columns;
    effects.push(Effect::Start(
        Timer::Resize,
        if model.trace.is_some() { DEBOUNCE } else { 0 },
    ));
}

/// Announces the step to a screen reader: its number, what happens until the next stop, and the redex.
pub(crate) fn announce(model: &mut Model) {
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
    let stops = trace.stops(model.stepping.level);
    let mut text = format!(
        "Step {number} of {count}. {sentence}",
        number = stops.number(view.position),
        count = stops.count()
    );
    if !redex.is_empty() {
        let short: String = redex.chars().take(SPOKEN).collect();
        let rest = if short.len() < redex.len() {
            " and so on"
        } else {
            ""
        };
        text.push_str(&format!(" Redex: {short}{rest}."));
    }
    model.announcement = text.into();
}
