//! Storage of the programs that are being written. Every change goes to the storage of the tab, so a reload has it at
//! once. From there it goes to the browser's database, which `web/drafts` opens after the first view.

use crate::bridge::Database;
use crate::drafts::update::{Came, DraftsMsg, Own, Unread};
use crate::drafts::{DataFile, Kept, Trouble};
use crate::effects::{Draft, Store, stored};
use crate::steps::place::Place;
use js_sys::{Array, Reflect, Uint8Array};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Storage, Window};
use yew::Callback;

/// Connection to the database, once it is open.
#[derive(Clone, Default)]
pub(super) struct Drafts {
    database: Rc<RefCell<Option<Database>>>,
    /// Draft to keep once the database is open.
    waiting: Rc<RefCell<Option<Draft>>>,
}

impl Drafts {
    /// Opens the database for the program of this tab. `hear` receives its messages; `editor` is the editor's handle.
    pub(super) fn open(&self, id: &str, text: &str, editor: &JsValue, hear: Callback<DraftsMsg>) {
        let (drafts, editor) = (self.clone(), editor.clone());
        let (id, text) = (id.to_owned(), text.to_owned());
        wasm_bindgen_futures::spawn_local(async move {
            let said = hear.clone();
            let said = move |kind: String, value: JsValue| {
                if let Some(msg) = message(&kind, &value) {
                    said.emit(msg);
                }
            };
            match Database::open(&editor, said).await {
                Ok(database) => {
                    database.start(&id, &text);
                    if let Some(draft) = drafts.waiting.take() {
                        database.keep(&draft);
                    }
                    drafts.database.replace(Some(database));
                }
                Err(why) => hear.emit(DraftsMsg::Failed(Trouble::Other(why))),
            }
        });
    }

    /// Stores a text that is being typed, before anything else handles it, so that a panic does not lose it.
    pub(super) fn note(text: &str) {
        if let Some(tab) = tab() {
            // With a full storage a reload lacks this text at first; the database has it.
            let _ = tab.set_item(stored::DRAFT, text);
        }
    }

    /// Keeps the program of this tab.
    pub(super) fn keep(&self, draft: &Draft) {
        if let Some(tab) = tab() {
            let _ = tab.set_item(stored::KEYS, &draft.id);
            let _ = tab.set_item(stored::FILE, &draft.file);
        }
        Self::note(&draft.text);
        match &*self.database.borrow() {
            Some(database) => database.keep(draft),
            None => {
                self.waiting.replace(Some(draft.clone()));
            }
        }
    }

    /// Stores the reader's position in the run.
    pub(super) fn place(place: &Place) {
        if let Some(tab) = tab() {
            let _ = tab.set_item(stored::PLACE, &place.line());
        }
    }

    /// Sends a request to the database, if it is open.
    pub(super) fn ask(&self, what: &Store) {
        if let Some(database) = &*self.database.borrow() {
            database.ask(what);
        }
    }
}

/// Program of this tab before the page was reloaded: id of the draft, name of the file, text.
pub(super) fn of_this_tab() -> Option<(Option<String>, String, String)> {
    let tab = tab()?;
    let get = |name| tab.get_item(name).ok().flatten();
    let text = get(stored::DRAFT).filter(|text| !text.trim().is_empty())?;
    Some((
        get(stored::KEYS),
        get(stored::FILE).unwrap_or_default(),
        text,
    ))
}

/// The reader's position in the run, as stored in this tab.
pub(super) fn place() -> Option<Place> {
    let line = tab()?.get_item(stored::PLACE).ok().flatten()?;
    Place::kept(&line)
}

/// Prefix of the ids of this page's drafts, which no other page has.
pub(super) fn seed() -> String {
    let (time, number) = (js_sys::Date::now(), js_sys::Math::random() * 1e9);
    format!("{time:.0}-{number:.0}-")
}

/// The storage of this tab, which lasts as long as the tab; `None` if it is switched off.
fn tab() -> Option<Storage> {
    web_sys::window()
        .as_ref()
        .map(Window::session_storage)?
        .ok()
        .flatten()
}

/// Decodes a message of the database; `None` for an unknown kind.
fn message(kind: &str, value: &JsValue) -> Option<DraftsMsg> {
    let string = |value: &JsValue| value.as_string().map(Rc::from);
    Some(match kind {
        "ready" => {
            let own = Some(get(value, "own")).filter(JsValue::is_object);
            DraftsMsg::Ready(
                own.map(|found| Box::new((kept(&found), self::own(&found)))),
                all(&get(value, "drafts")),
            )
        }
        "listed" => DraftsMsg::Listed(all(value)),
        "loaded" => DraftsMsg::Loaded(Box::new((kept(value), own(value)))),
        "changed" => DraftsMsg::Changed,
        "elsewhere" => DraftsMsg::Elsewhere(string(value)?),
        "copied" => DraftsMsg::Copied(text(value, "from"), text(value, "id"), text(value, "title")),
        "saved" => DraftsMsg::Saved,
        "written" => DraftsMsg::Written(string(value)?),
        "failed" => DraftsMsg::Failed(match &*value.as_string()? {
            "full" => Trouble::Full,
            "blocked" => Trouble::Blocked,
            "cleared" => Trouble::Cleared,
            other => Trouble::Other(other.trim_start_matches([':', ' ']).into()),
        }),
        "files" => {
            let files = list(&get(value, "files")).map(|file| came(&file));
            DraftsMsg::Files(files.collect(), string(&get(value, "name")))
        }
        _ => return None,
    })
}

fn all(value: &JsValue) -> Rc<[Kept]> {
    list(value).map(|draft| kept(&draft)).collect()
}

fn kept(value: &JsValue) -> Kept {
    Kept {
        id: text(value, "id"),
        file: text(value, "file"),
        given: text(value, "title"),
        text: text(value, "text"),
        when: text(value, "when"),
    }
}

fn own(value: &JsValue) -> Own {
    let file = |file: JsValue| DataFile {
        name: text(&file, "name"),
        bytes: bytes(&get(&file, "bytes")).unwrap_or_default(),
    };
    Own {
        given: text(value, "title"),
        history: get(value, "history").as_string().map(Rc::from),
        files: list(&get(value, "files")).map(file).collect(),
    }
}

/// A file that the reader has chosen or dropped: its bytes, or the reason why they could not be read.
fn came(file: &JsValue) -> Came {
    let why = || match get(file, "why").as_string() {
        Some(why) => Unread::Failed(why.trim_end_matches('.').into()),
        None => Unread::Large,
    };
    Came {
        name: text(file, "name"),
        bytes: bytes(&get(file, "bytes")).ok_or_else(why),
    }
}

fn bytes(value: &JsValue) -> Option<Rc<[u8]>> {
    let bytes = value.dyn_ref::<Uint8Array>()?;
    Some(bytes.to_vec().into())
}

fn get(value: &JsValue, name: &str) -> JsValue {
    Reflect::get(value, &name.into()).unwrap_or(JsValue::NULL)
}

fn text(value: &JsValue, name: &str) -> Rc<str> {
    get(value, name).as_string().unwrap_or_default().into()
}

fn list(value: &JsValue) -> js_sys::ArrayIntoIter {
    value
        .dyn_ref::<Array>()
        .cloned()
        .unwrap_or_default()
        .into_iter()
}
