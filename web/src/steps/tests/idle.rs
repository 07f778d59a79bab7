//! Tests of texts that check and have nothing to run.

use crate::effects::{Effect, Timer};
use crate::model::WorkerId;
use crate::update::Msg;
use crate::update::tests::{Page, advanced, asked, checked, rejected, shown};
use fletch_playground::protocol::{Ask, Checked, Offer, Reply, RunStatus, TextEdit};
use std::rc::Rc;

fn edit() -> TextEdit {
    TextEdit {
        from: 8,
        to: 8,
        insert: "\n\nmain = R(1)\n".into(),
    }
}

fn idle() -> Reply {
    Reply::Checked(Checked {
        diagnostics: Vec::new(),
        outline: Vec::new(),
        main: None,
        commands: vec!["n".into()],
        files: Vec::new(),
    })
}

/// The reply after `idle`.
fn offered() -> Reply {
    Reply::Offered(Some(Offer {
        text: "main = R(1)".into(),
        edit: edit(),
    }))
}

/// A page at step 15 whose `main` was removed from the text.
fn page() -> Page {
    let mut page = Page::running(20);
    page.tell(Msg::Show(15)).answer(shown(15));
    page.tell(Msg::Edited("dim n = 2".into()))
        .tell(Msg::Fired(Timer::Check))
        .answer(idle());
    page
}

#[test]
fn the_old_run_is_not_shown_as_that_of_a_text_without_a_main() {
    let mut page = page();
    assert!(page.model.is_idle());
    assert_eq!(page.model.trace, None);
    let offer = asked(2, Ask::Offer);
    assert_eq!(page.requests(), [&offer], "there is nothing to compute");
    let nowhere = Effect::Mark {
        range: None,
        ran: None,
        reveal: false,
    };
    assert!(page.effects.contains(&nowhere));
    // A later error does not bring the old run back.
    page.answer(offered());
    page.tell(Msg::Edited("dim n =".into()))
        .tell(Msg::Fired(Timer::Check))
        .answer(rejected());
    assert!(!page.model.is_idle() && page.model.trace.is_none());
}

#[test]
fn steps_that_were_under_way_come_too_late_for_a_text_without_a_main() {
    let mut page = Page::open();
    page.tell(Msg::WorkerReady(WorkerId::Steps))
        .answer(checked())
        .answer(advanced(900, RunStatus::Running))
        .answer(shown(0))
        .tell(Msg::Edited("dim n = 2".into()))
        .tell(Msg::Fired(Timer::Check))
        .answer(advanced(1800, RunStatus::Running));
    let slice = asked(1, Ask::Advance { milliseconds: 25 });
    assert_eq!(page.requests(), [&slice], "the check waits before it");
    page.answer(idle()).answer(advanced(2700, RunStatus::Value));
    assert_eq!(page.model.trace, None);
}

#[test]
fn a_main_that_comes_back_is_shown_where_the_reader_was() {
    let mut page = page();
    page.answer(offered())
        .tell(Msg::Edited("main = A".into()))
        .tell(Msg::Fired(Timer::Check))
        .answer(checked())
        .answer(advanced(18, RunStatus::Value));
    assert_eq!(page.asked(), [15]);
}

#[test]
fn the_main_that_is_offered_is_put_in() {
    let mut page = page();
    page.answer(offered()).tell(Msg::InsertMain);
    assert_eq!(page.effects, [Effect::Edit(Rc::new([edit()]))]);
    // A text that has changed since stays as it is.
    page.tell(Msg::Edited("dim n = 3".into()))
        .tell(Msg::InsertMain);
    assert!(page.effects.is_empty());
}

#[test]
fn a_main_that_is_offered_to_an_older_text_is_not_offered() {
    let mut page = page();
    page.tell(Msg::Edited("dim n = 3".into()))
        .tell(Msg::Fired(Timer::Check))
        .answer(offered());
    assert_eq!(page.model.check.offer, None);
    page.answer(idle()).answer(offered());
    assert!(page.model.check.offer.is_some());
}
