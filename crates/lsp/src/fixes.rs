//! Code actions: the fixes of diagnostics, and edits of the network that a range touches. `fletch-ide` has tried each of them, and offers
//! only those that help.

use crate::client::Client;
use crate::diagnostics;
use crate::documents::Document;
use crate::program::change;
use fletch_ide::{Checked, chain_edits};
use fletch_syntax::{Diagnostic, Span};
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
    if !wanted(context, &kind) {
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

/// True if a client requests actions of this kind.
fn wanted(context: &CodeActionContext, kind: &CodeActionKind) -> bool {
    let one = |only: &CodeActionKind| {
        let (only, kind) = (only.as_str(), kind.as_str());
        let rest = kind.strip_prefix(only);
        only.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let only = context.only.as_ref();
    only.is_none_or(|only| only.iter().any(one))
}

/// The edits of the network that a range touches: another layer, another activation.
pub(crate) fn chain(
    checked: &Checked,
    document: &Document,
    client: &Client,
    range: Range,
    context: &CodeActionContext,
) -> Vec<CodeActionOrCommand> {
    let kind = CodeActionKind::REFACTOR_REWRITE;
    if !wanted(context, &kind) {
        return Vec::new();
    }
    let asked = document.places.span(range);
    let found = chain_edits(&document.text, checked, None, Some(asked)).into_iter();
    let found = found.map(|found| {
        let edits = found.edits.into_iter().map(|edit| {
            let [start, end] = [edit.from, edit.to].map(|at| checked.index.from_utf16(at));
            TextEdit {
                range: document.places.range(Span { start, end }),
                new_text: edit.insert,
            }
        });
        CodeActionOrCommand::CodeAction(CodeAction {
            title: found.title,
            kind: Some(kind.clone()),
            edit: Some(change(document, client, edits.collect())),
            ..CodeAction::default()
        })
    });
    found.collect()
}
