//! The tab that compares two commands, or two runs.

use std::fmt::Display;

pub(crate) fn set_aside(operation: impl Display) -> String {
    format!(", {operation} set aside")
}
pub(crate) fn operations_set_aside(more: impl Display) -> String {
    format!(", {more} operations set aside")
}
pub(crate) fn same_arrow(aside: impl Display) -> String {
    format!("same arrow{aside}")
}
pub(crate) fn at_step(reached: impl Display) -> String {
    format!("at step {reached} …")
}
pub(crate) const ANOTHER_ARROW: &str = "another arrow";
pub(crate) const SAME_ARROW_BUT_FOR_ROUNDING: &str = "same arrow but for rounding";
pub(crate) const TOO_LARGE_TO_COMPARE: &str = "too large to compare";
pub(crate) const NO_STEP_FROM_HERE: &str = "no step from here";
pub(crate) fn the_example_is_not_there(why: impl Display) -> String {
    format!("The example is not there: {why}.")
}
pub(crate) fn the_other_program_has_an(message: impl Display) -> String {
    format!("The other program has an error: {message}.")
}
pub(crate) fn nothing_else_here_has_the(left: impl Display) -> String {
    format!("Nothing else here has the types of `{left}`. A command of another program may have.")
}
pub(crate) fn nothing_in_that_program_has(left: impl Display) -> String {
    format!(
        "Nothing in that program has the types of `{left}`, so there is nothing to compare it with."
    )
}
pub(crate) fn denote_different_arrows_they_first(place: impl Display) -> String {
    format!(" denote different arrows. They first differ in {place}: ")
}
pub(crate) fn statements(count: impl Display) -> String {
    format!("{count} statements")
}
pub(crate) fn string_diagram_of(
    name: impl Display,
    signature: impl Display,
    differs: impl Display,
) -> String {
    format!("String diagram of {name} : {signature}{differs}")
}
pub(crate) const THERE_IS_NOTHING_TO_COMPARE: &str =
    "There is nothing to compare yet: the program has an error.";
pub(crate) const READING_THE_PROGRAM: &str = "Reading the program …";
pub(crate) const DO_TWO_COMMANDS_DENOTE_EQUAL: &str = "Do two commands denote equal arrows?";
pub(crate) const WHAT_DO_TWO_HANDLERS_MAKE: &str = "What do two handlers make of the same heap?";
pub(crate) const THIS_STEP: &str = "this step";
pub(crate) const DOES_THE_ARROW_STAY_THE: &str = "Does the arrow stay the same in this step?";
pub(crate) const COMPARE: &str = "Compare";
pub(crate) const WHAT_IS_COMPARED: &str = "What is compared";
pub(crate) const FIRST_COMMAND: &str = "First command";
pub(crate) const A_COMMAND_OF_THIS_PROGRAM: &str = "A command of this program";
pub(crate) const AND: &str = "and";
pub(crate) const SECOND_COMMAND: &str = "Second command";
pub(crate) const THE_COMMAND_THAT_IT_IS: &str = "The command that it is compared with";
pub(crate) const OF: &str = "of";
pub(crate) const PROGRAM_OF_THE_SECOND_COMMAND: &str = "Program of the second command";
pub(crate) const THE_PROGRAM_OF_THE_SECOND: &str = "The program of the second command";
pub(crate) const THIS_PROGRAM: &str = "this program";
pub(crate) const THIS_PROGRAM_AS_OPENED: &str = "this program as opened";
pub(crate) const A_TEXT_PUT_IN_HERE: &str = "a text put in here";
pub(crate) const AN_EXAMPLE: &str = "an example";
pub(crate) const OF_OTHER_TYPES: &str = "of other types";
pub(crate) const ANOTHER_PROGRAM: &str = "Another program";
pub(crate) const PUT_THE_TEXT_OF_ANOTHER: &str = "Put the text of another program in here";
pub(crate) const PUT_IN_A_PROGRAM_WHOSE: &str =
    "Put in a program whose commands are to be compared with those of this one.";
pub(crate) const THERE_IS_NOTHING_TO_COMPARE_THE: &str =
    "There is nothing to compare: the program declares no command and no `main`.";
pub(crate) const COMPARING: &str = "Comparing …";
pub(crate) const BETWEEN_TWO: &str = " and ";
pub(crate) const DENOTE_EQUAL_ARROWS_THE_SAME: &str = " denote equal arrows: the same operations in the same order, and what is between them comes to the same.";
pub(crate) fn equal_but_for_rounding(largest: impl Display) -> String {
    format!(
        " denote arrows that are equal but for rounding of constants, which is no proof that they are equal: {largest}."
    )
}
pub(crate) const AGAINST: &str = " against ";
pub(crate) const ARE_OF_DIFFERENT_TYPES_SO: &str =
    " are of different types, so there is nothing to compare.";
pub(crate) const THE_PROGRAMS_DIFFER_IN_WHAT: &str = "The programs differ in what ";
pub(crate) const IS: &str = " is: ";
pub(crate) const ONE_OF_THE_ARROWS_HAS: &str =
    "One of the arrows has too many statements to be compared here; ";
pub(crate) const TAKES_ITS_TIME: &str = " takes its time.";
pub(crate) const HAS_NO_ARROW: &str = " has no arrow: ";
pub(crate) const N_1_STATEMENT: &str = "1 statement";
pub(crate) const WITH_A_MARK_WHERE_IT: &str = ", with a mark where it differs";
pub(crate) const THE_DIAGRAM_IS_TOO_LARGE: &str =
    "The diagram is too large to stand beside another one; the tab Diagram has it.";
pub(crate) const DIFFERS: &str = ", differs";
pub(crate) const THE_BOXES_IN_THEIR_ORDER: &str = "The boxes in their order";
pub(crate) fn what_is_run(name: impl Display) -> String {
    format!("{name}: what is run")
}
pub(crate) fn as_it_is(written: impl Display) -> String {
    format!("{written}, as it is")
}
pub(crate) fn for_(insert: impl Display, written: impl Display) -> String {
    format!("{insert} for {written}")
}
pub(crate) fn the_run(which: impl Display, text: impl Display) -> String {
    format!("The {which} run {text}")
}
pub(crate) fn the_heaps_differ_in(names: impl Display) -> String {
    format!("the heaps differ in {names}.")
}
pub(crate) fn is_rejected(wrong: impl Display) -> String {
    format!("is rejected: {wrong}.")
}
pub(crate) fn stops(wrong: impl Display) -> String {
    format!("stops: {wrong}.")
}
pub(crate) fn changed_by(norm: impl Display) -> String {
    format!("changed by {norm}")
}
pub(crate) fn norm(norm: impl Display) -> String {
    format!("norm {norm}")
}
pub(crate) fn colours(factor: impl Display) -> String {
    format!(" (colours × {factor})")
}
pub(crate) fn norm_at_scale(norm: impl Display, times: impl Display) -> String {
    format!("norm {norm}{times}")
}
pub(crate) fn and_more(shown: impl Display, more: impl Display) -> String {
    format!("[{shown}, …] and {more} more")
}
pub(crate) const LOOKING_FOR_WAYS_TO_RUN: &str = "Looking for ways to run it …";
pub(crate) const THERE_IS_NOTHING_TO_RUN: &str =
    "There is nothing to run: the program has no `main`.";
pub(crate) const FIRST_RUN: &str = "First run";
pub(crate) const SECOND_RUN: &str = "Second run";
pub(crate) const WHAT_IS_RUN: &str = "What is run";
pub(crate) const AS_WRITTEN_BELOW: &str = "as written below";
pub(crate) const RUNNING: &str = "Running …";
pub(crate) const WHAT_BOTH_RUNS_COME_TO: &str = "What both runs come to";
pub(crate) const LOCATION: &str = "location";
pub(crate) const OF_THE_FIRST_RUN: &str = "first run";
pub(crate) const OF_THE_SECOND_RUN: &str = "second run";
pub(crate) const SECOND_FIRST: &str = "second − first";
pub(crate) const FIRST: &str = "first";
pub(crate) const SECOND: &str = "second";
pub(crate) const THE_RESULTS_ARE_EQUAL: &str = "The results are equal; ";
pub(crate) const THE_RESULTS_DIFFER: &str = "The results differ; ";
pub(crate) const BOTH_HEAPS_ARE_EQUAL: &str = "both heaps are equal.";
pub(crate) const THE_HEAPS_DIFFER_IN_ALL: &str = "the heaps differ in all locations.";
pub(crate) const HAS_NO_MAIN: &str = "has no `main`.";
pub(crate) const NOT_THERE: &str = "not there";
pub(crate) const UNCHANGED: &str = "unchanged";
pub(crate) const EQUAL: &str = "equal";
pub(crate) const ITS_CARD_IN_THE_HEAP: &str = "Its card in the heap";
pub(crate) fn listing(is_shown: bool, left: impl Display, right: impl Display) -> String {
    match is_shown {
        true => format!("Hide {left} and {right}"),
        false => format!("List {left} and {right}"),
    }
}
