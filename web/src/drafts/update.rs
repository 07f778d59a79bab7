//! Drafts: what the database says, what the reader does with the list, and files that come and go.

use crate::drafts::texts;
use crate::drafts::{DataFile, Kept, Trouble};
use crate::editor::update as program;
use crate::editor::update::assist::notice;
use crate::effects::{Effect, Store};
use crate::model::{Model, Overlay};
use crate::update::page;
use fletch_playground::{FILE_LIMIT, decoded, nfc};
use std::rc::Rc;

/// Something with the drafts.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftsMsg {
    /// The database is open: what it has of the program in the editor, and all drafts.
    Ready(Option<Box<(Kept, Own)>>, Rc<[Kept]>),
    /// These are all drafts.
    Listed(Rc<[Kept]>),
    /// Another tab has changed something.
    Changed,
    /// Another tab has changed the draft of this id.
    Elsewhere(Rc<str>),
    /// A draft was changed elsewhere, so this tab has a copy of it: the draft's id, the copy's, and its name.
    Copied(Rc<str>, Rc<str>, Rc<str>),
    /// The program is kept.
    Saved,
    /// It is not.
    Failed(Trouble),
    /// Open this draft.
    Open(Rc<str>),
    /// A draft was read.
    Loaded(Box<(Kept, Own)>),
    /// Look for this in the list.
    Seek(Rc<str>),
    /// Give this draft a name, or none after all.
    Rename(Option<Rc<str>>),
    /// So much of the name is typed.
    NameTyped(Rc<str>),
    /// This is the name, given by Enter.
    Renamed(Rc<str>),
    /// The field with this name was left for something else.
    NameLeft(Rc<str>),
    /// Delete this draft.
    Remove(Rc<str>),
    /// Put back what was deleted last.
    PutBack,
    /// Give all drafts as one file.
    Export,
    /// Save the program as a file.
    Save,
    /// The file of this name was written.
    Written(Rc<str>),
    /// Let the reader choose files.
    Choose,
    /// Let the reader choose the file that the program calls so.
    ChooseAs(Rc<str>),
    /// These were chosen or dropped; one that the program calls so, whatever its own name is.
    Files(Vec<Came>, Option<Rc<str>>),
    /// Take this file away from the program.
    DropFile(Rc<str>),
}

/// A file that has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Came {
    /// Its name.
    pub name: Rc<str>,
    /// Bytes of the file, or why it was not read.
    pub bytes: Result<Rc<[u8]>, Unread>,
}

/// Why a file was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It is larger than any file may be.
    Large,
    /// It cannot be read, as the browser says it.
    Failed(Rc<str>),
}

/// Data kept with a draft beside its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Own {
    /// The name that the reader has given it.
    pub given: Rc<str>,
    /// Undo history of the editor, in the editor's own format; `None` if there is none.
    pub history: Option<Rc<str>>,
    /// The files of its data sets.
    pub files: Rc<[DataFile]>,
}

#[inline(never)] // A start does without it.
pub(crate) fn change(model: &mut Model, msg: DraftsMsg, effects: &mut Vec<Effect>) {
    match msg {
        DraftsMsg::Ready(own, all) => ready(model, own, all, effects),
        DraftsMsg::Listed(all) => model.drafts.all = Some(all),
        DraftsMsg::Changed => {
            if model.overlay == Overlay::Drafts {
                ask(effects, Store::List);
            }
        }
        DraftsMsg::Elsewhere(id) => model.drafts.elsewhere |= id == model.program.draft,
        DraftsMsg::Copied(from, id, name) => copied(model, &from, id, &name, effects),
        DraftsMsg::Saved => model.drafts.trouble = None,
        // The page keeps cleared drafts anew, so this trouble is soon past.
        DraftsMsg::Failed(Trouble::Cleared) => {
            notice(model, &Trouble::Cleared.words(), effects);
            if !model.program.files.is_empty() {
                ask(effects, Store::Files(model.program.files.clone()));
            }
        }
        DraftsMsg::Failed(trouble) => model.drafts.trouble = Some(trouble),
        DraftsMsg::Open(id) => {
            page::over(model, Overlay::None, effects);
            ask(effects, Store::Load(id));
        }
        DraftsMsg::Loaded(found) => {
            let (kept, own) = *found;
            program::reopen(model, &kept, own, effects);
        }
        DraftsMsg::Seek(sought) => model.drafts.sought = sought,
        DraftsMsg::Rename(id) => {
            // The field takes the keyboard, and its button gets it back.
            let field = match (&id, &model.drafts.renaming) {
                (Some(_), _) => Some("draft-name".to_owned()),
                (None, Some((before, _))) => Some(format!("rename-{before}")),
                (None, None) => None,
            };
            effects.extend(field.map(Effect::Focus));
            let all = model.drafts.all.as_deref().unwrap_or(&[]);
            model.drafts.renaming = id.map(|id| {
                let kept = all.iter().find(|kept| kept.id == id);
                let name = kept.map_or("", |kept| kept.heading());
                (id, name.into())
            });
        }
        DraftsMsg::NameTyped(name) => {
            if let Some((_, typed)) = &mut model.drafts.renaming {
                *typed = name;
            }
        }
        DraftsMsg::Renamed(name) => {
            let field = model.drafts.renaming.clone();
            renamed(model, name.trim(), effects);
            effects.extend(field.map(|(id, _)| Effect::Focus(format!("rename-{id}"))));
        }
        DraftsMsg::NameLeft(name) => renamed(model, name.trim(), effects),
        DraftsMsg::Remove(id) => {
            let all = model.drafts.all.as_deref().unwrap_or(&[]);
            let gone = all.iter().find(|kept| kept.id == id);
            model.drafts.removed = gone.map(|kept| kept.heading().into());
            effects.push(Effect::Focus("drafts-undo".into()));
            ask(effects, Store::Remove(id));
        }
        DraftsMsg::PutBack => {
            model.drafts.removed = None;
            effects.push(Effect::Focus("drafts-sought".into()));
            ask(effects, Store::PutBack);
        }
        DraftsMsg::Export => ask(effects, Store::Export(model.drafts.file_names())),
        DraftsMsg::Save => {
            let name = model.program.file_name();
            ask(
                effects,
                Store::Save(name.into(), model.program.text.clone()),
            );
        }
        DraftsMsg::Written(name) => notice(model, &format!("Saved {name}."), effects),
        DraftsMsg::Choose => ask(effects, Store::Choose(".fletch,.csv,.tsv,.txt", None)),
        DraftsMsg::ChooseAs(name) => ask(effects, Store::Choose(".csv,.tsv,.txt", Some(name))),
        DraftsMsg::Files(files, None) => came(model, files, effects),
        DraftsMsg::Files(files, Some(name)) => came_as(model, files, name, effects),
        DraftsMsg::DropFile(name) => {
            let rest = model.program.files.iter().filter(|file| file.name != name);
            model.program.files = rest.cloned().collect();
            keep_files(model, effects);
        }
    }
}

/// Opens the list.
pub(crate) fn show(model: &mut Model, effects: &mut Vec<Effect>) {
    model.drafts.sought = "".into();
    model.drafts.renaming = None;
    model.drafts.removed = None;
    ask(effects, Store::List);
}

fn ask(effects: &mut Vec<Effect>, what: Store) {
    effects.push(Effect::Drafts(what));
}

/// The program on the page may be one that is kept: then it has its files and what can be undone. The reader may have gone on meanwhile:
/// what was typed stays, and what belongs to another program is not for this one.
fn ready(
    model: &mut Model,
    own: Option<Box<(Kept, Own)>>,
    all: Rc<[Kept]>,
    effects: &mut Vec<Effect>,
) {
    model.drafts.know(all);
    let Some(own) = own else {
        // Keeps a text that a page had not saved yet when it was left.
        program::keep(model, effects);
        return;
    };
    let (kept, own) = *own;
    if model.program.draft != kept.id {
        return;
    }
    model.program.given = own.given;
    if let Some(history) = own.history {
        effects.push(Effect::Remember(kept.text, history));
        show_anew(model, effects);
    }
    let added = std::mem::take(&mut model.program.files);
    let is_added = |file: &&DataFile| {
        added
            .iter()
            .any(|other| nfc(&other.name) == nfc(&file.name))
    };
    let read = own.files.iter().filter(|file| !is_added(file));
    let files: Rc<[DataFile]> = read.chain(added.iter()).cloned().collect();
    let is_more = files.len() > added.len();
    model.program.files = files;
    if is_more {
        program::load_anew(model, effects);
    }
}

/// Puts the text into the editor with what can be undone there.
pub(crate) fn restore(model: &Model, history: Option<Rc<str>>, effects: &mut Vec<Effect>) {
    effects.push(Effect::Restore(model.program.text.clone(), history));
    show_anew(model, effects);
}

/// Shows breakpoints and diagnostics again, which the editor loses with its past.
fn show_anew(model: &Model, effects: &mut Vec<Effect>) {
    effects.push(Effect::Breakpoints(model.stepping.breakpoints.clone()));
    effects.push(Effect::Diagnose(model.check.diagnostics.clone()));
}

fn copied(model: &mut Model, from: &Rc<str>, id: Rc<str>, name: &str, effects: &mut Vec<Effect>) {
    if model.program.draft != *from {
        return;
    }
    // Its training goes on.
    if model.train.of == *from {
        model.train.of = id.clone();
    }
    model.program.draft = id;
    model.program.given = name.into();
    model.drafts.elsewhere = false;
    let words = format!(
        "This program was changed in another tab too. What you write here is kept as “{name}”."
    );
    notice(model, &words, effects);
    program::keep(model, effects);
}

/// An empty name leaves the program the one that its text gives it, and so does the one that it has.
fn renamed(model: &mut Model, name: &str, effects: &mut Vec<Effect>) {
    let Some((id, _)) = model.drafts.renaming.take() else {
        return;
    };
    let all = model.drafts.all.as_deref().unwrap_or(&[]);
    if all
        .iter()
        .any(|kept| kept.id == id && kept.heading() == name)
    {
        return;
    }
    if model.program.draft == id {
        model.program.given = name.into();
    }
    ask(effects, Store::Rename(id, name.into()));
}

/// Data is added to the program; a program begins a draft of its own.
fn came(model: &mut Model, files: Vec<Came>, effects: &mut Vec<Effect>) {
    let mut added = Vec::new();
    for file in files {
        let data = is_data(model, &file.name);
        let Some(bytes) = read(model, &file, data, effects) else {
            return;
        };
        if data {
            let name = nfc(&file.name).into();
            added.push(DataFile { name, bytes });
        } else {
            program::from_file(model, &file.name, &decoded(&bytes), effects);
        }
    }
    if added.is_empty() {
        return;
    }
    let names: Vec<&str> = added.iter().map(|file| &*file.name).collect();
    let words = texts::added(&names);
    add(model, &added, &words, effects);
}

/// The file that the program calls so has come, under whatever name it has outside.
fn came_as(model: &mut Model, files: Vec<Came>, name: Rc<str>, effects: &mut Vec<Effect>) {
    let Some(file) = files.into_iter().next() else {
        return;
    };
    let Some(bytes) = read(model, &file, true, effects) else {
        return;
    };
    let words = texts::added_as(&file.name, &name);
    add(model, &[DataFile { name, bytes }], &words, effects);
}

/// Tells if a file of this name is data: by its ending, or because the program reads it.
fn is_data(model: &Model, name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    let ending = ending.map(str::to_ascii_lowercase);
    let by_ending = ending.is_some_and(|ending| ["csv", "tsv"].contains(&&*ending));
    let mut read = model.check.files.iter();
    by_ending || read.any(|known| nfc(known) == nfc(name))
}

/// The bytes of a file; else the reader is told why there are none.
fn read(model: &mut Model, file: &Came, data: bool, effects: &mut Vec<Effect>) -> Option<Rc<[u8]>> {
    let most = if data { FILE_LIMIT >> 20 } else { 16 };
    let bytes = file.bytes.as_ref();
    let bytes = bytes.map_err(Clone::clone).and_then(|bytes| {
        let large = data && bytes.len() > FILE_LIMIT;
        if large { Err(Unread::Large) } else { Ok(bytes) }
    });
    let words = match bytes {
        Ok(bytes) => return Some(bytes.clone()),
        Err(Unread::Large) => texts::too_large(&file.name, data, most),
        Err(Unread::Failed(why)) => texts::was_not_read(&file.name, why),
    };
    notice(model, &words, effects);
    None
}

fn add(model: &mut Model, added: &[DataFile], words: &str, effects: &mut Vec<Effect>) {
    let stays = |file: &&DataFile| added.iter().all(|new| nfc(&new.name) != nfc(&file.name));
    let before: Vec<DataFile> = model.program.files.iter().filter(stays).cloned().collect();
    model.program.files = before.into_iter().chain(added.iter().cloned()).collect();
    notice(model, words, effects);
    keep_files(model, effects);
}

fn keep_files(model: &mut Model, effects: &mut Vec<Effect>) {
    program::keep(model, effects);
    ask(effects, Store::Files(model.program.files.clone()));
    program::load_anew(model, effects);
}
