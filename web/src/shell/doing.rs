//! Carrying out effects.

use super::notes::Notes;
use super::{Shell, address, open_channel, saving};
use crate::channel::Channel;
use crate::effects::{Effect, Wanted, stored};
use crate::examples;
use crate::model::{Theme, WorkerId};
use crate::present::update::ShowingMsg;
use crate::tour::update::TourMsg;
use crate::update::Msg;
use gloo::timers::callback::Timeout;
use js_sys::{Function, Reflect};
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, HtmlElement, Response, Storage};
use yew::Context;

impl Shell {
    fn channel_of(&mut self, id: WorkerId) -> &mut Channel {
        match id {
            WorkerId::Steps => &mut self.channel,
            WorkerId::Figures => &mut self.second,
        }
    }

    /// Carries out the effects that need no rendering. Returns true if some effects wait until the page is drawn.
    pub(super) fn carry_out(&mut self, context: &Context<Self>, effects: Vec<Effect>) -> bool {
        let mut later = false;
        for effect in effects {
            match effect {
                Effect::Send(to, request) => self.channel_of(to).send(&request),
                Effect::StartWorker(id) => *self.channel_of(id) = open_channel(context, id),
                Effect::Start(timer, milliseconds) => {
                    let link = context.link().clone();
                    let timeout =
                        Timeout::new(milliseconds, move || link.send_message(Msg::Fired(timer)));
                    self.timers.insert(timer, timeout);
                }
                Effect::Cancel(timer) => {
                    self.timers.remove(&timer);
                }
                Effect::Keep(draft) => self.drafts.keep(&draft),
                Effect::Drafts(what) => self.drafts.ask(&what),
                Effect::Store(name, value) => keep(name, &value),
                Effect::Place(place) => super::drafts::Drafts::place(&place),
                Effect::Copy(text, copier) => saving::copy(context, &text, copier),
                Effect::Save(file) => saving::save(&file),
                Effect::SavePicture(name, drawn) => saving::save_picture(&name, &drawn),
                Effect::Paint(theme) => paint(theme),
                Effect::Entry {
                    number,
                    push,
                    linked,
                } => address::enter(number, push, linked),
                Effect::RecallTour => {
                    let kept = kept_below(stored::TOUR).map(Rc::new);
                    let kept = Msg::Tour(TourMsg::Kept(kept));
                    context.link().send_message(kept);
                }
                Effect::KeepTour(key, text) => keep(&key, &text),
                Effect::ForgetTour(key) => forget(&key),
                Effect::Fragment(fragment) => address::fragment(&fragment),
                Effect::Back => address::back(),
                Effect::OpenPage(page) => address::open(&page),
                Effect::Sheet(link) => address::share(&link),
                Effect::Zoom(size) => zoom(size),
                Effect::Fullscreen(on) => fullscreen(on),
                Effect::Height(height) => tell_height(height),
                Effect::Speaker(on) => {
                    self.notes = None;
                    if on {
                        self.notes = Notes::open(context);
                        if self.notes.is_none() {
                            let blocked = Msg::Showing(ShowingMsg::NoWindow);
                            context.link().send_message(blocked);
                        }
                    }
                    self.places.speaker = self.notes.as_ref().map(|notes| notes.place.clone());
                    later = true;
                }
                Effect::Fetch(wanted) => fetch(context, wanted),
                Effect::Move(scene) => {
                    self.stage.prepare(scene.as_ref());
                    if scene.is_some() {
                        self.afterwards.push(Effect::Move(None));
                        later = true;
                    }
                }
                Effect::LoadEditor
                | Effect::SetText(_)
                | Effect::Restore(..)
                | Effect::Remember(..)
                | Effect::Edit(_)
                | Effect::Fix(_)
                | Effect::Undo(_)
                | Effect::Answer(..)
                | Effect::Keys(_)
                | Effect::Diagnose(_)
                | Effect::Mark { .. }
                | Effect::Breakpoints(_)
                | Effect::GoTo(_)
                | Effect::Focus(_)
                | Effect::Visit(_)
                | Effect::Print
                | Effect::RevealRedex => {
                    self.afterwards.push(effect);
                    later = true;
                }
            }
        }
        later
    }

    /// Carries out an effect that needs the drawn page.
    pub(super) fn do_when_drawn(&self, effect: Effect) {
        match (effect, &self.editor) {
            (Effect::LoadEditor, Some(editor)) => editor.load(),
            (Effect::SetText(text), Some(editor)) => editor.set_text(&text),
            (Effect::Restore(text, history), Some(editor)) => {
                editor.restore(&text, history.as_deref());
            }
            (Effect::Remember(text, history), Some(editor)) => editor.remember(&text, &history),
            (Effect::Edit(edits), Some(editor)) => editor.edit(&edits),
            (Effect::Fix(number), Some(editor)) => editor.fix(number),
            (Effect::Undo(redo), Some(editor)) => editor.undo(redo),
            (Effect::Answer(number, answer), Some(editor)) => {
                editor.answer(number, answer.as_deref());
            }
            (Effect::Keys(keys), Some(editor)) => editor.set_keys(keys),
            (Effect::Diagnose(diagnostics), Some(editor)) => editor.diagnose(&diagnostics),
            (Effect::Mark { range, ran, reveal }, Some(editor)) => editor.mark(range, ran, reveal),
            (Effect::Breakpoints(lines), Some(editor)) => editor.set_breakpoints(&lines),
            (Effect::GoTo(offset), Some(editor)) => editor.go_to(offset),
            (Effect::Focus(id), _) => focus(&id),
            (Effect::Visit(id), _) => visit(&id),
            (Effect::RevealRedex, _) => self.reveal_redex(),
            // Printing opens a dialog that blocks the page, so this rendering has to end first.
            (Effect::Print, _) => {
                Timeout::new(0, print).forget();
            }
            (Effect::Move(_), _) => self.stage.play(),
            _ => {}
        }
    }

    /// Scrolls the redex, the contractum next to it, and the active layer of the sandwich into view, unless they are
    /// visible. The strip of heap cards scrolls by its own code (`view::heap`).
    fn reveal_redex(&self) {
        let Some(command) = self.places.command.cast::<Element>() else {
            return;
        };
        let find = |place: &Element, selector: &str| place.query_selector(selector).ok().flatten();
        let work = command.closest(".work").ok().flatten();
        if let Some(redex) = find(&command, ".redex") {
            show_beginnings(&command, &redex);
            // In a layout with one pane below the other, the element around both panes scrolls.
            for pane in [Some(&command), work.as_ref()].into_iter().flatten() {
                reveal(pane, &redex, None);
            }
        }
        let after = work.as_ref().and_then(|work| find(work, ".command.after"));
        if let Some(pane) = after
            && let Some(contractum) = find(&pane, ".contractum")
        {
            show_beginnings(&pane, &contractum);
            reveal(&pane, &contractum, None);
        }
        let sandwich = work.as_ref().and_then(|work| find(work, ".sandwich"));
        if let Some(pane) = sandwich
            && let Some(lit) = find(&pane, ".lit")
        {
            // The sticky heading covers the upper edge of the pane.
            let head = find(&pane, ":scope > .stack > .stack-head");
            reveal(&pane, &lit, head.as_ref());
        }
    }
}

/// Scrolls a pane so that an element in it is visible and not covered by the sticky heading `head`.
fn reveal(pane: &Element, wanted: &Element, head: Option<&Element>) {
    let (seen, wanted) = (
        pane.get_bounding_client_rect(),
        wanted.get_bounding_client_rect(),
    );
    let covered = head.map_or(0.0, |head| head.get_bounding_client_rect().height());
    let below = pane.scroll_height() > pane.client_height().saturating_add(1);
    if below && (wanted.top() < seen.top() + covered || wanted.bottom() > seen.bottom()) {
        let by = wanted.top() - seen.top() - seen.height() / 3.0;
        pane.set_scroll_top(pane.scroll_top().saturating_add(whole(by)));
    }
    let beside = pane.scroll_width() > pane.client_width().saturating_add(1);
    let least = wanted.width().min(seen.width() / 2.0);
    if beside && (wanted.left() < seen.left() || wanted.left() + least > seen.right()) {
        let by = wanted.left() - seen.left() - seen.width() / 4.0;
        pane.set_scroll_left(pane.scroll_left().saturating_add(whole(by)));
    }
}

/// Scrolls a pane of text back to the beginnings of its lines, if the element is visible from there. An earlier step
/// has scrolled the pane to the right.
fn show_beginnings(pane: &Element, wanted: &Element) {
    let (seen, wanted) = (
        pane.get_bounding_client_rect(),
        wanted.get_bounding_client_rect(),
    );
    let right = wanted.left() + wanted.width().min(seen.width() / 2.0) - seen.left();
    if right + f64::from(pane.scroll_left()) <= seen.width() {
        pane.set_scroll_left(0);
    }
}

/// Rounds a length to whole pixels.
#[allow(clippy::cast_possible_truncation)] // Distances on a screen are small, and casts saturate.
fn whole(pixels: f64) -> i32 {
    pixels.round() as i32
}

/// Fetches a text of the site.
fn fetch(context: &Context<Shell>, wanted: Wanted) {
    let link = context.link().clone();
    wasm_bindgen_futures::spawn_local(async move {
        let path = match &wanted {
            Wanted::Example(number) | Wanted::Original(number) | Wanted::Compared(number) => {
                examples::all()
                    .nth(*number)
                    .map(|example| format!("examples/{}", example.file))
            }
            Wanted::Explanation(code) => Some(format!("errors/{code}.html")),
            Wanted::Lesson(name) => Some(format!("tour/{name}.json")),
            Wanted::Lessons => Some("tour/tour.json".to_owned()),
        };
        let text = match path {
            Some(path) => text_of(&path).await,
            None => Err("there is no such text".into()),
        };
        link.send_message(Msg::Fetched(wanted, text));
    });
}

/// Fetches the text of a file of the site. The error is a reason, worded to follow a colon.
async fn text_of(path: &str) -> Result<Rc<str>, Rc<str>> {
    let unreachable = |_: JsValue| -> Rc<str> { "the site does not answer".into() };
    let window = web_sys::window().ok_or("there is no window")?;
    let response = JsFuture::from(window.fetch_with_str(path))
        .await
        .map_err(unreachable)?;
    let response: Response = response.dyn_into().map_err(unreachable)?;
    if !response.ok() {
        return Err(format!(
            "the site answers with status {status}",
            status = response.status()
        )
        .into());
    }
    let text = JsFuture::from(response.text().map_err(unreachable)?)
        .await
        .map_err(unreachable)?;
    text.as_string()
        .map(Rc::from)
        .ok_or_else(|| "it is no text".into())
}

/// True on a touch screen, which opens a keyboard for each text field.
fn has_no_keys() -> bool {
    let window = web_sys::window();
    let coarse = window.and_then(|window| window.match_media("(pointer: coarse)").ok()?);
    coarse.is_some_and(|coarse| coarse.matches())
}

#[inline(never)] // A start does without it.
fn focus(id: &str) {
    if let Some(element) = element(id) {
        // The search field is focused only as an offer: on a phone its keyboard would cover the entries.
        if element.has_attribute("data-offered") && has_no_keys() {
            return;
        }
        let _ = element.focus();
        // The text of a field is selected, so that typing replaces it, and it can be copied.
        if let Some(field) = element.dyn_ref::<web_sys::HtmlInputElement>() {
            field.select();
        }
        // A selection list opens, in a browser that allows pages to open one.
        if element.is_instance_of::<web_sys::HtmlSelectElement>()
            && let Ok(open) = Reflect::get(&element, &"showPicker".into())
            && let Some(open) = open.dyn_ref::<Function>()
        {
            let _ = open.call0(&element);
        }
    }
}

fn element(id: &str) -> Option<HtmlElement> {
    let document = web_sys::window()?.document()?;
    document.get_element_by_id(id)?.dyn_into().ok()
}

/// Scrolls to the element that a link leads to. The element gets the focus, so that keys continue from there.
#[inline(never)] // A start does without it.
fn visit(id: &str) {
    let Some(element) = element(id) else { return };
    if !element.has_attribute("tabindex") {
        let _ = element.set_attribute("tabindex", "-1");
    }
    element.scroll_into_view_with_bool(false);
    let _ = element.focus();
    crate::animation::flash(&element);
}

#[inline(never)] // A start does without it.
fn print() {
    if let Some(window) = web_sys::window() {
        // A browser that cannot print has reported that itself.
        let _ = window.print();
    }
}

/// Scales all type to this percentage of the size chosen in the browser.
#[inline(never)] // A start does without it.
fn zoom(size: u32) {
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.document_element())
        .and_then(|root| root.dyn_into::<HtmlElement>().ok());
    if let Some(root) = root {
        let style = root.style();
        let _ = match size {
            100 => style.remove_property("font-size").map(|_| ()),
            _ => style.set_property("font-size", &format!("{size}%")),
        };
    }
}

/// Enters or leaves fullscreen. In a browser that refuses, the page shows the same in its window.
#[inline(never)] // A start does without it.
fn fullscreen(on: bool) {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else {
        return;
    };
    match document.document_element() {
        Some(root) if on => {
            // A later refusal is ignored.
            let asked = js_sys::Reflect::get(&root, &"requestFullscreen".into())
                .and_then(|ask| ask.dyn_into::<js_sys::Function>()?.call0(&root));
            if let Ok(promise) = asked.and_then(|asked| asked.dyn_into::<js_sys::Promise>()) {
                wasm_bindgen_futures::spawn_local(async move {
                    let _ = wasm_bindgen_futures::JsFuture::from(promise).await;
                });
            }
        }
        _ if document.fullscreen_element().is_some() => document.exit_fullscreen(),
        _ => {}
    }
}

/// Reports to the page around this one how high this one should be. The height is no secret, so any page may receive it.
fn tell_height(height: u32) {
    let told = || {
        let window = web_sys::window()?;
        let around = window.parent().ok().flatten()?;
        let root = window.document()?.document_element()?;
        let style = window.get_computed_style(&root).ok().flatten()?;
        let size = style.get_property_value("font-size").ok()?;
        let size: f64 = size.trim_end_matches("px").parse().ok()?;
        let message = js_sys::Object::new();
        let pixels = (f64::from(height) * size / 100.0).ceil();
        js_sys::Reflect::set(&message, &"fletch".into(), &"height".into()).ok()?;
        js_sys::Reflect::set(&message, &"height".into(), &pixels.into()).ok()?;
        around.post_message(&message, "*").ok()
    };
    let _ = told();
}

fn paint(theme: Theme) {
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.document_element());
    if let Some(root) = root {
        let _ = match theme {
            Theme::Auto => root.remove_attribute("data-theme"),
            Theme::Light | Theme::Dark => root.set_attribute("data-theme", theme.name()),
        };
    }
}

/// The browser's local storage; `None` if it is switched off.
fn storage() -> Option<Storage> {
    web_sys::window().and_then(|window| window.local_storage().ok().flatten())
}

fn keep(name: &str, value: &str) {
    if let Some(storage) = storage() {
        // A full storage loses this value, not the program on the screen.
        let _ = storage.set_item(name, value);
    }
}

#[inline(never)] // A start does without it.
fn forget(name: &str) {
    if let Some(storage) = storage() {
        let _ = storage.remove_item(name);
    }
}

/// Values stored under a name, and under names that begin with it and a point, by name; `None` without a storage.
#[inline(never)] // A start does without it.
fn kept_below(name: &str) -> Option<BTreeMap<String, String>> {
    let storage = storage()?;
    let below = format!("{name}.");
    let count = storage.length().ok()?;
    let keys = (0..count).filter_map(|at| storage.key(at).ok().flatten());
    let keys = keys.filter(|key| key == name || key.starts_with(&below));
    let values = keys.filter_map(|key| {
        let value = storage.get_item(&key).ok().flatten()?;
        Some((key, value))
    });
    Some(values.collect())
}

/// Value stored under a name; `None` if there is none.
pub(super) fn recall(name: &str) -> Option<String> {
    storage().and_then(|storage| storage.get_item(name).ok().flatten())
}
