//! Requests: each is sent to a worker, which answers them in order. Everything that panes need is requested here, and nowhere else.

use crate::drafts::DataFile;
use crate::editor::CheckPhase;
use crate::effects::Effect;
use crate::model::{Health, Model, Subject, WorkerId};
use crate::update;
use crate::{compare, diagram, train};
use fletch_playground::protocol::{Ask, Request};
use std::rc::Rc;

/// Sends a request. Returns `None` if the worker has failed: it would not answer, and its successor would answer another request.
pub(crate) fn send(
    model: &mut Model,
    to: WorkerId,
    revision: u32,
    ask: Ask,
    effects: &mut Vec<Effect>,
) -> Option<Rc<Request>> {
    let worker = model.worker_of(to);
    if !worker.lives() {
        return None;
    }
    let request = Rc::new(Request { revision, ask });
    worker.in_flight.push_back(Rc::clone(&request));
    effects.push(Effect::Send(to, Rc::clone(&request)));
    Some(request)
}

/// Sends a worker the files, the training sample and the held step of the program, unless it has them.
pub(crate) fn prepare(model: &mut Model, to: WorkerId, effects: &mut Vec<Effect>) {
    let files = model.program.files.clone();
    if model.worker_of(to).files != files {
        let all = files.iter().map(DataFile::input).collect();
        model.worker_of(to).files = files;
        send(model, to, 0, Ask::Files(all), effects);
    }
    let sample = model.sampled.as_ref().map(|sampled| sampled.sample);
    if model.worker_of(to).sample != sample {
        model.worker_of(to).sample = sample;
        send(model, to, 0, Ask::Sample(sample), effects);
    }
    let hold = model.held().map(|(_, place)| place);
    if model.worker_of(to).hold != hold {
        model.worker_of(to).hold = hold;
        send(model, to, 0, Ask::Hold(hold), effects);
    }
}

/// Requests what the page shows and lacks, each thing once.
pub(crate) fn want(model: &mut Model, effects: &mut Vec<Effect>) {
    let wanted = model.compare.step.marks || model.is_tiled();
    if wanted && model.trace.is_some() && model.second.health == Health::Absent {
        // Figures next to the steps need their worker at once.
        start(model, effects);
    }
    // The result of a check decides which trace the worker holds, so requests about steps wait for it.
    let loads = (model.worker).awaits(|ask| matches!(ask, Ask::Load { .. }));
    let steps = diagram::update::wants_of_steps(model).filter(|_| !loads);
    let steps = steps.map(|want| (WorkerId::Steps, model.worker.holds, want));
    let mut wants: Vec<_> = steps.into_iter().collect();
    read(model, effects);
    if let Some(subject) = model.read() {
        let figures = update::wants(model, subject).into_iter();
        wants.extend(figures.map(|want| (WorkerId::Figures, subject.revision, want)));
    }
    for (to, revision, want) in wants {
        if !model.asked.knows(revision, &want)
            && let Some(request) = send(model, to, revision, want.ask, effects)
        {
            model.asked.note(request, want.stamp);
        }
    }
    train::update::drive(model, effects);
}

/// Starts the worker of the figures, unless it is running.
pub(crate) fn start(model: &mut Model, effects: &mut Vec<Effect>) {
    if !model.second.lives() {
        model.second.health = Health::Starting;
        effects.push(Effect::StartWorker(WorkerId::Figures));
    }
}

/// Sends the worker of the figures the newest program that checks; until one does, the newest rejected one.
fn read(model: &mut Model, effects: &mut Vec<Effect>) {
    let is_rejected = model.errors() > 0;
    let none_checked = (model.subject.as_ref()).is_none_or(|subject| subject.is_rejected);
    let reads = model.check.phase == CheckPhase::Checked && (!is_rejected || none_checked);
    let revision = model.program.revision;
    let known = model.subject.as_ref().map(|subject| subject.revision);
    if !model.second.lives() || !reads || known == Some(revision) {
        return;
    }
    let text = model.program.text.clone();
    // With the same text only the run has changed, so its training continues.
    let same = model
        .subject
        .as_ref()
        .is_some_and(|subject| subject.text == text);
    let sample = model.second.sample;
    prepare(model, WorkerId::Figures, effects);
    model.train.keep |= same && model.second.sample != sample;
    let subject = Subject {
        revision,
        text,
        heap: model.heap.edits.clone(),
        mode: model.mode,
        commands: None,
        is_rejected,
    };
    let ask = Ask::Load {
        source: subject.text.to_string(),
        heap: subject.heap.to_vec(),
        mode: subject.mode,
    };
    model.subject = Some(Rc::new(subject));
    compare::update::reload(model);
    send(model, WorkerId::Figures, revision, ask, effects);
}

/// Forgets what the failed worker of the figures computed; the reader's settings stay.
pub(crate) fn lose(model: &mut Model) {
    model.subject = None;
    model.asked.forget_others(&Ask::Timeline);
    if let Some(open) = &mut model.tour.open {
        open.judging = None;
    }
    train::update::lose(&mut model.train);
}
