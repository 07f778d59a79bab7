//! Copies and files of steps and states.

use std::fmt::Display;

pub(crate) const TEXT: &str = "Text";
pub(crate) fn step(position: impl Display) -> String {
    format!("step {position}")
}
