//! Lines that the layout leaves too long, in a pane as slim as a phone's: they go on below, further in. The layout breaks
//! between the parts of a tuple and after `⇐`; here a term is broken, before an operator or before the point of a
//! reverse derivative.

use crate::pieces::{Line, Mark, Piece, PieceKind};

/// How much further in a line goes on.
const FURTHER: u32 = 2;

/// The lines of a pane of this width.
pub fn fitted(lines: Vec<Line>, width: usize) -> Vec<Line> {
    if lines.iter().all(|line| line.end() <= width) {
        return lines;
    }
    let lines = lines.into_iter();
    lines.flat_map(|line| broken(line, width)).collect()
}

/// A line as several of at most this width, as far as there are places to break it.
fn broken(mut line: Line, width: usize) -> Vec<Line> {
    let further = line.indent + FURTHER;
    let mut lines = Vec::new();
    while line.end() > width {
        let Some(place) = best(&line, further, width) else {
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
    lines
}

/// A place where a line can be broken: so many characters into one of its pieces.
#[derive(Clone, Copy)]
struct BreakPoint {
    piece: usize,
    within: usize,
}

/// Of the places that leave something fit before them, the last; better one after which all the rest fits, and one that
/// does not break the redex. If there is none, the first one beyond.
fn best(line: &Line, further: u32, width: usize) -> Option<BreakPoint> {
    let whole = line.length();
    let mut column = 0;
    let mut best: Option<((bool, bool), BreakPoint)> = None;
    let mut beyond = None;
    for (piece, each) in line.pieces.iter().enumerate() {
        if let Some(within) = breaks(each) {
            let before = column + within;
            let inside = each.mark == Mark::Redex
                && (within > 0
                    || piece
                        .checked_sub(1)
                        .and_then(|before| line.pieces.get(before))
                        .is_some_and(|before| before.mark == Mark::Redex));
            let fits = further as usize + whole - before <= width + 1;
            let merit = (!inside, fits);
            let place = BreakPoint { piece, within };
            if line.indent as usize + before > width {
                beyond = beyond.or(Some(place));
            } else if before > 0 && best.is_none_or(|(other, _)| merit >= other) {
                best = Some((merit, place));
            }
        }
        column += each.text.chars().count();
    }
    best.map(|(_, place)| place).or(beyond)
}

/// Where a piece can be broken: before an operator, and between `)` and `(`.
fn breaks(piece: &Piece) -> Option<usize> {
    let operator = piece.kind == PieceKind::Function
        && piece.text.starts_with(' ')
        && piece.text.ends_with(' ');
    if operator {
        return Some(0);
    }
    let (before, _) = piece.text.split_once(")(")?;
    (piece.chip.is_none() && piece.kind == PieceKind::Plain).then(|| before.chars().count() + 1)
}

/// Takes off what comes after a place, without the space there.
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
        first.text = after.trim_start().to_owned();
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
    fn what_has_no_place_to_break_stays() {
        let line = Line {
            indent: 0,
            pieces: vec![piece(PieceKind::Plain, "a_very_long_name", Mark::None)],
        };
        assert_eq!(texts(line, 4), ["a_very_long_name"]);
    }
}
