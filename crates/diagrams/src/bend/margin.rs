//! Left margin of all segments. A wire that leaves one segment runs along the margin to where it enters another. The types of inputs and
//! outputs are written there.

use crate::display::{Picture, Text};
use crate::graph::{End, Graph};
use crate::measure::LEVEL;
use crate::pieces::{flow, path};

/// Joins wires that leave a segment with the points where they enter another, along the left margin, and adds the types at the ends. `ends`
/// has the net, the point, and true for a wire that enters.
pub(super) fn join(graph: &Graph, picture: &mut Picture, ends: &[(usize, (f64, f64), bool)]) {
    let mut left = ends.iter().map(|(_, at, _)| at.0).fold(0.0, f64::min);
    if graph.rows > 1 {
        // Rows may reach farther to the left than where wires come in.
        let points = picture.wires.iter().flat_map(|wire| &wire.points);
        let boxes = picture.boxes.iter().map(|shape| shape.frame.0);
        let frames = picture.frames.iter().map(|frame| frame.frame.0);
        let all = points.map(|at| at.0).chain(boxes).chain(frames);
        left = all.fold(left, f64::min);
    }
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
                    // In a downward diagram, the backward lane is on the right.
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

#[cfg(test)]
mod tests {
    use crate::cases::{corners, graph, sketch};
    use crate::display::Picture;
    use crate::graph::Graph;
    use crate::picture::Style;

    fn types(graph: &Graph) -> Vec<String> {
        let picture = Picture::of(graph, Style::Bent);
        let types = picture.types.iter().map(|text| {
            let side = if text.left { "left" } else { "right" };
            format!("{} {side} of {}", text.text, corners(&[text.at]))
        });
        types.collect()
    }

    #[test]
    fn types_stand_where_wires_come_in_and_leave_on_the_left() {
        let graph = sketch("F› r⤺ F‹", "in0 → F›; F› → r⤺; r⤺ → F‹; F‹ → out0");
        assert_eq!(
            types(&graph),
            ["Real(2) left of (-52, 15)", "Real(2) left of (-52, 85)"]
        );
    }

    #[test]
    fn what_leaves_a_run_goes_along_the_margin_to_the_next() {
        let twice = "let y ⇐ (rev handle([1, 2])⟨x⟩. F(x) with H) in rev handle(y)⟨x⟩. F(x) with H";
        let picture = Picture::of(&graph(twice), Style::Bent);
        let left = picture
            .boxes
            .iter()
            .map(|shape| shape.frame.0)
            .fold(0.0, f64::min);
        let margin = picture
            .wires
            .iter()
            .filter(|wire| wire.points.iter().any(|(x, _)| *x < left - 52.0));
        let corners = margin.map(|wire| corners(&wire.points));
        assert_eq!(
            corners.collect::<Vec<_>>(),
            ["(-52, 85) (-67, 85) (-67, 160) (-52, 160)"]
        );
    }
}
