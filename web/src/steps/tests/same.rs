//! Tests of the soundness mark: requested once, shown at each step, kept for later visits.

use crate::compare::{CompareMsg, mark};
use crate::effects::{Effect, stored};
use crate::model::{Health, Tab, WorkerId};
use crate::update::Msg;
use crate::update::tests::{Page, advanced, asked, checked, load, shown};
use fletch_playground::protocol as p;
use fletch_playground::protocol::{Ask, Opened, Reply, RunStatus, Same, Verdict};

const START: Effect = Effect::StartWorker(WorkerId::Figures);

/// Request for the comparison of the first step's arrows.
fn question(open: bool) -> p::Request {
    let step = p::Move {
        position: 0,
        to: 1,
        open,
    };
    asked(1, Ask::Same(step))
}

#[test]
fn nothing_is_started_before_a_reader_asks_for_the_mark() {
    let mut page = Page::running(9);
    assert_eq!(page.model.second.health, Health::Absent);
    assert!(page.sent(WorkerId::Figures).is_empty());
    page.tell(Msg::Compare(CompareMsg::Marks(true)));
    assert!(page.effects.contains(&START));
    let kept = Effect::Store(stored::SAME, "on".into());
    assert!(page.effects.contains(&kept));
    assert_eq!(page.model.tab, Tab::Steps, "the steps stay");
    assert_eq!(page.sent(WorkerId::Figures), [&load(1, "main = A")]);
    page.tell(Msg::WorkerReady(WorkerId::Figures))
        .figure(checked());
    let sent = page.sent(WorkerId::Figures);
    assert_eq!(
        sent,
        [&question(false)],
        "from the position to the next stop"
    );
    let same = Opened {
        same: Same {
            position: 0,
            to: 1,
            verdict: Verdict::Equal(Vec::new()),
        },
        arrows: None,
    };
    page.figure(Reply::Same(Box::new(same)));
    assert!(page.sent(WorkerId::Figures).is_empty(), "it is known");
    let said = |page: &Page| {
        let at = page.model.at()?;
        mark(&page.model.compare.step.of(&at)?.1).0
    };
    assert_eq!(said(&page), Some(true));
    // The mark is switched off where both arrows are shown.
    page.tell(Msg::Compare(CompareMsg::Step));
    assert_eq!(page.model.tab, Tab::Compare);
    assert!(page.model.is_about_step());
    assert_eq!(page.sent(WorkerId::Figures), [&question(true)]);
    page.tell(Msg::Compare(CompareMsg::Marks(false)));
    let kept = Effect::Store(stored::SAME, "off".into());
    assert!(page.effects.contains(&kept) && page.sent(WorkerId::Figures).is_empty());
    assert!(page.model.is_about_step());
}

#[test]
fn a_turn_that_came_no_further_is_followed_by_another() {
    let mut page = Page::running(9);
    page.tell(Msg::Compare(CompareMsg::Marks(true)));
    page.tell(Msg::WorkerReady(WorkerId::Figures))
        .figure(checked());
    assert_eq!(page.sent(WorkerId::Figures), [&question(false)]);
    for reached in [0, 0, 5, 5] {
        let same = Opened {
            same: Same {
                position: 0,
                to: 1,
                verdict: Verdict::OnTheWay { reached },
            },
            arrows: None,
        };
        page.figure(Reply::Same(Box::new(same)));
        assert_eq!(page.sent(WorkerId::Figures), [&question(false)]);
    }
}

#[test]
fn a_reader_who_wanted_the_mark_before_has_it_once_there_is_a_run() {
    let mut page = Page::open();
    page.model.compare.step.marks = true;
    page.tell(Msg::WorkerReady(WorkerId::Steps))
        .answer(checked());
    assert!(!page.effects.contains(&START));
    page.answer(advanced(9, RunStatus::Value));
    assert!(page.effects.contains(&START), "{:?}", page.effects);
    assert_eq!(page.sent(WorkerId::Figures), [&load(1, "main = A")]);
    page.answer(shown(0));
    assert!(!page.effects.contains(&START), "once");
    // A failed worker starts again only when the reader requests the mark again.
    page.tell(Msg::WorkerFailed(WorkerId::Figures, "no".into()));
    assert!(!page.effects.contains(&START));
    page.tell(Msg::Compare(CompareMsg::Marks(true)));
    assert!(page.effects.contains(&START));
}
