//! Elaborates a program and prints the result as text: bound variables numbered, handlers written out separately.

use fletch_calculus::{Command, CommandKind, Program};
use fletch_elaborate::{Elaboration, elaborate};
use fletch_notation::print;
use fletch_syntax::parse;

pub(crate) fn elaborated(source: &str) -> Elaboration {
    let (program, diagnostics) = parse(source, fletch_smooth::symbols());
    let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    assert!(error.is_none(), "{error:?} in\n{source}");
    elaborate(&program, source)
}

/// Errors and warnings: the code of each, and the source text at its span.
pub(crate) fn complaints(source: &str) -> Vec<String> {
    let findings = elaborated(source).findings;
    let told = findings
        .iter()
        .map(|found| &found.diagnostic)
        .filter(|diagnostic| diagnostic.severity != fletch_syntax::Severity::Hint);
    told.map(|diagnostic| format!("{} {}", diagnostic.code, diagnostic.span.text(source)))
        .collect()
}

/// The program of `main`; panics if the source is rejected.
pub(crate) fn program(source: &str) -> Program {
    let elaboration = elaborated(source);
    let main = elaboration.main;
    main.unwrap_or_else(|| panic!("rejected: {:#?}\n{source}", elaboration.findings))
        .program
}

/// Checks `main`, printed as a command of the calculus.
#[track_caller]
pub(crate) fn check(source: &str, expect: &str) {
    assert_eq!(print(&program(source).main), expect, "{source}");
}

/// Checks the errors and warnings of a source.
#[track_caller]
pub(crate) fn complains(source: &str, expect: &[&str]) {
    assert_eq!(complaints(source), expect, "{source}");
}

/// Checks the handler of the outermost `rev handle` or `handle` of `main`.
#[track_caller]
pub(crate) fn check_handler(source: &str, expect: &str) {
    let main = program(source).main;
    assert_eq!(handler(&main), expect, "{source}");
}

fn handler(command: &Command) -> String {
    match command.kind() {
        CommandKind::RevHandle { handler, .. } => print(handler.as_ref()),
        CommandKind::Handle { handler, .. } => print(handler.as_ref()),
        CommandKind::Let { bound, body, .. } => match bound.kind() {
            CommandKind::Pure(_) => handler(body),
            _ => handler(bound),
        },
        other => panic!("no handler: {other:?}"),
    }
}
