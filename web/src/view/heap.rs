//! The heap: a strip of cards, one for each location, on one scale of colours.

mod room;
mod strip;

use super::heap_card::Card;
use super::{number, window};
use crate::model::{Model, Pane, Shared};
use crate::update::Msg;
use fletch_playground::protocol::{CellView, Edit, StepView};
use room::{Coming, use_room};
use std::rc::Rc;
use strip::{bring_in, use_settled};
use yew::{
    Callback, Html, Properties, component, html, use_effect_with, use_mut_ref, use_node_ref,
};

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
    let newest = newest(view);
    let strip = use_node_ref();
    let card = card_of(view, newest);
    let settled = use_settled(view, &strip, card.as_deref());
    let drawn = window::window(
        cells.len(),
        window::at_work(cells, |cell| cell.active.is_some()),
        AROUND,
    );
    let (before, after) = (drawn.start, cells.len() - drawn.end);
    // What can be seen is drawn at once; the rest follows when the reader pauses, so that a position of a deep network shows
    // as soon as that of a small one.
    let coming: Vec<Coming> = cells
        .get(drawn.clone())
        .unwrap_or_default()
        .iter()
        .map(|cell| Coming {
            id: super::card_id(&cell.name),
            written: cell.before.is_some(),
        })
        .collect();
    let room = use_room(&strip, coming.iter().map(|card| card.id.clone()).collect());
    // A card is brought in once; then the reader may look at others.
    let now = (card, props.tall);
    let brought = use_mut_ref(|| None);
    let wanted = newest
        .filter(|_| *brought.borrow() != Some(now.clone()))
        .and_then(|newest| newest.checked_sub(before));
    let seen = room.borrow().to_be_seen(&coming, wanted);
    let at_once = before + seen.start..before + seen.end;
    let cards = drawn.filter_map(|at| {
        let late = settled
            .heap
            .get(at)
            .filter(|_| !at_once.contains(&at) && Some(at) != newest);
        let (view, cell) = match late {
            Some(cell) => (&settled, cell),
            None => (view, cells.get(at)?),
        };
        let done = cell
            .history
            .iter()
            .filter(|write| write.position < view.position)
            .count();
        let edited = props.edits.iter().any(|edit| edit.location == cell.name);
        Some(html! {
            <Card key={cell.name.clone()} cell={cell.clone()} {done} {edited} scale={view.scale} tall={props.tall} dispatch={props.dispatch.clone()} />
        })
    });
    use_effect_with(
        // Once more when the pane is opened: before, there was nothing to scroll.
        (strip.clone(), now),
        move |(strip, now)| {
            if let (Some(card), _) = now {
                bring_in(strip, card);
            }
            *brought.borrow_mut() = Some(now.clone());
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

fn card_of(view: &StepView, at: Option<usize>) -> Option<String> {
    at.and_then(|at| view.heap.get(at))
        .map(|cell| super::card_id(&cell.name))
}

/// Which location a step is about: the one in use, or else the one written last.
fn newest(view: &StepView) -> Option<usize> {
    let last = |cell: &CellView| {
        let writes = cell.history.iter().map(|write| write.position);
        writes.filter(|at| *at < view.position).max()
    };
    let used = view.heap.iter().position(|cell| cell.active.is_some());
    used.or_else(|| {
        let written = view.heap.iter().map(last).enumerate();
        let written = written.filter_map(|(at, last)| Some((last?, at)));
        written.max().map(|(_, at)| at)
    })
}
