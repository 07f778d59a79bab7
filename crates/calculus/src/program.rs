//! An elaborated program: its heap and its closed main command.

use crate::command::Command;
use crate::operation::LocationRef;
use crate::variable::Supply;
use fletch_smooth::{Tensor, Type};

/// Program of a run.
#[derive(Clone, Debug)]
pub struct Program {
    /// The locations; position is [`crate::Location::number`].
    pub locations: Vec<LocationRef>,
    /// Their initial contents, in the same order and of their shapes.
    pub initial: Vec<Tensor>,
    /// The closed command to run.
    pub main: Command,
    /// Type of the command.
    pub ty: Type,
    /// Unused variables.
    pub supply: Supply,
}
