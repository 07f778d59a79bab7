//! String diagrams keep their rules, on the examples and on random programs: the same arrow gives the same picture, boxes do not
//! overlap, no wire runs through a box, and every statement with an effect or a result is in one box.

mod fitting;
mod loops;
mod names;
mod opening;
mod paper;
mod rules;

use fletch_arrows::Arrow;
use fletch_diagrams::{Graph, Mark, Opening, Picture, Style};
use fletch_tests::nested::{descent, nested};
use fletch_tests::random::{Case, checked, for_all};
use fletch_tests::{examples, generate, must_check, programs};
use rules::*;
use std::fs;

pub(crate) const STYLES: [Style; 2] = [Style::Bent, Style::Unbent];

/// Checks that every handled command of the examples is drawn bent, with a forward and a backward lane.
#[test]
fn every_handled_command_of_the_examples_bends() {
    for (name, source) in programs(&examples()) {
        let program = must_check(&source).program;
        let arrow = Arrow::unrolled(&[], &program.main, &program.ty, 256)
            .map(|(arrow, _)| arrow)
            .unwrap();
        let picture = Picture::of(&Graph::of(&arrow, &source), Style::Bent);
        let letters = |shape: &fletch_diagrams::Shape| matches!(shape.mark, Some(Mark::Letter(_)));
        assert!(!picture.boxes.iter().any(letters), "{name}");
    }
}

#[test]
fn diagrams_of_the_examples_keep_the_rules() {
    let mut boxes = 0;
    for (name, source) in programs(&examples()) {
        match drawn(&must_check(&source).program, &source) {
            Ok(count) => boxes += count.unwrap(),
            Err(error) => panic!("{name}: {error}"),
        }
    }
    eprintln!("{boxes} boxes");
    assert!(boxes > 500, "{boxes}");
}

#[test]
fn diagrams_of_random_programs_keep_the_rules() {
    let boxes = for_all(
        fletch_tests::random::programs() / 4,
        generate::program,
        4000,
        10,
        |source| match drawn(&checked(source)?, source)? {
            Some(count) => Ok(Case::Holds(count)),
            None => Ok(Case::Skipped("large arrow")),
        },
    );
    eprintln!(
        "{} boxes in {} programs",
        boxes.iter().sum::<usize>(),
        boxes.len()
    );
}

pub(crate) fn main_of(example: &str) -> (Arrow, String) {
    let source = fs::read_to_string(examples().join(format!("{example}.fletch"))).unwrap();
    let program = must_check(&source).program;
    let arrow = Arrow::unrolled(&[], &program.main, &program.ty, 256)
        .map(|(arrow, _)| arrow)
        .unwrap();
    (arrow, source)
}

pub(crate) fn named(names: &[&str]) -> Opening {
    Opening {
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        ..Opening::default()
    }
}

/// Checks a downward diagram: the forward lane goes down on the left, the backward lane goes up on the right, boxes stay
/// upright, and a phone is wide enough.
#[test]
fn a_diagram_turns_downward() {
    let (arrow, source) = main_of("mlp");
    for names in [&[][..], &["FC[ℓ0]"]] {
        let mut graph = Graph::opened(&arrow, &source, &named(names));
        let along = Picture::of(&graph, Style::Bent);
        graph.down = true;
        let down = Picture::of(&graph, Style::Bent);
        assert_eq!(along.boxes.len(), down.boxes.len());
        assert_eq!(along.frames.len(), down.frames.len());
        let pairs = || along.boxes.iter().zip(&down.boxes);
        for (a, b) in pairs() {
            assert_eq!(a.key, b.key);
            // Along the flow a box is wider where values enter, and no smaller than its label.
            assert!(b.frame.3 >= a.frame.3.min(30.0), "{}", a.label);
            assert!(b.frame.2 <= a.frame.2, "{}", a.label);
            // The mark of its clause points along the flow, next to the label.
            let mark = match a.mark {
                Some(Mark::Right) => Some(Mark::Down),
                Some(Mark::Left) => Some(Mark::Up),
                other => other,
            };
            assert_eq!(b.mark, mark, "{}", a.label);
            if let Some([from, tip, to]) = b.chevron() {
                let (x, y, w, h) = b.frame;
                assert_eq!(tip.1 > from.1, b.mark == Some(Mark::Down));
                assert_eq!((from.1, tip.0), (to.1, (from.0 + to.0) / 2.0));
                let label = 7.5 * b.label.chars().count() as f64 / 2.0 + 3.0;
                for (px, py) in [from, tip, to] {
                    assert!((px - b.label_at()).abs() > label, "{}", b.label);
                    assert!(x + 4.0 < px && px < x + w - 4.0 && y < py && py < y + h);
                }
            }
        }
        let of = |picture: &Picture, key: &str| {
            let shape = picture.boxes.iter().find(|shape| shape.key == key);
            shape.unwrap().frame
        };
        joined(&down).unwrap();
        let turn = of(&down, "r0");
        for (_, shape) in pairs() {
            if shape.key != "r0" {
                assert!(shape.frame.1 < turn.1, "{} is after the turn", shape.label);
            }
        }
        if names.is_empty() {
            assert!(of(&down, "c0.0f").0 < of(&down, "c0.0b").0);
            assert!(of(&down, "c0.0f").1 < of(&down, "c0.2f").1);
            assert!(down.bounds.2 <= 390.0, "{}", down.bounds.2);
            assert!(down.bounds.3 > down.bounds.2);
        }
        // Headers are in corners, so they need no room next to the contents of their frames.
        assert!(down.bounds.2 <= 660.0, "{}", down.bounds.2);
        for frame in &down.frames {
            assert_eq!(frame.header.3, 20.0);
            assert!(frame.header.2 <= frame.frame.2);
            assert_eq!(frame.header.1, frame.frame.1);
            let words = frame.header_text();
            assert!(
                words.starts_with("FC[ℓ0] ") && !words.ends_with('…'),
                "{words}"
            );
        }
    }
}

#[test]
fn diagrams_of_nested_handlers_keep_the_rules() {
    for source in [nested(2, 3), nested(3, 1), nested(3, 2), descent(3)] {
        let boxes = drawn(&must_check(&source).program, &source).unwrap();
        assert!(boxes.unwrap() > 100);
    }
}

/// Checks a clause whose forward half is empty: bent, its backward half is in the column of its own unit. Unbent, the forward
/// boxes stay on one line, also if the backward clause returns a constant.
#[test]
fn a_clause_without_its_other_half_stands_at_its_place() {
    for backward in ["2 · y", "[1, 2]"] {
        let source = format!(
            "op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)\nop Stop : Real(2) ▷ Real(2)\nloc a ∷ (2, 2)\nloc b ∷ (2, 2)
             main = rev handle([0.1, 0.1])⟨x⟩.
               let u ⇐ FC[a](x) in let v ⇐ Stop(u) in FC[b](v) with {{
                 x ↦ ⌊2 · x⌋
                 FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                   | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
                 Stop ( x ↦ ⌊⟨x, ()⟩⌋ | y, z ↦ ⌊{backward}⌋ ) }}"
        );
        let program = must_check(&source).program;
        let arrow = Arrow::unrolled(&[], &program.main, &program.ty, 256)
            .map(|(arrow, _)| arrow)
            .unwrap();
        let graph = Graph::of(&arrow, &source);
        let picture = Picture::of(&graph, Style::Bent);
        let at = |picture: &Picture, label: &str, mark: Mark| {
            let mut boxes = picture.boxes.iter();
            let found = boxes.find(|shape| shape.label == label && shape.mark == Some(mark));
            found.unwrap().frame
        };
        let before = at(&picture, "FC[a]", Mark::Right);
        let after = at(&picture, "FC[b]", Mark::Right);
        let stop = at(&picture, "Stop", Mark::Left);
        assert!(before.0 + before.2 < stop.0 && stop.0 + stop.2 < after.0);
        let picture = Picture::of(&graph, Style::Unbent);
        let forward = ["FC[a]", "FC[b]"].map(|label| at(&picture, label, Mark::Letter('f')).1);
        assert_eq!(forward[0], forward[1], "{backward}");
    }
}
