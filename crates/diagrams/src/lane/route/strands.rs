//! Strands, which are segments of wires and boxes on a level parallel to the spine, and the level of each strand.

use super::{FED, Feed, Router};
use crate::lane::{Port, Slot, get, set};
use crate::measure::{FRAME, LEVEL, LEVEL_TO_BOX};
use std::collections::BTreeMap;

/// Segment of wires and boxes on a level parallel to the spine.
#[derive(Debug)]
pub(in crate::lane) struct Strand {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) half: f64,
    /// Minimum distance from the spine.
    pub(super) least: f64,
    pub(super) level: usize,
    /// True on the inner side: the side of saved values in an unbent diagram.
    pub(super) below: bool,
    /// Number of boxes that it spans, where the boxes of an opened box count as one; and, for a header, the nesting depth of frames in its
    /// frame.
    pub(super) span: (usize, usize),
}

/// v of each level, on both sides of the spine.
pub(super) struct Heights {
    above: Vec<f64>,
    below: Vec<f64>,
}

impl Heights {
    pub(super) fn of(&self, strand: &Strand) -> f64 {
        let side = if strand.below {
            &self.below
        } else {
            &self.above
        };
        get(side, strand.level)
    }
}

/// Strands of elements and wires, before levels are known.
pub(super) struct Legs {
    /// The strand that an element is on; `None` on the spine.
    pub(super) of_element: Vec<Option<usize>>,
    /// For each net and target, the strand of the wire to it; `None` where the wire runs along the spine.
    pub(super) of_target: Vec<Vec<Option<usize>>>,
    /// For each net and target, true if it enters by the front side.
    pub(super) front: Vec<Vec<bool>>,
    /// For each net, the strand that it begins on; `None` on the spine.
    pub(super) trunk: Vec<Option<usize>>,
}

/// Left ends of boxes, and dots, each with the number of boxes up to there.
pub(super) struct Passed(Vec<(f64, usize)>);

impl Passed {
    /// Number of boxes between two positions along u.
    pub(super) fn between(&self, from: f64, to: f64) -> usize {
        let at = |u: f64| {
            let after = self.0.partition_point(|(left, _)| *left <= u);
            let place = after.checked_sub(1).and_then(|place| self.0.get(place));
            place.map_or(0, |(_, position)| position + 1)
        };
        at(to).saturating_sub(at(from))
    }
}

impl Router<'_> {
    /// Creates the strands: boxes and wires that share a level parallel to the spine.
    pub(super) fn legs(&mut self) -> Legs {
        let plan = &self.lane.plan;
        let mut of_element: Vec<Option<usize>> = vec![None; plan.elements.len()];
        let mut of_target: Vec<Vec<Option<usize>>> = plan
            .nets
            .iter()
            .map(|net| vec![None; net.to.len()])
            .collect();
        let mut front: Vec<Vec<bool>> = plan
            .nets
            .iter()
            .map(|net| vec![false; net.to.len()])
            .collect();
        let mut trunk: Vec<Option<usize>> = vec![None; plan.nets.len()];
        let mut strands: Vec<Strand> = Vec::new();
        let begin = |strands: &mut Vec<Strand>, from: f64, to: f64, below: bool| {
            strands.push(Strand {
                from: from.min(to),
                to: from.max(to),
                half: 0.0,
                least: 0.0,
                level: 0,
                below,
                span: (0, 0),
            });
            strands.len() - 1
        };
        // Boxes off the spine, each on the strand of the box that it continues, if there is one.
        for (index, element) in plan.elements.iter().enumerate() {
            let at = Port::Element(index);
            if self.lane.is_spine(at) {
                continue;
            }
            let left = get(&self.left, index);
            let main = self.main_in(index);
            let source = main.and_then(|net| plan.nets.get(net)).map(|net| net.from);
            let before = match (main, source) {
                (Some(net), Some(Port::Element(before)))
                    if !self.lane.is_spine(Port::Element(before))
                        && !self.leaves_by_side(net, before) =>
                {
                    let first = plan.nets.get(net).and_then(|net| net.to.first().copied());
                    of_element
                        .get(before)
                        .copied()
                        .flatten()
                        .filter(|_| first == Some(at))
                }
                _ => None,
            };
            let strand = before.unwrap_or_else(|| {
                let from = main.map_or(left, |net| self.origin(net));
                begin(&mut strands, from, left, false)
            });
            if let Some(strand) = strands.get_mut(strand) {
                strand.to = strand.to.max(left + element.width);
                strand.half = strand.half.max(element.half);
            }
            set(&mut of_element, index, Some(strand));
            if let Some(net) = main
                && let Some(k) = plan
                    .nets
                    .get(net)
                    .and_then(|n| n.to.iter().position(|to| *to == at))
            {
                if let Some(slot) = of_target.get_mut(net).and_then(|of| of.get_mut(k)) {
                    *slot = Some(strand);
                }
                if let Some(slot) = front.get_mut(net).and_then(|of| of.get_mut(k)) {
                    *slot = true;
                }
            }
        }
        for (number, net) in plan.nets.iter().enumerate() {
            let own = match net.from {
                Port::Element(index) if !self.lane.is_spine(net.from) => (!self
                    .leaves_by_side(number, index))
                .then(|| of_element.get(index).copied().flatten())
                .flatten(),
                _ => None,
            };
            let along_spine = match net.from {
                Port::Element(index) => {
                    self.lane.is_spine(net.from) && !self.leaves_by_side(number, index)
                }
                Port::Start(_) | Port::End(_) => self.lane.is_spine(net.from),
            };
            set(&mut trunk, number, own);
            if net.to.is_empty() && !net.feeds.is_empty() && own.is_none() && !along_spine {
                let (from, dot) = (self.origin(number), get(&self.dot, number));
                set(
                    &mut trunk,
                    number,
                    Some(begin(&mut strands, from, dot, false)),
                );
            }
            for (k, to) in net.to.iter().enumerate() {
                let reached = match *to {
                    Port::Element(index) if self.enters_front(number, index) => {
                        if self.lane.is_spine(*to)
                            && let Some(slot) = front.get_mut(number).and_then(|of| of.get_mut(k))
                        {
                            *slot = true;
                        }
                        let strand = of_element.get(index).copied().flatten();
                        if own.is_none() && !along_spine && trunk.get(number) == Some(&None) {
                            set(&mut trunk, number, strand);
                        }
                        continue;
                    }
                    Port::Element(index) => self.port(index, number, false),
                    Port::End(0) if self.lane.is_straight(number, net.from, *to) => continue,
                    Port::End(_) => self.to,
                    Port::Start(_) => continue,
                };
                let aside = net.aside.contains(to);
                // The first wire of a strand's last box continues along the strand.
                let strand = match own {
                    Some(own) if k == 0 && !aside => {
                        if let Some(strand) = strands.get_mut(own) {
                            strand.to = strand.to.max(reached);
                        }
                        own
                    }
                    _ => {
                        let dot = get(&self.dot, number);
                        let dotted = self.lane.dotted.get(number) == Some(&true);
                        let from = match own.and_then(|own| strands.get_mut(own)) {
                            // The net's dot is on the strand.
                            Some(strand) => {
                                strand.to = strand.to.max(dot);
                                dot
                            }
                            None if dotted && k > 0 || along_spine => dot,
                            None => self.origin(number),
                        };
                        begin(&mut strands, from, reached, aside)
                    }
                };
                if let Some(slot) = of_target.get_mut(number).and_then(|of| of.get_mut(k)) {
                    *slot = Some(strand);
                }
                if own.is_none() && !along_spine && trunk.get(number) == Some(&None) {
                    set(&mut trunk, number, Some(strand));
                }
            }
        }
        self.strands = strands;
        Legs {
            of_element,
            of_target,
            front,
            trunk,
        }
    }

    /// Sets the number of boxes that each strand spans: a box in a frame counts as the one that was opened.
    pub(super) fn spans(&mut self) {
        let passed = self.passed();
        for strand in &mut self.strands {
            strand.span.0 = passed.between(strand.from, strand.to);
        }
    }

    /// The boxes, in the order of their positions along u.
    pub(super) fn passed(&self) -> Passed {
        let elements = &self.lane.plan.elements;
        let mut places: Vec<(f64, usize)> = Vec::new();
        let mut position = 0;
        let mut before = None;
        for slot in &self.lane.slots {
            let (at, beside) = match slot {
                Slot::Element(index) => (get(&self.left, *index), *index),
                Slot::Dot(net, index) => (get(&self.dot, *net), *index),
            };
            let rank = elements.get(beside).map(|element| element.rank);
            position += usize::from(before.is_some() && before != rank);
            before = rank;
            places.push((at, position));
        }
        Passed(places)
    }

    /// Assigns each strand the nearest level that is free along its extent, the shortest strand first. Strands are compared by the boxes
    /// that they span, which do not change when a box is opened. A header is above all boxes of its frame.
    pub(super) fn level(&mut self, legs: &Legs) {
        let mut order: Vec<usize> = (0..self.strands.len()).collect();
        let length = |strand: &Strand| strand.to - strand.from;
        order.sort_by(|a, b| {
            let (a, b) = (self.strands.get(*a), self.strands.get(*b));
            match (a, b) {
                (Some(a), Some(b)) => (a.span.cmp(&b.span))
                    .then(length(a).total_cmp(&length(b)))
                    .then(a.from.total_cmp(&b.from)),
                _ => std::cmp::Ordering::Equal,
            }
        });
        let header: BTreeMap<usize, usize> = (self.headers.iter().enumerate())
            .map(|(place, header)| (header.strand, place))
            .collect();
        let (mut above, mut below) = (Vec::<Vec<(f64, f64)>>::new(), Vec::new());
        for index in order {
            let mut level = 1;
            if let Some(header) = header.get(&index).and_then(|at| self.headers.get(*at)) {
                let own = header.members.iter();
                let own = own.filter_map(|index| legs.of_element.get(*index).copied().flatten());
                let own = own.filter_map(|strand| self.strands.get(strand));
                level = own.map(|strand| strand.level).max().unwrap_or(0) + 1;
            }
            if let Some(above) = self.above(index) {
                level = above + 1;
            }
            let Some(strand) = self.strands.get_mut(index) else {
                continue;
            };
            let levels = if strand.below { &mut below } else { &mut above };
            let taken = |level: usize| {
                levels.get(level).is_some_and(|others| {
                    let apart = |(from, to): &(f64, f64)| {
                        to + 10.0 < strand.from || strand.to + 10.0 < *from
                    };
                    !others.iter().all(apart)
                })
            };
            while taken(level) {
                level += 1;
            }
            strand.level = level;
            if levels.len() <= level {
                levels.resize(level + 1, Vec::new());
            }
            if let Some(others) = levels.get_mut(level) {
                others.push((strand.from, strand.to));
            }
        }
    }

    /// Adds the strands of fed-back wires, each above the frame of its loop.
    pub(super) fn feeds(&mut self) {
        let passed = self.passed();
        let plan = &self.lane.plan;
        for (number, net) in plan.nets.iter().enumerate() {
            for delay in &net.feeds {
                let (at, dot) = (get(&self.left, *delay) + FED, get(&self.dot, number));
                let (from, to) = (at.min(dot), at.max(dot));
                let headers = self.headers.iter();
                let headers = headers.filter(|header| header.from < to && from < header.to);
                let spans = headers.filter_map(|header| self.strands.get(header.strand));
                let span = spans.map(|strand| strand.span).max().unwrap_or_default();
                let own = passed.between(from, to);
                self.feeds.push(Feed {
                    net: number,
                    delay: *delay,
                    strand: self.strands.len(),
                });
                self.strands.push(Strand {
                    from,
                    to,
                    half: 0.0,
                    least: 0.0,
                    level: 0,
                    below: false,
                    span: (span.0.max(own), span.1 + 1),
                });
            }
        }
    }

    /// For the strand of a fed-back wire, the highest level of the headers that it must be above: those of the frames that contain its dot
    /// but not its delay.
    fn above(&self, strand: usize) -> Option<usize> {
        let feed = self.feeds.iter().find(|feed| feed.strand == strand)?;
        let at = get(&self.left, feed.delay);
        let dot = get(&self.dot, feed.net);
        let headers = self.headers.iter();
        let around = headers.filter(|header| {
            let has = |u: f64| header.from <= u && u <= header.to;
            has(dot) && !has(at)
        });
        let levels = around.filter_map(|header| self.strands.get(header.strand));
        Some(levels.map(|strand| strand.level).max().unwrap_or(0))
    }

    /// v of each level; on the inner side, the levels begin after the frames.
    pub(super) fn heights(&self) -> Heights {
        let plan = &self.lane.plan;
        let spine = plan.elements.iter().enumerate();
        let spine = spine.filter(|(index, _)| self.lane.spine.get(*index) == Some(&true));
        let half = spine.map(|(_, element)| element.half).fold(0.0, f64::max);
        let frames = self.headers.iter().map(|header| header.depth).max();
        let inner = half + FRAME * frames.unwrap_or(0) as f64;
        let above = stacked(half, self.strands.iter().filter(|strand| !strand.below));
        let below = stacked(inner, self.strands.iter().filter(|strand| strand.below));
        Heights {
            above,
            below: below.into_iter().map(|v| -v).collect(),
        }
    }
}

/// v of the levels of these strands on the outer side, stacked one after the other from a spine of half extent `half` at v = 0.
fn stacked<'a>(mut half: f64, strands: impl Iterator<Item = &'a Strand>) -> Vec<f64> {
    let mut levels = vec![(0.0_f64, 0.0_f64)];
    for strand in strands {
        if levels.len() <= strand.level {
            levels.resize(strand.level + 1, (0.0, 0.0));
        }
        if let Some((own, least)) = levels.get_mut(strand.level) {
            *own = own.max(strand.half);
            *least = least.max(strand.least);
        }
    }
    let mut heights = vec![0.0];
    let mut v = 0.0;
    for (own, least) in levels.into_iter().skip(1) {
        let gap = if half > 0.0 || own > 0.0 {
            LEVEL_TO_BOX
        } else {
            LEVEL
        };
        v = (v - half - gap - own).min(-least);
        heights.push(v);
        half = own;
    }
    heights
}

#[cfg(test)]
mod tests {
    use crate::cases::{lane, placed};
    use crate::lane::Lane;

    /// Level along which the first piece of each wire runs.
    fn levels(lane: &Lane) -> Vec<f64> {
        let wires = placed(lane).wires.into_iter();
        let along = wires.map(|pieces| pieces.first()?.get(1).map(|point| point.1));
        along.map(|level| level.unwrap_or(f64::NAN)).collect()
    }

    #[test]
    fn the_shortest_is_nearest_and_what_does_not_meet_shares_a_level() {
        let long = "0 → 1; 1 → 2; 2 → 3; 3 → 4; 4 → 5";
        let skips = |skips: &str| {
            let levels = levels(&lane(6, &[], &format!("{long}; {skips}")));
            levels.into_iter().skip(5).collect::<Vec<f64>>()
        };
        assert_eq!(skips("0 → 4; 1 → 3"), [-36.0, -21.0]);
        assert_eq!(skips("0 → 2; 3 → 5"), [-21.0, -21.0]);
        assert_eq!(skips("0 → 3; 2 → 5"), [-21.0, -36.0]);
    }

    #[test]
    fn what_is_saved_runs_on_the_inner_side() {
        assert_eq!(
            levels(&lane(3, &[], "0 → 1; 0 → |2; 1 → 2")),
            [0.0, 21.0, 0.0]
        );
    }

    #[test]
    fn boxes_of_an_opened_one_count_once() {
        let road = "0 → 1; 1 → 2; 2 → 3; 3 → 4; 4 → 5; 5 → 6";
        let skips = |opened: bool| {
            let mut lane = lane(7, &[], &format!("{road}; 0 → 4; 3 → 6"));
            // Three boxes from one box that was opened.
            let inside = lane.plan.elements.iter_mut().skip(1).take(3);
            inside
                .filter(|_| opened)
                .for_each(|element| element.rank = 1);
            levels(&lane).into_iter().skip(6).collect::<Vec<f64>>()
        };
        assert_eq!(skips(false), [-36.0, -21.0]);
        assert_eq!(skips(true), [-21.0, -36.0]);
    }
}
