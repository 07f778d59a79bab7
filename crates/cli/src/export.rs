//! `fletch export`: a program in another language.

use crate::answer::{REJECTED, print_json, refuse};
use crate::commands::with_files;
use crate::weights;
use fletch_ide::diagnostic_json;
use fletch_runs::export;
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;

/// Writes a program as a module of Python with JAX, to standard output or to a file.
pub(crate) fn python(file: &str, out: Option<&str>, json: bool) -> ExitCode {
    if let Some(path) = out.filter(|path| weights::overwrites(path, file)) {
        return refuse(weights::overwritten(path));
    }
    with_files(file, |source, checked, files| {
        source.report_run(&checked.diagnostics);
        let first = checked.diagnostics.iter().find(|found| found.is_error());
        let exported = match first {
            Some(first) => Err(first.clone()),
            None => export::python(&checked.program, files, source.text).map_err(|error| {
                source.report_all(std::slice::from_ref(&error));
                *error
            }),
        };
        let text = match exported {
            Ok(text) => text,
            Err(error) => {
                if json {
                    let error = diagnostic_json(&error, &checked.index);
                    print_json(&json!({ "error": error }));
                }
                return ExitCode::from(REJECTED);
            }
        };
        if let Some(path) = out {
            if let Err(error) = std::fs::write(path, &text) {
                return refuse(format!("cannot write {path}: {error}"));
            }
            if json {
                print_json(&json!({ "language": "jax", "file": path }));
            }
        } else if json {
            print_json(&json!({ "language": "jax", "module": text }));
        } else {
            // A closed pipe is no failure: its reader has seen enough.
            let _ = std::io::stdout().write_all(text.as_bytes());
        }
        ExitCode::SUCCESS
    })
}
