//! Both lanes of a run with their coordinates: units stand in columns that the lanes share, so that what is saved goes straight
//! across; the return clause stands in the turn.

use super::{Bend, OUTSIDE, Segment, unit as unit_of};
use crate::display::{Dot, Flow, Picture, Text};
use crate::graph::{End, Graph};
use crate::lane::{LaneFrame, Placed, Port, spread};
use crate::measure::{BETWEEN_BOXES, CHIP, CHIPS, HALF, JOG, LANES, LEVEL, chip_width};
use crate::pieces::{flow, framed, path, shape, size};
use std::collections::BTreeMap;

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
        let widths = |units: &[(usize, f64)]| units.iter().copied().collect::<BTreeMap<_, _>>();
        let (out_widths, back_widths) = (widths(&out_units), widths(&back_units));
        let of = |widths: &BTreeMap<usize, f64>, unit: usize| widths.get(&unit).copied();
        let mut columns: Vec<(usize, f64, f64)> = Vec::new();
        let mut at = 0.0;
        let shared: Vec<usize> = {
            let mut all: Vec<usize> = out_units.iter().map(|(unit, _)| *unit).collect();
            for (unit, _) in back_units.iter().rev() {
                if !out_widths.contains_key(unit) && *unit < OUTSIDE {
                    all.push(*unit);
                }
            }
            all.sort_by_key(|unit| {
                if *unit >= OUTSIDE {
                    (0, *unit)
                } else {
                    (1, *unit)
                }
            });
            all
        };
        for unit in shared {
            let width = of(&out_widths, unit)
                .unwrap_or(0.0)
                .max(of(&back_widths, unit).unwrap_or(0.0));
            columns.push((unit, at, width));
            at += width + BETWEEN_BOXES;
        }
        let begin = columns
            .iter()
            .find(|(unit, ..)| *unit < OUTSIDE)
            .map_or(0.0, |(_, at, _)| *at);
        let mut after = begin - BETWEEN_BOXES;
        for (unit, width) in back_units.iter().filter(|(unit, _)| *unit >= OUTSIDE) {
            after -= width;
            columns.push((*unit, after, *width));
            after -= BETWEEN_BOXES;
        }
        let right = at;
        let left = columns.iter().map(|(_, at, _)| *at).fold(0.0, f64::min) - 2.0 * BETWEEN_BOXES;
        let places: BTreeMap<usize, (usize, f64, f64)> =
            (columns.iter()).map(|column| (column.0, *column)).collect();
        let column = |unit: usize| places.get(&unit).copied();
        let out = self.out.place(
            |unit| {
                let (_, at, width) = column(unit).unwrap_or_default();
                at + (width - of(&out_widths, unit).unwrap_or(width)) / 2.0
            },
            left,
            right,
        );
        let back = self.back.place(
            |unit| {
                let (_, at, width) = column(unit).unwrap_or_default();
                -(at + width) + (width - of(&back_widths, unit).unwrap_or(width)) / 2.0
            },
            -right,
            -left,
        );
        let saved = self.saved(graph, segment, &out, &back);
        // Saved values that do not go straight across change columns beside what they go to, each unit on levels of its own.
        let mut jogs: BTreeMap<usize, usize> = BTreeMap::new();
        let mut levels: Vec<usize> = Vec::new();
        for tape in &saved {
            if !tape.is_straight() {
                let jog = jogs.entry(tape.unit).or_default();
                *jog += 1;
            }
            levels.push(jogs.get(&tape.unit).copied().unwrap_or(0));
        }
        let deepest = jogs.values().copied().max().unwrap_or(0) as f64 * JOG;
        let turn_height = if segment.turn.is_some() {
            let block = segment.turn.and_then(|index| graph.boxes.get(index));
            2.0 * block.map_or(HALF, |block| size(graph, block).1) + 2.0 * LEVEL
        } else {
            0.0
        };
        let between = chips_between(graph, &saved);
        let distance = (out.inner + back.inner + deepest + between).max(turn_height);
        let y0 = *top + out.outer;
        let y1 = y0 + distance;
        *top = y1 + back.outer + 3.0 * LEVEL;
        let on_out = |(u, v): (f64, f64)| (u, y0 + v);
        let on_back = |(u, v): (f64, f64)| (-u, y1 - v);

        for (place, (index, (at, centre))) in segment.out.iter().zip(&out.boxes).enumerate() {
            if let Some(block) = graph.boxes.get(*index) {
                let width = self.out.width_of(place);
                let mut shape = shape(graph, block, on_out((at + width / 2.0, *centre)), true);
                shape.frame.0 -= (width - shape.frame.2) / 2.0;
                shape.frame.2 = width;
                picture.boxes.push(shape);
            }
        }
        for (place, (index, (at, centre))) in segment.back.iter().zip(&back.boxes).enumerate() {
            if let Some(block) = graph.boxes.get(*index) {
                let width = self.back.width_of(place);
                let mut shape = shape(graph, block, on_back((at + width / 2.0, *centre)), true);
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
                        picture.wires.push(path(points, flow(graph, net), net));
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

        for (tape, jog) in saved.iter().zip(&levels) {
            let Some(net) = graph.nets.get(tape.net) else {
                continue;
            };
            let from = on_out(tape.from);
            let level = y1 - back.inner - JOG * *jog as f64;
            for (_, to) in &tape.to {
                let to = on_back(*to);
                let points = if tape.is_straight() {
                    vec![from, to]
                } else {
                    vec![from, (from.0, level), (to.0, level), to]
                };
                picture.wires.push(path(points, Flow::Saved, net));
            }
            for at in tape.branches() {
                let at = (-at, level);
                picture.dots.push(Dot {
                    at,
                    flow: Flow::Saved,
                });
            }
            let several = (net.count > 1).then(|| "…".to_owned());
            if let Some(text) = net.name.clone().or(several) {
                picture.chips.push(Text {
                    at: (
                        from.0,
                        f64::midpoint(y0 + out.inner, y1 - back.inner - deepest),
                    ),
                    text,
                    left: false,
                });
            }
        }
        let jogs_of = |frame: &LaneFrame| -> f64 {
            let outermost = (graph.frames.get(frame.frame)).is_some_and(|f| f.parent.is_none());
            let own = saved.iter().zip(&levels).filter(|(tape, _)| {
                tape.to
                    .iter()
                    .any(|(_, (u, _))| (frame.from..=frame.to).contains(u))
            });
            let most = own.map(|(_, level)| *level).max().unwrap_or(0);
            if outermost && frame.spine && most > 0 {
                JOG * most as f64 + JOG
            } else {
                0.0
            }
        };
        for frame in out.frames.iter().rev() {
            let at = (
                frame.from,
                y0 + frame.outer,
                frame.to - frame.from,
                frame.inner - frame.outer,
            );
            picture.frames.extend(framed(graph, frame.frame, at, true));
        }
        for frame in back.frames.iter().rev() {
            let inner = if frame.spine {
                back.inner.max(frame.inner) + jogs_of(frame)
            } else {
                frame.inner
            };
            let inner = if jogs_of(frame) > 0.0 {
                inner
            } else {
                frame.inner
            };
            let at = (
                -frame.to,
                y1 - inner,
                frame.to - frame.from,
                inner - frame.outer,
            );
            picture.frames.extend(framed(graph, frame.frame, at, false));
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
            picture.wires.push(path(points, flow(graph, net), net));
        }
    }

    /// The wires of what is saved: where they leave and where they enter.
    fn saved(&self, graph: &Graph, segment: &Segment, out: &Placed, back: &Placed) -> Vec<Tape> {
        let places: BTreeMap<usize, usize> = (segment.back.iter().enumerate())
            .map(|(place, index)| (*index, place))
            .collect();
        let turned: BTreeMap<usize, &Vec<Port>> = (self.back.nets().iter().zip(&self.back_nets))
            .filter(|(net, _)| matches!(net.from, Port::Start(_)))
            .map(|(net, number)| (*number, &net.to))
            .collect();
        let mut tapes = Vec::new();
        let mut own: Vec<Vec<(usize, usize)>> = vec![Vec::new(); segment.back.len()];
        for (place, number) in self.out_nets.iter().enumerate() {
            let Some(net) = graph.nets.get(*number) else {
                continue;
            };
            let Some(from) = out.leaving.get(place).and_then(|leaving| leaving.first()) else {
                continue;
            };
            let mut to = Vec::new();
            for end in &net.to {
                let End::Box(index) = end else { continue };
                let Some(target) = places.get(index).copied() else {
                    continue;
                };
                let turns = turned.get(number);
                if turns.is_some_and(|ports| ports.contains(&Port::Element(target))) {
                    continue;
                }
                if let Some(own) = own.get_mut(target) {
                    own.push((tapes.len(), to.len()));
                }
                to.push((target, (0.0, 0.0)));
            }
            let unit = to.first().and_then(|(target, _)| segment.back.get(*target));
            tapes.push(Tape {
                net: *number,
                unit: unit.map_or(0, |index| unit_of(graph, *index)),
                from: *from,
                to,
            });
        }
        for (target, own) in own.iter_mut().enumerate() {
            let Some((a, b, v)) = back.entering.get(target).copied() else {
                continue;
            };
            // From right to left on the page, which is along u on the way back.
            let from =
                |(tape, _): &(usize, usize)| tapes.get(*tape).map_or(0.0, |t: &Tape| t.from.0);
            own.sort_by(|x, y| from(y).total_cmp(&from(x)));
            let count = own.len();
            let straight: Vec<f64> = own.iter().map(|end| -from(end)).collect();
            let fits = straight.iter().all(|u| (a..=b).contains(u))
                && straight
                    .windows(2)
                    .all(|pair| matches!(pair, [x, y] if y - x >= 10.0));
            for (k, (tape, end)) in own.iter().enumerate() {
                let u = if fits {
                    straight.get(k).copied().unwrap_or(a)
                } else {
                    a - 8.0 + spread(b - a + 16.0, k, count)
                };
                let tape = tapes.get_mut(*tape);
                if let Some((_, to)) = tape.and_then(|tape| tape.to.get_mut(*end)) {
                    *to = (u, v);
                }
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
        let (long, half) = size(graph, block);
        let wide = long.max(18.0 * (count as f64 + 1.0));
        let centre = (
            right + wide / 2.0 - BETWEEN_BOXES / 2.0,
            f64::midpoint(y0, y1),
        );
        let mut shape = shape(graph, block, centre, true);
        shape.frame = (centre.0 - wide / 2.0, centre.1 - half, wide, 2.0 * half);
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
                    vec![(right, y0 + v), (x, y0 + v), (x, centre.1 - half)]
                } else {
                    vec![(x, centre.1 + half), (x, y1 - v), (right, y1 - v)]
                };
                picture.wires.push(path(points, flow(graph, net), net));
            }
        }
    }
}

/// The room between the lanes: downward, for two chips side by side.
fn chips_between(graph: &Graph, saved: &[Tape]) -> f64 {
    if !graph.down {
        return LANES;
    }
    let names = saved.iter().filter_map(|tape| graph.nets.get(tape.net));
    let names = names.filter_map(|net| net.name.as_deref());
    let widest = names.map(chip_width).fold(0.0, f64::max);
    LANES.max(2.0 * widest + CHIPS)
}

/// Moves chips that would lie on one another to two rows, side by side across the flow.
pub(super) fn apart(chips: &mut [Text], down: bool) {
    chips.sort_by(|a, b| a.at.1.total_cmp(&b.at.1).then(a.at.0.total_cmp(&b.at.0)));
    let reach = |chip: &Text| match down {
        true => CHIP / 2.0 + 1.5,
        false => chip_width(&chip.text) / 2.0 + 1.5,
    };
    let widest = chips.iter().map(|chip| chip_width(&chip.text));
    let widest = widest.fold(0.0, f64::max);
    let aside = if down { widest / 2.0 + 1.5 } else { 9.0 };
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
            chip.at.1 += if lower { aside } else { -aside };
        }
    }
}

/// A saved value between the lanes: where it leaves, and the places on the way back where it enters.
struct Tape {
    net: usize,
    /// The unit that it enters first.
    unit: usize,
    from: (f64, f64),
    to: Vec<(usize, (f64, f64))>,
}

impl Tape {
    /// Whether it goes straight across.
    fn is_straight(&self) -> bool {
        self.to.iter().all(|(_, to)| to.0 == -self.from.0)
    }

    /// Where it is copied, along u on the way back: everywhere on its level but at the ends.
    fn branches(&self) -> Vec<f64> {
        if self.to.len() < 2 {
            return Vec::new();
        }
        let mut all: Vec<f64> = self.to.iter().map(|(_, to)| to.0).collect();
        all.push(-self.from.0);
        all.sort_by(f64::total_cmp);
        all.dedup();
        let inner = all.len().saturating_sub(2);
        all.into_iter().skip(1).take(inner).collect()
    }
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
                    // Downward, the way back is on the right.
                    left: !graph.down,
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
            picture.wires.push(path(points, flow(graph, net), net));
        }
    }
}
