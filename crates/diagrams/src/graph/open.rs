//! Boxes of an arrow with some of them opened: an opened clause, return clause or term is divided into the boxes of its statements.

use super::group::{Key, Uses, groups, key, unit_of};
use super::inner::{Around, around, letter};
use super::label::{brief, derives, label, primitive};
use super::once::{Once, Role, Round};
use super::{Block, Graph, Kind, Opened, Part, Run, real};
use fletch_arrows::{Arrow, Node, NodeKind, Pass, Passage};
use fletch_smooth::Wire;
use std::collections::{BTreeMap, BTreeSet};

/// Opened and folded boxes of a diagram.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// Keys of opened boxes ([`Block::opens`]). The run of a handler is open at first, so that its key folds it.
    pub keys: BTreeSet<String>,
    /// Names of opened boxes: an operation as it is written, with its indices or without; a handler; the text of a term; `return`.
    pub names: Vec<String>,
    /// The handlers whose runs are folded, each to one box; `feedback` for all loops.
    pub folded: Vec<String>,
}

/// The runs, units, frames and names found so far.
#[derive(Default)]
struct Known {
    runs: BTreeMap<u32, usize>,
    units: BTreeMap<(usize, Key), usize>,
    /// For each run and unit, the path of its first statement in the handled network: the loops around it, then the statement.
    begins: Vec<Vec<Vec<usize>>>,
    names: BTreeSet<String>,
    met: BTreeSet<String>,
    handlers: BTreeSet<String>,
    /// The frames of runs, by their keys.
    frames: BTreeMap<String, usize>,
}

/// Graph under construction.
struct Draft<'a> {
    once: &'a Once,
    source: &'a str,
    uses: Uses,
    opening: &'a Opening,
    known: Known,
    home: Vec<Option<usize>>,
    graph: Graph,
}

/// Position of a box: handler depth, enclosing frame, and the box of the closed diagram that it belongs to.
#[derive(Clone)]
struct Spot {
    depth: usize,
    frame: Option<usize>,
    prefix: String,
    part: Option<Part>,
    rank: usize,
    /// True if the runs around the box still need frames. The parts of an opened term are already inside of the frames around the term.
    runs: bool,
}

/// Frame around a box that is open at first.
enum Outer<'a> {
    Run(Around<'a>),
    Loop(&'a Round),
}

impl Graph {
    /// The boxes and wires of an arrow; terms are labelled as the source writes them.
    pub fn of(arrow: &Arrow, source: &str) -> Graph {
        Graph::opened(arrow, source, &Opening::default())
    }

    /// Boxes and wires of an arrow, with these boxes opened.
    pub fn opened(arrow: &Arrow, source: &str, opening: &Opening) -> Graph {
        let map = &arrow.map;
        let once = &opening.statements(arrow);
        let mut draft = Draft {
            once,
            source,
            uses: Uses::of(once),
            opening,
            known: Known::default(),
            home: vec![None; once.steps.len()],
            graph: Graph::default(),
        };
        let all = (0..once.steps.len()).collect::<Vec<usize>>();
        for (rank, (key, group)) in draft.divided(&all, 0, "").into_iter().enumerate() {
            let part = draft.part(&key, &group);
            let spot = Spot {
                depth: 0,
                frame: None,
                prefix: String::new(),
                part,
                rank,
                runs: true,
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
        let numbers = once.steps.iter();
        graph.numbers = numbers.map(|step| (step.number, step.statement)).collect();
        graph.nets(once, map.inputs().len(), &home);
        graph.pass_through();
        graph.bundle();
        graph.inputs = map.inputs().iter().map(|n| real(*n)).collect();
        let outputs = map.outputs().iter();
        graph.outputs = outputs.map(|wire| real(map.size(*wire))).collect();
        let folded = opening.folded.iter();
        graph.not_foldable = folded
            .filter(|name| !known.handlers.contains(*name))
            .cloned()
            .collect();
        let asked = opening.names.iter();
        graph.unknown = asked
            .filter(|name| !known.met.contains(*name))
            .cloned()
            .collect();
        graph
    }

    /// Numbers the units of each run in the order of the handled command. A unit without boxes in the forward pass is found in the backward
    /// pass alone, where later units come first.
    fn order_units(&mut self, begins: &[Vec<Vec<usize>>]) {
        let ranks: Vec<Vec<usize>> = begins.iter().map(|begins| ranks(begins)).collect();
        for part in self
            .boxes
            .iter_mut()
            .filter_map(|block| block.part.as_mut())
        {
            let ranks = ranks.get(part.run).map_or(&[][..], Vec::as_slice);
            part.unit = match part.pass {
                // The return clause is none of the units: its number is theirs, also of those found after it.
                Pass::Return => ranks.len(),
                // A number without a rank stays as it is.
                _ => ranks.get(part.unit).copied().unwrap_or(part.unit),
            };
        }
    }

    /// Fills in the boxes of each unit, and the box of the return clause.
    fn fill_runs(&mut self) {
        for (number, block) in self.boxes.iter().enumerate() {
            let Some(part) = block.part else { continue };
            let Some(run) = self.runs.get_mut(part.run) else {
                continue;
            };
            let side = match part.pass {
                Pass::Return => {
                    // The boxes of an opened return clause belong to the forward pass.
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
        self.once.node(number)
    }

    /// Groups statements by box, at this handler depth, under this key prefix.
    fn divided(&self, statements: &[usize], depth: usize, prefix: &str) -> Vec<(Key, Vec<usize>)> {
        let unfolded = |number: usize| match self.node(number) {
            Some(node) => key(self.once, number, within(node, depth), depth),
            None => Key::Single(number),
        };
        let folds = self.folds();
        let keys = statements.iter().map(|number| {
            let node = self.node(*number).filter(|_| folds);
            let folded = node.and_then(|_| {
                let outer = self.outer(*number, depth).into_iter();
                let mut runs = outer.filter_map(Outer::run);
                let run = runs.find(|run| self.is_folded(run, prefix))?;
                Some(Key::Run(run.key, run.half))
            });
            (*number, folded.unwrap_or_else(|| unfolded(*number)))
        });
        groups(self.once, &self.uses, keys.collect(), unfolded)
    }

    /// True if any run is folded; all runs are open at first.
    fn folds(&self) -> bool {
        let Opening { keys, folded, .. } = self.opening;
        let is_run = |key: &String| {
            key.rsplit('/')
                .next()
                .is_some_and(|own| own.starts_with('n'))
        };
        !folded.is_empty() || keys.iter().any(is_run)
    }

    /// True if the run is drawn as one box.
    fn is_folded(&self, run: &Around<'_>, prefix: &str) -> bool {
        let Opening { keys, folded, .. } = self.opening;
        folded.iter().any(|name| **name == *run.passage.handler)
            || keys.contains(&format!("{prefix}{}", run.key))
    }

    /// Contents of an opened box, as groups of statements, and the handler depth inside. A return clause that is a single term yields the
    /// statements of the term.
    fn inside(
        &self,
        key: &Key,
        group: &[usize],
        depth: usize,
        prefix: &str,
    ) -> (Vec<(Key, Vec<usize>)>, usize) {
        let single = |number: &usize| (*number, Key::Single(*number));
        let primitives = || {
            let keys = group.iter().map(single).collect();
            groups(self.once, &self.uses, keys, Key::Single)
        };
        match key {
            Key::Clause(..) => (self.divided(group, depth + 1, prefix), depth + 1),
            Key::Return(_) => match self.divided(group, depth + 1, prefix) {
                one if one.len() == 1 => (primitives(), depth + 1),
                several => (several, depth + 1),
            },
            Key::Term(..) => (primitives(), depth),
            Key::Single(_) | Key::Call(_) | Key::Loop(..) | Key::Run(..) => (Vec::new(), depth),
        }
    }

    /// Adds a box to the graph, or the boxes inside of it if it is opened.
    fn place(&mut self, key: &Key, group: Vec<usize>, spot: &Spot) {
        let nodes: Vec<&Node> = group
            .iter()
            .filter_map(|number| self.node(*number))
            .collect();
        let first = nodes.first().copied();
        let passage = first.and_then(|node| within(node, spot.depth));
        let call = passage.and_then(|passage| passage.call.as_ref());
        let role = group
            .first()
            .and_then(|number| self.once.steps.get(*number));
        let role = role.map_or(Role::Statement, |step| step.role);
        let outer = match (spot.runs, group.first()) {
            (true, Some(first)) => self.outer(*first, spot.depth),
            _ => Vec::new(),
        };
        let mut runs = outer.iter().filter_map(|outer| match outer {
            Outer::Run(run) => Some(run),
            Outer::Loop(_) => None,
        });
        let folded = match key {
            Key::Run(name, _) => runs.clone().find(|run| run.key == *name),
            _ => None,
        };
        let folded = folded.map(|run| run.passage);
        let is_folded = |run: &Around<'_>| folded.is_some_and(|own| std::ptr::eq(own, run.passage));
        let bends = runs.next().filter(|run| run.bends && !is_folded(run));
        let folds = bends.map(|run| format!("{}{}", spot.prefix, run.key));
        let frame = self.frames(&outer, &group, spot, folded);
        let place = first.map_or((0, 0), |node| {
            let origin = match (key, call, node.provenance.term) {
                (Key::Run(..), ..) => folded.map_or(node.provenance.origin, |run| run.origin),
                // The span of a clause is that of the call of its operation.
                (Key::Clause(..), Some(call), _) => call.origin,
                (_, _, Some(term)) => term.origin,
                _ => node.provenance.origin,
            };
            (origin.start, origin.end)
        });
        if matches!(role, Role::Folded(_)) && self.known.handlers.insert(FEEDBACK.to_owned()) {
            self.graph.foldable.push(FEEDBACK.to_owned());
        }
        let looped = |own: usize| self.once.loops.get(own).map_or(0, |round| round.count);
        let (label, kind, mark) = match (key, role) {
            (Key::Single(_), Role::Delay(..)) => ("delay".to_owned(), Kind::Delay, None),
            (Key::Single(_), Role::Copy) => ("copy".to_owned(), Kind::Pure, None),
            (Key::Loop(_, half), Role::Folded(own)) => {
                let performs = nodes.iter().any(|node| performs(node));
                let kind = if performs {
                    Kind::Operation
                } else {
                    Kind::Pure
                };
                (named(looped(own)), kind, *half)
            }
            (Key::Single(_), _) if spot.frame.is_some() => {
                primitive(&nodes).unwrap_or_else(|| label(key, &nodes, passage, self.source))
            }
            _ => label(key, &nodes, folded.or(passage), self.source),
        };
        let brief = match key {
            Key::Run(..) | Key::Loop(..) => label.clone(),
            Key::Single(_) if role != Role::Statement => label.clone(),
            _ => brief(&label, &nodes, passage, kind),
        };
        let (unit, half) = key.name();
        let opens = match key {
            Key::Loop(key, _) => key.clone(),
            _ => format!("{}{unit}", spot.prefix),
        };
        let own = format!("{opens}{half}");
        let (inside, depth) = self.inside(key, &group, spot.depth, &format!("{own}/"));
        let openable = match key {
            Key::Clause(..) => !inside.is_empty(),
            Key::Run(..) | Key::Loop(..) => true,
            _ => inside.len() > 1,
        };
        let whole = matches!(key, Key::Run(..) | Key::Loop(..));
        if openable && !whole && self.opened(key, &label, &opens, passage) {
            let own_frame = self.graph.frames.len();
            let label = match key {
                Key::Return(_) => "return".to_owned(),
                _ => label,
            };
            self.graph.frames.push(Opened {
                label,
                is_run: false,
                is_loop: false,
                half: mark,
                kind,
                parent: frame,
                key: own.clone(),
                opens,
                statements: group,
                place,
            });
            for (key, group) in inside {
                let spot = Spot {
                    depth,
                    frame: Some(own_frame),
                    prefix: format!("{own}/"),
                    runs: spot.runs && depth > spot.depth,
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
            brief,
            kind,
            derivative: kind == Kind::Pure && derives(&nodes, passage),
            mark,
            part: spot.part,
            statements: group,
            place,
            key: own,
            opens: openable.then_some(opens),
            folds,
            frame,
            rank: spot.rank,
        });
    }

    /// The runs and loops around a statement at this depth, the outermost first.
    fn outer(&self, number: usize, depth: usize) -> Vec<Outer<'a>> {
        let runs = |node: &'a Node| around(within(node, depth), depth > 0);
        let mut found = Vec::new();
        let mut met: Vec<String> = Vec::new();
        let mut inside = String::new();
        let mut add = |found: &mut Vec<Outer<'a>>, runs: Vec<Around<'a>>, inside: &str| {
            for mut run in runs {
                if !met.contains(&run.key) {
                    met.push(run.key.clone());
                    if !inside.is_empty() {
                        run.key = format!("{inside}.{}", run.key);
                        run.bends = false;
                    }
                    found.push(Outer::Run(run));
                }
            }
        };
        let loops = self.once.around(number).into_iter();
        let loops = loops.filter_map(|own| self.once.loops.get(own));
        for round in loops.filter(|round| round.depth == depth) {
            add(&mut found, runs(&round.node), &inside);
            found.push(Outer::Loop(round));
            // A run of the body is distinct from a run of the same number outside.
            inside = format!("n{}", round.key);
        }
        if let Some(node) = self.node(number) {
            add(&mut found, runs(node), &inside);
        }
        found
    }

    /// Adds the frames of the runs and loops around a box; returns the innermost frame.
    fn frames(
        &mut self,
        outer: &[Outer<'_>],
        group: &[usize],
        spot: &Spot,
        folded: Option<&Passage>,
    ) -> Option<usize> {
        let mut frame = spot.frame;
        for outer in outer {
            let new = match outer {
                Outer::Run(run) => {
                    let handler = &run.passage.handler;
                    if self.known.handlers.insert(handler.to_string()) {
                        self.graph.foldable.push(handler.to_string());
                    }
                    if folded.is_some_and(|folded| std::ptr::eq(folded, run.passage)) {
                        break;
                    }
                    if run.bends {
                        continue;
                    }
                    let opens = format!("{}{}", spot.prefix, run.key);
                    (handler.to_string(), opens, run.half, run.passage.origin)
                }
                Outer::Loop(round) => {
                    if self.known.handlers.insert(FEEDBACK.to_owned()) {
                        self.graph.foldable.push(FEEDBACK.to_owned());
                    }
                    let origin = round.node.provenance.origin;
                    (named(round.count), round.key.clone(), round.half(), origin)
                }
            };
            let (label, opens, half, origin) = new;
            let key = format!("{opens}{}", letter(half));
            let known = self.known.frames.get(&key).copied();
            let own = known.unwrap_or(self.graph.frames.len());
            if known.is_none() {
                self.known.frames.insert(key.clone(), own);
                self.graph.frames.push(Opened {
                    label,
                    is_run: true,
                    is_loop: matches!(outer, Outer::Loop(_)),
                    half,
                    kind: Kind::Operation,
                    parent: frame,
                    key,
                    opens,
                    statements: Vec::new(),
                    place: (origin.start, origin.end),
                });
            }
            if let Some(opened) = self.graph.frames.get_mut(own) {
                opened.statements.extend(group);
            }
            frame = Some(own);
        }
        frame
    }

    /// True if the box is to be opened; also records its names.
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

    /// Run, pass and unit of a box.
    fn part(&mut self, key: &Key, group: &[usize]) -> Option<Part> {
        let first = group.first().and_then(|number| self.node(*number));
        if matches!(key, Key::Run(_, None)) {
            return None; // All of what would bend.
        }
        let passage = first.and_then(|node| within(node, 0))?;
        let outer = group.first().map(|number| self.outer(*number, 0));
        let bends = outer.and_then(|outer| outer.into_iter().find_map(Outer::run));
        if bends.is_some_and(|run| !run.bends) {
            return None; // A run of a loop's body.
        }
        // A sum of cotangents belongs to the unit that gives its last summand.
        let beside = group.first().and_then(|number| {
            let step = self.once.steps.get(*number)?;
            let last: Wire = *step.arguments.last()?;
            let node = &step.node;
            let sum = node.operands() == Some(2) && node.provenance.term.is_none();
            let maker = self.uses.maker(last).filter(|_| sum)?;
            let same = self.once.steps.get(maker)?.around == step.around;
            self.graph
                .boxes
                .get((*self.home.get(maker).filter(|_| same)?)?)?
                .part
        });
        let first = *group.first()?;
        let handled = group.iter().filter_map(|number| {
            let call = within(self.node(*number)?, 0)?.call.as_ref()?;
            Some(self.once.call(*number, call.statement, 0))
        });
        let begins = handled.min().unwrap_or_else(|| vec![usize::MAX]);
        let runs = &mut self.graph.runs;
        let run = *self.known.runs.entry(passage.run).or_insert_with(|| {
            runs.push(Run {
                handler: passage.handler.to_string(),
                ..Run::default()
            });
            self.known.begins.push(Vec::new());
            runs.len() - 1
        });
        let own = (run, unit_of(self.once, first, passage, key));
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

impl<'a> Outer<'a> {
    fn run(self) -> Option<Around<'a>> {
        match self {
            Outer::Run(run) => Some(run),
            Outer::Loop(_) => None,
        }
    }
}

impl Opening {
    /// Statements of an arrow for a diagram with this opening: the body of each loop once, unless the loop is folded.
    pub fn statements(&self, arrow: &Arrow) -> Once {
        let all = self.folded.iter().any(|name| name == FEEDBACK);
        Once::of(arrow, &|key| all || self.keys.contains(key))
    }
}

/// Name that folds all loops.
const FEEDBACK: &str = "feedback";

/// Label of a loop: `feedback × 8`.
fn named(count: usize) -> String {
    format!("{FEEDBACK} × {count}")
}

/// True if a node performs an operation, or has a loop that does.
fn performs(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Loop(looped) => looped.has(&|node| node.operation().is_some()),
        _ => node.operation().is_some(),
    }
}

/// Rank of each value in ascending order; equal values keep their order.
fn ranks(values: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<(&Vec<usize>, usize)> = values.iter().zip(0..).collect();
    order.sort_unstable();
    let mut ranks = vec![0; values.len()];
    for (rank, (_, place)) in order.into_iter().enumerate() {
        if let Some(slot) = ranks.get_mut(place) {
            *slot = rank;
        }
    }
    ranks
}

/// Passage of a statement that remains inside of the clauses of `depth` handlers.
fn within(node: &Node, depth: usize) -> Option<&Passage> {
    let mut passage = node.provenance.passage.as_deref();
    for _ in 0..depth {
        passage = passage?.inner.as_deref();
    }
    passage
}

#[cfg(test)]
mod tests {
    use super::{Part, Pass};
    use crate::cases::{boxes, check, graph, opened, opening};

    const TWICE: &str = "rev handle([1, 2])⟨x⟩. (let y ⇐ F(x) in F(sin(y))) with H";
    const INSIDE: &str = "rev handle([1, 2])⟨x⟩. (rev handle(x)⟨x⟩. F(x) with N) with H";

    #[test]
    fn an_opened_operation_is_the_terms_and_operations_of_both_its_clauses() {
        check(
            &boxes(&opened(
                "rev handle([1, 2])⟨x⟩. F(x) with H",
                &opening(&["F"], &[]),
            )),
            "
            [1, 2]
            F›: Get[w]
            F›: ⟨a + x, ⟨a, x⟩⟩
            F‹: a − y
            F‹: Put[w]
            F‹: y + x",
        );
    }

    #[test]
    fn a_folded_run_is_a_box_on_either_side() {
        check(
            &boxes(&opened(INSIDE, &opening(&[], &["N"]))),
            "
            [1, 2]
            rev handle … with N›
            rev handle … with N‹",
        );
        check(
            &boxes(&opened(INSIDE, &opening(&[], &["H"]))),
            "
            [1, 2]
            rev handle … with H",
        );
    }

    #[test]
    fn what_can_be_opened_is_listed_and_what_is_not_there_is_told() {
        let graph = opened(TWICE, &opening(&["G"], &["M"]));
        assert_eq!(
            (graph.openable, graph.foldable),
            (vec!["F".to_owned(), "H".to_owned()], vec!["H".to_owned()])
        );
        assert_eq!(
            (graph.unknown, graph.not_foldable),
            (vec!["G".to_owned()], vec!["M".to_owned()])
        );
    }

    #[test]
    fn units_have_both_halves_in_the_order_of_what_is_handled() {
        let graph = graph(TWICE);
        let labels = boxes(&graph);
        let unit = |[out, back]: &[Vec<usize>; 2]| {
            let text = |side: &[usize]| -> String {
                let labels = side.iter().filter_map(|number| labels.get(*number));
                labels.cloned().collect()
            };
            format!("{} {}", text(out), text(back))
        };
        let units = graph.runs.iter().flat_map(|run| run.units.iter().map(unit));
        check(&units.collect::<Vec<_>>(), "F› F‹\nsin rd[sin]\nF› F‹");
    }

    #[test]
    fn the_return_clause_is_none_of_the_units() {
        let copied = "rev handle([1, 2])⟨x⟩. (let p ⇐ ⌊⟨x, x⟩⌋ in F(p.1 + p.2)) with T([1, 1])";
        let graph = graph(copied);
        let parts = graph.boxes.iter().filter_map(|block| block.part);
        let turns: Vec<Part> = parts.filter(|part| part.pass == Pass::Return).collect();
        assert!(!turns.is_empty());
        for part in turns {
            assert_eq!(part.unit, graph.runs[part.run].units.len());
        }
    }
}
