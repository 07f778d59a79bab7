//! Fuzz target: checks `fletch_tests::laws::reduction` on any text, with at most 500 steps.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| { fletch_tests::laws::reduction(text, 500); });
