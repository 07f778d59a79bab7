//! Reverse handlers (Def. terms-commands) and ordinary handlers (the paper's Overview). A handler has
//! a clause, written or default, for every operation that can reach it from the command it is applied
//! to.

use crate::command::Command;
use crate::operation::OperationRef;
use crate::substitution::Substitution;
use crate::term::Term;
use crate::variable::{Origin, Supply, Variable};
use fletch_smooth::Type;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Return clause x ↦ P.
#[derive(Clone, Debug)]
pub struct ReturnClause {
    /// x : C
    pub variable: Variable,
    /// P
    pub body: Command,
}

impl ReturnClause {
    /// P[V/x]
    pub fn at(&self, value: Term, supply: &mut Supply) -> Command {
        Substitution::one(&self.variable, value).command(&self.body, supply)
    }
}

/// A handler H = {x ↦ P} ∪ {clauses}.
#[derive(Clone, Debug)]
pub struct Handler<C> {
    /// Name with its arguments, as applied: `H_MLP` of `H_MLP(0.1, [1])`; `{…}` for an anonymous
    /// handler.
    pub name: Arc<str>,
    /// C, the type of the handled command.
    pub handled: Type,
    /// D, the type of the result; C for a reverse handler.
    pub result: Type,
    /// x ↦ P
    pub return_clause: ReturnClause,
    /// Clauses, one for every operation that can reach the handler.
    pub clauses: BTreeMap<OperationRef, C>,
    /// Origin of the declaration.
    pub origin: Origin,
}

/// Reverse handler, ⊢ʳ H : C.
pub type ReverseHandler = Handler<ReverseClause>;

/// Ordinary handler, ⊢ H : C ⇒ D. An operation without a clause is performed outside the handler.
pub type OrdinaryHandler = Handler<Clause>;

/// Clause of a reverse handler: Op (x ↦ Qᶠ | y, z ↦ Qᵇ).
#[derive(Clone, Debug)]
pub struct ReverseClause {
    /// x : A
    pub argument: Variable,
    /// Qᶠ : B × D
    pub forward: Command,
    /// y : B, the cotangent of the result
    pub cotangent: Variable,
    /// z : D, the value that Qᶠ saved
    pub saved: Variable,
    /// Qᵇ : A
    pub backward: Command,
    /// True for the paper's default clause: Qᶠ performs the operation outside and saves 0; Qᵇ returns
    /// 0.
    pub default: bool,
    /// Origin of the declaration.
    pub origin: Origin,
}

impl ReverseClause {
    /// Qᶠ[V/x]
    pub fn forward_at(&self, value: Term, supply: &mut Supply) -> Command {
        Substitution::one(&self.argument, value).command(&self.forward, supply)
    }

    /// Qᵇ[W/y, U/z]
    pub fn backward_at(&self, cotangent: Term, saved: Term, supply: &mut Supply) -> Command {
        let variables = [self.cotangent.clone(), self.saved.clone()];
        Substitution::many(&variables, &[cotangent, saved]).command(&self.backward, supply)
    }
}

/// Clause of an ordinary handler: Op, k; x ↦ Q.
#[derive(Clone, Debug)]
pub struct Clause {
    /// k : B ⇝ D
    pub continuation: Variable,
    /// x : A
    pub argument: Variable,
    /// Q : D
    pub body: Command,
    /// Origin of the declaration.
    pub origin: Origin,
}
