//! Whether the arrow stays the same in a step.

pub(crate) const IS_THE_SAME_ARROW: &str = "same arrow";
