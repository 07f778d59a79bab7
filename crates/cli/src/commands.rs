//! The subcommands.

use crate::answer::{self, REJECTED, print_json, refuse};
use crate::numbers::{Numbers, counted};
use crate::render::Source;
use crate::weights;
use fletch_elaborate::{FILE_LIMIT, Files};
use fletch_ide::{Checked, diagnostic_json, place};
use fletch_print::numbers::Digits;
use fletch_reduction::Setting;
use fletch_runs::{Cells, Engine, Outcome, ending};
use fletch_smooth::Partiality;
use fletch_syntax::nfc;
use fletch_trace::{Budget, Status, Trace};
use serde_json::json;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::Instant;

/// The budget of a run on a workstation.
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

/// So many steps are printed where no last one is asked for: each is a state as text.
const TRACED: usize = 20_000;

/// How a program is run.
pub(crate) struct Options<'o> {
    pub(crate) engine: Engine,
    pub(crate) mode: Partiality,
    /// Steps at most.
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
                let error = ending::no_arrow(&fault);
                if json {
                    print_json(&json!({ "error": diagnostic_json(&error, &checked.index) }));
                }
                source.report_all(&[error]);
                return ExitCode::from(REJECTED);
            }
        };
        let error = run.error(&program);
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
            source.report_all(error.as_slice());
        }
        ExitCode::from(if error.is_some() { REJECTED } else { 0 })
    })
}

pub(crate) fn trace(file: &str, from: usize, to: usize, shortcuts: bool, json: bool) -> ExitCode {
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
        // All states are kept, and who wants more of them says so.
        let most = match to {
            usize::MAX => from.saturating_add(TRACED),
            to => to,
        };
        if let Some(limit) = trace.run(to, &budget(most)) {
            trace.exhaust(limit);
        }
        // With --json there is a value for each step.
        answer::begin();
        let mut output = io::BufWriter::new(io::stdout().lock());
        // A reader that has seen enough closes the pipe: that is no failure.
        let digits = match json {
            true => Digits::Exact,
            false => Digits::Clean,
        };
        let mut texts = fletch_transcript::steps::steps(&trace, from, to, digits);
        let written = texts.try_for_each(|text| {
            if json {
                return writeln!(output, "{}", text.json());
            }
            let sign = if text.step.reduces() { "→" } else { "=" };
            let rule = text.step.action.rule().name();
            let (number, explanation, command) = (text.number, &text.explanation, &text.command);
            writeln!(
                output,
                "{number:>5} {sign} {rule}: {explanation}\n{command}\n"
            )
        });
        let _ = written.and_then(|()| output.flush());
        drop(output);
        let failure = match trace.status() {
            Status::Stuck(blocked) => Some(fletch_runs::stuck_at(
                &blocked.stuck,
                &main.program,
                setting,
            )),
            Status::Exhausted(limit) => {
                let span = place::span(main.program.main.origin());
                let error = ending::exhausted(*limit, shortcuts, span);
                Some(error.hint(match shortcuts {
                    true => "print some of them with `--from A --to B`",
                    false => "print some of them with `--from A --to B`, or leave steps of zeros out with `--shortcuts`",
                }))
            }
            Status::Running | Status::Value(_) => None,
        };
        if let Some(diagnostic) = failure {
            source.report_all(std::slice::from_ref(&diagnostic));
            if json {
                let error = diagnostic_json(&diagnostic, &checked.index);
                print_json(&json!({ "error": error }));
            }
            return ExitCode::from(REJECTED);
        }
        ExitCode::SUCCESS
    })
}

/// `main`, or what keeps it from running, reported.
fn runnable<'c>(
    source: &Source<'_>,
    checked: &'c Checked,
    json: bool,
) -> Option<&'c fletch_elaborate::Main> {
    if let Some(main) = &checked.main {
        source.report_run(&checked.diagnostics);
        return Some(main);
    }
    let first = checked
        .diagnostics
        .iter()
        .find(|diagnostic| diagnostic.is_error())
        .cloned();
    let first = first.unwrap_or_else(|| fletch_ide::no_main(source.text));
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

/// The same with the files that lie beside the program, as far as it names them.
pub(crate) fn with_files(
    file: &str,
    body: impl FnOnce(&Source<'_>, &Checked, &Files) -> ExitCode,
) -> ExitCode {
    let bytes = match read(file) {
        Ok(bytes) => bytes,
        Err(error) => return refuse(format!("cannot read {file}: {error}")),
    };
    let name = if file == "-" { "standard input" } else { file };
    let (text, files, checked) = fletch_ide::check_bytes(bytes, |names| beside(file, names));
    let source = Source::new(name, &text);
    let code = body(&source, &checked, &files);
    source.point_to_pages();
    code
}

/// The files of these names beside a program; those of standard input lie where the command is run.
fn beside(program: &str, names: &[&str]) -> Files {
    let folder = Path::new(program).parent().unwrap_or(Path::new(""));
    let mut files = Files::default();
    for name in names {
        let read = || {
            // One byte more than a file may have tells that it has too many.
            let mut bytes = Vec::new();
            let file = std::fs::File::open(folder.join(name)).or_else(|error| {
                let other = spelled(folder, name).ok_or(error)?;
                std::fs::File::open(other)
            })?;
            let most = FILE_LIMIT as u64 + 1;
            file.take(most).read_to_end(&mut bytes)?;
            Ok::<_, io::Error>(bytes)
        };
        match read() {
            Ok(bytes) => files.insert_bytes(name, &bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => files.insert_unreadable(name, error.to_string()),
        }
    }
    files
}

/// The file of a folder whose name differs in its normalization form alone: other systems write `ö` as two characters.
fn spelled(folder: &Path, name: &str) -> Option<PathBuf> {
    let path = folder.join(name);
    let folder = path.parent()?;
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let name = nfc(path.file_name()?.to_str()?);
    let mut entries = std::fs::read_dir(folder).ok()?.flatten();
    let found = entries.find(|entry| {
        entry
            .file_name()
            .to_str()
            .is_some_and(|own| nfc(own) == name)
    });
    Some(found?.path())
}

pub(crate) fn read(file: &str) -> io::Result<Vec<u8>> {
    if file != "-" {
        return std::fs::read(file);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}
