//! A program that a request is about. Answers of `fletch-ide` count in UTF-16 code units from the start of the text; this module converts
//! them to the positions of the protocol.

use crate::client::Client;
use crate::documents::Document;
use fletch_elaborate::Occurrence;
use fletch_ide::{Answer, Assistant, Question, Survey};
use fletch_syntax::Span;
use lsp_types::{
    DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, Position, Range,
    TextDocumentEdit, TextEdit, WorkspaceEdit,
};

/// A program that a request is about.
pub(crate) struct Program<'a> {
    /// The text.
    pub(crate) document: &'a Document,
    /// The analysis of the text.
    pub(crate) assistant: &'a mut Assistant,
    /// The client that sent the request.
    pub(crate) client: &'a Client,
}

impl Program<'_> {
    /// The answer to a question about the text.
    pub(crate) fn ask(&mut self, question: Question) -> Answer {
        self.assistant.answer(&self.document.text, question)
    }

    /// The parsed text.
    pub(crate) fn survey(&mut self) -> Survey<'_> {
        self.assistant.survey(&self.document.text)
    }

    /// All occurrences of the name at a position.
    pub(crate) fn names(&mut self, position: Position) -> Vec<&Occurrence> {
        let offset = self.utf16(position);
        self.assistant.places(&self.document.text, offset)
    }

    /// A position as an offset in UTF-16 code units.
    pub(crate) fn utf16(&self, position: Position) -> u32 {
        let places = &self.document.places;
        places.to_utf16(places.offset(position))
    }

    /// The range between two offsets in UTF-16 code units.
    pub(crate) fn between(&self, from: u32, to: u32) -> Range {
        let places = &self.document.places;
        places.range(places.between(from, to))
    }

    /// The range of a span.
    pub(crate) fn range(&self, span: Span) -> Range {
        self.document.places.range(span)
    }

    /// Converts edits of the text to those of the protocol.
    pub(crate) fn edit(&self, edits: &[fletch_ide::TextEdit]) -> Vec<TextEdit> {
        let edits = edits.iter().map(|edit| TextEdit {
            range: self.between(edit.from, edit.to),
            new_text: edit.insert.clone(),
        });
        edits.collect()
    }
}

/// Converts edits of a document to an edit of the workspace.
pub(crate) fn change(document: &Document, client: &Client, edits: Vec<TextEdit>) -> WorkspaceEdit {
    let uri = document.uri.clone();
    if !client.versioned {
        return WorkspaceEdit {
            changes: Some([(uri, edits)].into()),
            ..WorkspaceEdit::default()
        };
    }
    let edits = TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier {
            uri,
            version: document.version,
        },
        edits: edits.into_iter().map(OneOf::Left).collect(),
    };
    WorkspaceEdit {
        document_changes: Some(DocumentChanges::Edits(vec![edits])),
        ..WorkspaceEdit::default()
    }
}
