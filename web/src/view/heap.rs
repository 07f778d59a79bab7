//! The heap: a strip of cards, one for each location, on one scale of colours.

use super::heap_card::Card;
use super::{number, window};
use crate::model::{Model, Pane, Shared};
use crate::update::Msg;
use fletch_playground::protocol::{CellView, Edit, StepView};
use std::rc::Rc;
use web_sys::Element;
use yew::{Callback, Html, NodeRef, Properties, component, html, use_effect_with, use_node_ref};

/// As many cards are drawn on both sides of those in use.
const AROUND: usize = 20;

/// What stays free between a card and the edge of the strip, in pixels.
const MARGIN: f64 = 6.0;

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
                // Another program starts at the first of its cards.
                <Cards key={model.program.name.to_string()} {view} edits={model.heap.edits.clone()}
                    tall={model.layout.pane == Pane::Heap} dispatch={dispatch.clone()} />
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
        format!("at step {position}")
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

/// What stands in the place of cards that are not drawn; with a key as the cards have, so that they stay.
fn hidden(key: &'static str, text: String) -> Html {
    html! { <p {key} class="hidden-cards">{ text }</p> }
}

#[derive(Properties, PartialEq)]
struct CardsProps {
    view: Shared<StepView>,
    edits: Rc<[Edit]>,
    tall: bool,
    dispatch: Callback<Msg>,
}

#[component]
fn Cards(props: &CardsProps) -> Html {
    let (view, cells) = (&props.view, &props.view.heap);
    let drawn = window::window(
        cells.len(),
        window::at_work(cells, |cell| cell.active.is_some()),
        AROUND,
    );
    let (before, after) = (drawn.start, cells.len() - drawn.end);
    let cards = cells.get(drawn).unwrap_or_default().iter().map(|cell| {
        let done = cell
            .history
            .iter()
            .filter(|write| write.position < view.position)
            .count();
        let edited = props.edits.iter().any(|edit| edit.location == cell.name);
        html! {
            <Card key={cell.name.clone()} cell={cell.clone()} {done} {edited} scale={view.scale} tall={props.tall} dispatch={props.dispatch.clone()} />
        }
    });
    let strip = use_node_ref();
    let moment = newest(view);
    use_effect_with(
        // Once more when the pane is opened: before, there was nothing to scroll.
        (
            strip.clone(),
            moment.map(|cell| super::card_id(&cell.name)),
            props.tall,
        ),
        |(strip, card, _)| {
            if let Some(card) = card {
                bring_in(strip, card);
            }
        },
    );
    if cells.is_empty() {
        return html! { <p class="empty-note">{ "This program declares no locations: it keeps nothing." }</p> };
    }
    html! {
        <div class="cards" ref={strip} role="group" aria-label="Locations">
            { for (before > 0).then(|| hidden("before", format!("{before} more …"))).into_iter().chain(cards).chain((after > 0).then(|| hidden("after", format!("… {after} more")))) }
        </div>
    }
}

/// The location that a step is about: the one in use, or else the one written last.
fn newest(view: &StepView) -> Option<&CellView> {
    let last = |cell: &CellView| {
        let writes = cell.history.iter().map(|write| write.position);
        writes.filter(|at| *at < view.position).max()
    };
    let used = view.heap.iter().find(|cell| cell.active.is_some());
    used.or_else(|| {
        view.heap
            .iter()
            .filter(|cell| last(cell).is_some())
            .max_by_key(|cell| last(cell))
    })
}

/// Scrolls the strip so that a card can be seen whole, if it cannot.
fn bring_in(strip: &NodeRef, card: &str) {
    let found = strip.cast::<Element>().and_then(|strip| {
        let card = strip.owner_document()?.get_element_by_id(card)?;
        Some((strip, card))
    });
    let Some((strip, card)) = found else { return };
    let (around, place) = (
        strip.get_bounding_client_rect(),
        card.get_bounding_client_rect(),
    );
    let beyond = |low: f64, high: f64, first: f64, last: f64| {
        if first < low {
            first - low
        } else {
            (last - high).clamp(0.0, first - low)
        }
    };
    let across = beyond(
        around.left() + MARGIN,
        around.right() - MARGIN,
        place.left(),
        place.right(),
    );
    let down = beyond(
        around.top() + MARGIN,
        around.bottom() - MARGIN,
        place.top(),
        place.bottom(),
    );
    if place.width() > 0.0 && (across, down) != (0.0, 0.0) {
        strip.scroll_by_with_x_and_y(across, down);
    }
}
