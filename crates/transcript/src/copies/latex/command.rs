//! Laid-out commands in LaTeX: line by line, indentation kept, the redex in a coloured box.

use super::names::{name, symbol};
use super::values;
use fletch_calculus::notation::{self, Fixity, Operator};
use fletch_print::{Chip, Line, Mark, Piece, PieceKind};
use std::collections::BTreeMap;

/// The lines of a command, and what names stand for that were given to long values.
pub(super) struct Written {
    pub(super) lines: String,
    pub(super) named: Vec<(String, String)>,
}

/// A value of RH of more characters is written underneath: nobody reads a long superscript.
const SUBSCRIPT: usize = 48;

/// What a line is made of.
#[derive(Clone, Debug)]
enum Token {
    /// A new line, at so many columns.
    Line(u32),
    /// A character of plain text.
    Plain(char, bool),
    /// Anything else: what it is, its LaTeX, whether it belongs to the redex.
    Piece(PieceKind, String, bool),
}

pub(super) fn write(lines: &[Line]) -> Written {
    let tokens = tokens(lines);
    let handlers = handlers(&tokens);
    let mut writer = Writer {
        tokens: &tokens,
        handlers,
        out: String::new(),
        marked: false,
        open: false,
        named: Vec::new(),
    };
    writer.write();
    Written {
        lines: writer.out,
        named: writer.named,
    }
}

/// A piece by itself, in mathematics.
pub(super) fn piece(piece: &Piece) -> String {
    latex(piece.kind, &piece.text, piece.chip.as_ref())
}

fn latex(kind: PieceKind, text: &str, chip: Option<&Chip>) -> String {
    if let Some(chip) = chip {
        return values::tensor(chip);
    }
    match kind {
        PieceKind::Variable | PieceKind::Handler | PieceKind::Location => name(text),
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

/// `FC`, `FC[ℓ0]`
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

/// Function symbols; neighbours may share a piece: `ᵀ ∗ `, ` ⊙ sigmoid`.
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

/// A line may break after a comma, a full stop and a parenthesis.
fn plain(character: char) -> String {
    match character {
        ' ' => " ".to_owned(),
        ',' | '.' | ')' => format!("{character}\\allowbreak "),
        other => symbol(other),
    }
}

fn tokens(lines: &[Line]) -> Vec<Token> {
    let mut tokens = Vec::new();
    // The brackets around the indices of an operation have its colour.
    let mut indices = false;
    for line in lines {
        tokens.push(Token::Line(line.indent));
        for piece in &line.pieces {
            let redex = piece.mark == Mark::Redex;
            if piece.kind == PieceKind::Plain && piece.chip.is_none() {
                for character in piece.text.chars() {
                    let named =
                        matches!(tokens.last(), Some(Token::Piece(PieceKind::Operation, ..)));
                    let bracket = (character == '[' && named) || (character == ']' && indices);
                    tokens.push(if bracket {
                        indices = character == '[';
                        let latex = format!("\\oprcolor{{{character}}}");
                        Token::Piece(PieceKind::Bracket, latex, redex)
                    } else {
                        Token::Plain(character, redex)
                    });
                }
            } else {
                let latex = latex(piece.kind, &piece.text, piece.chip.as_ref());
                tokens.push(Token::Piece(piece.kind, latex, redex));
            }
        }
    }
    tokens
}

/// For every RH, by the place of its token: the handler's name, and the places of `with` and of that name.
fn handlers(tokens: &[Token]) -> BTreeMap<usize, (String, usize, usize)> {
    let mut found = BTreeMap::new();
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        let Token::Piece(PieceKind::Keyword, latex, _) = token else {
            continue;
        };
        match latex.as_str() {
            "\\mathcal{RH}" => open.push((place, true)),
            "\\prevhandle " | "\\phandle\\; " => open.push((place, false)),
            "\\;\\pwith\\; " => {
                if let Some((start, true)) = open.pop()
                    && let Some(Token::Piece(PieceKind::Handler, name, _)) = tokens.get(place + 1)
                {
                    found.insert(start, (name.clone(), place, place + 1));
                }
            }
            _ => {}
        }
    }
    found
}

struct Writer<'t> {
    tokens: &'t [Token],
    handlers: BTreeMap<usize, (String, usize, usize)>,
    out: String,
    /// Whether the mark of the redex is open.
    marked: bool,
    /// Whether a line is open.
    open: bool,
    named: Vec<(String, String)>,
}

impl Writer<'_> {
    fn write(&mut self) {
        // `with` of an RH is its closing parenthesis, and its handler stands at its beginning.
        let closing: BTreeMap<usize, bool> = self
            .handlers
            .values()
            .flat_map(|(_, with, name)| [(*with, true), (*name, false)])
            .collect();
        let mut place = 0;
        while let Some(token) = self.tokens.get(place) {
            place += 1;
            match token {
                Token::Line(columns) => {
                    self.end_line();
                    // Half an em is about as wide as a column.
                    let tenths = columns * 5;
                    self.out += &format!("\\codeline{{{}.{}em}}{{", tenths / 10, tenths % 10);
                    self.open = true;
                }
                Token::Plain(character, redex) => {
                    self.mark(*redex);
                    self.out += &plain(*character);
                }
                Token::Piece(_, latex, redex) => {
                    if let Some(parenthesis) = closing.get(&(place - 1)) {
                        self.mark(*redex);
                        self.out += if *parenthesis { ")" } else { "" };
                        continue;
                    }
                    self.mark(*redex);
                    match self.handlers.get(&(place - 1)).cloned() {
                        Some((handler, _, _)) => place = self.rewriting(place, &handler),
                        None => self.out += latex,
                    }
                }
            }
        }
        self.end_line();
    }

    /// RH(V)⟨ȳ⟩. from the parenthesis on: with handler and values as superscript and subscript. Gives the place
    /// after the values.
    fn rewriting(&mut self, start: usize, handler: &str) -> usize {
        let mut values = String::new();
        let mut length = 0;
        let mut depth = 0_u32;
        let mut place = start;
        while let Some(token) = self.tokens.get(place) {
            place += 1;
            match token {
                Token::Line(_) => {}
                Token::Plain('(', _) if depth == 0 => depth = 1,
                Token::Plain(')', _) if depth == 1 => break,
                Token::Plain(character, _) => {
                    match character {
                        '(' => depth += 1,
                        ')' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    length += 1;
                    values += &plain(*character);
                }
                Token::Piece(_, latex, _) => {
                    length += latex.len();
                    values += latex;
                }
            }
        }
        let values = if length > SUBSCRIPT {
            self.named(values)
        } else {
            values
        };
        // The paper's \rewriterevh{V}{H} has V above and H below.
        self.out += &format!("\\rewriterevh{{{values}}}{{{handler}}}(");
        place
    }

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
            (false, true) => self.out += "\\redex{",
            (true, false) => self.out += "}",
            _ => {}
        }
        self.marked = redex;
    }

    fn end_line(&mut self) {
        self.mark(false);
        if self.open {
            self.out += "}\n";
        }
        self.open = false;
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
