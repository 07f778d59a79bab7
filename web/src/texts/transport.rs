//! Moving along the steps.

use std::fmt::Display;

pub(crate) fn of(map_or_else: impl Display) -> String {
    format!(" of {map_or_else}")
}
pub(crate) const LEVEL_OF_DETAIL: &str = "Level of detail";
pub(crate) fn step(label: impl Display, position: impl Display) -> String {
    format!("{label}, step {position}")
}
