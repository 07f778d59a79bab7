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
pub(super) fn button(chip: &Chip, dispatch: &Callback<Msg>) -> Html {
    let opened = Opened::Chip(Rc::new(chip.clone()));
    popover::opener(&opened, "chip", Some(words(chip)), face(chip), dispatch)
}

/// A chip in words, for those who cannot see it: what is written on it, or the shape and the first entries. Numbers are
/// as sentences have them.
pub(crate) fn words(chip: &Chip) -> String {
    if let Some(text) = chip.written() {
        return text;
    }
    match (chip.entries.as_slice(), chip.size) {
        (_, 0) => "⟨⟩".to_owned(),
        ([value], 1) => numbers::short(*value),
        (_, _) if chip.id != 0 => format!("{} tensor", chip.shape),
        (entries, size) => {
            let first: Vec<_> = entries
                .iter()
                .take(4)
                .map(|value| numbers::short(*value))
                .collect();
            let rest = if size > 4 { " and so on" } else { "" };
            format!("{} tensor: {}{rest}", chip.shape, first.join(", "))
        }
    }
}

/// Rows and columns of the whole tensor, of which a large chip has blocks only.
pub(crate) fn dimensions(chip: &Chip) -> (u32, u32) {
    let columns = chip
        .shape
        .rsplit(' ')
        .next()
        .and_then(|size| size.parse().ok())
        .unwrap_or(1)
        .max(1);
    (chip.size.div_ceil(columns), columns)
}

/// What is on a chip: a single number or few, zeros in a word, otherwise thumbnail and shape.
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
    html! { <>{ thumbnail(chip) }<span class="chip-shape">{ &chip.shape }</span></> }
}

/// The thumbnail, on a scale of its own: it shows the pattern, the open view tells the size.
fn thumbnail(chip: &Chip) -> Html {
    let columns = usize::try_from(chip.columns).unwrap_or(1).max(1);
    let rows = chip.entries.len().div_ceil(columns).max(1);
    let side = |count: u32, room: u32| (room / count.max(1)).clamp(1, CELL);
    let down = u32::try_from(rows).unwrap_or(u32::MAX);
    let scale = heatmap::largest(&chip.entries);
    let (cells, across) = heatmap::summary(&chip.entries, columns, SMALL);
    let style = format!(
        "--map: {}; --width: {}px; --height: {}px",
        heatmap::background(&cells, across, scale),
        (side(chip.columns, 44) * chip.columns).min(44),
        (side(down, 16) * down).min(16)
    );
    html! { <span class="thumbnail" style={style}></span> }
}

#[cfg(test)]
mod tests {
    use super::{Chip, words};

    #[test]
    fn a_chip_can_be_read_aloud() {
        let chip = |shape: &str, entries: &[f64], size| Chip {
            id: 0,
            shape: shape.into(),
            rows: 1,
            columns: 1,
            entries: entries.to_vec(),
            size,
        };
        assert_eq!(words(&chip("1", &[-0.5], 1)), "−0.5");
        assert_eq!(
            words(&chip("1", &[0.393_651], 1)),
            "0.394",
            "as a sentence has it"
        );
        assert_eq!(words(&chip("2", &[1.0, 0.25], 2)), "[1, 0.25]");
        assert_eq!(words(&chip("8", &[0.0; 8], 8)), "8 zeros");
        assert_eq!(
            words(&chip("8", &[0.5; 8], 8)),
            "8 tensor: 0.5, 0.5, 0.5, 0.5 and so on"
        );
    }
}
