//! The session with a client: start, the open texts and their edits, requests that go to the workers and replies that come back, and the
//! end. All messages that have arrived are processed together: a request that a later message cancels or outdates never reaches a worker.

use crate::abilities::abilities;
use crate::client::{Client, Options};
use crate::documents::{Documents, Key, path};
use crate::requests::{Asked, Report, Ticket, answer, error, guarded, uri};
use crate::{answers, checks, runs};
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{
    Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError,
};
use lsp_types::notification::{
    Cancel, DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders,
    DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Exit, Initialized,
    Notification as _, PublishDiagnostics, ShowMessage,
};
use lsp_types::request::{
    CodeActionRequest, ExecuteCommand, RegisterCapability, Request as _, Shutdown,
    WorkspaceSymbolRequest,
};
use lsp_types::{
    CancelParams, DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern,
    InitializeParams, InitializeResult, MessageType, NumberOrString, Registration,
    RegistrationParams, ServerInfo, ShowMessageParams,
};
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

/// Stack of a worker, in bytes. The depth of programs is limited to fit it.
const STACK: usize = 256 << 20;

/// Files whose changes a client reports: programs, and files of data sets.
const WATCHED: [&str; 2] = ["**/*.fletch", "**/*.{csv,tsv,txt}"];

/// The reason why a server ends before the client requests it.
#[derive(Debug)]
pub struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

/// Serves a client until its `exit` notification.
///
/// # Errors
/// If the connection closes, or `exit` comes before `shutdown`.
pub fn serve(connection: &Connection, options: Options) -> Result<(), Failure> {
    let (mut server, reports) = Server::begin(connection, options)?;
    loop {
        select! {
            recv(connection.receiver) -> message => {
                let Ok(first) = message else {
                    return Err(Failure("the client has gone".to_owned()));
                };
                let rest = connection.receiver.try_iter();
                let messages: Vec<Message> = std::iter::once(first).chain(rest).collect();
                if let Some(ended) = server.take(messages) {
                    return ended;
                }
            }
            recv(reports) -> report => match report {
                Ok(report) => server.report(report),
                Err(_) => return Err(Failure("the workers have gone".to_owned())),
            },
        }
    }
}

/// Serves a client on standard input and output.
///
/// # Errors
/// As [`serve`].
pub fn serve_stdio(options: Options) -> Result<(), Failure> {
    let (connection, threads) = Connection::stdio();
    serve(&connection, options)?;
    // The writing thread ends once all senders are dropped.
    drop(connection);
    let joined = threads.join();
    joined.map_err(|error| Failure(error.to_string()))
}

/// A session with a client.
struct Server {
    out: Sender<Message>,
    client: Arc<Client>,
    documents: Documents,
    /// Requests without a reply so far.
    waiting: BTreeMap<RequestId, Ticket>,
    answers: Sender<answers::Job>,
    checks: Sender<checks::Job>,
    runs: Sender<Asked>,
    /// Number of the last request to the client, from 1; 0 before the first.
    next: i32,
    shut_down: bool,
}

impl Server {
    /// Starts a session. Returns it with the channel on which its workers report.
    fn begin(
        connection: &Connection,
        options: Options,
    ) -> Result<(Server, Receiver<Report>), Failure> {
        let out = &connection.sender;
        let (id, params) = loop {
            let started = connection.initialize_start();
            let (id, params) = started.map_err(|error| Failure(error.to_string()))?;
            match serde_json::from_value::<InitializeParams>(params) {
                Ok(params) => break (id, params),
                Err(wrong) => {
                    let code = ErrorCode::InvalidParams as i32;
                    send(out, Response::new_err(id, code, wrong.to_string()))?;
                }
            }
        };
        let own = params.initialization_options.as_ref();
        let client = Client::new(&params.capabilities, own, options.clone());
        let (client, complaint) = match client {
            Ok(client) => (client, None),
            Err(wrong) => {
                let without = Client::new(&params.capabilities, None, options);
                (without.map_err(Failure)?, Some(wrong))
            }
        };
        let client = Arc::new(client);
        let result = InitializeResult {
            capabilities: abilities(&client),
            server_info: Some(ServerInfo {
                name: "fletch".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        };
        send(out, Response::new_ok(id, result))?;
        if let Some(wrong) = complaint {
            let message = ShowMessageParams {
                typ: MessageType::WARNING,
                message: format!("the option `base` is left out: {wrong}"),
            };
            send(
                out,
                Notification::new(ShowMessage::METHOD.to_owned(), message),
            )?;
        }
        let (reported, reports) = unbounded();
        let (answers, questions) = unbounded();
        let (to, by) = (reported.clone(), Arc::clone(&client));
        worker("answers", move || answers::work(&questions, &to, &by))?;
        let (checks, texts) = unbounded();
        let (to, by) = (reported.clone(), Arc::clone(&client));
        worker("checks", move || checks::Checks::new(by, to).work(&texts))?;
        let (runs, commands) = unbounded();
        let by = Arc::clone(&client);
        worker("runs", move || runs::work(&commands, &reported, &by))?;
        let server = Server {
            out: out.clone(),
            documents: Documents::new(client.encoding),
            client,
            waiting: BTreeMap::new(),
            answers,
            checks,
            runs,
            next: 0,
            shut_down: false,
        };
        server.check(checks::Job::Folders {
            added: folders(&params),
            removed: Vec::new(),
        });
        Ok((server, reports))
    }

    /// Processes messages in order, then passes the requests that are still valid to the workers. Returns the result of the session if it
    /// has ended.
    fn take(&mut self, messages: Vec<Message>) -> Option<Result<(), Failure>> {
        let mut asked = Vec::new();
        let mut ended = None;
        for message in messages {
            match message {
                Message::Request(request) => asked.extend(self.asked(request)),
                Message::Notification(told) if told.method == Exit::METHOD => {
                    ended = Some(match self.shut_down {
                        true => Ok(()),
                        false => Err(Failure("exit came before shutdown".to_owned())),
                    });
                    break;
                }
                Message::Notification(told) => {
                    // A notification has no reply, so a panic is reported on standard error alone.
                    let _ = guarded(|| {
                        self.told(told);
                        Ok(())
                    });
                }
                // Replies of the client to requests have no effect.
                Message::Response(_) => {}
            }
        }
        asked.into_iter().for_each(|asked| self.hand_on(asked));
        if ended.is_some() {
            self.waiting.values().for_each(Ticket::give_up);
        }
        ended
    }

    /// Registers a request, or replies to it at once. Returns it if a worker is to answer it.
    fn asked(&mut self, request: Request) -> Option<Asked> {
        let Request { id, method, params } = request;
        if self.shut_down {
            let error = error(ErrorCode::InvalidRequest, "the server is shut down");
            self.respond(id, Err(error));
            return None;
        }
        if method == Shutdown::METHOD {
            self.shut_down = true;
            self.respond(id, Ok(Json::Null));
            return None;
        }
        let key = uri(&params).map(|uri| Key::of(&uri));
        let document = key.and_then(|key| self.documents.get(&key).cloned());
        // A command runs the text at the time of the request, so a later edit does not drop it.
        let about = document
            .clone()
            .filter(|_| method != ExecuteCommand::METHOD);
        let ticket = Ticket::new(id, about);
        self.waiting.insert(ticket.id.clone(), ticket.clone());
        Some(Asked {
            ticket,
            method,
            params,
            document,
        })
    }

    /// Passes a request to its worker, or replies at once if it was dropped.
    fn hand_on(&mut self, asked: Asked) {
        let id = asked.ticket.id.clone();
        if let Some(dropped) = asked.ticket.dropped() {
            return self.report(Report::Answer(id, Err(dropped)));
        }
        let handed = match asked.method.as_str() {
            ExecuteCommand::METHOD => self.runs.send(asked).is_ok(),
            CodeActionRequest::METHOD | WorkspaceSymbolRequest::METHOD => self
                .checks
                .send(checks::Job::Asked(Box::new(asked)))
                .is_ok(),
            _ => self
                .answers
                .send(answers::Job::Asked(Box::new(asked)))
                .is_ok(),
        };
        if !handed {
            let error = error(ErrorCode::InternalError, "the worker has gone");
            self.report(Report::Answer(id, Err(error)));
        }
    }

    /// Processes a notification. A malformed one is ignored.
    fn told(&mut self, told: Notification) {
        let Notification { method, params } = told;
        match method.as_str() {
            Initialized::METHOD => self.watch(),
            Cancel::METHOD => {
                let id = read::<Cancel>(params).map(|CancelParams { id }| match id {
                    NumberOrString::Number(id) => RequestId::from(id),
                    NumberOrString::String(id) => RequestId::from(id),
                });
                if let Some(ticket) = id.and_then(|id| self.waiting.get(&id)) {
                    ticket.give_up();
                }
            }
            DidOpenTextDocument::METHOD => {
                if let Some(opened) = read::<DidOpenTextDocument>(params) {
                    let text = opened.text_document;
                    let document = self.documents.open(text.uri, text.version, text.text);
                    let document = document.clone();
                    self.check(checks::Job::Opened(document));
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Some(changed) = read::<DidChangeTextDocument>(params) {
                    let text = changed.text_document;
                    let changes = changed.content_changes;
                    let document = self.documents.change(&text.uri, text.version, changes);
                    if let Some(document) = document.cloned() {
                        self.check(checks::Job::Changed(document));
                    }
                }
            }
            DidSaveTextDocument::METHOD => {
                if let Some(saved) = read::<DidSaveTextDocument>(params) {
                    self.check(checks::Job::Saved(Key::of(&saved.text_document.uri)));
                }
            }
            DidCloseTextDocument::METHOD => {
                let closed = read::<DidCloseTextDocument>(params);
                let document =
                    closed.and_then(|closed| self.documents.close(&closed.text_document.uri));
                if let Some(document) = document {
                    let _ = self
                        .answers
                        .send(answers::Job::Forget(document.key.clone()));
                    self.check(checks::Job::Closed(document));
                }
            }
            DidChangeWatchedFiles::METHOD => {
                if let Some(changed) = read::<DidChangeWatchedFiles>(params) {
                    let paths = changed.changes.iter().filter_map(|event| path(&event.uri));
                    self.check(checks::Job::Outside(paths.collect()));
                }
            }
            DidChangeWorkspaceFolders::METHOD => {
                if let Some(changed) = read::<DidChangeWorkspaceFolders>(params) {
                    let paths = |folders: Vec<lsp_types::WorkspaceFolder>| {
                        let paths = folders.iter().filter_map(|folder| path(&folder.uri));
                        paths.collect()
                    };
                    self.check(checks::Job::Folders {
                        added: paths(changed.event.added),
                        removed: paths(changed.event.removed),
                    });
                }
            }
            _ => {}
        }
    }

    /// Requests notifications of changed files from a client that supports them.
    fn watch(&mut self) {
        if !self.client.watches {
            return;
        }
        let watchers = WATCHED.iter().map(|pattern| FileSystemWatcher {
            glob_pattern: GlobPattern::String((*pattern).to_owned()),
            kind: None,
        });
        let options = DidChangeWatchedFilesRegistrationOptions {
            watchers: watchers.collect(),
        };
        let registration = answer(&options).map(|options| RegistrationParams {
            registrations: vec![Registration {
                id: "files".to_owned(),
                method: DidChangeWatchedFiles::METHOD.to_owned(),
                register_options: Some(options),
            }],
        });
        let asks = registration.and_then(|registration| answer(&registration));
        if let Ok(asks) = asks {
            self.report(Report::Ask(RegisterCapability::METHOD, asks));
        }
    }

    /// Passes a job to the worker that checks. If that worker has gone, the server is about to end.
    fn check(&self, job: checks::Job) {
        let _ = self.checks.send(job);
    }

    /// Sends a report of a worker to the client, unless it is outdated.
    fn report(&mut self, report: Report) {
        match report {
            Report::Answer(id, answered) => {
                if let Some(ticket) = self.waiting.remove(&id) {
                    let answered = ticket.dropped().map_or(answered, Err);
                    self.respond(id, answered);
                }
            }
            Report::Diagnostics { document, found } => {
                let is_wanted = match &document {
                    Some(document) => !document.is_outdated(),
                    // The file on disk may differ from the open text, whose diagnostics take precedence.
                    None => self.documents.get(&Key::of(&found.uri)).is_none(),
                };
                if is_wanted {
                    let method = PublishDiagnostics::METHOD.to_owned();
                    self.send(Notification::new(method, found));
                }
            }
            Report::Tell(method, params) => {
                self.send(Notification::new(method.to_owned(), params));
            }
            Report::Ask(method, params) => {
                self.next += 1;
                let id = RequestId::from(format!("fletch-{}", self.next));
                self.send(Request::new(id, method.to_owned(), params));
            }
        }
    }

    fn respond(&self, id: RequestId, answered: Result<Json, ResponseError>) {
        self.send(match answered {
            Ok(result) => Response::new_ok(id, result),
            Err(ResponseError { code, message, .. }) => Response::new_err(id, code, message),
        });
    }

    /// Sends a message. A closed connection is detected when the next message is read.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.out.send(message.into());
    }
}

/// Starts a worker.
fn worker(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let thread = thread::Builder::new().name(name.to_owned());
    let started = thread.stack_size(STACK).spawn(work);
    started.map_err(|error| Failure(format!("cannot start a thread: {error}")))?;
    Ok(())
}

fn send(out: &Sender<Message>, message: impl Into<Message>) -> Result<(), Failure> {
    let sent = out.send(message.into());
    sent.map_err(|_| Failure("the client has gone".to_owned()))
}

fn read<N: lsp_types::notification::Notification>(params: Json) -> Option<N::Params>
where
    N::Params: DeserializeOwned,
{
    serde_json::from_value(params).ok()
}

/// Folders of the workspace at the start of the session.
#[allow(deprecated)] // An older client names one folder in another field.
fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    match (&params.workspace_folders, &params.root_uri) {
        (Some(folders), _) => folders
            .iter()
            .filter_map(|folder| path(&folder.uri))
            .collect(),
        (None, root) => root.as_ref().and_then(path).into_iter().collect(),
    }
}
