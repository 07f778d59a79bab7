//! `fletch train`: runs the `train` items, with a progress bar while it takes.

use crate::commands::{REJECTED, budget, print_json, with_files};
use fletch_playground::training::{self, Training};
use fletch_playground::{numbers, report};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::process::ExitCode;

/// Steps of one sample.
const STEPS: usize = 1_000_000;

pub(crate) fn train(
    file: &str,
    engine: report::Engine,
    epochs: Option<usize>,
    json: bool,
) -> ExitCode {
    with_files(file, |source, checked, files| {
        source.report_all(&checked.diagnostics);
        let first = checked.diagnostics.iter().find(|found| found.is_error());
        if let Some(first) = first {
            if json {
                print_json(&json!({ "error": report::diagnostic_json(first, &checked.index) }));
            }
            return ExitCode::from(REJECTED);
        }
        // It goes to standard error, and is not there when that is no terminal.
        let bar = if json { ProgressBar::hidden() } else { bar() };
        let steps = budget(STEPS);
        let (training, stopped) = training::train(
            &checked.program,
            files,
            engine,
            epochs,
            steps,
            |so_far, all| {
                bar.set_length(all as u64);
                bar.set_message(measures(so_far));
                bar.set_position(so_far.epochs as u64);
            },
        );
        bar.finish_and_clear();
        if let Some(error) = stopped {
            if json {
                let error = report::diagnostic_json(&error, &checked.index);
                print_json(&json!({ "error": error, "heap": training.heap_json() }));
            }
            source.report_all(&[error]);
            return ExitCode::from(REJECTED);
        }
        if json {
            print_json(&training.json());
        } else {
            print(&training);
        }
        ExitCode::SUCCESS
    })
}

fn bar() -> ProgressBar {
    let template = "{bar:30} epoch {pos} of {len}, {eta} left   {msg}";
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// The last value of each measure.
fn measures(training: &Training) -> String {
    let last = training.measures.iter().filter_map(|(name, values)| {
        let value = numbers::short(*values.last()?);
        Some(format!("{name} {value}"))
    });
    last.collect::<Vec<String>>().join(", ")
}

fn print(training: &Training) {
    println!("{} epochs", training.epochs);
    for (name, values) in &training.measures {
        if let (Some(first), Some(last)) = (values.first(), values.last()) {
            let (first, last) = (numbers::short(*first), numbers::short(*last));
            println!("{name}: {first} → {last}");
        }
    }
}
