//! The strip below a large diagram: where its boxes are along it, and the part that is seen, which can be dragged.

use crate::diagram::sheet::{Sheet, SheetMsg};
use fletch_playground::diagram::{Kind, Mark, Picture};
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::{Callback, Html, PointerEvent, html};

/// A diagram with fewer boxes, seen whole, needs no strip.
const LARGE: usize = 30;

/// The strip.
pub(super) fn minimap(sheet: &Sheet, dispatch: &Callback<SheetMsg>) -> Html {
    let Some(picture) = sheet.picture() else {
        return Html::default();
    };
    let (left, _, width, _) = picture.bounds;
    let (from, _, seen, _) = sheet.camera.seen(sheet.size);
    let whole = from <= left && from + seen >= left + width;
    if picture.boxes.len() <= LARGE && whole {
        return Html::default();
    }
    let share = |x: f64| ((x - left) / width.max(1.0)).clamp(0.0, 1.0);
    let (start, end) = (share(from), share(from + seen));
    let strip = |event: &PointerEvent| -> Option<Element> {
        let target: Element = event.target()?.dyn_into().ok()?;
        target.closest(".minimap").ok().flatten()
    };
    let go = move |event: &PointerEvent| -> Option<f64> {
        let strip = strip(event)?;
        let frame = strip.get_bounding_client_rect();
        Some((f64::from(event.client_x()) - frame.left()) / frame.width().max(1.0))
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
                dispatch.emit(SheetMsg::Along(share.clamp(0.0, 1.0)));
            }
        })
    };
    html! {
        <div class="minimap" aria-hidden="true" onpointerdown={drag.clone()} onpointermove={drag}>
            <svg viewBox="0 0 1000 20" preserveAspectRatio="none">{ for columns(picture) }</svg>
            <div class="minimap-view" style={format!("left: {:.2}%; width: {:.2}%", start * 100.0, (end - start) * 100.0)} />
        </div>
    }
}

/// One mark for each box: operations and pure maps, out above, back below. What lies at the same place is drawn once.
fn columns(picture: &Picture) -> impl Iterator<Item = Html> {
    let (left, _, width, _) = picture.bounds;
    let mut paths = [String::new(), String::new()];
    let mut last = [[-1.0_f64; 2]; 2];
    for shape in &picture.boxes {
        let back = shape.mark.is_some_and(Mark::is_back);
        let kind = usize::from(shape.kind != Kind::Operation);
        let x = (1000.0 * (shape.frame.0 - left) / width.max(1.0)).floor();
        let across = (1000.0 * shape.frame.2 / width.max(1.0)).clamp(1.0, 24.0);
        let row = usize::from(back);
        let slot = last.get_mut(kind).and_then(|rows| rows.get_mut(row));
        if slot.is_some_and(|slot| std::mem::replace(slot, x) == x) {
            continue;
        }
        if let Some(path) = paths.get_mut(kind) {
            let y = if back { 11 } else { 2 };
            path.push_str(&format!("M{x:.0} {y}h{across:.1}v7h-{across:.1}z"));
        }
    }
    let classes = ["operation", "pure"];
    classes
        .into_iter()
        .zip(paths)
        .map(|(class, path)| html! { <path {class} d={path} /> })
}
