//! The equations of Fig. rewriterevh, with the repairs of `semantics.md`. The doc comment of each function quotes its equation.
//!
//! Introduced variables are fresh. The result of an operation or a term is named after the variable that the program binds it to, a
//! cotangent after its variable, with a prime.

use crate::action::Action;
use crate::clauses::derived;
use crate::decomposition::Decomposition;
use crate::frames::Frame;
use crate::step::Stuck;
use crate::unfolding::{Unfolded, Unfolding};
use fletch_calculus::{
    At, Call, Called, Command, CommandKind, Feedback, Handled, OperationRef, Path, Role,
    Substitution, Term, TermKind, Type, Variable,
};
use std::sync::Arc;

impl Unfolding<'_> {
    /// RH-ret: RH^V_H(⟨ȳ⟩. ⌊y_k⌋) =
    /// let y ⇐ P[V_k/x] in ⌊⟨W₁, …, W_m⟩⌋, where W_k = y, and zeros elsewhere.
    pub(crate) fn returns(&mut self, y_k: &Variable) -> Result<Unfolded, Stuck> {
        let at = At(self.body.head.origin());
        let (k, value) = self.value(y_k)?;
        let p = (self.handled.handler.return_clause).at(value.clone(), self.supply);
        let y = self.fresh_cotangent(y_k);
        let w = self.handled.types.iter().enumerate().map(|(i, ty)| {
            if i == k {
                at.variable(&y)
            } else {
                Term::zero(ty, at.0)
            }
        });
        let command = at.let_(&y, p, at.pure(at.tuple(w)));
        let action = Action::RhRet {
            variable: y_k.clone(),
            value,
            result: y,
        };
        Ok(self.whole(command, action, Path::default(), at.0))
    }

    /// RH-let: RH^V_H(⟨ȳ⟩. F[let x ⇐ ⌊y_j⌋ in R]) =
    /// RH^V_H(⟨ȳ⟩. F[R[y_j/x]]). Also applies inside a `handle`.
    pub(crate) fn rename(&mut self, y_j: &Variable) -> Result<Unfolded, Stuck> {
        let at = At(self.body.head.origin());
        let Some((
            Frame::Let {
                variable,
                body,
                role,
                origin,
            },
            outer,
        )) = self.body.frames.split_last()
        else {
            return Err(self.ill_typed());
        };
        let renamed = Substitution::one(variable, at.variable(y_j)).command(body, self.supply);
        let action = Action::RhLet {
            variable: variable.clone(),
            replacement: y_j.clone(),
            body: body.clone(),
            role: role.clone(),
        };
        Ok(self.within(outer.len(), renamed, action, outer.len(), *origin))
    }

    /// RH-op: RH^V_H(⟨ȳ⟩. F[Op(y_i)]) =
    /// let ⟨y, z′⟩ ⇐ Qᶠ[V_i/x] in
    /// let ⟨y′, ȳ′⟩ ⇐ RH^⟨y, V̄⟩_H(⟨y, ȳ⟩. F[⌊y⌋]) in
    /// let y″_i ⇐ Qᵇ[y′/y, z′/z] in
    /// ⌊⟨y′₁, …, y′_i + y″_i, …, y′_m⟩⌋
    pub(crate) fn operation(
        &mut self,
        operation: &OperationRef,
        y_i: &Variable,
    ) -> Result<Unfolded, Stuck> {
        let at = At(self.body.head.origin());
        let (i, value) = self.value(y_i)?;
        let clause = self.handled.handler.clauses.get(operation);
        let clause = clause.ok_or_else(|| self.ill_typed())?;
        let (y, z) = (self.fresh_result(), self.supply.fresh("z"));
        let meeting = self.meeting(i, y, z, at);
        let sides = Sides {
            forward: clause.forward_at(value.clone(), self.supply),
            backward: clause.backward_at(
                at.variable(&meeting.own),
                at.variable(&meeting.z),
                self.supply,
            ),
            codomain: operation.codomain.clone(),
        };
        let called = Called::Operation(operation.clone());
        let Met {
            command,
            call,
            cotangents,
            contribution,
            unused,
        } = self.met(i, meeting, called, sides, at);
        let action = Action::RhOp {
            operation: operation.clone(),
            argument: y_i.clone(),
            value,
            default: clause.default,
            call,
            cotangents,
            contribution,
            unused,
        };
        Ok(self.whole(command, action, Path::hole(self.body.frames.len()), at.0))
    }

    /// RH-feedback: RH^V_H(⟨ȳ⟩. F[feedback\[n\](y_i)⟨s, x⟩. P]) = the right side of RH-op, where Qᶠ is the loop of Pᶠ, which keeps a
    /// tape, and Qᵇ is the loop of Pᵇ, last moment first.
    pub(crate) fn feedback(
        &mut self,
        feedback: &Arc<Feedback>,
        y_i: &Variable,
    ) -> Result<Unfolded, Stuck> {
        let at = At(self.body.head.origin());
        let (i, value) = self.value(y_i)?;
        let handled = self.handled;
        let shortcuts = self.shortcuts;
        let clauses = derived(feedback, &handled.handler, self.supply, shortcuts, at)?;
        let (y, z) = (self.fresh_result(), self.supply.fresh("z"));
        let meeting = self.meeting(i, y, z, at);
        let sides = Sides {
            forward: clauses.forward_at(value.clone(), self.supply, at),
            backward: clauses.backward_at(&meeting.own, &meeting.z, self.supply, at),
            codomain: feedback.codomain(),
        };
        let called = Called::Feedback(feedback.clone());
        let Met {
            command,
            call,
            cotangents,
            contribution,
            unused,
        } = self.met(i, meeting, called, sides, at);
        let action = Action::RhFeedback {
            feedback: feedback.clone(),
            argument: y_i.clone(),
            value,
            call,
            cotangents,
            contribution,
            unused,
        };
        Ok(self.whole(command, action, Path::hole(self.body.frames.len()), at.0))
    }

    /// The definition of RH-feedback: RH^V_H(⟨ȳ⟩. F[feedback\[n\](y_j)⟨s, x⟩. P]) = RH^V_H(⟨ȳ⟩. F[one moment, then feedback\[n − 1\]]).
    /// Runs use it where an ordinary handler is around the feedback: the clauses of that handler need not resume exactly once and last.
    pub(crate) fn moment(
        &mut self,
        feedback: &Arc<Feedback>,
        y_j: &Variable,
    ) -> Result<Unfolded, Stuck> {
        let at = At(self.body.head.origin());
        let parts = [0, 1].map(|i| at.project(i, at.variable(y_j)));
        let [state, inputs] = parts;
        let s = self.supply.fresh_like(&feedback.variables[0].name);
        let moment = feedback.unfolded(at.variable(&s), &inputs, self.supply, at);
        let command = at.let_(&s, at.pure(state.clone()), moment.command);
        let action = Action::Feedback {
            feedback: feedback.clone(),
            state,
            input: moment.input,
        };
        let depth = self.body.frames.len();
        Ok(self.within(depth, command, action, depth, at.0))
    }

    /// Makes the variables of a call with clauses, and its continuation F[⌊y⌋].
    fn meeting(&mut self, i: usize, y: Variable, z: Variable, at: At) -> Meeting {
        let rest = Decomposition::plug(&self.body.frames, at.pure(at.variable(&y)));
        let unused = self.without(rest.free());
        let (own, of_inputs) = (self.fresh_cotangent(&y), self.fresh_cotangents(&unused));
        let argument = self.handled.variables.get(i);
        let share = match argument {
            Some(y_i) => self.supply.share(y_i),
            None => self.supply.fresh("y"),
        };
        Meeting {
            y,
            z,
            own,
            of_inputs,
            share,
            rest,
            unused,
        }
    }

    /// Builds the right side of RH-op from these clauses.
    fn met(&mut self, i: usize, meeting: Meeting, called: Called, sides: Sides, at: At) -> Met {
        let Meeting {
            y,
            z,
            own,
            of_inputs,
            share,
            rest,
            unused,
        } = meeting;
        let call = self.call(called, &y, Some(&z), &own, at);
        let rest = self.continued(at, &y, sides.codomain, rest);
        let types = self.handled.types.iter();
        let sums = of_inputs
            .iter()
            .zip(types)
            .enumerate()
            .map(|(j, (y_j, ty))| {
                let share = (j == i).then(|| at.variable(&share));
                sum(y_j.as_ref(), share, ty, at)
            });
        let command = at.pure(at.tuple(sums));
        let others: Arc<[Variable]> = of_inputs.iter().flatten().cloned().collect();
        let (pair, tuple) = (self.supply.fresh("p"), self.supply.fresh("p"));
        let command = at.let_part(
            Role::Backward(call.clone()),
            &share,
            sides.backward,
            command,
        );
        let role = Role::Continuation(call.clone());
        let command = at.let_parts(role, tuple, &cons(&own, &others), rest, command);
        let role = Role::Forward(call.clone());
        let command = at.let_parts(role, pair, &[y, z], sides.forward, command);
        Met {
            command,
            call,
            cotangents: others,
            contribution: share,
            unused,
        }
    }

    /// RH-handle: RH^V_H(⟨ȳ⟩. F[rev handle(y_j)⟨z̄⟩. R with H′]) =
    /// RH^V_H(⟨ȳ⟩. F[RH^{y_j}_H′(⟨z̄⟩. R)]). If y_j has product type and is bound to several variables, projections destructure it first.
    /// Also applies inside a `handle`.
    pub(crate) fn rev_handle(&mut self, y_j: &Variable) -> Result<Unfolded, Stuck> {
        let at = At(self.body.head.origin());
        let CommandKind::RevHandle {
            variables,
            body,
            handler,
            ..
        } = self.body.head.kind()
        else {
            return Err(self.ill_typed());
        };
        let (j, _) = self.value(y_j)?;
        let ty = self.handled.types.get(j).ok_or_else(|| self.ill_typed())?;
        let whole = at.variable(y_j);
        let (names, values, types) = match ty {
            Type::Product(parts) if variables.len() == parts.len() => {
                let names = variables.iter().map(|z| self.supply.renamed(z));
                let names: Vec<Variable> = names.collect();
                let values = names.iter().map(|name| at.variable(name)).collect();
                (names, values, parts.clone())
            }
            _ if variables.len() == 1 => (
                Vec::new(),
                Arc::from([whole.clone()]),
                Arc::from([ty.clone()]),
            ),
            _ => return Err(self.ill_typed()),
        };
        let inner = Arc::new(Handled {
            values,
            variables: variables.clone(),
            types,
            body: body.clone(),
            handler: handler.clone(),
            run: self.supply.run(),
        });
        let command = names.iter().enumerate().rev().fold(
            Command::new(CommandKind::Handled(inner.clone()), at.0),
            |rest, (i, name)| at.let_(name, at.pure(at.project(i, whole.clone())), rest),
        );
        let action = Action::RhHandle {
            argument: y_j.clone(),
            inner,
        };
        let depth = self.body.frames.len();
        Ok(self.within(depth, command, action, depth, at.0))
    }

    /// RH-term: RH^V_H(⟨ȳ⟩. F^t[M]) =
    /// let y ⇐ ⌊M[V̄/ȳ]⌋ in
    /// let ⟨z, ȳ′⟩ ⇐ RH^⟨y, V̄⟩_H(⟨y, ȳ⟩. F^t[y]) in
    /// ⌊⟨y′_i + z.rd(y_i. M[V_j/y_j, j ≠ i])(V_i)⟩⌋
    pub(crate) fn term(&mut self, m: &Term) -> Result<Unfolded, Stuck> {
        let at = At(m.origin());
        let called = match m.kind() {
            TermKind::Apply(symbol, _) => Called::Function(symbol.clone()),
            _ => Called::Term,
        };
        let y = self.fresh_result();
        let rest = self.plugged(at.variable(&y));
        let (unused, constant) = (self.without(rest.free()), self.without(m.free()));
        let (z, of_inputs) = (self.fresh_cotangent(&y), self.fresh_cotangents(&unused));
        let call = self.call(called, &y, None, &z, at);

        let all = self.handled.substitution(m.free());
        let forward = all.term(m, self.supply);
        let rest = self.continued(at, &y, self.type_of(m)?, rest);
        let handled = self.handled;
        let inputs = handled.variables.iter().zip(handled.values.iter());
        let sums: Vec<Term> = (inputs.zip(handled.types.iter()).zip(&of_inputs))
            .map(|(((y_i, v_i), ty), own)| {
                let share = (!constant.contains(y_i)).then(|| {
                    let along = all.without(y_i).term(m, self.supply);
                    at.rd(at.variable(&z), y_i, along, v_i.clone())
                });
                sum(own.as_ref(), share, ty, at)
            })
            .collect();
        let others: Arc<[Variable]> = of_inputs.iter().flatten().cloned().collect();
        let tuple = self.supply.fresh("p");
        let command = at.pure(at.tuple(sums));
        let role = Role::Continuation(call.clone());
        let command = at.let_parts(role, tuple, &cons(&z, &others), rest, command);
        let command = at.let_part(Role::Forward(call.clone()), &y, at.pure(forward), command);
        let action = Action::RhTerm {
            term: m.clone(),
            result: y,
            met: Some((call, others)),
            unused,
            constant,
        };
        let redex = Path::hole(self.body.frames.len()).child(0);
        Ok(self.whole(command, action, redex, at.0))
    }

    fn call(
        &self,
        called: Called,
        result: &Variable,
        saved: Option<&Variable>,
        cotangent: &Variable,
        at: At,
    ) -> Arc<Call> {
        Arc::new(Call {
            called,
            handler: self.handled.handler.name.clone(),
            result: result.clone(),
            saved: saved.cloned(),
            cotangent: cotangent.clone(),
            run: self.handled.run,
            within: self.body.part(),
            origin: at.0,
        })
    }
}

/// The variables that RH-op and RH-feedback introduce, and the continuation F[⌊y⌋].
struct Meeting {
    y: Variable,
    z: Variable,
    /// y′
    own: Variable,
    /// ȳ′
    of_inputs: Vec<Option<Variable>>,
    /// y″_i
    share: Variable,
    rest: Command,
    unused: Arc<[Variable]>,
}

/// Qᶠ and Qᵇ applied to their arguments, and the type of y.
struct Sides {
    forward: Command,
    backward: Command,
    codomain: Type,
}

/// The right side of an equation for a call with clauses.
struct Met {
    command: Command,
    call: Arc<Call>,
    cotangents: Arc<[Variable]>,
    contribution: Variable,
    unused: Arc<[Variable]>,
}

/// y′_i + M, without a summand that a shortcut omits as 0.
pub(crate) fn sum(own: Option<&Variable>, share: Option<Term>, ty: &Type, at: At) -> Term {
    match (own, share) {
        (Some(own), Some(share)) => at.add(at.variable(own), share),
        (Some(own), None) => at.variable(own),
        (None, Some(share)) => share,
        (None, None) => Term::zero(ty, at.0),
    }
}

pub(crate) fn cons(first: &Variable, rest: &[Variable]) -> Vec<Variable> {
    std::iter::once(first).chain(rest).cloned().collect()
}
