//! Tests of presenting and embedding the page.

use crate::effects::{Effect, stored};
use crate::model::{Pane, Tab, WorkerId};
use crate::present::update::ShowingMsg;
use crate::present::{Part, Parts, Showing, Stand};
use crate::steps::update::StepMsg;
use crate::steps::{Direction, Target};
use crate::update::tests::{Page, advanced, checked, shown};
use crate::update::{Focus, Key, Move, Msg, shortcut};
use fletch_playground::protocol::{Ask, Request, RunStatus};

fn key(name: &str, focus: Focus) -> Key {
    Key {
        name: name.to_owned(),
        modified: false,
        chord: None,
        focus,
    }
}

fn presented() -> Page {
    let mut page = Page::running(20);
    page.tell(Msg::Showing(ShowingMsg::Present(true)));
    page
}

fn embedded(query: &str) -> Page {
    let mut page = Page::open();
    page.model.showing = Showing::asked(query).unwrap();
    page
}

#[test]
fn a_presentation_begins_large_and_ends_as_the_page_was() {
    let mut page = presented();
    assert!(page.effects.contains(&Effect::Zoom(150)));
    assert!(page.effects.contains(&Effect::Fullscreen(true)));
    assert_eq!(
        shortcut(&page.model, &key("Escape", Focus::Page)),
        Some(Msg::Showing(ShowingMsg::Present(false)))
    );
    page.tell(Msg::Showing(ShowingMsg::Present(false)));
    assert!(page.effects.contains(&Effect::Zoom(100)));
    assert!(page.effects.contains(&Effect::Fullscreen(false)));
    assert_eq!(page.model.showing.stand, Stand::Alone);
}

/// The browser handles the first Escape of fullscreen itself. Another window ends fullscreen too.
#[test]
fn a_presentation_ends_with_the_full_screen_unless_notes_have_a_window() {
    let mut page = presented();
    page.tell(Msg::Showing(ShowingMsg::Speaker(true)));
    page.tell(Msg::Showing(ShowingMsg::Windowed));
    assert_eq!(page.model.showing.stand, Stand::Presented);
    page.tell(Msg::Showing(ShowingMsg::Speaker(false)));
    page.tell(Msg::Showing(ShowingMsg::Windowed));
    assert_eq!(page.model.showing.stand, Stand::Alone);
}

#[test]
fn a_clicker_steps_wherever_the_focus_is_and_only_in_a_presentation() {
    for focus in [Focus::Page, Focus::Editor, Focus::Button, Focus::Widget] {
        let page = presented();
        let means = |name| shortcut(&page.model, &key(name, focus));
        assert_eq!(means("PageDown"), Some(Msg::Go(Move::Next)));
        assert_eq!(means("PageUp"), Some(Msg::Go(Move::Previous)));
        let alone = Page::running(20);
        assert_eq!(shortcut(&alone.model, &key("PageDown", focus)), None);
    }
}

#[test]
fn b_blackens_the_screen_and_the_next_key_brings_it_back_without_a_step() {
    let mut page = presented();
    let black = Some(Msg::Showing(ShowingMsg::Black));
    assert_eq!(shortcut(&page.model, &key("b", Focus::Page)), black);
    // In the editor it is a letter; without a presentation, elsewhere, it is a jump.
    assert_eq!(shortcut(&page.model, &key("b", Focus::Editor)), None);
    let jump = Msg::Step(StepMsg::Jump(Target::Breakpoint, Direction::Forward));
    let alone = Page::running(20);
    assert_eq!(shortcut(&alone.model, &key("b", Focus::Page)), Some(jump));
    page.tell(Msg::Showing(ShowingMsg::Black));
    assert!(page.model.showing.black);
    for name in ["b", "PageDown", "Escape", " "] {
        assert_eq!(shortcut(&page.model, &key(name, Focus::Page)), black);
    }
    page.tell(Msg::Showing(ShowingMsg::Black));
    assert!(!page.model.showing.black);
}

#[test]
fn what_is_shown_and_how_large_is_kept() {
    let mut page = presented();
    page.tell(Msg::Showing(ShowingMsg::Part(Part::Editor)));
    page.tell(Msg::Showing(ShowingMsg::Size(true)));
    assert!(page.effects.contains(&Effect::Zoom(175)));
    let kept = Effect::Store(stored::PRESENT, "175 steps sandwich".into());
    assert!(page.effects.contains(&kept), "{:?}", page.effects);
}

#[test]
fn a_part_that_is_taken_away_is_not_the_one_on_show() {
    let mut page = presented();
    page.model.layout.pane = Pane::Program;
    page.tell(Msg::Showing(ShowingMsg::Part(Part::Editor)));
    assert_eq!(page.model.layout.pane, Pane::Steps);
    page.tell(Msg::Showing(ShowingMsg::Part(Part::Diagram)));
    page.tell(Msg::Showing(ShowingMsg::Part(Part::Sandwich)));
    page.tell(Msg::Showing(ShowingMsg::Part(Part::Steps)));
    assert_eq!(page.model.tab, Tab::Diagram);
    assert!(!page.model.showing.parts.has(Part::Steps));
}

#[test]
fn the_notes_ask_for_what_comes_next() {
    let mut page = presented();
    page.tell(Msg::Showing(ShowingMsg::Speaker(true)));
    assert!(page.effects.contains(&Effect::Speaker(true)));
    let asked = page.requests();
    assert!(
        matches!(asked[..], [Request { ask: Ask::Show(show), .. }] if show.ahead),
        "{asked:?}"
    );
    page.tell(Msg::Showing(ShowingMsg::Present(false)));
    assert!(!page.effects.contains(&Effect::Speaker(false)));
    assert!(
        page.model.showing.speaker,
        "a speaker who looks something up has them, and their clock"
    );
}

#[test]
fn after_a_presentation_the_page_is_as_it_was() {
    for (tab, place) in [(Tab::Steps, "command"), (Tab::Compare, "stage")] {
        let mut page = Page::running(20);
        page.model.tab = tab;
        page.tell(Msg::Showing(ShowingMsg::Present(true)));
        page.tell(Msg::Showing(ShowingMsg::Part(Part::Train)));
        assert_eq!(page.model.tab, Tab::Train);
        page.tell(Msg::Showing(ShowingMsg::Present(false)));
        assert_eq!(page.model.tab, tab);
        assert!(page.effects.contains(&Effect::Focus(place.into())));
    }
}

#[test]
fn no_lesson_takes_the_place_of_a_lecture() {
    let tour = |page: &Page| shortcut(&page.model, &key("t", Focus::Page));
    assert_eq!(tour(&presented()), None);
    assert!(tour(&Page::running(20)).is_some());
}

#[test]
fn a_second_window_that_the_browser_refuses_is_told() {
    let mut page = presented();
    page.tell(Msg::Showing(ShowingMsg::Speaker(true)));
    page.tell(Msg::Showing(ShowingMsg::NoWindow));
    assert!(!page.model.showing.speaker);
    assert!(page.model.stepping.note.is_some());
}

#[test]
fn an_embed_tells_its_height_when_that_changes_and_keeps_no_draft() {
    let mut page = embedded("?embed&panes=editor");
    page.tell(Msg::WorkerReady(WorkerId::Steps));
    let height = page.effects.iter().find_map(|effect| match effect {
        Effect::Height(height) => Some(*height),
        _ => None,
    });
    let text = "-- a line\n".repeat(12);
    page.tell(Msg::Edited(text.as_str().into()));
    let later = page.effects.iter().find_map(|effect| match effect {
        Effect::Height(height) => Some(*height),
        _ => None,
    });
    assert!(height.is_some() && later > height, "{height:?} {later:?}");
    let keeps = |effect: &Effect| matches!(effect, Effect::Keep(_));
    assert!(!page.effects.iter().any(keeps));
    page.tell(Msg::CursorMoved(3));
    assert!(
        !page
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::Height(_)))
    );
}

#[test]
fn reset_brings_back_the_text_of_the_page_around() {
    let mut page = embedded("?embed");
    page.tell(Msg::Edited("main = B".into()));
    page.tell(Msg::Showing(ShowingMsg::Reset));
    assert_eq!(&*page.model.program.text, "main = A");
    assert!(page.effects.contains(&Effect::SetText("main = A".into())));
}

#[test]
fn an_embed_cannot_be_presented_and_runs_as_any_page() {
    let mut page = embedded("?embed&panes=steps,heap");
    page.tell(Msg::WorkerReady(WorkerId::Steps))
        .answer(checked())
        .answer(advanced(7, RunStatus::Value))
        .answer(shown(0));
    page.tell(Msg::Showing(ShowingMsg::Present(true)));
    assert_eq!(page.model.showing.stand, Stand::Embedded);
    assert_eq!(
        page.model.showing.parts,
        Parts::named("steps heap").unwrap()
    );
}

#[test]
fn a_text_that_is_fixed_stays_as_it_is() {
    let mut page = embedded("?embed&readonly");
    page.tell(Msg::Edited("main = B".into()));
    assert_eq!(&*page.model.program.text, "main = A");
    assert_eq!(
        page.effects.first(),
        Some(&Effect::SetText("main = A".into()))
    );
}

#[test]
fn diagram_and_heap_have_one_place_on_a_wall() {
    let mut page = presented();
    page.tell(Msg::Showing(ShowingMsg::Part(Part::Diagram)));
    page.tell(Msg::Showing(ShowingMsg::Part(Part::Heap)));
    let has = |page: &Page, part| page.model.showing.has(part);
    assert!(has(&page, Part::Heap) && !has(&page, Part::Diagram));
    page.tell(Msg::Showing(ShowingMsg::Part(Part::Diagram)));
    assert!(has(&page, Part::Diagram) && !has(&page, Part::Heap));
}

/// A pressed button of the bar keeps the focus, which keeps the bar visible over the caption.
#[test]
fn a_step_gives_the_keys_of_a_wall_back_to_the_command() {
    let mut page = presented();
    page.effects.clear();
    page.tell(Msg::Go(crate::update::Move::Next));
    assert!(page.effects.contains(&Effect::Focus("command".to_owned())));
    page.tell(Msg::Showing(ShowingMsg::Present(false)));
    page.effects.clear();
    page.tell(Msg::Go(crate::update::Move::Next));
    assert!(!page.effects.contains(&Effect::Focus("command".to_owned())));
}
