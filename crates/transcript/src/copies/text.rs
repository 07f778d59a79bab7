//! States as plain text.

use super::{FOLDED, Stops, arrow, folded, skipped};
use fletch_explain as explain;
use fletch_print::Values;

/// Width of a command, in columns.
const WIDTH: usize = 96;

pub(super) fn text(stops: &Stops<'_>) -> String {
    let mut out = format!("{}\n", stops.title());
    if let Some(notice) = stops.notice() {
        out += &format!("{notice}\n");
    }
    let total = stops.positions.len();
    for (number, stop) in stops.each(Values::Text(stops.digits)).enumerate() {
        let lines = fletch_print::lines(&stop.command, stop.style, WIDTH);
        if total > 1 {
            out += &format!("\nState {}\n", stop.position);
        }
        if stop.same_heap {
            out += "\nheap as before\n\n";
        } else {
            out += "\nheap\n";
            for (location, tensor) in stops.cells(stop.heap) {
                out += &format!("  {} ↦ {}\n", location.name, stops.contents(tensor));
            }
            out += "\n";
        }
        if folded(&lines) {
            out += &format!("{FOLDED}\n\n");
        }
        for line in fletch_print::text(&lines).lines() {
            out += &format!("  {line}\n");
        }
        if let Some(leaving) = &stop.leaving {
            let more = skipped(leaving).map_or_else(String::new, |more| format!(" ({more})"));
            let sentence = explain::plain(&leaving.sentence);
            let next = if number + 1 == total { "next: " } else { "" };
            out += &format!("\n{next}{}{more}: {sentence}\n", arrow(&leaving.rule));
        }
    }
    out
}
