//! The calculus of reverse handlers, as in the paper: types, terms, commands, reverse handlers and
//! ordinary ones; capture-avoiding substitution; the typing rules with derivations; depth and size.
//!
//! A function symbol is a [`fletch_smooth::Symbol`], a base type `Real(n)`. Trees are immutable and
//! share structure, so that a trace of many states is cheap to keep.

mod assignment;
mod bookkeeping;
mod build;
mod command;
mod components;
mod derivative;
mod evaluation;
mod feedback;
mod free;
mod handled;
mod handler;
mod measure;
pub mod notation;
mod operation;
mod part;
mod path;
mod program;
mod sequence;
mod straight;
mod substitution;
mod term;
pub mod typing;
mod variable;

pub use bookkeeping::{is_zero_along, reductions, reductions_of_derivative};
pub use build::At;
pub use command::{Call, Called, Command, CommandKind, Role};
pub use components::Components;
pub use derivative::{DerivativeError, NODE_LIMIT, rewrite_derivative, shorten_derivative};
pub use evaluation::{EvaluationError, evaluate};
pub use feedback::{Derived, Feedback, Half, Moment};
pub use free::FreeVariables;
pub use handled::Handled;
pub use handler::{Clause, Handler, OrdinaryHandler, ReturnClause, ReverseClause, ReverseHandler};
pub use measure::{
    depth, handler_depth, handler_size, ordinary_depth, ordinary_size, size, term_size,
};
pub use operation::{Builtin, Index, Location, LocationRef, Operation, OperationRef};
pub use part::Part;
pub use path::Path;
pub use program::Program;
pub use sequence::{cons, entry_type, reversed, sequence, uncons};
pub use straight::straight_line;
pub use substitution::Substitution;
pub use term::{Term, TermKind};
pub use variable::{Origin, Supply, Variable, VariableKind};

pub use fletch_smooth::{Reading, Symbol, Tensor, Type, Value};
