//! String diagrams keep their rules, on the examples and on random programs: the same arrow gives the same picture, boxes do not
//! overlap, no wire runs through a box, and every statement that does anything stands in one box.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

use fletch_arrows::{Arrow, Fault};
use fletch_calculus::Program;
use fletch_diagrams::{Graph, Kind, Mark, Picture, Style};
use fletch_playground::denotation::{denotation, network};
use fletch_playground::diagram::picture;
use fletch_playground::report;
use fletch_smooth::{Applied, Wire};
use fletch_tests::random::{Case, checked, for_all};
use fletch_tests::{examples, generate, must_check, programs};
use std::fs;

const STYLES: [Style; 2] = [Style::Bent, Style::Unbent];

/// The pictures of a program keep the rules; how many boxes they have.
fn drawn(program: &Program, source: &str) -> Result<Option<usize>, String> {
    let arrow = match Arrow::of(&[], &program.main, &program.ty) {
        Ok(arrow) => arrow,
        Err(Fault::TooLarge { .. }) => return Ok(None),
        Err(fault) => return Err(format!("fault: {fault:?}")),
    };
    if arrow.counts().0 > 1_500 {
        return Ok(None);
    }
    let mut boxes = 0;
    for style in STYLES {
        let picture = Picture::of(&Graph::of(&arrow, source), style);
        let again = Picture::of(&Graph::of(&arrow, source), style);
        if format!("{picture:?}") != format!("{again:?}") {
            return Err(format!("changes: {style:?}"));
        }
        complete(&arrow, &picture).map_err(|error| format!("{error} ({style:?})"))?;
        clear(&picture).map_err(|error| format!("{error} ({style:?})"))?;
        boxes += picture.boxes.len();
    }
    Ok(Some(boxes))
}

/// Every statement is in one box at most, and in one unless it only gives the unit value.
fn complete(arrow: &Arrow, picture: &Picture) -> Result<(), String> {
    for (number, statement) in arrow.map.statements().iter().enumerate() {
        let boxes = picture.boxes.iter();
        let count = boxes
            .filter(|shape| shape.statements.contains(&number))
            .count();
        let unit = statement
            .results()
            .all(|wire| arrow.map.size(Wire(wire)) == 0);
        let least = usize::from(!unit || statement.applied.is_kept());
        if !(least..=1).contains(&count) {
            return Err(format!(
                "complete: {} stands in {count} boxes",
                statement.applied
            ));
        }
    }
    Ok(())
}

/// Boxes apart from one another, wires upright or level, and outside of boxes.
fn clear(picture: &Picture) -> Result<(), String> {
    for (index, a) in picture.boxes.iter().enumerate() {
        for b in picture.boxes.iter().skip(index + 1) {
            let apart = a.frame.0 + a.frame.2 <= b.frame.0
                || b.frame.0 + b.frame.2 <= a.frame.0
                || a.frame.1 + a.frame.3 <= b.frame.1
                || b.frame.1 + b.frame.3 <= a.frame.1;
            if !apart {
                return Err(format!("overlap: {} and {}", a.label, b.label));
            }
        }
    }
    for wire in &picture.wires {
        for pair in wire.points.windows(2) {
            let ((ax, ay), (bx, by)) = (&pair[0], &pair[1]);
            if !(ax.is_finite() && ay.is_finite()) || (ax != bx && ay != by) {
                return Err(format!("slanted: {pair:?}"));
            }
            for shape in &picture.boxes {
                let (x, y, w, h) = shape.frame;
                let inset = if shape.kind == Kind::Sum { 9.5 } else { 0.5 };
                let through = ax.min(*bx) < x + w - inset
                    && ax.max(*bx) > x + inset
                    && ay.min(*by) < y + h - inset
                    && ay.max(*by) > y + inset;
                if through {
                    return Err(format!("through: a wire through {}", shape.label));
                }
            }
        }
    }
    Ok(())
}

/// What is handled in the examples is drawn bent, out and back.
#[test]
fn every_handled_command_of_the_examples_bends() {
    for (name, source) in programs(&examples()) {
        let program = must_check(&source).program;
        let arrow = Arrow::of(&[], &program.main, &program.ty).unwrap();
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

/// The pictures of `docs/diagrams.md`: each is what the command line draws of an example. `FLETCH_DRAW=1` draws them anew.
#[test]
fn the_pictures_of_the_documents_are_up_to_date() {
    let docs = examples().join("../docs");
    let page = fs::read_to_string(docs.join("diagrams.md")).unwrap();
    let mut pictures = 0;
    for name in page.split("](diagrams/").skip(1) {
        let name = name.split(')').next().unwrap();
        let stem = name.strip_suffix(".svg").unwrap();
        let (example, kind) = stem.rsplit_once('-').unwrap();
        let source = fs::read_to_string(examples().join(format!("{example}.fletch"))).unwrap();
        let checked = report::check(&source);
        let find = if kind == "network" {
            network
        } else {
            denotation
        };
        let Ok(denotation) = find(&checked, "main") else {
            panic!("{name}")
        };
        let style = match kind {
            "unbent" => Style::Unbent,
            _ => Style::Bent,
        };
        let svg = picture(&denotation, &source, style).svg();
        let file = docs.join("diagrams").join(name);
        if std::env::var_os("FLETCH_DRAW").is_some() {
            fs::write(&file, &svg).unwrap();
        }
        let drawn = fs::read_to_string(&file).unwrap_or_default();
        assert!(
            drawn == svg,
            "{name} is drawn otherwise now: see FLETCH_DRAW"
        );
        pictures += 1;
    }
    assert!(pictures >= 10, "{pictures}");
}
