//! Tests of the gradient check, and of the heap of a training: saved, loaded, kept, and passed to the steps.

use super::shown;
use crate::answered::{MLP, Page};
use crate::drafts::DataFile;
use crate::model::Tab;
use crate::train::TrainMsg;
use crate::train::check::{CarryMsg, CheckMsg};
use crate::train::sampled::HEAP_FILE;
use crate::update::Msg;
use fletch_playground::Sample;
use std::rc::Rc;

/// The page on a later visit, with a heap that was kept with the program.
fn later(source: &str, heap: &Rc<str>) -> Page {
    let mut page = Page::new(source);
    page.model.program.files = Rc::new([DataFile {
        name: HEAP_FILE.into(),
        bytes: heap.as_bytes().into(),
    }]);
    page.tab(Tab::Train);
    page
}

fn loss(page: &Page) -> f64 {
    page.model.train.points.last().unwrap().values[0]
}

#[test]
fn a_check_goes_on_to_its_end_and_is_that_of_its_program() {
    let mut page = shown(MLP);
    page.check(CheckMsg::Go(true));
    let (revision, found) = page.model.train.check.found.clone().unwrap();
    assert_eq!(
        (revision, found.done, page.model.train.check.going),
        (1, 1.0, None)
    );
    assert_eq!(found.measures[0].descends, Some(true));
    page.check(CheckMsg::Step("0".into()));
    page.check(CheckMsg::Go(true));
    assert!(page.model.train.check.refused.is_some() && page.model.train.check.going.is_none());
    // Another program has no result yet, and the result of the program before stays.
    page.check(CheckMsg::Step("1e-4".into()));
    page.program(&MLP.replace("0.1, t)", "0.2, t)"));
    assert_eq!(
        page.model.train.check.found.as_ref().map(|(of, _)| *of),
        Some(1)
    );
    page.check(CheckMsg::Go(true));
    let (revision, found) = page.model.train.check.found.clone().unwrap();
    assert_eq!(
        (revision, page.model.train.check.refused.clone()),
        (2, None)
    );
    assert!(
        found.measures[0].verdict.contains("factor 0.2"),
        "{found:?}"
    );
}

#[test]
fn a_check_without_a_training_blames_neither_step_nor_tolerance() {
    let mut page = Page::new(MLP);
    page.check(CheckMsg::Go(true));
    let check = &page.model.train.check;
    assert_eq!((check.refused.clone(), check.going), (None, None));
}

#[test]
fn what_a_training_has_come_to_is_kept_until_it_is_reset() {
    let mut page = shown(MLP);
    assert_eq!(page.take_kept(), Vec::<Rc<str>>::new());
    page.train(TrainMsg::Epoch);
    let after = loss(&page);
    let texts = page.take_kept();
    assert_eq!(texts.len(), 1, "once, when it rests");
    page.train(TrainMsg::Reset);
    assert_eq!(page.take_kept(), ["".into()]);
    // On a later visit.
    let mut again = later(MLP, &texts[0]);
    assert_eq!(loss(&again), after);
    let train = &again.model.train;
    assert_eq!(
        (train.trained.as_ref().unwrap().epochs, train.points.len()),
        (1, 2)
    );
    assert_eq!(train.run().given, "α 0.1".into());
    assert!(
        again
            .model
            .train
            .carrying
            .said
            .as_ref()
            .is_some_and(|(wrong, _)| !wrong)
    );
    assert_eq!(
        again.take_kept(),
        Vec::<Rc<str>>::new(),
        "it is kept already"
    );
    again.train(TrainMsg::Epoch);
    assert_eq!(again.model.train.trained.as_ref().unwrap().epochs, 2);
    // A heap that no longer fits leaves the training at its start.
    let other = later(&MLP.replace("n_hid = 8", "n_hid = 4"), &texts[0]);
    assert!(
        other
            .model
            .train
            .carrying
            .said
            .as_ref()
            .is_some_and(|(wrong, _)| *wrong)
    );
    assert_eq!(other.model.train.points.len(), 1);
}

#[test]
fn a_heap_is_saved_and_loaded_as_a_file() {
    let mut page = shown(MLP);
    let before = loss(&page);
    page.train(TrainMsg::Epoch);
    let after = loss(&page);
    page.carry(CarryMsg::Save);
    let file = page.saved.pop().unwrap();
    assert_eq!(&*file.name, "xor.safetensors");
    page.train(TrainMsg::Reset);
    assert_eq!(loss(&page), before);
    page.kept.clear();
    page.carry(CarryMsg::Chosen("mine".into(), Some(file.bytes)));
    assert_eq!((loss(&page), page.model.train.points.len()), (after, 1));
    assert_eq!(page.take_kept().len(), 1);
    for wrong in [Some(b"no heap"[..].into()), None] {
        page.carry(CarryMsg::Chosen("mine".into(), wrong));
        assert!(
            page.model
                .train
                .carrying
                .said
                .as_ref()
                .is_some_and(|(wrong, _)| *wrong)
        );
        assert_eq!(loss(&page), after);
    }
}

#[test]
fn the_steps_of_a_sample_are_shown_from_the_heap_and_the_training_stays() {
    let mut page = shown(MLP);
    page.train(TrainMsg::Epoch);
    for (text, sample) in [("3", 3), ("9", 4), ("0", 1), ("no", 1), ("2", 2)] {
        page.carry(CarryMsg::Sample(text.into()));
        assert_eq!(page.model.train.carrying.sample, sample);
    }
    page.take_kept();
    let points = page.model.train.points.clone();
    page.carry(CarryMsg::Step);
    let sampled = page.model.sampled.clone().unwrap();
    let wanted = Sample { item: 0, step: 1 };
    assert_eq!((sampled.sample, &*sampled.data), (wanted, "xor"));
    assert_eq!(
        (page.model.heap.edits.len(), page.model.tab),
        (2, Tab::Steps)
    );
    // The program runs again, with this sample.
    let trace = page.model.trace.clone().unwrap();
    assert_eq!((trace.revision, page.model.train.asked), (2, Some(1)));
    page.tab(Tab::Train);
    assert_eq!(
        (page.model.train.asked, &page.model.train.points),
        (Some(2), &points)
    );
    // The program runs again, with `main`.
    page.hear(Msg::Main);
    assert!(page.model.sampled.is_none() && page.model.heap.edits.is_empty());
    assert_eq!(
        (page.model.train.asked, &page.model.train.points),
        (Some(3), &points)
    );
    assert!(page.take_kept().is_empty(), "it is kept already");
    // For another text, the training restarts, and `main` runs.
    page.carry(CarryMsg::Step);
    page.tab(Tab::Train);
    assert_eq!(page.model.train.points, points);
    page.program(&MLP.replace("2000", "10"));
    assert!(page.model.sampled.is_none());
    assert_eq!(page.model.train.points.len(), 1);
}
