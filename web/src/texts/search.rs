//! Searching the steps.

use std::fmt::Display;

pub(crate) fn of(at: impl Display, count: impl Display) -> String {
    format!("{at} of {count}")
}
pub(crate) fn steps(count: impl Display) -> String {
    format!("{count} steps")
}
pub(crate) const SEARCH_THE_STEPS: &str = "Search the steps";
