//! The card of a location: its contents, the change of a write and the reason for it, and all its writes. The card shows the write
//! that the sentence is about, or else the last one. A card is rendered again only when its properties have changed.

use crate::controls::{button, link};
use crate::model::Opened;
use crate::number;
use crate::steps::numbering::Numbering;
use crate::steps::update::heap::HeapMsg;
use crate::steps::view::numbered::step;
use crate::texts::capitalised;
use crate::update::Msg;
use crate::view::heatmap;
use crate::view::heatmap::Grid;
use crate::view::{chip, gloss, popover};
use fletch_playground::protocol::{Access, Blank, CellView, Chip, Picture, Update, WriteView};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::{Callback, Html, Properties, UseStateHandle, component, html, use_state, use_state_eq};

const NOT_WRITTEN_SO_FAR: &str = "not written so far";

/// Height of a map, in pixels: eight rows with legible numbers. More rows make the cells smaller.
const HEIGHT: u32 = 112;
/// Height of a map where the heap fills the screen, in pixels.
const TALL: u32 = 180;

/// Properties of a card.
#[derive(Properties, PartialEq)]
pub(crate) struct CardProps {
    /// Location and its contents.
    pub(crate) cell: CellView,
    /// Number of writes of its history before the shown position.
    pub(crate) done: usize,
    /// True if the run has ended in its value. Otherwise a later step may write a location that no step has written.
    pub(crate) over: bool,
    /// True if the initial contents are the reader's.
    pub(crate) edited: bool,
    /// Largest absolute value of the colour scale.
    pub(crate) scale: f64,
    /// True if the colour scale is that of this card alone.
    pub(crate) own: bool,
    /// True if the step is about the location: it is in use, or was written last.
    pub(crate) about: bool,
    /// True if the heap fills the screen, so that there is more room.
    pub(crate) tall: bool,
    /// Numbers of the positions.
    pub(crate) numbering: Numbering,
    /// Receiver of messages.
    pub(crate) dispatch: Callback<Msg>,
}

/// The card of a location. A closed card is one row.
#[component]
pub(crate) fn Card(props: &CardProps) -> Html {
    let probe = use_state(|| None::<usize>);
    // The choice of the reader, if there is one. Otherwise the card is open while the step is about it, and where the heap fills
    // the screen.
    let wanted = use_state_eq(|| None::<bool>);
    let cell = &props.cell;
    let open = wanted.unwrap_or(props.tall || props.about);
    let blank = cell.blank == Some(Blank::Zero);
    let class = yew::classes!(
        "card",
        (!open).then_some("row"),
        cell.active.map(|_| "active"),
        blank.then_some("blank"),
        cell.before.as_ref().map(|_| "written")
    );
    // A link to the card focuses it, which opens it.
    let led = {
        let wanted = wanted.clone();
        move |_| wanted.set(Some(true))
    };
    html! {
        <article id={crate::ids::card(&cell.name)} class={class} data-value={(cell.value > 0).then(|| cell.value.to_string())} onfocus={led}>
            { head(props, open, move |_| wanted.set(Some(!open))) }
            if open { { body(props, &probe) } }
        </article>
    }
}

/// Content of an open card below its head.
fn body(props: &CardProps, probe: &UseStateHandle<Option<usize>>) -> Html {
    let cell = &props.cell;
    let height = if props.tall { TALL } else { HEIGHT };
    let grid = Grid::of(cell, height, cell.before.is_none());
    let at = (**probe).filter(|at| *at < cell.entries.len());
    html! {
        <>
            if let Some(summary) = &cell.summary {
                <p class="card-summary">{ format!("{size} entries from {least} to {greatest}, mean {mean}, norm {norm}, {zeros} zero", size = summary.size, least = number::bare(summary.least), greatest = number::bare(summary.greatest), mean = number::bare(summary.mean), norm = number::bare(summary.norm), zeros = summary.zeros) }</p>
            }
            { maps(props, &grid, height, probe, at) }
            <div class={yew::classes!("foot", at.map(|_| "probing"))}>
                { writer(props) }
                <p class="readout" aria-live="polite">{ at.map(|at| readout(cell, &grid, at)) }</p>
            </div>
        </>
    }
}

/// True if the card shows the contents that the next step writes.
fn coming(cell: &CellView) -> bool {
    cell.active == Some(Access::WillWrite)
}

fn head(props: &CardProps, open: bool, fold: impl Fn(yew::MouseEvent) + 'static) -> Html {
    let cell = &props.cell;
    let state = match (cell.active, cell.writes) {
        (Some(Access::Reads), _) => "is read next".to_owned(),
        (Some(Access::WillWrite), _) => "is written now".to_owned(),
        (Some(Access::Wrote), 0 | 1) => "just written".to_owned(),
        (Some(Access::Wrote), writes) => format!("just written, {writes}×"),
        (None, 0) => unwritten(props.over, !cell.history.is_empty()).to_owned(),
        (None, writes) => format!("written {writes}×"),
    };
    let dispatch = &props.dispatch;
    let say = |msg: fn(Rc<str>) -> HeapMsg| Msg::Heap(msg(cell.name.as_str().into()));
    html! {
        <header>
            <button type="button" class="card-fold" aria-expanded={open.to_string()} aria-label={format!("What {name} holds", name = cell.name)} onclick={fold}>{ if open { "▾" } else { "▸" } }</button>
            <h3>{ &cell.name }</h3>
            if !open { { chip::thumbnail(&cell.entries, u32::try_from(cell.columns).unwrap_or(1)) } }
            <span>{ fletch_playground::space(&cell.shape) }</span>
            if open { { history(props) } }
            <span class="card-state">{ state }</span>
            if props.edited {
                <span class="edited">{ "edited" }</span>
                { button("card-edit reset", "reset").title("Start from the program's contents again").label(format!("Reset {name}", name = cell.name))
                    .on_click(dispatch, say(HeapMsg::Reset)) }
            }
            if cell.ids.0 == 0 {
                { button("card-edit", "edit").title("Edit what it starts from").label(format!("Edit {name}", name = cell.name)).on_click(dispatch, say(HeapMsg::Edit)) }
            }
        </header>
    }
}

/// Text on a location that no step before this position writes.
fn unwritten(over: bool, later: bool) -> &'static str {
    match (over, later) {
        (_, true) => "not written yet",
        (true, false) => "never written",
        (false, false) => NOT_WRITTEN_SO_FAR,
    }
}

/// Maps of the contents; for a write, of the contents before and after it, and of the difference.
fn maps(
    props: &CardProps,
    grid: &Grid,
    height: u32,
    probe: &UseStateHandle<Option<usize>>,
    at: Option<usize>,
) -> Html {
    let (cell, scale) = (&props.cell, props.scale);
    let plain = |entries: &[f64]| heatmap::map(entries, grid, scale, height, at);
    let figures = match &cell.before {
        None => {
            let caption = match cell.blank {
                Some(Blank::Zero) => "zeros by default",
                Some(Blank::Edited) => "edited contents",
                _ => "initial contents",
            };
            let shown = focused(cell, plain(&cell.entries), probe, grid, &props.dispatch);
            captioned(
                props,
                &cell.entries,
                cell.ids.0,
                caption.to_owned(),
                range(props),
                shown,
            )
        }
        Some(before) => {
            let difference: Vec<f64> = cell
                .entries
                .iter()
                .zip(before)
                .map(|(now, before)| now - before)
                .collect();
            let factor = heatmap::magnification(heatmap::largest(&difference), scale);
            let times = if factor == 1.0 {
                String::new()
            } else {
                format!(" (colours × {factor})", factor = number::bound(factor))
            };
            let outer = cell
                .update
                .as_ref()
                .filter(|update| update.factors.is_some() && grid.count == 1);
            let rest =
                html! { <>{ outer.map(|update| formula(update, &props.dispatch)) }{ times }</> };
            let map = heatmap::map(&difference, grid, scale / factor, height, at);
            let shown = match outer.and_then(drawn) {
                Some((y, x)) => {
                    let place = at.map(|at| grid.place(at));
                    html! {
                        <span class="outer">
                            { heatmap::factor(x, false, place.map(|place| place.2)) }
                            { heatmap::factor(&y, true, place.map(|place| place.1)) }
                            { map }
                        </span>
                    }
                }
                None => map,
            };
            let (first, second) = if coming(cell) {
                ("now", "after this step")
            } else {
                ("before", "after")
            };
            html! {
                <>
                    { captioned(props, before, cell.ids.1, first.to_owned(), range(props), plain(before)) }
                    { captioned(props, &cell.entries, cell.ids.0, second.to_owned(), Html::default(),
                        focused(cell, plain(&cell.entries), probe, grid, &props.dispatch)) }
                    { captioned(props, &difference, 0, "change".to_owned(), rest, shown) }
                </>
            }
        }
    };
    let (moved, pressed) = (probe.clone(), probe.clone());
    let left = probe.clone();
    let (dispatch, name) = (props.dispatch.clone(), cell.name.clone());
    let editable = cell.ids.0 == 0;
    html! {
        <div class={yew::classes!("maps", (cell.before.is_some() && 3 * cell.rows <= cell.columns).then_some("rows"))}
            onpointermove={move |event: yew::PointerEvent| if event.pointer_type() == "mouse" { set(&moved, entry(&event)) }}
            onpointerdown={move |event: yew::PointerEvent| set(&pressed, entry(&event))}
            onpointerleave={move |event: yew::PointerEvent| if event.pointer_type() == "mouse" { set(&left, None) }}
            ondblclick={move |event: yew::MouseEvent| if editable && entry(&event).is_some() {
                dispatch.emit(Msg::Heap(HeapMsg::Edit(name.as_str().into())));
            }}>
            { figures }
        </div>
    }
}

fn set(probe: &UseStateHandle<Option<usize>>, at: Option<usize>) {
    if **probe != at {
        probe.set(at);
    }
}

/// Index of the entry under the pointer.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Cells of a map; casts saturate.
fn entry(event: &web_sys::MouseEvent) -> Option<usize> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let map = target.closest("[data-map]").ok().flatten()?;
    let sizes = map.get_attribute("data-map")?;
    let mut sizes = sizes
        .split(' ')
        .filter_map(|size| size.parse::<usize>().ok());
    let (rows, columns, base) = (sizes.next()?, sizes.next()?, sizes.next()?);
    let place = map.get_bounding_client_rect();
    let part = |offset: f64, whole: f64, count: usize| {
        let part = (offset / whole * count as f64) as usize;
        part.min(count.saturating_sub(1))
    };
    let row = part(
        f64::from(event.client_y()) - place.top(),
        place.height(),
        rows,
    );
    let column = part(
        f64::from(event.client_x()) - place.left(),
        place.width(),
        columns,
    );
    Some(base + row * columns + column)
}

/// A map that the arrow keys go through, entry by entry.
fn focused(
    cell: &CellView,
    map: Html,
    probe: &UseStateHandle<Option<usize>>,
    grid: &Grid,
    dispatch: &Callback<Msg>,
) -> Html {
    let (moves, came, left) = (probe.clone(), probe.clone(), probe.clone());
    let (size, columns, picture) = (
        cell.entries.len(),
        usize::try_from(grid.columns).unwrap_or(1),
        cell.name.clone(),
    );
    let editable = cell.ids.0 == 0;
    let dispatch = dispatch.clone();
    let key = move |event: yew::KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        let at = moves.unwrap_or(0);
        let next = match event.key().as_str() {
            "ArrowRight" => at + 1,
            "ArrowLeft" => at.saturating_sub(1),
            "ArrowDown" => at + columns,
            "ArrowUp" => at.checked_sub(columns).unwrap_or(at),
            "Home" => 0,
            "End" => size.saturating_sub(1),
            "Enter" if editable => {
                event.prevent_default();
                dispatch.emit(Msg::Heap(HeapMsg::Edit(picture.as_str().into())));
                return;
            }
            _ => return,
        };
        event.prevent_default();
        if next < size {
            set(&moves, Some(next));
        }
    };
    html! {
        <span class="map-focus" tabindex="0" role="group" aria-label={format!("{name}: arrow keys go through the entries", name = cell.name)}
            onkeydown={key} onfocus={move |_| if came.is_none() { set(&came, Some(0)) }} onblur={move |_| set(&left, None)}>{ map }</span>
    }
}

/// Factors as they are drawn, −y and x: the adjacent map is their product.
fn drawn(update: &Update) -> Option<(Vec<f64>, &[f64])> {
    let (y, x) = update.factors.as_ref()?;
    Some((y.iter().map(|y| -y).collect(), x))
}

/// Formula of a change that is an outer product; its factors are drawn at the left and above the map.
fn formula(update: &Update, dispatch: &Callback<Msg>) -> Html {
    let (y, x) = names(update);
    let meaning = format!(
        "An outer product: −{y}, the column beside the map, times {x}, the row above it. In the update of a layer {y} is \
         the cotangent that came back, and {x} what the layer was given on the way forward."
    );
    html! { <>{ ": " }{ gloss::explained(&format!("−{y} ∗ {x}ᵀ"), &meaning, dispatch) }</> }
}

/// Range of the colour scale, if it is the card's own.
fn range(props: &CardProps) -> Html {
    if !props.own || props.scale <= 0.0 {
        return Html::default();
    }
    html! { <span class="range">{ format!(" ±{}", number::bound(props.scale)) }</span> }
}

/// A map with its caption, which opens all entries, followed by `rest`.
fn captioned(
    props: &CardProps,
    entries: &[f64],
    id: u32,
    caption: String,
    rest: Html,
    map: Html,
) -> Html {
    let cell = &props.cell;
    let dispatch = props.dispatch.clone();
    let whole = Rc::new(Chip {
        id,
        // Only the current contents occur elsewhere in the view, so only they are highlighted together.
        value: if std::ptr::eq(entries, &*cell.entries) {
            cell.value
        } else {
            0
        },
        shape: cell.shape.clone(),
        rows: cell.rows,
        columns: cell.columns,
        entries: entries.to_vec(),
        size: cell.summary.map_or(
            u32::try_from(entries.len()).unwrap_or(u32::MAX),
            |summary| summary.size,
        ),
    });
    let label = format!("{name}, {caption}: all entries", name = cell.name);
    let open = move |event: yew::MouseEvent| {
        if let Some(popover) = popover::at(&event, Opened::Chip(whole.clone()), true) {
            dispatch.emit(Msg::ChipOpened(popover));
        }
    };
    html! {
        <figure>
            { map }
            <figcaption>{ button("map-button", caption).label(label).title("All entries").clicked(open) }{ rest }</figcaption>
        </figure>
    }
}

/// Line about the write of this step, or about the last write: its author, step and source line, and the stored term.
fn writer(props: &CardProps) -> Html {
    let cell = &props.cell;
    let coming = coming(cell);
    let told = if coming {
        Some(props.done)
    } else {
        props.done.checked_sub(1)
    };
    let Some(write) = told.and_then(|told| cell.history.get(told)) else {
        return html! {
            <p class="who">
                if let Some(first) = cell.history.first() {
                    { "first written at " }{ step(first.position, &props.numbering, &props.dispatch) }
                } else {
                    { if props.over { "nothing writes it in this run" } else { NOT_WRITTEN_SO_FAR } }
                }
            </p>
        };
    };
    html! {
        <p class="who">
            if let Some(by) = &write.by { { "by " }{ author(by) }{ ", " } }
            if !coming { { step(write.position, &props.numbering, &props.dispatch) }{ ", " } }
            { link(format!("line {line}", line = write.line)).on_click(&props.dispatch, Msg::GoTo(write.source.0)) }
            if let Some(update) = &cell.update { { ": " }<code>{ &update.text }</code> }
        </p>
    }
}

/// Author of a write, such as `FC[ℓ0] backward`, with the operation in bold.
fn author(by: &str) -> Html {
    let (name, part) = by.rsplit_once(' ').unwrap_or((by, ""));
    html! { <><b>{ name }</b>{ " " }{ part }</> }
}

/// Writes along the trace, as bars whose height is the norm of the change. Tab reaches the bars near the position.
fn history(props: &CardProps) -> Html {
    let writes = &props.cell.history;
    let most = heatmap::largest(&writes.iter().map(|write| write.change).collect::<Vec<_>>());
    let bar = |(number, write): (usize, &WriteView)| {
        let position = write.position;
        let at = capitalised(&props.numbering.step(position));
        let current = number + 1 == props.done;
        let state = if number == props.done && coming(&props.cell) {
            "in this step"
        } else if number >= props.done {
            "to come"
        } else if current {
            "the last one"
        } else {
            "done"
        };
        let part = if most > 0.0 { write.change / most } else { 0.0 };
        let by = write.by.as_ref();
        let by = by.map_or_else(String::new, |by| format!(": {by}"));
        let change = number::bare(write.change);
        let label = format!("{at}{by}, changed by {change} in norm, {state}");
        // Plain markup is compared faster than a control, and a card may have thousands of bars.
        html! {
            <button type="button" key={position} class={yew::classes!("write", (number >= props.done).then_some("to-come"))}
                aria-current={current.then_some("step")} aria-label={label.clone()} title={label}
                tabindex={if number.abs_diff(props.done) <= 4 { "0" } else { "-1" }}
                style={format!("--part: {part:.3}")} onclick={props.dispatch.reform(move |_| Msg::Show(position))}></button>
        }
    };
    // A single write is described at the foot of the card.
    if writes.len() < 2 {
        return html! { <span class="grow"></span> };
    }
    html! {
        <span class="writes" style={format!("--count: {}", writes.len().min(8))} role="group" aria-label={format!("Writes of {name}", name = props.cell.name)}>
            <span aria-hidden="true">{ "writes" }</span>{ for writes.iter().enumerate().map(bar) }
        </span>
    }
}

/// Text on an entry: its coordinates, its value, and the change by the write.
fn readout(cell: &CellView, grid: &Grid, at: usize) -> String {
    let (picture, row, column) = grid.place(at);
    let place = match cell.picture {
        Picture::Signal(..) => format!("entry {at}", at = at + 1),
        Picture::Images(count, ..) if count > 1 => {
            format!(
                "picture {picture}, row {row}, column {column}",
                picture = picture + 1,
                row = row + 1,
                column = column + 1
            )
        }
        _ if cell.ids.0 != 0 => {
            format!("block {row}, {column}", row = row + 1, column = column + 1)
        }
        _ => format!(
            "row {row}, column {column}",
            row = row + 1,
            column = column + 1
        ),
    };
    let of = |entries: &[f64]| entries.get(at).copied().unwrap_or(f64::NAN);
    let now = of(&cell.entries);
    let Some(before) = &cell.before else {
        return format!("{place}: {}", number::bare(now));
    };
    let before = of(before);
    let change = number::bare(now - before);
    let factors = cell.update.as_ref().and_then(|update| {
        let (y, x) = update.factors.as_ref()?;
        let (y, x) = (y.get(row)?, x.get(column)?);
        let (y_name, x_name) = names(update);
        Some(format!(
            "−{y_name}{} · {x_name}{} = −({}) · {} = ",
            subscript(row + 1),
            subscript(column + 1),
            number::bare(*y),
            if *x < 0.0 {
                format!("({})", number::bare(*x))
            } else {
                number::bare(*x)
            }
        ))
    });
    format!(
        "{place}: {before} → {now}, changed by {factors}{change}",
        before = number::bare(before),
        now = number::bare(now),
        factors = factors.unwrap_or_default()
    )
}

fn names(update: &Update) -> (&str, &str) {
    update
        .names
        .as_ref()
        .map_or(("y", "x"), |(y, x)| (y.as_str(), x.as_str()))
}

fn subscript(number: usize) -> String {
    number
        .to_string()
        .chars()
        .filter_map(|digit| char::from_u32(u32::from('₀') + digit.to_digit(10)?))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{CellView, Grid, HEIGHT, Picture, Update, drawn, readout, unwritten};

    fn cell() -> CellView {
        CellView {
            name: "ℓ0".into(),
            shape: "2 × 2".into(),
            rows: 2,
            columns: 2,
            entries: vec![0.1, 0.2, 0.33, 0.4],
            before: None,
            start: None,
            ids: (0, 0),
            value: 0,
            picture: Picture::Matrix,
            summary: None,
            blank: None,
            writes: 0,
            history: Vec::new(),
            update: None,
            active: None,
            source: (0, 0),
        }
    }

    #[test]
    fn an_entry_is_told_with_its_change_and_the_factors() {
        let say = |cell: &CellView| readout(cell, &Grid::of(cell, 100, true), 2);
        let mut cell = cell();
        assert_eq!(say(&cell), "row 2, column 1: 0.33");
        cell.before = Some(vec![0.1, 0.2, 0.3, 0.4]);
        assert_eq!(say(&cell), "row 2, column 1: 0.3 → 0.33, changed by 0.03");
        cell.update = Some(Update {
            text: "w − y ∗ xᵀ".into(),
            factors: Some((vec![0.0, -0.06], vec![0.5, 0.0])),
            names: None,
        });
        assert_eq!(
            say(&cell),
            "row 2, column 1: 0.3 → 0.33, changed by −y₂ · x₁ = −(−0.06) · 0.5 = 0.03"
        );
    }

    #[test]
    fn the_factors_beside_a_change_have_its_sign() {
        let update = Update {
            text: "w − y ∗ xᵀ".into(),
            factors: Some((vec![0.5, -0.06], vec![0.5, 2.0])),
            names: None,
        };
        let x: &[f64] = &[0.5, 2.0];
        assert_eq!(drawn(&update), Some((vec![-0.5, 0.06], x)));
    }

    #[test]
    fn cells_are_as_wide_as_their_numbers() {
        let wide = |entries: &[f64], before: Option<&[f64]>| {
            let mut cell = cell();
            cell.entries = entries.to_vec();
            cell.before = before.map(<[f64]>::to_vec);
            Grid::of(&cell, 100, true).cell.0
        };
        let few = wide(&[0.1, 0.2, 0.33, 0.4], None);
        assert_eq!(wide(&[0.1, 0.2, 0.33, 1e12], None), few, "four characters");
        let many = wide(&[0.1, 0.2, 0.33, -1e308], None);
        assert!(many > few);
        let after = wide(&[0.0; 4], Some(&[0.0, 0.0, 0.0, 1e308]));
        assert_eq!(after, many, "what changes has a sign");
    }

    #[test]
    fn eight_rows_have_room_for_their_numbers() {
        let mut layer = cell();
        (layer.rows, layer.columns) = (8, 2);
        layer.entries = vec![-0.25; 16];
        layer.before = Some(vec![0.5; 16]);
        assert!(Grid::of(&layer, HEIGHT, false).has_room());
    }

    #[test]
    fn pictures_and_lines_have_places_of_their_own() {
        let mut images = cell();
        images.picture = Picture::Images(2, 1, 2);
        let grid = Grid::of(&images, 100, true);
        assert_eq!(grid.place(2), (1, 0, 0));
        assert_eq!(
            readout(&images, &grid, 3),
            "picture 2, row 1, column 2: 0.4"
        );
        let mut line = cell();
        line.picture = Picture::Signal(1, 40);
        line.entries = vec![0.5; 40];
        let grid = Grid::of(&line, 100, true);
        assert_eq!((grid.rows, grid.columns), (2, 32));
        assert_eq!(readout(&line, &grid, 35), "entry 36: 0.5");
    }

    #[test]
    fn what_no_step_has_written_may_be_written_by_one_to_come() {
        assert_eq!(unwritten(false, false), "not written so far");
        assert_eq!(unwritten(false, true), "not written yet");
        assert_eq!(unwritten(true, true), "not written yet");
        assert_eq!(unwritten(true, false), "never written");
    }
}
