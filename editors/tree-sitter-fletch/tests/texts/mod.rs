//! Texts of the project on which the grammar is tested: valid programs, and wrong programs.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the files below a folder whose names have this ending, sorted by path.
fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.to_string_lossy().into_owned(), text));
            }
        }
    }
    found.sort();
    found
}

/// Returns the examples, including errata and lessons, and the programs with reference results.
pub(crate) fn programs() -> Vec<(String, String)> {
    let mut found = files("examples", ".fletch");
    found.extend(files("tests/golden", ".fletch"));
    found
}

/// Returns the programs of the tests of diagnostics, and of the error pages.
pub(crate) fn wrong() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, text) in files("tests/diagnostics", ".fletch") {
        let cases = text.split("\n--- ").skip(1);
        found.extend(cases.map(|case| {
            let (title, program) = case.split_once('\n').unwrap();
            (format!("{name}: {title}"), program.to_owned())
        }));
    }
    for (name, text) in files("crates/syntax/tests", "diagnostics.fletch") {
        let cases = text.split("\n-- ====\n").enumerate();
        found.extend(cases.map(|(number, case)| (format!("{name}: {number}"), case.to_owned())));
    }
    for (name, text) in files("docs/errors", ".md") {
        for block in text.split("\n```fletch").skip(1) {
            let (_, program) = block.split_once('\n').unwrap();
            let program = program.split("\n```").next().unwrap();
            found.push((name.clone(), program.to_owned()));
        }
    }
    found
}

/// Returns texts that fuzzing has found; most of them are not programs.
pub(crate) fn corpus() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for target in ["parser", "formatter", "elaborator", "reduction"] {
        for entry in fs::read_dir(root().join("fuzz/corpus").join(target)).unwrap() {
            let path = entry.unwrap().path();
            if let Ok(text) = fs::read_to_string(&path) {
                found.push((path.to_string_lossy().into_owned(), text));
            }
        }
    }
    found
}

/// Returns title, text and tree of each case of the grammar's own tests.
pub(crate) fn trees() -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for (name, text) in files("editors/tree-sitter-fletch/test/corpus", ".txt") {
        let lines = "=".repeat(20);
        for case in text.split(&format!("{lines}\n")).collect::<Vec<_>>()[1..].chunks(2) {
            let (source, tree) = case[1].split_once("\n---\n").unwrap();
            let title = format!("{name}: {}", case[0].trim());
            found.push((title, source.to_owned(), tree.to_owned()));
        }
    }
    found
}
