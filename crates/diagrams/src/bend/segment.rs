//! Segments of a diagram, which are runs with the boxes next to them, and the wire that turns from the forward to the backward lane without
//! a box, when the return clause computes nothing.

use crate::graph::{End, Graph, Net};
use fletch_arrows::Pass;
use std::collections::BTreeSet;

/// A run with the boxes before it; the last run also with the boxes after it.
pub(super) struct Segment {
    pub(super) out: Vec<usize>,
    pub(super) back: Vec<usize>,
    pub(super) turn: Option<usize>,
}

/// A wire that turns without a box, and its destination: the boxes of a rank, which are one box when nothing is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turning {
    /// The wire, as an index into the nets of the graph.
    net: usize,
    rank: usize,
}

impl Turning {
    /// True if this end of a wire is the destination of the turning one.
    pub(crate) fn leads(self, graph: &Graph, net: usize, end: End) -> bool {
        let End::Box(index) = end else { return false };
        let rank = graph.boxes.get(index).map(|block| block.rank);
        net == self.net && rank == Some(self.rank)
    }
}

/// The wires that turn without a box, of all runs.
pub(crate) fn turnings(graph: &Graph) -> Vec<Turning> {
    let segments = segments(graph);
    let turnings = segments.iter().filter_map(|segment| segment.turning(graph));
    turnings.collect()
}

impl Segment {
    /// True if the box belongs to the opened return clause.
    pub(super) fn is_opened_return(&self, graph: &Graph, index: usize) -> bool {
        let part = graph.boxes.get(index).and_then(|block| block.part);
        part.is_some_and(|part| part.pass == Pass::Return) && self.turn.is_none()
    }

    /// Wire that leads from the forward lane straight to the first box of the backward lane, present when the return clause computes
    /// nothing. Of several, it is the wire that is made last, since the values that a clause saves are made before its result.
    pub(super) fn turning(&self, graph: &Graph) -> Option<Turning> {
        let returns = |index: &usize| self.is_opened_return(graph, *index);
        if self.turn.is_some() || self.out.iter().any(returns) {
            return None;
        }
        let first = self.back.first()?;
        let rank = graph.boxes.get(*first)?.rank;
        let out: BTreeSet<usize> = self.out.iter().copied().collect();
        let comes = |number: usize, net: &Net| {
            let turning = Turning { net: number, rank };
            let ends = || net.to.iter();
            matches!(net.from, End::Box(index) if out.contains(&index))
                && ends().any(|end| turning.leads(graph, number, *end))
        };
        let nets = graph.nets.iter().enumerate();
        let nets = nets.filter(|(number, net)| comes(*number, net));
        let (net, _) = nets.max_by_key(|(_, net)| net.wire)?;
        Some(Turning { net, rank })
    }
}

/// The boxes of a graph, divided by runs.
pub(super) fn segments(graph: &Graph) -> Vec<Segment> {
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
                    Pass::Return if segment.turn.is_none() => segment.out.push(index),
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
        segment.out.sort_by_key(|index| {
            unit(index).map_or((0, 0, *index), |part| {
                let turned = u8::from(part.pass == Pass::Return);
                (1 + turned, part.unit, *index)
            })
        });
        segment.back.sort_by_key(|index| {
            unit(index).map_or((1, 0, *index), |part| (0, usize::MAX - part.unit, *index))
        });
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::{Segment, segments};
    use crate::cases::{check, graph, sketch};
    use crate::graph::{End, Graph};

    /// Boxes of each segment: in the forward lane, at the turn, and in the backward lane.
    fn listed(graph: &Graph) -> Vec<String> {
        let label = |index: &usize| graph.boxes.get(*index).map(|block| block.label.as_str());
        let labels = |list: &[usize]| list.iter().filter_map(label).collect::<Vec<_>>().join(" ");
        let text = |segment: &Segment| {
            let turn = labels(segment.turn.as_slice());
            format!(
                "{} | {turn} | {}",
                labels(&segment.out),
                labels(&segment.back)
            )
        };
        segments(graph).iter().map(text).collect()
    }

    #[test]
    fn the_way_back_goes_through_the_units_from_the_last_on() {
        let wires = "a → F›; F› → G›; G› → r⤺; r⤺ → G‹; G‹ → F‹; F‹ → b";
        check(
            &listed(&sketch("a F› G› r⤺ F‹ G‹ b", wires)),
            "a F G | r | G F b",
        );
    }

    #[test]
    fn what_is_between_two_runs_is_before_the_second() {
        check(
            &listed(&graph(
                "let y ⇐ (rev handle([1, 2])⟨x⟩. F(x) with H) in let z ⇐ ⌊sin(y)⌋ in
                 let u ⇐ (rev handle(z)⟨x⟩. F(x) with H) in ⌊cos(u)⌋",
            )),
            "
            [1, 2] F |  | F
            sin F |  | F cos",
        );
    }

    #[test]
    fn without_a_return_clause_the_last_that_comes_to_the_first_box_turns() {
        let turns = |wires: &str| {
            let graph = sketch("F› G› r⤺ G‹ F‹", wires);
            let mut runs = segments(&graph);
            let mut segment = runs.pop()?;
            let with_a_box = segment.turning(&graph);
            assert_eq!(with_a_box, None);
            segment.turn = None;
            let turning = segment.turning(&graph)?;
            let ends = graph.nets.iter().enumerate();
            let mut ends = ends.filter(|(net, _)| turning.leads(&graph, *net, End::Box(3)));
            ends.next().map(|(net, _)| net)
        };
        assert_eq!(turns("F› → G› F‹; G› → G‹; G› → G‹; G‹ → F‹"), Some(2));
        assert_eq!(turns("F› → G› G‹; G‹ → F‹"), Some(0));
        assert_eq!(turns("F› → G› F‹; G‹ → F‹"), None);
    }
}
