//! Wires between the boxes.

use super::{Block, End, Graph, Net};
use fletch_arrows::{Arrow, Node, NodeKind, Pass};
use fletch_smooth::Wire;
use std::collections::BTreeMap;

impl Graph {
    pub(super) fn nets(&mut self, arrow: &Arrow, home: &[Option<usize>]) {
        let map = &arrow.map;
        let count = map
            .statements()
            .last()
            .map_or(map.inputs().len(), |last| last.results().end);
        let mut ends: Vec<Vec<End>> = vec![Vec::new(); count];
        let mut begin: Vec<Option<End>> = vec![None; count];
        for (k, slot) in begin.iter_mut().take(map.inputs().len()).enumerate() {
            *slot = Some(End::Input(k));
        }
        for (number, statement) in map.statements().iter().enumerate() {
            let Some(at) = home.get(number).copied().flatten() else {
                continue;
            };
            for wire in statement.results() {
                if let Some(slot) = begin.get_mut(wire) {
                    *slot = Some(End::Box(at));
                }
            }
            for (position, wire) in statement.arguments.iter().enumerate() {
                if ignores(&statement.applied, position) {
                    continue;
                }
                if let Some(ends) = ends.get_mut(wire.0)
                    && !ends.contains(&End::Box(at))
                {
                    ends.push(End::Box(at));
                }
            }
        }
        for (k, wire) in map.outputs().iter().enumerate() {
            if let Some(ends) = ends.get_mut(wire.0) {
                ends.push(End::Output(k));
            }
        }
        for (wire, (from, to)) in begin.into_iter().zip(ends).enumerate() {
            let Some(from) = from else { continue };
            let to: Vec<End> = to.into_iter().filter(|end| *end != from).collect();
            let size = map.size(Wire(wire));
            if size > 0 && !to.is_empty() {
                self.nets.push(Net {
                    wire,
                    size,
                    name: map.name(Wire(wire)).map(|name| name.to_string()),
                    from,
                    to,
                    count: 1,
                });
            }
        }
    }
}

impl Graph {
    /// Routes an argument that a clause saves out of the clause's box, like its other saved values: the closed clause does both.
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
                [to] if net.name.is_none() && is_saved(&self.boxes, net.from, *to) => {
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

/// True if a wire goes to the way back of a run from its way out, or from before it: the value is saved.
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

/// True if rd\[f\] does not use an argument: the point of a linear map.
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
