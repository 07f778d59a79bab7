//! The layout of every construct and of comments in every place, as text before and text after.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::golden;
use fletch_syntax::{Spelling, format};

fn formatted(source: &str, spelling: Spelling) -> String {
    format(source, spelling).unwrap_or_else(|errors| panic!("{source}\n{errors:#?}"))
}

/// Formats to this, and then stays.
fn check(source: &str, expected: &str) {
    let result = formatted(source, Spelling::Unicode);
    assert_eq!(result, expected, "\n{result}");
    assert_eq!(formatted(expected, Spelling::Unicode), expected);
}

/// Is laid out as it should be.
fn stays(source: &str) {
    check(source, source);
}

#[test]
fn the_example_of_the_language_page_is_laid_out() {
    stays(include_str!("example.fletch"));
}

#[test]
fn the_examples_are_laid_out() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "fletch")
        {
            stays(&std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn golden_programs_stay_what_they_are_in_both_spellings() {
    for (name, source) in golden() {
        let unicode = formatted(&source, Spelling::Unicode);
        let ascii = formatted(&source, Spelling::Ascii);
        assert_eq!(formatted(&unicode, Spelling::Unicode), unicode, "{name}");
        assert_eq!(formatted(&ascii, Spelling::Ascii), ascii, "{name}");
        assert_eq!(formatted(&ascii, Spelling::Unicode), unicode, "{name}");
        let (own, _) = ascii.split_once("loc ").unwrap();
        assert!(own.is_ascii(), "{name}");
    }
}
