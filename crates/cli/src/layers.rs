//! `fletch train --layers`: statistics of layers and locations at the heap after a training.

use crate::numbers::Numbers;
use fletch_elaborate::Files;
use fletch_runs::Cells;
use fletch_runs::layers::statistics::{self, Statistics, Watch};
use fletch_syntax::{Diagnostic, tree};
use serde_json::Value as Json;

/// Computes the statistics of each `train` item, in file order.
///
/// # Errors
/// If an item cannot be planned.
pub(crate) fn figures(
    program: &tree::Program,
    files: &Files,
    heap: &Cells,
) -> Result<Vec<Statistics>, Box<Diagnostic>> {
    let mut all = Vec::new();
    while let Some(mut watch) = Watch::new(program, files, all.len(), Some(fletch_native::host))? {
        all.push(watch.at(heap));
    }
    Ok(all)
}

/// The entry `layers` of `train --json`.
pub(crate) fn json(all: &[Statistics]) -> Json {
    all.iter().map(statistics::json).collect()
}

/// Prints the statistics as tables.
pub(crate) fn print(all: &[Statistics], numbers: Numbers) {
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |it| numbers.short(it));
    for (item, found) in all.iter().enumerate() {
        let (steps, of) = found.steps;
        say!("train {}, over {steps} of {of} steps", item + 1);
        let heads = [
            "layer",
            "units",
            "mean",
            "deviation",
            "dead",
            "saturated",
            "gradient",
        ];
        let mut rows = vec![heads.map(str::to_owned).to_vec()];
        rows.extend(found.layers.iter().map(|layer| {
            let name = match &layer.variable {
                Some(variable) => format!("{variable} {}", layer.name),
                None => layer.name.clone(),
            };
            let dead = layer
                .dead
                .map_or_else(|| "–".to_owned(), |dead| dead.to_string());
            vec![
                name,
                layer.units.to_string(),
                numbers.short(layer.mean),
                numbers.short(layer.deviation),
                dead,
                number(layer.saturated),
                number(layer.gradient),
            ]
        }));
        table(&rows);
        let mut rows = vec![["location", "norm", "change"].map(str::to_owned).to_vec()];
        rows.extend(found.places.iter().map(|place| {
            vec![
                place.name.clone(),
                numbers.short(place.norm),
                number(place.change),
            ]
        }));
        table(&rows);
    }
}

/// Prints rows with aligned columns.
fn table(rows: &[Vec<String>]) {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    for row in rows {
        let cells = row.iter().enumerate();
        let cells = cells.map(|(column, cell)| format!("{cell:width$}", width = width(column)));
        let cells: Vec<String> = cells.collect();
        say!("  {}", cells.join("  ").trim_end());
    }
}
