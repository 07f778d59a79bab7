//! Fuzz target: checks `fletch_tests::laws::elaborator` on any text.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| { fletch_tests::laws::elaborator(text); });
