//! Layout of one lane: boxes in the order of time along the axis u, the direction of the flow; the axis v is across. No two boxes overlap
//! along u, even where they are independent, so that every upright piece of a wire has a column of its own and crosses no box. The longest
//! path of boxes is the *spine*, at v = 0. Parallel wires and boxes are on levels on the outer side (v < 0), the shortest nearest. Saved
//! values leave and enter on the inner side (v > 0). All lengths are in pixels.

mod route;

use crate::measure::{BESIDE_DOT, BETWEEN_DOTS, HEADER, PADDING};
use route::Router;
pub(crate) use route::simplified;
use std::collections::BTreeSet;

/// Input of the layout of a lane.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) elements: Vec<Element>,
    pub(crate) nets: Vec<LaneNet>,
    /// Number of wires that enter at the start; below, of wires that leave at the end.
    pub(crate) starts: usize,
    pub(crate) ends: usize,
    /// Room between two boxes along the flow.
    pub(crate) between: f64,
    /// Half of the extent of a frame's header across.
    pub(crate) header: f64,
    /// Corner of its frame that contains a header, in a downward diagram.
    pub(crate) corner: Option<Corner>,
    /// Frames of runs: wires between boxes of a run stay in its frame.
    pub(crate) runs: BTreeSet<usize>,
}

/// The end of a frame, along u, that has its header on the outer side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Corner {
    First,
    Last,
}

impl Plan {
    /// Padding inside a frame along u; for a header in a corner, the room of the header.
    fn padding(&self) -> f64 {
        self.corner.map_or(PADDING, |_| HEADER + 2.0)
    }
}

/// A box of a lane.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) width: f64,
    /// Half of its height.
    pub(crate) half: f64,
    /// Unit of the element; elements of one unit are adjacent.
    pub(crate) unit: usize,
    /// Position in the closed diagram. Choices by the rank do not change when a box is opened.
    pub(crate) rank: usize,
    /// Frames around the element, the outermost first.
    pub(crate) frames: Vec<usize>,
}

/// A frame around boxes of a lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneFrame {
    /// Number of the frame.
    pub(crate) frame: usize,
    /// Extent along u.
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// Outer side, with the header.
    pub(crate) outer: f64,
    /// Inner side.
    pub(crate) inner: f64,
    /// Nesting depth of frames in it, itself included.
    pub(crate) depth: usize,
    /// True if the frame has boxes of the spine.
    pub(crate) spine: bool,
}

/// An end of a wire in a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Port {
    Start(usize),
    Element(usize),
    End(usize),
}

/// A wire of a lane.
#[derive(Clone, Debug)]
pub(crate) struct LaneNet {
    pub(crate) from: Port,
    pub(crate) to: Vec<Port>,
    /// Number of saved copies that leave on the inner side.
    pub(crate) saved: usize,
    /// Destinations that the net enters by a long side in any case.
    pub(crate) aside: Vec<Port>,
    /// Elements that the net is fed back to: delays of loops.
    pub(crate) feeds: Vec<usize>,
}

impl LaneNet {
    /// True if the net goes to this box, and may enter by its front side.
    fn leads(&self, to: Port) -> bool {
        self.to.contains(&to) && !self.aside.contains(&to)
    }

    /// True if the net enters by long sides only.
    fn is_aside(&self) -> bool {
        self.feeds.is_empty() && self.to.iter().all(|to| self.aside.contains(to))
    }

    /// Number of branches that the net has after its dot.
    fn branches(&self) -> usize {
        self.to.len() + self.saved + self.feeds.len()
    }
}

/// Element of a lane, or dot, that takes room along u.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Element(usize),
    /// The dot at which a net is copied, and the element next to it.
    Dot(usize, usize),
}

/// Position of a slot: its index, its distance from the beginning of its unit, and its width.
type Stand = (usize, f64, f64);

/// Structure of a lane, which depends on widths but on no coordinates.
#[derive(Debug)]
pub(crate) struct Lane {
    plan: Plan,
    /// The slots in order.
    slots: Vec<Slot>,
    /// True for an element on the spine.
    spine: Vec<bool>,
    /// The straight link out of an element (the last index: out of the start), if there is one: net and target.
    straight: Vec<Option<(usize, Port)>>,
    /// True for a net with a dot.
    dotted: Vec<bool>,
    /// Nets that lead to each element, and nets that begin there.
    into: Vec<Vec<usize>>,
    out: Vec<Vec<usize>>,
}

/// A lane with its coordinates.
#[derive(Debug)]
pub(crate) struct Placed {
    /// Position of each element: left, centre.
    pub(crate) boxes: Vec<(f64, f64)>,
    /// Polylines of each net's wire.
    pub(crate) wires: Vec<Vec<Vec<(f64, f64)>>>,
    /// The dots, with their nets.
    pub(crate) dots: Vec<(usize, f64, f64)>,
    /// Points where the saved values of each net leave.
    pub(crate) leaving: Vec<Vec<(f64, f64)>>,
    /// Entry of saved values into each element: left and right end of the range, and v.
    pub(crate) entering: Vec<(f64, f64, f64)>,
    /// Positions of the wires at the start and at the end, by number: v.
    pub(crate) starts: Vec<f64>,
    pub(crate) ends: Vec<f64>,
    /// The frames, the inner before the outer.
    pub(crate) frames: Vec<LaneFrame>,
    /// The extents across.
    pub(crate) outer: f64,
    pub(crate) inner: f64,
}

impl Lane {
    pub(crate) fn new(plan: Plan) -> Lane {
        let (into, out) = ends(&plan);
        let (spine, straight) = spine(&plan, &into);
        let dotted: Vec<bool> = plan
            .nets
            .iter()
            .map(|net| {
                // A wire that is fed back leaves its lane in a column of its own, so it has a dot.
                !net.feeds.is_empty()
                    || net.to.len() + net.saved > 1
                        && !(net.to.is_empty() && matches!(net.from, Port::Element(_)))
                    || (net.to.is_empty() && net.saved > 0 && !matches!(net.from, Port::Element(_)))
            })
            .collect();
        let mut slots: Vec<Slot> = Vec::new();
        let mut left = dotted.clone();
        for (index, (into, out)) in into.iter().zip(&out).enumerate() {
            for net in into {
                if left.get(*net) == Some(&true) {
                    slots.push(Slot::Dot(*net, index));
                    set(&mut left, *net, false);
                }
            }
            slots.push(Slot::Element(index));
            // The dot of a value that is only saved, or goes to the end, is next to the box of the value.
            for net in out {
                let own = plan.nets.get(*net);
                let to = own.map_or(&[][..], |net| &net.to);
                let fed = own.is_some_and(|net| !net.feeds.is_empty());
                let later = !fed && to.iter().any(|port| matches!(port, Port::Element(_)));
                if left.get(*net) == Some(&true) && !later {
                    slots.push(Slot::Dot(*net, index));
                    set(&mut left, *net, false);
                }
            }
        }
        for (net, left) in left.into_iter().enumerate() {
            if left {
                slots.insert(0, Slot::Dot(net, 0));
            }
        }
        Lane {
            plan,
            slots,
            spine,
            straight,
            dotted,
            into,
            out,
        }
    }

    /// The units in the order of the lane, with the room that each needs along u.
    pub(crate) fn units(&self) -> Vec<(usize, f64)> {
        let mut units: Vec<(usize, f64)> = Vec::new();
        for (unit, slots) in self.by_units() {
            let end = slots.last().map_or(0.0, |(_, at, width)| at + width);
            let last = slots.last().map_or(0, |(place, ..)| *place);
            units.push((unit, end + self.pads(last, last + 1).0));
        }
        units
    }

    /// The units that are delays and nothing else.
    pub(crate) fn delays(&self) -> BTreeSet<usize> {
        let fed: BTreeSet<usize> = self
            .plan
            .nets
            .iter()
            .flat_map(|net| net.feeds.iter().copied())
            .collect();
        let units = self.by_units().into_iter().filter(|(_, slots)| {
            slots
                .iter()
                .all(|(place, ..)| match self.slots.get(*place) {
                    Some(Slot::Element(index)) => fed.contains(index),
                    Some(Slot::Dot(..)) | None => false,
                })
        });
        units.map(|(unit, _)| unit).collect()
    }

    /// Room after a unit, along u.
    pub(crate) fn between(&self) -> f64 {
        self.plan.between
    }

    /// Gap between two adjacent slots, along u.
    fn gap(&self, before: Slot, after: Slot) -> f64 {
        match (before, after) {
            (Slot::Element(_), Slot::Element(_)) => self.plan.between,
            (Slot::Dot(..), Slot::Dot(..)) => BETWEEN_DOTS,
            _ => BESIDE_DOT,
        }
    }

    /// The slots of each unit.
    fn by_units(&self) -> Vec<(usize, Vec<Stand>)> {
        let mut units: Vec<(usize, Vec<Stand>)> = Vec::new();
        for (place, slot) in self.slots.iter().enumerate() {
            let unit = self.element(*slot).map_or(0, |element| element.unit);
            let width = self.width(*slot);
            let (closed, begun) = match place.checked_sub(1) {
                Some(before) => self.pads(before, place),
                None => self.pads(usize::MAX, place),
            };
            match units.last_mut() {
                Some((last, slots)) if *last == unit => {
                    let (before, at) = slots
                        .last()
                        .map_or((0, 0.0), |(place, at, width)| (*place, at + width));
                    let between = self.slots.get(before);
                    let between = between.map_or(0.0, |before| self.gap(*before, *slot));
                    slots.push((place, at + between + closed + begun, width));
                }
                _ => units.push((unit, vec![(place, begun, width)])),
            }
        }
        units
    }

    /// Padding for the frames that end after the slot `before`, and for those that begin before the slot `after`.
    fn pads(&self, before: usize, after: usize) -> (f64, f64) {
        let frames = |place: usize| -> &[usize] {
            let slot = self.slots.get(place);
            let element = slot.and_then(|slot| self.element(*slot));
            element.map_or(&[], |element| &element.frames)
        };
        let (a, b) = (frames(before), frames(after));
        let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        (
            self.plan.padding() * (a.len() - common) as f64,
            self.plan.padding() * (b.len() - common) as f64,
        )
    }

    /// The element of a slot; for a dot, the element next to it.
    fn element(&self, slot: Slot) -> Option<&Element> {
        let (Slot::Element(index) | Slot::Dot(_, index)) = slot;
        self.plan.elements.get(index)
    }

    /// Extent that the other half of each unit must span, so that saved values go straight across: all of the unit, and a little more where
    /// a dot is at its end.
    pub(crate) fn across(&self) -> Vec<(usize, f64)> {
        let mut with_dots: BTreeSet<usize> = BTreeSet::new();
        for slot in &self.slots {
            if let Slot::Dot(net, _) = slot
                && self.plan.nets.get(*net).is_some_and(|net| net.saved > 0)
            {
                with_dots.extend(self.element(*slot).map(|element| element.unit));
            }
        }
        let units = self.units().into_iter();
        let room = |unit: &usize| if with_dots.contains(unit) { 24.0 } else { 0.0 };
        units
            .map(|(unit, width)| (unit, width + room(&unit)))
            .collect()
    }

    /// Wires of the lane.
    pub(crate) fn nets(&self) -> &[LaneNet] {
        &self.plan.nets
    }

    /// The width of an element.
    pub(crate) fn width_of(&self, index: usize) -> f64 {
        self.plan
            .elements
            .get(index)
            .map_or(0.0, |element| element.width)
    }

    fn width(&self, slot: Slot) -> f64 {
        match slot {
            Slot::Element(index) => self.plan.elements.get(index).map_or(0.0, |e| e.width),
            Slot::Dot(..) => 0.0,
        }
    }

    /// Coordinates of the lane. `begins` gives the start of each unit along u; the lane extends along u from `from` to `to`.
    pub(crate) fn place(&self, begins: impl Fn(usize) -> f64, from: f64, to: f64) -> Placed {
        let plan = &self.plan;
        let mut left = vec![0.0; plan.elements.len()];
        let mut dot = vec![from; plan.nets.len()];
        for (unit, slots) in self.by_units() {
            let begin = begins(unit);
            for (place, at, _) in slots {
                match self.slots.get(place) {
                    Some(Slot::Element(index)) => set(&mut left, *index, begin + at),
                    Some(Slot::Dot(net, _)) => set(&mut dot, *net, begin + at),
                    None => {}
                }
            }
        }
        Router {
            lane: self,
            left,
            dot,
            from,
            to,
            strands: Vec::new(),
            headers: Vec::new(),
            feeds: Vec::new(),
        }
        .placed()
    }

    fn is_spine(&self, port: Port) -> bool {
        match port {
            Port::Element(index) => self.spine.get(index) == Some(&true),
            Port::Start(0) => self.straight.last().is_some_and(Option::is_some),
            Port::Start(_) | Port::End(_) => false,
        }
    }

    /// True if the net runs straight along the spine to this target.
    fn is_straight(&self, net: usize, from: Port, to: Port) -> bool {
        let index = match from {
            Port::Element(index) => index,
            Port::Start(0) => self.plan.elements.len(),
            _ => return false,
        };
        self.straight.get(index).copied().flatten() == Some((net, to))
    }
}

/// Nets that lead to each element, and nets that begin there.
fn ends(plan: &Plan) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let mut into = vec![Vec::new(); plan.elements.len()];
    let mut out = into.clone();
    for (number, net) in plan.nets.iter().enumerate() {
        for to in &net.to {
            if let Port::Element(index) = to
                && let Some(into) = into.get_mut(*index)
            {
                into.push(number);
            }
        }
        if let Port::Element(index) = net.from
            && let Some(out) = out.get_mut(index)
        {
            out.push(number);
        }
    }
    (into, out)
}

/// The longest path of boxes from the first start to the first end, and its straight links: out of every element, and last out
/// of the start.
fn spine(plan: &Plan, into: &[Vec<usize>]) -> (Vec<bool>, Vec<Option<(usize, Port)>>) {
    let count = plan.elements.len();
    // Longest path to each element: its length, counted in boxes of the closed diagram and then in all boxes, and the last net of the path.
    // A path from the first start counts more than one from anywhere else.
    let rank = |index: usize| plan.elements.get(index).map(|element| element.rank);
    let mut best: Vec<((usize, usize), Option<usize>)> = vec![((0, 0), None); count];
    for (index, into) in into.iter().enumerate() {
        let mut found = ((1, 1), None);
        for number in into {
            let Some(net) = plan
                .nets
                .get(*number)
                .filter(|net| net.leads(Port::Element(index)))
            else {
                continue;
            };
            let length = match net.from {
                Port::Element(before) if before < index => {
                    let (folded, all) = best.get(before).map_or((0, 0), |best| best.0);
                    let more = usize::from(rank(before) != rank(index));
                    (folded + more, all + 1)
                }
                Port::Start(0) => (count + 1, count + 1),
                _ => (1, 1),
            };
            if length > found.0 || (length == found.0 && found.1.is_none()) {
                found = (length, Some(*number));
            }
        }
        set(&mut best, index, found);
    }
    let to_end = plan
        .nets
        .iter()
        .enumerate()
        .find(|(_, net)| net.to.contains(&Port::End(0)));
    let last = match to_end.map(|(_, net)| net.from) {
        Some(Port::Element(last)) => Some(last),
        Some(_) => None,
        None => {
            let mut longest = None;
            for (index, (length, _)) in best.iter().enumerate() {
                if longest.is_none_or(|(most, _)| *length > most) {
                    longest = Some((*length, index));
                }
            }
            longest.map(|(_, index)| index)
        }
    };
    let mut on = vec![false; count];
    let mut straight: Vec<Option<(usize, Port)>> = vec![None; count + 1];
    if let Some((number, net)) = to_end {
        let from = match net.from {
            Port::Element(index) => Some(index),
            Port::Start(0) => Some(count),
            _ => None,
        };
        if let Some(from) = from {
            set(&mut straight, from, Some((number, Port::End(0))));
        }
    }
    let mut at = last;
    while let Some(index) = at {
        set(&mut on, index, true);
        let by = best.get(index).and_then(|(_, by)| *by);
        let from = by.and_then(|net| plan.nets.get(net)).map(|net| net.from);
        at = match (by, from) {
            (Some(net), Some(Port::Element(before))) => {
                set(&mut straight, before, Some((net, Port::Element(index))));
                Some(before)
            }
            (Some(net), Some(Port::Start(0))) => {
                set(&mut straight, count, Some((net, Port::Element(index))));
                None
            }
            _ => None,
        };
    }
    (on, straight)
}

/// Position of a port on a side of this width: ports are spread evenly, from the left end.
pub(crate) fn spread(width: f64, position: usize, count: usize) -> f64 {
    width * (position as f64 + 1.0) / (count.max(1) as f64 + 1.0)
}

fn get(values: &[f64], index: usize) -> f64 {
    values.get(index).copied().unwrap_or(0.0)
}

fn set<T>(values: &mut [T], index: usize, value: T) {
    if let Some(slot) = values.get_mut(index) {
        *slot = value;
    }
}

#[cfg(test)]
mod tests {
    use super::Slot;
    use crate::cases::{lane, placed};

    #[test]
    fn the_longest_path_is_straight_and_a_shorter_one_lies_outside() {
        let lane = lane(5, &[], "s0 → 0; 0 → 1 3; 1 → 2; 2 → 4; 3 → 4; 4 → e0");
        assert_eq!(lane.spine, [true, true, true, false, true]);
        let levels = placed(&lane).boxes.into_iter().map(|(_, v)| v);
        // Half of each box, and the gap between a level and a box.
        assert_eq!(levels.collect::<Vec<_>>(), [0.0, 0.0, 0.0, -31.0, 0.0]);
    }

    #[test]
    fn a_path_from_the_start_is_straight_however_long_another_is() {
        let lane = lane(5, &[], "0 → 1; 1 → 2; 2 → 4; s0 → 3; 3 → 4; 4 → e0");
        assert_eq!(lane.spine, [false, false, false, true, true]);
    }

    #[test]
    fn a_copy_stands_before_the_first_box_that_takes_it_or_else_after_its_own() {
        let slots = |wires: &str| -> String {
            let lane = lane(3, &[], wires);
            let slots = lane.slots.iter().map(|slot| match slot {
                Slot::Element(index) => index.to_string(),
                Slot::Dot(..) => "•".to_owned(),
            });
            slots.collect()
        };
        assert_eq!(slots("0 → 1; 1 → 2"), "012");
        assert_eq!(slots("0 → 1 2"), "0•12");
        assert_eq!(slots("0 → 2 e0"), "01•2");
        assert_eq!(slots("0 → e0 ↓; 1 → 2"), "0•12");
        assert_eq!(slots("s0 → ↓; 0 → 1"), "•012");
    }

    #[test]
    fn a_unit_has_room_for_its_boxes_what_is_between_them_and_their_frames() {
        let width = |frames: &[(usize, &[usize])]| {
            let mut lane = lane(2, frames, "0 → 1");
            lane.plan
                .elements
                .iter_mut()
                .for_each(|element| element.unit = 7);
            lane.units()
        };
        assert_eq!(width(&[]), [(7, 20.0 + 26.0 + 20.0)]);
        assert_eq!(width(&[(1, &[0])]), [(7, 66.0 + 2.0 * 14.0)]);
        assert_eq!(width(&[(0, &[0]), (1, &[0])]), [(7, 66.0 + 2.0 * 14.0)]);
    }
}
