//! Panes, tabs and dialogs.

use std::fmt::Display;

pub(crate) const STEPS: &str = "Steps";
pub(crate) const DIAGRAM: &str = "Diagram";
pub(crate) const TYPES: &str = "Types";
pub(crate) const COMPARE: &str = "Compare";
pub(crate) const TRAIN: &str = "Train";
pub(crate) const WIDTH_OF_THE_PROGRAM: &str = "Width of the program";
pub(crate) const HEIGHT_OF_THE_HEAP: &str = "Height of the heap";
pub(crate) const WIDTH_OF_THE_SANDWICH: &str = "Width of the sandwich";
pub(crate) const DRAG_OR_USE_THE_ARROW: &str = "Drag, or use the arrow keys";
pub(crate) const CLOSE: &str = "Close";
pub(crate) const CLOSE_ESC: &str = "Close (Esc)";
pub(crate) fn the_figures_are_not_there(why: impl Display) -> String {
    format!("The figures are not there: {why}. ")
}
pub(crate) const BESIDE_THE_PROGRAM: &str = "Beside the program";
pub(crate) const LOADING_THE_FIGURES: &str = "Loading the figures …";
pub(crate) const TRY_AGAIN: &str = "Try again";
pub(crate) const HAS_ERRORS: &str = "has errors";
pub(crate) const PANES: &str = "Panes";
pub(crate) const PROGRAM: &str = "Program";
pub(crate) const SANDWICH: &str = "Sandwich";
pub(crate) const HEAP: &str = "Heap";
