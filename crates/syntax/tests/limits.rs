//! Deep, long, large and random sources: always an answer, in little time and little stack.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod common;

use common::deep::{NESTS, PARSER_KIB, chains, nest, on_small_stack};
use common::{golden, render};
use fletch_syntax::{MAX_DIAGNOSTICS, MAX_HEIGHT, MAX_NESTING, highlight, parse};
use proptest::prelude::*;
use std::time::{Duration, Instant};

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
                let (program, _) = parse(&source);
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
                let start = Instant::now();
                let (_, diagnostics) = parse(&source);
                let deep = diagnostics.iter().filter(|d| d.code == "F0901").count();
                let shown = render(&source, &diagnostics);
                assert_eq!(deep, 1, "{before}: {shown}");
                assert!(diagnostics.len() <= 3, "{before}: {shown}");
                assert!(start.elapsed() < Duration::from_secs(2), "{before}");
            }
        }
    });
}

#[test]
fn long_chains_fit_a_megabyte_of_stack() {
    on_small_stack(1024, || {
        for source in chains(MAX_HEIGHT as usize - 8) {
            let (program, diagnostics) = parse(&source);
            assert!(diagnostics.is_empty(), "{}", render(&source, &diagnostics));
            drop(program);
        }
    });
}

#[test]
fn longer_chains_are_one_diagnostic() {
    on_small_stack(1024, || {
        for source in chains(50_000) {
            let (_, diagnostics) = parse(&source);
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
        assert_eq!(parse(&twice).1.len(), 1);
        let lets = "let x ⇐ R() in ".repeat(MAX_HEIGHT as usize / 2);
        let (program, diagnostics) = parse(&format!("main = {lets}({lets}({lets}⌊x⌋))"));
        assert_eq!(diagnostics.len(), 1);
        drop(program);
    });
}

fn timed(what: &str, source: &str) {
    let start = Instant::now();
    let (_, diagnostics) = parse(source);
    let parsed = start.elapsed();
    let start = Instant::now();
    let highlighted = highlight(source).len();
    let coloured = start.elapsed();
    println!(
        "{what}: {} kB, {} diagnostics, parse {parsed:?}, highlight {coloured:?}, {highlighted} tokens",
        source.len() >> 10,
        diagnostics.len()
    );
    assert!(diagnostics.len() <= MAX_DIAGNOSTICS + 1, "{what}");
    // Far above what it takes, and far below what a quadratic step would.
    assert!(
        parsed < Duration::from_secs(5) && coloured < Duration::from_secs(5),
        "{what}"
    );
}

/// A small generator, so that the large inputs are the same every time.
fn next(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

const WORDS: &[&str] = &[
    "dim", "loc", "op", "fun", "command", "handler", "data", "train", "measure", "predict", "main",
    "let", "in", "rev", "handle", "with", "as", "for", "on", "epochs", "extends", "by", "iterate",
    "Real", "rd", "zero", "pure", "ceil", "x", "FC", "ℓ", "proj_1", "_", "1", "0.5", "\"s\"", "⇐",
    "<-", "↦", "|>", "=>", "∷", ":", ".", "·", "*", "**", "×", "+", "-", "/", "ᵀ", "@", "⟨", ">",
    "<", "⟩", "⌊", "⌋", "⌈", "⌉", "(", ")", "[", "]", "{", "}", ",", ";", "|", "=", "$", "’", "{-",
    "-}", "\n", "--",
];

#[test]
fn large_sources_take_linear_time() {
    let megabyte = 1 << 20;
    let fill = |text: &str| text.repeat(megabyte / text.len() + 1);
    let golden: String = golden()
        .into_iter()
        .map(|(_, source)| source + "\n")
        .collect();
    timed("valid", &fill(&golden));
    timed("10 000 parentheses", &nest(10_000, NESTS[0]));
    timed("990 lets", &chains(990)[0]);
    timed("50 000 lets", &chains(50_000)[0]);
    timed(
        "one data set",
        &format!("data d = [{}⟨[1], [2]⟩]", fill("⟨[0.5, -1], [1]⟩, ")),
    );
    timed(
        "one literal",
        &format!("loc l ∷ (9) = [{}1]", fill("0.12345, ")),
    );
    timed(
        "clauses",
        &format!(
            "handler H : 1 {{ {} }}",
            fill("x ↦ ⌊x⌋ FC[ℓ] ( x ↦ ⌊x⌋ | y, z ↦ ⌊y⌋ )\n")
        ),
    );
    timed(
        "broken clauses",
        &format!(
            "handler H : 1 {{ {} }}",
            fill("x ↦ ⌊x + ⌋ FC[ℓ] ( x ↦ ⌊x⌋ | y, ↦ )\n")
        ),
    );
    timed(
        "unclosed clauses",
        &format!(
            "handler H : 1 {{ {} }}",
            fill("FC[ℓ] ( x ↦ ⌊x⌋ | y, z ↦ let\n")
        ),
    );
    for text in [
        "(",
        ")",
        "⟨",
        "[",
        "{",
        "let x ⇐ ",
        "handle ",
        "⌊",
        "x ",
        "1 ",
        ", ",
        "$ ",
        "=",
        "let ",
    ] {
        timed(text, &format!("main = {}", fill(text)));
    }
    timed(
        "openers, closers",
        &format!("main = {}{}", fill("("), fill("]")),
    );
    timed(
        "uneven rows",
        &format!("loc l ∷ (1) = [[{}1], {}[1]]", fill("1, "), fill("[1], ")),
    );
    timed("comments", &fill("{- "));
    timed(
        "deep data",
        &format!(
            "data d = [{}1]",
            fill(&format!("{}1{}, ", "(".repeat(200), ")".repeat(200)))
        ),
    );
    let mut state = 1;
    let mut soup = String::new();
    while soup.len() < megabyte {
        soup += WORDS[next(&mut state) as usize % (WORDS.len() - 6)];
        soup += if next(&mut state).is_multiple_of(9) {
            "\n"
        } else {
            " "
        };
    }
    timed("token soup", &soup);
    let bytes: Vec<u8> = (0..megabyte).map(|_| next(&mut state) as u8).collect();
    timed("random bytes", &String::from_utf8_lossy(&bytes));
}

#[test]
fn too_large_a_source_is_refused() {
    let (_, diagnostics) = parse(&" ".repeat(fletch_syntax::MAX_SOURCE + 1));
    assert_eq!(diagnostics[0].code, "F0904");
}

#[test]
fn every_prefix_of_a_golden_program_parses() {
    for (name, source) in golden() {
        for (end, _) in source.char_indices() {
            let (program, _) = parse(&source[..end]);
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
            // The same without a stretch in the middle.
            let resume = boundaries
                .iter()
                .find(|&&at| at > end + 40)
                .copied()
                .unwrap_or(source.len());
            check_total(&format!("{}{}", &source[start..end], &source[resume..]));
        }
    }
}

/// What holds for every source: spans are in order and on boundaries, fixes fit, the classes of
/// highlighting do not overlap.
fn check_total(source: &str) {
    let (_, diagnostics) = parse(source);
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
    for token in highlight(source) {
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
    fn token_soup_never_panics(words in proptest::collection::vec(proptest::sample::select(WORDS), 0..80)) {
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
    fn damaged_programs_never_panic(at in 0_usize..2000, length in 0_usize..30, word in proptest::sample::select(WORDS)) {
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
