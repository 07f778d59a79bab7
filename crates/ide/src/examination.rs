//! One examination of a text: it is parsed and elaborated, and diagnostics that are mere consequences of others are suppressed.

use crate::consequences::Broken;
use fletch_elaborate::{Elaboration, Files, Main, Occurrence, elaborate, elaborate_with_files};
use fletch_syntax::{Diagnostic, Reading, read, tree};

/// Result of examining a text once.
pub(crate) struct Examined {
    /// The reported diagnostics, in the order of their positions.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Suppressed diagnostics: consequences of text that could not be read.
    pub(crate) unsaid: Vec<Diagnostic>,
    pub(crate) main: Option<Main>,
    pub(crate) program: tree::Program,
    pub(crate) whole: bool,
    pub(crate) names: Vec<Occurrence>,
}

/// Parses and checks a text, with all proposed fixes. Does not report anything about data files if `files` is `None`.
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
    // In a broken text a declaration may be missing, and the consequences of that are suppressed.
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
