//! Deep, long, large and random sources: the parser returns a result with a small stack.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use crate::common::deep::{ANY_KIB, NESTS, PARSER_KIB, chains, nest, on_small_stack};
use crate::common::{golden, large, render};
use fletch_syntax::{MAX_DIAGNOSTICS, MAX_HEIGHT, MAX_NESTING, highlight, parse};
use proptest::prelude::*;

#[test]
fn nesting_at_the_limit_fits_a_small_stack() {
    on_small_stack(PARSER_KIB, || {
        for &parts in NESTS {
            for depth in [
                MAX_NESTING as usize - 4,
                MAX_NESTING as usize,
                MAX_NESTING as usize + 4,
            ] {
                let source = nest(depth, parts);
                let (program, _) = parse(&source, crate::common::SYMBOLS);
                assert_eq!(program.clone(), program);
            }
        }
    });
}

#[test]
fn nesting_beyond_the_limit_is_one_diagnostic() {
    on_small_stack(PARSER_KIB, || {
        for &(before, open, close, inside) in NESTS {
            let closed = nest(10_000, (before, open, close, inside));
            let open = nest(10_000, (before, open, "", inside));
            for source in [closed, open] {
                let (_, diagnostics) = parse(&source, crate::common::SYMBOLS);
                let deep = diagnostics.iter().filter(|d| d.code == "F0901").count();
                let shown = render(&source, &diagnostics);
                assert_eq!(deep, 1, "{before}: {shown}");
                assert!(diagnostics.len() <= 3, "{before}: {shown}");
            }
        }
    });
}

#[test]
fn long_chains_fit_a_megabyte_of_stack() {
    on_small_stack(1024, || {
        for source in chains(MAX_HEIGHT as usize - 8) {
            let (program, diagnostics) = parse(&source, crate::common::SYMBOLS);
            assert!(diagnostics.is_empty(), "{}", render(&source, &diagnostics));
            drop(program);
        }
    });
}

#[test]
fn longer_chains_are_one_diagnostic() {
    on_small_stack(1024, || {
        for source in chains(50_000) {
            let (_, diagnostics) = parse(&source, crate::common::SYMBOLS);
            assert_eq!(diagnostics.len(), 1, "{}", render(&source, &diagnostics));
            assert_eq!(diagnostics[0].code, "F0902");
        }
    });
}

#[test]
fn heights_of_nested_chains_add_up() {
    on_small_stack(1024, || {
        let chain = " + x".repeat(MAX_HEIGHT as usize / 2);
        let twice = format!("fun f(x : 1) = ((x{chain}){chain}){chain}");
        assert_eq!(parse(&twice, crate::common::SYMBOLS).1.len(), 1);
        let lets = "let x ⇐ R() in ".repeat(MAX_HEIGHT as usize / 2);
        let (program, diagnostics) = parse(
            &format!("main = {lets}({lets}({lets}⌊x⌋))"),
            crate::common::SYMBOLS,
        );
        assert_eq!(diagnostics.len(), 1);
        drop(program);
    });
}

#[test]
fn large_sources_get_an_answer() {
    for (name, source) in large::parsed(&crate::common::programs()) {
        on_small_stack(ANY_KIB, move || {
            let (_, diagnostics) = parse(&source, crate::common::SYMBOLS);
            assert!(diagnostics.len() <= MAX_DIAGNOSTICS + 1, "{name}");
            // Highlighting is not empty: even the opener of an unterminated comment is a token.
            assert!(
                !highlight(&source, crate::common::SYMBOLS).is_empty(),
                "{name}"
            );
        });
    }
}

#[test]
fn too_large_a_source_is_refused() {
    let (_, diagnostics) = parse(
        &" ".repeat(fletch_syntax::MAX_SOURCE + 1),
        crate::common::SYMBOLS,
    );
    assert_eq!(diagnostics[0].code, "F0904");
}

#[test]
fn every_prefix_of_a_golden_program_parses() {
    for (name, source) in golden() {
        for (end, _) in source.char_indices() {
            let (program, _) = parse(&source[..end], crate::common::SYMBOLS);
            assert!(program.items.len() <= 20, "{name}");
        }
    }
}

#[test]
fn endings_and_deletions_of_golden_programs_parse() {
    for (_, source) in golden() {
        let tail_from = source.len().saturating_sub(1500);
        let boundaries: Vec<usize> = (tail_from..=source.len())
            .filter(|&at| source.is_char_boundary(at))
            .collect();
        let start = boundaries[0];
        for &end in &boundaries {
            check_total(&source[start..end]);
            // The same source without a segment in the middle.
            let resume = boundaries
                .iter()
                .find(|&&at| at > end + 40)
                .copied()
                .unwrap_or(source.len());
            check_total(&format!("{}{}", &source[start..end], &source[resume..]));
        }
    }
}

/// Checks properties of every source: spans are ordered and on character boundaries, fixes fit, and highlighted tokens do
/// not overlap.
fn check_total(source: &str) {
    let (_, diagnostics) = parse(source, crate::common::SYMBOLS);
    for diagnostic in &diagnostics {
        let spans = diagnostic
            .labels
            .iter()
            .map(|label| label.span)
            .chain([diagnostic.span]);
        for span in spans.chain(diagnostic.fix.iter().map(|fix| fix.span)) {
            assert!(
                source.get(span.start as usize..span.end as usize).is_some(),
                "{diagnostic:?}"
            );
        }
        assert!(fletch_syntax::CODES.contains(&diagnostic.code.as_str()));
    }
    assert!(diagnostics.is_sorted_by_key(|diagnostic| diagnostic.span.start));
    let mut end = 0;
    for token in highlight(source, crate::common::SYMBOLS) {
        assert!(
            token.span.start >= end && token.span.end >= token.span.start,
            "{token:?}"
        );
        end = token.span.end;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn token_soup_never_panics(words in proptest::collection::vec(proptest::sample::select(large::WORDS), 0..80)) {
        check_total(&words.join(" "));
        check_total(&words.concat());
        check_total(&format!("main = {}", words.join(" ")));
        check_total(&format!("handler H : 1 {{ x ↦ {} }}", words.join(" ")));
    }

    #[test]
    fn bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        check_total(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn damaged_programs_never_panic(at in 0_usize..2000, length in 0_usize..30, word in proptest::sample::select(large::WORDS)) {
        let source = include_str!("example.fletch");
        let boundary = |mut at: usize| {
            at = at.min(source.len());
            while !source.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (start, end) = (boundary(at), boundary(at + length));
        check_total(&format!("{}{word}{}", &source[..start], &source[end..]));
    }
}
