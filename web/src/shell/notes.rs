//! The second window of a presentation. It is a page without an address, which this one draws into: so it needs no program of
//! its own, and shows the same moment always.

use super::Shell;
use super::listening;
use crate::present::update::ShowingMsg;
use crate::update::Msg;
use gloo::events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlLinkElement, Window};
use yew::Context;

/// The window, as long as it is open.
pub(super) struct Notes {
    window: Window,
    /// Where the page draws.
    pub(super) place: Element,
    _listeners: [EventListener; 2],
}

impl Notes {
    /// Opens it; `None` if the browser does not let it.
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
        // One that the reader has closed is closed.
        let _ = self.window.close();
    }
}

/// Gives a page the look of another one, and an empty place to draw into. What belongs to the other window is of
/// its types, not of this one's, so nothing is asked for its type here.
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
