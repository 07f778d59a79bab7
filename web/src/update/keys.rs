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
    /// Where the focus was.
    pub place: Place,
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
    let name = key.name.as_str();
    if name == "Escape" && key.place != Place::Editor {
        return match (&model.popover, model.overlay) {
            (Some(_), _) => Some(Msg::ChipClosed),
            (None, Overlay::Examples(_)) => Some(Msg::Over(Overlay::None)),
            // The dialog closes by itself, and says so.
            (None, Overlay::Help | Overlay::None) => None,
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
