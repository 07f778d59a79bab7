//! A tensor within text: its thumbnail and shape. All entries open on demand.

use super::{heatmap, popover};
use crate::model::Opened;
use crate::update::Msg;
use fletch_playground::numbers;
use fletch_playground::protocol::Chip;
use std::rc::Rc;
use yew::{Callback, Html, html};

/// Largest side of a thumbnail's cell, in pixels.
const CELL: u32 = 6;

/// Greatest numbers of rows and columns of a thumbnail: cells of two pixels can still be distinguished.
const SMALL: (usize, usize) = (8, 22);

/// The button of a chip.
pub(crate) fn button(chip: &Chip, dispatch: &Callback<Msg>) -> Html {
    let opened = Opened::Chip(Rc::new(chip.clone()));
    popover::opener(&opened, "chip", Some(chip.words()), face(chip), dispatch)
}

/// Face of a chip: a single number, a few numbers, zeros in words, or else thumbnail and shape.
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

/// A thumbnail of entries in `across` columns, coloured on their own scale. The thumbnail shows the pattern; the
/// popover shows the magnitude.
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
