//! How soon a command has an arrow, and an arrow a diagram.
#![allow(
    dead_code, // Of what the benches share, a part.
    missing_docs,
    clippy::unwrap_used, // A failed measurement is a panic.
    clippy::indexing_slicing
)]

mod figures;

use figures::{row, times};
use fletch_arrows::Arrow;
use fletch_diagrams::{Graph, Picture, Style};
use fletch_tests::must_check;
use fletch_tests::nested::nested;

const RUNS: usize = 5;

fn main() {
    figures::heading();
    for levels in 1..=4 {
        for layers in [1, 4, 16, 64] {
            let program = must_check(&nested(levels, layers)).program;
            let arrow = || Arrow::of(&[], &program.main, &program.ty).unwrap();
            let statements = arrow().counts().0;
            row(
                &format!("arrow: {layers} layers, {levels} handlers ({statements} statements)"),
                times(RUNS, arrow),
                100.0,
            );
        }
    }
    let both = [Style::Bent, Style::Unbent];
    for (layers, styles) in [(60, &both[..]), (250, &[Style::Bent])] {
        let source = nested(1, layers);
        let program = must_check(&source).program;
        let arrow = Arrow::of(&[], &program.main, &program.ty).unwrap();
        for style in styles {
            let draw = || Picture::of(&Graph::of(&arrow, &source), *style);
            let boxes = draw().boxes.len();
            row(
                &format!("diagram: {layers} layers, {style:?} ({boxes} boxes)"),
                times(RUNS, draw),
                50.0,
            );
        }
    }
}
