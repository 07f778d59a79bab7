//! The worker: its answers, which come one for each request and in order, and what to do when none comes.

use super::{assist, figures, heap, program, reading, search, trace, words};
use crate::effects::{Effect, Timer};
use crate::model::{CheckPhase, Health, Model, RunState, Sent};
use fletch_playground::protocol::{Answer, Reply};
use std::rc::Rc;

/// How long the worker may take to start.
pub(super) const START: u32 = 20_000;
/// How long the worker may take to answer once it was asked to stop a run, which the page has told by then.
const GRACE: u32 = 1_000;
/// How long it may take to end a check once it was asked to stop: a reader who asks wants the page back.
const HASTE: u32 = 150;

pub(super) fn ready(model: &mut Model, effects: &mut Vec<Effect>) {
    model.worker.health = Health::Ready;
    effects.push(Effect::Cancel(Timer::Start));
    if !model.worker.in_flight.is_empty() {
        effects.push(Effect::Start(Timer::Slow, program::PATIENCE));
    }
}

pub(super) fn replied(model: &mut Model, reply: Reply, effects: &mut Vec<Effect>) {
    let Some(sent) = model.worker.in_flight.pop_front() else {
        return;
    };
    let newer_text = model.check.phase == CheckPhase::Edited;
    match (sent, reply) {
        (Sent::Load(_), Reply::Checked(checked)) => program::checked(model, checked, effects),
        (Sent::Advance(_), Reply::Advanced(advanced)) => {
            trace::advanced(model, advanced, !newer_text, effects)
        }
        (Sent::Advance(revision), Reply::Outdated) => trace::not_advanced(model, revision),
        (Sent::Show(key), Reply::Shown(view)) => {
            trace::shown(model, key, *view, effects);
            words::ask(model, effects);
        }
        (Sent::Why(position), Reply::Why(why)) => {
            words::answered(model, position, why.map(|why| *why))
        }
        (Sent::Export, Reply::Exported(text)) => words::exported(model, text, effects),
        (Sent::Index(_), Reply::Indexed(index)) => trace::indexed(model, *index),
        (Sent::Timeline, Reply::Timeline(timeline)) => figures::follow(model, *timeline, effects),
        (Sent::Search, Reply::Found(found)) => search::found(model, found, effects),
        (Sent::Inspect(node), Reply::Inspected(inspection)) => {
            reading::inspected(model, node, inspection)
        }
        (Sent::Entries(_), Reply::Entries(Some(entries))) => heap::came(model, entries),
        (Sent::Ask(number), Reply::Answered(answer)) => assist::answered(number, answer, effects),
        (Sent::Ask(number), _) => effects.push(Effect::Answer(number, None)),
        (Sent::Format(text), Reply::Answered(Answer::Format(edits))) => {
            assist::formatted(model, &text, edits, effects)
        }
        _ => {}
    }
    trace::ask(model, effects);
    search::ask(model, effects);
    if model.worker.in_flight.is_empty() {
        rest(model, effects);
    }
}

/// The worker has nothing long to do any more.
pub(super) fn rest(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.worker.stopping {
        effects.push(Effect::Cancel(Timer::Stop));
    }
    effects.push(Effect::Cancel(Timer::Slow));
    model.worker.slow = false;
    model.worker.stopping = false;
}

pub(super) fn stop(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.worker.in_flight.is_empty() {
        return;
    }
    model.worker.stopping = true;
    if model.worker.awaits(|sent| matches!(sent, Sent::Load(_))) {
        effects.push(Effect::Start(Timer::Stop, HASTE));
        return;
    }
    effects.push(Effect::Start(Timer::Stop, GRACE));
    trace::stopped(model, effects);
}

/// The worker does not stop: it is ended, and another one takes its place. The view on the screen stays.
pub(super) fn abandon(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.worker.in_flight.is_empty() {
        return;
    }
    lose(model, effects);
    model.worker.health = Health::Starting;
    effects.extend([Effect::RestartWorker, Effect::Start(Timer::Start, START)]);
}

pub(super) fn failed(model: &mut Model, why: Rc<str>, effects: &mut Vec<Effect>) {
    lose(model, effects);
    model.worker.health = Health::Failed(why);
    effects.extend([
        Effect::Cancel(Timer::Start),
        Effect::Cancel(Timer::Stop),
        Effect::Cancel(Timer::Slow),
    ]);
}

/// Starts the worker again if it is gone, and checks the text anew.
pub(super) fn retry(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Health::Failed(_) = model.worker.health {
        model.worker.health = Health::Starting;
        effects.extend([Effect::RestartWorker, Effect::Start(Timer::Start, START)]);
    }
    program::load(model, effects);
}

fn lose(model: &mut Model, effects: &mut Vec<Effect>) {
    model.worker.files = Rc::new([]);
    model.worker.sample = None;
    for sent in model.worker.in_flight.drain(..) {
        if let Sent::Ask(number) = sent {
            effects.push(Effect::Answer(number, None));
        }
    }
    super::stepping::pause(model, effects);
    model.worker.holds = 0;
    model.worker.slow = false;
    model.worker.stopping = false;
    if model.check.phase == CheckPhase::Checking {
        model.check.phase = CheckPhase::Stopped;
    }
    if let Some(trace) = &mut model.trace {
        trace.state = RunState::Lost;
    }
}
