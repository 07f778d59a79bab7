//! The heap in the views of a session, compared with the writes of the trace, and runs that start from edited contents.

use fletch_playground::Session;
use fletch_playground::protocol::{
    Access, Ask, Blank, CellView, Edit, Picture, Reply, RunStatus, Show, StepView,
};
use fletch_smooth::Partiality;
use fletch_tests::{examples, must_check, programs};
use fletch_trace::{Budget, Trace};
use std::fs;

/// Runs a program to its end in a session. Returns the session and the number of steps.
fn session(source: &str, heap: Vec<Edit>) -> (Session, u32) {
    let mut session = Session::new(Budget::steps(1_000_000));
    session.ask(
        1,
        Ask::Load {
            source: source.to_owned(),
            heap,
            mode: Default::default(),
        },
    );
    let Reply::Advanced(advanced) = session.ask(1, Ask::Advance { milliseconds: 1 }) else {
        panic!("{source}")
    };
    assert_eq!(advanced.status, RunStatus::Value);
    (session, advanced.steps)
}

fn view(session: &mut Session, position: u32) -> StepView {
    let reply = session.ask(
        1,
        Ask::Show(Show {
            position,
            width: 80,
            ..Show::default()
        }),
    );
    let Reply::Shown(view) = reply else { panic!() };
    *view
}

fn example(name: &str) -> String {
    fs::read_to_string(examples().join(name)).unwrap()
}

fn cell<'v>(view: &'v StepView, name: &str) -> &'v CellView {
    view.heap.iter().find(|cell| cell.name == name).unwrap()
}

fn norm(entries: impl Iterator<Item = f64>) -> f64 {
    entries.map(|entry| entry * entry).sum::<f64>().sqrt()
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-12 * (1.0 + one.abs())
}

#[test]
fn cards_tell_what_the_trace_wrote() {
    let mut reproduced = 0;
    for (name, source) in programs(&examples()) {
        let main = must_check(&source);
        let mut trace = Trace::new(&main.program, Partiality::Paper);
        trace.run(usize::MAX, &Budget::steps(1_000_000));
        let (mut session, steps) = session(&source, Vec::new());
        let stride = trace.len() / 60 + 1;
        let puts = (0..trace.len()).filter(|at| trace.step(*at).unwrap().write.is_some());
        let ends = puts.take(8).chain([trace.len()]);
        for position in (0..=trace.len()).step_by(stride).chain(ends) {
            let view = view(&mut session, u32::try_from(position).unwrap());
            assert_eq!(main.program.locations.len(), view.heap.len(), "{name}");
            for (location, cell) in main.program.locations.iter().zip(&view.heap) {
                let place = format!("{name}, {position}, {}", cell.name);
                let writes: Vec<_> = (0..steps as usize)
                    .filter_map(|at| Some((at, trace.step(at)?.write.as_ref()?)))
                    .filter(|(_, write)| write.location.number == location.number)
                    .collect();
                let done = writes.iter().take_while(|(at, _)| *at < position).count();
                // The write of a step is shown at the step's own position, where its sentence describes the write.
                let coming = writes.iter().any(|(at, _)| *at == position);
                let (told, shown) = (done + usize::from(coming), position + usize::from(coming));
                let contents = &trace.state(shown).heap().contents()[location.number];
                assert_eq!(cell.entries, contents.data(), "{place}");
                assert_eq!(cell.active == Some(Access::WillWrite), coming, "{place}");
                assert_eq!(cell.writes as usize, done, "{place}");
                assert_eq!(cell.blank.is_some(), told == 0, "{place}");
                let last = told.checked_sub(1).map(|last| writes[last].1);
                let before = last.map(|write| write.before.data().to_vec());
                assert_eq!(cell.before, before, "{place}");
                // All examples write a location less often than a history is long.
                assert_eq!(cell.history.len(), writes.len(), "{place}");
                for (told, (at, write)) in cell.history.iter().zip(&writes) {
                    let (before, after) = (write.before.data(), write.after.data());
                    assert_eq!(told.position as usize, *at, "{place}");
                    // Ordinary handlers write outside of any handled call.
                    let by_none = ["clip_global_norm", "ordinary_backprop"];
                    assert!(told.by.is_some() || by_none.contains(&&*name), "{place}");
                    assert!(near(told.norm, norm(after.iter().copied())), "{place}");
                    let change = norm(after.iter().zip(before).map(|(a, b)| a - b));
                    assert!(near(told.change, change), "{place}");
                }
                assert_eq!(cell.update.is_some(), told > 0, "{place}");
                let start = main.program.initial[location.number].data();
                let known = cell.start.as_ref().or(cell.before.as_ref());
                assert_eq!(known.unwrap_or(&cell.entries), start, "{place}");
                if let Some(update) = &cell.update {
                    assert!(!update.text.is_empty(), "{place}");
                }
                reproduced += usize::from(reproduces(cell, &place));
            }
        }
    }
    assert!(reproduced > 100, "{reproduced} changes are told by factors");
}

/// Checks that the change is minus the outer product of the factors, if a view has factors. Returns true if it has.
fn reproduces(cell: &CellView, place: &str) -> bool {
    let (Some(before), Some(update)) = (&cell.before, &cell.update) else {
        return false;
    };
    let Some((y, x)) = &update.factors else {
        return false;
    };
    assert_eq!(y.len() * x.len(), before.len(), "{place}");
    for (at, (after, before)) in cell.entries.iter().zip(before).enumerate() {
        let change = -y[at / x.len()] * x[at % x.len()];
        assert!(near(after - before, change), "{place}, {at}");
    }
    true
}

#[test]
fn a_step_of_gradient_descent_has_its_factors_and_their_names() {
    for (file, name, text, factors) in [
        ("mlp.fletch", "ℓ0", "w − y ∗ xᵀ", Some(("y", "x"))),
        ("mlp.fletch", "ℓ1", "w − y ∗ xᵀ", Some(("y", "x"))),
        ("autoencoder.fletch", "ℓ1", "w − y ∗ xᵀ", Some(("y", "x"))),
        ("bias_relu.fletch", "w0", "w − y ∗ xᵀ", Some(("y", "x"))),
        ("bias_relu.fletch", "b0", "b − y", None),
        ("cnn.fletch", "ℓ0", "w − w'", None),
        ("cnn.fletch", "ℓ1", "w − y ∗ xᵀ", Some(("y", "x"))),
        ("momentum.fletch", "ℓ0", "w − v'", None),
        // y and x are matrices, so the update is a sum of outer products.
        ("attention.fletch", "ℓ_key", "w − yᵀ ∗ x", None),
    ] {
        let (mut session, steps) = session(&example(file), Vec::new());
        let view = view(&mut session, steps);
        let update = cell(&view, name).update.as_ref().unwrap();
        assert_eq!(update.text, text, "{file}, {name}");
        assert_eq!(
            update.factors.is_some(),
            factors.is_some(),
            "{file}, {name}"
        );
        let factors = factors.map(|(y, x)| (y.to_owned(), x.to_owned()));
        assert_eq!(update.names, factors, "{file}, {name}");
    }
}

#[test]
fn never_written_zero_and_edited_are_told_apart() {
    let blank =
        |source: &str, edits, name: &str| cell(&view(&mut session(source, edits).0, 0), name).blank;
    let momentum = example("momentum.fletch");
    assert_eq!(blank(&momentum, vec![], "velocity[ℓ0]"), Some(Blank::Zero));
    assert_eq!(blank(&momentum, vec![], "ℓ0"), Some(Blank::Initial));
    let size = cell(&view(&mut session(&momentum, vec![]).0, 0), "ℓ0")
        .entries
        .len();
    let edit = Edit {
        location: "ℓ0".into(),
        entries: vec![0.0; size],
    };
    assert_eq!(blank(&momentum, vec![edit], "ℓ0"), Some(Blank::Edited));
}

#[test]
fn a_run_from_edited_contents_is_the_run_of_the_edited_program() {
    let source = "loc ℓ ∷ (2, 2) = [[1, 2], [3, 4]]
loc unread ∷ (1)
main = let w ⇐ Get[ℓ]() in let _ ⇐ Put[ℓ](w + w) in ⌊w ∗ [1, 1]⌋";
    let edited = source.replace("[[1, 2], [3, 4]]", "[[1, 2], [3, −7.5]]");
    let edit = |location: &str, entries: &[f64]| Edit {
        location: location.into(),
        entries: entries.to_vec(),
    };
    let from = |source: &str, edits| {
        let (mut session, steps) = session(source, edits);
        (0..=steps)
            .map(|position| view(&mut session, position))
            .map(|view| (view.heap[0].entries.clone(), view.sentence))
            .collect::<Vec<_>>()
    };
    let wanted = from(&edited, vec![]);
    assert_ne!(wanted, from(source, vec![]));
    assert_eq!(
        from(source, vec![edit("ℓ", &[1.0, 2.0, 3.0, -7.5])]),
        wanted
    );
    // An edit that does not fit its location is ignored.
    for odd in [
        edit("ℓ", &[1.0]),
        edit("m", &[1.0, 2.0, 3.0, -7.5]),
        edit("ℓ", &[1.0, 2.0, 3.0, f64::NAN]),
        edit("ℓ", &[1.0, 2.0, 3.0, f64::INFINITY]),
    ] {
        assert_eq!(
            from(source, vec![odd.clone()]),
            from(source, vec![]),
            "{odd:?}"
        );
    }
}

#[test]
fn pictures_follow_rank() {
    for (file, name, picture) in [
        ("mlp.fletch", "ℓ0", Picture::Matrix),
        ("cnn.fletch", "ℓ0", Picture::Images(3, 2, 3)),
        ("bias_relu.fletch", "b0", Picture::Signal(1, 4)),
        ("softmax_glyphs.fletch", "seven", Picture::Matrix),
    ] {
        let (mut session, _) = session(&example(file), Vec::new());
        assert_eq!(
            cell(&view(&mut session, 0), name).picture,
            picture,
            "{file}"
        );
    }
}

#[test]
fn a_location_written_often_tells_of_the_writes_around_the_position() {
    let source = "loc n ∷ (1)
main = iterate[i : 200](0)⟨_⟩. let a ⇐ Get[n]() in let _ ⇐ Put[n](a + 1) in ⌊a⌋";
    let (mut session, steps) = session(source, Vec::new());
    for position in (0..=steps).step_by(37) {
        let view = view(&mut session, position);
        let cell = &view.heap[0];
        assert_eq!(cell.history.len(), 64, "{position}");
        assert!(cell.history.is_sorted_by(|a, b| a.position < b.position));
        let mut done = cell
            .history
            .iter()
            .filter(|write| write.position < position);
        // The n-th write of this program writes n.
        let last = done.next_back().map_or(0.0, |write| write.norm);
        assert_eq!(last, f64::from(cell.writes), "{position}");
    }
}

#[test]
fn a_large_tensor_comes_in_blocks_and_whole_when_asked_for() {
    let source = "loc big ∷ (100, 90) = glorot(seed: 1)
main = let w ⇐ Get[big]() in ⌊sum(w)⌋";
    let main = must_check(source);
    let (mut session, _) = session(source, Vec::new());
    let view = view(&mut session, 1);
    let cell = &view.heap[0];
    assert!(cell.entries.len() <= 4096 && cell.ids.0 > 0);
    assert_eq!(cell.entries.len(), (cell.rows * cell.columns) as usize);
    assert_eq!(cell.summary.unwrap().size, 9000);
    let chips = view.lines.iter().flat_map(|line| &line.pieces);
    let chip = chips
        .filter_map(|piece| piece.chip.as_ref())
        .next()
        .unwrap();
    assert!(chip.id > 0 && chip.entries.len() <= 256);
    for id in [cell.ids.0, chip.id] {
        let request = Ask::Entries { chip: id };
        let Reply::Entries(Some(entries)) = session.ask(1, request) else {
            panic!()
        };
        assert_eq!(entries.entries, main.program.initial[0].data());
    }
}
