//! From boxes and wires to a picture. *Unbent*: one lane, as in the paper. *Bent*: the paper's picture cut after the return
//! clause of each run, its right half turned by 180° under the left, so that each operation stands beside its own
//! backward clause, and a saved value is a short wire between the two.

use crate::display::{Dot, Flow, Mark, Path, Picture, Shape, Text};
use crate::graph::{Block, End, Graph, Kind, Net, is_saved};
use crate::lane::{Element, Lane, LaneNet, Placed, Plan, Port, spread};
use crate::measure::{BETWEEN_BOXES, HALF, LANES, LEVEL, MARGIN, SUM, chip_width, width};
use fletch_arrows::Pass;

/// How a diagram is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Out and back, side by side.
    Bent,
    /// In one line, as in the paper.
    Unbent,
}

/// Which side of a turn a box stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Out,
    Turn,
    Back,
}

impl Picture {
    /// The picture of a graph.
    pub fn of(graph: &Graph, style: Style) -> Picture {
        let mut picture = Picture::default();
        let bent = style == Style::Bent && !graph.runs.is_empty();
        if !(bent && drawn_bent(graph, &mut picture)) {
            picture = Picture::default();
            drawn_unbent(graph, &mut picture);
        }
        picture.bound(MARGIN);
        picture
    }
}

fn element(block: &Block, unit: usize) -> Element {
    let (width, half) = match block.kind {
        Kind::Sum => (2.0 * SUM, SUM),
        Kind::Operation | Kind::Pure => (width(&block.label, block.mark.is_some()), HALF),
    };
    Element { width, half, unit }
}

fn shape(block: &Block, centre: (f64, f64), bent: bool) -> Shape {
    let Element { width, half, .. } = element(block, 0);
    Shape {
        frame: (centre.0 - width / 2.0, centre.1 - half, width, 2.0 * half),
        label: block.label.clone(),
        kind: block.kind,
        mark: block.mark.and_then(|pass| mark(pass, bent)),
        key: block.key.clone(),
        statements: block.statements.clone(),
        place: block.place,
    }
}

/// The clause mark: along the flow where a diagram is bent, a letter where it is not.
fn mark(pass: Pass, bent: bool) -> Option<Mark> {
    match (pass, bent) {
        (Pass::Forward, true) => Some(Mark::Right),
        (Pass::Backward, true) => Some(Mark::Left),
        (Pass::Forward, false) => Some(Mark::Letter('f')),
        (Pass::Backward, false) => Some(Mark::Letter('b')),
        (Pass::Return, _) => None,
    }
}

/// What a wire carries, by the box that it comes from.
fn flow(graph: &Graph, net: &Net) -> Flow {
    match net.from {
        End::Box(index) => match graph.boxes.get(index).and_then(|block| block.part) {
            Some(part) if part.pass != Pass::Forward => Flow::Backward,
            _ => Flow::Forward,
        },
        End::Input(_) | End::Output(_) => Flow::Forward,
    }
}

/// One lane with everything on it.
fn drawn_unbent(graph: &Graph, picture: &mut Picture) {
    let elements = graph.boxes.iter().enumerate();
    let elements = elements
        .map(|(index, block)| element(block, index))
        .collect();
    let nets = graph.nets.iter().map(|net| LaneNet {
        from: match net.from {
            End::Input(k) => Port::Start(k),
            End::Box(index) => Port::Element(index),
            End::Output(k) => Port::End(k),
        },
        to: (net.to.iter())
            .map(|end| match end {
                End::Input(k) => Port::Start(*k),
                End::Box(index) => Port::Element(*index),
                End::Output(k) => Port::End(*k),
            })
            .collect(),
        saved: 0,
        aside: (net.to.iter())
            .filter(|end| is_saved(&graph.boxes, net.from, **end))
            .filter_map(|end| match end {
                End::Box(index) => Some(Port::Element(*index)),
                _ => None,
            })
            .collect(),
    });
    let lane = Lane::new(Plan {
        elements,
        nets: nets.collect(),
        starts: graph.inputs.len(),
        ends: graph.outputs.len(),
    });
    let mut begins = vec![0.0; graph.boxes.len() + 1];
    let mut at = 0.0;
    for (unit, width) in lane.units() {
        if let Some(slot) = begins.get_mut(unit) {
            *slot = at;
        }
        at += width + BETWEEN_BOXES;
    }
    let (from, to) = (-2.0 * BETWEEN_BOXES, at + BETWEEN_BOXES);
    let placed = lane.place(|unit| begins.get(unit).copied().unwrap_or(0.0), from, to);
    for (block, (left, centre)) in graph.boxes.iter().zip(&placed.boxes) {
        let half = element(block, 0).width / 2.0;
        picture
            .boxes
            .push(shape(block, (left + half, *centre), false));
    }
    for (net, pieces) in graph.nets.iter().zip(&placed.wires) {
        // The pieces to the targets come last, one for each.
        let trunk = pieces.len().saturating_sub(net.to.len());
        for (k, points) in pieces.iter().enumerate() {
            let to = k.checked_sub(trunk).and_then(|k| net.to.get(k));
            let kind = match to {
                Some(to) if is_saved(&graph.boxes, net.from, *to) => Flow::Saved,
                _ => flow(graph, net),
            };
            picture.wires.push(path(points.clone(), kind, net.wire));
        }
    }
    for (net, u, v) in &placed.dots {
        if let Some(net) = graph.nets.get(*net) {
            let flow = flow(graph, net);
            picture.dots.push(Dot { at: (*u, *v), flow });
        }
    }
    types(
        graph,
        picture,
        |k| (from, placed.starts.get(k).copied().unwrap_or(0.0)),
        true,
    );
    let at = |k: usize| (to, placed.ends.get(k).copied().unwrap_or(0.0));
    for (k, text) in graph.outputs.iter().enumerate() {
        if !graph
            .nets
            .iter()
            .any(|net| net.to.contains(&End::Output(k)))
        {
            continue; // Of the unit type.
        }
        let text = text.clone();
        picture.types.push(Text {
            at: at(k),
            text,
            left: false,
        });
    }
}

fn types(graph: &Graph, picture: &mut Picture, at: impl Fn(usize) -> (f64, f64), left: bool) {
    for (k, text) in graph.inputs.iter().enumerate() {
        let used = graph.nets.iter().any(|net| net.from == End::Input(k));
        if used {
            let text = text.clone();
            picture.types.push(Text {
                at: at(k),
                text,
                left,
            });
        }
    }
}

/// A run with the boxes before it; the last one also with those after it.
struct Segment {
    out: Vec<usize>,
    back: Vec<usize>,
    turn: Option<usize>,
}

/// Both lanes of a segment, and how the wires of the graph run in them.
struct Bend {
    out: Lane,
    back: Lane,
    /// The nets of each lane, by their places in the graph.
    out_nets: Vec<usize>,
    back_nets: Vec<usize>,
    /// The nets that turn, in order: out of the end of one lane, into the start of the other.
    turning: Vec<usize>,
    returning: Vec<usize>,
    /// Nets that come from outside, and that leave.
    coming: Vec<usize>,
    leaving: Vec<usize>,
}

/// Draws it bent; whether it could.
fn drawn_bent(graph: &Graph, picture: &mut Picture) -> bool {
    let segments = segments(graph);
    let mut top = 0.0;
    let mut margin_ends: Vec<(usize, (f64, f64), bool)> = Vec::new();
    for segment in &segments {
        let Some(bend) = Bend::of(graph, segment) else {
            return false;
        };
        bend.draw(graph, segment, &mut top, picture, &mut margin_ends);
    }
    join(graph, picture, &margin_ends);
    true
}

/// The boxes by runs.
fn segments(graph: &Graph) -> Vec<Segment> {
    let mut segments: Vec<Segment> = graph
        .runs
        .iter()
        .map(|run| Segment {
            out: Vec::new(),
            back: Vec::new(),
            turn: run.turn,
        })
        .collect();
    let last = segments.len().saturating_sub(1);
    let mut begun = 0;
    for (index, block) in graph.boxes.iter().enumerate() {
        match block.part {
            Some(part) => {
                begun = begun.max(part.run + 1);
                let Some(segment) = segments.get_mut(part.run) else {
                    continue;
                };
                match part.pass {
                    Pass::Forward => segment.out.push(index),
                    Pass::Backward => segment.back.push(index),
                    Pass::Return => {}
                }
            }
            None if begun > last => {
                if let Some(segment) = segments.get_mut(last) {
                    segment.back.push(index);
                }
            }
            None => {
                if let Some(segment) = segments.get_mut(begun) {
                    segment.out.push(index);
                }
            }
        }
    }
    for segment in &mut segments {
        let unit = |index: &usize| graph.boxes.get(*index).and_then(|block| block.part);
        segment
            .out
            .sort_by_key(|index| unit(index).map_or((0, 0, *index), |part| (1, part.unit, *index)));
        segment.back.sort_by_key(|index| {
            unit(index).map_or((1, 0, *index), |part| (0, usize::MAX - part.unit, *index))
        });
    }
    segments
}

/// The wire that turns as it is, to the first box on the way back, if the return clause computes nothing: of those that
/// come there, the last that is made. What a clause saves is there before its result.
fn unchanged(graph: &Graph, segment: &Segment) -> Option<(usize, usize)> {
    if segment.turn.is_some() {
        return None;
    }
    let first = *segment.back.first()?;
    let comes = |net: &Net| match net.from {
        End::Box(index) => segment.out.contains(&index) && net.to.contains(&End::Box(first)),
        _ => false,
    };
    let nets = graph.nets.iter().enumerate().filter(|(_, net)| comes(net));
    let last = nets.max_by_key(|(_, net)| net.wire)?;
    Some((last.0, first))
}

/// The unit of a box in the lanes: boxes outside of runs have their own.
fn unit(graph: &Graph, index: usize) -> usize {
    let part = graph.boxes.get(index).and_then(|block| block.part);
    part.map_or(1_000_000 + index, |part| part.unit)
}

impl Bend {
    fn of(graph: &Graph, segment: &Segment) -> Option<Bend> {
        let side = |end: End| match end {
            End::Box(index) if segment.out.contains(&index) => Some((Side::Out, index)),
            End::Box(index) if segment.back.contains(&index) => Some((Side::Back, index)),
            End::Box(index) if segment.turn == Some(index) => Some((Side::Turn, index)),
            _ => None,
        };
        let place = |list: &[usize], index: usize| list.iter().position(|other| *other == index);
        let mut bend = Bend {
            out: Lane::new(Plan::default()),
            back: Lane::new(Plan::default()),
            out_nets: Vec::new(),
            back_nets: Vec::new(),
            turning: Vec::new(),
            returning: Vec::new(),
            coming: Vec::new(),
            leaving: Vec::new(),
        };
        let direct = unchanged(graph, segment);
        let (mut out, mut back) = (Vec::new(), Vec::new());
        let mut entering = vec![0; segment.back.len()];
        for (number, net) in graph.nets.iter().enumerate() {
            let from = side(net.from);
            let to: Vec<Option<(Side, usize)>> = net.to.iter().map(|end| side(*end)).collect();
            let touches = |which: Side| to.iter().flatten().any(|(side, _)| *side == which);
            let elsewhere = to.iter().any(Option::is_none);
            let turns = touches(Side::Turn);
            match from {
                Some((Side::Out, _)) | None => {
                    let inside = to.iter().any(Option::is_some);
                    if from.is_none() && !inside {
                        continue;
                    }
                    // What comes from outside and goes to the way back alone enters there.
                    if from.is_none() && !touches(Side::Out) && !touches(Side::Turn) {
                        return None;
                    }
                    if from.is_some() && elsewhere {
                        return None;
                    }
                    let lane_from = match from {
                        Some((_, index)) => Port::Element(place(&segment.out, index)?),
                        None => {
                            bend.coming.push(number);
                            Port::Start(bend.coming.len() - 1)
                        }
                    };
                    let mut ports = Vec::new();
                    let mut saved = 0;
                    for (side, index) in to.iter().flatten() {
                        match side {
                            Side::Out => ports.push(Port::Element(place(&segment.out, *index)?)),
                            Side::Back if direct == Some((number, *index)) => {
                                bend.turning.push(number);
                                ports.push(Port::End(bend.turning.len() - 1));
                                bend.returning.push(number);
                                back.push(LaneNet {
                                    from: Port::Start(bend.returning.len() - 1),
                                    to: vec![Port::Element(place(&segment.back, *index)?)],
                                    saved: 0,
                                    aside: Vec::new(),
                                });
                                bend.back_nets.push(number);
                            }
                            Side::Back => {
                                saved += 1;
                                if let Some(slot) = entering.get_mut(place(&segment.back, *index)?)
                                {
                                    *slot += 1;
                                }
                            }
                            Side::Turn => {}
                        }
                    }
                    if turns {
                        bend.turning.push(number);
                        ports.push(Port::End(bend.turning.len() - 1));
                    }
                    out.push(LaneNet {
                        from: lane_from,
                        to: ports,
                        saved,
                        aside: Vec::new(),
                    });
                    bend.out_nets.push(number);
                }
                Some((Side::Turn, _)) | Some((Side::Back, _)) => {
                    let lane_from = match from {
                        Some((Side::Back, index)) => Port::Element(place(&segment.back, index)?),
                        _ => {
                            bend.returning.push(number);
                            Port::Start(bend.returning.len() - 1)
                        }
                    };
                    let mut ports = Vec::new();
                    for target in &to {
                        match target {
                            Some((Side::Back, index)) => {
                                ports.push(Port::Element(place(&segment.back, *index)?));
                            }
                            Some(_) => return None,
                            None => {}
                        }
                    }
                    if elsewhere {
                        bend.leaving.push(number);
                        ports.push(Port::End(bend.leaving.len() - 1));
                    }
                    back.push(LaneNet {
                        from: lane_from,
                        to: ports,
                        saved: 0,
                        aside: Vec::new(),
                    });
                    bend.back_nets.push(number);
                }
            }
        }
        let elements = |list: &[usize], ports: &[usize], across: &[(usize, f64)]| -> Vec<Element> {
            let alone = |unit: usize| {
                let boxes = list
                    .iter()
                    .filter_map(|index| graph.boxes.get(*index)?.part);
                boxes.filter(|part| part.unit == unit).count() == 1
            };
            let blocks = list.iter().enumerate();
            let blocks = blocks.filter_map(|(place, index)| {
                let unit = unit(graph, *index);
                let block = graph.boxes.get(*index)?;
                let mut element = element(block, unit);
                // Room for the ports of what is saved, and to stand across from the other half of its unit.
                let ports = ports.get(place).copied().unwrap_or(0);
                let other = across
                    .iter()
                    .find(|(other, _)| *other == unit && alone(unit));
                let room = 20.0 * (ports as f64 + 1.0) * f64::from(u8::from(ports > 0));
                element.width = element
                    .width
                    .max(room)
                    .max(other.map_or(0.0, |(_, width)| *width));
                Some(element)
            });
            blocks.collect()
        };
        let mut leaving = vec![0; segment.out.len()];
        for net in &out {
            if let (Port::Element(index), true, true) =
                (net.from, net.to.is_empty(), net.saved == 1)
                && let Some(slot) = leaving.get_mut(index)
            {
                *slot += 1;
            }
        }
        let in_order = |nets: &[LaneNet]| {
            nets.iter().all(|net| match net.from {
                Port::Element(from) => net.to.iter().all(|to| match to {
                    Port::Element(to) => from < *to,
                    _ => true,
                }),
                _ => true,
            })
        };
        if !in_order(&out) || !in_order(&back) {
            return None;
        }
        bend.out = Lane::new(Plan {
            elements: elements(&segment.out, &leaving, &[]),
            nets: out,
            starts: bend.coming.len(),
            ends: bend.turning.len(),
        });
        let across = bend.out.across();
        bend.back = Lane::new(Plan {
            elements: elements(&segment.back, &entering, &across),
            nets: back,
            starts: bend.returning.len(),
            ends: bend.leaving.len(),
        });
        Some(bend)
    }

    fn draw(
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
        apart(&mut picture.chips);
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
fn apart(chips: &mut [Text]) {
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
fn join(graph: &Graph, picture: &mut Picture, ends: &[(usize, (f64, f64), bool)]) {
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

/// A wire with its arrowheads: on what goes back, one for each stretch of 170 px, and where it is long enough.
fn path(points: Vec<(f64, f64)>, flow: Flow, wire: usize) -> Path {
    let mut heads = Vec::new();
    if flow == Flow::Backward {
        for pair in points.windows(2) {
            let [a, b] = pair else { continue };
            let length = (b.0 - a.0).abs() + (b.1 - a.1).abs();
            if length < 24.0 {
                continue;
            }
            let direction = ((b.0 - a.0) / length, (b.1 - a.1) / length);
            let count = (length / 170.0).ceil() as usize;
            for k in 0..count {
                let along = length * (k as f64 + 0.5) / count as f64;
                let at = (a.0 + direction.0 * along, a.1 + direction.1 * along);
                heads.push((at, direction));
            }
        }
    }
    Path {
        points,
        flow,
        wire,
        heads,
    }
}
