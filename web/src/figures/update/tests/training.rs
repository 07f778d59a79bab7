//! The training beside a program.

use super::{MLP, Page};
use crate::figures::train::TrainMsg;
use crate::figures::update::Msg;
use crate::talk::{FromFigures, Tab, ToFigures};
use fletch_playground::figures::protocol::{Asked, Precision, Request, Training};

/// What was asked of trainings since this was asked last.
fn asked(page: &mut Page) -> Vec<Asked> {
    let all = std::mem::take(&mut page.asked);
    let trainings = all.into_iter().filter_map(|request| match request {
        Request::Train(Training { asked, .. }) => Some(asked),
        _ => None,
    });
    trainings.collect()
}

fn shown(source: &str) -> Page {
    let mut page = Page::new();
    page.program(1, source);
    assert_eq!(asked(&mut page), [], "nothing is planned that is not shown");
    page.hear(Msg::Told(ToFigures::Tab(Tab::Train)));
    assert_eq!(asked(&mut page), [start(false)]);
    page
}

#[test]
fn a_training_goes_on_until_its_end_and_starts_again() {
    let mut page = shown(MLP);
    let trained = page.model.train.trained.clone().unwrap();
    assert_eq!((trained.epochs, trained.of), (0, 2000));
    assert_eq!(page.model.train.points.len(), 1);
    page.hear(Msg::Train(TrainMsg::Epoch));
    let trained = page.model.train.trained.clone().unwrap();
    assert_eq!((trained.epochs, page.model.train.going), (1, false));
    assert_eq!(page.model.train.points.last().unwrap().epochs, 1.0);
    page.hear(Msg::Train(TrainMsg::Go(true)));
    let trained = page.model.train.trained.clone().unwrap();
    assert!(trained.ended && !page.model.train.going);
    let last = page.model.train.points.last().unwrap().clone();
    assert!(last.epochs == 2000.0 && last.values[0] < 1e-6, "{last:?}");
    page.hear(Msg::Train(TrainMsg::Reset));
    let trained = page.model.train.trained.clone().unwrap();
    assert_eq!((trained.epochs, page.model.train.points.len()), (0, 1));
    assert_eq!(page.model.train.waits, 0);
}

#[test]
fn a_number_that_is_changed_is_written_into_the_program_and_the_training_goes_on() {
    let mut page = shown(MLP);
    page.hear(Msg::Train(TrainMsg::Epoch));
    page.told.clear();
    for text in ["", "quick", "1e999", "0.1"] {
        page.hear(Msg::Train(TrainMsg::Scalar(0, text.into())));
    }
    page.hear(Msg::Train(TrainMsg::Scalar(7, "0.2".into())));
    assert_eq!(page.told, [], "no number, or no other one");
    page.hear(Msg::Train(TrainMsg::Scalar(0, "0.05".into())));
    let [FromFigures::Edit(edit)] = page.told.as_slice() else {
        panic!("{:?}", page.told);
    };
    let units: Vec<u16> = MLP.encode_utf16().collect();
    let (before, rest) = units.split_at(edit.from as usize);
    let after = &rest[(edit.to - edit.from) as usize..];
    let text = |units: &[u16]| String::from_utf16(units).unwrap();
    let changed = format!("{}{}{}", text(before), edit.insert, text(after));
    assert!(
        changed.contains("with H_MLP(0.05, t)\nmeasure"),
        "{changed}"
    );
    page.told.clear();
    asked(&mut page);
    page.program(2, &changed);
    assert_eq!(asked(&mut page), [start(true)]);
    let trained = page.model.train.trained.clone().unwrap();
    assert_eq!((trained.epochs, trained.scalars[0].value), (1, 0.05));
    // Any other change starts anew.
    page.program(3, &changed.replace("n_hid = 8", "n_hid = 4"));
    assert_eq!(asked(&mut page), [start(false)]);
    assert_eq!(page.model.train.trained.as_ref().unwrap().epochs, 0);
}

fn start(keep: bool) -> Asked {
    Asked::Start {
        keep,
        precision: Precision::Double,
    }
}

#[test]
fn what_cannot_be_trained_is_said() {
    let mut page = shown("main = ⌊1⌋");
    let why = page.model.train.refused.clone().unwrap();
    assert_eq!(why.code, "F0604");
    page.hear(Msg::Train(TrainMsg::Go(true)));
    assert!(!page.model.train.going && page.model.train.waits == 0);
    page.program(2, MLP);
    assert!(page.model.train.refused.is_none() && page.model.train.trained.is_some());
    page.hear(Msg::Told(ToFigures::Stale));
    assert!(!page.model.train.going);
    // A rate that is too large ends before the step that gives NaN.
    page.program(
        3,
        &MLP.replace("H_MLP(0.1, t)\nmeasure", "H_MLP(1e200, t)\nmeasure"),
    );
    page.hear(Msg::Train(TrainMsg::Go(true)));
    let trained = page.model.train.trained.clone().unwrap();
    assert_eq!(trained.stopped.as_ref().unwrap().code, "F0608");
    assert!(!page.model.train.going);
}

#[test]
fn at_a_pace_each_epoch_is_asked_for_when_it_is_due() {
    let mut page = shown(MLP);
    page.hear(Msg::Train(TrainMsg::Pace(Some(10))));
    page.hear(Msg::Train(TrainMsg::Go(true)));
    let epochs = |page: &Page| page.model.train.trained.as_ref().unwrap().epochs;
    assert_eq!((epochs(&page), page.rested.as_slice()), (1, &[100][..]));
    assert!(page.model.train.going);
    page.hear(Msg::Train(TrainMsg::Due));
    page.hear(Msg::Train(TrainMsg::Due));
    assert_eq!((epochs(&page), page.rested.len()), (3, 3));
    assert_eq!(page.model.train.points.len(), 4);
    page.hear(Msg::Train(TrainMsg::Go(false)));
    page.hear(Msg::Train(TrainMsg::Due));
    assert_eq!(epochs(&page), 3);
    page.hear(Msg::Train(TrainMsg::Pace(None)));
    page.hear(Msg::Train(TrainMsg::Go(true)));
    assert_eq!((epochs(&page), page.model.train.going), (2000, false));
}
