//! Evaluation of arrows in the model with the heap: pure maps are evaluated, `Get` and `Put` follow the heap rules of Example
//! mlp-reduction.

use crate::Arrow;
use crate::node::{Loop, Node, NodeKind};
use fletch_calculus::{Builtin, OperationRef, Origin, Symbol, Tensor, Value};
use fletch_smooth::{Applied, Map, Partiality, Shape, Statement};
use std::collections::BTreeMap;

/// Reason why an arrow has no value at a heap and an argument.
#[derive(Clone, Debug)]
pub enum Stopped {
    /// A partial function symbol outside its domain.
    Undefined {
        /// The symbol.
        symbol: Symbol,
        /// Argument.
        argument: Value,
        /// Reason, in plain words.
        reason: String,
        /// Origin of the application.
        origin: Origin,
    },
    /// An operation that no handler treats.
    Unhandled {
        /// The operation.
        operation: OperationRef,
        /// Origin of the call.
        origin: Origin,
    },
    /// Loops that would take too long.
    TooLong {
        /// Origin of the loop.
        origin: Origin,
    },
    /// The argument or the heap has another type: a defect, which is reported rather than hidden.
    IllTyped {
        /// Origin of the statement.
        origin: Origin,
    },
}

impl Stopped {
    /// Adds the moment of a loop to the reason; moments count from 1.
    fn in_moment(mut self, moment: usize, count: usize) -> Stopped {
        if let Stopped::Undefined { reason, .. } = &mut self {
            reason.push_str(&format!(", in moment {moment} of {count}"));
        }
        self
    }
}

/// Evaluates an arrow at this argument, one tensor for each base type of Δ. The heap is indexed by location number. What is
/// written to it stays when evaluation stops.
///
/// # Errors
/// Stops wherever the reduction is stuck.
pub fn evaluate(
    arrow: &Arrow,
    argument: &[Tensor],
    heap: &mut [Tensor],
    mode: Partiality,
) -> Result<Value, Stopped> {
    let outputs = fits(arrow, argument).and_then(|()| {
        arrow.map.run(argument, |statement, arguments, wires| {
            perform(statement, arguments, wires, heap, mode)
        })
    })?;
    let value = Value::assemble(&arrow.codomain, &mut outputs.into_iter());
    value.ok_or_else(mistyped)
}

/// Values of the wires of an arrow, and of the bodies of its loops at one moment of each.
#[derive(Clone, Debug, Default)]
pub struct Traced {
    /// Value of each wire, up to a statement that stops.
    pub wires: Vec<Tensor>,
    /// Values in the bodies of loops, by the number of the loop's statement; empty for a loop that stops before its moment.
    loops: BTreeMap<usize, Traced>,
}

impl Traced {
    /// Values in the body of a loop, by the statements of the loops around it, the outermost first, and its own.
    pub fn inside(&self, place: &[usize]) -> Option<&Traced> {
        match place {
            [] => Some(self),
            [first, rest @ ..] => self.loops.get(first)?.inside(rest),
        }
    }
}

/// Value of every wire at this argument, and of the wires in each loop body at one moment. `moment` gives that moment, from 0,
/// for a loop, which is identified by the statements of the enclosing loops and its own. If evaluation stops, the values before
/// it and the reason are returned.
pub fn wires(
    arrow: &Arrow,
    argument: &[Tensor],
    heap: &mut [Tensor],
    mode: Partiality,
    moment: &dyn Fn(&[usize]) -> usize,
) -> (Traced, Option<Stopped>) {
    let mut traced = Traced::default();
    if let Err(stopped) = fits(arrow, argument) {
        return (traced, Some(stopped));
    }
    let mut tracer = Tracer {
        heap,
        mode,
        moment,
        place: Vec::new(),
    };
    let ran = tracer.run(&arrow.map, argument, &mut traced);
    (traced, ran.err())
}

/// Evaluation that keeps the values of wires.
struct Tracer<'a> {
    heap: &'a mut [Tensor],
    mode: Partiality,
    moment: &'a dyn Fn(&[usize]) -> usize,
    /// Statements of the enclosing loops, the outermost first.
    place: Vec<usize>,
}

impl Tracer<'_> {
    fn run(
        &mut self,
        map: &Map<Node>,
        argument: &[Tensor],
        traced: &mut Traced,
    ) -> Result<Vec<Tensor>, Stopped> {
        traced.wires = argument.to_vec();
        let mut number = 0;
        map.run(argument, |statement, arguments, wires| {
            match &statement.applied.kind {
                NodeKind::Loop(looped) => {
                    let origin = statement.applied.provenance.origin;
                    self.place.push(number);
                    let inside = traced.loops.entry(number).or_default();
                    wires.extend(self.looped(looped, arguments, origin, inside)?);
                    self.place.pop();
                }
                _ => perform(statement, arguments, wires, self.heap, self.mode)?,
            }
            number += 1;
            let known = traced.wires.len();
            traced.wires.extend(wires.iter().skip(known).cloned());
            Ok(())
        })
    }

    fn looped(
        &mut self,
        looped: &Loop,
        arguments: &[Tensor],
        origin: Origin,
        traced: &mut Traced,
    ) -> Result<Vec<Tensor>, Stopped> {
        let chosen = (self.moment)(&self.place);
        run_loop(looped, arguments, origin, &mut |t, inputs| {
            if t == chosen {
                return self.run(&looped.body, inputs, traced);
            }
            run_body(looped, inputs, self.heap, self.mode)
        })
    }
}

fn mistyped() -> Stopped {
    Stopped::IllTyped {
        origin: Origin::default(),
    }
}

/// Checks that an argument has the sizes of the arrow's inputs.
fn fits(arrow: &Arrow, argument: &[Tensor]) -> Result<(), Stopped> {
    let sizes = argument.iter().map(Tensor::len);
    if sizes.eq(arrow.map.inputs().iter().copied()) {
        Ok(())
    } else {
        Err(mistyped())
    }
}

/// Runs one statement, and appends its results to the wires.
fn perform(
    statement: &Statement<Node>,
    arguments: &[Tensor],
    wires: &mut Vec<Tensor>,
    heap: &mut [Tensor],
    mode: Partiality,
) -> Result<(), Stopped> {
    let origin = statement.applied.provenance.origin;
    let ill_typed = Stopped::IllTyped { origin };
    let results: Vec<Tensor> = match &statement.applied.kind {
        NodeKind::Loop(looped) => run_loop(looped, arguments, origin, &mut |_, inputs| {
            run_body(looped, inputs, heap, mode)
        })?,
        NodeKind::Constant(tensor) => vec![tensor.clone()],
        NodeKind::Symbol(symbol) => {
            let argument = match arguments {
                // The symbol 0 takes no wire.
                [] => Value::zero(&symbol.domain()),
                _ => Value::assemble(&symbol.domain(), &mut arguments.iter().cloned())
                    .ok_or(ill_typed)?,
            };
            match symbol.eval(&argument, mode) {
                Ok(value) => value.tensors().into_iter().cloned().collect(),
                Err(undefined) => {
                    return Err(Stopped::Undefined {
                        symbol: symbol.clone(),
                        argument,
                        reason: undefined.reason,
                        origin,
                    });
                }
            }
        }
        NodeKind::Operation(operation) => {
            let Some((access, location)) = operation.heap_access() else {
                let operation = operation.clone();
                return Err(Stopped::Unhandled { operation, origin });
            };
            let cell = heap.get_mut(location.number);
            let cell = cell.ok_or_else(|| ill_typed.clone())?;
            match (access, arguments) {
                (Builtin::Get, _) => vec![cell.clone()],
                (Builtin::Put, [contents]) => {
                    *cell = contents.with_shape(location.shape()).ok_or(ill_typed)?;
                    vec![Tensor::zeros(Shape::vector(0))]
                }
                (Builtin::Put, _) => return Err(ill_typed),
            }
        }
    };
    debug_assert_eq!(results.len(), statement.applied.outputs().len());
    wires.extend(results);
    Ok(())
}

/// Maximum number of statements run for the copies of a loop.
pub const WORK: usize = 20_000_000;

/// Runs the body of a loop.
fn run_body(
    looped: &Loop,
    inputs: &[Tensor],
    heap: &mut [Tensor],
    mode: Partiality,
) -> Result<Vec<Tensor>, Stopped> {
    looped.body.run(inputs, |statement, arguments, wires| {
        perform(statement, arguments, wires, heap, mode)
    })
}

/// Callback that runs the body of a loop at a moment, from 0, with these inputs.
type Body<'a> = &'a mut dyn FnMut(usize, &[Tensor]) -> Result<Vec<Tensor>, Stopped>;

/// Runs the copies of a loop, in the order of time, each by `run`.
fn run_loop(
    looped: &Loop,
    arguments: &[Tensor],
    origin: Origin,
    run: Body<'_>,
) -> Result<Vec<Tensor>, Stopped> {
    let ill_typed = Stopped::IllTyped { origin };
    if looped.work() > WORK {
        return Err(Stopped::TooLong { origin });
    }
    let single = looped.constants + looped.states;
    let constants = arguments.get(..looped.constants).ok_or(ill_typed.clone())?;
    let states = arguments.get(looped.constants..single);
    let mut states = states.ok_or(ill_typed.clone())?.to_vec();
    let sequences = arguments.get(single..).ok_or(ill_typed.clone())?;
    let sizes = looped
        .body
        .inputs()
        .get(single..)
        .ok_or(ill_typed.clone())?;
    let mut given: Vec<Vec<Tensor>> = Vec::new();
    for t in looped.moments() {
        let mut inputs = [constants, &states].concat();
        for (sequence, k) in sequences.iter().zip(sizes) {
            let entry = sequence.data().get(t * k..(t + 1) * k);
            let entry = Tensor::new(Shape::vector(*k), entry.ok_or(ill_typed.clone())?.to_vec());
            inputs.push(entry.ok_or(ill_typed.clone())?);
        }
        let mut results =
            run(t, &inputs).map_err(|stopped| stopped.in_moment(t + 1, looped.count))?;
        let outputs = results.split_off(looped.states.min(results.len()));
        states = results;
        given.push(outputs);
    }
    if looped.backwards {
        given.reverse();
    }
    for (k, n) in looped.outputs().into_iter().enumerate().skip(looped.states) {
        let entries = || {
            given
                .iter()
                .filter_map(|moment| moment.get(k - looped.states))
        };
        if let (1, Some(only)) = (given.len(), entries().next()) {
            states.push(only.clone());
            continue;
        }
        let data: Vec<f64> = entries().flat_map(|entry| entry.data()).copied().collect();
        // The shape that `concat` gives to entries below one another.
        let shape = match n {
            0 => Shape::vector(0),
            _ => Shape::matrix(looped.count, n / looped.count),
        };
        states.push(Tensor::new(shape, data).ok_or(ill_typed.clone())?);
    }
    Ok(states)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

    use super::{Stopped, evaluate, wires};
    use crate::cases::{arrow, of_program};
    use fletch_calculus::{Tensor, Value};
    use fletch_smooth::Partiality;

    fn number(number: f64) -> Tensor {
        Tensor::vector(vec![number])
    }

    fn entries(value: &Value) -> Vec<f64> {
        let tensors = value.tensors();
        tensors
            .iter()
            .flat_map(|part| part.data().to_vec())
            .collect()
    }

    /// Entries of the value of a closed program without locations.
    fn value(source: &str) -> Vec<f64> {
        let found = evaluate(&of_program(source), &[], &mut [], Partiality::Paper);
        entries(&found.unwrap())
    }

    #[test]
    fn operations_act_on_one_heap_in_their_order() {
        let arrow = arrow(
            "x : Real(1) ⊢ let a ⇐ Get[w]() in let _ ⇐ Put[w](a + x) in let b ⇐ Get[w]() in ⌊⟨a, b⟩⌋",
        );
        let mut heap = [number(2.0)];
        let found = evaluate(&arrow, &[number(3.0)], &mut heap, Partiality::Paper).unwrap();
        assert_eq!(entries(&found), [2.0, 5.0]);
        assert_eq!(heap[0].data(), [5.0]);
    }

    #[test]
    fn what_was_written_before_it_stops_stays() {
        let arrow = arrow(
            "x : Real(1) ⊢ let _ ⇐ Put[w](x) in let y ⇐ ⌊log[1](x)⌋ in let _ ⇐ Put[w](y) in ⌊y⌋",
        );
        let mut heap = [number(2.0)];
        let stopped = evaluate(&arrow, &[number(-1.0)], &mut heap, Partiality::Paper);
        let Err(Stopped::Undefined { symbol, .. }) = stopped else {
            panic!("{stopped:?}");
        };
        assert_eq!(symbol.to_string(), "log");
        assert_eq!(heap[0].data(), [-1.0]);
    }

    #[test]
    fn an_operation_that_no_handler_treats_stops() {
        let stopped = evaluate(
            &arrow("x : Real(1) ⊢ D(x)"),
            &[number(1.0)],
            &mut [],
            Partiality::Paper,
        );
        assert!(
            matches!(stopped, Err(Stopped::Unhandled { .. })),
            "{stopped:?}"
        );
    }

    #[test]
    fn a_loop_has_its_states_last_and_its_outputs_in_the_order_of_time() {
        let source = "main = feedback[3](1, [[2], [3], [4]])⟨s, x⟩. ⌊⟨s ⊙ x, s⟩⌋";
        assert_eq!(value(source), [24.0, 1.0, 2.0, 6.0]);
    }

    #[test]
    fn the_way_back_of_a_loop_gives_the_entries_in_the_order_of_time() {
        // The value s·x₁·x₂·x₃ = 24 is the cotangent; s gets 24 · 24, and x gets 24 · 24 / x.
        let source = "
            handler H : Real(1) { x ↦ ⌊x⌋ }
            main = rev handle(1, [[2], [3], [4]])⟨s, xs⟩. feedback[3](s, xs)⟨s, x⟩. ⌊s ⊙ x⌋ with H";
        assert_eq!(value(source), [576.0, 288.0, 192.0, 144.0]);
    }

    #[test]
    fn a_moment_that_stops_is_told_by_its_number() {
        let arrow = of_program("main = feedback[3](0, [[2], [−3], [4]])⟨s, x⟩. ⌊s + log(x)⌋");
        let stopped = evaluate(&arrow, &[], &mut [], Partiality::Paper);
        let Err(Stopped::Undefined { reason, .. }) = stopped else {
            panic!("{stopped:?}");
        };
        assert!(reason.ends_with(", in moment 2 of 3"), "{reason}");
    }

    #[test]
    fn the_wires_of_a_loop_are_those_of_the_moment_that_is_asked_for() {
        let arrow = of_program("main = feedback[3](1, [[2], [3], [4]])⟨s, x⟩. ⌊⟨s ⊙ x, s⟩⌋");
        let statements = arrow.map.statements();
        let at = statements.len() - 1;
        let (traced, stopped) = wires(&arrow, &[], &mut [], Partiality::Paper, &|_| 1);
        assert!(stopped.is_none());
        // s, x and s ⊙ x of the second moment.
        let inside = traced.inside(&[at]).unwrap();
        let found: Vec<f64> = inside.wires.iter().map(|wire| wire.data()[0]).collect();
        assert_eq!(found, [2.0, 3.0, 6.0]);
    }
}
