//! Loops: ⟦feedback\[n\](M)⟨s, x⟩. P⟧ = η(⟦M⟧) ; loop_n(⟦P⟧), where loop_0 is pure and loop_{n+1}(a) is a, beside the other inputs, then
//! loop_n(a). A statement that is a loop is a shared presentation of its copies, so an arrow does not grow with n.

use crate::bundle::Bundle;
use crate::node::{Node, NodeKind, Provenance};
use crate::scope::{Piece, among};
use crate::writer::{Fault, Writer};
use fletch_calculus::{Feedback, Origin, Symbol, Term};
use fletch_smooth::{Applied, Builder, Differentiable, Map, Wire};
use std::fmt;
use std::sync::Arc;

/// A sequence has no more numbers than this, as a tensor has.
pub(crate) const SEQUENCE_LIMIT: usize = 1 << 24;

/// A body that runs `count` times. It takes constants, states, and of each sequence an entry; it gives the next states, and of each
/// sequence of results an entry. The loop takes constants, first states and sequences, and gives last states and sequences.
#[derive(Clone, Debug)]
pub struct Loop {
    /// n
    pub count: usize,
    /// The statements of a moment.
    pub body: Map<Node>,
    /// How many constants there are.
    pub constants: usize,
    /// How many states there are.
    pub states: usize,
    /// The order of time: the entries from the last to the first.
    pub backwards: bool,
}

impl Loop {
    /// The sizes of what it takes.
    pub fn inputs(&self) -> Vec<usize> {
        let sizes = self.body.inputs().iter().enumerate();
        let single = self.constants + self.states;
        sizes
            .map(|(k, n)| {
                if k < single {
                    *n
                } else {
                    n.saturating_mul(self.count)
                }
            })
            .collect()
    }

    /// The sizes of what it gives.
    pub fn outputs(&self) -> Vec<usize> {
        let sizes = self.entries().into_iter().enumerate();
        sizes
            .map(|(k, n)| {
                if k < self.states {
                    n
                } else {
                    n.saturating_mul(self.count)
                }
            })
            .collect()
    }

    /// The sizes of what its body gives.
    fn entries(&self) -> Vec<usize> {
        self.body
            .outputs()
            .iter()
            .map(|wire| self.body.size(*wire))
            .collect()
    }

    /// Tells if its body has a statement that stays, for its domain or for what it does.
    pub fn is_kept(&self) -> bool {
        self.body
            .statements()
            .iter()
            .any(|statement| statement.applied.is_kept())
    }

    /// Tells if there is such a statement in its body, or in a loop of its body.
    pub fn has(&self, which: &dyn Fn(&Node) -> bool) -> bool {
        self.body
            .statements()
            .iter()
            .any(|statement| match &statement.applied.kind {
                NodeKind::Loop(inner) => inner.has(which),
                _ => which(&statement.applied),
            })
    }

    /// How many statements its copies have, with one more for each; saturating.
    pub fn work(&self) -> usize {
        work(&self.body)
            .saturating_add(1)
            .saturating_mul(self.count)
    }

    /// The numbers of its moments, in the order of time.
    pub fn moments(&self) -> Box<dyn Iterator<Item = usize>> {
        match self.backwards {
            false => Box::new(0..self.count),
            true => Box::new((0..self.count).rev()),
        }
    }
}

impl fmt::Display for Loop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let back = if self.backwards { " backwards" } else { "" };
        write!(f, "loop[{}]{back}", self.count)
    }
}

/// How many statements a map stands for.
pub(crate) fn work(map: &Map<Node>) -> usize {
    let statements = map
        .statements()
        .iter()
        .map(|statement| match &statement.applied.kind {
            NodeKind::Loop(inner) => inner.work().saturating_add(1),
            _ => 1,
        });
    statements.fold(0, usize::saturating_add)
}

/// How many statements a map has, those of the bodies of its loops once.
pub(crate) fn written(map: &Map<Node>) -> usize {
    let statements = map
        .statements()
        .iter()
        .map(|statement| match &statement.applied.kind {
            NodeKind::Loop(inner) => 1 + written(&inner.body),
            _ => 1,
        });
    statements.sum()
}

/// Writes a statement of a loop's copies at these wires.
type Visit<'a> = &'a mut dyn FnMut(&mut Builder<Node>, &Node, &[Wire]) -> Vec<Wire>;

/// Writes the copies of a loop at these wires, and those of the loops in it.
pub(crate) fn expand(
    b: &mut Builder<Node>,
    looped: &Loop,
    arguments: &[Wire],
    provenance: &Provenance,
) -> Vec<Wire> {
    copies(
        b,
        looped,
        arguments,
        provenance,
        &mut |b, node, arguments| match &node.kind {
            NodeKind::Loop(inner) => expand(b, inner, arguments, &node.provenance),
            _ => b.apply(node.clone(), arguments),
        },
    )
}

/// Writes the copies of a loop at these wires, each statement by `visit`.
pub(crate) fn copies(
    b: &mut Builder<Node>,
    looped: &Loop,
    arguments: &[Wire],
    provenance: &Provenance,
    visit: Visit<'_>,
) -> Vec<Wire> {
    let single = looped.constants + looped.states;
    let constants = arguments.get(..looped.constants).unwrap_or(&[]);
    let mut states = arguments
        .get(looped.constants..single)
        .unwrap_or(&[])
        .to_vec();
    let sequences = arguments.get(single..).unwrap_or(&[]);
    let sizes = looped.body.inputs().get(single..).unwrap_or(&[]).to_vec();
    let mut given = Vec::new();
    for t in looped.moments() {
        let mut inputs = [constants, &states].concat();
        for (sequence, k) in sequences.iter().zip(&sizes) {
            inputs.push(entry(b, *sequence, looped.count, *k, t, provenance));
        }
        let wires = b.inline_with(&looped.body, &inputs, visit);
        let results = among(&wires, looped.body.outputs());
        states = results.get(..looped.states).unwrap_or(&[]).to_vec();
        given.push(results.get(looped.states..).unwrap_or(&[]).to_vec());
    }
    if looped.backwards {
        given.reverse();
    }
    let sizes = looped.entries();
    for (k, size) in sizes.iter().enumerate().skip(looped.states) {
        let entries = given
            .iter()
            .filter_map(|moment| moment.get(k - looped.states).copied());
        states.push(joined(b, &entries.collect::<Vec<_>>(), *size, provenance));
    }
    states
}

/// Entry t of a sequence of n entries of k numbers.
fn entry(
    b: &mut Builder<Node>,
    sequence: Wire,
    n: usize,
    k: usize,
    t: usize,
    provenance: &Provenance,
) -> Wire {
    if k == 0 {
        return nothing(b, provenance);
    }
    if n == 1 {
        return sequence;
    }
    let slice = Symbol::slice(n * k, t * k, k);
    only(&b.apply(Node::symbol(slice, provenance.clone()), &[sequence]))
}

/// The sequence of these entries of k numbers.
fn joined(b: &mut Builder<Node>, entries: &[Wire], k: usize, provenance: &Provenance) -> Wire {
    let Some((last, before)) = entries.split_last().filter(|_| k > 0) else {
        return nothing(b, provenance);
    };
    let before = before.iter().rev().enumerate();
    before.fold(*last, |rest, (length, entry)| {
        let concat = Symbol::concat(1, length + 1, k);
        only(&b.apply(Node::symbol(concat, provenance.clone()), &[*entry, rest]))
    })
}

/// The only value of type 1.
fn nothing(b: &mut Builder<Node>, provenance: &Provenance) -> Wire {
    let zero = Node {
        provenance: provenance.clone(),
        ..Node::zero(0)
    };
    only(&b.apply(zero, &[]))
}

/// The wire of what gives one.
#[allow(clippy::indexing_slicing)] // A symbol gives what its codomain says, and that is one base type here.
fn only(wires: &[Wire]) -> Wire {
    wires[0]
}

impl Writer {
    /// ⟦feedback\[n\](M)⟨s, x⟩. P⟧
    pub(crate) fn fed_back(
        &mut self,
        argument: &Term,
        feedback: &Feedback,
        origin: Origin,
    ) -> Result<Bundle, Fault> {
        let ill_typed = Fault::IllTyped { origin };
        let codomain = feedback.codomain();
        let numbers = codomain.dimension();
        if numbers > SEQUENCE_LIMIT {
            return Err(Fault::Tape { numbers, origin });
        }
        let parts = self.whole(argument)?.parts(2).ok_or(ill_typed)?;
        let [state, inputs] = parts.as_slice() else {
            return Err(ill_typed);
        };
        let given = match self.unrolled {
            Some(limit) if feedback.count > limit => {
                let count = feedback.count;
                return Err(Fault::Moments {
                    count,
                    limit,
                    origin,
                });
            }
            Some(_) => self.unrolled(feedback, state, inputs, origin)?,
            None => self.looped(feedback, state, inputs, origin)?,
        };
        Bundle::of(&codomain, &mut given.into_iter()).ok_or(ill_typed)
    }

    /// The moments one after the other, as nested `let`s are written.
    fn unrolled(
        &mut self,
        feedback: &Feedback,
        state: &Bundle,
        inputs: &Bundle,
        origin: Origin,
    ) -> Result<Vec<Wire>, Fault> {
        let ill_typed = Fault::IllTyped { origin };
        let provenance = Provenance {
            passage: self.within.clone(),
            ..Provenance::at(origin)
        };
        let [s, x] = &feedback.variables;
        let sizes = feedback.of_input.sizes();
        let sequences = inputs.wires();
        let mut state = state.clone();
        let mut given: Vec<Vec<Wire>> = Vec::new();
        for t in 0..feedback.count {
            self.spend(1 + sizes.len(), origin)?;
            let b = &mut self.scope.builder;
            let entries = sequences.iter().zip(&sizes);
            let entries: Vec<Wire> = entries
                .map(|(sequence, k)| entry(b, *sequence, feedback.count, *k, t, &provenance))
                .collect();
            let entry = Bundle::of(&feedback.of_input, &mut entries.into_iter());
            let hidden = [
                (s.id, self.bind(s, state)),
                (x.id, self.bind(x, entry.ok_or(ill_typed)?)),
            ];
            let moment = self.command(&feedback.body);
            for (id, bundle) in hidden {
                self.restore(id, bundle);
            }
            let mut parts = moment?.parts(2).ok_or(ill_typed)?.into_iter();
            let (next, output) = (
                parts.next().ok_or(ill_typed)?,
                parts.next().ok_or(ill_typed)?,
            );
            state = next;
            given.push(output.wires());
        }
        let mut wires = state.wires();
        for (k, size) in feedback.of_output.sizes().iter().enumerate() {
            let entries = given.iter().filter_map(|moment| moment.get(k).copied());
            let entries: Vec<Wire> = entries.collect();
            self.spend(entries.len(), origin)?;
            wires.push(joined(
                &mut self.scope.builder,
                &entries,
                *size,
                &provenance,
            ));
        }
        Ok(wires)
    }

    /// One statement. A state that goes through unchanged is a constant.
    fn looped(
        &mut self,
        feedback: &Feedback,
        state: &Bundle,
        inputs: &Bundle,
        origin: Origin,
    ) -> Result<Vec<Wire>, Fault> {
        let [s, x] = &feedback.variables;
        let variables = [(s, &feedback.of_state), (x, &feedback.of_input)];
        let body = self.abstracted(&variables, origin, |writer| writer.command(&feedback.body))?;
        let states = state.wires();
        let outputs = body.map.outputs();
        let is_still = |j: usize| outputs.get(j) == Some(&Wire(j));
        let (still, moving): (Vec<usize>, Vec<usize>) =
            (0..states.len()).partition(|j| is_still(*j));
        let order = still.iter().chain(&moving).copied();
        let order: Vec<usize> = order.chain(states.len()..body.map.inputs().len()).collect();
        let kept = moving.iter().copied().chain(states.len()..outputs.len());
        let kept: Vec<Wire> = kept.filter_map(|k| outputs.get(k).copied()).collect();
        let body = self.permuted(&body.map, &order, &kept)?;
        let looped = Loop {
            count: feedback.count,
            body,
            constants: still.len(),
            states: moving.len(),
            backwards: false,
        };
        let first = still
            .iter()
            .chain(&moving)
            .filter_map(|j| states.get(*j).copied());
        let arguments: Vec<Wire> = first.chain(inputs.wires()).collect();
        let results = self.a_loop(looped, &arguments, Provenance::at(origin))?;
        let mut last = states;
        for (j, wire) in moving.iter().zip(&results) {
            if let Some(slot) = last.get_mut(*j) {
                *slot = *wire;
            }
        }
        last.extend(results.iter().skip(moving.len()));
        Ok(last)
    }

    /// The statement that is this loop.
    pub(crate) fn a_loop(
        &mut self,
        looped: Loop,
        arguments: &[Wire],
        provenance: Provenance,
    ) -> Result<Vec<Wire>, Fault> {
        let origin = provenance.origin;
        let numbers = looped.outputs().into_iter().fold(0, usize::saturating_add);
        if numbers > SEQUENCE_LIMIT {
            return Err(Fault::Tape { numbers, origin });
        }
        let kind = NodeKind::Loop(Arc::new(looped));
        self.apply(Node { kind, provenance }, arguments)
    }

    /// The map with its inputs in this order, and these outputs.
    pub(crate) fn permuted(
        &mut self,
        map: &Map<Node>,
        order: &[usize],
        outputs: &[Wire],
    ) -> Result<Map<Node>, Fault> {
        let sizes = order.iter().map(|k| map.size(Wire(*k))).collect();
        let piece: Piece = self.apart(sizes, |writer, wires| {
            let mut inputs = wires.to_vec();
            for (k, wire) in order.iter().zip(wires) {
                if let Some(slot) = inputs.get_mut(*k) {
                    *slot = *wire;
                }
            }
            let wires = writer.place(map, &inputs, Node::clone)?;
            let outputs = among(&wires, outputs);
            Ok(Bundle::Tuple(
                outputs.into_iter().map(Bundle::One).collect(),
            ))
        })?;
        Ok(piece.map)
    }
}
