//! Statements of an arrow with the body of each loop once, as a diagram draws them. A state begins at a delay, which takes the first state
//! and is fed the next one; an entry of a sequence has a wire of its own inside of the loop. So a diagram does not depend on the number of
//! moments.

use super::inner::letter;
use fletch_arrows::{Arrow, Loop, Node, NodeKind, Pass, Passage};
use fletch_smooth::{Applied, Map, Wire};
use std::ops::Range;
use std::sync::Arc;

/// The statements of an arrow, loop bodies once. Without loops, statements and wires have the numbers that they have in the arrow.
#[derive(Debug, Default)]
pub struct Once {
    /// The statements, in order.
    pub steps: Vec<Step>,
    /// The loops, an outer one before those in it.
    pub loops: Vec<Round>,
    /// The wires of the outputs.
    pub outputs: Vec<Wire>,
    wires: Vec<Strand>,
    /// The statement of the arrow that is written.
    at: usize,
}

/// A statement.
#[derive(Debug)]
pub struct Step {
    /// Operation, with its place among the handlers of the whole arrow.
    pub node: Node,
    /// Role of the statement in a loop.
    pub role: Role,
    /// Wires of the arguments.
    pub arguments: Vec<Wire>,
    /// Numbers of the wires of the results.
    pub results: Range<usize>,
    /// Innermost loop around the statement; a delay stands before its loop.
    pub around: Option<usize>,
    /// Number of the statement of the arrow that it is, or the body of which it is in.
    pub statement: usize,
}

/// Role of a statement in a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A statement of the arrow or of a body.
    Statement,
    /// A loop that is folded.
    Folded(usize),
    /// Delay of a loop: first the first state, then the state of the moment before, which comes on this wire.
    Delay(usize, Wire),
    /// A copy of a value that a body gives as it comes.
    Copy,
}

/// A loop.
#[derive(Debug)]
pub struct Round {
    /// Number of moments.
    pub count: usize,
    /// True if time runs backwards.
    pub backwards: bool,
    /// The loop around it.
    pub parent: Option<usize>,
    /// The statement that is the loop.
    pub node: Node,
    /// Numbers of the statements that the loops are in what is handled, from the outermost loop on.
    pub path: Vec<usize>,
    /// Key that folds it; the way out and the way back of a handled loop share it.
    pub key: String,
    /// Number of handlers whose clauses it stands in.
    pub depth: usize,
}

/// A wire on one side of the borders of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// Number of the wire.
    pub(crate) wire: usize,
    /// Number of reals.
    pub(crate) size: usize,
    /// True if the wire is a sequence of an inner one.
    pub(crate) thick: bool,
}

/// A wire.
#[derive(Debug)]
struct Strand {
    size: usize,
    name: Option<Arc<str>>,
    /// Innermost loop in which the wire has a value for each moment.
    scope: Option<usize>,
    same: Same,
    /// First wire that is the sequence of this one, its entries, and its last value.
    sequence: Option<usize>,
    entry: Option<usize>,
    last: Option<usize>,
}

/// Relation of a wire to another one, on the border of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Same {
    /// A wire of its own.
    Own,
    /// Entries of this sequence, one at a moment.
    Entry(Wire),
    /// Sequence of the values of this wire.
    Sequence(Wire),
    /// Last value of this wire.
    Last(Wire),
}

/// Wire of a diagram that a wire is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Drawn {
    /// Wire that begins at a statement or an input.
    pub(super) wire: usize,
    /// True for the last value of a wire, which is drawn apart from its sequence.
    pub(super) last: bool,
}

impl Once {
    /// The statements of an arrow; a loop is folded where `folded` says so of its key.
    pub fn of(arrow: &Arrow, folded: &dyn Fn(&str) -> bool) -> Once {
        let mut once = Once::default();
        let mut wires = Vec::new();
        for (k, size) in arrow.map.inputs().iter().enumerate() {
            let name = arrow.map.name(Wire(k)).cloned();
            wires.push(once.wire(*size, name, None, Same::Own));
        }
        once.walk(&arrow.map, wires, None, folded);
        once
    }

    /// Operation of a statement.
    pub fn node(&self, number: usize) -> Option<&Node> {
        Some(&self.steps.get(number)?.node)
    }

    /// Number of wires.
    pub fn count(&self) -> usize {
        self.wires.len()
    }

    /// Number of reals on a wire.
    pub fn size(&self, wire: usize) -> usize {
        self.wires.get(wire).map_or(0, |strand| strand.size)
    }

    /// Name of a wire.
    pub fn name(&self, wire: usize) -> Option<&Arc<str>> {
        self.wires.get(wire)?.name.as_ref()
    }

    /// The loops around a statement, the outermost first.
    pub(super) fn around(&self, number: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut at = self.steps.get(number).and_then(|step| step.around);
        while let Some(own) = at {
            found.insert(0, own);
            at = self.loops.get(own).and_then(|round| round.parent);
        }
        found
    }

    /// Number of loops around a wire.
    pub(super) fn depth(&self, wire: usize) -> usize {
        let mut depth = 0;
        let mut at = self.wires.get(wire).and_then(|strand| strand.scope);
        while let Some(own) = at {
            depth += 1;
            at = self.loops.get(own).and_then(|round| round.parent);
        }
        depth
    }

    /// Number of a statement among those of what is handled, after the numbers of the loops around it; loops in clauses of more handlers than
    /// these do not count.
    pub(super) fn call(&self, number: usize, statement: usize, depth: usize) -> Vec<usize> {
        let Some(step) = self.steps.get(number) else {
            return vec![statement];
        };
        let loops = |at: usize| self.loops.get(at).filter(|round| round.depth <= depth);
        let own = match step.role {
            Role::Delay(own, _) | Role::Folded(own) => loops(own),
            Role::Statement | Role::Copy => None,
        };
        if let Some(own) = own {
            // A delay stands before its loop on the way out, and after it on the way back, which is drawn from the last on.
            let delay = matches!(step.role, Role::Delay(..));
            let back = delay && own.half() == Some(Pass::Backward);
            let mut path = own.path.clone();
            path.extend(back.then_some(usize::MAX));
            return path;
        }
        // The first cotangents of a loop are there before its way back.
        let passage = step.node.provenance.passage.as_deref();
        let back = passage.is_some_and(|passage| passage.pass == Pass::Backward);
        let around = self.around(number);
        let around = around.into_iter().rev().find_map(loops);
        let mut path = around.map_or(Vec::new(), |round| round.path.clone());
        path.push(statement);
        let zero = back && step.node.operands() == Some(0);
        if zero && self.loops.iter().any(|round| round.path == path) {
            path.extend([usize::MAX, usize::MAX]);
        }
        path
    }

    /// The wire that a wire is drawn as. An entry is part of its sequence, and a sequence part of the wire that gives its entries.
    pub(super) fn drawn(&self, wire: usize) -> Drawn {
        let mut drawn = Drawn { wire, last: false };
        while let Some(strand) = self.wires.get(drawn.wire) {
            drawn.wire = match strand.same {
                Same::Own => break,
                Same::Last(own) => {
                    drawn.last = true;
                    own.0
                }
                Same::Entry(own) | Same::Sequence(own) => own.0,
            };
        }
        drawn
    }

    /// A wire outside and inside of the loops that it goes into or comes from: from the outermost wire to the innermost.
    pub(super) fn levels(&self, wire: usize, last: bool) -> Vec<Level> {
        let find =
            |wire: usize, of: fn(&Strand) -> Option<usize>| self.wires.get(wire).and_then(of);
        let level = |wire: usize, thick: bool| Level {
            wire,
            size: self.size(wire),
            thick,
        };
        let mut levels = Vec::new();
        let mut at = wire;
        while let Some(sequence) = find(at, |strand| strand.sequence) {
            levels.insert(0, level(sequence, true));
            at = sequence;
        }
        if (levels.is_empty() || last)
            && let Some(of_last) = find(wire, |strand| strand.last)
        {
            levels = vec![level(of_last, false)];
        }
        levels.push(level(wire, false));
        let mut at = wire;
        while let Some(entry) = find(at, |strand| strand.entry) {
            if let Some(own) = levels.last_mut() {
                own.thick = true;
            }
            levels.push(level(entry, false));
            at = entry;
        }
        levels
    }

    fn wire(
        &mut self,
        size: usize,
        name: Option<Arc<str>>,
        scope: Option<usize>,
        same: Same,
    ) -> Wire {
        let own = self.wires.len();
        let (Same::Entry(other) | Same::Sequence(other) | Same::Last(other)) = same else {
            return self.strand(size, name, scope, same);
        };
        if let Some(strand) = self.wires.get_mut(other.0) {
            let of = match same {
                Same::Entry(_) => &mut strand.entry,
                Same::Sequence(_) => &mut strand.sequence,
                Same::Last(_) | Same::Own => &mut strand.last,
            };
            of.get_or_insert(own);
        }
        self.strand(size, name, scope, same)
    }

    fn strand(
        &mut self,
        size: usize,
        name: Option<Arc<str>>,
        scope: Option<usize>,
        same: Same,
    ) -> Wire {
        self.wires.push(Strand {
            size,
            name,
            scope,
            same,
            sequence: None,
            entry: None,
            last: None,
        });
        Wire(self.wires.len() - 1)
    }

    /// Writes the statements of a map whose inputs are these wires; notes the wires of its outputs.
    fn walk(
        &mut self,
        map: &Map<Node>,
        mut wires: Vec<Wire>,
        around: Option<usize>,
        folded: &dyn Fn(&str) -> bool,
    ) {
        for (number, statement) in map.statements().iter().enumerate() {
            if around.is_none() {
                self.at = number;
            }
            let arguments = among(&wires, &statement.arguments);
            let node = self.placed(&statement.applied, around);
            let names: Vec<Option<Arc<str>>> = statement
                .results()
                .map(|wire| map.name(Wire(wire)).cloned())
                .collect();
            let mut role = Role::Statement;
            if let NodeKind::Loop(looped) = &statement.applied.kind {
                let own = self.round(looped, node.clone(), number, around);
                if self.loops.get(own).is_some_and(|round| folded(&round.key)) {
                    role = Role::Folded(own);
                } else {
                    wires.extend(self.inlined(looped, own, &arguments, &names, folded));
                    continue;
                }
            }
            let sizes = statement.applied.outputs();
            wires.extend(self.step(node, role, arguments, &sizes, names, around));
        }
        self.outputs = among(&wires, map.outputs());
    }

    fn step(
        &mut self,
        node: Node,
        role: Role,
        arguments: Vec<Wire>,
        sizes: &[usize],
        names: Vec<Option<Arc<str>>>,
        around: Option<usize>,
    ) -> Vec<Wire> {
        let first = self.wires.len();
        let scope = match role {
            Role::Delay(own, _) => Some(own),
            _ => around,
        };
        let pairs = sizes.iter().zip(names);
        let results: Vec<Wire> = pairs
            .map(|(size, name)| self.wire(*size, name, scope, Same::Own))
            .collect();
        self.steps.push(Step {
            node,
            role,
            arguments,
            results: first..self.wires.len(),
            around,
            statement: self.at,
        });
        results
    }

    /// Notes a loop.
    fn round(&mut self, looped: &Loop, node: Node, number: usize, around: Option<usize>) -> usize {
        let outer = around.and_then(|outer| self.loops.get(outer));
        let passage = node.provenance.passage.as_deref();
        let handled = passage.filter(|passage| !passage.clause);
        let mut path = outer.map_or(Vec::new(), |outer| outer.path.clone());
        let call = handled.and_then(|passage| passage.call.as_ref());
        path.push(call.map_or(number, |call| call.statement));
        let text: Vec<String> = path.iter().map(usize::to_string).collect();
        let key = match (handled, outer) {
            (Some(passage), _) => format!("lh{}.{}", passage.run, text.join(".")),
            (None, Some(outer)) => format!("{}{}.{number}", outer.key, letter(outer.half())),
            (None, None) => format!("l{number}"),
        };
        let mut depth = 0;
        let mut inner = passage;
        while let Some(clause) = inner.filter(|passage| passage.clause) {
            depth += 1;
            inner = clause.inner.as_deref();
        }
        self.loops.push(Round {
            count: looped.count,
            backwards: looped.backwards,
            parent: around,
            node,
            path,
            key,
            depth,
        });
        self.loops.len() - 1
    }

    /// Writes the body of a loop once; the wires of what the loop gives.
    fn inlined(
        &mut self,
        looped: &Loop,
        own: usize,
        arguments: &[Wire],
        names: &[Option<Arc<str>>],
        folded: &dyn Fn(&str) -> bool,
    ) -> Vec<Wire> {
        let body = &looped.body;
        let single = looped.constants + looped.states;
        let Some((node, parent)) = self
            .loops
            .get(own)
            .map(|round| (round.node.clone(), round.parent))
        else {
            return Vec::new();
        };
        let mut wires = Vec::new();
        let mut delays = Vec::new();
        for (k, argument) in arguments.iter().enumerate() {
            let size = body.inputs().get(k).copied().unwrap_or_default();
            let name = body.name(Wire(k)).cloned();
            if k < looped.constants {
                wires.push(*argument);
            } else if k < single {
                delays.push(self.steps.len());
                let role = Role::Delay(own, *argument);
                let given = vec![*argument];
                wires.extend(self.step(node.clone(), role, given, &[size], vec![name], parent));
            } else {
                wires.push(self.wire(size, name, Some(own), Same::Entry(*argument)));
            }
        }
        let begun = self.steps.len();
        self.walk(body, wires, Some(own), folded);
        let of_body = self.steps.get(begun..).unwrap_or(&[]);
        let empty = of_body.iter().all(|step| {
            let mut sizes = step.results.clone().map(|wire| self.size(wire));
            sizes.all(|size| size == 0) && !step.node.is_kept()
        });
        let given = std::mem::take(&mut self.outputs);
        let mut results = Vec::new();
        for (k, wire) in given.into_iter().enumerate() {
            let name = names.get(k).cloned().flatten();
            let made = self.maker(wire);
            let inside = made.is_some_and(|made| made >= begun || !empty && delays.contains(&made));
            // A constant or an entry that is given as it comes is copied, and a state of a body without statements.
            let wire = match inside {
                true => wire,
                false => {
                    let (size, node) = (self.size(wire.0), node.clone());
                    let copy =
                        self.step(node, Role::Copy, vec![wire], &[size], vec![None], Some(own));
                    copy.first().copied().unwrap_or(wire)
                }
            };
            let inner = self.name(wire.0).cloned();
            let size = self.size(wire.0);
            if let Some(delay) = delays.get(k) {
                if let Some(step) = self.steps.get_mut(*delay) {
                    step.role = Role::Delay(own, wire);
                }
                results.push(self.wire(size, name.or(inner), parent, Same::Last(wire)));
            } else {
                let size = size.saturating_mul(looped.count);
                results.push(self.wire(size, name.or(inner), parent, Same::Sequence(wire)));
            }
        }
        results
    }

    /// The statement that gives a wire, or the entries of a sequence.
    fn maker(&self, wire: Wire) -> Option<usize> {
        let wire = self.drawn(wire.0).wire;
        let after = (self.steps).partition_point(|step| step.results.start <= wire);
        let made = after.checked_sub(1)?;
        let step = self.steps.get(made)?;
        step.results.contains(&wire).then_some(made)
    }

    /// Node of a body with its place among the handlers of the whole arrow.
    fn placed(&self, node: &Node, around: Option<usize>) -> Node {
        let outer = around.and_then(|own| self.loops.get(own));
        let Some(outer) = outer else {
            return node.clone();
        };
        let mut node = node.clone();
        let passage = node.provenance.passage.take();
        node.provenance.passage = within(outer.node.provenance.passage.as_ref(), passage);
        node
    }
}

impl Round {
    /// Pass of the handler that handles the loop.
    pub(super) fn half(&self) -> Option<Pass> {
        let passage = self.node.provenance.passage.as_ref()?;
        (!passage.clause).then_some(passage.pass)
    }
}

/// Passage of a statement of a loop's body, when that of the loop is this one.
fn within(outer: Option<&Arc<Passage>>, inner: Option<Arc<Passage>>) -> Option<Arc<Passage>> {
    let Some(outer) = outer else { return inner };
    if outer.clause {
        let inner = within(outer.inner.as_ref(), inner);
        return Some(Arc::new(Passage {
            inner,
            ..(**outer).clone()
        }));
    }
    let Some(own) = inner else {
        return Some(outer.clone());
    };
    let mut passage = (*own).clone();
    if let (Some(call), Some(of_loop)) = (&mut passage.call, &outer.call) {
        if *call == *of_loop {
            // Sums and zeros of the loop itself, which begin its way back.
            call.statement = usize::MAX - 1;
        }
        call.passage = within(of_loop.passage.as_ref(), call.passage.take());
    }
    if !passage.clause {
        passage.inner = passage.call.as_ref().and_then(|call| call.passage.clone());
    }
    Some(Arc::new(passage))
}

fn among(wires: &[Wire], wanted: &[Wire]) -> Vec<Wire> {
    wanted
        .iter()
        .filter_map(|wire| wires.get(wire.0).copied())
        .collect()
}
