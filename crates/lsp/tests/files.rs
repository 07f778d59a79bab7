//! Programs on disk, their data files, and the folders of a workspace.

use crate::client::{self, Client, capable, file, folder, notification, options};
use lsp_types::notification::{
    DidChangeWatchedFiles, DidChangeWorkspaceFolders, DidSaveTextDocument,
};
use lsp_types::request::{
    DocumentSymbolRequest, HoverRequest, RegisterCapability, Request as _, WorkspaceSymbolRequest,
};
use lsp_types::*;
use serde_json::json;
use std::fs;
use std::path::Path;

/// A program that reads two columns from a file.
const READS: &str = "data d : Real(1) × Real(1) = csv(\"werte ö.csv\")\n\
    op F : 1 ▷ 1\n\
    measure m on d as ⟨x, y⟩ = ⌊half_sq(x − y)⌋\n";

fn touched(client: &Client, path: &Path, kind: FileChangeType) {
    client.send(notification::<DidChangeWatchedFiles>(
        DidChangeWatchedFilesParams {
            changes: vec![FileEvent {
                uri: file(path),
                typ: kind,
            }],
        },
    ));
}

fn has(codes: &[String], prefix: &str) -> bool {
    codes.iter().any(|code| code.starts_with(prefix))
}

fn folders(client: &Client, added: &[&Path], removed: &[&Path]) {
    let named = |folders: &[&Path]| {
        let folders = folders.iter().map(|folder| WorkspaceFolder {
            uri: file(folder),
            name: String::new(),
        });
        folders.collect()
    };
    let event = WorkspaceFoldersChangeEvent {
        added: named(added),
        removed: named(removed),
    };
    client.send(notification::<DidChangeWorkspaceFolders>(
        DidChangeWorkspaceFoldersParams { event },
    ));
}

#[test]
fn a_file_beside_a_program_is_read_again_when_it_changes() {
    let folder = folder("beside");
    let mut client = Client::new("utf-16", &[]);
    let watched = client.next(|message| match message {
        lsp_server::Message::Request(request) if request.method == RegisterCapability::METHOD => {
            Some(request.params.to_string())
        }
        _ => None,
    });
    assert!(watched.contains("csv"), "{watched}");
    let uri = file(&folder.join("a.fletch"));
    // The name of the file in decomposed form, as another system writes it.
    let table = folder.join("werte o\u{308}.csv");
    client.open(&uri, READS);
    let missing = client.codes(&uri);
    assert!(has(&missing, "F06"), "{missing:?}");
    fs::write(&table, "1,2\n3,4\n").unwrap();
    touched(
        &client,
        &folder.join("werte ö.csv"),
        FileChangeType::CREATED,
    );
    let there = client.codes(&uri);
    assert!(!has(&there, "F06"), "{there:?}");
    fs::write(&table, "1,2\n3,x\n").unwrap();
    touched(&client, &table, FileChangeType::CHANGED);
    let wrong = client.codes(&uri);
    assert!(has(&wrong, "F06"), "{wrong:?}");
    // A change that the client does not report is detected by the next check.
    fs::write(&table, "1,2,3\n").unwrap();
    client.send(notification::<DidSaveTextDocument>(
        DidSaveTextDocumentParams {
            text_document: TextDocumentIdentifier { uri: uri.clone() },
            text: None,
        },
    ));
    let columns = client.diagnosed(&uri).diagnostics;
    assert!(
        columns.iter().any(|found| found.message.contains('3')),
        "{columns:?}"
    );
    fs::remove_file(&table).unwrap();
    touched(&client, &table, FileChangeType::DELETED);
    assert_eq!(client.codes(&uri), missing);
    client.end();
}

#[test]
fn a_client_that_tells_of_no_files_needs_not() {
    let folder = folder("unwatched");
    let mut capabilities = capable("utf-8");
    capabilities.workspace = None;
    let mut client = Client::with(capabilities, &[], options());
    let uri = file(&folder.join("a.fletch"));
    client.open(&uri, READS);
    assert!(has(&client.codes(&uri), "F06"));
    fs::write(folder.join("werte ö.csv"), "1,2\n").unwrap();
    assert!(!has(&client.codes(&uri), "F06"));
    client.end();
}

#[test]
fn a_device_is_no_file_to_be_read() {
    let mut client = Client::new("utf-16", &[]);
    let uri = file(&folder("device").join("a.fletch"));
    client.open(&uri, &READS.replace("werte ö.csv", "/dev/zero"));
    let found = client.diagnosed(&uri).diagnostics;
    assert!(!found.is_empty());
    client.end();
}

#[test]
fn programs_in_the_folders_are_checked_on_the_disk_and_in_the_editor() {
    let (one, two) = (folder("one"), folder("two"));
    let below = one.join("deep");
    fs::create_dir_all(&below).unwrap();
    let (wrong, good, second) = (
        below.join("ℓ wrong.fletch"),
        one.join("good.fletch"),
        two.join("second.fletch"),
    );
    fs::write(&wrong, "main = ⌊y⌋\n").unwrap();
    fs::write(&good, "dim here = 2\nmain = ⌊zero[here]⌋\n").unwrap();
    fs::write(&second, "main = ⌊unknown⌋\n").unwrap();
    fs::create_dir_all(one.join(".hidden")).unwrap();
    fs::write(one.join(".hidden/x.fletch"), "main = ⌊y⌋\n").unwrap();
    let mut client = Client::new("utf-16", &[&one]);
    assert_eq!(client.codes(&file(&wrong)), ["F0201"]);

    // The text in the editor takes precedence over the file on disk.
    client.open(&file(&wrong), "main = ⌊1⌋\n");
    assert_eq!(client.codes(&file(&wrong)), [""; 0]);
    touched(&client, &wrong, FileChangeType::CHANGED);
    client.close(&file(&wrong));
    assert_eq!(client.codes(&file(&wrong)), ["F0201"]);

    // The file is changed by another program, and then removed.
    fs::write(&wrong, "main = ⌊zero[z]⌋\nmain = ⌊1⌋\n").unwrap();
    touched(&client, &wrong, FileChangeType::CHANGED);
    assert_eq!(client.codes(&file(&wrong)).len(), 2);
    fs::remove_dir_all(&below).unwrap();
    touched(&client, &below, FileChangeType::DELETED);
    assert_eq!(client.codes(&file(&wrong)), [""; 0]);

    // A second folder is added and removed.
    folders(&client, &[&two], &[]);
    assert_eq!(client.codes(&file(&second)), ["F0201"]);
    folders(&client, &[], &[&two]);
    assert_eq!(client.codes(&file(&second)), [""; 0]);

    // The symbols of programs that no editor has open.
    let asks = serde_json::from_value(json!({ "query": "HRE" })).unwrap();
    let Some(WorkspaceSymbolResponse::Flat(found)) = client.ask::<WorkspaceSymbolRequest>(asks)
    else {
        panic!("no symbols")
    };
    let names: Vec<&str> = found.iter().map(|symbol| symbol.name.as_str()).collect();
    assert_eq!(names, ["here"]);
    client.end();
}

#[test]
fn a_file_that_nobody_has_open_is_read_from_the_disk() {
    let path = folder("closed").join("a.fletch");
    fs::write(&path, "dim n = 2\r\nmain = ⌊zero[n]⌋\r\n").unwrap();
    let uri = file(&path);
    let mut client = Client::new("utf-16", &[]);
    let found = client.ask::<HoverRequest>(HoverParams {
        text_document_position_params: client::at(&uri, Position::new(1, 13)),
        work_done_progress_params: WorkDoneProgressParams::default(),
    });
    assert_eq!(found.unwrap().range.unwrap().start, Position::new(1, 13));
    fs::write(&path, b"main = \xff\n").unwrap();
    let asks = serde_json::from_value(json!({ "textDocument": { "uri": uri } })).unwrap();
    assert!(client.ask::<DocumentSymbolRequest>(asks).is_some());
    client.end();
}

#[test]
fn a_code_leads_to_a_file_where_there_is_no_page() {
    let pages = folder("pages");
    let options = fletch_lsp::Options {
        base: None,
        pages: Some(pages.clone()),
        ..options()
    };
    let mut client = Client::with(capable("utf-16"), &[], options);
    let uri = client::untitled();
    client.open(&uri, "main = ⌊y⌋\n");
    let found = client.diagnosed(&uri).diagnostics;
    let page = found[0].code_description.as_ref().unwrap().href.clone();
    assert_eq!(page, file(&pages.join("F0201.md")));
    let text = fs::read_to_string(pages.join("F0201.md")).unwrap();
    assert!(text.starts_with("# F0201: "), "{text}");
    client.end();
}
