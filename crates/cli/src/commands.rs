//! The subcommands.

use crate::render::Source;
use fletch_playground::report::{self, Checked, Outcome};
use fletch_playground::{Partiality, Status, Trace, numbers};
use serde_json::{Value as Json, json};
use std::io::{self, Read, Write};
use std::process::ExitCode;

const REJECTED: u8 = 1;
const USAGE: u8 = 2;

pub(crate) fn check(file: &str, json: bool) -> ExitCode {
    with_program(file, |source, checked| {
        if json {
            print_json(&checked.json());
        } else {
            source.report_all(&checked.diagnostics);
            if let Some(main) = &checked.main {
                println!(
                    "main : {}   depth {}, size {}",
                    main.program.ty, main.depth, main.size
                );
            }
        }
        ExitCode::from(if checked.rejected() { REJECTED } else { 0 })
    })
}

pub(crate) fn run(file: &str, mode: Partiality, limit: usize, json: bool) -> ExitCode {
    with_program(file, |source, checked| {
        let Some(main) = runnable(source, checked, json) else {
            return ExitCode::from(REJECTED);
        };
        let run = report::run(&main.program, mode, limit);
        let error = run.error(&main.program);
        if json {
            print_json(&run.json(&main.program, &checked.index));
        } else {
            if let Outcome::Value(value) = &run.outcome {
                println!("{}", value_text(value));
            }
            for (location, contents) in main.program.locations.iter().zip(run.heap.contents()) {
                let entries: Vec<String> = contents
                    .data()
                    .iter()
                    .map(|entry| numbers::short(*entry))
                    .collect();
                println!(
                    "{} : {} = [{}]",
                    location.name,
                    contents.shape(),
                    entries.join(", ")
                );
            }
            eprintln!("{} reductions", run.reductions);
            source.report_all(error.as_slice());
        }
        ExitCode::from(if error.is_some() { REJECTED } else { 0 })
    })
}

pub(crate) fn trace(file: &str, from: usize, to: usize, json: bool) -> ExitCode {
    with_program(file, |source, checked| {
        let Some(main) = runnable(source, checked, json) else {
            return ExitCode::from(REJECTED);
        };
        let mut trace = Trace::new(&main.program, Partiality::Paper);
        trace.advance(to, || false);
        // One look further tells a run that is over from one that is cut here.
        if trace.len() < to {
            trace.advance(1, || false);
        }
        let mut output = io::BufWriter::new(io::stdout().lock());
        // A reader that has seen enough closes the pipe: that is no failure.
        let written = if json {
            report::trace_json(&trace, from, to).try_for_each(|line| writeln!(output, "{line}"))
        } else {
            (from.max(1)..=to.min(trace.len())).try_for_each(|number| {
                match report::step_text(&trace, number) {
                    Some(text) => {
                        let (rule, sign) = trace.step(number - 1).map_or(("", "→"), |step| {
                            (
                                step.action.rule().name(),
                                if step.reduction { "→" } else { "=" },
                            )
                        });
                        writeln!(
                            output,
                            "{number:>5} {sign} {rule}: {}\n{}\n",
                            text.explanation, text.command
                        )
                    }
                    None => Ok(()),
                }
            })
        };
        let _ = written.and_then(|()| output.flush());
        drop(output);
        if let Status::Stuck(stuck) = trace.status() {
            let diagnostic = fletch_playground::place::stuck(stuck);
            source.report_all(std::slice::from_ref(&diagnostic));
            if json {
                let error = report::diagnostic_json(&diagnostic, &checked.index);
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
) -> Option<&'c fletch_playground::Main> {
    if let Some(main) = &checked.main {
        source.report_all(&checked.diagnostics);
        return Some(main);
    }
    let first = checked
        .diagnostics
        .iter()
        .find(|diagnostic| diagnostic.is_error())
        .cloned();
    let first = first.unwrap_or_else(|| report::no_main(source.text));
    if json {
        print_json(&json!({ "error": report::diagnostic_json(&first, &checked.index) }));
    }
    if checked.rejected() {
        source.report_all(&checked.diagnostics);
    } else {
        source.report_all(&[first]);
    }
    None
}

fn with_program(file: &str, body: impl FnOnce(&Source<'_>, &Checked) -> ExitCode) -> ExitCode {
    let text = match read(file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("fletch: cannot read {file}: {error}");
            return ExitCode::from(USAGE);
        }
    };
    let name = if file == "-" { "standard input" } else { file };
    body(&Source { name, text: &text }, &report::check(&text))
}

fn read(file: &str) -> io::Result<String> {
    let mut bytes = Vec::new();
    if file == "-" {
        io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        bytes = std::fs::read(file)?;
    }
    // What is not UTF-8 becomes a character that the lexer reports at its place.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

pub(crate) fn print_json(json: &Json) {
    let mut output = io::stdout().lock();
    let _ = writeln!(output, "{json}");
}

fn value_text(value: &fletch_playground::Value) -> String {
    match value {
        fletch_playground::Value::Real(tensor) => {
            let entries: Vec<String> = tensor
                .data()
                .iter()
                .map(|entry| numbers::full(*entry))
                .collect();
            format!("[{}]", entries.join(", "))
        }
        fletch_playground::Value::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(value_text).collect();
            format!("⟨{}⟩", parts.join(", "))
        }
    }
}
