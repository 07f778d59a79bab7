//! Elaborated program: its heap and its closed main command.

use crate::command::Command;
use crate::operation::LocationRef;
use crate::variable::Supply;
use fletch_smooth::{Tensor, Type};

/// An elaborated program, ready to run.
#[derive(Clone, Debug)]
pub struct Program {
    /// Locations of the heap; the position of a location is its [`crate::Location::number`].
    pub locations: Vec<LocationRef>,
    /// Initial contents of the locations, in the same order, each with the shape of its location.
    pub initial: Vec<Tensor>,
    /// The closed command to run.
    pub main: Command,
    /// Type of the command.
    pub ty: Type,
    /// Supply of unused variables.
    pub supply: Supply,
}
