//! The training: planned when its tab is shown, advanced as long as a reader wants.

use super::Effect;
use crate::figures::model::Model;
use crate::figures::train::{AHEAD, SLICE, TrainMsg};
use crate::model::Shared;
use crate::talk::{FromFigures, Tab};
use fletch_playground::figures::protocol::{Asked, Request, Trained, Training};
use fletch_playground::protocol::{EditorDiagnostic, TextEdit};
use std::rc::Rc;

pub(super) fn change(model: &mut Model, msg: TrainMsg, effects: &mut Vec<Effect>) {
    let train = &mut model.train;
    match msg {
        TrainMsg::Go(going) => {
            train.going = going && train.trained.is_some();
            train.to = None;
        }
        TrainMsg::Epoch => {
            train.going = true;
            let epochs = train.trained.as_ref().map_or(0, |trained| trained.epochs);
            train.rests = false;
            train.to = Some(epochs + 1);
        }
        TrainMsg::Reset => {
            train.going = false;
            ask(model, Asked::Reset, effects);
            super::checking::reset(model, effects);
        }
        TrainMsg::Pace(pace) => train.pace = pace,
        TrainMsg::Due => train.rests = false,
        TrainMsg::Precision(precision) => {
            if train.precision != precision {
                train.precision = precision;
                let start = Asked::Start {
                    keep: true,
                    precision,
                };
                ask(model, start, effects);
            }
        }
        TrainMsg::Scalar(number, text) => {
            let scalars = train.trained.as_ref().map(|trained| &trained.scalars);
            let scalar = scalars.and_then(|scalars| scalars.get(number));
            let value = text.trim().replace('−', "-").parse::<f64>().ok();
            let value = value.filter(|value| value.is_finite());
            if let (Some(scalar), Some(value), false) = (scalar, value, model.stale)
                && value != scalar.value
            {
                train.keep = true;
                effects.push(Effect::Tell(FromFigures::Edit(TextEdit {
                    from: scalar.from,
                    to: scalar.to,
                    insert: value.to_string().replace('-', "−"),
                })));
            }
        }
    }
}

/// Asks for what is shown and not there, and for more of what goes on.
pub(super) fn want(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(loaded) = model.loaded.clone().filter(|loaded| !loaded.rejected) else {
        return;
    };
    if model.tab == Tab::Train && !model.stale && model.train.asked != Some(loaded.revision) {
        let keep = std::mem::take(&mut model.train.keep);
        model.train.going &= keep;
        model.train.asked = Some(loaded.revision);
        let precision = model.train.precision;
        ask(model, Asked::Start { keep, precision }, effects);
    }
    let train = &model.train;
    let (ahead, next) = match train.pace {
        // Epoch by epoch, each asked for when it is due.
        Some(_) => (1, Some(epochs(model) + 1)),
        None => (AHEAD, None),
    };
    while model.train.going
        && !model.train.rests
        && model.train.waits < ahead
        && model.train.asked == Some(loaded.revision)
    {
        let advance = Asked::Advance {
            milliseconds: SLICE,
            to: next.or(model.train.to),
        };
        ask(model, advance, effects);
    }
}

fn epochs(model: &Model) -> u32 {
    let trained = model.train.trained.as_ref();
    trained.map_or(0, |trained| trained.epochs)
}

fn ask(model: &mut Model, asked: Asked, effects: &mut Vec<Effect>) {
    let train = &mut model.train;
    let Some(revision) = train.asked else { return };
    let known = match asked {
        Asked::Advance { .. } => train.known,
        Asked::Start { .. } | Asked::Reset => 0,
    };
    train.waits += 1;
    effects.push(Effect::Send(Request::Train(Training {
        revision,
        known,
        asked,
    })));
}

pub(super) fn replied(
    model: &mut Model,
    (asked, answer): (Training, Result<Trained, EditorDiagnostic>),
    effects: &mut Vec<Effect>,
) {
    let train = &mut model.train;
    if train.asked != Some(asked.revision) {
        return;
    }
    train.waits = train.waits.saturating_sub(1);
    match answer {
        Err(why) => {
            train.refused = Some(Rc::new(why));
            train.trained = None;
            train.points = Rc::default();
            train.going = false;
        }
        Ok(trained) => {
            if !matches!(asked.asked, Asked::Advance { .. }) {
                train.points = Rc::default();
                train.known = 0;
            }
            let new = u32::try_from(trained.points.len()).unwrap_or(u32::MAX);
            train.take(&trained.points, asked.known.saturating_add(new));
            let before = train.trained.as_ref().map_or(0, |trained| trained.epochs);
            if let (Some(pace), true) = (train.pace, trained.epochs > before && train.going) {
                train.rests = true;
                effects.push(Effect::Rest(1000 / pace.max(1)));
            }
            let reached = train.to.is_some_and(|to| trained.epochs >= to);
            if trained.ended || trained.stopped.is_some() || reached {
                train.going = false;
                train.to = None;
            }
            train.refused = None;
            train.trained = Some(Shared::new(trained));
        }
    }
}
