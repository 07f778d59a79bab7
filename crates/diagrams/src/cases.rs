//! Test helpers for diagrams, with text on both sides: a program or a sketch as input, boxes and wires as output.
#![allow(clippy::unwrap_used)] // A failed test is a panic.

use crate::display::{Picture, Shape};
use crate::graph::{Block, End, Graph, Kind, Net, Opening, Part, Run};
use crate::lane::{Element, Lane, LaneNet, Placed, Plan, Port};
use fletch_arrows::{Arrow, Pass};
use fletch_elaborate::elaborate;
use fletch_syntax::parse;

/// Declarations of the test programs: an operation with a weight; a handler H that learns the weight; T, which has a target in addition;
/// and N, which performs the operation again.
const DECLARED: &str = "loc w ∷ (2) = [1, 2]
op F : Real(2) ▷ Real(2)
handler H : Real(2) {
  x ↦ ⌊x⌋
  F ( x ↦ let a ⇐ Get[w]() in ⌊⟨a + x, ⟨a, x⟩⟩⌋
    | y, ⟨a, x⟩ ↦ let _ ⇐ Put[w](a − y) in ⌊y + x⌋ )
}
handler T(t : Real(2)) : Real(2) extends H { x ↦ ⌊x − t⌋ }
handler N : Real(2) {
  x ↦ ⌊x⌋
  F ( x ↦ let y ⇐ F(x) in ⌊⟨y, ()⟩⌋ | y, _ ↦ ⌊y⌋ )
}
main = ";

/// Arrow of a command such as `⌊sin([1, 2])⌋`, and the source that it is in.
pub(crate) fn arrow(main: &str) -> (Arrow, String) {
    let source = format!("{DECLARED}{main}\n");
    let (tree, diagnostics) = parse(&source, fletch_smooth::symbols());
    let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    assert!(error.is_none(), "{error:?} in\n{source}");
    let elaboration = elaborate(&tree, &source);
    let found = elaboration.main.ok_or(elaboration.findings).unwrap();
    let arrow = Arrow::of(&[], &found.program.main, &found.program.ty).unwrap();
    (arrow, source)
}

/// Graph of a command.
pub(crate) fn graph(main: &str) -> Graph {
    opened(main, &Opening::default())
}

/// Graph of a command, with this opening.
pub(crate) fn opened(main: &str, opening: &Opening) -> Graph {
    let (arrow, source) = arrow(main);
    Graph::opened(&arrow, &source, opening)
}

/// Opening that opens the boxes `names`, and folds the runs `folded`.
pub(crate) fn opening(names: &[&str], folded: &[&str]) -> Opening {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Opening {
        names: owned(names),
        folded: owned(folded),
        ..Opening::default()
    }
}

/// Graph of boxes such as `a F› r⤺ F‹` and wires such as `in0 → a; a → F› out0`. Boxes of the forward pass `›` and of the backward pass `‹`
/// are the clauses of one run, with a unit for each name; `⤺` is its return clause. `+` is a sum, and `∇` a delay.
pub(crate) fn sketch(boxes: &str, wires: &str) -> Graph {
    let mut graph = Graph::default();
    let names: Vec<&str> = boxes.split_whitespace().collect();
    let mut units: Vec<&str> = Vec::new();
    let mut run = Run {
        handler: "H".to_owned(),
        ..Run::default()
    };
    for (number, name) in names.iter().enumerate() {
        let label = name.trim_end_matches(['›', '‹', '⤺']);
        let pass = match name.chars().last() {
            Some('›') => Some(Pass::Forward),
            Some('‹') => Some(Pass::Backward),
            Some('⤺') => Some(Pass::Return),
            _ => None,
        };
        let handled = pass.filter(|pass| *pass != Pass::Return);
        let unit = handled.map(|_| {
            let known = units.iter().position(|unit| *unit == label);
            known.unwrap_or_else(|| {
                units.push(label);
                run.units.push([Vec::new(), Vec::new()]);
                units.len() - 1
            })
        });
        if pass == Some(Pass::Return) {
            run.turn = Some(number);
        }
        let side = usize::from(pass == Some(Pass::Backward));
        let own = unit.and_then(|unit| run.units.get_mut(unit)?.get_mut(side));
        own.into_iter().for_each(|own| own.push(number));
        let kind = match label {
            "+" => Kind::Sum,
            _ if label.starts_with('∇') => Kind::Delay,
            _ if handled.is_some() => Kind::Operation,
            _ => Kind::Pure,
        };
        graph.boxes.push(Block {
            label: label.to_owned(),
            brief: label.to_owned(),
            kind,
            derivative: false,
            mark: handled.filter(|_| kind == Kind::Operation),
            part: pass.map(|pass| Part {
                run: 0,
                pass,
                unit: unit.unwrap_or(usize::MAX),
            }),
            statements: Vec::new(),
            place: (0, 0),
            key: (*name).to_owned(),
            opens: None,
            folds: None,
            frame: None,
            rank: number,
        });
    }
    // The return clause comes after all units.
    for block in &mut graph.boxes {
        if let Some(part) = block.part.as_mut() {
            part.unit = part.unit.min(units.len());
        }
    }
    graph.runs.extend((!run.units.is_empty()).then_some(run));
    let end = |name: &str| {
        let number = |prefix: &str| name.strip_prefix(prefix)?.parse().ok();
        match (number("in"), number("out")) {
            (Some(k), _) => End::Input(k),
            (_, Some(k)) => End::Output(k),
            _ => End::Box(names.iter().position(|own| *own == name).unwrap()),
        }
    };
    for (number, wire) in wires.split(';').enumerate() {
        let (from, to) = wire.split_once('→').unwrap();
        let net = Net {
            wire: number,
            size: 2,
            name: None,
            from: end(from.trim()),
            to: to.split_whitespace().map(end).collect(),
            count: 1,
            feeds: Vec::new(),
            depth: 0,
            levels: Vec::new(),
        };
        for end in [net.from].iter().chain(&net.to) {
            let (all, k) = match end {
                End::Input(k) => (&mut graph.inputs, *k),
                End::Output(k) => (&mut graph.outputs, *k),
                End::Box(_) => continue,
            };
            all.resize(all.len().max(k + 1), "Real(2)".to_owned());
        }
        graph.nets.push(net);
    }
    graph
}

/// Lane of boxes that are 20 long and wide, each a unit of its own, with these frames around some of them, and wires such as
/// `s0 → 0; 0 → 1 2; 2 → e0`. `s0` is a start of the lane, `e0` an end, `↓` a saved copy; `|2` enters box 2 by a long side.
pub(crate) fn lane(count: usize, frames: &[(usize, &[usize])], wires: &str) -> Lane {
    let elements = (0..count).map(|number| Element {
        width: 20.0,
        half: 10.0,
        unit: number,
        rank: number,
        frames: (frames.iter().filter(|(of, _)| *of == number))
            .flat_map(|(_, frames)| frames.iter().copied())
            .collect(),
    });
    let port = |name: &str| match name.split_at_checked(1) {
        Some(("s", k)) => Port::Start(k.parse().unwrap()),
        Some(("e", k)) => Port::End(k.parse().unwrap()),
        _ => Port::Element(name.parse().unwrap()),
    };
    let mut plan = Plan {
        elements: elements.collect(),
        between: 26.0,
        header: 10.0,
        ..Plan::default()
    };
    for wire in wires.split(';') {
        let (from, to) = wire.split_once('→').unwrap();
        let mut net = LaneNet {
            from: port(from.trim()),
            to: Vec::new(),
            saved: 0,
            aside: Vec::new(),
            feeds: Vec::new(),
        };
        for name in to.split_whitespace() {
            if name == "↓" {
                net.saved += 1;
                continue;
            }
            let end = port(name.trim_start_matches('|'));
            net.aside.extend(name.starts_with('|').then_some(end));
            net.to.push(end);
        }
        for end in [net.from].iter().chain(&net.to) {
            match end {
                Port::Start(k) => plan.starts = plan.starts.max(k + 1),
                Port::End(k) => plan.ends = plan.ends.max(k + 1),
                Port::Element(_) => {}
            }
        }
        plan.nets.push(net);
    }
    Lane::new(plan)
}

/// A lane whose boxes begin at 0, 100, 200 and so on.
pub(crate) fn placed(lane: &Lane) -> Placed {
    let end = lane.units().len() as f64 * 100.0;
    lane.place(|unit| 100.0 * unit as f64, -50.0, end)
}

/// Half of an operation, after its label.
fn half(pass: Option<Pass>) -> &'static str {
    match pass {
        Some(Pass::Forward) => "›",
        Some(Pass::Backward) => "‹",
        Some(Pass::Return) | None => "",
    }
}

fn label(graph: &Graph, end: End) -> String {
    match end {
        End::Input(k) => format!("in{k}"),
        End::Output(k) => format!("out{k}"),
        End::Box(index) => {
            let block = graph.boxes.get(index).unwrap();
            format!("{}{}", block.label, half(block.mark))
        }
    }
}

/// Boxes of a graph; a box in a frame follows the label of its frame: `F›: a + x`.
pub(crate) fn boxes(graph: &Graph) -> Vec<String> {
    let text = |(number, block): (usize, &Block)| {
        let mut text = label(graph, End::Box(number));
        let mut frame = block.frame.and_then(|frame| graph.frames.get(frame));
        while let Some(own) = frame {
            text = format!("{}{}: {text}", own.label, half(own.half));
            frame = own.parent.and_then(|parent| graph.frames.get(parent));
        }
        text
    };
    graph.boxes.iter().enumerate().map(text).collect()
}

/// Wires of a graph, each with its type and its name: `Real(2) x: F› → F‹`.
pub(crate) fn wires(graph: &Graph) -> Vec<String> {
    let text = |net: &Net| {
        let to: Vec<String> = net.to.iter().map(|end| label(graph, *end)).collect();
        let name = net
            .name
            .as_ref()
            .map_or(String::new(), |name| format!(" {name}"));
        let fed = net.feeds.iter().map(|fed| label(graph, End::Box(*fed)));
        let fed: String = fed.map(|fed| format!(" ↺ {fed}")).collect();
        let count = if net.count > 1 {
            format!("{} × ", net.count)
        } else {
            String::new()
        };
        format!(
            "{count}Real({}){name}: {} → {}{fed}",
            net.size,
            label(graph, net.from),
            to.join(", ")
        )
    };
    graph.nets.iter().map(text).collect()
}

fn shown(shape: &Shape) -> String {
    let half = match shape.mark.filter(|_| shape.kind == Kind::Operation) {
        Some(mark) if mark.is_back() => "‹",
        Some(_) => "›",
        None => "",
    };
    format!("{}{half}", shape.label)
}

/// Boxes of a picture, each `label @ column,row`: the ranks of its centre among all centres, from the left and from the top.
pub(crate) fn places(picture: &Picture) -> Vec<String> {
    let centres = picture.boxes.iter().map(|shape| {
        let (x, y, w, h) = shape.frame;
        ((2.0 * x + w).round(), (2.0 * y + h).round())
    });
    let centres: Vec<(f64, f64)> = centres.collect();
    let rank = |all: Vec<f64>, own: f64| {
        let mut less: Vec<f64> = all.into_iter().filter(|other| *other < own).collect();
        less.sort_by(f64::total_cmp);
        less.dedup();
        less.len()
    };
    let shapes = picture.boxes.iter().zip(&centres);
    let text = shapes.map(|(shape, (x, y))| {
        let column = rank(centres.iter().map(|(x, _)| *x).collect(), *x);
        let row = rank(centres.iter().map(|(_, y)| *y).collect(), *y);
        format!("{} @ {column},{row}", shown(shape))
    });
    text.collect()
}

/// Wires of a picture, each once: `F› → F‹ (saved)`.
pub(crate) fn flows(picture: &Picture) -> Vec<String> {
    let label = |number: usize| shown(picture.boxes.get(number).unwrap());
    let text = picture.wires.iter().map(|wire| {
        let (from, to) = &wire.ends;
        let from = from.map_or("·".to_owned(), label);
        let to: Vec<String> = to.iter().map(|to| label(*to)).collect();
        format!("{from} → {} ({})", to.join(", "), wire.flow.name())
    });
    let mut all: Vec<String> = Vec::new();
    text.for_each(|text| all.extend((!all.contains(&text)).then_some(text)));
    all
}

/// Corners of a wire: `(0, 0) (20, 0)`.
pub(crate) fn corners(points: &[(f64, f64)]) -> String {
    let corners: Vec<String> = points
        .iter()
        .map(|(x, y)| format!("({x:.0}, {y:.0})"))
        .collect();
    corners.join(" ")
}

/// Asserts that lines equal a text, which may be indented.
#[track_caller]
pub(crate) fn check(found: &[String], expected: &str) {
    let expected: Vec<&str> = expected
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    assert_eq!(found, expected, "found:\n{}", found.join("\n"));
}
