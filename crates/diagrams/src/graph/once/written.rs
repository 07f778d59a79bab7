//! Writer of the statements of an arrow with the body of each loop once.

use super::{Once, Place, Role, Round, Same, Step, Strand};
use crate::graph::inner::letter;
use fletch_arrows::{Loop, Node, NodeKind, Passage};
use fletch_smooth::{Applied, Map, Wire};
use std::sync::Arc;

/// Counts of the step and wire numbers that a loop takes, folded or not.
#[derive(Clone, Copy, Debug, Default)]
struct Room {
    steps: usize,
    wires: usize,
}

impl Once {
    pub(super) fn wire(
        &mut self,
        size: usize,
        name: Option<Arc<str>>,
        place: Place,
        same: Same,
    ) -> Wire {
        let own = self.wires.len();
        let (Same::Entry(other) | Same::Sequence(other) | Same::Last(other)) = same else {
            return self.strand(size, name, place, same);
        };
        if let Some(strand) = self.wires.get_mut(other.0) {
            let of = match same {
                Same::Entry(_) => &mut strand.entry,
                Same::Sequence(_) => &mut strand.sequence,
                Same::Last(_) | Same::Own | Same::Nothing => &mut strand.last,
            };
            of.get_or_insert(own);
        }
        self.strand(size, name, place, same)
    }

    fn strand(&mut self, size: usize, name: Option<Arc<str>>, place: Place, same: Same) -> Wire {
        self.wires.push(Strand {
            size,
            name,
            place,
            thick: false,
            same,
            sequence: None,
            entry: None,
            last: None,
        });
        Wire(self.wires.len() - 1)
    }

    /// Writes the statements of a map whose inputs are these wires; sets `outputs` to the wires of its outputs.
    pub(super) fn walk(
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
            let first = Place {
                around,
                wire: statement.results().start,
            };
            let sizes = statement.applied.outputs();
            let NodeKind::Loop(looped) = &statement.applied.kind else {
                let role = Role::Statement;
                wires.extend(self.step(node, role, arguments, &sizes, names, first));
                continue;
            };
            let own = self.round(looped, node.clone(), number, around);
            let room = Room::of(looped);
            let (step, wire) = (self.next + room.steps, self.wires.len() + room.wires);
            if self.loops.get(own).is_some_and(|round| folded(&round.key)) {
                self.pass(wire);
                let taken = arguments.iter().skip(looped.constants + looped.states);
                let taken: Vec<Wire> = taken.copied().collect();
                let given = self.step(node, Role::Folded(own), arguments, &sizes, names, first);
                for wire in taken.iter().chain(given.iter().skip(looped.states)) {
                    if let Some(strand) = self.wires.get_mut(wire.0) {
                        strand.thick = true;
                    }
                }
                wires.extend(given);
            } else {
                // The first step number is that of the loop itself.
                self.next += 1;
                let given = self.inlined(looped, own, &arguments, folded);
                self.pass(wire);
                wires.extend(self.given(looped, &given, &names, first));
            }
            self.next = step;
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
        place: Place,
    ) -> Vec<Wire> {
        let first = self.wires.len();
        let around = match role {
            // A delay is outside of its loop.
            Role::Delay(own, _) => self.loops.get(own).and_then(|round| round.parent),
            _ => place.around,
        };
        let results = sizes.iter().zip(names).enumerate();
        let results = results.map(|(k, (size, name))| {
            let wire = place.wire + k;
            self.wire(*size, name, Place { wire, ..place }, Same::Own)
        });
        let results: Vec<Wire> = results.collect();
        self.next += 1;
        self.steps.push(Step {
            number: self.next - 1,
            node,
            role,
            arguments,
            results: first..self.wires.len(),
            around,
            statement: self.at,
        });
        results
    }

    /// Adds a loop; returns its index.
    fn round(&mut self, looped: &Loop, node: Node, number: usize, around: Option<usize>) -> usize {
        let outer = around.and_then(|outer| self.loops.get(outer));
        let passage = node.provenance.passage.as_deref();
        let handled = passage.filter(|passage| !passage.clause);
        let mut path = outer.map_or(Vec::new(), |outer| outer.path.clone());
        let mut place = outer.map_or(Vec::new(), |outer| outer.place.clone());
        place.push(number);
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
            number: self.next,
            count: looped.count,
            backwards: looped.backwards,
            parent: around,
            node,
            place,
            path,
            key,
            depth,
        });
        self.loops.len() - 1
    }

    /// Writes the body of a loop once; returns the wires of its results at a moment.
    fn inlined(
        &mut self,
        looped: &Loop,
        own: usize,
        arguments: &[Wire],
        folded: &dyn Fn(&str) -> bool,
    ) -> Vec<Wire> {
        let body = &looped.body;
        let single = looped.constants + looped.states;
        let Some(node) = self.loops.get(own).map(|round| round.node.clone()) else {
            return Vec::new();
        };
        let mut wires = Vec::new();
        let mut delays = Vec::new();
        for (k, argument) in arguments.iter().enumerate() {
            let size = body.inputs().get(k).copied().unwrap_or_default();
            let name = body.name(Wire(k)).cloned();
            let place = Place {
                around: Some(own),
                wire: k,
            };
            if k < looped.constants {
                wires.push(*argument);
            } else if k < single {
                delays.push(self.steps.len());
                let role = Role::Delay(own, *argument);
                let given = vec![*argument];
                wires.extend(self.step(node.clone(), role, given, &[size], vec![name], place));
            } else {
                wires.push(self.wire(size, name, place, Same::Entry(*argument)));
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
        let outputs = body.outputs().iter();
        let outputs = given.into_iter().zip(outputs).enumerate();
        let outputs = outputs.map(|(k, (wire, output))| {
            let made = self.maker(wire);
            let inside = made.is_some_and(|made| made >= begun || !empty && delays.contains(&made));
            // A constant or an entry that the body returns unchanged is copied, as is a state of a body without statements.
            let wire = match inside {
                true => wire,
                false => {
                    let (size, node) = (self.size(wire.0), node.clone());
                    let place = Place {
                        around: Some(own),
                        wire: output.0,
                    };
                    let copy = self.step(node, Role::Copy, vec![wire], &[size], vec![None], place);
                    copy.first().copied().unwrap_or(wire)
                }
            };
            if let Some(step) = delays.get(k).and_then(|delay| self.steps.get_mut(*delay)) {
                step.role = Role::Delay(own, wire);
            }
            wire
        });
        outputs.collect()
    }

    /// Adds the results of a loop whose body gives these wires; returns their wires.
    fn given(
        &mut self,
        looped: &Loop,
        given: &[Wire],
        names: &[Option<Arc<str>>],
        first: Place,
    ) -> Vec<Wire> {
        let given = given.iter().enumerate();
        let results = given.map(|(k, wire)| {
            let name = names.get(k).cloned().flatten();
            let name = name.or_else(|| self.name(wire.0).cloned());
            let (size, same) = match k < looped.states {
                true => (self.size(wire.0), Same::Last(*wire)),
                false => {
                    let size = self.size(wire.0).saturating_mul(looped.count);
                    (size, Same::Sequence(*wire))
                }
            };
            let wire = first.wire + k;
            self.wire(size, name, Place { wire, ..first }, same)
        });
        results.collect()
    }

    /// Skips the numbers of wires up to this one.
    fn pass(&mut self, wire: usize) {
        let place = Place {
            around: None,
            wire: 0,
        };
        while self.wires.len() < wire {
            self.strand(0, None, place, Same::Nothing);
        }
    }

    /// Index of the step that makes a wire, or the sequence that the wire is an entry of.
    fn maker(&self, wire: Wire) -> Option<usize> {
        let wire = self.drawn(wire.0).wire;
        let after = (self.steps).partition_point(|step| step.results.start <= wire);
        let made = after.checked_sub(1)?;
        let step = self.steps.get(made)?;
        step.results.contains(&wire).then_some(made)
    }

    /// Node of a body, with its passage through the handlers of the whole arrow.
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

impl Room {
    /// Numbers for the loop itself, its delays and entries, its statements, and one copy of each result.
    fn of(looped: &Loop) -> Room {
        let (inputs, outputs) = (looped.body.inputs().len(), looped.body.outputs().len());
        let mut room = Room {
            steps: 1 + looped.states + outputs,
            wires: inputs - looped.constants.min(inputs) + outputs,
        };
        for statement in looped.body.statements() {
            room.wires += statement.results().len();
            match &statement.applied.kind {
                NodeKind::Loop(inner) => {
                    let inner = Room::of(inner);
                    room.steps += inner.steps;
                    room.wires += inner.wires;
                }
                _ => room.steps += 1,
            }
        }
        room
    }
}

/// Passage of a statement of a loop's body in the whole arrow: `outer` is the passage of the loop, `inner` that of the statement in the
/// body.
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
            // Sums and zeros of the loop itself, which begin its backward pass.
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

#[cfg(test)]
mod tests {
    use crate::cases::{boxes, check, graph};

    #[test]
    fn what_a_handled_loop_calls_is_a_clause_of_the_run_around_it() {
        check(
            &boxes(&graph(
                "rev handle([1, 2])⟨s⟩. (feedback[5](s, ())⟨s, _⟩. F(sin(s))) with H",
            )),
            "
            [1, 2]
            delay
            feedback × 5›: sin
            feedback × 5›: F›
            delay
            feedback × 5‹: F‹
            feedback × 5‹: rd[sin]",
        );
    }

    #[test]
    fn a_loop_in_a_loop_has_a_delay_in_the_body_of_the_other() {
        check(
            &boxes(&graph(
                "feedback[5]([1, 2], ())⟨s, _⟩. (let t ⇐ ⌊cos(s)⌋ in feedback[3](t, ())⟨s, _⟩. ⌊sin(s)⌋)",
            )),
            "
            ([1, 2], ())
            delay
            feedback × 5: cos
            feedback × 5: delay
            feedback × 5: feedback × 3: sin",
        );
    }
}
