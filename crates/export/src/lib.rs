//! Exports a program as a Python module with JAX, from the denotations of its items: a function for each `train`, `measure` and `predict`
//! item and for `main`, with a line for each statement of its arrow. Of the source only the elaborator's information is used. The placement
//! of arrays on devices is left to XLA.

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
    /// The file of a data set is missing: its name, and the span where it is named.
    Missing(String, Span),
    /// The command of an item could not be elaborated on its samples.
    Item(Box<Diagnostic>),
    /// The arrow of a command would be enormous.
    Arrow(fletch_arrows::Fault),
    /// An operation that no handler treats.
    Unhandled(OperationRef, Origin),
    /// A map has no expression in JAX: a defect of Fletch.
    Unknown(Origin),
}
