//! Updates of the gradient check, which advances slice by slice, and of the heap, which is saved, loaded, kept with the draft, and
//! passed to the steps.

use super::{sampled, waits};
use crate::effects::{Effect, File, Timer};
use crate::model::{Model, Shared, WorkerId};
use crate::train::SLICE;
use crate::train::check::{CarryMsg, CheckMsg};
use crate::update::ask::send;
use fletch_playground::Sample;
use fletch_playground::protocol::{
    Ask, Carried, Carry, CheckedGradient, Checking, Differences, EditorDiagnostic,
};
use std::rc::Rc;

/// Maximum size of a heap that is kept with the draft, in bytes of its text.
const KEPT: u32 = 4 << 20;
/// Interval at which the heap of a running training is kept, in milliseconds.
const OFTEN: u32 = 10_000;

#[inline(never)] // A start does without it.
pub(crate) fn checking(model: &mut Model, msg: CheckMsg, effects: &mut Vec<Effect>) {
    let (first, asked) = (sample(model).saturating_sub(1), model.train.asked);
    let check = &mut model.train.check;
    match msg {
        CheckMsg::Go(false) => check.going = None,
        CheckMsg::Go(true) => {
            let number = |text: &str| {
                let number = text.trim().replace('−', "-").parse::<f64>().ok();
                number.filter(|number| *number > 0.0 && *number < 1.0)
            };
            let stated = number(&check.step).zip(number(&check.tolerance));
            let Some((step, tolerance)) = stated else {
                check.refused = Some(
                    "The step and the tolerance are numbers between 0 and 1, such as 1e-5.".into(),
                );
                return;
            };
            // Without a training there is no gradient to check.
            let Some(revision) = asked else {
                return;
            };
            check.refused = None;
            check.found = None;
            check.going = Some(revision);
            let begin = Differences {
                step,
                tolerance,
                first,
                ..Differences::default()
            };
            ask(model, revision, Some(begin), effects);
        }
        CheckMsg::Step(text) => check.step = text,
        CheckMsg::Tolerance(text) => check.tolerance = text,
    }
}

fn ask(model: &mut Model, revision: u32, begin: Option<Differences>, effects: &mut Vec<Effect>) {
    let milliseconds = SLICE;
    let ask = Ask::Check(Checking {
        begin,
        milliseconds,
    });
    send(model, WorkerId::Figures, revision, ask, effects);
}

pub(crate) fn checked(
    model: &mut Model,
    revision: u32,
    found: Result<CheckedGradient, EditorDiagnostic>,
    effects: &mut Vec<Effect>,
) {
    let check = &mut model.train.check;
    if check.going != Some(revision) {
        return;
    }
    match found {
        Ok(found) => {
            let over = found.done >= 1.0;
            check.found = Some((revision, Shared::new(found)));
            if over {
                check.going = None;
            } else {
                ask(model, revision, None, effects);
            }
        }
        Err(why) => {
            check.going = None;
            check.refused = Some(why.message.into());
        }
    }
}

/// Number of the selected sample, from 1.
fn sample(model: &Model) -> u32 {
    let trained = model.train.trained.as_ref();
    let most = trained.map_or(1, |trained| trained.samples).max(1);
    model.train.carrying.sample.clamp(1, most)
}

fn carry(model: &mut Model, what: Carry, effects: &mut Vec<Effect>) {
    if let Some(revision) = model.train.asked {
        send(
            model,
            WorkerId::Figures,
            revision,
            Ask::Carry(what),
            effects,
        );
    }
}

#[inline(never)] // A start does without it.
pub(crate) fn carry_by(model: &mut Model, msg: CarryMsg, effects: &mut Vec<Effect>) {
    match msg {
        CarryMsg::Save => carry(model, Carry::Save, effects),
        CarryMsg::Chosen(name, Some(bytes)) => {
            model.train.carrying.file = name.clone();
            model.train.going = false;
            carry(
                model,
                Carry::Load(name.to_string(), bytes.to_vec()),
                effects,
            );
        }
        CarryMsg::Chosen(_, None) => {
            let why = format!(
                "The heap stays as it was: {why}.",
                why = "a heap of at most 64 MB is read"
            );
            model.train.carrying.said = Some((true, why.into()));
        }
        CarryMsg::Sample(text) => {
            model.train.carrying.sample = text.trim().parse().unwrap_or(1);
            model.train.carrying.sample = sample(model);
        }
        CarryMsg::Step => {
            model.train.going = false;
            carry(model, Carry::Start, effects);
        }
        CarryMsg::Due => {
            model.train.carrying.timed = false;
            keep(model, effects);
        }
        CarryMsg::Leave => keep(model, effects),
    }
}

/// Forgets the kept heap after a reset of the training.
pub(super) fn reset(model: &mut Model, effects: &mut Vec<Effect>) {
    model.train.carrying.said = None;
    model.train.carrying.at = None;
    sampled::keep(model, "", effects);
}

/// Keeps the current heaps of the trainings with the draft.
fn keep_now(model: &mut Model, effects: &mut Vec<Effect>) {
    let given = model.train.given.iter();
    let given = given.map(|(from, numbers)| (*from, numbers.to_string()));
    let what = Carry::Keep(KEPT, given.collect());
    carry(model, what, effects);
}

/// Keeps the heap of a running training, unless it is kept already.
fn keep(model: &mut Model, effects: &mut Vec<Effect>) {
    let trained = model.train.trained.as_ref();
    let (Some(trained), Some(revision)) = (trained, model.train.asked) else {
        return;
    };
    let at = (revision, trained.steps);
    let whole = trained.stopped.is_none() && model.train.carrying.kept.is_none();
    if model.train.going && whole && trained.steps > 0 && model.train.carrying.at != Some(at) {
        model.train.carrying.at = Some(at);
        keep_now(model, effects);
    }
}

/// Restores the kept heap once its training has started, and keeps the heap of a training at intervals and when it rests.
pub(super) fn drive(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.is_ahead() {
        return;
    }
    let kept = sampled::kept(model);
    let current = model.subject.as_ref().map(|subject| subject.revision);
    let train = &mut model.train;
    if train.carrying.known != kept {
        train.carrying.known = kept.clone();
        train.carrying.kept = (!kept.is_empty()).then_some(kept);
    }
    let (Some(trained), Some(revision)) = (&train.trained, train.asked) else {
        return;
    };
    if Some(revision) != current {
        return;
    }
    if train.going && !train.carrying.timed {
        train.carrying.timed = true;
        effects.push(Effect::Start(Timer::Keep, OFTEN));
    }
    let at = (revision, trained.steps);
    let whole = trained.steps > 0 && trained.stopped.is_none();
    if train.going || waits(model) > 0 {
        return;
    }
    let carrying = &mut model.train.carrying;
    if let Some(text) = carrying.kept.take() {
        let text = String::from_utf8_lossy(&text).into_owned();
        carry(model, Carry::Restore(text), effects);
    } else if whole && carrying.at != Some(at) {
        carrying.at = Some(at);
        carrying.said = None;
        keep_now(model, effects);
    }
}

/// Handles a reply about the heap.
pub(crate) fn carried(
    model: &mut Model,
    revision: u32,
    carried: Carried,
    effects: &mut Vec<Effect>,
) {
    if model.train.asked != Some(revision) {
        return;
    }
    match carried {
        Carried::Saved(bytes) => {
            let data = model.train.trained.as_ref();
            let data = data.map_or("heap", |trained| trained.data.as_str());
            effects.push(Effect::Save(File {
                name: format!("{data}.safetensors").into(),
                kind: "application/octet-stream",
                bytes: bytes.into(),
            }));
        }
        Carried::Kept(Some(text)) => sampled::keep(model, &text, effects),
        Carried::Kept(None) => {
            model.train.carrying.said = Some((false, "This heap is too large to be kept with the program (more than 4 MB): save it as a file.".into()));
            sampled::keep(model, "", effects);
        }
        Carried::Started(heap, item) => {
            let step = sample(model).saturating_sub(1);
            let Some(trained) = &model.train.trained else {
                return;
            };
            let data = trained.data.clone();
            let epoch = trained.past.unwrap_or(trained.epochs);
            sampled::step(model, Sample { item, step }, (&data, epoch), heap, effects);
        }
        Carried::Loaded(missing, trained) => {
            let file = std::mem::take(&mut model.train.carrying.file);
            let mut said = match file.is_empty() {
                true => "The heap is the one that was trained here before, kept with this program. Reset goes back to the program's.".to_owned(),
                false => format!("The heap is that of {name}. Reset goes back to the program's.", name = file),
            };
            if !missing.is_empty() {
                said.push_str(&format!(
                    " It does not name {names}, so the program's contents stay there.",
                    names = missing.join(", ")
                ));
            }
            model.train.carrying.said = Some((false, said.into()));
            model.train.carrying.at = Some((revision, trained.steps));
            model.train.clear();
            model.train.given = Default::default();
            super::take(&mut model.train, *trained, 0);
            if !file.is_empty() {
                keep_now(model, effects);
            }
        }
        Carried::Resumed(given, trained) => {
            let epoch = trained.epochs;
            let said = format!(
                "The training goes on where it was left, after epoch {epoch}. Reset goes back to its beginning."
            );
            model.train.carrying.said = Some((false, said.into()));
            model.train.carrying.at = Some((revision, trained.steps));
            model.train.clear();
            let given = given.into_iter();
            let given = given.map(|(from, numbers)| (from, numbers.into()));
            model.train.given = Rc::new(given.collect());
            super::take(&mut model.train, *trained, 0);
        }
        Carried::Refused(why) => {
            let file = std::mem::take(&mut model.train.carrying.file);
            let said = match file.is_empty() {
                true => format!(
                    "The heap that was trained before does not fit the program any more: {why}."
                ),
                false => format!("The heap stays as it was: {why}."),
            };
            model.train.carrying.said = Some((true, said.into()));
        }
    }
}
