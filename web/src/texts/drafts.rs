//! The programs of this browser, and files.

use std::fmt::Display;

pub(crate) fn your_program_is_not_kept(why: impl Display) -> String {
    format!("Your program is not kept: {why}. Save it as a file.")
}
pub(crate) fn bytes(bytes: impl Display) -> String {
    format!("{bytes} bytes")
}
pub(crate) const THERE_IS_NO_ROOM_LEFT: &str = "There is no room left in this browser, so your program is not kept. Save it as a file, or delete drafts.";
pub(crate) const THIS_BROWSER_KEEPS_NOTHING_FOR: &str = "This browser keeps nothing for this page, so your program lasts as long as this tab. Save it as a file.";
pub(crate) const THE_DRAFTS_OF_THIS_BROWSER: &str =
    "The drafts of this browser were cleared. What you see here is kept anew.";
pub(crate) const UNTITLED: &str = "Untitled";
pub(crate) const PROGRAM: &str = "program";
pub(crate) fn saved(name: impl Display) -> String {
    format!("Saved {name}.")
}
pub(crate) fn this_program_was_changed_in(name: impl Display) -> String {
    format!("This program was changed in another tab too. What you write here is kept as “{name}”.")
}
pub(crate) fn added_the_program_reads_it(names: impl Display, calls: impl Display) -> String {
    format!("Added {names}. The program reads it by {calls}.")
}
pub(crate) fn opened(title: impl Display, stays: impl Display) -> String {
    format!("Opened {title}.{stays}")
}
pub(crate) fn opened_alone(title: impl Display) -> String {
    format!("Opened {title}.")
}
pub(crate) fn undo_in_the_editor_brings(opened: impl Display) -> String {
    format!("{opened} Undo in the editor brings your program back.")
}
pub(crate) const WHAT_YOU_WROTE_BEFORE_IS: &str = " What you wrote before is among your programs.";
pub(crate) const BEGAN_A_NEW_PROGRAM: &str = "Began a new program.";
pub(crate) fn remove(name: impl Display) -> String {
    format!("Remove {name}")
}
pub(crate) fn of(found: impl Display, all: impl Display) -> String {
    format!("{found} of {all}")
}
pub(crate) fn programs(all: impl Display) -> String {
    format!("{all} programs")
}
pub(crate) fn rename(name: impl Display) -> String {
    format!("Rename {name}")
}
pub(crate) fn delete(name: impl Display) -> String {
    format!("Delete {name}")
}
pub(crate) const YOUR_PROGRAMS: &str = "Your programs";
pub(crate) const NEW_PROGRAM: &str = "New program";
pub(crate) const OPEN_FILES: &str = "Open files…";
pub(crate) const SAVE_THIS_PROGRAM: &str = "Save this program…";
pub(crate) const REMOVE: &str = "Remove";
pub(crate) const DATA_OF_THIS_PROGRAM: &str = "Data of this program";
pub(crate) const NOTHING_IS_KNOWN_OF_PROGRAMS: &str =
    "Nothing is known of programs in this browser.";
pub(crate) const WHAT_YOU_WRITE_IS_KEPT: &str = "What you write is kept here.";
pub(crate) const NO_PROGRAM_HAS_THAT: &str = "No program has that.";
pub(crate) const N_1_PROGRAM: &str = "1 program";
pub(crate) const IN_THIS_BROWSER: &str = "In this browser";
pub(crate) const ALL_OF_THEM_WITH_THEIR: &str = "All of them, with their data, as one zip file";
pub(crate) const EXPORT_ALL: &str = "Export all";
pub(crate) const SEARCH_NAMES_AND_TEXTS: &str = "Search names and texts";
pub(crate) const SEARCH_PROGRAMS: &str = "Search programs";
pub(crate) const UNDO: &str = "Undo";
pub(crate) const OPEN_IT: &str = "Open it";
pub(crate) const OPEN_HERE: &str = ", open here";
pub(crate) const RENAME: &str = "Rename";
pub(crate) const KEEP: &str = "Keep";
pub(crate) const DELETE: &str = "Delete";
pub(crate) const NAME: &str = "Name";
pub(crate) const ENTER_KEEPS_THE_NAME_AN: &str =
    "An empty name is that of the first comment. Escape leaves the old one.";
pub(crate) fn was_not_read(name: impl Display, is_data: bool, most: impl Display) -> String {
    let what = if is_data { "file of data" } else { "program" };
    format!("{name} was not read: a {what} has at most {most} MiB.")
}
pub(crate) const PROGRAMS_AND_DATA_FOR: &str = "Programs (.fletch) and data for ";
pub(crate) const CAN_BE_DROPPED: &str =
    " (.csv) can be dropped anywhere on the page. At most 8 MiB and 100 000 lines of data.";
