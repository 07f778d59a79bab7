//! Drafts: messages of the database, the reader's actions in the list, and files that are read and written.

use crate::drafts::texts;
use crate::drafts::{DataFile, Kept, Trouble};
use crate::editor::update as program;
use crate::editor::update::assist::notice;
use crate::effects::{Effect, Store};
use crate::model::{Model, Overlay};
use crate::update::page;
use fletch_playground::{FILE_LIMIT, decoded, nfc};
use std::rc::Rc;

/// An event of the drafts.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftsMsg {
    /// The database is open. It has this draft for the program in the editor, if any, and these drafts in all.
    Ready(Option<Box<(Kept, Own)>>, Rc<[Kept]>),
    /// All drafts, listed again.
    Listed(Rc<[Kept]>),
    /// Another tab has changed something.
    Changed,
    /// Another tab has changed the draft with this id.
    Elsewhere(Rc<str>),
    /// A draft was changed elsewhere, so this tab has a copy of it: id of the draft, id and name of the copy.
    Copied(Rc<str>, Rc<str>, Rc<str>),
    /// The program is kept.
    Saved,
    /// The program is not kept.
    Failed(Trouble),
    /// Open this draft.
    Open(Rc<str>),
    /// A draft was read.
    Loaded(Box<(Kept, Own)>),
    /// Search for these words in the list.
    Seek(Rc<str>),
    /// Begin renaming this draft; `None` cancels renaming.
    Rename(Option<Rc<str>>),
    /// The name as typed so far.
    NameTyped(Rc<str>),
    /// The name was confirmed by Enter.
    Renamed(Rc<str>),
    /// The field, which contains this name, lost the focus.
    NameLeft(Rc<str>),
    /// Delete this draft.
    Remove(Rc<str>),
    /// Restore the draft that was deleted last.
    PutBack,
    /// Save all drafts as one file.
    Export,
    /// Save the program as a file.
    Save,
    /// The file of this name was written.
    Written(Rc<str>),
    /// Let the reader choose files.
    Choose,
    /// Let the reader choose the file that the program reads under this name.
    ChooseAs(Rc<str>),
    /// Files that were chosen or dropped. A name is that under which the program reads the one file, whatever its own name is.
    Files(Vec<Came>, Option<Rc<str>>),
    /// Take this file away from the program.
    DropFile(Rc<str>),
}

/// A file that the reader has chosen or dropped.
#[derive(Clone, Debug, PartialEq)]
pub struct Came {
    /// Name of the file.
    pub name: Rc<str>,
    /// Bytes of the file, or the reason why it was not read.
    pub bytes: Result<Rc<[u8]>, Unread>,
}

/// The reason why a file was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The file exceeds the size limit.
    Large,
    /// The file cannot be read, with the browser's reason.
    Failed(Rc<str>),
}

/// Data kept with a draft in addition to its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Own {
    /// The name that the reader has given it.
    pub given: Rc<str>,
    /// Undo history of the editor, in the editor's own format; `None` if there is none.
    pub history: Option<Rc<str>>,
    /// Data files of the draft.
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
        // The page keeps its program again at once, so this trouble is over and only a notice reports it.
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
            // The field gets the focus; when it closes, its button gets the focus back.
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

/// Completes the program in the editor, if it is a kept one, with its name, data files and undo history. The reader
/// may have worked meanwhile: typed text and added files stay, and data of another program is ignored.
fn ready(
    model: &mut Model,
    own: Option<Box<(Kept, Own)>>,
    all: Rc<[Kept]>,
    effects: &mut Vec<Effect>,
) {
    model.drafts.know(all);
    let Some(own) = own else {
        // This keeps a text that was not saved yet when its page was left.
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

/// Puts the text into the editor with its undo history.
pub(crate) fn restore(model: &Model, history: Option<Rc<str>>, effects: &mut Vec<Effect>) {
    effects.push(Effect::Restore(model.program.text.clone(), history));
    show_anew(model, effects);
}

/// Shows breakpoints and diagnostics again, which the editor loses when its history is replaced.
fn show_anew(model: &Model, effects: &mut Vec<Effect>) {
    effects.push(Effect::Breakpoints(model.stepping.breakpoints.clone()));
    effects.push(Effect::Diagnose(model.check.diagnostics.clone()));
}

fn copied(model: &mut Model, from: &Rc<str>, id: Rc<str>, name: &str, effects: &mut Vec<Effect>) {
    if model.program.draft != *from {
        return;
    }
    // The training of the draft continues for its copy.
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

/// Renames the draft. An empty name stands for the heading of the text. An unchanged name is no renaming.
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

/// Handles read files: a data file is added to the program, a program begins a draft of its own. One notice reports the files that
/// were not read and the data that was added.
fn came(model: &mut Model, files: Vec<Came>, effects: &mut Vec<Effect>) {
    let (mut added, mut words) = (Vec::new(), Vec::new());
    for file in files {
        let data = is_data(model, &file.name);
        match read(&file, data) {
            Ok(bytes) if data => {
                let name = nfc(&file.name).into();
                added.push(DataFile { name, bytes });
            }
            Ok(bytes) => program::from_file(model, &file.name, &decoded(&bytes), effects),
            Err(why) => words.push(why),
        }
    }
    if !added.is_empty() {
        let names: Vec<&str> = added.iter().map(|file| &*file.name).collect();
        words.push(texts::added(&names));
        add(model, &added, &words.join(" "), effects);
    } else if !words.is_empty() {
        notice(model, &words.join(" "), effects);
    }
}

/// Adds the read file to the program under the name that the program reads it by.
fn came_as(model: &mut Model, files: Vec<Came>, name: Rc<str>, effects: &mut Vec<Effect>) {
    let Some(file) = files.into_iter().next() else {
        return;
    };
    match read(&file, true) {
        Ok(bytes) => {
            let words = texts::added_as(&file.name, &name);
            add(model, &[DataFile { name, bytes }], &words, effects);
        }
        Err(why) => notice(model, &why, effects),
    }
}

/// True if a file with this name is data: it has the extension of one, or the program reads it.
fn is_data(model: &Model, name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    let ending = ending.map(str::to_ascii_lowercase);
    let by_ending = ending.is_some_and(|ending| ["csv", "tsv"].contains(&&*ending));
    let mut read = model.check.files.iter();
    by_ending || read.any(|known| nfc(known) == nfc(name))
}

/// Size limit of a program in a file, in bytes. `MOST` of `drafts/files.js`, which reads the files, is the same.
pub(super) const PROGRAM_LIMIT: usize = 16 << 20;

/// Bytes of a file, or the sentence that says why it was not read.
fn read(file: &Came, data: bool) -> Result<Rc<[u8]>, String> {
    let most = if data { FILE_LIMIT } else { PROGRAM_LIMIT };
    match &file.bytes {
        Ok(bytes) if bytes.len() <= most => Ok(bytes.clone()),
        Ok(_) | Err(Unread::Large) => Err(texts::too_large(&file.name, data, most >> 20)),
        Err(Unread::Failed(why)) => Err(texts::was_not_read(&file.name, why)),
    }
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
