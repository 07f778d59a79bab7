//! RH^V_H(⟨ȳ⟩. R), one equation at a time: chooses the equation by the form of R (Lemma form-of-commands), and finds the redex in R. The
//! equations themselves are in `equations`, those for ordinary handlers in `elimination`.
//!
//! RH is a function on commands. An RH command is unfolded when it reaches evaluation position, or when an enclosing RH needs to see the
//! head of its result.

use crate::action::Action;
use crate::decomposition::Decomposition;
use crate::frames::Frame;
use crate::step::Stuck;
use fletch_calculus::{
    At, Command, CommandKind, FreeVariables, Handled, Origin, Path, Supply, Term, Type, Variable,
    typing,
};
use std::sync::Arc;

/// Result of applying an equation to an RH command. Paths lead from that command.
pub(crate) struct Unfolded {
    pub(crate) command: Command,
    pub(crate) action: Action,
    pub(crate) levels: Vec<Arc<Handled>>,
    pub(crate) redex: Path,
    pub(crate) contractum: Path,
    pub(crate) origin: Origin,
}

/// Applies one equation to an RH command.
pub(crate) fn unfold(
    command: &Command,
    supply: &mut Supply,
    shortcuts: bool,
) -> Result<Unfolded, Stuck> {
    let CommandKind::Handled(handled) = command.kind() else {
        return Err(Stuck::IllTyped {
            origin: command.origin(),
        });
    };
    let mut unfolding = Unfolding {
        handled,
        origin: command.origin(),
        body: Decomposition::of(&handled.body),
        supply,
        shortcuts,
    };
    let mut unfolded = unfolding.equation()?;
    unfolded.levels.insert(0, handled.clone());
    unfolded.redex = unfolded.redex.under(handled.values.len());
    Ok(unfolded)
}

/// RH^V_H(⟨ȳ⟩. R), with R decomposed.
pub(crate) struct Unfolding<'a> {
    pub(crate) handled: &'a Arc<Handled>,
    pub(crate) body: Decomposition,
    pub(crate) supply: &'a mut Supply,
    pub(crate) origin: Origin,
    pub(crate) shortcuts: bool,
}

impl Unfolding<'_> {
    fn equation(&mut self) -> Result<Unfolded, Stuck> {
        let head = self.body.head.clone();
        if let CommandKind::Handled(_) = head.kind() {
            return self.inner();
        }
        if self.body.ordinary().is_some() {
            return self.eliminate();
        }
        let m = head.argument().ok_or_else(|| self.ill_typed())?;
        let Some(y) = m.as_variable() else {
            return self.term(m);
        };
        match head.kind() {
            CommandKind::Perform(operation, _) => self.operation(operation, y),
            CommandKind::RevHandle { .. } => self.rev_handle(y),
            CommandKind::Feedback { feedback, .. } => self.feedback(feedback, y),
            _ if self.body.frames.is_empty() => self.returns(y),
            _ => self.rename(y),
        }
    }

    /// Unfolds an inner RH at the head of R in place, by its own equation.
    pub(crate) fn inner(&mut self) -> Result<Unfolded, Stuck> {
        let inner = unfold(&self.body.head, self.supply, self.shortcuts)?;
        let hole = Path::hole(self.body.frames.len());
        Ok(Unfolded {
            command: self.around(&self.body.frames, inner.command),
            redex: hole.clone().then(&inner.redex),
            contractum: hole
                .then(&inner.contractum)
                .under(self.handled.values.len()),
            ..inner
        })
    }

    /// Unfolding whose contractum is the whole RH command; `redex` leads from R.
    pub(crate) fn whole(
        &self,
        command: Command,
        action: Action,
        redex: Path,
        origin: Origin,
    ) -> Unfolded {
        Unfolded {
            command,
            action,
            levels: Vec::new(),
            redex,
            contractum: Path::default(),
            origin,
        }
    }

    /// RH^V_H(⟨ȳ⟩. F[P]), where F is the outermost `depth` layers of R. The redex is `redex` layers inside R.
    pub(crate) fn within(
        &self,
        depth: usize,
        command: Command,
        action: Action,
        redex: usize,
        origin: Origin,
    ) -> Unfolded {
        let outer = self.body.frames.get(..depth).unwrap_or_default();
        let hole = Path::hole(outer.len());
        Unfolded {
            command: self.around(outer, command),
            action,
            levels: Vec::new(),
            redex: Path::hole(redex),
            contractum: hole.under(self.handled.values.len()),
            origin,
        }
    }

    /// RH^V_H(⟨ȳ⟩. F[P])
    fn around(&self, frames: &[Frame], command: Command) -> Command {
        let body = Decomposition::plug(frames, command);
        self.handled.with_body(body).command(self.origin)
    }

    /// F^t[M]: R with another argument of its head.
    pub(crate) fn plugged(&self, argument: Term) -> Command {
        let head = self.body.head.with_argument(argument);
        Decomposition::plug(&self.body.frames, head)
    }

    /// RH^⟨y, V̄⟩_H(⟨y, ȳ⟩. R′), where y : B.
    pub(crate) fn continued(&self, at: At, y: &Variable, ty: Type, rest: Command) -> Command {
        let value = at.variable(y);
        let extended = if self.shortcuts {
            let restricted = self.handled.restricted(rest.free());
            restricted.extended(y, value, ty, rest)
        } else {
            self.handled.extended(y, value, ty, rest)
        };
        extended.command(at.0)
    }

    /// The y_i not in `free`, the free variables of a part of R; empty without shortcuts.
    pub(crate) fn without(&self, free: &FreeVariables) -> Arc<[Variable]> {
        let variables = self.handled.variables.iter();
        if !self.shortcuts {
            return Arc::default();
        }
        (variables.filter(|y| !free.contains(y.id)).cloned()).collect()
    }

    /// i, from 0, and V_i, for a variable y_i.
    pub(crate) fn value(&self, y: &Variable) -> Result<(usize, Term), Stuck> {
        let found = self.handled.position(y);
        let found = found.and_then(|i| Some((i, self.handled.values.get(i)?.clone())));
        found.ok_or_else(|| self.ill_typed())
    }

    /// The type of a term over ȳ.
    pub(crate) fn type_of(&self, m: &Term) -> Result<Type, Stuck> {
        match typing::term(&self.handled.environment(), m) {
            Ok(derivation) => Ok(derivation.ty),
            Err(error) => Err(Stuck::IllTyped {
                origin: error.origin,
            }),
        }
    }

    /// D, for a forward clause Qᶠ : B × D over ȳ.
    pub(crate) fn type_of_saved(&self, forward: &Command) -> Result<Type, Stuck> {
        let derivation = typing::command(&self.handled.environment(), forward);
        let derivation = derivation.map_err(|error| Stuck::IllTyped {
            origin: error.origin,
        })?;
        match &derivation.ty {
            Type::Product(parts) => parts.get(1).cloned(),
            Type::Real(_) => None,
        }
        .ok_or_else(|| self.ill_typed())
    }

    /// A fresh variable for the result of the head, named as the program names the result; `y` where the program gives no name.
    pub(crate) fn fresh_result(&mut self) -> Variable {
        match self.body.frames.last() {
            Some(Frame::Let { variable, .. }) if &*variable.name != "_" => {
                self.supply.fresh_like(&variable.name)
            }
            _ => self.supply.fresh("y"),
        }
    }

    /// A fresh y′ for the cotangent of y.
    pub(crate) fn fresh_cotangent(&mut self, y: &Variable) -> Variable {
        self.supply.cotangent(y)
    }

    /// Fresh y′₁, …, y′_m for the cotangents of ȳ; `None` for the unused variables, which get no cotangent.
    pub(crate) fn fresh_cotangents(&mut self, unused: &[Variable]) -> Vec<Option<Variable>> {
        let handled = self.handled;
        let variables = handled.variables.iter();
        let cotangents = variables.map(|y| (!unused.contains(y)).then(|| self.fresh_cotangent(y)));
        cotangents.collect()
    }

    pub(crate) fn ill_typed(&self) -> Stuck {
        Stuck::IllTyped {
            origin: self.body.head.origin(),
        }
    }
}
