//! Diagram bent at the return clause of each run: a forward lane, and under it a backward lane, which is turned by 180°. This module
//! assigns boxes and wires to the lanes. `lanes` gives both lanes their coordinates; `draw` draws them, with the saved values between them
//! (`tapes`), the return clause (`turn`) and the left margin (`margin`).

mod draw;
mod lanes;
mod margin;
mod segment;
mod tapes;
mod turn;

pub(crate) use segment::{Turning, turnings};

use crate::display::Picture;
use crate::graph::{End, Graph};
use crate::lane::{Corner, Element, Lane, LaneNet, Plan, Port};
use crate::measure::LEVEL;
use crate::pieces::{between, element, header, runs};
use fletch_arrows::Pass;
use segment::{Segment, segments};
use std::collections::BTreeMap;

/// The unit of an opened return clause, after all others.
const RETURN: usize = 900_000;
/// First unit number of boxes outside of runs.
const OUTSIDE: usize = 1_000_000;

/// Part of a bend that contains a box: forward lane, turn, or backward lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Out,
    Turn,
    Back,
}

/// Both lanes of a segment, and the wires of the graph in them.
struct Bend {
    out: Lane,
    back: Lane,
    /// Nets of each lane, as indices into the nets of the graph.
    out_nets: Vec<usize>,
    back_nets: Vec<usize>,
    /// Nets at the turn, in order: those that leave the forward lane at its end; below, those that enter the backward lane at its start.
    turning: Vec<usize>,
    returning: Vec<usize>,
    /// Nets that come from outside; below, nets that leave.
    coming: Vec<usize>,
    leaving: Vec<usize>,
}

/// Draws a graph bent; false if the graph does not bend.
pub(crate) fn bent(graph: &Graph, picture: &mut Picture) -> bool {
    let segments = segments(graph);
    let mut drawn = Vec::new();
    for segment in &segments {
        let Some(bend) = Bend::of(graph, segment) else {
            return false;
        };
        let mut part = Picture::default();
        let whole = bend.draw(graph, segment, &mut part);
        part.sequences(graph);
        drawn.push((whole, part));
    }
    // The rows of all runs are as short as those of the longest one can be.
    let longest = drawn
        .iter()
        .map(|(drawn, _)| drawn.road.longest(graph.rows.max(1)));
    let longest = longest.fold(0.0, f64::max);
    let mut top = 0.0;
    let mut margin_ends: Vec<(usize, (f64, f64), bool)> = Vec::new();
    for (mut segment, mut part) in drawn {
        if graph.rows > 1 {
            let rows = segment.road.cuts(longest).len() + 1;
            let longest = segment.road.longest(rows);
            segment.bottom = part.broken(segment.road.cuts(longest));
        }
        part.move_down(top);
        let ends = segment.ends.iter();
        margin_ends.extend(ends.map(|(net, (x, y), coming)| (*net, (*x, y + top), *coming)));
        top += segment.bottom + 3.0 * LEVEL;
        picture.append(part);
    }
    tapes::apart(&mut picture.chips, graph.down);
    margin::join(graph, picture, &margin_ends);
    true
}

/// Unit of a box in the lanes; a box outside of runs is a unit of its own.
fn unit(graph: &Graph, index: usize) -> usize {
    let part = graph.boxes.get(index).and_then(|block| block.part);
    match part {
        // An opened return clause is the last unit of the forward lane.
        Some(part) if part.pass == Pass::Return => RETURN,
        Some(part) => part.unit,
        None => OUTSIDE + index,
    }
}

impl Bend {
    fn of(graph: &Graph, segment: &Segment) -> Option<Bend> {
        let mut sides: Vec<Option<(Side, usize)>> = vec![None; graph.boxes.len()];
        let turn = segment.turn.as_slice();
        let all = [
            (&segment.out[..], Side::Out),
            (&segment.back[..], Side::Back),
            (turn, Side::Turn),
        ];
        for (boxes, which) in all {
            for (place, index) in boxes.iter().enumerate() {
                if let Some(slot) = sides.get_mut(*index) {
                    *slot = Some((which, place));
                }
            }
        }
        let side = |end: End| match end {
            End::Box(index) => sides.get(index).copied().flatten(),
            _ => None,
        };
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
        let direct = segment.turning(graph);
        // Wires that turn without a box: out of an opened return clause, or to the first box of the backward lane.
        let turns_as_is = |number: usize, from: End, to: usize| match from {
            End::Box(from) if segment.is_opened_return(graph, from) => true,
            _ => direct.is_some_and(|turning| turning.leads(graph, number, End::Box(to))),
        };
        let (mut out, mut back) = (Vec::new(), Vec::new());
        let mut entering = vec![0; segment.back.len()];
        for (number, net) in graph.nets.iter().enumerate() {
            let from = side(net.from);
            let to: Vec<Option<(Side, usize)>> = net.to.iter().map(|end| side(*end)).collect();
            let touches = |which: Side| to.iter().flatten().any(|(side, _)| *side == which);
            let elsewhere = to.iter().any(Option::is_none);
            let turns = touches(Side::Turn);
            // A state is fed back in its own lane.
            let fed = |own: Side| -> Option<Vec<usize>> {
                let delays = net.feeds.iter().map(|delay| side(End::Box(*delay)));
                let places = delays.map(|delay| delay.filter(|(side, _)| *side == own));
                places.map(|delay| delay.map(|(_, place)| place)).collect()
            };
            match from {
                Some((Side::Out, _)) | None => {
                    let inside = to.iter().any(Option::is_some);
                    if from.is_none() && !inside {
                        continue;
                    }
                    // A graph does not bend if a wire from outside leads to the backward lane alone.
                    if from.is_none() && !touches(Side::Out) && !touches(Side::Turn) {
                        return None;
                    }
                    if from.is_some() && elsewhere {
                        return None;
                    }
                    let lane_from = match from {
                        Some((_, place)) => Port::Element(place),
                        None => {
                            bend.coming.push(number);
                            Port::Start(bend.coming.len() - 1)
                        }
                    };
                    let mut ports = Vec::new();
                    let mut saved = 0;
                    let mut unchanged = Vec::new();
                    for (end, (side, place)) in net
                        .to
                        .iter()
                        .zip(&to)
                        .filter_map(|(end, to)| Some((end, (*to)?)))
                    {
                        match (side, end) {
                            (Side::Out, _) => ports.push(Port::Element(place)),
                            (Side::Back, End::Box(index))
                                if turns_as_is(number, net.from, *index) =>
                            {
                                unchanged.push(Port::Element(place));
                            }
                            (Side::Back, _) => {
                                // A value is saved once, however often the backward lane uses it.
                                saved = 1;
                                if let Some(slot) = entering.get_mut(place) {
                                    *slot += 1;
                                }
                            }
                            (Side::Turn, _) => {}
                        }
                    }
                    if !unchanged.is_empty() {
                        bend.turning.push(number);
                        ports.push(Port::End(bend.turning.len() - 1));
                        bend.returning.push(number);
                        back.push(LaneNet {
                            from: Port::Start(bend.returning.len() - 1),
                            to: unchanged,
                            saved: 0,
                            aside: Vec::new(),
                            feeds: Vec::new(),
                        });
                        bend.back_nets.push(number);
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
                        feeds: fed(Side::Out)?,
                    });
                    bend.out_nets.push(number);
                }
                Some((Side::Turn, _)) | Some((Side::Back, _)) => {
                    let lane_from = match from {
                        Some((Side::Back, place)) => Port::Element(place),
                        _ => {
                            bend.returning.push(number);
                            Port::Start(bend.returning.len() - 1)
                        }
                    };
                    let mut ports = Vec::new();
                    for target in &to {
                        match target {
                            Some((Side::Back, place)) => ports.push(Port::Element(*place)),
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
                        feeds: fed(Side::Back)?,
                    });
                    bend.back_nets.push(number);
                }
            }
        }
        let elements = |list: &[usize], ports: &[usize], across: &[(usize, f64)]| -> Vec<Element> {
            let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
            for part in list
                .iter()
                .filter_map(|index| graph.boxes.get(*index)?.part)
            {
                *counts.entry(part.unit).or_default() += 1;
            }
            let across: BTreeMap<usize, f64> = across.iter().copied().collect();
            let blocks = list.iter().enumerate();
            let blocks = blocks.filter_map(|(place, index)| {
                let unit = unit(graph, *index);
                let block = graph.boxes.get(*index)?;
                let mut element = element(graph, block, unit);
                // The box has room for the ports of saved values, and to be opposite the other half of its unit.
                let ports = ports.get(place).copied().unwrap_or(0);
                let alone = counts.get(&unit) == Some(&1) && !graph.is_opened(block.frame);
                let other = across.get(&unit).filter(|_| alone);
                let room = 20.0 * (ports as f64 + 1.0) * f64::from(u8::from(ports > 0));
                element.width = element.width.max(room).max(other.copied().unwrap_or(0.0));
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
            between: between(graph),
            header: header(graph),
            corner: graph.down.then_some(Corner::First),
            runs: runs(graph),
        });
        let across = bend.out.across();
        bend.back = Lane::new(Plan {
            elements: elements(&segment.back, &entering, &across),
            nets: back,
            starts: bend.returning.len(),
            ends: bend.leaving.len(),
            between: between(graph),
            header: header(graph),
            corner: graph.down.then_some(Corner::Last),
            runs: runs(graph),
        });
        Some(bend)
    }
}

#[cfg(test)]
mod tests {
    use super::bent;
    use crate::cases::{check, graph, places, sketch};
    use crate::display::Picture;
    use crate::graph::Graph;

    /// Boxes of a graph by columns and rows; `None` if it does not bend.
    fn drawn(graph: &Graph) -> Option<Vec<String>> {
        let mut picture = Picture::default();
        bent(graph, &mut picture).then(|| places(&picture))
    }

    #[test]
    fn an_operation_stands_over_its_backward_clause_and_the_return_clause_between() {
        let graph = sketch(
            "F› G› r⤺ G‹ F‹",
            "in0 → F›; F› → G› F‹; G› → r⤺ G‹; r⤺ → G‹; G‹ → F‹; F‹ → out0",
        );
        check(
            &drawn(&graph).unwrap_or_default(),
            "
            F› @ 0,0
            G› @ 1,0
            G‹ @ 1,2
            F‹ @ 0,2
            r @ 2,1",
        );
    }

    #[test]
    fn runs_stand_one_below_the_other() {
        let twice = "let y ⇐ (rev handle([1, 2])⟨x⟩. F(x) with H) in rev handle(y)⟨x⟩. F(x) with H";
        check(
            &drawn(&graph(twice)).unwrap_or_default(),
            "
            [1, 2] @ 1,0
            F› @ 2,0
            F‹ @ 2,1
            F› @ 0,2
            F‹ @ 0,3",
        );
    }

    #[test]
    fn what_comes_from_outside_to_the_way_back_alone_does_not_bend() {
        let wires = "in0 → F›; F› → r⤺; r⤺ → F‹; F‹ → out0";
        assert!(drawn(&sketch("F› r⤺ F‹", wires)).is_some());
        assert!(drawn(&sketch("F› r⤺ F‹", &format!("{wires}; in1 → F‹"))).is_none());
    }
}
