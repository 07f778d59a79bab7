//! Levels of detail.

use serde::{Deserialize, Serialize};

/// Which positions a reader goes through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// Every position.
    Every,
    /// Those before a step that is not administrative: what only moves values about is passed over.
    #[default]
    Plain,
    /// One for each pass of a handled operation, and the return clauses between them.
    Operations,
    /// One for each pass of a handler's run.
    Handlers,
}
