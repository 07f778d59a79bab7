//! The heap: cards, tables, the editor of entries.

use super::counted;
use std::fmt::Display;

pub(crate) const HEAP: &str = "Heap";
pub(crate) fn written(writes: impl Display) -> String {
    format!("written {writes}×")
}
pub(crate) fn reset(name: impl Display) -> String {
    format!("Reset {name}")
}
pub(crate) fn edit(name: impl Display) -> String {
    format!("Edit {name}")
}
pub(crate) fn colours(factor: impl Display) -> String {
    format!(" (colours × {factor})")
}
pub(crate) fn line(line: impl Display) -> String {
    format!("line {line}")
}
pub(crate) fn step(position: impl Display) -> String {
    format!("step {position}")
}
pub(crate) fn entry(at: impl Display) -> String {
    format!("entry {at}")
}
pub(crate) fn block(row: impl Display, column: impl Display) -> String {
    format!("block {row}, {column}")
}
pub(crate) const NOT_WRITTEN_SO_FAR: &str = "not written so far";
pub(crate) const CLOSE: &str = "Close";
pub(crate) const CLOSE_ESC: &str = "Close (Esc)";
pub(crate) fn should_have_rows(rows: usize, found: usize) -> String {
    let is = if found == 1 { "is" } else { "are" };
    let rows = counted(rows, "row", "rows");
    format!("There should be {rows}, and there {is} {found}.")
}
pub(crate) fn row_has(row: usize, entries: usize, columns: usize) -> String {
    let entries = counted(entries, "entry", "entries");
    format!("Row {row} has {entries}, not {columns}.")
}
pub(crate) fn write_in_history(
    position: impl Display,
    by: Option<impl Display>,
    change: impl Display,
    state: &str,
) -> String {
    let by = by.map_or_else(String::new, |by| format!(": {by}"));
    format!("Step {position}{by}, changed by {change} in norm, {state}")
}
