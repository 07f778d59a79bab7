//! The subcommands `check`, `run` and `trace`, and the reading of programs for all subcommands.

use crate::answer::{self, REJECTED, print_json, refuse};
use crate::numbers::Numbers;
use crate::render::Source;
use crate::weights;
use fletch_elaborate::Files;
use fletch_ide::{Checked, NotText, diagnostic_json, place};
use fletch_print::numbers::Digits;
use fletch_reduction::Setting;
use fletch_runs::{Cells, Engine, Outcome, ending};
use fletch_smooth::{Partiality, counted};
use fletch_syntax::LineIndex;
use fletch_trace::{Budget, Status, Trace};
use fletch_transcript::steps::StepText;
use serde_json::json;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::Instant;

/// The budget of a run on a workstation: `steps`, ten minutes and 2 GiB.
pub(crate) fn budget(steps: usize) -> Budget {
    fn now() -> f64 {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1000.0
    }
    Budget {
        steps,
        milliseconds: 600_000.0,
        bytes: 2 << 30,
        now,
        memory: || crate::MEMORY.current_usage(),
    }
}

pub(crate) fn check(file: &str, json: bool) -> ExitCode {
    with_program(file, |source, checked| {
        if json {
            print_json(&checked.json());
        } else {
            source.report_all(&checked.diagnostics);
            if let Some(main) = &checked.main {
                say!(
                    "main : {}   depth {}, size {}",
                    main.program.ty,
                    main.depth,
                    main.size
                );
            }
        }
        ExitCode::from(if checked.rejected() { REJECTED } else { 0 })
    })
}

/// Maximum number of steps printed if no last step is given, since each is a state as text.
const TRACED: usize = 20_000;
/// Maximum number of bytes printed if no last step is given. The step that exceeds it is still printed to its end.
const PRINTED: usize = 16_000_000;

/// Options of a run.
pub(crate) struct Options<'o> {
    pub(crate) engine: Engine,
    pub(crate) mode: Partiality,
    /// Maximum number of steps.
    pub(crate) limit: usize,
    pub(crate) load: Option<&'o str>,
    pub(crate) numbers: Numbers,
    pub(crate) json: bool,
}

pub(crate) fn run(file: &str, options: &Options<'_>) -> ExitCode {
    let Options {
        engine,
        mode,
        limit,
        load,
        numbers,
        json,
    } = *options;
    with_program(file, |source, checked| {
        let Some(main) = runnable(source, checked, json) else {
            return ExitCode::from(REJECTED);
        };
        let mut program = main.program.clone();
        if let Some(path) = load {
            let names = program
                .locations
                .iter()
                .map(|location| location.name.to_string());
            let cells: Cells = names.zip(program.initial.iter().cloned()).collect();
            let loaded = match weights::load(path, &cells) {
                Ok(loaded) => loaded,
                Err(message) => return refuse(message),
            };
            for (initial, (name, _)) in program.initial.iter_mut().zip(&cells) {
                if let Some((_, contents)) = loaded.iter().find(|(other, _)| other == name) {
                    *initial = contents.clone();
                }
            }
        }
        let run = match fletch_runs::run_by(engine, &program, mode, budget(limit)) {
            Ok(run) => run,
            Err(fault) => {
                let error = fletch_runs::without_arrow(&fault, &program, mode, limit);
                if json {
                    print_json(&json!({ "error": diagnostic_json(&error, &checked.index) }));
                }
                source.report_all(&[error]);
                return ExitCode::from(REJECTED);
            }
        };
        if json {
            print_json(&run.json(&program, &checked.index));
        } else {
            if let Outcome::Value(value) = &run.outcome {
                say!("{}", numbers.value(value));
            }
            for (location, contents) in program.locations.iter().zip(run.heap.contents()) {
                let entries: Vec<String> = contents
                    .data()
                    .iter()
                    .map(|entry| numbers.short(*entry))
                    .collect();
                say!(
                    "{} : {} = [{}]",
                    location.name,
                    contents.shape(),
                    entries.join(", ")
                );
            }
            if let Some(steps) = &run.steps {
                eprintln!("{}", counted(steps.reductions, "reduction"));
            }
            source.report_all(run.error(&program).as_slice());
        }
        match run.outcome {
            Outcome::Value(_) => ExitCode::SUCCESS,
            Outcome::Stuck(_) | Outcome::Exhausted(_) => ExitCode::from(REJECTED),
        }
    })
}

/// Range of steps to print, counted from 1, with both ends included.
#[derive(Clone, Copy)]
pub(crate) struct Range {
    pub(crate) from: usize,
    /// `None` if no last step is given. The output is then limited.
    pub(crate) to: Option<usize>,
}

pub(crate) fn trace(file: &str, range: Range, shortcuts: bool, json: bool) -> ExitCode {
    let Range { from, to } = range;
    if let Some(to) = to.filter(|to| *to < from) {
        return refuse(format!(
            "there are no steps from {from} to {to}: `--from` is the first one, `--to` the last"
        ));
    }
    with_program(file, |source, checked| {
        let Some(main) = runnable(source, checked, json) else {
            return ExitCode::from(REJECTED);
        };
        let partiality = Partiality::Paper;
        let setting = Setting {
            partiality,
            shortcuts,
        };
        let mut trace = Trace::new(&main.program, setting);
        // All states are kept in memory, so without a last step their number is limited.
        let most = to.unwrap_or(from.saturating_add(TRACED - 1));
        let last = to.unwrap_or(usize::MAX);
        if let Some(limit) = trace.run(last, &budget(most)) {
            trace.exhaust(limit);
        }
        // With --json each step that is printed is a JSON value of its own.
        if trace.len() >= from {
            answer::begin();
        }
        let mut output = io::BufWriter::new(io::stdout().lock());
        let mut printed = 0;
        let mut cut = None;
        let digits = match json {
            true => Digits::Exact,
            false => Digits::Clean,
        };
        let texts = fletch_transcript::steps::steps(&trace, from, last, digits);
        // A closed pipe is no failure: its reader has seen enough.
        let mut lines = texts.map_while(|text| {
            if cut.is_some() {
                return None;
            }
            let line = match json {
                true => format!("{}\n", text.json()),
                false => in_words(&text),
            };
            printed += line.len();
            cut = (to.is_none() && printed > PRINTED).then_some(text.number);
            Some(line)
        });
        let written = lines.try_for_each(|line| output.write_all(line.as_bytes()));
        let _ = written.and_then(|()| output.flush());
        drop(output);
        let span = place::span(main.program.main.origin());
        let cut = cut.filter(|last| *last < trace.len());
        let failure = match (trace.status(), cut) {
            (_, Some(step)) => Some(ending::cut(step, PRINTED, shortcuts, span)),
            (Status::Stuck(blocked), None) => Some(fletch_runs::stuck_at(
                &blocked.stuck,
                &main.program,
                setting,
            )),
            (Status::Exhausted(limit), None) => {
                // The hint does not suggest the compiled engine, which has no steps to print.
                let error = ending::exhausted(*limit, shortcuts, false, span);
                Some(ending::ranged(error, shortcuts))
            }
            (Status::Running | Status::Value(_), None) => None,
        };
        if let Some(diagnostic) = failure {
            source.report_all(std::slice::from_ref(&diagnostic));
            if json {
                let error = diagnostic_json(&diagnostic, &checked.index);
                print_json(&json!({ "error": error }));
            }
            return ExitCode::from(REJECTED);
        }
        if trace.len() < from {
            return refuse(format!(
                "the run has {}: there is no step {from}",
                counted(trace.len(), "step")
            ));
        }
        ExitCode::SUCCESS
    })
}

/// Formats a step as text for a person.
fn in_words(text: &StepText<'_>) -> String {
    let sign = if text.step.reduces() { "→" } else { "=" };
    let rule = text.step.action.rule().name();
    let StepText {
        number,
        explanation,
        command,
        ..
    } = text;
    format!("{number:>5} {sign} {rule}: {explanation}\n{command}\n\n")
}

/// Returns `main`, or reports the diagnostics that keep it from running and returns `None`.
fn runnable<'c>(
    source: &Source<'_>,
    checked: &'c Checked,
    json: bool,
) -> Option<&'c fletch_elaborate::Main> {
    let first = match checked.runnable(source.text) {
        Ok(main) => {
            source.report_run(&checked.diagnostics);
            return Some(main);
        }
        Err(first) => *first,
    };
    if json {
        print_json(&json!({ "error": diagnostic_json(&first, &checked.index) }));
    }
    if checked.rejected() {
        source.report_run(&checked.diagnostics);
    } else {
        source.report_all(&[first]);
    }
    None
}

pub(crate) fn with_program(
    file: &str,
    body: impl FnOnce(&Source<'_>, &Checked) -> ExitCode,
) -> ExitCode {
    with_files(file, |source, checked, _| body(source, checked))
}

/// As `with_program`, and passes `body` the data files that the program names, read from its folder.
pub(crate) fn with_files(
    file: &str,
    body: impl FnOnce(&Source<'_>, &Checked, &Files) -> ExitCode,
) -> ExitCode {
    let bytes = match read(file) {
        Ok(bytes) => bytes,
        Err(message) => return refuse(message),
    };
    let (text, files, checked) = fletch_ide::check_bytes(bytes, |names| {
        // A program on standard input has its data files in the current folder.
        let folder = Path::new(file).parent().unwrap_or(Path::new(""));
        fletch_ide::data_files::files(folder, names)
    });
    let source = Source::new(titled(file), &text);
    let code = body(&source, &checked, &files);
    source.point_to_pages();
    code
}

/// The name of a file in messages.
pub(crate) fn titled(file: &str) -> &str {
    match file {
        "-" => "standard input",
        file => file,
    }
}

/// Reads the text of a program, without a check.
///
/// # Errors
/// The outer error is a message about a file that cannot be read; the inner error describes a file that is no text.
pub(crate) fn program(file: &str) -> Result<Result<String, NotText>, String> {
    Ok(fletch_ide::text(read(file)?))
}

/// As `program`, for a command that reads nothing else. A failure is reported and returned as the exit code.
pub(crate) fn text(file: &str, json: bool) -> Result<String, ExitCode> {
    match program(file) {
        Ok(Ok(text)) => Ok(text),
        Ok(Err(NotText { text, error })) => {
            if json {
                let error = diagnostic_json(&error, &LineIndex::new(&text));
                print_json(&json!({ "error": error }));
            }
            let source = Source::new(titled(file), &text);
            source.report_all(&[*error]);
            source.point_to_pages();
            Err(ExitCode::from(REJECTED))
        }
        Err(message) => Err(refuse(message)),
    }
}

/// The bytes of a file; `-` is standard input.
///
/// # Errors
/// A message, if the file cannot be read.
pub(crate) fn read(file: &str) -> Result<Vec<u8>, String> {
    if file != "-" {
        return std::fs::read(file).map_err(|error| format!("cannot read {file}: {error}"));
    }
    let mut bytes = Vec::new();
    match io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => Err(format!("cannot read standard input: {error}")),
    }
}
