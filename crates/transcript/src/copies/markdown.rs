//! States as Markdown: a heading for each, its command as code, its heap as a table.

use super::{FOLDED, Stops, arrow, folded, skipped};
use fletch_print::{Piece, PieceKind, Values};

/// Width of a command, in columns.
const WIDTH: usize = 96;

pub(super) fn markdown(stops: &Stops<'_>) -> String {
    let mut out = format!("# {}\n", stops.title());
    if let Some(notice) = stops.notice() {
        out += &format!("\n> {notice}\n");
    }
    let total = stops.positions.len();
    for (number, stop) in stops.each(Values::Text(stops.digits)).enumerate() {
        let lines = fletch_print::lines(&stop.command, stop.style, WIDTH);
        if total > 1 {
            out += &format!("\n## State {}\n", stop.position);
        }
        if folded(&lines) {
            out += &format!("\n{FOLDED}\n");
        }
        // Neither names nor layout contain a backtick.
        out += &format!("\n```text\n{}\n```\n", fletch_print::text(&lines));
        if stop.same_heap {
            out += "\nThe heap is as before.\n";
        } else if !stops.locations.is_empty() {
            out += "\n| location | shape | contents |\n| --- | --- | --- |\n";
            for (location, tensor) in stops.cells(stop.heap) {
                out += &format!(
                    "| `{}` | {} | `{}` |\n",
                    location.name,
                    tensor.shape(),
                    stops.contents(tensor)
                );
            }
        }
        if let Some(leaving) = &stop.leaving {
            let more = skipped(leaving).map_or_else(String::new, |more| format!(" ({more})"));
            let next = if number + 1 == total { "Next: " } else { "" };
            out += &format!(
                "\n**{next}{}**{more}: {}\n",
                arrow(&leaving.rule),
                prose(&leaving.sentence)
            );
        }
    }
    out
}

/// A sentence, with names and values as code.
fn prose(pieces: &[Piece]) -> String {
    let piece = |piece: &Piece| match piece.kind {
        PieceKind::Plain => escaped(&piece.text),
        _ => {
            // White space around an operator is written outside of its code.
            let inner = piece.text.trim();
            let (before, after) = piece.text.split_once(inner).unwrap_or_default();
            format!("{before}`{inner}`{after}")
        }
    };
    pieces.iter().map(piece).collect()
}

/// Text with all characters escaped that would be markup.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '*' | '_' | '[' | ']' | '<' | '>' | '\\' | '|') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
