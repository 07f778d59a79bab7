//! Routing of the wires of a lane, between boxes whose positions along u are known.

mod frames;
mod strands;

use super::{Lane, LaneNet, Placed, Port, get, set, spread};
use frames::Header;
use strands::Strand;

/// Lays wires between boxes whose positions along u are known.
pub(super) struct Router<'a> {
    pub(super) lane: &'a Lane,
    pub(super) left: Vec<f64>,
    pub(super) dot: Vec<f64>,
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) strands: Vec<Strand>,
    pub(super) headers: Vec<Header>,
    pub(super) feeds: Vec<Feed>,
}

/// Branch of a wire that is fed back to a delay, above the frame of its loop.
pub(super) struct Feed {
    net: usize,
    delay: usize,
    strand: usize,
}

/// Distance of the port of a fed-back wire from the base of the delay.
const FED: f64 = 1.5;

impl Router<'_> {
    pub(super) fn placed(mut self) -> Placed {
        let legs = self.legs();
        self.spans();
        self.headers(&legs);
        self.feeds();
        self.level(&legs);
        self.corners();
        let plan = &self.lane.plan;
        let heights = self.heights();
        let v = |strand: Option<usize>| -> f64 {
            let strand = strand.and_then(|strand| self.strands.get(strand));
            strand.map_or(0.0, |strand| heights.of(strand))
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
            // Piece from the net's start to its trunk.
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
                if net.branches() > 1 {
                    dots.push((number, dot, trunk));
                }
                let mut piece = begin.clone();
                piece.push((dot, trunk));
                pieces.push(piece);
            }
            for feed in self.feeds.iter().filter(|feed| feed.net == number) {
                let (left, centre) = boxes.get(feed.delay).copied().unwrap_or_default();
                let half = plan.elements.get(feed.delay).map_or(0.0, |e| e.half);
                let level = v(Some(feed.strand));
                let u = left + FED;
                pieces.push(vec![
                    (dot, trunk),
                    (dot, level),
                    (u, level),
                    (u, centre - half),
                ]);
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
        let across = self.strands.iter().map(|strand| heights.of(strand));
        let inner = across.clone().fold(inner, f64::max);
        let outer = (self.strands.iter().zip(across))
            .map(|(strand, v)| strand.half - v)
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

    /// Position along u of a net's port on a long side of an element. From the left: incoming nets, the nearest origin first, then outgoing
    /// nets, the farthest destination first, so that neighbours do not cross.
    fn port(&self, index: usize, net: usize, leaves: bool) -> f64 {
        let plan = &self.lane.plan;
        let place = |port: &Port| match port {
            Port::Start(_) => 0,
            Port::Element(index) => index + 1,
            Port::End(_) => usize::MAX,
        };
        let begins = |net: &usize| plan.nets.get(*net).map(|net| place(&net.from));
        let ends = |net: &usize| plan.nets.get(*net)?.to.iter().map(place).max();
        let into = self.into(index).iter().copied();
        let mut into: Vec<usize> = into.filter(|net| !self.enters_front(*net, index)).collect();
        into.sort_by_key(|net| std::cmp::Reverse(begins(net)));
        let out = self.out(index).iter().copied();
        let mut out: Vec<usize> = out.filter(|net| self.leaves_by_side(*net, index)).collect();
        out.sort_by_key(|net| std::cmp::Reverse((ends(net), *net)));
        let own = if leaves { &out } else { &into };
        let position = own.iter().position(|own| *own == net).unwrap_or(0);
        let before = if leaves { into.len() } else { 0 };
        let width = plan
            .elements
            .get(index)
            .map_or(0.0, |element| element.width);
        let count = into.len() + out.len();
        get(&self.left, index) + spread(width, before + position, count)
    }

    /// The net that enters an element by its front side.
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

    /// True if a net leaves an element by a long side: on the spine all but the straight net, elsewhere all but the first.
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
        let goes_on =
            |net: &LaneNet| !net.feeds.is_empty() || !net.to.is_empty() && !net.is_aside();
        let first = out.find(|net| plan.nets.get(**net).is_some_and(goes_on));
        first != Some(&net)
    }

    /// True if an element of the spine has no straight net out, and this is its first wire.
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
        let many = |net: &&usize| {
            let net = nets.get(**net);
            net.is_some_and(|n| n.branches() > 1 || !n.feeds.is_empty())
        };
        !straight && out().find(many) == Some(&net)
    }

    /// The nets that lead to an element.
    fn into(&self, index: usize) -> &[usize] {
        self.lane.into.get(index).map_or(&[], Vec::as_slice)
    }

    /// The nets that begin at an element.
    fn out(&self, index: usize) -> &[usize] {
        self.lane.out.get(index).map_or(&[], Vec::as_slice)
    }

    /// Start of a net along u.
    fn origin(&self, net: usize) -> f64 {
        let Some(this) = self.lane.plan.nets.get(net) else {
            return self.from;
        };
        let dotted = self.lane.dotted.get(net) == Some(&true);
        match this.from {
            Port::Element(index) if self.leaves_by_side(net, index) => self.port(index, net, true),
            // A wire that leaves the spine begins at its dot.
            from if dotted && self.lane.is_spine(from) => get(&self.dot, net),
            Port::Element(index) => {
                let width = self.lane.plan.elements.get(index).map_or(0.0, |e| e.width);
                get(&self.left, index) + width
            }
            Port::Start(_) | Port::End(_) => self.from,
        }
    }
}

/// Polyline without points that lie on a straight line between others.
pub(crate) fn simplified(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
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

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing)] // A failed test is a panic.

    use super::{FED, simplified};
    use crate::cases::{corners, lane, placed};
    use crate::lane::{Element, Lane, LaneNet, Plan, Port};
    use std::collections::BTreeSet;

    fn element(half: f64, unit: usize, frames: &[usize]) -> Element {
        Element {
            width: 2.0 * half,
            half,
            unit,
            rank: unit,
            frames: frames.to_vec(),
        }
    }

    fn net(from: Port, to: Port, feeds: &[usize]) -> LaneNet {
        LaneNet {
            from,
            to: vec![to],
            saved: 0,
            aside: Vec::new(),
            feeds: feeds.to_vec(),
        }
    }

    /// A delay before the frame of a loop, and a box in it.
    #[test]
    fn a_state_is_fed_back_above_the_frame_of_its_loop() {
        let lane = Lane::new(Plan {
            elements: vec![element(10.0, 0, &[]), element(15.0, 1, &[0])],
            nets: vec![
                net(Port::Start(0), Port::Element(0), &[]),
                net(Port::Element(0), Port::Element(1), &[]),
                net(Port::Element(1), Port::End(0), &[0]),
            ],
            starts: 1,
            ends: 1,
            between: 26.0,
            header: 11.0,
            corner: None,
            runs: BTreeSet::from([0]),
        });
        let placed = lane.place(|unit| 100.0 * unit as f64, -50.0, 250.0);
        let frame = placed.frames[0];
        let (number, dot, v) = placed.dots[0];
        assert_eq!((number, v), (2, 0.0));
        assert!(frame.from < dot && dot < frame.to);
        // Three pieces: to the dot, back to the delay, and on to the end.
        let wire = &placed.wires[2];
        assert_eq!(wire.len(), 3);
        let (copied, fed, on) = (&wire[0], &wire[1], &wire[2]);
        assert_eq!(copied.last(), Some(&(dot, 0.0)));
        assert_eq!((fed[0], fed[3]), ((dot, 0.0), (FED, -10.0)));
        assert!(fed[1].1 < frame.outer && fed[1].1 == fed[2].1);
        assert_eq!(on.last(), Some(&(250.0, 0.0)));
    }

    #[test]
    fn what_goes_far_leaves_before_what_goes_near_and_above_it() {
        let lane = lane(4, &[], "0 → 1; 0 → 2; 0 → 3; 1 → 2; 2 → 3");
        let wires = placed(&lane).wires;
        let wire = |number: usize| corners(&wires[number][0]);
        assert_eq!(wire(0), "(20, 0) (100, 0)");
        assert_eq!(wire(1), "(13, -10) (13, -21) (210, -21) (210, -10)");
        assert_eq!(wire(2), "(7, -10) (7, -36) (310, -36) (310, -10)");
    }

    #[test]
    fn a_corner_on_a_line_is_none() {
        let points = [
            (0.0, 0.0),
            (10.0, 0.0),
            (10.0, 0.0),
            (20.0, 0.0),
            (20.0, 5.0),
        ];
        assert_eq!(
            corners(&simplified(points.to_vec())),
            "(0, 0) (20, 0) (20, 5)"
        );
    }
}
