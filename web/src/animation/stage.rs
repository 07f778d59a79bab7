//! Player of a scene: ghosts, copies of elements, fly over the page in an overlay that is inert and hidden from
//! screen readers. Any input of the reader finishes them at once. With reduced motion nothing flies.

use super::{Flight, Place, Scene, What};
use gloo::events::{EventListener, EventListenerOptions};
use gloo::timers::callback::Timeout;
use js_sys::{Array, Object, Reflect};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, DomRect, Element, HtmlElement};

/// Duration of a scene, in milliseconds.
const LENGTH: u32 = 240;
/// Moves closer together than this, in milliseconds, are not animated: a hurried reader does not follow the ghosts.
const HASTE: f64 = 250.0;
/// Duration of the flash of a link's target, in milliseconds.
const FLASH: u32 = 900;
/// Selector of the elements that show a value.
const FACE: &str = ".chip, .value";
/// Greatest number of ends that one value flies to.
const PLACES: usize = 6;

// All browsers have `Element.animate`, but the bindings call it unstable.
#[wasm_bindgen]
extern "C" {
    type Animated;
    type Playing;
    #[wasm_bindgen(method, catch)]
    fn animate(this: &Animated, keyframes: &Object, options: &Object) -> Result<Playing, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn cancel(this: &Playing) -> Result<(), JsValue>;
}

/// Player of scenes, which stops at any input.
pub(crate) struct Stage {
    playback: Rc<RefCell<Playback>>,
    _listeners: Vec<EventListener>,
}

/// Animations that are playing, and the prepared scene.
#[derive(Default)]
struct Playback {
    overlay: Option<Element>,
    playing: Vec<Playing>,
    /// The prepared scene, with the starts of its flights.
    next: Option<(Scene, Vec<Start>)>,
    /// Layers that shrink, by the positions that met them, with their heights in pixels before the step.
    heights: Vec<(u32, f64)>,
    /// Time of the last change of the view, in milliseconds.
    moved_at: f64,
    end: Option<Timeout>,
}

/// Start of a flight: its position on the screen, and the element that shows its value.
struct Start {
    flight: Flight,
    place: DomRect,
    face: Option<Element>,
}

impl Stage {
    /// A stage that plays nothing.
    pub(crate) fn new() -> Self {
        let playback = Rc::new(RefCell::new(Playback::default()));
        let listeners = web_sys::window().map_or_else(Vec::new, |window| {
            ["keydown", "pointerdown", "wheel"]
                .map(|input| {
                    let playback = playback.clone();
                    let early = EventListenerOptions::run_in_capture_phase();
                    EventListener::new_with_options(&window, input, early, move |_| {
                        playback.borrow_mut().finish();
                    })
                })
                .into()
        });
        Stage {
            playback,
            _listeners: listeners,
        }
    }

    /// Records positions of elements before the view changes; finishes the animations that are playing.
    pub(crate) fn prepare(&self, scene: Option<&Scene>) {
        let mut playback = self.playback.borrow_mut();
        playback.finish();
        let now = js_sys::Date::now();
        let hasty = now - playback.moved_at < HASTE;
        playback.moved_at = now;
        let (Some(scene), false, Some(document)) = (scene, hasty || still(), document()) else {
            return;
        };
        let starts = scene
            .flights
            .iter()
            .filter_map(|flight| start(&document, flight))
            .collect();
        playback.heights = scene
            .leaving
            .iter()
            .filter_map(|met_at| {
                let layer = document.get_element_by_id(&crate::ids::layer(*met_at))?;
                Some((*met_at, layer.get_bounding_client_rect().height()))
            })
            .collect();
        playback.next = Some((scene.clone(), starts));
    }

    /// Plays the prepared scene once the view has changed.
    pub(crate) fn play(&self) {
        let finish = self.playback.clone();
        let mut playback = self.playback.borrow_mut();
        let (Some((scene, starts)), Some(document)) = (playback.next.take(), document()) else {
            return;
        };
        for start in &starts {
            for (end, place) in ends(&document, &start.flight) {
                playback.fly(&document, start, &end, &place);
            }
        }
        if let Some(met_at) = scene.entering {
            for (half, from) in [("forward", "-16px"), ("backward", "16px")] {
                let half =
                    document.query_selector(&format!("#{} .{half}", crate::ids::layer(met_at)));
                if let Ok(Some(half)) = half {
                    let from = format!("translateX({from})");
                    playback.animate(
                        &half,
                        &[("opacity", &["0", "1"]), ("transform", &[&from, "none"])],
                    );
                }
            }
        }
        for (met_at, before) in std::mem::take(&mut playback.heights) {
            if let Some(layer) = document.get_element_by_id(&crate::ids::layer(met_at)) {
                let now = layer.get_bounding_client_rect().height();
                playback.animate(
                    &layer,
                    &[
                        ("height", &[&format!("{before}px"), &format!("{now}px")]),
                        ("overflow", &["hidden", "hidden"]),
                    ],
                );
            }
        }
        let card = scene
            .flash
            .and_then(|location| document.get_element_by_id(&crate::ids::card(&location)));
        if let Some(card) = card {
            playback.animate(
                &card,
                &[("backgroundColor", &["var(--redex)", "var(--surface)"])],
            );
        }
        playback.end = Some(Timeout::new(LENGTH, move || finish.borrow_mut().finish()));
    }
}

impl Playback {
    /// Ends all animations; elements are then at their final positions.
    fn finish(&mut self) {
        self.end = None;
        self.next = None;
        for playing in self.playing.drain(..) {
            // Cancelling an animation that has ended has no effect.
            let _ = playing.cancel();
        }
        if let Some(overlay) = self.overlay.take() {
            overlay.remove();
        }
    }

    fn animate(&mut self, element: &Element, properties: &[(&str, &[&str])]) {
        self.playing.extend(animated(element, properties, LENGTH));
    }

    /// Flies a ghost from its start to its end.
    fn fly(&mut self, document: &Document, start: &Start, end: &Element, place: &DomRect) {
        let Some(ghost) = ghost(document, start, end) else {
            return;
        };
        let Some(overlay) = self.overlay(document) else {
            return;
        };
        if overlay.append_child(&ghost).is_err() {
            return;
        }
        let (left, top) = (start.place.left(), start.place.top());
        let style = ghost.style();
        let _ = style.set_property("left", &format!("{left}px"));
        let _ = style.set_property("top", &format!("{top}px"));
        let way = format!(
            "translate({:.0}px, {:.0}px)",
            place.left() - left,
            place.top() - top
        );
        self.animate(
            &ghost,
            &[
                ("offset", &["0", "0.8", "1"]),
                ("transform", &["none", &way, &way]),
                ("opacity", &["1", "1", "0"]),
            ],
        );
    }

    fn overlay(&mut self, document: &Document) -> Option<Element> {
        if self.overlay.is_none() {
            let overlay = document.create_element("div").ok()?;
            overlay.set_id("ghosts");
            let _ = overlay.set_attribute("aria-hidden", "true");
            document.body()?.append_child(&overlay).ok()?;
            self.overlay = Some(overlay);
        }
        self.overlay.clone()
    }
}

/// Element that flies: a copy of the value, or the name of the part.
fn ghost(document: &Document, start: &Start, end: &Element) -> Option<HtmlElement> {
    let ghost: HtmlElement = document.create_element("div").ok()?.dyn_into().ok()?;
    match &start.flight.what {
        What::Part(name, class) => {
            ghost.set_class_name(&format!("ghost part {class}"));
            ghost.set_text_content(Some(name));
        }
        What::Value(_) => {
            // A value that the step computes does not occur in the redex, so the ghost copies it from its end.
            let face = start.face.as_ref().unwrap_or(end);
            if !face.matches(FACE).unwrap_or(false) {
                return None;
            }
            ghost.set_class_name("ghost");
            let copy = face.clone_node_with_deep(true).ok()?;
            if let Some(copy) = copy.dyn_ref::<Element>() {
                let _ = copy.remove_attribute("id");
                let _ = copy.set_attribute("tabindex", "-1");
            }
            ghost.append_child(&copy).ok()?;
        }
    }
    Some(ghost)
}

/// Start of a flight in the view before the step; `None` if it is not visible.
fn start(document: &Document, flight: &Flight) -> Option<Start> {
    let around = element(document, &flight.from)?;
    let face = match (&flight.what, &flight.from) {
        (What::Value(value), Place::Redex) => all(document, "#command .redex :is(.chip, .value)")
            .into_iter()
            .find(|chip| says(chip, value)),
        _ => None,
    };
    let place = face.as_ref().unwrap_or(&around).get_bounding_client_rect();
    let seen = is_seen(document, &around, &place);
    seen.then(|| Start {
        flight: flight.clone(),
        place,
        face,
    })
}

/// Visible ends of a flight in the new view.
fn ends(document: &Document, flight: &Flight) -> Vec<(Element, DomRect)> {
    let places = match (&flight.what, &flight.to) {
        (What::Value(value), Place::Marked) => {
            let marked = all(
                document,
                "#command :is(.contractum, .redex) :is(.chip, .value)",
            );
            marked
                .into_iter()
                .filter(|chip| says(chip, value))
                .collect()
        }
        (What::Value(value), Place::Layer(met_at)) => {
            let chips = all(
                document,
                &format!("#{} .backward .chip", crate::ids::layer(*met_at)),
            );
            let chip = chips.into_iter().find(|chip| says(chip, value));
            chip.or_else(|| element(document, &flight.to))
                .into_iter()
                .collect()
        }
        (_, place) => element(document, place).into_iter().collect::<Vec<_>>(),
    };
    places
        .into_iter()
        .map(|end| {
            let place = end.get_bounding_client_rect();
            (end, place)
        })
        .filter(|(end, place)| is_seen(document, end, place))
        .take(PLACES)
        .collect()
}

fn element(document: &Document, place: &Place) -> Option<Element> {
    let redex = || document.query_selector("#command .redex").ok().flatten();
    match place {
        Place::Redex | Place::Marked => redex(),
        Place::Below(lines) => {
            let line = redex()?.closest(".line").ok().flatten()?;
            let all = all(document, "#command .line");
            let at = all.iter().position(|other| *other == line)?;
            // The first child is where the text of the line begins.
            all.get(at + lines)?.first_element_child()
        }
        Place::Layer(met_at) => document
            .query_selector(&format!("#{} .backward", crate::ids::layer(*met_at)))
            .ok()
            .flatten(),
        Place::Card(location) => document.get_element_by_id(&crate::ids::card(location)),
    }
}

fn all(document: &Document, selector: &str) -> Vec<Element> {
    let Ok(found) = document.query_selector_all(selector) else {
        return Vec::new();
    };
    (0..found.length())
        .filter_map(|number| found.get(number)?.dyn_into().ok())
        .collect()
}

/// True if a chip or number shows this value.
fn says(chip: &Element, value: &str) -> bool {
    chip.get_attribute("aria-label")
        .is_some_and(|label| label.starts_with(value))
        || chip.text_content().is_some_and(|text| text.trim() == value)
}

/// True if a position is visible in the pane of its element.
fn is_seen(document: &Document, element: &Element, place: &DomRect) -> bool {
    let pane = element
        .closest("#command, .sandwich, .cards")
        .ok()
        .flatten()
        .or_else(|| document.document_element());
    let Some(pane) = pane else { return false };
    let pane = pane.get_bounding_client_rect();
    place.width() > 0.0
        && place.left() < pane.right()
        && place.right() > pane.left()
        && place.top() < pane.bottom()
        && place.bottom() > pane.top()
}

/// Highlights the target of a link for a moment. With reduced motion the highlight does not fade.
pub(crate) fn flash(element: &Element) {
    let shadow = "0 0 0 2px var(--redex-line), 0 0 0 7px var(--redex)";
    let end = if still() {
        shadow
    } else {
        "0 0 0 0 transparent"
    };
    // The animation ends without being cancelled.
    drop(animated(
        element,
        &[("boxShadow", &[shadow, shadow, end])],
        FLASH,
    ));
}

fn animated(element: &Element, properties: &[(&str, &[&str])], length: u32) -> Option<Playing> {
    let (keyframes, options) = (Object::new(), Object::new());
    for (name, values) in properties {
        let values: Array = values
            .iter()
            .map(|value| JsValue::from_str(value))
            .collect();
        Reflect::set(&keyframes, &JsValue::from_str(name), &values).ok()?;
    }
    let set = |name: &str, value: JsValue| Reflect::set(&options, &JsValue::from_str(name), &value);
    set("duration", f64::from(length).into()).ok()?;
    set("easing", "cubic-bezier(.3, .6, .3, 1)".into()).ok()?;
    element
        .unchecked_ref::<Animated>()
        .animate(&keyframes, &options)
        .ok()
}

/// True if the reader prefers reduced motion, or if the preference is unknown.
pub(crate) fn still() -> bool {
    web_sys::window()
        .and_then(|window| {
            window
                .match_media("(prefers-reduced-motion: reduce)")
                .ok()
                .flatten()
        })
        .is_none_or(|wish| wish.matches())
}

fn document() -> Option<Document> {
    web_sys::window()?.document()
}
