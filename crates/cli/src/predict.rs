//! `fletch predict`: the values of a `predict` item, from a trained heap.

use crate::answer::{self, REJECTED, complain, print_json, refuse};
use crate::commands::with_files;
use crate::numbers::Numbers;
use crate::weights;
use fletch_elaborate::decoded;
use fletch_ide::diagnostic_json;
use fletch_runs::generated::Host;
use fletch_runs::predictions::{self, Inputs, NotPredicted, Predicted};
use fletch_runs::training;
use fletch_smooth::Value;
use serde_json::{Value as Json, json};
use std::collections::VecDeque;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

/// The options of the command.
pub(crate) struct Options<'o> {
    pub(crate) name: &'o str,
    pub(crate) precision: fletch_runs::Precision,
    pub(crate) load: Option<&'o str>,
    pub(crate) numbers: Numbers,
    pub(crate) json: bool,
}

pub(crate) fn predict(file: &str, options: &Options<'_>) -> ExitCode {
    let Options {
        name,
        precision,
        load,
        numbers,
        json,
    } = *options;
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
            Err(message) => return refuse(message),
        };
        if precision == fletch_runs::Precision::Single && !json {
            eprintln!("fletch: computed in single precision (f32)");
        }
        let mut output = Output {
            json,
            numbers,
            entries: 0,
            failed: false,
            emptied: false,
        };
        let mut typed = match file {
            "-" => None,
            _ => Typed::begun(),
        };
        let inputs = match &mut typed {
            Some(lines) => Inputs::Lines(lines),
            None => Inputs::Data,
        };
        let mut each = |answer: Result<Predicted, NotPredicted>| match answer {
            Ok(predicted) => output.answer(&predicted),
            Err(NotPredicted::Asked(message)) => {
                complain(&message);
                output.fault(&json!({ "message": message }))
            }
            Err(NotPredicted::Stopped(error)) => {
                let fault = diagnostic_json(&error, &checked.index);
                source.report_all(&[*error]);
                output.fault(&fault)
            }
        };
        let by = (precision, Some(fletch_native::host as Host));
        match predictions::predict(program, files, name, &heap, inputs, by, &mut each) {
            Ok(()) => output.finish(),
            Err(NotPredicted::Asked(message)) => refuse(message),
            Err(NotPredicted::Stopped(error)) => {
                let fault = diagnostic_json(&error, &checked.index);
                if json {
                    print_json(&json!({ "error": fault }));
                }
                source.report_all(&[*error]);
                ExitCode::from(REJECTED)
            }
        }
    })
}

/// Writer to standard output, which gets an answer or an error for each input, without delay.
struct Output {
    json: bool,
    numbers: Numbers,
    entries: usize,
    failed: bool,
    /// True after the message that lines have empty fields at their ends.
    emptied: bool,
}

impl Output {
    fn answer(&mut self, predicted: &Predicted) -> ControlFlow<()> {
        if predicted.empty > 0 && !self.emptied {
            self.emptied = true;
            eprintln!("fletch: standard input: empty fields at the ends of lines are left out");
        }
        if self.json {
            return self.entry(&predictions::json(predicted));
        }
        let inputs = match &predicted.input {
            Value::Tuple(inputs) => inputs.iter().map(|one| self.numbers.value(one)).collect(),
            Value::Real(_) => vec![self.numbers.value(&predicted.input)],
        };
        let value = self.numbers.value(&predicted.value);
        self.write(&format!("{} ↦ {value}\n", inputs.join(", ")))
    }

    fn fault(&mut self, fault: &Json) -> ControlFlow<()> {
        self.failed = true;
        match self.json {
            true => self.entry(&json!({ "error": fault })),
            false => ControlFlow::Continue(()),
        }
    }

    /// Writes an entry of the single JSON value, which is never in memory as a whole.
    fn entry(&mut self, entry: &Json) -> ControlFlow<()> {
        answer::begin();
        let before = if self.entries == 0 {
            "{\"predictions\":["
        } else {
            ","
        };
        self.entries += 1;
        self.write(&format!("{before}{entry}"))
    }

    /// Writes a text and flushes it. A closed pipe breaks the loop, but is no failure: its reader has seen enough.
    fn write(&self, text: &str) -> ControlFlow<()> {
        let mut output = io::stdout().lock();
        let written = output.write_all(text.as_bytes());
        match written.and_then(|()| output.flush()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn finish(&self) -> ExitCode {
        if self.json {
            let end = if self.entries == 0 {
                "{\"predictions\":[]}\n"
            } else {
                "]}\n"
            };
            answer::begin();
            let _ = self.write(end);
        }
        ExitCode::from(if self.failed { REJECTED } else { 0 })
    }
}

/// The lines of standard input, as they arrive, without blank lines at the end. If all lines are blank, the first is returned: a blank line
/// is an error, and only an empty input selects the data set.
struct Typed {
    input: io::StdinLock<'static>,
    /// Number of lines returned.
    given: usize,
    /// Lines that were read and not returned yet.
    read: VecDeque<String>,
}

impl Typed {
    /// Opens standard input; `None` if it is a terminal or empty.
    fn begun() -> Option<Typed> {
        if io::stdin().is_terminal() {
            return None;
        }
        let mut typed = Typed {
            input: io::stdin().lock(),
            given: 0,
            read: VecDeque::new(),
        };
        // UTF-16 has line breaks of 16 bits, so it is read as a whole. No other text has a zero in its first two bytes.
        let wide = matches!(
            typed.input.fill_buf(),
            Ok([0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, ..] | [_, 0, ..])
        );
        if wide {
            let mut bytes = Vec::new();
            let _ = typed.input.read_to_end(&mut bytes);
            typed.split(&decoded(&bytes));
        }
        (typed.fill() || !typed.read.is_empty()).then_some(typed)
    }

    /// Reads until a line is not blank. Returns false if there is none.
    fn fill(&mut self) -> bool {
        loop {
            if self.read.iter().any(|line| !line.trim().is_empty()) {
                return true;
            }
            let mut bytes = Vec::new();
            match self.input.read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => return false,
                Ok(_) => self.split(&decoded(&bytes)),
            }
        }
    }

    /// Splits a text into lines, with the line ends of files: `\n`, `\r\n` or `\r`.
    fn split(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        self.read.extend(text.lines().map(str::to_owned));
    }
}

impl Iterator for Typed {
    type Item = (usize, String);

    fn next(&mut self) -> Option<(usize, String)> {
        let filled = self.fill();
        if !filled && self.given > 0 {
            return None;
        }
        self.given += 1;
        Some((self.given, self.read.pop_front()?))
    }
}
