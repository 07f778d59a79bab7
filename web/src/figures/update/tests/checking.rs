//! The gradient check, and the heap of a training: saved, loaded, kept, and given to the steps.

use super::{MLP, Page};
use crate::figures::check::{CarryMsg, CheckMsg};
use crate::figures::train::TrainMsg;
use crate::figures::update::Msg;
use crate::talk::{FromFigures, Tab, ToFigures};
use fletch_playground::Sample;

fn shown() -> Page {
    let mut page = Page::new();
    page.program(1, MLP);
    page.hear(Msg::Told(ToFigures::Tab(Tab::Train)));
    page
}

/// The texts that the page was asked to keep since this was asked last.
fn kept(page: &mut Page) -> Vec<String> {
    let told = std::mem::take(&mut page.told).into_iter();
    let kept = told.filter_map(|said| match said {
        FromFigures::Keep(text) => Some(text),
        _ => None,
    });
    kept.collect()
}

fn loss(page: &Page) -> f64 {
    page.model.train.points.last().unwrap().values[0]
}

#[test]
fn a_check_goes_on_to_its_end_and_is_that_of_its_program() {
    let mut page = shown();
    page.hear(Msg::Check(CheckMsg::Go(true)));
    let (revision, found) = page.model.check.found.clone().unwrap();
    assert_eq!(
        (revision, found.done, page.model.check.going),
        (1, 1.0, None)
    );
    assert_eq!(found.measures[0].descends, Some(true));
    page.hear(Msg::Check(CheckMsg::Step("0".into())));
    page.hear(Msg::Check(CheckMsg::Go(true)));
    assert!(page.model.check.refused.is_some() && page.model.check.going.is_none());
    // Of another program there is nothing yet, and what was found stays that of the one before.
    page.hear(Msg::Check(CheckMsg::Step("1e-4".into())));
    page.program(2, &MLP.replace("0.1, t)", "0.2, t)"));
    assert_eq!(page.model.check.found.as_ref().map(|(of, _)| *of), Some(1));
    page.hear(Msg::Check(CheckMsg::Go(true)));
    let (revision, found) = page.model.check.found.clone().unwrap();
    assert_eq!((revision, page.model.check.refused.clone()), (2, None));
    assert!(
        found.measures[0].verdict.contains("factor 0.2"),
        "{found:?}"
    );
}

#[test]
fn what_a_training_has_come_to_is_kept_until_it_is_reset() {
    let mut page = shown();
    assert_eq!(kept(&mut page), Vec::<String>::new());
    page.hear(Msg::Train(TrainMsg::Epoch));
    let after = loss(&page);
    let texts = kept(&mut page);
    assert_eq!(texts.len(), 1, "once, when it rests");
    page.hear(Msg::Train(TrainMsg::Reset));
    assert_eq!(kept(&mut page), [""]);
    // On a later visit.
    let mut later = Page::new();
    later.program(1, MLP);
    later.hear(Msg::Told(ToFigures::Kept(texts[0].clone())));
    later.hear(Msg::Told(ToFigures::Tab(Tab::Train)));
    assert_eq!(loss(&later), after);
    assert!(
        later
            .model
            .carrying
            .said
            .as_ref()
            .is_some_and(|(wrong, _)| !wrong)
    );
    assert_eq!(kept(&mut later), Vec::<String>::new(), "it is kept already");
    // What does not fit any more leaves the training where it starts.
    let mut other = Page::new();
    other.program(1, &MLP.replace("n_hid = 8", "n_hid = 4"));
    other.hear(Msg::Told(ToFigures::Kept(texts[0].clone())));
    other.hear(Msg::Told(ToFigures::Tab(Tab::Train)));
    assert!(
        other
            .model
            .carrying
            .said
            .as_ref()
            .is_some_and(|(wrong, _)| *wrong)
    );
    assert_eq!(other.model.train.points.len(), 1);
}

#[test]
fn a_heap_is_saved_and_loaded_as_a_file() {
    let mut page = shown();
    let before = loss(&page);
    page.hear(Msg::Train(TrainMsg::Epoch));
    let after = loss(&page);
    page.hear(Msg::Carry(CarryMsg::Save));
    let (name, bytes) = page.saved.pop().unwrap();
    assert_eq!(&*name, "xor.safetensors");
    page.hear(Msg::Train(TrainMsg::Reset));
    assert_eq!(loss(&page), before);
    kept(&mut page);
    page.hear(Msg::Carry(CarryMsg::Chosen("mine".into(), Some(bytes))));
    assert_eq!((loss(&page), page.model.train.points.len()), (after, 1));
    assert_eq!(kept(&mut page).len(), 1);
    for wrong in [Some(b"no heap"[..].into()), None] {
        page.hear(Msg::Carry(CarryMsg::Chosen("mine".into(), wrong)));
        assert!(
            page.model
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
    let mut page = shown();
    page.hear(Msg::Train(TrainMsg::Epoch));
    for (text, sample) in [("3", 3), ("9", 4), ("0", 1), ("no", 1), ("2", 2)] {
        page.hear(Msg::Carry(CarryMsg::Sample(text.into())));
        assert_eq!(page.model.carrying.sample, sample);
    }
    page.told.clear();
    page.hear(Msg::Carry(CarryMsg::Step));
    let [FromFigures::Sample { sample, data, heap }] = page.told.as_slice() else {
        panic!("{:?}", page.told);
    };
    let wanted = Sample { item: 0, step: 1 };
    assert_eq!((*sample, data.as_str(), heap.len()), (wanted, "xor", 2));
    // The page loads the program anew, with this sample.
    let points = page.model.train.points.clone();
    page.hear(Msg::Told(ToFigures::Sample(Some(wanted))));
    page.program(2, MLP);
    assert_eq!(
        (page.model.train.asked, &page.model.train.points),
        (Some(2), &points)
    );
    // Of another text the training begins anew.
    page.hear(Msg::Told(ToFigures::Sample(None)));
    page.program(3, &MLP.replace("2000", "10"));
    assert_eq!(page.model.train.points.len(), 1);
}
