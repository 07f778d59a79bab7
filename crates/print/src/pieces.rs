//! Printed text: lines of pieces. A piece is a run of text of one kind. A renderer draws pieces as text, on a page or in LaTeX.

use crate::numbers;
use fletch_calculus::{Variable, VariableKind};
use serde::{Deserialize, Serialize};

/// A line of a laid-out command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Columns of indentation.
    pub indent: u32,
    /// Pieces on the line.
    pub pieces: Vec<Piece>,
}

impl Line {
    /// The column after the last character.
    pub(crate) fn end(&self) -> usize {
        self.indent as usize + self.length()
    }

    /// Number of characters of its pieces, without the indentation.
    pub(crate) fn length(&self) -> usize {
        self.pieces
            .iter()
            .map(|piece| piece.text.chars().count())
            .sum()
    }
}

/// A run of text of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    /// Kind.
    pub kind: PieceKind,
    /// Text; for a chip, its plain-text form.
    pub text: String,
    /// Mark of the next redex or of the last step's contractum.
    pub mark: Mark,
    /// The chip that the piece is drawn as, if it shows a tensor.
    pub chip: Option<Chip>,
    /// Number of the piece in the order of printing, from 1, by which a reader can ask about its node; 0 where there is nothing
    /// to ask.
    pub node: u32,
    /// Fold that a click on the piece opens or closes, if there is one.
    pub fold: Option<Fold>,
}

impl Piece {
    /// A run of text that belongs to no laid-out command.
    pub fn new(kind: PieceKind, text: impl Into<String>) -> Piece {
        Piece {
            kind,
            text: text.into(),
            mark: Mark::None,
            chip: None,
            node: 0,
            fold: None,
        }
    }
}

/// Handle of a part of a command that a reader can open and fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fold {
    /// Key of the fold.
    pub key: FoldKey,
    /// True if it is open.
    pub open: bool,
}

/// Key of a fold, stable from step to step: a position in the source, and numbers that discriminate folds of the same position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FoldKey(pub u32, pub u32, pub u32);

/// Kind of a piece of text: it decides the colour, and more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // The names say it.
pub enum PieceKind {
    Plain,
    Keyword,
    Operation,
    Function,
    Location,
    Handler,
    Variable,
    /// A variable that an equation introduced: the cotangent y′ of y, or a summand y″ of it.
    Cotangent,
    Bracket,
    Value,
    Code,
    /// Label of a part that is left out because the step does not touch it; a click opens the part.
    Folded,
    /// A remark next to the command, not part of it.
    Note,
    /// A letter of a rule, which stands for a term or a command.
    Metavariable,
    /// A word of a sentence that a newcomer may not know; the glossary explains it.
    Term,
}

impl PieceKind {
    /// Kind of the name of a variable.
    #[must_use]
    pub fn of(variable: &Variable) -> PieceKind {
        match variable.kind {
            VariableKind::Plain => PieceKind::Variable,
            VariableKind::Cotangent | VariableKind::Share => PieceKind::Cotangent,
        }
    }
}

/// Role of a piece in the steps before and after the position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mark {
    /// None.
    #[default]
    None,
    /// Part of the next step's redex.
    Redex,
    /// Part of the last step's contractum.
    Contractum,
}

/// A tensor as a chip: shape and thumbnail, all entries on demand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chip {
    /// Number by which the session sends all entries; 0 if `entries` has them all.
    pub id: u32,
    /// Number of the tensor, equal for all its chips in a view; 0 without a view.
    pub value: u32,
    /// Shape of the tensor: `2 × 4`, or `4`.
    pub shape: String,
    /// Rows of the thumbnail.
    pub rows: u32,
    /// Columns of the thumbnail.
    pub columns: u32,
    /// `rows × columns` entries, row-major, at most 256; for a larger tensor, the entry farthest from zero of each block.
    pub entries: Vec<f64>,
    /// Number of entries of the tensor.
    pub size: u32,
}

/// Maximum number of entries of a vector that is written out.
const WRITTEN: usize = 3;
/// Maximum width of a vector that is written out, in characters.
const WIDEST: usize = 26;

impl Chip {
    /// Plain text about as wide as a chip is drawn, so that the layout leaves room for it.
    pub(crate) fn stand_in(&self) -> String {
        if let Some(text) = self.written() {
            return format!("[{text}]");
        }
        let thumbnail = self.columns.clamp(2, 8) as usize;
        format!(
            "[{}{}]",
            "▪".repeat(thumbnail.div_ceil(2) + 1),
            self.space()
        )
    }

    /// Text in place of a thumbnail that would show nothing: a short vector, `[1, 0]`, and zeros, `8 × 2 zeros`.
    pub fn written(&self) -> Option<String> {
        if self.is_vector() && (2..=WRITTEN).contains(&self.entries.len()) {
            let entries = self.entries.iter().copied().map(numbers::short);
            let text = format!("[{}]", entries.collect::<Vec<_>>().join(", "));
            // A narrow pane has no room for a longer text.
            (text.chars().count() <= WIDEST).then_some(text)
        } else if self.size > 1 && self.entries.iter().all(|entry| *entry == 0.0) {
            Some(format!("{} zeros", self.shape))
        } else {
            None
        }
    }

    fn is_vector(&self) -> bool {
        !self.shape.contains(' ')
    }

    /// Space that the tensor belongs to: [`space`].
    pub fn space(&self) -> String {
        space(&self.shape)
    }

    /// Kind of tensor: `vector of 8, ℝ⁸`, `2 × 4 matrix`, `2 × 3 × 4 tensor`. The text contains the visible text of the chip.
    fn kind(&self) -> String {
        match self.shape.split(" × ").count() {
            1 => format!("vector of {}, {}", self.shape, self.space()),
            2 => format!("{} matrix", self.shape),
            _ => format!("{} tensor", self.shape),
        }
    }

    /// Text of the chip for screen readers: its text in place of a thumbnail, or the shape and the first entries. Numbers are
    /// rounded as in sentences.
    pub fn words(&self) -> String {
        if let Some(text) = self.written() {
            return text;
        }
        match (self.entries.as_slice(), self.size) {
            (_, 0) => "⟨⟩".to_owned(),
            ([value], 1) => numbers::short(*value),
            (_, _) if self.id != 0 => self.kind(),
            (entries, size) => {
                let first = entries.iter().take(4).copied().map(numbers::short);
                let first = first.collect::<Vec<_>>().join(", ");
                let rest = if size > 4 { " and so on" } else { "" };
                format!("{}: {first}{rest}", self.kind())
            }
        }
    }

    /// Rows and columns of the whole tensor; a chip of a large tensor has only those of its blocks.
    pub fn dimensions(&self) -> (u32, u32) {
        let columns = self.shape.rsplit(' ').next();
        let columns = columns.and_then(|size| size.parse().ok());
        let columns = columns.unwrap_or(1).max(1);
        (self.size.div_ceil(columns), columns)
    }
}

/// Text of a shape: `ℝ⁸` for a vector, whose size alone would read as a number, and `2 × 4` for a matrix.
pub fn space(shape: &str) -> String {
    match shape.parse::<usize>() {
        Ok(_) => format!("ℝ{}", numbers::superscript(shape)),
        Err(_) => shape.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Chip, PieceKind};
    use fletch_calculus::Supply;

    #[test]
    fn a_prime_of_the_program_is_told_from_one_of_an_equation() {
        let mut fresh = Supply::default();
        let own = fresh.fresh("x'");
        assert_eq!(PieceKind::of(&own), PieceKind::Variable);
        let cotangent = fresh.cotangent(&own);
        assert_eq!(PieceKind::of(&cotangent), PieceKind::Cotangent);
        assert_eq!(PieceKind::of(&fresh.share(&own)), PieceKind::Cotangent);
    }

    #[test]
    fn a_chip_can_be_read_aloud() {
        let chip = |shape: &str, entries: &[f64], size| Chip {
            id: 0,
            value: 0,
            shape: shape.into(),
            rows: 1,
            columns: 1,
            entries: entries.to_vec(),
            size,
        };
        let words = |shape: &str, entries: &[f64], size| chip(shape, entries, size).words();
        assert_eq!(words("1", &[-0.5], 1), "−0.5");
        assert_eq!(words("1", &[0.393_651], 1), "0.394", "as a sentence has it");
        assert_eq!(words("2", &[1.0, 0.25], 2), "[1, 0.25]");
        assert_eq!(words("8", &[0.0; 8], 8), "8 zeros");
        assert_eq!(
            words("8", &[0.5; 8], 8),
            "vector of 8, ℝ⁸: 0.5, 0.5, 0.5, 0.5 and so on"
        );
        assert_eq!(
            words("2 × 2", &[0.5; 4], 4),
            "2 × 2 matrix: 0.5, 0.5, 0.5, 0.5"
        );
        assert_eq!(
            words("2 × 2 × 2", &[0.5; 8], 8),
            "2 × 2 × 2 tensor: 0.5, 0.5, 0.5, 0.5 and so on"
        );
        assert_eq!(chip("134", &[0.5; 4], 134).space(), "ℝ¹³⁴");
        assert_eq!(chip("2 × 4", &[0.5; 8], 8).space(), "2 × 4");
    }
}
