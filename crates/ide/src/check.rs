//! Checks a text: parses and elaborates it, and keeps only those quick fixes that help.

use crate::examination::{Examined, examine};
use crate::fixes::keep_helpful;
use fletch_elaborate::{Entry, Files, Main, Occurrence, file_names, outline};
use fletch_syntax::{Diagnostic, LineIndex, Span, parse, tree};
use std::rc::Rc;

/// A checked program: its diagnostics, its names and its `main`.
pub struct Checked {
    /// The diagnostics, in the order of their positions.
    pub diagnostics: Vec<Diagnostic>,
    /// The declarations of the program.
    pub outline: Vec<Entry>,
    /// `main`, if it has a type.
    pub main: Option<Main>,
    /// Converts byte offsets to lines and columns.
    pub index: LineIndex,
    /// The syntax tree, as far as the text could be read.
    pub program: Rc<tree::Program>,
    /// True if the text has no syntax error, so that all of it was read.
    pub whole: bool,
    /// Occurrences of names, in the order of their positions.
    pub names: Rc<[Occurrence]>,
}

/// Parses and checks a text. Does not report anything about the files of data sets.
pub fn check(source: &str) -> Checked {
    checked(source, None)
}

/// As [`check`], but also checks the files of the program's data sets.
pub fn check_with_files(source: &str, files: &Files) -> Checked {
    checked(source, Some(files))
}

fn checked(source: &str, files: Option<&Files>) -> Checked {
    let mut examined = examine(source, files);
    keep_helpful(source, files, &mut examined);
    let Examined {
        diagnostics,
        main,
        program,
        whole,
        names,
        ..
    } = examined;
    Checked {
        diagnostics,
        outline: outline(&program),
        main,
        index: LineIndex::new(source),
        program: Rc::new(program),
        whole,
        names: names.into(),
    }
}

/// The names of the files that hold data sets of a program, each once.
pub fn files(source: &str) -> Vec<String> {
    let (program, _) = parse(source, fletch_smooth::symbols());
    files_of(&program)
}

/// As [`files`], for a parsed program.
pub fn files_of(program: &tree::Program) -> Vec<String> {
    let mut names = Vec::new();
    for name in file_names(program) {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// A file that is no program, since its contents are no UTF-8 text.
pub struct NotText {
    /// The text, with `\u{fffd}` for bytes that are no UTF-8.
    pub text: String,
    /// F0007, located in that text.
    pub error: Box<Diagnostic>,
}

/// The text of a program in these bytes.
///
/// # Errors
/// If the bytes are no UTF-8, or are UTF-16. ASCII in UTF-16 is valid UTF-8 with zero bytes, so UTF-16 is detected separately.
pub fn text(bytes: Vec<u8>) -> Result<String, NotText> {
    let wide = match bytes.as_slice() {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [first, 0, second, 0, ..] | [0, first, 0, second, ..] => *first != 0 && *second != 0,
        _ => false,
    };
    let not_text = |text: String, at: usize, message: String, hint: &str| {
        let length = text.get(at..).and_then(|rest| rest.chars().next());
        let span = Span::new(at, at + length.map_or(0, char::len_utf8));
        let error = Box::new(Diagnostic::error("F0007", span, message).hint(hint));
        NotText { text, error }
    };
    if wide {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let message = "the file is in UTF-16, and a program is in UTF-8".to_owned();
        let hint = "save it as UTF-8; editors offer that as an encoding";
        return Err(not_text(text, 0, message, hint));
    }
    String::from_utf8(bytes).map_err(|error| {
        // Nothing before this byte is replaced, so it is at the same offset in the text as in the file.
        let at = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let (line, column) = LineIndex::new(&text).line_column(Span::new(at, at).start);
        let message = format!("byte {at}, in line {line} at column {column}, is not UTF-8");
        let hint = "save the file as UTF-8; editors offer that as an encoding";
        not_text(text, at, message, hint)
    })
}

/// Checks the contents of a file; also returns its text and the files of its data sets. A file that is no text has the diagnostic F0007 and
/// no other. `find` returns the files of these names, as far as they exist.
pub fn check_bytes(
    bytes: Vec<u8>,
    find: impl FnOnce(&[&str]) -> Files,
) -> (String, Files, Checked) {
    let NotText { text, error } = match text(bytes) {
        Ok(source) => {
            let (program, _) = parse(&source, fletch_smooth::symbols());
            let files = find(&file_names(&program));
            let checked = check_with_files(&source, &files);
            return (source, files, checked);
        }
        Err(not_text) => not_text,
    };
    let checked = Checked {
        diagnostics: vec![*error],
        outline: Vec::new(),
        main: None,
        index: LineIndex::new(&text),
        program: Rc::default(),
        whole: false,
        names: Rc::default(),
    };
    (text, Files::default(), checked)
}

impl Checked {
    /// True if the program is rejected.
    pub fn rejected(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
