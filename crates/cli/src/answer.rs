//! Output of a command: results on standard output, messages on standard error. With `--json` there is exactly one JSON value on standard
//! output, whatever the exit code: for a command without a result, it is the last message.

use serde_json::{Value as Json, json};
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code for wrong usage.
pub(crate) const USAGE: u8 = 2;
/// The exit code for a program that is rejected, or a run that is stuck.
pub(crate) const REJECTED: u8 = 1;

/// True once a JSON value was printed, or begun.
static ANSWERED: AtomicBool = AtomicBool::new(false);
/// The last message.
static COMPLAINT: Mutex<String> = Mutex::new(String::new());

/// Prints on standard error why there is no result, and keeps the message for [`finish`].
pub(crate) fn complain(message: impl Display) {
    let message = message.to_string();
    let _ = writeln!(io::stderr(), "fletch: {message}");
    if let Ok(mut complaint) = COMPLAINT.lock() {
        *complaint = message;
    }
}

/// Reports wrong usage on standard error.
pub(crate) fn refuse(message: impl Display) -> ExitCode {
    complain(message);
    ExitCode::from(USAGE)
}

/// Reports wrong arguments, or prints help. Returns the exit code.
pub(crate) fn misused(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    if !error.use_stderr() {
        return ExitCode::SUCCESS;
    }
    if std::env::args_os().any(|argument| argument == "--json") {
        let text = error.to_string();
        let message = text.trim_start_matches("error: ").split("\n\n").next();
        let message: Vec<&str> = message
            .into_iter()
            .flat_map(str::split_whitespace)
            .collect();
        print_json(&json!({ "error": { "message": message.join(" ") } }));
    }
    ExitCode::from(USAGE)
}

/// Prints the result of a command as JSON.
pub(crate) fn print_json(json: &Json) {
    begin();
    let _ = writeln!(io::stdout().lock(), "{json}");
}

/// Records that a command writes its JSON value in pieces, without [`print_json`].
pub(crate) fn begin() {
    ANSWERED.store(true, Ordering::Relaxed);
}

/// Prints the last message as JSON, if no value was printed.
pub(crate) fn finish() {
    if !ANSWERED.load(Ordering::Relaxed) {
        let message = COMPLAINT.lock().map(|message| message.clone());
        let message = message.unwrap_or_default();
        print_json(&json!({ "error": { "message": message } }));
    }
}
