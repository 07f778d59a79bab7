//! The canvas of a sheet. It paints when its properties have changed, and sends events of pointers, wheel and keys.

use super::paint::Scene;
use super::palette::Palette;
use crate::animation;
use crate::diagram::following::Following;
use crate::diagram::sheet::{FocusMove, Sheet, SheetMsg};
use crate::geometry::Resize;
use crate::model::Theme;
use gloo::events::{EventListener, EventListenerOptions};
use gloo::timers::callback::Timeout;
use wasm_bindgen::JsCast;
use web_sys::{
    CanvasRenderingContext2d, Element, HtmlCanvasElement, HtmlElement, PointerEvent, WheelEvent,
};
use yew::{
    AttrValue, Callback, Component, Context, Html, KeyboardEvent, NodeRef, Properties, html,
};

/// Properties of a canvas.
#[derive(Clone, Debug, PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) sheet: Sheet,
    /// Diagram at the position of the stepper, if the stepper runs this diagram.
    pub(crate) following: Option<Following>,
    pub(crate) theme: Theme,
    /// Description of the diagram, for screen readers.
    pub(crate) label: AttrValue,
    /// Description of the box with the focus, for screen readers.
    pub(crate) said: AttrValue,
    pub(crate) dispatch: Callback<SheetMsg>,
}

/// A canvas.
pub(crate) struct Canvas {
    place: NodeRef,
    canvas: NodeRef,
    probe: NodeRef,
    focused: bool,
    palette: Option<(Theme, Palette)>,
    /// Wires whose values move along them, and the start of the movement, in milliseconds.
    moving: Option<(Vec<usize>, f64)>,
    frame: Option<Timeout>,
    listeners: Vec<EventListener>,
    _size: Option<Resize>,
}

/// Constructor of the message for a pointer event, from the pointer's id and coordinates.
type PointerMsg = fn(i32, (f64, f64)) -> SheetMsg;

/// Pointer events, each with its message.
const POINTERS: [(&str, PointerMsg); 5] = [
    ("pointerdown", SheetMsg::Pressed),
    ("pointermove", SheetMsg::Moved),
    ("pointerup", SheetMsg::Released),
    ("pointerleave", |pointer, _| SheetMsg::Left(pointer)),
    ("pointercancel", |pointer, _| SheetMsg::Left(pointer)),
];

/// Internal event of the canvas.
pub(crate) enum Msg {
    /// The canvas got (true) or lost the focus.
    Focused(bool),
    /// The colours of the page may have changed.
    Colours,
    /// The next frame of the moving values is due.
    Moves,
}

impl Component for Canvas {
    type Message = Msg;
    type Properties = Props;

    fn create(_: &Context<Self>) -> Self {
        Canvas {
            place: NodeRef::default(),
            canvas: NodeRef::default(),
            probe: NodeRef::default(),
            focused: false,
            palette: None,
            moving: None,
            frame: None,
            listeners: Vec::new(),
            _size: None,
        }
    }

    fn update(&mut self, context: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Focused(here) => {
                self.focused = here;
                context.props().dispatch.emit(SheetMsg::Focus(here));
            }
            Msg::Colours => self.palette = None,
            Msg::Moves => self.go_on(context),
        }
        true
    }

    fn changed(&mut self, context: &Context<Self>, before: &Props) -> bool {
        let (after, before) = (&context.props().following, &before.following);
        if let (Some(after), Some(before)) = (after, before)
            && after.position != before.position
        {
            let wires = after.arrived(before);
            let moves = !wires.is_empty() && wires.len() <= MANY && !animation::still();
            self.moving = moves.then(|| (wires, js_sys::Date::now()));
            self.go_on(context);
        }
        true
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let Props {
            sheet,
            label,
            said,
            dispatch,
            ..
        } = context.props();
        html! {
            <div class="sheet" ref={&self.place} data-camera={format!("{:.2} {:.2} {:.4}", sheet.camera.x, sheet.camera.y, sheet.camera.scale)} data-sight={sheet.in_sight()} tabindex="0" role="application" aria-roledescription={"string diagram"} aria-label={label}
                onkeydown={keys(dispatch)}
                onfocus={context.link().callback(|_| Msg::Focused(true))} onblur={context.link().callback(|_| Msg::Focused(false))}>
                <canvas ref={&self.canvas} data-moving={self.moving.is_some().to_string()} aria-hidden="true" />
                <span ref={&self.probe} class="probe" aria-hidden="true" />
                <span class="spoken" aria-live="polite">{ if self.focused { said.clone() } else { AttrValue::default() } }</span>
            </div>
        }
    }

    fn rendered(&mut self, context: &Context<Self>, first: bool) {
        if first {
            self.listen(context);
        }
        self.paint(context.props());
    }
}

/// Media query for windows in which the sentence covers the lower edge of the canvas, unless the canvas is in a presentation.
const OVER: &str = "screen and (width >= 51.25em) and (height >= 31.25em)";
/// Duration of the movement of a value along its wire, in milliseconds.
const WAY: f64 = 240.0;
/// Time between two frames of the movement, in milliseconds.
const FRAME: u32 = 16;
/// Maximum number of values that move; after a larger jump, none moves.
const MANY: usize = 40;

/// True if the sliders of moments are below the canvas, and not in the bar as on a wide stage.
fn is_above_moments(sheet: &HtmlElement) -> bool {
    let diagram = sheet.closest(".diagram").ok().flatten();
    let moments = diagram.and_then(|diagram| diagram.query_selector(".moments").ok().flatten());
    let bottom = sheet.get_bounding_client_rect().bottom();
    moments.is_some_and(|moments| moments.get_bounding_client_rect().top() >= bottom - 1.0)
}

impl Canvas {
    /// Progress of the moving values, from 0 to 1 or beyond.
    fn share(&self) -> f64 {
        let since = self.moving.as_ref().map(|(_, since)| *since);
        since.map_or(1.0, |since| (js_sys::Date::now() - since) / WAY)
    }

    /// Schedules the next frame of the movement, or ends the movement.
    fn go_on(&mut self, context: &Context<Self>) {
        if self.share() >= 1.0 {
            self.moving = None;
        }
        let link = context.link().clone();
        self.frame = self
            .moving
            .as_ref()
            .map(|_| Timeout::new(FRAME, move || link.send_message(Msg::Moves)));
    }

    fn listen(&mut self, context: &Context<Self>) {
        let Some(place) = self.place.cast::<HtmlElement>() else {
            return;
        };
        let dispatch = context.props().dispatch.clone();
        let element = place.clone();
        self._size = Resize::of(&place, move || {
            // In a wide and high window the sentence covers the canvas (`figures.css`), except in a presentation, below the steps,
            // in a pair of diagrams, or with the sliders of moments in between.
            let over = web_sys::window().and_then(|window| window.match_media(OVER).ok().flatten());
            let above = element
                .closest("[data-stand=presented], [data-tiled], .pair")
                .is_ok_and(|wall| wall.is_some())
                || is_above_moments(&element);
            dispatch.emit(SheetMsg::Bare(
                above || over.is_none_or(|over| !over.matches()),
            ));
            dispatch.emit(SheetMsg::Sized(
                f64::from(element.client_width()),
                f64::from(element.client_height()),
            ));
        });
        // Yew listens at the root, which events of a pointer captured here do not reach.
        for (name, msg) in POINTERS {
            let dispatch = context.props().dispatch.clone();
            let element = place.clone();
            let listener = EventListener::new(&place, name, move |event| {
                let Some(event) = event.dyn_ref::<PointerEvent>() else {
                    return;
                };
                let name = event.type_();
                if name == "pointerleave" && event.pointer_type() == "touch" {
                    // A lifted finger leaves the canvas, but the tooltip of what it tapped stays.
                    return;
                }
                if name == "pointerdown" {
                    // With the pointer captured, a drag continues outside of the canvas.
                    let _ = element.set_pointer_capture(event.pointer_id());
                    dispatch.emit(SheetMsg::Touch(event.pointer_type() == "touch"));
                }
                dispatch.emit(msg(event.pointer_id(), at(event)));
            });
            self.listeners.push(listener);
        }
        let dispatch = context.props().dispatch.clone();
        let twice = EventListener::new(&place, "dblclick", move |event| {
            if let Some(event) = event.dyn_ref::<web_sys::MouseEvent>() {
                dispatch.emit(SheetMsg::Open(Some(at(event))));
            }
        });
        self.listeners.push(twice);
        let dispatch = context.props().dispatch.clone();
        // Yew's wheel listeners are passive and cannot prevent scrolling.
        let wheel = EventListener::new_with_options(
            &place,
            "wheel",
            EventListenerOptions::enable_prevent_default(),
            move |event| {
                let Some(event) = event.dyn_ref::<WheelEvent>() else {
                    return;
                };
                event.prevent_default();
                let lines = if event.delta_mode() == WheelEvent::DOM_DELTA_PIXEL {
                    1.0
                } else {
                    30.0
                };
                let by = (event.delta_x() * lines, event.delta_y() * lines);
                let zooms = event.ctrl_key() || event.meta_key();
                dispatch.emit(SheetMsg::Wheel(at(event), by, zooms));
            },
        );
        self.listeners.push(wheel);
        for query in ["(prefers-color-scheme: dark)", "(forced-colors: active)"] {
            let media =
                web_sys::window().and_then(|window| window.match_media(query).ok().flatten());
            if let Some(media) = media {
                let link = context.link().clone();
                let listener =
                    EventListener::new(&media, "change", move |_| link.send_message(Msg::Colours));
                self.listeners.push(listener);
            }
        }
        // Labels are painted again once their font has loaded.
        if let Some(fonts) = web_sys::window()
            .and_then(|window| window.document())
            .map(|document| document.fonts())
        {
            let link = context.link().clone();
            let listener = EventListener::new(&fonts, "loadingdone", move |_| {
                link.send_message(Msg::Colours)
            });
            self.listeners.push(listener);
        }
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Sides of a screen; casts saturate.
    fn paint(&mut self, props: &Props) {
        let (Some(canvas), Some(probe)) = (
            self.canvas.cast::<HtmlCanvasElement>(),
            self.probe.cast::<HtmlElement>(),
        ) else {
            return;
        };
        let Some(context) = context(&canvas) else {
            return;
        };
        if self
            .palette
            .as_ref()
            .is_none_or(|(theme, _)| *theme != props.theme)
        {
            self.palette = Palette::of(&probe).map(|palette| (props.theme, palette));
        }
        let Some((_, palette)) = &self.palette else {
            return;
        };
        let ratio = web_sys::window().map_or(1.0, |window| window.device_pixel_ratio());
        let sheet = &props.sheet;
        let (width, height) = ((sheet.size.0 * ratio) as u32, (sheet.size.1 * ratio) as u32);
        if (canvas.width(), canvas.height()) != (width, height) {
            canvas.set_width(width);
            canvas.set_height(height);
        }
        if let Some(scene) = Scene::of(sheet, palette, ratio, self.focused) {
            let following = props.following.as_ref();
            let moving = self.moving.as_ref().map_or(&[][..], |(wires, _)| wires);
            Scene {
                following,
                moving: (moving, self.share()),
                ..scene
            }
            .paint(&context);
        }
    }
}

/// Drawing context of a canvas.
pub(crate) fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok()??.dyn_into().ok()
}

/// Coordinates of a pointer, from the left and top of the listening element.
fn at(event: &web_sys::MouseEvent) -> (f64, f64) {
    let corner = event
        .current_target()
        .and_then(|target| target.dyn_into::<Element>().ok())
        .map_or((0.0, 0.0), |element| {
            let frame = element.get_bounding_client_rect();
            (frame.left(), frame.top())
        });
    (
        f64::from(event.client_x()) - corner.0,
        f64::from(event.client_y()) - corner.1,
    )
}

/// Handler of keys: arrows move the focus, Enter opens, Escape folds, Space selects, + and − zoom, 0 fits the picture.
fn keys(dispatch: &Callback<SheetMsg>) -> Callback<KeyboardEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        let msg = match event.key().as_str() {
            "ArrowLeft" => SheetMsg::Go(FocusMove::Left),
            "ArrowRight" => SheetMsg::Go(FocusMove::Right),
            "ArrowUp" => SheetMsg::Go(FocusMove::Up),
            "ArrowDown" => SheetMsg::Go(FocusMove::Down),
            "Home" => SheetMsg::Go(FocusMove::First),
            "End" => SheetMsg::Go(FocusMove::Last),
            "+" | "=" => SheetMsg::Zoom(1.25),
            "-" => SheetMsg::Zoom(0.8),
            "0" => SheetMsg::Fit,
            "Enter" => SheetMsg::Open(None),
            "Escape" => SheetMsg::Fold,
            " " => SheetMsg::Choose,
            _ => return,
        };
        event.prevent_default();
        dispatch.emit(msg);
    })
}
