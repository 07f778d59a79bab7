//! `fletch train --check`: reports if the steps of `train` items are gradient descent, and in which entries they are not.

use crate::answer::{REJECTED, print_json, refuse};
use crate::commands::with_files;
use crate::weights;
use fletch_ide::diagnostic_json;
use fletch_runs::check::{self, Check, Checked, NotChecked, Settings, Verdict};
use fletch_runs::generated::Host;
use fletch_runs::training;
use serde_json::json;
use std::io::Write;
use std::num::NonZero;
use std::process::ExitCode;

/// How a check is made.
#[derive(clap::Args)]
pub(crate) struct Differences {
    /// Check this `train` item alone: its number from 1, its data set, or a handler that it uses.
    #[arg(long, value_name = "ITEM", requires = "check", value_parser = crate::name)]
    pub(crate) item: Option<String>,
    /// Check against this measure alone; else against all that are taken of the same samples.
    #[arg(long, value_name = "NAME", requires = "check", value_parser = crate::name)]
    measure: Option<String>,
    /// The step of the central differences, times the larger of 1 and |w|. Near the cube root of the precision, 6e-6, the errors of
    /// curvature and of rounding are least.
    #[arg(long, value_name = "H", default_value_t = 1e-5, requires = "check")]
    step: f64,
    /// How far a change may be from the gradient's, as a part of the largest change of its location.
    #[arg(long, value_name = "T", default_value_t = 1e-5, requires = "check")]
    tolerance: f64,
    /// How many steps to look at, each from the heap that the one before leaves.
    #[arg(long, value_name = "N", default_value = "3", requires = "check")]
    steps: NonZero<usize>,
}

impl Differences {
    pub(crate) fn settings(self) -> Settings {
        Settings {
            step: self.step,
            tolerance: self.tolerance,
            steps: self.steps.get(),
            first: 0,
            measure: self.measure,
        }
    }
}

pub(crate) fn check(
    file: &str,
    settings: &Settings,
    item: Option<&str>,
    load: Option<&str>,
    json: bool,
) -> ExitCode {
    with_files(file, |source, checked, files| {
        source.report_run(&checked.diagnostics);
        let first = checked.diagnostics.iter().find(|found| found.is_error());
        if let Some(first) = first {
            if json {
                print_json(&json!({ "error": diagnostic_json(first, &checked.index) }));
            }
            return ExitCode::from(REJECTED);
        }
        let program = &checked.program;
        let loaded = load.map(|path| weights::load(path, &training::locations(program, files)));
        let heap = match loaded.transpose() {
            Ok(heap) => heap.unwrap_or_default(),
            Err(message) => {
                return refuse(message);
            }
        };
        let items = check::items(program, source.text, &checked.index);
        let wanted = match item.map(|item| check::asked(&items, item)) {
            // Without items, one check is started and reports their absence.
            None => Ok((0..items.len().max(1)).collect()),
            Some(wanted) => wanted,
        };
        let wanted: Vec<usize> = match wanted {
            Ok(wanted) => wanted,
            Err(message) => return refuse(message),
        };
        let mut checks = Vec::new();
        for number in wanted {
            let (settings, host) = (settings.clone(), Some(fletch_native::host as Host));
            match Check::new(program, files, &heap, number, settings, host) {
                Ok(mut check) => {
                    check.advance(&|| true);
                    let item = items.get(number).cloned();
                    checks.extend(item.map(|item| (item, check.checked())));
                }
                Err(NotChecked::Asked(message)) => {
                    return refuse(message);
                }
                Err(NotChecked::Stopped(error)) => {
                    if json {
                        let error = diagnostic_json(&error, &checked.index);
                        print_json(&json!({ "error": error }));
                    }
                    source.report_all(&[*error]);
                    return ExitCode::from(REJECTED);
                }
            }
        }
        if json {
            print_json(&check::json(&checks));
        } else {
            let text: Vec<String> = checks
                .iter()
                .map(|(item, check)| {
                    format!("{}\n{}", item.title(), check::lines(check).join("\n"))
                })
                .collect();
            // A closed pipe is no failure: its reader has seen enough.
            let _ = writeln!(std::io::stdout(), "{}", text.join("\n\n"));
        }
        match checks.iter().all(|(_, check)| is_descent(check)) {
            true => ExitCode::SUCCESS,
            false => ExitCode::from(REJECTED),
        }
    })
}

/// True if an item is gradient descent on a measure.
fn is_descent(checked: &Checked) -> bool {
    let mut against = checked.against.iter();
    against.any(|against| matches!(against.verdict, Verdict::Descent(_)))
}
