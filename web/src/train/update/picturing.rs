//! Updates of the pictures and of the data: selecting, pointing, drawing, and adding samples.

use crate::drafts::update as drafts;
use crate::drafts::update::DraftsMsg;
use crate::effects::{Effect, File};
use crate::model::{Model, Tab, Want, WorkerId};
use crate::train::pictures::{Chosen, Classes, PictureMsg, Pictures};
use crate::update::ask::send;
use fletch_playground::protocol::{Ask, Kind, OfData, Reply, Tried, WishOfData};
use std::rc::Rc;

pub(super) fn change(model: &mut Model, msg: PictureMsg, effects: &mut Vec<Effect>) {
    let before = model.train.pictures.chosen.clone();
    picture(model, msg, effects);
    let chosen = &model.train.pictures.chosen;
    // Stepping and the gradient check use the sample chosen in a picture, if it is one of the trained data set.
    if *chosen != before
        && let (Some(chosen), Some(trained)) = (chosen, &model.train.trained)
        && *chosen.set == *trained.data
        && chosen.sample < trained.samples as usize
    {
        model.train.carrying.sample = u32::try_from(chosen.sample + 1).unwrap_or(1);
    }
}

fn picture(model: &mut Model, msg: PictureMsg, effects: &mut Vec<Effect>) {
    let revision = model.train.asked;
    let pictures = &mut model.train.pictures;
    match msg {
        PictureMsg::Look(look) => {
            if look.prediction != pictures.look.prediction {
                pictures.picture = None;
                pictures.ink = Rc::default();
                pictures.tried = None;
            }
            pictures.look = look;
            pictures.cross = None;
            pictures.adds = None;
            pictures.chosen = None;
            if let Some(revision) = revision {
                send(model, WorkerId::Figures, revision, Ask::Look(look), effects);
                if model.train.inside.open {
                    super::look_inside(model, effects);
                }
            }
        }
        PictureMsg::Point(cross) => pictures.cross = cross,
        PictureMsg::Move(right, down) => {
            let (x, y) = pictures.cross.unwrap_or((0.5, 0.5));
            let moved = |share: f64, by: i32| (share + f64::from(by) / 100.0).clamp(0.0, 1.0);
            pictures.cross = Some((moved(x, right), moved(y, down)));
        }
        PictureMsg::Adds(class) => pictures.adds = class,
        PictureMsg::Sharp(sharp) => pictures.sharp = sharp,
        PictureMsg::Click => match pictures.adds {
            Some(class) => add_point(model, class as usize, effects),
            None => {
                if let Some(sample) = pictures.nearest() {
                    choose(pictures, sample);
                }
            }
        },
        PictureMsg::Choose(sample) => choose(pictures, sample),
        PictureMsg::Ink(entry, ink) => {
            let size = pictures.sketch().map_or(0, |sketch| sketch.inputs as usize);
            let image = Rc::make_mut(&mut pictures.ink);
            image.resize(size, 0.0);
            if let Some(entry) = image.get_mut(entry) {
                *entry = if ink { 1.0 } else { 0.0 };
            }
            try_ink(model, effects);
        }
        PictureMsg::Copy(sample) => {
            let size = pictures.sketch().map_or(0, |sketch| sketch.inputs as usize);
            let samples = pictures.samples();
            let image = samples.and_then(|samples| samples.input.chunks(size.max(1)).nth(sample));
            if let Some(image) = image {
                pictures.ink = Rc::new(image.to_vec());
            }
            choose(pictures, sample);
            try_ink(model, effects);
        }
        PictureMsg::Clear => {
            pictures.ink = Rc::default();
            pictures.tried = None;
        }
        PictureMsg::AddInk(class) => {
            let Some(samples) = pictures.samples() else {
                return;
            };
            let Some(classes) = Classes::of(samples) else {
                return;
            };
            let number = samples.number;
            let mut sample = (*pictures.ink).clone();
            sample.extend(classes.target(class as usize));
            data(model, WishOfData::Add(number, sample), effects);
        }
        PictureMsg::Open(open) => pictures.open = open,
        PictureMsg::Save(number) => data(model, WishOfData::Save(number), effects),
        PictureMsg::Read(number, file) => {
            data(model, WishOfData::Read(number, file.to_string()), effects);
        }
        PictureMsg::ChooseFile => drafts::change(model, DraftsMsg::Choose, effects),
        PictureMsg::Reseed => data(model, WishOfData::Reseed, effects),
    }
}

fn choose(pictures: &mut Pictures, sample: usize) {
    let set = pictures
        .samples()
        .map(|samples| samples.name.as_str().into());
    pictures.chosen = set.map(|set| Chosen { set, sample });
}

/// Requests an action on the data, unless the text is newer than the training.
fn data(model: &mut Model, wish: WishOfData, effects: &mut Vec<Effect>) {
    model.train.pictures.refused = None;
    if let (Some(revision), false) = (model.train.asked, model.is_ahead()) {
        send(model, WorkerId::Figures, revision, Ask::Data(wish), effects);
    }
}

fn add_point(model: &mut Model, class: usize, effects: &mut Vec<Effect>) {
    let pictures = &model.train.pictures;
    let found = pictures.pointed().zip(pictures.samples());
    let Some(((x, y), samples)) = found else {
        return;
    };
    let target = Classes::of(samples).map(|classes| classes.target(class));
    let mut sample = vec![rounded(x), rounded(y)];
    sample.extend(target.unwrap_or_default());
    let number = samples.number;
    data(model, WishOfData::Add(number, sample), effects);
}

/// Rounds a coordinate to three decimals, since pointing is no more precise.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// Requests the outputs of the prediction for the drawn image.
fn try_ink(model: &mut Model, effects: &mut Vec<Effect>) {
    let pictures = &model.train.pictures;
    let sketch = pictures.sketch();
    let whole = sketch.is_some_and(|sketch| {
        matches!(sketch.kind, Kind::Images { .. }) && sketch.inputs as usize == pictures.ink.len()
    });
    if let (Some(revision), true) = (model.train.asked, whole) {
        let ask = Ask::Try(Tried {
            prediction: pictures.look.prediction,
            input: (*pictures.ink).clone(),
        });
        send(model, WorkerId::Figures, revision, ask, effects);
    }
}

/// Requests for the data sets and for the edits of the network, while they are shown.
#[inline(never)] // A start does without it.
pub(crate) fn wants(model: &Model) -> Vec<Want> {
    let revision = model.read().map(|subject| subject.revision);
    let shown = model.tab == Tab::Train && !model.is_ahead();
    if !shown || revision.is_none() || model.train.asked != revision {
        return Vec::new();
    }
    let data = Want::once(Ask::Data(WishOfData::List));
    let network = Want::once(Ask::Data(WishOfData::Network));
    let data = model.train.pictures.open.then_some(data);
    let network = model.train.inside.changes.then_some(network);
    data.into_iter().chain(network).collect()
}

/// Handles a reply about pictures or data, unless another program is trained by now.
pub(crate) fn replied(
    model: &mut Model,
    revision: u32,
    ask: &Ask,
    reply: Reply,
    effects: &mut Vec<Effect>,
) {
    if model.train.asked != Some(revision) {
        return;
    }
    let pictures = &mut model.train.pictures;
    match (ask, reply) {
        (Ask::Look(_), Reply::Pictured(drawn)) => model.train.draw(drawn),
        (Ask::Inside(_), Reply::Inside(answer)) => match *answer {
            Ok(inside) => model.train.take_inside(inside),
            Err(why) => model.train.inside.refused = Some(Rc::new(why)),
        },
        (Ask::Try(tried), Reply::Tried(outputs)) if tried.input == *pictures.ink => {
            pictures.tried = Some(Rc::new(outputs));
        }
        (Ask::Data(wish), Reply::Data(told)) => told_of_data(model, revision, wish, *told, effects),
        _ => {}
    }
}

fn told_of_data(
    model: &mut Model,
    revision: u32,
    wish: &WishOfData,
    told: OfData,
    effects: &mut Vec<Effect>,
) {
    match told {
        OfData::List(cards) => {
            model.train.pictures.refused = None;
            model.train.pictures.cards = Some((revision, Rc::new(cards)));
        }
        OfData::Network(edits) => {
            model.train.inside.edits = Some((revision, Rc::new(edits)));
        }
        OfData::Edits(edits) => {
            if !model.is_ahead() {
                // A training continues with other data, and restarts with other initial contents.
                model.train.keep |= *wish != WishOfData::Reseed;
                effects.push(Effect::Edit(edits.into()));
            }
        }
        OfData::File(name, text) => {
            effects.push(Effect::Save(File::text(&name, "text/csv", &text)))
        }
        OfData::Refused(why) => model.train.pictures.refused = Some(why.into()),
    }
}
