//! The open view of a chip or of a heap cell: all its entries.

use super::{anchor, heatmap, number};
use crate::model::{Model, Popover};
use crate::update::Msg;
use yew::{Callback, Html, html};

/// More rows than this are not listed.
const ROWS: usize = 24;
/// More columns than this are not listed.
const COLUMNS: usize = 12;

/// The open view, if one is open.
pub(super) fn popover(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let Some(open) = &model.popover else {
        return Html::default();
    };
    let chip = &open.chip;
    html! {
        <div class={yew::classes!("popover", open.pinned.then_some("pinned"))} role="status" style={anchor::beside(&open.anchor)}
            onpointerenter={dispatch.reform(|_| Msg::PopoverHovered)} onpointerleave={dispatch.reform(|_| Msg::ChipLeft)}>
            <div class="popover-head">
                <b>{ &chip.shape }</b>
                <span>{ range(&chip.entries) }</span>
                if open.pinned {
                    <button type="button" class="quiet small" aria-label="Close" title="Close (Esc)"
                        onclick={dispatch.reform(|_| Msg::ChipClosed)}>{ "×" }</button>
                }
            </div>
            { table(open) }
        </div>
    }
}

fn range(entries: &[f64]) -> String {
    match entries {
        [] | [_] => String::new(),
        _ => {
            let least = entries.iter().copied().fold(f64::INFINITY, f64::min);
            let most = entries.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            format!("from {} to {}", number::long(least), number::long(most))
        }
    }
}

fn table(open: &Popover) -> Html {
    let chip = &open.chip;
    let columns = usize::try_from(chip.columns).unwrap_or(1).max(1);
    let scale = heatmap::largest(&chip.entries);
    let rows = chip.entries.chunks(columns).take(ROWS).map(|row| {
        let cells = row.iter().take(COLUMNS).map(|value| {
            html! { <td style={format!("--c: {}", heatmap::colour(*value, scale))}>{ number::long(*value) }</td> }
        });
        html! { <tr>{ for cells }</tr> }
    });
    let listed = chip
        .entries
        .chunks(columns)
        .take(ROWS)
        .map(|row| row.len().min(COLUMNS))
        .sum::<usize>();
    let size = usize::try_from(chip.size).unwrap_or(usize::MAX);
    html! {
        <>
            <div class="popover-table"><table><tbody>{ for rows }</tbody></table></div>
            if listed < size {
                <p class="popover-rest">{ format!("{listed} of {size} entries") }</p>
            }
        </>
    }
}
