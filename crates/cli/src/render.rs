//! Diagnostics on a terminal: an excerpt of the source with the fault underlined, the other spans that explain it, a hint, and the text
//! after the fix.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Patch, Renderer, Snippet};
use fletch_syntax::{Diagnostic, Severity, Span};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::ops::Range;

/// A program that diagnostics refer to.
pub(crate) struct Source<'s> {
    name: &'s str,
    pub(crate) text: &'s str,
    /// The codes of the diagnostics that were reported.
    codes: RefCell<BTreeSet<String>>,
}

impl<'s> Source<'s> {
    pub(crate) fn new(name: &'s str, text: &'s str) -> Source<'s> {
        Source {
            name,
            text,
            codes: RefCell::default(),
        }
    }

    /// Prints the diagnostics that concern a run: errors, warnings, and hints whose code begins with F06, such as data left out of a file.
    /// Other hints are for `check`.
    pub(crate) fn report_run(&self, diagnostics: &[Diagnostic]) {
        let all = diagnostics.iter();
        let told = all.filter(|one| one.severity != Severity::Hint || one.code.starts_with("F06"));
        self.report_all(&told.cloned().collect::<Vec<_>>());
    }

    /// Prints diagnostics to standard error, errors first.
    pub(crate) fn report_all(&self, diagnostics: &[Diagnostic]) {
        let renderer = if coloured(&io::stderr()) {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let mut output = io::stderr().lock();
        let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
        sorted.sort_by_key(|diagnostic| match diagnostic.severity {
            Severity::Error => 0,
            Severity::Warning => 1,
            Severity::Hint => 2,
        });
        for diagnostic in sorted {
            let text = renderer.render(&self.groups(diagnostic));
            // Nothing can be done about a standard error that cannot be written to.
            let _ = writeln!(output, "{text}\n");
            self.codes.borrow_mut().insert(diagnostic.code.clone());
        }
    }

    /// Prints which codes have pages that explain them, after all diagnostics were reported.
    pub(crate) fn point_to_pages(&self) {
        let codes = self.codes.borrow();
        let mut rest = codes.iter();
        let Some(first) = rest.next() else { return };
        let rest: Vec<&str> = rest.map(String::as_str).collect();
        let others = if rest.is_empty() {
            String::new()
        } else {
            format!("; there is a page for {} too", rest.join(", "))
        };
        let _ = writeln!(
            io::stderr(),
            "`fletch explain {first}` says more about {first}{others}"
        );
    }

    /// Groups of snippets: the diagnostic, and the program after its fix.
    fn groups<'d>(&'d self, diagnostic: &'d Diagnostic) -> Vec<Group<'d>> {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Hint => Level::HELP.with_name("hint"),
        };
        let mut primary = AnnotationKind::Primary.span(self.range(diagnostic.span));
        let mut others = Vec::new();
        for label in &diagnostic.labels {
            if label.span == diagnostic.span {
                primary = primary.label(&label.text);
            } else {
                let span = self.range(label.span);
                others.push(AnnotationKind::Context.span(span).label(&label.text));
            }
        }
        let excerpt = Snippet::source(self.text)
            .path(self.name)
            .annotation(primary)
            .annotations(others);
        let hint = diagnostic.hint.iter();
        let hint = hint.map(|hint| Element::from(Level::HELP.with_name("hint").message(hint)));
        let what = level
            .primary_title(&diagnostic.message)
            .id(&diagnostic.code)
            .element(excerpt)
            .elements(hint);
        let fix = diagnostic.fix.iter().map(|fix| {
            let patch = Patch::new(self.range(fix.span), &fix.replacement);
            let title = Level::HELP.with_name("fix").secondary_title(&fix.title);
            title.element(Snippet::source(self.text).patch(patch))
        });
        std::iter::once(what).chain(fix).collect()
    }

    /// The byte range of a span, clipped to the text.
    fn range(&self, span: Span) -> Range<usize> {
        let end = (span.end as usize).min(self.text.len());
        (span.start as usize).min(end)..end
    }
}

/// True if output to the stream is coloured: on a terminal that supports it, unless `NO_COLOR` is set.
pub(crate) fn coloured(stream: &impl IsTerminal) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    stream.is_terminal() && !set("NO_COLOR") && !dumb
}
