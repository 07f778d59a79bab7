//! feedback\[n\](M)⟨s, x⟩. P, the paper's delayed trace for n moments: what is fed back, and one moment at a time.
//!
//! The paper leaves delayed traces to future work. P sees s and x alone, as R of `rev handle` does.

use crate::build::At;
use crate::command::{Command, CommandKind, Role};
use crate::free::FreeVariables;
use crate::sequence::{cons, sequence, uncons};
use crate::substitution::Substitution;
use crate::term::Term;
use crate::variable::{Supply, Variable};
use fletch_smooth::Type;
use std::sync::Arc;

/// \[n\]⟨s, x⟩. P
#[derive(Clone, Debug)]
pub struct Feedback {
    /// n, how many moments there are.
    pub count: usize,
    /// Number of moments before the first one ran: `count`, as long as none has.
    pub whole: usize,
    /// Name of the command that P is a call of, as it is written, if it is one.
    pub called: Option<Arc<str>>,
    /// Clauses that P is: Pᶠ or Pᵇ of handlers, the innermost one first. Empty for a P that is written.
    pub derived: Vec<Derived>,
    /// s : S and x : X
    pub variables: [Variable; 2],
    /// S
    pub of_state: Type,
    /// X
    pub of_input: Type,
    /// Y
    pub of_output: Type,
    /// P : S × Y, over s and x alone
    pub body: Command,
}

/// Clause of a moment that a handler derives: Pᶠ or Pᵇ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// Side of the clause.
    pub way: Way,
    /// Name of the handler.
    pub handler: Arc<str>,
}

/// Way through time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Pᶠ, the first moment first.
    Out,
    /// Pᵇ, the last moment first.
    Back,
}

/// The two `let`s of the rule: a moment, then the others.
#[derive(Clone, Debug)]
pub struct Moment {
    /// let ⟨s′, y⟩ ⇐ P[V/s, W₁/x] in let ⟨s″, ys⟩ ⇐ feedback\[n − 1\](⟨s′, W₂ … Wₙ⟩)⟨s, x⟩. P in ⌊⟨s″, y :: ys⟩⌋; without moments ⌊⟨V, 0⟩⌋.
    pub command: Command,
    /// V
    pub state: Term,
    /// W₁, if there is a moment.
    pub input: Option<Term>,
}

impl Feedback {
    /// S × \[n\]X, the type of M.
    pub fn domain(&self) -> Type {
        Type::product(vec![
            self.of_state.clone(),
            sequence(self.count, &self.of_input),
        ])
    }

    /// S × \[n\]Y, the type of the command.
    pub fn codomain(&self) -> Type {
        Type::product(vec![
            self.of_state.clone(),
            sequence(self.count, &self.of_output),
        ])
    }

    /// S × Y, the type of P.
    pub fn moment(&self) -> Type {
        Type::product(vec![self.of_state.clone(), self.of_output.clone()])
    }

    /// The free variables of P but for s and x: none in a command that has a type.
    pub fn free(&self) -> FreeVariables {
        let bound = self.variables.iter().map(|variable| variable.id);
        self.body.free().without_all(bound)
    }

    /// Number of the moment that is next, from 1. Time runs back in a loop of Pᵇ, and forth again in what is derived from that.
    pub fn moment_number(&self) -> usize {
        match self.way() {
            Way::Out => self.whole.saturating_sub(self.count) + 1,
            Way::Back => self.count,
        }
    }

    /// Way through time of its moments.
    pub fn way(&self) -> Way {
        let turns = self.derived.iter().filter(|clause| clause.way == Way::Back);
        match turns.count() % 2 {
            0 => Way::Out,
            _ => Way::Back,
        }
    }

    /// `Momentᵇ[H]` for Pᵇ of a call of `Moment`; none for a P that is written, or is no call.
    pub fn clause_name(&self) -> Option<String> {
        let called = self.called.as_ref().filter(|_| !self.derived.is_empty())?;
        let clauses = self
            .derived
            .iter()
            .map(|Derived { way, handler }| match way {
                Way::Out => format!("ᶠ[{handler}]"),
                Way::Back => format!("ᵇ[{handler}]"),
            });
        Some(std::iter::once(called.to_string()).chain(clauses).collect())
    }

    /// Clauses that P is, and one more by a handler.
    pub fn clauses_with(&self, way: Way, handler: &Arc<str>) -> Vec<Derived> {
        let handler = handler.clone();
        let mut derived = self.derived.clone();
        derived.push(Derived { way, handler });
        derived
    }

    /// Feedback with another number of moments.
    #[must_use]
    pub fn of(&self, count: usize) -> Feedback {
        Feedback {
            count,
            ..self.clone()
        }
    }

    /// feedback\[n\](M)⟨s, x⟩. P
    pub fn command(self, argument: Term, at: At) -> Command {
        let feedback = Arc::new(self);
        Command::new(CommandKind::Feedback { argument, feedback }, at.0)
    }

    /// P\[V/s, W/x\]
    pub fn body_at(&self, state: Term, input: Term, supply: &mut Supply) -> Command {
        Substitution::many(&self.variables, &[state, input]).command(&self.body, supply)
    }

    /// The rule at values V and W: W of a variable is taken apart by `slice`, that of a constant at once.
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
        // A W₁ that is no value is named before P has it.
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
