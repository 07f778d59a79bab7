//! `fletch predict`: what a `predict` item gives, from a heap that was trained.

use crate::commands::{REJECTED, USAGE, print_json, value_text, with_files};
use crate::weights;
use fletch_playground::predictions::{self, NotPredicted};
use fletch_playground::{Value, report, training};
use serde_json::json;
use std::io::{IsTerminal, Read};
use std::process::ExitCode;

pub(crate) fn predict(
    file: &str,
    name: &str,
    precision: report::Precision,
    load: Option<&str>,
    json: bool,
) -> ExitCode {
    let inputs = if file == "-" { None } else { typed() };
    with_files(file, |source, checked, files| {
        source.report_all(&checked.diagnostics);
        let first = checked.diagnostics.iter().find(|found| found.is_error());
        if let Some(first) = first {
            if json {
                print_json(&json!({ "error": report::diagnostic_json(first, &checked.index) }));
            }
            return ExitCode::from(REJECTED);
        }
        let program = &checked.program;
        let loaded = load.map(|path| weights::load(path, &training::locations(program, files)));
        let heap = match loaded.transpose() {
            Ok(heap) => heap.unwrap_or_default(),
            Err(message) => {
                eprintln!("fletch: {message}");
                return ExitCode::from(USAGE);
            }
        };
        match predictions::predict(program, files, name, &heap, inputs.as_deref(), precision) {
            Ok(predicted) if json => print_json(&predictions::json(&predicted)),
            Ok(predicted) => {
                if precision == report::Precision::Single {
                    eprintln!("fletch: computed in single precision (f32)");
                }
                for one in predicted {
                    let inputs = match &one.input {
                        Value::Tuple(inputs) => inputs.iter().map(value_text).collect(),
                        Value::Real(_) => vec![value_text(&one.input)],
                    };
                    say!("{} ↦ {}", inputs.join(", "), value_text(&one.value));
                }
            }
            Err(NotPredicted::Asked(message)) => {
                eprintln!("fletch: {message}");
                return ExitCode::from(USAGE);
            }
            Err(NotPredicted::Stopped(error)) => {
                if json {
                    let error = report::diagnostic_json(&error, &checked.index);
                    print_json(&json!({ "error": error }));
                }
                source.report_all(&[*error]);
                return ExitCode::from(REJECTED);
            }
        }
        ExitCode::SUCCESS
    })
}

/// What is on standard input, if that is no terminal and has something.
fn typed() -> Option<String> {
    let mut input = std::io::stdin();
    if input.is_terminal() {
        return None;
    }
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    (!text.trim().is_empty()).then_some(text)
}
