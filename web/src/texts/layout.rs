//! Panes, tabs and dialogs.

pub(crate) const STEPS: &str = "Steps";
