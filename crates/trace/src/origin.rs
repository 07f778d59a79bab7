//! Newest part of a state: the value that the steps since an earlier stop have made. This value is the result of the first of these
//! steps, and is marked wherever it now occurs.

use crate::administrative::is_zero;
use crate::calls::{Calls, Event};
use crate::trace::Trace;
use fletch_calculus::{CommandKind, Term, TermKind};
use fletch_reduction::{Action, Step};

/// Newest part of a state, for a view to mark.
pub enum Made<'t> {
    /// The contractum of this step, at its position in the command.
    Step(&'t Step),
    /// A value, wherever it occurs.
    Value(Term),
    /// Nothing.
    Nothing,
}

/// Maximum number of steps over which a value is followed.
const FOLLOWED: usize = 10_000;

/// Newest part of the state at `position` since `from`, the stop that the reader comes from; without a stop, since the last step.
pub fn since(trace: &Trace, from: Option<usize>, position: usize) -> Made<'_> {
    let last = position.checked_sub(1);
    let from = from.filter(|from| *from < position).or(last);
    let Some(step) = from.and_then(|from| trace.step(from)) else {
        return Made::Nothing;
    };
    match from {
        Some(from) if Some(from) != last => match value(trace, from, position) {
            // In a trace that recomputes steps, terms of equal value count as the same. The value plus zero is then an occurrence of
            // the value, and no step need be recomputed to follow it.
            Some(value) if trace.calls().made_again => Made::Value(value),
            Some(value) => Made::Value(follow(trace, value, from + 1, position)),
            None => Made::Nothing,
        },
        _ => Made::Step(step),
    }
}

/// The value that the steps between two positions make: the result of the pass that starts at `from`, else of the step from there.
fn value(trace: &Trace, from: usize, to: usize) -> Option<Term> {
    let calls = trace.calls();
    if let Some(value) = calls
        .events_at(from)
        .find_map(|event| pass(calls, event, to))
    {
        return Some(value);
    }
    match &trace.step(from)?.action {
        Action::Eval { result, .. } | Action::Add { result, .. } | Action::Proj { result, .. } => {
            Some(result.clone())
        }
        Action::Bind { value, .. } | Action::Let { value, .. } => Some(value.clone()),
        Action::Get { .. } => match trace.state(from + 1).focus().kind() {
            CommandKind::Pure(contents) => Some(contents.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Result of the pass that an event starts, if it is known at position `to`.
fn pass(calls: &Calls, event: Event, to: usize) -> Option<Term> {
    let reached = |at: Option<usize>| at.is_some_and(|at| at <= to);
    match event {
        Event::Forward(at) => {
            let record = calls.records.get(at)?;
            let result = record.result.clone()?;
            reached(record.waits_from).then_some(result)
        }
        Event::Backward(at) => {
            let record = calls.records.get(at)?;
            let given = record.contribution.clone()?;
            reached(record.done_at).then_some(given)
        }
        Event::Returns(at) => {
            let (known, value) = calls.runs.get(at)?.turned_until.clone()?;
            (known <= to).then_some(value)
        }
        Event::Clause(at) => {
            let (known, value) = calls.clauses.get(at)?.resumed.clone()?;
            (known <= to).then_some(value)
        }
        Event::Begins(_)
        | Event::Ends(_)
        | Event::OrdinaryBegins(_)
        | Event::OrdinaryEnds(_)
        | Event::OrdinaryReturns(_) => None,
    }
}

/// Follows a value through additions of zeros.
fn follow(trace: &Trace, value: Term, from: usize, to: usize) -> Term {
    let steps = trace.steps(from..to).take(FOLLOWED);
    steps.fold(value, |value, step| added(step, &value).unwrap_or(value))
}

/// Sum of the value and zero, if the step computes such a sum, alone or in a component of tuples.
pub fn added(step: &Step, value: &Term) -> Option<Term> {
    match &step.action {
        Action::Add {
            left,
            right,
            result,
        } => sum([left, right], result, value),
        _ => None,
    }
}

fn sum([left, right]: [&Term; 2], result: &Term, value: &Term) -> Option<Term> {
    if (left.same(value) && is_zero(right)) || (right.same(value) && is_zero(left)) {
        return Some(result.clone());
    }
    match (left.kind(), right.kind(), result.kind()) {
        (TermKind::Tuple(left), TermKind::Tuple(right), TermKind::Tuple(result)) => {
            let mut parts = left.iter().zip(right.iter()).zip(result.iter());
            parts.find_map(|((left, right), result)| sum([left, right], result, value))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)] // A failed test is a panic.

    use super::{Made, since};
    use crate::cases::{HANDLED, run};
    use fletch_notation::print;
    use fletch_reduction::Action;

    /// Text of the newest part at a position of [`HANDLED`], for a reader who comes from a stop.
    fn made(from: Option<usize>, position: usize) -> String {
        match since(&run(HANDLED), from, position) {
            Made::Step(step) => format!("the step {}", step.action.rule().name()),
            Made::Value(value) => print(&value),
            Made::Nothing => "nothing".to_owned(),
        }
    }

    #[test]
    fn a_pass_has_made_its_result_once_it_is_over() {
        // RH-op at 1: w ⊙ x = 6, with which the continuation proceeds at 10.
        assert_eq!(made(Some(1), 9), "nothing");
        assert_eq!(made(Some(1), 10), "6");
        // RH-ret at 10: 6 − 1.
        assert_eq!(made(Some(10), 18), "5");
        // The backward clause from 18, whose first step binds the saved value: w ⊙ y.
        assert_eq!(made(Some(18), 28), "⟨2, 3⟩");
        assert_eq!(made(Some(18), 30), "10");
    }

    #[test]
    fn without_a_stop_the_last_step_has_made_its_contractum() {
        assert_eq!(made(None, 5), "the step eval");
        assert_eq!(made(Some(7), 5), "the step eval");
        assert_eq!(made(None, 0), "nothing");
    }

    #[test]
    fn a_value_is_followed_into_the_sums_with_zero() {
        let trace = run("main = let a ⇐ ⌊2 + 3⌋ in let b ⇐ ⌊0 + a⌋ in ⌊sin(b)⌋");
        let Made::Value(value) = since(&trace, Some(0), 3) else {
            panic!();
        };
        let Action::Add { result, .. } = &trace.step(2).unwrap().action else {
            panic!();
        };
        assert!(value.same(result), "the sum stands where the value stood");
    }
}
