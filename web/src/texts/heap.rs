//! The heap: cards, tables, the editor of entries.

use super::counted;
use std::fmt::Display;

pub(crate) fn row_column_is_not_a(
    row: impl Display,
    column: impl Display,
    word: impl Display,
) -> String {
    format!("Row {row}, column {column}: “{word}” is not a finite number.")
}
pub(crate) fn at_step(position: impl Display) -> String {
    format!("at step {position}")
}
pub(crate) fn colour_scale_from_blue_over(bound: impl Display) -> String {
    format!("Colour scale from −{bound}, blue, over 0 to {bound}, red")
}
pub(crate) const HEAP: &str = "Heap";
pub(crate) const THE_PROGRAMS_LOCATIONS_APPEAR_HERE: &str =
    "The program's locations appear here once it runs.";
pub(crate) const BEFORE_THE_FIRST_STEP: &str = "before the first step";
pub(crate) const COLOUR_SCALES_EACH_AS_ITS: &str =
    "Colour scales, each as its card says, from blue over 0 to red";
pub(crate) const MEASURE_THE_COLOURS_OF_EACH: &str =
    "Measure the colours of each card by its own largest entry";
pub(crate) const SCALE_PER_CARD: &str = "scale per card";
pub(crate) const THIS_PROGRAM_DECLARES_NO_LOCATIONS: &str =
    "This program declares no locations: it keeps nothing.";
pub(crate) const LOCATIONS: &str = "Locations";
pub(crate) fn entries_from_to_mean_norm(
    size: impl Display,
    least: impl Display,
    greatest: impl Display,
    mean: impl Display,
    norm: impl Display,
    zeros: impl Display,
) -> String {
    format!("{size} entries from {least} to {greatest}, mean {mean}, norm {norm}, {zeros} zero")
}
pub(crate) fn just_written(writes: impl Display) -> String {
    format!("just written, {writes}×")
}
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
pub(crate) fn arrow_keys_go_through_the(name: impl Display) -> String {
    format!("{name}: arrow keys go through the entries")
}
pub(crate) fn an_outer_product_the_column(y: impl Display, x: impl Display) -> String {
    format!(
        "An outer product: −{y}, the column beside the map, times {x}, the row above it. In the update of a layer {y} is \
         the cotangent that came back, and {x} what the layer was given on the way forward."
    )
}
pub(crate) fn all_entries(name: impl Display, caption: impl Display) -> String {
    format!("{name}, {caption}: all entries")
}
pub(crate) fn line(line: impl Display) -> String {
    format!("line {line}")
}
pub(crate) fn step(position: impl Display) -> String {
    format!("step {position}")
}
pub(crate) fn writes_of(name: impl Display) -> String {
    format!("Writes of {name}")
}
pub(crate) fn entry(at: impl Display) -> String {
    format!("entry {at}")
}
pub(crate) fn picture_row_column(
    picture: impl Display,
    row: impl Display,
    column: impl Display,
) -> String {
    format!("picture {picture}, row {row}, column {column}")
}
pub(crate) fn block(row: impl Display, column: impl Display) -> String {
    format!("block {row}, {column}")
}
pub(crate) fn row_column(row: impl Display, column: impl Display) -> String {
    format!("row {row}, column {column}")
}
pub(crate) fn changed_by(
    place: impl Display,
    before: impl Display,
    now: impl Display,
    factors: impl Display,
    change: impl Display,
) -> String {
    format!("{place}: {before} → {now}, changed by {factors}{change}")
}
pub(crate) const IS_READ_NEXT: &str = "is read next";
pub(crate) const IS_WRITTEN_IN_THIS_STEP: &str = "is written in this step";
pub(crate) const JUST_WRITTEN: &str = "just written";
pub(crate) const EDITED: &str = "edited";
pub(crate) const START_FROM_THE_PROGRAMS_CONTENTS: &str = "Start from the program's contents again";
pub(crate) const RESET: &str = "reset";
pub(crate) const EDIT_WHAT_IT_STARTS_FROM: &str = "Edit what it starts from";
pub(crate) const EDIT: &str = "edit";
pub(crate) const NOT_WRITTEN_YET: &str = "not written yet";
pub(crate) const NEVER_WRITTEN: &str = "never written";
pub(crate) const NOT_WRITTEN_SO_FAR: &str = "not written so far";
pub(crate) const ZEROS_BY_DEFAULT: &str = "zeros by default";
pub(crate) const EDITED_CONTENTS: &str = "edited contents";
pub(crate) const INITIAL_CONTENTS: &str = "initial contents";
pub(crate) const NOW: &str = "now";
pub(crate) const AFTER_THIS_STEP: &str = "after this step";
pub(crate) const BEFORE: &str = "before";
pub(crate) const AFTER: &str = "after";
pub(crate) const CHANGE: &str = "change";
pub(crate) const ENTER: &str = "Enter";
pub(crate) const ALL_ENTRIES: &str = "All entries";
pub(crate) const FIRST_WRITTEN_AT: &str = "first written at ";
pub(crate) const NOTHING_WRITES_IT_IN_THIS: &str = "nothing writes it in this run";
pub(crate) const BY: &str = "by ";
pub(crate) const IN_THIS_STEP: &str = "in this step";
pub(crate) const TO_COME: &str = "to come";
pub(crate) const THE_LAST_ONE: &str = "the last one";
pub(crate) const DONE: &str = "done";
pub(crate) const WRITES: &str = "writes";
pub(crate) fn a_line_for_each_row(rows: impl Display, columns: impl Display) -> String {
    format!(
        "{rows} × {columns}: a line for each row, entries apart by spaces. An entry that you leave as it reads keeps all its digits."
    )
}
pub(crate) fn what_starts_from(location: impl Display) -> String {
    format!("What {location} starts from")
}
pub(crate) fn entries_of(location: impl Display, shape: impl Display) -> String {
    format!("Entries of {location}, {shape}")
}
pub(crate) const THE_PROGRAM_RUNS_AGAIN_FROM: &str =
    "The program runs again from these entries; its text stays as it is.";
pub(crate) const RESET_TO_THE_PROGRAMS: &str = "Reset to the program's";
pub(crate) const CANCEL: &str = "Cancel";
pub(crate) const CTRL_ENTER: &str = "Ctrl-Enter";
pub(crate) const RUN_FROM_THESE: &str = "Run from these";
pub(crate) const FROM: &str = "from ";
pub(crate) const CLOSE: &str = "Close";
pub(crate) const CLOSE_ESC: &str = "Close (Esc)";
pub(crate) const VALUE: &str = "value ";
pub(crate) fn blocks_of_entries_of_each(size: impl Display) -> String {
    format!("Blocks of {size} entries: of each the one farthest from zero.")
}
pub(crate) fn the_first_of_entries(listed: impl Display, size: impl Display) -> String {
    format!("The first {listed} of {size} entries.")
}
pub(crate) fn from_to(least: impl Display, most: impl Display) -> String {
    format!("from {least} to {most}")
}
pub(crate) fn row_column_value(
    row: impl Display,
    column: impl Display,
    value: impl Display,
) -> String {
    format!("row {row}, column {column}: {value}")
}
pub(crate) const ENTRIES: &str = "Entries";
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
