//! Looking at a position: what is folded, what is compared, what a piece is.

use crate::effects::{Effect, Timer};
use crate::model::{Model, WorkerId};
use crate::steps::reading::Asked;
use crate::steps::update::trace;
use crate::update::ask::send;
use fletch_playground::protocol::{Ask, FoldKey, Inspection};

/// How long the pointer rests on a piece before it is asked about, and how long it may be away.
const REST: u32 = 180;

/// Something that happened to the command on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReadingMsg {
    /// Open or fold this.
    Toggle(FoldKey),
    /// Show the state after the step beside the one before, or no longer.
    Compare,
    /// The pointer came to a piece.
    Rest(Asked),
    /// A piece was clicked, or the keyboard came to it.
    Ask(Asked),
    /// The pointer or the keyboard left the piece.
    Leave,
    /// The pointer came to the answer.
    Stay,
    /// Close the answer.
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
            // The label that was pressed is drawn anew, and would leave the keyboard nowhere.
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

/// The pointer has rested on a piece, or has been away from it, for long enough.
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
    // The numbers are those of the view on the screen.
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

/// The answer is there; it is shown if the question still stands.
pub(crate) fn inspected(model: &mut Model, node: u32, inspection: Option<Inspection>) {
    if model.reading.asked.is_some_and(|asked| asked.node == node) {
        if inspection.is_none() {
            model.reading.asked = None;
        }
        model.reading.inspection = inspection;
    }
}

/// Another view comes: what was asked about the one on the screen is over.
pub(crate) fn close(model: &mut Model, effects: &mut Vec<Effect>) {
    let reading = &mut model.reading;
    if reading.asked.is_some() || reading.rested.is_some() {
        reading.asked = None;
        reading.rested = None;
        reading.inspection = None;
        effects.push(Effect::Cancel(Timer::Inspect));
    }
}
