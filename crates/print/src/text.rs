//! Laid-out lines as plain text.

use crate::pieces::{Line, Mark};

/// The text of laid-out lines.
pub fn text(lines: &[Line]) -> String {
    let lines: Vec<String> = lines
        .iter()
        .map(|line| {
            let text: String = line
                .pieces
                .iter()
                .map(|piece| piece.text.as_str())
                .collect();
            format!("{}{}", " ".repeat(line.indent as usize), text.trim_end())
        })
        .collect();
    lines.join("\n")
}

/// The text of the pieces that are marked as redex.
pub fn marked_text(lines: &[Line]) -> String {
    let marked = |line: &Line| -> String {
        line.pieces
            .iter()
            .filter(|piece| piece.mark == Mark::Redex)
            .map(|piece| piece.text.as_str())
            .collect()
    };
    let parts: Vec<String> = lines
        .iter()
        .map(marked)
        .map(|part| part.trim().to_owned())
        .collect();
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}
