//! Links between a run and the boxes in loops: a heap access of a moment is at work in the box of its operation, and no box of a body is
//! without its times.

use fletch_arrows::Arrow;
use fletch_diagrams::{Kind, Picture};
use fletch_playground::Session;
use fletch_playground::protocol::{Ask, Drawing, During, Linked, Links, Moments, Reply, Values};
use fletch_reduction::Action;
use fletch_smooth::Partiality;
use fletch_tests::random::{self, Case, checked, for_all};
use fletch_tests::time::DESCENT;
use fletch_tests::{examples, generate};
use fletch_trace::{Budget, Status, Trace};
use std::collections::BTreeSet;
use std::fs;
use std::rc::Rc;

/// Loops without a handler, around one, in the command of one, nested, and under an ordinary handler that passes on or treats their `Get`.
const PROGRAMS: [&str; 6] = [
    "main = feedback[3]([1, 2, 3], ())⟨s, _⟩. let w ⇐ Get[w]() in let t ⇐ ⌊sin(s + w)⌋ in let _ ⇐ Put[w](t) in ⌊t⌋",
    "main = feedback[3]([1, 2, 3], ())⟨s, _⟩.
       rev handle(s)⟨s⟩. (let w ⇐ Get[w]() in ⌊sin(s + w)⌋) with H([0, 0, 0])",
    "main = rev handle([1, 2, 3])⟨s⟩. (feedback[3](s, ())⟨s, _⟩. let w ⇐ Get[w]() in
       feedback[2](s + w, ())⟨s, _⟩. let v ⇐ Get[w]() in ⌊sin(s + v)⌋) with H([0, 0, 0])",
    "main = rev handle([1, 2, 3])⟨s⟩. (let v ⇐ Get[w]() in feedback[3](s, ())⟨s, _⟩. let a ⇐ Get[w]() in let b ⇐ Get[w]() in
       ⌊sin(s + a ⊙ b) + v⌋) with H([0, 0, 0])",
    "main = feedback[2]([1, 2, 3], ())⟨s, _⟩. let a ⇐ handle (feedback[2](s, ())⟨s, _⟩. let w ⇐ Get[w]() in ⌊sin(s + w)⌋)
       with { x ↦ ⌊x⌋ } in feedback[2](a, ())⟨s, _⟩. let w ⇐ Get[w]() in ⌊sin(s + w)⌋",
    "main = feedback[2]([1, 2, 3], ())⟨s, _⟩. handle (feedback[2](s, ())⟨s, _⟩. let w ⇐ Get[w]() in ⌊sin(s + w)⌋)
       with { x ↦ ⌊x⌋  Get[w], k; x ↦ let w ⇐ Get[w]() in k • cos(w) }",
];

fn programs() -> Vec<(String, String)> {
    let named = ["elman", "gru", "linear_system", "truncated", "read_once"];
    let files = named.map(|name| {
        let path = examples().join(format!("{name}.fletch"));
        (name.to_owned(), fs::read_to_string(path).unwrap())
    });
    let texts = PROGRAMS.iter().enumerate();
    let texts = texts.map(|(number, text)| (number.to_string(), format!("{DESCENT}{text}\n")));
    files.into_iter().chain(texts).collect()
}

/// Links and picture of `main`, or of its network.
fn linked(session: &mut Session, network: bool) -> (Links, Picture) {
    let Reply::Timeline(timeline) = session.ask(1, Ask::Timeline) else {
        panic!("no timeline")
    };
    let timeline = Rc::new(*timeline);
    let Reply::Followed(links) = session.ask(1, Ask::Follow { network, timeline }) else {
        panic!("no links")
    };
    let drawing = Drawing {
        of: "main".to_owned(),
        network,
        ..Drawing::default()
    };
    let Reply::Drawn(figure) = session.ask(1, Ask::Draw(drawing)) else {
        panic!("no picture")
    };
    (*links, figure.unwrap().picture)
}

fn session(source: &str, steps: usize) -> Session {
    let mut session = Session::new(Budget::steps(steps));
    session.ask(1, Ask::load(source));
    session.ask(
        1,
        Ask::Advance {
            milliseconds: u32::MAX,
        },
    );
    session
}

fn at_work(links: &Links, position: u32) -> Vec<&Linked> {
    let here = |during: &During| {
        during.from <= position && during.until.is_none_or(|until| position < until)
    };
    let parts = links.parts.iter();
    parts
        .filter(|part| part.during.iter().any(here) && !part.locations.is_empty())
        .collect()
}

/// Number of accesses in moments, and of boxes in loops with and without a time.
#[derive(Debug, Default)]
struct Counts {
    accesses: usize,
    boxes: usize,
    idle: usize,
}

/// An access in a moment is at work in one box, that of its operation. A box of a body has a time for each moment, or none if its steps
/// only move values.
fn held(source: &str, steps: usize) -> Result<Case<Counts>, String> {
    let program = checked(source)?;
    match Arrow::of(&[], &program.main, &program.ty) {
        Ok(arrow) if !arrow.has_loops() => return Ok(Case::Skipped("no loop")),
        Ok(arrow) if arrow.counts().0 <= 1_500 => {}
        _ => return Ok(Case::Skipped("large arrow")),
    }
    let mut trace = Trace::new(&program, Partiality::Paper);
    trace.advance(steps, || false);
    if !matches!(trace.status(), Status::Value(_)) {
        return Ok(Case::Skipped("stuck, or long"));
    }
    let (links, picture) = linked(&mut session(source, steps), false);
    // The run unfolds a feedback under an ordinary handler of a handled command, so its loop has no moments.
    if links.loops.iter().any(|looped| looped.moments.is_empty()) {
        return Ok(Case::Skipped("a loop without moments"));
    }
    let moment = |position: u32| {
        let mut moments = links.loops.iter().flat_map(|looped| &looped.moments);
        moments.any(|at| at.from < position && at.until.is_none_or(|until| position < until))
    };
    let mut counts = Counts::default();
    for (position, step) in trace.steps(0..trace.len()).enumerate() {
        let (Action::Get { location, .. } | Action::Put { location, .. }) = &step.action else {
            continue;
        };
        let position = u32::try_from(position).unwrap();
        if !moment(position) {
            continue;
        }
        counts.accesses += 1;
        let parts = at_work(&links, position);
        let [part] = parts.as_slice() else {
            return Err(format!("access: {} parts at {position}", parts.len()));
        };
        if !part.locations.contains(&location.name.to_string()) {
            return Err(format!("location: {:?} at {position}", part.locations));
        }
    }
    for shape in &picture.boxes {
        let key = shape.within.as_deref().unwrap_or_default();
        let inside = key.trim_start_matches('n').starts_with('l');
        if !inside || matches!(shape.kind, Kind::Delay | Kind::Sum) {
            continue;
        }
        let part = links.of_box(&shape.steps);
        let part = part.and_then(|part| links.parts.get(part as usize));
        let Some(part) = part else {
            counts.idle += 1;
            continue;
        };
        let mut moments = 1;
        let mut around = part.around;
        while let Some(looped) = around.and_then(|at| links.loops.get(at as usize)) {
            let ran = looped.moments.iter().map(|at| at.moments.last());
            moments *= ran.collect::<BTreeSet<_>>().len();
            around = looped.parent;
        }
        let times = part.during.len();
        if times != moments || part.source.is_none() {
            let (label, source) = (&shape.label, part.source);
            return Err(format!("times: {label} {times} of {moments}, {source:?}"));
        }
        counts.boxes += 1;
    }
    Ok(Case::Holds(counts))
}

#[test]
fn an_access_in_a_moment_is_at_work_in_its_box() {
    for (name, source) in programs() {
        let Case::Holds(counts) = held(&source, 20_000).expect(&name) else {
            panic!("{name} is skipped")
        };
        assert!(counts.boxes > 0, "{name}: {counts:?}");
        if ["0", "2", "3", "4", "5"].contains(&name.as_str()) {
            assert!(counts.accesses > 0, "{name}");
        }
    }
}

#[test]
fn an_access_in_a_moment_of_a_random_program_is_at_work_in_its_box() {
    let all = for_all(random::programs(), generate::program, 4000, 100, |source| {
        held(source, 3_000)
    });
    let accesses: usize = all.iter().map(|counts| counts.accesses).sum();
    let boxes: usize = all.iter().map(|counts| counts.boxes).sum();
    let idle: usize = all.iter().map(|counts| counts.idle).sum();
    eprintln!("{accesses} accesses, {boxes} boxes, {idle} without a time");
    assert!(accesses > 20 && boxes > 100);
}

#[test]
fn values_are_those_of_the_moment_that_is_asked_for() {
    let source = format!("{DESCENT}{}\n", PROGRAMS[0]);
    let mut session = session(&source, 20_000);
    let mut values = |moment: u32| -> Values {
        let moments = Moments::from([("l2".to_owned(), moment)]);
        match session.ask(1, Ask::Values(moments)) {
            Reply::Values(values) => *values,
            other => panic!("{other:?}"),
        }
    };
    let first = values(1);
    let looped = |values: &Values| {
        let loops = values.loops.iter();
        loops.map(|of| (of.count, of.moment)).collect::<Vec<_>>()
    };
    assert_eq!(looped(&first), [(3, 1)]);
    let second = values(2);
    assert_eq!(looped(&second), [(3, 2)]);
    assert_ne!(first.wires, second.wires);
    // A loop has no fourth moment.
    assert_eq!(looped(&values(4)), [(3, 3)]);
}
