//! How the run stands, below the command.

pub(crate) const UNTITLED: &str = "Untitled";
pub(crate) const CONTINUE_: &str = "Continue";
pub(crate) const GO_THERE: &str = "Go there";
