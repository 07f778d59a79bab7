//! Tests of the page in a browser: it is mounted with a silent worker, whose replies the tests send.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // A test.

mod fixture;

use fletch_playground::protocol::Reply;
use fletch_web::model::WorkerId;
use fletch_web::update::Msg;
use fletch_web::{Shell, ShellProps};
use gloo::timers::future::sleep;
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Document, Element, HtmlElement, KeyboardEvent, KeyboardEventInit};
use yew::AppHandle;

wasm_bindgen_test_configure!(run_in_browser);

/// A page in an element of its own, which the end of the test removes.
struct Page {
    handle: Option<AppHandle<Shell>>,
    root: Element,
}

impl Page {
    async fn open() -> Self {
        let root = document().create_element("div").unwrap();
        document().body().unwrap().append_child(&root).unwrap();
        let props = ShellProps {
            worker: "data:text/javascript,".into(),
        };
        let handle = yew::Renderer::<Shell>::with_root_and_props(root.clone(), props).render();
        let page = Page {
            handle: Some(handle),
            root,
        };
        page.tell(Msg::WorkerReady(WorkerId::Steps)).await;
        page
    }

    /// A page that shows this position of the canned trace.
    async fn showing(position: u32) -> Self {
        let page = Page::open().await;
        page.answer(Reply::Checked(fixture::checked())).await;
        page.answer(Reply::Advanced(fixture::advanced())).await;
        page.answer(Reply::Shown(Box::new(fixture::view(0)))).await;
        page.answer(Reply::Indexed(Box::new(fixture::indexed())))
            .await;
        page.tell(Msg::Show(position)).await;
        page.answer(Reply::Shown(Box::new(fixture::view(position))))
            .await;
        page
    }

    async fn tell(&self, msg: Msg) {
        self.handle.as_ref().unwrap().send_message(msg);
        drawn().await;
    }

    async fn answer(&self, reply: Reply) {
        self.tell(Msg::Replied(WorkerId::Steps, Box::new(reply)))
            .await;
    }

    /// Waits until the text of the first element that the selector matches is `text`.
    async fn says(&self, selector: &str, text: &str) {
        let said = || {
            let element = self.root.query_selector(selector).unwrap()?;
            element.text_content()
        };
        becomes(said, Some(text.to_owned()), selector).await;
    }

    /// Waits until the selector matches `count` elements.
    async fn has(&self, selector: &str, count: u32) {
        let found = || self.root.query_selector_all(selector).unwrap().length();
        becomes(found, count, selector).await;
    }

    async fn click(&self, selector: &str) {
        self.root
            .query_selector(selector)
            .unwrap()
            .unwrap()
            .unchecked_into::<HtmlElement>()
            .click();
        drawn().await;
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        if let Some(handle) = self.handle.take() {
            handle.destroy();
        }
        self.root.remove();
    }
}

fn document() -> Document {
    web_sys::window().unwrap().document().unwrap()
}

/// Waits until the page has rendered the last message.
async fn drawn() {
    sleep(Duration::from_millis(20)).await;
}

/// Waits at most ten seconds for a value, since a busy machine may render late.
async fn becomes<T: PartialEq + std::fmt::Debug>(value: impl Fn() -> T, expected: T, of: &str) {
    for _ in 0..500 {
        if value() == expected {
            return;
        }
        drawn().await;
    }
    assert_eq!(value(), expected, "{of}");
}

async fn press(key: &str) {
    let init = KeyboardEventInit::new();
    init.set_key(key);
    init.set_bubbles(true);
    init.set_cancelable(true);
    let event = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &init).unwrap();
    document().body().unwrap().dispatch_event(&event).unwrap();
    drawn().await;
}

#[wasm_bindgen_test]
async fn a_position_is_drawn_with_its_redex_its_chips_its_sandwich_and_its_heap() {
    let page = Page::showing(38).await;
    page.says(".command .redex", "Put[ℓ1](2 × 4)").await;
    page.has(".command .redex", 1).await;
    page.says(".redex .chip", "2 × 4").await;
    page.says(".sentence .rule", "→put").await;
    page.has(".sandwich .layer", 3).await;
    page.says(".layer.runs-backward .backward .now", "runs now")
        .await;
    page.has(".heap .card", 3).await;
    page.says(".card.active .card-state", "is written now")
        .await;
    page.click(".redex .chip").await;
    page.has(".popover tbody td", 8).await;
    press("Escape").await;
    page.has(".popover", 0).await;
}

#[wasm_bindgen_test]
async fn keys_move_along_the_trace() {
    let page = Page::showing(38).await;
    for (key, position) in [
        ("ArrowRight", "39"),
        ("ArrowLeft", "38"),
        ("End", "81"),
        ("Home", "0"),
        ("]", "4"),
    ] {
        press(key).await;
        page.says(".counter b", position).await;
    }
    press("?").await;
    page.has("dialog[open]", 1).await;
}

#[wasm_bindgen_test]
async fn the_theme_goes_round() {
    let page = Page::open().await;
    let mut seen = Vec::new();
    let theme = || {
        let root = document().document_element().unwrap();
        root.get_attribute("data-theme")
    };
    for _ in 0..3 {
        let last = theme();
        page.click("#theme").await;
        becomes(|| theme() != last, true, "another theme").await;
        seen.push(theme());
    }
    seen.sort();
    assert_eq!(seen, [None, Some("dark".into()), Some("light".into())]);
}
