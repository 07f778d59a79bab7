//! Messages about files that several modules show.

use std::fmt::Display;

pub(crate) fn too_large(name: impl Display, is_data: bool, most: impl Display) -> String {
    let what = if is_data { "file of data" } else { "program" };
    format!("{name} was not read: a {what} has at most {most} MiB.")
}
pub(crate) fn was_not_read(name: impl Display, why: impl Display) -> String {
    format!("{name} was not read: {why}.")
}
pub(crate) fn added(names: &[&str]) -> String {
    let calls: Vec<String> = names.iter().map(|name| call(name)).collect();
    let (names, calls) = (names.join(", "), calls.join(", "));
    format!("Added {names}. The program reads it by {calls}.")
}
pub(crate) fn added_as(file: &str, name: &str) -> String {
    if file == name {
        return added(&[name]);
    }
    format!(
        "Added {file} as {name}. The program reads it by {}.",
        call(name)
    )
}
fn call(name: &str) -> String {
    format!("csv(\"{name}\")")
}
/// Label of the button that adds a missing or faulty file.
pub(crate) fn add_file(name: impl Display) -> String {
    format!("Add {name}…")
}
pub(crate) fn choose(name: impl Display) -> String {
    format!("Choose the file that the program calls {name}")
}
