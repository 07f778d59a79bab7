//! Unbent diagram, as in the paper: all boxes in one lane, in the order of time.

use crate::bend::{Turning, turnings};
use crate::display::{Dot, Flow, Picture, Text};
use crate::graph::{End, Graph, Net, is_saved};
use crate::lane::{Corner, Lane, LaneNet, Plan, Port};
use crate::measure::BETWEEN_DELAYS;
use crate::pieces::{between, element, flow, framed, header, piece, runs, shape, size};
use crate::snake::Road;

/// Draws all boxes and wires in one lane.
pub(crate) fn unbent(graph: &Graph, picture: &mut Picture) {
    let elements = graph.boxes.iter();
    let elements = elements
        .map(|block| element(graph, block, block.rank))
        .collect();
    // A wire that turns without a box in a bent diagram continues along the lane here.
    let turnings = turnings(graph);
    let is_saved = |number: usize, net: &Net, end: End| {
        let turns = |turning: &Turning| turning.leads(graph, number, end);
        is_saved(&graph.boxes, net.from, end) && !turnings.iter().any(turns)
    };
    let nets = graph.nets.iter().enumerate().map(|(number, net)| LaneNet {
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
        feeds: net.feeds.clone(),
        aside: (net.to.iter())
            .filter(|end| is_saved(number, net, **end))
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
        between: between(graph),
        header: header(graph),
        corner: graph.down.then_some(Corner::First),
        runs: runs(graph),
    });
    let ranks = graph.boxes.iter().map(|block| block.rank).max();
    let mut begins = vec![0.0; ranks.unwrap_or(0) + 1];
    let between = between(graph);
    let mut at = 0.0;
    let mut columns = Vec::new();
    let (units, delays) = (lane.units(), lane.delays());
    for (number, (unit, width)) in units.iter().copied().enumerate() {
        if let Some(slot) = begins.get_mut(unit) {
            *slot = at;
        }
        columns.push((at, at + width));
        let next = units.get(number + 1).map(|(next, _)| next);
        at += width
            + match delays.contains(&unit) && next.is_some_and(|next| delays.contains(next)) {
                true => BETWEEN_DELAYS,
                false => between,
            };
    }
    let (from, to) = (-2.0 * between, at + between);
    let placed = lane.place(|unit| begins.get(unit).copied().unwrap_or(0.0), from, to);
    for frame in placed.frames.iter().rev() {
        let at = (
            frame.from,
            frame.outer,
            frame.to - frame.from,
            frame.inner - frame.outer,
        );
        picture.frames.extend(framed(graph, frame.frame, at, true));
    }
    for (block, (left, centre)) in graph.boxes.iter().zip(&placed.boxes) {
        let half = size(graph, block).0 / 2.0;
        picture
            .boxes
            .push(shape(graph, block, (left + half, *centre), false));
    }
    for ((number, net), pieces) in graph.nets.iter().enumerate().zip(&placed.wires) {
        // The pieces to the targets come last, one for each.
        let trunk = pieces.len().saturating_sub(net.to.len());
        for (k, points) in pieces.iter().enumerate() {
            let to = k.checked_sub(trunk).and_then(|k| net.to.get(k));
            let kind = match to {
                Some(to) if is_saved(number, net, *to) => Flow::Saved,
                _ => flow(graph, net),
            };
            picture.wires.push(piece(net, k, points.clone(), kind));
        }
    }
    for (net, u, v) in &placed.dots {
        if let Some(net) = graph.nets.get(*net) {
            let flow = flow(graph, net);
            picture.dots.push(Dot { at: (*u, *v), flow });
        }
    }
    types(graph, picture, |k| {
        (from, placed.starts.get(k).copied().unwrap_or(0.0))
    });
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
    picture.sequences(graph);
    if graph.rows > 1 {
        let road = Road::of((from, to), columns);
        picture.broken(road.cuts(road.longest(graph.rows)));
    }
}

/// Writes the types of the inputs at their wires.
fn types(graph: &Graph, picture: &mut Picture, at: impl Fn(usize) -> (f64, f64)) {
    for (k, text) in graph.inputs.iter().enumerate() {
        let used = graph.nets.iter().any(|net| net.from == End::Input(k));
        if used {
            let text = text.clone();
            picture.types.push(Text {
                at: at(k),
                text,
                left: true,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cases::{check, places, sketch};
    use crate::display::{Flow, Mark, Picture};
    use crate::picture::Style;

    const WIRES: &str = "in0 → F›; F› → r⤺ F‹; r⤺ → F‹; F‹ → b; b → out0";

    #[test]
    fn all_boxes_stand_in_one_lane_with_letters_for_their_halves() {
        let picture = Picture::of(&sketch("F› r⤺ F‹ b", WIRES), Style::Unbent);
        check(&places(&picture), "F› @ 0,0\nr @ 1,0\nF‹ @ 2,0\nb @ 3,0");
        let marks = picture.boxes.iter().filter_map(|shape| shape.mark);
        assert_eq!(
            marks.collect::<Vec<_>>(),
            [Mark::Letter('f'), Mark::Letter('b')]
        );
    }

    #[test]
    fn what_is_saved_runs_below_and_types_stand_at_both_ends() {
        let picture = Picture::of(&sketch("F› r⤺ F‹ b", WIRES), Style::Unbent);
        let low = |flow: Flow| {
            let wires = picture.wires.iter().filter(move |wire| wire.flow == flow);
            wires
                .flat_map(|wire| &wire.points)
                .map(|at| at.1)
                .fold(0.0, f64::max)
        };
        assert_eq!((low(Flow::Forward), low(Flow::Backward)), (0.0, 0.0));
        assert_eq!(
            low(Flow::Saved),
            26.0,
            "half a box, and what is between it and a level"
        );
        let types = picture
            .types
            .iter()
            .map(|text| (text.text.as_str(), text.left));
        assert_eq!(
            types.collect::<Vec<_>>(),
            [("Real(2)", true), ("Real(2)", false)]
        );
    }

    #[test]
    fn what_turns_as_it_is_goes_on_along_the_lane() {
        let picture = Picture::of(
            &crate::cases::graph("rev handle([1, 2])⟨x⟩. F(x) with H"),
            Style::Unbent,
        );
        let levels = |flow: Flow| -> Vec<f64> {
            let wires = picture.wires.iter().filter(|wire| wire.flow == flow);
            wires
                .map(|wire| wire.points.iter().map(|at| at.1).fold(0.0, f64::max))
                .collect()
        };
        assert_eq!(levels(Flow::Forward), [0.0, 0.0]);
        assert_eq!(levels(Flow::Saved).len(), 2);
        assert!(levels(Flow::Saved).iter().all(|level| *level > 0.0));
    }
}
