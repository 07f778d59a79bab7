//! How the run stands, below the command.

use std::fmt::Display;

pub(crate) const PAPER_READING: &str = "paper reading";
pub(crate) const TOTAL_READING: &str = "total reading";
pub(crate) const PAPER_SHORTCUTS: &str = "paper, shortcuts";
pub(crate) const TOTAL_SHORTCUTS: &str = "total, shortcuts";
pub(crate) const UNTITLED: &str = "Untitled";
pub(crate) fn the_part_of_the_page(why: impl Display) -> String {
    format!("The part of the page that runs programs has failed: {why}.")
}
pub(crate) fn the_run_was_what_it(why: impl Display) -> String {
    format!("The run was {why}. What it has reached stays.")
}
pub(crate) fn stopped_after_steps(steps: impl Display) -> String {
    format!("Stopped after {steps} steps.")
}
pub(crate) fn the_run_is_stuck_at(steps: impl Display) -> String {
    format!("The run is stuck at step {steps}.")
}
pub(crate) fn frameworks_go_on_here_by(convention: impl Display) -> String {
    format!("Frameworks go on here by convention: {convention}.")
}
pub(crate) fn at_step_the_first_value(what: impl Display, step: impl Display) -> String {
    format!("{what} at step {step}: the first value of this run that is not a finite number.")
}
pub(crate) fn computing_steps_so_far(steps: impl Display) -> String {
    format!("Computing: {steps} steps so far")
}
pub(crate) const START_IT_AGAIN: &str = "Start it again";
pub(crate) const CHECKING_TOOK_TOO_LONG_AND: &str = "Checking took too long and was stopped.";
pub(crate) const TRY_AGAIN: &str = "Try again";
pub(crate) const CONTINUE_: &str = "Continue";
pub(crate) const THE_RUN_DID_NOT_STOP: &str =
    "The run did not stop by itself and was ended; this is the last view of it.";
pub(crate) const RUN_AGAIN: &str = "Run again";
pub(crate) const GO_THERE: &str = "Go there";
pub(crate) const GO_ON_AS_FRAMEWORKS_DO: &str = "Go on as frameworks do";
pub(crate) const SHOW_IN_THE_PROGRAM: &str = "Show in the program";
pub(crate) const THERE_IS_NO_STEP_FROM: &str = "There is no step from here.";
pub(crate) const STOPPING: &str = "Stopping…";
pub(crate) const CHECKING_THE_PROGRAM: &str = "Checking the program…";
pub(crate) const COMPUTING: &str = "Computing…";
pub(crate) const LISTING_THE_STEPS: &str = "Listing the steps…";
pub(crate) const LAYING_OUT_THIS_STEP: &str = "Laying out this step…";
pub(crate) const STOP: &str = "Stop";
