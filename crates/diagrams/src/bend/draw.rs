//! Both lanes of a run with their coordinates: units stand in columns that the lanes share, so that what is saved goes straight
//! across; the return clause stands in the turn.

use super::{Bend, Segment};
use crate::display::{Dot, Flow, Picture, Text};
use crate::graph::{End, Graph};
use crate::lane::{Placed, spread};
use crate::measure::{BETWEEN_BOXES, HALF, LANES, LEVEL, chip_width};
use crate::pieces::{element, flow, path, shape};

impl Bend {
    pub(super) fn draw(
        &self,
        graph: &Graph,
        segment: &Segment,
        top: &mut f64,
        picture: &mut Picture,
        margin_ends: &mut Vec<(usize, (f64, f64), bool)>,
    ) {
        // Units along the flow: those before the run on the way out alone, those after it on the way back alone.
        let out_units = self.out.units();
        let back_units = self.back.units();
        let of = |units: &[(usize, f64)], unit: usize| {
            units
                .iter()
                .find(|(other, _)| *other == unit)
                .map(|(_, width)| *width)
        };
        let mut columns: Vec<(usize, f64, f64)> = Vec::new();
        let mut at = 0.0;
        let shared: Vec<usize> = {
            let mut all: Vec<usize> = out_units.iter().map(|(unit, _)| *unit).collect();
            for (unit, _) in back_units.iter().rev() {
                if !all.contains(unit) && *unit < 1_000_000 {
                    all.push(*unit);
                }
            }
            all.sort_by_key(|unit| {
                if *unit >= 1_000_000 {
                    (0, *unit)
                } else {
                    (1, *unit)
                }
            });
            all
        };
        for unit in shared {
            let width = of(&out_units, unit)
                .unwrap_or(0.0)
                .max(of(&back_units, unit).unwrap_or(0.0));
            columns.push((unit, at, width));
            at += width + BETWEEN_BOXES;
        }
        let begin = columns
            .iter()
            .find(|(unit, ..)| *unit < 1_000_000)
            .map_or(0.0, |(_, at, _)| *at);
        let mut after = begin - BETWEEN_BOXES;
        for (unit, width) in back_units.iter().filter(|(unit, _)| *unit >= 1_000_000) {
            after -= width;
            columns.push((*unit, after, *width));
            after -= BETWEEN_BOXES;
        }
        let right = at;
        let left = columns.iter().map(|(_, at, _)| *at).fold(0.0, f64::min) - 2.0 * BETWEEN_BOXES;
        let column = |unit: usize| columns.iter().find(|(other, ..)| *other == unit).copied();
        let out = self.out.place(
            |unit| {
                let (_, at, width) = column(unit).unwrap_or_default();
                at + (width - of(&out_units, unit).unwrap_or(width)) / 2.0
            },
            left,
            right,
        );
        let back = self.back.place(
            |unit| {
                let (_, at, width) = column(unit).unwrap_or_default();
                -(at + width) + (width - of(&back_units, unit).unwrap_or(width)) / 2.0
            },
            -right,
            -left,
        );
        let saved = self.saved(graph, segment, &out, &back);
        let jogs = saved
            .iter()
            .filter(|tape| tape.from.0 != -tape.to.0)
            .count();
        let turn_height = if segment.turn.is_some() {
            2.0 * HALF + 2.0 * LEVEL
        } else {
            0.0
        };
        let between = LANES.max(LANES / 2.0 + 9.0 * jogs as f64 + LANES / 2.0);
        let distance = (out.inner + back.inner + between).max(turn_height);
        let y0 = *top + out.outer;
        let y1 = y0 + distance;
        *top = y1 + back.outer + 3.0 * LEVEL;
        let on_out = |(u, v): (f64, f64)| (u, y0 + v);
        let on_back = |(u, v): (f64, f64)| (-u, y1 - v);

        for (index, (at, centre)) in segment.out.iter().zip(&out.boxes) {
            if let Some(block) = graph.boxes.get(*index) {
                let width = element(block, 0).width;
                picture
                    .boxes
                    .push(shape(block, on_out((at + width / 2.0, *centre)), true));
            }
        }
        for (place, (index, (at, centre))) in segment.back.iter().zip(&back.boxes).enumerate() {
            if let Some(block) = graph.boxes.get(*index) {
                let width = self.back.width_of(place);
                let mut shape = shape(block, on_back((at + width / 2.0, *centre)), true);
                shape.frame.0 -= (width - shape.frame.2) / 2.0;
                shape.frame.2 = width;
                picture.boxes.push(shape);
            }
        }
        let mut wires =
            |nets: &[usize], placed: &Placed, turn: &dyn Fn((f64, f64)) -> (f64, f64)| {
                for (number, pieces) in nets.iter().zip(&placed.wires) {
                    let Some(net) = graph.nets.get(*number) else {
                        continue;
                    };
                    for points in pieces {
                        let points = points.iter().map(|point| turn(*point)).collect();
                        picture.wires.push(path(points, flow(graph, net), net.wire));
                    }
                }
                for (place, u, v) in &placed.dots {
                    let net = nets.get(*place).and_then(|number| graph.nets.get(*number));
                    if let Some(net) = net {
                        let flow = flow(graph, net);
                        picture.dots.push(Dot {
                            at: turn((*u, *v)),
                            flow,
                        });
                    }
                }
            };
        wires(&self.out_nets, &out, &on_out);
        wires(&self.back_nets, &back, &on_back);

        // Saved values, straight across where they can be.
        let mut jog = 0.0;
        for tape in &saved {
            let (from, to) = (on_out(tape.from), on_back(tape.to));
            let points = if from.0 == to.0 {
                vec![from, to]
            } else {
                jog += 9.0;
                let level = y0 + out.inner + LANES / 2.0 - 6.0 + jog;
                vec![from, (from.0, level), (to.0, level), to]
            };
            let Some(net) = graph.nets.get(tape.net) else {
                continue;
            };
            picture.wires.push(path(points, Flow::Saved, net.wire));
            let several = (net.count > 1).then(|| "…".to_owned());
            if let Some(name) = net.name.clone().or(several) {
                let middle = if from.0 == to.0 {
                    f64::midpoint(y0 + out.inner, y1 - back.inner)
                } else {
                    y0 + out.inner + LANES / 4.0
                };
                picture.chips.push(Text {
                    at: (from.0, middle),
                    text: name,
                    left: false,
                });
            }
        }
        self.turn(graph, segment, picture, (&out, &back), (right, y0, y1));
        for (k, number) in self.coming.iter().enumerate() {
            let v = out.starts.get(k).copied().unwrap_or(0.0);
            margin_ends.push((*number, on_out((left, v)), true));
        }
        for (k, number) in self.leaving.iter().enumerate() {
            let v = back.ends.get(k).copied().unwrap_or(0.0);
            margin_ends.push((*number, on_back((-left, v)), false));
        }
    }

    /// The wires of a turn where nothing is computed.
    fn turn_unchanged(
        &self,
        graph: &Graph,
        picture: &mut Picture,
        (out, back): (&Placed, &Placed),
        (right, y0, y1): (f64, f64, f64),
    ) {
        let levels = out.ends.iter().zip(&back.starts);
        for (k, (number, (from, to))) in self.turning.iter().zip(levels).enumerate() {
            let Some(net) = graph.nets.get(*number) else {
                continue;
            };
            let x = right + BETWEEN_BOXES * (k as f64 + 1.0);
            let points = vec![
                (right, y0 + from),
                (x, y0 + from),
                (x, y1 - to),
                (right, y1 - to),
            ];
            picture.wires.push(path(points, flow(graph, net), net.wire));
        }
    }

    /// The wires of what is saved: where they leave and where they enter.
    fn saved(&self, graph: &Graph, segment: &Segment, out: &Placed, back: &Placed) -> Vec<Tape> {
        let mut tapes = Vec::new();
        for (place, number) in self.out_nets.iter().enumerate() {
            let Some(net) = graph.nets.get(*number) else {
                continue;
            };
            let mut leaving = out.leaving.get(place).into_iter().flatten();
            for end in &net.to {
                let End::Box(index) = end else { continue };
                let Some(target) = segment.back.iter().position(|other| other == index) else {
                    continue;
                };
                if let Some(from) = leaving.next() {
                    tapes.push(Tape {
                        net: *number,
                        target,
                        from: *from,
                        to: (0.0, 0.0),
                    });
                }
            }
        }
        for target in 0..segment.back.len() {
            let Some((a, b, v)) = back.entering.get(target).copied() else {
                continue;
            };
            let mut own: Vec<&mut Tape> = tapes
                .iter_mut()
                .filter(|tape| tape.target == target)
                .collect();
            // From right to left on the page, which is along u on the way back.
            own.sort_by(|x, y| y.from.0.total_cmp(&x.from.0));
            let count = own.len();
            let straight: Vec<f64> = own.iter().map(|tape| -tape.from.0).collect();
            let fits = straight.iter().all(|u| (a..=b).contains(u))
                && straight
                    .windows(2)
                    .all(|pair| matches!(pair, [x, y] if y - x >= 10.0));
            for (k, tape) in own.into_iter().enumerate() {
                let u = if fits {
                    straight.get(k).copied().unwrap_or(a)
                } else {
                    a - 8.0 + spread(b - a + 16.0, k, count)
                };
                tape.to = (u, v);
            }
        }
        tapes
    }

    /// The return clause, and the wires around the turn.
    fn turn(
        &self,
        graph: &Graph,
        segment: &Segment,
        picture: &mut Picture,
        (out, back): (&Placed, &Placed),
        (right, y0, y1): (f64, f64, f64),
    ) {
        let Some(block) = segment.turn.and_then(|index| graph.boxes.get(index)) else {
            return self.turn_unchanged(graph, picture, (out, back), (right, y0, y1));
        };
        let count = self.turning.len().max(self.returning.len());
        let wide = element(block, 0).width.max(18.0 * (count as f64 + 1.0));
        let centre = (
            right + wide / 2.0 - BETWEEN_BOXES / 2.0,
            f64::midpoint(y0, y1),
        );
        let mut shape = shape(block, centre, true);
        shape.frame = (centre.0 - wide / 2.0, centre.1 - HALF, wide, 2.0 * HALF);
        let left = shape.frame.0;
        picture.boxes.push(shape);
        // What runs farther out turns farther right, so that nothing crosses.
        let ports = |levels: &[f64]| -> Vec<f64> {
            levels
                .iter()
                .map(|v| {
                    let nearer = levels.iter().filter(|other| *other > v).count();
                    left + spread(wide, nearer, levels.len())
                })
                .collect()
        };
        let lanes = [
            (&self.turning, &out.ends, true),
            (&self.returning, &back.starts, false),
        ];
        for (nets, levels, going) in lanes {
            for ((number, v), x) in nets.iter().zip(levels.iter()).zip(ports(levels)) {
                let Some(net) = graph.nets.get(*number) else {
                    continue;
                };
                let points = if going {
                    vec![(right, y0 + v), (x, y0 + v), (x, centre.1 - HALF)]
                } else {
                    vec![(x, centre.1 + HALF), (x, y1 - v), (right, y1 - v)]
                };
                picture.wires.push(path(points, flow(graph, net), net.wire));
            }
        }
    }
}

/// Moves chips that would lie on one another to two rows, one above the other.
pub(super) fn apart(chips: &mut [Text]) {
    chips.sort_by(|a, b| a.at.1.total_cmp(&b.at.1).then(a.at.0.total_cmp(&b.at.0)));
    let reach = |chip: &Text| chip_width(&chip.text) / 2.0 + 1.5;
    let close: Vec<bool> = chips
        .windows(2)
        .map(|pair| match pair {
            [a, b] => (a.at.1 - b.at.1).abs() < 1.0 && b.at.0 - a.at.0 < reach(a) + reach(b),
            _ => false,
        })
        .collect();
    let mut lower = false;
    for (index, chip) in chips.iter_mut().enumerate() {
        let before = index.checked_sub(1).and_then(|index| close.get(index)) == Some(&true);
        let after = close.get(index) == Some(&true);
        lower = before && !lower;
        if before || after {
            chip.at.1 += if lower { 9.0 } else { -9.0 };
        }
    }
}

/// A saved value between the lanes.
struct Tape {
    net: usize,
    target: usize,
    from: (f64, f64),
    to: (f64, f64),
}

/// Joins what leaves a segment with where it comes in, along the left margin, and puts types at the ends.
pub(super) fn join(graph: &Graph, picture: &mut Picture, ends: &[(usize, (f64, f64), bool)]) {
    let left = ends.iter().map(|(_, at, _)| at.0).fold(0.0, f64::min);
    let mut tracks = 0.0;
    for (number, at, coming) in ends {
        let Some(net) = graph.nets.get(*number) else {
            continue;
        };
        if *coming {
            if let End::Input(k) = net.from {
                let text = graph.inputs.get(k).cloned().unwrap_or_default();
                picture.types.push(Text {
                    at: *at,
                    text,
                    left: true,
                });
            }
            continue;
        }
        for end in &net.to {
            if let End::Output(k) = end {
                let text = graph.outputs.get(*k).cloned().unwrap_or_default();
                picture.types.push(Text {
                    at: *at,
                    text,
                    left: true,
                });
            }
        }
        for (_, to, _) in ends
            .iter()
            .filter(|(other, _, coming)| other == number && *coming)
        {
            tracks += LEVEL;
            let track = left - tracks;
            let points = vec![*at, (track, at.1), (track, to.1), *to];
            picture.wires.push(path(points, flow(graph, net), net.wire));
        }
    }
}
