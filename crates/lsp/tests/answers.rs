//! Tests of answers: from a text with the cursor written `‸` to the reply at that position.

use crate::client::{Client, at, capable, options, untitled};
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentSymbolRequest, FoldingRangeRequest, GotoDefinition,
    HoverRequest, InlayHintRequest, PrepareRenameRequest, Rename, Request,
    SemanticTokensFullRequest,
};
use lsp_types::*;
use serde_json::{Value as Json, json};

const NETWORK: &str = "\
-- A network.
-- It has one layer.
dim n_in = 2
loc ℓ0 ∷ (n_in, 8) = glorot(seed: 1)
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
op Q[n] : Real(n) ▷ Real(n)
command R(x : Real(n_in)) =
  let z ⇐ FC[ℓ0](x) in
  Q(z)
handler H : Real(8) {
  x ↦ ⌊x⌋
  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                 | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
  Q[n] ( x ↦ ⌊⟨x, ()⟩⌋ | y, _ ↦ ⌊y⌋ )
}
main = rev handle([1, 0])⟨x⟩. R(x) with H
";

/// A client that has opened a text without its cursor mark, and the position of the mark.
fn opened(source: &str) -> (Client, Position) {
    let mut client = Client::new("utf-16", &[]);
    let position = reopened(&mut client, source);
    (client, position)
}

fn reopened(client: &mut Client, source: &str) -> Position {
    let (before, after) = source.split_once('‸').unwrap();
    client.open(&untitled(), &format!("{before}{after}"));
    let line = before.matches('\n').count();
    let last = before.rsplit('\n').next().unwrap();
    let column = last.encode_utf16().count();
    Position::new(u32::try_from(line).unwrap(), u32::try_from(column).unwrap())
}

fn params<R: Request>(position: Position, more: &Json) -> R::Params {
    let start = Position::default();
    let mut asks = json!({
        "textDocument": { "uri": untitled() },
        "position": position,
        "range": { "start": start, "end": { "line": 99, "character": 0 } },
    });
    for (name, value) in more.as_object().unwrap() {
        asks[name] = value.clone();
    }
    serde_json::from_value(asks).unwrap()
}

/// The network with `part` replaced by a text that contains the cursor mark.
fn network(part: &str, replacement: &str) -> String {
    assert!(NETWORK.contains(part), "{part}");
    NETWORK.replacen(part, replacement, 1)
}

#[test]
fn a_hover_has_the_type_the_kind_and_the_note() {
    let cases = [
        (
            network("FC[ℓ0](x)", "F‸C[ℓ0](x)"),
            "```fletch\nFC[ℓ0] : Real(2) ▷ Real(8)\nFC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)\n```\n*operation*\n\nhandled by H",
        ),
        (
            network("FC[ℓ0](x)", "FC‸[ℓ0](x)"),
            "```fletch\nFC[ℓ0] : Real(2) ▷ Real(8)\nFC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)\n```\n*operation*\n\nhandled by H",
        ),
        (
            network("main", "ma‸in"),
            "```fletch\nmain = P\n```\n*keyword*\n\nThe command that is run, step by step.",
        ),
    ];
    let (mut client, _) = opened("‸");
    for (source, expected) in cases {
        let position = reopened(&mut client, &source);
        let found = client.ask::<HoverRequest>(params::<HoverRequest>(position, &json!({})));
        let HoverContents::Markup(contents) = found.unwrap().contents else {
            panic!("no Markdown")
        };
        assert_eq!(contents.value, expected);
    }
    client.end();
}

/// The labels of the completions, and the source after the first one is applied.
fn completed(source: &str, sign: Option<&str>) -> (Vec<String>, String) {
    let (mut client, position) = opened(source);
    let context = match sign {
        Some(sign) => json!({ "triggerKind": 2, "triggerCharacter": sign }),
        None => json!({ "triggerKind": 1 }),
    };
    let asks = params::<Completion>(position, &json!({ "context": context }));
    let Some(CompletionResponse::Array(items)) = client.ask::<Completion>(asks) else {
        panic!("no items")
    };
    client.end();
    let text = source.replace('‸', "");
    let first = items.first().map(|item| {
        let Some(CompletionTextEdit::Edit(edit)) = &item.text_edit else {
            panic!("no edit")
        };
        let line = text
            .split('\n')
            .nth(edit.range.start.line as usize)
            .unwrap();
        let units: Vec<u16> = line.encode_utf16().collect();
        let (from, to) = (edit.range.start.character, edit.range.end.character);
        let before = String::from_utf16(&units[..from as usize]).unwrap();
        let after = String::from_utf16(&units[to as usize..]).unwrap();
        format!("{before}{}{after}", edit.new_text)
    });
    let labels = items.into_iter().map(|item| item.label);
    (labels.collect(), first.unwrap_or_default())
}

#[test]
fn names_are_offered_where_they_fit() {
    let (labels, line) = completed(&network("FC[ℓ0](x)", "‸FC[ℓ0](x)"), None);
    assert_eq!(&labels[..3], ["FC", "Q", "R"]);
    assert_eq!(line, "  let z ⇐ FC[ℓ0](x) in".replace("FC[", "FCFC["));
    let (labels, line) = completed(&network("FC[ℓ0](x)", "FC[‸"), Some("["));
    assert_eq!(
        (labels, line.as_str()),
        (vec!["ℓ0".to_owned()], "  let z ⇐ FC[ℓ0 in")
    );
    let (labels, _) = completed(&network("R(x) with H", "R(x) with ‸"), None);
    assert_eq!(labels, ["H"]);
}

#[test]
fn characters_are_offered_by_their_names_and_in_place_of_ascii() {
    let cases = [
        ("main = ⌊\\al‸⌋\n", None, "\\alpha", "main = ⌊α⌋"),
        ("-- \\ell‸\n", Some("\\"), "\\ell", "-- ℓ"),
        (
            "main = let x <=‸ f in x\n",
            Some("="),
            "<=",
            "main = let x ⇐ f in x",
        ),
        (
            "command 🦀(a) = let x <-‸\n",
            Some("-"),
            "<-",
            "command 🦀(a) = let x ←",
        ),
        ("handler H { x |->‸\n", Some(">"), "|->", "handler H { x ↦"),
        ("loc a ::‸\n", None, "::", "loc a ∷"),
        ("main = ⌊a ^T‸⌋\n", None, "^T", "main = ⌊a ᵀ⌋"),
        ("main = ⌊a -‸⌋\n", None, "-", "main = ⌊a −⌋"),
    ];
    for (source, sign, label, expected) in cases {
        let (labels, line) = completed(source, sign);
        assert_eq!(
            (labels[0].as_str(), line.as_str()),
            (label, expected),
            "{source}"
        );
    }
    let all = completed("main = ⌊\\‸⌋\n", Some("\\")).0;
    assert_eq!(all.len(), fletch_syntax::names().len());
    // A single minus and text in a string get no completion of their spelling.
    for source in ["main = ⌊a -‸⌋\n", "main = ‸\n", "data d = csv(\"a<=‸\")\n"] {
        assert_eq!(completed(source, Some("=")).0, [""; 0], "{source}");
    }
}

#[test]
fn a_definition_is_where_the_name_is_bound() {
    let (mut client, position) = opened(&network("Q(z)", "Q(‸z)"));
    let found = client.ask::<GotoDefinition>(params::<GotoDefinition>(position, &json!({})));
    let Some(GotoDefinitionResponse::Scalar(found)) = found else {
        panic!("{found:?}")
    };
    let expected = Range::new(Position::new(7, 6), Position::new(7, 7));
    assert_eq!(found.range, expected);
    client.end();
}

#[test]
fn a_name_of_the_language_has_no_other_and_one_that_is_caught_is_refused() {
    let (mut client, position) = opened(&network("Get[ℓ]", "G‸et[ℓ]"));
    let asks = params::<PrepareRenameRequest>(position, &json!({}));
    let refused = client.tried::<PrepareRenameRequest>(asks).unwrap_err();
    assert_eq!(
        (refused.code, refused.message.as_str()),
        (-32803, "`Get` is part of the language.")
    );
    for (to, expected) in [("in", "no name"), ("x", "x"), ("", "letter")] {
        let position = reopened(
            &mut client,
            &network(
                "let z ⇐ FC[ℓ0](x) in\n  Q(z)",
                "let ‸z ⇐ FC[ℓ0](x) in\n  let _ ⇐ Q(z) in Q(x)",
            ),
        );
        let asks = params::<Rename>(position, &json!({ "newName": to }));
        match client.tried::<Rename>(asks) {
            Err(refused) => assert!(refused.message.contains(expected), "{}", refused.message),
            Ok(_) => panic!("{to}"),
        }
    }
    client.end();
}

#[test]
fn an_outline_has_types_and_clauses() {
    let (mut client, _) = opened(&format!("‸{NETWORK}"));
    let asks = params::<DocumentSymbolRequest>(Position::default(), &json!({}));
    let Some(DocumentSymbolResponse::Nested(found)) = client.ask::<DocumentSymbolRequest>(asks)
    else {
        panic!("no symbols")
    };
    let lines: Vec<String> = found
        .iter()
        .map(|symbol| {
            let within = symbol
                .children
                .iter()
                .flatten()
                .map(|child| child.name.as_str());
            let within: Vec<&str> = within.collect();
            let detail = symbol.detail.as_deref().unwrap_or("–");
            format!("{}: {detail} {within:?}", symbol.name)
        })
        .collect();
    assert_eq!(
        lines,
        [
            "n_in: dim n_in = 2 []",
            "ℓ0: ℓ0 ∷ (2, 8) []",
            "FC: FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m) []",
            "Q: Q[n] : Real(n) ▷ Real(n) []",
            "R: command R(x : Real(2)) : Real(8) []",
            "H: handler H : Real(8) [\"return\", \"FC\", \"Q\"]",
            "main: – []",
        ]
    );
    client.end();
}

#[test]
fn hints_tell_the_types_and_indices_that_are_left_out() {
    let (mut client, _) = opened(&format!("‸{NETWORK}"));
    let asks = params::<InlayHintRequest>(Position::default(), &json!({}));
    let hints = client.ask::<InlayHintRequest>(asks).unwrap();
    let lines: Vec<String> = hints
        .iter()
        .map(|hint| {
            let InlayHintLabel::String(label) = &hint.label else {
                panic!("parts")
            };
            let line = NETWORK.lines().nth(hint.position.line as usize).unwrap();
            let units: Vec<u16> = line.encode_utf16().collect();
            let at = hint.position.character as usize;
            let before = String::from_utf16(&units[..at]).unwrap();
            let after = String::from_utf16(&units[at..]).unwrap();
            format!("{}«{label}»{}", before.trim_start(), after)
        })
        .collect();
    assert_eq!(
        lines,
        [
            "command R(x : Real(n_in))« : Real(8)» =",
            "let z«: Real(8)» ⇐ FC[ℓ0](x) in",
            "Q«[8]»(z)",
            "x«: Real(8)» ↦ ⌊x⌋",
            "main = rev handle([1, 0])⟨x«: Real(2)»⟩. R(x) with H",
        ]
    );
    client.end();
}

#[test]
fn declarations_clauses_and_comments_fold() {
    let (mut client, _) = opened(&format!("‸{NETWORK}"));
    let asks = params::<FoldingRangeRequest>(Position::default(), &json!({}));
    let folds = client.ask::<FoldingRangeRequest>(asks).unwrap();
    let lines: Vec<(u32, u32)> = folds
        .iter()
        .map(|fold| (fold.start_line, fold.end_line))
        .collect();
    assert_eq!(lines, [(0, 1), (6, 8), (9, 13), (11, 12)]);
    client.end();
}

#[test]
fn tokens_have_the_kinds_of_their_names() {
    let (mut client, _) = opened("‸loc ℓ0 ∷ (2) -- 🦀\nmain = Get[ℓ0]()\n");
    let asks = params::<SemanticTokensFullRequest>(Position::default(), &json!({}));
    let Some(SemanticTokensResult::Tokens(found)) = client.ask::<SemanticTokensFullRequest>(asks)
    else {
        panic!("no tokens")
    };
    let Some(SemanticTokensServerCapabilities::SemanticTokensOptions(options)) =
        &client.abilities.capabilities.semantic_tokens_provider
    else {
        panic!("no legend")
    };
    let shown = found.data.iter().map(|token| {
        let kind = options.legend.token_types[token.token_type as usize].as_str();
        let (line, start, length) = (token.delta_line, token.delta_start, token.length);
        format!(
            "+{line} +{start} {length} {kind} {}",
            token.token_modifiers_bitset
        )
    });
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [
            "+0 +0 3 keyword 0",
            "+0 +4 2 property 1",
            "+0 +3 1 operator 0",
            "+0 +3 1 number 0",
            "+0 +3 5 comment 0",
            "+1 +0 4 keyword 0",
            "+0 +5 1 operator 0",
            "+0 +2 3 method 2",
            "+0 +4 2 property 0",
        ]
    );
    client.end();
}

#[test]
fn a_fix_is_offered_where_its_diagnostic_is() {
    let (mut client, _) = opened("‸dim size = 2\nmain = ⌊zero[siez]⌋\n");
    let ask = |client: &mut Client, line: u32, only: &[&str]| {
        let place = Position::new(line, 14);
        let more = json!({ "range": Range::new(place, place), "context": { "diagnostics": [], "only": only } });
        let asks = params::<CodeActionRequest>(place, &more);
        client.ask::<CodeActionRequest>(asks).unwrap()
    };
    let found = ask(&mut client, 1, &["quickfix"]);
    let [CodeActionOrCommand::CodeAction(action)] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(action.title, "write size");
    let Some(DocumentChanges::Edits(edits)) = &action.edit.as_ref().unwrap().document_changes
    else {
        panic!("no edits")
    };
    assert_eq!(edits[0].text_document.version, Some(1));
    assert_eq!(ask(&mut client, 0, &["quickfix"]), []);
    assert_eq!(ask(&mut client, 1, &["refactor"]), []);
    client.end();
}

#[test]
fn edits_of_a_network_are_offered_where_it_is() {
    let text = include_str!("../../../examples/mlp.fletch");
    let (mut client, _) = opened(&format!("‸{text}"));
    let mut ask = |line: &str, only: &str| {
        let number = text.lines().position(|other| other.contains(line)).unwrap();
        let place = Position::new(u32::try_from(number).unwrap(), 8);
        let more = json!({ "range": Range::new(place, place), "context": { "diagnostics": [], "only": [only] } });
        let asks = params::<CodeActionRequest>(place, &more);
        let found = client.ask::<CodeActionRequest>(asks).unwrap();
        let titles = found.into_iter().map(|found| match found {
            CodeActionOrCommand::CodeAction(action) => action.title,
            CodeActionOrCommand::Command(command) => command.title,
        });
        titles.collect::<Vec<String>>()
    };
    let offered = ask("let z_hid", "refactor");
    let expected = [
        "Add a layer after z_hid: FC[ℓ2], swish",
        "Remove the layer z_hid: FC[ℓ0], swish",
    ];
    assert_eq!(offered, expected);
    let offered = ask("data xor", "refactor");
    let expected = "Use circles in the place of the samples of xor";
    assert_eq!(offered.first().map(String::as_str), Some(expected));
    assert!(ask("let z_hid", "quickfix").is_empty());
    assert!(ask("dim n_in", "refactor").is_empty());
    client.end();
}

/// A client with few capabilities: related spans in the message, plain text, flat symbols, edits without versions.
#[test]
fn a_simple_client_is_told_the_same_in_simpler_ways() {
    let mut client = Client::with(ClientCapabilities::default(), &[], options());
    let encoding = client.abilities.capabilities.position_encoding.clone();
    assert_eq!(encoding, Some(PositionEncodingKind::UTF16));
    let text = "dim n = 2\ndim n = 3\nmain = ⌊zero[n]⌋\n";
    client.open(&untitled(), text);
    let found = client.diagnosed(&untitled()).diagnostics;
    assert!(
        found
            .iter()
            .any(|found| found.message.contains("\nline 1: ")),
        "{found:?}"
    );
    let place = at(&untitled(), Position::new(2, 13));
    let hover = client.ask::<HoverRequest>(HoverParams {
        text_document_position_params: place,
        work_done_progress_params: WorkDoneProgressParams::default(),
    });
    let HoverContents::Markup(contents) = hover.unwrap().contents else {
        panic!("no text")
    };
    assert!(
        contents.value.starts_with("dim n = 2\ndimension"),
        "{}",
        contents.value
    );
    let asks = params::<DocumentSymbolRequest>(Position::default(), &json!({}));
    let symbols = client.ask::<DocumentSymbolRequest>(asks);
    assert!(
        matches!(symbols, Some(DocumentSymbolResponse::Flat(_))),
        "{symbols:?}"
    );
    client.open(&untitled(), "dim n = 2\nmain = ⌊zero[n]⌋\n");
    let asks = params::<Rename>(Position::new(0, 4), &json!({ "newName": "m" }));
    let edit = client.ask::<Rename>(asks).unwrap();
    assert_eq!(edit.changes.unwrap()[&untitled()].len(), 2);
    client.end();
}

#[test]
fn a_page_is_named_by_an_option_and_one_that_nobody_could_open_is_left_out() {
    for (base, page) in [
        (
            "https://other.example/p/",
            Some("https://other.example/p/errors/F0201.html"),
        ),
        ("nowhere", None),
    ] {
        let params = InitializeParams {
            capabilities: capable("utf-16"),
            initialization_options: Some(json!({ "base": base })),
            ..InitializeParams::default()
        };
        let without = fletch_lsp::Options {
            base: None,
            ..options()
        };
        let mut client = Client::begun(params, without);
        if page.is_none() {
            let told = client.told::<notification::ShowMessage>().message;
            assert!(told.contains("https://example.org/fletch/"), "{told}");
        }
        client.open(&untitled(), "main = ⌊y⌋\n");
        let found = client.diagnosed(&untitled()).diagnostics;
        let href = found[0]
            .code_description
            .as_ref()
            .map(|page| page.href.as_str());
        assert_eq!(href, page);
        client.end();
    }
}
