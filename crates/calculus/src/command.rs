//! Effectful commands (Def. terms-commands), with the runtime command RH of Fig. rewriterevh.

use crate::feedback::Feedback;
use crate::free::FreeVariables;
use crate::handled::Handled;
use crate::handler::{OrdinaryHandler, ReverseHandler};
use crate::operation::OperationRef;
use crate::substitution::Substitution;
use crate::term::Term;
use crate::variable::{Origin, Supply, Variable};
use fletch_smooth::Symbol;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A command P, Q, R. Cheap to clone: the tree is shared.
#[derive(Clone, Debug)]
pub struct Command(Arc<Node>);

#[derive(Debug)]
struct Node {
    kind: OnceLock<CommandKind>,
    /// P and its substitution, for a command P\[…\] whose form nobody has asked for.
    waiting: Mutex<Option<(Command, Substitution)>>,
    origin: Origin,
    free: FreeVariables,
}

impl Node {
    fn waiting(&self) -> MutexGuard<'_, Option<(Command, Substitution)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The forms of a command.
#[derive(Clone, Debug)]
pub enum CommandKind {
    /// ⌊M⌋
    Pure(Term),
    /// Op(M)
    Perform(OperationRef, Term),
    /// let x ⇐ P in Q
    Let {
        /// x
        variable: Variable,
        /// P
        bound: Command,
        /// Q
        body: Command,
        /// Role of the `let` in a handled run.
        role: Role,
    },
    /// rev handle(M)⟨x₁, …, xₙ⟩. R with H
    RevHandle {
        /// M : ∏ Aᵢ
        argument: Term,
        /// x₁ : A₁, …, xₙ : Aₙ
        variables: Arc<[Variable]>,
        /// R : C, over these variables alone
        body: Command,
        /// H : C
        handler: Arc<ReverseHandler>,
    },
    /// RH^V_H(⟨y₁, …, y_m⟩. R): a handled continuation that has yet to be unfolded.
    Handled(Arc<Handled>),
    /// handle R with H, for an ordinary handler
    Handle {
        /// R : C
        body: Command,
        /// H : C ⇒ D
        handler: Arc<OrdinaryHandler>,
    },
    /// k • M
    Resume(Variable, Term),
    /// feedback\[n\](M)⟨s, x⟩. P
    Feedback {
        /// M : S × \[n\]X
        argument: Term,
        /// \[n\]⟨s, x⟩. P
        feedback: Arc<Feedback>,
    },
}

/// Part of a handled call that the bound command of a `let` is: forward clause, continuation or backward clause (Fig. rewriterevh,
/// cases Op and term). No rule depends on it. The role stays at the node, like its origin, because the `let`s that RH makes move
/// into contexts, continuations and other handlers, where nothing else tells which call they belong to.
#[derive(Clone, Debug, Default)]
pub enum Role {
    /// A `let` of the program, or sugar for a pattern.
    #[default]
    Plain,
    /// The forward part of this call.
    Forward(Arc<Call>),
    /// The handled continuation of this call; the backward part waits in the body.
    Continuation(Arc<Call>),
    /// The backward clause of this call.
    Backward(Arc<Call>),
}

/// One handled operation, or one handled pure term, of a run.
#[derive(Debug)]
pub struct Call {
    /// Operation or term.
    pub called: Called,
    /// The handler's name.
    pub handler: Arc<str>,
    /// The variable that receives its result (y in the figure).
    pub result: Variable,
    /// The variable that receives what its forward clause saves (z′); only for operations.
    pub saved: Option<Variable>,
    /// The variable that receives the cotangent of its result (y′).
    pub cotangent: Variable,
    /// The run of a handler that met it ([`Handled::run`]).
    pub run: u32,
    /// The part of a call of a handler further inside that it stands in, if it does.
    pub within: Role,
    /// Origin of the call.
    pub origin: Origin,
}

/// Computation that a handler met.
#[derive(Clone, Debug)]
pub enum Called {
    /// An operation.
    Operation(OperationRef),
    /// A function symbol applied in a pure command.
    Function(Symbol),
    /// Pure term without a symbol at its head.
    Term,
    /// A feedback: its clauses are derived.
    Feedback(Arc<Feedback>),
}

impl Command {
    /// A command of this form that comes from this place.
    pub fn new(kind: CommandKind, origin: Origin) -> Command {
        let free = match &kind {
            CommandKind::Pure(m) | CommandKind::Perform(_, m) => m.free().clone(),
            CommandKind::Let {
                variable,
                bound,
                body,
                ..
            } => bound.free().union(&body.free().without(variable.id)),
            CommandKind::RevHandle {
                argument,
                variables,
                body,
                ..
            } => {
                let inner = body.free().without_all(variables.iter().map(|x| x.id));
                argument.free().union(&inner)
            }
            CommandKind::Handled(handled) => {
                let bound = handled.variables.iter().map(|y| y.id);
                let inner = handled.body.free().without_all(bound);
                FreeVariables::union_of(handled.values.iter().map(Term::free)).union(&inner)
            }
            CommandKind::Handle { body, .. } => body.free().clone(),
            CommandKind::Resume(k, m) => FreeVariables::one(k.id).union(m.free()),
            CommandKind::Feedback { argument, feedback } => argument.free().union(&feedback.free()),
        };
        Command(Arc::new(Node {
            kind: OnceLock::from(kind),
            waiting: Mutex::default(),
            origin,
            free,
        }))
    }

    /// P\[…\] of closed values, which are put in once somebody asks for the form.
    pub(crate) fn under(&self, substitution: &Substitution) -> Command {
        let waiting = self.0.waiting();
        let waiting = match waiting.as_ref() {
            Some((command, before)) => (command.clone(), before.then(substitution)),
            None => (self.clone(), substitution.clone()),
        };
        Command(Arc::new(Node {
            kind: OnceLock::new(),
            waiting: Mutex::new(Some(waiting)),
            origin: self.origin(),
            free: self.free().minus(substitution.variables()),
        }))
    }

    /// True if there are commands in it that a substitution goes into.
    pub(crate) fn has_parts(&self) -> bool {
        match self.0.kind.get() {
            Some(kind) => matches!(
                kind,
                CommandKind::Let { .. } | CommandKind::Handle { .. } | CommandKind::Handled(_)
            ),
            // Nothing else waits.
            None => true,
        }
    }

    /// ⌊M⌋
    pub fn pure(term: Term, origin: Origin) -> Command {
        Command::new(CommandKind::Pure(term), origin)
    }

    /// Op(M)
    pub fn perform(operation: OperationRef, argument: Term, origin: Origin) -> Command {
        Command::new(CommandKind::Perform(operation, argument), origin)
    }

    /// let x ⇐ P in Q
    pub fn bind(variable: Variable, bound: Command, body: Command, origin: Origin) -> Command {
        Command::new(
            CommandKind::Let {
                variable,
                bound,
                body,
                role: Role::Plain,
            },
            origin,
        )
    }

    /// let ⟨x₁, …, xₙ⟩ ⇐ P in Q, by the paper's abbreviation: `tuple` is the fresh variable.
    /// With one component it is an ordinary `let`.
    pub fn bind_tuple(
        tuple: Variable,
        components: &[Variable],
        bound: Command,
        body: Command,
        role: Role,
        origin: Origin,
    ) -> Command {
        if let [only] = components {
            let variable = only.clone();
            return Command::new(
                CommandKind::Let {
                    variable,
                    bound,
                    body,
                    role,
                },
                origin,
            );
        }
        let body = components
            .iter()
            .enumerate()
            .rev()
            .fold(body, |body, (index, component)| {
                let projection = Term::project(index, Term::variable(&tuple, origin), origin);
                Command::bind(
                    component.clone(),
                    Command::pure(projection, origin),
                    body,
                    origin,
                )
            });
        Command::new(
            CommandKind::Let {
                variable: tuple,
                bound,
                body,
                role,
            },
            origin,
        )
    }

    /// M of ⌊M⌋, Op(M), rev handle(M)⟨x̄⟩. R with H and feedback\[n\](M)⟨s, x⟩. P: what stands in the hole of a context F^t.
    pub fn argument(&self) -> Option<&Term> {
        match self.kind() {
            CommandKind::Pure(m)
            | CommandKind::Perform(_, m)
            | CommandKind::RevHandle { argument: m, .. }
            | CommandKind::Feedback { argument: m, .. } => Some(m),
            _ => None,
        }
    }

    /// Command with its argument term replaced; a command without one is unchanged.
    #[must_use]
    pub fn with_argument(&self, argument: Term) -> Command {
        let kind = match self.kind() {
            CommandKind::Pure(_) => CommandKind::Pure(argument),
            CommandKind::Perform(operation, _) => CommandKind::Perform(operation.clone(), argument),
            CommandKind::RevHandle {
                variables,
                body,
                handler,
                ..
            } => CommandKind::RevHandle {
                argument,
                variables: variables.clone(),
                body: body.clone(),
                handler: handler.clone(),
            },
            CommandKind::Feedback { feedback, .. } => CommandKind::Feedback {
                argument,
                feedback: feedback.clone(),
            },
            _ => return self.clone(),
        };
        Command::new(kind, self.origin())
    }

    /// H of rev handle and of RH.
    pub fn reverse_handler(&self) -> Option<&Arc<ReverseHandler>> {
        match self.kind() {
            CommandKind::RevHandle { handler, .. } => Some(handler),
            CommandKind::Handled(handled) => Some(&handled.handler),
            _ => None,
        }
    }

    /// Role of a `let`; none for other commands.
    pub fn role(&self) -> Option<&Role> {
        match self.kind() {
            CommandKind::Let { role, .. } => Some(role),
            _ => None,
        }
    }

    /// Form.
    pub fn kind(&self) -> &CommandKind {
        if let Some(kind) = self.0.kind.get() {
            return kind;
        }
        let waiting = self.0.waiting().take();
        if let Some((command, substitution)) = waiting {
            // Closed values take no name from the supply.
            let kind = substitution.form(&command, &mut Supply::default());
            return self.0.kind.get_or_init(|| kind);
        }
        // Another thread has taken it.
        self.0.kind.wait()
    }

    /// Origin.
    pub fn origin(&self) -> Origin {
        self.0.origin
    }

    /// Free variables.
    pub fn free(&self) -> &FreeVariables {
        &self.0.free
    }

    /// A number that tells this node of the shared tree from all others that are alive.
    pub fn identity(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// True if both are the same node of the shared tree.
    pub fn same(&self, other: &Command) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
