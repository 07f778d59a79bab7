//! What is drawn of an arrow: boxes, each a term or a clause of its statements, and the wires between them.

mod group;
mod label;

use fletch_arrows::{Arrow, Node, NodeKind, Pass};
use fletch_smooth::{Applied, Wire};
use group::{Key, join_sums, key, makers, split_circles, unit_of};
use label::label;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The boxes and the wires of an arrow.
#[derive(Debug, Default)]
pub struct Graph {
    /// The boxes, in the order of their first statements.
    pub boxes: Vec<Block>,
    /// The wires that are drawn; those of the unit type are not.
    pub nets: Vec<Net>,
    /// The runs of reverse handlers, in order.
    pub runs: Vec<Run>,
    /// The types of inputs and outputs, as they are written.
    pub inputs: Vec<String>,
    /// See `inputs`.
    pub outputs: Vec<String>,
}

/// A box.
#[derive(Debug)]
pub struct Block {
    /// What it shows.
    pub label: String,
    /// How it looks.
    pub kind: Kind,
    /// Which half of a handled operation it is.
    pub mark: Option<Pass>,
    /// The run of a reverse handler that it belongs to, and its part in it.
    pub part: Option<Part>,
    /// The statements that it stands for.
    pub statements: Vec<usize>,
    /// The place in the source, in bytes.
    pub place: (u32, u32),
    /// What stays the same from one picture of the arrow to the next.
    pub key: String,
}

/// How a box looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// An operation, or a clause of one.
    Operation,
    /// A pure map.
    Pure,
    /// +
    Sum,
}

/// Where a box stands in a run of a reverse handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The run, by its place among all.
    pub run: usize,
    /// On the way out, at the turn, on the way back.
    pub pass: Pass,
    /// The unit: what is handled together, forward and backward.
    pub unit: usize,
}

/// A run of a reverse handler: its units, forward and backward.
#[derive(Debug, Default)]
pub struct Run {
    /// The handler's name.
    pub handler: String,
    /// The boxes of each unit on the way out, and those on the way back.
    pub units: Vec<[Vec<usize>; 2]>,
    /// The box of the return clause, if it computes anything.
    pub turn: Option<usize>,
}

/// A wire from where it begins to all where it ends.
#[derive(Debug)]
pub struct Net {
    /// The wire of the arrow.
    pub wire: usize,
    /// Its size.
    pub size: usize,
    /// What it is called, if it has a name.
    pub name: Option<String>,
    /// Where it begins.
    pub from: End,
    /// Where it ends, in order.
    pub to: Vec<End>,
    /// How many values it carries: what a term saves for its derivative is drawn as one.
    pub count: usize,
}

/// An end of a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// At an input of the arrow.
    Input(usize),
    /// At a box.
    Box(usize),
    /// At an output of the arrow.
    Output(usize),
}

/// The runs and units met so far.
#[derive(Default)]
struct Known {
    runs: BTreeMap<u32, usize>,
    units: BTreeMap<(usize, Key), usize>,
}

impl Graph {
    /// The boxes and wires of an arrow; terms are labelled as the source writes them.
    pub fn of(arrow: &Arrow, source: &str) -> Graph {
        let map = &arrow.map;
        let statements = map.statements();
        let mut keys: Vec<Key> = statements
            .iter()
            .enumerate()
            .map(|(number, statement)| key(number, &statement.applied))
            .collect();
        join_sums(arrow, &mut keys);
        split_circles(arrow, &mut keys);
        let mut members: BTreeMap<&Key, Vec<usize>> = BTreeMap::new();
        for (number, key) in keys.iter().enumerate() {
            members.entry(key).or_default().push(number);
        }
        let mut groups: Vec<(&Key, Vec<usize>)> = members.into_iter().collect();
        groups.sort_by_key(|(_, statements)| statements.first().copied());
        let unit_only = |group: &[usize]| {
            group.iter().all(|number| {
                statements.get(*number).is_some_and(|statement| {
                    !statement.applied.is_kept()
                        && statement.results().all(|wire| map.size(Wire(wire)) == 0)
                })
            })
        };
        groups.retain(|(_, group)| !unit_only(group));

        let makers = makers(arrow);
        let mut graph = Graph::default();
        let mut home: Vec<Option<usize>> = vec![None; statements.len()];
        let mut known = Known::default();
        for (key, group) in groups {
            let number = graph.boxes.len();
            for statement in &group {
                if let Some(slot) = home.get_mut(*statement) {
                    *slot = Some(number);
                }
            }
            // A sum of cotangents stands with what gives its last share.
            let beside = group.first().and_then(|number| {
                let statement = statements.get(*number)?;
                let last = statement.arguments.last()?;
                let node = &statement.applied;
                let sum = node.operands() == Some(2) && node.provenance.term.is_none();
                let maker = makers.get(&last.0).filter(|_| sum)?;
                graph.boxes.get((*home.get(*maker)?)?)?.part
            });
            let block = graph.block((arrow, source), key, group, &mut known, beside);
            graph.boxes.push(block);
        }
        graph.nets(arrow, &home);
        graph.pass_through();
        graph.bundle();
        graph.inputs = map.inputs().iter().map(|n| real(*n)).collect();
        graph.outputs = map
            .outputs()
            .iter()
            .map(|wire| real(map.size(*wire)))
            .collect();
        graph
    }

    fn block(
        &mut self,
        (arrow, source): (&Arrow, &str),
        key: &Key,
        group: Vec<usize>,
        known: &mut Known,
        beside: Option<Part>,
    ) -> Block {
        let nodes: Vec<&Node> = group
            .iter()
            .filter_map(|number| Some(&arrow.map.statements().get(*number)?.applied))
            .collect();
        let first = nodes.first();
        let passage = first.and_then(|node| node.provenance.passage.as_deref());
        let call = passage.and_then(|passage| passage.call.as_ref());
        let origin = first.map_or((0, 0), |node| {
            let origin = match (key, call, node.provenance.term) {
                // A clause stands where its operation is called.
                (Key::Clause(..), Some(call), _) => call.origin,
                (_, _, Some(term)) => term.origin,
                _ => node.provenance.origin,
            };
            (origin.start, origin.end)
        });
        let number = self.boxes.len();
        let part = passage.map(|passage| {
            let run = *known.runs.entry(passage.run).or_insert_with(|| {
                self.runs.push(Run {
                    handler: passage.handler.to_string(),
                    ..Run::default()
                });
                self.runs.len() - 1
            });
            let unit = unit_of(passage, key, first);
            let beside = beside.filter(|part| part.run == run).map(|part| part.unit);
            let (unit, fresh) =
                match beside.or_else(|| known.units.get(&(run, unit.clone())).copied()) {
                    Some(unit) => (unit, false),
                    None => (self.runs.get(run).map_or(0, |run| run.units.len()), true),
                };
            let record = self.runs.get_mut(run);
            if let Some(record) = record {
                match passage.pass {
                    Pass::Return => record.turn = Some(number),
                    pass => {
                        if fresh {
                            record.units.push([Vec::new(), Vec::new()]);
                            known
                                .units
                                .insert((run, unit_of(passage, key, first)), unit);
                        }
                        let side = usize::from(pass == Pass::Backward);
                        if let Some(boxes) = record
                            .units
                            .get_mut(unit)
                            .and_then(|unit| unit.get_mut(side))
                        {
                            boxes.push(number);
                        }
                    }
                }
            }
            Part {
                run,
                pass: passage.pass,
                unit,
            }
        });
        let (label, kind, mark) = label(key, &nodes, passage, source);
        Block {
            label,
            kind,
            mark,
            part,
            statements: group,
            place: origin,
            key: format!("{key:?}"),
        }
    }

    fn nets(&mut self, arrow: &Arrow, home: &[Option<usize>]) {
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
    /// What a clause is given and saves leaves its box, as what else it saves: folded, it is one thing that the clause does.
    fn pass_through(&mut self) {
        let mut saved = Vec::new();
        for net in &mut self.nets {
            let to = std::mem::take(&mut net.to);
            for end in &to {
                let own = to
                    .iter()
                    .find(|other| counterpart(&self.boxes, **other, *end));
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
        self.nets.extend(saved);
    }

    /// What a term computes on the way and its derivative uses is one wire, not one for each.
    fn bundle(&mut self) {
        let mut kept: Vec<Net> = Vec::new();
        for net in std::mem::take(&mut self.nets) {
            let whole = |other: &&mut Net| {
                other.name.is_none() && other.from == net.from && other.to == net.to
            };
            let internal = net.name.is_none()
                && matches!(net.to.as_slice(), [to] if is_saved(&self.boxes, net.from, *to));
            match kept.iter_mut().find(whole).filter(|_| internal) {
                Some(other) => other.count += net.count,
                None => kept.push(net),
            }
        }
        self.nets = kept;
    }
}

/// Whether a box is the forward clause of an operation, and the other one the backward clause of the same.
fn counterpart(boxes: &[Block], forward: End, backward: End) -> bool {
    let find = |end| match end {
        End::Box(index) => boxes.get(index),
        _ => None,
    };
    let (Some(forward), Some(backward)) = (find(forward), find(backward)) else {
        return false;
    };
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

/// Whether a wire goes from the way out to the way back of one run.
pub(crate) fn is_saved(boxes: &[Block], from: End, to: End) -> bool {
    let part = |end| match end {
        End::Box(index) => boxes.get(index).and_then(|block| block.part),
        _ => None,
    };
    match (part(from), part(to)) {
        (Some(from), Some(to)) => {
            from.run == to.run && from.pass == Pass::Forward && to.pass == Pass::Backward
        }
        _ => false,
    }
}

/// `Real(3)`
fn real(n: usize) -> String {
    format!("Real({n})")
}

/// Whether rd\[f\] does not look at an argument: the point of a linear map.
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
