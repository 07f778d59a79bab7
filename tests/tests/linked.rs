//! Links of the page between equal *parts* of a run, which are calls, returns and terms outside of runs: in the run, the diagram and
//! the sandwich. A part of a diagram and the part of the run that it stands for have the same name, order and values, in the examples
//! and in random programs.

mod parts;

use fletch_arrows::{Arrow, Fault, NodeKind, wires};
use fletch_calculus::Term;
use fletch_diagrams::{Block, End, Graph};
use fletch_playground::Session;
use fletch_playground::diagram::link::{link, of_box};
use fletch_playground::diagram::times::{arrivals, drawn};
use fletch_playground::protocol::{
    Ask, Edit, Half, Links, Moments, Reply, Show, Timeline, Values, Work,
};
use fletch_reduction::Action;
use fletch_runs::denotation;
use fletch_smooth::Partiality;
use fletch_syntax::LineIndex;
use fletch_tests::random::{Case, checked, for_all};
use fletch_tests::{examples, generate, programs};
use fletch_trace::{Budget, Pass, Status, Trace};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Counts of compared items.
#[derive(Debug, Default)]
struct Counts {
    calls: usize,
    boxes: usize,
    constants: usize,
    unlinked: usize,
    forward: usize,
    results: usize,
    saved: usize,
    cotangents: usize,
    accesses: usize,
    steps: usize,
    lit: usize,
    between: usize,
    stops: usize,
    lit_stops: usize,
}

impl Counts {
    fn sum(all: &[Counts]) -> Counts {
        all.iter().fold(Counts::default(), |sum, one| Counts {
            calls: sum.calls + one.calls,
            boxes: sum.boxes + one.boxes,
            constants: sum.constants + one.constants,
            unlinked: sum.unlinked + one.unlinked,
            forward: sum.forward + one.forward,
            results: sum.results + one.results,
            saved: sum.saved + one.saved,
            cotangents: sum.cotangents + one.cotangents,
            accesses: sum.accesses + one.accesses,
            steps: sum.steps + one.steps,
            lit: sum.lit + one.lit,
            between: sum.between + one.between,
            stops: sum.stops + one.stops,
            lit_stops: sum.lit_stops + one.lit_stops,
        })
    }
}

/// Interval, in positions, at which views are compared.
const VIEWS: usize = 97;

/// Converts the part at work to the type of the protocol.
fn work(work: fletch_trace::Work) -> Work {
    match work {
        fletch_trace::Work::Call(call, Pass::Forward) => Work::Call(number(call), Half::Forward),
        fletch_trace::Work::Call(call, Pass::Backward) => Work::Call(number(call), Half::Backward),
        fletch_trace::Work::Return(run) => Work::Return(number(run)),
        fletch_trace::Work::Outside(outside) => Work::Outside(number(outside)),
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap()
}

/// Returns the timeline of a run, and the part at work at every `VIEWS`-th position, as the session gives them.
fn timeline(source: &str, steps: usize) -> (Timeline, Vec<Option<Work>>) {
    let mut session = Session::new(Budget::steps(steps));
    session.ask(1, Ask::load(source));
    let advanced = session.ask(
        1,
        Ask::Advance {
            milliseconds: u32::MAX,
        },
    );
    let Reply::Advanced(advanced) = advanced else {
        panic!("{advanced:?}")
    };
    let Reply::Timeline(timeline) = session.ask(1, Ask::Timeline) else {
        panic!("no timeline")
    };
    let mut works = Vec::new();
    // Showing every position would take too long.
    for position in (0..=advanced.steps).step_by(VIEWS) {
        let show = Show {
            position,
            width: 60,
            ..Show::default()
        };
        let Reply::Shown(view) = session.ask(1, Ask::Show(show)) else {
            panic!("no view")
        };
        works.push(view.work);
    }
    (*timeline, works)
}

/// Returns the entries of the non-empty tensors of a value.
fn entries(term: &Term) -> Vec<Vec<f64>> {
    let value = term.to_value();
    let tensors = value.iter().flat_map(|value| value.tensors());
    let tensors = tensors.map(|tensor| tensor.data().to_vec());
    tensors.filter(|data| !data.is_empty()).collect()
}

fn close(a: &[f64], b: &[f64]) -> bool {
    let most = a.iter().chain(b).fold(1.0_f64, |most, x| most.max(x.abs()));
    let near = |(x, y): (&f64, &f64)| {
        x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= 1e-12 * most
    };
    a.len() == b.len() && a.iter().zip(b).all(near)
}

/// True if these are the entries of one of the tensors; false if the tensors are unknown.
fn has_entries(all: &Option<Vec<Vec<f64>>>, value: &[f64]) -> bool {
    let mut all = all.iter().flatten();
    all.any(|entries| close(entries, value))
}

/// Returns the sum of tensors of one size.
fn total<'t>(tensors: impl Iterator<Item = &'t Vec<f64>>) -> Vec<f64> {
    let add =
        |sum: Vec<f64>, entries: &Vec<f64>| sum.iter().zip(entries).map(|(a, b)| a + b).collect();
    tensors
        .cloned()
        .reduce(|sum, entries| add(sum, &entries))
        .unwrap_or_default()
}

/// Checks that the parts of a run and of its diagram correspond.
fn linked(source: &str, steps: usize) -> Result<Case<Counts>, String> {
    let program = checked(source)?;
    let arrow = match Arrow::unrolled(&[], &program.main, &program.ty, 256).map(|(arrow, _)| arrow)
    {
        Ok(arrow) => arrow,
        Err(Fault::TooLarge { .. }) => return Ok(Case::Skipped("large arrow")),
        Err(fault) => return Err(format!("fault: {fault:?}")),
    };
    let looped = Arrow::of(&[], &program.main, &program.ty);
    if looped.is_ok_and(|arrow| arrow.has_loops()) {
        return Ok(Case::Skipped("feedback"));
    }
    if arrow.counts().0 > 1_500 {
        return Ok(Case::Skipped("large arrow"));
    }
    let mut trace = Trace::new(&program, Partiality::Paper);
    trace.advance(steps, || false);
    let mut heap = program.initial.clone();
    let (values, stopped) = wires(&arrow, &[], &mut heap, Partiality::Paper, &|_| 0);
    let value = |wire: usize| values.wires.get(wire).map(|tensor| tensor.data());
    let graph = Graph::of(&arrow, source);
    let (timeline, views) = timeline(source, steps);
    let timeline = timeline.in_bytes(&LineIndex::new(source));
    let at = |position| trace.timeline().at(position).map(work);
    for (view, shown) in views.into_iter().enumerate() {
        if shown != at(VIEWS * view) {
            return Err(format!("views: {shown:?} at {}", VIEWS * view));
        }
    }
    let works = link(&arrow, &timeline, None);
    let linked: BTreeSet<Work> = works.iter().copied().flatten().collect();
    let has = |work| linked.contains(&work);
    let at = |position| at(position).map(|work| drawn(&timeline, work, has));
    let at: Vec<Option<Work>> = (0..=trace.len()).map(at).collect();
    let from = arrivals(&arrow, &timeline, &works);
    let mut counts = Counts::default();

    let sum = |number: &usize| {
        let node = &arrow.map.statements()[*number].applied;
        node.operands() == Some(2) && node.provenance.term.is_none()
    };
    let given = |number: &usize| match &arrow.map.statements()[*number].applied {
        node if node.operands() == Some(0) => true,
        node => matches!(node.kind, NodeKind::Constant(_)),
    };
    let statements = arrow.map.statements().iter().enumerate();
    let makers: BTreeMap<usize, usize> = statements
        .flat_map(|(number, statement)| statement.results().map(move |wire| (wire, number)))
        .collect();

    let used = |number: usize, wire: usize| {
        let statements = graph.boxes[number].statements.iter();
        let mut arguments =
            statements.flat_map(|number| &arrow.map.statements()[*number].arguments);
        arguments.any(|argument| argument.0 == wire)
    };
    // Each box belongs to a single part of the run.
    let mut boxes: BTreeMap<Work, Vec<usize>> = BTreeMap::new();
    let mut of: Vec<Option<Work>> = Vec::new();
    for (number, block) in graph.boxes.iter().enumerate() {
        let work = of_box(&arrow, &works, &block.statements);
        for statement in block.statements.iter().filter(|number| !sum(number)) {
            let own = works[*statement];
            if own.is_some() && own != work {
                return Err(format!("parts: {} is {work:?} and {own:?}", block.label));
            }
        }
        of.push(work);
        match work {
            Some(work) => boxes.entry(work).or_default().push(number),
            None => {
                let over = matches!(trace.status(), Status::Value(_));
                if over && !block.statements.iter().all(given) {
                    counts.unlinked += 1;
                } else {
                    counts.constants += 1;
                }
            }
        }
        counts.boxes += 1;
    }

    // By adequacy the heap accesses of the run are the operations of the arrow, one by one.
    let mut operations = arrow
        .map
        .statements()
        .iter()
        .enumerate()
        .filter(|(_, statement)| matches!(statement.applied.kind, NodeKind::Operation(_)));
    for (position, step) in trace.steps(0..trace.len()).enumerate() {
        if !matches!(step.action, Action::Get { .. } | Action::Put { .. }) {
            continue;
        }
        let Some((number, statement)) = operations.next() else {
            return Err("accesses: more than operations".to_owned());
        };
        // All copies of a continuation that is resumed twice are linked to the part that ran first.
        let mut before = arrow.map.statements()[..number].iter();
        let again = before.any(|before| {
            let (origin, node) = (before.applied.provenance.origin, &before.applied);
            origin == statement.applied.provenance.origin && *node == statement.applied
        });
        if works[number].is_some() && works[number] != at[position] && !again {
            let rule = step.action.rule().name();
            let applied = &statement.applied;
            return Err(format!(
                "accesses: {rule} at {position} of {:?} is not {applied} of {:?}",
                at[position], works[number]
            ));
        }
        counts.accesses += 1;
    }

    // Every call has its boxes, with its name and its values.
    for (number, record) in trace.calls().records.iter().enumerate() {
        if trace.calls().runs[record.run].parent.is_some() || record.moves {
            continue;
        }
        let number = u32::try_from(number).unwrap();
        let half = |half| {
            boxes
                .get(&Work::Call(number, half))
                .cloned()
                .unwrap_or_default()
        };
        let (forward, backward) = (half(Half::Forward), half(Half::Backward));
        counts.calls += usize::from(!forward.is_empty() || !backward.is_empty());
        let named = |block: &Block| {
            !record.operation() || block.mark.is_none() || *record.name == *block.label
        };
        for block in forward.iter().chain(&backward) {
            if !named(&graph.boxes[*block]) {
                let label = &graph.boxes[*block].label;
                return Err(format!("names: {label} is {}", record.name));
            }
        }
        let run = |number: usize| graph.boxes[number].part.map(|part| part.run);
        let leaves = |boxes: &[usize]| {
            let mut wires = Vec::new();
            for net in &graph.nets {
                // Sums and constants are skipped: a sum of cotangents may be in the box of the forward half if no box lies between, and
                // a constant is not a result.
                if makers
                    .get(&net.wire)
                    .is_some_and(|number| sum(number) || given(number))
                {
                    continue;
                }
                // A wire that stays in no part of the run goes to the remainder of an ordinary handler's clause.
                let stays = net.to.iter().any(|to| match to {
                    End::Box(to) => run(*to) == boxes.first().and_then(|own| run(*own)),
                    End::Input(_) | End::Output(_) => true,
                });
                if stays && matches!(net.from, End::Box(from) if boxes.contains(&from)) {
                    let saved = net
                        .to
                        .iter()
                        .all(|to| matches!(to, End::Box(to) if backward.contains(to)));
                    let saved = saved && boxes == forward;
                    // A wire that the boxes themselves use too is not their result.
                    if saved || !boxes.iter().any(|number| used(*number, net.wire)) {
                        wires.push((net.wire, saved));
                    }
                }
            }
            wires
        };
        let known = |term: Option<&Term>| term.map(entries);
        let (result, saved) = (known(record.result.as_ref()), known(record.saved.as_ref()));
        for (wire, is_saved) in leaves(&forward) {
            let Some(value) = value(wire) else { continue };
            let among = |all: &Option<Vec<Vec<f64>>>| has_entries(all, value);
            if record.waits_from.is_none() {
                continue;
            }
            if is_saved && record.operation() {
                // The result may be the cotangent itself, unchanged.
                let turns = known(record.cotangent.as_ref())
                    .is_none_or(|cotangent| cotangent.iter().any(|entries| close(entries, value)));
                let known = among(&saved) || turns && among(&result);
                if !known {
                    return Err(format!("saved: {} {value:?} not in {saved:?}", record.name));
                }
                counts.saved += 1;
            } else if !is_saved {
                // Exception: of a term with an unused result, only a subterm that the derivative uses may be left.
                let own = forward
                    .iter()
                    .flat_map(|number| &graph.boxes[*number].statements);
                let mut made = own.flat_map(|number| arrow.map.statements()[*number].results());
                let whole = made.any(|wire| {
                    let tensor = values.wires.get(wire);
                    tensor.is_some_and(|tensor| has_entries(&result, tensor.data()))
                });
                let maker = makers
                    .get(&wire)
                    .map(|number| &arrow.map.statements()[*number].applied.provenance);
                let of_part = maker
                    .is_some_and(|from| from.term.is_some_and(|term| term.origin != from.origin));
                let left = !whole && of_part;
                if !among(&result) && !among(&saved) && !left {
                    return Err(format!("result: {} {value:?} not {result:?}", record.name));
                }
                counts.results += 1;
            }
        }
        // Cotangents that the call receives.
        if let (Some(cotangent), false) = (known(record.cotangent.as_ref()), backward.is_empty()) {
            let comes: Vec<&fletch_diagrams::Net> = graph
                .nets
                .iter()
                .filter(|net| {
                    // The wire must come from the same run, because the argument of a run may be a cotangent of an earlier run.
                    let back = match net.from {
                        End::Box(from) => graph.boxes[from].part.is_some_and(|part| {
                            let own = backward.iter().any(|to| run(*to) == Some(part.run));
                            own && part.pass != fletch_arrows::Pass::Forward
                        }),
                        _ => false,
                    };
                    back && net
                        .to
                        .iter()
                        .any(|to| matches!(to, End::Box(to) if backward.contains(to)))
                })
                .collect();
            for net in comes {
                let Some(value) = value(net.wire) else {
                    continue;
                };
                let of_sum = matches!(net.from, End::Box(from) if backward.contains(&from));
                let shares = backward
                    .iter()
                    .any(|b| graph.boxes[*b].kind == fletch_diagrams::Kind::Sum);
                let of_sum = of_sum || makers.get(&net.wire).is_some_and(&sum);
                if of_sum || shares {
                    continue;
                }
                // Components that are computed in the same way share one wire, which carries the sum of their cotangents.
                let joined = || {
                    let result = result.as_ref()?;
                    let all = result.iter().map(|entries| {
                        let equal = result.iter().zip(&cotangent);
                        let equal = equal.filter(|(other, _)| *other == entries);
                        total(equal.map(|(_, cotangent)| cotangent))
                    });
                    Some(all.collect::<Vec<_>>())
                };
                let mut known = cotangent
                    .iter()
                    .cloned()
                    .chain(joined().into_iter().flatten());
                if !known.any(|entries| close(&entries, value)) {
                    return Err(format!(
                        "cotangent: {} {value:?} not {cotangent:?}",
                        record.name
                    ));
                }
                counts.cotangents += 1;
            }
        }
    }

    // In the forward pass, the network has the values of the handled command.
    let read = fletch_ide::check(source);
    let whole = denotation::denotation(&read, source, "main").map_err(|fault| fault.to_string())?;
    if let Ok(network) = denotation::network(&read, source, "main") {
        // The wires of the network are mapped to those of the drawn arrow, in which the moments of a feedback share constants.
        let mut heap = program.initial;
        let (values, _) = wires(&whole.arrow, &[], &mut heap, Partiality::Paper, &|_| 0);
        let value = |wire: usize| values.wires.get(wire).map(|tensor| tensor.data());
        let handled = network.handled;
        let network = network.arrow;
        let of = |number: usize| *whole.network.get(number)?;
        let count = network.map.inputs().len()
            + (network.map.statements().iter())
                .map(|statement| statement.results().len())
                .sum::<usize>();
        if ![0, count].contains(&whole.network.len()) {
            return Err(format!("network: {count} wires, {}", whole.network.len()));
        }
        let works = link(&network, &timeline, handled);
        for (statement, work) in network.map.statements().iter().zip(works) {
            let Some(Work::Call(call, Half::Forward)) = work else {
                continue;
            };
            if statement.applied.operation().is_none() {
                continue;
            }
            let record = &trace.calls().records[call as usize];
            let Some(result) = record.result.as_ref().map(entries) else {
                continue;
            };
            for wire in statement.results() {
                let Some(value) = of(wire).and_then(|wire| value(wire.0)) else {
                    continue;
                };
                if !value.is_empty() && !result.iter().any(|entries| close(entries, value)) {
                    return Err(format!("network: {} {value:?} not {result:?}", record.name));
                }
                counts.forward += 1;
            }
        }
    }

    // The forward boxes of a run are in the order of their calls.
    let mut last: BTreeMap<usize, u32> = BTreeMap::new();
    for (number, block) in graph.boxes.iter().enumerate() {
        // A constant that several calls use is one box, before all of them.
        if block.statements.iter().all(|of| sum(of) || given(of)) {
            continue;
        }
        if let (Some(part), Some(Work::Call(call, Half::Forward))) = (block.part, of[number]) {
            let before = last.insert(part.run, call);
            if before.is_some_and(|before| before > call) {
                return Err(format!("order: {} is {call} after {before:?}", block.label));
            }
        }
    }

    // Counts the positions at which the part at work is lit. A wire with a time of arrival must have a value.
    for (position, work) in at.iter().enumerate() {
        let lit = work.is_some_and(|work| boxes.contains_key(&work));
        counts.lit += usize::from(lit);
        counts.between += usize::from(!lit && position < trace.len());
        let stop = trace
            .index()
            .is_stop(fletch_playground::protocol::Level::Plain, position);
        counts.stops += usize::from(stop);
        counts.lit_stops += usize::from(stop && lit);
        counts.steps += usize::from(position < trace.len());
    }
    for (wire, from) in from.iter().enumerate() {
        if from.is_some() && value(wire).is_none() && stopped.is_none() {
            return Err(format!("values: wire {wire} has none"));
        }
    }
    Ok(Case::Holds(counts))
}

#[test]
fn the_boxes_of_the_examples_are_the_calls_of_their_runs() {
    let mut all = Vec::new();
    for (name, source) in programs(&examples()) {
        match linked(&source, 100_000) {
            Ok(Case::Holds(counts)) => {
                eprintln!("{name}: {counts:?}");
                all.push(counts);
            }
            Ok(Case::Skipped("feedback")) => {}
            Ok(Case::Skipped(reason)) => panic!("{name}: {reason}"),
            Err(error) => panic!("{name}: {error}"),
        }
    }
    let sum = Counts::sum(&all);
    eprintln!("{sum:?}");
    // At nine of ten stops a box is lit; the other stops are between boxes.
    assert!(sum.calls > 100 && sum.results > 100 && sum.saved > 100 && sum.cotangents > 80);
    assert!(sum.forward > 60);
    assert!(sum.accesses > 200 && 10 * sum.lit_stops > 9 * sum.stops);
}

#[test]
fn the_boxes_of_random_programs_are_the_calls_of_their_runs() {
    let all = for_all(
        fletch_tests::random::programs() / 8,
        generate::program,
        4000,
        12,
        |source| linked(source, 1_500),
    );
    let sum = Counts::sum(&all);
    eprintln!("{sum:?}");
    // A box that cannot be distinguished from another has no link, and this is rare.
    assert!(200 * sum.unlinked < sum.boxes);
}

/// Seeds of programs that once failed. Copies of a node in the arrow and in the run are not one to one, runs begin in clauses or before
/// the run whose network is drawn, return clauses only access the heap, or handlers are inside feedbacks.
#[test]
fn the_boxes_of_programs_that_went_wrong_are_the_calls_of_their_runs() {
    for seed in [
        413, 564, 592, 596, 645, 784, 799, 872, 1306, 1318, 1539, 1540, 1821, 2968, 3023, 3049,
        3894, 4042, 4233, 4507, 5469, 6146, 6164, 8784, 8902, 10492, 10607, 11397, 12310, 26343,
        26347, 27120, 28401, 30358, 33732, 43638, 51385,
    ] {
        let source = generate::program(&generate::Tape::random(seed, 4000));
        match linked(&source, 1_500) {
            Ok(Case::Holds(_)) => {}
            Ok(Case::Skipped(reason)) => panic!("seed {seed}: {reason}"),
            Err(error) => panic!("seed {seed}: {error}\n\n{source}"),
        }
    }
}

/// Checks the diagram of the perceptron as the page receives it: boxes lead to calls and cells, and wires carry the values of the
/// steps. Values also follow a heap that a reader has edited, and a run that stops.
#[test]
fn a_diagram_is_given_what_its_run_comes_to() {
    let source = std::fs::read_to_string(examples().join("mlp.fletch")).unwrap();
    let (timeline, _) = timeline(&source, 1_000);
    let timeline = Rc::new(timeline);
    let mut session = Session::default();
    let mut ask = |source: &str, heap: Vec<Edit>| {
        session.ask(
            1,
            Ask::Load {
                source: source.to_owned(),
                heap,
                mode: Default::default(),
            },
        );
        let links = [false, true].map(|network| {
            let timeline = Rc::clone(&timeline);
            match session.ask(1, Ask::Follow { network, timeline }) {
                Reply::Followed(links) => *links,
                other => panic!("{other:?}"),
            }
        });
        match session.ask(1, Ask::Values(Moments::new())) {
            Reply::Values(values) => (links, *values),
            other => panic!("{other:?}"),
        }
    };
    let ([links, network], values) = ask(&source, Vec::new());
    let calls = |links: &Links| -> Vec<String> {
        let parts = links.parts.iter();
        let parts = parts.map(|part| {
            let (from, to) = part.source.unwrap_or_default();
            let text: Vec<u16> = source.encode_utf16().collect();
            let text = String::from_utf16_lossy(&text[from as usize..to as usize]);
            format!(
                "{text} {:?} {:?} {:?}",
                part.from, part.until, part.locations
            )
        });
        parts.collect()
    };
    assert_eq!(
        calls(&links),
        [
            r#"FC[ℓ0](x_in) Some(2) Some(11) ["ℓ0"]"#,
            "swish(z_hid) Some(12) Some(15) []",
            r#"FC[ℓ1](x_hid) Some(16) Some(25) ["ℓ1"]"#,
            " Some(26) Some(30) []",
            r#"FC[ℓ1](x_hid) Some(33) Some(52) ["ℓ1"]"#,
            "swish(z_hid) Some(56) Some(71) []",
            r#"FC[ℓ0](x_in) Some(73) Some(88) ["ℓ0"]"#,
        ]
    );
    assert_eq!(
        calls(&network),
        [
            "FC[ℓ0](x_in) Some(2) Some(11) []",
            "swish(z_hid) Some(12) Some(15) []",
            "FC[ℓ1](x_hid) Some(16) Some(25) []",
        ]
    );
    assert_eq!(links.wires.len(), values.wires.len());
    // In the forward pass, the network has the values of the handled command. Its input is known when the handler takes it.
    assert_eq!(network.wires, [Some(0), Some(11), Some(15), Some(25)]);
    let sizes = values.network.iter().map(|wire| {
        let chip = values.wires[wire.unwrap() as usize].as_ref().unwrap();
        chip.entries.len()
    });
    assert_eq!(sizes.collect::<Vec<_>>(), [2, 8, 8, 1]);
    let entries = |values: &Values| -> Vec<Vec<f64>> {
        let wires = values.wires.iter().flatten();
        wires.map(|chip| chip.entries.clone()).collect()
    };
    assert_eq!(entries(&values)[0], [1.0, 0.0]);
    let edit = Edit {
        location: "ℓ1".to_owned(),
        entries: vec![0.0; 8],
    };
    let (_, edited) = ask(&source, vec![edit]);
    assert_ne!(entries(&edited), entries(&values));
    let stops = source.replace("⌊swish(z_hid)⌋", "⌊log(z_hid)⌋");
    let (_, stopped) = ask(&stops, Vec::new());
    assert!(!entries(&stopped).is_empty() && entries(&stopped).len() < entries(&values).len());
}
