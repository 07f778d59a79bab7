//! Moving along the steps.

use std::fmt::Display;

pub(crate) const MAX: &str = "Max";
pub(crate) const EVERY_STEP: &str = "Every step";
pub(crate) const NO_BOOKKEEPING: &str = "No bookkeeping";
pub(crate) const OPERATIONS: &str = "Operations";
pub(crate) const HANDLERS: &str = "Handlers";
pub(crate) fn paused_at_the_breakpoint_of(line: impl Display) -> String {
    format!("Paused at the breakpoint of line {line}.")
}
pub(crate) fn no_operation(side: impl Display) -> String {
    format!("No {side} operation.")
}
pub(crate) fn no_put(side: impl Display) -> String {
    format!("No {side} Put.")
}
pub(crate) fn nothing_is_unfolded(side: impl Display) -> String {
    format!("Nothing {side} is unfolded.")
}
pub(crate) fn no_step_by(side: impl Display, name: impl Display) -> String {
    format!("No {side} step by {name}.")
}
pub(crate) fn no_breakpoint_at_a_step(side: impl Display) -> String {
    format!("No breakpoint at a {side} step.")
}
pub(crate) const CHOOSE_WHAT_TO_JUMP_TO: &str = "Choose what to jump to first.";
pub(crate) const JUMPS_ARE_POSSIBLE_ONCE_THE: &str =
    "Jumps are possible once the run has ended or was stopped.";
pub(crate) const EARLIER: &str = "earlier";
pub(crate) const LATER: &str = "later";
pub(crate) const NO_STEP_COMES_FROM_WHERE: &str = "No step comes from where the cursor is.";
pub(crate) fn step_of(
    position: impl Display,
    steps: impl Display,
    sentence: impl Display,
) -> String {
    format!("Step {position} of {steps}. {sentence}")
}
pub(crate) fn redex(short: impl Display, rest: impl Display) -> String {
    format!(" Redex: {short}{rest}.")
}
pub(crate) const AND_SO_ON: &str = " and so on";
pub(crate) fn of(map_or_else: impl Display) -> String {
    format!(" of {map_or_else}")
}
pub(crate) const TRANSPORT: &str = "Transport";
pub(crate) const STEP: &str = "step ";
pub(crate) const MORE_CONTROLS: &str = "More controls";
pub(crate) const MOVE_ALONG_THE_STEPS: &str = "Move along the steps";
pub(crate) const FIRST_STEP: &str = "First step";
pub(crate) const PREVIOUS_STEP: &str = "Previous step";
pub(crate) const PAUSE: &str = "Pause";
pub(crate) const PLAY: &str = "Play";
pub(crate) const NEXT_STEP: &str = "Next step";
pub(crate) const LAST_STEP: &str = "Last step";
pub(crate) const SPEED_OF_PLAYING: &str = "Speed of playing";
pub(crate) const SPEED_OF_PLAYING_AND: &str = "Speed of playing (< and >)";
pub(crate) const STOPS_AT_EVERY_SINGLE_REDUCTION: &str =
    "Stops at every single reduction; skips nothing";
pub(crate) const SKIPS_STEPS_THAT_ONLY_MOVE: &str =
    "Skips steps that only move values about: bindings, parts of tuples, sums with zero";
pub(crate) const STOPS_WHERE_A_FORWARD_OR: &str =
    "Stops where a forward or a backward clause of an operation begins; skips what it does inside";
pub(crate) const STOPS_WHERE_A_HANDLERS_RUN: &str =
    "Stops where a handler’s run goes forward, turns back and ends; skips its operations";
pub(crate) const LEVEL_OF_DETAIL: &str = "Level of detail";
pub(crate) const NEXT: &str = "Next";
pub(crate) const THE_PAPERS_READING_HAS_NO: &str = "The paper's reading has no step here";
pub(crate) const BY_CONVENTION: &str = " By convention, ";
pub(crate) const THE_FIRST_VALUE_OF_THIS: &str =
    ": the first value of this run that is not a finite number.";
pub(crate) fn step_of_known(position: impl Display, steps: impl Display) -> String {
    format!("step {position} of {steps}")
}
pub(crate) fn step(label: impl Display, position: impl Display) -> String {
    format!("{label}, step {position}")
}
pub(crate) const SLIDER: &str = "Step";
