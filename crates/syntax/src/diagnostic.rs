//! Diagnostics as data. Every phase reports in this form; command line and editor only render them (ARCHITECTURE.md, invariant
//! 8).

use crate::span::Span;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Severity of a diagnostic; an error rejects the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The program is rejected.
    Error,
    /// The program runs, but probably not as its author intends.
    Warning,
    /// A suggestion to tidy the program.
    Hint,
}

impl Severity {
    /// Name of the severity in messages and reports.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
    }
}

/// A secondary span with an explanation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Label {
    /// Span of the label.
    pub span: Span,
    /// Text of the label.
    pub text: String,
}

/// A change of the source that removes the diagnostic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fix {
    /// Title of the quick fix, a short imperative: "write `⇐`".
    pub title: String,
    /// Span of the text to replace.
    pub span: Span,
    /// Replacement text.
    pub replacement: String,
}

/// One rejection, warning or hint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Stable code, `F` and four digits: F00xx tokens, F01xx grammar, F02xx names, F03xx indices and shapes, F04xx types, F05xx
    /// operations and handlers, F06xx runs, F09xx limits.
    pub code: String,
    /// Severity of the diagnostic.
    pub severity: Severity,
    /// Primary span.
    pub span: Span,
    /// Message: one sentence that names the problem, with the actual names and types.
    pub message: String,
    /// Secondary spans.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub labels: Vec<Label>,
    /// Advice on the repair.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hint: Option<String>,
    /// Edit that carries out the advice.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fix: Option<Fix>,
    /// Name of the file at fault: a missing or faulty file that the program reads. `None` for the program itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file: Option<String>,
}

impl Diagnostic {
    /// Makes a diagnostic of this severity, with this code and span.
    pub fn new(severity: Severity, code: &str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            code: code.to_owned(),
            severity,
            span,
            message: message.into(),
            labels: Vec::new(),
            hint: None,
            fix: None,
            file: None,
        }
    }

    /// Makes an error with this code and span.
    pub fn error(code: &str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message)
    }

    /// Makes a warning with this code and span.
    pub fn warning(code: &str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message)
    }

    /// Makes a hint with this code and span.
    pub fn note(code: &str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Hint, code, span, message)
    }

    /// Adds a label.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Sets the hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the fix.
    #[must_use]
    pub fn fix(
        mut self,
        title: impl Into<String>,
        span: Span,
        replacement: impl Into<String>,
    ) -> Self {
        self.fix = Some(Fix {
            title: title.into(),
            span,
            replacement: replacement.into(),
        });
        self
    }

    /// Sets the file that the diagnostic is about.
    #[must_use]
    pub fn about(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// Sorts diagnostics stably. Every phase has its own order, and all phases share this sort, because a sort is 4 KB of the
    /// download of the page.
    pub fn sort(diagnostics: &mut [Diagnostic], order: fn(&Diagnostic, &Diagnostic) -> Ordering) {
        diagnostics.sort_by(order);
    }

    /// True if the diagnostic rejects the program.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
