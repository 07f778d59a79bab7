//! Short names for constructors of terms and commands, so that an equation of the paper reads in the code as it
//! does in its figure.

use crate::command::{Command, CommandKind, Role};
use crate::term::{Term, TermKind};
use crate::variable::{Origin, Variable};
use fletch_smooth::Symbol;

/// Builder of nodes that all have this origin.
#[derive(Clone, Copy, Debug)]
pub struct At(pub Origin);

impl At {
    /// x
    pub fn variable(self, x: &Variable) -> Term {
        Term::variable(x, self.0)
    }

    /// ⟨M₁, …, Mₙ⟩; for n = 1, M₁ itself.
    pub fn tuple(self, components: impl IntoIterator<Item = Term>) -> Term {
        Term::tuple(components.into_iter().collect(), self.0)
    }

    /// f(M)
    pub fn apply(self, symbol: Symbol, m: Term) -> Term {
        Term::new(TermKind::Apply(symbol, m), self.0)
    }

    /// M₁ + M₂
    pub fn add(self, left: Term, right: Term) -> Term {
        Term::add(left, right, self.0)
    }

    /// proj_i(M), i from 0
    pub fn project(self, index: usize, m: Term) -> Term {
        Term::project(index, m, self.0)
    }

    /// let x ← M in N
    pub fn let_term(self, x: &Variable, m: Term, n: Term) -> Term {
        Term::bind(x.clone(), m, n, self.0)
    }

    /// W.rd(x. N)(V)
    pub fn rd(self, w: Term, x: &Variable, n: Term, v: Term) -> Term {
        let kind = TermKind::ReverseDerivative {
            cotangent: w,
            variable: x.clone(),
            body: n,
            point: v,
        };
        Term::new(kind, self.0)
    }

    /// ⌊M⌋
    pub fn pure(self, m: Term) -> Command {
        Command::pure(m, self.0)
    }

    /// let x ⇐ P in Q
    pub fn let_(self, x: &Variable, p: Command, q: Command) -> Command {
        Command::bind(x.clone(), p, q, self.0)
    }

    /// let x ⇐ P in Q, with a role in a handled call.
    pub fn let_part(self, role: Role, x: &Variable, p: Command, q: Command) -> Command {
        let kind = CommandKind::Let {
            variable: x.clone(),
            bound: p,
            body: q,
            role,
        };
        Command::new(kind, self.0)
    }

    /// let ⟨x₁, …, xₙ⟩ ⇐ P in Q, with a role in a handled call; `tuple` is a fresh variable.
    pub fn let_parts(
        self,
        role: Role,
        tuple: Variable,
        components: &[Variable],
        p: Command,
        q: Command,
    ) -> Command {
        Command::bind_tuple(tuple, components, p, q, role, self.0)
    }
}
