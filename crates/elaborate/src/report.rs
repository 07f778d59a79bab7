//! The diagnostics of an elaboration: at most one for a code and place, however often a definition is
//! expanded there.

use fletch_syntax::{Diagnostic, Label, Severity, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A declaration that is missing is shown at so many of its uses.
const MOST_LABELS: usize = 8;

#[derive(Debug, Default)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    seen: BTreeSet<(String, Span)>,
    /// Where the first diagnostic of a mistake that shows at every use is.
    mistakes: BTreeMap<(Severity, String, String), usize>,
    /// Which instance of a schematic clause is being looked at: where, and `FC[ℓ0] with n = 2, m = 8`.
    instance: Option<(Span, String)>,
    /// While a made-up instance is looked at, errors are only warnings.
    lenient: bool,
}

impl Report {
    pub(crate) fn add(&mut self, mut diagnostic: Diagnostic) {
        if !self.seen.insert((diagnostic.code.clone(), diagnostic.span)) {
            return;
        }
        if self.lenient && diagnostic.severity == Severity::Error {
            diagnostic.severity = Severity::Warning;
        }
        if is_of_a_declaration(&diagnostic) {
            let code = diagnostic.code.clone();
            let mistake = (diagnostic.severity, code, diagnostic.message.clone());
            let first = *self
                .mistakes
                .entry(mistake)
                .or_insert(self.diagnostics.len());
            if let Some(first) = self.diagnostics.get_mut(first) {
                if first.labels.len() < MOST_LABELS {
                    first.labels.push(Label {
                        span: diagnostic.span,
                        text: "and here".to_owned(),
                    });
                }
                return;
            }
        }
        if let Some((span, text)) = &self.instance {
            diagnostic = diagnostic.label(*span, format!("in {text}"));
        }
        self.diagnostics.push(diagnostic);
    }

    /// Says of what follows that it concerns an instance; returns what was said before.
    pub(crate) fn within(&mut self, instance: Option<(Span, String)>) -> Option<(Span, String)> {
        std::mem::replace(&mut self.instance, instance)
    }

    /// Makes what follows lenient or not; returns what it was.
    pub(crate) fn leniently(&mut self, lenient: bool) -> bool {
        std::mem::replace(&mut self.lenient, lenient)
    }

    /// Whether a made-up instance is being looked at.
    pub(crate) fn is_lenient(&self) -> bool {
        self.lenient
    }

    /// How many diagnostics there are, to return to with [`Self::withdraw`].
    pub(crate) fn length(&self) -> usize {
        self.diagnostics.len()
    }

    /// Takes back what was said since there were `length` diagnostics, apart from errors.
    pub(crate) fn withdraw(&mut self, length: usize) -> Vec<Diagnostic> {
        let since = self
            .diagnostics
            .split_off(length.min(self.diagnostics.len()));
        let (errors, withdrawn): (Vec<_>, Vec<_>) =
            since.into_iter().partition(Diagnostic::is_error);
        self.diagnostics.extend(errors);
        for diagnostic in &withdrawn {
            self.seen
                .remove(&(diagnostic.code.clone(), diagnostic.span));
        }
        withdrawn
    }

    /// Says again what was withdrawn.
    pub(crate) fn restore(&mut self, withdrawn: Vec<Diagnostic>) {
        for diagnostic in withdrawn {
            if self.seen.insert((diagnostic.code.clone(), diagnostic.span)) {
                self.diagnostics.push(diagnostic);
            }
        }
    }

    pub(crate) fn errors(&self) -> usize {
        self.diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.is_error())
            .count()
    }

    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics;
        Diagnostic::sort(&mut diagnostics, |one, other| {
            (one.span, one.severity).cmp(&(other.span, other.severity))
        });
        diagnostics
    }
}

/// Whether this is a mistake of a declaration that is missing or does not fit: to its author it is one, wherever
/// the declaration is used. A variable is another one in every scope.
fn is_of_a_declaration(diagnostic: &Diagnostic) -> bool {
    diagnostic.code == "F0406"
        || (diagnostic.code == "F0201" && !diagnostic.message.starts_with("there is no variable"))
}
