//! Renderer of commands in LaTeX: line by line, with indentation, and with the redex in a coloured box.

use super::names::{name, symbol};
use super::values;
use fletch_calculus::Command;
use fletch_calculus::notation::{self, Fixity, Operator};
use fletch_print::numbers::Digits;
use fletch_print::{Chip, Group, Mark, Piece, PieceKind, Renderer, Style, render};

/// A command in LaTeX.
#[derive(Default)]
pub(super) struct Written {
    pub(super) lines: String,
    /// Long values with the names that stand for them in the text.
    pub(super) named: Vec<(String, String)>,
    /// True if a part of the command is left out.
    pub(super) folded: bool,
    /// True if the mark of the redex is open.
    marked: bool,
    /// The open groups, the innermost last.
    groups: Vec<Group>,
    /// LaTeX of the values of an RH, as far as they have been received, and their length.
    values: (String, usize),
    /// Format of numbers.
    digits: Digits,
}

/// Maximum length, in characters, of the values of an RH that are written as a superscript; longer
/// values are written below the command.
const SUPERSCRIPT: usize = 48;

/// Writes a command, laid out to `width` columns.
pub(super) fn write(command: &Command, style: Style<'_>, width: usize, digits: Digits) -> Written {
    let mut written = Written {
        digits,
        ..Written::default()
    };
    render(command, style, width, &mut written);
    written.end_line();
    written
}

/// LaTeX of a single piece, in math mode.
pub(crate) fn piece(piece: &Piece, digits: Digits) -> String {
    latex(piece.kind, &piece.text, piece.chip.as_ref(), digits)
}

fn latex(kind: PieceKind, text: &str, chip: Option<&Chip>, digits: Digits) -> String {
    if let Some(chip) = chip {
        return values::tensor(chip, digits);
    }
    match kind {
        PieceKind::Variable | PieceKind::Cotangent | PieceKind::Handler | PieceKind::Location => {
            name(text)
        }
        PieceKind::Operation => operation(text),
        PieceKind::Function => function(text),
        PieceKind::Value if values::is_number(text) => {
            format!("\\fromvec{{{}}}", values::number(text))
        }
        PieceKind::Keyword => keyword(text.trim()),
        PieceKind::Folded if text != "…" => format!("\\text{{{}}}", super::names::prose(text)),
        _ => text.chars().map(plain).collect(),
    }
}

/// LaTeX of an operation: `FC`, `FC[ℓ0]`.
fn operation(text: &str) -> String {
    let sans = |text: &str| {
        let letters: String = text.chars().map(symbol).collect();
        format!("\\oprcolor{{\\mathsf{{{letters}}}}}")
    };
    match text.split_once('[') {
        Some((base, indices)) => {
            let indices = indices.strip_suffix(']').unwrap_or(indices);
            let indices: Vec<String> = indices.split(", ").map(name).collect();
            format!(
                "{}\\oprcolor{{[}}{}\\oprcolor{{]}}",
                sans(base),
                indices.join(", ")
            )
        }
        None => sans(text),
    }
}

/// LaTeX of function symbols. Adjacent symbols may share a piece: `ᵀ ∗ `, ` ⊙ sigmoid`.
fn function(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let stripped = |(written, latex): (String, String)| {
        let rest = text.strip_prefix(&written)?;
        Some(format!("{latex}{}", function(rest)))
    };
    if let Some(latex) = operators().find_map(stripped) {
        return latex;
    }
    let starts = operators().filter_map(|(written, _)| text.find(&written));
    let end = starts
        .chain(text.find(' '))
        .min()
        .filter(|_| !text.contains('['));
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    if name.is_empty() {
        return format!(" {}", function(rest.trim_start()));
    }
    let letters: String = name.chars().map(symbol).collect();
    format!("\\funccolor{{\\mathsf{{{letters}}}}}{}", function(rest))
}

/// The operators as they are printed, with their LaTeX.
fn operators() -> impl Iterator<Item = (String, String)> {
    let symbols = notation::operators().map(
        |Operator {
             text,
             latex,
             fixity,
         }| {
            let latex = format!("\\funccolor{{{latex}}}");
            match fixity {
                Fixity::Sum | Fixity::Product => {
                    (format!(" {text} "), format!("\\mathbin{{{latex}}}"))
                }
                Fixity::Prefix => (text.to_owned(), latex),
                Fixity::Postfix => (text.to_owned(), format!("^{{{latex}}}")),
            }
        },
    );
    symbols.chain([(" + ".to_owned(), "+".to_owned())])
}

fn keyword(text: &str) -> String {
    match text {
        "let" => "\\tlet\\; ".to_owned(),
        "in" => "\\;\\tin\\; ".to_owned(),
        "rev handle" => "\\prevhandle ".to_owned(),
        "handle" => "\\phandle\\; ".to_owned(),
        "with" => "\\;\\pwith\\; ".to_owned(),
        "rd" => "\\trd ".to_owned(),
        "RH" => "\\mathcal{RH}".to_owned(),
        other => format!(
            "\\mathtt{{{}}}",
            other.chars().map(symbol).collect::<String>()
        ),
    }
}

/// LaTeX of a plain character. A line may break after a comma, a full stop and a closing parenthesis.
fn plain(character: char) -> String {
    match character {
        ' ' => " ".to_owned(),
        ',' | '.' | ')' => format!("{character}\\allowbreak "),
        other => symbol(other),
    }
}

impl Renderer for Written {
    fn line(&mut self, indent: u32) {
        if let Some(Group::Rewriting(_) | Group::Values) = self.groups.last() {
            return;
        }
        self.end_line();
        // Half an em is about as wide as a column.
        let tenths = indent * 5;
        self.lines += &format!("\\codeline{{{}.{}em}}{{", tenths / 10, tenths % 10);
    }

    fn piece(&mut self, piece: Piece) {
        self.folded |= piece.kind == PieceKind::Folded;
        let keyword = piece.kind == PieceKind::Keyword;
        let text = self::piece(&piece, self.digits);
        match self.groups.last() {
            Some(Group::Values) => {
                let plain = piece.kind == PieceKind::Plain;
                let characters = || piece.text.chars().count();
                self.values.1 += if plain { characters() } else { text.len() };
                self.values.0 += &text;
                return;
            }
            // RH and its parentheses are written at the end of the group.
            Some(Group::Rewriting(_)) if !keyword => return,
            _ => self.mark(piece.mark == Mark::Redex),
        }
        match (self.groups.last(), piece.text.as_str()) {
            (Some(Group::Rewriting(_)), _) => {}
            // `with` of an RH becomes its closing parenthesis; its handler is written at its beginning.
            (Some(Group::Closing), _) => self.lines += if keyword { ")" } else { "" },
            (Some(Group::Indices), bracket @ ("[" | "]")) => {
                self.lines += &format!("\\oprcolor{{{bracket}}}");
            }
            _ => self.lines += &text,
        }
    }

    fn open(&mut self, group: &Group) {
        self.groups.push(group.clone());
    }

    fn close(&mut self, group: &Group) {
        self.groups.pop();
        if let Group::Rewriting(handler) = group {
            let (values, length) = std::mem::take(&mut self.values);
            let values = if length > SUPERSCRIPT {
                self.named(values)
            } else {
                values
            };
            // The paper's \rewriterevh{V}{H} has V above and H below.
            let handler = name(handler);
            self.lines += &format!("\\rewriterevh{{{values}}}{{{handler}}}(");
        }
    }
}

impl Written {
    /// A short name for a long value.
    fn named(&mut self, value: String) -> String {
        if let Some((name, _)) = self.named.iter().find(|(_, known)| *known == value) {
            return name.clone();
        }
        let name = format!("V_{{{}}}", self.named.len() + 1);
        self.named.push((name.clone(), value));
        name
    }

    /// Opens or closes the mark of the redex.
    fn mark(&mut self, redex: bool) {
        match (self.marked, redex) {
            (false, true) => self.lines += "\\redex{",
            (true, false) => self.lines += "}",
            _ => {}
        }
        self.marked = redex;
    }

    fn end_line(&mut self) {
        self.mark(false);
        if !self.lines.is_empty() {
            self.lines += "}\n";
        }
    }
}

#[cfg(test)]
mod tests {
    use super::function;

    #[test]
    fn function_symbols_that_share_a_piece_are_told_apart() {
        let cases = [
            ("swish", "\\funccolor{\\mathsf{swish}}"),
            (" + ", "+"),
            ("ᵀ ∗ ", "^{\\funccolor{\\top}}\\mathbin{\\funccolor{\\ast}}"),
            (
                " − sigmoid",
                "\\mathbin{\\funccolor{-}}\\funccolor{\\mathsf{sigmoid}}",
            ),
            ("−exp", "\\funccolor{-}\\funccolor{\\mathsf{exp}}"),
            ("rd[tanh]", "\\funccolor{\\mathsf{rd[tanh]}}"),
        ];
        for (text, expected) in cases {
            assert_eq!(function(text), expected);
        }
    }
}
