//! Every request on every example, in both units of columns. Replies are compared with the results of `fletch-ide` and of the formatter.

use crate::client::{Client, at, examples, file};
use fletch_ide::Checked;
use fletch_syntax::Spelling;
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, DocumentHighlightRequest,
    DocumentSymbolRequest, FoldingRangeRequest, Formatting, GotoDefinition, HoverRequest,
    InlayHintRequest, PrepareRenameRequest, References, Rename, SemanticTokensFullRequest,
    SemanticTokensRangeRequest, WorkspaceSymbolRequest,
};
use lsp_types::*;
use serde_json::{Value as Json, json};
use std::path::Path;

/// A text with its columns, counted independently of the server, one character at a time.
struct Columns<'t> {
    text: &'t str,
    utf8: bool,
}

impl Columns<'_> {
    fn width(&self, character: char) -> u32 {
        let width = match self.utf8 {
            true => character.len_utf8(),
            false => character.len_utf16(),
        };
        u32::try_from(width).unwrap()
    }

    fn position(&self, offset: usize) -> Position {
        let before = &self.text[..offset];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.matches('\n').count();
        let character = before[start..]
            .chars()
            .map(|character| self.width(character));
        Position {
            line: u32::try_from(line).unwrap(),
            character: character.sum(),
        }
    }

    fn offset(&self, position: Position) -> usize {
        let mut offset = 0;
        for line in self.text.split_inclusive('\n').take(position.line as usize) {
            offset += line.len();
        }
        let mut column = 0;
        for character in self.text[offset..].chars() {
            if column >= position.character {
                break;
            }
            column += self.width(character);
            offset += character.len_utf8();
        }
        assert_eq!(
            column, position.character,
            "{position:?} is within a character"
        );
        offset
    }

    fn of(&self, range: Range) -> &str {
        &self.text[self.offset(range.start)..self.offset(range.end)]
    }

    /// Applies edits that do not overlap.
    fn edited(&self, mut edits: Vec<TextEdit>) -> String {
        edits.sort_by_key(|edit| edit.range.start);
        let mut text = String::new();
        let mut done = 0;
        for edit in edits {
            let (from, to) = (self.offset(edit.range.start), self.offset(edit.range.end));
            text += &self.text[done..from];
            text += &edit.new_text;
            done = to;
        }
        text + &self.text[done..]
    }
}

fn params<T: serde::de::DeserializeOwned>(json: Json) -> T {
    serde_json::from_value(json).unwrap()
}

fn errors(checked: &Checked) -> Vec<&str> {
    let found = checked.diagnostics.iter().filter(|found| found.is_error());
    found.map(|found| found.code.as_str()).collect()
}

/// Sends all requests about an open text.
fn all_requests(client: &mut Client, path: &Path, text: &str, utf8: bool) {
    let uri = &file(path);
    let columns = &Columns { text, utf8 };
    let checked = fletch_ide::check(text);
    let document = json!({ "uri": uri });
    let whole = Range::new(Position::default(), columns.position(text.len()));

    names(client, uri, columns, &checked);
    let found = client.diagnosed(uri).diagnostics;
    assert_eq!(found.len(), checked.diagnostics.len());
    let both = found.iter().zip(&checked.diagnostics);
    for (shown, own) in both {
        assert_eq!(shown.range.start, columns.position(own.span.start as usize));
        assert_eq!(columns.of(shown.range), own.span.text(text));
        let places = shown.related_information.as_ref().map_or(0, Vec::len);
        assert_eq!(places, own.labels.len());
        let page = &shown.code_description.as_ref().unwrap().href;
        let expected = format!("https://example.org/fletch/errors/{}.html", own.code);
        assert_eq!(page.as_str(), expected);
    }

    let asks = params(
        json!({ "textDocument": document, "range": whole, "context": { "diagnostics": [] } }),
    );
    let actions = client.ask::<CodeActionRequest>(asks).unwrap_or_default();
    let fixable = checked
        .diagnostics
        .iter()
        .filter(|found| found.fix.is_some());
    let is_fix = |action: &&CodeActionOrCommand| match action {
        CodeActionOrCommand::CodeAction(action) => action.kind == Some(CodeActionKind::QUICKFIX),
        CodeActionOrCommand::Command(_) => false,
    };
    assert_eq!(actions.iter().filter(is_fix).count(), fixable.count());

    let asks = params(json!({ "textDocument": document }));
    let Some(SemanticTokensResult::Tokens(tokens)) = client.ask::<SemanticTokensFullRequest>(asks)
    else {
        panic!("no tokens")
    };
    let (mut line, mut column) = (0, 0);
    for token in &tokens.data {
        if token.delta_line > 0 {
            column = 0;
        }
        (line, column) = (line + token.delta_line, column + token.delta_start);
        let start = Position::new(line, column);
        let end = Position::new(line, column + token.length);
        let word = columns.of(Range::new(start, end));
        assert!(!word.is_empty() && !word.contains('\n'), "{word:?}");
    }
    let asks = params(json!({ "textDocument": document, "range": whole }));
    let ranged = client.ask::<SemanticTokensRangeRequest>(asks);
    assert_eq!(ranged, Some(SemanticTokensRangeResult::Tokens(tokens)));

    let asks = params(json!({ "textDocument": document }));
    let Some(DocumentSymbolResponse::Nested(symbols)) = client.ask::<DocumentSymbolRequest>(asks)
    else {
        panic!("no symbols")
    };
    assert_eq!(symbols.len(), checked.outline.len());
    for (symbol, entry) in symbols.iter().zip(&checked.outline) {
        assert_eq!(columns.of(symbol.range), entry.span.text(text));
        let name = columns.of(symbol.selection_range);
        assert!([entry.name.as_str(), entry.kind].contains(&name), "{name}");
    }

    let asks = params(json!({ "textDocument": document }));
    let folds = client.ask::<FoldingRangeRequest>(asks).unwrap();
    let lines = columns.position(text.len()).line;
    assert!(
        folds
            .iter()
            .all(|fold| fold.start_line < fold.end_line && fold.end_line <= lines)
    );

    let asks = params(
        json!({ "textDocument": document, "options": { "tabSize": 2, "insertSpaces": true } }),
    );
    let edits = client.ask::<Formatting>(asks);
    let formatted = fletch_syntax::format(text, Spelling::Unicode, fletch_smooth::symbols());
    assert_eq!(edits.map(|edits| columns.edited(edits)), formatted.ok());

    let asks = params(json!({ "textDocument": document, "range": whole }));
    let hints = client.ask::<InlayHintRequest>(asks).unwrap();
    let writes = hints
        .into_iter()
        .flat_map(|hint| hint.text_edits.unwrap_or_default());
    let written = fletch_ide::check(&columns.edited(writes.collect()));
    assert_eq!(
        errors(&written),
        errors(&checked),
        "with all indices written"
    );

    let asks = params(json!({ "textDocument": document }));
    let lenses = client.ask::<CodeLensRequest>(asks).unwrap();
    let runs = ["main", "train", "measure"];
    let items = checked
        .outline
        .iter()
        .filter(|entry| runs.contains(&entry.kind));
    let above: std::collections::BTreeSet<Position> =
        lenses.iter().map(|lens| lens.range.start).collect();
    assert_eq!(above.len(), items.count());
}

/// Sends requests about every 17th name of a text.
fn names(client: &mut Client, uri: &Uri, columns: &Columns<'_>, checked: &Checked) {
    let text = columns.text;
    for name in checked.names.iter().step_by(17) {
        let word = name.span.text(text);
        let place = at(uri, columns.position(name.span.start as usize));
        let hover = client.ask::<HoverRequest>(HoverParams {
            text_document_position_params: place.clone(),
            work_done_progress_params: WorkDoneProgressParams::default(),
        });
        let hover = hover.unwrap();
        assert_eq!(columns.of(hover.range.unwrap()), word);
        let HoverContents::Markup(contents) = hover.contents else {
            panic!("no Markdown")
        };
        assert!(contents.value.contains(&name.signature), "{word}");

        let here = json!({ "textDocument": place.text_document, "position": place.position });
        let definition = client.ask::<GotoDefinition>(params(here.clone()));
        let definition = definition.map(|found| match found {
            GotoDefinitionResponse::Scalar(location) => {
                columns.position(name.definition.unwrap().start as usize) == location.range.start
            }
            other => panic!("{other:?}"),
        });
        assert_eq!(definition, name.definition.map(|_| true), "{word}");

        let mut all = here.clone();
        all["context"] = json!({ "includeDeclaration": true });
        let places = client.ask::<References>(params(all)).unwrap();
        assert!(places.iter().any(|place| columns.of(place.range) == word));
        let same = checked
            .names
            .iter()
            .filter(|other| other.definition == name.definition);
        if name.definition.is_some() {
            assert_eq!(places.len(), same.count(), "{word}");
        }
        let marked = client
            .ask::<DocumentHighlightRequest>(params(here.clone()))
            .unwrap();
        assert_eq!(marked.len(), places.len());

        let mut after = here.clone();
        after["position"] = json!(columns.position(name.span.end as usize));
        let offered = client.ask::<Completion>(params(after));
        assert!(matches!(offered, Some(CompletionResponse::Array(_))));
    }
    // Every 41st definition of the file is renamed.
    let defined = checked
        .names
        .iter()
        .filter(|name| name.definition == Some(name.span));
    for name in defined.step_by(41) {
        let here = at(uri, columns.position(name.span.start as usize));
        let prepared = client.ask::<PrepareRenameRequest>(here.clone());
        let Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder }) = prepared
        else {
            panic!("no name")
        };
        assert_eq!(
            (columns.of(range), placeholder),
            (name.span.text(text), name.name.clone())
        );
        let renamed = client.tried::<Rename>(RenameParams {
            text_document_position: here,
            new_name: "renamed_α".to_owned(),
            work_done_progress_params: WorkDoneProgressParams::default(),
        });
        let Some(DocumentChanges::Edits(edits)) = (match renamed {
            Ok(edit) => edit.unwrap().document_changes,
            // A program with syntax errors cannot be renamed.
            Err(_) if !checked.whole => continue,
            Err(error) => panic!("{}: {}", name.name, error.message),
        }) else {
            panic!("no versions")
        };
        let edits = edits[0].edits.iter().map(|edit| match edit {
            OneOf::Left(edit) => edit.clone(),
            OneOf::Right(_) => panic!("an annotation"),
        });
        let after = fletch_ide::check(&columns.edited(edits.collect()));
        assert_eq!(errors(&after), errors(checked));
        assert_eq!(after.names.len(), checked.names.len());
    }
}

/// Sends all requests about every `of`th example.
fn all_examples(encoding: &str, of: usize) {
    let mut client = Client::new(encoding, &[]);
    let kind = client.abilities.capabilities.position_encoding.clone();
    assert_eq!(kind.unwrap().as_str(), encoding);
    for (path, text) in examples().iter().step_by(of) {
        eprintln!("{}", path.display());
        let uri = file(path);
        client.open(&uri, text);
        all_requests(&mut client, path, text, encoding == "utf-8");
        let asks = params(json!({ "query": "main" }));
        client.ask::<WorkspaceSymbolRequest>(asks).unwrap();
        client.close(&uri);
        assert_eq!(client.codes(&uri), Vec::<String>::new());
    }
    client.end();
}

#[test]
fn every_request_on_some_examples_in_bytes() {
    all_examples("utf-8", 4);
}

#[test]
fn every_request_on_every_example_in_code_units() {
    all_examples("utf-16", 1);
}

/// Characters of one to four bytes, which are one or two code units.
#[test]
fn places_are_right_behind_signs_of_any_width() {
    let text = "-- 🦀 ℓ α ⟨⟩\nloc ℓ0 ∷ (2) -- 🦀🦀\n\
        op FC[ℓ ∷ (n)] : Real(n) ▷ Real(n)\n\
        handler H : Real(2) {\n  x ↦ ⌊x⌋\n  FC[ℓ ∷ (n)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ⊙ x, ()⟩⌋ | y, z ↦ ⌊y⌋ )\n}\n\
        main = rev handle([1, 2])⟨α⟩. let β ⇐ FC[ℓ0](α) in ⌊β⌋ with H\n";
    for encoding in ["utf-8", "utf-16"] {
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let mut client = Client::new(encoding, &[]);
            let path = std::env::temp_dir().join("⟨ℓ⟩ 🦀.fletch");
            let uri = file(&path);
            client.open(&uri, &text);
            all_requests(&mut client, &path, &text, encoding == "utf-8");
            client.end();
        }
    }
}
