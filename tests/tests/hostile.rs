//! Input that no author would write: deep, long, random, half typed. Each text gets an answer, natively as in
//! the page, and never a panic.

use fletch_tests::hostile::{self, Hostile, Wanted};
use fletch_tests::{examples, golden, programs};
use proptest::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Time after which an answer counts as hanging, even on the slowest machine.
const HANGS: Duration = Duration::from_secs(180);

/// Size of a browser's stack in bytes; frames are larger without optimisation.
const STACK: usize = if cfg!(debug_assertions) {
    16 << 20
} else {
    1 << 20
};

#[test]
fn what_nobody_would_write_is_answered() {
    for Hostile {
        what,
        source,
        wanted,
    } in hostile::texts()
    {
        let (answer, answered) = channel();
        let builder = thread::Builder::new().stack_size(STACK);
        let thread = builder.spawn(move || {
            let checked = fletch_ide::check(&source);
            let errors = checked.diagnostics.into_iter();
            let codes = errors.filter(|found| found.is_error());
            answer.send(codes.map(|found| found.code).collect::<Vec<_>>())
        });
        match answered.recv_timeout(HANGS) {
            Ok(codes) => match wanted {
                Wanted::Accepted => assert!(codes.is_empty(), "{what}: {codes:?}"),
                Wanted::Rejected => assert!(!codes.is_empty(), "{what} should be rejected"),
                Wanted::TooLarge => assert_eq!(codes, ["F0911"], "{what}"),
                Wanted::Answer => {}
            },
            Err(RecvTimeoutError::Timeout) => panic!("{what} hangs"),
            Err(RecvTimeoutError::Disconnected) => panic!("{what} panics"),
        }
        thread.unwrap().join().unwrap().unwrap();
    }
}

#[test]
fn every_beginning_and_every_hole_of_every_program_is_survived() {
    for (_, source) in programs(&examples()).into_iter().chain(programs(&golden())) {
        let boundaries: Vec<usize> = source.char_indices().map(|(at, _)| at).collect();
        for at in boundaries.iter().step_by(7) {
            fletch_ide::check(&source[..*at]);
            fletch_ide::check(&format!(
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
        fletch_ide::check(&text);
    }

    /// Pieces of real programs in any order get much further than random characters.
    #[test]
    fn any_order_of_tokens_is_survived(picks in prop::collection::vec(0usize..TOKENS.len(), 0..80)) {
        let text: Vec<&str> = picks.into_iter().map(|pick| TOKENS[pick]).collect();
        fletch_ide::check(&text.join(" "));
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
    "feedback[2](x, y)",
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
