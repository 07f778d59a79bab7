//! Last place of the pointer: what is drawn beneath a pointer that rests is not what its reader points at.

use std::cell::Cell;
use web_sys::PointerEvent;

thread_local! {
    static LAST: Cell<Option<(i32, i32)>> = const { Cell::new(None) };
}

/// Notes the place of a pointer that moves.
pub(crate) fn note(event: &PointerEvent) {
    LAST.set(Some((event.client_x(), event.client_y())));
}

/// True if a mouse has come here. An element that is drawn under it is entered too, at the place where it last moved to.
pub(crate) fn has_come(event: &PointerEvent) -> bool {
    event.pointer_type() == "mouse" && LAST.get() != Some((event.client_x(), event.client_y()))
}
