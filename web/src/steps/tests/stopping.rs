//! Tests of runs that take long: stopped, continued, and given up.

use crate::editor::CheckPhase;
use crate::effects::{Effect, Timer};
use crate::model::{Health, WorkerId};
use crate::steps::run::RunState;
use crate::update::Msg;
use crate::update::tests::{Page, advanced, asked, checked, indexed, load, rejected, shown};
use fletch_playground::protocol::{Ask, Reply, Request, RunStatus};

/// A page whose program has made 900 steps and still runs.
fn under_way() -> Page {
    let mut page = Page::open();
    page.tell(Msg::WorkerReady(WorkerId::Steps))
        .answer(checked())
        .answer(advanced(900, RunStatus::Running))
        .answer(shown(0));
    page
}

#[test]
fn a_long_run_is_stopped_at_once_and_its_last_slice_comes_in_later() {
    let mut page = under_way();
    page.tell(Msg::Fired(Timer::Slow));
    assert!(page.model.worker.slow);
    page.tell(Msg::Stop);
    assert_eq!(page.state(), Some(&RunState::Stopped));
    assert!(!page.model.worker.slow);
    page.answer(advanced(1800, RunStatus::Running));
    assert_eq!(page.state(), Some(&RunState::Stopped));
    assert_eq!(page.steps(), Some(1800));
    assert!(matches!(
        page.requests()[..],
        [
            Request {
                ask: Ask::Show(_),
                ..
            },
            Request {
                revision: 1,
                ask: Ask::Index
            }
        ]
    ));
    assert!(page.effects.contains(&Effect::Cancel(Timer::Stop)));
    page.answer(shown(0))
        .answer(indexed(1800))
        .tell(Msg::Continue);
    assert_eq!(
        page.requests(),
        [&asked(1, Ask::Advance { milliseconds: 25 })]
    );
    assert_eq!(page.state(), Some(&RunState::Worker(RunStatus::Running)));
}

#[test]
fn a_run_that_ends_in_its_last_slice_has_ended() {
    let mut page = under_way();
    page.tell(Msg::Stop)
        .answer(advanced(1000, RunStatus::Value));
    assert_eq!(page.state(), Some(&RunState::Worker(RunStatus::Value)));
}

#[test]
fn a_run_that_is_continued_before_its_last_slice_is_there_asks_for_no_second_one() {
    let mut page = under_way();
    page.tell(Msg::Stop).tell(Msg::Continue);
    assert!(page.requests().is_empty());
    page.answer(advanced(1800, RunStatus::Running));
    assert_eq!(page.state(), Some(&RunState::Worker(RunStatus::Running)));
    assert_eq!(
        page.requests(),
        [&asked(1, Ask::Advance { milliseconds: 25 })]
    );
}

#[test]
fn an_exhausted_run_keeps_its_steps_and_is_given_another_budget() {
    let mut page = under_way();
    page.answer(advanced(2000, RunStatus::Exhausted("stopped".into())))
        .answer(shown(0))
        .answer(indexed(2000))
        .tell(Msg::Show(1500))
        .answer(shown(1500))
        .tell(Msg::Continue);
    assert_eq!(page.requests(), [&asked(1, Ask::Extend)]);
    page.answer(advanced(2000, RunStatus::Running));
    assert_eq!(
        page.requests(),
        [&asked(1, Ask::Advance { milliseconds: 25 })]
    );
    page.answer(advanced(2600, RunStatus::Value));
    assert_eq!((page.position(), page.steps()), (Some(1500), Some(2600)));
}

#[test]
fn a_run_that_cannot_be_extended_is_left_as_it_is() {
    let mut page = under_way();
    page.answer(advanced(2000, RunStatus::Exhausted("stopped".into())))
        .answer(shown(0))
        .answer(indexed(2000))
        .tell(Msg::Continue)
        .answer(Reply::Outdated);
    assert_eq!(page.state(), Some(&RunState::Stopped));
}

#[test]
fn a_run_that_an_edit_interrupts_goes_on_while_the_text_does_not_check() {
    let mut page = under_way();
    page.tell(Msg::Edited("main = B".into()));
    page.answer(advanced(1800, RunStatus::Running));
    assert!(page.requests().is_empty(), "the text is the reader's turn");
    page.tell(Msg::Fired(Timer::Check)).answer(rejected());
    assert_eq!(
        page.requests(),
        [&asked(1, Ask::Advance { milliseconds: 25 })]
    );
}

#[test]
fn a_program_that_checked_while_it_was_edited_is_the_one_on_show_when_the_next_does_not_check() {
    let mut page = Page::running(20);
    page.tell(Msg::Edited("main = B".into()))
        .tell(Msg::Fired(Timer::Check))
        .tell(Msg::Edited("main = B?".into()))
        .answer(checked());
    assert!(!page.model.can_step(), "the worker has the newer trace");
    page.tell(Msg::Fired(Timer::Check)).answer(rejected());
    page.answer(advanced(9, RunStatus::Value));
    assert_eq!(page.steps(), Some(9));
    assert!(page.model.is_stale() && page.model.can_step());
}

#[test]
fn a_position_asked_for_during_a_check_is_shown_after_it() {
    let mut page = Page::running(20);
    page.tell(Msg::Edited("main = B".into()))
        .tell(Msg::Fired(Timer::Check))
        .tell(Msg::Show(7));
    assert!(page.asked().is_empty(), "the worker may have another trace");
    page.answer(rejected());
    assert_eq!(page.asked(), [7]);
}

#[test]
fn a_check_that_does_not_stop_is_given_up_soon() {
    let mut page = Page::open();
    page.tell(Msg::WorkerReady(WorkerId::Steps)).tell(Msg::Stop);
    assert!(page.effects.contains(&Effect::Start(Timer::Stop, 150)));
    page.tell(Msg::Fired(Timer::Stop));
    assert_eq!(page.model.check.phase, CheckPhase::Stopped);
}

#[test]
fn a_worker_that_does_not_stop_is_replaced_and_the_view_stays() {
    let mut page = under_way();
    page.tell(Msg::Stop);
    assert!(page.effects.contains(&Effect::Start(Timer::Stop, 1000)));
    page.tell(Msg::Fired(Timer::Stop));
    assert!(page.effects.contains(&Effect::StartWorker(WorkerId::Steps)));
    assert_eq!(page.state(), Some(&RunState::Lost));
    assert_eq!(page.on_screen(), Some((1, 0)));
    assert_eq!(page.model.worker.health, Health::Starting);
    page.tell(Msg::WorkerReady(WorkerId::Steps));
    assert!(page.requests().is_empty(), "nothing runs by itself again");
    page.tell(Msg::Retry);
    assert_eq!(page.requests(), [&load(2, "main = A")]);
}
