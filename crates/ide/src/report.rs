//! Diagnostics as the command line prints them.

use crate::check::Checked;
use fletch_elaborate::Main;
use fletch_syntax::{Diagnostic, LineIndex, Span};
use serde_json::{Map, Value as Json, json};

impl Checked {
    /// The result of `check --json`.
    pub fn json(&self) -> Json {
        let diagnostics: Vec<Json> = self
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic_json(diagnostic, &self.index))
            .collect();
        let main = self.main.as_ref().map(|main| {
            json!({ "type": main.program.ty.to_string(), "depth": main.depth, "size": main.size })
        });
        json!({ "diagnostics": diagnostics, "main": main })
    }
}

impl Checked {
    /// `main`, ready to run.
    ///
    /// # Errors
    /// The first error of the program; F0604 if it has none and no `main` either.
    pub fn runnable(&self, source: &str) -> Result<&Main, Box<Diagnostic>> {
        let first = || {
            let mut errors = self.diagnostics.iter().filter(|found| found.is_error());
            errors.next().cloned()
        };
        let main = self.main.as_ref();
        main.ok_or_else(|| Box::new(first().unwrap_or_else(|| no_main(source))))
    }
}

/// The diagnostic of a program that checks but has nothing to run.
pub fn no_main(source: &str) -> Diagnostic {
    let end = Span::new(source.len(), source.len());
    Diagnostic::error("F0604", end, "there is no `main` to run")
        .hint("add one: `main = …`, a closed command")
}

/// A diagnostic as in `check --json`.
pub fn diagnostic_json(diagnostic: &Diagnostic, index: &LineIndex) -> Json {
    let span = |span: Span| {
        let (line, column) = index.line_column(span.start);
        json!({ "start": span.start, "end": span.end, "line": line, "column": column })
    };
    let mut object = Map::new();
    object.insert("code".into(), json!(diagnostic.code));
    object.insert("severity".into(), json!(diagnostic.severity));
    object.insert("message".into(), json!(diagnostic.message));
    object.insert("span".into(), span(diagnostic.span));
    if !diagnostic.labels.is_empty() {
        let labels: Vec<Json> = diagnostic
            .labels
            .iter()
            .map(|label| json!({ "span": span(label.span), "text": label.text }))
            .collect();
        object.insert("labels".into(), json!(labels));
    }
    if let Some(hint) = &diagnostic.hint {
        object.insert("hint".into(), json!(hint));
    }
    if let Some(fix) = &diagnostic.fix {
        let fix =
            json!({ "title": fix.title, "span": span(fix.span), "replacement": fix.replacement });
        object.insert("fix".into(), fix);
    }
    Json::Object(object)
}
