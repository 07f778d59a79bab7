//! The reverse algebra of a handler, on arrows: α folds it over the statements of what is handled, so that there is one tape for each
//! run. Forwards, pure maps run and operations become their q^fwd; then the return clause; then backwards, from
//! the last statement to the first, pure maps become their reverse derivatives and operations their q^bwd.
//!
//! In the figure of Def. reverse-algebra, R̂(f)(k) is f, then k beside a copy of the argument, then RD′[f]; in that of
//! Def. q-opr-Y-from-reverse-handler, q_op(k) is q^fwd, then k beside what it saved, then q^bwd. By Def. alpha-from-q-opr-Y, α of a
//! composite is the composite of α's: the k of each statement is what the statements after it make of ⟦P⟧. So what comes
//! before k in these figures is written on the way out and what comes after it on the way back, and copies of wires
//! become sums of cotangents (RD.3 and RD.4).

mod loops;

use crate::bundle::Bundle;
use crate::node::{Handled, Node, NodeKind, Pass, Passage, Provenance};
use crate::scope::{Piece, among, results};
use crate::writer::{Clause, Fault, Writer};
use fletch_calculus::{Command, OperationRef, Origin, ReverseHandler, Type, Variable};
use fletch_smooth::{Differentiable, Map, Statement, Wire};
use loops::LoopTape;
use std::sync::Arc;

/// A run of a reverse handler that is being written.
pub(crate) struct Run<'a> {
    handler: &'a Arc<ReverseHandler>,
    number: u32,
    origin: Origin,
}

impl Run<'_> {
    /// Passage of a statement in this part of the run.
    pub(crate) fn passage(
        &self,
        pass: Pass,
        call: Option<&Handled>,
        clause: bool,
        inner: Option<Arc<Passage>>,
    ) -> Passage {
        Passage {
            handler: self.handler.name.clone(),
            run: self.number,
            origin: self.origin,
            pass,
            call: call.cloned(),
            clause,
            inner,
        }
    }
}

impl Writer {
    /// ⟦H⟧(⟦R⟧) at these wires: the cotangents of what ⟨x₁, …, xₙ⟩ stand for, base type by base type.
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
        // R is over these variables alone, so it is an arrow of its own.
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
            origin,
        };
        self.scope.met.runs += 1;
        self.alpha(&piece, &inputs, &run)
    }

    /// α(R, ⟦P⟧) of Def. alpha-from-q-opr-Y, for the whole of R at once.
    fn alpha(&mut self, r: &Piece, inputs: &[Wire], run: &Run<'_>) -> Result<Vec<Wire>, Fault> {
        let origin = run.origin;
        let (wires, tapes) = self.out(&r.map, inputs, run)?;
        self.goes_forward(origin, &wires);
        let outputs = among(&wires, r.map.outputs());
        let turned = self.clause(Clause::Return, &outputs, run, None)?;
        let mut cotangents = Cotangents(vec![None; wires.len()]);
        for (output, cotangent) in r.map.outputs().iter().zip(turned) {
            let provenance = here(run, Pass::Return, None, origin);
            self.accumulate(&mut cotangents, *output, cotangent, provenance)?;
        }
        self.back(&r.map, &wires, &tapes, &mut cotangents, run)?;
        if let Some(noted) = self.notes() {
            noted.all(&r.map, &wires, |wire| cotangents.of(wire));
        }
        let mut given = Vec::new();
        for (position, n) in r.map.inputs().iter().enumerate() {
            given.push(match cotangents.of(Wire(position)) {
                Some(cotangent) => cotangent,
                None => self.zero(*n, here(run, Pass::Backward, None, origin))?,
            });
        }
        Ok(given)
    }

    /// The way forward of a map at these wires: a wire for each of its own, and what each statement keeps.
    pub(crate) fn out(
        &mut self,
        map: &Map<Node>,
        inputs: &[Wire],
        run: &Run<'_>,
    ) -> Result<(Vec<Wire>, Vec<Tape>), Fault> {
        let ill_typed = Fault::IllTyped { origin: run.origin };
        let mut wires = inputs.to_vec();
        let mut tapes = Vec::new();
        let calls = calls(map);
        for (statement, call) in map.statements().iter().zip(&calls) {
            let arguments = among(&wires, &statement.arguments);
            match &statement.applied.kind {
                NodeKind::Operation(operation) => {
                    let count = statement.results().len();
                    let given = self.clause(
                        Clause::Forward(operation.clone()),
                        &arguments,
                        run,
                        Some(call),
                    )?;
                    let (results, kept) = given.split_at_checked(count).ok_or(ill_typed)?;
                    wires.extend(results);
                    tapes.push(Tape::Saved(kept.to_vec()));
                }
                NodeKind::Loop(looped) => {
                    let (results, tape) = self.loop_out(looped, &arguments, run, call)?;
                    wires.extend(results);
                    tapes.push(Tape::Loop(tape));
                }
                NodeKind::Symbol(_) | NodeKind::Constant(_) => {
                    let node = statement
                        .applied
                        .within(|inner| run.passage(Pass::Forward, Some(call), false, inner));
                    wires.extend(self.apply(node, &arguments)?);
                    tapes.push(Tape::Nothing);
                }
            }
            for result in results(statement) {
                if let (Some(name), Some(wire)) = (map.name(result), wires.get(result.0)) {
                    self.scope.builder.name(*wire, name);
                }
            }
        }
        Ok((wires, tapes))
    }

    /// The way back of a map, from the last statement to the first: the cotangents of its outputs become those of its inputs.
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
            let place = statement.applied.provenance.origin;
            let shares = match (&statement.applied.kind, tape) {
                (NodeKind::Operation(operation), Tape::Saved(kept)) => {
                    self.backward(operation, statement, cotangents, kept.clone(), run, call)?
                }
                (NodeKind::Loop(_), Tape::Loop(tape)) => {
                    let arguments = among(wires, &statement.arguments);
                    let given: Vec<Option<Wire>> = results(statement)
                        .map(|result| cotangents.of(result))
                        .collect();
                    self.loop_back(tape, &arguments, &given, run, call)?
                }
                _ => self.derived(statement, wires, cotangents, run, call)?,
            };
            for (argument, share) in statement.arguments.iter().zip(shares) {
                let provenance = here(run, Pass::Backward, Some(call), place);
                self.accumulate(cotangents, *argument, share, provenance)?;
            }
        }
        Ok(())
    }

    /// q^bwd_op at the cotangent of the result and what q^fwd_op saved. It runs even where the cotangent is zero: it may `Put`.
    fn backward(
        &mut self,
        operation: &OperationRef,
        statement: &Statement<Node>,
        cotangents: &Cotangents,
        kept: Vec<Wire>,
        run: &Run<'_>,
        call: &Handled,
    ) -> Result<Vec<Wire>, Fault> {
        let provenance = here(
            run,
            Pass::Backward,
            Some(call),
            statement.applied.provenance.origin,
        );
        let mut arguments = Vec::new();
        for (result, n) in results(statement).zip(operation.codomain.sizes()) {
            arguments.push(match cotangents.of(result) {
                Some(cotangent) => cotangent,
                None => self.zero(n, provenance.clone())?,
            });
        }
        arguments.extend(kept);
        self.clause(
            Clause::Backward(operation.clone()),
            &arguments,
            run,
            Some(call),
        )
    }

    /// RD′\[f\] at the copy of the argument. Where nothing comes back, it gives 0 (RD.2), said by no wire; it stays for its domain
    /// where total mode may stop at it.
    fn derived(
        &mut self,
        statement: &Statement<Node>,
        wires: &[Wire],
        cotangents: &Cotangents,
        run: &Run<'_>,
        call: &Handled,
    ) -> Result<Vec<Wire>, Fault> {
        let given: Vec<Option<Wire>> = results(statement)
            .map(|result| cotangents.of(result))
            .collect();
        let zero = given.iter().all(Option::is_none);
        if zero && !statement.applied.derivative_is_kept() {
            return Ok(Vec::new());
        }
        let node = (statement.applied)
            .within(|inner| run.passage(Pass::Backward, Some(call), false, inner));
        let arguments = among(wires, &statement.arguments);
        let of_wires: Vec<Wire> = results(statement).collect();
        let shares = node.reverse(
            &mut self.scope.builder,
            &arguments,
            &among(wires, &of_wires),
            &given,
        );
        Ok(match zero {
            true => Vec::new(),
            false => shares.into_iter().flatten().collect(),
        })
    }

    /// Places the arrow of a clause.
    fn clause(
        &mut self,
        clause: Clause,
        arguments: &[Wire],
        run: &Run<'_>,
        call: Option<&Handled>,
    ) -> Result<Vec<Wire>, Fault> {
        let pass = match clause {
            Clause::Return => Pass::Return,
            Clause::Forward(_) => Pass::Forward,
            Clause::Backward(_) => Pass::Backward,
        };
        let piece = self.piece(run.handler, clause, run.origin)?;
        let wires = self.place(&piece.map, arguments, |node| {
            node.within(|inner| run.passage(pass, call, true, inner))
        })?;
        Ok(among(&wires, piece.map.outputs()))
    }

    /// ⟦P⟧, q^fwd_op = ⟦Qᶠ⟧ or q^bwd_op = ⟦Qᵇ⟧ of a handler, written once.
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

    /// Adds a share to the cotangent of a wire; a first one needs no addition.
    pub(crate) fn accumulate(
        &mut self,
        cotangents: &mut Cotangents,
        wire: Wire,
        share: Wire,
        provenance: Provenance,
    ) -> Result<(), Fault> {
        let sum = match cotangents.of(wire) {
            None => share,
            Some(own) => self.sum(own, share, provenance)?,
        };
        if let Some(slot) = cotangents.0.get_mut(wire.0) {
            *slot = Some(sum);
        }
        Ok(())
    }
}

/// Statements of a handled arrow, as calls.
fn calls(map: &Map<Node>) -> Vec<Handled> {
    let mut operations = 0..;
    let statements = map.statements().iter().enumerate();
    let calls = statements.map(|(number, statement)| Handled {
        statement: number,
        name: Arc::from(statement.applied.to_string()),
        brief: Arc::from(statement.applied.brief()),
        origin: statement.applied.provenance.origin,
        operation: (statement.applied.operation()).and_then(|_| operations.next()),
        passage: statement.applied.provenance.passage.clone(),
    });
    calls.collect()
}

/// The cotangents of the wires of what is handled, where there are any yet.
pub(crate) struct Cotangents(pub(crate) Vec<Option<Wire>>);

/// The part of the way forward that the way back of a statement needs.
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

pub(crate) fn here(
    run: &Run<'_>,
    pass: Pass,
    call: Option<&Handled>,
    origin: Origin,
) -> Provenance {
    let mut provenance = Provenance::at(origin);
    provenance.passage = Some(Arc::new(run.passage(pass, call, false, None)));
    provenance
}

/// D of Qᶠ : B × D.
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
