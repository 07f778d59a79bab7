//! The formatter on programs as deep, as long and as large as the parser takes them: little stack,
//! linear time.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::deep::{NESTS, chains, nest, on_small_stack};
use common::golden;
use fletch_syntax::{MAX_HEIGHT, MAX_NESTING, Spelling, format, parse};
use std::time::{Duration, Instant};

/// A browser's call stack, natively; without optimisation frames are larger.
const STACK_KIB: usize = if cfg!(debug_assertions) { 4096 } else { 1024 };

fn stays_formatted(source: &str) {
    for spelling in [Spelling::Unicode, Spelling::Ascii] {
        let formatted = format(source, spelling).unwrap_or_else(|errors| panic!("{errors:#?}"));
        assert!(format(&formatted, spelling).as_ref() == Ok(&formatted));
    }
}

#[test]
fn nesting_at_the_limit_fits_a_small_stack() {
    on_small_stack(STACK_KIB, || {
        for &parts in NESTS {
            // How much deeper it may be depends on what else nests there.
            let depths = (1..=MAX_NESTING as usize).rev();
            let mut sources = depths.map(|depth| nest(depth, parts));
            let deepest = sources.find(|source| parse(source).1.is_empty());
            if let Some(deepest) = deepest {
                assert!(deepest.len() > MAX_NESTING as usize);
                stays_formatted(&deepest);
            }
        }
    });
}

#[test]
fn long_chains_fit_a_small_stack() {
    on_small_stack(STACK_KIB, || {
        for source in chains(MAX_HEIGHT as usize - 8) {
            stays_formatted(&source);
        }
    });
}

#[test]
fn large_programs_take_linear_time() {
    let fill = |text: &str| text.repeat((1 << 20) / text.len() + 1);
    let golden: String = golden()
        .into_iter()
        .map(|(_, source)| source + "\n")
        .collect();
    let nested = "handle R() with { x ↦ ".repeat(60);
    for (what, source) in [
        ("programs", fill(&golden)),
        (
            "comments",
            fill("-- a comment\n{- another -} loc l ∷ (2) -- and one more\n"),
        ),
        ("locations", fill("loc l ∷ (n, m) = glorot(seed: 1)\n")),
        ("chains", fill(&format!("{}\n", chains(900)[0]))),
        (
            "a data set",
            format!("data d = [{}⟨[1], [2]⟩]", fill("⟨[0.5, -1], [1]⟩, ")),
        ),
        (
            "a literal",
            format!("loc l ∷ (9) = [{}1]", fill("0.12345, ")),
        ),
        (
            "rows",
            format!("loc l ∷ (9) = [{}[1, 2]]", fill("[1, 2], ")),
        ),
        (
            "clauses",
            format!(
                "handler H : 1 {{ {} }}",
                fill("FC[ℓ] ( x ↦ ⌊x⌋ | y, z ↦ ⌊y⌋ )\n")
            ),
        ),
        (
            "deep clauses",
            format!(
                "main = {nested} handle R() with {{ {} }} {}",
                fill("FC[ℓ] ( x ↦ ⌊x⌋ | y, z ↦ let x ⇐ R() in\n⌊y⌋ )\n"),
                "}".repeat(60)
            ),
        ),
        ("arguments", format!("main = ⌊f({}x)⌋", fill("g(x, y), "))),
        ("a long name", format!("fun {}(x : 1) = x", fill("name"))),
        (
            "a long comment",
            format!("main = {{- {} -}} ⌊x⌋", fill("word word\n")),
        ),
    ] {
        let start = Instant::now();
        let formatted = format(&source, Spelling::Unicode);
        let time = start.elapsed();
        println!("{what}: {} kB in {time:?}", source.len() >> 10);
        assert!(formatted.is_ok(), "{what}: {formatted:?}");
        // Far above what it takes, and far below what a quadratic step would.
        assert!(time < Duration::from_secs(10), "{what} took {time:?}");
    }
}
