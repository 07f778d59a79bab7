//! The typing rules of Figs. typing-terms and typing-commands-handlers, producing derivations.
//!
//! Every form synthesises its type, so checking is one bottom-up pass. The checker is the arbiter: what
//! the elaborator builds and what a step makes is held against it in the tests.

mod commands;
mod terms;

pub use commands::{command, ordinary_handler, reverse_handler};
pub use terms::term;

use crate::variable::{Origin, Variable};
use fletch_smooth::Type;
use std::fmt;
use std::sync::Arc;

/// What a variable stands for in an environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// x : A
    Term(Type),
    /// k : B ⇝ D
    Continuation(Type, Type),
}

/// A typing environment Γ; Δ as a persistent list, latest first.
#[derive(Clone, Debug, Default)]
pub struct Environment(Option<Arc<(Variable, Assumption, Environment)>>);

impl Environment {
    /// The environment with one more assumption.
    #[must_use]
    pub fn with(&self, variable: &Variable, assumption: Assumption) -> Environment {
        Environment(Some(Arc::new((variable.clone(), assumption, self.clone()))))
    }

    /// What is assumed of a variable.
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
}

/// The name of a rule in the figures, with the rules of ordinary handlers and of the runtime command RH.
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
    ReverseHandler,
    Handler,
}

impl TypingRule {
    /// As printed in the paper; T-RH, T-Handle, T-Resume and T-OHandler are ours.
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
            TypingRule::ReverseHandler => "T-RHandler",
            TypingRule::Handler => "T-OHandler",
        }
    }
}

/// A derivation of Γ ⊢ M : A, Γ; Δ ⊢ P : A or ⊢ʳ H : C.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The last rule.
    pub rule: TypingRule,
    /// The type derived.
    pub ty: Type,
    /// Where the subject comes from.
    pub origin: Origin,
    /// The premises, in the figure's order.
    pub premises: Vec<Derivation>,
}

/// Why there is no derivation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeError {
    /// Where the offending subject comes from.
    pub origin: Origin,
    /// What is wrong.
    pub kind: TypeErrorKind,
}

/// Why there is no derivation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeErrorKind {
    /// A variable without an assumption.
    Unbound(Arc<str>),
    /// A type that is not the one the rule asks for.
    Mismatch {
        /// What the rule asks for.
        expected: Type,
        /// What the subject has.
        found: Type,
    },
    /// A projection from something that has no such component.
    Projection {
        /// The component, from 0.
        index: usize,
        /// The type projected from.
        found: Type,
    },
    /// A forward clause whose result is not a pair of result and saved value.
    ForwardClause {
        /// Its type.
        found: Type,
    },
    /// A number of binders unlike the number of components.
    Binders {
        /// How many binders there are.
        binders: usize,
        /// The type they should take apart.
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

/// The types of n binders that take a value of this type apart.
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
