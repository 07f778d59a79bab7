//! The worker that checks programs. It checks the newest version of each open text, a little after a change, and, when idle, the programs
//! in the folders of the workspace. It also answers the requests that need the result of a check: quick fixes, and the symbols of the
//! workspace.

use crate::client::Client;
use crate::data_files::DataFiles;
use crate::documents::{Document, Key, uri};
use crate::requests::{Answer, Asked, Report, answer, error, guarded, params};
use crate::{answers, diagnostics, fixes, folders, symbols};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use fletch_ide::{Checked, Survey, check_with_files};
use lsp_server::ErrorCode;
use lsp_types::request::{CodeActionRequest, Request, WorkspaceSymbolRequest};
use lsp_types::{
    CodeActionParams, PublishDiagnosticsParams, SymbolInformation, Uri, WorkspaceSymbolParams,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Debounce: a changed text is checked once it has stayed the same for this time.
const QUIET: Duration = Duration::from_millis(60);
/// Interval at which the data files of open programs are polled, if the client reports no changes of files.
const LOOK: Duration = Duration::from_secs(2);
/// Maximum size in bytes of a program on disk that is checked; a larger one is checked only when it is opened.
const LARGEST: u64 = 1 << 20;

/// A job of the worker.
#[derive(Debug)]
pub(crate) enum Job {
    /// To check a text that was opened.
    Opened(Document),
    /// To check a text that has changed.
    Changed(Document),
    /// To check an open text again, since the client has saved it.
    Saved(Key),
    /// To use the file on disk again, since its text was closed.
    Closed(Document),
    /// To check again whatever depends on these changed files.
    Outside(Vec<PathBuf>),
    /// To check the programs of added folders, and forget those of removed folders.
    Folders {
        /// Added folders.
        added: Vec<PathBuf>,
        /// Removed folders.
        removed: Vec<PathBuf>,
    },
    /// To answer a request.
    Asked(Box<Asked>),
}

/// An open text.
struct Open {
    document: Document,
    data_files: DataFiles,
    /// Result of the check of this version, once it is there.
    checked: Option<Checked>,
    /// Time of the next check; `None` if no check is pending.
    due: Option<Instant>,
}

/// A program on disk.
#[derive(Default)]
struct Disk {
    data_files: DataFiles,
    symbols: Vec<SymbolInformation>,
    /// True if the client shows diagnostics of the program.
    told: bool,
}

/// State of the worker that checks programs.
pub(crate) struct Checks {
    client: Arc<Client>,
    reports: Sender<Report>,
    folders: Vec<PathBuf>,
    open: BTreeMap<Key, Open>,
    disk: BTreeMap<PathBuf, Disk>,
    /// Programs on disk that wait for a check.
    waiting: BTreeSet<PathBuf>,
}

impl Checks {
    /// Creates the worker, without texts.
    pub(crate) fn new(client: Arc<Client>, reports: Sender<Report>) -> Checks {
        Checks {
            client,
            reports,
            folders: Vec::new(),
            open: BTreeMap::new(),
            disk: BTreeMap::new(),
            waiting: BTreeSet::new(),
        }
    }

    /// Processes jobs until the channel closes. Between jobs it runs the checks that are due.
    pub(crate) fn work(mut self, jobs: &Receiver<Job>) {
        let mut looked = Instant::now();
        loop {
            let now = Instant::now();
            let due = self.open.values().filter_map(|open| open.due).min();
            let received = match due {
                Some(due) => jobs.recv_timeout(due.saturating_duration_since(now)),
                None if !self.waiting.is_empty() => jobs.recv_timeout(Duration::ZERO),
                None if self.client.watches => jobs.recv().map_err(RecvTimeoutError::from),
                None => jobs.recv_timeout(LOOK),
            };
            match received {
                Ok(job) => self.take(job),
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => self.check_next(),
            }
            if !self.client.watches && looked.elapsed() >= LOOK {
                looked = Instant::now();
                self.look();
            }
        }
    }

    fn take(&mut self, job: Job) {
        match job {
            Job::Opened(document) => self.keep(document, Duration::ZERO),
            Job::Changed(document) => self.keep(document, QUIET),
            Job::Saved(key) => {
                if let Some(open) = self.open.get_mut(&key) {
                    open.due = Some(Instant::now());
                }
            }
            Job::Closed(document) => {
                self.open.remove(&document.key);
                match document.key.path() {
                    Some(path) if self.is_within(path) && path.exists() => {
                        let disk = self.disk.entry(path.to_owned()).or_default();
                        disk.told = true;
                        self.waiting.insert(path.to_owned());
                    }
                    _ => self.publish(document.uri, None, Vec::new()),
                }
            }
            Job::Outside(paths) => paths.iter().for_each(|path| self.changed(path)),
            Job::Folders { added, removed } => {
                self.folders.retain(|folder| !removed.contains(folder));
                for folder in added {
                    self.waiting.extend(folders::programs(&folder));
                    self.folders.push(folder);
                }
                let known = self.disk.keys().chain(&self.waiting);
                let gone = known.filter(|path| !self.is_within(path)).cloned();
                let gone: Vec<PathBuf> = gone.collect();
                gone.iter().for_each(|path| self.forget(path));
            }
            Job::Asked(asked) => {
                let id = asked.ticket.id.clone();
                let answered = match asked.ticket.dropped() {
                    Some(dropped) => Err(dropped),
                    None => guarded(|| self.answered(&asked)),
                };
                self.report(Report::Answer(id, answered));
            }
        }
    }

    /// Keeps the newest version of an open text, and schedules its check after `wait`.
    fn keep(&mut self, document: Document, wait: Duration) {
        let before = self.open.remove(&document.key);
        let data_files = before.map(|open| open.data_files).unwrap_or_default();
        let due = Some(Instant::now() + wait);
        let open = Open {
            document,
            data_files,
            checked: None,
            due,
        };
        self.open.insert(open.document.key.clone(), open);
    }

    /// True if a file is in a folder of the workspace.
    fn is_within(&self, path: &Path) -> bool {
        self.folders.iter().any(|folder| path.starts_with(folder))
    }

    /// Schedules the checks that a changed, new or removed file or folder requires.
    fn changed(&mut self, path: &Path) {
        for open in self.open.values_mut() {
            if open.data_files.has(path) {
                open.data_files.forget();
                open.due = Some(Instant::now());
            }
        }
        for (program, disk) in &mut self.disk {
            if disk.data_files.has(path) {
                disk.data_files.forget();
            } else if !program.starts_with(path) {
                continue;
            }
            self.waiting.insert(program.clone());
        }
        if folders::is_program(path) && self.is_within(path) {
            self.waiting.insert(path.to_owned());
        }
    }

    /// Polls the data files of open programs for changes.
    fn look(&mut self) {
        for open in self.open.values_mut() {
            if open.due.is_none() && open.data_files.is_stale() {
                open.due = Some(Instant::now());
            }
        }
    }

    /// Checks one open text whose time has come, or else one program on disk.
    fn check_next(&mut self) {
        let now = Instant::now();
        let due = |open: &&mut Open| open.due.is_some_and(|due| due <= now);
        if let Some(open) = self.open.values_mut().find(due) {
            let found = open.check(&self.client);
            let document = open.document.clone();
            if let Some(found) = found {
                self.publish(document.uri.clone(), Some(document), found);
            }
        } else if self.open.values().all(|open| open.due.is_none())
            && let Some(path) = self.waiting.pop_first()
        {
            self.check_on_disk(&path);
        }
    }

    fn check_on_disk(&mut self, path: &Path) {
        if self.open.contains_key(&Key::File(path.to_owned())) {
            return;
        }
        let Some(uri) = uri(path) else { return };
        let too_large = fs::metadata(path).is_ok_and(|data| data.len() > LARGEST);
        let (document, error) = match Document::on_disk(uri.clone(), self.client.encoding) {
            Ok(read) if !too_large => read,
            _ => return self.forget(path),
        };
        let client = Arc::clone(&self.client);
        let disk = self.disk.entry(path.to_owned()).or_default();
        let found = guarded(|| {
            if let Some(error) = error {
                return Ok(diagnostics::shown(&[error], &document, &client));
            }
            let checked = checked(&document, &mut disk.data_files);
            disk.symbols = symbols::matching(&document, survey(&checked), "");
            Ok(diagnostics::shown(&checked.diagnostics, &document, &client))
        });
        // A panic is a defect of fletch, and gives no diagnostics.
        let found = found.unwrap_or_default();
        // An empty list is sent only to replace earlier diagnostics.
        if disk.told || !found.is_empty() {
            disk.told = !found.is_empty();
            self.publish(uri, None, found);
        }
    }

    /// Forgets a program on disk, and clears its diagnostics.
    fn forget(&mut self, path: &Path) {
        self.waiting.remove(path);
        let told = self.disk.remove(path).is_some_and(|disk| disk.told);
        if let Some(uri) = uri(path).filter(|_| told) {
            self.publish(uri, None, Vec::new());
        }
    }

    fn answered(&mut self, asked: &Asked) -> Answer {
        match asked.method.as_str() {
            CodeActionRequest::METHOD => self.fixes(asked),
            WorkspaceSymbolRequest::METHOD => {
                let WorkspaceSymbolParams { query, .. } = params(&asked.params)?;
                answer(&self.symbols(&query))
            }
            method => {
                let message = format!("there is no method {method}");
                Err(error(ErrorCode::MethodNotFound, message))
            }
        }
    }

    fn fixes(&mut self, asked: &Asked) -> Answer {
        let CodeActionParams { range, context, .. } = params(&asked.params)?;
        let client = Arc::clone(&self.client);
        let of = |document: &Document, checked: &Checked| {
            let found = &checked.diagnostics;
            let mut actions = fixes::fixes(found, document, &client, range, &context);
            actions.extend(fixes::chain(checked, document, &client, range, &context));
            answer(&actions)
        };
        let Some(document) = &asked.document else {
            let document = answers::on_disk(asked, &self.client)?;
            return of(&document, &checked(&document, &mut DataFiles::default()));
        };
        let Some(open) = self.open.get_mut(&document.key) else {
            return answer(&());
        };
        let found = match open.checked {
            None => open.check(&client),
            Some(_) => None,
        };
        let (document, checked) = (open.document.clone(), open.checked.as_ref());
        let answered = checked.map_or_else(|| answer(&()), |checked| of(&document, checked));
        if let Some(found) = found {
            self.publish(document.uri.clone(), Some(document), found);
        }
        answered
    }

    /// The declarations of all known programs that match a query.
    fn symbols(&mut self, query: &str) -> Vec<SymbolInformation> {
        let mut found = Vec::new();
        for open in self.open.values() {
            if let Some(checked) = &open.checked {
                found.extend(symbols::matching(&open.document, survey(checked), query));
            }
        }
        let on_disk = self.disk.iter();
        let on_disk =
            on_disk.filter(|(path, _)| !self.open.contains_key(&Key::File((*path).clone())));
        let on_disk = on_disk.flat_map(|(_, disk)| &disk.symbols);
        found.extend(
            on_disk
                .filter(|symbol| symbols::fits(&symbol.name, query))
                .cloned(),
        );
        found
    }

    fn publish(
        &self,
        uri: Uri,
        document: Option<Document>,
        diagnostics: Vec<lsp_types::Diagnostic>,
    ) {
        let version = document.as_ref().and_then(|document| document.version);
        self.report(Report::Diagnostics {
            document,
            found: PublishDiagnosticsParams {
                uri,
                diagnostics,
                version,
            },
        });
    }

    /// Sends a report to the server. If nobody receives it, the server is about to end.
    fn report(&self, report: Report) {
        let _ = self.reports.send(report);
    }
}

impl Open {
    /// Checks the text and returns its diagnostics. A panic is a defect of fletch, and gives `None`.
    fn check(&mut self, client: &Client) -> Option<Vec<lsp_types::Diagnostic>> {
        self.due = None;
        let (document, data_files) = (&self.document, &mut self.data_files);
        let result = guarded(|| Ok(checked(document, data_files)));
        self.checked = result.ok();
        let checked = self.checked.as_ref()?;
        Some(diagnostics::shown(&checked.diagnostics, document, client))
    }
}

/// Checks a text with the data files in its folder.
pub(crate) fn checked(document: &Document, data_files: &mut DataFiles) -> Checked {
    let names = fletch_ide::files(&document.text);
    let files = data_files.files(document.folder(), &names);
    check_with_files(&document.text, files)
}

fn survey(checked: &Checked) -> Survey<'_> {
    Survey {
        program: &checked.program,
        tokens: &[],
        names: &checked.names,
    }
}
