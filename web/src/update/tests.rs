//! Tests of sequences of messages and their outcome.

mod begun;
mod keys;
mod menus;

use crate::editor::CheckPhase;
use crate::effects::{Effect, Timer, Wanted};
use crate::model::{Health, Model, Pane, Split, Tab, Theme, WorkerId, mode_name, mode_named};
use crate::steps::run::RunState;
use crate::steps::update::StepMsg;
use crate::update::{Focus, Key, Move, Msg, shortcut, start, update};
use fletch_playground::protocol::{
    Advanced, Ask, Checked, Chip, EditorDiagnostic, Index, Line, MainSummary, Mark, Mode, Piece,
    PieceKind, Reply, Request, Rule, RuleFamily, RuleView, RunStatus, Severity, Show, StepView,
    Tick, TickKind,
};

/// A page, with the effects of the last message.
pub(crate) struct Page {
    pub(crate) model: Model,
    pub(crate) effects: Vec<Effect>,
}

impl Page {
    pub(crate) fn open() -> Self {
        let (model, effects) = start(
            Model::new("mlp.fletch", "Perceptron", "main = A", "main = A"),
            None,
        );
        Page { model, effects }
    }

    /// A page whose program has run for this number of steps.
    pub(crate) fn running(steps: u32) -> Self {
        let mut page = Page::open();
        page.tell(Msg::WorkerReady(WorkerId::Steps))
            .answer(checked())
            .answer(advanced(steps, RunStatus::Value))
            .answer(shown(0))
            .answer(indexed(steps));
        page
    }

    pub(crate) fn tell(&mut self, msg: Msg) -> &mut Self {
        (self.model, self.effects) = update(self.model.clone(), msg);
        self
    }

    /// Sends the answer of the steps' worker to its oldest request.
    pub(crate) fn answer(&mut self, reply: Reply) -> &mut Self {
        self.tell(Msg::Replied(WorkerId::Steps, Box::new(reply)))
    }

    /// Requests that the last message sent to the worker of the steps.
    pub(crate) fn requests(&self) -> Vec<&Request> {
        self.sent(WorkerId::Steps)
    }

    /// Requests that the last message sent to a worker.
    pub(crate) fn sent(&self, wanted: WorkerId) -> Vec<&Request> {
        let sent = self.effects.iter().filter_map(|effect| match effect {
            Effect::Send(to, request) if *to == wanted => Some(&**request),
            _ => None,
        });
        sent.collect()
    }

    /// Positions requested by the last message.
    pub(crate) fn asked(&self) -> Vec<u32> {
        self.requests()
            .iter()
            .filter_map(|request| {
                if let Ask::Show(show) = &request.ask {
                    Some(show.position)
                } else {
                    None
                }
            })
            .collect()
    }

    pub(crate) fn position(&self) -> Option<u32> {
        self.model.trace.as_ref().map(|trace| trace.position)
    }

    pub(crate) fn state(&self) -> Option<&RunState> {
        self.model.trace.as_ref().map(|trace| &trace.state)
    }

    pub(crate) fn steps(&self) -> Option<u32> {
        self.model.trace.as_ref().map(|trace| trace.steps)
    }

    pub(crate) fn on_screen(&self) -> Option<(u32, u32)> {
        let shown = self.model.trace.as_ref()?.shown.as_ref()?;
        Some((shown.revision, shown.show.position))
    }
}

/// A request.
pub(crate) fn asked(revision: u32, ask: Ask) -> Request {
    Request { revision, ask }
}

/// The request to check a text.
pub(crate) fn load(revision: u32, source: &str) -> Request {
    let ask = Ask::Load {
        source: source.into(),
        heap: Vec::new(),
        mode: Mode::default(),
    };
    asked(revision, ask)
}

/// True if the only request is a check of this revision.
pub(crate) fn loads(requests: &[&Request], revision: u32) -> bool {
    matches!(requests, [request] if request.revision == revision && matches!(request.ask, Ask::Load { .. }))
}

/// Answer to the check of a program that runs.
pub(crate) fn checked() -> Reply {
    let main = Some(MainSummary {
        ty: "Real(3)".into(),
        depth: 1,
        size: 126,
    });
    Reply::Checked(Checked {
        diagnostics: Vec::new(),
        outline: Vec::new(),
        main,
        commands: vec!["main".into()],
        files: Vec::new(),
    })
}

pub(crate) fn rejected() -> Reply {
    Reply::Checked(Checked {
        diagnostics: vec![error()],
        outline: Vec::new(),
        main: None,
        commands: Vec::new(),
        files: Vec::new(),
    })
}

pub(crate) fn fetched(wanted: Wanted, text: &str) -> Msg {
    Msg::Fetched(wanted, Ok(text.into()))
}

pub(crate) fn error() -> EditorDiagnostic {
    EditorDiagnostic {
        code: "F0102".into(),
        severity: Severity::Error,
        from: 3,
        to: 4,
        line: 1,
        message: "unknown name".into(),
        labels: Vec::new(),
        hint: None,
        fix: None,
        file: None,
    }
}

pub(crate) fn advanced(steps: u32, status: RunStatus) -> Reply {
    Reply::Advanced(Advanced { steps, status })
}

/// Answer to the request for an index, after a run of `steps` steps.
pub(crate) fn indexed(steps: u32) -> Reply {
    let tick = |position| Tick {
        position,
        kind: TickKind::Forward,
        name: "FC[ℓ0]".into(),
        label: "FC[ℓ0] forward".into(),
    };
    Reply::Indexed(Box::new(Index {
        steps,
        ticks: vec![tick(4), tick(9)],
        ..Index::default()
    }))
}

pub(crate) fn shown(position: u32) -> Reply {
    Reply::Shown(Box::new(StepView {
        position,
        source: Some((2, 5)),
        ..StepView::default()
    }))
}

#[test]
fn a_page_opens_checks_runs_and_shows_its_first_position() {
    let mut page = Page::open();
    assert_eq!(page.requests(), [&load(1, "main = A")]);
    page.answer(checked());
    assert_eq!(
        page.requests(),
        [&asked(1, Ask::Advance { milliseconds: 25 })]
    );
    page.answer(advanced(300, RunStatus::Running));
    assert_eq!(
        page.requests().len(),
        2,
        "the first position, and the next slice"
    );
    assert_eq!(page.asked(), [0]);
    page.answer(shown(0));
    assert_eq!(page.on_screen(), Some((1, 0)));
    assert!(page.effects.contains(&Effect::Mark {
        range: Some((2, 5)),
        ran: None,
        reveal: false
    }));
    page.answer(advanced(420, RunStatus::Value));
    assert_eq!(
        page.asked(),
        [0],
        "once more, now that the writes to come are known"
    );
    assert!(page.requests().contains(&&asked(1, Ask::Index)));
    page.answer(shown(0)).answer(indexed(420));
    assert!(page.requests().is_empty() && page.model.worker.in_flight.is_empty());
}

#[test]
fn an_edit_rests_before_it_is_checked_and_the_last_trace_stays() {
    let mut page = Page::running(20);
    page.tell(Msg::Edited("main = B".into()));
    assert!(page.requests().is_empty());
    assert!(page.effects.contains(&Effect::Start(Timer::Check, 150)));
    assert!(page.model.is_stale());
    page.tell(Msg::Fired(Timer::Check));
    assert_eq!(page.requests(), [&load(2, "main = B")]);
    page.answer(rejected());
    assert_eq!(
        page.on_screen(),
        Some((1, 0)),
        "the last program that checked"
    );
    assert!(page.model.is_stale());
    assert_eq!(page.model.errors(), 1);
    page.tell(Msg::Go(Move::Next));
    assert_eq!(page.asked(), [1], "its steps can still be gone through");
    page.answer(shown(1));
    assert_eq!(page.on_screen(), Some((1, 1)));
    let nowhere = Effect::Mark {
        range: None,
        ran: None,
        reveal: false,
    };
    assert!(page.effects.contains(&nowhere), "the text is another one");
}

#[test]
fn an_edit_keeps_the_position_as_far_as_the_new_run_goes() {
    let mut page = Page::running(20);
    page.tell(Msg::Show(15)).answer(shown(15));
    page.tell(Msg::Edited("main = B".into()))
        .tell(Msg::Fired(Timer::Check))
        .answer(checked());
    page.answer(advanced(8, RunStatus::Running));
    assert_eq!(page.asked(), [0; 0], "the run may still get to 15");
    page.answer(advanced(12, RunStatus::Value));
    assert_eq!(page.asked(), [12]);
    page.answer(shown(12));
    assert!(!page.model.is_stale());
    assert!(
        page.effects.contains(&Effect::Mark {
            range: Some((2, 5)),
            ran: None,
            reveal: false
        }),
        "typing does not scroll the editor"
    );
}

#[test]
fn a_text_that_changes_while_it_is_checked_is_checked_again() {
    let mut page = Page::open();
    page.tell(Msg::Edited("main = B".into()))
        .tell(Msg::Fired(Timer::Check));
    assert!(page.requests().is_empty(), "one check at a time");
    page.answer(checked());
    assert!(page.effects.contains(&Effect::Start(Timer::Check, 150)));
    page.tell(Msg::Fired(Timer::Check));
    assert_eq!(page.requests(), [&load(2, "main = B")]);
}

#[test]
fn steps_that_an_older_text_has_asked_for_are_not_those_of_the_newer_one() {
    let mut page = Page::open();
    page.tell(Msg::WorkerReady(WorkerId::Steps))
        .answer(checked())
        .answer(advanced(900, RunStatus::Running))
        .answer(shown(0))
        .tell(Msg::Edited("main = B".into()))
        .tell(Msg::Fired(Timer::Check))
        .answer(advanced(1800, RunStatus::Running))
        .answer(checked());
    // The request for this slice followed the check, so its answer comes after that of the check.
    page.answer(advanced(2700, RunStatus::Value));
    assert_eq!(page.steps(), Some(1800));
    page.answer(advanced(7, RunStatus::Value));
    assert_eq!(page.steps(), Some(7));
}

#[test]
fn nothing_moves_from_the_run_of_an_older_text() {
    let mut page = Page::running(20);
    let moves = |page: &Page| {
        let mut moved = page.effects.iter();
        moved.any(|effect| matches!(effect, Effect::Move(Some(_))))
    };
    // A value is bound: it flies to its new position.
    let view = |position, mark| {
        let piece = Piece {
            kind: PieceKind::Value,
            text: "2".into(),
            mark,
            chip: Some(Chip {
                id: 0,
                value: 0,
                shape: "1".into(),
                rows: 1,
                columns: 1,
                entries: vec![2.0],
                size: 1,
            }),
            node: 0,
            fold: None,
        };
        Reply::Shown(Box::new(StepView {
            position,
            next: Some(position + 1),
            rule: Some(RuleView {
                rule: Rule::Bind,
                badge: "bind".into(),
                title: String::new(),
                equation: false,
                family: RuleFamily::Plain,
            }),
            lines: vec![Line {
                indent: 0,
                pieces: vec![piece],
            }],
            ..StepView::default()
        }))
    };
    let (before, after) = (|| view(3, Mark::Redex), || view(4, Mark::Contractum));
    page.tell(Msg::Show(3))
        .answer(before())
        .tell(Msg::Go(Move::Next))
        .answer(after());
    assert!(moves(&page));
    page.tell(Msg::Show(3)).answer(before());
    page.tell(Msg::Edited("main = B".into()))
        .tell(Msg::Go(Move::Next))
        .tell(Msg::Fired(Timer::Check))
        .answer(Reply::Outdated)
        .answer(checked())
        .answer(advanced(20, RunStatus::Value))
        .answer(after());
    assert_eq!(page.on_screen(), Some((2, 4)));
    assert!(!moves(&page));
}

#[test]
fn a_dragged_slider_asks_for_one_position_at_a_time_and_for_the_newest() {
    let mut page = Page::running(100);
    assert_eq!(page.tell(Msg::Show(10)).asked(), [10]);
    assert_eq!(page.tell(Msg::Show(20)).asked(), [0; 0]);
    assert_eq!(page.tell(Msg::Show(30)).asked(), [0; 0]);
    assert_eq!(page.position(), Some(30), "the slider does not wait");
    assert_eq!(page.answer(shown(10)).asked(), [30]);
    assert_eq!(page.answer(shown(30)).asked(), [0; 0]);
    assert!(page.effects.contains(&Effect::Mark {
        range: Some((2, 5)),
        ran: None,
        reveal: true
    }));
}

#[test]
fn moves_stay_within_the_trace() {
    let cases = [
        (Move::Previous, 0, 0),
        (Move::Next, 0, 1),
        (Move::Last, 3, 12),
        (Move::Next, 12, 12),
        (Move::First, 7, 0),
        (Move::NextTick, 4, 9),
        (Move::NextTick, 9, 12),
        (Move::PreviousTick, 9, 4),
        (Move::PreviousTick, 2, 0),
    ];
    for (step, from, to) in cases {
        let mut page = Page::running(12);
        page.tell(Msg::Show(from)).tell(Msg::Go(step));
        assert_eq!(page.position(), Some(to), "{step:?} from {from}");
    }
}

#[test]
fn a_worker_that_fails_says_so_and_can_be_started_again() {
    let mut page = Page::open();
    page.tell(Msg::WorkerFailed(WorkerId::Steps, "out of memory".into()));
    assert_eq!(
        page.model.worker.health,
        Health::Failed("out of memory".into())
    );
    // With a failed worker no request is sent, since the next worker would answer it in place of its own.
    page.tell(Msg::Edited("main = B".into()))
        .tell(Msg::Fired(Timer::Check));
    assert!(page.requests().is_empty());
    assert_eq!(page.model.check.phase, CheckPhase::Stopped);
    page.tell(Msg::Retry);
    assert!(page.effects.contains(&Effect::StartWorker(WorkerId::Steps)));
    assert_eq!(page.model.check.phase, CheckPhase::Checking);
    let waiting = page.model.worker.in_flight.iter();
    let waiting: Vec<&Request> = waiting.map(|request| &**request).collect();
    assert_eq!(waiting, [&load(page.model.program.revision, "main = B")]);
}

#[test]
fn an_example_opens_at_its_start_and_tells_that_undo_brings_the_program_back() {
    let mut page = Page::running(20);
    page.tell(Msg::Show(15)).answer(shown(15));
    page.tell(Msg::Edited("main = mine".into()));
    page.tell(Msg::Open(1));
    assert_eq!(
        page.effects.last(),
        Some(&Effect::Fetch(Wanted::Example(1)))
    );
    assert_eq!(
        &*page.model.program.text, "main = mine",
        "until it is there"
    );
    page.tell(fetched(Wanted::Example(1), "main = resnet"));
    assert_eq!(page.position(), Some(0));
    assert!(page.model.notice.is_some());
    assert!(
        page.effects
            .iter()
            .any(|effect| matches!(effect, Effect::SetText(_)))
    );
    assert!(loads(&page.requests(), 2));
    page.tell(Msg::Edited("main = mine".into()));
    assert_eq!(
        &*page.model.program.name, "mlp.fletch",
        "undo brings its name back too"
    );
}

#[test]
fn control_enter_shows_the_steps_from_their_start() {
    let mut page = Page::running(20);
    page.tell(Msg::Show(15))
        .answer(shown(15))
        .tell(Msg::Pane(Pane::Program))
        .tell(Msg::Run);
    assert_eq!(page.asked(), [0]);
    assert_eq!(page.model.layout.pane, Pane::Steps);
    page.answer(shown(0))
        .tell(Msg::Edited("main = B".into()))
        .tell(Msg::Run);
    assert!(
        loads(&page.requests(), 2),
        "an edited text is checked at once"
    );
}

#[test]
fn a_new_width_is_printed_anew_once_it_has_settled() {
    let mut page = Page::running(20);
    page.tell(Msg::Measured(90));
    assert_eq!(page.effects, [Effect::Start(Timer::Resize, 120)]);
    page.tell(Msg::Fired(Timer::Resize));
    assert_eq!(
        page.requests(),
        [&asked(
            1,
            Ask::Show(Show {
                position: 0,
                width: 90,
                ..Show::default()
            })
        )]
    );
}

#[test]
fn the_cursor_is_told_in_lines_and_characters() {
    let mut page = Page::open();
    page.tell(Msg::Edited("let 𝕏 ⇐ ℓ0\nin".into()));
    for (offset, place) in [
        (0, (1, 1)),
        (6, (1, 6)),
        (11, (1, 11)),
        (12, (2, 1)),
        (14, (2, 3)),
        (99, (2, 3)),
    ] {
        assert_eq!(
            page.tell(Msg::CursorMoved(offset)).model.program.cursor,
            place
        );
    }
}

#[test]
fn escape_closes_what_is_open_over_a_figure() {
    for open in [
        Msg::Step(StepMsg::More),
        Msg::Train(crate::train::TrainMsg::More),
        Msg::Diagram(crate::diagram::DiagramMsg::More(true)),
    ] {
        let mut page = Page::open();
        let escape = Key {
            name: "Escape".into(),
            modified: false,
            chord: None,
            focus: Focus::Page,
        };
        page.tell(open);
        let closed = shortcut(&page.model, &escape);
        page.tell(closed.expect("something is open"));
        assert_eq!(shortcut(&page.model, &escape), None);
    }
}

#[test]
fn themes_go_round_and_are_kept() {
    let mut page = Page::open();
    for theme in [Theme::Light, Theme::Dark, Theme::Auto] {
        page.tell(Msg::NextTheme);
        assert_eq!(
            page.effects,
            [
                Effect::Paint(theme),
                Effect::Store("fletch.v1.theme", theme.name().into())
            ]
        );
    }
}

#[test]
fn borders_keep_both_sides_usable_and_are_kept() {
    let mut page = Page::open();
    page.tell(Msg::Split(Split::Editor, 990));
    assert_eq!(page.model.layout.editor, 700);
    page.tell(Msg::SplitBy(Split::Heap, -1000));
    assert_eq!(page.model.layout.heap, 100);
    assert_eq!(
        page.effects,
        [Effect::Store(
            "fletch.v1.layout",
            "700 100 334 01101 313 350".into()
        )]
    );
    assert_eq!(
        super::page::restore_layout("700 100 334 01101"),
        page.model.layout,
        "as kept before lessons had borders"
    );
    page.tell(Msg::Split(Split::Text, 420));
    page.tell(Msg::SplitBy(Split::Lesson, 50));
    assert_eq!(
        super::page::restore_layout("700 100 334 01101 420 400"),
        page.model.layout
    );
    assert_eq!(
        super::page::restore_layout("what?"),
        crate::model::PaneSizes::default()
    );
}

#[test]
fn the_program_is_folded_beside_each_tab_by_itself_and_unfolds_for_who_goes_there() {
    let mut page = Page::running(5);
    page.tell(Msg::Fold);
    assert_eq!(
        page.effects,
        [Effect::Store(
            "fletch.v1.layout",
            "250 440 334 11101 313 350".into()
        )]
    );
    page.tell(Msg::Tab(Tab::Types));
    assert!(!page.model.layout.folds(page.model.tab));
    page.tell(Msg::Tab(Tab::Diagram));
    assert!(page.model.layout.folds(page.model.tab));
    page.tell(Msg::GoTo(2));
    assert!(!page.model.layout.folds(page.model.tab));
    assert!(page.effects.contains(&Effect::GoTo(2)));
    assert!(page.model.layout.folds(Tab::Steps), "there it stays folded");
    let old = super::page::restore_layout("250 440 334");
    assert_eq!(
        old,
        crate::model::PaneSizes::default(),
        "as kept before there was a rail"
    );
}

#[test]
fn a_link_within_the_page_shows_the_pane_that_it_leads_to() {
    let mut page = Page::running(5);
    for (id, pane) in [("cell-ℓ0", Pane::Heap), ("layer-4", Pane::Sandwich)] {
        page.tell(Msg::Visit(id.into()));
        assert_eq!(page.model.layout.pane, pane);
        assert_eq!(page.effects, [Effect::Visit(id.into())]);
    }
}

/// Mode of running of the requested check.
pub(crate) fn mode(page: &Page) -> Option<Mode> {
    page.requests()
        .iter()
        .find_map(|request| match request.ask {
            Ask::Load { mode, .. } => Some(mode),
            _ => None,
        })
}

#[test]
fn shortcuts_are_kept_and_sent_beside_the_reading() {
    let mut page = Page::running(20);
    page.tell(Msg::Total(true));
    page.answer(checked())
        .answer(advanced(33, RunStatus::Value));
    let both = Mode {
        total: true,
        shortcuts: true,
    };
    page.tell(Msg::Mode(both));
    let kept = Effect::Store("fletch.v1.mode", "total-shortcuts".into());
    assert!(page.effects.contains(&kept));
    assert!(
        loads(&page.requests(), 3) && mode(&page) == Some(both),
        "{:?}",
        page.effects
    );
    page.answer(checked())
        .answer(advanced(20, RunStatus::Value));
    page.tell(Msg::Total(false));
    assert!(page.model.mode.shortcuts && !page.model.mode.total);
    for total in [false, true] {
        for shortcuts in [false, true] {
            let mode = Mode { total, shortcuts };
            assert_eq!(mode_named(mode_name(mode)), mode);
        }
    }
    assert_eq!(mode_named("of another version"), Mode::default());
}

#[test]
fn another_reading_runs_the_program_anew_and_stays_at_the_step() {
    let mut page = Page::running(20);
    page.tell(Msg::Show(20)).answer(shown(20));
    page.tell(Msg::Total(true));
    let kept = Effect::Store("fletch.v1.mode", "total".into());
    assert!(page.effects.contains(&kept));
    assert!(loads(&page.requests(), 2));
    assert_eq!(mode(&page), Some(Mode::TOTAL));
    page.answer(checked())
        .answer(advanced(33, RunStatus::Value));
    assert_eq!(page.asked(), [20]);
    page.tell(Msg::Total(true));
    assert!(page.effects.is_empty(), "it is read like this already");
    // Later texts are checked in the same mode.
    page.tell(Msg::Edited("main = B".into()))
        .tell(Msg::Fired(Timer::Check));
    assert_eq!(mode(&page), Some(Mode::TOTAL));
}
