//! Positions of elements on the screen, and of popovers next to them.

use crate::model::Anchor;
use web_sys::Element;

/// Distance of a popover from the edge of the window, in CSS pixels.
const EDGE: i32 = 8;

/// Position of an element.
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

/// CSS of a popover next to an element, on the sides that have more room. The popover may be as wide as the window:
/// `--across` shifts it from the edge of the window towards the element as far as its own width, 100%, allows.
#[inline(never)] // A start does without it.
pub(crate) fn beside(anchor: &Anchor) -> String {
    let (left, top, right, bottom) = anchor.edges;
    let (width, height) = anchor.window;
    let gap = 6;
    let across = if left + right < width {
        let from = (left - EDGE).max(0);
        format!(
            "--left: {EDGE}px; --across: min({from}px, 100vw - {}px - 100%)",
            2 * EDGE
        )
    } else {
        let from = (width - right - EDGE).max(0);
        format!(
            "--right: {EDGE}px; --across: max(-{from}px, 100% + {}px - 100vw)",
            2 * EDGE
        )
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

#[cfg(test)]
mod tests {
    use super::beside;
    use crate::model::Anchor;

    #[test]
    fn what_opens_begins_where_it_belongs_and_moves_aside_for_its_width() {
        let at = |left, right| {
            let edges = (left, 20, right, 40);
            beside(&Anchor {
                edges,
                window: (390, 844),
            })
        };
        let below = "--top: 46px; --room: 792px";
        let left = format!("--left: 8px; --across: min(92px, 100vw - 16px - 100%); {below}");
        assert_eq!(at(100, 160), left);
        let right = format!("--right: 8px; --across: max(-12px, 100% + 16px - 100vw); {below}");
        assert_eq!(at(300, 370), right);
        assert!(at(-5, 40).contains("min(0px,"), "cut off by the window");
    }
}
