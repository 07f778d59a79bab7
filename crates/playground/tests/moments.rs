//! The level of moments: its stops are the moments of a feedback, on the forward and the backward pass. The tests
//! check their sentences and folds.

use crate::run::{Run, text};
use fletch_playground::protocol::{Level, PieceKind};
use std::path::Path;

const THREE: &str = "loc w ∷ (1, 1) = 2
command Moment(h : Real(1), x : Real(1)) : Real(1) × Real(1) =
  let w ⇐ Get[w]() in
  ⌊⟨w ∗ h + x, 10 · h⟩⌋
command R(xs : Real(3 × 1)) : Real(3 × 1) =
  let ⟨_, ys⟩ ⇐ (feedback[3](1, xs)⟨h, x⟩. Moment(h, x)) in ⌊ys⌋
handler H : Real(3 × 1) {
  x ↦ ⌊x⌋
  Get[ℓ] ( _ ↦ let w ⇐ Get[ℓ]() in ⌊⟨w, ()⟩⌋
         | g, _ ↦ let w ⇐ Get[ℓ]() in let _ ⇐ Put[ℓ](w − g) in ⌊()⌋ )
}
main = rev handle([[0.5], [0], [−1]])⟨xs⟩. R(xs) with H
";

/// Sentences at the stops of the level, without the first and the last position.
fn told(run: &mut Run) -> Vec<String> {
    let stops = run.index.moments.clone();
    let inner = &stops[1..stops.len() - 1];
    let sentences = inner.iter().map(|stop| run.sentence(*stop, Level::Moments));
    sentences.collect()
}

#[test]
fn three_moments_go_out_and_come_back_last_first() {
    let mut run = Run::of(THREE, 10_000);
    assert_eq!(
        told(&mut run),
        [
            "Moment 1 of 3: the state h is 1, the input x is 0.5.",
            "Moment 2 of 3: the state h is 2.5, the input x is 0.",
            "Moment 3 of 3: the state h is 5, the input x is −1. Up to the next stop, feedback[3] runs backward.",
            "Moment 3 again: what comes back to its state is 0, and to its output 50. Up to the next stop, w is written.",
            "Moment 2 again: what comes back to its state is 500, and to its output 25. Up to the next stop, w is written.",
            "Moment 1 again: what comes back to its state is 1250, and to its output 10. Up to the next stop, w is written.",
        ]
    );
}

#[test]
fn derived_clauses_are_folded_under_the_name_of_the_moment() {
    let mut run = Run::of(THREE, 10_000);
    let stops = run.index.moments.clone();
    let labels = |position: u32, run: &mut Run| -> Vec<String> {
        let view = run.show(position, Level::Moments);
        let pieces = view.lines.iter().flat_map(|line| &line.pieces);
        let folded = pieces.filter(|piece| piece.kind == PieceKind::Folded);
        folded.map(|piece| piece.text.trim().to_owned()).collect()
    };
    let out = labels(stops[1], &mut run);
    assert!(
        out.iter().any(|label| label.contains("Momentᶠ[H]")),
        "{out:?}"
    );
    let back = labels(stops[4], &mut run);
    assert!(
        back.iter().any(|label| label.contains("Momentᵇ[H]")),
        "{back:?}"
    );
}

/// Number of the moment in each sentence, and true if the moment is on the backward pass.
fn numbered(told: &[String]) -> Vec<(usize, bool)> {
    let moments = told.iter().map(|sentence| {
        let number = sentence.split(' ').nth(1).unwrap().parse().unwrap();
        (number, sentence.contains(" again: "))
    });
    moments.collect()
}

#[test]
fn golden_programs_stop_at_every_moment_out_and_back() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    for (name, moments) in [("elman", 8), ("gru", 6), ("linear", 8)] {
        let path = golden.join(format!("feedback_{name}.fletch"));
        let source = std::fs::read_to_string(path).unwrap();
        let mut run = Run::of(&source, 200_000);
        let out = (1..=moments).map(|number| (number, false));
        let back = (1..=moments).rev().map(|number| (number, true));
        let expected: Vec<(usize, bool)> = out.chain(back).collect();
        assert_eq!(numbered(&told(&mut run)), expected, "{name}");
    }
}

#[test]
fn without_a_feedback_the_level_has_the_stops_of_operations() {
    let mut run = Run::example("mlp");
    assert!(run.index.moments.is_empty());
    let stops = run.index.operations.clone();
    for pair in stops.windows(2) {
        let view = run.show(pair[0], Level::Moments);
        assert_eq!(view.next, Some(pair[1]));
        let operations = run.show(pair[0], Level::Operations);
        assert_eq!(text(&view.sentence), text(&operations.sentence));
    }
}
