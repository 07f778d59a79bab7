//! What the strip of cards does over time: it scrolls so that the card in use can be seen, and brings the far cards up
//! to date when the reader pauses.

use super::super::watch::Watch;
use crate::model::Shared;
use fletch_playground::protocol::StepView;
use gloo::timers::callback::Timeout;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
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
        }
    });
    // Nothing is kept of another run.
    if settled.revision == view.revision && settled.heap.len() == view.heap.len() {
        (*settled).clone()
    } else {
        view.clone()
    }
}

/// The ids of the cards that can be seen.
pub(super) type Seen = Rc<RefCell<BTreeSet<String>>>;

/// Keeps account of which of these cards can be seen.
#[hook]
pub(super) fn use_seen(strip: &NodeRef, cards: Vec<String>) -> Seen {
    let seen = use_mut_ref(BTreeSet::new);
    let (strip, kept) = (strip.clone(), Rc::clone(&seen));
    use_effect_with(cards, move |cards| {
        kept.borrow_mut().clear();
        let watch = strip.cast::<Element>().and_then(|strip| {
            let watch = Watch::new(Some(&strip), "0px", move |card, near| {
                let mut seen = kept.borrow_mut();
                if near {
                    seen.insert(card.id());
                } else {
                    seen.remove(&card.id());
                }
            })?;
            let page = strip.owner_document()?;
            for card in cards.iter().filter_map(|card| page.get_element_by_id(card)) {
                watch.observe(&card);
            }
            Some(watch)
        });
        move || drop(watch)
    });
    seen
}

/// The cards that will be seen when one of them is brought in, given those that can be seen now, each as the number of its
/// place in the strip.
pub(super) fn to_be_seen(seen: &[usize], wanted: Option<usize>) -> RangeInclusive<usize> {
    let (first, last) = (seen.iter().min(), seen.iter().max());
    match (first.copied(), last.copied(), wanted) {
        (Some(first), Some(last), Some(wanted)) if wanted < first => {
            wanted..=wanted + (last - first)
        }
        (Some(first), Some(last), Some(wanted)) if wanted > last => {
            wanted.saturating_sub(last - first)..=wanted
        }
        (Some(first), Some(last), _) => first..=last,
        (.., wanted) => wanted.unwrap_or(0)..=wanted.unwrap_or(0),
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

#[cfg(test)]
mod tests {
    use super::to_be_seen;

    #[test]
    fn a_card_that_is_brought_in_takes_others_along() {
        let cases = [
            (&[4, 5, 6][..], Some(5), 4..=6),
            (&[4, 5, 6], Some(9), 7..=9),
            (&[4, 5, 6], Some(1), 1..=3),
            (&[4, 5, 6], None, 4..=6),
            (&[], Some(7), 7..=7),
            (&[], None, 0..=0),
        ];
        for (seen, wanted, drawn) in cases {
            assert_eq!(to_be_seen(seen, wanted), drawn, "{seen:?} {wanted:?}");
        }
    }
}
