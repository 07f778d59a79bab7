//! Where programs are kept that are being written. A tab has its own, for as long as it lives, so that no other one changes
//! it; what was written last, in any of them, is kept for later visits, a few programs each under a key of its own.

use crate::effects::{Draft, stored};
use crate::model::Kept;
use std::rc::Rc;
use web_sys::{Storage, Window};

/// So many programs are kept.
const MOST: usize = 4;

/// The program of this tab, as it was before it was loaded again: the name of its file, and its text.
pub(super) fn of_this_tab() -> Option<(String, String)> {
    let tab = tab()?;
    let text = get(&tab, stored::DRAFT).filter(|text| !text.trim().is_empty())?;
    Some((get(&tab, stored::FILE).unwrap_or_default(), text))
}

/// What was written before, the newest first.
pub(super) fn of_earlier_visits() -> Rc<[Kept]> {
    let Some(browser) = browser() else {
        return Rc::new([]);
    };
    keys(&browser)
        .into_iter()
        .filter_map(|key| {
            let text =
                get(&browser, &at(stored::DRAFT, &key)).filter(|text| !text.trim().is_empty())?;
            Some(Kept {
                name: get(&browser, &at(stored::FILE, &key))
                    .unwrap_or_default()
                    .into(),
                text: text.into(),
                key: key.into(),
            })
        })
        .collect()
}

/// Keeps the program of this tab.
pub(super) fn keep(draft: &Draft) {
    let key = tab().map_or_else(String::new, |tab| {
        let known = get(&tab, stored::KEYS).filter(|_| !draft.begins);
        let key = known.unwrap_or_else(new_key);
        set(&tab, stored::KEYS, &key);
        set(&tab, stored::DRAFT, &draft.text);
        set(&tab, stored::FILE, &draft.name);
        key
    });
    if let Some(browser) = browser() {
        keep_for_later(&browser, &key, draft);
    }
}

/// The program first among those that are kept; it is there once, and not at all while it is as it was opened.
fn keep_for_later(browser: &Storage, key: &str, draft: &Draft) {
    let before = keys(browser);
    let other = |known: &String| {
        *known != key
            && get(browser, &at(stored::DRAFT, known)).is_some_and(|text| text != *draft.text)
    };
    let mut kept: Vec<String> = before
        .iter()
        .filter(|known| other(known))
        .cloned()
        .collect();
    if draft.lasts {
        kept.insert(0, key.to_owned());
        kept.truncate(MOST);
    }
    for gone in before.iter().filter(|known| !kept.contains(known)) {
        let _ = browser.remove_item(&at(stored::DRAFT, gone));
        let _ = browser.remove_item(&at(stored::FILE, gone));
    }
    if draft.lasts {
        set(browser, &at(stored::DRAFT, key), &draft.text);
        set(browser, &at(stored::FILE, key), &draft.name);
    }
    set(browser, stored::KEYS, &kept.join(" "));
}

fn keys(browser: &Storage) -> Vec<String> {
    let keys = get(browser, stored::KEYS).unwrap_or_default();
    keys.split_whitespace().map(str::to_owned).collect()
}

fn at(name: &str, key: &str) -> String {
    format!("{name}.{key}")
}

/// One that no other tab has.
fn new_key() -> String {
    format!(
        "{:.0}{:03.0}",
        js_sys::Date::now(),
        js_sys::Math::random() * 1000.0
    )
}

/// The storage of this tab, which ends with it, unless it is switched off.
fn tab() -> Option<Storage> {
    storage(Window::session_storage)
}

/// The storage that all tabs share, unless it is switched off.
fn browser() -> Option<Storage> {
    storage(Window::local_storage)
}

fn storage(
    of: impl FnOnce(&Window) -> Result<Option<Storage>, wasm_bindgen::JsValue>,
) -> Option<Storage> {
    of(&web_sys::window()?).ok().flatten()
}

fn get(storage: &Storage, name: &str) -> Option<String> {
    storage.get_item(name).ok().flatten()
}

fn set(storage: &Storage, name: &str, value: &str) {
    // A full storage loses the draft, not the program on the screen.
    let _ = storage.set_item(name, value);
}
