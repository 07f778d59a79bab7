//! A program as a module of Python with JAX, from what its items denote: a function for each `train`, `measure` and `predict` item and
//! for `main`, each line a statement of its arrow. It looks at no source but for what the elaborator says of it, and
//! leaves placing of arrays on devices to XLA.

mod code;
mod families;
mod function;
mod generators;
mod helpers;
mod loops;
mod module;
mod names;

pub use module::python;

use fletch_calculus::{OperationRef, Origin};
use fletch_syntax::{Diagnostic, Span};

/// Reason for which a program has no module.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The program has no `train`, `measure`, `predict` or `main` item.
    Nothing,
    /// The file of a data set is not there: its name, and where it is named.
    Missing(String, Span),
    /// An item has no command on its samples.
    Item(Box<Diagnostic>),
    /// The denotation of a command would be enormous.
    Arrow(fletch_arrows::Fault),
    /// An operation that no handler treats.
    Unhandled(OperationRef, Origin),
    /// A map without an expression in JAX: a defect.
    Unknown(Origin),
}
