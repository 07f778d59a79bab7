//! Popovers next to a chip, a heap cell or a word, and the buttons that open them. Of a value's entries only the
//! visible ones are drawn.

use super::{anchor, heatmap, pointer};
use crate::controls::quiet;
use crate::model::{Model, Opened, Popover};
use crate::number;
use crate::texts;
use crate::update::Msg;
use fletch_playground::protocol::Chip;
use std::ops::Range;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event};
use yew::{Callback, Classes, Html, Properties, component, html, use_state};

/// Width and height of a cell of the table, in rem.
const CELL: (f64, f64) = (4.5, 1.5);
/// Numbers of rows and columns that are drawn; more are never visible at once.
const SIGHT: (usize, usize) = (18, 12);

/// The open popover, if there is one.
#[inline(never)] // A start does without it.
pub(crate) fn popover(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let Some(open) = &model.popover else {
        return Html::default();
    };
    match &open.opened {
        Opened::Chip(chip) => entries(open, chip, dispatch),
        Opened::Gloss { word, meaning } => meant(open, word, meaning, dispatch),
    }
}

/// Frame of a popover, around the entries of a value or the meaning of a word.
fn frame(open: &Popover, class: &'static str, inner: Html, dispatch: &Callback<Msg>) -> Html {
    html! {
        <div class={yew::classes!("popover", class, open.pinned.then_some("pinned"))} role="status" style={anchor::beside(&open.anchor)}
            onpointerenter={dispatch.reform(|_| Msg::PopoverHovered)} onpointerleave={dispatch.reform(|_| Msg::ChipLeft)}>
            { inner }
        </div>
    }
}

fn close(open: &Popover, dispatch: &Callback<Msg>) -> Html {
    if !open.pinned {
        return Html::default();
    }
    html! { { quiet("×").class("small").label(texts::CLOSE).title(texts::CLOSE_ESC).on_click(dispatch, Msg::ChipClosed) } }
}

/// Popover with the meaning of a word.
fn meant(open: &Popover, word: &str, meaning: &str, dispatch: &Callback<Msg>) -> Html {
    let inner = html! {
        <>
            <div class="popover-head"><b>{ word.to_owned() }</b>{ close(open, dispatch) }</div>
            <div class="meaning">{ for meaning.lines().map(|line| html! { <p>{ line.to_owned() }</p> }) }</div>
        </>
    };
    frame(open, "gloss", inner, dispatch)
}

/// A button whose popover opens when the pointer rests on it or it gets the focus by key. A click keeps the popover open.
pub(crate) fn opener(
    opened: &Opened,
    class: impl Into<Classes>,
    label: Option<String>,
    face: Html,
    dispatch: &Callback<Msg>,
) -> Html {
    let meaning = match opened {
        Opened::Gloss { meaning, .. } => Some(meaning.to_string()),
        Opened::Chip(_) => None,
    };
    let value = match opened {
        Opened::Chip(chip) if chip.value > 0 => Some(chip.value.to_string()),
        _ => None,
    };
    let say = |make: fn(Popover) -> Msg, pinned: bool| {
        let (dispatch, opened) = (dispatch.clone(), opened.clone());
        move |event: &Event| {
            if let Some(popover) = at(event, opened.clone(), pinned) {
                dispatch.emit(make(popover));
            }
        }
    };
    let hover = say(Msg::ChipHovered, false);
    let focus = say(Msg::ChipOpened, false);
    let click = say(Msg::ChipOpened, true);
    let leave = dispatch.reform(|()| Msg::ChipLeft);
    let (left, blurred) = (leave.clone(), leave);
    html! {
        <button type="button" class={class} aria-label={label} aria-description={meaning} data-value={value}
            onpointerenter={move |event: yew::PointerEvent| if pointer::has_come(&event) { hover(&event) }}
            onpointerleave={move |event: yew::PointerEvent| if event.pointer_type() == "mouse" { left.emit(()) }}
            onfocus={move |event: yew::FocusEvent| if shows_focus(&event) { focus(&event) }}
            onblur={move |_| blurred.emit(())}
            onclick={move |event: yew::MouseEvent| click(&event)}>
            { face }
        </button>
    }
}

/// Style rule that highlights all chips of the tensor `Model::alike`. One rule for all of them means that no chip is drawn again.
#[inline(never)] // A start does without it.
pub(crate) fn alike(model: &Model) -> Html {
    let rule = match model.alike {
        0 => return Html::default(),
        value => format!(
            "[data-value=\"{value}\"]{{outline:2px solid var(--redex-line);outline-offset:1px}}"
        ),
    };
    html! { <style>{ rule }</style> }
}

/// Popover at the button of an event; `None` if the event is outside of a button.
pub(crate) fn at(event: &Event, opened: Opened, pinned: bool) -> Option<Popover> {
    Some(Popover {
        opened,
        anchor: anchor::of(&button(event)?)?,
        pinned,
    })
}

/// True if the focus came by key; a click opens the popover anyway.
fn shows_focus(event: &Event) -> bool {
    button(event)
        .and_then(|element| element.matches(":focus-visible").ok())
        .unwrap_or(false)
}

fn button(event: &Event) -> Option<Element> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    target.closest("button").ok().flatten()
}

/// Popover with the entries of a value.
fn entries(open: &Popover, chip: &Rc<Chip>, dispatch: &Callback<Msg>) -> Html {
    let listed = chip.entries.len();
    let size = usize::try_from(chip.size).unwrap_or(usize::MAX);
    let inner = html! {
        <>
            <div class="popover-head">
                <b>{ chip.space() }</b>
                <span>{ range(&chip.entries) }</span>
                { close(open, dispatch) }
            </div>
            <Table chip={Rc::clone(chip)} />
            if chip.id != 0 {
                <p class="popover-rest">{ format!("Blocks of {size} entries: of each the one farthest from zero.") }</p>
            } else if listed < size {
                <p class="popover-rest">{ format!("The first {listed} of {size} entries.") }</p>
            }
        </>
    };
    frame(open, "entries", inner, dispatch)
}

fn range(entries: &[f64]) -> String {
    match entries {
        [] | [_] => String::new(),
        _ => {
            let least = entries.iter().copied().fold(f64::INFINITY, f64::min);
            let most = entries.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            format!(
                "from {least} to {most}",
                least = number::long(least),
                most = number::long(most)
            )
        }
    }
}

#[derive(Properties, PartialEq)]
struct TableProps {
    chip: Rc<Chip>,
}

/// Table of the visible entries, with the numbers of their rows and columns from 1.
#[component]
fn Table(props: &TableProps) -> Html {
    let first = use_state(|| (0_usize, 0_usize));
    let chip = &props.chip;
    let columns = if chip.id == 0 {
        chip.dimensions().1
    } else {
        chip.columns
    };
    let columns = usize::try_from(columns).unwrap_or(1).max(1);
    let rows = chip.entries.len().div_ceil(columns);
    let scale = heatmap::largest(&chip.entries);
    let down = sight(first.0, rows, SIGHT.0);
    let across = sight(first.1, columns, SIGHT.1);
    let scroll = move |event: yew::Event| {
        let Some(pane) = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok())
        else {
            return;
        };
        let now = (
            passed(pane.scroll_top(), pane.scroll_height(), rows),
            passed(pane.scroll_left(), pane.scroll_width(), columns),
        );
        if now != *first {
            first.set(now);
        }
    };
    let numbers = across
        .clone()
        .map(|column| html! { <th scope="col">{ column + 1 }</th> });
    let lines = down.clone().map(|row| {
        let cells = across.clone().filter_map(|column| {
            let value = chip.entries.get(row * columns + column)?;
            let title = format!("row {row}, column {column}: {value}", row = row + 1, column = column + 1);
            Some(html! { <td title={title} style={format!("--c: {}", heatmap::colour(*value, scale))}>{ number::long(*value) }</td> })
        });
        html! { <tr key={row}><th scope="row">{ row + 1 }</th>{ for cells }</tr> }
    });
    let headed = rows > 1 || columns > 1;
    let style = format!(
        "--above: {}rem; --below: {}rem; --before: {}rem; --behind: {}rem",
        down.start as f64 * CELL.1,
        (rows - down.end) as f64 * CELL.1,
        across.start as f64 * CELL.0,
        (columns - across.end) as f64 * CELL.0
    );
    html! {
        <div class={yew::classes!("popover-table", (!headed).then_some("single"))} onscroll={scroll} tabindex="0" role="group" aria-label={"Entries"}>
            <table style={style}>
                <thead><tr><td></td>{ for numbers }</tr></thead>
                <tbody>{ for lines }</tbody>
            </table>
        </div>
    }
}

/// Index of the first visible one of `count` rows or columns, when `scrolled` of the length `whole` is scrolled away.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A row or a column; casts saturate.
fn passed(scrolled: i32, whole: i32, count: usize) -> usize {
    (f64::from(scrolled) / f64::from(whole.max(1)) * count as f64) as usize
}

/// Range of at most `most` out of `count` rows or columns to draw, when `first` is the first visible one.
fn sight(first: usize, count: usize, most: usize) -> Range<usize> {
    let start = first.saturating_sub(2).min(count.saturating_sub(most));
    start..(start + most).min(count)
}

#[cfg(test)]
mod tests {
    use super::sight;

    #[test]
    fn what_is_drawn_does_not_grow_with_what_there_is() {
        for (first, count, drawn) in [
            (0, 5, 0..5),
            (0, 65_536, 0..18),
            (100, 65_536, 98..116),
            (65_530, 65_536, 65_518..65_536),
        ] {
            assert_eq!(sight(first, count, 18), drawn);
        }
    }
}
