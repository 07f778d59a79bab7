//! Texts that nobody would write, through the language server: each request has an answer, and the server goes on.

// The client that the tests of `lsp` speak with.
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
