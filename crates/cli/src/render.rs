//! Diagnostics on a terminal, with source excerpt and underline.

use codespan_reporting::diagnostic::{Diagnostic as Report, Label, Severity as Level};
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term::termcolor::{ColorChoice, StandardStream};
use codespan_reporting::term::{self, Config};
use fletch_playground::{Diagnostic, Severity, Span};
use std::io::IsTerminal;

/// A program to point into.
pub(crate) struct Source<'s> {
    pub(crate) name: &'s str,
    pub(crate) text: &'s str,
}

impl Source<'_> {
    /// Prints diagnostics to standard error.
    pub(crate) fn report_all(&self, diagnostics: &[Diagnostic]) {
        let colour = if std::io::stderr().is_terminal() {
            ColorChoice::Auto
        } else {
            ColorChoice::Never
        };
        let writer = StandardStream::stderr(colour);
        let file = SimpleFile::new(self.name, self.text);
        for diagnostic in diagnostics {
            // Nothing can be done about a standard error that cannot be written to.
            let _ = term::emit_to_write_style(
                &mut writer.lock(),
                &Config::default(),
                &file,
                &report(diagnostic),
            );
        }
    }
}

fn report(diagnostic: &Diagnostic) -> Report<()> {
    let level = match diagnostic.severity {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
        Severity::Hint => Level::Help,
    };
    let range = |span: Span| span.start as usize..span.end as usize;
    let primary = Label::primary((), range(diagnostic.span));
    let secondary = diagnostic
        .labels
        .iter()
        .map(|label| Label::secondary((), range(label.span)).with_message(&label.text));
    let mut notes: Vec<String> = diagnostic
        .hint
        .iter()
        .map(|hint| format!("hint: {hint}"))
        .collect();
    notes.extend(
        diagnostic
            .fix
            .iter()
            .map(|fix| format!("fix: {}", fix.title)),
    );
    Report::new(level)
        .with_code(&diagnostic.code)
        .with_message(&diagnostic.message)
        .with_labels(std::iter::once(primary).chain(secondary).collect())
        .with_notes(notes)
}
