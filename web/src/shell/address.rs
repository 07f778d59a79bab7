//! The page's address, and the browser's history of programs. Steps make no entries in the history.

use super::Shell;
use crate::share::update::TravelMsg;
use crate::texts;
use crate::update::Msg;
use fletch_link::{Link, Opened, Unreadable};
use gloo::events::EventListener;
use js_sys::{Function, Object, Reflect};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{PopStateEvent, Window};
use yew::Context;

/// The link that the page was opened with, if there is one.
pub(super) fn link() -> Option<Result<Opened, Unreadable>> {
    let fragment = hash()?;
    let is_link = fragment.len() > 1 && crate::tour::named(&fragment).is_none();
    is_link.then(|| Link::read(&fragment))
}

/// The fragment that the page was opened with.
pub(super) fn hash() -> Option<String> {
    web_sys::window()?.location().hash().ok()
}

/// Sets the fragment of the address, in the current entry of the history.
#[inline(never)] // A start does without it.
pub(super) fn fragment(fragment: &str) {
    let set = || -> Result<(), JsValue> {
        let window = web_sys::window().ok_or(JsValue::NULL)?;
        let (location, history) = (window.location(), window.history()?);
        let address = format!("{}{}{fragment}", location.pathname()?, location.search()?);
        history.replace_state_with_url(&history.state()?, "", Some(&address))
    };
    // A browser refuses calls that are too frequent; the address then keeps the fragment of the program before.
    let _ = set();
}

/// True if the browser reloads or restores the page, without a link being followed.
#[inline(never)] // A start does without it.
pub(super) fn is_again() -> bool {
    let window = web_sys::window();
    let entries = window
        .and_then(|window| window.performance())
        .map(|performance| performance.get_entries_by_type("navigation"));
    let kind = entries.and_then(|entries| Reflect::get(&entries.get(0), &"type".into()).ok());
    let kind = kind.and_then(|kind| kind.as_string());
    kind.is_some_and(|kind| kind != "navigate")
}

/// Query of the page's address, with its question mark; empty if there is none.
pub(super) fn query() -> String {
    let query = web_sys::window().and_then(|window| window.location().search().ok());
    query.unwrap_or_default()
}

/// Address of the page, without query and fragment.
pub(super) fn own() -> Rc<str> {
    let location = web_sys::window().map(|window| window.location());
    let address = location.and_then(|location| {
        Some(format!(
            "{}{}",
            location.origin().ok()?,
            location.pathname().ok()?
        ))
    });
    address.unwrap_or_default().into()
}

/// True if the system has a share sheet.
pub(super) fn has_sheet() -> bool {
    sheet().is_some()
}

fn sheet() -> Option<(JsValue, Function)> {
    let navigator: JsValue = web_sys::window()?.navigator().into();
    let share = Reflect::get(&navigator, &"share".into()).ok()?;
    Some((navigator, share.dyn_into().ok()?))
}

/// Opens the system's share sheet for an address. A reader who closes the sheet has shared nothing, which is no error.
#[inline(never)] // A start does without it.
pub(super) fn share(address: &str) {
    let Some((navigator, share)) = sheet() else {
        return;
    };
    let data = Object::new();
    let set = |key: &str, value: &str| Reflect::set(&data, &key.into(), &value.into());
    if set("title", texts::A_PROGRAM_IN_FLETCH).is_ok()
        && set("url", address).is_ok()
        && let Ok(shared) = share.call1(&navigator, &data)
    {
        wasm_bindgen_futures::spawn_local(async move {
            let _ = wasm_bindgen_futures::JsFuture::from(js_sys::Promise::from(shared)).await;
        });
    }
}

/// Records a program in the history. A browser refuses calls that are too frequent; going back then skips this program.
pub(super) fn enter(number: u32, push: bool, linked: bool) {
    let entered = || -> Result<(), JsValue> {
        let window = web_sys::window().ok_or(JsValue::NULL)?;
        let location = window.location();
        let fragment = if linked {
            location.hash()?
        } else {
            String::new()
        };
        let address = format!("{}{}{fragment}", location.pathname()?, location.search()?);
        let history = window.history()?;
        let state = JsValue::from(number);
        if push {
            history.push_state_with_url(&state, "", Some(&address))
        } else {
            history.replace_state_with_url(&state, "", Some(&address))
        }
    };
    let _ = entered();
}

/// Goes back in the history.
#[inline(never)] // A start does without it.
pub(super) fn back() {
    if let Some(Ok(history)) = web_sys::window().map(|window| window.history()) {
        let _ = history.back();
    }
}

/// Opens an address in another tab.
#[inline(never)] // A start does without it.
pub(super) fn open(address: &str) {
    if let Some(window) = web_sys::window() {
        let _ = window.open_with_url_and_target(address, "_blank");
    }
}

/// Listens for a new fragment, and for back and forward.
pub(super) fn listen(context: &Context<Shell>, window: &Window) -> EventListener {
    let link = context.link().clone();
    let location = window.location();
    EventListener::new(window, "popstate", move |event| {
        let state = event
            .dyn_ref::<PopStateEvent>()
            .and_then(|event| event.state().as_f64());
        let fragment: Rc<str> = location.hash().unwrap_or_default().into();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Casts saturate.
        let msg = match state {
            Some(number) => TravelMsg::Returned(number as u32, fragment),
            None => TravelMsg::Linked(fragment),
        };
        link.send_message(Msg::Travel(msg));
    })
}
