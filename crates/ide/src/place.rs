//! Positions of diagnostics and redexes in the units of editors.

use crate::answers::{EditorDiagnostic, EditorLabel};
use fletch_calculus::Origin;
use fletch_syntax::{Diagnostic, LineIndex, Span};

/// The span in the source that a node comes from.
pub fn span(origin: Origin) -> Span {
    Span {
        start: origin.start,
        end: origin.end,
    }
}

/// A diagnostic with positions for an editor.
pub fn for_editor(diagnostic: &Diagnostic, index: &LineIndex) -> EditorDiagnostic {
    let (from, to) = utf16(diagnostic.span, index);
    EditorDiagnostic {
        code: diagnostic.code.clone(),
        severity: diagnostic.severity,
        from,
        to,
        line: index.line_column(diagnostic.span.start).0,
        message: diagnostic.message.clone(),
        labels: diagnostic
            .labels
            .iter()
            .map(|label| {
                let (from, to) = utf16(label.span, index);
                EditorLabel {
                    from,
                    to,
                    line: index.line_column(label.span.start).0,
                    text: label.text.clone(),
                }
            })
            .collect(),
        hint: diagnostic.hint.clone(),
        fix: diagnostic.fix.as_ref().map(|fix| {
            let (from, to) = utf16(fix.span, index);
            (fix.title.clone(), from, to, fix.replacement.clone())
        }),
        file: diagnostic.file.clone(),
    }
}

/// A span in UTF-16 code units.
pub fn utf16(span: Span, index: &LineIndex) -> (u32, u32) {
    (index.to_utf16(span.start), index.to_utf16(span.end))
}
