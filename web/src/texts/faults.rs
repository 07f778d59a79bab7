//! What is said when something of the page itself fails.

use std::fmt::Display;

pub(crate) fn a_message_could_not_be(error: impl Display) -> String {
    format!("a message could not be read: {error}")
}
pub(crate) const ITS_PROGRAM_COULD_NOT_BE: &str = "its program could not be loaded";
pub(crate) fn fletch_has_run_into_a(place: impl Display) -> String {
    format!(
        "Fletch has run into a mistake of its own{place}. Your program is kept in this browser: reload the page to go on."
    )
}
pub(crate) const A_PART_OF_FLETCH_COULD: &str = "A part of Fletch could not be fetched. Your program is kept in this browser: reload the page to go on.";
pub(crate) fn the_site_answers_with_status(status: impl Display) -> String {
    format!("the site answers with status {status}")
}
pub(crate) const THERE_IS_NO_SUCH_TEXT: &str = "there is no such text";
pub(crate) const THE_SITE_DOES_NOT_ANSWER: &str = "the site does not answer";
pub(crate) const THERE_IS_NO_WINDOW: &str = "there is no window";
pub(crate) const IT_IS_NO_TEXT: &str = "it is no text";
