//! Updates of the heap panel: editing the initial contents, and requesting all entries of a large tensor.

use crate::editor::CheckPhase;
use crate::editor::update as program;
use crate::effects::Effect;
use crate::model::{Model, Opened, WorkerId};
use crate::number::bare;
use crate::steps::heap::{Editor as HeapEditor, Scale};
use crate::texts::counted;
use crate::update::ask::send;
use fletch_playground::protocol::{Ask, CellView, Edit, Entries};
use std::rc::Rc;

/// Action of the reader on the heap.
#[derive(Clone, Debug, PartialEq)]
pub enum HeapMsg {
    /// Edit the initial contents of this location.
    Edit(Rc<str>),
    /// Replace the text of the editor.
    Typed(Rc<str>),
    /// Apply the edit and run the program again.
    Apply,
    /// Close the editor.
    Close,
    /// Restore the program's initial contents of this location.
    Reset(Rc<str>),
    /// Select the scale of the colours of the cards.
    Scale(Scale),
    /// Show all locations.
    Whole,
}

#[inline(never)] // A start does without it.
pub(crate) fn heap(model: &mut Model, msg: HeapMsg, effects: &mut Vec<Effect>) {
    match msg {
        HeapMsg::Edit(location) => edit(model, &location, effects),
        HeapMsg::Typed(text) => {
            if let Some(editor) = &mut model.heap.editor {
                editor.text = text;
                editor.error = None;
            }
        }
        HeapMsg::Apply => apply(model, effects),
        HeapMsg::Close => model.heap.editor = None,
        HeapMsg::Scale(scale) => model.heap.scale = scale,
        HeapMsg::Whole => model.heap.whole = true,
        HeapMsg::Reset(location) => {
            model.heap.editor = None;
            replace(model, &location, None, effects);
        }
    }
}

/// Initial entries of a location, from a view of any position.
fn start(cell: &CellView) -> &[f64] {
    cell.start
        .as_deref()
        .or(cell.before.as_deref())
        .unwrap_or(&cell.entries)
}

fn edit(model: &mut Model, location: &str, effects: &mut Vec<Effect>) {
    crate::update::page::chip_closed(model, effects);
    let view = model.trace.as_ref().and_then(|trace| trace.view.as_ref());
    let Some(cell) = view.and_then(|view| view.heap.iter().find(|cell| cell.name == location))
    else {
        return;
    };
    // A view holds only blocks of a large tensor, so it cannot be edited.
    if cell.ids.0 != 0 || cell.entries.is_empty() {
        return;
    }
    let columns = usize::try_from(cell.columns).unwrap_or(1).max(1);
    let entries = start(cell);
    let text: Rc<str> = written(entries, columns).into();
    model.heap.editor = Some(HeapEditor {
        location: location.into(),
        shape: cell.shape.as_str().into(),
        size: (entries.len().div_ceil(columns), columns),
        exact: entries.into(),
        opened: text.clone(),
        text,
        error: None,
    });
    effects.push(Effect::Focus("heap-entries".into()));
}

fn apply(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(editor) = &mut model.heap.editor else {
        return;
    };
    match entries(&editor.text, editor.size).map(|entries| kept(editor, entries)) {
        Err(error) => {
            editor.error = Some(error.into());
            effects.push(Effect::Focus("heap-entries".into()));
        }
        Ok(entries) => {
            let (location, changed) = (editor.location.clone(), editor.text != editor.opened);
            model.heap.editor = None;
            if changed {
                replace(model, &location, Some(entries), effects);
            }
        }
    }
}

/// Text of the entries, rounded: a line for each row, with aligned columns.
fn written(entries: &[f64], columns: usize) -> String {
    let words: Vec<String> = entries.iter().map(|entry| bare(*entry)).collect();
    let width = |column: usize| {
        let column = words.iter().skip(column).step_by(columns);
        column
            .map(|word| word.chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let rows = words.chunks(columns).map(|row| {
        let padded = row
            .iter()
            .zip(&widths)
            .map(|(word, width)| format!("{word:<width$}"));
        let line = padded.collect::<Vec<_>>().join(" ");
        line.trim_end().to_owned()
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// Replaces entries whose text is unchanged by their exact values, since the text shows fewer digits.
fn kept(editor: &HeapEditor, read: Vec<f64>) -> Vec<f64> {
    let same = words(&editor.text)
        .zip(words(&editor.opened))
        .map(|(now, then)| now == then);
    read.into_iter()
        .zip(same.zip(editor.exact.iter()))
        .map(|(read, (same, exact))| if same { *exact } else { read })
        .collect()
}

/// Words of the text, one for each entry.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '\t', '\r', '\n', ',', ';', '[', ']'])
        .filter(|word| !word.is_empty())
}

/// Sets the initial entries of a location, or restores the program's, and runs the program again.
fn replace(
    model: &mut Model,
    location: &str,
    entries: Option<Vec<f64>>,
    effects: &mut Vec<Effect>,
) {
    let others = model.heap.edits.iter();
    let mut edits: Vec<Edit> = others
        .filter(|edit| edit.location != location)
        .cloned()
        .collect();
    edits.extend(entries.map(|entries| Edit {
        location: location.to_owned(),
        entries,
    }));
    model.heap.edits = edits.into();
    // A check under way goes first; the next one starts after it.
    model.check.phase = CheckPhase::Edited;
    program::load(model, effects);
}

/// Parses entries from a text with a line for each row; the error says what is wrong, and in which row and column.
fn entries(text: &str, (rows, columns): (usize, usize)) -> Result<Vec<f64>, String> {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    if lines.len() != rows {
        return Err(should_have_rows(rows, lines.len()));
    }
    let mut entries = Vec::with_capacity(rows * columns);
    for (row, line) in lines.iter().enumerate() {
        let words: Vec<&str> = words(line).collect();
        for (column, word) in words.iter().enumerate() {
            let number = word.replace('−', "-").parse().ok();
            entries.push(
                number
                    .filter(|number: &f64| number.is_finite())
                    .ok_or_else(|| {
                        format!(
                            "Row {row}, column {column}: “{word}” is not a finite number.",
                            row = row + 1,
                            column = column + 1
                        )
                    })?,
            );
        }
        if words.len() != columns {
            return Err(row_has(row + 1, words.len(), columns));
        }
    }
    Ok(entries)
}

/// Drops edits that do not fit the shown view: edits of missing locations, and edits of another size.
pub(crate) fn shown(model: &mut Model) {
    // Initial contents from a training are not edits of the reader.
    if model.sampled.is_some() {
        return;
    }
    let Some(view) = model.trace.as_ref().and_then(|trace| trace.view.as_ref()) else {
        return;
    };
    let fits = |edit: &Edit| {
        view.heap
            .iter()
            .any(|cell| cell.name == edit.location && cell.entries.len() == edit.entries.len())
    };
    if !model.heap.edits.iter().all(fits) {
        model.heap.edits = model
            .heap
            .edits
            .iter()
            .filter(|edit| fits(edit))
            .cloned()
            .collect();
    }
}

/// Requests all entries of the open chip, if they are missing. While another view is awaited, the request waits, since the next
/// view numbers its chips differently.
pub(crate) fn want(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(Opened::Chip(chip)) = model.popover.as_ref().map(|open| &open.opened) else {
        return;
    };
    let chip = chip.id;
    let awaited = |ask: &Ask| matches!(ask, Ask::Show(_) | Ask::Load { .. });
    if chip == 0 || !model.can_step() || model.worker.awaits(awaited) {
        return;
    }
    let (revision, ask) = (model.program.revision, Ask::Entries { chip });
    send(model, WorkerId::Steps, revision, ask, effects);
}

/// Stores all entries of a tensor in the open chip, if the chip still shows that tensor.
pub(crate) fn came(model: &mut Model, asked: u32, entries: Entries) {
    let Some(Opened::Chip(open)) = model.popover.as_mut().map(|open| &mut open.opened) else {
        return;
    };
    if open.id != asked {
        return;
    }
    let mut chip = (**open).clone();
    (chip.rows, chip.columns) = chip.dimensions();
    chip.entries = entries.entries;
    chip.id = 0;
    *open = Rc::new(chip);
}

fn should_have_rows(rows: usize, found: usize) -> String {
    let is = if found == 1 { "is" } else { "are" };
    let rows = counted(rows, "row", "rows");
    format!("There should be {rows}, and there {is} {found}.")
}

fn row_has(row: usize, entries: usize, columns: usize) -> String {
    let entries = counted(entries, "entry", "entries");
    format!("Row {row} has {entries}, not {columns}.")
}

#[cfg(test)]
mod tests {
    use super::entries;

    #[test]
    fn a_text_is_read_row_by_row_and_its_mistakes_have_a_place() {
        assert_eq!(
            entries("1 −2.5\n 3e1, [4] \n\n", (2, 2)),
            Ok(vec![1.0, -2.5, 30.0, 4.0])
        );
        for (text, error) in [
            ("1 2", "There should be 2 rows, and there is 1."),
            ("1 2\n3 4\n5 6", "There should be 2 rows, and there are 3."),
            ("1 2\n3", "Row 2 has 1 entry, not 2."),
            ("1 2 3\n3 4", "Row 1 has 3 entries, not 2."),
            ("1 2\n3 x", "Row 2, column 2: “x” is not a finite number."),
            (
                "inf 2\n3 4",
                "Row 1, column 1: “inf” is not a finite number.",
            ),
        ] {
            assert_eq!(entries(text, (2, 2)), Err(error.into()), "{text}");
        }
    }
}
