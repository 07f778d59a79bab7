//! `fletch fmt`: formats programs, in place.

use crate::answer::{REJECTED, USAGE, complain, print_json, refuse};
use crate::commands::{program, titled};
use crate::render::Source;
use fletch_ide::{NotText, diagnostic_json};
use fletch_smooth::symbols;
use fletch_syntax::{Diagnostic, LineIndex, Spelling, format_file};
use serde_json::{Value as Json, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Options of the formatter.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    /// Write nothing, and report the programs that are not formatted.
    pub(crate) check: bool,
    pub(crate) spelling: Spelling,
    pub(crate) json: bool,
}

/// Result of formatting one program.
enum Outcome {
    /// The program was formatted already.
    Unchanged,
    /// The program was not formatted. The field is its formatted text.
    Changed(String),
    Rejected(Vec<Diagnostic>),
    /// The file could not be read or written.
    Failed(String),
}

/// Formats every file; `-` is standard input, whose layout goes to standard output.
pub(crate) fn fmt(files: &[String], options: Options) -> ExitCode {
    if files.iter().filter(|file| *file == "-").count() > 1 {
        return refuse("standard input, `-`, can be read once");
    }
    let mut worst = 0;
    let mut report = Vec::new();
    for file in files {
        let (source, outcome) = match program(file) {
            Ok(Ok(source)) => {
                let outcome = fmt_file(file, &source, options);
                (source, outcome)
            }
            Ok(Err(NotText { text, error })) => (text, Outcome::Rejected(vec![*error])),
            Err(message) => (String::new(), Outcome::Failed(message)),
        };
        worst = worst.max(tell(file, &source, &outcome, options));
        report.push(entry(file, &source, &outcome));
    }
    if options.json {
        print_json(&json!({ "files": report }));
    }
    ExitCode::from(worst)
}

fn fmt_file(file: &str, source: &str, options: Options) -> Outcome {
    let formatted = match format_file(source, options.spelling, symbols()) {
        Ok(formatted) => formatted,
        Err(diagnostics) => return Outcome::Rejected(diagnostics),
    };
    if formatted == source {
        return Outcome::Unchanged;
    }
    if !options.check
        && file != "-"
        && let Err(error) = replace(Path::new(file), &formatted)
    {
        return Outcome::Failed(format!("cannot write {file}: {error}"));
    }
    Outcome::Changed(formatted)
}

/// Reports the outcome of a file to a person. Returns the exit code for it.
fn tell(file: &str, source: &str, outcome: &Outcome, options: Options) -> u8 {
    let name = titled(file);
    match outcome {
        Outcome::Failed(error) => {
            complain(error);
            USAGE
        }
        Outcome::Rejected(diagnostics) => {
            let source = Source::new(name, source);
            source.report_all(diagnostics);
            source.point_to_pages();
            REJECTED
        }
        Outcome::Changed(_) if options.check => {
            eprintln!("{name} is not formatted");
            REJECTED
        }
        Outcome::Changed(_) | Outcome::Unchanged if options.check || options.json => 0,
        Outcome::Changed(text) if file == "-" => print(text),
        Outcome::Unchanged if file == "-" => print(source),
        _ => 0,
    }
}

fn print(text: &str) -> u8 {
    // A closed pipe is no failure: its reader has seen enough.
    let _ = io::stdout().lock().write_all(text.as_bytes());
    0
}

/// JSON of an outcome: `{"file", "changed", "text"?, "diagnostics"}`, or `{"file", "error": {"message"}}`. Standard input alone has a
/// `text`, since its result is written to no file.
fn entry(file: &str, source: &str, outcome: &Outcome) -> Json {
    let (changed, text) = match outcome {
        Outcome::Failed(error) => {
            return json!({ "file": file, "error": { "message": error } });
        }
        Outcome::Rejected(diagnostics) => {
            let index = LineIndex::new(source);
            let diagnostics = diagnostics.iter();
            let diagnostics: Vec<Json> = diagnostics
                .map(|diagnostic| diagnostic_json(diagnostic, &index))
                .collect();
            return json!({ "file": file, "changed": false, "diagnostics": diagnostics });
        }
        Outcome::Changed(text) => (true, text.as_str()),
        Outcome::Unchanged => (false, source),
    };
    if file == "-" {
        json!({ "file": file, "changed": changed, "text": text, "diagnostics": [] })
    } else {
        json!({ "file": file, "changed": changed, "diagnostics": [] })
    }
}

/// Replaces the contents of a file by `text`, as a whole or not at all. The file keeps its permissions, and a link stays a link.
pub(crate) fn replace(file: &Path, text: &str) -> io::Result<()> {
    let file = file.canonicalize()?;
    let permissions = file.metadata()?.permissions();
    // A rename would also replace a file without permission to write, so this is tested first.
    std::fs::OpenOptions::new().write(true).open(&file)?;
    let (sibling, mut writer) = new_sibling(&file)?;
    let written = writer
        .write_all(text.as_bytes())
        .and_then(|()| writer.sync_all())
        .and_then(|()| std::fs::set_permissions(&sibling, permissions))
        .and_then(|()| std::fs::rename(&sibling, &file));
    if written.is_err() {
        // The first error is the one to report.
        let _ = std::fs::remove_file(&sibling);
    }
    written
}

/// Creates a new file in the folder of `file`, so that it can be renamed to `file`.
fn new_sibling(file: &Path) -> io::Result<(PathBuf, std::fs::File)> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    for attempt in 0_u32.. {
        let name = format!(".{name}.{}-{attempt}", std::process::id());
        let sibling = file.with_file_name(name);
        match std::fs::File::create_new(&sibling) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => {}
            Err(error) => return Err(error),
            Ok(writer) => return Ok((sibling, writer)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
