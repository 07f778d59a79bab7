//! The command, its pieces and its rule.

use std::fmt::Display;

pub(crate) const COMMAND_BEFORE_THE_STEP: &str = "Command before the step";
pub(crate) const COMMAND: &str = "Command";
pub(crate) const ENTER_GOES_TO_ITS_PIECES: &str = "Enter goes to its pieces.";
pub(crate) const BEFORE: &str = "before";
pub(crate) const COMMAND_AFTER_THE_STEP: &str = "Command after the step";
pub(crate) const AFTER: &str = "after";
pub(crate) const CHECKING_THE_PROGRAM: &str = "Checking the program…";
pub(crate) const SHOWING_THE_LAST_PROGRAM_THAT: &str = "Showing the last program that checked";
pub(crate) const HEAP: &str = "heap";
pub(crate) const AS_IT_IS: &str = "as it is";
pub(crate) const THE_COMMAND_AND_THE_HEAP: &str =
    "The command and the heap before and after the step (v)";
pub(crate) const BEFORE_AFTER: &str = "before | after";
pub(crate) const NOTHING_TO_SHOW_YET: &str = "Nothing to show yet";
pub(crate) const THE_PART_OF_THE_PAGE: &str =
    "The part of the page that runs programs did not start.";
pub(crate) const THIS_PROGRAM_DOES_NOT_CHECK: &str = "This program does not check yet";
pub(crate) const THE_STEPS_APPEAR_HERE_AS: &str =
    "The steps appear here as soon as the errors beside the program are gone.";
pub(crate) const THE_PROGRAM_IS_BEING_CHECKED: &str = "The program is being checked";
pub(crate) const STEPS_BEGIN_AT_A_COMMAND: &str =
    "Steps begin at a command called `main`. This one would run:";
pub(crate) const STEPS_BEGIN_AT_A_COMMAND_CALLED: &str =
    "Steps begin at a command called `main`. Give the program one, such as `main = ⌊1 + 2⌋`.";
pub(crate) const INSERT_THIS_MAIN: &str = "Insert this `main`";
pub(crate) const NOTHING_TO_RUN_NO_MAIN: &str = "Nothing to run: no `main`";
pub(crate) fn the_explanation_could_not_be(why: impl Display) -> String {
    format!("The explanation could not be loaded: {why}.")
}
pub(crate) const LOADING: &str = "Loading…";
pub(crate) const LEFT_OUT_NOT_PART_OF: &str = "Left out: not part of this step";
pub(crate) const FOLD: &str = "Fold";
pub(crate) const OPEN: &str = "Open";
pub(crate) const THE_RULE_OF_THIS_STEP: &str = "The rule of this step, as in the paper (w)";
pub(crate) const WHY: &str = "why?";
pub(crate) const WHY_THIS_STEP: &str = "Why this step";
pub(crate) const CLOSE: &str = "Close";
pub(crate) const CLOSE_W_OR_ESC: &str = "Close (w or Esc)";
pub(crate) const THERE_IS_NO_STEP_FROM: &str = "There is no step from here.";
pub(crate) const THE_RULE: &str = "The rule";
pub(crate) const IN_THIS_STEP: &str = "In this step";
