//! Links, and the dialog for sharing.

use super::counted;
use std::fmt::Display;

pub(crate) const A_PROGRAM_IN_FLETCH: &str = "A program in Fletch";
pub(crate) fn saved(name: impl Display) -> String {
    format!("Saved {name}.")
}
pub(crate) const SHARE: &str = "Share";
pub(crate) fn no_python(why: impl Display) -> String {
    format!("There is no Python module: {why}.")
}
pub(crate) fn folds(count: usize) -> String {
    counted(count, "fold", "folds")
}
pub(crate) fn boxes(count: usize) -> String {
    counted(count, "box", "boxes")
}
pub(crate) fn breakpoints(count: usize) -> String {
    counted(count, "breakpoint", "breakpoints")
}
pub(crate) fn edited_locations(count: usize) -> String {
    counted(count, "edited location", "edited locations")
}
