//! Typing rules of Figs. typing-terms and typing-commands-handlers, producing derivations.
//!
//! Every form synthesises its type, so checking is one bottom-up pass. The tests check the output of the
//! elaborator and the result of every step against this checker.

mod commands;
mod terms;

pub use commands::{command, ordinary_handler, reverse_handler};
pub use terms::term;

use crate::command::Command;
use crate::handler::{OrdinaryHandler, ReverseHandler};
use crate::term::Term;
use crate::variable::{Origin, Variable};
use fletch_smooth::Type;
use std::fmt;
use std::sync::Arc;

/// Assumption about a variable in an environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// x : A
    Term(Type),
    /// k : B ⇝ D
    Continuation(Type, Type),
}

/// A typing environment Γ; Δ as a persistent list, latest assumption first.
#[derive(Clone, Debug, Default)]
pub struct Environment(Option<Arc<(Variable, Assumption, Environment)>>);

impl Environment {
    /// The environment with one more assumption.
    #[must_use]
    pub fn with(&self, variable: &Variable, assumption: Assumption) -> Environment {
        Environment(Some(Arc::new((variable.clone(), assumption, self.clone()))))
    }

    /// Latest assumption about a variable.
    pub fn get(&self, variable: &Variable) -> Option<&Assumption> {
        let mut rest = self;
        while let Some(entry) = &rest.0 {
            if entry.0 == *variable {
                return Some(&entry.1);
            }
            rest = &entry.2;
        }
        None
    }

    /// The latest assumption, and the environment before it.
    pub fn latest(&self) -> Option<(&Variable, &Assumption, &Environment)> {
        let (variable, assumption, before) = &**self.0.as_ref()?;
        Some((variable, assumption, before))
    }

    /// True if both environments are the same node of the shared list.
    pub fn same(&self, other: &Environment) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }
}

/// Typing rules of the figures, of ordinary handlers, of feedbacks and of the runtime command RH.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names say it.
pub enum TypingRule {
    TermVariable,
    TermConstant,
    TermFunction,
    TermPlus,
    TermTuple,
    TermProjection,
    TermLet,
    TermReverseDerivative,
    CommandPure,
    CommandOperation,
    CommandLet,
    CommandRevHandle,
    CommandHandled,
    CommandHandle,
    CommandResume,
    CommandFeedback,
    ReverseHandler,
    Handler,
}

impl TypingRule {
    /// Name of the rule as in the paper. The paper has no T-RH, T-Handle, T-Resume, T-Feedback and
    /// T-OHandler.
    pub fn name(self) -> &'static str {
        match self {
            TypingRule::TermVariable => "T-Var",
            TypingRule::TermConstant => "T-Const",
            TypingRule::TermFunction => "T-Func",
            TypingRule::TermPlus => "T-Plus",
            TypingRule::TermTuple => "T-Tuple",
            TypingRule::TermProjection => "T-Proj",
            TypingRule::TermLet => "T-Let",
            TypingRule::TermReverseDerivative => "T-RD",
            TypingRule::CommandPure => "T-Pure",
            TypingRule::CommandOperation => "T-Op",
            TypingRule::CommandLet => "T-CLet",
            TypingRule::CommandRevHandle => "T-RHandle",
            TypingRule::CommandHandled => "T-RH",
            TypingRule::CommandHandle => "T-Handle",
            TypingRule::CommandResume => "T-Resume",
            TypingRule::CommandFeedback => "T-Feedback",
            TypingRule::ReverseHandler => "T-RHandler",
            TypingRule::Handler => "T-OHandler",
        }
    }
}

/// Subject of a judgement. Cheap to clone: the trees are shared.
#[derive(Clone, Debug)]
pub enum Subject {
    /// M, of Γ ⊢ M : A
    Term(Term),
    /// P, of Γ; Δ ⊢ P : A
    Command(Command),
    /// H, of ⊢ʳ H : C
    ReverseHandler(Arc<ReverseHandler>),
    /// H, of ⊢ H : C ⇒ D
    Handler(Arc<OrdinaryHandler>),
}

/// A derivation of Γ ⊢ M : A, Γ; Δ ⊢ P : A or ⊢ʳ H : C.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// Environment: Γ of a term, Δ of a command; empty for a handler.
    pub environment: Environment,
    /// Subject.
    pub subject: Subject,
    /// Last rule applied.
    pub rule: TypingRule,
    /// Derived type; D for ⊢ H : C ⇒ D.
    pub ty: Type,
    /// Premises, in the order of the figure.
    pub premises: Vec<Derivation>,
}

impl Derivation {
    /// Origin of the subject.
    pub fn origin(&self) -> Origin {
        match &self.subject {
            Subject::Term(term) => term.origin(),
            Subject::Command(command) => command.origin(),
            Subject::ReverseHandler(handler) => handler.origin,
            Subject::Handler(handler) => handler.origin,
        }
    }

    /// Returns the derivation above this one that the path leads to. Each entry of the path is the index
    /// of a premise, from 0.
    pub fn at(&self, path: &[usize]) -> Option<&Derivation> {
        path.iter().try_fold(self, |derivation, premise| {
            derivation.premises.get(*premise)
        })
    }
}

/// Reason why there is no derivation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeError {
    /// Origin of the offending subject.
    pub origin: Origin,
    /// Kind of the error.
    pub kind: TypeErrorKind,
}

/// Kind of a type error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeErrorKind {
    /// A variable without an assumption.
    Unbound(Arc<str>),
    /// A type that differs from the one the rule requires.
    Mismatch {
        /// Type that the rule requires.
        expected: Type,
        /// Type of the subject.
        found: Type,
    },
    /// A projection of a component that the type does not have.
    Projection {
        /// Index of the component, from 0.
        index: usize,
        /// The type projected from.
        found: Type,
    },
    /// A forward clause whose type is not a pair of result and saved value.
    ForwardClause {
        /// Type of the clause.
        found: Type,
    },
    /// A number of binders that differs from the number of components.
    Binders {
        /// Number of binders.
        binders: usize,
        /// Type of the value that the binders should destructure.
        found: Type,
    },
}

impl fmt::Display for TypeErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeErrorKind::Unbound(name) => write!(formatter, "`{name}` is not bound here"),
            TypeErrorKind::Mismatch { expected, found } => {
                write!(formatter, "expected {expected}, found {found}")
            }
            TypeErrorKind::Projection { index, found } => {
                write!(formatter, "there is no component {} in {found}", index + 1)
            }
            TypeErrorKind::ForwardClause { found } => {
                write!(
                    formatter,
                    "a forward clause gives a pair of result and saved value, not {found}"
                )
            }
            TypeErrorKind::Binders { binders, found } => {
                write!(formatter, "{binders} variables cannot take apart {found}")
            }
        }
    }
}

fn expect(expected: &Type, found: &Type, origin: Origin) -> Result<(), TypeError> {
    if expected == found {
        return Ok(());
    }
    let kind = TypeErrorKind::Mismatch {
        expected: expected.clone(),
        found: found.clone(),
    };
    Err(TypeError { origin, kind })
}

/// Returns the types of `binders` variables that destructure a value of type `ty`; one variable takes
/// the whole value.
fn components(ty: &Type, binders: usize, origin: Origin) -> Result<Vec<Type>, TypeError> {
    match ty {
        _ if binders == 1 => Ok(vec![ty.clone()]),
        Type::Product(parts) if parts.len() == binders => Ok(parts.to_vec()),
        _ => Err(TypeError {
            origin,
            kind: TypeErrorKind::Binders {
                binders,
                found: ty.clone(),
            },
        }),
    }
}
