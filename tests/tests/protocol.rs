//! Hostile texts through the language server: each request gets an answer, and the server keeps running.

// The client that the tests of `lsp` use.
#[path = "../../crates/lsp/tests/client/mod.rs"]
mod client;

use client::{Client, untitled};
use fletch_tests::hostile::{self, Hostile};
use lsp_types::Position;

#[test]
fn what_nobody_would_write_is_answered_by_the_server() {
    let mut client = Client::new("utf-16", &[]);
    for Hostile { what, source, .. } in hostile::texts() {
        eprintln!("{what}");
        client.open(&untitled(), &source);
        client.everything(&untitled(), Position::new(0, 9));
        client.diagnosed(&untitled());
    }
    client.end();
}
