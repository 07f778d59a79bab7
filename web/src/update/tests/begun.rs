//! Tests of the parts fetched once the page has shown what a reader waits for first.

use super::{Page, advanced, checked, error, indexed, shown};
use crate::effects::Effect;
use crate::model::WorkerId;
use crate::update::Msg;
use fletch_playground::protocol::{Checked, Reply, RunStatus};

fn loads(page: &Page) -> bool {
    page.effects.contains(&Effect::LoadEditor)
}

#[test]
fn the_editor_is_fetched_after_the_first_view_and_once() {
    let mut page = Page::open();
    assert!(!loads(&page));
    for before in [checked(), advanced(3, RunStatus::Value)] {
        page.answer(before);
        assert!(!loads(&page));
    }
    assert!(loads(page.answer(shown(0))));
    assert!(!loads(
        page.answer(indexed(3)).tell(Msg::Show(1)).answer(shown(1))
    ));
}

#[test]
fn where_there_is_nothing_to_see_it_is_not_waited_for() {
    let without = |diagnostics| Checked {
        main: None,
        diagnostics,
        ..match checked() {
            Reply::Checked(checked) => checked,
            other => panic!("{other:?}"),
        }
    };
    for diagnostics in [vec![], vec![error()]] {
        let mut page = Page::open();
        assert!(loads(page.answer(Reply::Checked(without(diagnostics)))));
    }
    let mut page = Page::open();
    assert!(loads(
        page.tell(Msg::WorkerFailed(WorkerId::Steps, "no".into()))
    ));
}
