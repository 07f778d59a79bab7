//! Checks the laws of the fuzz targets on their corpus (`fuzz/corpus`), and on the examples. The corpus has
//! texts that once broke a law, and texts that together take all paths through the code.

use fletch_tests::{examples, laws, programs};
use std::fs;
use std::path::Path;

/// Returns the texts in the corpus of a fuzz target, by name. Files that are not UTF-8 are skipped.
fn corpus(target: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz/corpus")
        .join(target);
    let mut texts: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            Some((name, fs::read_to_string(path).ok()?))
        })
        .collect();
    texts.sort();
    assert!(!texts.is_empty(), "the corpus of {target} is missing");
    texts
}

/// Checks the law on every text of a corpus, most of which are no programs, and on every example. Every example
/// must satisfy the law as a valid program.
fn holds(target: &str, law: fn(&str) -> bool) {
    for (name, text) in corpus(target) {
        println!("{target}/{name}"); // Shown if the law breaks.
        law(&text);
    }
    let examples = programs(&examples());
    assert!(examples.len() >= 10, "examples are missing");
    for (name, text) in examples {
        println!("{name}");
        assert!(
            law(&text),
            "{target}: the example {name} does not get through"
        );
    }
}

#[test]
fn the_parser_takes_its_corpus() {
    holds("parser", laws::parser);
}

#[test]
fn the_formatter_takes_its_corpus() {
    holds("formatter", laws::formatter);
}

#[test]
fn the_elaborator_takes_its_corpus() {
    holds("elaborator", laws::elaborator);
}

#[test]
fn reduction_takes_its_corpus() {
    holds("reduction", |text| laws::reduction(text, 500));
}
