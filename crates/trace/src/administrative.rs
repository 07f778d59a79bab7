//! Administrative steps, which only move values: projections, pairs, renamings, additions of an exact zero, and unused
//! computations. The level `plain` skips them.

use fletch_calculus::{Part, Symbol, Term, TermKind, Variable};
use fletch_reduction::{Action, State, Step};
use std::collections::BTreeSet;

/// True if a step only moves values.
pub fn administrative(step: &Step, before: &State) -> bool {
    match &step.action {
        Action::Bind { .. } | Action::Proj { .. } | Action::Let { .. } | Action::RhLet { .. } => {
            true
        }
        Action::Add { left, right, .. } => adds_nothing(left, right) || idle(step, before),
        Action::Eval {
            symbol, argument, ..
        } => transposes(symbol) || no_cotangent(symbol, argument) || idle(step, before),
        Action::Rd {
            cotangent,
            variable,
            body,
            point,
            ..
        } => {
            let zero = is_zero(point).then_some(variable);
            is_zero(cotangent)
                || !body.free().contains(variable.id)
                || only_moves(body, zero)
                || idle(step, before)
        }
        Action::RhTerm { term, .. } => {
            let computed = match step.next.focus().kind() {
                fletch_calculus::CommandKind::Pure(m) if step.contractum.path.is_empty() => m,
                _ => term,
            };
            only_moves(computed, None)
        }
        _ => false,
    }
}

/// True if a term only moves values: it applies no function and adds nothing but zeros. `zero` is a variable that stands for zero.
pub(crate) fn only_moves(term: &Term, zero: Option<&Variable>) -> bool {
    let none = |term: &Term| match term.as_variable() {
        Some(x) => Some(x) == zero,
        None => is_zero(term),
    };
    match term.kind() {
        TermKind::Variable(_) | TermKind::Constant(_) => true,
        TermKind::Tuple(parts) => parts.iter().all(|part| only_moves(part, zero)),
        TermKind::Project(_, m) => only_moves(m, zero),
        TermKind::Add(left, right) => {
            (none(left) && only_moves(right, zero)) || (none(right) && only_moves(left, zero))
        }
        TermKind::Let(_, m, n) => only_moves(m, zero) && only_moves(n, zero),
        TermKind::ReverseDerivative {
            cotangent,
            variable,
            body,
            point,
        } => {
            only_moves(cotangent, zero)
                && only_moves(point, zero)
                && (!body.free().contains(variable.id) || only_moves(body, zero))
        }
        TermKind::Apply(..) => false,
    }
}

/// True if one summand is zero. For tuples: true if in each component one summand is zero, so that the sum only joins components.
fn adds_nothing(left: &Term, right: &Term) -> bool {
    match (left.kind(), right.kind()) {
        (TermKind::Tuple(left), TermKind::Tuple(right)) => {
            let mut pairs = left.iter().zip(right.iter());
            pairs.all(|(left, right)| adds_nothing(left, right))
        }
        _ => is_zero(left) || is_zero(right),
    }
}

/// True for a value whose entries are all zero.
pub fn is_zero(term: &Term) -> bool {
    match term.kind() {
        TermKind::Constant(tensor) => tensor.data().iter().all(|entry| *entry == 0.0),
        TermKind::Tuple(parts) => parts.iter().all(is_zero),
        _ => false,
    }
}

fn transposes(symbol: &Symbol) -> bool {
    symbol.reverse_of().is_none()
        && symbol
            .as_primitive()
            .is_some_and(|primitive| primitive.name() == "transpose")
}

/// True for a reverse derivative at a zero cotangent: its result is zero.
fn no_cotangent(symbol: &Symbol, argument: &Term) -> bool {
    match argument.kind() {
        TermKind::Tuple(parts) if symbol.reverse_of().is_some() => {
            parts.iter().next_back().is_some_and(is_zero)
        }
        _ => false,
    }
}

/// True if a step computes an unused subterm.
pub fn idle(step: &Step, before: &State) -> bool {
    let mut path = step.redex.path.iter();
    let (Some(_), Some(mut term)) = (path.next(), before.focus().argument()) else {
        return false;
    };
    for index in path {
        let next = match term.kind() {
            TermKind::Let(x, bound, _) if *index == 0 => {
                if !needed(term, x) {
                    return true;
                }
                bound
            }
            TermKind::Project(wanted, inner) => {
                if let TermKind::Tuple(parts) = inner.kind()
                    && parts.get(*wanted).is_some_and(Term::is_value)
                {
                    return true;
                }
                inner
            }
            TermKind::Apply(_, inner) => inner,
            TermKind::Add(left, right) => match index {
                0 => left,
                _ => right,
            },
            TermKind::Tuple(parts) => match parts.get(*index) {
                Some(part) => part,
                None => return false,
            },
            TermKind::ReverseDerivative {
                cotangent, point, ..
            } => match index {
                0 => cotangent,
                _ => point,
            },
            _ => return false,
        };
        term = next;
    }
    false
}

/// True if the value of a `let` depends on its variable, directly or through other `let`s.
fn needed(term: &Term, variable: &Variable) -> bool {
    let TermKind::Let(_, _, body) = term.kind() else {
        return true;
    };
    // A large term is not worth the search.
    if Part::Term(body).exceeds(SEARCHED) {
        return body.free().contains(variable.id);
    }
    body.free().contains(variable.id) && live(body).contains(&variable.id)
}

/// Maximum number of nodes of a term that is searched for live variables.
const SEARCHED: usize = 2000;

/// The free variables that the value of a term depends on.
fn live(term: &Term) -> BTreeSet<u32> {
    if term.free().is_empty() && term.is_value() {
        return BTreeSet::new();
    }
    match term.kind() {
        TermKind::Variable(x) => BTreeSet::from([x.id]),
        TermKind::Constant(_) => BTreeSet::new(),
        TermKind::Apply(_, m) | TermKind::Project(_, m) => live(m),
        TermKind::Add(m, n) => &live(m) | &live(n),
        TermKind::Tuple(parts) => parts.iter().flat_map(live).collect(),
        TermKind::Let(x, m, n) => {
            let mut found = live(n);
            if found.remove(&x.id) {
                found.append(&mut live(m));
            }
            found
        }
        TermKind::ReverseDerivative {
            cotangent,
            variable,
            body,
            point,
        } => {
            let mut found = live(body);
            found.remove(&variable.id);
            found.append(&mut live(cotangent));
            found.append(&mut live(point));
            found
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A failed test is a panic.

    use super::administrative;
    use crate::cases::{check, run, step};

    /// Checks the steps of a term, each with a word for whether it only moves values.
    #[track_caller]
    fn moves(term: &str, expected: &str) {
        let trace = run(&format!("main = ⌊{term}⌋"));
        let steps = (0..trace.len()).map(|position| {
            let moves = administrative(trace.step(position).unwrap(), trace.state(position));
            let kind = if moves { "moves" } else { "computes" };
            format!("{}, {kind}", step(&trace, position))
        });
        check(&steps.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_sum_with_zero_moves_the_other_summand() {
        moves("1 + 0", "0 add +, moves");
        moves("⟨1, 0⟩ + ⟨0, 2⟩", "0 add +, moves");
        moves("⟨1, 0⟩ + ⟨1, 2⟩", "0 add +, computes");
    }

    #[test]
    fn what_nothing_uses_is_passed_over() {
        moves("⟨1, sin(2)⟩.1", "0 eval sin, moves\n1 proj, moves");
        moves("⟨1, sin(2)⟩.2", "0 eval sin, computes\n1 proj, moves");
        moves(
            "let a ← sin(1) in let b ← a + a in 2",
            "0 eval sin, moves\n1 let a, moves\n2 add +, moves\n3 let b, moves",
        );
    }

    #[test]
    fn a_derivative_computes_if_a_cotangent_goes_through_a_function() {
        let first = |term: &str| {
            let trace = run(&format!("main = ⌊{term}⌋"));
            administrative(trace.step(0).unwrap(), trace.state(0))
        };
        assert!(!first("(1).rd(x. sin(x))(3)"));
        assert!(first("(0).rd(x. sin(x))(3)"), "nothing comes back");
        assert!(first("(1).rd(x. sin(2))(3)"), "nothing depends on x");
        assert!(first("(⟨1, 1⟩).rd(x. ⟨x, x⟩)(3)"), "copies are moved");
    }

    #[test]
    fn a_reverse_derivative_at_no_cotangent_gives_zero() {
        moves("rd[sin](3, 0)", "0 eval rd[sin], moves");
        moves("rd[sin](0, 3)", "0 eval rd[sin], computes");
    }
}
