//! Links between a run and the boxes in loops: a heap access of a moment is at work in the box of its operation, and no box of a body is
//! without its times.

use fletch_diagrams::{Kind, Picture};
use fletch_playground::Session;
use fletch_playground::protocol::{Ask, Drawing, During, Linked, Links, Moments, Reply, Values};
use fletch_reduction::Action;
use fletch_smooth::Partiality;
use fletch_tests::time::DESCENT;
use fletch_tests::{examples, must_check};
use fletch_trace::{Budget, Trace};
use std::collections::BTreeSet;
use std::fs;
use std::rc::Rc;

/// A loop without a handler, handlers in a loop, a loop in a clause, and a loop in a loop.
const PROGRAMS: [&str; 4] = [
    "main = feedback[3]([1, 2, 3], ())⟨s, _⟩. let w ⇐ Get[w]() in let t ⇐ ⌊sin(s + w)⌋ in let _ ⇐ Put[w](t) in ⌊t⌋",
    "main = feedback[3]([1, 2, 3], ())⟨s, _⟩.
       rev handle(s)⟨s⟩. (let w ⇐ Get[w]() in ⌊sin(s + w)⌋) with H([0, 0, 0])",
    "main = rev handle([1, 2, 3])⟨s⟩. (feedback[3](s, ())⟨s, _⟩. let w ⇐ Get[w]() in
       feedback[2](s + w, ())⟨s, _⟩. let v ⇐ Get[w]() in ⌊sin(s + v)⌋) with H([0, 0, 0])",
    "main = rev handle([1, 2, 3])⟨s⟩. (let v ⇐ Get[w]() in feedback[3](s, ())⟨s, _⟩. let a ⇐ Get[w]() in let b ⇐ Get[w]() in
       ⌊sin(s + a ⊙ b) + v⌋) with H([0, 0, 0])",
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

fn session(source: &str) -> Session {
    let mut session = Session::new(Budget::steps(20_000));
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

#[test]
fn an_access_in_a_moment_is_at_work_in_its_box() {
    for (name, source) in programs() {
        let (links, picture) = linked(&mut session(&source), false);
        assert!(!links.loops.is_empty(), "{name}");
        let mut trace = Trace::new(&must_check(&source).program, Partiality::Paper);
        trace.advance(20_000, || false);
        let moment = |position: u32| {
            let mut moments = links.loops.iter().flat_map(|looped| &looped.moments);
            moments.any(|at| at.from < position && at.until.is_none_or(|until| position < until))
        };
        let mut met = 0;
        for (position, step) in trace.steps(0..trace.len()).enumerate() {
            let (Action::Get { location, .. } | Action::Put { location, .. }) = &step.action else {
                continue;
            };
            let position = u32::try_from(position).unwrap();
            if !moment(position) {
                continue;
            }
            met += 1;
            let parts = at_work(&links, position);
            let [part] = parts.as_slice() else {
                panic!("{name}: {} parts at {position}", parts.len())
            };
            assert_eq!(
                part.locations,
                [location.name.to_string()],
                "{name} at {position}"
            );
        }
        if ["0", "2", "3"].contains(&name.as_str()) {
            assert!(met > 0, "{name}");
        }
        // A box of a body has its times at each moment; what only moves values, or makes 0, has none.
        let mut boxes = 0;
        for shape in &picture.boxes {
            let inside = shape
                .within
                .as_deref()
                .is_some_and(|key| key.trim_start_matches('n').starts_with('l'));
            if !inside || matches!(shape.kind, Kind::Delay | Kind::Sum) || shape.label == "zero" {
                continue;
            }
            let part = links.of_box(&shape.steps).expect(&shape.label);
            let part = &links.parts[part as usize];
            let mut moments = 1;
            let mut around = part.around;
            while let Some(looped) = around.and_then(|at| links.loops.get(at as usize)) {
                let ran = looped.moments.iter().map(|at| at.moments.last());
                moments *= ran.collect::<BTreeSet<_>>().len();
                around = looped.parent;
            }
            assert_eq!(part.during.len(), moments, "{name}: {}", shape.label);
            assert!(part.source.is_some(), "{name}: {}", shape.label);
            boxes += 1;
        }
        assert!(boxes > 0, "{name}");
    }
}

#[test]
fn values_are_those_of_the_moment_that_is_asked_for() {
    let source = format!("{DESCENT}{}\n", PROGRAMS[0]);
    let mut session = session(&source);
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
