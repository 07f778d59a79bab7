//! `fletch_tests::laws::reduction` on any text.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| { fletch_tests::laws::reduction(text, 500); });
