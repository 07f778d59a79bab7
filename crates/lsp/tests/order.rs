//! Requests that are cancelled or outdated, messages out of order or without sense, and the end of a session.

use crate::client::{
    self, Client, at, capable, changed, notification, opened, options, request, untitled, whole,
};
use fletch_lsp::serve;
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{Cancel, Exit, Initialized};
use lsp_types::request::{HoverRequest, Initialize, SemanticTokensFullRequest, Shutdown};
use lsp_types::{
    CancelParams, HoverParams, InitializeParams, InitializedParams, NumberOrString, Position,
};
use serde_json::{Value as Json, json};

const CONTENT_MODIFIED: i32 = -32801;
const REQUEST_CANCELLED: i32 = -32800;

fn hover(id: i32) -> Message {
    request::<HoverRequest>(
        id,
        HoverParams {
            text_document_position_params: at(&untitled(), Position::new(0, 0)),
            work_done_progress_params: Default::default(),
        },
    )
}

fn cancel(id: i32) -> Message {
    notification::<Cancel>(CancelParams {
        id: NumberOrString::Number(id),
    })
}

fn begin() -> [Message; 2] {
    let params = InitializeParams {
        capabilities: capable("utf-16"),
        ..InitializeParams::default()
    };
    [
        request::<Initialize>(0, params),
        notification::<Initialized>(InitializedParams {}),
    ]
}

/// The responses to messages that all arrive before the server starts: the id, and the code of an error. Also true if the session ended
/// without failure.
fn responses(messages: Vec<Message>) -> (Vec<(RequestId, Option<i32>)>, bool) {
    let (own, other) = Connection::memory();
    for message in begin().into_iter().chain(messages) {
        own.sender.send(message).unwrap();
    }
    let ended = serve(&other, options()).is_ok();
    drop(other);
    let responses = own.receiver.iter().filter_map(|message| match message {
        Message::Response(Response {
            id,
            response_result,
        }) => Some((id, response_result.err().map(|error| error.code))),
        _ => None,
    });
    (responses.skip(1).collect(), ended)
}

fn ends() -> [Message; 2] {
    [request::<Shutdown>(99, ()), notification::<Exit>(())]
}

#[test]
fn a_request_about_a_text_that_has_changed_since_is_dropped() {
    let uri = untitled();
    let mut messages = vec![
        opened(&uri, 1, "main = ⌊1⌋\n"),
        hover(1),
        changed(&uri, 2, vec![whole("main = ⌊2⌋\n")]),
        hover(2),
        cancel(2),
        hover(3),
        client::notification::<lsp_types::notification::DidCloseTextDocument>(
            lsp_types::DidCloseTextDocumentParams {
                text_document: lsp_types::TextDocumentIdentifier { uri: uri.clone() },
            },
        ),
    ];
    messages.extend(ends());
    let (found, ended) = responses(messages);
    let code = |id: i32| {
        let mut found = found.iter();
        found
            .find(|(own, _)| *own == RequestId::from(id))
            .unwrap()
            .1
    };
    assert_eq!(code(1), Some(CONTENT_MODIFIED));
    assert_eq!(code(2), Some(REQUEST_CANCELLED));
    assert_eq!(code(3), Some(CONTENT_MODIFIED));
    assert_eq!(code(99), None);
    assert!(ended);
}

#[test]
fn a_request_about_the_newest_text_is_answered_whatever_came_before() {
    let uri = untitled();
    let mut client = Client::new("utf-16", &[]);
    client.open(&uri, "");
    for version in 2..100 {
        client.change(&uri, version, &"dim n = 2\n".repeat(version as usize));
    }
    let place = at(&uri, Position::new(0, 4));
    let found = client.ask::<HoverRequest>(HoverParams {
        text_document_position_params: place,
        work_done_progress_params: Default::default(),
    });
    assert!(found.is_some());
    // Diagnostics of intermediate versions may be skipped; those of the newest version arrive.
    loop {
        if client.diagnosed(&uri).version == Some(99) {
            break;
        }
    }
    client.end();
}

#[test]
fn the_end_comes_in_order_or_is_a_failure() {
    assert_eq!(
        responses(ends().into()),
        (vec![(RequestId::from(99), None)], true)
    );
    let (_, ended) = responses(vec![notification::<Exit>(())]);
    assert!(!ended);
    let [shutdown, exit] = ends();
    let (found, _) = responses(vec![shutdown, hover(1), exit]);
    // -32600 is the code of an invalid request.
    assert!(
        found.contains(&(RequestId::from(1), Some(-32600))),
        "{found:?}"
    );
}

#[test]
fn what_makes_no_sense_is_an_error_or_is_left_out() {
    let mut client = Client::new("utf-16", &[]);
    let uri = untitled();
    client.open(&uri, "main = ⌊1⌋\n");
    let methods = [
        "textDocument/hover",
        "textDocument/rename",
        "textDocument/codeAction",
        "textDocument/semanticTokens/full",
        "workspace/executeCommand",
        "workspace/symbol",
        "textDocument/neverHeardOf",
        "",
    ];
    let documents = [
        Json::Null,
        json!([]),
        json!("text"),
        json!({ "textDocument": { "uri": "::" } }),
        json!({ "textDocument": { "uri": uri } }),
        json!({ "textDocument": { "uri": "file:///not/there.fletch" }, "position": { "line": 0, "character": 0 }, "newName": "x" }),
        json!({ "textDocument": { "uri": uri }, "position": { "line": -1, "character": 1e30 } }),
        json!({ "command": "fletch.fly", "arguments": [uri, { "item": "main" }] }),
        json!({ "command": "fletch.run", "arguments": [uri, { "item": "train", "number": 1e300 }] }),
        json!({ "command": "fletch.checkGradient", "arguments": [uri, { "item": "train", "number": usize::MAX }] }),
        json!({ "arguments": [[[]]] }),
    ];
    let mut next = 1000;
    for method in methods {
        for params in &documents {
            next += 1;
            let id = RequestId::from(next);
            client.send(Request::new(id, method.to_owned(), params.clone()).into());
            // Every request gets an answer.
            let _ = client.answer(next);
            client.send(Notification::new(method.to_owned(), params.clone()).into());
        }
    }
    let notifications = [
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didClose",
        "textDocument/didSave",
        "workspace/didChangeWatchedFiles",
        "workspace/didChangeWorkspaceFolders",
        "$/cancelRequest",
        "$/setTrace",
    ];
    for method in notifications {
        for params in &documents {
            client.send(Notification::new(method.to_owned(), params.clone()).into());
        }
    }
    client.open(&uri, "main = ⌊1⌋\n");
    let asks = json!({ "textDocument": { "uri": uri } });
    let asks = serde_json::from_value(asks).unwrap();
    assert!(client.ask::<SemanticTokensFullRequest>(asks).is_some());
    client.end();
}

#[test]
fn a_client_that_says_nonsense_first_may_try_again() {
    let (own, other) = Connection::memory();
    let nonsense = Request::new(RequestId::from(1), "initialize".to_owned(), json!([1]));
    own.sender.send(nonsense.into()).unwrap();
    for message in begin().into_iter().chain(ends()) {
        own.sender.send(message).unwrap();
    }
    assert!(serve(&other, options()).is_ok());
}
