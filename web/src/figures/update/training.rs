//! The training: planned when its tab is shown, advanced as long as a reader wants.

use super::Effect;
use super::{TextFile, picturing};
use crate::figures::model::Model;
use crate::figures::train::runs::{csv, svg};
use crate::figures::train::{AHEAD, SLICE, SaveCurves, Train, TrainMsg};
use crate::model::Shared;
use crate::talk::{FromFigures, Tab};
use fletch_playground::figures::protocol::{Asked, Begin, Request, Trained, Training};
use fletch_playground::protocol::{EditorDiagnostic, TextEdit};
use std::rc::Rc;

pub(super) fn change(model: &mut Model, msg: TrainMsg, effects: &mut Vec<Effect>) {
    let train = &mut model.train;
    match msg {
        TrainMsg::Go(going) => {
            train.going = going && train.trained.is_some();
            train.to = None;
            if train.going && train.over() {
                ask(model, Asked::GoOn, effects);
            }
        }
        TrainMsg::Epoch => {
            train.going = true;
            train.rests = false;
            train.to = (train.trained.as_ref()).map(|trained| trained.least() + 1);
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
                begin(model, true, effects);
            }
        }
        TrainMsg::Apart(apart) => {
            train.apart = apart;
            begin(model, false, effects);
        }
        TrainMsg::Hand(number) => {
            // Its points are counted anew, so what goes on waits until they are there.
            train.begins = true;
            ask(model, Asked::Hand(number), effects);
        }
        TrainMsg::Scalar(number, text) => {
            let value = text.trim().replace('−', "-").parse::<f64>().ok();
            if let Some(value) = value.filter(|value| value.is_finite()) {
                write(model, number, value, effects);
            }
        }
        TrainMsg::Slide(number, value) => {
            train.pending = Some((number, value));
            go_on_writing(model, effects);
        }
        TrainMsg::Keep => train.keep_run(),
        TrainMsg::Forget => train.runs = Rc::default(),
        TrainMsg::Read(place) => train.read = place,
        TrainMsg::Save(kind) => {
            let mut runs = (*train.runs).clone();
            runs.extend(train.now());
            let (name, kind, text) = match kind {
                SaveCurves::Csv => ("curves.csv", "text/csv", csv(&runs)),
                SaveCurves::Svg => ("curves.svg", "image/svg+xml", svg(&runs)),
            };
            let name = name.to_owned();
            effects.push(Effect::SaveText(Rc::new(TextFile { name, kind, text })));
        }
        TrainMsg::Picture(msg) => picturing::change(model, msg, effects),
    }
}

/// Writes a number into the text; whether it was another one.
fn write(model: &mut Model, number: usize, value: f64, effects: &mut Vec<Effect>) -> bool {
    let train = &mut model.train;
    let scalars = train.trained.as_ref().map(|trained| &trained.scalars);
    let Some(scalar) = scalars.and_then(|scalars| scalars.get(number)) else {
        return false;
    };
    if model.stale || value == scalar.value {
        return false;
    }
    train.keep = true;
    effects.push(Effect::Tell(FromFigures::Edit(TextEdit {
        from: scalar.from,
        to: scalar.to,
        insert: value.to_string().replace('-', "−"),
    })));
    true
}

/// Writes what a slider says, unless the number before is still on its way.
fn go_on_writing(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.train.writes.is_some() {
        return;
    }
    if let Some((number, value)) = model.train.pending.take() {
        let written = write(model, number, value, effects);
        model.train.writes = written.then_some((number, value));
    }
}

/// Asks for what is shown and not there, and for more of what goes on.
pub(super) fn want(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(loaded) = model.loaded.clone().filter(|loaded| !loaded.rejected) else {
        return;
    };
    if model.tab == Tab::Train && !model.stale && model.train.asked != Some(loaded.revision) {
        let keep = std::mem::take(&mut model.train.keep);
        model.train.asked = Some(loaded.revision);
        begin(model, keep, effects);
    }
    let train = &model.train;
    let (ahead, next) = match train.pace {
        // Epoch by epoch, each asked for when it is due.
        Some(_) => (1, Some(epochs(model) + 1)),
        None => (AHEAD, None),
    };
    while model.train.going
        && !model.train.begins
        && (model.train.keep || !model.stale)
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

/// The complete epochs, of those that are behind.
fn epochs(model: &Model) -> u32 {
    let trained = model.train.trained.as_ref();
    trained.map_or(0, |trained| trained.least())
}

/// Begins a training of the program that was asked for last. What goes on waits until it is there.
fn begin(model: &mut Model, keep: bool, effects: &mut Vec<Effect>) {
    let train = &mut model.train;
    train.begins = train.asked.is_some();
    let (precision, apart) = (train.precision, train.apart);
    let begin = Begin {
        keep,
        precision,
        apart,
    };
    ask(model, Asked::Start(begin), effects);
}

fn ask(model: &mut Model, asked: Asked, effects: &mut Vec<Effect>) {
    let train = &mut model.train;
    let Some(revision) = train.asked else { return };
    let known = match asked {
        Asked::Advance { .. } | Asked::GoOn => train.known,
        Asked::Start(_) | Asked::Reset | Asked::Hand(_) => 0,
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
            train.clear();
            train.going = false;
            train.begins = false;
            train.writes = None;
            train.pending = None;
        }
        Ok(mut trained) => {
            let begun = matches!(asked.asked, Asked::Start(_));
            if !matches!(asked.asked, Asked::Advance { .. } | Asked::GoOn) {
                if matches!(asked.asked, Asked::Reset) || (begun && !trained.goes_on) {
                    train.keep_run();
                }
                train.clear();
            }
            if begun || matches!(asked.asked, Asked::Hand(_)) {
                train.begins = false;
            }
            if begun {
                train.going &= trained.goes_on;
                train.sketch(std::mem::take(&mut trained.sketches));
            }
            let before = train.trained.as_ref().map_or(0, |trained| trained.least());
            let least = trained.least();
            if let (Some(pace), true) = (train.pace, least > before && train.going) {
                train.rests = true;
                effects.push(Effect::Rest(1000 / pace.max(1)));
            }
            let reached = train.to.is_some_and(|to| least >= to);
            if trained.rests() || reached {
                train.going = false;
                train.to = None;
            }
            train.refused = None;
            take(train, trained, asked.known);
            if begun {
                train.writes = None;
                go_on_writing(model, effects);
            }
        }
    }
}

/// Takes how the training is, for who knew so many of its points.
pub(super) fn take(train: &mut Train, mut trained: Trained, known: u32) {
    let points = std::mem::take(&mut trained.points);
    let new = u32::try_from(points.len()).unwrap_or(u32::MAX);
    train.take(&points, known.saturating_add(new));
    for beside in &mut trained.beside {
        train.take_beside(beside);
    }
    let pictures = std::mem::take(&mut trained.pictures);
    train.trained = Some(Shared::new(trained));
    train.draw(pictures);
}
