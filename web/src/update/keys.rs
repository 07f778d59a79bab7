//! The keyboard: the message that each key stands for, depending on the focus.

use crate::diagram::DiagramMsg;
use crate::drafts::update::DraftsMsg;
use crate::model::{Model, Overlay};
use crate::present::Stand;
use crate::present::update::ShowingMsg;
use crate::share::update::TravelMsg;
use crate::steps::update::StepMsg;
use crate::steps::update::reading::ReadingMsg;
use crate::steps::update::search::SearchMsg;
use crate::steps::update::words::WordsMsg;
use crate::steps::{Direction, LEVELS, Target};
use crate::tour::update::TourMsg;
use crate::train::TrainMsg;
use crate::update::{Move, Msg};
use fletch_playground::protocol::Level;

/// A key that was pressed.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Name of the key, as in `KeyboardEvent.key`.
    pub name: String,
    /// True if Ctrl, Alt or Meta was held.
    pub modified: bool,
    /// Shortcut that the key and the held modifiers form, if it is one that works everywhere.
    pub chord: Option<Chord>,
    /// Focus when the key was pressed.
    pub focus: Focus,
}

/// Shortcuts with modifiers or function keys. All work in the editor too except `Lesson`, whose keys select text there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chord {
    /// Shift-Alt-F.
    Format,
    /// Ctrl-Shift-O, or Cmd-Shift-O.
    Outline,
    /// Alt-Enter, or Shift-Alt-Enter.
    Cursor(Direction),
    /// F10.
    Breakpoint,
    /// Ctrl-S, or Cmd-S.
    Save,
    /// Shift-PageDown, or Shift-PageUp.
    Lesson(Direction),
}

impl Chord {
    /// Shortcut of a key by its position on the keyboard (`KeyboardEvent.code`), since Alt changes the typed
    /// character on some systems.
    pub fn of(code: &str, control: bool, alt: bool, shift: bool) -> Option<Chord> {
        match (code, control, alt, shift) {
            ("KeyF", false, true, true) => Some(Chord::Format),
            ("KeyO", true, false, true) => Some(Chord::Outline),
            ("Enter" | "NumpadEnter", false, true, _) => Some(Chord::Cursor(way(shift))),
            ("F10", false, false, false) => Some(Chord::Breakpoint),
            ("KeyS", true, false, false) => Some(Chord::Save),
            ("PageDown", false, false, true) => Some(Chord::Lesson(Direction::Forward)),
            ("PageUp", false, false, true) => Some(Chord::Lesson(Direction::Backward)),
            _ => None,
        }
    }
}

/// Kind of element that has the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// No particular element: the page handles the key.
    Page,
    /// The editor, which handles its keys itself.
    Editor,
    /// A button, which Space presses.
    Button,
    /// An element that uses arrow keys itself, such as the slider or a border.
    Widget,
    /// A field or list, where letters are typed or select an entry.
    Text,
}

/// Message that a key stands for; `None` if it has no meaning.
pub fn shortcut(model: &Model, key: &Key) -> Option<Msg> {
    match key.chord {
        Some(Chord::Format) => return Some(Msg::Format),
        Some(Chord::Outline) => return Some(Msg::Over(Overlay::Outline(0))),
        Some(Chord::Cursor(way)) => return jump(Target::Cursor, way),
        Some(Chord::Save) => return Some(Msg::Drafts(DraftsMsg::Save)),
        Some(Chord::Breakpoint) => return jump(Target::Breakpoint, Direction::Forward),
        // In the editor this key selects text.
        Some(Chord::Lesson(way)) => {
            let turns = model.tour.open.is_some() && key.focus != Focus::Editor;
            return turns.then_some(Msg::Tour(TourMsg::Turn(way == Direction::Forward)));
        }
        None => {}
    }
    let name = key.name.as_str();
    let typed = matches!(key.focus, Focus::Editor | Focus::Text);
    if !key.modified
        && model.overlay == Overlay::None
        && let Some(msg) = crate::present::update::key(model, name, typed)
    {
        return Some(msg);
    }
    if name == "Escape" && key.focus != Focus::Editor {
        return match (&model.popover, model.overlay) {
            (Some(_), _) => Some(Msg::ChipClosed),
            (None, Overlay::None) if model.reading.asked.is_some() => {
                Some(Msg::Reading(ReadingMsg::Close))
            }
            (None, Overlay::Examples(_) | Overlay::Outline(_) | Overlay::Jump(_)) => {
                Some(Msg::Over(Overlay::None))
            }
            // A dialog closes itself, and reports that.
            (
                None,
                Overlay::Help
                | Overlay::Explanation
                | Overlay::Copy
                | Overlay::Share
                | Overlay::Drafts,
            ) => None,
            (None, Overlay::None) if model.stepping.search.open => {
                Some(Msg::Step(StepMsg::Search(SearchMsg::Close)))
            }
            (None, Overlay::None) if model.words.open => Some(Msg::Words(WordsMsg::Why)),
            (None, Overlay::None) if model.stepping.more => Some(Msg::Step(StepMsg::More)),
            (None, Overlay::None) if model.train.more => Some(Msg::Train(TrainMsg::More)),
            (None, Overlay::None) if model.diagram.hovers() => Some(Msg::Diagram(DiagramMsg::Rest)),
            (None, Overlay::None) if model.diagram.more => {
                Some(Msg::Diagram(DiagramMsg::More(false)))
            }
            (None, Overlay::None) => (model.showing.stand == Stand::Presented)
                .then_some(Msg::Showing(ShowingMsg::Present(false))),
        };
    }
    if matches!(model.overlay, Overlay::Examples(_) | Overlay::Outline(_)) && !key.modified {
        let mut characters = name.chars();
        if let (Some(character), None) = (characters.next(), characters.next()) {
            // A space chooses the entry, unless it separates two typed words.
            let inside = !character.is_whitespace() || !model.sought.is_empty();
            return inside.then_some(Msg::Seek(character));
        }
    }
    if key.modified || typed || model.overlay != Overlay::None {
        return None;
    }
    match name {
        // In a presentation a lesson would take the place of the lecture.
        "t" if model.showing.stand != Stand::Presented => return Some(tour_key(model)),
        "?" => return Some(Msg::Over(Overlay::Help)),
        "s" => return Some(Msg::Travel(TravelMsg::Share)),
        "e" => {
            return Some(Msg::GoTo(
                model
                    .trace
                    .as_ref()
                    .and_then(|trace| trace.view.as_ref()?.source)
                    .map_or(0, |source| source.0),
            ));
        }
        "w" => return Some(Msg::Words(WordsMsg::Why)),
        "v" => return Some(Msg::Reading(ReadingMsg::Compare)),
        "[" => return Some(Msg::Go(Move::PreviousTick)),
        "]" => return Some(Msg::Go(Move::NextTick)),
        "k" => return Some(Msg::Go(Move::Previous)),
        "j" => return Some(Msg::Go(Move::Next)),
        "/" => return Some(Msg::Step(StepMsg::Search(SearchMsg::Open))),
        "<" => return Some(Msg::Step(StepMsg::SpeedBy(Direction::Backward))),
        ">" => return Some(Msg::Step(StepMsg::SpeedBy(Direction::Forward))),
        "1" | "2" | "3" | "4" => {
            let number = name.parse::<usize>().ok()?;
            let (level, ..) = LEVELS.get(number.checked_sub(1)?)?;
            return Some(Msg::Step(StepMsg::Level(*level)));
        }
        "5" if model
            .trace
            .as_ref()
            .is_some_and(|trace| trace.has_moments()) =>
        {
            return Some(Msg::Step(StepMsg::Level(Level::Moments)));
        }
        _ => {}
    }
    if let Some(msg) = letter(name) {
        return Some(msg);
    }
    if key.focus == Focus::Widget {
        return None;
    }
    match name {
        "ArrowLeft" => Some(Msg::Go(Move::Previous)),
        "ArrowRight" => Some(Msg::Go(Move::Next)),
        "Home" => Some(Msg::Go(Move::First)),
        "End" => Some(Msg::Go(Move::Last)),
        " " if key.focus == Focus::Page => Some(Msg::Step(StepMsg::Play)),
        _ => None,
    }
}

/// Message of the key of the tour: opens the tour, or its list of lessons if it is open.
fn tour_key(model: &Model) -> Msg {
    Msg::Tour(match model.tour.open {
        Some(_) => TourMsg::List,
        None => TourMsg::Open("".into(), "".into()),
    })
}

/// Jump that a letter stands for: lower case jumps forward, upper case backward.
fn letter(name: &str) -> Option<Msg> {
    let way = way(name.chars().all(|letter| letter.is_ascii_uppercase()));
    match name {
        "o" | "O" => jump(Target::Operation, way),
        "p" | "P" => jump(Target::Put, way),
        "u" | "U" => jump(Target::Unfolding, way),
        "c" | "C" => jump(Target::Cursor, way),
        "b" | "B" => jump(Target::Breakpoint, way),
        "n" | "N" => Some(Msg::Step(StepMsg::Again(way))),
        _ => None,
    }
}

fn jump(target: Target, way: Direction) -> Option<Msg> {
    Some(Msg::Step(StepMsg::Jump(target, way)))
}

fn way(back: bool) -> Direction {
    if back {
        Direction::Backward
    } else {
        Direction::Forward
    }
}
