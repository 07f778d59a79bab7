//! Tests of the training of a program.

use crate::answered::{MLP, Page};
use crate::effects::Timer;
use crate::model::{Model, Tab};
use crate::train::check::CarryMsg;
use crate::train::{Field, Pace, TrainMsg};
use crate::update::Msg;
use fletch_playground::protocol::{Ask, Asked, Begin, Training};

/// Requests to trainings since the last call of this function.
fn asked(page: &mut Page) -> Vec<Asked> {
    let all = std::mem::take(&mut page.asked);
    let trainings = all.into_iter().filter_map(|request| match request.ask {
        Ask::Train(Training { asked, .. }) => Some(asked),
        _ => None,
    });
    trainings.collect()
}

/// True if a reply about a training is awaited.
fn waits(page: &Page) -> bool {
    page.model.second.awaits(|ask| matches!(ask, Ask::Train(_)))
}

/// A program with its training tab shown.
fn shown(source: &str) -> Page {
    let mut page = Page::new(source);
    page.tab(Tab::Types);
    assert_eq!(asked(&mut page), [], "nothing is planned that is not shown");
    page.tab(Tab::Train);
    assert_eq!(asked(&mut page), [start(false)]);
    page.train(TrainMsg::Pace(Pace::Full));
    page
}

#[test]
fn a_training_goes_on_until_its_end_and_starts_again() {
    let mut page = shown(MLP);
    let trained = page.model.train.trained.clone().unwrap();
    assert_eq!((trained.epochs, trained.of), (0, 2000));
    assert_eq!(page.model.train.points.len(), 1);
    page.train(TrainMsg::Epoch);
    let trained = page.model.train.trained.clone().unwrap();
    assert_eq!((trained.epochs, page.model.train.going), (1, false));
    assert_eq!(page.model.train.points.last().unwrap().epochs, 1.0);
    page.train(TrainMsg::Go(true));
    let trained = page.model.train.trained.clone().unwrap();
    assert!(trained.ended && !page.model.train.going);
    let last = page.model.train.points.last().unwrap().clone();
    assert!(last.epochs == 2000.0 && last.values[0] < 1e-6, "{last:?}");
    page.train(TrainMsg::Go(true));
    let trained = page.model.train.trained.clone().unwrap();
    assert!(trained.ended && !page.model.train.going);
    assert_eq!((trained.epochs, trained.of), (4000, 4000));
    let points = &page.model.train.points;
    assert!(points.is_sorted_by(|before, after| before.epochs < after.epochs));
    page.train(TrainMsg::Reset);
    let trained = page.model.train.trained.clone().unwrap();
    assert_eq!((trained.epochs, page.model.train.points.len()), (0, 1));
    assert_eq!(trained.of, 2000, "as many as it says");
    assert!(!waits(&page));
}

#[test]
fn an_answer_on_its_way_does_not_stop_what_a_reader_starts_after_the_end() {
    let over = |model: &Model| model.train.over();
    for pace in [Pace::Full, Pace::Film] {
        let mut page = shown(MLP);
        page.train(TrainMsg::Pace(Pace::Full));
        page.hear_until(Msg::Train(TrainMsg::Go(true)), over);
        assert!(waits(&page), "one more request was under way");
        page.train(TrainMsg::Pace(pace));
        page.hear_until(Msg::Train(TrainMsg::Go(true)), |model| {
            model.train.trained.as_ref().unwrap().of == 4000
        });
        assert!(page.model.train.going, "{pace:?}");
    }
    let mut page = shown(MLP);
    page.hear_until(Msg::Train(TrainMsg::Go(true)), over);
    page.train(TrainMsg::Go(true));
    assert_eq!(page.model.train.trained.clone().unwrap().epochs, 4000);
}

#[test]
fn after_a_reset_that_is_on_its_way_a_training_goes_from_its_start() {
    let pressed = |model: &Model| model.train.begins;
    for (next, epochs) in [(TrainMsg::Epoch, 1), (TrainMsg::Go(true), 2000)] {
        let mut page = shown(MLP);
        page.train(TrainMsg::Go(true));
        page.hear_until(Msg::Train(TrainMsg::Reset), pressed);
        page.train(next);
        let trained = page.model.train.trained.clone().unwrap();
        assert_eq!((trained.epochs, trained.of), (epochs, 2000));
        assert!(!page.model.train.going && !waits(&page));
    }
}

#[test]
fn one_epoch_after_a_reset_is_one_whatever_is_on_its_way() {
    let mut page = shown(MLP);
    let some = |model: &Model| model.train.trained.as_ref().unwrap().epochs > 0;
    page.train(TrainMsg::Pace(Pace::Epochs(10)));
    page.hear_until(Msg::Train(TrainMsg::Go(true)), some);
    page.hear_until(Msg::Train(TrainMsg::Go(false)), |_| true);
    page.hear_until(Msg::Train(TrainMsg::Reset), |_| true);
    page.train(TrainMsg::Epoch);
    let trained = page.model.train.trained.clone().unwrap();
    assert_eq!((trained.epochs, page.model.train.going), (1, false));
}

#[test]
fn a_number_that_is_changed_is_written_into_the_program_and_the_training_goes_on() {
    let mut page = shown(MLP);
    page.train(TrainMsg::Epoch);
    page.edits.clear();
    for (text, why) in [
        ("", "a number is missing"),
        ("quick", "“quick” is no number"),
        (
            "0,05",
            "“0,05” has a comma: a number is written with a point",
        ),
        ("1e999", "“1e999” is too large"),
        ("nan", "“nan” is no number"),
    ] {
        page.train(TrainMsg::Scalar(0, text.into()));
        assert_eq!(page.model.train.wrong, Some((Field::Scalar(0), why.into())));
    }
    page.train(TrainMsg::Scalar(0, "0.1".into()));
    assert_eq!(page.model.train.wrong, None);
    page.train(TrainMsg::Scalar(7, "0.2".into()));
    assert!(page.edits.is_empty(), "no number, or no other one");
    page.train(TrainMsg::Scalar(0, "0.05".into()));
    let changed = page.edited();
    assert!(
        changed.contains("with H_MLP(0.05, t)\nmeasure"),
        "{changed}"
    );
    asked(&mut page);
    page.program(&changed);
    assert_eq!(asked(&mut page), [start(true)]);
    let trained = page.model.train.trained.clone().unwrap();
    assert_eq!((trained.epochs, trained.scalars[0].value), (1, 0.05));
    // Any other change restarts the training.
    page.program(&changed.replace("n_hid = 8", "n_hid = 4"));
    assert_eq!(asked(&mut page), [start(false)]);
    assert_eq!(page.model.train.trained.as_ref().unwrap().epochs, 0);
}

fn start(keep: bool) -> Asked {
    Asked::Start(Begin {
        keep,
        ..Begin::default()
    })
}

#[test]
fn what_cannot_be_trained_is_said() {
    let mut page = shown("main = ⌊1⌋");
    let why = page.model.train.refused.clone().unwrap();
    assert_eq!(why.code, "F0604");
    page.train(TrainMsg::Go(true));
    assert!(!page.model.train.going && !waits(&page));
    page.program(MLP);
    assert!(page.model.train.refused.is_none() && page.model.train.trained.is_some());
    page.stale();
    assert!(!page.model.train.going);
    // A training with too large a rate stops before the step that gives NaN.
    page.program(&MLP.replace("H_MLP(0.1, t)\nmeasure", "H_MLP(1e200, t)\nmeasure"));
    page.train(TrainMsg::Go(true));
    let trained = page.model.train.trained.clone().unwrap();
    assert_eq!(trained.stopped.as_ref().unwrap().code, "F0608");
    assert!(!page.model.train.going);
}

#[test]
fn at_a_pace_each_epoch_is_asked_for_when_it_is_due() {
    let mut page = shown(MLP);
    page.train(TrainMsg::Pace(Pace::Epochs(10)));
    page.train(TrainMsg::Go(true));
    let epochs = |page: &Page| page.model.train.trained.as_ref().unwrap().epochs;
    assert_eq!((epochs(&page), page.rested.as_slice()), (1, &[100][..]));
    assert!(page.model.train.going);
    page.hear(Msg::Fired(Timer::Epoch));
    page.hear(Msg::Fired(Timer::Epoch));
    assert_eq!((epochs(&page), page.rested.len()), (3, 3));
    assert_eq!(page.model.train.points.len(), 4);
    page.train(TrainMsg::Go(false));
    page.hear(Msg::Fired(Timer::Epoch));
    assert_eq!(epochs(&page), 3);
    page.train(TrainMsg::Pace(Pace::Full));
    page.train(TrainMsg::Go(true));
    assert_eq!((epochs(&page), page.model.train.going), (2000, false));
}

#[test]
fn a_film_goes_from_stop_to_stop_and_what_is_past_can_be_looked_at() {
    let mut page = shown(MLP);
    page.train(TrainMsg::Pace(Pace::Film));
    page.train(TrainMsg::Go(true));
    let mut stops = 1;
    while page.model.train.going {
        page.hear(Msg::Fired(Timer::Epoch));
        stops += 1;
    }
    assert!((60..=120).contains(&stops), "{stops} stops");
    assert!(
        page.rested.iter().all(|rest| *rest == 33),
        "{:?}",
        page.rested
    );
    let end = page.model.train.trained.clone().unwrap();
    assert_eq!((end.epochs, end.past), (2000, None));
    let picture = page.model.train.pictures.picture.clone().unwrap();
    page.train(TrainMsg::Past(0));
    let past = page.model.train.trained.clone().unwrap();
    assert_eq!((past.epochs, past.past), (2000, Some(0)));
    assert_ne!(past.heap, end.heap);
    assert_ne!(page.model.train.pictures.picture, Some(picture));
    assert_eq!(page.model.train.read, Some(0.0));
    assert_eq!(
        page.model.train.points.len(),
        page.model.train.known as usize
    );
    page.train(TrainMsg::Past(2000));
    let now = page.model.train.trained.clone().unwrap();
    assert_eq!(
        (now.heap.clone(), page.model.train.read),
        (end.heap.clone(), None)
    );
    // The training continues from its own epoch, not from the past one on display.
    page.train(TrainMsg::Past(10));
    page.train(TrainMsg::Pace(Pace::Full));
    page.train(TrainMsg::Go(true));
    let on = page.model.train.trained.clone().unwrap();
    assert_eq!((on.epochs, on.past), (4000, None));
}

const BOTH: &str = include_str!("../../../../examples/sgd_and_adam.fletch");

/// A running training, at a pace of single epochs.
fn going(source: &str) -> Page {
    let mut page = shown(source);
    page.train(TrainMsg::Pace(Pace::Epochs(10)));
    page.train(TrainMsg::Go(true));
    page
}

fn epochs(page: &Page) -> u32 {
    page.model.train.trained.as_ref().unwrap().epochs
}

#[test]
fn on_other_data_a_training_goes_on_with_its_heap() {
    let more = MLP.replace("⟨[0, 0], [0]⟩,", "⟨[0, 0], [0]⟩, ⟨[0.5, 0.5], [1]⟩,");
    let mut page = shown(MLP);
    page.train(TrainMsg::Epoch);
    let before = page.model.train.trained.clone().unwrap();
    let measured = page.model.train.points.last().unwrap().clone();
    page.program(&more);
    let after = page.model.train.trained.clone().unwrap();
    assert_eq!(
        (after.epochs, after.samples, &after.heap),
        (1, 5, &before.heap)
    );
    // Measures at this epoch are taken again on the new data.
    let last = page.model.train.points.last().unwrap().clone();
    assert_eq!((last.epochs, page.model.train.points.len()), (1.0, 2));
    assert_ne!(last.values, measured.values);
    assert!(!page.model.train.going && page.model.train.runs.is_empty());

    // A running training waits until the text is known to check, and then continues.
    let mut page = going(MLP);
    assert_eq!(epochs(&page), 1);
    page.stale();
    page.hear(Msg::Fired(Timer::Epoch));
    assert_eq!(epochs(&page), 1);
    page.program(&more);
    assert!(page.model.train.going);
    assert_eq!(epochs(&page), 2);
    // Another network is trained from its start, when the reader starts it.
    page.stale();
    page.program(&more.replace("n_hid = 8", "n_hid = 4"));
    assert_eq!((epochs(&page), page.model.train.going), (0, false));
    page.hear(Msg::Fired(Timer::Epoch));
    assert_eq!(epochs(&page), 0);
}

#[test]
fn side_by_side_each_item_has_a_heap_of_its_own() {
    let mut page = shown(BOTH);
    let of = |page: &Page| page.model.train.trained.as_ref().unwrap().of;
    assert_eq!(
        (of(&page), page.model.train.sides().len()),
        (500, 2),
        "alike but for their handlers"
    );
    page.train(TrainMsg::Apart(false));
    assert_eq!((of(&page), page.model.train.sides().len()), (1000, 0));
    let other = shown(&BOTH.replace(
        "500 epochs = rev handle(v)⟨x⟩. R(x) with H_Adam",
        "300 epochs = rev handle(v)⟨x⟩. R(x) with H_Adam",
    ));
    assert_eq!(
        (of(&other), other.model.train.sides().len()),
        (800, 0),
        "one after the other"
    );
    page.train(TrainMsg::Apart(true));
    let names: Vec<String> = page
        .model
        .train
        .sides()
        .iter()
        .map(|side| side.name.to_owned())
        .collect();
    assert_eq!(names, ["H_SGD(0.1, t)", "H_Adam(0.02, 0.9, 0.999, t)"]);
    let first = |page: &Page| -> Vec<f64> {
        let sides = page.model.train.sides();
        sides.iter().map(|side| side.points[0].values[0]).collect()
    };
    assert_eq!(
        first(&page)[0],
        first(&page)[1],
        "the same weights at first"
    );
    page.train(TrainMsg::Epoch);
    assert!(
        page.model
            .train
            .sides()
            .iter()
            .all(|side| side.epochs == (1, 500))
    );
    assert!(!page.model.train.going);
    page.train(TrainMsg::Go(true));
    let ends = |page: &Page| -> Vec<f64> {
        let sides = page.model.train.sides();
        assert!(
            sides
                .iter()
                .all(|side| side.epochs == (500, 500) && side.picture.is_some())
        );
        sides
            .iter()
            .map(|side| side.points.last().unwrap().values[0])
            .collect()
    };
    let ended = ends(&page);
    assert!(
        ended[0] != ended[1] && ended.iter().all(|loss| *loss < 0.01),
        "{ended:?}"
    );
    assert!(!page.model.train.going);
    // Selecting another training shows its heap, and the curves stay the same.
    let sgd = page.model.train.trained.clone().unwrap();
    page.train(TrainMsg::Hand(1));
    let adam = page.model.train.trained.clone().unwrap();
    assert_eq!((sgd.number, adam.number), (0, 1));
    assert_ne!(sgd.heap, adam.heap);
    assert_eq!(ends(&page), ended);
    // Each of the runs is kept for comparison.
    page.train(TrainMsg::Keep);
    page.train(TrainMsg::Reset);
    let given: Vec<&str> = page
        .model
        .train
        .runs
        .iter()
        .map(|run| &*run.given)
        .collect();
    assert_eq!(given, names);
    assert!(
        page.model
            .train
            .sides()
            .iter()
            .all(|side| side.epochs.0 == 0 && side.points.len() == 1)
    );
    page.train(TrainMsg::Apart(false));
    let trained = page.model.train.trained.clone().unwrap();
    assert_eq!((trained.of, page.model.train.sides().len()), (1000, 0));
}

#[test]
fn the_heap_is_kept_now_and_then_while_it_is_trained() {
    let mut page = going(MLP);
    assert_eq!((page.timed, page.take_kept().len()), (1, 0));
    page.hear(Msg::Fired(Timer::Keep));
    let first = page.take_kept();
    assert_eq!((page.timed, first.len()), (2, 1));
    // This heap is kept already.
    page.carry(CarryMsg::Leave);
    assert!(page.take_kept().is_empty());
    page.hear(Msg::Fired(Timer::Epoch));
    page.carry(CarryMsg::Leave);
    let second = page.take_kept();
    assert!(second.len() == 1 && second != first);
    // A resting training sets no further timer.
    page.train(TrainMsg::Go(false));
    assert!(page.take_kept().is_empty(), "what it has come to is kept");
    page.hear(Msg::Fired(Timer::Keep));
    assert_eq!((page.timed, page.take_kept().len()), (2, 0));
}

#[test]
fn a_training_stays_while_the_program_means_the_same() {
    let mut page = going(MLP);
    let (heap, points) = (
        page.model.train.trained.clone().unwrap(),
        page.model.train.points.clone(),
    );
    // A typo and its correction; then a comment and other spaces, while another tab is shown.
    page.stale();
    page.program(MLP);
    page.hear(Msg::Fired(Timer::Epoch));
    assert_eq!(epochs(&page), 2, "it goes on");
    page.train(TrainMsg::Go(false));
    let at = page.model.train.points.clone();
    assert!(at.starts_with(&points));
    page.program(&format!("{MLP}\nfoo"));
    assert_eq!(page.model.train.points, at);
    page.tab(Tab::Steps);
    let spaced = MLP.replace("let z_hid ⇐", "-- forward\n  let  z_hid ⇐");
    page.program(&spaced);
    page.tab(Tab::Train);
    assert_eq!(page.model.train.points, at);
    assert_ne!(page.model.train.trained.as_ref().unwrap().heap, heap.heap);
    // Another activation makes another network.
    page.program(&spaced.replace("swish", "tanh"));
    assert_eq!((epochs(&page), page.model.train.points.len()), (0, 1));
}

#[test]
fn a_stopped_training_is_resumed_from_its_heap() {
    let mut page = shown(MLP);
    page.train(TrainMsg::Epoch);
    let heap = page.model.train.trained.as_ref().unwrap().heap.clone();
    page.train(TrainMsg::Scalar(0, "1e200".into()));
    let wild = page.edited();
    page.program(&wild);
    page.train(TrainMsg::Go(true));
    let stopped = page.model.train.trained.clone().unwrap();
    assert!(stopped.stopped.is_some() && stopped.rests());
    page.train(TrainMsg::Scalar(0, "0.05".into()));
    let tame = page.edited();
    page.program(&tame);
    let there = page.model.train.trained.clone().unwrap();
    assert!(there.stopped.is_none() && !there.rests());
    assert_eq!((there.steps, &there.heap), (stopped.steps, &stopped.heap));
    assert_ne!(there.heap, heap, "it does not begin anew");
}

#[test]
fn nothing_of_another_program_stays() {
    let mut page = shown(MLP);
    page.train(TrainMsg::Epoch);
    page.train(TrainMsg::Keep);
    assert!(page.model.train.pictures.sketch().is_some());
    // Without its prediction there is no picture.
    let (before, _) = MLP.split_once("predict").unwrap();
    page.program(before);
    assert!(page.model.train.pictures.sketch().is_none());
    assert!(page.model.train.pictures.picture.is_none());
    assert_eq!(page.model.train.runs.len(), 1, "it is the same draft");
    page.model.program.draft = "another".into();
    page.program(BOTH);
    let train = &page.model.train;
    assert_eq!((train.runs.len(), train.count), (0, 0));
    assert_eq!((epochs(&page), train.points.len()), (0, 1));
}

#[test]
fn a_training_pauses_once_a_measure_is_below_a_number() {
    for (pace, source) in [(Pace::Full, MLP), (Pace::Film, MLP), (Pace::Full, BOTH)] {
        let mut page = shown(source);
        page.train(TrainMsg::Pace(pace));
        page.train(TrainMsg::Until(0, "0.01".into()));
        page.train(TrainMsg::Go(true));
        while page.model.train.going {
            page.hear(Msg::Fired(Timer::Epoch));
        }
        let trained = page.model.train.trained.clone().unwrap();
        assert!(trained.reached && !trained.ended && trained.epochs > 0);
        for side in page.model.train.now() {
            let values: Vec<f64> = side.points.iter().map(|point| point.values[0]).collect();
            let (last, before) = values.split_last().unwrap();
            assert!(*last < 0.01 && before.iter().all(|value| *value >= 0.01));
        }
        // The goal is reached already; without a goal the training continues.
        page.train(TrainMsg::Go(true));
        page.hear(Msg::Fired(Timer::Epoch));
        assert_eq!(
            (epochs(&page), page.model.train.going),
            (trained.epochs, false)
        );
        page.train(TrainMsg::Until(0, "".into()));
        page.train(TrainMsg::Epoch);
        let next = page.model.train.trained.clone().unwrap();
        assert_eq!(next.least(), trained.least() + 1);
    }
    let mut page = shown(MLP);
    page.train(TrainMsg::Until(0, "soon".into()));
    assert_eq!(
        page.model.train.wrong,
        Some((Field::Until, "“soon” is no number".into()))
    );
    assert_eq!(page.model.train.until, None);
}
