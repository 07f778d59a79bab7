//! Hostile, incomplete and damaged texts: every request gets a reply, and the server continues.

use crate::client::{Client, changed, examples, untitled, whole};
use lsp_types::{Position, Range, TextDocumentContentChangeEvent};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::fs;
use std::path::Path;

/// Opens a text and sends all requests at its start, in its middle and behind its end.
fn survive(client: &mut Client, text: &str) {
    client.open(&untitled(), text);
    let lines = u32::try_from(text.lines().count()).unwrap();
    for position in [
        Position::new(0, 0),
        Position::new(lines / 2, 5),
        Position::new(lines + 7, u32::MAX),
    ] {
        client.everything(&untitled(), position);
    }
    client.diagnosed(&untitled());
    client.close(&untitled());
    client.diagnosed(&untitled());
}

/// The inputs in the corpus of fuzzing, and programs with every known error.
#[test]
fn the_corpus_of_fuzzing_and_the_mistakes_of_the_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut client = Client::new("utf-16", &[]);
    let mut seen = 0;
    for folder in [
        "fuzz/corpus/parser",
        "fuzz/corpus/elaborator",
        "fuzz/corpus/formatter",
        "tests/diagnostics",
    ] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let bytes = fs::read(entry.unwrap().path()).unwrap();
            survive(&mut client, &String::from_utf8_lossy(&bytes));
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen} texts");
    client.end();
}

/// Examples that are cut off, or have one byte changed.
#[test]
fn examples_that_are_cut_or_damaged() {
    let examples = examples();
    let mut client = Client::new("utf-8", &[]);
    let strategy = (
        0..examples.len(),
        any::<prop::sample::Index>(),
        any::<u8>(),
        any::<bool>(),
    );
    let mut runner = TestRunner::deterministic();
    for _ in 0..400 {
        let (example, at, byte, cut) = strategy.new_tree(&mut runner).unwrap().current();
        let mut bytes = examples[example].1.clone().into_bytes();
        let at = at.index(bytes.len());
        match cut {
            true => bytes.truncate(at),
            false => bytes[at] = byte,
        }
        survive(&mut client, &String::from_utf8_lossy(&bytes));
    }
    client.end();
}

/// Edits with arbitrary ranges: the server's text stays valid UTF-8, and a final replacement of the whole text is kept.
#[test]
fn edits_at_places_that_are_not_there() {
    let uri = untitled();
    for encoding in ["utf-8", "utf-16"] {
        let mut client = Client::new(encoding, &[]);
        client.open(&uri, &examples()[0].1);
        let position = || (0..90_u32, prop_oneof![0..60_u32, Just(u32::MAX)]);
        let strategy = (position(), position(), "[ℓα🦀⟨⌊\\r\\nx=(]{0,4}");
        let mut runner = TestRunner::deterministic();
        for version in 2..300 {
            let ((line, character), to, text) = strategy.new_tree(&mut runner).unwrap().current();
            let change = TextDocumentContentChangeEvent {
                range: Some(Range {
                    start: Position { line, character },
                    end: Position::new(to.0, to.1),
                }),
                range_length: None,
                text,
            };
            client.send(changed(&uri, version, vec![change]));
            if version % 10 == 0 {
                client.everything(&uri, Position { line, character });
            }
        }
        client.send(changed(&uri, 300, vec![whole("main = ⌊y⌋\n")]));
        loop {
            let found = client.diagnosed(&uri);
            if found.version == Some(300) {
                assert_eq!(found.diagnostics.len(), 1);
                break;
            }
        }
        client.end();
    }
}
