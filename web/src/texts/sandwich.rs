//! The sandwich.

use super::counted;
use std::fmt::Display;

pub(crate) fn step(position: impl Display) -> String {
    format!("step {position}")
}
pub(crate) fn line(line: impl Display) -> String {
    format!("line {line}")
}
pub(crate) fn show_in_the_heap(name: impl Display) -> String {
    format!("Show {name} in the heap")
}
pub(crate) const THE_SANDWICH: &str = "The sandwich";
pub(crate) const RUNS_BEFORE_THIS_ONE: &str = "Runs before this one";
pub(crate) const CALL: &str = "call";
pub(crate) const CALLS: &str = "calls";
pub(crate) const TO: &str = " to ";
pub(crate) const NOTHING_WAITS_YET_WHEN_A: &str = "Nothing waits yet. When a reverse handler meets an operation, its forward clause runs at \
    once, and its backward clause is put here to wait for a cotangent.";
pub(crate) const NOTHING_WAITS_HERE_AN_ORDINARY: &str = "Nothing waits here. An ordinary handler gives its clause the rest of the program as a continuation k, and \
         that goes forward only: there is no way back on which something could wait. A reverse handler has one.";
pub(crate) const NOTHING_WAITS_HERE_NO_HANDLER: &str = "Nothing waits here: no handler runs in this program. A reverse handler would put the backward clause of \
         each operation here, to wait for a cotangent.";
pub(crate) const SHOW_ITS_BOX_IN_THE: &str = "Show its box in the diagram";
pub(crate) const BOX_: &str = "box";
pub(crate) fn it_wrote_at_step(location: impl Display, position: impl Display) -> String {
    format!("It wrote {location} at step {position}")
}
pub(crate) fn put(position: impl Display) -> String {
    format!("Put {position}")
}
pub(crate) fn still_to_come(what: impl Display, of: impl Display) -> String {
    format!("{what} {of}, still to come")
}
pub(crate) const RUNS_NOW: &str = "runs now";
pub(crate) const SAVED: &str = "saved";
pub(crate) const RESULT: &str = "result ";
pub(crate) const WAITS_FOR_A_COTANGENT_OF: &str = "waits for a cotangent of ";
pub(crate) const WAITS_FOR_WHAT_COMES_BACK: &str = "waits for what comes back, ";
pub(crate) const GOT_BACK: &str = "got back ";
pub(crate) const WROTE: &str = "wrote ";
pub(crate) const FROM: &str = "from ";
pub(crate) const DONE_ITS_COTANGENT_CAME_AT: &str = "done: its cotangent came at ";
pub(crate) const DONE_IT_GOT_BACK_ITS: &str = "done: it got back its value at ";
pub(crate) const A_COTANGENT_OF: &str = "a cotangent of";
pub(crate) const WHAT_COMES_BACK: &str = "what comes back,";
pub(crate) fn calls_that_handles(handler: impl Display) -> String {
    format!("Calls that {handler} handles")
}
pub(crate) fn inside_which_handles_what_its(outer: impl Display) -> String {
    format!("Inside {outer}, which handles what its clauses call.")
}
pub(crate) fn more_are_done(count: impl Display) -> String {
    format!("{count} more are done")
}
pub(crate) fn more(count: impl Display, word: impl Display) -> String {
    format!("{count} more, {word}")
}
pub(crate) fn rd(run: impl Display) -> String {
    format!("{run} rd")
}
pub(crate) fn pure(run: impl Display) -> String {
    format!("{run} pure")
}
pub(crate) const FROM_WHERE: &str = " from ";
pub(crate) const FORWARD_CLAUSE: &str = "forward clause";
pub(crate) const BACKWARD_CLAUSE: &str = "backward clause";
pub(crate) const THE_NEXT_CALL: &str = "the next call";
pub(crate) const THE_RETURN_CLAUSE: &str = "the return clause";
pub(crate) const THE_REST: &str = "the rest";
pub(crate) const DONE: &str = "done";
pub(crate) const WAITS: &str = "waits";
pub(crate) const WAIT: &str = "wait";
pub(crate) const DONE_TICKED: &str = "✓ done";
pub(crate) const TURNS_BACK_NOW: &str = "turns back now";
pub(crate) const TURNS_BACK_AT: &str = "turns back at ";
pub(crate) const RAN: &str = "ran";
pub(crate) const NOW: &str = "now";
pub(crate) const RETURN_CLAUSE: &str = "return clause";
pub(crate) const FIRST_COTANGENT: &str = ": first cotangent ";
pub(crate) const SENDS_BACK: &str = ": sends back ";
pub(crate) fn has_met_nothing_yet(handler: impl Display) -> String {
    format!("{handler} has met nothing yet.")
}
pub(crate) const RUNS_FORWARD: &str = "runs forward";
pub(crate) const RUN_FORWARD: &str = "run forward";
pub(crate) const RUNS_BACK: &str = "runs back";
pub(crate) const RUN_BACK: &str = "run back";
pub(crate) const THE_RETURN_CLAUSE_MAKES_THE: &str = "The return clause makes the first cotangent.";
pub(crate) const THE_RETURN_CLAUSE_MAKES_WHAT: &str =
    "The return clause makes what goes back first.";
pub(crate) fn empty_again(calls: usize) -> String {
    let calls = counted(calls, CALL, CALLS);
    format!("Empty again: {calls} went forward and back.")
}
fn have(count: usize) -> &'static str {
    if count == 1 { "has" } else { "have" }
}
pub(crate) fn grows(pending: usize) -> String {
    let (calls, have) = (counted(pending, CALL, CALLS), have(pending));
    format!("The stack grows: {calls} {have} yet to go back.")
}
pub(crate) fn empties(done: usize, all: usize) -> String {
    let calls = counted(all, CALL, CALLS);
    format!("The stack empties: {done} of {calls} done.")
}
pub(crate) fn under_way(inner: impl Display, handler: impl Display) -> String {
    format!("{inner} is under way inside {handler}; nothing of {handler} waits yet.")
}
pub(crate) fn grows_around(
    pending: usize,
    handler: impl Display,
    inner: Option<impl Display>,
) -> String {
    let (calls, have) = (counted(pending, CALL, CALLS), have(pending));
    let inner = inner.map_or_else(String::new, |inner| {
        format!(", and {inner} inside it is under way")
    });
    format!("The stack grows: {calls} of {handler} {have} yet to go back{inner}.")
}
pub(crate) fn empties_around(done: usize, all: usize, handler: impl Display) -> String {
    let calls = counted(all, CALL, CALLS);
    format!("The stack empties: {done} of {calls} of {handler} done.")
}
