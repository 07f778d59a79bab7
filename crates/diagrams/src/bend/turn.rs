//! The turn: the return clause between the lanes' far ends, and the wires around it.

use super::lanes::Lanes;
use super::{Bend, Segment};
use crate::display::Picture;
use crate::graph::Graph;
use crate::lane::spread;
use crate::pieces::{between, flow, path, shape, size};

impl Bend {
    /// Draws the return clause, and the wires around the turn.
    pub(super) fn turn(
        &self,
        graph: &Graph,
        segment: &Segment,
        picture: &mut Picture,
        lanes: &Lanes,
    ) {
        let Some(block) = segment.turn.and_then(|index| graph.boxes.get(index)) else {
            return self.turn_unchanged(graph, picture, lanes);
        };
        let (right, y0, y1) = (lanes.right, lanes.y0, lanes.y1);
        let count = self.turning.len().max(self.returning.len());
        let (long, half) = size(graph, block);
        let wide = long.max(18.0 * (count as f64 + 1.0));
        let centre = (
            right + wide / 2.0 - between(graph) / 2.0,
            f64::midpoint(y0, y1),
        );
        let mut shape = shape(graph, block, centre, true);
        shape.frame = (centre.0 - wide / 2.0, centre.1 - half, wide, 2.0 * half);
        let left = shape.frame.0;
        picture.boxes.push(shape);
        // A wire farther out turns farther right, so that none cross.
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
            (&self.turning, &lanes.out.ends, true),
            (&self.returning, &lanes.back.starts, false),
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

    /// Draws the wires of a turn at which nothing is computed.
    fn turn_unchanged(&self, graph: &Graph, picture: &mut Picture, lanes: &Lanes) {
        let (right, y0, y1) = (lanes.right, lanes.y0, lanes.y1);
        let levels = lanes.out.ends.iter().zip(&lanes.back.starts);
        for (k, (number, (from, to))) in self.turning.iter().zip(levels).enumerate() {
            let Some(net) = graph.nets.get(*number) else {
                continue;
            };
            let x = right + between(graph) * (k as f64 + 1.0);
            let points = vec![
                (right, y0 + from),
                (x, y0 + from),
                (x, y1 - to),
                (right, y1 - to),
            ];
            picture.wires.push(path(points, flow(graph, net), net));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cases::{corners, graph, sketch};
    use crate::display::Picture;
    use crate::graph::Graph;
    use crate::measure::BETWEEN_BOXES;
    use crate::picture::Style;

    /// Wires that reach beyond the lanes.
    fn turning(graph: &Graph) -> Vec<String> {
        let picture = Picture::of(graph, Style::Bent);
        let operations = picture.boxes.iter().filter(|shape| shape.mark.is_some());
        let ends = operations.map(|shape| shape.frame.0 + shape.frame.2);
        let right = ends.fold(0.0, f64::max) + BETWEEN_BOXES;
        let wires = picture.wires.iter();
        let beyond = wires.filter(|wire| wire.points.iter().any(|(x, _)| *x > right));
        beyond.map(|wire| corners(&wire.points)).collect()
    }

    #[test]
    fn what_is_farther_out_enters_the_return_clause_farther_right() {
        let graph = sketch(
            "E› F› r⤺ F‹ E‹",
            "in0 → E›; F› → r⤺; E› → F› r⤺; r⤺ → F‹; F‹ → E‹; E‹ → out0",
        );
        assert_eq!(
            turning(&graph),
            [
                "(143, 26) (148, 26) (148, 46)",
                "(143, 0) (166, 0) (166, 46)",
                "(157, 76) (157, 96) (143, 96)"
            ]
        );
    }

    #[test]
    fn what_is_returned_as_it_is_turns_without_a_box() {
        let graph = graph("rev handle([1, 2])⟨x⟩. F(x) with H");
        assert_eq!(turning(&graph), ["(175, 15) (201, 15) (201, 85) (175, 85)"]);
    }
}
