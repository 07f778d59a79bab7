//! Updates of the training: it is planned when its tab is shown, and advanced as long as the reader lets it run.

mod checking;
mod picturing;
pub(crate) mod sampled;

pub(crate) use checking::{carried, carry_by, checked, checking};
pub(crate) use picturing::{replied as pictured, wants};

use super::inside::Inside;
use super::runs::{csv, svg, told};
use super::{AHEAD, Field, SLICE, SaveCurves, Train, TrainMsg, texts};
use crate::effects::{Effect, File, Timer};
use crate::model::{Model, Shared, Tab, WorkerId};
use crate::update::ask::send;
use fletch_playground::protocol::{
    Ask, Asked, Begin, EditorDiagnostic, Goal, TextEdit, Trained, Training,
};
use std::rc::Rc;

#[inline(never)] // A start does without it.
pub(crate) fn change(model: &mut Model, msg: TrainMsg, effects: &mut Vec<Effect>) {
    let train = &mut model.train;
    match msg {
        TrainMsg::Go(going) => {
            train.going = going && train.trained.is_some();
            train.to = None;
            train.read = train.read.filter(|_| !train.going);
            model.train.older = waits(model);
            if model.train.going && model.train.over() && !resets(model) {
                ask(model, Asked::GoOn, effects);
            }
            if !going && model.train.inside.open {
                look_inside(model, effects);
            }
        }
        TrainMsg::Epoch => {
            let from = if resets(model) { 0 } else { epochs(model) };
            let older = waits(model);
            let train = &mut model.train;
            train.going = train.trained.is_some();
            train.rests = false;
            train.to = Some(from + 1);
            train.older = older;
        }
        TrainMsg::Reset => {
            train.going = false;
            train.begins = true;
            ask(model, Asked::Reset, effects);
            checking::reset(model, effects);
        }
        TrainMsg::Pace(pace) => train.pace = pace,
        TrainMsg::Due => train.rests = false,
        TrainMsg::Past(epoch) => {
            train.going = false;
            let now = train.trained.as_ref().map_or(0, |trained| trained.least());
            train.read = (epoch < now).then(|| f64::from(epoch));
            ask(model, Asked::Past(epoch), effects);
        }
        TrainMsg::More => train.more = !train.more,
        TrainMsg::Precision(precision) => {
            if train.precision != precision {
                train.precision = precision;
                begin(model, true, effects);
            }
        }
        TrainMsg::Apart(apart) => {
            train.apart = Some(apart);
            begin(model, false, effects);
        }
        TrainMsg::Hand(number) => {
            // Its points are requested from the first again, so the training pauses until they have arrived.
            train.begins = true;
            ask(model, Asked::Hand(number), effects);
        }
        TrainMsg::Scalar(number, text) => {
            train.wrong = None;
            match texts::number(&text) {
                Ok(value) => {
                    write(model, number, value, effects);
                }
                Err(why) => train.wrong = Some((Field::Scalar(number), why.into())),
            }
        }
        TrainMsg::Numeral(number, text) => write_numeral(model, number, &text, effects),
        TrainMsg::Slide(number, value) => {
            train.pending = Some((number, value));
            go_on_writing(model, effects);
        }
        TrainMsg::Keep => train.keep_run(),
        TrainMsg::Forget => train.runs = Rc::default(),
        TrainMsg::Drop(number) => {
            Rc::make_mut(&mut train.runs).retain(|run| run.number != number);
        }
        TrainMsg::Name(number, name) => {
            let mut runs = Rc::make_mut(&mut train.runs).iter_mut();
            if let Some(run) = runs.find(|run| run.number == number) {
                let name = name.trim();
                let own = name != format!("run {number}");
                run.name = if own { name.into() } else { "".into() };
            }
        }
        TrainMsg::Read(place) => train.read = place,
        TrainMsg::Save(kind) => {
            let mut runs = (*train.runs).clone();
            runs.extend(train.now());
            let runs = told(&runs);
            let (name, kind, text) = match kind {
                SaveCurves::Csv => ("curves.csv", "text/csv", csv(&runs)),
                SaveCurves::Svg => {
                    let svg = svg(&runs, &train.charts);
                    ("curves.svg", "image/svg+xml", svg)
                }
            };
            effects.push(Effect::Save(File::text(name, kind, &text)));
        }
        TrainMsg::Chart(msg) => train.chart(&msg),
        TrainMsg::Until(measure, text) => {
            train.wrong = None;
            train.until = None;
            if !text.trim().is_empty() {
                match texts::number(&text) {
                    Ok(below) => train.until = Some(Goal { measure, below }),
                    Err(why) => train.wrong = Some((Field::Until, why.into())),
                }
            }
        }
        TrainMsg::Inside(open) => {
            train.inside.open = open;
            look_inside(model, effects);
        }
        TrainMsg::Changes(open) => train.inside.changes = open,
        TrainMsg::Change(number) => {
            let found = train.inside.edits.as_ref();
            let found = found.filter(|(revision, _)| train.asked == Some(*revision));
            let edit = found.and_then(|(_, edits)| edits.get(number)).cloned();
            if let Some(edit) = edit.filter(|_| !model.is_ahead()) {
                effects.push(Effect::Edit(edit.edits.into()));
            }
        }
        TrainMsg::Picture(msg) => picturing::change(model, msg, effects),
    }
}

/// Writes a scalar into the text; true if the text changes.
fn write(model: &mut Model, number: usize, value: f64, effects: &mut Vec<Effect>) -> bool {
    let trained = model.train.trained.as_ref();
    let scalars = trained.map(|trained| &trained.scalars);
    let Some(scalar) = scalars.and_then(|scalars| scalars.get(number)) else {
        return false;
    };
    let edit = TextEdit {
        from: scalar.from,
        to: scalar.to,
        insert: value.to_string().replace('-', "−"),
    };
    if value == scalar.value || model.is_ahead() {
        return false;
    }
    model.train.keep = true;
    effects.push(Effect::Edit([edit].into()));
    true
}

/// Writes a numeral into the text. A training continues with changed data, and restarts with changed sizes and seeds.
fn write_numeral(model: &mut Model, number: usize, text: &str, effects: &mut Vec<Effect>) {
    let numerals = model.train.numerals.clone();
    let Some(numeral) = numerals.get(number).filter(|_| !model.is_ahead()) else {
        return;
    };
    let typed = texts::number(text).and_then(|value| match value < 0.0 || value.fract() != 0.0 {
        true if numeral.whole => Err(format!("“{}” is no whole number", text.trim())),
        _ => match numeral.most {
            Some(most) if value > most => Err(format!("there are {most} samples")),
            _ => Ok(value),
        },
    });
    model.train.wrong = None;
    match typed {
        Ok(value) if value != numeral.value => {
            let own = std::iter::once((numeral.from, numeral.to));
            let mut places: Vec<(u32, u32)> = own.chain(numeral.also.iter().copied()).collect();
            places.sort_unstable();
            let edits = places.into_iter().map(|(from, to)| TextEdit {
                from,
                to,
                insert: value.to_string().replace('-', "−"),
            });
            effects.push(Effect::Edit(edits.collect()));
        }
        Ok(_) => {}
        Err(why) => model.train.wrong = Some((Field::Numeral(number), why.into())),
    }
}

/// Writes the value of a slider, unless the previous value is not confirmed yet.
fn go_on_writing(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.train.writes.is_some() {
        return;
    }
    if let Some((number, value)) = model.train.pending.take() {
        let written = write(model, number, value, effects);
        model.train.writes = written.then_some((number, value));
    }
}

/// Starts the training of a program once its tab is shown, advances it as long as the reader lets it run, and keeps its heap.
pub(crate) fn drive(model: &mut Model, effects: &mut Vec<Effect>) {
    train(model, effects);
    checking::drive(model, effects);
}

fn train(model: &mut Model, effects: &mut Vec<Effect>) {
    let known = model.train.asked.is_some() || model.tab == Tab::Train;
    if known && model.train.of != model.program.draft {
        leave(&mut model.train, model.program.draft.clone());
    }
    let Some(revision) = model.read().map(|subject| subject.revision) else {
        return;
    };
    let ahead = model.is_ahead();
    if model.tab == Tab::Train && !ahead && model.train.asked != Some(revision) {
        let keep = std::mem::take(&mut model.train.keep);
        model.train.asked = Some(revision);
        begin(model, keep, effects);
    }
    let train = &model.train;
    let of = train.trained.as_ref().map_or(0, |trained| trained.of);
    // Advances to the next stop; the one after it is requested when the rest is over.
    let next = train.pace.next(epochs(model), of);
    let goes = train.going && !train.begins && !train.rests && train.asked == Some(revision);
    if !goes || (ahead && !train.keep) {
        return;
    }
    let to = [next, train.to].into_iter().flatten().min();
    for _ in waits(model)..AHEAD {
        let advance = Asked::Advance {
            milliseconds: SLICE,
            to,
            until: model.train.until,
        };
        ask(model, advance, effects);
    }
}

/// Forgets the training of the previous draft, but not the reader's settings.
#[inline(never)] // A start does without it.
fn leave(train: &mut Train, of: Rc<str>) {
    *train = Train {
        of,
        pace: train.pace,
        precision: train.precision,
        more: train.more,
        inside: Inside {
            open: train.inside.open,
            changes: train.inside.changes,
            ..Inside::default()
        },
        ..Train::default()
    };
}

/// Forgets a training that was lost with its worker, but neither the reader's settings nor the kept runs.
pub(crate) fn lose(train: &mut Train) {
    train.asked = None;
    train.trained = None;
    train.refused = None;
    train.going = false;
    train.begins = false;
    train.older = 0;
    train.rests = false;
    train.writes = None;
    train.pending = None;
    train.check.going = None;
    train.carrying.known = Rc::new([]);
    train.clear();
}

/// Number of awaited replies about the training.
fn waits(model: &Model) -> usize {
    let requests = model.second.in_flight.iter();
    let trains = requests.filter(|request| matches!(request.ask, Ask::Train(_)));
    trains.count()
}

/// True while a reset is under way, so that the last report is still about the epochs before it.
fn resets(model: &Model) -> bool {
    let asked = Asked::Reset;
    (model.second).awaits(|ask| matches!(ask, Ask::Train(training) if training.asked == asked))
}

/// Drops the pending writes of sliders after an edit of the text, unless the tab itself made the edit.
pub(crate) fn edited(train: &mut Train) {
    if !train.keep {
        train.writes = None;
        train.pending = None;
    }
}

/// Number of complete epochs, of the trainings that are behind.
fn epochs(model: &Model) -> u32 {
    let trained = model.train.trained.as_ref();
    trained.map_or(0, |trained| trained.least())
}

/// Starts a training of the program that was requested last. Advancing waits until it has started.
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

/// Requests the inside of the network if it is open, or else that it is computed no longer.
fn look_inside(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(revision) = model.train.asked {
        let ask = Ask::Inside(model.train.inside.open);
        send(model, WorkerId::Figures, revision, ask, effects);
    }
}

fn ask(model: &mut Model, asked: Asked, effects: &mut Vec<Effect>) {
    let Some(revision) = model.train.asked else {
        return;
    };
    let known = match asked {
        Asked::Advance { .. } | Asked::GoOn | Asked::Past(_) => model.train.known,
        Asked::Start(_) | Asked::Reset | Asked::Hand(_) => 0,
    };
    let ask = Ask::Train(Training { known, asked });
    send(model, WorkerId::Figures, revision, ask, effects);
}

/// Handles a report about the training, the reply to `asked`.
pub(crate) fn trained(
    model: &mut Model,
    revision: u32,
    asked: Training,
    answer: Result<Trained, EditorDiagnostic>,
    effects: &mut Vec<Effect>,
) {
    let train = &mut model.train;
    let older = train.older > 0;
    train.older = train.older.saturating_sub(1);
    if train.asked != Some(revision) {
        return;
    }
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
            if !matches!(
                asked.asked,
                Asked::Advance { .. } | Asked::GoOn | Asked::Past(_)
            ) {
                train.clear();
                train.begins = false;
            }
            let anew = matches!(asked.asked, Asked::Reset) || (begun && !trained.goes_on);
            if anew {
                train.given = Rc::default();
            }
            if anew || matches!(asked.asked, Asked::Hand(_)) {
                train.inside.trail = Rc::default();
            }
            if begun {
                train.going &= trained.goes_on;
                train.sketch(std::mem::take(&mut trained.sketches));
                train.numerals = Rc::new(std::mem::take(&mut trained.numerals));
                if !trained.goes_on {
                    train.inside.shown = None;
                }
            }
            let least = trained.least();
            let before = train.trained.as_ref().map_or(0, |trained| trained.least());
            let stop = match asked.asked {
                Asked::Advance { to, .. } => to,
                _ => None,
            };
            // Only the first of two requests that reach the stop starts the rest.
            let rest = train.pace.rest(trained.of);
            if stop.is_some_and(|to| before < to && least >= to) && train.going && rest > 0 {
                train.rests = true;
                effects.push(Effect::Start(Timer::Epoch, rest));
            }
            let reached = train.to.is_some_and(|to| least >= to);
            if !older && (trained.rests() || reached || trained.reached) {
                train.going = false;
                train.to = None;
            }
            train.refused = None;
            // A resting training computes its inside on request; a running one reports it when there is time.
            let unseen = train.inside.open && trained.inside.is_none() && !train.going;
            take(train, trained, asked.known);
            if unseen {
                look_inside(model, effects);
            }
            let train = &mut model.train;
            if begun {
                train.writes = None;
                go_on_writing(model, effects);
            }
        }
    }
}

/// Stores a report about the training. `known` is the number of points that the page had when it sent the request.
pub(super) fn take(train: &mut Train, mut trained: Trained, known: u32) {
    let points = std::mem::take(&mut trained.points);
    let new = u32::try_from(points.len()).unwrap_or(u32::MAX);
    train.take(&points, known.saturating_add(new));
    for beside in &mut trained.beside {
        train.take_beside(beside);
    }
    let pictures = std::mem::take(&mut trained.pictures);
    let inside = trained.inside.take();
    train.give(&trained);
    train.trained = Some(Shared::new(trained));
    train.draw(pictures);
    train.take_inside(inside);
}
