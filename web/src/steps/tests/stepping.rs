//! Tests of levels, jumps, playing and breakpoints, on a run with an artificial index.

use crate::effects::{Effect, Timer};
use crate::model::{Overlay, Shared, WorkerId};
use crate::steps::update::StepMsg;
use crate::steps::{Direction, Speed, Target};
use crate::update::tests::{Page, advanced, asked, checked, shown};
use crate::update::{Focus, Key, Move, Msg, shortcut};
use fletch_playground::protocol::{
    Ask, Index, Level, Piece, PieceKind, Reply, Rule, RunStatus, Show, StepView, Tick, TickKind,
};

/// Number of steps of the run of `Page::indexed`.
pub(crate) const STEPS: u32 = 12;

/// Index of a run of twelve steps: an operation runs forward at 2 and backward at 7, and writes at 9.
pub(crate) fn index() -> Index {
    let tick = |position, kind| Tick {
        position,
        kind,
        name: "FC[ℓ1]".into(),
        label: "FC[ℓ1]".into(),
    };
    Index {
        steps: STEPS,
        rules: vec![Rule::Let, Rule::RhOp, Rule::Put, Rule::Eval],
        rule: vec![0, 0, 1, 3, 0, 3, 0, 1, 3, 2, 0, 0],
        labels: [
            "let bind α",
            "RH-op FC[ℓ1] forward",
            "Put ℓ1 put heap",
            "app",
        ]
        .map(String::from)
        .to_vec(),
        label: vec![0, 0, 1, 3, 0, 3, 0, 1, 3, 2, 0, 0],
        // The whole program, a line of it, and a word on that line.
        places: vec![(0, 90, 1), (20, 40, 3), (30, 34, 3), (50, 60, 5)],
        place: vec![0, 1, 2, 2, 1, 3, 3, 0, 2, 3, 0, 0],
        plain: vec![0, 2, 3, 7, 9, 12],
        operations: vec![0, 2, 7, 9, 12],
        handlers: vec![0, 7, 12],
        moments: vec![0, 3, 9, 12],
        ticks: vec![
            tick(2, TickKind::Forward),
            tick(7, TickKind::Backward),
            tick(9, TickKind::Put),
        ],
        non_finite: None,
        unreached: Vec::new(),
    }
}

impl Page {
    /// A page at the start of a finished run with that index.
    pub(crate) fn indexed() -> Self {
        let mut page = Page::open();
        page.tell(Msg::WorkerReady(WorkerId::Steps))
            .answer(checked())
            .answer(advanced(STEPS, RunStatus::Value))
            .answer(shown(0))
            .answer(Reply::Indexed(Box::new(index())));
        page
    }

    /// Sends a message of the stepper, and answers the request for a view.
    pub(crate) fn step(&mut self, msg: StepMsg) -> &mut Self {
        self.tell(Msg::Step(msg));
        self.drawn()
    }

    /// Answers the last request for a view.
    pub(crate) fn drawn(&mut self) -> &mut Self {
        if let [position] = self.asked()[..] {
            self.answer(shown(position));
        }
        self
    }

    pub(crate) fn at(position: u32) -> Self {
        let mut page = Page::indexed();
        page.tell(Msg::Show(position)).drawn();
        page
    }

    fn note(&self) -> Option<&str> {
        self.model.stepping.note.as_deref()
    }
}

#[test]
fn moves_go_from_stop_to_stop_of_the_level() {
    let cases = [
        (Level::Every, 4, [3, 5, 0, 12]),
        (Level::Plain, 4, [3, 7, 0, 12]),
        (Level::Operations, 7, [2, 9, 0, 12]),
        (Level::Operations, 9, [7, 12, 0, 12]),
        (Level::Handlers, 3, [0, 7, 0, 12]),
        (Level::Handlers, 12, [7, 12, 0, 12]),
        (Level::Moments, 3, [0, 9, 0, 12]),
    ];
    for (level, from, to) in cases {
        let moves = [Move::Previous, Move::Next, Move::First, Move::Last];
        for (step, to) in moves.into_iter().zip(to) {
            let mut page = Page::indexed();
            page.model.stepping.level = level;
            page.tell(Msg::Show(from)).drawn().tell(Msg::Go(step));
            assert_eq!(page.position(), Some(to), "{level:?}, {step:?} from {from}");
        }
    }
}

#[test]
fn moments_are_offered_where_there_are_some() {
    let five = Key {
        name: "5".into(),
        modified: false,
        chord: None,
        focus: Focus::Page,
    };
    let mut page = Page::indexed();
    let level = Some(Msg::Step(StepMsg::Level(Level::Moments)));
    assert_eq!(shortcut(&page.model, &five), level);
    let trace = page.model.trace.as_mut().unwrap();
    assert!(trace.has_moments());
    let index = Index {
        moments: Vec::new(),
        ..index()
    };
    trace.index = Shared::new(index);
    assert!(!trace.has_moments());
    assert_eq!(shortcut(&page.model, &five), None);
    // A link may still select the level: it has the stops of operations.
    let trace = page.model.trace.as_ref().unwrap();
    let stops = trace.stops(Level::Moments).list();
    assert_eq!(stops, trace.stops(Level::Operations).list());
}

#[test]
fn a_view_is_told_the_level_and_the_stop_that_one_move_came_from() {
    let mut page = Page::at(3);
    page.tell(Msg::Go(Move::Next));
    let show = Show {
        position: 7,
        from: Some(3),
        level: Level::Plain,
        width: 72,
        ..Show::default()
    };
    assert_eq!(page.requests(), [&asked(1, Ask::Show(show.clone()))]);
    page.drawn().tell(Msg::Show(9));
    let show = Show {
        position: 9,
        from: None,
        ..show
    };
    assert_eq!(page.requests(), [&asked(1, Ask::Show(show))]);
}

#[test]
fn another_level_keeps_the_position_or_the_stop_before_and_is_remembered() {
    let mut page = Page::at(3);
    page.tell(Msg::Step(StepMsg::Level(Level::Operations)));
    assert_eq!(page.position(), Some(2));
    let kept = Effect::Store("fletch.v1.level", "operations".into());
    assert!(page.effects.contains(&kept));
    assert_eq!(crate::steps::level_named("operations"), Level::Operations);
    page.drawn().step(StepMsg::Level(Level::Every));
    assert_eq!(page.position(), Some(2));
}

#[test]
fn every_position_is_a_stop_until_the_index_covers_the_run() {
    let mut page = Page::open();
    page.tell(Msg::WorkerReady(WorkerId::Steps))
        .answer(checked())
        .answer(advanced(STEPS, RunStatus::Value))
        .answer(shown(0));
    page.tell(Msg::Go(Move::Next)).drawn();
    assert_eq!(page.position(), Some(1));
}

#[test]
fn the_axis_has_a_place_for_each_stop_of_the_level() {
    let page = Page::indexed();
    let stops = page.model.trace.as_ref().unwrap().stops(Level::Plain);
    assert_eq!(stops.count(), 5);
    let numbers = [0, 1, 2, 3, 8, 9, 12, 99].map(|position| stops.number(position));
    assert_eq!(numbers, [0, 0, 1, 2, 3, 4, 5, 5]);
    let places = [0, 2, 5, 7, 12].map(|position| stops.place(position));
    assert_eq!(
        places,
        [0.0, 0.2, 0.5, 0.6, 1.0],
        "position 5 is halfway from 3 to 7"
    );
    for (number, stop) in [(0, 0), (2, 3), (4, 9), (5, 12), (99, 12)] {
        let mut page = Page::at(7);
        page.tell(Msg::Step(StepMsg::Slide(number)));
        assert_eq!(page.position(), Some(stop), "{number}");
    }
    let every = page.model.trace.as_ref().unwrap().stops(Level::Every);
    assert_eq!(
        (every.count(), every.number(7), every.numbered(7)),
        (12, 7, 7)
    );
}

#[test]
fn a_leap_is_ten_stops() {
    let mut page = Page::at(12);
    page.step(StepMsg::Leap(Direction::Backward));
    assert_eq!(page.position(), Some(0));
}

#[test]
fn jumps_go_to_the_next_and_the_previous_of_a_kind() {
    let eval = Target::Rule(Rule::Eval);
    let cases = [
        (Target::Operation, Direction::Forward, 2, Some(7)),
        (Target::Operation, Direction::Backward, 7, Some(2)),
        (Target::Operation, Direction::Forward, 7, None),
        (Target::Put, Direction::Forward, 0, Some(9)),
        (Target::Unfolding, Direction::Forward, 2, Some(7)),
        (eval.clone(), Direction::Forward, 3, Some(5)),
        (eval, Direction::Backward, 3, None),
    ];
    for (target, way, from, to) in cases {
        let mut page = Page::at(from);
        page.step(StepMsg::Jump(target.clone(), way));
        assert_eq!(
            page.position(),
            Some(to.unwrap_or(from)),
            "{target:?} {way:?}"
        );
        assert_eq!(page.note().is_none(), to.is_some());
    }
}

#[test]
fn a_jump_from_the_menu_closes_it_and_can_be_repeated() {
    let mut page = Page::indexed();
    page.tell(Msg::Over(Overlay::Jump(0)))
        .step(StepMsg::Jump(Target::Rule(Rule::Eval), Direction::Forward));
    assert_eq!(
        (page.position(), page.model.overlay),
        (Some(3), Overlay::None)
    );
    page.step(StepMsg::Again(Direction::Forward))
        .step(StepMsg::Again(Direction::Forward));
    assert_eq!(page.position(), Some(8));
    page.step(StepMsg::Again(Direction::Backward));
    assert_eq!(page.position(), Some(5));
}

#[test]
fn the_cursor_leads_to_the_steps_of_the_narrowest_place_around_it_and_then_of_its_line() {
    let mut page = Page::indexed();
    let text = format!("{}\n\n{}\n", "a".repeat(19), "b".repeat(60));
    page.model.program.text = text.as_str().into();
    let jump = || StepMsg::Jump(Target::Cursor, Direction::Forward);
    page.tell(Msg::CursorMoved(31)).step(jump());
    assert_eq!(page.position(), Some(2));
    page.step(jump()).step(jump());
    assert_eq!(page.position(), Some(8));
    page.step(jump());
    assert_eq!(page.position(), Some(2), "round again");
    page.model.stepping.cursor = 95;
    page.model.program.cursor = (5, 1);
    page.step(jump());
    assert_eq!(page.position(), Some(5), "no place is around it: its line");
    page.model.program.cursor = (7, 1);
    page.step(jump());
    assert_eq!(page.note(), Some("No step comes from where the cursor is."));
    // The note is about that jump only.
    page.tell(Msg::Go(Move::Next));
    assert_eq!(page.note(), None);
}

#[test]
fn playing_waits_for_each_view_and_ends_with_the_run() {
    let mut page = Page::indexed();
    page.tell(Msg::Step(StepMsg::Play));
    assert_eq!(page.asked(), [2], "the first step goes at once");
    page.tell(Msg::Fired(Timer::Play));
    assert_eq!(page.position(), Some(2), "its view is not there yet");
    page.answer(shown(2));
    assert!(page.effects.contains(&Effect::Start(Timer::Play, 800)));
    for position in [3, 7, 9, 12] {
        page.tell(Msg::Fired(Timer::Play));
        assert_eq!(page.asked(), [position]);
        assert_eq!(page.model.stepping.playing, position < STEPS);
        page.drawn();
    }
    page.tell(Msg::Step(StepMsg::Play));
    assert_eq!(page.asked(), [0], "from the start again");
}

#[test]
fn a_move_by_hand_and_an_edit_pause() {
    let stops = [
        Msg::Step(StepMsg::Play),
        Msg::Go(Move::Next),
        Msg::Show(5),
        Msg::Step(StepMsg::Slide(5)),
        Msg::Edited("main = B".into()),
        Msg::WorkerFailed(WorkerId::Steps, "out of memory".into()),
    ];
    for msg in stops {
        let mut page = Page::indexed();
        page.step(StepMsg::Play);
        assert!(page.model.stepping.playing);
        page.tell(msg.clone());
        assert!(!page.model.stepping.playing, "{msg:?}");
        assert!(
            page.effects.contains(&Effect::Cancel(Timer::Play)),
            "{msg:?}"
        );
        let position = page.position();
        page.tell(Msg::Fired(Timer::Play));
        assert_eq!(page.position(), position, "{msg:?}");
    }
}

#[test]
fn a_breakpoint_pauses_at_the_first_stop_at_or_after_its_line_is_entered() {
    let mut page = Page::indexed();
    page.step(StepMsg::Breakpoints([5].into()))
        .step(StepMsg::Play);
    for _ in 0..2 {
        page.tell(Msg::Fired(Timer::Play)).drawn();
    }
    assert_eq!(page.position(), Some(7), "line 5 is entered at step 5");
    assert!(!page.model.stepping.playing);
    assert_eq!(page.note(), Some("Paused at the breakpoint of line 5."));
    let run = |way| StepMsg::Jump(Target::Breakpoint, way);
    page.step(run(Direction::Forward));
    assert_eq!(page.position(), Some(9));
    page.step(run(Direction::Forward));
    assert_eq!(page.note(), Some("No breakpoint at a later step."));
    page.step(run(Direction::Backward));
    assert_eq!(page.position(), Some(7));
}

#[test]
fn speeds_have_names_and_ends() {
    let mut page = Page::indexed();
    for _ in 0..9 {
        page.step(StepMsg::SpeedBy(Direction::Forward));
    }
    let fastest = Speed::all().last();
    assert_eq!(Some(page.model.stepping.speed), fastest);
    let kept = Effect::Store("fletch.v1.speed", "Max".into());
    assert!(page.effects.contains(&kept));
    for speed in Speed::all() {
        assert_eq!(Speed::named(speed.name()), speed);
    }
}

#[test]
fn what_is_read_aloud_is_the_step_its_sentence_and_the_redex() {
    let piece = |text: &str, mark| Piece {
        kind: PieceKind::Plain,
        text: text.into(),
        mark,
        chip: None,
        node: 0,
        fold: None,
    };
    let mut page = Page::indexed();
    page.tell(Msg::Go(Move::Next));
    let view = StepView {
        position: 2,
        sentence: vec![piece("FC runs.", Default::default())],
        lines: vec![fletch_playground::protocol::Line {
            indent: 0,
            pieces: vec![
                piece("let x ⇐ ", Default::default()),
                piece("FC(1)", fletch_playground::protocol::Mark::Redex),
            ],
        }],
        ..StepView::default()
    };
    page.answer(Reply::Shown(Box::new(view)));
    assert!(page.effects.contains(&Effect::Start(Timer::Announce, 350)));
    page.tell(Msg::Fired(Timer::Announce));
    let said = "Step 1 of 5. FC runs. Redex: FC(1).";
    assert_eq!(&*page.model.announcement, said);
}
