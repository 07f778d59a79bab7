//! Links, and the dialog for sharing.

use super::counted;
use std::fmt::Display;

pub(crate) const A_PROGRAM_IN_FLETCH: &str = "A program in Fletch";
pub(crate) fn saved(name: impl Display) -> String {
    format!("Saved {name}.")
}
pub(crate) fn the_editor_keeps_what_it(why: impl Display) -> String {
    format!("{why}. The editor keeps what it has.")
}
pub(crate) const COPIED_THE_LINK: &str = "Copied the link.";
pub(crate) const COPIED_THE_LINK_AS_MARKDOWN: &str = "Copied the link as Markdown.";
pub(crate) const COPIED_THE_PROGRAM_AS_A: &str = "Copied the program as a block of Markdown.";
pub(crate) const COPIED_THE_EMBED_CODE: &str = "Copied the embed code.";
pub(crate) const THE_BROWSER_DOES_NOT_LET: &str =
    "The browser does not let the page copy: select the link, and copy it by hand.";
pub(crate) const THIS_PROGRAM_COMES_FROM_A: &str = "This program comes from a link. Only its first steps are computed, and nothing of it leaves this browser.";
pub(crate) const AMP_READONLY: &str = "&amp;readonly";
pub(crate) fn the_link_would_have_characters(length: impl Display) -> String {
    format!(
        "The link would have {length} characters, more than programs pass on. Send the file instead."
    )
}
pub(crate) fn link_characters(length: impl Display, model: impl Display) -> String {
    format!("Link, {length} characters: {model}")
}
pub(crate) fn the_program_lines(lines: impl Display) -> String {
    format!("the program ({lines} lines)")
}
pub(crate) fn step_the_level(position: impl Display) -> String {
    format!(", step {position}, the level")
}
pub(crate) const SHARE_THIS_PROGRAM_AS_A: &str = "Share this program as a link";
pub(crate) const SHARE: &str = "Share";
pub(crate) const THE_PROGRAM_ITSELF_IS_IN: &str = "The program itself is in the link: nothing is stored anywhere, and the part after # is sent to no server.";
pub(crate) const ALSO_THIS_STEP_AND_HOW: &str = "Also this step, and how it is shown";
pub(crate) const SOME_MAIL_AND_CHAT_PROGRAMS: &str =
    "Some mail and chat programs cut links of more than 2000 characters. A file always arrives.";
pub(crate) const COPY_LINK: &str = "Copy link";
pub(crate) const COPY_MARKDOWN: &str = "Copy Markdown";
pub(crate) const SAVE_AS_A_FILE: &str = "Save as a file";
pub(crate) const PYTHON_JAX: &str = "Python (JAX)";
pub(crate) const SAVE_AS_PYTHON: &str =
    "Save the program as a Python module that runs with JAX, on any device or many";
pub(crate) const WRITING_PYTHON: &str = "Writing the Python module…";
pub(crate) const IT_HAS_ERRORS: &str =
    "The program has errors: only a program without errors becomes a Python module.";
pub(crate) fn no_python(why: impl Display) -> String {
    format!("There is no Python module: {why}.")
}
pub(crate) const SHARE_BY_THE_SYSTEM: &str = "Share…";
pub(crate) const FOR_A_PAGE_A_BOOK: &str = "For a page, a book or slides";
pub(crate) const THE_TEXT_IS_FIXED: &str = "The text is fixed";
pub(crate) const COPY_EMBED_CODE: &str = "Copy embed code";
pub(crate) const COPY_AS_A_MARKDOWN_BLOCK: &str = "Copy as a Markdown block";
pub(crate) const BLOCKS_BECOME_LIVE_WITH_ONE: &str =
    "Blocks become live with one line on their page: ";
pub(crate) const FOR_THE_PROJECTOR: &str = "For the projector";
pub(crate) const THE_TAB_THE_MODE: &str = ", the tab, the mode";
pub(crate) const SHOW_A_QR_CODE: &str = "Show a QR code";
pub(crate) const THE_LINK_IS_TOO_LONG: &str =
    "The link is too long for a QR code. A shorter program, or only the program, may fit.";
pub(crate) const THE_LINK_AS_A_QR: &str = "The link as a QR code";
pub(crate) fn left_out(keys: impl Display) -> String {
    format!(" Parts of the link are not known here and are left out: {keys}.")
}
pub(crate) fn folds(count: usize) -> String {
    counted(count, "fold", "folds")
}
pub(crate) fn boxes(count: usize) -> String {
    counted(count, "box", "boxes")
}
pub(crate) fn breakpoints(count: usize) -> String {
    counted(count, "breakpoint", "breakpoints")
}
pub(crate) fn edited_locations(count: usize) -> String {
    counted(count, "edited location", "edited locations")
}
