//! Input that nobody would write: deep, long, random, half typed. It gets diagnostics in time, natively as
//! in the page, and never a panic.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

use fletch_playground::report::{self, Checked};
use fletch_tests::{examples, golden, programs};
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// Checks within a second (ten in a debug build, which is slower by more than that).
fn check_in_time(what: &str, source: &str) -> Checked {
    let limit = if cfg!(debug_assertions) {
        Duration::from_secs(10)
    } else {
        Duration::from_secs(1)
    };
    let start = Instant::now();
    let checked = report::check(source);
    assert!(start.elapsed() < limit, "{what} took {:?}", start.elapsed());
    checked
}

/// Runs a check on a stack as small as a browser's.
fn on_small_stack(check: impl FnOnce() + Send + 'static) {
    let size = if cfg!(debug_assertions) {
        16 << 20
    } else {
        1 << 20
    };
    std::thread::Builder::new()
        .stack_size(size)
        .spawn(check)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn deep_nesting_gets_a_diagnostic() {
    on_small_stack(|| {
        let deep = |open: &str, close: &str| {
            format!("main = ⌊{}1{}⌋", open.repeat(10_000), close.repeat(10_000))
        };
        let cases = [
            ("parentheses", deep("(", ")")),
            ("tuples", deep("⟨1, ", "⟩")),
            ("negations", format!("main = ⌊{}x⌋", "−".repeat(10_000))),
            ("brackets", format!("main = {}", "[".repeat(10_000))),
            ("open parentheses", format!("main = {}", "(".repeat(10_000))),
            ("handlers", "main = ".to_owned() + &"handle ".repeat(10_000)),
            ("comments", "{-".repeat(10_000)),
            ("indices", format!("main = f{}", "[a".repeat(10_000))),
            (
                "commands",
                format!("main = {}⌊1⌋{}", "(".repeat(10_000), ")".repeat(10_000)),
            ),
        ];
        for (what, source) in cases {
            let checked = check_in_time(what, &source);
            assert!(checked.rejected(), "{what} should be rejected");
        }
    });
}

#[test]
fn long_programs_are_checked_or_refused() {
    on_small_stack(|| {
        let lets = |count: usize| {
            let lets: String = (0..count)
                .map(|i| format!("let x{} ⇐ ⌊x{}⌋ in\n", i + 1, i))
                .collect();
            format!("main = let x0 ⇐ ⌊1⌋ in\n{lets}⌊x{count}⌋")
        };
        assert!(!check_in_time("500 lets", &lets(500)).rejected());
        assert!(check_in_time("100 000 lets", &lets(100_000)).rejected());
        let sum = format!("main = ⌊1{}⌋", " + 1".repeat(100_000));
        check_in_time("a long sum", &sum);
        let doubling: String = (1..60)
            .map(|i| format!("command R{i}() = let x ⇐ R{}() in R{0}()\n", i - 1))
            .collect();
        let doubling = format!("command R0() = ⌊1⌋\n{doubling}main = R59()");
        assert!(check_in_time("exponential expansion", &doubling).rejected());
        check_in_time("many iterations", "main = iterate[i : 1000000](1)⟨x⟩. ⌊x⌋");
        check_in_time(
            "a large size",
            "loc w ∷ (99999999999, 99999999999)\nmain = Get[w]()",
        );
        check_in_time("a large zero", "main = ⌊zero[16777216 * 16777216]⌋");
    });
}

#[test]
fn more_memory_than_there_is_gets_a_diagnostic() {
    let locations: String = (0..100)
        .map(|k| format!("loc w{k} ∷ (4096, 4096)\n"))
        .collect();
    let gets: String = (0..100)
        .map(|k| format!("let x{k} ⇐ Get[w{k}]() in "))
        .collect();
    let zeros: String = (0..100)
        .map(|k| format!("let x{k} ⇐ ⌊zero[16777216]⌋ in "))
        .collect();
    let cases = [
        ("locations", format!("{locations}main = {gets}⌊()⌋")),
        ("zeros", format!("main = {zeros}⌊x0⌋")),
        ("a size", "main = ⌊zero[16777217]⌋".to_owned()),
    ];
    for (what, source) in cases {
        let codes: Vec<String> = check_in_time(what, &source)
            .diagnostics
            .into_iter()
            .filter(|found| found.is_error())
            .map(|found| found.code)
            .collect();
        assert_eq!(codes, ["F0911"], "{what}");
    }
}

#[test]
fn a_megabyte_is_checked_in_time() {
    on_small_stack(|| {
        let (_, mlp) = programs(&golden())
            .into_iter()
            .find(|(name, _)| name == "mlp")
            .unwrap();
        let valid = mlp.repeat((1 << 20) / mlp.len());
        check_in_time("a megabyte of declarations", &valid);
        check_in_time("a megabyte of letters", &"x".repeat(1 << 20));
        check_in_time("a megabyte of brackets", &"⟨".repeat(1 << 18));
        check_in_time("a megabyte of comments", &"-- comment\n".repeat(1 << 17));
        let mut seed = 1_u64;
        let random: Vec<u8> = (0..1 << 20)
            .map(|_| {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (seed >> 33) as u8
            })
            .collect();
        check_in_time(
            "a megabyte of random bytes",
            &String::from_utf8_lossy(&random),
        );
    });
}

#[test]
fn every_beginning_and_every_hole_of_every_program_is_survived() {
    for (_, source) in programs(&examples()).into_iter().chain(programs(&golden())) {
        let boundaries: Vec<usize> = source.char_indices().map(|(at, _)| at).collect();
        for at in boundaries.iter().step_by(7) {
            report::check(&source[..*at]);
            report::check(&format!(
                "{}{}",
                &source[..*at],
                source[*at..].get(9..).unwrap_or("")
            ));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_survived(text in ".{0,200}") {
        report::check(&text);
    }

    /// Pieces of real programs in any order get much further than noise.
    #[test]
    fn any_order_of_tokens_is_survived(picks in prop::collection::vec(0usize..TOKENS.len(), 0..80)) {
        let text: Vec<&str> = picks.into_iter().map(|pick| TOKENS[pick]).collect();
        report::check(&text.join(" "));
    }
}

const TOKENS: &[&str] = &[
    "dim",
    "n",
    "= 2",
    "loc",
    "w",
    "∷ (2, 3)",
    "= glorot(seed: 1)",
    "op",
    "FC",
    "[ℓ ∷ (n, m)]",
    ": Real(n) ▷ Real(m)",
    "command",
    "R",
    "(x : Real(2))",
    "=",
    "let",
    "x",
    "⇐",
    "←",
    "in",
    "FC[w]",
    "(x)",
    "⌊",
    "⌋",
    "⟨",
    "⟩",
    ",",
    ".",
    "handler",
    "H",
    ": Real(3)",
    "{",
    "}",
    "x ↦",
    "|",
    "y, z ↦",
    "Get[w]()",
    "Put[w]",
    "main =",
    "rev handle",
    "with",
    "handle",
    "k",
    "•",
    "swish",
    "(",
    ")",
    "+",
    "−",
    "∗",
    "ᵀ",
    "rd[swish]",
    ".rd(x. x)",
    "1",
    "[1, 2]",
    "iterate[i : 2]",
    "data d",
    "train d as",
    "for 2 epochs",
    "measure m on d as",
    "predict p",
    "extends",
    "zero[2]",
    "()",
    "_",
];
