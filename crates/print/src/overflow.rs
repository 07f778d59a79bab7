//! Breaking of lines that the layout leaves too long for a narrow pane, such as a phone's. The remainder of a line becomes an
//! indented continuation line. The layout breaks between the components of a tuple and after `⇐`. Here terms are broken, at the
//! least bracket depth possible: before an operator, after a comma or before the point of a reverse derivative, and if need be
//! after an opening bracket.

use crate::pieces::{Line, Mark, Piece, PieceKind};
use std::cmp::Reverse;

/// Indentation of a continuation line, relative to the line, in columns.
const FURTHER: u32 = 2;

/// Breaks lines to fit a pane of this width, in columns.
pub fn fitted(lines: Vec<Line>, width: usize) -> Vec<Line> {
    if lines.iter().all(|line| line.end() <= width) {
        return lines;
    }
    let lines = lines.into_iter();
    lines.flat_map(|line| broken(line, width)).collect()
}

/// Breaks a line into lines of at most this width, as far as it has break points.
fn broken(mut line: Line, width: usize) -> Vec<Line> {
    // A continuation of a deeply indented line would have no room.
    let deepest = u32::try_from(width / 2).unwrap_or(u32::MAX);
    let further = (line.indent + FURTHER).min(deepest.max(FURTHER));
    let mut lines = Vec::new();
    while line.end() > width {
        let Some(place) = best(&line, further as usize, width) else {
            break;
        };
        let rest = split(&mut line, place);
        lines.push(line);
        line = Line {
            indent: further,
            pieces: rest,
        };
    }
    lines.push(line);
    for line in &mut lines {
        // A line without a break point is indented less, as far as that makes it fit.
        let room = u32::try_from(width.saturating_sub(line.length())).unwrap_or(u32::MAX);
        line.indent = line.indent.min(room);
    }
    lines
}

/// Break point of a line.
#[derive(Clone, Copy, Debug)]
struct BreakPoint {
    /// Index of the piece; `within` is the offset in it, in characters.
    piece: usize,
    within: usize,
    /// Offset in the line without its indentation, in characters.
    column: usize,
    /// Nesting depth: two for each enclosing bracket, and one directly after an opening bracket.
    depth: usize,
    /// True if the pieces on both sides are part of the redex.
    inside: bool,
}

/// Depth greater than that of any bracket, for a break of last resort.
const LAST_RESORT: usize = 1000;

/// Best break point among those within the width. In order of priority: it does not split a redex that fits on a line of its own;
/// its depth is least; the remainder after it fits; it is the last. Without a break point within the width, the first one beyond
/// it.
fn best(line: &Line, further: usize, width: usize) -> Option<BreakPoint> {
    let whole = line.length();
    let redex = (line.pieces.iter())
        .filter(|piece| piece.mark == Mark::Redex)
        .map(|piece| piece.text.chars().count())
        .sum::<usize>();
    let keeps = further + redex <= width;
    let places = places(line);
    let (before, beyond): (Vec<_>, Vec<_>) = places
        .into_iter()
        .partition(|place| line.indent as usize + place.column <= width);
    before
        .into_iter()
        .max_by_key(|place| {
            let fits = further + whole - place.column <= width + 1;
            (
                !(keeps && place.inside),
                Reverse(place.depth),
                fits,
                place.column,
            )
        })
        .or_else(|| beyond.into_iter().next())
}

/// Break points of a line, from left to right.
fn places(line: &Line) -> Vec<BreakPoint> {
    let mut found = Vec::new();
    let (mut column, mut depth) = (0, 0_usize);
    let last = line.length();
    for (number, piece) in line.pieces.iter().enumerate() {
        let mark = |at: usize| line.pieces.get(at).map(|piece| piece.mark);
        let kind = |at: usize| line.pieces.get(at).map(|piece| piece.kind);
        let length = piece.text.chars().count();
        let mut place = |within: usize, depth: usize| {
            // The redex may end before a piece, and begin after one.
            let before = if within == 0 {
                number.checked_sub(1).and_then(mark)
            } else {
                Some(piece.mark)
            };
            let after = if within == length {
                mark(number + 1)
            } else {
                Some(piece.mark)
            };
            let at = column + within;
            if at > 0 && at < last {
                found.push(BreakPoint {
                    piece: number,
                    within,
                    column: at,
                    depth,
                    inside: (before, after) == (Some(Mark::Redex), Some(Mark::Redex)),
                });
            }
        };
        if is_operator(piece) {
            place(0, 2 * depth);
        } else if piece.kind == PieceKind::Plain && piece.chip.is_none() && piece.fold.is_none() {
            let mut letters = piece.text.chars().enumerate().peekable();
            while let Some((at, letter)) = letters.next() {
                let next = letters.peek().map(|(_, next)| *next);
                match letter {
                    '(' | '⟨' | '[' | '⌊' => {
                        depth += 1;
                        if matches!(letter, '(' | '⟨') && next != Some(')') {
                            place(at + 1, 2 * depth + 1);
                        }
                    }
                    ')' | '⟩' | ']' | '⌋' => {
                        depth = depth.saturating_sub(1);
                        if letter == ')' && matches!(next, Some('(' | '⟨')) {
                            place(at + 1, 2 * depth);
                        }
                    }
                    ',' | '⇐' | '←' => place(at + 1, 2 * depth),
                    '.' if next == Some(' ') => place(at + 1, 2 * depth),
                    // `y.rd(…)`
                    '.' if next.is_none() && kind(number + 1) == Some(PieceKind::Keyword) => {
                        place(at, LAST_RESORT + depth);
                    }
                    _ => {}
                }
            }
        }
        column += length;
    }
    found
}

/// True for an infix operator such as ` + `.
fn is_operator(piece: &Piece) -> bool {
    piece.kind == PieceKind::Function && piece.text.starts_with(' ') && piece.text.ends_with(' ')
}

/// Splits off the pieces after a break point, without the space there.
fn split(line: &mut Line, place: BreakPoint) -> Vec<Piece> {
    let mut rest = line.pieces.split_off(place.piece.min(line.pieces.len()));
    if let Some(first) = rest.first_mut() {
        let before: String = first.text.chars().take(place.within).collect();
        let after: String = first.text.chars().skip(place.within).collect();
        if !before.is_empty() {
            line.pieces.push(Piece {
                text: before,
                ..first.clone()
            });
        }
        first.text = after;
    }
    // The space may be a piece of its own.
    while let Some(first) = rest.first_mut() {
        first.text = first.text.trim_start().to_owned();
        if !first.text.is_empty() {
            break;
        }
        rest.remove(0);
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::{Line, Mark, Piece, PieceKind, broken};

    fn piece(kind: PieceKind, text: &str, mark: Mark) -> Piece {
        Piece {
            kind,
            text: text.into(),
            mark,
            chip: None,
            node: 0,
            fold: None,
        }
    }

    fn texts(line: Line, width: usize) -> Vec<String> {
        let text = |line: &Line| {
            let text: String = line.pieces.iter().map(|piece| &*piece.text).collect();
            " ".repeat(line.indent as usize) + &text
        };
        broken(line, width).iter().map(text).collect()
    }

    fn sum(mark: Mark) -> Line {
        Line {
            indent: 2,
            pieces: vec![
                piece(PieceKind::Variable, "z_hid", Mark::None),
                piece(PieceKind::Function, " + ", Mark::None),
                piece(PieceKind::Plain, "x.rd(z. swish(z)", mark),
                piece(PieceKind::Plain, ")(", mark),
                piece(PieceKind::Value, "⟦8⟧", mark),
                piece(PieceKind::Plain, "),", mark),
            ],
        }
    }

    #[test]
    fn a_line_that_is_too_long_goes_on_below() {
        assert_eq!(texts(sum(Mark::None), 40).len(), 1);
        assert_eq!(
            texts(sum(Mark::None), 29),
            ["  z_hid + x.rd(z. swish(z))", "    (⟦8⟧),"]
        );
        assert_eq!(
            texts(sum(Mark::Redex), 29),
            ["  z_hid", "    + x.rd(z. swish(z))(⟦8⟧),"],
            "the redex stays in one piece"
        );
        assert_eq!(
            texts(sum(Mark::None), 24),
            ["  z_hid", "    + x.rd(z. swish(z))", "    (⟦8⟧),"]
        );
    }

    #[test]
    fn a_term_is_broken_as_far_out_as_can_be() {
        let line = |mark| Line {
            indent: 0,
            pieces: vec![
                piece(PieceKind::Value, "⟦9⟧", mark),
                piece(PieceKind::Plain, ".rd(x. ", mark),
                piece(PieceKind::Function, "rows", mark),
                piece(PieceKind::Plain, "(", mark),
                piece(PieceKind::Variable, "q", mark),
                piece(PieceKind::Function, " · ", mark),
                piece(PieceKind::Variable, "k", mark),
                piece(PieceKind::Plain, "), ", mark),
                piece(PieceKind::Variable, "y", mark),
                piece(PieceKind::Plain, ")(", mark),
                piece(PieceKind::Value, "⟦9⟧", mark),
                piece(PieceKind::Plain, "),", Mark::None),
            ],
        };
        for mark in [Mark::None, Mark::Redex] {
            assert_eq!(
                texts(line(mark), 30),
                ["⟦9⟧.rd(x. rows(q · k), y)", "  (⟦9⟧),"]
            );
            assert_eq!(
                texts(line(mark), 24),
                ["⟦9⟧.rd(x. rows(q · k),", "  y)(⟦9⟧),"]
            );
            assert_eq!(
                texts(line(mark), 18),
                ["⟦9⟧.rd(x.", "  rows(q · k), y)", "  (⟦9⟧),"]
            );
            assert_eq!(
                texts(line(mark), 12),
                ["⟦9⟧.rd(x.", "  rows(q", "  · k), y)", "  (⟦9⟧),"]
            );
        }
    }

    #[test]
    fn what_has_no_place_to_break_stays() {
        let line = Line {
            indent: 0,
            pieces: vec![piece(PieceKind::Plain, "a_very_long_name", Mark::None)],
        };
        assert_eq!(texts(line.clone(), 4), ["a_very_long_name"]);
        let inner = Line { indent: 5, ..line };
        assert_eq!(texts(inner, 18), ["  a_very_long_name"], "farther out");
    }
}
