//! The run of a sample in the place of `main`, and the heap that is kept with the program.

use super::Page;
use crate::effects::{Effect, Store};
use crate::model::HEAP_FILE;
use crate::talk::{FromFigures, Tab};
use crate::update::{FiguresMsg, Msg};
use fletch_playground::Sample;
use fletch_playground::protocol::{Edit, Request};

const SAMPLE: Sample = Sample { item: 0, step: 2 };

fn edit(entry: f64) -> Edit {
    Edit {
        location: "w".to_owned(),
        entries: vec![entry],
    }
}

/// A page that shows the steps of a sample; before, a reader had edited its heap.
fn stepping() -> Page {
    let mut page = Page::running(3);
    page.model.heap.edits = [edit(1.0)].into();
    page.tell(Msg::Figures(FiguresMsg::Said(FromFigures::Sample {
        sample: SAMPLE,
        data: "xor".to_owned(),
        heap: vec![edit(2.0)],
    })));
    page
}

fn loaded(page: &Page) -> (Option<Sample>, Vec<Edit>) {
    match page.requests().as_slice() {
        [Request::Sample(sample), Request::Load { heap, .. }] => (*sample, heap.clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_steps_are_those_of_the_sample_until_the_reader_goes_back() {
    let mut page = stepping();
    assert_eq!(loaded(&page), (Some(SAMPLE), vec![edit(2.0)]));
    assert_eq!(page.model.figures.tab, Tab::Steps);
    page.answer(fletch_playground::protocol::Reply::Taken);
    page.answer(super::checked(2));
    page.tell(Msg::Figures(FiguresMsg::Main));
    assert_eq!(loaded(&page), (None, vec![edit(1.0)]));
    assert_eq!(page.model.figures.sampled, None);
}

#[test]
fn another_text_leaves_the_sample() {
    let mut page = stepping();
    page.tell(Msg::Edited("main = B".into()));
    assert_eq!(page.model.figures.sampled, None);
    assert_eq!(*page.model.heap.edits, [edit(1.0)]);
}

#[test]
fn a_heap_is_a_file_of_the_program_and_nothing_is_checked_for_it() {
    let mut page = Page::running(3);
    let keep = |page: &mut Page, text: &str| {
        let said = FromFigures::Keep(text.to_owned());
        page.tell(Msg::Figures(FiguresMsg::Said(said)));
        assert_eq!(page.requests(), Vec::<&Request>::new());
        let stored = page.effects.iter().find_map(|effect| match effect {
            Effect::Drafts(Store::Files(_, files)) => Some(files.len()),
            _ => None,
        });
        let lasts = page.effects.iter().find_map(|effect| match effect {
            Effect::Keep(draft) => Some(draft.lasts),
            _ => None,
        });
        (stored, lasts)
    };
    assert_eq!(keep(&mut page, ""), (None, None), "there was none");
    assert_eq!(keep(&mut page, "AAAA"), (Some(1), Some(true)));
    assert_eq!(&*page.model.program.files[0].name, HEAP_FILE);
    assert_eq!(keep(&mut page, "AAAA"), (None, None), "it is there");
    assert_eq!(keep(&mut page, ""), (Some(0), Some(false)));
}
