//! The reverse algebra on loops. α handles the body of a loop once. The forward body also gives the values that the backward
//! body uses; their sequences are the tape. The backward half is a loop with a body of its own, from the last moment to the
//! first (backpropagation through time).
//!
//! The constants of the loop are not in the tape, and entries of input sequences are read again. The cotangents of a constant
//! are summed in a state.

use super::{Cotangents, Run, Tape};
use crate::bundle::Bundle;
use crate::node::{Handled, Loop, Node, NodeKind, Pass};
use crate::scope::{Piece, among};
use crate::writer::{Fault, Writer};
use fletch_smooth::{Differentiable, Map, Wire};
use std::sync::Arc;

/// Values of the forward half that the backward half of a loop needs.
pub(crate) struct LoopTape {
    looped: Arc<Loop>,
    /// The backward body.
    body: Map<Node>,
    /// Constants that the backward body uses, by their indices.
    constants: Vec<usize>,
    /// Input sequences that the backward body uses, by their indices among the arguments.
    again: Vec<usize>,
    /// Sequences that the forward half saves.
    kept: Vec<Wire>,
}

impl LoopTape {
    /// Tape under a renaming of the wires.
    fn over(&self, wires: &[Wire]) -> LoopTape {
        LoopTape {
            looped: self.looped.clone(),
            body: self.body.clone(),
            constants: self.constants.clone(),
            again: self.again.clone(),
            kept: among(wires, &self.kept),
        }
    }
}

/// A backward body with all wires of the forward body among its inputs, and those of them that it uses.
struct Back {
    map: Map<Node>,
    used: Vec<Wire>,
    /// Nodes that give the used wires, if they take no arguments and may be written again; otherwise `None`.
    closed: Vec<Option<Node>>,
}

impl Writer {
    /// Writes the forward half of a loop. Returns its results, and the tape.
    pub(crate) fn loop_out(
        &mut self,
        looped: &Arc<Loop>,
        arguments: &[Wire],
        run: &Run<'_>,
        call: &Handled,
    ) -> Result<(Vec<Wire>, LoopTape), Fault> {
        let origin = call.origin;
        let single = looped.constants + looped.states;
        let inputs = looped.body.inputs().len();
        let mut found = None;
        let forward = self.apart(looped.body.inputs().to_vec(), |writer, wires| {
            let (wires, tapes) = writer.out(&looped.body, wires, run)?;
            let back = writer.loop_body(looped, &wires, &tapes, run, call)?;
            let saved =
                |wire: &Wire| (looped.constants..single).contains(&wire.0) || wire.0 >= inputs;
            let pairs = back.used.iter().zip(&back.closed);
            let saved: Vec<Wire> = pairs
                .filter(|(wire, closed)| saved(wire) && closed.is_none())
                .map(|(wire, _)| *wire)
                .collect();
            let outputs = among(&wires, looped.body.outputs());
            let given = outputs.into_iter().chain(saved.iter().copied());
            let given = Bundle::Tuple(given.map(Bundle::One).collect());
            found = Some((back, saved));
            Ok(given)
        })?;
        let (back, saved) = found.ok_or(Fault::IllTyped { origin })?;
        let used = |from: usize, to: usize| -> Vec<usize> {
            let numbers = back.used.iter().map(|wire| wire.0);
            numbers.filter(|k| (from..to).contains(k)).collect()
        };
        let (constants, again) = (used(0, looped.constants), used(single, inputs));
        let body = self.arranged(looped, &back, &constants, &again, &saved)?;
        let count = looped.body.outputs().len();
        let wider = Loop {
            body: forward.map,
            ..(**looped).clone()
        };
        let mut results = self.a_loop(wider, arguments, self.here())?;
        let kept = results.split_off(count.min(results.len()));
        let tape = LoopTape {
            looped: looped.clone(),
            body,
            constants,
            again,
            kept,
        };
        Ok((results, tape))
    }

    /// Writes the backward body. It takes the cotangents of the body's outputs, a sum for each constant, and all wires of the
    /// forward body. It gives the cotangents of the states, the sums, and the cotangents of the entries.
    fn loop_body(
        &mut self,
        looped: &Loop,
        wires: &[Wire],
        tapes: &[Tape],
        run: &Run<'_>,
        call: &Handled,
    ) -> Result<Back, Fault> {
        let known = self.scope.builder.wires();
        let outputs = looped.body.outputs();
        let mut sizes: Vec<usize> = outputs.iter().map(|wire| looped.body.size(*wire)).collect();
        sizes.extend(looped.body.inputs().get(..looped.constants).unwrap_or(&[]));
        let own = sizes.len();
        sizes.extend((0..known).map(|k| self.scope.builder.size(Wire(k))));
        let piece: Piece = self.apart(sizes, |writer, inputs| {
            let forward = inputs.get(own..).unwrap_or(&[]);
            let wires = among(forward, wires);
            let tapes: Vec<Tape> = tapes
                .iter()
                .map(|tape| match tape {
                    Tape::Nothing => Tape::Nothing,
                    Tape::Saved(kept) => Tape::Saved(among(forward, kept)),
                    Tape::Loop(tape) => Tape::Loop(tape.over(forward)),
                })
                .collect();
            let mut cotangents = Cotangents(vec![None; wires.len()]);
            let part = run.part(Pass::Backward, Some(call));
            writer.during(part.clone(), |writer| {
                writer.accumulate(&mut cotangents, outputs, inputs.to_vec())
            })?;
            writer.back(&looped.body, &wires, &tapes, &mut cotangents, run)?;
            let sums = inputs.get(outputs.len()..own).unwrap_or(&[]);
            let given = writer.during(part, |writer| {
                let inputs = looped.body.inputs().iter().enumerate();
                let given = inputs.map(|(k, size)| match (cotangents.of(Wire(k)), sums.get(k)) {
                    (Some(share), Some(sum)) => writer.sum(*sum, share, writer.here()),
                    (None, Some(sum)) => Ok(*sum),
                    (Some(share), None) => Ok(share),
                    (None, None) => writer.zero(*size, writer.here()),
                });
                given.collect::<Result<Vec<Wire>, Fault>>()
            })?;
            // A loop gives its states first: here the cotangents of the states, then the sums.
            let (sums, rest) = given.split_at(looped.constants.min(given.len()));
            let (states, entries) = rest.split_at(looped.states.min(rest.len()));
            let given = [states, sums, entries].concat();
            Ok(Bundle::Tuple(given.into_iter().map(Bundle::One).collect()))
        })?;
        let map = piece.map;
        let mut needed = vec![false; known];
        let statements = map.statements().iter();
        let arguments = statements.flat_map(|statement| &statement.arguments);
        for wire in arguments.chain(map.outputs()) {
            let slot = wire.0.checked_sub(own).and_then(|k| needed.get_mut(k));
            if let Some(slot) = slot {
                *slot = true;
            }
        }
        let used = needed.iter().enumerate().filter(|(_, needed)| **needed);
        let used: Vec<Wire> = used.map(|(k, _)| Wire(k)).collect();
        let closed = used
            .iter()
            .map(|wire| self.scope.builder.closed(*wire).cloned());
        let closed = closed.collect();
        Ok(Back { map, used, closed })
    }

    /// Backward body with its inputs in the order of a loop. The constants come first; then, as states, the cotangents of the
    /// states and the sums; then, as entries, the cotangents of the entries, the entries of inputs and the saved values.
    fn arranged(
        &mut self,
        looped: &Loop,
        back: &Back,
        constants: &[usize],
        again: &[usize],
        saved: &[Wire],
    ) -> Result<Map<Node>, Fault> {
        let outputs = looped.body.outputs().len();
        let own = outputs + looped.constants;
        let forward = |k: usize| own + k;
        let mut order: Vec<usize> = constants.iter().copied().map(forward).collect();
        order.extend(0..looped.states);
        order.extend(outputs..own);
        order.extend(looped.states..outputs);
        order.extend(again.iter().copied().map(forward));
        order.extend(saved.iter().map(|wire| forward(wire.0)));
        let sizes = order.iter().map(|k| back.map.size(Wire(*k))).collect();
        let piece: Piece = self.apart(sizes, |writer, wires| {
            // Inputs that are not in this order are read by no statement.
            let mut inputs = vec![Wire(0); back.map.inputs().len()];
            let mut set = |k: usize, wire: Wire| {
                if let Some(slot) = inputs.get_mut(k) {
                    *slot = wire;
                }
            };
            for (k, wire) in order.iter().zip(wires) {
                set(*k, *wire);
            }
            for (wire, node) in back.used.iter().zip(&back.closed) {
                if let Some(node) = node
                    && let [made] = writer.apply(node.clone(), &[])?.as_slice()
                {
                    set(forward(wire.0), *made);
                }
            }
            let wires = writer.place(&back.map, &inputs, Node::clone)?;
            let given = among(&wires, back.map.outputs());
            Ok(Bundle::Tuple(given.into_iter().map(Bundle::One).collect()))
        })?;
        Ok(piece.map)
    }

    /// Writes the backward half of a loop; returns the cotangents of its arguments. Without any cotangent it is written only if
    /// the loop performs an operation, or has a derivative that is kept for its domain.
    pub(crate) fn loop_back(
        &mut self,
        tape: &LoopTape,
        arguments: &[Wire],
        cotangents: &[Option<Wire>],
    ) -> Result<Vec<Wire>, Fault> {
        let looped = &tape.looped;
        let acts =
            |node: &Node| matches!(node.kind, NodeKind::Operation(_)) || node.derivative_is_kept();
        if cotangents.iter().all(Option::is_none) && !looped.has(&acts) {
            return Ok(Vec::new());
        }
        let of_results = self.zeros_for(cotangents.iter().copied(), &looped.outputs())?;
        let (of_states, of_sequences) = of_results.split_at(looped.states.min(of_results.len()));
        let these = |numbers: &[usize]| -> Vec<Wire> {
            numbers
                .iter()
                .filter_map(|k| arguments.get(*k).copied())
                .collect()
        };
        let mut inputs = these(&tape.constants);
        inputs.extend(of_states);
        let constants = looped.body.inputs().iter().take(looped.constants);
        let sums: Vec<usize> = constants.copied().collect();
        inputs.extend(self.zeros_for(std::iter::repeat(None), &sums)?);
        inputs.extend(of_sequences);
        inputs.extend(these(&tape.again));
        inputs.extend(&tape.kept);
        let back = Loop {
            count: looped.count,
            body: tape.body.clone(),
            constants: tape.constants.len(),
            states: looped.states + looped.constants,
            backwards: !looped.backwards,
        };
        let results = self.a_loop(back, &inputs, self.here())?;
        let (states, rest) = results.split_at(looped.states.min(results.len()));
        let (sums, entries) = rest.split_at(looped.constants.min(rest.len()));
        Ok([sums, states, entries].concat())
    }
}

#[cfg(test)]
mod tests {
    use crate::Arrow;
    use crate::cases::{check, of_program};

    /// Arrow of this command, with a handler of an operation C that saves its argument.
    fn handled(main: &str) -> Arrow {
        of_program(&format!(
            "
            op C : Real(1) ▷ Real(1)
            handler H : Real(1) {{
              x ↦ ⌊x⌋
              C ( x ↦ ⌊⟨sin(x), x⟩⌋ | y, x ↦ ⌊cos(x) ⊙ y⌋ )
            }}
            main = {main}"
        ))
    }

    #[test]
    fn the_way_back_reads_what_the_way_forward_saved_last_moment_first() {
        check(
            &handled("rev handle(1)⟨s⟩. feedback[3](s, ())⟨s, _⟩. C(s) with H"),
            "
                in
                   0 w0 : 1 = 1()
                   1 w1 : 0 = ()()                                   H forward ()
                   2 w2 : 1, w3 : 0, w4 : 3 = loop[3](w0, w1)        H forward loop[3]
                     | in   w0 : 1, w1 : 0
                     |    0 w2 : 1 = sin(w0)  H forward C
                     |    1 w3 : 0 = ()()     H forward ()
                     | out  w2, w3, w0
                   3 w5 : 0 = zero()                                 H backward loop[3]
                   4 w6 : 1, w7 : 0 = loop[3] backwards(w2, w5, w4)  H backward loop[3]
                     | in   w0 : 1, w1 : 0, w2 : 1
                     |    0 w3 : 1 = cos(w2)           H backward C
                     |    1 w4 : 1 = hadamard(w3, w0)  H backward C
                     |    2 w5 : 0 = zero()            H backward loop[3]
                     | out  w4, w5
                out  w6",
        );
    }

    #[test]
    fn the_cotangents_of_a_constant_are_summed_and_entries_of_inputs_are_read_again() {
        check(
            &handled("rev handle(2)⟨a⟩. feedback[3](1, [[2], [3], [4]])⟨s, x⟩. ⌊s + a ⊙ x⌋ with H"),
            "
                in
                   0 w0 : 1 = 2()
                   1 w1 : 1 = 1()                          H forward 1
                   2 w2 : 3 = [2, 3, 4]()                  H forward [2, 3, 4]
                   3 w3 : 1, w4 : 0 = loop[3](w0, w1, w2)  H forward loop[3]
                     | in   w0 : 1, w1 : 1, w2 : 1
                     |    0 w3 : 1 = hadamard(w0, w2)  H forward hadamard
                     |    1 w4 : 1 = plus(w1, w3)      H forward plus
                     |    2 w5 : 0 = ()()              H forward ()
                     | out  w4, w5
                   4 w5 : 0 = zero()                       H backward loop[3]
                   5 w6 : 1 = zero()                       H backward loop[3]
                   6 w7 : 1, w8 : 1, w9 : 3 = loop[3] backwards(w0, w3, w6, w5, w2)  H backward loop[3]
                     | in   w0 : 1, w1 : 1, w2 : 1, w3 : 0, w4 : 1
                     |    0 w5 : 1, w6 : 1 = rd[hadamard](w0, w4, w1)  H backward hadamard
                     |    1 w7 : 1 = plus(w2, w5)                      H backward loop[3]
                     | out  w1, w7, w6
                out  w8",
        );
    }

    #[test]
    fn a_loop_that_nothing_comes_back_to_has_no_way_back_unless_a_clause_acts_there() {
        let unused = |body: &str| {
            handled(&format!(
                "rev handle(1)⟨s⟩. let _ ⇐ (feedback[3](s, ())⟨s, _⟩. {body}) in ⌊s⌋ with H"
            ))
        };
        assert_eq!(unused("⌊sin(s)⌋").counts(), (1, 0), "the constant");
        let kept = unused("C(s)");
        let loops = kept.map.statements().iter();
        let loops = loops.map(|statement| statement.applied.to_string());
        let loops: Vec<String> = loops.filter(|name| name.starts_with("loop")).collect();
        assert_eq!(loops, ["loop[3]", "loop[3] backwards"]);
    }
}
