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
    /// The start of each pass of a handled operation, of each clause of an ordinary handler, and of each return clause; heap
    /// accesses where a run has none of these.
    Operations,
    /// Positions where the run of a handler begins, reaches its return clause and ends.
    Handlers,
    /// The start of each moment of a feedback, in the forward pass and in the backward pass; the stops of `Operations` where
    /// there is no feedback.
    Moments,
}
