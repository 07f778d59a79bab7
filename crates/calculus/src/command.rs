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
use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A command P, Q, R. Cheap to clone: the tree is shared.
#[derive(Clone, Debug)]
pub struct Command(Arc<Node>);

#[derive(Debug)]
struct Node {
    kind: OnceLock<CommandKind>,
    /// Form that nobody has asked for.
    waiting: Mutex<Option<Box<Waiting>>>,
    origin: Origin,
    free: FreeVariables,
}

impl Node {
    fn waiting(&self) -> MutexGuard<'_, Option<Box<Waiting>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Form of a command, before it is made.
#[derive(Debug)]
enum Waiting {
    /// P\[…\], for closed values.
    Substituted(Command, Substitution),
    /// let xᵢ ⇐ ⌊projᵢ(x)⌋ in … let xₙ ⇐ ⌊projₙ(x)⌋ in Q
    Projections(Projections),
}

/// Projections of a tuple that are yet to be bound: a handler of n variables binds as many at each call, so that the forms of them all
/// would grow with the square of the calls.
#[derive(Clone, Debug)]
struct Projections {
    /// x
    tuple: Term,
    /// x₁, …, xₙ
    names: Arc<[Variable]>,
    /// i, from 0
    next: usize,
    /// Q
    body: Command,
}

impl Projections {
    /// The command, given its free variables.
    fn command(self, free: FreeVariables, origin: Origin) -> Command {
        if self.next == self.names.len() {
            return self.body;
        }
        Command::waiting(Waiting::Projections(self), free, origin)
    }

    /// let xᵢ ⇐ ⌊projᵢ(x)⌋ in P, of a command with these free variables.
    fn form(&self, free: &FreeVariables, origin: Origin) -> Option<CommandKind> {
        let variable = self.names.get(self.next)?.clone();
        let projection = Term::project(self.next, self.tuple.clone(), origin);
        let bound = Command::pure(projection, origin);
        let below = match self.body.free().contains(variable.id) {
            true => free.with(variable.id),
            false => free.clone(),
        };
        let next = self.next + 1;
        let rest = Projections {
            next,
            ..self.clone()
        };
        Some(CommandKind::Let {
            variable,
            bound,
            body: rest.command(below, origin),
            role: Role::Plain,
        })
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
        let (command, substitution) = match self.0.waiting().as_deref() {
            Some(Waiting::Substituted(command, before)) => {
                (command.clone(), before.then(substitution))
            }
            _ => (self.clone(), substitution.clone()),
        };
        let free = self.free().minus(substitution.variables());
        let waiting = Waiting::Substituted(command, substitution);
        Command::waiting(waiting, free, self.origin())
    }

    fn waiting(form: Waiting, free: FreeVariables, origin: Origin) -> Command {
        Command(Arc::new(Node {
            kind: OnceLock::new(),
            waiting: Mutex::new(Some(Box::new(form))),
            origin,
            free,
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
        let free = body.free().without_all(components.iter().map(|x| x.id));
        let projections = Projections {
            tuple: Term::variable(&tuple, origin),
            names: Arc::from(components),
            next: 0,
            body,
        };
        let body = projections.command(free.with(tuple.id), origin);
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
        match waiting.and_then(|waiting| self.made(*waiting)) {
            Some(kind) => self.0.kind.get_or_init(|| kind),
            // Another thread has taken it.
            None => self.0.kind.wait(),
        }
    }

    /// Form, for a copy of the command: projections that wait go on waiting here, for states that are kept have this command, and seldom
    /// somebody who asks.
    pub(crate) fn form(&self) -> Cow<'_, CommandKind> {
        if let Some(Waiting::Projections(projections)) = self.0.waiting().as_deref()
            && let Some(kind) = projections.form(self.free(), self.origin())
        {
            return Cow::Owned(kind);
        }
        Cow::Borrowed(self.kind())
    }

    fn made(&self, waiting: Waiting) -> Option<CommandKind> {
        match waiting {
            // Closed values take no name from the supply.
            Waiting::Substituted(command, substitution) => {
                Some(substitution.form(&command, &mut Supply::default()))
            }
            Waiting::Projections(projections) => projections.form(self.free(), self.origin()),
        }
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

#[cfg(test)]
mod tests {
    use super::{Command, Role};
    use crate::substitution::Substitution;
    use crate::term::Term;
    use crate::variable::{Origin, Supply};
    use fletch_smooth::{Shape, Tensor};

    #[test]
    fn a_copy_leaves_projections_waiting() {
        let (mut supply, nowhere) = (Supply::default(), Origin::default());
        let [p, x, y] = ["p", "x", "y"].map(|name| supply.fresh(name));
        let body = Command::pure(Term::variable(&y, nowhere), nowhere);
        let bound = Command::pure(Term::unit(nowhere), nowhere);
        let whole = Command::bind_tuple(p.clone(), &[x, y], bound, body, Role::Plain, nowhere);
        let below = |command: &Command| match command.kind() {
            super::CommandKind::Let { body, .. } => Some(body.clone()),
            _ => None,
        };
        let projections = below(&whole);
        let two = Term::constant(Tensor::zeros(Shape::vector(1)), nowhere);
        let pair = Term::tuple(vec![two.clone(), two], nowhere);
        let copy = (projections.as_ref())
            .map(|command| Substitution::one(&p, pair).command(command, &mut supply));
        // Both projections of the copy are looked at.
        assert!(
            copy.as_ref()
                .and_then(below)
                .as_ref()
                .and_then(below)
                .is_some()
        );
        assert!(projections.is_some_and(|command| command.0.kind.get().is_none()));
    }
}
