//! Updates of how the reader looks at a position: folds, comparison, descriptions of pieces.

use crate::effects::{Effect, Timer};
use crate::model::{Model, WorkerId};
use crate::steps::reading::Asked;
use crate::steps::update::trace;
use crate::update::ask::send;
use fletch_playground::protocol::{Ask, FoldKey, Inspection};

/// Time for which the pointer must rest on a piece before it is described, or be away from it before the description closes, in
/// milliseconds.
const REST: u32 = 180;

/// Event on the command on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReadingMsg {
    /// Open or close a fold.
    Toggle(FoldKey),
    /// Show or hide the state after the step, next to the state before.
    Compare,
    /// The pointer entered a piece.
    Rest(Asked),
    /// A piece was clicked or got the keyboard focus.
    Ask(Asked),
    /// The pointer or the keyboard left the piece.
    Leave,
    /// The pointer entered the description.
    Stay,
    /// Close the description.
    Close,
}

#[inline(never)] // A start does without it.
pub(crate) fn change(model: &mut Model, msg: ReadingMsg, effects: &mut Vec<Effect>) {
    match msg {
        ReadingMsg::Toggle(key) => {
            let kept = model.reading.toggled.iter().copied();
            model.reading.toggled = if model.reading.toggled.contains(&key) {
                kept.filter(|other| *other != key).collect()
            } else {
                kept.chain([key]).collect()
            };
            close(model, effects);
            trace::ask(model, effects);
            // The pressed label is replaced, so the focus would be lost.
            effects.push(Effect::Focus("command".into()));
        }
        ReadingMsg::Compare => {
            model.reading.compare = !model.reading.compare;
            close(model, effects);
            trace::ask(model, effects);
        }
        ReadingMsg::Rest(asked) => {
            if model
                .reading
                .asked
                .is_some_and(|open| open.node == asked.node)
            {
                effects.push(Effect::Cancel(Timer::Inspect));
                model.reading.rested = None;
            } else {
                model.reading.rested = Some(asked);
                effects.push(Effect::Start(Timer::Inspect, REST));
            }
        }
        ReadingMsg::Ask(asked) => {
            let again = model
                .reading
                .asked
                .is_some_and(|open| open.pinned && asked.pinned && open.node == asked.node);
            if again {
                close(model, effects);
            } else {
                ask(model, asked, effects);
            }
        }
        ReadingMsg::Leave => {
            model.reading.rested = None;
            effects.push(Effect::Start(Timer::Inspect, REST));
        }
        ReadingMsg::Stay => effects.push(Effect::Cancel(Timer::Inspect)),
        ReadingMsg::Close => close(model, effects),
    }
}

/// Requests the description of the piece under the pointer, or closes the open one, when the timer has fired.
pub(crate) fn rested(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(asked) = model.reading.rested.take() {
        if !model.reading.asked.is_some_and(|open| open.pinned) {
            ask(model, asked, effects);
        }
    } else if !model.reading.asked.is_some_and(|open| open.pinned) {
        close(model, effects);
    }
}

fn ask(model: &mut Model, asked: Asked, effects: &mut Vec<Effect>) {
    effects.push(Effect::Cancel(Timer::Inspect));
    let Some(trace) = &model.trace else { return };
    // Pieces are numbered by the view on the screen.
    if !model.can_step() || model.is_behind() {
        return;
    }
    let revision = trace.revision;
    model.reading.rested = None;
    model.reading.inspection = None;
    model.reading.asked = Some(asked);
    let ask = Ask::Inspect { node: asked.node };
    send(model, WorkerId::Steps, revision, ask, effects);
}

/// Stores a description, if the reader still requests it.
pub(crate) fn inspected(model: &mut Model, node: u32, inspection: Option<Inspection>) {
    if model.reading.asked.is_some_and(|asked| asked.node == node) {
        if inspection.is_none() {
            model.reading.asked = None;
        }
        model.reading.inspection = inspection;
    }
}

/// Closes the description and drops the request, since another view numbers its pieces differently.
pub(crate) fn close(model: &mut Model, effects: &mut Vec<Effect>) {
    let reading = &mut model.reading;
    if reading.asked.is_some() || reading.rested.is_some() {
        reading.asked = None;
        reading.rested = None;
        reading.inspection = None;
        effects.push(Effect::Cancel(Timer::Inspect));
    }
}
