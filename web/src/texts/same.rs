//! Whether the arrow stays the same in a step.

use std::fmt::Display;

pub(crate) fn before_at_position(position: impl Display) -> String {
    format!("before, at position {position}")
}
pub(crate) fn after_at_position(to: impl Display) -> String {
    format!("after, at position {to}")
}
pub(crate) fn the_arrow_stays_the_same(performed: impl Display) -> String {
    format!("The arrow stays the same{performed}.")
}
pub(crate) fn same_but_for_rounding(performed: impl Display, largest: impl Display) -> String {
    format!("The arrow stays the same but for rounding of constants{performed}; {largest}.")
}
pub(crate) fn the_arrow_does_not_stay(
    performed: impl Display,
    place: impl Display,
    left: impl Display,
    right: impl Display,
) -> String {
    format!(
        "The arrow does not stay the same{performed}: it differs in {place}, {left} against {right}. This is a defect of Fletch, not of your program."
    )
}
pub(crate) fn reducing_to_it_position_is(reached: impl Display) -> String {
    format!("Reducing to it: position {reached} is reached.")
}
pub(crate) fn set_aside(one: impl Display) -> String {
    format!(", {one} set aside")
}
pub(crate) fn and_set_aside(all: impl Display, last: impl Display) -> String {
    format!(", {all} and {last} set aside")
}
pub(crate) const MARK_EVERY_STEP: &str = "mark every step";
pub(crate) const COMPARING: &str = "Comparing …";
pub(crate) const SOUNDNESS_THEOREM_IN_SOUNDNESS_AND: &str =
    "Soundness (Theorem in § Soundness and Adequacy): if ";
pub(crate) const THEN: &str = ", then ⟦";
pub(crate) const A_STEP_ON_THE_HEAP: &str = "⟧. A step on the heap performs the first operation of the arrow; what is left of it is the arrow of the next state.";
pub(crate) const NOT_CHECKED_AN_ARROW_OF: &str =
    "Not checked: an arrow of this run has too many statements to be compared at each step.";
pub(crate) const NOT_CHECKED_THE_STEP_IS: &str =
    "Not checked: the step is beyond what a run may use here.";
pub(crate) const THERE_IS_NO_STEP_FROM: &str = "There is no step from here.";
pub(crate) fn both_arrows_and_the_theorem(words: impl Display) -> String {
    format!("{words}: both arrows and the theorem")
}
pub(crate) const CHECK_AT_EACH_STEP_THAT: &str =
    "Check at each step that what the program denotes stays the same";
pub(crate) const SAME_ARROW: &str = "same arrow?";
pub(crate) const IS_THE_SAME_ARROW: &str = "same arrow";
pub(crate) const ANOTHER_ARROW: &str = "another arrow";
pub(crate) const NOT_KNOWN_YET: &str = "not known yet";
