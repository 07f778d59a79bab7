//! The gradient check, and the heap of a training that is carried elsewhere and back.

use std::fmt::Display;

pub(crate) fn checking(percent: impl Display) -> String {
    format!("Checking: {percent} %")
}
pub(crate) fn against(measure: impl Display) -> String {
    format!("Against {measure}")
}

pub(crate) fn not_loaded(why: impl Display) -> String {
    format!("The heap stays as it was: {why}.")
}
