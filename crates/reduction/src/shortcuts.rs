//! Number of reductions that a shortcut saves, compared with the paper's rules at the same redex. The count excludes later reductions on
//! variables that the shortcut has dropped.

use crate::action::Action;
use crate::step::Step;
use fletch_calculus::{
    Handled, Supply, Term, Type, Variable, reductions, reductions_of_derivative,
    shorten_derivative, typing,
};

impl Step {
    /// Lower bound of the reductions saved; 0 unless the step is a shortcut.
    pub fn left_out(&self) -> usize {
        match &self.action {
            Action::Rd {
                cotangent,
                variable,
                body,
                point,
                short: true,
            } => {
                let taken = shortened(
                    cotangent,
                    variable,
                    body,
                    point,
                    &mut self.next.supply().clone(),
                );
                reductions_of_derivative(body).saturating_sub(taken)
            }
            Action::RhOp {
                argument, unused, ..
            }
            | Action::RhFeedback {
                argument, unused, ..
            } if !unused.is_empty() => {
                let sum = usize::from(unused.contains(argument));
                names(unused, self.handled()) + sum
            }
            Action::RhTerm {
                term,
                unused,
                constant,
                ..
            } => {
                let share = 2 + reductions_of_derivative(term);
                let mixed = unused.iter().filter(|y| !constant.contains(y)).count();
                names(unused, self.handled()) + constant.len().saturating_mul(share) + mixed
            }
            _ => 0,
        }
    }
}

/// Number of the saved projections that name components of ȳ′, and of the saved substitutions of their values.
fn names(unused: &[Variable], handled: Option<&std::sync::Arc<Handled>>) -> usize {
    // Without any of ȳ, y′ is the only cotangent, and a single cotangent needs no projection either.
    let all = handled.is_some_and(|handled| handled.variables.len() == unused.len());
    2 * unused.len() + if all && !unused.is_empty() { 2 } else { 0 }
}

/// Number of reductions of W.R_V(x. N), written out with shortcuts.
fn shortened(w: &Term, x: &Variable, n: &Term, v: &Term, supply: &mut Supply) -> usize {
    let ty: Option<Type> = typing::term(&typing::Environment::default(), v)
        .ok()
        .map(|derivation| derivation.ty);
    let written = ty.and_then(|ty| shorten_derivative(w, v, &ty, x, n, supply).ok());
    written.map_or(usize::MAX, |(term, _)| reductions(&term))
}
