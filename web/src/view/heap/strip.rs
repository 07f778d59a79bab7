//! What the strip of cards does over time: it scrolls so that the card in use can be seen, and brings the far cards up
//! to date when the reader pauses.

use crate::model::Shared;
use fletch_playground::protocol::StepView;
use gloo::timers::callback::Timeout;
use std::rc::Rc;
use web_sys::{DomRect, Element};
use yew::{NodeRef, hook, use_effect_with, use_mut_ref, use_state};

/// What stays free between a card and the edge of the strip, in pixels.
const MARGIN: f64 = 6.0;
/// How long the reader pauses before the far cards are brought up to date, in milliseconds.
const PAUSE: u32 = 40;

/// The view that far cards show: the newest of the run on which the reader has paused. When cards before the one in use
/// change their widths by that, the strip scrolls along, so that what can be seen stays where it is.
#[hook]
pub(super) fn use_settled(
    view: &Shared<StepView>,
    strip: &NodeRef,
    card: Option<&str>,
) -> Shared<StepView> {
    let settled = use_state(|| view.clone());
    // Where the card in use was before the others were brought up to date.
    let kept = use_mut_ref(|| None::<(String, f64)>);
    {
        let (settled, kept, strip) = (settled.clone(), Rc::clone(&kept), strip.clone());
        let card = card.map(str::to_owned);
        use_effect_with(view.clone(), move |view| {
            let view = view.clone();
            let pause = (*settled != view).then(|| {
                Timeout::new(PAUSE, move || {
                    let place = card.and_then(|card| Some((find(&strip, &card)?.1.left(), card)));
                    *kept.borrow_mut() = place.map(|(left, card)| (card, left));
                    settled.set(view);
                })
            });
            move || drop(pause)
        });
    }
    let strip = strip.clone();
    use_effect_with((*settled).clone(), move |_| {
        let Some((card, was)) = kept.borrow_mut().take() else {
            return;
        };
        if let Some((strip, place)) = find(&strip, &card)
            && place.left() != was
        {
            strip.scroll_by_with_x_and_y(place.left() - was, 0.0);
            crate::geometry::scrolled(&strip);
        }
    });
    // Nothing is kept of another run.
    if settled.revision == view.revision && settled.heap.len() == view.heap.len() {
        (*settled).clone()
    } else {
        view.clone()
    }
}

/// The strip, and the place of a card.
fn find(strip: &NodeRef, card: &str) -> Option<(Element, DomRect)> {
    let strip = strip.cast::<Element>()?;
    let card = strip.owner_document()?.get_element_by_id(card)?;
    Some((strip, card.get_bounding_client_rect()))
}

/// Scrolls the strip so that a card can be seen whole, if it cannot.
pub(super) fn bring_in(strip: &NodeRef, card: &str) {
    let Some((strip, place)) = find(strip, card) else {
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
        crate::geometry::scrolled(&strip);
    }
}

/// How far a strip from one place to another has to scroll so that a card can be seen whole, with a margin.
pub(super) fn beyond((low, high): (f64, f64), (first, last): (f64, f64)) -> f64 {
    let (low, high) = (low + MARGIN, high - MARGIN);
    if first < low {
        first - low
    } else {
        (last - high).clamp(0.0, first - low)
    }
}
