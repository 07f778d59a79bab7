//! Effectful commands (Def. terms-commands), with the runtime command RH of Fig. rewriterevh.

use crate::free::FreeVariables;
use crate::handler::{OrdinaryHandler, ReverseHandler};
use crate::operation::OperationRef;
use crate::term::Term;
use crate::variable::{Origin, Variable};
use fletch_smooth::{Symbol, Type};
use std::sync::Arc;

/// A command P, Q, R. Cheap to clone: the tree is shared.
#[derive(Clone, Debug)]
pub struct Command(Arc<Node>);

#[derive(Debug)]
struct Node {
    kind: CommandKind,
    origin: Origin,
    free: FreeVariables,
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
        /// What the `let` stands for in a handled run.
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
    /// RH_V^H(⟨y₁, …, yₙ⟩. R): a handled continuation that has yet to be unfolded.
    Handled {
        /// V₁, …, Vₙ, values
        values: Arc<[Term]>,
        /// y₁, …, yₙ
        variables: Arc<[Variable]>,
        /// B₁, …, Bₙ, their types: the zeros of the equations are at these types.
        types: Arc<[Type]>,
        /// R : C, over these variables alone
        body: Command,
        /// H : C
        handler: Arc<ReverseHandler>,
    },
    /// handle R with H, for an ordinary handler
    Handle {
        /// R : C
        body: Command,
        /// H : C ⇒ D
        handler: Arc<OrdinaryHandler>,
    },
    /// k • M
    Resume(Variable, Term),
}

/// What a `let` of a handled run stands for, so that a reader can be shown the sandwich: forward
/// clause, continuation, backward clause (Fig. rewriterevh, cases Op and term).
#[derive(Clone, Debug, Default)]
pub enum Role {
    /// As written in the program, or sugar for a pattern.
    #[default]
    Plain,
    /// Its bound command is the forward part of this call.
    Forward(Arc<Call>),
    /// Its bound command is the handled continuation of this call; the backward part waits in the body.
    Continuation(Arc<Call>),
    /// Its bound command is the backward clause of this call.
    Backward(Arc<Call>),
}

/// One handled operation, or one handled pure term, of a run.
#[derive(Debug)]
pub struct Call {
    /// What was handled.
    pub called: Called,
    /// The handler's name.
    pub handler: Arc<str>,
    /// The variable that receives its result (y in the figure).
    pub result: Variable,
    /// The variable that receives what its forward clause saves (z′); only for operations.
    pub saved: Option<Variable>,
    /// The variable that receives the cotangent of its result (y′).
    pub cotangent: Variable,
    /// Where it was called.
    pub origin: Origin,
}

/// What a handler met.
#[derive(Clone, Debug)]
pub enum Called {
    /// An operation.
    Operation(OperationRef),
    /// A function symbol applied in a pure command.
    Function(Symbol),
    /// Another pure term.
    Term,
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
            CommandKind::Handled {
                values,
                variables,
                body,
                ..
            } => {
                let inner = body.free().without_all(variables.iter().map(|x| x.id));
                FreeVariables::union_of(values.iter().map(Term::free)).union(&inner)
            }
            CommandKind::Handle { body, .. } => body.free().clone(),
            CommandKind::Resume(k, m) => FreeVariables::one(k.id).union(m.free()),
        };
        Command(Arc::new(Node { kind, origin, free }))
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

    /// Its form.
    pub fn kind(&self) -> &CommandKind {
        &self.0.kind
    }

    /// Where it comes from.
    pub fn origin(&self) -> Origin {
        self.0.origin
    }

    /// Its free variables.
    pub fn free(&self) -> &FreeVariables {
        &self.0.free
    }

    /// A number that tells this node of the shared tree from all others that are alive.
    pub fn identity(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// Whether both are the same node of the shared tree.
    pub fn same(&self, other: &Command) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
