//! Updates of the comparison tab, and its requests to the worker.

use super::{About, CompareMsg, From, TwoCommands};
use crate::diagram::sheet::{SheetMsg, Wish};
use crate::diagram::update::place;
use crate::effects::{Effect, Wanted, stored};
use crate::ids;
use crate::model::{Model, Shared, Tab, Want};
use crate::update::{ask, page};
use fletch_playground::protocol::{Ask, Reply};
use std::rc::Rc;

#[inline(never)] // A start does without it.
pub(crate) fn change(model: &mut Model, msg: CompareMsg, effects: &mut Vec<Effect>) {
    let compare = &mut model.compare;
    let commands = &mut compare.commands;
    match msg {
        CompareMsg::About(about) => compare.about = about,
        CompareMsg::Choose => effects.push(Effect::Focus(ids::COMPARED.into())),
        CompareMsg::Left(name) => {
            commands.left = name;
            // Selects another second command if the current one has other types.
            if let Some((of, known)) = commands.known.clone() {
                commands.list(of, known);
            }
        }
        CompareMsg::Right(name) => commands.right = name,
        CompareMsg::From(from) => {
            commands.text = None;
            if let From::Example(number) = from {
                effects.push(Effect::Fetch(Wanted::Compared(number)));
            }
            commands.from = from;
            commands.right = "".into();
            reload(model);
        }
        CompareMsg::Pasted(text) => {
            if commands.from == From::Pasted {
                commands.text = Some(Ok(text));
            }
        }
        CompareMsg::Fetched(number, text) => {
            if commands.from == From::Example(number) {
                commands.text = Some(text);
            }
        }
        CompareMsg::Sheet(number, msg) => sheet(model, number, &msg, effects),
        CompareMsg::Listed(listed) => commands.listed = listed,
        CompareMsg::Edit(number, edit) => {
            if let Some(known) = compare.runs.edits.get_mut(number) {
                *known = edit;
            }
        }
        CompareMsg::Insert(number, text) => {
            if let Some(known) = compare.runs.edits.get_mut(number) {
                known.insert = text.to_string();
            }
        }
        CompareMsg::Marks(on) => {
            compare.step.marks = on;
            if on {
                ask::start(model, effects);
            }
            let stored = if on { "on" } else { "off" };
            effects.push(Effect::Store(stored::SAME, stored.into()));
        }
        CompareMsg::Step => {
            compare.about = About::Step;
            page::tab_by_key(model, Tab::Compare, effects);
        }
    }
}

/// Sets the text of the other program if it is this program as it was opened.
pub(crate) fn reload(model: &mut Model) {
    if model.compare.commands.from == From::Opened
        && let Some(subject) = &model.subject
    {
        let original = &model.program.original;
        let text = if original.is_empty() {
            &subject.text
        } else {
            original
        };
        model.compare.commands.text = Some(Ok(Rc::clone(text)));
    }
}

fn sheet(model: &mut Model, number: usize, msg: &SheetMsg, effects: &mut Vec<Effect>) {
    let commands = &mut model.compare.commands;
    // The editor has no other text to mark a source in.
    let own = number == 0 || commands.from == From::This;
    let Some(sheet) = commands.sheets.get_mut(number) else {
        return;
    };
    // Differences are marked at boxes, so no box is opened here.
    let Some(Wish::Choose(chosen)) = sheet.change(msg) else {
        return;
    };
    if let Some(source) = place(sheet, chosen).filter(|_| own) {
        page::mark(model, source, effects);
    }
}

/// Stores the reply to a request.
pub(crate) fn replied(model: &mut Model, revision: u32, ask: &Ask, reply: Reply) {
    let compare = &mut model.compare;
    match (ask, reply) {
        (Ask::Same(asked), Reply::Same(said)) => {
            // An unfinished verdict is requested again even without progress: on a busy machine, the worker may make no step in its
            // time slice.
            if said.same.verdict.is_on_the_way() {
                model.asked.forget(ask);
            }
            compare.step.known = Some((revision, Shared::new((*asked, *said))));
        }
        (Ask::Comparable { other }, Reply::Comparable(known)) => {
            let of = (revision, other.as_deref().map(Rc::from));
            compare.commands.list(of, Rc::new(known));
        }
        (Ask::Compare(asked), Reply::Compared(compared)) => {
            compare.commands.show(revision, asked.clone(), *compared);
        }
        (Ask::Variants, Reply::Variants(variants)) => compare.runs.list(revision, variants),
        (Ask::Run(asked), Reply::Ran(ran)) => {
            compare.runs.ran = Some(Shared::new((asked.clone(), *ran)));
        }
        _ => {}
    }
}

/// Requests for the comparison that the tab shows, and for the mark of the shown step.
#[inline(never)] // A start does without it.
pub(crate) fn wants(model: &Model) -> Vec<Want> {
    let Some(subject) = model.read() else {
        return Vec::new();
    };
    let about = (model.tab == Tab::Compare).then_some(model.compare.about);
    let mut wants: Vec<Want> = same(model, subject.revision).into_iter().collect();
    match about {
        Some(About::Commands) => wants.extend(commands(&model.compare.commands, subject.revision)),
        Some(About::Runs) => {
            wants.push(Want::once(Ask::Variants));
            let runs = model.compare.runs.wanted(subject.revision);
            wants.extend(runs.map(|runs| Want::once(Ask::Run(runs))));
        }
        Some(About::Step) | None => {}
    }
    wants
}

/// Request for the comparison of the shown step's arrows, one at a time while the reader moves on.
fn same(model: &Model, revision: u32) -> Option<Want> {
    let at = model.at()?;
    let asked = (model.compare.step).wanted(&at, revision, model.is_about_step())?;
    let waits = model.second.awaits(|ask| matches!(ask, Ask::Same(_)));
    (!waits).then(|| Want::once(Ask::Same(asked)))
}

/// Requests for the commands of both programs, and then for the comparison of the selected ones.
fn commands(commands: &TwoCommands, revision: u32) -> Vec<Want> {
    let listing = commands.is_there().then(|| {
        let other = commands.other().map(|text| text.to_string());
        Want::once(Ask::Comparable { other })
    });
    let wanted = commands.wanted(revision);
    let compared = wanted.map(|wanted| Want::once(Ask::Compare(wanted)));
    listing.into_iter().chain(compared).collect()
}

impl Model {
    /// True if the comparison tab shows the step.
    pub fn is_about_step(&self) -> bool {
        self.tab == Tab::Compare && self.compare.about == About::Step
    }
}
