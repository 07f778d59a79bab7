//! Swipes. A quick swipe left or right over the command is a step, one down closes a sheet that lies over the page.
//! All other touches scroll.

use super::{Shell, listening};
use crate::steps::update::reading::ReadingMsg;
use crate::steps::update::words::WordsMsg;
use crate::update::{Move, Msg};
use crate::view::Places;
use gloo::events::{EventListener, EventListenerOptions};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, EventTarget, TouchEvent};
use yew::Context;

/// Least length of a swipe, in CSS pixels.
const FAR: i32 = 48;
/// Longest duration of a swipe, in milliseconds.
const QUICK: f64 = 600.0;

/// Start of a touch: position in CSS pixels, time in milliseconds, and horizontal scroll of the pane.
#[derive(Clone, Copy)]
struct Start {
    x: i32,
    y: i32,
    time: f64,
    scrolled: i32,
}

/// Passes swipes over the command to `update`.
pub(super) fn listen(places: &Places, context: &Context<Shell>) -> Vec<EventListener> {
    let Some(pane) = places.command.cast::<Element>() else {
        return Vec::new();
    };
    let start: Rc<Cell<Option<Start>>> = Rc::new(Cell::new(None));
    let began = {
        let (start, pane) = (Rc::clone(&start), pane.clone());
        EventListener::new(&pane.clone(), "touchstart", move |event| {
            start.set(begin(&pane, event));
        })
    };
    let ended = {
        let (link, start, pane) = (context.link().clone(), Rc::clone(&start), pane.clone());
        EventListener::new(&pane.clone(), "touchend", move |event| {
            let step = start.take().and_then(|start| swiped(&pane, start, event));
            if let Some(step) = step {
                link.send_message(Msg::Go(step));
            }
        })
    };
    // In a pane that cannot scroll further sideways, a browser would take the swipe for going back to the page before.
    let moved = {
        let options = EventListenerOptions::enable_prevent_default();
        let target = pane.clone();
        EventListener::new_with_options(&target, "touchmove", options, move |event| {
            if start
                .get()
                .is_some_and(|start| is_ours(&pane, start, event))
                && event.cancelable()
            {
                event.prevent_default();
            }
        })
    };
    vec![began, ended, moved]
}

/// Closes a sheet that a finger swipes down: the panel of the rule as a sheet, or the popover of a chip, a word or an
/// inspected piece.
pub(super) fn down(context: &Context<Shell>, window: &EventTarget) -> [EventListener; 2] {
    let link = context.link().clone();
    let start: Rc<Cell<Option<(Start, Sheet)>>> = Rc::new(Cell::new(None));
    let began = {
        let start = Rc::clone(&start);
        EventListener::new(window, "touchstart", move |event| {
            start.set(held(event));
        })
    };
    let moved = EventListener::new(window, "touchmove", move |event| {
        let drawn = start.get().filter(|(start, _)| is_down(*start, event));
        if let Some((_, sheet)) = drawn {
            start.set(None);
            link.send_message(match sheet {
                Sheet::Rule => Msg::Words(WordsMsg::Why),
                Sheet::Popover => Msg::ChipClosed,
                Sheet::Inspection => Msg::Reading(ReadingMsg::Close),
            });
        }
    });
    [began, moved]
}

/// Sheet over the page that a swipe down closes.
#[derive(Clone, Copy)]
enum Sheet {
    Rule,
    Popover,
    Inspection,
}

/// Start of a touch and the sheet under it; `None` if the touch is on no sheet, or would scroll the sheet up.
#[inline(never)] // A start does without it.
fn held(event: &web_sys::Event) -> Option<(Start, Sheet)> {
    let on = event.target()?.dyn_into::<Element>().ok()?;
    let within = |name: &str| on.closest(name).ok().flatten();
    let (whole, sheet) = if let Some(popover) = within(".inspection") {
        (popover, Sheet::Inspection)
    } else if let Some(popover) = within(".popover") {
        (popover, Sheet::Popover)
    } else {
        (within(".why").filter(listening::covers)?, Sheet::Rule)
    };
    let mut part = Some(on);
    while let Some(here) = part.take() {
        if here.scroll_top() > 0 {
            return None;
        }
        part = here.parent_element().filter(|_| here != whole);
    }
    Some((begin(&whole, event)?, sheet))
}

/// True if a finger has moved far down, quickly, and hardly sideways.
#[inline(never)] // A start does without it.
fn is_down(start: Start, event: &web_sys::Event) -> bool {
    let touch = event
        .dyn_ref::<TouchEvent>()
        .and_then(|event| event.touches().get(0));
    touch.is_some_and(|touch| {
        let (across, along) = (touch.client_x() - start.x, touch.client_y() - start.y);
        along >= FAR && along > 2 * across.abs() && event.time_stamp() - start.time <= QUICK
    })
}

/// True if a finger moves sideways in a direction in which the pane cannot scroll. A finger that rests longer selects
/// text, which the browser handles.
fn is_ours(pane: &Element, start: Start, event: &web_sys::Event) -> bool {
    if event.time_stamp() - start.time > QUICK {
        return false;
    }
    let Some(touch) = event
        .dyn_ref::<TouchEvent>()
        .and_then(|event| event.touches().get(0))
    else {
        return false;
    };
    let (across, along) = (touch.client_x() - start.x, touch.client_y() - start.y);
    let at_edge = if across > 0 {
        pane.scroll_left() <= 0
    } else {
        pane.scroll_left() + pane.client_width() >= pane.scroll_width()
    };
    at_edge && across.abs() > 2 * along.abs()
}

/// Start of a touch; `None` with more than one finger, which is another gesture.
fn begin(pane: &Element, event: &web_sys::Event) -> Option<Start> {
    let event = event.dyn_ref::<TouchEvent>()?;
    let touch = event
        .touches()
        .get(0)
        .filter(|_| event.touches().length() == 1)?;
    Some(Start {
        x: touch.client_x(),
        y: touch.client_y(),
        time: event.time_stamp(),
        scrolled: pane.scroll_left(),
    })
}

/// Step that a swipe stands for; `None` if the touch is slow, short or mostly vertical, or has scrolled the pane.
fn swiped(pane: &Element, start: Start, event: &web_sys::Event) -> Option<Move> {
    let event = event.dyn_ref::<TouchEvent>()?;
    let touch = event.changed_touches().get(0)?;
    let (across, along) = (touch.client_x() - start.x, touch.client_y() - start.y);
    let aside = across.abs() >= FAR && across.abs() > 2 * along.abs();
    let quick = event.time_stamp() - start.time <= QUICK;
    if !aside || !quick || pane.scroll_left() != start.scrolled {
        return None;
    }
    Some(if across < 0 {
        Move::Next
    } else {
        Move::Previous
    })
}
