//! How the reader goes through the run.

use fletch_playground::protocol::Level;

/// The level, and what else decides where a move goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stepping {
    /// Which positions are shown.
    pub level: Level,
}
