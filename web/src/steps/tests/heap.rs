//! Tests of editing initial contents, and of requesting all entries of large tensors.

use crate::effects::Timer;
use crate::model::{Anchor, Opened, Popover, WorkerId};
use crate::steps::heap::Scale;
use crate::steps::update::heap::HeapMsg;
use crate::update::Msg;
use crate::update::tests::{Page, advanced, asked, checked};
use fletch_playground::protocol::{
    Ask, Blank, CellView, Chip, Edit, Entries, Picture, Reply, RunStatus, StepView,
};
use std::rc::Rc;

fn cell(entries: &[f64]) -> CellView {
    CellView {
        name: "ℓ0".into(),
        shape: "2 × 2".into(),
        rows: 2,
        columns: 2,
        entries: entries.to_vec(),
        before: None,
        start: None,
        ids: (0, 0),
        value: 0,
        picture: Picture::Matrix,
        summary: None,
        blank: Some(Blank::Initial),
        writes: 0,
        history: Vec::new(),
        update: None,
        active: None,
        source: (0, 0),
    }
}

fn shown(cell: CellView) -> Reply {
    Reply::Shown(Box::new(StepView {
        heap: vec![cell],
        ..StepView::default()
    }))
}

/// A page that shows this location.
fn showing(cell: CellView) -> Page {
    let mut page = Page::open();
    page.tell(Msg::WorkerReady(WorkerId::Steps))
        .answer(checked())
        .answer(advanced(20, RunStatus::Value));
    page.answer(shown(cell));
    // The reply for the index of the trace.
    page.answer(Reply::Outdated);
    page
}

impl Page {
    fn heap(&mut self, msg: HeapMsg) -> &mut Self {
        self.tell(Msg::Heap(msg))
    }

    fn text(&self) -> Option<&str> {
        Some(&self.model.heap.editor.as_ref()?.text)
    }

    fn edits_sent(&self) -> Vec<Vec<Edit>> {
        self.requests()
            .iter()
            .filter_map(|request| match &request.ask {
                Ask::Load { heap, .. } => Some(heap.clone()),
                _ => None,
            })
            .collect()
    }
}

fn edited(page: &mut Page) {
    page.heap(HeapMsg::Edit("ℓ0".into()))
        .heap(HeapMsg::Typed("1 −2\n3 4.5".into()))
        .heap(HeapMsg::Apply);
}

#[test]
fn the_scale_is_shared_until_the_reader_wants_one_for_each_card() {
    let mut page = showing(cell(&[1.0, 2.0, 3.0, 4.0]));
    assert_eq!(page.model.heap.scale, Scale::Shared);
    page.heap(HeapMsg::Scale(Scale::Own));
    assert_eq!(page.model.heap.scale, Scale::Own);
    page.heap(HeapMsg::Scale(Scale::Shared));
    assert_eq!(page.model.heap.scale, Scale::Shared);
}

#[test]
fn edited_entries_start_the_run_anew_and_a_reset_takes_them_back() {
    let mut page = showing(cell(&[1.0, -2.0, 3.0, 0.25]));
    page.heap(HeapMsg::Edit("ℓ0".into()));
    assert_eq!(page.text(), Some("1 −2\n3 0.25"));
    edited(&mut page);
    let edit = Edit {
        location: "ℓ0".into(),
        entries: vec![1.0, -2.0, 3.0, 4.5],
    };
    assert_eq!(page.edits_sent(), [vec![edit]]);
    assert_eq!(page.text(), None);
    page.answer(checked())
        .answer(advanced(20, RunStatus::Value));
    page.heap(HeapMsg::Reset("ℓ0".into()));
    assert_eq!(page.edits_sent(), [Vec::new()]);
}

#[test]
fn an_entry_that_is_not_touched_keeps_all_its_digits() {
    let third = 1.0 / 3.0;
    let mut page = showing(cell(&[third, -third, 1e-7, 12345.678]));
    page.heap(HeapMsg::Edit("ℓ0".into()));
    assert_eq!(page.text(), Some("0.3333 −0.3333\n1e-7   12346"));
    let typed = "0.33330 −0.3333\n1e-7 2";
    page.heap(HeapMsg::Typed(typed.into())).heap(HeapMsg::Apply);
    let sent = page.edits_sent();
    let [edits] = sent.as_slice() else {
        panic!("{sent:?}");
    };
    assert_eq!(
        edits.first().map(|edit| edit.entries.as_slice()),
        Some([0.3333, -third, 1e-7, 2.0].as_slice())
    );
}

#[test]
fn a_mistake_keeps_the_editor_open_and_says_where_it_is() {
    let mut page = showing(cell(&[1.0, 2.0, 3.0, 4.0]));
    page.heap(HeapMsg::Edit("ℓ0".into()))
        .heap(HeapMsg::Typed("1 2\n3 x".into()))
        .heap(HeapMsg::Apply);
    assert_eq!(page.edits_sent(), Vec::<Vec<Edit>>::new());
    let error = |page: &Page| page.model.heap.editor.as_ref()?.error.clone();
    assert_eq!(
        error(&page).as_deref(),
        Some("Row 2, column 2: “x” is not a finite number.")
    );
    page.heap(HeapMsg::Typed("1 2\n3 4".into()));
    assert_eq!(error(&page), None);
    // The text is unchanged after all, so nothing runs.
    page.heap(HeapMsg::Apply);
    assert_eq!((page.edits_sent(), page.text()), (Vec::new(), None));
}

#[test]
fn what_is_edited_is_what_the_run_started_from() {
    let mut written = cell(&[5.0; 4]);
    written.before = Some(vec![1.0; 4]);
    // The step from here writes the location for the first time, or has done so.
    for writes in [0, 1] {
        written.writes = writes;
        let mut page = showing(written.clone());
        page.heap(HeapMsg::Edit("ℓ0".into()));
        assert_eq!(page.text(), Some("1 1\n1 1"));
    }
    written.writes = 2;
    written.start = Some(vec![0.0; 4]);
    let mut page = showing(written);
    page.heap(HeapMsg::Edit("ℓ0".into()));
    assert_eq!(page.text(), Some("0 0\n0 0"));
}

#[test]
fn edits_end_with_another_example_and_with_another_size() {
    let mut page = showing(cell(&[1.0; 4]));
    edited(&mut page);
    page.answer(checked())
        .answer(advanced(20, RunStatus::Value))
        .answer(shown(cell(&[1.0; 4])));
    assert_eq!(page.model.heap.edits.len(), 1);
    page.answer(Reply::Outdated);
    page.tell(Msg::Open(0));
    assert_eq!(page.model.heap.edits.len(), 0);

    let mut page = showing(cell(&[1.0; 4]));
    edited(&mut page);
    page.answer(checked())
        .answer(advanced(20, RunStatus::Value))
        .answer(shown(cell(&[1.0; 6])));
    assert_eq!(page.model.heap.edits.len(), 0);
}

#[test]
fn all_entries_are_asked_for_when_a_large_chip_is_opened() {
    let mut page = showing(cell(&[1.0; 4]));
    let open = |id| Popover {
        opened: Opened::Chip(Rc::new(Chip {
            id,
            value: 0,
            shape: "2 × 300".into(),
            rows: 2,
            columns: 128,
            entries: vec![0.5; 256],
            size: 600,
        })),
        anchor: Anchor {
            edges: (0, 0, 0, 0),
            window: (100, 100),
        },
        pinned: true,
    };
    page.tell(Msg::ChipOpened(open(3)));
    assert_eq!(page.requests(), [&asked(1, Ask::Entries { chip: 3 })]);
    page.answer(Reply::Entries(Some(Entries {
        entries: vec![0.25; 600],
    })));
    let Some(Opened::Chip(chip)) = page.model.popover.as_ref().map(|open| &open.opened) else {
        panic!("the view of the chip is open");
    };
    assert_eq!(
        (chip.id, chip.rows, chip.columns, chip.entries.len()),
        (0, 2, 300, 600)
    );
    // A small chip has all entries.
    page.tell(Msg::ChipClosed).tell(Msg::ChipOpened(open(0)));
    assert!(page.requests().is_empty());
}

#[test]
fn a_word_opens_its_meaning_and_asks_for_nothing() {
    let mut page = showing(cell(&[1.0; 4]));
    let word = |pinned| Popover {
        opened: Opened::Gloss {
            word: "cotangent".into(),
            meaning: "how much the result changes".into(),
        },
        anchor: Anchor {
            edges: (0, 0, 0, 0),
            window: (100, 100),
        },
        pinned,
    };
    page.tell(Msg::ChipOpened(word(false)));
    assert_eq!(page.model.popover, Some(word(false)));
    assert!(page.requests().is_empty());
    // The pointer or the keyboard leaves; shortly after, the popover closes, unless a click keeps it open.
    page.tell(Msg::ChipLeft).tell(Msg::Fired(Timer::Hover));
    assert_eq!(page.model.popover, None);
    page.tell(Msg::ChipOpened(word(true)))
        .tell(Msg::ChipLeft)
        .tell(Msg::Fired(Timer::Hover));
    assert_eq!(page.model.popover, Some(word(true)));
    page.tell(Msg::ChipOpened(word(true)));
    assert_eq!(page.model.popover, None, "a second click closes it");
}

#[test]
fn the_places_of_one_tensor_are_lit_up_while_a_chip_has_the_pointer() {
    let mut page = showing(cell(&[1.0; 4]));
    let over = |value, pinned| Popover {
        opened: Opened::Chip(Rc::new(Chip {
            id: 0,
            value,
            shape: "4".into(),
            rows: 1,
            columns: 4,
            entries: vec![1.0; 4],
            size: 4,
        })),
        anchor: Anchor {
            edges: (0, 0, 0, 0),
            window: (100, 100),
        },
        pinned,
    };
    page.tell(Msg::ChipHovered(over(3, false)));
    assert_eq!(page.model.alike, 3);
    page.tell(Msg::ChipLeft);
    assert_eq!(page.model.alike, 0);
    page.tell(Msg::ChipOpened(over(5, true)));
    assert_eq!(page.model.alike, 5, "the keyboard does the same");
    // Numbers of tensors are valid within one view.
    page.tell(Msg::Show(1)).answer(shown(cell(&[1.0; 4])));
    assert_eq!(page.model.alike, 0);
}
