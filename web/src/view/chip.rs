//! A tensor in the midst of text: its shape and a thumbnail, and all its entries on demand.

use super::{heatmap, popover};
use crate::model::Opened;
use crate::update::Msg;
use fletch_playground::numbers;
use fletch_playground::protocol::Chip;
use std::rc::Rc;
use yew::{Callback, Html, html};

/// The side of a thumbnail's cell, in pixels, where there is room.
const CELL: u32 = 6;

/// Rows and columns of a thumbnail that can still be told apart: cells of two pixels.
const SMALL: (usize, usize) = (8, 22);

/// A chip.
pub(crate) fn button(chip: &Chip, dispatch: &Callback<Msg>) -> Html {
    let opened = Opened::Chip(Rc::new(chip.clone()));
    popover::opener(&opened, "chip", Some(chip.words()), face(chip), dispatch)
}

/// Face of a chip: a single number or few, zeros in a word, otherwise thumbnail and shape.
fn face(chip: &Chip) -> Html {
    if let ([value], 1) = (chip.entries.as_slice(), chip.size) {
        return html! { <span class="chip-number">{ numbers::short(*value) }</span> };
    }
    if chip.size == 0 {
        return html! { <span class="chip-number">{ "⟨⟩" }</span> };
    }
    if let Some(text) = chip.written() {
        return html! { <span class="chip-number">{ text }</span> };
    }
    html! { <>{ thumbnail(&chip.entries, chip.columns) }<span class="chip-shape">{ chip.space() }</span></> }
}

/// A thumbnail of entries in so many columns, on a scale of its own: it shows the pattern, the open view tells the size.
pub(crate) fn thumbnail(entries: &[f64], across: u32) -> Html {
    let columns = usize::try_from(across).unwrap_or(1).max(1);
    let rows = entries.len().div_ceil(columns).max(1);
    let side = |count: u32, room: u32| (room / count.max(1)).clamp(1, CELL);
    let down = u32::try_from(rows).unwrap_or(u32::MAX);
    let scale = heatmap::largest(entries);
    let (cells, shown) = heatmap::summary(entries, columns, SMALL);
    let style = format!(
        "--map: {}; --width: {}; --height: {}",
        heatmap::background(&cells, shown, scale),
        heatmap::rem((side(across, 44) * across).min(44)),
        heatmap::rem((side(down, 16) * down).min(16))
    );
    html! { <span class="thumbnail" style={style}></span> }
}
