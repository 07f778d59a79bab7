//! The wires of a lane, between boxes whose places along u are known: which boxes and wires go together beside the spine, on
//! which levels, and by which ports they come and go.

use super::{Lane, LaneFrame, Placed, Port, Slot, get, set, spread};
use crate::measure::{FRAME, LEVEL, LEVEL_TO_BOX, PADDING};
use std::collections::BTreeMap;

/// A run of wire and boxes on a level beside the spine.
#[derive(Debug)]
pub(super) struct Strand {
    from: f64,
    to: f64,
    half: f64,
    level: usize,
    /// How many boxes it goes by, none of them opened, and how many frames it is the header of.
    span: (usize, usize),
}

/// Where the header of a frame stands.
pub(super) struct Header {
    frame: usize,
    strand: usize,
    from: f64,
    to: f64,
    /// How many frames are in it, one inside the other.
    depth: usize,
    /// Its boxes.
    members: Vec<usize>,
}

/// Lays wires between boxes whose places along u are known.
pub(super) struct Router<'a> {
    pub(super) lane: &'a Lane,
    pub(super) left: Vec<f64>,
    pub(super) dot: Vec<f64>,
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) strands: Vec<Strand>,
    pub(super) headers: Vec<Header>,
}

/// Which strand carries what, before levels are known.
struct Legs {
    /// The strand that an element stands on; none on the spine.
    of_element: Vec<Option<usize>>,
    /// For each net and target, the strand of the wire to it; none where it runs along the spine.
    of_target: Vec<Vec<Option<usize>>>,
    /// For each net and target, whether it enters by the front side.
    front: Vec<Vec<bool>>,
    /// For each net, the strand that it begins on; none on the spine.
    trunk: Vec<Option<usize>>,
}

impl Router<'_> {
    pub(super) fn placed(mut self) -> Placed {
        let legs = self.legs();
        self.spans();
        self.headers(&legs);
        self.level(&legs);
        let plan = &self.lane.plan;
        let heights = self.heights();
        let v = |strand: Option<usize>| -> f64 {
            let level = strand.and_then(|strand| self.strands.get(strand));
            level.map_or(0.0, |strand| {
                heights.get(strand.level).copied().unwrap_or(0.0)
            })
        };
        let boxes: Vec<(f64, f64)> = (0..plan.elements.len())
            .map(|index| {
                let strand = legs.of_element.get(index).copied().flatten();
                (get(&self.left, index), v(strand))
            })
            .collect();
        let mut starts = vec![0.0; plan.starts];
        let mut ends = vec![0.0; plan.ends];
        let mut wires = Vec::new();
        let mut dots = Vec::new();
        let mut leaving = Vec::new();
        for (number, net) in plan.nets.iter().enumerate() {
            let trunk = v(legs.trunk.get(number).copied().flatten());
            let dotted = self.lane.dotted.get(number) == Some(&true);
            let dot = get(&self.dot, number);
            let mut pieces: Vec<Vec<(f64, f64)>> = Vec::new();
            // From where it begins to its trunk.
            let begin: Vec<(f64, f64)> = match net.from {
                Port::Start(k) => {
                    set(&mut starts, k, trunk);
                    vec![(self.from, trunk)]
                }
                Port::End(_) => Vec::new(),
                Port::Element(index) => {
                    let (left, centre) = boxes.get(index).copied().unwrap_or_default();
                    let element = plan.elements.get(index);
                    let (width, half) = element.map_or((0.0, 0.0), |e| (e.width, e.half));
                    if net.to.is_empty() && !dotted {
                        Vec::new()
                    } else if centre == trunk {
                        vec![(left + width, centre)]
                    } else {
                        let port = self.port(index, number, true);
                        vec![
                            (port, centre + half.copysign(trunk - centre)),
                            (port, trunk),
                        ]
                    }
                }
            };
            if dotted {
                dots.push((number, dot, trunk));
                let mut piece = begin.clone();
                piece.push((dot, trunk));
                pieces.push(piece);
            }
            for (k, to) in net.to.iter().enumerate() {
                let strand = legs
                    .of_target
                    .get(number)
                    .and_then(|of| of.get(k))
                    .copied()
                    .flatten();
                let level = v(strand);
                let mut piece = if dotted {
                    vec![(dot, trunk), (dot, level)]
                } else {
                    begin.clone()
                };
                match *to {
                    Port::End(k) => {
                        set(&mut ends, k, level);
                        piece.push((self.to, level));
                    }
                    Port::Element(index) => {
                        let (left, centre) = boxes.get(index).copied().unwrap_or_default();
                        let half = plan.elements.get(index).map_or(0.0, |e| e.half);
                        let front = legs.front.get(number).and_then(|of| of.get(k)) == Some(&true);
                        if front {
                            piece.push((left, centre));
                        } else {
                            let port = self.port(index, number, false);
                            let side = if level < centre {
                                centre - half
                            } else {
                                centre + half
                            };
                            piece.push((port, level));
                            piece.push((port, side));
                        }
                    }
                    Port::Start(_) => {}
                }
                pieces.push(piece);
            }
            wires.push(pieces.into_iter().map(simplified).collect());
            let out = match net.from {
                Port::Element(index) if !dotted => {
                    let (left, centre) = boxes.get(index).copied().unwrap_or_default();
                    let element = plan.elements.get(index);
                    let (width, half) = element.map_or((0.0, 0.0), |e| (e.width, e.half));
                    let all: Vec<usize> = (self.out(index).iter().copied())
                        .filter(|other| {
                            plan.nets.get(*other).is_some_and(|net| net.saved > 0)
                                && self.lane.dotted.get(*other) == Some(&false)
                        })
                        .collect();
                    let position = all.iter().position(|other| *other == number).unwrap_or(0);
                    let u = left + spread(width, position, all.len());
                    vec![(u, centre + half); net.saved]
                }
                _ => vec![(dot, trunk); net.saved],
            };
            leaving.push(out);
        }
        let entering = boxes
            .iter()
            .zip(&plan.elements)
            .map(|((left, centre), element)| {
                (
                    left + 8.0,
                    left + element.width - 8.0,
                    centre + element.half,
                )
            });
        let entering = entering.collect();
        let spine = plan.elements.iter().enumerate();
        let spine = spine.filter(|(index, _)| self.lane.spine.get(*index) == Some(&true));
        let frames = self.frames(&boxes, &heights);
        let inner = spine.map(|(_, element)| element.half).fold(0.0, f64::max);
        let inner = frames.iter().map(|frame| frame.inner).fold(inner, f64::max);
        let outer = self
            .strands
            .iter()
            .map(|strand| -get(&heights, strand.level) + strand.half)
            .fold(inner, f64::max);
        Placed {
            boxes,
            wires,
            dots,
            leaving,
            entering,
            starts,
            ends,
            frames,
            outer,
            inner,
        }
    }

    /// Where a net meets a long side of an element.
    fn port(&self, index: usize, net: usize, leaves: bool) -> f64 {
        let plan = &self.lane.plan;
        let mut all: Vec<(usize, bool)> = Vec::new();
        for number in self.into(index) {
            if !self.enters_front(*number, index) {
                all.push((*number, false));
            }
        }
        for number in self.out(index) {
            if self.leaves_by_side(*number, index) {
                all.push((*number, true));
            }
        }
        let position = all
            .iter()
            .position(|port| *port == (net, leaves))
            .unwrap_or(0);
        let width = plan
            .elements
            .get(index)
            .map_or(0.0, |element| element.width);
        get(&self.left, index) + spread(width, position, all.len())
    }

    /// The net that comes to the front side of an element.
    fn main_in(&self, index: usize) -> Option<usize> {
        let plan = &self.lane.plan;
        let at = Port::Element(index);
        let into = |net: &usize| plan.nets.get(*net).is_some_and(|net| net.leads(at));
        let nets: Vec<usize> = self.into(index).iter().copied().filter(into).collect();
        let from = |net: &&usize| plan.nets.get(**net).map(|net| net.from);
        if self.lane.is_spine(at) {
            return nets
                .iter()
                .find(|net| from(net).is_some_and(|from| self.lane.is_straight(**net, from, at)))
                .copied();
        }
        nets.iter()
            .find(|net| from(net).is_some_and(|from| !self.lane.is_spine(from)))
            .or(nets.first())
            .copied()
    }

    fn enters_front(&self, net: usize, index: usize) -> bool {
        self.main_in(index) == Some(net)
    }

    /// Whether a net leaves an element by a long side: on the spine what does not go straight on, elsewhere all
    /// but the first.
    fn leaves_by_side(&self, net: usize, index: usize) -> bool {
        let plan = &self.lane.plan;
        let at = Port::Element(index);
        let Some(this) = plan.nets.get(net) else {
            return false;
        };
        if this.to.is_empty() && self.lane.dotted.get(net) != Some(&true) {
            return false;
        }
        if this.is_aside() && self.lane.dotted.get(net) != Some(&true) {
            return true;
        }
        if self.lane.is_spine(at) {
            return !this.to.iter().any(|to| self.lane.is_straight(net, at, *to))
                && !self.is_only_way_out(net, at);
        }
        let mut out = self.out(index).iter();
        let first = out.find(|net| plan.nets.get(**net).is_some_and(|net| !net.to.is_empty()));
        first != Some(&net)
    }

    /// Whether an element of the spine has no straight way on, and this is its first wire.
    fn is_only_way_out(&self, net: usize, at: Port) -> bool {
        let Port::Element(index) = at else {
            return false;
        };
        let nets = &self.lane.plan.nets;
        let out = || self.out(index).iter();
        let straight = out().any(|other| {
            nets.get(*other)
                .is_some_and(|n| n.to.iter().any(|to| self.lane.is_straight(*other, at, *to)))
        });
        let many = |net: &&usize| nets.get(**net).is_some_and(|n| n.to.len() + n.saved > 1);
        !straight && out().find(many) == Some(&net)
    }

    /// The nets that come to an element.
    fn into(&self, index: usize) -> &[usize] {
        self.lane.into.get(index).map_or(&[], Vec::as_slice)
    }

    /// The nets that begin at an element.
    fn out(&self, index: usize) -> &[usize] {
        self.lane.out.get(index).map_or(&[], Vec::as_slice)
    }

    /// The strands: which boxes and wires go together beside the spine.
    fn legs(&mut self) -> Legs {
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
        let begin = |strands: &mut Vec<Strand>, from: f64, to: f64| {
            strands.push(Strand {
                from: from.min(to),
                to: from.max(to),
                half: 0.0,
                level: 0,
                span: (0, 0),
            });
            strands.len() - 1
        };
        // Boxes beside the spine, each after what it goes on from.
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
                begin(&mut strands, from, left)
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
                // The first wire of a strand's last box goes on along the strand.
                let strand = match own {
                    Some(own) if k == 0 => {
                        if let Some(strand) = strands.get_mut(own) {
                            strand.to = strand.to.max(reached);
                        }
                        own
                    }
                    _ => {
                        let from = if self.lane.dotted.get(number) == Some(&true) && k > 0
                            || along_spine
                        {
                            get(&self.dot, number)
                        } else {
                            self.origin(number)
                        };
                        begin(&mut strands, from, reached)
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

    /// Where a net begins along u.
    fn origin(&self, net: usize) -> f64 {
        let Some(this) = self.lane.plan.nets.get(net) else {
            return self.from;
        };
        let dotted = self.lane.dotted.get(net) == Some(&true);
        match this.from {
            Port::Element(index) if self.leaves_by_side(net, index) => self.port(index, net, true),
            // What comes off the spine begins at its dot.
            from if dotted && self.lane.is_spine(from) => get(&self.dot, net),
            Port::Element(index) => {
                let width = self.lane.plan.elements.get(index).map_or(0.0, |e| e.width);
                get(&self.left, index) + width
            }
            Port::Start(_) | Port::End(_) => self.from,
        }
    }

    /// How many boxes each strand goes by: a box in a frame counts as the one that was opened.
    fn spans(&mut self) {
        let elements = &self.lane.plan.elements;
        let mut ranks: Vec<(f64, usize)> = Vec::new();
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
            ranks.push((at, position));
        }
        let at = |u: f64| {
            let after = ranks.partition_point(|(left, _)| *left <= u);
            let place = after.checked_sub(1).and_then(|place| ranks.get(place));
            place.map_or(0, |(_, position)| position + 1)
        };
        for strand in &mut self.strands {
            strand.span.0 = at(strand.to).saturating_sub(at(strand.from));
        }
    }

    /// The headers of the frames, each a strand above its boxes.
    fn headers(&mut self, legs: &Legs) {
        let lane = self.lane;
        let elements = &lane.plan.elements;
        let mut frames: BTreeMap<usize, Header> = BTreeMap::new();
        let mut touch = |index: usize, from: f64, to: f64, member: bool| {
            let Some(element) = elements.get(index) else {
                return;
            };
            for (place, frame) in element.frames.iter().enumerate() {
                let depth = element.frames.len() - place;
                let pad = PADDING * depth as f64;
                let header = frames.entry(*frame).or_insert_with(|| Header {
                    frame: *frame,
                    strand: 0,
                    from: f64::INFINITY,
                    to: f64::NEG_INFINITY,
                    depth,
                    members: Vec::new(),
                });
                header.from = header.from.min(from - pad);
                header.to = header.to.max(to + pad);
                header.depth = header.depth.max(depth);
                if member {
                    header.members.push(index);
                }
            }
        };
        for slot in &lane.slots {
            match slot {
                Slot::Element(index) => {
                    let left = get(&self.left, *index);
                    touch(*index, left, left + lane.width_of(*index), true);
                }
                Slot::Dot(net, index) => {
                    let at = get(&self.dot, *net);
                    touch(*index, at, at, false);
                }
            }
        }
        let mut headers: Vec<Header> = frames.into_values().collect();
        headers.sort_by_key(|header| (header.depth, header.frame));
        for header in &mut headers {
            header.strand = self.strands.len();
            let own = header.members.iter();
            let own = own.filter_map(|index| legs.of_element.get(*index).copied().flatten());
            let span =
                own.filter_map(|strand| self.strands.get(strand).map(|strand| strand.span.0));
            self.strands.push(Strand {
                from: header.from,
                to: header.to,
                half: self.lane.plan.header,
                level: 0,
                span: (span.max().unwrap_or(0), header.depth),
            });
        }
        self.headers = headers;
    }

    /// Each strand on the nearest level that is free there, the shortest first: by the boxes it goes by, which opening does not
    /// change. A header stands above all boxes of its frame.
    fn level(&mut self, legs: &Legs) {
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
        let mut levels: Vec<Vec<(f64, f64)>> = Vec::new();
        for index in order {
            let mut level = 1;
            if let Some(header) = header.get(&index).and_then(|at| self.headers.get(*at)) {
                let own = header.members.iter();
                let own = own.filter_map(|index| legs.of_element.get(*index).copied().flatten());
                let own = own.filter_map(|strand| self.strands.get(strand));
                level = own.map(|strand| strand.level).max().unwrap_or(0) + 1;
            }
            let Some(strand) = self.strands.get_mut(index) else {
                continue;
            };
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

    /// v of each level.
    fn heights(&self) -> Vec<f64> {
        let plan = &self.lane.plan;
        let spine = plan.elements.iter().enumerate();
        let spine = spine.filter(|(index, _)| self.lane.spine.get(*index) == Some(&true));
        let mut half = spine.map(|(_, element)| element.half).fold(0.0, f64::max);
        let levels = self
            .strands
            .iter()
            .map(|strand| strand.level)
            .max()
            .unwrap_or(0);
        let mut halves = vec![0.0_f64; levels + 1];
        for strand in &self.strands {
            if let Some(own) = halves.get_mut(strand.level) {
                *own = own.max(strand.half);
            }
        }
        let mut heights = vec![0.0];
        let mut v = 0.0;
        for own in halves.into_iter().skip(1) {
            let gap = if half > 0.0 || own > 0.0 {
                LEVEL_TO_BOX
            } else {
                LEVEL
            };
            v -= half + gap + own;
            heights.push(v);
            half = own;
        }
        heights
    }

    /// The frames around boxes that stand there.
    fn frames(&self, boxes: &[(f64, f64)], heights: &[f64]) -> Vec<LaneFrame> {
        let elements = &self.lane.plan.elements;
        let headers = self.headers.iter().map(|header| {
            let level = self
                .strands
                .get(header.strand)
                .map_or(0, |strand| strand.level);
            let lowest = header.members.iter().map(|index| {
                let centre = boxes.get(*index).map_or(0.0, |(_, centre)| *centre);
                centre + elements.get(*index).map_or(0.0, |element| element.half)
            });
            LaneFrame {
                frame: header.frame,
                from: header.from,
                to: header.to,
                outer: get(heights, level) - self.lane.plan.header - 2.0,
                inner: lowest.fold(f64::NEG_INFINITY, f64::max) + FRAME * header.depth as f64,
                spine: (header.members.iter())
                    .any(|index| self.lane.spine.get(*index) == Some(&true)),
            }
        });
        headers.collect()
    }
}

/// Without points that lie on a line between others.
fn simplified(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let mut line: Vec<(f64, f64)> = Vec::new();
    for point in points {
        if line.last() == Some(&point) {
            continue;
        }
        if let [.., a, b] = line.as_slice()
            && ((a.0 == b.0 && b.0 == point.0) || (a.1 == b.1 && b.1 == point.1))
        {
            line.pop();
        }
        line.push(point);
    }
    line
}
