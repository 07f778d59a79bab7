//! Where on the screen something opens.

use crate::model::Anchor;
use web_sys::Element;

/// The place of an element.
#[allow(clippy::cast_possible_truncation)] // Pixels of a screen.
pub(crate) fn of(element: &Element) -> Option<Anchor> {
    let edges = element.get_bounding_client_rect();
    let window = web_sys::window()?;
    let room = |size: Result<wasm_bindgen::JsValue, wasm_bindgen::JsValue>| {
        size.ok().and_then(|size| size.as_f64()).unwrap_or(0.0) as i32
    };
    Some(Anchor {
        edges: (
            edges.left() as i32,
            edges.top() as i32,
            edges.right() as i32,
            edges.bottom() as i32,
        ),
        window: (room(window.inner_width()), room(window.inner_height())),
    })
}

/// Beside it, on the side that has more room.
pub(crate) fn beside(anchor: &Anchor) -> String {
    let (left, top, right, bottom) = anchor.edges;
    let (width, height) = anchor.window;
    let gap = 6;
    let across = if left + right < width {
        format!("--left: {}px", left.max(8))
    } else {
        format!("--right: {}px", (width - right).max(8))
    };
    if top + bottom < height {
        format!(
            "{across}; --top: {}px; --room: {}px",
            bottom + gap,
            height - bottom - 2 * gap
        )
    } else {
        format!(
            "{across}; --bottom: {}px; --room: {}px",
            height - top + gap,
            top - 2 * gap
        )
    }
}
