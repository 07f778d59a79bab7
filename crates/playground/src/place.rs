//! Places of diagnostics and redexes, as editors count them.

use crate::budget::Limit;
use crate::protocol::EditorDiagnostic;
use fletch_calculus::Origin;
use fletch_reduction::Stuck;
use fletch_smooth::Partiality;
use fletch_syntax::{Diagnostic, LineIndex, Severity, Span};

/// The source place that a node comes from.
pub fn span(origin: Origin) -> Span {
    Span {
        start: origin.start,
        end: origin.end,
    }
}

/// A stuck state as a diagnostic.
pub fn stuck(stuck: &Stuck) -> Diagnostic {
    match stuck {
        Stuck::Undefined {
            symbol,
            argument,
            reason,
            origin,
        } => {
            let message = format!("`{symbol}` is undefined here: {reason}");
            let diagnostic = Diagnostic::error("F0601", span(*origin), message);
            if symbol.eval(argument, Partiality::Total).is_ok() {
                diagnostic.hint("in the paper's reading a partial function has no reduction outside its domain; `--mode total` reads it as the frameworks do")
            } else {
                diagnostic
            }
        }
        Stuck::TooLarge { origin } => {
            let message = "this reverse derivative is too large to be written out";
            Diagnostic::error("F0605", span(*origin), message)
                .hint("each derivative of a derivative doubles at every `let`: use fewer of them inside one another, or a function symbol, whose `rd` is not written out")
        }
        Stuck::Unhandled { operation, origin } => {
            let message = format!("the run stops at `{operation}`: no handler treats it");
            Diagnostic::error("F0602", span(*origin), message)
                .hint("an operation has no behaviour of its own: wrap the command in a handler with a clause for it")
        }
        Stuck::IllTyped { origin } => Diagnostic::error(
            "F0999",
            span(*origin),
            "the run stops at a state that the typing rules exclude",
        )
        .hint("this is a defect of Fletch, not of your program"),
    }
}

/// A run that used up its budget, as a diagnostic.
pub fn exhausted(limit: Limit, span: Span) -> Diagnostic {
    let message = format!("the run was stopped after {limit}");
    Diagnostic::error("F0603", span, message).hint(match limit {
        Limit::Steps(_) => "allow more with `--max-steps N`",
        Limit::Time(_) | Limit::Memory(_) => {
            "fewer layers or smaller sizes take less; every step so far was computed"
        }
    })
}

/// A diagnostic placed for an editor.
pub(crate) fn for_editor(diagnostic: &Diagnostic, index: &LineIndex) -> EditorDiagnostic {
    let (from, to) = utf16(diagnostic.span, index);
    EditorDiagnostic {
        code: diagnostic.code.clone(),
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
        .to_owned(),
        from,
        to,
        line: index.line_column(diagnostic.span.start).0,
        message: diagnostic.message.clone(),
        labels: diagnostic
            .labels
            .iter()
            .map(|label| {
                let (from, to) = utf16(label.span, index);
                (from, to, label.text.clone())
            })
            .collect(),
        hint: diagnostic.hint.clone(),
        fix: diagnostic.fix.as_ref().map(|fix| {
            let (from, to) = utf16(fix.span, index);
            (fix.title.clone(), from, to, fix.replacement.clone())
        }),
    }
}

/// A span in UTF-16 code units.
pub(crate) fn utf16(span: Span, index: &LineIndex) -> (u32, u32) {
    (index.to_utf16(span.start), index.to_utf16(span.end))
}
