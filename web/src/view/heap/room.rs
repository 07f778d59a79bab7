//! Which cards of the strip will be seen when the next view is drawn. Cards grow when something is written, and push others
//! out of sight; so where they are and how long they were is kept, as the browser laid them out.

use super::strip::beyond;
use crate::geometry::Resize;
use gloo::events::EventListener;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::{NodeRef, hook, use_effect_with, use_mut_ref};

/// What lies between two cards, in pixels, as `heap.css` has it.
const GAP: f64 = 12.0;

/// Where the cards are along the strip, in pixels.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// Of the strip.
    length: f64,
    /// Of each card, by its id: how far it begins after the edge of the strip, and its length.
    places: BTreeMap<String, (f64, f64)>,
    /// How long each card was when it was drawn last with something written, and without; and any card.
    lengths: BTreeMap<(String, bool), f64>,
    any: BTreeMap<bool, f64>,
}

/// A card to be drawn.
#[derive(Debug)]
pub(super) struct Coming {
    pub(super) id: String,
    /// Whether something has been written.
    pub(super) written: bool,
}

impl Room {
    fn measure(&mut self, strip: &Element) {
        let around = strip.get_bounding_client_rect();
        let cards = strip.children();
        let cards: Vec<Element> = (0..cards.length())
            .filter_map(|at| cards.item(at))
            .filter(|card| card.class_list().contains("card"))
            .collect();
        let places: Vec<_> = cards
            .iter()
            .map(Element::get_bounding_client_rect)
            .collect();
        // On a phone they stand one below the other.
        let down = matches!(&places[..], [one, two, ..] if one.left() == two.left());
        self.length = if down {
            around.height()
        } else {
            around.width()
        };
        self.places.clear();
        // A pane that is hidden says nothing of how long its cards are.
        if self.length <= 0.0 {
            return;
        }
        for (card, place) in cards.iter().zip(places) {
            let (start, length) = if down {
                (place.top() - around.top(), place.height())
            } else {
                (place.left() - around.left(), place.width())
            };
            let written = card.class_list().contains("written");
            self.places.insert(card.id(), (start, length));
            self.lengths.insert((card.id(), written), length);
            self.any.insert(written, length);
        }
    }

    /// The cards, by their numbers, that will be seen when one of them is brought in.
    pub(super) fn to_be_seen(&self, cards: &[Coming], wanted: Option<usize>) -> Range<usize> {
        let then = |card: &Coming| {
            let known = self.lengths.get(&(card.id.clone(), card.written));
            known.or_else(|| self.any.get(&card.written)).copied()
        };
        // A card that was not there yet is as long as it will be.
        let now: Option<Vec<f64>> = cards
            .iter()
            .map(|card| {
                let place = self.places.get(&card.id);
                place.map(|place| place.1).or_else(|| then(card))
            })
            .collect();
        // Where the first card begins, as one says that is there.
        let known = (0..).zip(cards);
        let known = known.filter_map(|(at, card)| Some((at, self.places.get(&card.id)?.0)));
        let (Some(now), Some((at, start))) = (now, known.min_by_key(|(at, _)| *at)) else {
            return wanted.map_or(0..0, |wanted| wanted..wanted + 1);
        };
        let origin = now
            .iter()
            .take(at)
            .fold(start, |start, length| start - length - GAP);
        // The cards that can be seen if these are drawn anew.
        let next = |drawn: &Range<usize>| {
            let mut end = origin - GAP;
            let spans: Vec<(f64, f64)> = (0..)
                .zip(cards.iter().zip(&now))
                .map(|(at, (card, now))| {
                    let anew = drawn.contains(&at) || Some(at) == wanted;
                    let start = end + GAP;
                    end = start + then(card).filter(|_| anew).unwrap_or(*now);
                    (start, end)
                })
                .collect();
            let shift = wanted
                .and_then(|wanted| spans.get(wanted))
                .map_or(0.0, |span| beyond((0.0, self.length), *span));
            let visible = |(start, end): &(f64, f64)| *end > shift && *start < shift + self.length;
            let first = spans.iter().position(visible).unwrap_or(0);
            let last = spans.iter().rposition(visible);
            first..last.map_or(first, |last| last + 1)
        };
        // What is drawn anew changes what can be seen, and the other way round; mostly that ends soon.
        let mut seen = next(&(0..0));
        for _ in 0..4 {
            let after = next(&seen);
            if after == seen {
                return seen;
            }
            seen = after;
        }
        let after = next(&seen);
        seen.start.min(after.start)..seen.end.max(after.end)
    }
}

/// Keeps account of where these cards are.
#[hook]
pub(super) fn use_room(strip: &NodeRef, cards: Vec<String>) -> Rc<RefCell<Room>> {
    let room = use_mut_ref(Room::default);
    let kept = Rc::clone(&room);
    use_effect_with((strip.clone(), cards), move |(strip, cards)| {
        let listening = strip.cast::<Element>().map(|strip| {
            let measured = strip.clone();
            let measure = Rc::new(move || kept.borrow_mut().measure(&measured));
            let scrolled = Rc::clone(&measure);
            let resized = Resize::of(&strip, move || measure());
            let page = strip.owner_document();
            for card in cards
                .iter()
                .filter_map(|card| page.as_ref()?.get_element_by_id(card))
            {
                if let Some(resized) = &resized {
                    resized.also(&card);
                }
            }
            (
                resized,
                EventListener::new(strip.unchecked_ref(), "scroll", move |_| scrolled()),
            )
        });
        move || drop(listening)
    });
    room
}

#[cfg(test)]
mod tests {
    use super::{Coming, Room};

    /// Ten cards, 100 pixels each or 200 with something written, in a strip of 450 pixels that has scrolled.
    fn strip(scrolled: f64, written: &[usize]) -> (Room, Vec<Coming>) {
        let mut room = Room {
            length: 450.0,
            ..Room::default()
        };
        room.any = [(false, 100.0), (true, 200.0)].into();
        let mut start = 16.0 - scrolled;
        let cards = (0..10).map(|at| {
            let id = format!("cell-{at}");
            room.places.insert(id.clone(), (start, 100.0));
            start += 112.0;
            let written = written.contains(&at);
            Coming { id, written }
        });
        let cards = cards.collect();
        (room, cards)
    }

    #[test]
    fn cards_that_will_be_seen_are_told_beforehand() {
        let cases = [
            ("as they are", 0.0, &[][..], Some(1), 0..4),
            ("the first one half out of sight", 70.0, &[], None, 0..5),
            ("one is brought in from behind", 0.0, &[], Some(8), 5..9),
            ("one is brought in from before", 560.0, &[], Some(2), 2..6),
            ("the reader looks at others", 560.0, &[], None, 4..9),
            ("one grows", 0.0, &[1], Some(1), 0..3),
            ("all grow", 0.0, &[0, 1, 2, 3], Some(1), 0..3),
            (
                "they grow, and push out the one in use",
                0.0,
                &[0, 1, 2, 3],
                Some(3),
                1..4,
            ),
        ];
        for (what, scrolled, written, wanted, seen) in cases {
            let (room, cards) = strip(scrolled, written);
            assert_eq!(room.to_be_seen(&cards, wanted), seen, "{what}");
        }
    }

    #[test]
    fn a_card_that_can_be_seen_only_as_it_was_is_drawn_too() {
        let (mut room, cards) = strip(0.0, &[]);
        // The first one is longer than it will be, and begins before the strip.
        room.places.insert("cell-0".into(), (-150.0, 200.0));
        assert_eq!(room.to_be_seen(&cards, None).start, 0);
    }

    #[test]
    fn cards_that_were_not_there_are_taken_for_as_long_as_others() {
        let (mut room, cards) = strip(0.0, &[]);
        room.places.remove("cell-0");
        room.places.remove("cell-2");
        assert_eq!(room.to_be_seen(&cards, Some(1)), 0..4);
    }

    #[test]
    fn a_card_that_was_never_drawn_as_it_will_be_is_taken_for_as_long_as_it_is() {
        let (mut room, cards) = strip(0.0, &[0]);
        room.any.clear();
        assert_eq!(room.to_be_seen(&cards, None), 0..4);
    }

    #[test]
    fn of_a_strip_that_is_not_there_only_what_is_wanted_counts() {
        let (room, cards) = (Room::default(), strip(0.0, &[]).1);
        assert_eq!(room.to_be_seen(&cards, Some(3)), 3..4);
        assert_eq!(room.to_be_seen(&cards, None), 0..0);
    }
}
