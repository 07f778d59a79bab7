//! Diagrams with loops: the body of a feedback is drawn once, in a frame, however many moments it has.

use super::STYLES;
use super::rules::{clear, joined};
use fletch_arrows::{Arrow, wires};
use fletch_diagrams::{Border, Flow, Graph, Kind, Once, Opening, Picture, Shape, Style};
use fletch_smooth::Partiality;
use fletch_tests::must_check;
use fletch_tests::time::DESCENT;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn arrow(source: &str) -> Arrow {
    let program = must_check(source).program;
    Arrow::of(&[], &program.main, &program.ty).unwrap()
}

/// Returns a recurrent network with this number of moments, under gradient descent.
fn recurrent(moments: usize) -> String {
    format!(
        "dim time = {moments}
loc w ∷ (3, 3) = glorot(seed: 1)
command R(h : Real(3), xs : Real(time × 3)) : Real(3) × Real(time × 3) =
  feedback[time](h, xs)⟨h, x⟩.
    let w ⇐ Get[w]() in let h' ⇐ ⌊tanh(w ∗ h + x)⌋ in ⌊⟨h', sin(h')⟩⌋
handler H : Real(3) × Real(time × 3) {{
  x ↦ ⌊⟨zero[3], x.2⟩⌋
  Get[ℓ] ( _    ↦ let w ⇐ Get[ℓ]() in ⌊⟨w, ()⟩⌋
         | g, _ ↦ let w ⇐ Get[ℓ]() in let _ ⇐ Put[ℓ](w − g) in ⌊()⌋ )
}}
main = let z ⇐ ⌊zero[time * 3]⌋ in rev handle([1, 2, 3], z)⟨h, xs⟩. R(h, xs) with H
"
    )
}

/// Programs with loops in loops, in handlers, around handlers and in clauses, and with bodies that compute nothing.
const HOSTILE: [&str; 8] = [
    "main = rev handle([1, 2, 3])⟨s⟩. (feedback[5](s, ())⟨s, _⟩. let w ⇐ Get[w]() in
       feedback[4](s + w, ())⟨s, _⟩. let v ⇐ Get[w]() in ⌊sin(s + v)⌋) with H([0, 0, 0])",
    "main = feedback[5]([1, 2, 3], ())⟨s, _⟩.
       rev handle(s)⟨s⟩. (let w ⇐ Get[w]() in ⌊sin(s + w)⌋) with H([0, 0, 0])",
    "main = rev handle([1, 2, 3])⟨s⟩. (feedback[5](s, ())⟨s, _⟩.
       rev handle(s)⟨s⟩. (let w ⇐ Get[w]() in ⌊sin(s + w)⌋) with H([0, 0, 0])) with H([1, 1, 1])",
    "main = rev handle([1, 2, 3])⟨s⟩. (rev handle(s)⟨s⟩. (feedback[5](s, ())⟨s, _⟩.
       let w ⇐ Get[w]() in ⌊sin(s + w)⌋) with H([0, 0, 0])) with H([1, 1, 1])",
    "op F : Real(3) ▷ Real(3)
handler G : Real(3) {
  x ↦ ⌊x⌋
  F ( x ↦ let y ⇐ (feedback[5](x, ())⟨s, _⟩. ⌊sin(s)⌋) in ⌊⟨y, x⟩⌋
    | c, x ↦ feedback[7](c, ())⟨s, _⟩. ⌊cos(s)⌋ )
}
main = rev handle([1, 2, 3])⟨s⟩. (let y ⇐ F(s) in feedback[3](y, ())⟨s, _⟩. F(s)) with G",
    "main = feedback[4]([1, 2], [[1, 2], [3, 4], [5, 6], [7, 8]])⟨s, x⟩. ⌊⟨x, s⟩⌋",
    "main = feedback[4](⟨[1, 2], [3, 4]⟩, ())⟨s, _⟩. ⌊⟨s.2, s.1⟩⌋",
    "main = rev handle([1, 2, 3])⟨s⟩. (let ⟨t, ys⟩ ⇐ (feedback[4](s, ())⟨s, _⟩. ⌊⟨sin(s), s⟩⌋) in
       feedback[4](t, ys)⟨s, y⟩. ⌊s + y⌋) with H([0, 0, 0])",
];

fn programs() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let golden = ["elman", "gru", "linear"];
    let golden = golden.map(|name| root.join(format!("golden/feedback_{name}.fletch")));
    let examples = ["elman", "linear_system"];
    let examples = examples.map(|name| root.join(format!("../examples/{name}.fletch")));
    let read = |path: &Path| {
        (
            path.display().to_string(),
            fs::read_to_string(path).unwrap(),
        )
    };
    let files = golden.iter().chain(&examples).map(|path| read(path));
    let hostile = HOSTILE.iter().enumerate();
    let hostile = hostile.map(|(number, text)| (format!("{number}"), format!("{DESCENT}{text}\n")));
    files.chain(hostile).collect()
}

/// Returns three ways to draw an arrow: nothing opened, every box opened, and all loops folded.
fn openings(arrow: &Arrow, source: &str) -> Vec<Opening> {
    let closed = Graph::of(arrow, source);
    let keys = closed.boxes.iter().filter_map(|block| block.opens.clone());
    let opened = Opening {
        keys: keys.collect(),
        ..Opening::default()
    };
    let folded = Opening {
        folded: vec!["feedback".to_owned()],
        ..Opening::default()
    };
    vec![Opening::default(), opened, folded]
}

#[test]
fn diagrams_with_loops_keep_the_rules() {
    for (name, source) in programs() {
        let arrow = arrow(&source);
        for opening in openings(&arrow, &source) {
            let once = opening.statements(&arrow);
            for (style, down) in STYLES.map(|style| [(style, false), (style, true)]).concat() {
                for rows in [1, 2, 3] {
                    let mut graph = Graph::opened(&arrow, &source, &opening);
                    (graph.rows, graph.down) = (rows, down);
                    let picture = Picture::of(&graph, style);
                    let rules = clear(&picture).and_then(|()| joined(&picture));
                    let of = format!("{name}, {style:?}, down: {down}, {rows} rows, {opening:?}");
                    rules.unwrap_or_else(|error| panic!("{error} ({of})"));
                    assert!(graph.not_foldable.is_empty(), "{of}");
                    let mut met = BTreeSet::new();
                    let all = picture.boxes.iter().flat_map(|shape| &shape.steps);
                    for number in all {
                        assert!(met.insert(*number), "{number} stands in two boxes ({of})");
                    }
                    for step in &once.steps {
                        let number = step.number;
                        let gives = step.results.clone().any(|wire| once.size(wire) > 0);
                        assert!(!gives || met.contains(&number), "{number} is lost ({of})");
                    }
                }
            }
        }
    }
}

#[test]
fn a_diagram_does_not_depend_on_the_number_of_moments() {
    let of = |moments: usize, style: Style| {
        let source = recurrent(moments);
        let graph = Graph::of(&arrow(&source), &source);
        let picture = Picture::of(&graph, style);
        let letters = |text: String| text.replace(|letter: char| letter.is_ascii_digit(), "");
        let frame = |shape: &Shape| (shape.key.clone(), shape.label.clone(), shape.frame);
        let boxes: Vec<_> = picture.boxes.iter().map(frame).collect();
        (
            boxes,
            letters(picture.svg()),
            letters(picture.tikz(str::to_owned)),
        )
    };
    for style in STYLES {
        let (boxes, svg, tikz) = of(8, style);
        let (others, other_svg, other_tikz) = of(1000, style);
        assert_eq!(boxes, others);
        assert_eq!(svg, other_svg);
        assert_eq!(tikz, other_tikz);
    }
}

#[test]
fn a_loop_is_one_frame_across_both_lanes_and_a_sequence_is_thick_outside_of_it() {
    let source = recurrent(8);
    let graph = Graph::of(&arrow(&source), &source);
    let picture = Picture::of(&graph, Style::Bent);
    let [frame] = &picture.frames[..] else {
        panic!("{} frames", picture.frames.len())
    };
    assert!(frame.is_loop && frame.header_text() == "feedback × 8");
    let (left, top, width, height) = frame.frame;
    let is_in = |(x, y): (f64, f64)| {
        (left..=left + width).contains(&x) && (top..=top + height).contains(&y)
    };
    for wire in picture.wires.iter().filter(|wire| wire.thick) {
        let inside = wire.points.iter().all(|point| is_in(*point));
        assert_eq!(inside, wire.flow == Flow::Saved, "{}", wire.ty);
        assert!(
            wire.ty == "Real(24)" || wire.flow == Flow::Saved,
            "{}",
            wire.ty
        );
    }
    let delays = picture
        .boxes
        .iter()
        .filter(|shape| shape.kind == Kind::Delay);
    let tips = delays.map(|shape| {
        let [base, _, tip] = shape.triangle().unwrap();
        tip.0 > base.0
    });
    assert_eq!(tips.collect::<Vec<bool>>(), [true, false]);
    // Saved values of a moment go across the lanes. Each lane has its loop above or below the frame.
    assert!(
        picture
            .wires
            .iter()
            .any(|wire| wire.thick && wire.flow == Flow::Saved)
    );
    let around = |wire: &&fletch_diagrams::Path| {
        let mut points = wire.points.iter();
        points.any(|(x, y)| (left..left + width).contains(x) && (*y < top || *y > top + height))
    };
    let flows = picture
        .wires
        .iter()
        .filter(|wire| !wire.thick)
        .filter(around);
    let flows: BTreeSet<&str> = flows.map(|wire| wire.flow.name()).collect();
    assert_eq!(flows, BTreeSet::from(["forward", "backward"]));
}

#[test]
fn the_frame_of_a_loop_folds_on_both_sides_at_once() {
    let source = recurrent(8);
    let arrow = arrow(&source);
    let open = Graph::of(&arrow, &source);
    let keys = open.frames.iter().map(|frame| frame.opens.clone());
    let keys: BTreeSet<String> = keys.collect();
    assert_eq!(keys.len(), 1);
    let opening = Opening {
        keys,
        ..Opening::default()
    };
    let graph = Graph::opened(&arrow, &source, &opening);
    assert!(graph.frames.is_empty());
    let folded = graph
        .boxes
        .iter()
        .filter(|block| block.label == "feedback × 8");
    let folded: Vec<_> = folded.map(|block| block.opens.clone()).collect();
    assert_eq!(folded, vec![opening.keys.first().cloned(); 2]);
}

/// Checks that the numbers of wires and steps do not depend on what is folded.
#[test]
fn a_number_is_the_same_where_a_loop_is_folded() {
    for (name, source) in programs() {
        let arrow = arrow(&source);
        let [open, folded] = [false, true].map(|fold| Once::of(&arrow, &|_| fold));
        assert_eq!(
            (open.count(), open.numbers()),
            (folded.count(), folded.numbers()),
            "{name}"
        );
        for wire in 0..folded.count() {
            let place = folded.place(wire);
            assert!(
                place.is_none() || place == open.place(wire),
                "{name}: {wire}"
            );
        }
        for step in folded.steps.iter().filter(|step| step.around.is_none()) {
            let same = open.step_of(step.number);
            let same = same.map_or_else(
                || open.loops.iter().any(|round| round.number == step.number),
                |same| same.statement == step.statement,
            );
            assert!(same, "{name}: {}", step.number);
        }
    }
}

/// Checks that at moment t a wire of a loop carries row t of the sequence that it is an entry of, or contributes to.
#[test]
fn a_wire_has_at_each_moment_a_row_of_its_sequence() {
    let mut rows = 0;
    for (name, source) in programs() {
        let arrow = arrow(&source);
        let once = Once::of(&arrow, &|_| false);
        let heap = must_check(&source).program.initial;
        let moments = once
            .loops
            .iter()
            .map(|round| round.count)
            .max()
            .unwrap_or(0);
        for t in 0..moments {
            let (traced, stopped) =
                wires(&arrow, &[], &mut heap.clone(), Partiality::Paper, &|_| t);
            assert!(stopped.is_none(), "{name}: {stopped:?}");
            for wire in 0..once.count() {
                let (Some(Border::Result(own)), Some(place)) =
                    (once.border(wire), once.place(wire))
                else {
                    continue;
                };
                let (inner, count) = (once.inside(wire).unwrap(), once.loops[own].count);
                if t >= count || place.around.is_some() || once.size(wire) == once.size(inner) {
                    continue;
                }
                let (all, own) = (once.value(wire, &traced), once.value(inner, &traced));
                let k = once.size(inner);
                let row = &all.unwrap().data()[t * k..(t + 1) * k];
                assert_eq!(row, own.unwrap().data(), "{name}: {wire} at {t}");
                rows += 1;
            }
        }
    }
    assert!(rows > 0);
}
