//! Quick fixes: the fixes of diagnostics, each of which was tried (`fletch-ide` takes back those that do not help).

use crate::client::Client;
use crate::diagnostics;
use crate::documents::Document;
use crate::program::change;
use fletch_syntax::Diagnostic;
use lsp_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, Range, TextEdit,
};

/// The fixes of the diagnostics that a range touches.
pub(crate) fn fixes(
    diagnostics: &[Diagnostic],
    document: &Document,
    client: &Client,
    range: Range,
    context: &CodeActionContext,
) -> Vec<CodeActionOrCommand> {
    let kind = CodeActionKind::QUICKFIX;
    let wanted = |only: &CodeActionKind| {
        let (only, kind) = (only.as_str(), kind.as_str());
        let rest = kind.strip_prefix(only);
        only.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    if context
        .only
        .as_ref()
        .is_some_and(|only| !only.iter().any(wanted))
    {
        return Vec::new();
    }
    let asked = document.places.span(range);
    let touched = diagnostics
        .iter()
        .filter(|found| asked.start <= found.span.end && found.span.start <= asked.end);
    let fixes = touched.filter_map(|found| {
        let fix = found.fix.as_ref()?;
        let edit = TextEdit {
            range: document.places.range(fix.span),
            new_text: fix.replacement.clone(),
        };
        Some(CodeActionOrCommand::CodeAction(CodeAction {
            title: fix.title.replace('`', ""),
            kind: Some(kind.clone()),
            diagnostics: Some(vec![diagnostics::one(found, document, client)]),
            edit: Some(change(document, client, vec![edit])),
            is_preferred: Some(true),
            ..CodeAction::default()
        }))
    });
    fixes.collect()
}
