//! How soon a session answers: what a piece of a large state is, and where one can go in a long run.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed measurement is a panic.

mod figures;

use figures::{row, times};
use fletch_playground::Session;
use fletch_playground::protocol::{Ask, Reply, Show};
use fletch_tests::examples;
use fletch_trace::Budget;
use std::fs;

fn main() {
    figures::heading();
    let unet = fs::read_to_string(examples().join("unet_training.fletch")).unwrap();
    let (mut session, steps) = run(&unet, usize::MAX);
    let show = Ask::Show(Show {
        position: steps / 2,
        width: 72,
        ..Show::default()
    });
    let Reply::Shown(view) = session.ask(1, show) else {
        panic!("no view")
    };
    let pieces = view.lines.iter().flat_map(|line| &line.pieces);
    let nodes: Vec<u32> = pieces
        .map(|piece| piece.node)
        .filter(|node| *node > 0)
        .collect();
    let mut nodes = nodes.iter().copied().cycle();
    let inspect = times(200, || {
        let node = nodes.next().unwrap();
        session.ask(1, Ask::Inspect { node })
    });
    row("inspect a piece of a large state", inspect, 100.0);

    // An ordinary handler that resumes twice: more than a hundred thousand steps.
    let (mut session, steps) = run(FLIPS, 150_000);
    assert!(steps > 100_000);
    let index = times(20, || session.ask(1, Ask::Index));
    row("the index of a long run", index, 500.0);
}

/// A session that has run a program, and how many steps it took.
fn run(source: &str, steps: usize) -> (Session, u32) {
    let mut session = Session::new(Budget::steps(steps));
    session.ask(1, Ask::load(source));
    let advance = Ask::Advance {
        milliseconds: u32::MAX,
    };
    match session.ask(1, advance) {
        Reply::Advanced(advanced) => (session, advanced.steps),
        other => panic!("{other:?}"),
    }
}

const FLIPS: &str = "op Flip : 1 ▷ Real(1)
command ones() : Real(1) = iterate[i : 14](0)⟨sum⟩. let bit ⇐ Flip() in ⌊sum + bit⌋
handler All : Real(1) ⇒ Real(1) {
  x ↦ ⌊x⌋
  Flip, k; _ ↦ let a ⇐ k • 0 in let b ⇐ k • 1 in ⌊a + b⌋
}
main = handle ones() with All";
