//! The heap panel: a column of cards, one for each location, on a shared scale of colours or on one for each card.

use crate::controls::{note, quiet, raised};
use crate::model::{Model, Pane, Shared};
use crate::number;
use crate::steps::heap::Scale;
use crate::steps::numbering::Numbering;
use crate::steps::update::heap::HeapMsg;
use crate::steps::view::heap_card::Card;
use crate::update::Msg;
use crate::view::heatmap;
use fletch_playground::protocol::{CellView, Edit, StepView};
use std::ops::Range;
use std::rc::Rc;
use web_sys::Element;
use yew::{Callback, Html, NodeRef, Properties, component, html, use_effect_with, use_node_ref};

const HEAP: &str = "Heap";

/// Margin between a card that is scrolled into view and the edge of the column, in pixels.
const MARGIN: f64 = 6.0;

/// The column of cards.
pub(crate) fn heap(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let view = model.trace.as_ref().and_then(|trace| trace.view.clone());
    html! {
        <section class="heap" aria-label={HEAP}>
            <div class="bar">
                <h2>{ HEAP }</h2>
                if let Some(view) = &view { { moment(view.position, &model.numbering()) } }
                <span class="grow"></span>
                if let Some(view) = &view { { legend(view.scale, model.heap.scale) } }
            </div>
            if let Some(view) = view {
                // For another program the column scrolls back to its first card.
                <Cards key={model.program.name.to_string()} {view} edits={edits(model)} scale={model.heap.scale} whole={model.heap.whole}
                    tall={model.layout.pane == Pane::Heap} numbering={model.numbering()} dispatch={dispatch.clone()} />
            } else {
                { note("empty-note", "The program's locations appear here once it runs.") }
            }
        </section>
    }
}

/// Label with the step whose heap is shown.
fn moment(position: u32, numbering: &Numbering) -> Html {
    let said = match position {
        0 => "at the start".to_owned(),
        _ => format!("at {step}", step = numbering.step(position)),
    };
    html! { <span data-step={position.to_string()} title={numbering.exact(position)}>{ said }</span> }
}

/// Legend of the colours: the shared scale with its range, or a note that each card has its own.
fn legend(scale: f64, chosen: Scale) -> Html {
    if scale <= 0.0 {
        return Html::default();
    }
    let bound = number::bound(scale);
    let (range, label) = match chosen {
        Scale::Shared => (
            (format!("−{bound}"), bound.clone()),
            format!("Colour scale from −{bound}, blue, over 0 to {bound}, red"),
        ),
        Scale::Own => (
            ("−".to_owned(), "+".to_owned()),
            "Colour scales, each as its card says, from blue over 0 to red".to_owned(),
        ),
    };
    html! {
        <span class="legend" role="img" aria-label={label}><span>{ range.0 }</span><i></i><span>{ range.1 }</span></span>
    }
}

/// The button that switches between one scale of colours for all cards and one for each card.
pub(crate) fn scales(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let own = model.heap.scale == Scale::Own;
    let other = if own { Scale::Shared } else { Scale::Own };
    html! {
        { raised("scale per card").class("own-scales").pressed(own).title("Measure the colours of each card of the heap by its own largest entry")
            .on_click(dispatch, Msg::Heap(HeapMsg::Scale(other))) }
    }
}

/// Edits of the reader. Initial contents from a training do not count as edits.
fn edits(model: &Model) -> Rc<[Edit]> {
    match &model.sampled {
        Some(_) => Rc::default(),
        None => model.heap.edits.clone(),
    }
}

#[derive(Properties, PartialEq)]
struct CardsProps {
    view: Shared<StepView>,
    edits: Rc<[Edit]>,
    scale: Scale,
    whole: bool,
    tall: bool,
    numbering: Numbering,
    dispatch: Callback<Msg>,
}

/// Range of locations that are shown until the reader requests all: those around the location that the step is about. The browser
/// would otherwise style and lay out hundreds of cards at each jump.
fn near(count: usize, about: usize) -> Range<usize> {
    /// Largest heap that is shown whole, in locations.
    const MANY: usize = 64;
    const NEAR: usize = 24;
    if count <= MANY {
        return 0..count;
    }
    let from = about.saturating_sub(NEAR).min(count - 2 * NEAR);
    from..from + 2 * NEAR
}

#[component]
fn Cards(props: &CardsProps) -> Html {
    let view = &props.view;
    let strip = use_node_ref();
    let about = newest(view).map(|cell| cell.name.as_str());
    let newest = about.map(crate::ids::card);
    use_effect_with(
        // Scrolls only when another card becomes the current one, so that the reader may look at others, and when the pane is
        // opened, since a hidden pane cannot scroll.
        (strip.clone(), newest, props.tall),
        |(strip, card, _)| {
            if let Some(card) = card {
                bring_in(strip, card);
            }
        },
    );
    let count = view.heap.len();
    let place = |about| view.heap.iter().position(|cell| Some(&*cell.name) == about);
    let shown = match props.whole {
        true => 0..count,
        false => near(count, place(about).unwrap_or_default()),
    };
    let more = |left: usize| {
        (left > 0).then(|| {
            quiet(format!("{left} more locations"))
                .class("cards-more")
                .title("Show all locations")
                .on_click(&props.dispatch, Msg::Heap(HeapMsg::Whole))
        })
    };
    let (before, after) = (more(shown.start), more(count - shown.end));
    let cards = view.heap.get(shown).unwrap_or_default().iter().map(|cell| {
        let done = cell
            .history
            .iter()
            .filter(|write| write.position < view.position)
            .count();
        let edited = props.edits.iter().any(|edit| edit.location == cell.name);
        let own = props.scale == Scale::Own;
        let scale = if own {
            largest(cell)
        } else {
            view.scale
        };
        html! {
            <Card key={cell.name.clone()} cell={cell.clone()} {done} over={view.over} {edited} {scale} {own} about={about == Some(cell.name.as_str())} tall={props.tall} numbering={props.numbering.clone()} dispatch={props.dispatch.clone()} />
        }
    });
    if view.heap.is_empty() {
        return html! { { note("empty-note", "This program declares no locations: it keeps nothing.") } };
    }
    html! {
        <div class={if props.whole { "cards whole" } else { "cards" }} ref={strip} role="group" aria-label={"Locations"}>{ for before }{ for cards }{ for after }</div>
    }
}

/// Largest absolute value on a card.
fn largest(cell: &CellView) -> f64 {
    let before = cell.before.as_deref().unwrap_or_default();
    heatmap::largest(&cell.entries).max(heatmap::largest(before))
}

/// Location that a step is about: the one in use, or else the one written last.
fn newest(view: &StepView) -> Option<&CellView> {
    let last = |cell: &&CellView| {
        let writes = cell.history.iter().map(|write| write.position);
        writes.filter(|at| *at < view.position).max()
    };
    let used = view.heap.iter().find(|cell| cell.active.is_some());
    used.or_else(|| {
        let written = view.heap.iter().filter(|cell| last(cell).is_some());
        written.max_by_key(last)
    })
}

/// Scrolls the column until a card is in view as a whole.
fn bring_in(strip: &NodeRef, card: &str) {
    let place = |strip: &Element| {
        let card = strip.owner_document()?.get_element_by_id(card)?;
        Some(card.get_bounding_client_rect())
    };
    let Some((strip, place)) = strip.cast().and_then(|strip| {
        let place = place(&strip)?;
        Some((strip, place))
    }) else {
        return;
    };
    let around = strip.get_bounding_client_rect();
    let across = beyond(
        (around.left(), around.right()),
        (place.left(), place.right()),
    );
    let down = beyond(
        (around.top(), around.bottom()),
        (place.top(), place.bottom()),
    );
    if place.width() > 0.0 && (across, down) != (0.0, 0.0) {
        strip.scroll_by_with_x_and_y(across, down);
    }
}

/// Distance to scroll, in pixels, so that a card from `first` to `last` is in view between `low` and `high`, with a margin.
fn beyond((low, high): (f64, f64), (first, last): (f64, f64)) -> f64 {
    let (low, high) = (low + MARGIN, high - MARGIN);
    if first < low {
        first - low
    } else {
        (last - high).clamp(0.0, first - low)
    }
}

#[cfg(test)]
mod tests {
    use super::near;

    #[test]
    fn of_a_large_heap_what_is_near_is_shown() {
        assert_eq!(near(0, 0), 0..0);
        assert_eq!(near(64, 63), 0..64);
        assert_eq!(near(65, 0), 0..48);
        assert_eq!(near(330, 100), 76..124);
        assert_eq!(near(330, 329), 282..330);
    }
}
