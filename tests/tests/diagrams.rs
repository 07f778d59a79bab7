//! String diagrams keep their rules, on the examples and on random programs: the same arrow gives the same picture, boxes do not
//! overlap, no wire runs through a box, and every statement that does anything stands in one box.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

use fletch_arrows::{Arrow, Fault, Pass};
use fletch_calculus::Program;
use fletch_diagrams::{Flow, Graph, Kind, Mark, Opening, Picture, Shape, Style};
use fletch_playground::denotation::{clause, denotation, network};
use fletch_playground::diagram::{Drawing, opened};
use fletch_playground::report;
use fletch_smooth::{Applied, Wire};
use fletch_tests::nested::{descent, nested};
use fletch_tests::random::{Case, checked, for_all};
use fletch_tests::{examples, generate, must_check, programs};
use std::collections::{BTreeMap, BTreeSet};
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
    for opening in openings(&arrow, source) {
        for (style, down) in STYLES.map(|style| [(style, false), (style, true)]).concat() {
            let graph = || {
                let mut graph = Graph::opened(&arrow, source, &opening);
                graph.down = down;
                graph
            };
            let picture = Picture::of(&graph(), style);
            let again = Picture::of(&graph(), style);
            let of = |error: String| format!("{error} ({style:?}, down: {down}, {opening:?})");
            if picture != again {
                return Err(of("changes".to_owned()));
            }
            complete(&arrow, &picture).map_err(of)?;
            clear(&picture).map_err(of)?;
            framed(&picture).map_err(of)?;
            if down {
                headed(&picture).map_err(of)?;
            }
            runs_framed(&arrow, &picture).map_err(of)?;
            joined(&picture).map_err(of)?;
            timed(&arrow, &picture, down).map_err(of)?;
            boxes += picture.boxes.len();
        }
    }
    Ok(Some(boxes))
}

/// Nothing opened; everything, and what is then seen, again; every third of those boxes; and with either of these, every run of a
/// handler inside folded, every other one, and the outermost.
fn openings(arrow: &Arrow, source: &str) -> Vec<Opening> {
    let mut all = Opening::default();
    for _ in 0..4 {
        let graph = Graph::opened(arrow, source, &all);
        let more = graph.boxes.into_iter().filter_map(|block| block.opens);
        all.keys.extend(more);
    }
    let some = |rest: usize| {
        let keys = all.keys.iter().enumerate();
        let keys = keys.filter(|(place, _)| place % 3 == rest);
        Opening {
            keys: keys.map(|(_, key)| key.clone()).collect(),
            ..Opening::default()
        }
    };
    let mut openings = vec![Opening::default(), some(0), some(1), all.clone()];
    for opening in [Opening::default(), all.clone()] {
        let graph = Graph::opened(arrow, source, &opening);
        let runs = graph.frames.iter().filter(|frame| frame.is_run);
        let runs: BTreeSet<String> = runs.map(|frame| frame.opens.clone()).collect();
        let bends = graph.boxes.iter().find_map(|block| block.folds.clone());
        let other = runs.iter().step_by(2).cloned().collect();
        for folds in [runs, other, bends.into_iter().collect()] {
            let mut folded = opening.clone();
            folded.keys.extend(folds);
            openings.push(folded);
        }
    }
    openings.dedup();
    openings
}

/// Frames hold the boxes that are made of what was opened, and no others; they hold the frames in them; every box, frame
/// and end of a wire can be told from the others.
fn framed(picture: &Picture) -> Result<(), String> {
    type Frame = (f64, f64, f64, f64);
    let holds = |(x, y, w, h): Frame, (a, b, c, d): Frame| {
        x <= a && y <= b && a + c <= x + w && b + d <= y + h
    };
    let apart = |(x, y, w, h): Frame, (a, b, c, d): Frame| {
        x + w <= a || a + c <= x || y + h <= b || b + d <= y
    };
    let inside = |key: &str, within: &Option<String>| {
        let mut at = within.clone();
        while let Some(own) = at {
            if own == key {
                return true;
            }
            let frame = picture.frames.iter().find(|frame| frame.key == own);
            at = frame.and_then(|frame| frame.within.clone());
        }
        false
    };
    for frame in &picture.frames {
        for shape in &picture.boxes {
            let own = inside(&frame.key, &shape.within);
            if own && !holds(frame.frame, shape.frame) {
                return Err(format!("frame: {} is not in {}", shape.label, frame.label));
            }
            if !own && !apart(frame.frame, shape.frame) {
                return Err(format!("frame: {} is in {}", shape.label, frame.label));
            }
            if own && !apart(frame.header, shape.frame) {
                return Err(format!("header: {} on {}", frame.label, shape.label));
            }
        }
        for other in picture.frames.iter().filter(|other| other.key != frame.key) {
            let own = inside(&frame.key, &other.within);
            let fits = match (own, inside(&other.key, &frame.within)) {
                (true, _) => holds(frame.frame, other.frame),
                (_, true) => true,
                _ => apart(frame.frame, other.frame),
            };
            if !fits {
                return Err(format!("frames: {} and {}", frame.label, other.label));
            }
        }
    }
    let keys = picture.boxes.iter().map(|shape| &shape.key);
    let keys: Vec<&String> = keys
        .chain(picture.frames.iter().map(|frame| &frame.key))
        .collect();
    let distinct: BTreeSet<&String> = keys.iter().copied().collect();
    if distinct.len() != keys.len() {
        return Err(format!("keys: {keys:?}"));
    }
    Ok(())
}

/// Downward, where headers stand in corners, no wire runs through what one says.
fn headed(picture: &Picture) -> Result<(), String> {
    for frame in &picture.frames {
        let (x, y, w, h) = frame.header;
        let w = w.min(21.0 + 7.0 * frame.header_text().chars().count() as f64);
        for wire in &picture.wires {
            for pair in wire.points.windows(2) {
                let ((ax, ay), (bx, by)) = (pair[0], pair[1]);
                let through = ax.min(bx) < x + w
                    && ax.max(bx) > x + 6.0
                    && ay.min(by) < y + h - 4.0
                    && ay.max(by) > y + 4.0;
                if through {
                    return Err(format!("header: a wire through {}", frame.header_text()));
                }
            }
        }
    }
    Ok(())
}

/// The frame of a run that a handler outside handles has the boxes of that run on its side, and no others: those whose first
/// statements are of what is handled there.
fn runs_framed(arrow: &Arrow, picture: &Picture) -> Result<(), String> {
    let opened = |shape: &&Shape| picture.is_opened(shape.within.as_deref());
    let mut runs: BTreeMap<(u32, Pass, u32), (String, BTreeSet<&str>)> = BTreeMap::new();
    for shape in picture.boxes.iter().filter(|shape| !opened(shape)) {
        let node = &arrow.map.statements()[shape.statements[0]].applied;
        let Some(outer) = node.provenance.passage.as_deref() else {
            continue;
        };
        let handled = outer.call.as_ref().and_then(|call| call.passage.as_deref());
        let Some(inner) = handled.filter(|_| shape.folds.is_some()) else {
            continue;
        };
        let key = (outer.run, outer.pass, inner.run);
        let of = || (inner.handler.to_string(), BTreeSet::new());
        runs.entry(key).or_insert_with(of).1.insert(&shape.key);
    }
    let outermost = picture.frames.iter().filter(|frame| frame.within.is_none());
    let outermost = outermost.filter(|frame| frame.is_run);
    let mut frames: Vec<(String, BTreeSet<&str>)> = Vec::new();
    for frame in outermost {
        let (x, y, w, h) = frame.frame;
        let inside = picture.boxes.iter().filter(|shape| {
            let (a, b, c, d) = shape.frame;
            x <= a && y <= b && a + c <= x + w && b + d <= y + h
        });
        let inside = inside.filter(|shape| !opened(shape));
        let keys = inside.map(|shape| shape.key.as_str()).collect();
        frames.push((frame.label.clone(), keys));
    }
    let whole = picture.boxes.iter().filter(|shape| {
        let folded = shape
            .opens
            .as_ref()
            .and_then(|opens| opens.rsplit('/').next());
        folded.is_some_and(|own| own.starts_with('n'))
    });
    let whole: BTreeSet<&str> = whole.map(|shape| shape.key.as_str()).collect();
    // What is folded has no frame, and a clause that is opened is no box.
    runs.retain(|_, (_, keys)| !keys.iter().all(|key| whole.contains(key)));
    frames.retain(|(_, keys)| !keys.is_empty());
    let mut runs: Vec<_> = runs.into_values().collect();
    runs.sort();
    frames.sort();
    if runs != frames {
        return Err(format!("runs: {runs:?}, but framed: {frames:?}"));
    }
    Ok(())
}

/// A wire begins and ends at the edges of its boxes, at copies, or where another wire goes on.
fn joined(picture: &Picture) -> Result<(), String> {
    let near = |a: f64, b: f64| (a - b).abs() < 0.6;
    let on_edge = |number: &usize, (px, py): (f64, f64)| {
        let (x, y, w, h) = picture.boxes[*number].frame;
        let within = (x - 0.6..=x + w + 0.6).contains(&px) && (y - 0.6..=y + h + 0.6).contains(&py);
        within && (near(px, x) || near(px, x + w) || near(py, y) || near(py, y + h))
    };
    let at = |(x, y): (f64, f64), (a, b): (f64, f64)| near(x, a) && near(y, b);
    for (number, wire) in picture.wires.iter().enumerate() {
        let others = || (picture.wires.iter().enumerate()).filter(|(other, _)| *other != number);
        let (first, last) = (wire.points[0], *wire.points.last().unwrap());
        let goes_on = |end: (f64, f64)| {
            picture.dots.iter().any(|dot| at(dot.at, end))
                || others().any(|(_, other)| {
                    at(other.points[0], end) || at(*other.points.last().unwrap(), end)
                })
        };
        // At the ends of the diagram, types stand beside wires.
        let leaves =
            (picture.types.iter()).any(|text| near(text.at.0, last.0) || near(text.at.1, last.1));
        let begins = wire.ends.0.is_none_or(|from| on_edge(&from, first)) || goes_on(first);
        let to = &wire.ends.1;
        let ends = to.is_empty()
            || to.iter().any(|target| on_edge(target, last))
            || goes_on(last)
            || leaves;
        if !begins || !ends {
            let label = |number: &usize| picture.boxes[*number].label.clone();
            return Err(format!(
                "joined: a loose end, from {:?} to {:?}",
                wire.ends.0.as_ref().map(label),
                to.iter().map(label).collect::<Vec<_>>()
            ));
        }
    }
    Ok(())
}

/// What performs operations stands in the order of time along the flow: out one way, back the other way. A clause that
/// performs none has no time of its own.
fn timed(arrow: &Arrow, picture: &Picture, down: bool) -> Result<(), String> {
    let performs = |number: &usize| {
        arrow.map.statements()[*number]
            .applied
            .operation()
            .is_some()
    };
    let along = |shape: &Shape| {
        let (x, y, w, h) = shape.frame;
        if down { y + h / 2.0 } else { x + w / 2.0 }
    };
    let performed = picture.boxes.iter().filter(|shape| {
        !picture.is_opened(shape.within.as_deref())
            && shape.mark.is_some()
            && shape.statements.iter().any(performs)
    });
    // In one line, `f` and `b` go the same way.
    let mut lanes: BTreeMap<(usize, bool), Vec<&Shape>> = BTreeMap::new();
    for shape in performed {
        let run = shape.part.map_or(0, |part| part.run);
        let turned = matches!(shape.mark, Some(Mark::Left | Mark::Up));
        lanes.entry((run, turned)).or_default().push(shape);
    }
    for ((_, turned), mut lane) in lanes {
        lane.sort_by_key(|shape| shape.statements.first());
        let wrong = lane.windows(2).find(|pair| {
            let on = along(pair[1]) - along(pair[0]);
            if turned { on >= 0.0 } else { on <= 0.0 }
        });
        if let Some(pair) = wrong {
            return Err(format!("time: {} before {}", pair[1].label, pair[0].label));
        }
    }
    Ok(())
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

fn main_of(example: &str) -> (Arrow, String) {
    let source = fs::read_to_string(examples().join(format!("{example}.fletch"))).unwrap();
    let program = must_check(&source).program;
    let arrow = Arrow::of(&[], &program.main, &program.ty).unwrap();
    (arrow, source)
}

fn named(names: &[&str]) -> Opening {
    Opening {
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        ..Opening::default()
    }
}

/// Downward, the way out goes down on the left, the way back up on the right, boxes stay upright, and a phone is wide enough.
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
            // Wider along the flow where values enter, and no smaller than its label.
            assert!(b.frame.3 >= a.frame.3.min(30.0), "{}", a.label);
            assert!(b.frame.2 <= a.frame.2, "{}", a.label);
            // Its clause mark points along the flow, beside the label.
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
        // Headers stand in corners, and take no room beside what is in their frames.
        assert!(down.bounds.2 <= 660.0, "{}", down.bounds.2);
        for frame in &down.frames {
            assert_eq!(frame.header.3, 22.0);
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

/// An operation opens on both sides at once, and what it saves keeps its names.
#[test]
fn opening_an_operation_shows_both_of_its_clauses() {
    let (arrow, source) = main_of("mlp");
    let graph = Graph::opened(&arrow, &source, &named(&["FC[ℓ0]"]));
    assert!(graph.unknown.is_empty());
    let picture = Picture::of(&graph, Style::Bent);
    let frames: Vec<String> = picture.frames.iter().map(|f| f.header_text()).collect();
    assert_eq!(frames, ["FC[ℓ0] forward", "FC[ℓ0] backward"]);
    assert_eq!(picture.frames[0].opens, picture.frames[1].opens);
    let inside = |key: &str| -> Vec<&str> {
        let own = |shape: &&Shape| shape.within.as_deref() == Some(key);
        let own = picture.boxes.iter().filter(own);
        own.map(|shape| shape.label.as_str()).collect()
    };
    assert_eq!(inside(&picture.frames[0].key)[0], "Get[ℓ0]");
    assert_eq!(
        inside(&picture.frames[1].key),
        ["w − y ∗ xᵀ", "Put[ℓ0]", "wᵀ ∗ y"]
    );
    let chips: BTreeSet<&str> = picture
        .chips
        .iter()
        .map(|chip| chip.text.as_str())
        .collect();
    assert_eq!(chips, BTreeSet::from(["w", "x", "x_hid", "z_hid"]));
    let saved = picture.wires.iter();
    let saved = saved.filter(|w| w.flow == Flow::Saved && w.name.as_deref() == Some("w"));
    let types: BTreeSet<&str> = saved.map(|wire| wire.ty.as_str()).collect();
    assert_eq!(types, BTreeSet::from(["Real(16)", "Real(8)"]));
    let folded = Picture::of(&Graph::of(&arrow, &source), Style::Bent);
    let first = folded.boxes.iter().find(|shape| shape.label == "FC[ℓ0]");
    assert_eq!(first.unwrap().saves, ["w", "x"]);
}

/// The return clause, a term and all that a handler handles open by name; other names are refused.
#[test]
fn names_open_clauses_terms_and_handlers() {
    let (arrow, source) = main_of("mlp");
    let open = |names: &[&str]| {
        let graph = Graph::opened(&arrow, &source, &named(names));
        let frames: Vec<&str> = graph.frames.iter().map(|f| f.label.as_str()).collect();
        (frames.join(" "), graph.unknown.join(" "))
    };
    let fine = |frames: &str| (frames.to_owned(), String::new());
    assert_eq!(open(&["return"]), fine("return"));
    assert_eq!(open(&["FC[ℓ1]"]), fine("FC[ℓ1] FC[ℓ1]"));
    assert_eq!(open(&["H_MLP"]), fine("FC[ℓ0] FC[ℓ1] return FC[ℓ1] FC[ℓ0]"));
    assert_eq!(
        open(&["FC[ℓ0]", "w − y ∗ xᵀ"]),
        fine("FC[ℓ0] FC[ℓ0] w − y ∗ xᵀ")
    );
    assert_eq!(open(&["FB"]), (String::new(), "FB".to_owned()));
    let graph = Graph::of(&arrow, &source);
    assert_eq!(
        graph.openable,
        ["FC[ℓ0]", "FC", "H_MLP", "FC[ℓ1]", "return"]
    );
}

/// Opening one operation of a chain moves four groups as they are: forward left of it by nothing, forward right of it, backward
/// left of it and backward right of it.
#[test]
fn opening_a_layer_moves_rigid_groups() {
    let source = nested(1, 12);
    let program = must_check(&source).program;
    let arrow = Arrow::of(&[], &program.main, &program.ty).unwrap();
    let folded = Graph::of(&arrow, &source);
    let before = Picture::of(&folded, Style::Bent);
    let mut tried = 0;
    for block in &folded.boxes {
        let (Some(opens), Some(Mark::Right)) = (
            &block.opens,
            before
                .boxes
                .iter()
                .find(|b| b.key == block.key)
                .unwrap()
                .mark,
        ) else {
            continue;
        };
        let opening = Opening {
            keys: [opens.clone()].into(),
            ..Opening::default()
        };
        let after = Picture::of(&Graph::opened(&arrow, &source, &opening), Style::Bent);
        let at = before.boxes.iter().find(|shape| shape.key == block.key);
        let at = at.unwrap().frame;
        let mut moves: BTreeMap<(bool, bool), BTreeSet<String>> = BTreeMap::new();
        for shape in &before.boxes {
            if let Some(now) = after.boxes.iter().find(|now| now.key == shape.key) {
                let (was, now) = (shape.frame, now.frame);
                if was.1 > at.1 && was.1 < at.1 + 60.0 && shape.mark.is_none() && was.0 > at.0 {
                    continue; // The return clause stands between the lanes.
                }
                let group = (was.0 > at.0, was.1 > at.1);
                let by = format!("{:.3} {:.3}", now.0 - was.0, now.1 - was.1);
                moves.entry(group).or_default().insert(by);
            }
        }
        let unmoved = moves.get(&(false, false));
        assert!(moves.values().all(|by| by.len() == 1), "{opens}: {moves:?}");
        assert!(unmoved.is_none_or(|by| by.iter().all(|by| by.starts_with("0.000 "))));
        tried += 1;
    }
    assert_eq!(tried, 12);
}

/// What an inner handler made of the network stands in a quiet frame on either side of the outer one, and frames nest.
#[test]
fn runs_of_inner_handlers_are_framed_and_folded() {
    let drawn = |source: &str, opening: &Opening, style| {
        let program = must_check(source).program;
        let arrow = Arrow::of(&[], &program.main, &program.ty).unwrap();
        Picture::of(&Graph::opened(&arrow, source, opening), style)
    };
    let frames = |picture: &Picture| -> Vec<String> {
        let frames = picture.frames.iter();
        frames
            .map(|frame| {
                format!(
                    "{}{}",
                    frame.header_text(),
                    ["", "!"][usize::from(frame.within.is_some())]
                )
            })
            .collect()
    };
    let autoencoder = fs::read_to_string(examples().join("autoencoder.fletch")).unwrap();
    for style in STYLES {
        let picture = drawn(&autoencoder, &Opening::default(), style);
        let both: BTreeSet<String> = frames(&picture).into_iter().collect();
        assert_eq!(
            both,
            BTreeSet::from(["H_AE backward", "H_AE forward"].map(str::to_owned))
        );
        assert!(picture.frames.iter().all(|frame| frame.is_run));
        let three = drawn(&nested(3, 1), &Opening::default(), style);
        let (forward, backward) = ("H forward", "H backward");
        let inner = |side: &str| {
            frames(&three)
                .iter()
                .filter(|text| **text == format!("{side}!"))
                .count()
        };
        let outer = |side: &str| frames(&three).iter().filter(|text| *text == side).count();
        assert_eq!((outer(forward), outer(backward)), (1, 1));
        // Both sides of what the innermost made, on both sides of the outermost.
        assert_eq!(inner(forward) + inner(backward), 4);
        // Folded by its handler, a run is one box on either side.
        let folded = Opening {
            folded: vec!["H_AE".to_owned()],
            ..Opening::default()
        };
        let picture = drawn(&autoencoder, &folded, style);
        assert_eq!(frames(&picture), Vec::<String>::new());
        let labels: Vec<&str> = picture
            .boxes
            .iter()
            .map(|shape| shape.label.as_str())
            .collect();
        assert_eq!(
            labels
                .iter()
                .filter(|label| **label == "rev handle … with H_AE")
                .count(),
            2
        );
        let whole = picture
            .boxes
            .iter()
            .filter(|shape| shape.label.starts_with("rev"));
        let opens: BTreeSet<&Option<String>> = whole.map(|shape| &shape.opens).collect();
        assert_eq!(opens.len(), 1, "both sides open together");
        // By its key, as in the page, the same.
        let key = opens.first().unwrap().as_ref().unwrap().clone();
        let keyed = Opening {
            keys: [key].into(),
            ..Opening::default()
        };
        assert_eq!(drawn(&autoencoder, &keyed, style), picture);
    }
    // The outermost has no frame; folded, it is a box with what is before it and after it.
    let folded = Opening {
        folded: vec!["H_MLP".to_owned()],
        ..Opening::default()
    };
    let picture = drawn(&autoencoder, &folded, Style::Bent);
    let labels: Vec<&str> = picture
        .boxes
        .iter()
        .map(|shape| shape.label.as_str())
        .collect();
    assert_eq!(
        labels,
        ["[0.8, 0.2, −0.5, −0.9]", "rev handle … with H_MLP"]
    );
}

#[test]
fn diagrams_of_nested_handlers_keep_the_rules() {
    for source in [nested(2, 3), nested(3, 1), nested(3, 2), descent(3)] {
        let boxes = drawn(&must_check(&source).program, &source).unwrap();
        assert!(boxes.unwrap() > 100);
    }
}

/// The pictures that `docs/diagrams.md` shows, by their places in `docs/diagrams`.
fn shown() -> BTreeSet<String> {
    let page = fs::read_to_string(examples().join("../docs/diagrams.md")).unwrap();
    let pictures = page.split("\"diagrams/").skip(1);
    let pictures = pictures.map(|rest| rest.split('"').next().unwrap().to_owned());
    pictures.collect()
}

/// What a picture is drawn from, by its name: an example; its network, a clause of its first operation or all of it; folded or
/// opened; bent or not. `deep_autoencoder-network-opened-unbent`
fn drawing_of(stem: &str) -> Picture {
    let (example, words) = stem.split_once('-').unwrap();
    let words: Vec<&str> = words.split('-').collect();
    let known = "network return forward backward opened bent unbent";
    assert!(
        words
            .iter()
            .all(|word| known.split(' ').any(|known| known == *word)),
        "{stem}"
    );
    let has = |word: &str| words.contains(&word);
    let source = fs::read_to_string(examples().join(format!("{example}.fletch"))).unwrap();
    let checked = report::check(&source);
    let found = if has("network") {
        network(&checked, &source, "main")
    } else if has("return") {
        clause(&checked, &source, "main", "return")
    } else if has("forward") {
        clause(&checked, &source, "main", "FC[ℓ0] forward")
    } else if has("backward") {
        clause(&checked, &source, "main", "FC[ℓ0] backward")
    } else {
        denotation(&checked, &source, "main")
    };
    let Ok(denotation) = found else {
        panic!("{stem}")
    };
    let style = if has("unbent") {
        Style::Unbent
    } else {
        Style::Bent
    };
    let mut opening = Opening::default();
    if has("opened") {
        let graph = Graph::of(&denotation.arrow, &source);
        let operations = graph.boxes.into_iter().filter(|block| block.mark.is_some());
        opening.keys = operations.filter_map(|block| block.opens).collect();
    }
    let drawing = Drawing {
        style,
        opening,
        down: false,
    };
    opened(&denotation, &source, &drawing).unwrap()
}

/// The pictures of `docs/diagrams.md`: each is what the command line draws of an example. `FLETCH_DRAW=1` draws them anew.
#[test]
fn the_pictures_of_the_documents_are_up_to_date() {
    let docs = examples().join("../docs/diagrams");
    let mut pictures = 0;
    for name in shown().iter().filter(|name| !name.starts_with("paper/")) {
        let svg = drawing_of(name.strip_suffix(".svg").unwrap()).svg();
        let file = docs.join(name);
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
    assert!(pictures >= 20, "{pictures}");
}

/// Each figure of the paper stands in `docs/diagrams.md` under its label, beside what Fletch draws in both styles, and no picture
/// lies unused.
#[test]
fn the_figures_of_the_paper_stand_beside_what_is_drawn() {
    let docs = examples().join("../docs");
    let svgs = |folder: &str| -> BTreeSet<String> {
        let files = fs::read_dir(docs.join("diagrams").join(folder)).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let names = names.filter(|name| name.ends_with(".svg"));
        names.map(|name| format!("{folder}{name}")).collect()
    };
    let drawn: BTreeSet<String> = svgs("").union(&svgs("paper/")).cloned().collect();
    assert_eq!(shown(), drawn);
    let page = fs::read_to_string(docs.join("diagrams.md")).unwrap();
    // The paper's figures by their labels, each with what is drawn of it, alike in both styles or not.
    let figures = [
        ("ex:mlp-denotation", "mlp-network", &["mlp-network"][..]),
        (
            "ex:mlp-denotation",
            "mlp-handled",
            &["mlp-bent", "mlp-unbent"],
        ),
        ("ex:mlp-denotation", "mlp-return", &["mlp-return"]),
        ("ex:mlp-denotation", "mlp-forward", &["mlp-forward"]),
        ("ex:mlp-denotation", "mlp-backward", &["mlp-backward"]),
        ("ex:resnet-denotation", "resnet", &["resnet-network"]),
        (
            "ex:autoencoder-denotation",
            "autoencoder",
            &[
                "autoencoder-network-opened",
                "autoencoder-network-opened-unbent",
            ],
        ),
        (
            "ex:autoencoder-denotation",
            "deep_autoencoder",
            &[
                "deep_autoencoder-network-opened",
                "deep_autoencoder-network-opened-unbent",
            ],
        ),
        (
            "ex:U-net-denotation",
            "unet",
            &["unet_training-network-bent", "unet_training-network-unbent"],
        ),
    ];
    let named = |text: &str, picture: &str| text.contains(&format!("\"diagrams/{picture}.svg\""));
    for (label, figure, pictures) in figures {
        let (_, section) = page.split_once(&format!("(Example `{label}`)\n")).unwrap();
        let section = section.split("\n## ").next().unwrap();
        let mut tables = section.split("<table>").skip(1);
        let table = tables.find(|table| named(table, &format!("paper/{figure}")));
        let table = table.unwrap_or_else(|| panic!("{figure} is not in {label}"));
        let table = table.split("</table>").next().unwrap();
        for picture in pictures {
            assert!(named(table, picture), "{picture} is not beside {figure}");
            // Two that are alike are one.
            let other = format!("{}-unbent", picture.trim_end_matches("-bent"));
            let alike = pictures.len() > 1 || drawing_of(picture) == drawing_of(&other);
            assert!(alike, "{figure}: {picture} is not all");
        }
    }
    assert_eq!(page.matches("(Example `").count(), 4);
    assert_eq!(svgs("paper/").len(), figures.len());
}

/// The points where wires of different values meet without a copy.
fn crossings(picture: &Picture) -> Vec<(usize, usize)> {
    let pieces: Vec<_> = (picture.wires.iter())
        .flat_map(|wire| {
            let ends = wire.points.windows(2);
            ends.map(|ends| (wire.wire, ends[0], ends[1]))
        })
        .collect();
    let inside = |at: f64, a: f64, b: f64| at > a.min(b) + 0.6 && at < a.max(b) - 0.6;
    let mut found = Vec::new();
    for (wire, a, b) in pieces.iter().filter(|(_, a, b)| a.1 == b.1) {
        for (other, c, d) in pieces.iter().filter(|(_, c, d)| c.0 == d.0) {
            if wire != other && inside(c.0, a.0, b.0) && inside(a.1, c.1, d.1) {
                found.push((*wire, *other));
            }
        }
    }
    found
}

#[test]
fn the_diagrams_of_the_paper_have_straight_spines_and_no_crossing() {
    for name in [
        "mlp",
        "resnet",
        "autoencoder",
        "deep_autoencoder",
        "unet_training",
    ] {
        let (arrow, source) = main_of(name);
        let graph = Graph::of(&arrow, &source);
        assert_eq!(crossings(&Picture::of(&graph, Style::Unbent)), [], "{name}");
        let picture = Picture::of(&graph, Style::Bent);
        assert_eq!(crossings(&picture), [], "{name}");
        for mark in [Mark::Right, Mark::Left] {
            let lane = picture
                .boxes
                .iter()
                .filter(|shape| shape.mark == Some(mark));
            let levels: BTreeSet<i64> = lane
                .map(|shape| (10.0 * (shape.frame.1 + shape.frame.3 / 2.0)) as i64)
                .collect();
            assert_eq!(levels.len(), 1, "{name}: operations {mark:?} on one line");
        }
    }
}

/// In one line, what a return clause hands back as it is goes on along the line, and what is saved runs below it, as in the paper.
#[test]
fn unbent_the_spine_goes_on_through_the_turn_and_what_is_saved_runs_below() {
    let source = fs::read_to_string(examples().join("deep_autoencoder.fletch")).unwrap();
    let checked = report::check(&source);
    let Ok(network) = network(&checked, &source, "main") else {
        panic!("no network")
    };
    for names in [&[][..], &["EnDe"]] {
        let graph = Graph::opened(&network.arrow, &source, &named(names));
        let picture = Picture::of(&graph, Style::Unbent);
        let levels = picture.boxes.iter();
        let levels: BTreeSet<i64> = levels.map(|shape| shape.frame.1 as i64).collect();
        assert_eq!((picture.boxes.len(), levels.len()), (4, 1));
        assert!(picture.wires.iter().all(|wire| wire.flow != Flow::Saved));
    }
    let (arrow, source) = main_of("mlp");
    let picture = Picture::of(&Graph::of(&arrow, &source), Style::Unbent);
    let (_, y, _, h) = picture.boxes[0].frame;
    let saved = picture.wires.iter();
    let saved: Vec<_> = saved.filter(|wire| wire.flow == Flow::Saved).collect();
    assert_eq!(saved.len(), 5);
    for wire in saved {
        assert!(wire.points.iter().all(|at| at.1 >= y + h / 2.0), "{wire:?}");
    }
}

/// A clause of which nothing is left on the way out stands at the place of its unit on the way back, bent and not; what comes
/// before a constant that nothing is computed from stays in one line.
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
        let arrow = Arrow::of(&[], &program.main, &program.ty).unwrap();
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
