//! The wires of a lane, between boxes whose places along u are known: which boxes and wires go together beside the spine, on
//! which levels, and by which ports they come and go.

use super::{Lane, Placed, Port, get, set, spread};
use crate::measure::{LEVEL, LEVEL_TO_BOX};

/// A run of wire and boxes on a level beside the spine.
#[derive(Debug)]
pub(super) struct Strand {
    from: f64,
    to: f64,
    half: f64,
    level: usize,
}

/// Lays wires between boxes whose places along u are known.
pub(super) struct Router<'a> {
    pub(super) lane: &'a Lane,
    pub(super) left: Vec<f64>,
    pub(super) dot: Vec<f64>,
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) strands: Vec<Strand>,
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
        self.level();
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
                    let all: Vec<usize> = (0..plan.nets.len())
                        .filter(|other| {
                            plan.nets.get(*other).is_some_and(|net| {
                                net.from == Port::Element(index)
                                    && net.saved > 0
                                    && self.lane.dotted.get(*other) == Some(&false)
                            })
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
        let inner = spine.map(|(_, element)| element.half).fold(0.0, f64::max);
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
            outer,
            inner,
        }
    }

    /// Where a net meets a long side of an element.
    fn port(&self, index: usize, net: usize, leaves: bool) -> f64 {
        let plan = &self.lane.plan;
        let at = Port::Element(index);
        let mut all: Vec<(usize, bool)> = Vec::new();
        for (number, net) in plan.nets.iter().enumerate() {
            if net.to.contains(&at) && !self.enters_front(number, index) {
                all.push((number, false));
            }
        }
        for (number, net) in plan.nets.iter().enumerate() {
            if net.from == at && self.leaves_by_side(number, index) {
                all.push((number, true));
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
        let nets: Vec<usize> = (0..plan.nets.len()).filter(into).collect();
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
        let first = plan
            .nets
            .iter()
            .position(|net| net.from == at && !net.to.is_empty());
        first != Some(net)
    }

    /// Whether an element of the spine has no straight way on, and this is its first wire.
    fn is_only_way_out(&self, net: usize, at: Port) -> bool {
        let nets = &self.lane.plan.nets;
        let straight = (0..nets.len()).any(|other| {
            nets.get(other).is_some_and(|n| {
                n.from == at && n.to.iter().any(|to| self.lane.is_straight(other, at, *to))
            })
        });
        let first = nets
            .iter()
            .position(|n| n.from == at && n.to.len() + n.saved > 1);
        !straight && first == Some(net)
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

    /// Each strand on the nearest level that is free there, the shortest first.
    fn level(&mut self) {
        let mut order: Vec<usize> = (0..self.strands.len()).collect();
        let length = |strand: &Strand| strand.to - strand.from;
        order.sort_by(|a, b| {
            let (a, b) = (self.strands.get(*a), self.strands.get(*b));
            match (a, b) {
                (Some(a), Some(b)) => length(a)
                    .total_cmp(&length(b))
                    .then(a.from.total_cmp(&b.from)),
                _ => std::cmp::Ordering::Equal,
            }
        });
        for (done, index) in order.iter().enumerate() {
            let mut level = 1;
            let apart = |level: usize| {
                let earlier = order.iter().take(done);
                earlier
                    .filter_map(|other| self.strands.get(*other))
                    .all(|other| {
                        let Some(this) = self.strands.get(*index) else {
                            return true;
                        };
                        other.level != level
                            || other.to + 10.0 < this.from
                            || this.to + 10.0 < other.from
                    })
            };
            while !apart(level) {
                level += 1;
            }
            if let Some(strand) = self.strands.get_mut(*index) {
                strand.level = level;
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
        let mut heights = vec![0.0];
        let mut v = 0.0;
        for level in 1..=levels {
            let strands = self.strands.iter().filter(|strand| strand.level == level);
            let own = strands.map(|strand| strand.half).fold(0.0, f64::max);
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
