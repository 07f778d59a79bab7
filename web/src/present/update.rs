//! Showing the page to others: presenting it, and being a part of another page.

#[cfg(test)]
mod tests;

use crate::editor::update as program;
use crate::effects::{Effect, Timer, stored};
use crate::ids;
use crate::model::{Model, Pane, Tab};
use crate::present::{Part, Showing, Stand};
use crate::steps::update as stepping;
use crate::update::{Move, Msg, page};

/// So long the bar stays after the pointer has moved, in milliseconds.
const RESTS: u32 = 3000;

/// Message that changes how the page is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShowingMsg {
    /// Present, or be a page of its own again.
    Present(bool),
    /// It fills the screen no longer: the first Escape goes to the browser.
    Windowed,
    /// Show a part, or hide it.
    Part(Part),
    /// Larger type, or smaller.
    Size(bool),
    /// The pointer was moved, or has rested for some time.
    Remote(bool),
    /// A black screen, or what was on it.
    Black,
    /// The step notes in a window of their own, or as captions.
    Speaker(bool),
    /// Back to the text that the page around has.
    Reset,
    /// The browser does not open another window.
    NoWindow,
}

#[inline(never)] // A start does without it.
pub(crate) fn change(model: &mut Model, msg: ShowingMsg, effects: &mut Vec<Effect>) {
    match msg {
        ShowingMsg::Present(on) => present(model, on, effects),
        // Another window may be what took the screen.
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
        // The program begins where the run is, not at its first comment.
        let view = model.trace.as_ref().and_then(|trace| trace.view.as_ref());
        if let Some(source) = view.and_then(|view| view.source) {
            page::mark(model, source, effects);
        }
    } else {
        // The notes stay in their window, with its clock, until it is closed.
        let before = showing.before;
        page::tab(model, before, effects);
        effects.push(focus(model));
    }
}

/// The keyboard goes to what is stepped through, where arrows step: to the command, or to the stage where that is not shown.
pub(crate) fn focus(model: &Model) -> Effect {
    let command = model.tab == Tab::Steps && model.showing.has(Part::Steps);
    let place = if command { "command" } else { ids::STAGE };
    Effect::Focus(place.to_owned())
}

/// The stage and the narrow page show something that is among the parts.
pub(crate) fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    let showing = &model.showing;
    if showing.stand == Stand::Alone {
        return;
    }
    // On a wall what is chosen shares the screen; a frame has tabs.
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

/// Tells if a narrow page has this pane.
pub(crate) fn shows(showing: &Showing, pane: Pane) -> bool {
    match pane {
        // A lesson is for its reader, not for a wall.
        Pane::Text => showing.stand != Stand::Presented,
        Pane::Program => showing.has(Part::Editor),
        Pane::Steps => [Part::Steps, Part::Diagram, Part::Train]
            .into_iter()
            .any(|part| showing.has(part)),
        Pane::Sandwich => showing.has(Part::Sandwich),
        Pane::Heap => showing.has(Part::Heap),
    }
}

/// The height that a page around gives this one, in hundredths of the size of the type: room for the program, and for a state
/// of a run and the heap, within what a reader's screen can show.
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
    // A lesson is read, and has its program and its run in other panes.
    let lesson = if model.tour.is_shown() { 4000 } else { 0 };
    program.max(stage).max(lesson)
}

/// Tells the page around of another height.
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

/// The keys of a presentation: those of a clicker, which work wherever the focus is. A key that steps takes the black away.
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
        // Some clickers send a full stop.
        "b" | "B" | "." if !typing => Some(black),
        "+" | "=" if !typing => Some(Msg::Showing(ShowingMsg::Size(true))),
        "-" if !typing => Some(Msg::Showing(ShowingMsg::Size(false))),
        _ => None,
    }
}
