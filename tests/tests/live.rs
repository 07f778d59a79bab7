//! Trainings in the page, in slices: they give the same heaps and measures as those of the command line, however they are cut
//! into slices, with the reference and with modules.

use fletch_elaborate::Files;
use fletch_playground::Session;
use fletch_playground::protocol::{Ask, Asked, Begin, Reply, Trained, Training as Asking};
use fletch_runs::generated::Host;
use fletch_runs::live::Live;
use fletch_runs::training::{Course, Training, train};
use fletch_runs::{Engine, Precision};
use fletch_smooth::Tensor;
use fletch_tests::{examples, programs};
use fletch_trace::Budget;
use std::cell::Cell;

/// Clock that advances by a millisecond whenever it is read, so that slices end as early as they may.
fn now() -> f64 {
    thread_local!(static TIME: Cell<f64> = const { Cell::new(0.0) });
    TIME.replace(TIME.get() + 1.0)
}

fn trained(source: &str, epochs: Option<usize>) -> Training {
    let checked = fletch_ide::check(source);
    let course = Course {
        engine: Engine::Compiled(Precision::Double),
        epochs,
        budget: Budget::steps(100_000),
        heap: &[],
        host: Some(fletch_native::host),
        halt: &|| false,
    };
    let (training, stopped) = train(&checked.program, &Files::default(), course, |_, _| {});
    assert!(stopped.is_none(), "{stopped:?}");
    training
}

fn live(source: &str, host: Option<Host>) -> Live {
    live_in(source, host, Precision::Double)
}

fn live_in(source: &str, host: Option<Host>, precision: Precision) -> Live {
    let program = fletch_ide::check(source).program;
    Live::new(&program, &Files::default(), None, &[], precision, host, now).unwrap()
}

const LINE: &str = "
loc w ∷ (1, 1) = 0.5
op Layer[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
handler H(α : Real(1), t : Real(1)) : Real(1) {
  y ↦ ⌊α · (y − t)⌋
  Layer[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                    | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}
data points = [⟨1, 2⟩, ⟨2, 4⟩, ⟨−1, −2⟩]
train points as ⟨v, t⟩ for 40 epochs = rev handle(v)⟨x⟩. Layer[w](x) with H(0.1, t)
train points as ⟨v, t⟩ for 2 epochs = rev handle(v)⟨x⟩. Layer[w](x) with H(0.01, t)
measure error on points as ⟨v, t⟩ = let a ⇐ Get[w]() in ⌊half_sq(a ∗ v − t)⌋
main = ⌊1⌋
";

fn bits(heap: &[(String, Tensor)]) -> Vec<(&str, Vec<u64>)> {
    heap.iter()
        .map(|(name, contents)| {
            let data = contents.data().iter();
            (name.as_str(), data.map(|entry| entry.to_bits()).collect())
        })
        .collect()
}

#[test]
fn slices_come_to_what_the_whole_comes_to() {
    let whole = trained(LINE, None);
    for host in [None, Some(fletch_native::host as Host)] {
        let mut live = live(LINE, host);
        assert_eq!(live.not_generated().is_some(), host.is_none());
        assert_eq!(live.points()[0].values[0], whole.measures[0].1[0]);
        let mut slices = 0;
        while !live.at().ended {
            live.advance(2.0, None);
            slices += 1;
        }
        assert!(slices > 3, "{slices}");
        assert_eq!(
            (live.at().epochs, live.at().of, live.at().steps),
            (42, 42, 126)
        );
        assert_eq!(bits(live.heap()), bits(&whole.heap));
        let last = live.points().last().unwrap();
        assert_eq!(last.epochs, 42.0);
        assert_eq!(last.values[0], *whole.measures[0].1.last().unwrap());
    }
}

#[test]
fn epoch_by_epoch_the_measures_are_those_of_the_command_line() {
    let whole = trained(LINE, None);
    for host in [None, Some(fletch_native::host as Host)] {
        let mut live = live(LINE, host);
        for epoch in 1..=42 {
            while live.at().epochs < epoch {
                live.advance(3.0, Some(epoch));
            }
            assert_eq!(live.at().epochs, epoch);
        }
        let points = live.points().iter();
        let whole_epochs = points.filter(|point| point.epochs.fract() == 0.0);
        let found: Vec<f64> = whole_epochs.map(|point| point.values[0]).collect();
        assert_eq!(found, whole.measures[0].1);
        live.reset();
        assert_eq!((live.at().epochs, live.points().len()), (0, 1));
        live.advance(f64::INFINITY, None);
        assert_eq!(bits(live.heap()), bits(&whole.heap));
    }
}

#[test]
fn side_by_side_each_item_trains_as_if_it_were_alone() {
    let lines: Vec<&str> = LINE.lines().collect();
    let trains = lines.iter().copied();
    let trains: Vec<&str> = trains.filter(|line| line.starts_with("train ")).collect();
    for (number, train) in trains.iter().enumerate() {
        let alone = lines.iter().copied();
        let alone = alone.filter(|line| !line.starts_with("train ") || line == train);
        let alone: Vec<&str> = alone.collect();
        let alone = trained(&alone.join("\n"), None);
        let program = fletch_ide::check(LINE).program;
        let (files, host) = (Files::default(), Some(fletch_native::host as Host));
        let live = Live::new(
            &program,
            &files,
            Some(number),
            &[],
            Precision::Double,
            host,
            now,
        );
        let mut live = live.unwrap();
        assert_eq!(live.item(), number);
        live.advance(f64::INFINITY, None);
        assert!(live.at().ended);
        assert_eq!(live.item(), number);
        assert_eq!(bits(live.heap()), bits(&alone.heap));
    }
    let mut session = Session::new(Budget {
        now,
        ..Budget::steps(1000)
    });
    session.ask(1, Ask::load(LINE));
    let begin = Begin {
        apart: Some(true),
        ..Begin::default()
    };
    let begun = ask(&mut session, 1, Asked::Start(begin));
    assert_eq!(
        (begun.items, begun.names, begun.of),
        (2, vec!["H(0.1, t)".to_owned(), "H(0.01, t)".to_owned()], 40)
    );
    assert_eq!(begun.beside.len(), 1);
    let advance = Asked::Advance {
        milliseconds: 5,
        to: None,
        until: None,
    };
    // The training that is behind advances first, so that none is far ahead.
    let mut slices = 0;
    loop {
        let at = ask(&mut session, 1, advance);
        slices += 1;
        let beside = &at.beside[0];
        assert!(
            at.epochs <= 2 + 5 || beside.ended,
            "{} and {}",
            at.epochs,
            beside.epochs
        );
        if at.rests() {
            break;
        }
    }
    assert!(slices > 3, "{slices}");
    let end = ask(&mut session, 1, Asked::Hand(1));
    assert_eq!((end.number, end.epochs, end.beside[0].epochs), (1, 2, 40));
    assert_eq!(end.beside[0].number, 0);
    // The reply has all points of the other training again.
    assert_eq!(end.beside[0].points[0].epochs, 0.0);
}

#[test]
fn on_other_samples_a_training_goes_on_and_is_measured_anew() {
    let more = LINE.replace("⟨−1, −2⟩]", "⟨−1, −2⟩, ⟨3, 7⟩]");
    let mut before = live(LINE, None);
    while before.at().epochs < 5 {
        before.advance(3.0, Some(5));
    }
    // One more step begins an epoch, which the new training begins again.
    before.advance(1.0, None);
    let heap = before.heap().to_vec();
    let mut after = live(&more, None);
    assert!(after.continue_from(&mut before));
    assert_eq!(
        (after.at().epochs, after.at().steps, after.samples()),
        (before.at().epochs, 4 * before.at().epochs, 4)
    );
    assert_eq!(bits(after.heap()), bits(&heap));
    let value = |live: &Live| live.points().last().unwrap().values[0];
    assert!(value(&after) > value(&before));
    let program = fletch_ide::check(LINE).program;
    let one = Live::new(
        &program,
        &Files::default(),
        Some(0),
        &[],
        Precision::Double,
        None,
        now,
    );
    assert!(
        !one.unwrap().continue_from(&mut before),
        "it has other items"
    );
}

#[test]
fn a_training_that_diverges_stops_before_the_step_that_gives_nan() {
    let source = LINE.replace("H(0.1, t)", "H(10000, t)");
    let checked = fletch_ide::check(&source);
    let mut ends = Vec::new();
    for host in [None, Some(fletch_native::host as Host)] {
        let mut live = live(&source, host);
        live.advance(f64::INFINITY, Some(1000));
        let stopped = live.stopped().unwrap();
        assert_eq!(stopped.code, "F0608");
        assert!(live.heap().iter().all(|(_, cell)| !cell.data()[0].is_nan()));
        ends.push((stopped.clone(), live.at()));
        // A stopped training does not advance.
        live.advance(10.0, None);
        assert_eq!(live.at(), ends[0].1);
        live.reset();
        assert!(live.stopped().is_none());
    }
    assert_eq!(ends[0], ends[1]);
    let course = Course {
        engine: Engine::Compiled(Precision::Double),
        epochs: None,
        budget: Budget::steps(100_000),
        heap: &[],
        host: Some(fletch_native::host),
        halt: &|| false,
    };
    let (_, stopped) = train(&checked.program, &Files::default(), course, |_, _| {});
    assert_eq!(stopped.unwrap(), ends[0].0);
}

/// Each step subtracts the sample from w, which begins at 3, and divides by the difference.
const DIVIDES: &str = "
loc w ∷ (1) = [3]
op Take[ℓ] : Real(1) ▷ Real(1)
handler H(k : Real(1)) : Real(1) {
  y ↦ ⌊y⌋
  Take[ℓ] ( x ↦ let w ⇐ Get[ℓ]() in let _ ⇐ Put[ℓ](w − x) in let r ⇐ ⌊k / (w − x)⌋ in ⌊⟨r, r⟩⌋
          | y, r ↦ ⌊y⌋ )
}
data steps = [⟨1⟩, ⟨0.5⟩, ⟨1.5⟩, ⟨7⟩]
train steps as ⟨v⟩ for 5 epochs = rev handle(v)⟨x⟩. Take[w](x) with H(1)
measure left on steps as ⟨v⟩ = let w ⇐ Get[w]() in ⌊w⌋
main = ⌊1⌋
";

#[test]
fn a_step_that_stops_leaves_what_was_there_before_it() {
    let mut ends = Vec::new();
    for host in [None, Some(fletch_native::host as Host)] {
        for precision in [Precision::Double, Precision::Single] {
            let mut live = live_in(DIVIDES, host, precision);
            assert_eq!(live.not_generated().is_some(), host.is_none());
            live.advance(f64::INFINITY, None);
            let stopped = live.stopped().unwrap();
            assert_eq!(stopped.code, "F0601");
            assert_eq!(live.at().steps, 2);
            assert_eq!(live.heap()[0].1.data(), [1.5]);
            ends.push(stopped.clone());
        }
    }
    assert!(ends.iter().all(|end| *end == ends[0]));
}

#[test]
fn the_examples_train_as_modules_as_they_do_by_the_reference() {
    let mut trained_as_modules = 0;
    for folder in [examples(), examples().join("bench")] {
        for (name, source) in programs(&folder) {
            if !source.contains("\ntrain ") {
                continue;
            }
            for precision in [Precision::Double, Precision::Single] {
                let mut runs = [None, Some(fletch_native::host as Host)]
                    .map(|host| live_in(&source, host, precision));
                trained_as_modules += usize::from(runs[1].not_generated().is_none());
                for run in &mut runs {
                    // A slice of twelve readings of the test's clock, because the reference is slow.
                    run.advance(12.0, Some(2));
                }
                let [reference, module] = &runs;
                assert_eq!(reference.at(), module.at());
                assert_ne!(reference.at().steps, 0, "{name}");
                assert_eq!(bits(reference.heap()), bits(module.heap()), "{name}");
                assert_eq!(reference.points(), module.points(), "{name}");
            }
        }
    }
    assert!(trained_as_modules > 20, "{trained_as_modules}");
}

fn ask(session: &mut Session, revision: u32, asked: Asked) -> Trained {
    let known = 0;
    match session.ask(revision, Ask::Train(Asking { known, asked })) {
        Reply::Trained(answer) => answer.unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_session_trains_and_goes_on_with_another_learning_rate() {
    let budget = Budget::steps(1000);
    let mut session = Session::new(Budget { now, ..budget }).with_host(fletch_native::host);
    let load = |session: &mut Session, revision: u32, source: &str| {
        session.ask(revision, Ask::load(source));
    };
    load(&mut session, 1, LINE);
    let asking = Asking {
        known: 0,
        asked: Asked::Reset,
    };
    assert!(matches!(
        session.ask(1, Ask::Train(asking)),
        Reply::Outdated
    ));
    let begun = ask(&mut session, 1, Asked::Start(Begin::default()));
    assert_eq!(
        (begun.epochs, begun.of, begun.measures),
        (0, 42, vec!["error".to_owned()])
    );
    assert_eq!(
        (begun.heap[0].name.as_str(), begun.heap[0].entries[0]),
        ("w", 0.5)
    );
    let scalars: Vec<(&str, f64)> = begun
        .scalars
        .iter()
        .map(|scalar| (scalar.name.as_str(), scalar.value))
        .collect();
    assert_eq!(scalars, [("α", 0.1), ("α", 0.01)]);
    let advance = Asked::Advance {
        milliseconds: 1000,
        to: Some(5),
        until: None,
    };
    let five = ask(&mut session, 1, advance);
    assert_eq!((five.epochs, five.points.last().unwrap().epochs), (5, 5.0));
    // The span of a scalar can be replaced by another number.
    let utf16: Vec<u16> = LINE.encode_utf16().collect();
    let (from, to) = (five.scalars[0].from as usize, five.scalars[0].to as usize);
    let changed = [
        String::from_utf16(&utf16[..from]).unwrap(),
        "0.05".to_owned(),
        String::from_utf16(&utf16[to..]).unwrap(),
    ]
    .concat();
    load(&mut session, 2, &changed);
    let kept = ask(
        &mut session,
        2,
        Asked::Start(Begin {
            keep: true,
            ..Begin::default()
        }),
    );
    assert_eq!((kept.epochs, &kept.heap), (5, &five.heap));
    assert_eq!(kept.points.len(), five.points.len());
    let ended = ask(
        &mut session,
        2,
        Asked::Advance {
            milliseconds: 100_000,
            to: None,
            until: None,
        },
    );
    assert!(ended.ended && ended.stopped.is_none());
    let back = ask(&mut session, 2, Asked::Reset);
    assert_eq!((back.epochs, back.heap[0].entries[0]), (0, 0.5));
    load(&mut session, 3, "main = ⌊1⌋");
    let nothing = session.ask(
        3,
        Ask::Train(Asking {
            known: 0,
            asked: Asked::Start(Begin::default()),
        }),
    );
    match nothing {
        Reply::Trained(answer) => assert_eq!(answer.unwrap_err().code, "F0604"),
        other => panic!("{other:?}"),
    }
}
