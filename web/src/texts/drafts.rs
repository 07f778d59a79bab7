//! The programs of this browser, and files.

use std::fmt::Display;

pub(crate) fn bytes(bytes: impl Display) -> String {
    format!("{bytes} bytes")
}
pub(crate) fn opened(title: impl Display, stays: impl Display) -> String {
    format!("Opened {title}.{stays}")
}
pub(crate) fn of(found: impl Display, all: impl Display) -> String {
    format!("{found} of {all}")
}
pub(crate) fn programs(all: impl Display) -> String {
    format!("{all} programs")
}
pub(crate) fn delete(name: impl Display) -> String {
    format!("Delete {name}")
}
pub(crate) fn was_not_read(name: impl Display, is_data: bool, most: impl Display) -> String {
    let what = if is_data { "file of data" } else { "program" };
    format!("{name} was not read: a {what} has at most {most} MiB.")
}
