//! The gradient check, a while at a time; and the heap, saved, loaded, kept with the program, and given to the steps.

use super::Effect;
use crate::figures::check::{CarryMsg, CheckMsg};
use crate::figures::model::Model;
use crate::figures::train::SLICE;
use crate::model::Shared;
use crate::talk::FromFigures;
use crate::texts;
use fletch_playground::Sample;
use fletch_playground::figures::protocol::{
    Carried, Carry, Carrying, CheckedGradient, Checking, Differences, Request,
};
use fletch_playground::protocol::EditorDiagnostic;

/// A heap whose text is longer than this is not kept with the program, in bytes.
const KEPT: u32 = 4 << 20;
/// While it is trained it is kept so often, in milliseconds.
const OFTEN: u32 = 10_000;

pub(super) fn change(model: &mut Model, msg: CheckMsg, effects: &mut Vec<Effect>) {
    let first = sample(model).saturating_sub(1);
    let check = &mut model.check;
    match msg {
        CheckMsg::Go(false) => check.going = None,
        CheckMsg::Go(true) => {
            let number = |text: &str| {
                let number = text.trim().replace('−', "-").parse::<f64>().ok();
                number.filter(|number| *number > 0.0 && *number < 1.0)
            };
            let stated = number(&check.step).zip(number(&check.tolerance));
            let (Some((step, tolerance)), Some(revision)) = (stated, model.train.asked) else {
                check.refused = Some(texts::check::NO_NUMBER.into());
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
            ask(revision, Some(begin), effects);
        }
        CheckMsg::Step(text) => check.step = text,
        CheckMsg::Tolerance(text) => check.tolerance = text,
    }
}

fn ask(revision: u32, begin: Option<Differences>, effects: &mut Vec<Effect>) {
    effects.push(Effect::Send(Request::Check(Checking {
        revision,
        begin,
        milliseconds: SLICE,
    })));
}

pub(super) fn checked(
    model: &mut Model,
    revision: u32,
    found: Result<CheckedGradient, EditorDiagnostic>,
    effects: &mut Vec<Effect>,
) {
    let check = &mut model.check;
    if check.going != Some(revision) {
        return;
    }
    match found {
        Ok(found) => {
            if found.done < 1.0 {
                ask(revision, None, effects);
            } else {
                check.going = None;
            }
            check.found = Some((revision, Shared::new(found)));
        }
        Err(why) => {
            check.going = None;
            check.refused = Some(why.message.into());
        }
    }
}

/// The sample at hand, from 1.
fn sample(model: &Model) -> u32 {
    let trained = model.train.trained.as_ref();
    let most = trained.map_or(1, |trained| trained.samples).max(1);
    model.carrying.sample.clamp(1, most)
}

fn carry(model: &Model, what: Carry, effects: &mut Vec<Effect>) {
    if let Some(revision) = model.train.asked {
        effects.push(Effect::Send(Request::Carry(Carrying { revision, what })));
    }
}

pub(super) fn carry_by(model: &mut Model, msg: CarryMsg, effects: &mut Vec<Effect>) {
    match msg {
        CarryMsg::Save => carry(model, Carry::Save, effects),
        CarryMsg::Chosen(name, Some(bytes)) => {
            model.carrying.file = name.clone();
            model.train.going = false;
            carry(
                model,
                Carry::Load(name.to_string(), bytes.to_vec()),
                effects,
            );
        }
        CarryMsg::Chosen(_, None) => {
            let why = texts::check::not_loaded(texts::check::TOO_LARGE_A_FILE);
            model.carrying.said = Some((true, why.into()));
        }
        CarryMsg::Sample(text) => {
            model.carrying.sample = text.trim().parse().unwrap_or(1);
            model.carrying.sample = sample(model);
        }
        CarryMsg::Step => {
            model.train.going = false;
            carry(model, Carry::Start, effects);
        }
        CarryMsg::Due => {
            model.carrying.timed = false;
            keep(model, effects);
        }
        CarryMsg::Leave => keep(model, effects),
    }
}

/// What was kept with the program in an earlier visit.
pub(super) fn kept(model: &mut Model, text: String) {
    model.carrying.kept = (!text.is_empty()).then(|| text.into());
}

/// The training goes back to where the program starts, and nothing of it is kept.
pub(super) fn reset(model: &mut Model, effects: &mut Vec<Effect>) {
    model.carrying.said = None;
    model.carrying.at = None;
    effects.push(Effect::Tell(FromFigures::Keep(String::new())));
}

/// Keeps what a training that goes on has come to, unless that is known.
fn keep(model: &mut Model, effects: &mut Vec<Effect>) {
    let trained = model.train.trained.as_ref();
    let (Some(trained), Some(revision)) = (trained, model.train.asked) else {
        return;
    };
    let at = (revision, trained.steps);
    let whole = trained.stopped.is_none() && model.carrying.kept.is_none();
    if model.train.going && whole && trained.steps > 0 && model.carrying.at != Some(at) {
        model.carrying.at = Some(at);
        carry(model, Carry::Keep(KEPT), effects);
    }
}

/// Takes what was kept once there is a training for it, and keeps what a training has come to when it rests, and now and then before.
pub(super) fn want(model: &mut Model, effects: &mut Vec<Effect>) {
    let current = model.program.as_ref().map(|program| program.revision);
    let train = &model.train;
    let (Some(trained), Some(revision)) = (&train.trained, train.asked) else {
        return;
    };
    if model.stale || Some(revision) != current {
        return;
    }
    if train.going && !model.carrying.timed {
        model.carrying.timed = true;
        effects.push(Effect::KeepAfter(OFTEN));
    }
    if train.going || train.waits > 0 {
        return;
    }
    let at = (revision, trained.steps);
    if let Some(text) = model.carrying.kept.take() {
        carry(model, Carry::Restore(text.to_string()), effects);
    } else if trained.steps > 0 && trained.stopped.is_none() && model.carrying.at != Some(at) {
        model.carrying.at = Some(at);
        model.carrying.said = None;
        carry(model, Carry::Keep(KEPT), effects);
    }
}

pub(super) fn carried(
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
            effects.push(Effect::Download(
                format!("{data}.safetensors").into(),
                bytes.into(),
            ));
        }
        Carried::Kept(Some(text)) => effects.push(Effect::Tell(FromFigures::Keep(text))),
        Carried::Kept(None) => {
            model.carrying.said = Some((false, texts::check::NOT_KEPT.into()));
            effects.push(Effect::Tell(FromFigures::Keep(String::new())));
        }
        Carried::Started(heap, item) => {
            let sample = sample(model);
            let data = model.train.trained.as_ref();
            effects.push(Effect::Tell(FromFigures::Sample {
                sample: Sample {
                    item,
                    step: sample.saturating_sub(1),
                },
                data: data.map_or_else(String::new, |trained| trained.data.clone()),
                heap,
            }));
        }
        Carried::Loaded(missing, trained) => {
            let file = std::mem::take(&mut model.carrying.file);
            let mut said = match file.is_empty() {
                true => texts::check::RESTORED.to_owned(),
                false => texts::check::loaded(&file),
            };
            if !missing.is_empty() {
                said.push_str(&texts::check::keep_theirs(missing.join(", ")));
            }
            model.carrying.said = Some((false, said.into()));
            model.carrying.at = Some((revision, trained.steps));
            model.train.clear();
            super::training::take(&mut model.train, *trained, 0);
            if !file.is_empty() {
                carry(model, Carry::Keep(KEPT), effects);
            }
        }
        Carried::Refused(why) => {
            let file = std::mem::take(&mut model.carrying.file);
            let said = match file.is_empty() {
                true => texts::check::not_restored(why),
                false => texts::check::not_loaded(why),
            };
            model.carrying.said = Some((true, said.into()));
        }
    }
}
