//! The keyboard: which key means what, and where.

use super::{Move, Msg};
use crate::model::{Model, Overlay};

/// A key that was pressed.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Its name, as in `KeyboardEvent.key`.
    pub name: String,
    /// Whether Ctrl, Alt or Meta was held.
    pub modified: bool,
    /// The shortcut that it is with the keys held, if it is one that works everywhere.
    pub chord: Option<Chord>,
    /// Where the focus was.
    pub place: Place,
}

/// Shortcuts with modifiers, which work in the editor too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chord {
    /// Shift-Alt-F.
    Format,
    /// Ctrl-Shift-O, or Cmd-Shift-O.
    Outline,
}

impl Chord {
    /// The shortcut of a key by its place on the keyboard (`KeyboardEvent.code`), since Alt changes what it types on
    /// some systems.
    pub fn of(code: &str, control: bool, alt: bool, shift: bool) -> Option<Chord> {
        match (code, control, alt, shift) {
            ("KeyF", false, true, true) => Some(Chord::Format),
            ("KeyO", true, false, true) => Some(Chord::Outline),
            _ => None,
        }
    }
}

/// Where the focus is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere in particular: the page has the key.
    Page,
    /// In the editor, which keeps its keys.
    Editor,
    /// In something that has its own use for arrows, such as the slider or a border.
    Widget,
}

/// What a key means, if it means anything.
pub fn shortcut(model: &Model, key: &Key) -> Option<Msg> {
    match key.chord {
        Some(Chord::Format) => return Some(Msg::Format),
        Some(Chord::Outline) => return Some(Msg::Over(Overlay::Outline(0))),
        None => {}
    }
    let name = key.name.as_str();
    if name == "Escape" && key.place != Place::Editor {
        return match (&model.popover, model.overlay) {
            (Some(_), _) => Some(Msg::ChipClosed),
            (None, Overlay::Examples(_) | Overlay::Outline(_)) => Some(Msg::Over(Overlay::None)),
            // A dialog closes by itself, and says so.
            (None, Overlay::Help | Overlay::Explanation | Overlay::None) => None,
        };
    }
    if key.modified || key.place == Place::Editor || model.overlay != Overlay::None {
        return None;
    }
    match name {
        "?" => return Some(Msg::Over(Overlay::Help)),
        "e" => {
            return Some(Msg::GoTo(
                model
                    .trace
                    .as_ref()
                    .and_then(|trace| trace.view.as_ref()?.source)
                    .map_or(0, |source| source.0),
            ));
        }
        "[" => return Some(Msg::Go(Move::PreviousTick)),
        "]" => return Some(Msg::Go(Move::NextTick)),
        "k" => return Some(Msg::Go(Move::Previous)),
        "j" => return Some(Msg::Go(Move::Next)),
        _ => {}
    }
    let step = match name {
        "ArrowLeft" => Move::Previous,
        "ArrowRight" => Move::Next,
        "Home" => Move::First,
        "End" => Move::Last,
        _ => return None,
    };
    (key.place == Place::Page).then_some(Msg::Go(step))
}
