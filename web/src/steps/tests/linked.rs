//! Tests of the diagram of the run: requests to both workers, and links from steps to boxes and back.

use crate::diagram::DiagramMsg;
use crate::drafts::DataFile;
use crate::effects::{Effect, Timer};
use crate::model::{Health, Pane, Questions, Tab, WorkerId};
use crate::update::Msg;
use crate::update::tests::{Page, advanced, asked, checked, indexed, load, shown};
use fletch_playground::protocol::{Ask, Moments, Reply, Request, RunStatus, Timeline};
use std::rc::Rc;

const START: Effect = Effect::StartWorker(WorkerId::Figures);

impl Page {
    /// Answers the oldest request to the worker of the figures.
    pub(crate) fn figure(&mut self, reply: Reply) -> &mut Self {
        self.tell(Msg::Replied(WorkerId::Figures, Box::new(reply)))
    }
}

/// A page whose run has ended, with the diagram open.
fn drawn() -> Page {
    let mut page = Page::running(30);
    page.tell(Msg::Tab(Tab::Diagram));
    page
}

/// True if the last message requested the times of the run from the worker of the steps.
fn asks(page: &Page) -> bool {
    let requests = page.requests();
    requests.iter().any(|request| request.ask == Ask::Timeline)
}

/// Requests that the last message sent to the worker of the figures.
fn figures(page: &Page) -> Vec<&Ask> {
    let sent = page.sent(WorkerId::Figures);
    sent.into_iter().map(|request| &request.ask).collect()
}

#[test]
fn the_second_worker_starts_with_the_first_tab_that_needs_it_and_is_given_the_program() {
    let mut page = Page::running(30);
    let file = DataFile {
        name: "points.csv".into(),
        bytes: b"1,2".as_slice().into(),
    };
    let files = vec![file.input()];
    page.model.program.files = [file].into();
    assert_eq!(page.model.second.health, Health::Absent);
    page.tell(Msg::Tab(Tab::Types));
    assert!(page.effects.contains(&START));
    let sent = [asked(0, Ask::Files(files)), load(1, "main = A")];
    let sent: Vec<&Request> = sent.iter().collect();
    assert_eq!(page.sent(WorkerId::Figures), sent);
    page.tell(Msg::Tab(Tab::Steps)).tell(Msg::Tab(Tab::Diagram));
    assert!(!page.effects.contains(&START), "once");
    assert!(figures(&page).is_empty(), "the program once");
    page.tell(Msg::WorkerReady(WorkerId::Figures))
        .figure(Reply::Taken)
        .figure(checked());
    assert!(matches!(figures(&page)[..], [Ask::Draw(_)]));
    assert_eq!(&*page.model.diagram.of, "main");
}

#[test]
fn of_two_texts_the_figures_are_about_the_last_one_and_only_once_it_checks() {
    let mut page = drawn();
    page.answer(Reply::Timeline(Box::default()))
        .tell(Msg::Edited("main = B".into()))
        .tell(Msg::Fired(Timer::Check));
    assert!(figures(&page).is_empty() && page.model.is_ahead());
    page.answer(checked());
    assert_eq!(page.sent(WorkerId::Figures), [&load(2, "main = B")]);
    // This reply is about the text before.
    page.figure(checked());
    assert_eq!(page.model.read(), None);
    page.figure(checked());
    assert_eq!(page.model.read().map(|subject| subject.revision), Some(2));
    let [drawing] = page.sent(WorkerId::Figures)[..] else {
        panic!("{:?}", page.effects)
    };
    assert_eq!(drawing.revision, 2);
}

#[test]
fn a_second_worker_that_fails_says_so_and_is_given_the_program_again() {
    let mut page = drawn();
    page.answer(Reply::Timeline(Box::default()))
        .figure(checked())
        .tell(Msg::WorkerFailed(WorkerId::Figures, "out of memory".into()));
    assert_eq!(
        page.model.second.health,
        Health::Failed("out of memory".into())
    );
    assert_eq!(page.model.worker.health, Health::Ready, "the steps go on");
    page.tell(Msg::Tab(Tab::Diagram));
    assert!(page.effects.contains(&START));
    assert_eq!(page.sent(WorkerId::Figures), [&load(1, "main = A")]);
    assert!(!asks(&page), "the steps' worker has not failed");
}

#[test]
fn the_parts_of_a_run_are_asked_for_once_and_then_those_of_the_next() {
    let mut page = drawn();
    assert_eq!(page.requests(), [&asked(1, Ask::Timeline)]);
    page.figure(checked());
    assert!(matches!(figures(&page)[..], [Ask::Draw(_)]));
    page.answer(Reply::Timeline(Box::default()));
    let follow = Ask::Follow {
        network: false,
        timeline: Rc::new(Timeline::default()),
    };
    assert_eq!(figures(&page), [&follow, &Ask::Values(Moments::new())]);
    page.tell(Msg::Show(10));
    assert!(!asks(&page));
    page.tell(Msg::Tab(Tab::Steps)).tell(Msg::Tab(Tab::Diagram));
    assert!(!asks(&page) && figures(&page).is_empty());
    page.answer(shown(10))
        .tell(Msg::Edited("main = B".into()))
        .tell(Msg::Fired(Timer::Check))
        .answer(checked())
        .answer(advanced(12, RunStatus::Value))
        .answer(shown(10));
    page.answer(indexed(12));
    assert_eq!(page.requests(), [&asked(2, Ask::Timeline)]);
}

#[test]
fn who_looks_at_no_diagram_asks_for_no_times() {
    let page = Page::running(30);
    assert!(page.model.worker.in_flight.is_empty());
    assert_eq!(page.model.asked, Questions::default());
}

#[test]
fn an_entry_leads_to_the_diagram_on_a_narrow_screen_too_and_a_box_back() {
    let mut page = drawn();
    page.tell(Msg::Tab(Tab::Steps));
    page.model.layout.pane = Pane::Sandwich;
    page.tell(Msg::Diagram(DiagramMsg::Box(4)));
    assert_eq!(
        (page.model.tab, page.model.layout.pane),
        (Tab::Diagram, Pane::Steps)
    );
    let sought = page.model.diagram.sought;
    assert_eq!(sought, Some(4), "until its box is there");
    page.tell(Msg::Entry(4, 9));
    assert_eq!(
        (page.model.tab, page.model.layout.pane),
        (Tab::Steps, Pane::Sandwich)
    );
    assert!(page.effects.contains(&Effect::Visit("layer-4".into())));
    assert_eq!(
        page.position(),
        Some(9),
        "the entry is there from a later position on"
    );
}
