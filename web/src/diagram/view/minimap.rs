//! The minimap of a diagram that is seen in parts: marks of its boxes, and a frame around the visible rectangle, which can be
//! dragged.

use crate::diagram::camera::Rectangle;
use crate::diagram::sheet::{Sheet, SheetMsg};
use fletch_playground::diagram::{Kind, Picture};
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::{Callback, Html, PointerEvent, classes, html};

/// Least side of the frame, in CSS pixels.
const LEAST: f64 = 10.0;

/// The minimap, along the longer side of the diagram.
pub(super) fn minimap(sheet: &Sheet, dispatch: &Callback<SheetMsg>) -> Html {
    let Some(picture) = sheet.picture().filter(|_| !sheet.is_whole()) else {
        return Html::default();
    };
    let (left, top, width, height) = picture.seen();
    let (x, y, wide, high) = sheet.camera.seen(sheet.size);
    let across = |at: f64| 100.0 * ((at - left) / width.max(1.0)).clamp(0.0, 1.0);
    let down = |at: f64| 100.0 * ((at - top) / height.max(1.0)).clamp(0.0, 1.0);
    let strip = |event: &PointerEvent| -> Option<Element> {
        let target: Element = event.target()?.dyn_into().ok()?;
        target.closest(".minimap").ok().flatten()
    };
    let go = move |event: &PointerEvent| -> Option<(f64, f64)> {
        let frame = strip(event)?.get_bounding_client_rect();
        let share = |at: i32, from: f64, whole: f64| {
            ((f64::from(at) - from) / whole.max(1.0)).clamp(0.0, 1.0)
        };
        Some((
            share(event.client_x(), frame.left(), frame.width()),
            share(event.client_y(), frame.top(), frame.height()),
        ))
    };
    let drag = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: PointerEvent| {
            if event.buttons() & 1 == 1
                && let Some(share) = go(&event)
            {
                if let Some(strip) = strip(&event) {
                    let _ = strip.set_pointer_capture(event.pointer_id());
                }
                dispatch.emit(SheetMsg::Around(share));
            }
        })
    };
    // Keeps the frame of a tiny rectangle at least 10 pixels wide and high, and within the minimap.
    let side = |from: f64, to: f64| {
        let (from, long) = (format!("min({from:.2}%, 100% - {LEAST}px)"), to - from);
        (from, format!("max({long:.2}%, {LEAST}px)"))
    };
    let (from_left, width_of) = side(across(x), across(x + wide));
    let (from_top, height_of) = side(down(y), down(y + high));
    let view =
        format!("left: {from_left}; width: {width_of}; top: {from_top}; height: {height_of}");
    html! {
        <div class={classes!("minimap", picture.down.then_some("down"), (!sheet.moved).then_some("own"))} aria-hidden="true" onpointerdown={drag.clone()} onpointermove={drag}>
            <svg viewBox="0 0 1000 1000" preserveAspectRatio="none">{ for marks(picture, (left, top, width, height)) }</svg>
            <div class="minimap-view" style={view} />
        </div>
    }
}

/// Marks of the boxes: one path for operations, and one for all others.
fn marks(picture: &Picture, (left, top, width, height): Rectangle) -> impl Iterator<Item = Html> {
    let mut paths = [String::new(), String::new()];
    for shape in &picture.boxes {
        let (x, y, wide, high) = shape.frame;
        let across = |length: f64| 1000.0 * length / width.max(1.0);
        let down = |length: f64| 1000.0 * length / height.max(1.0);
        if let Some(path) = paths.get_mut(usize::from(shape.kind != Kind::Operation)) {
            let (x, y, wide, high) = (across(x - left), down(y - top), across(wide), down(high));
            path.push_str(&format!("M{x:.0} {y:.0}h{wide:.0}v{high:.0}h-{wide:.0}z"));
        }
    }
    ["operation", "pure"]
        .into_iter()
        .zip(paths)
        .map(|(class, path)| html! { <path {class} d={path} /> })
}
