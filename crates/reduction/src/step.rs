//! The small-step relation on states (Def. small-step-reduction-commands, the heap rules of Example
//! mlp-reduction, and ordinary handlers).

use crate::frames::Frame;
use crate::state::State;
use crate::{handling, terms, unfolding};
use fletch_calculus::{
    Builtin, Called, Command, CommandKind, LocationRef, OperationRef, Origin, Substitution, Symbol,
    Tensor, Term, Type, Value, Variable,
};
use std::sync::Arc;

/// The rules, by their names in traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // `Rule::name` says it.
pub enum Rule {
    Eval,
    Add,
    Proj,
    Let,
    Rd,
    Bind,
    RevHandle,
    HandleRet,
    HandleOp,
    Get,
    Put,
    RhRet,
    RhLet,
    RhOp,
    RhHandle,
    RhTerm,
}

impl Rule {
    /// The name in traces.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Eval => "eval",
            Rule::Add => "add",
            Rule::Proj => "proj",
            Rule::Let => "let",
            Rule::Rd => "rd",
            Rule::Bind => "bind",
            Rule::RevHandle => "rev-handle",
            Rule::HandleRet => "handle-ret",
            Rule::HandleOp => "handle-op",
            Rule::Get => "get",
            Rule::Put => "put",
            Rule::RhRet => "RH-ret",
            Rule::RhLet => "RH-let",
            Rule::RhOp => "RH-op",
            Rule::RhHandle => "RH-handle",
            Rule::RhTerm => "RH-term",
        }
    }
}

/// What a step did, with the actual parts of its rule.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // The rule above each case names its fields.
pub enum Action {
    /// f(V) → Eval(f, V)
    Eval {
        symbol: Symbol,
        argument: Term,
        result: Term,
    },
    /// V + W → V + W
    Add {
        left: Term,
        right: Term,
        result: Term,
    },
    /// proj_i(⟨V₁, …⟩) → Vᵢ, i from 0
    Proj { index: usize, result: Term },
    /// let x ← V in M → M[V/x]
    Let { variable: Variable, value: Term },
    /// W.rd(x. N)(V) → R_V^W(x. N)
    Rd {
        cotangent: Term,
        variable: Variable,
        body: Term,
        point: Term,
    },
    /// let x ⇐ ⌊V⌋ in R → R[V/x]
    Bind { variable: Variable, value: Term },
    /// rev handle(V)⟨x̄⟩. R with H → RH_V^H(⟨x̄⟩. R)
    RevHandle {
        handler: Arc<str>,
        values: Arc<[Term]>,
        variables: Arc<[Variable]>,
    },
    /// handle ⌊V⌋ with H → P[V/x], or its unfolding under RH
    HandleRet { handler: Arc<str>, value: Term },
    /// handle F[Op(V)] with H → Q_Op, or performed outside if there is no clause
    HandleOp {
        handler: Arc<str>,
        operation: OperationRef,
        argument: Term,
        outside: bool,
    },
    /// Get[ℓ]() → ⌊𝓗(ℓ)⌋
    Get {
        location: LocationRef,
        contents: Tensor,
    },
    /// Put[ℓ](v) → ⌊0⌋
    Put { location: LocationRef },
    /// RH(⟨ȳ⟩. ⌊y_k⌋)
    RhRet {
        handler: Arc<str>,
        variable: Variable,
        value: Term,
    },
    /// RH(⟨ȳ⟩. F[let x ⇐ ⌊y_j⌋ in R])
    RhLet {
        variable: Variable,
        replacement: Variable,
    },
    /// RH(⟨ȳ⟩. F[Op(y_i)])
    RhOp {
        handler: Arc<str>,
        operation: OperationRef,
        argument: Variable,
        value: Term,
        default: bool,
    },
    /// RH(⟨ȳ⟩. F[rev handle(y_j)⟨z̄⟩. R with H′])
    RhHandle { outer: Arc<str>, inner: Arc<str> },
    /// RH(⟨ȳ⟩. F^t[M])
    RhTerm {
        handler: Arc<str>,
        term: Term,
        called: Called,
    },
}

impl Action {
    /// The rule that was used.
    pub fn rule(&self) -> Rule {
        match self {
            Action::Eval { .. } => Rule::Eval,
            Action::Add { .. } => Rule::Add,
            Action::Proj { .. } => Rule::Proj,
            Action::Let { .. } => Rule::Let,
            Action::Rd { .. } => Rule::Rd,
            Action::Bind { .. } => Rule::Bind,
            Action::RevHandle { .. } => Rule::RevHandle,
            Action::HandleRet { .. } => Rule::HandleRet,
            Action::HandleOp { .. } => Rule::HandleOp,
            Action::Get { .. } => Rule::Get,
            Action::Put { .. } => Rule::Put,
            Action::RhRet { .. } => Rule::RhRet,
            Action::RhLet { .. } => Rule::RhLet,
            Action::RhOp { .. } => Rule::RhOp,
            Action::RhHandle { .. } => Rule::RhHandle,
            Action::RhTerm { .. } => Rule::RhTerm,
        }
    }
}

/// A place in the command of a state: `frames` layers of context in (through the bound command of each
/// `let` and the body of each `handle`), then down `path`. Children are numbered from 0: of a `let` its
/// bound command, then its body; of RH its values, then its body; else in the order of writing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locus {
    /// Layers of context around it.
    pub frames: usize,
    /// Child numbers from there.
    pub path: Vec<usize>,
}

/// What a `Put` changed.
#[derive(Clone, Debug)]
pub struct HeapWrite {
    /// The location written.
    pub location: LocationRef,
    /// Its contents before.
    pub before: Tensor,
    /// Its contents after.
    pub after: Tensor,
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it did.
    pub action: Action,
    /// Whether it is a reduction (→) or the unfolding of a definition (=).
    pub reduction: bool,
    /// The redex, in the command before.
    pub redex: Locus,
    /// What it became, in the command after.
    pub contractum: Locus,
    /// Where the redex comes from in the source.
    pub origin: Origin,
    /// What it wrote to the heap.
    pub write: Option<HeapWrite>,
    /// The state after.
    pub next: State,
}

/// Why a state that is no value has no step.
#[derive(Clone, Debug)]
pub enum Stuck {
    /// A partial function symbol outside its domain.
    Undefined {
        /// The symbol.
        symbol: Symbol,
        /// Its argument.
        argument: Value,
        /// Why it is undefined there, in plain words.
        reason: String,
        /// Where it was applied.
        origin: Origin,
    },
    /// An operation that no handler treats.
    Unhandled {
        /// The operation.
        operation: OperationRef,
        /// Where it was called.
        origin: Origin,
    },
    /// A derivative of derivatives that is too large to be written out.
    TooLarge {
        /// Where.
        origin: Origin,
    },
    /// A state that typing excludes; a defect of the interpreter, reported rather than hidden.
    IllTyped {
        /// Where.
        origin: Origin,
    },
}

/// What becomes of a state.
#[derive(Clone, Debug)]
pub enum Progress {
    /// It steps.
    Step(Box<Step>),
    /// It is a value.
    Done(Value),
    /// It is stuck.
    Stuck(Stuck),
}

/// The next step of a state, if there is one.
pub fn advance(state: &State) -> Progress {
    match attempt(state) {
        Ok(Some(step)) => Progress::Step(Box::new(step)),
        Ok(None) => match state.value() {
            Some(value) => Progress::Done(value),
            None => Progress::Stuck(Stuck::IllTyped {
                origin: state.focus().origin(),
            }),
        },
        Err(stuck) => Progress::Stuck(stuck),
    }
}

fn attempt(state: &State) -> Result<Option<Step>, Stuck> {
    let focus = state.focus();
    match focus.kind() {
        CommandKind::Pure(m) if m.is_closed_value() => Ok(leave(state, m)),
        CommandKind::Pure(m) => {
            terms::inside(state, m, |m| Command::pure(m, focus.origin())).map(Some)
        }
        CommandKind::Perform(operation, m) if m.is_closed_value() => {
            perform(state, operation, m).map(Some)
        }
        CommandKind::Perform(operation, m) => terms::inside(state, m, |m| {
            Command::perform(operation.clone(), m, focus.origin())
        })
        .map(Some),
        CommandKind::RevHandle {
            argument,
            variables,
            body,
            handler,
        } => {
            if argument.is_closed_value() {
                return rev_handle(state, argument).map(Some);
            }
            let rebuild = |argument| {
                let (variables, body, handler) = (variables.clone(), body.clone(), handler.clone());
                Command::new(
                    CommandKind::RevHandle {
                        argument,
                        variables,
                        body,
                        handler,
                    },
                    focus.origin(),
                )
            };
            terms::inside(state, argument, rebuild).map(Some)
        }
        CommandKind::Handled { .. } => {
            let mut supply = state.supply().clone();
            let unfolded = unfolding::unfold(focus, &mut supply)?;
            let frames = state.frames().depth();
            Ok(Some(Step {
                action: unfolded.action,
                reduction: false,
                redex: Locus {
                    frames,
                    path: unfolded.redex,
                },
                contractum: Locus {
                    frames,
                    path: unfolded.contractum,
                },
                origin: unfolded.origin,
                write: None,
                next: state.then(state.frames(), unfolded.command, supply),
            }))
        }
        CommandKind::Let { .. } | CommandKind::Handle { .. } | CommandKind::Resume(..) => {
            Err(Stuck::IllTyped {
                origin: focus.origin(),
            })
        }
    }
}

/// ⌊V⌋ in a context: its innermost frame takes V. In the empty context the run is over.
fn leave(state: &State, value: &Term) -> Option<Step> {
    let (frame, rest) = state.frames().pop()?;
    let mut supply = state.supply().clone();
    let (action, focus, origin) = match frame {
        Frame::Let {
            variable,
            body,
            origin,
            ..
        } => {
            let focus = Substitution::one(variable, value.clone()).command(body, &mut supply);
            (
                Action::Bind {
                    variable: variable.clone(),
                    value: value.clone(),
                },
                focus,
                *origin,
            )
        }
        Frame::Handle { handler, origin } => {
            let returns = &handler.return_clause;
            let focus = Substitution::one(&returns.variable, value.clone())
                .command(&returns.body, &mut supply);
            (
                Action::HandleRet {
                    handler: handler.name.clone(),
                    value: value.clone(),
                },
                focus,
                *origin,
            )
        }
    };
    let place = Locus {
        frames: rest.depth(),
        path: Vec::new(),
    };
    let next = state.then(rest, focus, supply);
    Some(Step {
        action,
        reduction: true,
        redex: place.clone(),
        contractum: place,
        origin,
        write: None,
        next,
    })
}

/// Op(V): the innermost ordinary handler around it, else a heap rule, else stuck.
fn perform(state: &State, operation: &OperationRef, argument: &Term) -> Result<Step, Stuck> {
    let origin = state.focus().origin();
    if let Some(step) = handling::handle_operation(state, operation, argument) {
        return Ok(step);
    }
    let here = Locus {
        frames: state.frames().depth(),
        path: Vec::new(),
    };
    let (action, result, write) = match operation.heap_access() {
        Some((Builtin::Get, location)) => {
            let contents = state
                .heap()
                .get(location)
                .cloned()
                .ok_or(Stuck::IllTyped { origin })?;
            let result = Term::constant(contents.clone(), origin);
            (
                Action::Get {
                    location: location.clone(),
                    contents,
                },
                result,
                None,
            )
        }
        Some((Builtin::Put, location)) => {
            let before = state
                .heap()
                .get(location)
                .cloned()
                .ok_or(Stuck::IllTyped { origin })?;
            let after = match argument.kind() {
                fletch_calculus::TermKind::Constant(tensor) => tensor.with_shape(location.shape()),
                _ => None,
            };
            let after = after.ok_or(Stuck::IllTyped { origin })?;
            let write = HeapWrite {
                location: location.clone(),
                before,
                after,
            };
            (
                Action::Put {
                    location: location.clone(),
                },
                Term::unit(origin),
                Some(write),
            )
        }
        None => {
            return Err(Stuck::Unhandled {
                operation: operation.clone(),
                origin,
            });
        }
    };
    let mut next = state.then(
        state.frames(),
        Command::pure(result, origin),
        state.supply().clone(),
    );
    if let Some(write) = &write {
        let heap = state.heap().with(&write.location, write.after.clone());
        next = next.with_heap(heap);
    }
    Ok(Step {
        action,
        reduction: true,
        redex: here.clone(),
        contractum: here,
        origin,
        write,
        next,
    })
}

/// rev handle(V)⟨x̄⟩. R with H → RH_V^H(⟨x̄⟩. R)
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
        fletch_calculus::TermKind::Tuple(components) if variables.len() > 1 => components.clone(),
        _ => Arc::from([argument.clone()]),
    };
    let types: Option<Arc<[Type]>> = values
        .iter()
        .map(|value| value.to_value().map(|value| value.ty()))
        .collect();
    let Some(types) = types.filter(|types| types.len() == variables.len()) else {
        return Err(Stuck::IllTyped { origin });
    };
    let kind = CommandKind::Handled {
        values: values.clone(),
        variables: variables.clone(),
        types,
        body: body.clone(),
        handler: handler.clone(),
    };
    let here = Locus {
        frames: state.frames().depth(),
        path: Vec::new(),
    };
    Ok(Step {
        action: Action::RevHandle {
            handler: handler.name.clone(),
            values,
            variables: variables.clone(),
        },
        reduction: true,
        redex: here.clone(),
        contractum: here,
        origin,
        write: None,
        next: state.then(
            state.frames(),
            Command::new(kind, origin),
            state.supply().clone(),
        ),
    })
}
