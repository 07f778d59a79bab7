//! Diagnostics as data. Every phase reports in this form; command line and editor only render it (ARCHITECTURE.md, invariant 8).

use crate::span::Span;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Severity of a diagnostic; an error rejects the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The program is rejected.
    Error,
    /// The program runs, and probably not as its author thinks.
    Warning,
    /// A matter of tidiness.
    Hint,
}

impl Severity {
    /// Name in messages and reports.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
    }
}

/// A second place that explains the first.
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
    /// The text to replace.
    pub span: Span,
    /// Replacement text.
    pub replacement: String,
}

/// One rejection, warning or hint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The stable code, `F` and four digits: F00xx tokens, F01xx grammar, F02xx names, F03xx indices
    /// and shapes, F04xx types, F05xx operations and handlers, F06xx runs, F09xx limits.
    pub code: String,
    /// Severity of the diagnostic.
    pub severity: Severity,
    /// The primary place.
    pub span: Span,
    /// One sentence that says what is wrong, with the actual names and types.
    pub message: String,
    /// Further places.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub labels: Vec<Label>,
    /// Advice.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hint: Option<String>,
    /// Edit that follows the advice.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fix: Option<Fix>,
    /// The name of the file that it is about: one that the program reads, and that is not there or at fault.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file: Option<String>,
}

impl Diagnostic {
    /// A diagnostic of this weight with this code at this place.
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

    /// An error with this code at this place.
    pub fn error(code: &str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message)
    }

    /// A warning with this code at this place.
    pub fn warning(code: &str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message)
    }

    /// A hint with this code at this place.
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

    /// Sorts diagnostics; those that `order` does not tell apart stay as they are. Every phase has its own
    /// order and all use this one sort, which is 4 KB of what a reader downloads.
    pub fn sort(diagnostics: &mut [Diagnostic], order: fn(&Diagnostic, &Diagnostic) -> Ordering) {
        diagnostics.sort_by(order);
    }

    /// True if the diagnostic rejects the program.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
