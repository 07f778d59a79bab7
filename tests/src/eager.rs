//! An eager implementation of RH (Fig. rewriterevh), against which the lazy one of `fletch-reduction` is
//! tested. RH is a function on commands that is computed to its end at once, inner handlers first. It works
//! on *flat* commands, which consist of `let`, pure terms and operations only. A machine runs a program with
//! it. Only the calculus is shared with `fletch-reduction`.

use fletch_calculus::typing::{self, Assumption, Environment};
use fletch_calculus::{
    At, Builtin, Command, CommandKind, EvaluationError, OperationRef, OrdinaryHandler, Origin,
    Program, ReverseHandler, Role, Substitution, Supply, Tensor, Term, TermKind, Type, Value,
    Variable, evaluate,
};
use fletch_smooth::Partiality;
use std::sync::Arc;

/// Outcome of a run by the eager machine.
#[derive(Clone, Debug)]
pub enum End {
    /// Ended at a value, with the contents of the heap.
    Value(Value, Vec<Tensor>),
    /// Stopped at a term without a value.
    Undefined(EvaluationError),
    /// Took more machine steps and nodes of RH than allowed.
    Exhausted,
    /// Reached a state that typing excludes.
    Defect(String),
}

/// Runs a program and unfolds RH eagerly. Steps of the machine and nodes that RH makes may together be at most `allowed`.
pub fn run(program: &Program, allowed: usize) -> End {
    let mut machine = Machine {
        rewriting: Rewriting {
            supply: program.supply.clone(),
            left: allowed,
        },
        heap: program.initial.clone(),
        frames: Vec::new(),
    };
    match machine.run(&program.main) {
        Ok(value) => End::Value(value, machine.heap),
        Err(Failure::Undefined(error)) => End::Undefined(error),
        Err(Failure::Exhausted) => End::Exhausted,
        Err(Failure::Defect(what)) => End::Defect(what),
    }
}

enum Failure {
    Undefined(EvaluationError),
    Exhausted,
    Defect(String),
}

impl From<EvaluationError> for Failure {
    fn from(error: EvaluationError) -> Self {
        Failure::Undefined(error)
    }
}

impl From<typing::TypeError> for Failure {
    fn from(error: typing::TypeError) -> Self {
        Failure::Defect(error.kind.to_string())
    }
}

/// One frame of the evaluation context; the innermost frame is last in a list.
#[derive(Clone)]
enum Frame {
    Let(Variable, Command),
    Handle(Arc<OrdinaryHandler>),
}

struct Machine {
    rewriting: Rewriting,
    heap: Vec<Tensor>,
    frames: Vec<Frame>,
}

impl Machine {
    fn run(&mut self, main: &Command) -> Result<Value, Failure> {
        let mut focus = main.clone();
        loop {
            self.rewriting.spend()?;
            let origin = focus.origin();
            focus = match focus.kind() {
                CommandKind::Let {
                    variable,
                    bound,
                    body,
                    ..
                } => {
                    self.frames.push(Frame::Let(variable.clone(), body.clone()));
                    bound.clone()
                }
                CommandKind::Handle { body, handler } => {
                    self.frames.push(Frame::Handle(handler.clone()));
                    body.clone()
                }
                CommandKind::Pure(m) => {
                    let value = self.value(m)?;
                    let v = Term::from_value(&value, origin);
                    let supply = &mut self.rewriting.supply;
                    match self.frames.pop() {
                        None => return Ok(value),
                        Some(Frame::Let(x, body)) => {
                            Substitution::one(&x, v).command(&body, supply)
                        }
                        Some(Frame::Handle(handler)) => {
                            let returns = &handler.return_clause;
                            Substitution::one(&returns.variable, v).command(&returns.body, supply)
                        }
                    }
                }
                CommandKind::Perform(operation, m) => {
                    let value = self.value(m)?;
                    self.perform(operation, &value, origin)?
                }
                CommandKind::RevHandle {
                    argument,
                    variables,
                    body,
                    handler,
                } => {
                    let value = self.value(argument)?;
                    let values = match &value {
                        Value::Tuple(parts) if variables.len() > 1 => parts.to_vec(),
                        whole => vec![whole.clone()],
                    };
                    let inputs = variables
                        .iter()
                        .zip(&values)
                        .map(|(variable, value)| Input {
                            variable: variable.clone(),
                            value: Term::from_value(value, origin),
                            ty: value.ty(),
                        })
                        .collect::<Vec<_>>();
                    self.rewriting.handled(&inputs, body, handler)?
                }
                CommandKind::Feedback { argument, feedback } => {
                    let Value::Tuple(parts) = self.value(argument)? else {
                        return Err(Failure::Defect("a feedback of no pair".to_owned()));
                    };
                    let parts: Vec<Term> = parts
                        .iter()
                        .map(|part| Term::from_value(part, origin))
                        .collect();
                    let [state, inputs] = parts.as_slice() else {
                        return Err(Failure::Defect("a feedback of no pair".to_owned()));
                    };
                    let supply = &mut self.rewriting.supply;
                    feedback
                        .unfolded(state.clone(), inputs, supply, At(origin))
                        .command
                }
                CommandKind::Handled(_) | CommandKind::Resume(..) => {
                    return Err(Failure::Defect("a command that does not run".to_owned()));
                }
            };
        }
    }

    fn value(&mut self, m: &Term) -> Result<Value, Failure> {
        Ok(evaluate(m, Partiality::Paper, &mut self.rewriting.supply)?)
    }

    /// Lets the innermost handler that has a clause answer the operation, else the heap.
    fn perform(
        &mut self,
        operation: &OperationRef,
        value: &Value,
        origin: Origin,
    ) -> Result<Command, Failure> {
        let found = self.frames.iter().rposition(|frame| match frame {
            Frame::Handle(handler) => handler.clauses.contains_key(operation),
            Frame::Let(..) => false,
        });
        if let Some(position) = found {
            let captured = self.frames.split_off(position);
            let Some(Frame::Handle(handler)) = captured.first() else {
                return Err(Failure::Defect("no handler".to_owned()));
            };
            let Some(clause) = handler.clauses.get(operation) else {
                return Err(Failure::Defect("no clause".to_owned()));
            };
            let y = self.rewriting.supply.fresh("y");
            let resumed = captured
                .iter()
                .rev()
                .fold(pure(&y, origin), |inner, frame| plug(frame, inner, origin));
            let substitution = Substitution::one(&clause.argument, Term::from_value(value, origin))
                .with_continuation(&clause.continuation, y, resumed);
            return Ok(substitution.command(&clause.body, &mut self.rewriting.supply));
        }
        let Some((builtin, location)) = operation.heap_access() else {
            return Err(Failure::Defect(format!("{operation} is not handled")));
        };
        let cell = self.heap.get_mut(location.number);
        let result = match (builtin, cell, value) {
            (Builtin::Get, Some(cell), _) => Term::constant(cell.clone(), origin),
            (Builtin::Put, Some(cell), Value::Real(contents)) => {
                *cell = contents
                    .with_shape(location.shape())
                    .ok_or_else(|| Failure::Defect("a `Put` of another size".to_owned()))?;
                Term::unit(origin)
            }
            _ => return Err(Failure::Defect("a heap access out of place".to_owned())),
        };
        Ok(Command::pure(result, origin))
    }
}

fn plug(frame: &Frame, inner: Command, origin: Origin) -> Command {
    match frame {
        Frame::Let(x, body) => Command::bind(x.clone(), inner, body.clone(), origin),
        Frame::Handle(handler) => {
            let handler = handler.clone();
            Command::new(
                CommandKind::Handle {
                    body: inner,
                    handler,
                },
                origin,
            )
        }
    }
}

fn pure(x: &Variable, origin: Origin) -> Command {
    Command::pure(Term::variable(x, origin), origin)
}

/// An input of RH: the variable y_i : B_i with its value V_i.
#[derive(Clone)]
struct Input {
    variable: Variable,
    value: Term,
    ty: Type,
}

/// A flat command, split into its head and the continuation that takes the result of the head.
struct Head {
    kind: HeadKind,
    /// The continuation (x. R), or `None` for the identity ⌊·⌋.
    rest: Option<(Variable, Command)>,
    origin: Origin,
}

enum HeadKind {
    Pure(Term),
    Perform(OperationRef, Term),
}

struct Rewriting {
    supply: Supply,
    left: usize,
}

impl Rewriting {
    fn spend(&mut self) -> Result<(), Failure> {
        self.left = self.left.checked_sub(1).ok_or(Failure::Exhausted)?;
        Ok(())
    }

    /// Computes RH^V_H(⟨ȳ⟩. R).
    fn handled(
        &mut self,
        inputs: &[Input],
        body: &Command,
        handler: &ReverseHandler,
    ) -> Result<Command, Failure> {
        let environment = inputs
            .iter()
            .fold(Environment::default(), |environment, input| {
                environment.with(&input.variable, Assumption::Term(input.ty.clone()))
            });
        let flat = self.flat(&environment, body)?;
        self.reverse(inputs, &flat, handler)
    }

    /// Applies the equations of the figure to a flat command.
    fn reverse(
        &mut self,
        inputs: &[Input],
        body: &Command,
        handler: &ReverseHandler,
    ) -> Result<Command, Failure> {
        for _ in 0..=inputs.len() {
            self.spend()?;
        }
        let head = self.head(body)?;
        let origin = head.origin;
        match &head.kind {
            HeadKind::Pure(m) => match (m.as_variable(), &head.rest) {
                (Some(y), None) => {
                    let position = position(inputs, y)?;
                    let returns = &handler.return_clause;
                    let value = value_of(inputs, position)?;
                    let bound = Substitution::one(&returns.variable, value)
                        .command(&returns.body, &mut self.supply);
                    let result = self.supply.fresh("y");
                    let parts = inputs.iter().enumerate().map(|(index, input)| {
                        if index == position {
                            Term::variable(&result, origin)
                        } else {
                            Term::zero(&input.ty, origin)
                        }
                    });
                    let padded = Command::pure(Term::tuple(parts.collect(), origin), origin);
                    Ok(Command::bind(result, bound, padded, origin))
                }
                (Some(_), Some((x, rest))) => {
                    let rest = Substitution::one(x, m.clone()).command(rest, &mut self.supply);
                    self.reverse(inputs, &rest, handler)
                }
                (None, _) => self.reverse_term(inputs, m, handler, origin, |supply, y| {
                    continued(&head, pure(y, origin), supply)
                }),
            },
            HeadKind::Perform(operation, m) => match m.as_variable() {
                Some(y) => self.reverse_operation(inputs, operation, y, &head, handler),
                None => self.reverse_term(inputs, m, handler, origin, |supply, y| {
                    let y = Term::variable(y, origin);
                    continued(
                        &head,
                        Command::perform(operation.clone(), y, origin),
                        supply,
                    )
                }),
            },
        }
    }

    /// let ⟨y, z⟩ ⇐ Qᶠ[V_i/x] in let ⟨y′, ȳ′⟩ ⇐ RH(F[⌊y⌋]) in let y″ ⇐ Qᵇ in ⌊⟨ȳ′ + y″ at i⟩⌋
    fn reverse_operation(
        &mut self,
        inputs: &[Input],
        operation: &OperationRef,
        argument: &Variable,
        head: &Head,
        handler: &ReverseHandler,
    ) -> Result<Command, Failure> {
        let origin = head.origin;
        let position = position(inputs, argument)?;
        let Some(clause) = handler.clauses.get(operation) else {
            return Err(Failure::Defect(format!("no clause for {operation}")));
        };
        let y = self.supply.fresh("y");
        let saved = self.supply.fresh("z");
        let forward = Substitution::one(&clause.argument, value_of(inputs, position)?)
            .command(&clause.forward, &mut self.supply);
        let rest = continued(head, pure(&y, origin), &mut self.supply);
        let extended = extended(inputs, &y, &operation.codomain, origin);
        let continuation = self.reverse(&extended, &rest, handler)?;
        let cotangents = self.fresh(inputs.len() + 1);
        let (own, others) = cotangents
            .split_first()
            .ok_or_else(|| Failure::Defect("no cotangent".to_owned()))?;
        let backward = Substitution::many(
            &[clause.cotangent.clone(), clause.saved.clone()],
            &[Term::variable(own, origin), Term::variable(&saved, origin)],
        )
        .command(&clause.backward, &mut self.supply);
        let contribution = self.supply.fresh("y");
        let sums = others.iter().enumerate().map(|(index, other)| {
            let other = Term::variable(other, origin);
            if index == position {
                Term::add(other, Term::variable(&contribution, origin), origin)
            } else {
                other
            }
        });
        let sums = Command::pure(Term::tuple(sums.collect(), origin), origin);
        let after = Command::bind(contribution, backward, sums, origin);
        let after = self.take_apart(&cotangents, continuation, after, origin);
        Ok(self.take_apart(&[y, saved], forward, after, origin))
    }

    /// let y ⇐ ⌊M[V̄/ȳ]⌋ in let ⟨z, ȳ′⟩ ⇐ RH(F[y]) in ⌊⟨y′_i + z.rd(y_i. M[V_j/y_j])(V_i)⟩⌋
    fn reverse_term(
        &mut self,
        inputs: &[Input],
        m: &Term,
        handler: &ReverseHandler,
        origin: Origin,
        rest: impl FnOnce(&mut Supply, &Variable) -> Command,
    ) -> Result<Command, Failure> {
        let environment = inputs
            .iter()
            .fold(Environment::default(), |environment, input| {
                environment.with(&input.variable, Assumption::Term(input.ty.clone()))
            });
        let ty = typing::term(&environment, m)?.ty;
        let y = self.supply.fresh("y");
        let forward = self.at(inputs, None, m);
        let rest = rest(&mut self.supply, &y);
        let continuation = self.reverse(&extended(inputs, &y, &ty, origin), &rest, handler)?;
        let cotangents = self.fresh(inputs.len() + 1);
        let (own, others) = cotangents
            .split_first()
            .ok_or_else(|| Failure::Defect("no cotangent".to_owned()))?;
        let mut sums = Vec::new();
        for (index, (input, other)) in inputs.iter().zip(others).enumerate() {
            let derivative = TermKind::ReverseDerivative {
                cotangent: Term::variable(own, origin),
                variable: input.variable.clone(),
                body: self.at(inputs, Some(index), m),
                point: input.value.clone(),
            };
            let other = Term::variable(other, origin);
            sums.push(Term::add(other, Term::new(derivative, origin), origin));
        }
        let sums = Command::pure(Term::tuple(sums, origin), origin);
        let after = self.take_apart(&cotangents, continuation, sums, origin);
        Ok(Command::bind(
            y,
            Command::pure(forward, origin),
            after,
            origin,
        ))
    }

    /// M[V_j/y_j] for all j except `but`.
    fn at(&mut self, inputs: &[Input], but: Option<usize>, m: &Term) -> Term {
        let others = inputs
            .iter()
            .enumerate()
            .filter(|(index, _)| Some(*index) != but);
        let (variables, values): (Vec<Variable>, Vec<Term>) = others
            .map(|(_, input)| (input.variable.clone(), input.value.clone()))
            .unzip();
        Substitution::many(&variables, &values).term(m, &mut self.supply)
    }

    fn fresh(&mut self, count: usize) -> Vec<Variable> {
        (0..count).map(|_| self.supply.fresh("y")).collect()
    }

    /// let ⟨x̄⟩ ⇐ P in Q
    fn take_apart(
        &mut self,
        components: &[Variable],
        bound: Command,
        body: Command,
        origin: Origin,
    ) -> Command {
        let tuple = self.supply.fresh("p");
        Command::bind_tuple(tuple, components, bound, body, Role::Plain, origin)
    }

    /// Eliminates the handlers in a command that is to be handled. The result has only lets, pure terms and operations.
    fn flat(&mut self, environment: &Environment, command: &Command) -> Result<Command, Failure> {
        self.spend()?;
        let origin = command.origin();
        match command.kind() {
            CommandKind::Pure(_) | CommandKind::Perform(..) => Ok(command.clone()),
            CommandKind::Let {
                variable,
                bound,
                body,
                ..
            } => {
                let first = self.flat(environment, bound)?;
                let ty = typing::command(environment, &first)?.ty;
                let inner = environment.with(variable, Assumption::Term(ty));
                let rest = self.flat(&inner, body)?;
                Ok(Command::bind(variable.clone(), first, rest, origin))
            }
            CommandKind::RevHandle {
                argument,
                variables,
                body,
                handler,
            } => {
                let ty = typing::term(environment, argument)?.ty;
                let whole = self.supply.fresh("y");
                let (names, types) = match &ty {
                    Type::Product(parts) if variables.len() > 1 => {
                        (self.fresh(parts.len()), parts.to_vec())
                    }
                    _ => (vec![whole.clone()], vec![ty.clone()]),
                };
                let inputs: Vec<Input> = variables
                    .iter()
                    .zip(&names)
                    .zip(&types)
                    .map(|((variable, name), ty)| Input {
                        variable: variable.clone(),
                        value: Term::variable(name, origin),
                        ty: ty.clone(),
                    })
                    .collect();
                let handled = self.handled(&inputs, body, handler)?;
                let bound = Command::pure(argument.clone(), origin);
                let whole = Command::bind_tuple(whole, &names, bound, handled, Role::Plain, origin);
                // The clauses of the handler may bring in further handlers.
                self.flat(environment, &whole)
            }
            CommandKind::Handle { body, handler } => {
                let body = self.flat(environment, body)?;
                let eliminated = self.eliminate(&body, handler)?;
                self.flat(environment, &eliminated)
            }
            // A feedback is replaced by its definition, one moment after the other.
            CommandKind::Feedback { argument, feedback } => {
                let at = At(origin);
                let (whole, state) = (self.supply.fresh("m"), self.supply.fresh("s"));
                let inputs = at.project(1, at.variable(&whole));
                let moment = feedback.unfolded(at.variable(&state), &inputs, &mut self.supply, at);
                let first = at.pure(at.project(0, at.variable(&whole)));
                let rest = at.let_(&state, first, moment.command);
                let rest = at.let_(&whole, at.pure(argument.clone()), rest);
                self.flat(environment, &rest)
            }
            CommandKind::Handled(_) | CommandKind::Resume(..) => Err(Failure::Defect(
                "a command that is not in a program".to_owned(),
            )),
        }
    }

    /// Eliminates handle R with H, for a flat R and an ordinary handler H.
    fn eliminate(
        &mut self,
        body: &Command,
        handler: &Arc<OrdinaryHandler>,
    ) -> Result<Command, Failure> {
        self.spend()?;
        let head = self.head(body)?;
        let origin = head.origin;
        match &head.kind {
            HeadKind::Pure(m) => {
                let bound = Command::pure(m.clone(), origin);
                let (x, rest) = match &head.rest {
                    Some((x, rest)) => (x.clone(), self.eliminate(rest, handler)?),
                    None => {
                        let returns = &handler.return_clause;
                        let x = self.supply.fresh("x");
                        let body = Substitution::one(&returns.variable, Term::variable(&x, origin))
                            .command(&returns.body, &mut self.supply);
                        (x, body)
                    }
                };
                Ok(Command::bind(x, bound, rest, origin))
            }
            HeadKind::Perform(operation, m) => {
                let y = self.supply.fresh("y");
                let rest = continued(&head, pure(&y, origin), &mut self.supply);
                let resumed = self.eliminate(&rest, handler)?;
                let Some(clause) = handler.clauses.get(operation) else {
                    let outside = Command::perform(operation.clone(), m.clone(), origin);
                    return Ok(Command::bind(y, outside, resumed, origin));
                };
                let x = self.supply.fresh("x");
                let response = Substitution::one(&clause.argument, Term::variable(&x, origin))
                    .with_continuation(&clause.continuation, y, resumed)
                    .command(&clause.body, &mut self.supply);
                let bound = Command::pure(m.clone(), origin);
                Ok(Command::bind(x, bound, response, origin))
            }
        }
    }

    /// Splits a flat command into head and continuation. A `let` bound in a `let` is moved out, with its variable renamed.
    fn head(&mut self, command: &Command) -> Result<Head, Failure> {
        let origin = command.origin();
        let (inner, rest) = match command.kind() {
            CommandKind::Let {
                variable,
                bound,
                body,
                ..
            } => match bound.kind() {
                CommandKind::Let {
                    variable: first,
                    bound: start,
                    body: middle,
                    ..
                } => {
                    let renamed = self.supply.fresh_like(&first.name);
                    let middle = Substitution::one(first, Term::variable(&renamed, origin))
                        .command(middle, &mut self.supply);
                    let rest = Command::bind(variable.clone(), middle, body.clone(), origin);
                    let whole = Command::bind(renamed, start.clone(), rest, origin);
                    return self.head(&whole);
                }
                _ => (bound.clone(), Some((variable.clone(), body.clone()))),
            },
            _ => (command.clone(), None),
        };
        let kind = match inner.kind() {
            CommandKind::Pure(m) => HeadKind::Pure(m.clone()),
            CommandKind::Perform(operation, m) => HeadKind::Perform(operation.clone(), m.clone()),
            _ => return Err(Failure::Defect("not a flat command".to_owned())),
        };
        Ok(Head {
            kind,
            rest,
            origin: inner.origin(),
        })
    }
}

/// Returns the command with `inner` in place of its head. The variable of the continuation belongs to the
/// head, so it captures nothing in `inner`.
fn continued(head: &Head, inner: Command, supply: &mut Supply) -> Command {
    match (&head.rest, inner.kind()) {
        (None, _) => inner,
        (Some((x, rest)), CommandKind::Pure(m)) if m.is_value() => {
            Substitution::one(x, m.clone()).command(rest, supply)
        }
        (Some((x, rest)), _) => Command::bind(x.clone(), inner, rest.clone(), head.origin),
    }
}

fn extended(inputs: &[Input], y: &Variable, ty: &Type, origin: Origin) -> Vec<Input> {
    let own = Input {
        variable: y.clone(),
        value: Term::variable(y, origin),
        ty: ty.clone(),
    };
    std::iter::once(own).chain(inputs.iter().cloned()).collect()
}

fn position(inputs: &[Input], y: &Variable) -> Result<usize, Failure> {
    inputs
        .iter()
        .position(|input| input.variable == *y)
        .ok_or_else(|| Failure::Defect(format!("`{}` is no input", y.name)))
}

fn value_of(inputs: &[Input], position: usize) -> Result<Term, Failure> {
    let input = inputs.get(position);
    input
        .map(|input| input.value.clone())
        .ok_or_else(|| Failure::Defect("no such input".to_owned()))
}
