//! The heap of a training is saved to a file and loaded again, kept as text and restored, and used as the initial heap of a sample's run.

use fletch_playground::protocol::{
    Ask, Asked, Begin, Carried, Carry, Drawing, Mode, Reply, Sample, Show, Trained, Training,
};
use fletch_playground::{Budget, Session};
use std::fs;
use std::path::Path;

fn mlp() -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    fs::read_to_string(examples.join("mlp.fletch")).unwrap()
}

fn session() -> Session {
    let mut session = Session::default();
    session.ask(1, Ask::load(mlp()));
    session
}

fn train(session: &mut Session, revision: u32, asked: Asked) -> Trained {
    let asked = Training { known: 0, asked };
    let Reply::Trained(answer) = session.ask(revision, Ask::Train(asked)) else {
        panic!("no training");
    };
    answer.unwrap()
}

fn carry(session: &mut Session, what: Carry) -> Carried {
    match session.ask(1, Ask::Carry(what)) {
        Reply::Carried(carried) => *carried,
        other => panic!("{other:?}"),
    }
}

const EPOCH: Asked = Asked::Advance {
    milliseconds: 60_000,
    to: Some(1),
    until: None,
};

#[test]
fn a_training_gives_its_heap_and_takes_it_again() {
    let mut session = session();
    let begins = train(&mut session, 1, Asked::Start(Begin::default()));
    assert_eq!((begins.data.as_str(), begins.samples), ("xor", 4));
    let trained = train(&mut session, 1, EPOCH);
    assert_ne!(trained.heap, begins.heap);
    let Carried::Saved(bytes) = carry(&mut session, Carry::Save) else {
        panic!("not saved");
    };
    let Carried::Kept(Some(text)) = carry(&mut session, Carry::Keep(1 << 20, Vec::new())) else {
        panic!("not kept");
    };
    assert_eq!(
        carry(&mut session, Carry::Keep(100, Vec::new())),
        Carried::Kept(None)
    );
    // The histories are the line before the heap.
    let heap = text.lines().last().unwrap().to_owned();
    for what in [Carry::Load("h".to_owned(), bytes), Carry::Restore(heap)] {
        assert_eq!(train(&mut session, 1, Asked::Reset).heap, begins.heap);
        let Carried::Loaded(missing, loaded) = carry(&mut session, what) else {
            panic!("not loaded");
        };
        assert!(missing.is_empty());
        assert_eq!((loaded.epochs, &loaded.heap), (0, &trained.heap));
        assert_eq!(
            loaded.points.last().unwrap().values,
            trained.points.last().unwrap().values
        );
    }
    let wrong = carry(&mut session, Carry::Load("h".to_owned(), b"text".to_vec()));
    assert!(matches!(wrong, Carried::Refused(_)), "{wrong:?}");
    // A reset returns to the program's heap, not to the file's.
    assert_eq!(train(&mut session, 1, Asked::Reset).heap, begins.heap);
}

#[test]
fn trainings_are_resumed_where_they_were_left_if_the_program_means_the_same() {
    let begin = Begin {
        apart: Some(true),
        ..Begin::default()
    };
    let both = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/sgd_and_adam.fletch"),
    );
    let both = both.unwrap();
    let mut session = Session::default();
    session.ask(1, Ask::load(both.clone()));
    train(&mut session, 1, Asked::Start(begin));
    train(&mut session, 1, Asked::Hand(1));
    train(&mut session, 1, EPOCH);
    let left = train(&mut session, 1, Asked::Hand(1));
    let given = vec![(0, "α 0.1".to_owned())];
    let kept = carry(&mut session, Carry::Keep(1 << 20, given.clone()));
    let Carried::Kept(Some(text)) = kept else {
        panic!("not kept");
    };
    let again = |source: String| {
        let mut session = Session::default();
        session.ask(1, Ask::load(source));
        train(&mut session, 1, Asked::Start(begin));
        train(&mut session, 1, Asked::Hand(1));
        carry(&mut session, Carry::Restore(text.clone()))
    };
    // A program with another comment has the same meaning.
    let Carried::Resumed(numbers, there) = again(format!("{both}\n-- later\n")) else {
        panic!("not resumed");
    };
    assert_eq!(numbers, given);
    assert_eq!(
        (there.epochs, there.steps, there.of),
        (1, left.steps, left.of)
    );
    assert_eq!((&there.heap, there.points.len()), (&left.heap, 2));
    assert_eq!(there.beside[0].epochs, 1);
    // A program with another meaning takes the heap, and counts its epochs from 0.
    let Carried::Loaded(_, there) = again(both.replace("0.02, 0.9", "0.03, 0.9")) else {
        panic!("not taken");
    };
    assert_eq!((there.epochs, &there.heap), (0, &left.heap));
}

#[test]
fn the_run_of_a_sample_stands_in_the_place_of_main_and_leaves_the_training_alone() {
    let mut session = session();
    train(&mut session, 1, Asked::Start(Begin::default()));
    let trained = train(&mut session, 1, EPOCH);
    let Carried::Started(heap, item) = carry(&mut session, Carry::Start) else {
        panic!("nothing to start from");
    };
    assert_eq!((item, heap.len()), (0, trained.heap.len()));
    session.ask(1, Ask::Sample(Some(Sample { item, step: 1 })));
    session.ask(2, Ask::load(mlp()));
    let after = train(
        &mut session,
        2,
        Asked::Start(Begin {
            keep: true,
            ..Begin::default()
        }),
    );
    assert_eq!(
        (after.epochs, &after.heap, after.points.len()),
        (1, &trained.heap, trained.points.len())
    );

    // The diagram is that of the sample's run, with the node `v` of the `train` item. Its input [0, 1] has norm 1.
    let Reply::Norms(norms) = session.ask(2, Ask::Norms(Default::default())) else {
        panic!("no norms");
    };
    assert_eq!(norms.epochs, Some(1));
    assert!(norms.wires.contains(&Some(1.0)), "{:?}", norms.wires);
    let drawing = Drawing {
        of: "main".to_owned(),
        ..Drawing::default()
    };
    let Reply::Drawn(drawn) = session.ask(2, Ask::Draw(drawing)) else {
        panic!("not drawn");
    };
    let boxes = drawn.unwrap().picture.boxes;
    assert!(boxes.iter().any(|shape| shape.label == "v"), "{boxes:?}");

    // The run reaches the same heap as a step of the training.
    let mut steps = Session::new(Budget::steps(100_000));
    steps.ask(1, Ask::Sample(Some(Sample { item, step: 1 })));
    let Reply::Checked(checked) = steps.ask(
        1,
        Ask::Load {
            source: mlp(),
            heap,
            mode: Mode::default(),
        },
    ) else {
        panic!("not checked");
    };
    assert!(checked.main.is_some());
    steps.ask(
        1,
        Ask::Advance {
            milliseconds: 60_000,
        },
    );
    let show = Show {
        width: 80,
        ..Show::default()
    };
    let Reply::Shown(view) = steps.ask(1, Ask::Show(show)) else {
        panic!("not shown");
    };
    for (cell, other) in view.heap.iter().zip(&trained.heap) {
        assert_eq!((&cell.name, &cell.entries), (&other.name, &other.entries));
    }
    // A sample that does not exist leaves `main` as it is.
    steps.ask(1, Ask::Sample(Some(Sample { item: 0, step: 9 })));
    let again = steps.ask(2, Ask::load(mlp()));
    assert!(matches!(again, Reply::Checked(checked) if checked.main.is_some()));
}
