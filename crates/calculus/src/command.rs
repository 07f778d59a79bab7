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
    /// Recipe for a form that has not been requested yet; `None` once `kind` is made.
    waiting: Mutex<Option<Box<Waiting>>>,
    origin: Origin,
    free: FreeVariables,
}

impl Node {
    fn waiting(&self) -> MutexGuard<'_, Option<Box<Waiting>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Recipe for the form of a command, carried out when the form is first requested.
#[derive(Debug)]
enum Waiting {
    /// P\[…\], a pending substitution of closed values.
    Substituted(Command, Substitution),
    /// let xᵢ ⇐ ⌊projᵢ(x)⌋ in … let xₙ ⇐ ⌊projₙ(x)⌋ in Q, pending projections.
    Projections(Projections),
}

/// Projections of a tuple that are not yet bound by `let`s. They are kept pending because a handler of n variables binds n projections
/// at each call: the size of all these `let`s would grow with the square of the number of calls.
#[derive(Clone, Debug)]
struct Projections {
    /// x, the tuple.
    tuple: Term,
    /// x₁, …, xₙ, the variables of the components.
    names: Arc<[Variable]>,
    /// Index i of the next projection, from 0.
    next: usize,
    /// Q, the continuation after the last projection.
    body: Command,
}

impl Projections {
    /// Command with these pending projections; `free` are its free variables.
    fn command(self, free: FreeVariables, origin: Origin) -> Command {
        if self.next == self.names.len() {
            return self.body;
        }
        Command::waiting(Waiting::Projections(self), free, origin)
    }

    /// Makes the outermost `let` of the pending projections, let xᵢ ⇐ ⌊projᵢ(x)⌋ in P; `free` are the free variables of the whole
    /// command.
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
        /// Role of the bound command in a handled call.
        role: Role,
    },
    /// rev handle(M)⟨x₁, …, xₙ⟩. R with H
    RevHandle {
        /// M : ∏ Aᵢ
        argument: Term,
        /// x₁ : A₁, …, xₙ : Aₙ
        variables: Arc<[Variable]>,
        /// R : C, with no free variables but these
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

/// Role of the bound command of a `let` in a handled call: its forward clause, its continuation or its backward clause (Fig.
/// rewriterevh, cases Op and term). No rule depends on the role. The node keeps its role, like its origin, because the `let`s that RH
/// makes move into contexts, continuations and other handlers, where nothing else says which call they belong to.
#[derive(Clone, Debug, Default)]
pub enum Role {
    /// A `let` of the program, or of an expanded pattern.
    #[default]
    Plain,
    /// The forward clause of this call.
    Forward(Arc<Call>),
    /// The handled continuation of this call; the backward clause follows in the body of the `let`.
    Continuation(Arc<Call>),
    /// The backward clause of this call.
    Backward(Arc<Call>),
}

/// A handled call: one operation, pure term or feedback that a run of a reverse handler met.
#[derive(Debug)]
pub struct Call {
    /// Operation, term or feedback that was met.
    pub called: Called,
    /// Name of the handler.
    pub handler: Arc<str>,
    /// Variable that receives the result of the call (y in the figure).
    pub result: Variable,
    /// Variable that receives the value saved by the forward clause (z′); `None` for a pure term.
    pub saved: Option<Variable>,
    /// Variable that receives the cotangent of the result (y′).
    pub cotangent: Variable,
    /// Number of the handler's run that met the call ([`Handled::run`]).
    pub run: u32,
    /// Role of the call in a call of a handler further inside: a clause or continuation of the inner call contains it. `Plain` if there
    /// is none.
    pub within: Role,
    /// Origin of the call.
    pub origin: Origin,
}

/// Computation that a reverse handler met.
#[derive(Clone, Debug)]
pub enum Called {
    /// An operation.
    Operation(OperationRef),
    /// A function symbol applied in a pure command.
    Function(Symbol),
    /// A pure term without a function symbol at its head.
    Term,
    /// A feedback, whose clauses the handler derives.
    Feedback(Arc<Feedback>),
}

impl Command {
    /// Makes a command of this form and origin.
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

    /// P\[…\] of closed values, which are substituted when the form of the result is first requested.
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

    /// True if the command contains commands that a substitution enters.
    pub(crate) fn has_parts(&self) -> bool {
        match self.0.kind.get() {
            Some(kind) => matches!(
                kind,
                CommandKind::Let { .. } | CommandKind::Handle { .. } | CommandKind::Handled(_)
            ),
            // A pending form is that of a command with parts, or of projections, which are `let`s.
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

    /// let ⟨x₁, …, xₙ⟩ ⇐ P in Q, expanded as in the paper; `tuple` is the fresh variable that P is bound to. With one component the
    /// result is an ordinary `let`.
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

    /// Returns M of ⌊M⌋, Op(M), rev handle(M)⟨x̄⟩. R with H and feedback\[n\](M)⟨s, x⟩. P: the term in the hole of a context F^t. `None`
    /// for other forms.
    pub fn argument(&self) -> Option<&Term> {
        match self.kind() {
            CommandKind::Pure(m)
            | CommandKind::Perform(_, m)
            | CommandKind::RevHandle { argument: m, .. }
            | CommandKind::Feedback { argument: m, .. } => Some(m),
            _ => None,
        }
    }

    /// Command with its argument replaced; a command without an argument is unchanged.
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

    /// Returns H of rev handle and of RH; `None` for other forms.
    pub fn reverse_handler(&self) -> Option<&Arc<ReverseHandler>> {
        match self.kind() {
            CommandKind::RevHandle { handler, .. } => Some(handler),
            CommandKind::Handled(handled) => Some(&handled.handler),
            _ => None,
        }
    }

    /// Role of a `let`; `None` for other commands.
    pub fn role(&self) -> Option<&Role> {
        match self.kind() {
            CommandKind::Let { role, .. } => Some(role),
            _ => None,
        }
    }

    /// Form of the command; makes it on the first request.
    pub fn kind(&self) -> &CommandKind {
        if let Some(kind) = self.0.kind.get() {
            return kind;
        }
        let waiting = self.0.waiting().take();
        match waiting.and_then(|waiting| self.made(*waiting)) {
            Some(kind) => self.0.kind.get_or_init(|| kind),
            // Another thread has taken the recipe and is making the form.
            None => self.0.kind.wait(),
        }
    }

    /// Form of the command, for a copy of it. Pending projections stay pending in this command: a kept state holds this command, and its
    /// form is seldom requested.
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
            // Substituting closed values renames nothing, so the supply is not used.
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

    /// Address that distinguishes this node of the shared tree from all other live nodes.
    pub fn identity(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// True if both commands are the same node of the shared tree.
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
        // Both projections of the copy are requested.
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
