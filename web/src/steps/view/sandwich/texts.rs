//! Texts of the sandwich.

use crate::texts::counted;
use std::fmt::Display;

pub(crate) const CALL: &str = "call";
pub(crate) const CALLS: &str = "calls";
pub(crate) const TO: &str = " to ";
pub(crate) const RUNS_NOW: &str = "runs now";
pub(crate) const DONE: &str = "done";
pub(crate) const WAIT: &str = "wait";
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
