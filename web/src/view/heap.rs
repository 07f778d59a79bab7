//! The heap: one card for each location, with what the last write changed, and who wrote.

use super::{chip, heatmap, number, sandwich, window};
use crate::model::{Model, Pane, Shared};
use crate::update::Msg;
use fletch_playground::protocol::{Access, CellView, Chip, StepView};
use yew::{Callback, Html, Properties, component, html};

/// The height of a map, in pixels; rows beyond it make the cells smaller.
const HEIGHT: u32 = 108;
/// The same where the heap has the screen to itself.
const TALL: u32 = 180;

/// As many cards are drawn on both sides of those in use.
const AROUND: usize = 20;

/// The strip of cards.
pub(super) fn heap(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let view = model.trace.as_ref().and_then(|trace| trace.view.clone());
    html! {
        <section class="heap" aria-label="Heap">
            <div class="bar">
                <h2>{ "Heap" }</h2>
                if let Some(view) = &view { <span>{ moment(view.position) }</span> }
                <span class="grow"></span>
                if let Some(view) = &view { { legend(view.scale) } }
            </div>
            if let Some(view) = view {
                <Cards {view} tall={model.layout.pane == Pane::Heap} dispatch={dispatch.clone()} />
            } else {
                <p class="empty-note">{ "The program's locations appear here once it runs." }</p>
            }
        </section>
    }
}

fn moment(position: u32) -> String {
    if position == 0 {
        "before the first step".to_owned()
    } else {
        format!("after step {position}")
    }
}

/// The one scale of all maps.
fn legend(scale: f64) -> Html {
    if scale <= 0.0 {
        return Html::default();
    }
    let bound = number::bound(scale);
    html! {
        <span class="legend" role="img" aria-label={format!("Colour scale from −{bound}, blue, over 0 to {bound}, red")}>
            <span>{ format!("−{bound}") }</span><i></i><span>{ bound }</span>
        </span>
    }
}

#[derive(Properties, PartialEq)]
struct CardsProps {
    view: Shared<StepView>,
    tall: bool,
    dispatch: Callback<Msg>,
}

#[component]
fn Cards(props: &CardsProps) -> Html {
    if props.view.heap.is_empty() {
        return html! { <p class="empty-note">{ "This program declares no locations: it keeps nothing." }</p> };
    }
    let cells = &props.view.heap;
    let drawn = window::window(
        cells.len(),
        window::at_work(cells, |cell| cell.active.is_some()),
        AROUND,
    );
    let (before, after) = (drawn.start, cells.len() - drawn.end);
    let cards = cells
        .get(drawn)
        .unwrap_or_default()
        .iter()
        .map(|cell| card(cell, props));
    html! {
        <div class="cards" role="group" aria-label="Locations">
            if before > 0 { <p class="hidden-cards">{ format!("{before} more …") }</p> }
            { for cards }
            if after > 0 { <p class="hidden-cards">{ format!("… {after} more") }</p> }
        </div>
    }
}

fn card(cell: &CellView, props: &CardsProps) -> Html {
    let state = match (cell.active, cell.writes) {
        (Some(Access::Reads), _) => "is read next".to_owned(),
        (Some(Access::WillWrite), _) => "is written next".to_owned(),
        (Some(Access::Wrote), 0 | 1) => "just written".to_owned(),
        (Some(Access::Wrote), writes) => format!("just written, {writes}× so far"),
        (None, 0) => "initial".to_owned(),
        (None, writes) => format!("written {writes}×"),
    };
    let blank = cell.writes == 0 && cell.entries.iter().all(|value| *value == 0.0);
    html! {
        <article key={cell.name.clone()} id={super::card_id(&cell.name)} class={yew::classes!("card", cell.active.map(|_| "active"), blank.then_some("blank"))}>
            <header><h3>{ &cell.name }</h3><span>{ &cell.shape }</span><span class="grow"></span><span class="card-state">{ state }</span></header>
            { maps(cell, props) }
            { writer(cell, &props.dispatch) }
        </article>
    }
}

/// The contents; after a write also what was there before, and the difference.
fn maps(cell: &CellView, props: &CardsProps) -> Html {
    let figure = |entries: &[f64], caption: String| figure(cell, entries, caption, props);
    let Some(before) = &cell.before else {
        return html! { <div class="maps">{ figure(&cell.entries, String::new()) }</div> };
    };
    let difference: Vec<f64> = cell
        .entries
        .iter()
        .zip(before)
        .map(|(now, before)| now - before)
        .collect();
    let factor = heatmap::magnification(heatmap::largest(&difference), props.view.scale);
    let magnified: Vec<f64> = difference.iter().map(|value| value * factor).collect();
    let caption = if factor == 1.0 {
        "difference".to_owned()
    } else {
        format!("difference × {}", number::bound(factor))
    };
    html! {
        <div class="maps">
            { figure(before, "before".to_owned()) }
            { figure(&cell.entries, "after".to_owned()) }
            { figure(&magnified, caption) }
        </div>
    }
}

fn figure(cell: &CellView, entries: &[f64], caption: String, props: &CardsProps) -> Html {
    let whole = Chip {
        id: 0,
        shape: if caption.is_empty() {
            format!("{}, {}", cell.name, cell.shape)
        } else {
            format!("{}, {caption}", cell.name)
        },
        rows: cell.rows,
        columns: cell.columns,
        entries: entries.to_vec(),
        size: u32::try_from(entries.len()).unwrap_or(u32::MAX),
    };
    let label = format!("{}: all entries", whole.shape);
    let dispatch = props.dispatch.clone();
    let open = move |event: yew::MouseEvent| {
        if let Some(popover) = chip::popover(&event, &whole, true) {
            dispatch.emit(Msg::ChipOpened(popover));
        }
    };
    html! {
        <figure>
            <div class="map-place">
                { heatmap::map(entries, cell.columns, props.view.scale, if props.tall { TALL } else { HEIGHT }) }
                <button type="button" class="map-button" aria-label={label} title="All entries" onclick={open}></button>
            </div>
            if !caption.is_empty() { <figcaption>{ caption }</figcaption> }
        </figure>
    }
}

/// Who wrote last, when, and where that is in the program.
fn writer(cell: &CellView, dispatch: &Callback<Msg>) -> Html {
    if cell.writes == 0 {
        return html! { <p class="who">{ "not written yet" }</p> };
    }
    html! {
        <p class="who">
            if let Some(write) = cell.history.last() {
                if let Some(by) = &write.by { { "by " }{ author(by) } }
                { ", " }{ sandwich::step(write.position, dispatch) }{ format!(", line {}", write.line) }
            }
        </p>
    }
}

/// `FC[ℓ0] backward`: the operation stands out.
fn author(by: &str) -> Html {
    let (name, part) = by.split_once(' ').unwrap_or((by, ""));
    html! { <><b>{ name }</b>{ " " }{ part }</> }
}
