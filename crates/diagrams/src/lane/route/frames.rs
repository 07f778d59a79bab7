//! Frames of opened boxes: the header of each is a strand above its boxes, so that no wire runs through it.

use super::Router;
use super::strands::{Heights, Legs, Strand};
use crate::lane::{Corner, LaneFrame, Slot, get};
use crate::measure::FRAME;
use std::collections::{BTreeMap, BTreeSet};

/// Gap between a header in a corner and the spine.
const BESIDE_HEADER: f64 = 8.0;

/// Header of a frame, as a strand.
pub(in crate::lane) struct Header {
    pub(super) frame: usize,
    pub(super) strand: usize,
    pub(super) from: f64,
    pub(super) to: f64,
    /// Nesting depth of frames in it.
    pub(super) depth: usize,
    /// Boxes in the frame.
    pub(super) members: Vec<usize>,
}

impl Router<'_> {
    /// The headers of the frames, each a strand above its boxes.
    pub(super) fn headers(&mut self, legs: &Legs) {
        let lane = self.lane;
        let elements = &lane.plan.elements;
        let mut frames: BTreeMap<usize, Header> = BTreeMap::new();
        let mut touch = |index: usize, from: f64, to: f64, member: bool| {
            let Some(element) = elements.get(index) else {
                return;
            };
            for (place, frame) in element.frames.iter().enumerate() {
                let depth = element.frames.len() - place;
                let pad = lane.plan.padding() * depth as f64;
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
        let passed = self.passed();
        let mut spans: BTreeMap<usize, usize> = BTreeMap::new();
        for header in &mut headers {
            header.strand = self.strands.len();
            let own = header.members.iter();
            let own = own.filter_map(|index| legs.of_element.get(*index).copied().flatten());
            let span =
                own.filter_map(|strand| self.strands.get(strand).map(|strand| strand.span.0));
            // A header spans all boxes of its run, more than any wire between them, so that these wires run below the header.
            let across = match lane.plan.runs.contains(&header.frame) {
                true => passed.between(header.from, header.to),
                false => 0,
            };
            // Inner frames are placed before outer ones.
            let inside = header
                .members
                .iter()
                .filter_map(|index| elements.get(*index));
            let inside = inside.flat_map(|element| &element.frames);
            let inside = inside.filter_map(|frame| spans.get(frame)).copied();
            let inside = inside.max().unwrap_or(0);
            let span = span.max().unwrap_or(0).max(across);
            spans.insert(header.frame, span.max(inside));
            self.strands.push(Strand {
                from: header.from,
                to: header.to,
                half: self.lane.plan.header,
                least: 0.0,
                level: 0,
                below: false,
                span: (span.max(inside), header.depth),
            });
        }
        self.headers = headers;
    }

    /// In a downward diagram, moves headers next to the spine, into the corners of their frames, so that they take no room across next to
    /// the contents of the frames. A header keeps a level to itself if a wire parallel to the spine enters the frame at that corner.
    pub(super) fn corners(&mut self) {
        let Some(corner) = self.lane.plan.corner else {
            return;
        };
        let own: BTreeSet<usize> = self.headers.iter().map(|header| header.strand).collect();
        for header in &self.headers {
            let edge = match corner {
                Corner::First => header.from,
                Corner::Last => header.to,
            };
            let level = self.strands.get(header.strand).map(|strand| strand.level);
            let enters = |(index, strand): (usize, &Strand)| {
                let crosses = strand.from < edge && edge < strand.to;
                !own.contains(&index) && !strand.below && crosses && Some(strand.level) < level
            };
            if self.strands.iter().enumerate().any(enters) {
                continue;
            }
            if let Some(strand) = self.strands.get_mut(header.strand) {
                strand.half = 0.0;
                strand.least = 2.0 * self.lane.plan.header + BESIDE_HEADER;
            }
        }
    }

    /// The frames around boxes at these positions.
    pub(super) fn frames(&self, boxes: &[(f64, f64)], heights: &Heights) -> Vec<LaneFrame> {
        let elements = &self.lane.plan.elements;
        let headers = self.headers.iter().map(|header| {
            let strand = self.strands.get(header.strand);
            let lowest = header.members.iter().map(|index| {
                let centre = boxes.get(*index).map_or(0.0, |(_, centre)| *centre);
                centre + elements.get(*index).map_or(0.0, |element| element.half)
            });
            LaneFrame {
                frame: header.frame,
                from: header.from,
                to: header.to,
                outer: strand.map_or(0.0, |strand| heights.of(strand) - strand.half) - 2.0,
                inner: lowest.fold(f64::NEG_INFINITY, f64::max) + FRAME * header.depth as f64,
                depth: header.depth,
                spine: (header.members.iter())
                    .any(|index| self.lane.spine.get(*index) == Some(&true)),
            }
        });
        headers.collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::cases::{lane, placed};
    use crate::lane::{Corner, Lane};

    /// The frames as text: extent along the flow, then outer and inner side across it.
    fn frames(lane: &Lane) -> Vec<String> {
        let frames = placed(lane).frames.into_iter().map(|frame| {
            let (from, to, outer, inner) = (frame.from, frame.to, frame.outer, frame.inner);
            format!("{}: {from} to {to}, {outer} to {inner}", frame.frame)
        });
        frames.collect()
    }

    #[test]
    fn a_header_stands_above_its_boxes_and_the_wires_between_them() {
        let around: [(usize, &[usize]); 3] = [(1, &[0]), (2, &[0]), (3, &[0])];
        let road = "0 → 1; 1 → 2; 2 → 3";
        assert_eq!(
            frames(&lane(4, &around, road)),
            ["0: 100 to 334, -43 to 20"]
        );
        let mut skipped = lane(4, &around, &format!("{road}; 1 → 3"));
        skipped.plan.runs.insert(0);
        assert_eq!(frames(&skipped), ["0: 100 to 334, -54 to 20"]);
    }

    #[test]
    fn a_frame_has_those_in_it_and_room_around_them() {
        let around: [(usize, &[usize]); 3] = [(1, &[0]), (2, &[0, 1]), (3, &[0])];
        assert_eq!(
            frames(&lane(4, &around, "0 → 1; 1 → 2; 2 → 3")),
            ["1: 200 to 248, -43 to 20", "0: 100 to 334, -74 to 30"]
        );
    }

    #[test]
    fn downward_a_header_stands_beside_the_spine_unless_a_wire_enters_there() {
        let around: [(usize, &[usize]); 3] = [(2, &[0]), (3, &[0]), (4, &[0])];
        let outer = |wires: &str| {
            let mut lane = lane(5, &around, wires);
            (lane.plan.corner, lane.plan.header) = (Some(Corner::First), 50.0);
            lane.plan.runs.insert(0);
            let frame = placed(&lane).frames.into_iter().next();
            frame.map(|frame| frame.outer)
        };
        let road = "0 → 1; 1 → 2; 2 → 3; 3 → 4";
        assert_eq!(outer(road), Some(-108.0 - 2.0));
        // A wire at 21, then the header on a level of its own.
        let enters = format!("{road}; 1 → 3");
        assert_eq!(outer(&enters), Some(-21.0 - 11.0 - 2.0 * 50.0 - 2.0));
    }
}
