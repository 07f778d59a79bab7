//! One reading of a text: parsed and elaborated, with the diagnostics that are no consequences of others.

use crate::consequences::Broken;
use fletch_elaborate::{Elaboration, Files, Main, Occurrence, elaborate, elaborate_with_files};
use fletch_syntax::{Diagnostic, Reading, read, tree};

/// Result of reading a text once.
pub(crate) struct Examined {
    /// In order of place.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Suppressed diagnostics: consequences of text that could not be read.
    pub(crate) unsaid: Vec<Diagnostic>,
    pub(crate) main: Option<Main>,
    pub(crate) program: tree::Program,
    pub(crate) whole: bool,
    pub(crate) names: Vec<Occurrence>,
}

/// Parses and checks, with all fixes that are proposed. Without files nothing is said of them.
pub(crate) fn examine(source: &str, files: Option<&Files>) -> Examined {
    let reading = read(source, fletch_smooth::symbols());
    let broken = reading.diagnostics.iter().any(Diagnostic::is_error);
    let Elaboration {
        findings,
        main,
        names,
    } = match files {
        Some(files) => elaborate_with_files(&reading.program, source, files),
        None => elaborate(&reading.program, source),
    };
    // In a broken text a declaration may be missing: consequences of that are suppressed.
    let text = Broken::of(source, &reading);
    let (said, unsaid): (Vec<_>, Vec<_>) = findings
        .into_iter()
        .partition(|found| !broken || text.leaves_standing(found));
    let Reading {
        program,
        mut diagnostics,
        ..
    } = reading;
    diagnostics.extend(said.into_iter().map(|found| found.diagnostic));
    Diagnostic::sort(&mut diagnostics, |one, other| {
        one.span.start.cmp(&other.span.start)
    });
    Examined {
        diagnostics,
        unsaid: unsaid.into_iter().map(|found| found.diagnostic).collect(),
        main: main.filter(|_| !broken),
        program,
        whole: !broken,
        names,
    }
}
