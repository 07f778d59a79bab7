//! Searching the steps.

use std::fmt::Display;

pub(crate) fn more_at_every_step(count: impl Display) -> String {
    format!("{count} more at every step")
}
pub(crate) fn of(at: impl Display, count: impl Display) -> String {
    format!("{at} of {count}")
}
pub(crate) fn steps(count: impl Display) -> String {
    format!("{count} steps")
}
pub(crate) fn of_sentences_to(found: impl Display, stop: impl Display) -> String {
    format!("{found}, of sentences to {stop}")
}
pub(crate) const SEARCH_THE_STEPS: &str = "Search the steps";
pub(crate) const SEARCH_THE_STEPS_BY_KEY: &str = "Search the steps (/)";
pub(crate) const SEARCH: &str = "Search";
pub(crate) const WORDS_OF_A_STEP: &str = "Words of a step";
pub(crate) const PUT_L1_A_RULE_COTANGENT: &str = "Put l1, a rule, cotangent";
pub(crate) const PREVIOUS_STEP_FOUND_SHIFT_ENTER: &str = "Previous step found (Shift Enter)";
pub(crate) const NEXT_STEP_FOUND_ENTER: &str = "Next step found (Enter)";
pub(crate) const CLOSE_THE_SEARCH: &str = "Close the search";
pub(crate) const CLOSE_THE_SEARCH_ESC: &str = "Close the search (Esc)";
pub(crate) const STOP_AT_EVERY_STEP_AND: &str = "Stop at every step, and go to the next one found";
pub(crate) const ONCE_THE_RUN_HAS_ENDED: &str = "once the run has ended";
pub(crate) const NO_STEP: &str = "no step";
pub(crate) const N_1_STEP: &str = "1 step";
