//! A client that talks to a server in the same process.
#![allow(dead_code)] // Another package uses a part of it.

use fletch_lsp::{Failure, Options, serve};
use fletch_trace::Budget;
use lsp_server::{
    Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError,
};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Exit, Initialized,
    Notification as Notifies, PublishDiagnostics,
};
use lsp_types::request::{Initialize, Request as Asks, Shutdown};
use lsp_types::{
    ClientCapabilities, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, InitializeParams, InitializeResult, InitializedParams, Position,
    PublishDiagnosticsParams, TextDocumentContentChangeEvent, TextDocumentIdentifier,
    TextDocumentItem, TextDocumentPositionParams, Uri, VersionedTextDocumentIdentifier,
    WorkspaceFolder,
};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

/// A client with its server.
pub(crate) struct Client {
    pub(crate) connection: Connection,
    server: Option<JoinHandle<Result<(), Failure>>>,
    next: i32,
    /// Messages that arrived while another one was awaited.
    kept: Vec<Message>,
    pub(crate) abilities: InitializeResult,
}

/// The options of a server, with a limit of 100,000 steps.
pub(crate) fn options() -> Options {
    Options {
        base: Some("https://example.org/fletch/".to_owned()),
        pages: None,
        budget: Budget::steps(100_000),
    }
}

/// The capabilities of a client that supports everything, with columns in this encoding.
pub(crate) fn capable(encoding: &str) -> ClientCapabilities {
    let capabilities = json!({
        "general": { "positionEncodings": [encoding] },
        "window": { "showDocument": { "support": true } },
        "workspace": {
            "workspaceEdit": { "documentChanges": true },
            "didChangeWatchedFiles": { "dynamicRegistration": true },
        },
        "textDocument": {
            "hover": { "contentFormat": ["markdown"] },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "publishDiagnostics": { "relatedInformation": true },
        },
    });
    serde_json::from_value(capabilities).unwrap()
}

/// The address of a text without a file.
pub(crate) fn untitled() -> Uri {
    "untitled:program.fletch".parse().unwrap()
}

/// The address of a file.
pub(crate) fn file(path: &Path) -> Uri {
    let url = url::Url::from_file_path(path).unwrap();
    url.as_str().parse().unwrap()
}

/// Creates an empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("fletch-lsp-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A position in a text.
pub(crate) fn at(uri: &Uri, position: Position) -> TextDocumentPositionParams {
    TextDocumentPositionParams {
        text_document: TextDocumentIdentifier { uri: uri.clone() },
        position,
    }
}

pub(crate) fn request<R: Asks>(id: i32, params: R::Params) -> Message {
    Request::new(RequestId::from(id), R::METHOD.to_owned(), params).into()
}

pub(crate) fn notification<N: Notifies>(params: N::Params) -> Message {
    Notification::new(N::METHOD.to_owned(), params).into()
}

pub(crate) fn opened(uri: &Uri, version: i32, text: &str) -> Message {
    notification::<DidOpenTextDocument>(DidOpenTextDocumentParams {
        text_document: TextDocumentItem {
            uri: uri.clone(),
            language_id: "fletch".to_owned(),
            version,
            text: text.to_owned(),
        },
    })
}

pub(crate) fn changed(
    uri: &Uri,
    version: i32,
    changes: Vec<TextDocumentContentChangeEvent>,
) -> Message {
    notification::<DidChangeTextDocument>(DidChangeTextDocumentParams {
        text_document: VersionedTextDocumentIdentifier {
            uri: uri.clone(),
            version,
        },
        content_changes: changes,
    })
}

/// A change that replaces the whole text.
pub(crate) fn whole(text: &str) -> TextDocumentContentChangeEvent {
    TextDocumentContentChangeEvent {
        range: None,
        range_length: None,
        text: text.to_owned(),
    }
}

impl Client {
    /// A client that supports everything, with this encoding and these folders.
    pub(crate) fn new(encoding: &str, folders: &[&Path]) -> Client {
        Client::with(capable(encoding), folders, options())
    }

    pub(crate) fn with(
        capabilities: ClientCapabilities,
        folders: &[&Path],
        options: Options,
    ) -> Client {
        let folders = folders.iter().map(|folder| WorkspaceFolder {
            uri: file(folder),
            name: folder.display().to_string(),
        });
        let params = InitializeParams {
            capabilities,
            workspace_folders: Some(folders.collect()),
            ..InitializeParams::default()
        };
        Client::begun(params, options)
    }

    /// Starts a client and its server with these parameters.
    pub(crate) fn begun(params: InitializeParams, options: Options) -> Client {
        let (own, other) = Connection::memory();
        let server = std::thread::spawn(move || serve(&other, options));
        let mut client = Client {
            connection: own,
            server: Some(server),
            next: 0,
            kept: Vec::new(),
            abilities: InitializeResult::default(),
        };
        client.abilities = client.ask::<Initialize>(params);
        client.send(notification::<Initialized>(InitializedParams {}));
        client
    }

    pub(crate) fn send(&self, message: Message) {
        self.connection.sender.send(message).unwrap();
    }

    pub(crate) fn open(&self, uri: &Uri, text: &str) {
        self.send(opened(uri, 1, text));
    }

    pub(crate) fn change(&self, uri: &Uri, version: i32, text: &str) {
        self.send(changed(uri, version, vec![whole(text)]));
    }

    pub(crate) fn close(&self, uri: &Uri) {
        self.send(notification::<DidCloseTextDocument>(
            DidCloseTextDocumentParams {
                text_document: TextDocumentIdentifier { uri: uri.clone() },
            },
        ));
    }

    /// Sends a request and returns its id, without waiting for the reply.
    pub(crate) fn begin<R: Asks>(&mut self, params: R::Params) -> i32 {
        self.next += 1;
        self.send(request::<R>(self.next, params));
        self.next
    }

    /// Waits for the next message that `fits` accepts; other messages are kept for later.
    pub(crate) fn next<T>(&mut self, fits: impl Fn(&Message) -> Option<T>) -> T {
        if let Some(at) = self.kept.iter().position(|message| fits(message).is_some()) {
            return fits(&self.kept.remove(at)).unwrap();
        }
        loop {
            let message = self.connection.receiver.recv().unwrap();
            if let Message::Request(Request { id, .. }) = &message {
                let answer = Response::new_ok(id.clone(), Json::Null);
                self.send(answer.into());
            }
            match fits(&message) {
                Some(found) => return found,
                None => self.kept.push(message),
            }
        }
    }

    pub(crate) fn answer(&mut self, id: i32) -> Result<Json, ResponseError> {
        self.next(|message| match message {
            Message::Response(response) if response.id == RequestId::from(id) => {
                Some(response.response_result.clone())
            }
            _ => None,
        })
    }

    /// Sends a request and waits for the reply, which may be an error.
    pub(crate) fn tried<R: Asks>(&mut self, params: R::Params) -> Result<R::Result, ResponseError> {
        let id = self.begin::<R>(params);
        let answer = self.answer(id)?;
        Ok(serde_json::from_value(answer).unwrap())
    }

    /// Sends a request and waits for its result.
    pub(crate) fn ask<R: Asks>(&mut self, params: R::Params) -> R::Result {
        let method = R::METHOD;
        let tried = self.tried::<R>(params);
        tried.unwrap_or_else(|error| panic!("{method}: {} {}", error.code, error.message))
    }

    /// Sends all requests about a text at a position. Errors are allowed, but not those of a defect.
    pub(crate) fn everything(&mut self, uri: &Uri, position: Position) {
        let document = json!({ "uri": uri });
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": position });
        let asks: Json = json!({
            "textDocument": document, "position": position, "range": range, "newName": "α", "query": "m",
            "context": { "includeDeclaration": true, "diagnostics": [], "triggerKind": 1 },
            "options": { "tabSize": 2, "insertSpaces": true },
        });
        let methods = [
            "hover",
            "completion",
            "definition",
            "references",
            "documentHighlight",
            "prepareRename",
            "rename",
            "documentSymbol",
            "semanticTokens/full",
            "semanticTokens/range",
            "foldingRange",
            "formatting",
            "inlayHint",
            "codeLens",
            "codeAction",
        ];
        let numbers: Vec<i32> = (0..)
            .map(|number| 10_000 + number)
            .take(methods.len())
            .collect();
        for (method, number) in methods.iter().zip(&numbers) {
            let method = format!("textDocument/{method}");
            let request = Request::new(RequestId::from(*number), method, asks.clone());
            self.send(request.into());
        }
        for (method, number) in methods.iter().zip(numbers) {
            if let Err(error) = self.answer(number) {
                let code = error.code;
                assert_ne!(
                    code,
                    ErrorCode::InternalError as i32,
                    "{method}: {}",
                    error.message
                );
                assert_ne!(
                    code,
                    ErrorCode::InvalidParams as i32,
                    "{method}: {}",
                    error.message
                );
            }
        }
    }

    /// Waits for the next notification of a kind.
    pub(crate) fn told<N: Notifies>(&mut self) -> N::Params {
        self.next(|message| match message {
            Message::Notification(told) if told.method == N::METHOD => {
                Some(serde_json::from_value(told.params.clone()).unwrap())
            }
            _ => None,
        })
    }

    /// Waits for the next diagnostics of a text.
    pub(crate) fn diagnosed(&mut self, uri: &Uri) -> PublishDiagnosticsParams {
        self.next(|message| match message {
            Message::Notification(told) if told.method == PublishDiagnostics::METHOD => {
                let params = serde_json::from_value(told.params.clone());
                let params: PublishDiagnosticsParams = params.unwrap();
                (params.uri == *uri).then_some(params)
            }
            _ => None,
        })
    }

    /// Waits for the next diagnostics of a text, and returns their codes.
    pub(crate) fn codes(&mut self, uri: &Uri) -> Vec<String> {
        let found = self.diagnosed(uri).diagnostics.into_iter();
        let codes = found.map(|found| match found.code {
            Some(lsp_types::NumberOrString::String(code)) => code,
            other => panic!("{other:?}"),
        });
        codes.collect()
    }

    /// Ends the session.
    pub(crate) fn end(mut self) {
        self.ask::<Shutdown>(());
        self.send(notification::<Exit>(()));
        self.server.take().unwrap().join().unwrap().unwrap();
    }
}

/// Paths and texts of all example programs, including those of lessons, sorted by path.
pub(crate) fn examples() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut root = folder.to_owned();
    while !root.join("examples").is_dir() {
        root = root.parent().unwrap().to_owned();
    }
    let mut found = Vec::new();
    let mut next = vec![root.join("examples").canonicalize().unwrap()];
    while let Some(folder) = next.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                next.push(path);
            } else if path.extension().is_some_and(|ending| ending == "fletch") {
                found.push((path.clone(), std::fs::read_to_string(path).unwrap()));
            }
        }
    }
    found.sort();
    assert!(found.len() > 100, "{} examples", found.len());
    found
}
