//! The formatter on programs at the parser's limits of depth, length and size, with a small stack.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use crate::common::deep::{ANY_KIB, NESTS, chains, nest, on_small_stack};
use crate::common::large;
use fletch_syntax::{MAX_HEIGHT, MAX_NESTING, Spelling, format, parse};

/// Stack of a browser, in KiB; unoptimised code needs larger frames.
const STACK_KIB: usize = if cfg!(debug_assertions) { 4096 } else { 1024 };

fn stays_formatted(source: &str) {
    for spelling in [Spelling::Unicode, Spelling::Ascii] {
        let formatted = format(source, spelling, crate::common::SYMBOLS)
            .unwrap_or_else(|errors| panic!("{errors:#?}"));
        assert!(format(&formatted, spelling, crate::common::SYMBOLS).as_ref() == Ok(&formatted));
    }
}

#[test]
fn nesting_at_the_limit_fits_a_small_stack() {
    on_small_stack(STACK_KIB, || {
        for &parts in NESTS {
            // The maximum depth depends on the nesting of the surrounding construct.
            let depths = (1..=MAX_NESTING as usize).rev();
            let mut sources = depths.map(|depth| nest(depth, parts));
            let deepest = sources.find(|source| parse(source, crate::common::SYMBOLS).1.is_empty());
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
fn large_programs_are_laid_out() {
    for (name, source) in large::formatted(&crate::common::programs()) {
        on_small_stack(ANY_KIB, move || {
            let formatted = format(&source, Spelling::Unicode, crate::common::SYMBOLS);
            assert!(formatted.is_ok(), "{name}: {formatted:?}");
        });
    }
}
