//! ⟦feedback\[n\](M)⟨s, x⟩. P⟧ = η(⟦M⟧) ; loop_n(⟦P⟧), where loop_0 is pure, and loop_{n+1}(a) is a next to the other inputs,
//! then loop_n(a). A feedback is written as one statement ([`Loop`]) or as its moments one after the other.

use crate::bundle::Bundle;
use crate::node::looped::{SEQUENCE_LIMIT, entry, joined};
use crate::node::{Loop, Node, NodeKind, Provenance};
use crate::scope::{Piece, among};
use crate::writer::{Fault, Writer};
use fletch_calculus::{Feedback, Origin, Term};
use fletch_smooth::{Map, Wire};
use std::sync::Arc;

impl Writer {
    /// Writes ⟦feedback\[n\](M)⟨s, x⟩. P⟧.
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
        let given = match feedback.count <= self.unrolled {
            true => self.unrolled(feedback, state, inputs, origin)?,
            false => self.looped(feedback, state, inputs, origin)?,
        };
        Bundle::of(&codomain, &mut given.into_iter()).ok_or(ill_typed)
    }

    /// Writes the moments one after the other, as nested `let`s are written.
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

    /// Writes a feedback as one loop statement. A state that the body passes through unchanged becomes a constant.
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

    /// Writes a loop as one statement.
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

    /// Map with its inputs in this order, and with these outputs.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)] // A failed test is a panic.

    use crate::Arrow;
    use crate::cases::{check, of_program, program};
    use crate::writer::Fault;

    #[test]
    fn a_state_that_goes_through_unchanged_is_a_constant_of_the_loop() {
        // The outer variable a, which the body uses, is carried as a state.
        let arrow = of_program(
            "
            loc w ∷ (1)
            main = let a ⇐ Get[w]() in feedback[3](1, [[2], [3], [4]])⟨s, x⟩. ⌊⟨a ⊙ s, x⟩⌋",
        );
        check(
            &arrow,
            "
                in
                   0 w0 : 0 = ()()
                   1 w1 : 1 = Get[w](w0)
                   2 w2 : 1 = 1()
                   3 w3 : 3 = [2, 3, 4]()
                   4 w4 : 1, w5 : 3 = loop[3](w1, w2, w3)
                     | in   w0 : 1, w1 : 1, w2 : 1
                     |    0 w3 : 1 = hadamard(w0, w1)
                     | out  w3, w2
                out  w4, w5",
        );
    }

    #[test]
    fn a_short_feedback_is_written_out_where_moments_are_told_apart() {
        let program = program("main = feedback[2](1, [[2], [3]])⟨s, x⟩. ⌊⟨s ⊙ x, s⟩⌋");
        let unrolled = |moments| {
            let unrolled = Arrow::unrolled(&[], &program.main, &program.ty, moments);
            unrolled.unwrap().0
        };
        assert!(unrolled(1).has_loops());
        check(
            &unrolled(2),
            "
                in
                   0 w0 : 1 = 1()
                   1 w1 : 2 = [2, 3]()
                   2 w2 : 1 = slice[0, 1](w1)
                   3 w3 : 1 = hadamard(w0, w2)
                   4 w4 : 1 = slice[1, 1](w1)
                   5 w5 : 1 = hadamard(w3, w4)
                   6 w6 : 2 = concat[1, 1, 1](w0, w3)
                out  w5, w6",
        );
    }

    #[test]
    fn a_tape_of_more_numbers_than_a_tensor_has_is_refused() {
        // The backward half of sin(sin(s)) reads s and sin(s).
        let program = program(
            "handler H : Real(1) { x ↦ ⌊x⌋ }
            main = rev handle(1)⟨s⟩. feedback[9000000](s, ())⟨s, _⟩. ⌊sin(sin(s))⌋ with H",
        );
        let Err(Fault::Tape { numbers, .. }) = Arrow::of(&[], &program.main, &program.ty) else {
            panic!();
        };
        assert_eq!(numbers, 18_000_001, "with the last state");
    }
}
