//! Tests of the run of a training sample in place of `main`, and of the heap that is kept with the program.

use crate::effects::{Effect, Store};
use crate::model::{Shared, Tab, WorkerId};
use crate::train::check::CarryMsg;
use crate::train::sampled::HEAP_FILE;
use crate::update::Msg;
use crate::update::tests::{Page, asked, checked};
use fletch_playground::Sample;
use fletch_playground::protocol::{Ask, Carried, Carry, Edit, Reply, Request, Trained};
use std::rc::Rc;

const SAMPLE: Sample = Sample { item: 0, step: 2 };

fn edit(entry: f64) -> Edit {
    Edit {
        location: "w".to_owned(),
        entries: vec![entry],
    }
}

/// Answers a request to the worker of the figures about the heap of the training.
fn carried(page: &mut Page, carry: Carry, carried: Carried) {
    page.model.train.asked = Some(1);
    let request = asked(1, Ask::Carry(carry));
    page.model.second.in_flight.push_back(Rc::new(request));
    page.figure(Reply::Carried(Box::new(carried)));
}

/// A page that shows the steps of a sample, after the reader had edited the heap.
fn stepping() -> Page {
    let mut page = Page::running(3);
    page.model.heap.edits = [edit(1.0)].into();
    page.model.train.trained = Some(Shared::new(Trained {
        data: "xor".to_owned(),
        samples: 4,
        ..Trained::default()
    }));
    page.tell(Msg::Carry(CarryMsg::Sample("3".into())));
    let started = Carried::Started(vec![edit(2.0)], SAMPLE.item);
    carried(&mut page, Carry::Start, started);
    page
}

/// Sample and initial contents that the last message sent to a worker.
fn loaded(page: &Page, worker: WorkerId) -> (Option<Sample>, Vec<Edit>) {
    let sent = page.sent(worker);
    let asks: Vec<&Ask> = sent.into_iter().map(|request| &request.ask).collect();
    match asks[..] {
        [Ask::Sample(sample), Ask::Load { heap, .. }] => (*sample, heap.clone()),
        _ => panic!("{asks:?}"),
    }
}

#[test]
fn the_steps_are_those_of_the_sample_until_the_reader_goes_back() {
    let mut page = stepping();
    let sampled = (Some(SAMPLE), vec![edit(2.0)]);
    assert_eq!(loaded(&page, WorkerId::Steps), sampled);
    assert_eq!(page.model.tab, Tab::Steps);
    let data = page.model.sampled.as_ref().map(|sampled| &*sampled.data);
    assert_eq!(data, Some("xor"));
    page.answer(Reply::Taken).answer(checked());
    page.tell(Msg::Main);
    let main = (None, vec![edit(1.0)]);
    assert_eq!(loaded(&page, WorkerId::Steps), main);
    assert_eq!(page.model.sampled, None);
}

#[test]
fn what_is_drawn_is_that_of_the_sample_too_and_its_training_goes_on() {
    let mut page = stepping();
    page.answer(Reply::Taken)
        .answer(checked())
        .tell(Msg::Tab(Tab::Diagram));
    let sampled = (Some(SAMPLE), vec![edit(2.0)]);
    assert_eq!(loaded(&page, WorkerId::Figures), sampled);
    page.tell(Msg::Main);
    assert!(
        page.sent(WorkerId::Figures).is_empty(),
        "not before a check"
    );
    page.answer(Reply::Outdated)
        .answer(Reply::Taken)
        .answer(checked());
    let main = (None, vec![edit(1.0)]);
    assert_eq!(loaded(&page, WorkerId::Figures), main);
    assert!(page.model.train.keep);
}

#[test]
fn another_text_leaves_the_sample() {
    let mut page = stepping();
    page.tell(Msg::Edited("main = B".into()));
    assert_eq!(page.model.sampled, None);
    assert_eq!(*page.model.heap.edits, [edit(1.0)]);
}

#[test]
fn a_heap_is_a_file_of_the_program_and_nothing_is_checked_for_it() {
    let mut page = Page::running(3);
    let keep = |page: &mut Page, text: Option<&str>| {
        let kept = Carried::Kept(text.map(str::to_owned));
        carried(page, Carry::Keep(9, Vec::new()), kept);
        assert_eq!(page.requests(), Vec::<&Request>::new());
        let stored = page.effects.iter().find_map(|effect| match effect {
            Effect::Drafts(Store::Files(files)) => Some(files.len()),
            _ => None,
        });
        let lasts = page.effects.iter().find_map(|effect| match effect {
            Effect::Keep(draft) => Some(draft.lasts),
            _ => None,
        });
        (stored, lasts)
    };
    assert_eq!(keep(&mut page, None), (None, None), "there was none");
    assert_eq!(keep(&mut page, Some("AAAA")), (Some(1), Some(true)));
    assert_eq!(&*page.model.program.files[0].name, HEAP_FILE);
    assert_eq!(keep(&mut page, Some("AAAA")), (None, None), "it is there");
    assert_eq!(keep(&mut page, None), (Some(0), Some(false)));
}
