//! Measures how long the arrow of a command takes, and the diagram of an arrow.
#![allow(
    dead_code, // Of what the benches share, a part.
    missing_docs,
    clippy::unwrap_used, // A failed measurement is a panic.
    clippy::indexing_slicing
)]

mod figures;

use figures::{bound, median, row, times};
use fletch_arrows::{Arrow, equality};
use fletch_diagrams::{Graph, Opening, Picture, Style};
use fletch_smooth::Partiality;
use fletch_tests::must_check;
use fletch_tests::nested::nested;

const RUNS: usize = 5;

fn main() {
    figures::heading();
    for levels in 1..=4 {
        for layers in [1, 4, 16, 64] {
            let program = must_check(&nested(levels, layers)).program;
            let arrow = || {
                Arrow::unrolled(&[], &program.main, &program.ty, 256)
                    .map(|(arrow, _)| arrow)
                    .unwrap()
            };
            let statements = arrow().counts().0;
            row(
                &format!("arrow: {layers} layers, {levels} handlers ({statements} statements)"),
                times(RUNS, arrow),
                100.0,
            );
        }
    }
    for layers in [60, 250] {
        let source = nested(1, layers);
        let program = must_check(&source).program;
        let arrow = Arrow::unrolled(&[], &program.main, &program.ty, 256)
            .map(|(arrow, _)| arrow)
            .unwrap();
        let folded = Graph::of(&arrow, &source).boxes.into_iter();
        let all = Opening {
            keys: folded.filter_map(|block| block.opens).collect(),
            ..Opening::default()
        };
        for (name, opening) in [("folded", Opening::default()), ("opened", all)] {
            for style in [Style::Bent, Style::Unbent] {
                let draw = || Picture::of(&Graph::opened(&arrow, &source, &opening), style);
                let boxes = draw().boxes.len();
                row(
                    &format!("diagram: {layers} layers {name}, {style:?} ({boxes} boxes)"),
                    times(RUNS, draw),
                    if boxes > 1_100 { 100.0 } else { 50.0 },
                );
            }
        }
    }
    linear();
}

/// Checks that arrow, equality and unbent diagram of a chain take time linear in its number of statements.
fn linear() {
    let mode = Partiality::Paper;
    let opened = |arrow: &Arrow, source: &str| {
        let boxes = Graph::of(arrow, source).boxes.into_iter();
        Opening {
            keys: boxes.filter_map(|block| block.opens).collect(),
            ..Opening::default()
        }
    };
    let mut each: [Vec<f64>; 3] = Default::default();
    for layers in [30, 100, 330, 900] {
        let source = nested(1, layers);
        let program = must_check(&source).program;
        let make = || {
            let made = Arrow::unrolled(&[], &program.main, &program.ty, 256);
            made.map(|(arrow, _)| arrow).unwrap()
        };
        let (one, other) = (make(), make());
        let statements = one.counts().0 as f64;
        let opening = opened(&one, &source);
        let draw = || Picture::of(&Graph::opened(&one, &source, &opening), Style::Unbent);
        let taken = [
            times(RUNS, make),
            times(RUNS, || equality(&one, &other, mode)),
            times(RUNS, draw),
        ];
        for (each, taken) in each.iter_mut().zip(taken) {
            each.push(1000.0 * median(&taken) / statements);
        }
    }
    for (what, each) in ["arrow", "equality", "unbent diagram"].iter().zip(&each) {
        bound(
            &format!(
                "{what}: microseconds a statement in chains of 30, 100, 330 and 900 layers: {each:.2?}"
            ),
            "at most twice those of 30",
            each.iter().all(|one| *one <= 2.0 * each[0]),
        );
    }
}
