//! Statements of rules as lines of pieces, with metavariables, keywords and operations as separate pieces.

use fletch_print::{Line, Mark, Piece, PieceKind};

/// The lines of a statement written with `{…}` around metavariables.
pub(super) fn lines(statement: &[&str]) -> Vec<Line> {
    statement.iter().map(|line| self::line(line)).collect()
}

fn line(text: &str) -> Line {
    let trimmed = text.trim_start_matches(' ');
    let indent = u32::try_from(text.len() - trimmed.len()).unwrap_or(0);
    let mut pieces = Vec::new();
    let mut rest = trimmed;
    while let Some((before, after)) = rest.split_once('{') {
        words(before, &mut pieces);
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        pieces.push(piece(PieceKind::Metavariable, name));
        rest = after;
    }
    words(rest, &mut pieces);
    Line { indent, pieces }
}

/// Adds text between metavariables: runs of letters are keywords, operations or plain; all other characters are plain.
fn words(text: &str, pieces: &mut Vec<Piece>) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = first.is_ascii_alphabetic();
        let end = rest
            .find(|character: char| character.is_ascii_alphabetic() != word)
            .unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        let kind = match run {
            "let" | "in" | "rev" | "handle" | "with" | "rd" | "RH" | "R" => PieceKind::Keyword,
            "Get" | "Put" => PieceKind::Operation,
            "Eval" => PieceKind::Function,
            _ => PieceKind::Plain,
        };
        match pieces.last_mut() {
            Some(last) if last.kind == kind && kind == PieceKind::Plain => last.text.push_str(run),
            _ => pieces.push(piece(kind, run)),
        }
        rest = after;
    }
}

pub(super) fn piece(kind: PieceKind, text: impl Into<String>) -> Piece {
    Piece {
        kind,
        text: text.into(),
        mark: Mark::None,
        chip: None,
        node: 0,
        fold: None,
    }
}
