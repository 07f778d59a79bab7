//! Text → everything there is to say about it: parsing and elaboration together.

use crate::consequences::Broken;
use fletch_elaborate::{Elaboration, Entry, Main, Occurrence, elaborate, outline};
use fletch_syntax::{Diagnostic, LineIndex, Reading, Span, read, tree};

/// A program as text, with everything there is to say about it.
pub struct Checked {
    /// In order of place.
    pub diagnostics: Vec<Diagnostic>,
    /// Its declarations.
    pub outline: Vec<Entry>,
    /// `main`, if it has a type.
    pub main: Option<Main>,
    /// Places as lines and columns.
    pub index: LineIndex,
    /// The text as it was read.
    pub program: tree::Program,
    /// Whether all of it could be read.
    pub whole: bool,
    /// Its names, in order of place.
    pub names: Vec<Occurrence>,
}

/// Parses and checks.
pub fn check(source: &str) -> Checked {
    let reading = read(source, fletch_smooth::symbols());
    let broken = reading.diagnostics.iter().any(Diagnostic::is_error);
    let Elaboration {
        mut findings,
        main,
        names,
    } = elaborate(&reading.program);
    // Where the text is broken, a declaration may be missing: what follows from that is not said.
    let text = Broken::of(source, &reading);
    findings.retain(|found| !broken || text.leaves_standing(found));
    let Reading {
        program,
        mut diagnostics,
        ..
    } = reading;
    diagnostics.extend(findings.into_iter().map(|found| found.diagnostic));
    Diagnostic::sort(&mut diagnostics, |one, other| {
        one.span.start.cmp(&other.span.start)
    });
    Checked {
        diagnostics,
        outline: outline(&program),
        main: main.filter(|_| !broken),
        index: LineIndex::new(source),
        program,
        whole: !broken,
        names,
    }
}

/// The same for the contents of a file, which may be no text: then that is all there is to say. Gives the
/// text too, with `\u{fffd}` for what is none.
pub fn check_bytes(bytes: Vec<u8>) -> (String, Checked) {
    let error = match String::from_utf8(bytes) {
        Ok(source) => {
            let checked = check(&source);
            return (source, checked);
        }
        Err(error) => error,
    };
    // Before this byte nothing is replaced, so places in the text are places in the file.
    let at = error.utf8_error().valid_up_to();
    let source = String::from_utf8_lossy(error.as_bytes()).into_owned();
    let index = LineIndex::new(&source);
    let span = Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8());
    let (line, column) = index.line_column(span.start);
    let message = format!("byte {at}, in line {line} at column {column}, is not UTF-8");
    let diagnostic = Diagnostic::error("F0007", span, message)
        .hint("save the file as UTF-8; editors offer that as an encoding");
    let checked = Checked {
        diagnostics: vec![diagnostic],
        outline: Vec::new(),
        main: None,
        index,
        program: tree::Program::default(),
        whole: false,
        names: Vec::new(),
    };
    (source, checked)
}

impl Checked {
    /// Whether the program is rejected.
    pub fn rejected(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
