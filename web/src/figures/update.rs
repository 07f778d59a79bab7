//! The figures' only function that decides anything: a message and a model give the next model, and what is to be done.

mod checking;
mod comparing;
mod picturing;
#[cfg(test)]
mod tests;
mod training;

use super::check::{CarryMsg, CheckMsg};
use super::compare::{About, CompareMsg};
use super::following::Phase;
use super::model::{Diagram, HANDLED, Model, NETWORK};
use super::sheet::{SheetMsg, Wish};
use super::train::TrainMsg;
use super::types::{self, TypesMsg};
use crate::model::Shared;
use crate::talk::{FromFigures, Tab, ToFigures};
use fletch_link::Part;
use fletch_playground::diagram::{Format, Shape, Style};
use fletch_playground::figures::protocol::{Drawing, Drawn, Following, Reply, Request};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Msg {
    /// The page says something.
    Told(ToFigures),
    /// The worker answered.
    Replied(Box<Reply>),
    /// The worker failed.
    WorkerFailed(Rc<str>),
    /// Draw this command.
    Of(Rc<str>),
    /// Draw this part of it.
    Part(Part),
    /// Draw it like this.
    Style(Style),
    /// Draw it downward, or across again.
    Turn,
    /// Show how long values are in the place of values, or values again.
    Norms(bool),
    /// Something happened to the sheet of this number.
    Sheet(usize, SheetMsg),
    /// Open these, by key, or fold all.
    OpenAll(bool),
    /// Close what is told of a box.
    Unchoose,
    /// Tell the page.
    Tell(FromFigures),
    /// Open or close the list of formats.
    Saving(bool),
    /// Save the diagram of the sheet of this number.
    Save(usize, SaveAs),
    /// Something with the tab of comparisons.
    Compare(CompareMsg),
    /// Show this place of the source.
    Mark(u32, u32),
    /// Bring the card of this location into view.
    Location(Rc<str>),
    /// Something happened in the tab of types.
    Types(TypesMsg),
    /// Something happened in the tab of the training.
    Train(TrainMsg),
    /// Something with the gradient check.
    Check(CheckMsg),
    /// Something with the heap of the training, and with its samples.
    Carry(CarryMsg),
}

/// What a diagram is saved as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveAs {
    /// As a file of text.
    Text(Format),
    /// As a picture of dots.
    Png,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Send to the worker.
    Send(Request),
    /// Tell the page.
    Tell(FromFigures),
    /// Save a diagram.
    Save(Save),
    /// Save a file of this name.
    Download(Rc<str>, Rc<[u8]>),
    /// Get the text of the example of this number.
    Fetch(usize),
    /// Put a text on the clipboard.
    Copy(Rc<str>),
    /// Say when so many milliseconds are over that the next epoch is due.
    Rest(u32),
    /// Say when so many milliseconds are over that the heap is to be kept.
    KeepAfter(u32),
    /// Save a text as a file.
    SaveText(Rc<TextFile>),
}

/// A text that is saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFile {
    /// The name of the file.
    pub name: String,
    /// What it is, as browsers say it.
    pub kind: &'static str,
    /// The text.
    pub text: String,
}

/// A diagram to be saved.
#[derive(Clone, Debug, PartialEq)]
pub struct Save {
    /// The name of the file, without its ending.
    pub name: Rc<str>,
    /// What it is saved as.
    pub kind: SaveAs,
    /// The diagram.
    pub drawn: crate::model::Shared<Drawn>,
    /// The text that places point into.
    pub source: Rc<str>,
}

/// The answer to a message.
pub fn update(mut model: Model, msg: Msg) -> (Model, Vec<Effect>) {
    let mut effects = Vec::new();
    match msg {
        Msg::Told(said) => told(&mut model, said, &mut effects),
        Msg::Replied(reply) => replied(&mut model, *reply, &mut effects),
        Msg::WorkerFailed(why) => effects.push(Effect::Tell(FromFigures::Failed(why.to_string()))),
        Msg::Of(name) => {
            model.diagram.of = name;
            model.diagram.open = Default::default();
        }
        Msg::Part(part) => model.diagram.part = part,
        Msg::Style(style) => model.diagram.style = style,
        Msg::Turn => model.diagram.turned = !model.diagram.turned,
        Msg::Norms(on) => {
            model.run.normed = on;
            model.run.norms_of = None;
        }
        Msg::Sheet(number, msg) => sheet(&mut model, number, &msg, &mut effects),
        Msg::OpenAll(open) => open_all(&mut model.diagram, open),
        Msg::Unchoose => model.diagram.chosen = None,
        Msg::Tell(said) => effects.push(Effect::Tell(said)),
        Msg::Saving(open) => model.diagram.saving = open,
        Msg::Save(number, kind) => save(&mut model, number, kind, &mut effects),
        Msg::Compare(msg) => comparing::change(&mut model, msg, &mut effects),
        Msg::Mark(from, to) => {
            if !model.stale {
                effects.push(Effect::Tell(FromFigures::Mark(from, to)));
            }
        }
        Msg::Types(msg) => types::change(&mut model, msg, &mut effects),
        Msg::Train(msg) => training::change(&mut model, msg, &mut effects),
        Msg::Check(msg) => checking::change(&mut model, msg, &mut effects),
        Msg::Carry(msg) => checking::carry_by(&mut model, msg, &mut effects),
        Msg::Location(name) => effects.push(Effect::Tell(FromFigures::Location(name.to_string()))),
    }
    if model.sought.is_some() {
        // What ran is in the diagram of all of it.
        model.diagram.of = "main".into();
        if model.diagram.part == Part::Network {
            model.diagram.part = Part::Handled;
        }
    }
    want(&mut model, &mut effects);
    seek(&mut model);
    comparing::want(&mut model, &mut effects);
    training::want(&mut model, &mut effects);
    checking::want(&mut model, &mut effects);
    picturing::want(&mut model, &mut effects);
    let look = model.diagram.look();
    if look != model.look {
        model.look.clone_from(&look);
        effects.push(Effect::Tell(FromFigures::Look(look)));
    }
    (model, effects)
}

fn told(model: &mut Model, said: ToFigures, effects: &mut Vec<Effect>) {
    match said {
        ToFigures::Tab(tab) => model.tab = tab,
        ToFigures::Stale => {
            model.stale = true;
            // A training waits for the new text, unless the tab itself has written it.
            if !model.train.keep {
                model.train.writes = None;
                model.train.pending = None;
            }
        }
        ToFigures::Files(files) => {
            let names = files.iter().map(|(name, _)| name.clone());
            model.train.pictures.files = names.collect();
            effects.push(Effect::Send(Request::Files(files)));
        }
        ToFigures::Cursor(cursor) => {
            model.cursor = cursor;
            model.types.follow(cursor);
        }
        ToFigures::Theme(theme) => model.theme = crate::model::Theme::named(&theme),
        ToFigures::At(at) => {
            let moved = at.position != model.at.position;
            model.at = at;
            if moved {
                reveal(model);
            }
        }
        ToFigures::Timeline(timeline) => model.run.timeline = Some(Shared::new(timeline)),
        ToFigures::Box(met) => model.sought = Some(met),
        ToFigures::Kept(text) => checking::kept(model, text),
        ToFigures::Sample(sample) => {
            model.sampled = sample;
            model.train.beside = true;
            effects.push(Effect::Send(Request::Sample(sample)));
        }
        ToFigures::Program(program) => {
            model.stale = false;
            // Of the same text only what runs has changed, so its training goes on where it is.
            let known = model.program.as_ref();
            let same = known.is_some_and(|known| known.source == program.source);
            model.train.keep |= std::mem::take(&mut model.train.beside) && same;
            effects.push(Effect::Send(Request::Load {
                revision: program.revision,
                source: program.source.clone(),
                heap: program.heap.clone(),
                mode: program.mode,
            }));
            model.program = Some(Rc::new(program));
            comparing::reload(model);
        }
        ToFigures::Marks(on) => model.compare.step.marks = on,
        ToFigures::Look(look) => {
            model.diagram.take(look);
            model.look = model.diagram.look();
        }
        ToFigures::Step => model.compare.about = About::Step,
        ToFigures::Export => {
            if let Some(program) = &model.program {
                let revision = program.revision;
                effects.push(Effect::Send(Request::Export { revision }));
            }
        }
    }
}

fn replied(model: &mut Model, reply: Reply, effects: &mut Vec<Effect>) {
    match reply {
        Reply::Loaded(loaded) => {
            let known = loaded
                .commands
                .iter()
                .any(|name| **name == *model.diagram.of);
            if !known {
                let first = loaded.commands.first().map_or("", String::as_str);
                model.diagram.of = first.into();
            }
            model.loaded = Some(Rc::new(loaded));
            // What was asked of an older program is not answered any more.
            model.compare.step.asked = None;
            model.train.waits = 0;
            model.run.awaits = false;
            model.run.norms_of = None;
        }
        Reply::Drawn(drawn) => {
            let sheets = model.diagram.sheets.iter_mut();
            for sheet in sheets.filter(|sheet| sheet.asked.as_ref() == Some(&drawn.asked)) {
                sheet.show((*drawn).clone());
            }
        }
        Reply::Derived(derived) => model.types.show(*derived),
        // The next answer to `Load` is under way, and what is wanted is asked for then.
        Reply::Outdated | Reply::Taken => {}
        Reply::CheckedGradient(revision, found) => {
            checking::checked(model, revision, *found, effects)
        }
        Reply::Carried(revision, carried) => checking::carried(model, revision, *carried, effects),
        Reply::Trained(answer) => training::replied(model, *answer, effects),
        Reply::Pictured(..) | Reply::Tried(_) | Reply::Data(_) => {
            picturing::replied(model, reply, effects);
        }
        Reply::Followed(links) => {
            if let Some(slot) = model.run.links.get_mut(usize::from(links.network)) {
                *slot = Some(Shared::new(*links));
            }
        }
        Reply::Norms(norms) => {
            model.run.awaits = false;
            model.run.norms = Some(Shared::new(*norms));
        }
        Reply::Exported(_, module) => {
            let module = module.map_err(|wrong| wrong.message);
            effects.push(Effect::Tell(FromFigures::Exported(module)));
        }
        Reply::Values(values) => model.run.values = Some(Shared::new(*values)),
        Reply::Same(..)
        | Reply::Comparable(_)
        | Reply::Compared(_)
        | Reply::Variants(..)
        | Reply::Ran(_) => comparing::replied(model, reply, effects),
    }
}

/// Asks for the parts of the run in the diagrams that are shown, and for what their wires carry.
fn follow(model: &mut Model, revision: u32, effects: &mut Vec<Effect>) {
    let run = &mut model.run;
    let timeline = run.timeline.clone();
    let Some(timeline) = timeline.filter(|timeline| timeline.revision == revision) else {
        return;
    };
    for number in model.diagram.shown() {
        let network = *number == NETWORK;
        let Some(asked) = run.asked.get_mut(usize::from(network)) else {
            continue;
        };
        if asked.as_ref() != Some(&timeline) {
            *asked = Some(timeline.clone());
            let timeline = (*timeline).clone();
            effects.push(Effect::Send(Request::Follow(Following {
                revision,
                network,
                timeline,
            })));
        }
    }
    // One answer at a time: a training is ahead of it, and asked again then.
    let trained = model.train.trained.as_ref();
    let trained = trained.filter(|_| model.train.asked == Some(revision));
    let of = (revision, trained.map_or(0, |trained| trained.steps));
    if run.normed && !run.awaits && run.norms_of != Some(of) {
        run.norms_of = Some(of);
        run.awaits = true;
        effects.push(Effect::Send(Request::Norms { revision }));
    }
    if run.valued != Some(revision) {
        run.valued = Some(revision);
        effects.push(Effect::Send(Request::Values { revision }));
    }
}

/// Brings the box that is at work into sight.
fn reveal(model: &mut Model) {
    for number in model.diagram.shown() {
        let following = model.following(*number);
        let (Some(following), Some(sheet)) = (following, model.diagram.sheets.get_mut(*number))
        else {
            continue;
        };
        let lit = |shape: &Shape| following.phase(shape) == Phase::Lit;
        let found = (sheet.picture()).and_then(|picture| picture.boxes.iter().position(lit));
        sheet.reveal(found);
    }
}

/// Brings the box that is sought into sight, with the focus on its first half.
fn seek(model: &mut Model) {
    let Some(met) = model.sought else { return };
    let Some(following) = model.following(HANDLED) else {
        return;
    };
    let Some(sheet) = model.diagram.sheets.get_mut(HANDLED) else {
        return;
    };
    let shapes = sheet.picture().map(|picture| &picture.boxes);
    let found = shapes.and_then(|all| all.iter().position(|shape| following.met(shape, met)));
    model.sought = None;
    sheet.focus = found;
    sheet.reveal(found);
    model.diagram.chosen = found.map(|found| (HANDLED, found));
}

/// Asks for what is shown and not there.
fn want(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(loaded) = model.loaded.clone().filter(|loaded| !loaded.rejected) else {
        return;
    };
    if model.tab == Tab::Types && !model.stale {
        let derive = model.types.want(loaded.revision);
        effects.extend(derive.map(Effect::Send));
    }
    if model.tab == Tab::Diagram {
        let diagram = &mut model.diagram;
        for number in diagram.shown() {
            let wanted = Drawing {
                revision: loaded.revision,
                of: diagram.of.to_string(),
                network: *number == NETWORK,
                style: diagram.style,
                down: diagram.is_down(*number),
                open: (diagram.open.get(*number)).map_or_else(Vec::new, |open| open.to_vec()),
            };
            let Some(sheet) = diagram.sheets.get_mut(*number) else {
                continue;
            };
            if sheet.asked.as_ref() != Some(&wanted) {
                sheet.asked = Some(wanted.clone());
                effects.push(Effect::Send(Request::Draw(wanted)));
            }
        }
        if model.diagram.of.as_ref() == "main" {
            follow(model, loaded.revision, effects);
        }
    }
}

fn sheet(model: &mut Model, number: usize, msg: &SheetMsg, effects: &mut Vec<Effect>) {
    let following = model.following(number);
    let Some(sheet) = model.diagram.sheets.get_mut(number) else {
        return;
    };
    let chosen = match sheet.change(msg) {
        Some(Wish::Choose(chosen)) => chosen,
        Some(Wish::Open(key) | Wish::Fold(key)) => {
            return turn(&mut model.diagram, number, |open| toggle(open, key));
        }
        None => return,
    };
    let Some(shape) = sheet.shape(chosen) else {
        return;
    };
    let own = following
        .as_ref()
        .and_then(|following| following.part(shape));
    let source = own.and_then(|part| part.source);
    let source = source.or_else(|| place(model.program.as_deref(), shape.place));
    if let (false, Some((from, to))) = (model.stale, source) {
        effects.push(Effect::Tell(FromFigures::Mark(from, to)));
    }
    model.diagram.chosen = Some((number, chosen));
}

/// Opens or folds boxes of a sheet.
fn turn(diagram: &mut Diagram, number: usize, change: impl FnOnce(&mut Vec<String>)) {
    if let Some(slot) = diagram.open.get_mut(number) {
        let mut open = slot.to_vec();
        change(&mut open);
        *slot = open.into();
        // Boxes have other numbers then.
        diagram.chosen = None;
    }
}

/// Turns what a key turns: a box is opened or, opened, folded; the run of a handler, which is open at first, the other way round.
fn toggle(open: &mut Vec<String>, key: String) {
    match open.iter().position(|other| *other == key) {
        Some(place) => {
            open.remove(place);
        }
        None => open.push(key),
    }
}

/// Opens whatever can be opened of what is shown, or folds all of it.
fn open_all(diagram: &mut Diagram, all: bool) {
    for number in diagram.shown() {
        let sheet = diagram.sheets.get(*number);
        let shapes = sheet.and_then(|sheet| Some(sheet.picture()?.boxes.iter()));
        let keys = shapes.into_iter().flatten();
        let keys: BTreeSet<String> = keys.filter_map(|shape| shape.opens.clone()).collect();
        turn(diagram, *number, |open| match all {
            true => keys.into_iter().for_each(|key| toggle(open, key)),
            false => open.clear(),
        });
    }
}

/// A place in bytes as one in UTF-16 code units.
pub(super) fn place(
    program: Option<&crate::talk::Program>,
    (from, to): (u32, u32),
) -> Option<(u32, u32)> {
    let source = &program?.source;
    let units = |byte: u32| -> Option<u32> {
        let before = source.get(..usize::try_from(byte).ok()?)?;
        u32::try_from(before.encode_utf16().count()).ok()
    };
    (to > from).then_some((units(from)?, units(to)?))
}

fn save(model: &mut Model, number: usize, kind: SaveAs, effects: &mut Vec<Effect>) {
    model.diagram.saving = false;
    let (Some(sheet), Some(program)) = (model.diagram.sheets.get(number), &model.program) else {
        return;
    };
    if let Some(drawn) = sheet.drawn.clone() {
        let part = if drawn.asked.network { "-network" } else { "" };
        effects.push(Effect::Save(Save {
            name: format!("{}{part}", drawn.asked.of).into(),
            kind,
            drawn,
            source: program.source.as_str().into(),
        }));
    }
}
