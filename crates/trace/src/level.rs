//! Levels of detail.

use serde::{Deserialize, Serialize};

/// Level of detail: the set of positions that a reader visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// Every position.
    Every,
    /// Positions before a step that is not administrative.
    #[default]
    Plain,
    /// One for each pass of a handled operation, and the return clauses between them.
    Operations,
    /// One for each pass of a handler's run.
    Handlers,
    /// One for each moment of a feedback, on the way out and on the way back; those of `Operations` where there is no feedback.
    Moments,
}
