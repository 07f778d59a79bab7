//! `fletch train` runs the `train` items, with a progress bar. `fletch plan` prints the compiled passes of the items.

use crate::answer::{REJECTED, complain, print_json, refuse};
use crate::commands::{budget, with_files};
use crate::layers;
use crate::numbers::Numbers;
use crate::weights;
use fletch_ide::diagnostic_json;
use fletch_runs::plans;
use fletch_runs::training::{self, Course, Training};
use fletch_smooth::counted;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Maximum number of steps of one sample.
const STEPS: usize = 1_000_000;

/// Options of a training.
#[derive(Clone, Copy)]
pub(crate) struct Options<'o> {
    pub(crate) engine: fletch_runs::Engine,
    pub(crate) epochs: Option<usize>,
    pub(crate) seconds: Option<f64>,
    pub(crate) load: Option<&'o str>,
    pub(crate) save: Option<&'o str>,
    /// Print statistics of layers and locations at the end.
    pub(crate) layers: bool,
    pub(crate) numbers: Numbers,
    pub(crate) json: bool,
}

/// True after Ctrl-C was pressed.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

pub(crate) fn train(file: &str, options: Options<'_>) -> ExitCode {
    let Options {
        engine,
        epochs,
        seconds,
        load,
        save,
        layers: with_layers,
        numbers,
        json,
    } = options;
    // The first Ctrl-C halts the training, whose heap is then saved; the second ends the process. Without a handler, the first ends it.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    let started = Instant::now();
    let halt = || {
        INTERRUPTED.load(Ordering::Relaxed)
            || seconds.is_some_and(|seconds| started.elapsed().as_secs_f64() >= seconds)
    };
    if let Some(path) = save.filter(|path| weights::overwrites(path, file)) {
        return refuse(weights::overwritten(path));
    }
    with_files(file, |source, checked, files| {
        source.report_run(&checked.diagnostics);
        let first = checked.diagnostics.iter().find(|found| found.is_error());
        if let Some(first) = first {
            if json {
                print_json(&json!({ "error": diagnostic_json(first, &checked.index) }));
            }
            return ExitCode::from(REJECTED);
        }
        if let Some(Err(message)) = save.map(weights::writable) {
            return refuse(message);
        }
        let loaded =
            load.map(|path| weights::load(path, &training::locations(&checked.program, files)));
        let heap = match loaded.transpose() {
            Ok(heap) => heap.unwrap_or_default(),
            Err(message) => return refuse(message),
        };
        // The bar is drawn on standard error, and only on a terminal.
        let bar = if json { ProgressBar::hidden() } else { bar() };
        let course = Course {
            engine,
            epochs,
            budget: budget(STEPS),
            heap: &heap,
            host: Some(fletch_native::host),
            halt: &halt,
        };
        let (training, stopped) =
            training::train(&checked.program, files, course, |so_far, all| {
                bar.set_length(all as u64);
                bar.set_message(measures(so_far));
                bar.set_position(so_far.epochs as u64);
            });
        bar.finish_and_clear();
        for unseen in &training.unseen {
            eprintln!("fletch: {unseen}");
        }
        let saved = match save.filter(|_| training.began) {
            Some(path) => weights::save(path, &training.heap),
            None => Ok(()),
        };
        if let Some(error) = stopped {
            if json {
                let error = diagnostic_json(&error, &checked.index);
                print_json(&json!({ "error": error, "heap": training.heap_json() }));
            } else if training.began {
                print(&training, ", stopped", numbers);
            }
            source.report_all(&[error]);
            if let (Some(path), true, Ok(())) = (save, training.began, &saved) {
                eprintln!("fletch: {path} has the heap from before it stopped");
            }
            if let Err(message) = saved {
                complain(message);
            }
            return ExitCode::from(REJECTED);
        }
        let figures = match with_layers {
            true => layers::figures(&checked.program, files, &training.heap),
            false => Ok(Vec::new()),
        };
        let figures = match figures {
            Ok(figures) => figures,
            Err(error) => {
                source.report_all(&[*error]);
                return ExitCode::from(REJECTED);
            }
        };
        if json {
            let mut result = training.json();
            if let (true, Some(entries)) = (with_layers, result.as_object_mut()) {
                entries.insert("layers".to_owned(), layers::json(&figures));
            }
            print_json(&result);
        } else {
            print(&training, halted(&training), numbers);
            layers::print(&figures, numbers);
        }
        for (name, first, last) in training.diverged() {
            let (first, last) = (Numbers::Reader.short(first), Numbers::Reader.short(last));
            eprintln!(
                "fletch: the training has diverged: `{name}` has gone from {first} to {last}; smaller steps may keep it near"
            );
        }
        match saved {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => refuse(message),
        }
    })
}

pub(crate) fn plan(file: &str, json: bool) -> ExitCode {
    with_files(file, |source, checked, files| {
        source.report_run(&checked.diagnostics);
        let first = checked.diagnostics.iter().find(|found| found.is_error());
        let plans = match first {
            Some(first) => Err(first.clone()),
            None => plans::plans(&checked.program, files).map_err(|error| {
                source.report_all(std::slice::from_ref(&error));
                *error
            }),
        };
        match plans {
            Err(error) => {
                if json {
                    let error = diagnostic_json(&error, &checked.index);
                    print_json(&json!({ "error": error }));
                }
                return ExitCode::from(REJECTED);
            }
            Ok(plans) if json => print_json(&plans::json(&plans)),
            Ok(plans) => {
                // A closed pipe is no failure: its reader has seen enough.
                let _ = std::io::stdout().write_all(listed(&plans).as_bytes());
            }
        }
        ExitCode::SUCCESS
    })
}

fn listed(plans: &[Vec<plans::Pass>]) -> String {
    let mut text = String::new();
    for (number, passes) in plans.iter().enumerate() {
        for pass in passes {
            let counts = pass.counts;
            text.push_str(&format!(
                "== train {}, {}: {}\n   {}, {}, {}, {}\n",
                number + 1,
                pass.name,
                pass.does,
                counted(counts.statements, "statement"),
                counted(counts.buffers, "buffer"),
                counted(counts.bytes, "byte"),
                counted(counts.operations, "operation"),
            ));
            for line in &pass.listing {
                text.push_str(line);
                text.push('\n');
            }
            text.push('\n');
        }
    }
    text
}

fn bar() -> ProgressBar {
    let template = "{bar:30} epoch {pos} of {len}, {eta} left   {msg}";
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// The last value of each measure.
fn measures(training: &Training) -> String {
    let last = training.measures.iter().filter_map(|(name, values)| {
        let value = Numbers::Reader.short(*values.last()?);
        Some(format!("{name} {value}"))
    });
    last.collect::<Vec<String>>().join(", ")
}

fn halted(training: &Training) -> &'static str {
    if training.halted { ", halted" } else { "" }
}

fn print(training: &Training, ended: &str, numbers: Numbers) {
    let precision = match training.precision {
        fletch_runs::Precision::Single => ", in single precision (f32)",
        fletch_runs::Precision::Double => "",
    };
    let epochs = counted(training.epochs, "epoch");
    say!("{epochs}{ended}{precision}");
    for (name, values) in &training.measures {
        match values.as_slice() {
            [] => {}
            [only] => say!("{name}: {}", numbers.short(*only)),
            [first, .., last] => {
                say!(
                    "{name}: {} → {}",
                    numbers.short(*first),
                    numbers.short(*last)
                );
            }
        }
    }
}
