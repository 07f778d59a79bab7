//! RH_V^H(⟨ȳ⟩. R), one equation at a time (Fig. rewriterevh), with the repairs of `semantics.md`.
//!
//! RH is a function on commands; it is unfolded when it reaches evaluation position, or when an
//! enclosing RH needs to see its head. Names introduced by an equation are fresh every time; the result
//! of an operation is named after the variable that it is bound to, its cotangent with a prime.

use crate::frames::Frame;
use crate::handling;
use crate::spine::Spine;
use crate::step::{Action, Stuck};
use fletch_calculus::typing::{self, Assumption, Environment};
use fletch_calculus::{
    Call, Called, Command, CommandKind, OperationRef, Origin, ReverseHandler, Role, Substitution,
    Supply, Term, TermKind, Type, Variable,
};
use std::sync::Arc;

/// What an equation made of the command it was used on. Paths are child numbers from that command.
pub(crate) struct Unfolded {
    pub(crate) command: Command,
    pub(crate) action: Action,
    pub(crate) redex: Vec<usize>,
    pub(crate) contractum: Vec<usize>,
    pub(crate) origin: Origin,
}

/// The parts of RH_V^H(⟨ȳ⟩. R) but for R.
struct Handling<'a> {
    values: &'a Arc<[Term]>,
    variables: &'a Arc<[Variable]>,
    types: &'a Arc<[Type]>,
    handler: &'a Arc<ReverseHandler>,
    origin: Origin,
}

/// One equation on an RH command.
pub(crate) fn unfold(command: &Command, supply: &mut Supply) -> Result<Unfolded, Stuck> {
    let CommandKind::Handled {
        values,
        variables,
        types,
        body,
        handler,
    } = command.kind()
    else {
        return Err(Stuck::IllTyped {
            origin: command.origin(),
        });
    };
    let handling = Handling {
        values,
        variables,
        types,
        handler,
        origin: command.origin(),
    };
    let mut unfolded = handling.equation(body, supply)?;
    unfolded.redex.insert(0, values.len());
    Ok(unfolded)
}

impl Handling<'_> {
    fn equation(&self, body: &Command, supply: &mut Supply) -> Result<Unfolded, Stuck> {
        let spine = Spine::of(body);
        if let CommandKind::Handled { .. } = spine.head.kind() {
            return self.inner(&spine, supply);
        }
        if let Some(position) = spine.innermost_handle() {
            return self.eliminate_handle(&spine, position, supply);
        }
        let head = &spine.head;
        match head.kind() {
            CommandKind::Pure(m) => match m.as_variable() {
                Some(y) => match spine.frames.split_last() {
                    None => self.returns(y, head, supply),
                    Some((last, outer)) => self.rename(&spine, outer, last, y, supply),
                },
                None => self.term(&spine, m, supply, |y| Command::pure(y, head.origin())),
            },
            CommandKind::Perform(operation, m) => match m.as_variable() {
                Some(y) => self.operation(&spine, operation, y, supply),
                None => self.term(&spine, m, supply, |y| {
                    Command::perform(operation.clone(), y, head.origin())
                }),
            },
            CommandKind::RevHandle {
                argument,
                variables,
                body,
                handler,
            } => match argument.as_variable() {
                Some(y) => {
                    let replaced = self.rev_handle(head, y, supply)?;
                    let action = Action::RhHandle {
                        outer: self.handler.name.clone(),
                        inner: handler.name.clone(),
                    };
                    Ok(self.in_place(&spine, replaced, action))
                }
                None => self.term(&spine, argument, supply, |argument| {
                    let (variables, body, handler) =
                        (variables.clone(), body.clone(), handler.clone());
                    Command::new(
                        CommandKind::RevHandle {
                            argument,
                            variables,
                            body,
                            handler,
                        },
                        head.origin(),
                    )
                }),
            },
            _ => Err(Stuck::IllTyped {
                origin: head.origin(),
            }),
        }
    }

    /// RH-ret: RH(⟨ȳ⟩. ⌊y_k⌋) = let y ⇐ P[V_k/x] in ⌊⟨W_i⟩⌋, W_k = y and zeros elsewhere.
    fn returns(
        &self,
        y: &Variable,
        head: &Command,
        supply: &mut Supply,
    ) -> Result<Unfolded, Stuck> {
        let origin = head.origin();
        let position = self.position(y, origin)?;
        let value = self
            .values
            .get(position)
            .cloned()
            .ok_or(Stuck::IllTyped { origin })?;
        let returns = &self.handler.return_clause;
        let bound =
            Substitution::one(&returns.variable, value.clone()).command(&returns.body, supply);
        let cotangent = supply.fresh(&primed(&y.name));
        let padded = self.types.iter().enumerate().map(|(index, ty)| {
            if index == position {
                Term::variable(&cotangent, origin)
            } else {
                Term::zero(ty, origin)
            }
        });
        let result = Command::pure(Term::tuple(padded.collect(), origin), origin);
        let command = Command::bind(cotangent, bound, result, origin);
        let action = Action::RhRet {
            handler: self.handler.name.clone(),
            variable: y.clone(),
            value,
        };
        Ok(Unfolded {
            command,
            action,
            redex: Vec::new(),
            contractum: Vec::new(),
            origin,
        })
    }

    /// RH-let: RH(⟨ȳ⟩. F[let x ⇐ ⌊y_j⌋ in R]) = RH(⟨ȳ⟩. F[R[y_j/x]]). Also through a `handle`.
    fn rename(
        &self,
        spine: &Spine,
        outer: &[Frame],
        last: &Frame,
        y: &Variable,
        supply: &mut Supply,
    ) -> Result<Unfolded, Stuck> {
        let Frame::Let { variable, body, .. } = last else {
            return Err(Stuck::IllTyped {
                origin: spine.head.origin(),
            });
        };
        let renamed = Substitution::one(variable, Term::variable(y, spine.head.origin()))
            .command(body, supply);
        let action = Action::RhLet {
            variable: variable.clone(),
            replacement: y.clone(),
        };
        let path = vec![0; outer.len()];
        let command = self.around(Spine::plug(outer, renamed));
        Ok(Unfolded {
            command,
            action,
            redex: path.clone(),
            contractum: self.inside(path),
            origin: last_origin(last),
        })
    }

    /// RH-op: the forward clause, the handled continuation, and the backward clause that waits for it.
    fn operation(
        &self,
        spine: &Spine,
        operation: &OperationRef,
        y_i: &Variable,
        supply: &mut Supply,
    ) -> Result<Unfolded, Stuck> {
        let origin = spine.head.origin();
        let position = self.position(y_i, origin)?;
        let value = self
            .values
            .get(position)
            .cloned()
            .ok_or(Stuck::IllTyped { origin })?;
        let clause = self
            .handler
            .clauses
            .get(operation)
            .ok_or(Stuck::IllTyped { origin })?;
        let y = supply.fresh(&result_name(spine));
        let saved = supply.fresh("z");
        let cotangent = supply.fresh(&primed(&y.name));
        let cotangents = self.cotangents(supply);
        let contribution = supply.fresh(&format!("{}″", y_i.name));
        let call = Arc::new(Call {
            called: Called::Operation(operation.clone()),
            handler: self.handler.name.clone(),
            result: y.clone(),
            saved: Some(saved.clone()),
            cotangent: cotangent.clone(),
            origin,
        });

        let forward =
            Substitution::one(&clause.argument, value.clone()).command(&clause.forward, supply);
        let rest = Spine::plug(
            &spine.frames,
            Command::pure(Term::variable(&y, origin), origin),
        );
        let continuation = self.extended(&y, &operation.codomain, rest, origin);
        let backward = Substitution::many(
            &[clause.cotangent.clone(), clause.saved.clone()],
            &[
                Term::variable(&cotangent, origin),
                Term::variable(&saved, origin),
            ],
        )
        .command(&clause.backward, supply);
        let sums = cotangents.iter().enumerate().map(|(index, y)| {
            let own = Term::variable(y, origin);
            if index == position {
                Term::add(own, Term::variable(&contribution, origin), origin)
            } else {
                own
            }
        });
        let result = Command::pure(Term::tuple(sums.collect(), origin), origin);
        let kind = CommandKind::Let {
            variable: contribution,
            bound: backward,
            body: result,
            role: Role::Backward(call.clone()),
        };
        let mut binders = vec![cotangent];
        binders.extend(cotangents);
        let pair = supply.fresh("p");
        let tuple = supply.fresh("p");
        let waiting = Command::bind_tuple(
            tuple,
            &binders,
            continuation,
            Command::new(kind, origin),
            Role::Continuation(call.clone()),
            origin,
        );
        let command = Command::bind_tuple(
            pair,
            &[y, saved],
            forward,
            waiting,
            Role::Forward(call),
            origin,
        );
        let action = Action::RhOp {
            handler: self.handler.name.clone(),
            operation: operation.clone(),
            argument: y_i.clone(),
            value,
            default: clause.default,
        };
        Ok(Unfolded {
            command,
            action,
            redex: vec![0; spine.frames.len()],
            contractum: Vec::new(),
            origin,
        })
    }

    /// RH-term: a pure term that is not a variable is computed first, then differentiated at every y_i.
    fn term(
        &self,
        spine: &Spine,
        m: &Term,
        supply: &mut Supply,
        head: impl FnOnce(Term) -> Command,
    ) -> Result<Unfolded, Stuck> {
        let origin = m.origin();
        let called = match m.kind() {
            TermKind::Apply(symbol, _) => Called::Function(symbol.clone()),
            _ => Called::Term,
        };
        let y = supply.fresh(&result_name(spine));
        let z = supply.fresh(&primed(&y.name));
        let cotangents = self.cotangents(supply);
        let call = Arc::new(Call {
            called: called.clone(),
            handler: self.handler.name.clone(),
            result: y.clone(),
            saved: None,
            cotangent: z.clone(),
            origin,
        });
        let forward = Substitution::many(self.variables, self.values).term(m, supply);
        let rest = Spine::plug(&spine.frames, head(Term::variable(&y, origin)));
        let ty = self.type_of(m)?;
        let continuation = self.extended(&y, &ty, rest, origin);
        let mut parts = Vec::with_capacity(self.values.len());
        for (index, cotangent) in cotangents.iter().enumerate() {
            parts.push(self.pulled_back(index, cotangent, &z, m, supply, origin)?);
        }
        let result = Command::pure(Term::tuple(parts, origin), origin);
        let mut binders = vec![z];
        binders.extend(cotangents);
        let tuple = supply.fresh("p");
        let waiting = Command::bind_tuple(
            tuple,
            &binders,
            continuation,
            result,
            Role::Continuation(call.clone()),
            origin,
        );
        let kind = CommandKind::Let {
            variable: y,
            bound: Command::pure(forward, origin),
            body: waiting,
            role: Role::Forward(call),
        };
        let action = Action::RhTerm {
            handler: self.handler.name.clone(),
            term: m.clone(),
            called,
        };
        let mut redex = vec![0; spine.frames.len()];
        redex.push(0);
        Ok(Unfolded {
            command: Command::new(kind, origin),
            action,
            redex,
            contractum: Vec::new(),
            origin,
        })
    }

    /// y′_i + z.rd(y_i. M[V_j/y_j, j ≠ i])(V_i)
    fn pulled_back(
        &self,
        index: usize,
        cotangent: &Variable,
        z: &Variable,
        m: &Term,
        supply: &mut Supply,
        origin: Origin,
    ) -> Result<Term, Stuck> {
        let ill_typed = Stuck::IllTyped { origin };
        let variable = self
            .variables
            .get(index)
            .cloned()
            .ok_or_else(|| ill_typed.clone())?;
        let point = self.values.get(index).cloned().ok_or(ill_typed)?;
        let others = |list: &[Variable]| -> Vec<Variable> {
            list.iter()
                .filter(|other| **other != variable)
                .cloned()
                .collect()
        };
        let values: Vec<Term> = self
            .values
            .iter()
            .enumerate()
            .filter(|(position, _)| *position != index)
            .map(|(_, value)| value.clone())
            .collect();
        let body = Substitution::many(&others(self.variables), &values).term(m, supply);
        let kind = TermKind::ReverseDerivative {
            cotangent: Term::variable(z, origin),
            variable,
            body,
            point,
        };
        Ok(Term::add(
            Term::variable(cotangent, origin),
            Term::new(kind, origin),
            origin,
        ))
    }

    /// RH-handle: the inner `rev handle(y_j)⟨z̄⟩. R with H′` becomes RH′ at y_j; an argument of product
    /// type that is bound to several variables is taken apart by projections first.
    fn rev_handle(
        &self,
        head: &Command,
        y: &Variable,
        supply: &mut Supply,
    ) -> Result<Command, Stuck> {
        let origin = head.origin();
        let CommandKind::RevHandle {
            variables,
            body,
            handler,
            ..
        } = head.kind()
        else {
            return Err(Stuck::IllTyped { origin });
        };
        let position = self.position(y, origin)?;
        let ty = self
            .types
            .get(position)
            .cloned()
            .ok_or(Stuck::IllTyped { origin })?;
        let handled = |values: Arc<[Term]>, types: Arc<[Type]>| {
            let (variables, body, handler) = (variables.clone(), body.clone(), handler.clone());
            Command::new(
                CommandKind::Handled {
                    values,
                    variables,
                    types,
                    body,
                    handler,
                },
                origin,
            )
        };
        let whole = Term::variable(y, origin);
        match &ty {
            Type::Product(parts) if variables.len() == parts.len() => {
                let names: Vec<Variable> = variables
                    .iter()
                    .map(|x| supply.fresh_like(&x.name))
                    .collect();
                let values = names
                    .iter()
                    .map(|name| Term::variable(name, origin))
                    .collect();
                let inner = handled(values, parts.clone());
                Ok(names
                    .into_iter()
                    .enumerate()
                    .rev()
                    .fold(inner, |inner, (index, name)| {
                        let component = Term::project(index, whole.clone(), origin);
                        Command::bind(name, Command::pure(component, origin), inner, origin)
                    }))
            }
            _ if variables.len() == 1 => Ok(handled(Arc::from([whole]), Arc::from([ty]))),
            _ => Err(Stuck::IllTyped { origin }),
        }
    }

    /// An inner RH at the head is unfolded where it stands, by its own equation.
    fn inner(&self, spine: &Spine, supply: &mut Supply) -> Result<Unfolded, Stuck> {
        let unfolded = unfold(&spine.head, supply)?;
        let mut redex = vec![0; spine.frames.len()];
        let mut contractum = redex.clone();
        redex.extend(unfolded.redex);
        contractum.extend(unfolded.contractum);
        Ok(Unfolded {
            command: self.around(Spine::plug(&spine.frames, unfolded.command)),
            contractum: self.inside(contractum),
            action: unfolded.action,
            redex,
            origin: unfolded.origin,
        })
    }

    /// An ordinary handler under RH is eliminated first: its computation is taken one head further.
    fn eliminate_handle(
        &self,
        spine: &Spine,
        position: usize,
        supply: &mut Supply,
    ) -> Result<Unfolded, Stuck> {
        let head = &spine.head;
        let origin = head.origin();
        let (outer, rest) = spine.frames.split_at(position);
        let Some((Frame::Handle { handler, .. }, inner)) = rest.split_first() else {
            return Err(Stuck::IllTyped { origin });
        };
        let resumed =
            |y: &Variable| Spine::plug(rest, Command::pure(Term::variable(y, origin), origin));
        let (replaced, action) = match head.kind() {
            CommandKind::Pure(m) if inner.is_empty() => {
                let returns = &handler.return_clause;
                let x = supply.fresh_like(&returns.variable.name);
                let body = Substitution::one(&returns.variable, Term::variable(&x, origin))
                    .command(&returns.body, supply);
                let replaced = Command::bind(x, Command::pure(m.clone(), origin), body, origin);
                (
                    replaced,
                    Action::HandleRet {
                        handler: handler.name.clone(),
                        value: m.clone(),
                    },
                )
            }
            CommandKind::Pure(m) => match (m.as_variable(), spine.frames.split_last()) {
                (Some(y), Some((last, outer))) => {
                    return self.rename(spine, outer, last, y, supply);
                }
                _ => {
                    let y = supply.fresh(&result_name(spine));
                    let body = resumed(&y);
                    (
                        Command::bind(y, head.clone(), body, origin),
                        self.hoisted(m),
                    )
                }
            },
            CommandKind::Perform(operation, m) => {
                let y = supply.fresh(&result_name(spine));
                let body = resumed(&y);
                let x = supply.fresh("x");
                let argument = Term::variable(&x, origin);
                let (response, outside) =
                    handling::respond(handler, operation, argument, y, body, head, supply);
                let replaced = Command::bind(x, Command::pure(m.clone(), origin), response, origin);
                let action = Action::HandleOp {
                    handler: handler.name.clone(),
                    operation: operation.clone(),
                    argument: m.clone(),
                    outside,
                };
                (replaced, action)
            }
            CommandKind::RevHandle {
                argument,
                variables,
                body,
                handler: by,
            } => match argument.as_variable() {
                Some(y) => {
                    let replaced = self.rev_handle(head, y, supply)?;
                    let action = Action::RhHandle {
                        outer: self.handler.name.clone(),
                        inner: by.name.clone(),
                    };
                    return Ok(self.in_place(spine, replaced, action));
                }
                None => {
                    let y = supply.fresh("y");
                    let kind = CommandKind::RevHandle {
                        argument: Term::variable(&y, origin),
                        variables: variables.clone(),
                        body: body.clone(),
                        handler: by.clone(),
                    };
                    let rest = Spine::plug(rest, Command::new(kind, origin));
                    (
                        Command::bind(y, Command::pure(argument.clone(), origin), rest, origin),
                        self.hoisted(argument),
                    )
                }
            },
            _ => return Err(Stuck::IllTyped { origin }),
        };
        // A return is the handler's own step; any other begins at the head.
        let depth = match action {
            Action::HandleRet { .. } => position,
            _ => spine.frames.len(),
        };
        let command = self.around(Spine::plug(outer, replaced));
        Ok(Unfolded {
            command,
            action,
            redex: vec![0; depth],
            contractum: self.inside(vec![0; position]),
            origin,
        })
    }

    fn hoisted(&self, term: &Term) -> Action {
        Action::RhTerm {
            handler: self.handler.name.clone(),
            term: term.clone(),
            called: Called::Term,
        }
    }

    /// The head replaced, everything around it as it was.
    fn in_place(&self, spine: &Spine, replaced: Command, action: Action) -> Unfolded {
        let path = vec![0; spine.frames.len()];
        Unfolded {
            command: self.around(Spine::plug(&spine.frames, replaced)),
            action,
            redex: path.clone(),
            contractum: self.inside(path),
            origin: spine.head.origin(),
        }
    }

    /// RH_V^H(⟨ȳ⟩. R) with another R.
    fn around(&self, body: Command) -> Command {
        let kind = CommandKind::Handled {
            values: self.values.clone(),
            variables: self.variables.clone(),
            types: self.types.clone(),
            body,
            handler: self.handler.clone(),
        };
        Command::new(kind, self.origin)
    }

    /// A path in R as a path in RH_V^H(⟨ȳ⟩. R).
    fn inside(&self, mut path: Vec<usize>) -> Vec<usize> {
        path.insert(0, self.values.len());
        path
    }

    /// RH_{⟨y, V̄⟩}^H(⟨y, ȳ⟩. R)
    fn extended(&self, y: &Variable, ty: &Type, body: Command, origin: Origin) -> Command {
        let values = std::iter::once(Term::variable(y, origin)).chain(self.values.iter().cloned());
        let variables = std::iter::once(y.clone()).chain(self.variables.iter().cloned());
        let types = std::iter::once(ty.clone()).chain(self.types.iter().cloned());
        let kind = CommandKind::Handled {
            values: values.collect(),
            variables: variables.collect(),
            types: types.collect(),
            body,
            handler: self.handler.clone(),
        };
        Command::new(kind, origin)
    }

    /// Fresh y′₁, …, y′_m for the cotangents of the variables.
    fn cotangents(&self, supply: &mut Supply) -> Vec<Variable> {
        self.variables
            .iter()
            .map(|y| supply.fresh(&primed(&y.name)))
            .collect()
    }

    fn position(&self, y: &Variable, origin: Origin) -> Result<usize, Stuck> {
        self.variables
            .iter()
            .position(|other| other == y)
            .ok_or(Stuck::IllTyped { origin })
    }

    fn type_of(&self, m: &Term) -> Result<Type, Stuck> {
        let environment = self
            .variables
            .iter()
            .zip(self.types.iter())
            .fold(Environment::default(), |environment, (variable, ty)| {
                environment.with(variable, Assumption::Term(ty.clone()))
            });
        match typing::term(&environment, m) {
            Ok(derivation) => Ok(derivation.ty),
            Err(error) => Err(Stuck::IllTyped {
                origin: error.origin,
            }),
        }
    }
}

fn primed(name: &str) -> String {
    format!("{name}′")
}

/// The name that the program gives to what the head returns; `y` where it gives none.
fn result_name(spine: &Spine) -> String {
    match spine.frames.last() {
        Some(Frame::Let { variable, .. }) if &*variable.name != "_" => variable.name.to_string(),
        _ => "y".to_owned(),
    }
}

fn last_origin(frame: &Frame) -> Origin {
    match frame {
        Frame::Let { origin, .. } | Frame::Handle { origin, .. } => *origin,
    }
}
