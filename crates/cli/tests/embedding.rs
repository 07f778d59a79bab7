//! Diagrams in books: the blocks of `docs/embedding.md` go through the preprocessor for mdBook, started as mdBook starts it.

use serde_json::{Value as Json, json};
use std::io::Write;
use std::process::{Command, Output, Stdio};

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/");

/// Output of the preprocessor for a book of one chapter; `None` without Python.
fn preprocessed(content: &str) -> Option<Output> {
    let book = json!([{}, { "items": [{ "Chapter": { "name": "One", "content": content, "sub_items": [] } }] }]);
    let script = format!("{DOCS}embedding/pictures.py");
    let started = Command::new("python3")
        .arg(script)
        .env("FLETCH", env!("CARGO_BIN_EXE_fletch"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut python) = started else {
        println!("passed over: there is no Python");
        return None;
    };
    let mut input = python.stdin.take().unwrap();
    input.write_all(book.to_string().as_bytes()).unwrap();
    drop(input);
    Some(python.wait_with_output().unwrap())
}

#[test]
fn the_block_of_the_page_gets_its_picture() {
    let page = std::fs::read_to_string(format!("{DOCS}embedding.md")).unwrap();
    let block = page
        .split("````markdown\n")
        .nth(1)
        .and_then(|rest| rest.split("   ````").next());
    let block = block.unwrap().replace("\n   ", "\n");
    let Some(output) = preprocessed(block.trim_start()) else {
        return;
    };
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let book: Json = serde_json::from_slice(&output.stdout).unwrap();
    let content = book["items"][0]["Chapter"]["content"].as_str().unwrap();
    assert!(content.contains("```fletch,diagram=Twice\n"), "{content}");
    assert_eq!(content.matches("<svg ").count(), 1, "{content}");
    assert!(!content.contains("\n\n<svg"), "a picture is one block");
}

#[test]
fn what_cannot_be_drawn_ends_the_build() {
    let Some(output) = preprocessed("```fletch,diagram=Nope\nmain = ⌊1⌋\n```\n") else {
        return;
    };
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(error.contains("One: a diagram cannot be drawn"), "{error}");
    assert!(error.contains("`Nope`"), "{error}");
}
