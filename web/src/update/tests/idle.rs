//! Texts that check and have nothing to run.

use super::{Page, advanced, checked, rejected, shown};
use crate::effects::{Effect, Timer};
use crate::update::Msg;
use fletch_playground::protocol::{Checked, Offer, Reply, RunStatus, TextEdit};
use std::rc::Rc;

fn edit() -> TextEdit {
    TextEdit {
        from: 8,
        to: 8,
        insert: "\n\nmain = R(1)\n".into(),
    }
}

fn idle(revision: u32) -> Reply {
    Reply::Checked(Checked {
        revision,
        diagnostics: Vec::new(),
        outline: Vec::new(),
        main: None,
        offer: Some(Offer {
            text: "main = R(1)".into(),
            edit: edit(),
        }),
    })
}

/// A page at step 15 whose `main` was taken away.
fn page() -> Page {
    let mut page = Page::running(20);
    page.tell(Msg::Show(15)).answer(shown(1, 15));
    page.tell(Msg::Edited("dim n = 2".into()))
        .tell(Msg::Fired(Timer::Check))
        .answer(idle(2));
    page
}

#[test]
fn the_old_run_is_not_shown_as_that_of_a_text_without_a_main() {
    let mut page = page();
    assert!(page.model.is_idle());
    assert_eq!(page.model.trace, None);
    assert!(page.requests().is_empty(), "there is nothing to compute");
    let nowhere = Effect::Mark {
        range: None,
        ran: None,
        reveal: false,
    };
    assert!(page.effects.contains(&nowhere));
    // What was under way comes too late.
    page.answer(advanced(1, 30, RunStatus::Value));
    assert_eq!(page.model.trace, None);
    // An error after it has no old run either.
    page.tell(Msg::Edited("dim n =".into()))
        .tell(Msg::Fired(Timer::Check))
        .answer(rejected(3));
    assert!(!page.model.is_idle() && page.model.trace.is_none());
}

#[test]
fn a_main_that_comes_back_is_shown_where_the_reader_was() {
    let mut page = page();
    page.tell(Msg::Edited("main = A".into()))
        .tell(Msg::Fired(Timer::Check))
        .answer(checked(3))
        .answer(advanced(3, 18, RunStatus::Value));
    assert_eq!(page.asked(), [15]);
}

#[test]
fn the_main_that_is_offered_is_put_in() {
    let mut page = page();
    page.tell(Msg::InsertMain);
    assert_eq!(page.effects, [Effect::Edit(Rc::new([edit()]))]);
    // Not into a text that has changed since.
    page.tell(Msg::Edited("dim n = 3".into()))
        .tell(Msg::InsertMain);
    assert!(page.effects.is_empty());
}
