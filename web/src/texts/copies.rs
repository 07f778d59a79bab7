//! Copies and files of steps and states.

use std::fmt::Display;

pub(crate) const TEXT: &str = "Text";
pub(crate) const MARKDOWN: &str = "Markdown";
pub(crate) const ROUNDED: &str = "Rounded";
pub(crate) const EXACT: &str = "Exact";
pub(crate) fn copied_as(model: impl Display, format: impl Display) -> String {
    format!("Copied {model} as {format}.")
}
pub(crate) fn saved_as(model: impl Display, name: impl Display) -> String {
    format!("Saved {model} as {name}.")
}
pub(crate) fn step(position: impl Display) -> String {
    format!("step {position}")
}
pub(crate) fn steps_to(from: impl Display, to: impl Display) -> String {
    format!("steps {from} to {to}")
}
pub(crate) const THIS_STATE: &str = "this state";
pub(crate) fn only_the_stops_of_the(name: impl Display) -> String {
    format!("Only the stops of the level “{name}” are written out.")
}
pub(crate) fn this_state_step(position: impl Display) -> String {
    format!("This state (step {position})")
}
pub(crate) const COPY_OR_SAVE_THIS_STATE: &str = "Copy or save this state, or the steps of a range";
pub(crate) const COPY: &str = "Copy…";
pub(crate) const COPY_STEPS: &str = "Copy steps";
pub(crate) const WHAT: &str = "What";
pub(crate) const STEPS: &str = "Steps";
pub(crate) const AS_: &str = "As";
pub(crate) const NUMBERS: &str = "Numbers";
pub(crate) const JSON_HAS_ALL_DIGITS: &str = "JSON has all digits.";
pub(crate) const COPY_NOW: &str = "Copy";
pub(crate) const SAVE_AS_A_FILE: &str = "Save as a file";
pub(crate) const PRINT_THEM_AS_TEXT_AFTER: &str = "Print them as text, after the program";
pub(crate) const PRINT: &str = "Print";
pub(crate) const IF_THE_BROWSER_DOES_NOT: &str =
    "If the browser does not copy it by itself, take the text from here:";
