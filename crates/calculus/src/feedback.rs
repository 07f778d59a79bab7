//! feedback\[n\](M)⟨s, x⟩. P, the delayed trace of the paper for n moments. A moment is one iteration of the loop: it takes the state s and
//! one input x, and gives the next state and one output. This module has the construct and its unfolding by one moment.
//!
//! The paper leaves delayed traces to future work. P may use only the variables s and x, as R of `rev handle` may use only its own.

use crate::build::At;
use crate::command::{Command, CommandKind, Role};
use crate::free::FreeVariables;
use crate::sequence::{cons, sequence, uncons};
use crate::substitution::Substitution;
use crate::term::Term;
use crate::variable::{Supply, Variable};
use fletch_smooth::Type;
use std::sync::Arc;

/// \[n\]⟨s, x⟩. P: a feedback without its argument M.
#[derive(Clone, Debug)]
pub struct Feedback {
    /// n, the number of moments that are left.
    pub count: usize,
    /// Number of moments of the whole loop, before its first moment ran; equal to `count` until then.
    pub whole: usize,
    /// Name of the command that P calls, as written; `None` if P is no call of a command.
    pub called: Option<Arc<str>>,
    /// Derivations that made P from the body of the program: each replaced the body by its Pᶠ or Pᵇ under a handler. The innermost handler
    /// comes first. Empty if P is the body as written.
    pub derived: Vec<Derived>,
    /// s : S and x : X.
    pub variables: [Variable; 2],
    /// S, the type of the state.
    pub of_state: Type,
    /// X, the type of one input.
    pub of_input: Type,
    /// Y, the type of one output.
    pub of_output: Type,
    /// P : S × Y, with no free variables but s and x.
    pub body: Command,
}

/// Derivation of one clause from the body of a moment: its forward half Pᶠ or its backward half Pᵇ under a handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// Half that was derived: forward or backward.
    pub half: Half,
    /// Name of the handler.
    pub handler: Arc<str>,
}

/// Half of a derived clause, and the direction in which its loop runs through time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// Forward half Pᶠ: the first moment runs first.
    Forward,
    /// Backward half Pᵇ: the last moment runs first.
    Backward,
}

/// Unfolding of a feedback by one moment: a `let` for the moment, then a `let` for the remaining moments.
#[derive(Clone, Debug)]
pub struct Moment {
    /// let ⟨s′, y⟩ ⇐ P[V/s, W₁/x] in let ⟨s″, ys⟩ ⇐ feedback\[n − 1\](⟨s′, W₂ … Wₙ⟩)⟨s, x⟩. P in ⌊⟨s″, y :: ys⟩⌋; for n = 0, ⌊⟨V, 0⟩⌋.
    pub command: Command,
    /// V, the state before the moment.
    pub state: Term,
    /// W₁, the input of the moment; `None` for n = 0.
    pub input: Option<Term>,
}

impl Feedback {
    /// S × \[n\]X, the type of the argument M.
    pub fn domain(&self) -> Type {
        Type::product(vec![
            self.of_state.clone(),
            sequence(self.count, &self.of_input),
        ])
    }

    /// S × \[n\]Y, the type of the whole command.
    pub fn codomain(&self) -> Type {
        Type::product(vec![
            self.of_state.clone(),
            sequence(self.count, &self.of_output),
        ])
    }

    /// S × Y, the type of the body P.
    pub fn moment(&self) -> Type {
        Type::product(vec![self.of_state.clone(), self.of_output.clone()])
    }

    /// The free variables of P other than s and x; empty in a well-typed command.
    pub fn free(&self) -> FreeVariables {
        let bound = self.variables.iter().map(|variable| variable.id);
        self.body.free().without_all(bound)
    }

    /// Number of the next moment, from 1. Moments count down in a loop of Pᵇ, and up again in a loop derived from such a loop.
    pub fn moment_number(&self) -> usize {
        match self.half() {
            Half::Forward => self.whole.saturating_sub(self.count) + 1,
            Half::Backward => self.count,
        }
    }

    /// Direction of time in this loop: each derivation of a backward half reverses it.
    pub fn half(&self) -> Half {
        let turns = self
            .derived
            .iter()
            .filter(|clause| clause.half == Half::Backward);
        match turns.count() % 2 {
            0 => Half::Forward,
            _ => Half::Backward,
        }
    }

    /// Name of the derived body, as `Momentᵇ[H]` for Pᵇ of a call of `Moment`. `None` if P is not derived, or was not a call.
    pub fn clause_name(&self) -> Option<String> {
        let called = self.called.as_ref().filter(|_| !self.derived.is_empty())?;
        let clauses = self
            .derived
            .iter()
            .map(|Derived { half, handler }| match half {
                Half::Forward => format!("ᶠ[{handler}]"),
                Half::Backward => format!("ᵇ[{handler}]"),
            });
        Some(std::iter::once(called.to_string()).chain(clauses).collect())
    }

    /// Returns `derived` with one more derivation, by this handler.
    pub fn clauses_with(&self, half: Half, handler: &Arc<str>) -> Vec<Derived> {
        let handler = handler.clone();
        let mut derived = self.derived.clone();
        derived.push(Derived { half, handler });
        derived
    }

    /// Returns the feedback with another number of moments.
    #[must_use]
    pub fn of(&self, count: usize) -> Feedback {
        Feedback {
            count,
            ..self.clone()
        }
    }

    /// Command feedback\[n\](M)⟨s, x⟩. P, for an argument M.
    pub fn command(self, argument: Term, at: At) -> Command {
        let feedback = Arc::new(self);
        Command::new(CommandKind::Feedback { argument, feedback }, at.0)
    }

    /// P\[V/s, W/x\], the body at a state and an input.
    pub fn body_at(&self, state: Term, input: Term, supply: &mut Supply) -> Command {
        Substitution::many(&self.variables, &[state, input]).command(&self.body, supply)
    }

    /// Unfolds the feedback by one moment, at values V of the state and W of the inputs. Entries of a W that is a variable are taken by the
    /// symbol `slice`; entries of a constant are computed at once.
    pub fn unfolded(&self, state: Term, inputs: &Term, supply: &mut Supply, at: At) -> Moment {
        let n = self.count;
        let Some(left) = n.checked_sub(1) else {
            let none = Term::zero(&sequence(0, &self.of_output), at.0);
            return Moment {
                command: at.pure(at.tuple([state.clone(), none])),
                state,
                input: None,
            };
        };
        let (first, rest) = uncons(n, &self.of_input, inputs, at);
        let [s, x] = &self.variables;
        let (given, last) = (supply.renamed(s), supply.renamed(s));
        let (y, ys) = (supply.fresh("y"), supply.fresh("ys"));
        let outputs = cons(n, &self.of_output, &at.variable(&y), &at.variable(&ys), at);
        let result = at.pure(at.tuple([at.variable(&last), outputs]));
        let others = (self.of(left)).command(at.tuple([at.variable(&given), rest]), at);
        let (pair, pairs) = (supply.fresh("p"), supply.fresh("p"));
        let after = at.let_parts(Role::Plain, pairs, &[last, ys], others, result);
        // W₁ is bound to a variable before P unless it is a value: only values are substituted.
        let (body, named) = match first.is_value() {
            true => (self.body_at(state.clone(), first.clone(), supply), None),
            false => {
                let x = supply.renamed(x);
                (
                    self.body_at(state.clone(), at.variable(&x), supply),
                    Some(x),
                )
            }
        };
        let command = at.let_parts(Role::Plain, pair, &[given, y], body, after);
        let command = match named {
            None => command,
            Some(x) => at.let_(&x, at.pure(first.clone()), command),
        };
        Moment {
            command,
            state,
            input: Some(first),
        }
    }
}
