//! Diagnostics in the form of the protocol: with their related spans, and a code that links to its page.

use crate::client::Client;
use crate::documents::Document;
use fletch_syntax::{Diagnostic, Severity};
use lsp_types::{
    CodeDescription, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString,
};

/// Code for an unused name, which editors show faintly.
const UNUSED: &str = "F0206";

/// The diagnostics of a text.
pub(crate) fn shown(
    diagnostics: &[Diagnostic],
    document: &Document,
    client: &Client,
) -> Vec<lsp_types::Diagnostic> {
    let diagnostics = diagnostics.iter();
    diagnostics
        .map(|diagnostic| one(diagnostic, document, client))
        .collect()
}

/// Converts a diagnostic of a text. If the client does not show related spans, the message lists them.
pub(crate) fn one(
    diagnostic: &Diagnostic,
    document: &Document,
    client: &Client,
) -> lsp_types::Diagnostic {
    let places = &document.places;
    let mut message = diagnostic.message.clone();
    let mut related = Vec::new();
    for label in &diagnostic.labels {
        let range = places.range(label.span);
        if client.related {
            related.push(DiagnosticRelatedInformation {
                location: Location {
                    uri: document.uri.clone(),
                    range,
                },
                message: label.text.clone(),
            });
        } else {
            message += &format!("\nline {}: {}", range.start.line + 1, label.text);
        }
    }
    if let Some(hint) = &diagnostic.hint {
        message += &format!("\nhint: {hint}");
    }
    let page = client.page_of(&diagnostic.code);
    lsp_types::Diagnostic {
        range: places.range(diagnostic.span),
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Hint => DiagnosticSeverity::HINT,
        }),
        code: Some(NumberOrString::String(diagnostic.code.clone())),
        code_description: page.map(|href| CodeDescription { href }),
        source: Some("fletch".to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        tags: (diagnostic.code == UNUSED).then(|| vec![DiagnosticTag::UNNECESSARY]),
        data: None,
    }
}
