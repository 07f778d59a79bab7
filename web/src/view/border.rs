//! A border between two panes, moved by dragging or with the arrow keys.

use crate::model::Split;
use crate::update::Msg;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::{Callback, Html, KeyboardEvent, PointerEvent, Properties, component, html};

/// Distance that an arrow key moves a border, in thousandths.
const STRIDE: i32 = 20;

/// Properties of a border.
#[derive(Properties, PartialEq)]
pub(crate) struct BorderProps {
    /// Identifier of the border.
    pub(crate) split: Split,
    /// Size set by the border, in thousandths.
    pub(crate) size: u32,
    /// Receiver of the messages.
    pub(crate) dispatch: Callback<Msg>,
}

/// The border.
#[component]
pub(crate) fn Border(props: &BorderProps) -> Html {
    let split = props.split;
    let (class, name, upright) = match split {
        Split::Editor => ("border-editor", "Width of the program", true),
        Split::Heap => ("border-heap", "Height of the heap", false),
        Split::Sandwich => ("border-sandwich", "Width of the sandwich", true),
        Split::Text => ("border-text", "Width of the text", true),
        Split::Lesson => ("border-lesson", "Height of the program", false),
    };
    // The editor and the text precede their borders; the other panes follow theirs.
    let before = matches!(split, Split::Editor | Split::Text);
    let (low, high) = split.bounds();
    let pressed = |event: PointerEvent| {
        if let Some(border) = element(&event) {
            event.prevent_default();
            let _ = border.set_pointer_capture(event.pointer_id());
        }
    };
    let dragged = {
        let dispatch = props.dispatch.clone();
        move |event: PointerEvent| {
            if let Some(size) = element(&event)
                .filter(|border| border.has_pointer_capture(event.pointer_id()))
                .and_then(|border| size(split, &border, &event))
            {
                dispatch.emit(Msg::Split(split, size));
            }
        }
    };
    let keys = {
        let dispatch = props.dispatch.clone();
        move |event: KeyboardEvent| {
            let by = match event.key().as_str() {
                "ArrowLeft" | "ArrowUp" if before => -STRIDE,
                "ArrowRight" | "ArrowDown" if before => STRIDE,
                "ArrowLeft" | "ArrowUp" => STRIDE,
                "ArrowRight" | "ArrowDown" => -STRIDE,
                _ => return,
            };
            event.prevent_default();
            dispatch.emit(Msg::SplitBy(split, by));
        }
    };
    html! {
        <div class={yew::classes!("border", class)} role="separator" tabindex="0" aria-label={name} title={"Drag, or use the arrow keys"}
            aria-orientation={if upright { "vertical" } else { "horizontal" }} aria-valuenow={(props.size / 10).to_string()}
            aria-valuemin={(low / 10).to_string()} aria-valuemax={(high / 10).to_string()}
            onpointerdown={pressed} onpointermove={dragged} onpointerup={props.dispatch.reform(|_| Msg::SplitDone)} onkeydown={keys}></div>
    }
}

fn element(event: &PointerEvent) -> Option<Element> {
    event.target()?.dyn_into::<Element>().ok()
}

/// Size that the pointer would give the border, in thousandths of the divided element.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Casts saturate, and `update` clamps.
fn size(split: Split, border: &Element, event: &PointerEvent) -> Option<u32> {
    // The parent of the border may have no box, so an ancestor with a box is measured.
    let whole = border.closest(".steps, .panes").ok()??;
    let whole = whole.get_bounding_client_rect();
    let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
    let share = match split {
        Split::Editor | Split::Text => (x - whole.left()) / whole.width(),
        Split::Lesson => (whole.bottom() - y) / whole.height(),
        // The heap ends above the sentence, not at the bottom of the element.
        Split::Heap => {
            let heap = border.next_element_sibling()?.get_bounding_client_rect();
            (heap.bottom() - y) / whole.height()
        }
        Split::Sandwich => (whole.right() - x) / whole.width(),
    };
    Some((share * 1000.0).round() as u32)
}
