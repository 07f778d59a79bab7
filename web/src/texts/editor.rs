//! The editor, its bar and its list of mistakes.

use super::counted;
use std::fmt::Display;

pub(crate) fn not_formatted_because_line_cannot(
    line: impl Display,
    message: impl Display,
) -> String {
    format!("Not formatted, because line {line} cannot be read: {message}")
}
pub(crate) fn the_example_could_not_be(why: impl Display) -> String {
    format!("The example could not be loaded: {why}.")
}
pub(crate) const NOT_FORMATTED_THE_PROGRAM_HAS: &str =
    "Not formatted: the program has changed meanwhile.";
pub(crate) const THE_PROGRAM_IS_FORMATTED_ALREADY: &str = "The program is formatted already.";
pub(crate) const FORMATTED_UNDO_IN_THE_EDITOR: &str =
    "Formatted. Undo in the editor takes it back.";
pub(crate) fn back_to(heading: impl Display) -> String {
    format!("Back to {heading}")
}
pub(crate) fn line(line: impl Display) -> String {
    format!("line {line}")
}
pub(crate) fn depth_size(depth: impl Display, size: impl Display) -> String {
    format!("depth {depth} · size {size}")
}
pub(crate) fn ln_col(line: impl Display, column: impl Display) -> String {
    format!("Ln {line}, Col {column}")
}
pub(crate) const PROGRAM: &str = "Program";
pub(crate) const CHANGED: &str = "changed";
pub(crate) const LAY_THE_PROGRAM_OUT_SHIFT: &str = "Lay the program out (Shift Alt F)";
pub(crate) const FORMAT: &str = "Format";
pub(crate) const THE_PROGRAM_THAT_WAS_HERE: &str = "The program that was here before";
pub(crate) const DISMISS: &str = "Dismiss";
pub(crate) const OPEN_WHAT_YOU_WROTE_EARLIER: &str = "Open what you wrote earlier";
pub(crate) const YOUR_PROGRAMS: &str = "Your programs";
pub(crate) const YOU_WROTE_EARLIER: &str = "You wrote earlier:";
pub(crate) const NOT_NOW: &str = "Not now";
pub(crate) const SAVE_AS_A_FILE: &str = "Save as a file";
pub(crate) const THIS_PROGRAM_WAS_CHANGED_IN: &str =
    "This program was changed in another tab. What you change here is kept as a copy.";
pub(crate) const SHOW_THE_OTHER_ONE: &str = "Show the other one";
pub(crate) const APPLY_THIS_FIX: &str = "Apply this fix";
pub(crate) const WHAT_THIS_MEANS: &str = "What this means";
pub(crate) const WHERE_IT_COMES_FROM: &str = "Where it comes from";
pub(crate) const INSERT_A_MAIN: &str = "Insert a `main`";
pub(crate) const THAT_RUNS_WHAT_IS_DECLARED: &str = " that runs what is declared";
pub(crate) const CHECKING: &str = "checking…";
pub(crate) const NOT_CHECKED: &str = "not checked";
pub(crate) const NOTHING_TO_RUN_NO_MAIN: &str = "nothing to run: no `main`";
pub(crate) const CHECKED: &str = "checked";
pub(crate) const MAIN: &str = "main";
pub(crate) const DEPTH_OF_REVERSE_HANDLERS_AND: &str =
    "Depth of reverse handlers and size of the typing derivation";
pub(crate) const WHERE_A_FUNCTION_HAS_NO: &str = "Where a function has no derivative, such as relu at 0: the paper's reading has no step there, the total \
                   reading goes on by the frameworks' convention, relu′(0) = 0.\nShortcuts leave out what is known to be 0, \
                   such as a derivative along a variable that does not occur: equations of the paper's model, not its rules. \
                   Each step that uses one says so";
pub(crate) const READING_OF_PARTIAL_FUNCTIONS_AND: &str =
    "Reading of partial functions, and shortcuts";
pub(crate) const OUTLINE: &str = "Outline";
pub(crate) const DECLARATIONS_OF_THE_PROGRAM_CTRL: &str =
    "Declarations of the program (Ctrl Shift O)";
pub(crate) const NOTHING_IS_DECLARED_YET: &str = "Nothing is declared yet.";
pub(crate) fn errors(count: usize) -> String {
    counted(count, "error", "errors")
}
pub(crate) fn warnings(count: usize) -> String {
    counted(count, "warning", "warnings")
}
