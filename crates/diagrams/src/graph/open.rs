//! Which boxes an arrow has when some are opened: a box is divided into what its statements are when the clause, the return
//! clause or the term that it stands for is looked into.

use super::group::{Key, Uses, groups, key, unit_of};
use super::label::{label, primitive};
use super::{Block, Graph, Opened, Part, Run, real};
use fletch_arrows::{Arrow, Node, Pass, Passage};
use fletch_smooth::Wire;
use std::collections::{BTreeMap, BTreeSet};

/// What is opened of a diagram.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// By what opens a box ([`Block::opens`]).
    pub keys: BTreeSet<String>,
    /// By name: an operation as it is written, with its indices or without; a handler; the text of a term; `return`.
    pub names: Vec<String>,
}

/// The runs and units met so far.
#[derive(Default)]
struct Known {
    runs: BTreeMap<u32, usize>,
    units: BTreeMap<(usize, Key), usize>,
    /// Where the units of each run begin in what is handled: the first statement there.
    begins: Vec<Vec<usize>>,
    names: BTreeSet<String>,
    met: BTreeSet<String>,
}

/// What is looked into.
struct Draft<'a> {
    arrow: &'a Arrow,
    source: &'a str,
    uses: Uses,
    opening: &'a Opening,
    known: Known,
    home: Vec<Option<usize>>,
    graph: Graph,
}

/// Where a box stands: how many handlers are looked into, in which frame, and as what of the folded diagram.
#[derive(Clone)]
struct Spot {
    depth: usize,
    frame: Option<usize>,
    prefix: String,
    part: Option<Part>,
    rank: usize,
}

impl Graph {
    /// The boxes and wires of an arrow; terms are labelled as the source writes them.
    pub fn of(arrow: &Arrow, source: &str) -> Graph {
        Graph::opened(arrow, source, &Opening::default())
    }

    /// The same with these boxes opened.
    pub fn opened(arrow: &Arrow, source: &str, opening: &Opening) -> Graph {
        let map = &arrow.map;
        let mut draft = Draft {
            arrow,
            source,
            uses: Uses::of(arrow),
            opening,
            known: Known::default(),
            home: vec![None; map.statements().len()],
            graph: Graph::default(),
        };
        let all = (0..map.statements().len()).collect::<Vec<usize>>();
        for (rank, (key, group)) in draft.divided(&all, 0).into_iter().enumerate() {
            let part = draft.part(&key, &group);
            let spot = Spot {
                depth: 0,
                frame: None,
                prefix: String::new(),
                part,
                rank,
            };
            draft.place(&key, group, &spot);
        }
        let Draft {
            mut graph,
            home,
            known,
            ..
        } = draft;
        graph.order_units(&known.begins);
        graph.fill_runs();
        graph.nets(arrow, &home);
        graph.pass_through();
        graph.bundle();
        graph.inputs = map.inputs().iter().map(|n| real(*n)).collect();
        let outputs = map.outputs().iter();
        graph.outputs = outputs.map(|wire| real(map.size(*wire))).collect();
        let asked = opening.names.iter();
        graph.unknown = asked
            .filter(|name| !known.met.contains(*name))
            .cloned()
            .collect();
        graph
    }

    /// Numbers the units of each run as what is handled goes on. One of which nothing is left on the way out is met on the way
    /// back alone, where later ones come first.
    fn order_units(&mut self, begins: &[Vec<usize>]) {
        let ranks: Vec<Vec<usize>> = begins.iter().map(|begins| ranks(begins)).collect();
        for part in self
            .boxes
            .iter_mut()
            .filter_map(|block| block.part.as_mut())
        {
            let rank = ranks.get(part.run).and_then(|ranks| ranks.get(part.unit));
            // The return clause is after all units.
            part.unit = rank.copied().unwrap_or(part.unit);
        }
    }

    /// The boxes of each unit, and those at the turn.
    fn fill_runs(&mut self) {
        for (number, block) in self.boxes.iter().enumerate() {
            let Some(part) = block.part else { continue };
            let Some(run) = self.runs.get_mut(part.run) else {
                continue;
            };
            let side = match part.pass {
                Pass::Return => {
                    // Opened, it is boxes on the way out.
                    run.turn = Some(number).filter(|_| block.frame.is_none());
                    continue;
                }
                Pass::Forward => 0,
                Pass::Backward => 1,
            };
            let unit = run.units.get_mut(part.unit);
            if let Some(boxes) = unit.and_then(|unit| unit.get_mut(side)) {
                boxes.push(number);
            }
        }
    }
}

impl<'a> Draft<'a> {
    fn node(&self, number: usize) -> Option<&'a Node> {
        let statement = self.arrow.map.statements().get(number)?;
        Some(&statement.applied)
    }

    /// These statements by boxes, this many handlers being looked into.
    fn divided(&self, statements: &[usize], depth: usize) -> Vec<(Key, Vec<usize>)> {
        let keys = statements.iter().filter_map(|number| {
            let node = self.node(*number)?;
            Some((*number, key(*number, node, within(node, depth))))
        });
        groups(self.arrow, &self.uses, keys.collect())
    }

    /// What the statements of a box are when it is opened, and how many handlers are looked into then. Where a clause is one term,
    /// it is what the term is made of.
    fn inside(&self, key: &Key, group: &[usize], depth: usize) -> (Vec<(Key, Vec<usize>)>, usize) {
        let single = |number: &usize| (*number, Key::Single(*number));
        let primitives = || {
            let keys = group.iter().map(single).collect();
            groups(self.arrow, &self.uses, keys)
        };
        match key {
            Key::Clause(..) => (self.divided(group, depth + 1), depth + 1),
            Key::Return(_) => match self.divided(group, depth + 1) {
                one if one.len() == 1 => (primitives(), depth + 1),
                several => (several, depth + 1),
            },
            Key::Term(..) => (primitives(), depth),
            Key::Single(_) => (Vec::new(), depth),
        }
    }

    /// Places a box, or what is in it.
    fn place(&mut self, key: &Key, group: Vec<usize>, spot: &Spot) {
        let nodes: Vec<&Node> = group
            .iter()
            .filter_map(|number| self.node(*number))
            .collect();
        let first = nodes.first().copied();
        let passage = first.and_then(|node| within(node, spot.depth));
        let call = passage.and_then(|passage| passage.call.as_ref());
        let place = first.map_or((0, 0), |node| {
            let origin = match (key, call, node.provenance.term) {
                // A clause stands where its operation is called.
                (Key::Clause(..), Some(call), _) => call.origin,
                (_, _, Some(term)) => term.origin,
                _ => node.provenance.origin,
            };
            (origin.start, origin.end)
        });
        let (label, kind, mark) = match key {
            Key::Single(_) if spot.frame.is_some() => {
                primitive(&nodes).unwrap_or_else(|| label(key, &nodes, passage, self.source))
            }
            _ => label(key, &nodes, passage, self.source),
        };
        let (unit, half) = key.name();
        let opens = format!("{}{unit}", spot.prefix);
        let own = format!("{opens}{half}");
        let (inside, depth) = self.inside(key, &group, spot.depth);
        let openable = match key {
            Key::Clause(..) => !inside.is_empty(),
            _ => inside.len() > 1,
        };
        if openable && self.opened(key, &label, &opens, passage) {
            let frame = self.graph.frames.len();
            let label = match key {
                Key::Return(_) => "return".to_owned(),
                _ => label,
            };
            self.graph.frames.push(Opened {
                label,
                half: mark,
                kind,
                parent: spot.frame,
                key: own.clone(),
                opens,
                statements: group,
                place,
            });
            for (key, group) in inside {
                let spot = Spot {
                    depth,
                    frame: Some(frame),
                    prefix: format!("{own}/"),
                    ..spot.clone()
                };
                self.place(&key, group, &spot);
            }
            return;
        }
        let number = self.graph.boxes.len();
        for statement in &group {
            if let Some(slot) = self.home.get_mut(*statement) {
                *slot = Some(number);
            }
        }
        self.graph.boxes.push(Block {
            label,
            kind,
            mark,
            part: spot.part,
            statements: group,
            place,
            key: own,
            opens: openable.then_some(opens),
            frame: spot.frame,
            rank: spot.rank,
        });
    }

    /// Whether a box that can be opened is to be; its names are noted.
    fn opened(&mut self, key: &Key, label: &str, opens: &str, passage: Option<&Passage>) -> bool {
        let mut names = Vec::new();
        match key {
            Key::Return(_) => names.push("return"),
            _ => names.push(label),
        }
        if let (Key::Clause(..), Some((family, _))) = (key, label.split_once('[')) {
            names.push(family);
        }
        if let (Key::Clause(..) | Key::Return(_), Some(passage)) = (key, passage) {
            names.push(&passage.handler);
        }
        for name in &names {
            if self.known.names.insert((*name).to_owned()) {
                self.graph.openable.push((*name).to_owned());
            }
        }
        let mut asked = false;
        for name in &self.opening.names {
            if names.contains(&name.as_str()) {
                self.known.met.insert(name.clone());
                asked = true;
            }
        }
        asked || self.opening.keys.contains(opens)
    }

    /// The part of a run that a box is.
    fn part(&mut self, key: &Key, group: &[usize]) -> Option<Part> {
        let first = group.first().and_then(|number| self.node(*number));
        let passage = first.and_then(|node| within(node, 0))?;
        // A sum of cotangents stands with what gives its last share.
        let beside = group.first().and_then(|number| {
            let statement = self.arrow.map.statements().get(*number)?;
            let last: Wire = *statement.arguments.last()?;
            let node = &statement.applied;
            let sum = node.operands() == Some(2) && node.provenance.term.is_none();
            let maker = self.uses.maker(last).filter(|_| sum)?;
            self.graph.boxes.get((*self.home.get(maker)?)?)?.part
        });
        let runs = &mut self.graph.runs;
        let run = *self.known.runs.entry(passage.run).or_insert_with(|| {
            runs.push(Run {
                handler: passage.handler.to_string(),
                ..Run::default()
            });
            self.known.begins.push(Vec::new());
            runs.len() - 1
        });
        let own = (run, unit_of(passage, key, first.as_ref()));
        let handled = group.iter().filter_map(|number| {
            let statement = self.arrow.map.statements().get(*number)?;
            let call = within(&statement.applied, 0)?.call.as_ref()?;
            Some(call.statement)
        });
        let begins = handled.min().unwrap_or(usize::MAX);
        let beside = beside.filter(|part| part.run == run).map(|part| part.unit);
        let known = beside.or_else(|| self.known.units.get(&own).copied());
        let unit = match (known, runs.get_mut(run)) {
            (Some(unit), _) => unit,
            (None, Some(record)) if passage.pass != Pass::Return => {
                record.units.push([Vec::new(), Vec::new()]);
                if let Some(of_run) = self.known.begins.get_mut(run) {
                    of_run.push(begins);
                }
                self.known.units.insert(own, record.units.len() - 1);
                record.units.len() - 1
            }
            (None, record) => record.map_or(0, |record| record.units.len()),
        };
        Some(Part {
            run,
            pass: passage.pass,
            unit,
        })
    }
}

/// The place of each in ascending order; equal ones keep theirs.
fn ranks(values: &[usize]) -> Vec<usize> {
    let mut order: Vec<(usize, usize)> = values.iter().copied().zip(0..).collect();
    order.sort_unstable();
    let mut ranks = vec![0; values.len()];
    for (rank, (_, place)) in order.into_iter().enumerate() {
        if let Some(slot) = ranks.get_mut(place) {
            *slot = rank;
        }
    }
    ranks
}

/// The passage of a statement that is left when this many handlers are looked into.
fn within(node: &Node, depth: usize) -> Option<&Passage> {
    let mut passage = node.provenance.passage.as_deref();
    for _ in 0..depth {
        passage = passage?.inner.as_deref();
    }
    passage
}
