//! The second window of a presentation. The window has no address and no program of its own: the first page draws
//! into it, so both always show the same position.

use super::Shell;
use super::listening;
use crate::present::update::ShowingMsg;
use crate::update::Msg;
use gloo::events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlLinkElement, Window};
use yew::Context;

/// The second window, while it is open.
pub(super) struct Notes {
    window: Window,
    /// Element that the page draws into.
    pub(super) place: Element,
    _listeners: [EventListener; 2],
}

impl Notes {
    /// Opens the window; `None` if the browser refuses.
    pub(super) fn open(context: &Context<Shell>) -> Option<Notes> {
        let first = web_sys::window()?;
        let features = "popup,width=720,height=640";
        let opened = first.open_with_url_and_target_and_features("", "fletch-notes", features);
        let window = opened.ok().flatten()?;
        let document = window.document()?;
        let place = furnish(&first.document()?, &document)?;
        let keys = listening::to_keys(context, &document);
        let closed = context
            .link()
            .callback(|()| Msg::Showing(ShowingMsg::Speaker(false)));
        let closes = EventListener::once(&window, "pagehide", move |_| closed.emit(()));
        Some(Notes {
            window,
            place,
            _listeners: [keys, closes],
        })
    }
}

impl Drop for Notes {
    fn drop(&mut self) {
        // Closing a window that the reader has closed has no effect.
        let _ = self.window.close();
    }
}

/// Copies title, theme and style sheets to another window's document, and returns an empty element to draw into.
/// Elements of another window are no instances of this window's types, so no cast here checks a type.
fn furnish(from: &Document, to: &Document) -> Option<Element> {
    to.set_title("Notes – Fletch");
    let (root, looks) = (to.document_element()?, from.document_element()?);
    for name in ["lang", "data-theme"] {
        if let Some(value) = looks.get_attribute(name) {
            root.set_attribute(name, &value).ok()?;
        }
    }
    let head = to.head()?;
    head.set_inner_html("");
    let sheets = from.query_selector_all("link[rel=stylesheet]").ok()?;
    for number in 0..sheets.length() {
        let sheet = sheets.get(number)?.unchecked_into::<HtmlLinkElement>();
        let copy = to.create_element("link").ok()?;
        copy.set_attribute("rel", "stylesheet").ok()?;
        copy.set_attribute("href", &sheet.href()).ok()?;
        head.append_child(&copy).ok()?;
    }
    let body = to.body()?;
    body.set_class_name("speaker-page");
    body.set_inner_html("");
    let place = to.create_element("div").ok()?;
    body.append_child(&place).ok()?;
    Some(place)
}
