//! The diagram beside the run: what the figures are told of it, and the ways there and back.

use super::{Page, advanced, checked, indexed, shown};
use crate::effects::Effect;
use crate::model::Pane;
use crate::talk::{FromFigures, Tab, ToFigures};
use crate::update::{FiguresMsg, Msg};
use fletch_playground::protocol::{Reply, Request, RunStatus, Timeline};

/// A page whose run has ended, with the diagram open.
fn drawn() -> Page {
    let mut page = Page::open();
    page.tell(Msg::WorkerReady)
        .answer(checked(1))
        .answer(advanced(1, 30, RunStatus::Value))
        .answer(shown(1, 0))
        .answer(indexed(1, 30))
        .tell(Msg::Figures(FiguresMsg::Tab(Tab::Diagram)))
        .tell(Msg::Figures(FiguresMsg::Opened(Ok(()))));
    page
}

fn told(page: &Page) -> Vec<&ToFigures> {
    let told = page.effects.iter().filter_map(|effect| match effect {
        Effect::Tell(said) => Some(said),
        _ => None,
    });
    told.collect()
}

#[test]
fn the_figures_are_told_of_a_run_once_and_of_no_other() {
    let mut page = drawn();
    assert!(
        page.requests()
            .contains(&&Request::Timeline { revision: 1 })
    );
    let timeline = Timeline {
        revision: 1,
        ..Timeline::default()
    };
    page.answer(Reply::Timeline(Box::new(timeline.clone())));
    assert!(told(&page).contains(&&ToFigures::Timeline(timeline)));
    page.tell(Msg::Show(10));
    let asks = |page: &Page| {
        let requests = page.requests();
        requests
            .iter()
            .any(|request| matches!(request, Request::Timeline { .. }))
    };
    assert!(!asks(&page));
    page.tell(Msg::Figures(FiguresMsg::Tab(Tab::Steps)))
        .tell(Msg::Figures(FiguresMsg::Tab(Tab::Diagram)));
    assert!(!asks(&page));
}

#[test]
fn who_looks_at_no_diagram_asks_for_no_times() {
    let mut page = Page::open();
    page.tell(Msg::WorkerReady)
        .answer(checked(1))
        .answer(advanced(1, 30, RunStatus::Value))
        .answer(shown(1, 0))
        .answer(indexed(1, 30));
    assert_eq!(page.model.figures.told.run, None);
}

#[test]
fn an_entry_leads_to_the_diagram_on_a_narrow_screen_too_and_a_box_back() {
    let mut page = drawn();
    page.tell(Msg::Figures(FiguresMsg::Tab(Tab::Steps)));
    page.model.layout.pane = Pane::Sandwich;
    page.tell(Msg::Figures(FiguresMsg::Box(4)));
    assert_eq!(
        (page.model.figures.tab, page.model.layout.pane),
        (Tab::Diagram, Pane::Steps)
    );
    assert!(told(&page).contains(&&ToFigures::Box(4)));
    assert_eq!(page.model.figures.sought, None);
    let entry = FromFigures::Entry { met: 4, there: 9 };
    page.tell(Msg::Figures(FiguresMsg::Said(entry)));
    assert_eq!(
        (page.model.figures.tab, page.model.layout.pane),
        (Tab::Steps, Pane::Sandwich)
    );
    assert!(page.effects.contains(&Effect::Visit("layer-4".into())));
    assert_eq!(
        page.position(),
        Some(9),
        "the entry is there from a later position on"
    );
}
