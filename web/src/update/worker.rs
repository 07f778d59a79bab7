//! The workers: their answers, one for each request and in order, and the handling of missing answers.

use crate::editor::CheckPhase;
use crate::editor::update as program;
use crate::editor::update::assist;
use crate::effects::{Effect, Timer};
use crate::model::{Health, Model, Worker, WorkerId};
use crate::share::update as travel;
use crate::steps::run::RunState;
use crate::steps::update::{heap, reading, search, trace, words};
use crate::update::{self, ask};
use fletch_playground::protocol::{Answer, Ask, Question, Reply, Request};
use std::rc::Rc;

/// Time that the worker may take to start, in milliseconds.
pub(crate) const START: u32 = 20_000;
/// Time in milliseconds that the worker may take to answer after a request to stop a run. The page shows the run as
/// stopped meanwhile.
const GRACE: u32 = 1_000;
/// Time in milliseconds that it may take to end a check after a request to stop: a reader who stops a check wants the page back.
const HASTE: u32 = 150;

pub(crate) fn ready(model: &mut Model, id: WorkerId, effects: &mut Vec<Effect>) {
    model.worker_of(id).health = Health::Ready;
    if id == WorkerId::Figures {
        return;
    }
    effects.push(Effect::Cancel(Timer::Start));
    if !model.worker.in_flight.is_empty() {
        effects.push(Effect::Start(Timer::Slow, program::PATIENCE));
    }
}

pub(crate) fn replied(model: &mut Model, id: WorkerId, reply: Reply, effects: &mut Vec<Effect>) {
    let Some(request) = model.worker_of(id).in_flight.pop_front() else {
        return;
    };
    match id {
        WorkerId::Figures => update::replied(model, &request, reply, effects),
        WorkerId::Steps => {
            of_steps(model, &request, reply, effects);
            trace::ask(model, effects);
            search::ask(model, effects);
            if model.worker.in_flight.is_empty() {
                rest(model, effects);
            }
        }
    }
}

fn of_steps(model: &mut Model, request: &Rc<Request>, reply: Reply, effects: &mut Vec<Effect>) {
    let newer_text = model.check.phase == CheckPhase::Edited;
    let revision = request.revision;
    match (&request.ask, reply) {
        (Ask::Load { .. }, Reply::Checked(checked)) => {
            program::checked(model, revision, checked, effects);
        }
        (Ask::Offer, Reply::Offered(offer)) => program::offered(model, revision, offer),
        (Ask::Advance { .. } | Ask::Extend, Reply::Advanced(advanced)) => {
            trace::advanced(model, revision, advanced, !newer_text, effects);
        }
        (Ask::Advance { .. } | Ask::Extend, Reply::Outdated) => {
            trace::not_advanced(model, revision)
        }
        (Ask::Show(show), Reply::Shown(view)) => {
            trace::shown(model, revision, show.clone(), *view, effects);
            words::ask(model, effects);
        }
        (Ask::Why { position }, Reply::Why(why)) => {
            words::answered(model, *position, why.map(|why| *why));
        }
        (Ask::Copy(_), Reply::Copied(text)) => words::exported(model, text, effects),
        (Ask::Index, Reply::Indexed(index)) => trace::indexed(model, revision, *index),
        (Ask::Timeline, Reply::Timeline(timeline)) => {
            model.diagram.run.timeline = Some((revision, Rc::new(*timeline)));
        }
        (Ask::Search(asked), Reply::Found(found)) => {
            search::found(model, (revision, asked.clone()), found, effects);
        }
        (Ask::Inspect { node }, Reply::Inspected(inspection)) => {
            reading::inspected(model, *node, inspection);
        }
        (Ask::Entries { chip }, Reply::Entries(Some(entries))) => heap::came(model, *chip, entries),
        (
            Ask::Question {
                question: Question::Format,
                source,
            },
            Reply::Answered(Answer::Format(edits)),
        ) => assist::formatted(model, source, edits, effects),
        (
            Ask::Question {
                question: Question::Insert { .. },
                source,
            },
            Reply::Answered(Answer::Insert(made)),
        ) => assist::inserted(model, source, made, effects),
        (Ask::Question { .. }, Reply::Answered(answer)) => {
            effects.push(Effect::Answer(revision, Some(Rc::new(answer))));
        }
        // Any other answer is to a request about a program that is no longer loaded.
        _ => {}
    }
}

/// Resets the state of a busy worker that has no long work left.
pub(crate) fn rest(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.worker.stopping {
        effects.push(Effect::Cancel(Timer::Stop));
    }
    effects.push(Effect::Cancel(Timer::Slow));
    model.worker.slow = false;
    model.worker.stopping = false;
}

pub(crate) fn stop(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.worker.in_flight.is_empty() {
        return;
    }
    model.worker.stopping = true;
    if model.worker.awaits(|ask| matches!(ask, Ask::Load { .. })) {
        effects.push(Effect::Start(Timer::Stop, HASTE));
        return;
    }
    effects.push(Effect::Start(Timer::Stop, GRACE));
    trace::stopped(model, effects);
}

/// Replaces a worker that does not stop by a new one. The displayed view stays.
pub(crate) fn abandon(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.worker.in_flight.is_empty() {
        return;
    }
    lose(model, effects);
    model.worker.health = Health::Starting;
    effects.extend([
        Effect::StartWorker(WorkerId::Steps),
        Effect::Start(Timer::Start, START),
    ]);
}

pub(crate) fn failed(model: &mut Model, id: WorkerId, why: Rc<str>, effects: &mut Vec<Effect>) {
    if id == WorkerId::Figures {
        travel::not_exported(model, &why);
        ask::lose(model);
        let health = Health::Failed(why);
        model.second = Worker {
            health,
            ..Worker::default()
        };
        return;
    }
    lose(model, effects);
    model.worker.health = Health::Failed(why);
    effects.extend([
        Effect::Cancel(Timer::Start),
        Effect::Cancel(Timer::Stop),
        Effect::Cancel(Timer::Slow),
    ]);
}

/// Starts the worker again if it failed, and checks the text.
pub(crate) fn retry(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Health::Failed(_) = model.worker.health {
        model.worker.health = Health::Starting;
        effects.extend([
            Effect::StartWorker(WorkerId::Steps),
            Effect::Start(Timer::Start, START),
        ]);
    }
    program::load(model, effects);
}

fn lose(model: &mut Model, effects: &mut Vec<Effect>) {
    model.worker.files = Rc::new([]);
    model.worker.sample = None;
    model.worker.hold = None;
    for request in model.worker.in_flight.drain(..) {
        match &request.ask {
            Ask::Question {
                question: Question::Format | Question::Insert { .. },
                ..
            } => {}
            Ask::Question { .. } => effects.push(Effect::Answer(request.revision, None)),
            _ => {}
        }
    }
    model.asked.forget(&Ask::Timeline);
    crate::steps::update::pause(model, effects);
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
