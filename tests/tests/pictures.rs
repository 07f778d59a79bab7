//! Pictures of predictions: the kind that fits the types, their values before and after a training, and the data operations of a reader.

use fletch_playground::Session;
use fletch_playground::protocol::{
    Ask, Asked, Begin, InputFile, Kind, Look, OfData, Pictured, Reply, SIDE, Sketch, TextEdit,
    Trained, Training, Tried, WishOfData,
};
use fletch_runs::generated::Host;
use fletch_tests::examples;
use fletch_trace::Budget;

fn example(name: &str) -> String {
    let path = examples().join(format!("{name}.fletch"));
    std::fs::read_to_string(path).unwrap()
}

fn load(source: &str, host: Option<Host>) -> Session {
    let session = Session::new(Budget::steps(usize::MAX));
    let mut session = match host {
        Some(host) => session.with_host(host),
        None => session,
    };
    session.ask(1, Ask::load(source));
    session
}

fn train(session: &mut Session, asked: Asked) -> Trained {
    let training = Training { known: 0, asked };
    match session.ask(1, Ask::Train(training)) {
        Reply::Trained(answer) => answer.unwrap(),
        other => panic!("{other:?}"),
    }
}

fn started(source: &str) -> (Session, Vec<Sketch>, Option<Pictured>) {
    let mut session = load(source, Some(fletch_native::host));
    let trained = train(&mut session, Asked::Start(Begin::default()));
    let picture = trained.pictures.into_iter().next();
    (session, trained.sketches, picture)
}

fn to(epoch: u32) -> Asked {
    Asked::Advance {
        milliseconds: 60_000,
        to: Some(epoch),
        until: None,
    }
}

fn data(session: &mut Session, wish: WishOfData) -> OfData {
    match session.ask(1, Ask::Data(wish)) {
        Reply::Data(answer) => *answer,
        other => panic!("{other:?}"),
    }
}

fn apply(source: &str, edits: &[TextEdit]) -> String {
    let mut units: Vec<u16> = source.encode_utf16().collect();
    for edit in edits.iter().rev() {
        let insert: Vec<u16> = edit.insert.encode_utf16().collect();
        units.splice(edit.from as usize..edit.to as usize, insert);
    }
    String::from_utf16(&units).unwrap()
}

fn edits(told: OfData) -> Vec<TextEdit> {
    match told {
        OfData::Edits(edits) => edits,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_picture_follows_from_the_types() {
    let image = |side| Kind::Images {
        rows: side,
        columns: side,
    };
    for (name, kind) in [
        ("mlp", Kind::Surface),
        ("spirals", Kind::Surface),
        ("minibatch", Kind::Surface),
        ("sine", Kind::Curve),
        ("softmax_glyphs", image(8)),
        ("unet_training", Kind::Signals),
        ("autoencoder", Kind::Table),
        ("recurrent", Kind::Table),
    ] {
        let (_, sketches, picture) = started(&example(name));
        assert_eq!(sketches[0].kind, kind, "{name}");
        assert!(
            picture
                .unwrap()
                .values
                .iter()
                .all(|value| value.is_finite()),
            "{name}"
        );
    }
}

#[test]
fn a_surface_becomes_what_the_points_say_by_the_reference_and_as_a_module() {
    let mut pictures = Vec::new();
    for host in [None, Some(fletch_native::host as Host)] {
        let mut session = load(&example("mlp"), host);
        let start = train(&mut session, Asked::Start(Begin::default()));
        let sketch = &start.sketches[0];
        assert_eq!((sketch.inputs, sketch.outputs), (2, 1));
        assert_eq!((sketch.sets[0].count, sketch.sets[0].targets), (4, 1));
        assert_eq!(sketch.ranges, [(-0.12, 1.12), (-0.12, 1.12)]);
        let end = train(&mut session, to(2000));
        let picture = end.pictures[0].clone();
        assert_eq!(picture.values.len(), SIDE * SIDE);
        // Checks corners of the unit square; the first row of the picture is the top.
        let at = |x: f64, y: f64| {
            let place = |v: f64| ((v + 0.12) / 1.24 * (SIDE - 1) as f64).round() as usize;
            picture.values[(SIDE - 1 - place(y)) * SIDE + place(x)]
        };
        assert!(at(0.0, 0.0) < 0.2 && at(1.0, 1.0) < 0.2);
        assert!(at(0.0, 1.0) > 0.8 && at(1.0, 0.0) > 0.8);
        pictures.push(picture.values);
    }
    assert_eq!(pictures[0], pictures[1]);
}

#[test]
fn a_curve_and_a_signal_are_shown_as_they_were_before() {
    for name in ["sine", "unet_training"] {
        let (mut session, _, first) = started(&example(name));
        let first = first.unwrap();
        assert_eq!(first.values, first.before, "{name}");
        let second = train(&mut session, to(1)).pictures.remove(0);
        assert_eq!(second.before, first.before, "{name}");
        assert_ne!(second.values, first.values, "{name}");
    }
}

#[test]
fn a_reader_turns_to_another_set_and_tries_an_input() {
    let (mut session, sketches, first) = started(&example("softmax_glyphs"));
    assert_eq!(first.unwrap().values.len(), 40 * 10);
    let look = Look {
        prediction: 0,
        set: 1,
    };
    let Reply::Pictured(pictures) = session.ask(1, Ask::Look(look)) else {
        panic!("no picture");
    };
    let picture = &pictures[0];
    assert_eq!(picture.look, look);
    // The output that the picture has for a sample equals the output for the sample's input.
    let input = sketches[0].sets[1].input[64..128].to_vec();
    let tried = Tried {
        prediction: 0,
        input,
    };
    let Reply::Tried(outputs) = session.ask(1, Ask::Try(tried)) else {
        panic!("no answer");
    };
    assert_eq!(outputs, picture.values[10..20]);
    let wrong = Tried {
        prediction: 0,
        input: vec![1.0],
    };
    assert!(matches!(session.ask(1, Ask::Try(wrong)), Reply::Outdated));
}

#[test]
fn a_sample_is_written_into_the_program() {
    let source = example("mlp");
    let mut session = load(&source, Some(fletch_native::host));
    let told = data(&mut session, WishOfData::Add(0, vec![0.5, -0.25, 1.0]));
    let changed = apply(&source, &edits(told));
    assert!(
        changed.contains("⟨[1, 1], [0]⟩, ⟨[0.5, −0.25], [1]⟩]"),
        "{changed}"
    );
    for other_size in [vec![1.0], vec![0.5, -0.25, 1.0, 2.0]] {
        assert!(matches!(
            data(&mut session, WishOfData::Add(0, other_size)),
            OfData::Refused(_)
        ));
    }
    // Data of a generator are kept and joined with the new sample; the next sample is written after it.
    let source = example("circles");
    let mut session = load(&source, Some(fletch_native::host));
    let told = data(&mut session, WishOfData::Add(0, vec![0.5, -0.25, 1.0]));
    let changed = apply(&source, &edits(told));
    assert!(changed.len() < source.len() + 50, "{changed}");
    let mut joined = load(&changed, Some(fletch_native::host));
    let told = data(&mut joined, WishOfData::Add(0, vec![0.25, 0.5, 0.0]));
    let twice = apply(&changed, &edits(told));
    assert!(
        twice.contains("[⟨[0.5, −0.25], [1]⟩, ⟨[0.25, 0.5], [0]⟩])"),
        "{twice}"
    );
    assert!(matches!(
        data(&mut joined, WishOfData::Add(0, vec![f64::NAN, 0.5, 0.0])),
        OfData::Refused(_)
    ));
    let mut after = load(&changed, Some(fletch_native::host));
    let tables =
        [&mut session, &mut after].map(|session| match data(session, WishOfData::Save(0)) {
            OfData::File(name, text) => (name, text),
            other => panic!("{other:?}"),
        });
    assert_eq!(tables[0].0, "points.csv");
    assert_eq!(tables[1].1, format!("{}0.5,-0.25,1\n", tables[0].1));
}

#[test]
fn a_set_is_saved_and_read_from_the_file() {
    let source = example("circles");
    let mut session = load(&source, Some(fletch_native::host));
    let OfData::File(name, text) = data(&mut session, WishOfData::Save(0)) else {
        panic!("no file");
    };
    let told = data(&mut session, WishOfData::Read(0, name.clone()));
    let changed = apply(&source, &edits(told));
    assert!(
        changed.contains("data points : Real(2) × Real(1) = csv(\"points.csv\")"),
        "{changed}"
    );
    let list = |session: &mut Session| match data(session, WishOfData::List) {
        OfData::List(cards) => cards[0].clone(),
        other => panic!("{other:?}"),
    };
    let before = list(&mut session);
    assert_eq!(
        (before.count, before.origin.as_deref()),
        (200, Some("circles"))
    );
    let mut session = Session::default();
    let bytes = text.into_bytes();
    session.ask(1, Ask::Files(vec![InputFile { name, bytes }]));
    session.ask(1, Ask::load(changed));
    let after = list(&mut session);
    assert_eq!((after.count, after.first), (200, before.first));
}

#[test]
fn other_weights_have_other_seeds() {
    let source = example("spirals");
    let mut session = load(&source, Some(fletch_native::host));
    let changed = apply(&source, &edits(data(&mut session, WishOfData::Reseed)));
    for line in [
        "he(seed: 4)",
        "he(seed: 5)",
        "he(seed: 6)",
        "noise: 0.05, seed: 1)",
    ] {
        assert!(changed.contains(line), "{line}: {changed}");
    }
    let source = "main = ⌊1⌋";
    assert!(matches!(
        data(&mut load(source, None), WishOfData::Reseed),
        OfData::Refused(_)
    ));
}
