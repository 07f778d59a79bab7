//! Measures how long a text takes to be parsed, coloured and formatted, and hostile texts to be checked.
#![allow(
    dead_code, // Of what the tests share, a part.
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used, // A failed measurement is a panic.
    clippy::panic,
    clippy::indexing_slicing
)]

mod figures;
// Large sources that the tests of `syntax` parse and format.
#[path = "../../crates/syntax/tests/common/deep.rs"]
mod deep;
#[path = "../../crates/syntax/tests/common/large.rs"]
mod large;

use figures::{row, times};
use fletch_syntax::{Spelling, format, highlight, parse};
use fletch_tests::{golden, hostile, programs};

const RUNS: usize = 5;

fn main() {
    figures::heading();
    let golden = programs(&golden()).into_iter();
    let golden: String = golden.map(|(_, source)| source + "\n").collect();
    for (name, source) in large::parsed(&golden) {
        row(
            &format!("parse: {name}"),
            times(RUNS, || parse(&source, fletch_smooth::symbols())),
            1000.0,
        );
        row(
            &format!("colour: {name}"),
            times(RUNS, || highlight(&source, fletch_smooth::symbols())),
            1000.0,
        );
    }
    for (name, source) in large::formatted(&golden) {
        let layout = times(RUNS, || {
            format(&source, Spelling::Unicode, fletch_smooth::symbols()).unwrap()
        });
        row(&format!("lay out: {name}"), layout, 1000.0);
    }
    for text in hostile::texts() {
        let check = times(RUNS, || fletch_ide::check(&text.source));
        row(&format!("check: {}", text.what), check, 1000.0);
    }
}
