//! The small-step relation on states (Def. small-step-reduction-commands, the heap rules of Example
//! mlp-reduction, and ordinary handlers).

use crate::action::Action;
use crate::frames::{Frame, Frames};
use crate::state::State;
use crate::{ordinary, terms, unfolding};
use fletch_calculus::{
    At, Builtin, Command, CommandKind, Feedback, Handled, LocationRef, OperationRef, Origin, Path,
    Substitution, Symbol, Tensor, Term, TermKind, Type, Value,
};
use std::sync::Arc;

/// Position in the command of a state: a number of context layers, then a path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locus {
    /// Number of context layers around the position.
    pub frames: usize,
    /// Path from the hole of that context.
    pub path: Path,
}

impl Locus {
    /// Position of the hole inside this number of context layers.
    pub(crate) fn layers(frames: usize) -> Locus {
        let path = Path::default();
        Locus { frames, path }
    }

    /// Path to the position from the root of the whole command.
    pub fn whole(&self) -> Path {
        Path::hole(self.frames).then(&self.path)
    }
}

/// Change of the heap by a `Put`.
#[derive(Clone, Debug)]
pub struct HeapWrite {
    /// Location written.
    pub location: LocationRef,
    /// Contents before.
    pub before: Tensor,
    /// Contents after.
    pub after: Tensor,
}

/// Step of a state.
#[derive(Clone, Debug)]
pub struct Step {
    /// Rule instance that the step applied.
    pub action: Action,
    /// RH commands that an unfolding passes through. The first is the focus, each following one is at the head of the one before, and the
    /// last is the unfolded one. Empty for a reduction.
    pub levels: Vec<Arc<Handled>>,
    /// Redex, in the command before.
    pub redex: Locus,
    /// Contractum, in the command after.
    pub contractum: Locus,
    /// Origin of the redex in the source.
    pub origin: Origin,
    /// Heap write of the step.
    pub write: Option<HeapWrite>,
    /// State after.
    pub next: State,
}

impl Step {
    pub(crate) fn reduction(
        action: Action,
        redex: Locus,
        contractum: Locus,
        origin: Origin,
        next: State,
    ) -> Step {
        Step {
            action,
            levels: Vec::new(),
            redex,
            contractum,
            origin,
            write: None,
            next,
        }
    }

    /// True for a reduction (→), false for the unfolding of a definition (=).
    pub fn reduces(&self) -> bool {
        self.levels.is_empty()
    }

    /// The unfolded RH^V_H(⟨ȳ⟩. R); `None` for a reduction.
    pub fn handled(&self) -> Option<&Arc<Handled>> {
        self.levels.last()
    }

    /// Names by which a search finds the step.
    pub fn subject(&self) -> String {
        let unfolded = self.handled().map_or("", |handled| &handled.handler.name);
        self.action.subject(unfolded)
    }

    /// For a step of a command, true if the contractum is code of an enclosing RH command and does not run next. For a step of a term,
    /// always true.
    pub fn within(&self) -> bool {
        !self.contractum.path.is_empty()
    }

    /// F^c: the context that the step leaves unchanged.
    pub fn context(&self) -> &Frames {
        self.next.frames().outermost(self.contractum.frames)
    }

    /// The frames that the step adds around the next focus, innermost first.
    pub fn entered(&self) -> impl Iterator<Item = &Frame> {
        let made = self.next.frames().depth() - self.context().depth();
        self.next.frames().iter().take(made)
    }

    /// Resolves a value of the unfolded RH command in the RH command `out` levels further out. The variables of each level stand for
    /// values of the next level out.
    pub fn resolved(&self, value: &Term, out: usize) -> Term {
        let levels = self.levels.iter().rev().skip(out);
        levels.fold(value.clone(), |value, level| resolve(level, &value))
    }
}

fn resolve(level: &Handled, term: &Term) -> Term {
    match term.kind() {
        TermKind::Variable(x) => level.value(x).unwrap_or(term).clone(),
        TermKind::Tuple(parts) if !term.free().is_empty() => {
            At(term.origin()).tuple(parts.iter().map(|part| resolve(level, part)))
        }
        _ => term.clone(),
    }
}

/// A state that is no value and has no step.
#[derive(Clone, Debug)]
pub struct Blocked {
    /// Reason.
    pub stuck: Stuck,
    /// Redex of the step that is blocked.
    pub redex: Locus,
}

/// Reason why a state that is no value has no step.
#[derive(Clone, Debug)]
pub enum Stuck {
    /// A partial function symbol outside its domain.
    Undefined {
        /// The symbol.
        symbol: Symbol,
        /// Argument.
        argument: Value,
        /// Reason, in plain words.
        reason: String,
        /// Origin of the application.
        origin: Origin,
    },
    /// An operation that no handler has a clause for.
    Unhandled {
        /// The operation.
        operation: OperationRef,
        /// Origin of the call.
        origin: Origin,
    },
    /// A derivative of derivatives, or the derived clauses of a feedback, too large to be written out.
    TooLarge {
        /// True for the derived clauses of a feedback, false for a derivative.
        clauses: bool,
        /// Origin of the derivative, or of the command whose equation exceeds the limit.
        origin: Origin,
    },
    /// A handled feedback whose tape would have more numbers than the limit.
    Tape {
        /// Count of numbers on the tape.
        numbers: usize,
        /// Origin of the feedback.
        origin: Origin,
    },
    /// Loops that would take too long. No reduction ends so, only a run by the denotation or by a plan.
    TooLong {
        /// Origin of the loop.
        origin: Origin,
    },
    /// A state that typing excludes; a defect of the interpreter, reported rather than hidden.
    IllTyped {
        /// Origin of the redex.
        origin: Origin,
    },
}

/// Outcome of trying a step.
#[derive(Clone, Debug)]
pub enum Progress {
    /// A step.
    Step(Box<Step>),
    /// A value: the run is over.
    Done(Value),
    /// A blocked step.
    Stuck(Box<Blocked>),
}

impl Stuck {
    /// Origin in the source.
    pub fn origin(&self) -> Origin {
        match self {
            Stuck::Undefined { origin, .. }
            | Stuck::Unhandled { origin, .. }
            | Stuck::TooLarge { origin, .. }
            | Stuck::Tape { origin, .. }
            | Stuck::TooLong { origin }
            | Stuck::IllTyped { origin } => *origin,
        }
    }

    /// Blocked state: the focus of `state` is stuck for this reason.
    fn at_focus(self, state: &State) -> Box<Blocked> {
        Box::new(Blocked {
            stuck: self,
            redex: Locus::layers(state.frames().depth()),
        })
    }
}

/// Computes the next step of a state, if there is one.
pub fn advance(state: &State) -> Progress {
    match attempt(state) {
        Ok(Some(step)) => Progress::Step(Box::new(step)),
        Ok(None) => match state.value() {
            Some(value) => Progress::Done(value),
            None => {
                let origin = state.focus().origin();
                Progress::Stuck(Stuck::IllTyped { origin }.at_focus(state))
            }
        },
        Err(blocked) => Progress::Stuck(blocked),
    }
}

fn attempt(state: &State) -> Result<Option<Step>, Box<Blocked>> {
    let focus = state.focus();
    let here = |stuck: Stuck| stuck.at_focus(state);
    if let CommandKind::Handled(_) = focus.kind() {
        return unfolds(state).map(Some).map_err(here);
    }
    let Some(argument) = focus.argument() else {
        let origin = focus.origin();
        return Err(here(Stuck::IllTyped { origin }));
    };
    if !argument.is_closed_value() {
        return terms::inside(state, argument).map(Some);
    }
    match focus.kind() {
        CommandKind::Perform(operation, _) => {
            perform(state, operation, argument).map(Some).map_err(here)
        }
        CommandKind::RevHandle { .. } => rev_handle(state, argument).map(Some).map_err(here),
        CommandKind::Feedback { feedback, .. } => {
            moment(state, feedback, argument).map(Some).map_err(here)
        }
        _ => Ok(leave(state, argument)),
    }
}

/// Applies an equation to the RH command in the focus.
fn unfolds(state: &State) -> Result<Step, Stuck> {
    let mut supply = state.supply().clone();
    let unfolded = unfolding::unfold(state.focus(), &mut supply, state.setting().shortcuts)?;
    let frames = state.frames().depth();
    let locus = |path| Locus { frames, path };
    Ok(Step {
        action: unfolded.action,
        levels: unfolded.levels,
        redex: locus(unfolded.redex),
        contractum: locus(unfolded.contractum),
        origin: unfolded.origin,
        write: None,
        next: state.then(state.frames(), unfolded.command, supply),
    })
}

/// ⌊V⌋ in a context: the innermost frame takes V. In the empty context there is no step, and the run is over.
fn leave(state: &State, value: &Term) -> Option<Step> {
    let (frame, rest) = state.frames().pop()?;
    let mut supply = state.supply().clone();
    let (action, focus) = match frame {
        Frame::Let {
            variable,
            body,
            role,
            ..
        } => {
            let focus = Substitution::one(variable, value.clone()).command(body, &mut supply);
            let action = Action::Bind {
                variable: variable.clone(),
                value: value.clone(),
                body: body.clone(),
                role: role.clone(),
            };
            (action, focus)
        }
        Frame::Handle { handler, .. } => {
            let focus = handler.return_clause.at(value.clone(), &mut supply);
            let action = Action::HandleRet {
                handler: handler.clone(),
                value: value.clone(),
            };
            (action, focus)
        }
    };
    let place = Locus::layers(rest.depth());
    let next = state.then(rest, focus, supply);
    let origin = frame.origin();
    Some(Step::reduction(action, place.clone(), place, origin, next))
}

/// Op(V): handled by the innermost ordinary handler around it, else by a heap rule, else stuck.
fn perform(state: &State, operation: &OperationRef, argument: &Term) -> Result<Step, Stuck> {
    let origin = state.focus().origin();
    if let Some(step) = ordinary::handle_operation(state, operation, argument) {
        return Ok(step);
    }
    let Some((builtin, location)) = operation.heap_access() else {
        return Err(Stuck::Unhandled {
            operation: operation.clone(),
            origin,
        });
    };
    let ill_typed = Stuck::IllTyped { origin };
    let held = state.heap().get(location).ok_or(ill_typed.clone())?;
    let (action, result, write) = match builtin {
        Builtin::Get => {
            let action = Action::Get {
                location: location.clone(),
                contents: held.clone(),
            };
            (action, Term::constant(held.clone(), origin), None)
        }
        Builtin::Put => {
            let after = match argument.kind() {
                TermKind::Constant(tensor) => tensor.with_shape(location.shape()),
                _ => None,
            };
            let write = HeapWrite {
                location: location.clone(),
                before: held.clone(),
                after: after.ok_or(ill_typed)?,
            };
            let action = Action::Put {
                location: location.clone(),
                contents: argument.clone(),
            };
            (action, Term::unit(origin), Some(write))
        }
    };
    let here = Locus::layers(state.frames().depth());
    let focus = Command::pure(result, origin);
    let next = state.then(state.frames(), focus, state.supply().clone());
    let mut step = Step::reduction(action, here.clone(), here, origin, next);
    if let Some(write) = &write {
        let heap = state.heap().with(&write.location, write.after.clone());
        step.next = step.next.with_heap(heap);
    }
    step.write = write;
    Ok(step)
}

/// rev handle(V)⟨x̄⟩. R with H → RH^V_H(⟨x̄⟩. R)
fn rev_handle(state: &State, argument: &Term) -> Result<Step, Stuck> {
    let origin = state.focus().origin();
    let CommandKind::RevHandle {
        variables,
        body,
        handler,
        ..
    } = state.focus().kind()
    else {
        return Err(Stuck::IllTyped { origin });
    };
    let values: Arc<[Term]> = match argument.kind() {
        TermKind::Tuple(components) if variables.len() > 1 => components.iter().cloned().collect(),
        _ => Arc::from([argument.clone()]),
    };
    let types: Option<Arc<[Type]>> = values
        .iter()
        .map(|value| value.to_value().map(|value| value.ty()))
        .collect();
    let Some(types) = types.filter(|types| types.len() == variables.len()) else {
        return Err(Stuck::IllTyped { origin });
    };
    let mut supply = state.supply().clone();
    let handled = Arc::new(Handled {
        values,
        variables: variables.clone(),
        types,
        body: body.clone(),
        handler: handler.clone(),
        run: supply.run(),
    });
    let here = Locus::layers(state.frames().depth());
    let focus = Command::new(CommandKind::Handled(handled.clone()), origin);
    let action = Action::RevHandle(handled);
    let next = state.then(state.frames(), focus, supply);
    Ok(Step::reduction(action, here.clone(), here, origin, next))
}

/// feedback\[n\](⟨V, W⟩)⟨s, x⟩. P → one moment, then feedback\[n − 1\]
fn moment(state: &State, feedback: &Arc<Feedback>, argument: &Term) -> Result<Step, Stuck> {
    let origin = state.focus().origin();
    let TermKind::Tuple(parts) = argument.kind() else {
        return Err(Stuck::IllTyped { origin });
    };
    let Some((first, inputs)) = parts.pair() else {
        return Err(Stuck::IllTyped { origin });
    };
    let mut supply = state.supply().clone();
    let moment = feedback.unfolded(first.clone(), inputs, &mut supply, At(origin));
    let action = Action::Feedback {
        feedback: feedback.clone(),
        state: moment.state,
        input: moment.input,
    };
    let here = Locus::layers(state.frames().depth());
    let next = state.then(state.frames(), moment.command, supply);
    Ok(Step::reduction(action, here.clone(), here, origin, next))
}
