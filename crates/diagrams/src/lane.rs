//! One lane: boxes in the order of time along u, one of them after the other even where they stand beside each other, so that every
//! upright piece of a wire has a column of its own and runs through no box. The longest path of boxes is the spine, at v = 0;
//! what goes by it stands on levels on the outer side (v < 0), the shortest nearest. Saved values leave and enter on the
//! inner side.

mod route;

use crate::measure::{BESIDE_DOT, BETWEEN_BOXES, BETWEEN_DOTS};
use route::Router;

/// What a lane is made from.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) elements: Vec<Element>,
    pub(crate) nets: Vec<LaneNet>,
    /// How many wires come in at the start, and leave at the end.
    pub(crate) starts: usize,
    pub(crate) ends: usize,
}

/// A box of a lane.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) width: f64,
    /// Half of its height.
    pub(crate) half: f64,
    /// The unit that it stands in: those of one are side by side.
    pub(crate) unit: usize,
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
    /// How often it leaves on the inner side, saved.
    pub(crate) saved: usize,
    /// Those of the boxes it goes to that it enters by a long side, whatever else they take.
    pub(crate) aside: Vec<Port>,
}

impl LaneNet {
    /// Whether it goes to this box, and may come to its front side.
    fn leads(&self, to: Port) -> bool {
        self.to.contains(&to) && !self.aside.contains(&to)
    }

    /// Whether it enters long sides only.
    fn is_aside(&self) -> bool {
        self.to.iter().all(|to| self.aside.contains(to))
    }
}

/// What takes room along u.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Element(usize),
    Dot(usize),
}

/// The structure of a lane, decided without any coordinate but widths.
#[derive(Debug)]
pub(crate) struct Lane {
    plan: Plan,
    /// The slots in order, with the units that they stand in.
    slots: Vec<(Slot, usize)>,
    /// Whether an element is on the spine.
    spine: Vec<bool>,
    /// The straight link out of an element (the last index: out of the start), if there is one: net and target.
    straight: Vec<Option<(usize, Port)>>,
    /// Which net has a dot.
    dotted: Vec<bool>,
}

/// A lane with its coordinates.
#[derive(Debug)]
pub(crate) struct Placed {
    /// Of each element: left, centre.
    pub(crate) boxes: Vec<(f64, f64)>,
    /// Of each net: the pieces of its wire.
    pub(crate) wires: Vec<Vec<Vec<(f64, f64)>>>,
    /// The dots, with their nets.
    pub(crate) dots: Vec<(usize, f64, f64)>,
    /// Where the saved values of each net leave.
    pub(crate) leaving: Vec<Vec<(f64, f64)>>,
    /// Where saved values enter each element: left and right end of where they may, and v.
    pub(crate) entering: Vec<(f64, f64, f64)>,
    /// Where wires come in and leave, by number: v.
    pub(crate) starts: Vec<f64>,
    pub(crate) ends: Vec<f64>,
    /// The extents across.
    pub(crate) outer: f64,
    pub(crate) inner: f64,
}

impl Lane {
    pub(crate) fn new(plan: Plan) -> Lane {
        let (spine, straight) = spine(&plan);
        let dotted: Vec<bool> = plan
            .nets
            .iter()
            .map(|net| {
                net.to.len() + net.saved > 1
                    && !(net.to.is_empty() && matches!(net.from, Port::Element(_)))
                    || (net.to.is_empty() && net.saved > 0 && !matches!(net.from, Port::Element(_)))
            })
            .collect();
        let mut slots: Vec<(Slot, usize)> = Vec::new();
        let mut dotted_yet = vec![false; plan.nets.len()];
        for (index, element) in plan.elements.iter().enumerate() {
            for (net, to) in plan.nets.iter().enumerate() {
                let wanted = dotted.get(net) == Some(&true) && dotted_yet.get(net) == Some(&false);
                if wanted && to.to.contains(&Port::Element(index)) {
                    slots.push((Slot::Dot(net), element.unit));
                    set(&mut dotted_yet, net, true);
                }
            }
            slots.push((Slot::Element(index), element.unit));
            // What is only saved, or goes to the end, is copied where it is made.
            for (net, to) in plan.nets.iter().enumerate() {
                let wanted = dotted.get(net) == Some(&true) && dotted_yet.get(net) == Some(&false);
                let later = to.to.iter().any(|port| matches!(port, Port::Element(_)));
                if wanted && !later && to.from == Port::Element(index) {
                    slots.push((Slot::Dot(net), element.unit));
                    set(&mut dotted_yet, net, true);
                }
            }
        }
        let unit = plan.elements.first().map_or(0, |element| element.unit);
        for net in 0..plan.nets.len() {
            if dotted.get(net) == Some(&true) && dotted_yet.get(net) == Some(&false) {
                slots.insert(0, (Slot::Dot(net), unit));
            }
        }
        Lane {
            plan,
            slots,
            spine,
            straight,
            dotted,
        }
    }

    /// The units in the order of the lane, with the room that each needs along u.
    pub(crate) fn units(&self) -> Vec<(usize, f64)> {
        let mut units: Vec<(usize, f64)> = Vec::new();
        let mut before: Option<Slot> = None;
        for (slot, unit) in &self.slots {
            let width = self.width(*slot);
            match units.last_mut() {
                Some((last, total)) if last == unit => {
                    *total += before.map_or(0.0, |before| gap(before, *slot)) + width;
                }
                _ => units.push((*unit, width)),
            }
            before = Some(*slot);
        }
        units
    }

    /// What the other half of each unit has to span, so that what is saved goes straight across: all of the unit, and a little more
    /// where a copy stands at its end.
    pub(crate) fn across(&self) -> Vec<(usize, f64)> {
        let with_dots = |unit: usize| {
            let mut slots = self.slots.iter().filter(|(_, other)| *other == unit);
            slots.any(|(slot, _)| {
                matches!(slot, Slot::Dot(net) if self.plan.nets.get(*net).is_some_and(|net| net.saved > 0))
            })
        };
        let units = self.units().into_iter();
        units
            .map(|(unit, width)| (unit, width + if with_dots(unit) { 24.0 } else { 0.0 }))
            .collect()
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
            Slot::Dot(_) => 0.0,
        }
    }

    /// The coordinates, when units begin there along u, and the lane from and to there.
    pub(crate) fn place(&self, begins: impl Fn(usize) -> f64, from: f64, to: f64) -> Placed {
        let plan = &self.plan;
        let mut left = vec![0.0; plan.elements.len()];
        let mut dot = vec![from; plan.nets.len()];
        let mut at = 0.0;
        let mut before: Option<(Slot, usize)> = None;
        for (slot, unit) in &self.slots {
            at = match before {
                Some((last, same)) if same == *unit => at + gap(last, *slot),
                _ => begins(*unit),
            };
            match slot {
                Slot::Element(index) => set(&mut left, *index, at),
                Slot::Dot(net) => set(&mut dot, *net, at),
            }
            at += self.width(*slot);
            before = Some((*slot, *unit));
        }
        Router {
            lane: self,
            left,
            dot,
            from,
            to,
            strands: Vec::new(),
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

    /// Whether this net runs straight along the spine to this target.
    fn is_straight(&self, net: usize, from: Port, to: Port) -> bool {
        let index = match from {
            Port::Element(index) => index,
            Port::Start(0) => self.plan.elements.len(),
            _ => return false,
        };
        self.straight.get(index).copied().flatten() == Some((net, to))
    }
}

/// The longest path of boxes from the first start to the first end, and its straight links: out of every element, and last out
/// of the start.
fn spine(plan: &Plan) -> (Vec<bool>, Vec<Option<(usize, Port)>>) {
    let count = plan.elements.len();
    // The longest path to each element: its length in boxes, and the net that it comes by.
    let mut best: Vec<(usize, Option<usize>)> = vec![(0, None); count];
    for index in 0..count {
        let mut found = (1, None);
        for (number, net) in plan.nets.iter().enumerate() {
            if !net.leads(Port::Element(index)) {
                continue;
            }
            let length = match net.from {
                Port::Element(before) if before < index => best.get(before).map_or(0, |b| b.0) + 1,
                // A path from the first start counts more than one from anywhere else.
                Port::Start(0) => count + 1,
                _ => 1,
            };
            if length > found.0 || (length == found.0 && found.1.is_none()) {
                found = (length, Some(number));
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

/// The gap between what stands next to each other along u.
fn gap(before: Slot, after: Slot) -> f64 {
    match (before, after) {
        (Slot::Element(_), Slot::Element(_)) => BETWEEN_BOXES,
        (Slot::Dot(_), Slot::Dot(_)) => BETWEEN_DOTS,
        _ => BESIDE_DOT,
    }
}

/// Where the ports of a side are: evenly, from its left end.
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
