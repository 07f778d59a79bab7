//! The editor, its bar and its list of mistakes.

use super::counted;
use std::fmt::Display;

pub(crate) fn line(line: impl Display) -> String {
    format!("line {line}")
}
pub(crate) fn errors(count: usize) -> String {
    counted(count, "error", "errors")
}
pub(crate) fn warnings(count: usize) -> String {
    counted(count, "warning", "warnings")
}
