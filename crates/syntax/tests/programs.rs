//! Whole programs that parse without diagnostics: the golden programs and the example of the
//! language page.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use crate::common::{golden, parse_clean};

#[test]
fn golden_programs_parse() {
    for (name, source) in golden() {
        let (program, diagnostics) = fletch_syntax::parse(&source, crate::common::SYMBOLS);
        assert!(diagnostics.is_empty(), "{name}: {diagnostics:#?}");
        assert!(program.items.len() >= 4, "{name}");
    }
}

#[test]
fn example_of_the_language_page_parses() {
    let program = parse_clean(include_str!("example.fletch"));
    assert_eq!(program.items.len(), 14);
}
