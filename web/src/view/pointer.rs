//! Last position of the pointer, to ignore elements that are drawn under a resting pointer.

use std::cell::Cell;
use web_sys::PointerEvent;

thread_local! {
    static LAST: Cell<Option<(i32, i32)>> = const { Cell::new(None) };
}

/// Stores the position of a moving pointer.
pub(crate) fn note(event: &PointerEvent) {
    LAST.set(Some((event.client_x(), event.client_y())));
}

/// True if a mouse has moved onto the element. An element that is drawn under a resting mouse also gets an enter
/// event, at the stored position.
pub(crate) fn has_come(event: &PointerEvent) -> bool {
    event.pointer_type() == "mouse" && LAST.get() != Some((event.client_x(), event.client_y()))
}
