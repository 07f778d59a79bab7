//! Wires between the boxes.

use super::once::{Drawn, Once, Role};
use super::{Block, End, Graph, Kind, Net};
use fletch_arrows::{Node, NodeKind, Pass};
use fletch_smooth::Wire;
use std::collections::BTreeMap;

impl Graph {
    pub(super) fn nets(&mut self, once: &Once, inputs: usize, home: &[Option<usize>]) {
        let mut ends: BTreeMap<Drawn, (Vec<End>, Vec<usize>)> = BTreeMap::new();
        let mut begin: BTreeMap<usize, End> = (0..inputs).map(|k| (k, End::Input(k))).collect();
        let at = |number: usize| home.get(number).copied().flatten();
        for (number, step) in once.steps.iter().enumerate() {
            let Some(at) = at(number) else { continue };
            for wire in step.results.clone() {
                begin.insert(wire, End::Box(at));
            }
            for (position, wire) in step.arguments.iter().enumerate() {
                if step.role == Role::Statement && ignores(&step.node, position) {
                    continue;
                }
                let (ends, _) = ends.entry(drawn(once, *wire)).or_default();
                if !ends.contains(&End::Box(at)) {
                    ends.push(End::Box(at));
                }
            }
            if let Role::Delay(_, fed) = step.role
                && self
                    .boxes
                    .get(at)
                    .is_some_and(|block| block.kind == Kind::Delay)
            {
                // The last value of an inner loop is fed back separately from the values of its moments.
                let (_, feeds) = ends.entry(once.drawn(fed.0)).or_default();
                feeds.push(at);
            }
        }
        for (k, wire) in once.outputs.iter().enumerate() {
            let (ends, _) = ends.entry(drawn(once, *wire)).or_default();
            ends.push(End::Output(k));
        }
        for (drawn, (to, feeds)) in ends {
            let Some(from) = begin.get(&drawn.wire).copied() else {
                continue;
            };
            let to: Vec<End> = to.into_iter().filter(|end| *end != from).collect();
            let levels = once.levels(drawn.wire, drawn.last);
            let Some(outer) = levels.first() else {
                continue;
            };
            let name = levels.iter().rev().find_map(|level| once.name(level.wire));
            if outer.size > 0 && !(to.is_empty() && feeds.is_empty()) {
                self.nets.push(Net {
                    wire: outer.wire,
                    size: outer.size,
                    name: name.map(|name| name.to_string()),
                    from,
                    to,
                    count: 1,
                    feeds,
                    depth: once.depth(outer.wire),
                    levels,
                });
            }
        }
    }
}

/// The wire that represents a wire in the diagram. A last value is drawn with its wire, unless the wire has a sequence.
fn drawn(once: &Once, wire: Wire) -> Drawn {
    let mut drawn = once.drawn(wire.0);
    drawn.last &= once
        .levels(drawn.wire, false)
        .iter()
        .any(|level| level.thick);
    drawn
}

impl Graph {
    /// Routes an argument that a forward clause saves through the clause's box, like its other saved values. A wire to both halves of a
    /// closed operation becomes one to the forward half, and one from the forward to the backward half.
    pub(super) fn pass_through(&mut self) {
        let mut saved = Vec::new();
        let mut nets = std::mem::take(&mut self.nets);
        for net in &mut nets {
            let to = std::mem::take(&mut net.to);
            for end in &to {
                let own = to.iter().find(|other| self.counterpart(**other, *end));
                match own {
                    Some(own) => saved.push(Net {
                        wire: net.wire,
                        size: net.size,
                        name: net.name.clone(),
                        from: *own,
                        to: vec![*end],
                        count: 1,
                        feeds: Vec::new(),
                        depth: net.depth,
                        levels: net.levels.clone(),
                    }),
                    None => net.to.push(*end),
                }
            }
        }
        nets.extend(saved);
        self.nets = nets;
    }

    /// Bundles the values that a term saves for its derivative into one wire.
    pub(super) fn bundle(&mut self) {
        let mut kept: Vec<Net> = Vec::new();
        let mut known: BTreeMap<(End, End), usize> = BTreeMap::new();
        for net in std::mem::take(&mut self.nets) {
            let ends = match net.to.as_slice() {
                [to] if net.name.is_none()
                    && net.feeds.is_empty()
                    && is_saved(&self.boxes, net.from, *to) =>
                {
                    Some((net.from, *to))
                }
                _ => None,
            };
            let same = ends.and_then(|ends| known.get(&ends).copied());
            match same.and_then(|same| kept.get_mut(same)) {
                Some(other) => other.count += net.count,
                None => {
                    known.extend(ends.map(|ends| (ends, kept.len())));
                    kept.push(net);
                }
            }
        }
        self.nets = kept;
    }
}

impl Graph {
    /// True if the boxes are the forward and the backward clause of one operation.
    fn counterpart(&self, forward: End, backward: End) -> bool {
        let find = |end| match end {
            End::Box(index) => self.boxes.get(index),
            _ => None,
        };
        let (Some(forward), Some(backward)) = (find(forward), find(backward)) else {
            return false;
        };
        if self.is_opened(forward.frame) || self.is_opened(backward.frame) {
            return false;
        }
        match (forward.part, backward.part) {
            (Some(out), Some(back)) => {
                forward.mark == Some(Pass::Forward)
                    && backward.mark == Some(Pass::Backward)
                    && out.run == back.run
                    && out.unit == back.unit
            }
            _ => false,
        }
    }
}

/// True if a wire carries a saved value: it leads to the backward pass of a run, from its forward pass or from outside of the run.
pub(crate) fn is_saved(boxes: &[Block], from: End, to: End) -> bool {
    let part = |end| match end {
        End::Box(index) => boxes.get(index).and_then(|block| block.part),
        _ => None,
    };
    match (part(from), part(to)) {
        (Some(from), Some(to)) if from.run == to.run => {
            from.pass == Pass::Forward && to.pass == Pass::Backward
        }
        (_, Some(to)) => to.pass == Pass::Backward,
        _ => false,
    }
}

/// True if the node is a derivative rd\[f\] that does not use this argument: the point, for a linear map f.
fn ignores(node: &Node, position: usize) -> bool {
    let NodeKind::Symbol(symbol) = &node.kind else {
        return false;
    };
    if symbol.reverse_of().is_none() {
        return false;
    }
    let map = symbol.map();
    let wire = Wire(position);
    !map.outputs().contains(&wire)
        && !map
            .statements()
            .iter()
            .any(|statement| statement.arguments.contains(&wire))
}

#[cfg(test)]
mod tests {
    use crate::cases::{check, graph, wires};

    #[test]
    fn what_a_clause_saves_of_its_argument_comes_out_of_its_box() {
        check(
            &wires(&graph("rev handle([1, 2])⟨x⟩. F(x) with H")),
            "
            Real(2) x: [1, 2] → F›
            Real(2) a: F› → F‹
            Real(2) x: F› → F‹
            Real(2): F‹ → out0
            Real(2) x: F› → F‹",
        );
    }

    #[test]
    fn what_a_term_saves_for_its_derivative_is_one_wire() {
        check(
            &wires(&graph(
                "rev handle([1, 2])⟨x⟩. (let y ⇐ F(x) in ⌊sin(cos(sin(y)))⌋) with T([0, 1])",
            )),
            "
            Real(2) x: [1, 2] → F›
            Real(2) a: F› → F‹
            Real(2) y: F› → sin(cos(sin(y))), rd[sin(cos(sin(y)))]
            2 × Real(2): sin(cos(sin(y))) → rd[sin(cos(sin(y)))]
            Real(2) x: sin(cos(sin(y))) → x − t
            Real(2): x − t → rd[sin(cos(sin(y)))]
            Real(2) y: rd[sin(cos(sin(y)))] → F‹
            Real(2): F‹ → out0
            Real(2) x: F› → F‹",
        );
    }

    #[test]
    fn the_derivative_of_a_linear_map_does_not_take_its_point() {
        let found = wires(&graph(
            "rev handle([1, 2])⟨x⟩. (let y ⇐ F(x) in ⌊cumsum(y)⌋) with T([0, 1])",
        ));
        assert!(
            found.contains(&"Real(2) y: F› → cumsum".to_owned()),
            "{found:?}"
        );
    }
}
