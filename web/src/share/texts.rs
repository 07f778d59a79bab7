//! Messages about data files that a link or a saved program lacks.

/// Message appended to the name of a program that was saved without these files.
pub(crate) fn not_in_it(files: &[String]) -> String {
    match files {
        [] => String::new(),
        [file] => format!(" {file} is not in it."),
        files => format!(" {files} are not in it.", files = listed(files)),
    }
}
/// Note on the files that must be sent in addition to a link.
pub(crate) fn not_in_link(files: &[String]) -> String {
    let (is, them) = match files {
        [_] => ("is", "it"),
        _ => ("are", "them"),
    };
    format!(
        "{files} {is} not in the link. Send {them} along: whoever opens the link is asked for {them}.",
        files = listed(files)
    )
}
/// Note on the files that an embedded program lacks.
pub(crate) fn not_embedded(files: &[String]) -> String {
    format!(
        "An embedded page has no files: there, the program does without {}.",
        listed(files)
    )
}
/// Note on the files that a program opened from a link reads and lacks.
pub(crate) fn reads(files: &[&str]) -> String {
    let is = if files.len() == 1 { "is" } else { "are" };
    format!(
        "It reads {files}, which {is} not in the link.",
        files = listed(files)
    )
}
fn listed(files: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = files.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
/// Sentence that follows the reason why a link is not opened.
pub(crate) const EXAMPLE_INSTEAD: &str = "You see an example, which is not what was meant here.";
pub(crate) const EXAMPLE_KEPT: &str =
    "You see an example, which is not what was sent. Ask for the link anew, or for a file.";
pub(crate) const PROGRAM_KEPT: &str =
    "What you see is not what was sent: the editor keeps what it has.";
