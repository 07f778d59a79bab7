//! The figures' only function that decides anything: a message and a model give the next model, and what is to be done.

#[cfg(test)]
mod tests;

use super::model::{Model, NETWORK, Part};
use super::sheet::SheetMsg;
use crate::talk::{FromFigures, Tab, ToFigures};
use fletch_playground::diagram::{Format, Style};
use fletch_playground::figures::protocol::{Drawing, Drawn, Reply, Request};
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
    /// Something happened to the sheet of this number.
    Sheet(usize, SheetMsg),
    /// Open or close the list of formats.
    Saving(bool),
    /// Save the diagram of the sheet of this number.
    Save(usize, SaveAs),
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
        Msg::Replied(reply) => replied(&mut model, *reply),
        Msg::WorkerFailed(why) => model.failure = Some(why),
        Msg::Of(name) => model.diagram.of = name,
        Msg::Part(part) => model.diagram.part = part,
        Msg::Style(style) => model.diagram.style = style,
        Msg::Sheet(number, msg) => sheet(&mut model, number, &msg, &mut effects),
        Msg::Saving(open) => model.diagram.saving = open,
        Msg::Save(number, kind) => save(&mut model, number, kind, &mut effects),
    }
    want(&mut model, &mut effects);
    (model, effects)
}

fn told(model: &mut Model, said: ToFigures, effects: &mut Vec<Effect>) {
    match said {
        ToFigures::Tab(tab) => model.tab = tab,
        ToFigures::Stale => model.stale = true,
        ToFigures::Cursor(cursor) => model.cursor = cursor,
        ToFigures::Theme(theme) => model.theme = crate::model::Theme::named(&theme),
        ToFigures::At(at) => model.at = at,
        ToFigures::Program(program) => {
            model.stale = false;
            effects.push(Effect::Send(Request::Load {
                revision: program.revision,
                source: program.source.clone(),
                heap: program.heap.clone(),
                mode: program.mode,
            }));
            model.program = Some(Rc::new(program));
        }
    }
}

fn replied(model: &mut Model, reply: Reply) {
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
        }
        Reply::Drawn(drawn) => {
            let sheets = model.diagram.sheets.iter_mut();
            for sheet in sheets.filter(|sheet| sheet.asked.as_ref() == Some(&drawn.asked)) {
                sheet.show((*drawn).clone());
            }
        }
        // The next answer to `Load` is under way, and what is wanted is asked for then.
        Reply::Outdated => {}
        // Nothing asks for these yet.
        Reply::Derived(_)
        | Reply::Followed(_)
        | Reply::Values(_)
        | Reply::Entries(_)
        | Reply::Same(..)
        | Reply::Comparable(_)
        | Reply::Compared(_)
        | Reply::Variants(..)
        | Reply::Ran(_) => {}
    }
}

/// Asks for what is shown and not there.
fn want(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(loaded) = model.loaded.clone().filter(|loaded| !loaded.rejected) else {
        return;
    };
    if model.tab == Tab::Diagram {
        let diagram = &mut model.diagram;
        for number in diagram.shown() {
            let wanted = Drawing {
                revision: loaded.revision,
                of: diagram.of.to_string(),
                network: *number == NETWORK,
                style: diagram.style,
            };
            let Some(sheet) = diagram.sheets.get_mut(*number) else {
                continue;
            };
            if sheet.asked.as_ref() != Some(&wanted) {
                sheet.asked = Some(wanted.clone());
                effects.push(Effect::Send(Request::Draw(wanted)));
            }
        }
    }
}

fn sheet(model: &mut Model, number: usize, msg: &SheetMsg, effects: &mut Vec<Effect>) {
    let Some(sheet) = model.diagram.sheets.get_mut(number) else {
        return;
    };
    let chosen = sheet.change(msg);
    let Some(shape) = chosen.and_then(|chosen| sheet.shape(chosen)) else {
        return;
    };
    if let (false, Some((from, to))) = (model.stale, place(model.program.as_deref(), shape.place)) {
        effects.push(Effect::Tell(FromFigures::Mark(from, to)));
    }
}

/// A place in bytes as one in UTF-16 code units.
fn place(program: Option<&crate::talk::Program>, (from, to): (u32, u32)) -> Option<(u32, u32)> {
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
