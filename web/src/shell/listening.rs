//! Listeners to the window, and to the size of the command pane.

use super::Shell;
use crate::diagram::DiagramMsg;
use crate::geometry::{RULER, Resize};
use crate::present::Stand;
use crate::present::update::ShowingMsg;
use crate::steps::update::StepMsg;
use crate::steps::update::reading::ReadingMsg;
use crate::steps::update::words::WordsMsg;
use crate::train::TrainMsg;
use crate::train::check::CarryMsg;
use crate::update::{Chord, Focus, Key, Msg};
use crate::view::{Places, pointer};
use gloo::events::{EventListener, EventListenerOptions};
use std::cell::Cell;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, EventTarget, KeyboardEvent, Window};
use yew::Context;

/// Windows in which a diagram has room below the steps.
const ROOMY: &str = "screen and (width >= 105em) and (height >= 56em)";

/// Listens to keys, presses, the pointer, printing, fullscreen, the history and the size of the window.
pub(super) fn to_window(context: &Context<Shell>) -> Vec<EventListener> {
    let Some(window) = web_sys::window() else {
        return Vec::new();
    };
    let printed = context.link().callback(|()| Msg::Words(WordsMsg::Printed));
    let print = EventListener::new(&window, "afterprint", move |_| printed.emit(()));
    let windowed = context
        .link()
        .callback(|()| Msg::Showing(ShowingMsg::Windowed));
    let left = window
        .document()
        .map(|document| leaving(context, &document));
    let screen = window.document().map(|document| {
        EventListener::new(&document.clone(), "fullscreenchange", move |_| {
            if document.fullscreen_element().is_none() {
                windowed.emit(());
            }
        })
    });
    screen
        .into_iter()
        .chain(left)
        .chain([
            to_keys(context, &window),
            to_presses(context, &window),
            to_moves(context, &window),
            print,
            super::address::listen(context, &window),
            to_room(context, &window),
        ])
        .chain(super::swipe::down(context, &window))
        .collect()
}

/// Reports when the page is hidden, since it may never be shown again.
fn leaving(context: &Context<Shell>, document: &Document) -> EventListener {
    let link = context.link().clone();
    let seen = document.clone();
    EventListener::new(document, "visibilitychange", move |_| {
        if seen.hidden() {
            link.send_message(Msg::Carry(CarryMsg::Leave));
        }
    })
}

/// Reports if the window has room for a diagram below the steps, once the module part that draws diagrams is loaded.
fn to_room(context: &Context<Shell>, window: &Window) -> EventListener {
    let (link, place) = (context.link().clone(), window.clone());
    EventListener::once(window, "FletchWhole", move |_| {
        let Ok(Some(roomy)) = place.match_media(ROOMY) else {
            return;
        };
        link.send_message(Msg::Roomy(roomy.matches()));
        let tells = roomy.clone();
        let listener = EventListener::new(&tells, "change", move |_| {
            link.send_message(Msg::Roomy(roomy.matches()));
        });
        // The listener stays for the lifetime of the page.
        listener.forget();
    })
}

/// Closes an open popover, panel or menu when something else is pressed.
fn to_presses(context: &Context<Shell>, window: &EventTarget) -> EventListener {
    let link = context.link().clone();
    EventListener::new(window, "pointerdown", move |event| {
        let Some(pressed) = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok())
        else {
            return;
        };
        let Some(shell) = link.get_component() else {
            return;
        };
        let away = |open: bool, itself: &str| open && matches!(pressed.closest(itself), Ok(None));
        let model = &shell.model;
        let panel = pressed
            .owner_document()
            .and_then(|document| document.get_element_by_id("why-panel"));
        let pinned = model.popover.as_ref().is_some_and(|popover| popover.pinned);
        let closing = [
            (away(pinned, ".popover"), Msg::ChipClosed),
            (
                // A click on a piece of the command is left to the piece: it inspects that piece, or closes its own inspection.
                away(model.reading.asked.is_some(), ".popover, [data-node]"),
                Msg::Reading(ReadingMsg::Close),
            ),
            (
                // The panel of the rule closes by presses elsewhere only as a sheet; next to the command it covers
                // nothing. Its button toggles it.
                away(
                    model.words.open && panel.as_ref().is_some_and(covers),
                    ".why, .popover, .why-button",
                ),
                Msg::Words(WordsMsg::Why),
            ),
            (
                away(model.stepping.more, ".transport"),
                Msg::Step(StepMsg::More),
            ),
            (
                away(model.train.more, ".transport"),
                Msg::Train(TrainMsg::More),
            ),
            (
                away(model.diagram.more, ".figure-bar"),
                Msg::Diagram(DiagramMsg::More(false)),
            ),
        ];
        drop(shell);
        let closing = closing.into_iter().filter(|(away, _)| *away);
        link.send_message_batch(closing.map(|(_, msg)| msg).collect());
    })
}

/// True if the panel of the rule is a sheet, as wide as the window.
#[inline(never)] // A start does without it.
pub(super) fn covers(panel: &Element) -> bool {
    let whole = panel
        .owner_document()
        .and_then(|document| document.document_element());
    whole.is_some_and(|whole| panel.client_width() >= whole.client_width())
}

/// Reports movement of the pointer to a presentation, at most twice a second.
fn to_moves(context: &Context<Shell>, window: &EventTarget) -> EventListener {
    let link = context.link().clone();
    let told = Cell::new(f64::NEG_INFINITY);
    EventListener::new(window, "pointermove", move |event| {
        pointer::note(event.unchecked_ref());
        let now = event.time_stamp();
        let presents = || {
            let shell = link.get_component()?;
            Some(shell.model.showing.stand == Stand::Presented)
        };
        if now - told.get() > 500.0 && presents() == Some(true) {
            told.set(now);
            link.send_message(Msg::Showing(ShowingMsg::Remote(true)));
        }
    })
}

/// Passes the keys of a window, or of another window's document, to `update`.
pub(super) fn to_keys(context: &Context<Shell>, heard: &EventTarget) -> EventListener {
    let link = context.link().clone();
    let listen = move |event: &web_sys::Event| {
        // An event of another window is no instance of this window's `KeyboardEvent`, so its type is not checked.
        let event = event.unchecked_ref::<KeyboardEvent>();
        if event.default_prevented() || event.is_composing() {
            return;
        }
        let key = Key {
            name: event.key(),
            modified: event.ctrl_key() || event.alt_key() || event.meta_key(),
            chord: Chord::of(
                &event.code(),
                event.ctrl_key() || event.meta_key(),
                event.alt_key(),
                event.shift_key(),
            ),
            focus: event
                .target()
                .and_then(|target| target.dyn_into::<Element>().ok())
                .map_or(Focus::Page, |target| focus(&target)),
        };
        let Some(shell) = link.get_component() else {
            return;
        };
        let msg = crate::update::shortcut(&shell.model, &key);
        drop(shell);
        if let Some(msg) = msg {
            event.prevent_default();
            link.send_message(msg);
        }
    };
    EventListener::new_with_options(
        heard,
        "keydown",
        EventListenerOptions::enable_prevent_default(),
        listen,
    )
}

fn focus(target: &Element) -> Focus {
    let within = |selector: &str| target.closest(selector).ok().flatten().is_some();
    if within(".editor-place") {
        Focus::Editor
    } else if within("input:not([type=range]), select") {
        Focus::Text
    } else if within("input, [role=separator], [role=menu], [role=dialog], dialog") {
        Focus::Widget
    } else if within("button, a") {
        Focus::Button
    } else {
        Focus::Page
    }
}

/// Reports the number of characters that fit into a line of the command pane, at first and after each change.
pub(super) fn to_width(places: &Places, context: &Context<Shell>) -> Option<Resize> {
    let (pane, ruler) = (
        places.command.cast::<Element>()?,
        places.ruler.cast::<Element>()?,
    );
    let link = context.link().clone();
    Resize::of(&pane.clone(), move || {
        if let Some(columns) = columns(&pane, &ruler) {
            link.send_message(Msg::Measured(columns));
        }
    })
}

/// Number of characters that fit into a line; `None` while the pane is hidden.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A count of characters on a screen; casts saturate.
fn columns(pane: &Element, ruler: &Element) -> Option<u32> {
    let character = ruler.get_bounding_client_rect().width() / f64::from(RULER);
    // The ruler begins where the text begins, so its distance from the left edge is the padding, which the right side has too.
    let begins = ruler.get_bounding_client_rect().left() - pane.get_bounding_client_rect().left();
    let padding = begins + f64::from(pane.scroll_left());
    let room = f64::from(pane.client_width()) - 2.0 * padding;
    (character > 1.0 && room > 60.0).then(|| ((room / character).floor() as u32).clamp(24, 140))
}
