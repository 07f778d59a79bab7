//! Elimination of an ordinary handler under RH, where arguments may be open. It comes before the equations of RH, and each equation
//! handles the next head of the handled computation (`semantics.md`; the paper has no equations for this).

use crate::action::Action;
use crate::decomposition::{Decomposition, Ordinary};
use crate::ordinary::respond;
use crate::step::Stuck;
use crate::unfolding::{Unfolded, Unfolding};
use fletch_calculus::{At, Command, CommandKind, Term};
use std::sync::Arc;

impl Unfolding<'_> {
    /// Eliminates the ordinary handler of RH^V_H(⟨ȳ⟩. F[handle F′[…] with H′]), by the form of the head.
    pub(crate) fn eliminate(&mut self) -> Result<Unfolded, Stuck> {
        let head = self.body.head.clone();
        let m = head.argument().ok_or_else(|| self.ill_typed())?;
        let ordinary = self.body.ordinary().ok_or_else(|| self.ill_typed())?;
        match (head.kind(), m.as_variable()) {
            (CommandKind::Pure(_), _) if ordinary.inner.is_empty() => self.handle_returns(m),
            (CommandKind::Pure(_), Some(y)) => self.rename(y),
            (CommandKind::RevHandle { .. }, Some(y)) => self.rev_handle(y),
            (CommandKind::Feedback { feedback, .. }, Some(y)) => self.moment(feedback, y),
            (CommandKind::Perform(..), _) => self.handle_operation(&head, m),
            _ => self.hoist(m),
        }
    }

    /// handle ⌊M⌋ with {x ↦ P, …} = let x ⇐ ⌊M⌋ in P
    fn handle_returns(&mut self, m: &Term) -> Result<Unfolded, Stuck> {
        let at = At(self.body.head.origin());
        let Some(Ordinary { outer, handler, .. }) = self.body.ordinary() else {
            return Err(self.ill_typed());
        };
        let returns = &handler.return_clause;
        let x = self.supply.fresh_like(&returns.variable.name);
        let p = returns.at(at.variable(&x), self.supply);
        let command = at.let_(&x, at.pure(m.clone()), p);
        let action = Action::HandleRet {
            handler: handler.clone(),
            value: m.clone(),
        };
        let depth = outer.len();
        Ok(self.within(depth, command, action, depth, at.0))
    }

    /// handle F′[Op(M)] with H′ = let x ⇐ ⌊M⌋ in Q_Op[(y. handle F′[⌊y⌋] with H′)/k]. Without a clause for Op in H′, Op is performed
    /// outside.
    fn handle_operation(&mut self, head: &Command, m: &Term) -> Result<Unfolded, Stuck> {
        let at = At(head.origin());
        let CommandKind::Perform(operation, _) = head.kind() else {
            return Err(self.ill_typed());
        };
        let (y, x) = (self.fresh_result(), self.supply.fresh("x"));
        let Some(Ordinary {
            outer,
            handler,
            layers,
            ..
        }) = self.body.ordinary()
        else {
            return Err(self.ill_typed());
        };
        let resumed = Decomposition::plug(layers, at.pure(at.variable(&y)));
        let (response, outside) = respond(
            handler,
            operation,
            at.variable(&x),
            &y,
            resumed,
            at,
            self.supply,
        );
        let command = at.let_(&x, at.pure(m.clone()), response);
        let action = Action::HandleOp {
            handler: handler.clone(),
            operation: operation.clone(),
            argument: m.clone(),
            result: y,
            outside,
        };
        let redex = self.body.frames.len();
        Ok(self.within(outer.len(), command, action, redex, at.0))
    }

    /// handle F′^t[M] with H′ = let y ⇐ ⌊M⌋ in handle F′^t[y] with H′, where M is not a variable.
    fn hoist(&mut self, m: &Term) -> Result<Unfolded, Stuck> {
        let at = At(self.body.head.origin());
        let y = match self.body.head.kind() {
            CommandKind::Pure(_) => self.fresh_result(),
            _ => self.supply.fresh("y"),
        };
        let Some(Ordinary { outer, layers, .. }) = self.body.ordinary() else {
            return Err(self.ill_typed());
        };
        let rest = self.body.head.with_argument(at.variable(&y));
        let rest = Decomposition::plug(layers, rest);
        let command = at.let_(&y, at.pure(m.clone()), rest);
        let action = Action::RhTerm {
            term: m.clone(),
            result: y,
            met: None,
            unused: Arc::default(),
            constant: Arc::default(),
        };
        let (depth, redex) = (outer.len(), self.body.frames.len());
        Ok(self.within(depth, command, action, redex, at.0))
    }
}
