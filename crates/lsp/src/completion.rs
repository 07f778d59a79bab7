//! Completions at the cursor: names and words that fit, characters by name (`\alpha`), and Unicode for an ASCII spelling (`<=`).

use crate::program::Program;
use fletch_ide::{Answer, Completion, Question};
use fletch_syntax::{TokenClass, names, spellings};
use lsp_types::{
    CompletionContext, CompletionItem, CompletionItemKind, CompletionTextEdit,
    CompletionTriggerKind, Documentation, Position, TextEdit,
};

/// Trigger characters, after which a client requests completions without the user.
pub(crate) const TRIGGERS: &[&str] = &["\\", "[", ",", "=", "-", ">", ":", "*"];

/// The completions at a position. `context` says if a trigger character caused the request.
pub(crate) fn complete(
    program: &mut Program<'_>,
    position: Position,
    context: Option<&CompletionContext>,
) -> Vec<CompletionItem> {
    let sign =
        context.filter(|context| context.trigger_kind == CompletionTriggerKind::TRIGGER_CHARACTER);
    let sign = sign.and_then(|context| context.trigger_character.as_deref());
    if let Some(items) = characters(program, position) {
        return items;
    }
    let mut items: Vec<CompletionItem> = spelled(program, position, sign).into_iter().collect();
    let offset = program.utf16(position);
    if let Answer::Complete(found) = program.ask(Question::Complete { offset })
        // After a trigger character, only indices are completed.
        && sign.is_none_or(|sign| found.index && ["[", ","].contains(&sign))
    {
        let range = program.between(found.from, offset);
        let options = found.options.iter().enumerate();
        items.extend(options.map(|(at, option)| item(option, at, range)));
    }
    items
}

fn item(option: &Completion, at: usize, range: lsp_types::Range) -> CompletionItem {
    let note = option.info.clone().map(Documentation::String);
    CompletionItem {
        label: option.label.clone(),
        kind: Some(kind(&option.kind)),
        detail: (!option.detail.is_empty()).then(|| option.detail.clone()),
        documentation: note,
        // The options come with the best first; this keeps their order.
        sort_text: Some(format!("{at:04}")),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit {
            range,
            new_text: option.label.clone(),
        })),
        ..CompletionItem::default()
    }
}

/// The kind of a completion, from the noun of `fletch-ide`.
fn kind(noun: &str) -> CompletionItemKind {
    match noun {
        "keyword" => CompletionItemKind::KEYWORD,
        "operation" => CompletionItemKind::METHOD,
        "location" => CompletionItemKind::FIELD,
        "dimension" | "index" => CompletionItemKind::CONSTANT,
        "handler" => CompletionItemKind::CLASS,
        "data set" => CompletionItemKind::STRUCT,
        "variable" => CompletionItemKind::VARIABLE,
        "generator" => CompletionItemKind::CONSTRUCTOR,
        _ => CompletionItemKind::FUNCTION,
    }
}

/// The characters whose names begin with the letters between the last backslash and the position; `None` without such a backslash.
fn characters(program: &Program<'_>, position: Position) -> Option<Vec<CompletionItem>> {
    let end = program.document.places.offset(position);
    let before = program.document.text.get(..end as usize)?;
    let start = before.rfind('\\')?;
    let typed = before.get(start + 1..)?;
    let is_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    if !typed.chars().all(is_name) {
        return None;
    }
    let span = fletch_syntax::Span::new(start, end as usize);
    let range = program.range(span);
    let named = names().iter().enumerate();
    let fitting = named.filter(|(_, (name, _))| name.starts_with(typed));
    let items = fitting
        .map(|(at, (name, character))| replacement(&format!("\\{name}"), character, range, at));
    Some(items.collect())
}

/// The Unicode spelling of the token that ends at the position. For a token of one character it is offered only at the user's request.
fn spelled(
    program: &mut Program<'_>,
    position: Position,
    sign: Option<&str>,
) -> Option<CompletionItem> {
    let end = program.document.places.offset(position);
    let text = &program.document.text.clone();
    let tokens = program.survey().tokens;
    let at = tokens.partition_point(|token| token.span.end < end);
    let token = tokens.get(at).filter(|token| token.span.end == end)?;
    if matches!(token.class, TokenClass::Comment | TokenClass::String) {
        return None;
    }
    let span = token.span;
    let written = span.text(text);
    let (ascii, unicode) = spellings().iter().find(|(ascii, _)| *ascii == written)?;
    if sign.is_some() && ascii.len() == 1 {
        return None;
    }
    Some(replacement(ascii, unicode, program.range(span), 0))
}

/// A completion that replaces the typed text by a character.
fn replacement(typed: &str, character: &str, range: lsp_types::Range, at: usize) -> CompletionItem {
    CompletionItem {
        label: typed.to_owned(),
        kind: Some(CompletionItemKind::TEXT),
        detail: Some(character.to_owned()),
        filter_text: Some(typed.to_owned()),
        sort_text: Some(format!("{at:04}")),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit {
            range,
            new_text: character.to_owned(),
        })),
        ..CompletionItem::default()
    }
}
