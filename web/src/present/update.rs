//! Updates of the display to others: presenting the page, and embedding it.

#[cfg(test)]
mod tests;

use crate::editor::update as program;
use crate::effects::{Effect, Timer, stored};
use crate::ids;
use crate::model::{Model, Pane, Tab};
use crate::present::{Part, Showing, Stand};
use crate::steps::update as stepping;
use crate::update::{Move, Msg, page};

/// Time that the bar stays after the pointer has moved, in milliseconds.
const RESTS: u32 = 3000;

/// An event of presenting or embedding the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShowingMsg {
    /// Start a presentation; `false`: end it.
    Present(bool),
    /// The page has left fullscreen: the browser handles the first Escape itself.
    Windowed,
    /// Show or hide a part.
    Part(Part),
    /// Larger type; `false`: smaller.
    Size(bool),
    /// The pointer has moved; `false`: it has rested for some time.
    Remote(bool),
    /// Turn the black screen on or off.
    Black,
    /// Show the step notes in their own window; `false`: as captions.
    Speaker(bool),
    /// Restore the text that the page around this one gave.
    Reset,
    /// The browser refuses to open a second window.
    NoWindow,
}

#[inline(never)] // A start does without it.
pub(crate) fn change(model: &mut Model, msg: ShowingMsg, effects: &mut Vec<Effect>) {
    match msg {
        ShowingMsg::Present(on) => present(model, on, effects),
        // Opening the window of the notes may have ended fullscreen.
        ShowingMsg::Windowed if model.showing.speaker => {}
        ShowingMsg::Windowed => present(model, false, effects),
        ShowingMsg::Part(part) => {
            model.showing.parts = model.showing.parts.toggled_on_wall(part);
            settle(model, effects);
            keep(model, effects);
        }
        ShowingMsg::Size(larger) => {
            model.showing.size = model.showing.sized(larger);
            effects.push(Effect::Zoom(model.showing.size));
            keep(model, effects);
        }
        ShowingMsg::Reset => {
            let text = model.program.original.clone();
            program::edited(model, text.clone(), effects);
            effects.push(Effect::SetText(text));
        }
        ShowingMsg::NoWindow => {
            model.showing.speaker = false;
            let text =
                "The browser does not let the page open a second window; the notes stay here.";
            stepping::note(model, text, effects);
        }
        ShowingMsg::Remote(on) => {
            model.showing.remote = on && model.showing.stand == Stand::Presented;
            if model.showing.remote {
                effects.push(Effect::Start(Timer::Remote, RESTS));
            }
        }
        ShowingMsg::Black => model.showing.black = !model.showing.black,
        ShowingMsg::Speaker(on) => {
            if model.showing.speaker != on {
                model.showing.speaker = on;
                effects.push(Effect::Speaker(on));
                crate::steps::update::trace::ask(model, effects);
            }
        }
    }
}

fn present(model: &mut Model, on: bool, effects: &mut Vec<Effect>) {
    let showing = &mut model.showing;
    if showing.stand == Stand::Embedded || (showing.stand == Stand::Presented) == on {
        return;
    }
    showing.black = false;
    showing.remote = false;
    showing.stand = if on { Stand::Presented } else { Stand::Alone };
    effects.push(Effect::Zoom(if on { showing.size } else { 100 }));
    effects.push(Effect::Fullscreen(on));
    if on {
        showing.before = model.tab;
        showing.parts = showing.parts.with(model.tab);
        settle(model, effects);
        effects.push(focus(model));
        // The editor scrolls to the redex, not to the first comment.
        let view = model.trace.as_ref().and_then(|trace| trace.view.as_ref());
        if let Some(source) = view.and_then(|view| view.source) {
            page::mark(model, source, effects);
        }
    } else {
        // The window of the notes stays open, with its clock, until the presenter closes it.
        let before = showing.before;
        page::tab(model, before, effects);
        effects.push(focus(model));
    }
}

/// Focuses the element where arrow keys step: the command, or the stage if the command is hidden.
pub(crate) fn focus(model: &Model) -> Effect {
    let command = model.tab == Tab::Steps && model.showing.has(Part::Steps);
    let place = if command { "command" } else { ids::STAGE };
    Effect::Focus(place.to_owned())
}

/// Makes the stage and the narrow page show a chosen part.
pub(crate) fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    let showing = &model.showing;
    if showing.stand == Stand::Alone {
        return;
    }
    // A presentation has no tabs, so it follows the chosen parts; an embedded page keeps its tab if it can.
    if !showing.offers(model.tab) || showing.stand == Stand::Presented {
        let tab = showing.parts.tab();
        page::tab(model, tab, effects);
    }
    if model.draws() {
        crate::update::ask::start(model, effects);
    }
    if !shows(&model.showing, model.layout.pane) {
        let panes = [Pane::Program, Pane::Steps, Pane::Sandwich, Pane::Heap];
        let first = panes.into_iter().find(|pane| shows(&model.showing, *pane));
        model.layout.pane = first.unwrap_or(Pane::Steps);
    }
}

/// True if a narrow page has this pane.
pub(crate) fn shows(showing: &Showing, pane: Pane) -> bool {
    match pane {
        // A lesson is not presented.
        Pane::Text => showing.stand != Stand::Presented,
        Pane::Program => showing.has(Part::Editor),
        Pane::Steps => [Part::Steps, Part::Diagram, Part::Train]
            .into_iter()
            .any(|part| showing.has(part)),
        Pane::Sandwich => showing.has(Part::Sandwich),
        Pane::Heap => showing.has(Part::Heap),
    }
}

/// Height that an embedded page needs, in hundredths of the type size: for the program, and for a state of a run and
/// the heap, within the height of a usual screen.
fn height(model: &Model) -> u32 {
    let has = |part| model.showing.has(part);
    let program = if has(Part::Editor) {
        let lines = model.program.text.lines().count();
        500 + 125 * u32::try_from(lines).unwrap_or(u32::MAX).clamp(4, 24)
    } else {
        0
    };
    let steps = [Part::Steps, Part::Sandwich, Part::Diagram, Part::Train];
    let steps = steps.into_iter().any(has);
    let stage = match (steps, has(Part::Heap)) {
        (true, true) => 3800,
        (true, false) => 2800,
        (false, true) => 1800,
        (false, false) => 0,
    };
    // A lesson needs more height; its program and run are in other panes.
    let lesson = if model.tour.is_shown() { 4000 } else { 0 };
    program.max(stage).max(lesson)
}

/// Reports the height to the page around this one, if it has changed.
pub(crate) fn tell(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.showing.stand != Stand::Embedded {
        return;
    }
    let height = height(model);
    if model.showing.told != height {
        model.showing.told = height;
        effects.push(Effect::Height(height));
    }
}

fn keep(model: &Model, effects: &mut Vec<Effect>) {
    if model.showing.stand == Stand::Presented {
        effects.push(Effect::Store(stored::PRESENT, model.showing.kept().into()));
    }
}

/// Keys of a presentation, as sent by a clicker; these work with any focus. On a black screen the same keys end the black.
pub(crate) fn key(model: &Model, name: &str, typing: bool) -> Option<Msg> {
    if model.showing.stand != Stand::Presented {
        return None;
    }
    let black = Msg::Showing(ShowingMsg::Black);
    if model.showing.black {
        let lifts = [
            "Escape",
            "b",
            "B",
            ".",
            "PageDown",
            "PageUp",
            " ",
            "ArrowRight",
            "ArrowLeft",
        ];
        return lifts.contains(&name).then_some(black);
    }
    match name {
        "PageDown" => Some(Msg::Go(Move::Next)),
        "PageUp" => Some(Msg::Go(Move::Previous)),
        // Some clickers send a full stop for the black screen.
        "b" | "B" | "." if !typing => Some(black),
        "+" | "=" if !typing => Some(Msg::Showing(ShowingMsg::Size(true))),
        "-" if !typing => Some(Msg::Showing(ShowingMsg::Size(false))),
        _ => None,
    }
}
