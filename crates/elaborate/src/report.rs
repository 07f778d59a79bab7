//! The diagnostics of an elaboration: at most one for a code and place, however often a definition is
//! expanded there.

use fletch_syntax::tree::{ItemKind, Program};
use fletch_syntax::{Diagnostic, Label, Severity, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A declaration that is missing is shown at so many of its uses.
const MOST_LABELS: usize = 8;

/// What its author takes for one mistake, wherever it shows: a declaration that is missing or does not fit, or
/// a variable that is missing in a scope.
type Mistake = (String, Option<usize>);

#[derive(Debug, Default)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    seen: BTreeSet<(String, Span)>,
    /// Which diagnostic was the first of a mistake that shows at many places.
    known: BTreeMap<Mistake, usize>,
    /// Which instance of a schematic clause is being looked at: where, and `FC[ℓ0] with n = 2, m = 8`.
    instance: Option<(Span, String)>,
    /// The parts of the program that share their variables: declarations, or the clauses of a handler.
    scopes: Vec<Span>,
    /// While a made-up instance is looked at, errors are only warnings.
    lenient: bool,
}

impl Report {
    /// No diagnostics yet, for a program.
    pub(crate) fn of(program: &Program) -> Report {
        let mut scopes = Vec::new();
        for item in &program.items {
            match &item.node {
                ItemKind::Handler(decl) => {
                    scopes.extend(decl.clauses.iter().map(|clause| clause.span));
                }
                _ => scopes.push(item.span),
            }
        }
        Report {
            scopes,
            ..Report::default()
        }
    }

    pub(crate) fn add(&mut self, mut diagnostic: Diagnostic) {
        if !self.seen.insert((diagnostic.code.clone(), diagnostic.span)) {
            return;
        }
        if self.lenient && diagnostic.severity == Severity::Error {
            diagnostic.severity = Severity::Warning;
        }
        let position = self.diagnostics.len();
        if let Some(mistake) = self.mistake(&diagnostic) {
            let first = *self.known.entry(mistake).or_insert(position);
            if let Some(first) = self.diagnostics.get_mut(first) {
                // At a made-up instance it was only a warning.
                first.severity = first.severity.min(diagnostic.severity);
                if first.labels.len() < MOST_LABELS {
                    first.labels.push(Label {
                        span: diagnostic.span,
                        text: "and here".to_owned(),
                    });
                }
                return;
            }
        }
        // Of an operation without indices there is one instance, which says nothing new.
        if let Some((span, text)) = self
            .instance
            .as_ref()
            .filter(|(_, text)| text.contains('['))
        {
            diagnostic = diagnostic.label(*span, format!("in {text}"));
        }
        self.diagnostics.push(diagnostic);
    }

    fn mistake(&self, diagnostic: &Diagnostic) -> Option<Mistake> {
        let (name, scope) = match diagnostic.code.as_str() {
            "F0406" | "F0505" | "F0506" => (diagnostic.message.clone(), None),
            "F0201" => match missing(diagnostic) {
                Some(("variable", name)) => {
                    let scope = scope(&self.scopes, diagnostic.span);
                    (format!("variable {name}"), scope)
                }
                Some((space, name)) => (format!("{space} {name}"), None),
                None => (diagnostic.message.clone(), None),
            },
            _ => return None,
        };
        Some((name, scope))
    }

    /// Says of what follows that it concerns an instance; returns what was said before.
    pub(crate) fn within(&mut self, instance: Option<(Span, String)>) -> Option<(Span, String)> {
        std::mem::replace(&mut self.instance, instance)
    }

    /// Makes what follows lenient or not; returns what it was.
    pub(crate) fn leniently(&mut self, lenient: bool) -> bool {
        std::mem::replace(&mut self.lenient, lenient)
    }

    /// Words what was said since there were `length` diagnostics for the place it is about.
    pub(crate) fn reword(&mut self, length: usize, reword: impl Fn(&mut Diagnostic)) {
        self.diagnostics.iter_mut().skip(length).for_each(reword);
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
        self.known.retain(|_, first| *first < length);
        for error in errors {
            if let Some(mistake) = self.mistake(&error) {
                self.known.insert(mistake, self.diagnostics.len());
            }
            self.diagnostics.push(error);
        }
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

    /// Whether there is a mistake: an error, or what would be one if it were not at a made-up instance.
    pub(crate) fn has_mistakes(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| {
            let warning = ["F0305", "F0505", "F0507", "F0508"];
            diagnostic.severity != Severity::Hint && !warning.contains(&diagnostic.code.as_str())
        })
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

/// The name that there is not, and in which name space.
fn missing(diagnostic: &Diagnostic) -> Option<(&str, &str)> {
    let rest = diagnostic.message.strip_prefix("there is no ")?;
    let (kind, name) = rest.split_once(" `")?;
    let space = match kind {
        "operation" | "operation or command" | "function" | "handler" => "callable",
        kind => kind,
    };
    Some((space, name))
}

/// Which of `scopes`, which are in order, a place is in.
fn scope(scopes: &[Span], place: Span) -> Option<usize> {
    let position = scopes
        .partition_point(|scope| scope.start <= place.start)
        .checked_sub(1)?;
    scopes
        .get(position)
        .is_some_and(|scope| place.end <= scope.end)
        .then_some(position)
}
