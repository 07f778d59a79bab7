//! The reverse algebra of a handler, on arrows. α folds the algebra over the statements of the handled arrow, so each run has
//! one tape. In the forward half, pure maps run and operations become their q^fwd. The return clause follows. The backward half
//! goes from the last statement to the first: pure maps become their reverse derivatives, and operations become their q^bwd.
//!
//! In the figure of Def. reverse-algebra, R̂(f)(k) is f, then k next to a copy of the argument, then RD′[f]. In the figure of
//! Def. q-opr-Y-from-reverse-handler, q_op(k) is q^fwd, then k next to the saved value, then q^bwd. By Def. alpha-from-q-opr-Y,
//! α of a composite is the composite of the α's: the k of a statement is the result of the later statements applied to ⟦P⟧. So
//! the forward half is what precedes k in these figures, and the backward half is what follows k. Copies of wires become sums
//! of cotangents (RD.3 and RD.4).

mod loops;

use crate::bundle::Bundle;
use crate::node::{Handled, Node, NodeKind, Pass, Passage};
use crate::scope::{Met, Piece, among, results};
use crate::writer::{Clause, Fault, Writer};
use fletch_calculus::{Command, OperationRef, Origin, ReverseHandler, Type, Variable};
use fletch_smooth::{Differentiable, Map, Statement, Wire};
use loops::LoopTape;
use std::sync::Arc;

/// A run of a reverse handler, while it is written.
pub(crate) struct Run<'a> {
    handler: &'a Arc<ReverseHandler>,
    number: u32,
    copy: u32,
    origin: Origin,
}

impl Run<'_> {
    /// Passage that marks the statements written for a call of this run, or for the run itself.
    fn part(&self, pass: Pass, call: Option<&Handled>) -> Passage {
        Passage {
            handler: self.handler.name.clone(),
            run: self.number,
            copy: self.copy,
            origin: self.origin,
            pass,
            call: call.cloned(),
            clause: false,
            inner: None,
        }
    }
}

impl Writer {
    /// Writes ⟦H⟧(⟦R⟧) at these values. Returns the cotangents of ⟨x₁, …, xₙ⟩, one wire for each base type.
    pub(crate) fn handled(
        &mut self,
        values: &[Bundle],
        variables: &[Variable],
        r: &Command,
        handler: &Arc<ReverseHandler>,
        origin: Origin,
    ) -> Result<Vec<Wire>, Fault> {
        let ill_typed = Fault::IllTyped { origin };
        let mut inputs = Vec::new();
        values.iter().for_each(|value| value.collect(&mut inputs));
        let sizes = self.sizes(&inputs);
        // R has these variables alone, so it is an arrow of its own.
        let piece = self.apart(sizes, |writer, wires| {
            let mut wires = wires.iter().copied();
            for (x, value) in variables.iter().zip(values) {
                let bundle = value.over(&mut wires).ok_or(ill_typed)?;
                writer.bind(x, bundle);
            }
            writer.command(r)
        })?;
        let run = Run {
            handler,
            number: self.scope.met.runs,
            copy: self.scope.met.again(origin, false),
            origin,
        };
        self.scope.met.runs += 1;
        self.alpha(&piece, &inputs, &run)
    }

    /// Writes α(R, ⟦P⟧) of Def. alpha-from-q-opr-Y, for all statements of R at once.
    fn alpha(&mut self, r: &Piece, inputs: &[Wire], run: &Run<'_>) -> Result<Vec<Wire>, Fault> {
        let (wires, tapes) = self.out(&r.map, inputs, run)?;
        self.goes_forward(run.origin, &wires);
        let mut cotangents = Cotangents(vec![None; wires.len()]);
        self.during(run.part(Pass::Return, None), |writer| {
            let outputs = among(&wires, r.map.outputs());
            let turned = writer.clause(Clause::Return, &outputs, run)?;
            writer.accumulate(&mut cotangents, r.map.outputs(), turned)
        })?;
        self.back(&r.map, &wires, &tapes, &mut cotangents, run)?;
        if let Some(noted) = self.notes() {
            noted.all(&r.map, &wires, |wire| cotangents.of(wire));
        }
        self.during(run.part(Pass::Backward, None), |writer| {
            let given = (0..).map(|position| cotangents.of(Wire(position)));
            writer.zeros_for(given, r.map.inputs())
        })
    }

    /// Writes the forward half of a map at these wires. Returns a wire for each wire of the map, and the tape of each statement.
    pub(crate) fn out(
        &mut self,
        map: &Map<Node>,
        inputs: &[Wire],
        run: &Run<'_>,
    ) -> Result<(Vec<Wire>, Vec<Tape>), Fault> {
        let mut wires = inputs.to_vec();
        let mut tapes = Vec::new();
        for (statement, call) in map.statements().iter().zip(&calls(map)) {
            let arguments = among(&wires, &statement.arguments);
            let (given, tape) = self.during(run.part(Pass::Forward, Some(call)), |writer| {
                writer.forward_of(statement, &arguments, run, call)
            })?;
            for (result, wire) in results(statement).zip(&given) {
                if let Some(name) = map.name(result) {
                    self.scope.builder.name(*wire, name);
                }
            }
            wires.extend(given);
            tapes.push(tape);
        }
        Ok((wires, tapes))
    }

    /// Writes the forward half of a statement: f, q^fwd_op or that of a loop. Returns the results of the statement, and its tape.
    fn forward_of(
        &mut self,
        statement: &Statement<Node>,
        arguments: &[Wire],
        run: &Run<'_>,
        call: &Handled,
    ) -> Result<(Vec<Wire>, Tape), Fault> {
        match &statement.applied.kind {
            NodeKind::Operation(operation) => {
                let given = self.clause(Clause::Forward(operation.clone()), arguments, run)?;
                let count = statement.results().len();
                let ill_typed = Fault::IllTyped { origin: run.origin };
                let (results, kept) = given.split_at_checked(count).ok_or(ill_typed)?;
                Ok((results.to_vec(), Tape::Saved(kept.to_vec())))
            }
            NodeKind::Loop(looped) => {
                let (results, tape) = self.loop_out(looped, arguments, run, call)?;
                Ok((results, Tape::Loop(tape)))
            }
            NodeKind::Symbol(_) | NodeKind::Constant(_) => {
                let results = self.apply(statement.applied.clone(), arguments)?;
                Ok((results, Tape::Nothing))
            }
        }
    }

    /// Writes the backward half of a map, from the last statement to the first. Carries the cotangents of the outputs to the
    /// inputs.
    pub(crate) fn back(
        &mut self,
        map: &Map<Node>,
        wires: &[Wire],
        tapes: &[Tape],
        cotangents: &mut Cotangents,
        run: &Run<'_>,
    ) -> Result<(), Fault> {
        let calls = calls(map);
        let statements = map.statements().iter().zip(&calls).zip(tapes);
        for ((statement, call), tape) in statements.rev() {
            let given: Vec<Option<Wire>> = results(statement)
                .map(|result| cotangents.of(result))
                .collect();
            self.during(run.part(Pass::Backward, Some(call)), |writer| {
                let shares = match (&statement.applied.kind, tape) {
                    (NodeKind::Operation(operation), Tape::Saved(kept)) => {
                        writer.backward(operation, &given, kept, run)?
                    }
                    (NodeKind::Loop(_), Tape::Loop(tape)) => {
                        let arguments = among(wires, &statement.arguments);
                        writer.loop_back(tape, &arguments, &given)?
                    }
                    _ => writer.derived(statement, wires, &given),
                };
                writer.accumulate(cotangents, &statement.arguments, shares)
            })?;
        }
        Ok(())
    }

    /// Writes q^bwd_op at the cotangent of the result and the value that q^fwd_op saved. It runs at a zero cotangent too, since
    /// it may `Put`.
    fn backward(
        &mut self,
        operation: &OperationRef,
        given: &[Option<Wire>],
        kept: &[Wire],
        run: &Run<'_>,
    ) -> Result<Vec<Wire>, Fault> {
        let sizes = operation.codomain.sizes();
        let mut arguments = self.zeros_for(given.iter().copied(), &sizes)?;
        arguments.extend(kept);
        self.clause(Clause::Backward(operation.clone()), &arguments, run)
    }

    /// Writes RD′\[f\] at the copy of the argument. At no cotangent the shares are 0 (RD.2), returned as no wires. The
    /// derivative is then written only where total mode may stop at it, for its domain.
    fn derived(
        &mut self,
        statement: &Statement<Node>,
        wires: &[Wire],
        given: &[Option<Wire>],
    ) -> Vec<Wire> {
        let zero = given.iter().all(Option::is_none);
        if zero && !statement.applied.derivative_is_kept() {
            return Vec::new();
        }
        let node = self.marked(statement.applied.clone());
        let of_wires: Vec<Wire> = results(statement).collect();
        let shares = node.reverse(
            &mut self.scope.builder,
            &among(wires, &statement.arguments),
            &among(wires, &of_wires),
            given,
        );
        match zero {
            true => Vec::new(),
            false => shares.into_iter().flatten().collect(),
        }
    }

    /// Places the arrow of a clause at these arguments.
    fn clause(
        &mut self,
        clause: Clause,
        arguments: &[Wire],
        run: &Run<'_>,
    ) -> Result<Vec<Wire>, Fault> {
        let piece = self.piece(run.handler, clause, run.origin)?;
        let wires = self.as_clause(|writer| writer.place(&piece.map, arguments, Node::clone))?;
        Ok(among(&wires, piece.map.outputs()))
    }

    /// Returns ⟦P⟧, q^fwd_op = ⟦Qᶠ⟧ or q^bwd_op = ⟦Qᵇ⟧ of a handler. Each is written once.
    fn piece(
        &mut self,
        handler: &Arc<ReverseHandler>,
        clause: Clause,
        origin: Origin,
    ) -> Result<Arc<Piece>, Fault> {
        let key = (Arc::as_ptr(handler).addr(), clause);
        if let Some(piece) = self.clauses.get(&key) {
            return Ok(piece.clone());
        }
        let find = |operation: &OperationRef| {
            let found = handler.clauses.get(operation);
            found.ok_or(Fault::IllTyped { origin })
        };
        let piece = match &key.1 {
            Clause::Return => {
                let returns = &handler.return_clause;
                let input = [(&returns.variable, &handler.handled)];
                self.abstracted(&input, origin, |writer| writer.command(&returns.body))?
            }
            Clause::Forward(operation) => {
                let clause = find(operation)?;
                let input = [(&clause.argument, &operation.domain)];
                self.abstracted(&input, origin, |writer| writer.command(&clause.forward))?
            }
            Clause::Backward(operation) => {
                let clause = find(operation)?;
                let forward = self.piece(handler, Clause::Forward(operation.clone()), origin)?;
                let saved = saved_type(&forward).ok_or(Fault::IllTyped { origin })?;
                let input = [
                    (&clause.cotangent, &operation.codomain),
                    (&clause.saved, &saved),
                ];
                self.abstracted(&input, origin, |writer| writer.command(&clause.backward))?
            }
        };
        let piece = Arc::new(piece);
        self.clauses.insert(key, piece.clone());
        Ok(piece)
    }

    /// Adds each share to the cotangent of its wire. The first share of a wire needs no addition.
    pub(crate) fn accumulate(
        &mut self,
        cotangents: &mut Cotangents,
        wires: &[Wire],
        shares: Vec<Wire>,
    ) -> Result<(), Fault> {
        for (wire, share) in wires.iter().zip(shares) {
            let sum = match cotangents.of(*wire) {
                None => share,
                Some(own) => self.sum(own, share, self.here())?,
            };
            if let Some(slot) = cotangents.0.get_mut(wire.0) {
                *slot = Some(sum);
            }
        }
        Ok(())
    }

    /// Replaces missing cotangents by zeros of these sizes.
    pub(crate) fn zeros_for(
        &mut self,
        given: impl Iterator<Item = Option<Wire>>,
        sizes: &[usize],
    ) -> Result<Vec<Wire>, Fault> {
        let given = given.zip(sizes);
        given
            .map(|(cotangent, n)| match cotangent {
                Some(cotangent) => Ok(cotangent),
                None => self.zero(*n, self.here()),
            })
            .collect()
    }
}

/// Statements of a handled arrow, as calls.
pub fn calls(map: &Map<Node>) -> Vec<Handled> {
    let mut operations = 0..;
    let mut loops = Met::default();
    let statements = map.statements().iter().enumerate();
    let calls = statements.map(|(number, statement)| Handled {
        statement: number,
        name: Arc::from(statement.applied.to_string()),
        brief: Arc::from(statement.applied.brief()),
        origin: statement.applied.provenance.origin,
        operation: (statement.applied.operation()).and_then(|_| operations.next()),
        feedback: match &statement.applied.kind {
            NodeKind::Loop(_) => Some(loops.again(statement.applied.provenance.origin, false)),
            _ => None,
        },
        passage: statement.applied.provenance.passage.clone(),
    });
    calls.collect()
}

/// Cotangent of each wire of the handled arrow; `None` if it has none yet.
pub(crate) struct Cotangents(pub(crate) Vec<Option<Wire>>);

/// Values of the forward half that the backward half of a statement needs.
pub(crate) enum Tape {
    Nothing,
    /// The values that q^fwd saved.
    Saved(Vec<Wire>),
    /// The tape of a loop.
    Loop(LoopTape),
}

impl Cotangents {
    pub(crate) fn of(&self, wire: Wire) -> Option<Wire> {
        self.0.get(wire.0).copied().flatten()
    }
}

/// The type D of a forward clause Qᶠ : B × D.
fn saved_type(forward: &Piece) -> Option<Type> {
    let Bundle::Tuple(parts) = &forward.form else {
        return None;
    };
    let sizes: Vec<usize> = forward
        .map
        .outputs()
        .iter()
        .map(|output| forward.map.size(*output))
        .collect();
    let [of_result, saved] = parts.as_slice() else {
        return None;
    };
    let mut sizes = sizes.into_iter().skip(of_result.wires().len());
    type_of(saved, &mut sizes)
}

fn type_of(form: &Bundle, sizes: &mut impl Iterator<Item = usize>) -> Option<Type> {
    match form {
        Bundle::One(_) => sizes.next().map(Type::Real),
        Bundle::Tuple(parts) => {
            let parts = parts.iter().map(|part| type_of(part, sizes));
            parts.collect::<Option<Vec<Type>>>().map(Type::product)
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cases::{arrow, check};

    #[test]
    fn an_operation_is_its_forward_clause_on_the_way_out_and_its_backward_clause_on_the_way_back() {
        check(
            &arrow("x : Real(1) ⊢ rev handle(x)⟨x⟩. D(x) with H"),
            "
                in   w0 : 1
                   0 w1 : 0 = ()()              H forward D
                   1 w2 : 1 = Get[w](w1)        H forward D
                   2 w3 : 1 = hadamard(w2, w0)  H forward D
                   3 w4 : 1 = sin(w3)           H return
                   4 w5 : 1 = hadamard(w4, w0)  H backward D
                   5 w6 : 0 = Put[w](w5)        H backward D
                   6 w7 : 1 = hadamard(w2, w4)  H backward D
                out  w7",
        );
    }

    #[test]
    fn the_cotangents_of_the_uses_of_a_wire_are_added() {
        check(
            &arrow(
                "x : Real(1) ⊢ rev handle(x)⟨x⟩. let y ⇐ ⌊sin[1](x)⌋ in ⌊hadamard[1](x, y)⌋ with J",
            ),
            "
                in   w0 : 1
                   0 w1 : 1 = sin(w0)                           J forward sin
                   1 w2 : 1 = hadamard(w0, w1)                  J forward hadamard
                   2 w3 : 1, w4 : 1 = rd[hadamard](w0, w1, w2)  J backward hadamard
                   3 w5 : 1 = rd[sin](w0, w4)                   J backward sin
                   4 w6 : 1 = plus(w3, w5)                      J backward sin
                out  w6",
        );
    }

    #[test]
    fn a_backward_clause_runs_at_a_zero_cotangent_too() {
        check(
            &arrow("x : Real(1) ⊢ rev handle(x)⟨x⟩. let _ ⇐ D(x) in ⌊x⌋ with H"),
            "
                in   w0 : 1
                   0 w1 : 0 = ()()              H forward D
                   1 w2 : 1 = Get[w](w1)        H forward D
                   2 w3 : 1 = sin(w0)           H return
                   3 w4 : 1 = zero()            H backward D
                   4 w5 : 1 = hadamard(w4, w0)  H backward D
                   5 w6 : 0 = Put[w](w5)        H backward D
                   6 w7 : 1 = hadamard(w2, w4)  H backward D
                   7 w8 : 1 = plus(w3, w7)      H backward D
                out  w8",
        );
    }

    #[test]
    fn what_nothing_comes_back_to_has_the_cotangent_zero() {
        check(
            &arrow("x : Real(1), y : Real(2) ⊢ rev handle(x, y)⟨x, y⟩. ⌊x⌋ with J"),
            "
                in   w0 : 1, w1 : 2
                   0 w2 : 2 = zero()  J backward
                out  w0, w2",
        );
    }

    #[test]
    fn a_derivative_at_no_cotangent_stays_where_it_may_be_undefined() {
        check(
            &arrow(
                "x : Real(1) ⊢ rev handle(x)⟨x⟩. let _ ⇐ ⌊⟨log[1](x), cos[1](x)⟩⌋ in ⌊x⌋ with J",
            ),
            "
                in   w0 : 1
                   0 w1 : 1 = log(w0)          J forward log
                   1 w2 : 1 = zero()           J backward log
                   2 w3 : 1 = rd[log](w0, w2)  J backward log
                out  w0",
        );
    }

    #[test]
    fn clauses_of_an_inner_handler_are_handled_by_the_outer_one() {
        // J replaces E by D, then D at the cotangent. H handles both, the last one first in the backward half.
        check(
            &arrow("x : Real(1) ⊢ rev handle(x)⟨x⟩. (rev handle(x)⟨x⟩. E(x) with J) with H"),
            "
                in   w0 : 1
                   0 w1 : 0 = ()()                H forward D
                   1 w2 : 1 = Get[w](w1)          H forward D
                   2 w3 : 1 = hadamard(w2, w0)    H forward D
                   3 w4 : 0 = ()()                H forward D
                   4 w5 : 1 = Get[w](w4)          H forward D
                   5 w6 : 1 = hadamard(w5, w3)    H forward D
                   6 w7 : 1 = sin(w6)             H return
                   7 w8 : 1 = hadamard(w7, w3)    H backward D
                   8 w9 : 0 = Put[w](w8)          H backward D
                   9 w10 : 1 = hadamard(w5, w7)   H backward D
                  10 w11 : 1 = hadamard(w10, w0)  H backward D
                  11 w12 : 0 = Put[w](w11)        H backward D
                  12 w13 : 1 = hadamard(w2, w10)  H backward D
                out  w13",
        );
    }
}
