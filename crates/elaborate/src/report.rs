//! The faults of a program: at most one for each code and span, however often a definition is expanded.

use crate::faults::{Fault, Mistake, Premise};
use crate::repair::Repair;
use fletch_syntax::tree::{ItemKind, Program};
use fletch_syntax::{Diagnostic, Label, Severity, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::replace;
use std::sync::Arc;

/// Maximal number of labels of a diagnostic; a missing declaration is shown at this many of its uses.
const MOST_LABELS: usize = 8;

/// A rejection, warning or hint.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Diagnostic of the fault.
    pub diagnostic: Diagnostic,
    /// Assumption of the diagnostic about the text.
    pub premise: Premise,
}

/// A fault with its circumstances.
#[derive(Debug)]
pub(crate) struct Found {
    span: Span,
    fault: Fault,
    severity: Severity,
    /// Repair, if the fault itself does not determine it.
    repair: Option<Repair>,
    /// The instance of a schematic clause in which the fault was found.
    instance: Option<Instance>,
    /// Further spans of the same mistake.
    also: Vec<Span>,
}

/// An instance of an indexed definition or clause: its span, and its description, such as `FC[ℓ0] with n = 2, m = 8`.
pub(crate) type Instance = (Span, Arc<str>);

#[derive(Debug, Default)]
pub(crate) struct Report {
    found: Vec<Found>,
    /// Spans and codes of the faults reported so far.
    seen: BTreeSet<(Span, &'static str)>,
    /// For a mistake that shows at many spans, the index in `found` of its first fault.
    known: BTreeMap<Mistake, usize>,
    /// Instance being elaborated.
    instance: Option<Instance>,
    /// Spans of the program parts that share variables, in order: a declaration, or a clause of a handler.
    parts: Vec<Span>,
    /// True while a made-up instance is elaborated (see `schematic`): errors are then only warnings.
    lenient: bool,
}

impl Report {
    /// Empty report for a program.
    pub(crate) fn of(program: &Program) -> Report {
        let mut parts = Vec::new();
        for item in &program.items {
            match &item.node {
                ItemKind::Handler(decl) => {
                    parts.extend(decl.clauses.iter().map(|clause| clause.span));
                }
                _ => parts.push(item.span),
            }
        }
        Report {
            parts,
            ..Report::default()
        }
    }

    pub(crate) fn add(&mut self, span: Span, fault: Fault) {
        let severity = match fault.severity() {
            // A circular definition is an error at every instance.
            Severity::Error if self.lenient && !matches!(fault, Fault::Circular(..)) => {
                Severity::Warning
            }
            severity => severity,
        };
        if !self.seen.insert((span, fault.code())) {
            return;
        }
        let position = self.found.len();
        if let Some(mistake) = self.mistake(span, &fault) {
            let first = *self.known.entry(mistake).or_insert(position);
            if let Some(first) = self.found.get_mut(first) {
                // The first fault may be a mere warning, of a made-up instance.
                first.severity = first.severity.min(severity);
                if first.also.len() < MOST_LABELS {
                    first.also.push(span);
                }
                return;
            }
        }
        self.found.push(Found {
            span,
            fault,
            severity,
            repair: None,
            instance: self.instance.clone(),
            also: Vec::new(),
        });
    }

    /// Sets the repair of the last fault, if the fault is at this span and has no repair yet.
    pub(crate) fn repair(&mut self, span: Span, repair: impl FnOnce() -> Option<Repair>) {
        if let Some(found) = self.found.last_mut()
            && found.span == span
            && found.repair.is_none()
        {
            found.repair = repair();
        }
    }

    fn mistake(&self, span: Span, fault: &Fault) -> Option<Mistake> {
        fault.mistake(|| {
            let before = |part: &Span| part.start <= span.start;
            let position = self.parts.partition_point(before).checked_sub(1)?;
            let part = self.parts.get(position)?;
            (span.end <= part.end).then_some(position)
        })
    }

    /// Sets the instance for later faults; returns the previous one.
    pub(crate) fn within(&mut self, instance: Option<Instance>) -> Option<Instance> {
        replace(&mut self.instance, instance)
    }

    /// Sets `lenient`; returns its previous value.
    pub(crate) fn leniently(&mut self, lenient: bool) -> bool {
        replace(&mut self.lenient, lenient)
    }

    /// True while a made-up instance is elaborated.
    pub(crate) fn is_lenient(&self) -> bool {
        self.lenient
    }

    /// Number of faults so far, as a mark for [`Self::withdraw`].
    pub(crate) fn length(&self) -> usize {
        self.found.len()
    }

    /// Removes and returns the faults reported after the mark `length`, except errors, which stay.
    pub(crate) fn withdraw(&mut self, length: usize) -> Vec<Found> {
        let since = self.found.split_off(length.min(self.found.len()));
        let (errors, withdrawn): (Vec<_>, Vec<_>) = since
            .into_iter()
            .partition(|found| found.severity == Severity::Error);
        self.known.retain(|_, first| *first < length);
        for error in errors {
            if let Some(mistake) = self.mistake(error.span, &error.fault) {
                self.known.insert(mistake, self.found.len());
            }
            self.found.push(error);
        }
        for found in &withdrawn {
            self.seen.remove(&(found.span, found.fault.code()));
        }
        withdrawn
    }

    /// Reports withdrawn faults again.
    pub(crate) fn restore(&mut self, withdrawn: Vec<Found>) {
        for found in withdrawn {
            if self.seen.insert((found.span, found.fault.code())) {
                self.found.push(found);
            }
        }
    }

    /// True if there is a mistake: an error, or a fault that is a warning only because its instance is made up.
    pub(crate) fn has_mistakes(&self) -> bool {
        let mut found = self.found.iter();
        found.any(|found| found.fault.severity() == Severity::Error)
    }

    /// The first error, without a fix: a fix needs the source text.
    pub(crate) fn first_error(&self) -> Option<Diagnostic> {
        let mut found = self.found.iter();
        let error = found.find(|found| found.severity == Severity::Error)?;
        Some(error.fault.diagnostic(error.span))
    }

    /// True if `main` can be run: its only errors are unhandled operations, at which a run stops.
    pub(crate) fn is_runnable(&self) -> bool {
        self.found.iter().all(|found| {
            found.severity != Severity::Error || matches!(found.fault, Fault::Unhandled(_))
        })
    }

    /// Turns the faults into findings, sorted by span.
    pub(crate) fn into_findings(mut self, source: &str) -> Vec<Finding> {
        let key = |found: &Found| (found.span, found.severity);
        fletch_syntax::sort_by(&mut self.found, |first, second| {
            key(first).cmp(&key(second))
        });
        let found = self.found.into_iter();
        found.map(|found| found.finding(source)).collect()
    }
}

impl Found {
    fn finding(self, source: &str) -> Finding {
        let mut diagnostic = self.fault.diagnostic(self.span);
        if let Some(repair) = &self.repair {
            diagnostic = repair.fix(diagnostic, source);
        }
        diagnostic.severity = self.severity;
        let instance = self.instance.map(|(span, text)| Label {
            span,
            text: format!("in {text}"),
        });
        diagnostic.labels.extend(instance);
        let room = MOST_LABELS.saturating_sub(diagnostic.labels.len());
        let also = self.also.into_iter().map(|span| Label {
            span,
            text: "and here".to_owned(),
        });
        diagnostic.labels.extend(also.take(room));
        Finding {
            premise: self.fault.premise(),
            diagnostic,
        }
    }
}
