//! The program as a part of another page.

pub(crate) const THE_PROGRAM_AS_THE_PAGE: &str = "The program as the page around has it";
pub(crate) const RESET: &str = "Reset";
pub(crate) const OPEN_THIS_PROGRAM_AS_IT: &str =
    "Open this program, as it is now, on a page of its own";
pub(crate) const OPEN_IN_FLETCH: &str = "Open in Fletch";
