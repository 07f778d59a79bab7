//! Tensors and numbers as the paper writes constants: underlined, large ones with their size.

use fletch_print::Chip;
use fletch_print::numbers::Digits;

/// Maximum number of entries of a vector that is written whole; of a longer vector, the first three are written.
const VECTOR: usize = 6;
/// Maximum number of rows and of columns of a matrix that is written whole; of a larger matrix, the
/// first three of each are written.
const MATRIX: usize = 4;
const FIRST: usize = 3;

/// LaTeX of a tensor.
pub(super) fn tensor(chip: &Chip, digits: Digits) -> String {
    let entry = |number| entry(number, digits);
    let (rows, columns) = (chip.rows as usize, chip.columns as usize);
    let size = chip.shape.replace('\u{d7}', "\\times");
    if rows <= 1 {
        if let [only] = chip.entries.as_slice() {
            return format!("\\fromvec{{{}}}", entry(*only));
        }
        let whole = chip.entries.len() <= VECTOR && chip.entries.len() == chip.size as usize;
        let shown = if whole { VECTOR } else { FIRST };
        let mut entries: Vec<String> = chip.entries.iter().take(shown).map(|x| entry(*x)).collect();
        if whole {
            return format!("\\fromvec{{[{}]}}", entries.join(", "));
        }
        entries.push("\\dots".to_owned());
        return format!("\\fromvec{{[{}]}}_{{{size}}}", entries.join(", "));
    }
    let whole = rows <= MATRIX && columns <= MATRIX;
    let shown = if whole { MATRIX } else { FIRST };
    let mut lines: Vec<String> = chip
        .entries
        .chunks(columns.max(1))
        .take(shown)
        .map(|row| {
            let mut entries: Vec<String> = row.iter().take(shown).map(|x| entry(*x)).collect();
            if columns > shown {
                entries.push("\\cdots".to_owned());
            }
            entries.join(" & ")
        })
        .collect();
    if rows > shown {
        lines.push("\\vdots".to_owned());
    }
    let size = if whole {
        String::new()
    } else {
        format!("_{{{size}}}")
    };
    format!(
        "\\fromvec{{\\left[\\begin{{smallmatrix}}{}\\end{{smallmatrix}}\\right]}}{size}",
        lines.join(" \\\\ ")
    )
}

/// LaTeX of a number.
fn entry(number: f64, digits: Digits) -> String {
    self::number(&digits.number(number))
}

/// LaTeX of a printed number: `−0.0133`, `1.2e−5`, `∞`.
pub(super) fn number(text: &str) -> String {
    let text = text
        .replace('−', "-")
        .replace('∞', "\\infty")
        .replace("NaN", "\\mathrm{NaN}");
    match text.split_once('e') {
        Some((digits, exponent)) => format!("{digits}{{\\cdot}}10^{{{exponent}}}"),
        None => text,
    }
}

/// True if the text of a piece is a number.
pub(super) fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches('−');
    digits.starts_with(|first: char| first.is_ascii_digit()) || matches!(digits, "∞" | "NaN")
}
