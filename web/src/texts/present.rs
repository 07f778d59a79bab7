//! Presenting, and the speaker’s window.

use std::fmt::Display;

pub(crate) const PROGRAM: &str = "Program";
pub(crate) const STEPS: &str = "Steps";
pub(crate) const SANDWICH: &str = "Sandwich";
pub(crate) const DIAGRAM: &str = "Diagram";
pub(crate) const HEAP: &str = "Heap";
pub(crate) const POPUP_WIDTH_720_HEIGHT_640: &str = "popup,width=720,height=640";
pub(crate) const NOTES_FLETCH: &str = "Notes – Fletch";
pub(crate) const THE_BROWSER_DOES_NOT_LET: &str =
    "The browser does not let the page open a second window; the notes stay here.";
pub(crate) const ESCAPE: &str = "Escape";
pub(crate) const STEP_NOTE: &str = "Step note";
pub(crate) const FLETCH: &str = "Fletch";
pub(crate) const WHAT_IS_SHOWN: &str = "What is shown";
pub(crate) const SIZE_OF_THE_TYPE: &str = "Size of the type";
pub(crate) const SMALLER_TYPE: &str = "smaller type (−)";
pub(crate) const LARGER_TYPE: &str = "larger type (+)";
pub(crate) const THE_STEP_NOTES_AND_THE: &str =
    "The step notes and the next step, in a window of their own";
pub(crate) const NOTES: &str = "Notes";
pub(crate) const A_BLACK_SCREEN_B: &str = "a black screen (B)";
pub(crate) const BLACK: &str = "Black";
pub(crate) const THE_PAGE_AS_IT_WAS: &str = "the page as it was (Esc)";
pub(crate) const END: &str = "End";
pub(crate) const THE_SCREEN_IS_BLACK_B: &str = "The screen is black: B shows it again";
pub(crate) fn step_of(position: impl Display, steps: impl Display) -> String {
    format!("step {position} of {steps}")
}
pub(crate) const NO_RUN_YET: &str = "No run yet.";
pub(crate) const NEXT: &str = "Next";
