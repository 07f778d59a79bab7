//! The tab that compares two commands, or two runs.

use std::fmt::Display;

pub(crate) fn statements(count: impl Display) -> String {
    format!("{count} statements")
}
pub(crate) const COMPARE: &str = "Compare";
pub(crate) const BETWEEN_TWO: &str = " and ";
pub(crate) const AGAINST: &str = " against ";
pub(crate) fn stops(wrong: impl Display) -> String {
    format!("stops: {wrong}.")
}
pub(crate) fn norm(norm: impl Display) -> String {
    format!("norm {norm}")
}
pub(crate) fn colours(factor: impl Display) -> String {
    format!(" (colours × {factor})")
}
pub(crate) const OF_THE_FIRST_RUN: &str = "first run";
pub(crate) const OF_THE_SECOND_RUN: &str = "second run";
pub(crate) fn listing(is_shown: bool, left: impl Display, right: impl Display) -> String {
    match is_shown {
        true => format!("Hide {left} and {right}"),
        false => format!("List {left} and {right}"),
    }
}
