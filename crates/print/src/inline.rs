//! Commands and terms on one line, as in a judgement. Deeply nested parts are left out, so that the line has about a given length.

use crate::folds::Folds;
use crate::names::Names;
use crate::numbers::Digits;
use crate::pieces::{Piece, PieceKind};
use crate::printer::{Marks, Style, Values};
use crate::render::{lines, term_lines};
use fletch_calculus::{CommandKind, Part, TermKind};

/// Width of the layout, in columns: so large that a line breaks only where it must.
const UNBROKEN: usize = 1 << 20;

/// Maximum nesting depth shown of a long line; decreased until the line fits.
const DEEPEST: usize = 9;

/// Depth counted for the command after a `let`: that command is shown whole or not at all.
const AFTER: usize = DEEPEST;

/// Prints a command or term on one line, of at most `limit` characters if leaving out nested parts suffices.
pub fn inline(part: Part<'_>, names: &Names, limit: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    // A command or term of many nodes is too long in any case, so it is not printed in full.
    let whole = (!part.exceeds(limit)).then_some(usize::MAX);
    for depth in whole.into_iter().chain((1..=DEEPEST).rev()) {
        pieces = printed(part, names, depth);
        if length(&pieces) <= limit {
            return pieces;
        }
    }
    cut(&mut pieces, limit);
    pieces
}

/// Length of pieces, in characters.
fn length(pieces: &[Piece]) -> usize {
    let lengths = pieces.iter().map(|piece| piece.text.chars().count());
    lengths.sum()
}

fn printed(part: Part<'_>, names: &Names, depth: usize) -> Vec<Piece> {
    let mut folds = Folds::default();
    beyond(part, depth, &mut folds);
    let style = Style {
        names: names.clone(),
        folds,
        values: Values::Text(Digits::Rounded),
        marks: Marks::default(),
    };
    let lines = match part {
        Part::Command(command) => lines(command, style, UNBROKEN),
        Part::Term(term) => term_lines(term, style, UNBROKEN),
    };
    let mut pieces = Vec::new();
    for line in lines {
        if !pieces.is_empty() {
            pieces.push(Piece::new(PieceKind::Plain, " "));
        }
        pieces.extend(line.pieces);
    }
    // Judgements have their own numbers for pieces that can be asked about.
    for piece in &mut pieces {
        piece.node = 0;
    }
    pieces
}

/// Folds the parts that are `depth` levels below a node.
fn beyond(part: Part<'_>, depth: usize, folds: &mut Folds) {
    if depth == usize::MAX {
        return;
    }
    for (index, child) in part.children().enumerate() {
        let step = match part.command().map(|command| command.kind()) {
            Some(CommandKind::Let { .. }) if index == 1 => AFTER,
            _ => 1,
        };
        let left = depth.saturating_sub(step);
        if left == 0 && !is_short(child) {
            folds.leave_out(child);
        }
        beyond(child, left, folds);
    }
}

/// True if `…` would not be shorter than the part.
fn is_short(part: Part<'_>) -> bool {
    match part {
        Part::Term(term) => match term.kind() {
            TermKind::Variable(_) => true,
            TermKind::Constant(tensor) => tensor.len() <= 2,
            _ => false,
        },
        Part::Command(_) => false,
    }
}

/// Truncates literals longer than `limit` characters.
fn cut(pieces: &mut [Piece], limit: usize) {
    for piece in pieces {
        if piece.kind == PieceKind::Value && piece.text.chars().count() > limit {
            let kept: String = piece.text.chars().take(limit.saturating_sub(2)).collect();
            piece.text = kept + "…]";
        }
    }
}
