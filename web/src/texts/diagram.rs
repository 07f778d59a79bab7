//! The tab of diagrams.

use std::fmt::Display;

pub(crate) fn step(name: impl Display, at: impl Display) -> String {
    format!("{name}: step {at}")
}
pub(crate) fn statements(count: impl Display, what: impl Display) -> String {
    format!("{count} statements {what}")
}
pub(crate) fn takes(inputs: impl Display) -> String {
    format!("takes {inputs}")
}
pub(crate) fn gives(outputs: impl Display) -> String {
    format!("gives {outputs}")
}
pub(crate) fn line(line: impl Display) -> String {
    format!("line {line}")
}
pub(crate) fn saves(only: impl Display) -> String {
    format!(", saves {only}")
}
pub(crate) fn parts(entries: impl Display, columns: impl Display) -> String {
    format!("{entries} × {columns} parts")
}
pub(crate) fn norm(norm: impl Display) -> String {
    format!("norm {norm}")
}
