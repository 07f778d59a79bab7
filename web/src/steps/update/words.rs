//! Updates of the rule panel (*why?*) and of the copy form.

use crate::effects::{Copier, Effect, File, stored};
use crate::model::{Model, Overlay, Shared, WorkerId};
use crate::steps::run::Trace;
use crate::steps::update as stepping;
use crate::steps::words::{DIGITS, Purpose, format_names};
use crate::update::ask::send;
use crate::update::page;
use fletch_playground::protocol::{Ask, Copying, Digits, Format, Why};
use std::rc::Rc;

/// Event on the rule panel or on the copy form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WordsMsg {
    /// Open or close the rule panel.
    Why,
    /// Open the copy form.
    Copy,
    /// Copy only the state on the screen (true), or a range of steps.
    One(bool),
    /// Set the first position of the range.
    From(u32),
    /// Set the last position of the range.
    To(u32),
    /// Select the format.
    Format(Format),
    /// Select rounded or exact numbers, and store the choice.
    Digits(Digits),
    /// Request the text for a destination.
    Get(Purpose),
    /// The browser copied the text (true), or refused to.
    Copied(bool),
    /// The print dialogue of the browser was closed.
    Printed,
}

/// Element id of the button that opens the rule panel.
pub(crate) const WHY: &str = "why";
/// Element id of the button that opens the copy form.
pub(crate) const COPY: &str = "copy";
/// Element id of the text area from which the reader copies.
pub(crate) const TAKE: &str = "copy-text";

#[inline(never)] // A start does without it.
pub(crate) fn change(model: &mut Model, msg: WordsMsg, effects: &mut Vec<Effect>) {
    match msg {
        WordsMsg::Why => {
            model.words.open = !model.words.open;
            if model.words.open {
                model.words.why = None;
                ask(model, effects);
            } else {
                effects.push(Effect::Focus(WHY.to_owned()));
            }
        }
        WordsMsg::Copy => {
            let Some(trace) = model.trace.as_ref().filter(|_| model.can_step()) else {
                return;
            };
            let copy = &mut model.words.copy;
            copy.text = None;
            copy.purpose = None;
            // A range that is empty or exceeds the run becomes the whole run.
            if copy.to <= copy.from || copy.to > trace.steps {
                (copy.from, copy.to) = (0, trace.steps);
            }
            page::over(model, Overlay::Copy, effects);
        }
        WordsMsg::One(one) => model.words.copy.one = one,
        WordsMsg::From(from) => {
            let last = model.trace.as_ref().map_or(0, |trace| trace.steps);
            let copy = &mut model.words.copy;
            copy.one = false;
            copy.from = from.min(last);
            copy.to = copy.to.max(copy.from);
        }
        WordsMsg::To(to) => {
            let last = model.trace.as_ref().map_or(0, |trace| trace.steps);
            let copy = &mut model.words.copy;
            copy.one = false;
            copy.to = to.min(last);
            copy.from = copy.from.min(copy.to);
        }
        WordsMsg::Format(format) => model.words.copy.format = format,
        WordsMsg::Digits(digits) => {
            model.words.copy.digits = digits;
            if let Some((.., name)) = DIGITS.iter().find(|(known, ..)| *known == digits) {
                effects.push(Effect::Store(stored::DIGITS, (*name).into()));
            }
        }
        WordsMsg::Get(purpose) => get(model, purpose, effects),
        WordsMsg::Copied(true) => {
            let (format, _) = format_names(model.words.copy.format);
            let text = format!("Copied {model} as {format}.", model = what(model));
            done(model, &text, effects);
        }
        WordsMsg::Copied(false) => effects.push(Effect::Focus(TAKE.to_owned())),
        WordsMsg::Printed => model.words.printed = None,
    }
}

/// Revision and position of the view on the screen.
fn shown(trace: &Trace) -> Option<(u32, u32)> {
    let shown = trace.shown.as_ref()?;
    Some((shown.revision, shown.show.position))
}

/// Requests the rule of the step on the screen, if the rule panel is open.
pub(crate) fn ask(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some((revision, position)) = model.trace.as_ref().and_then(shown) else {
        return;
    };
    if !model.words.open || model.trace.as_ref().map(|trace| trace.revision) != Some(revision) {
        return;
    }
    let ask = Ask::Why { position };
    send(model, WorkerId::Steps, revision, ask, effects);
}

/// Stores the rule of a step. A reply about a position that is no longer on the screen is dropped.
pub(crate) fn answered(model: &mut Model, position: u32, why: Option<Why>) {
    let here = model.trace.as_ref().and_then(shown);
    if here.is_some_and(|(_, here)| here == position) {
        model.words.why = why.map(Shared::new);
    }
}

fn get(model: &mut Model, purpose: Purpose, effects: &mut Vec<Effect>) {
    let Some(trace) = &model.trace else { return };
    let Some((revision, position)) = shown(trace) else {
        return;
    };
    if !model.can_step() {
        return;
    }
    let copy = &mut model.words.copy;
    copy.purpose = Some(purpose);
    copy.text = None;
    let (from, to) = if copy.one {
        (position, position)
    } else {
        (copy.from, copy.to)
    };
    let copying = Copying {
        from,
        to,
        level: model.stepping.level,
        // Paper is for people.
        format: match purpose {
            Purpose::Printer => Format::Text,
            Purpose::Clipboard | Purpose::File => copy.format,
        },
        digits: copy.digits,
    };
    send(
        model,
        WorkerId::Steps,
        revision,
        Ask::Copy(copying),
        effects,
    );
}

/// Sends the text to the requested destination.
pub(crate) fn exported(model: &mut Model, text: String, effects: &mut Vec<Effect>) {
    let text: Rc<str> = text.into();
    let (_, ending) = format_names(model.words.copy.format);
    match model.words.copy.purpose.take() {
        Some(Purpose::Clipboard) => {
            // The form shows the text until the browser confirms the copy.
            model.words.copy.text = Some(Rc::clone(&text));
            effects.push(Effect::Copy(text, Copier::Words));
        }
        Some(Purpose::File) => {
            let program = model.program.file().trim_end_matches(".fletch");
            let name = format!("{program}-{}.{ending}", range(model).replace(' ', "-"));
            let said = format!("Saved {model} as {name}.", model = what(model));
            effects.push(Effect::Save(File::text(&name, "text/plain", &text)));
            done(model, &said, effects);
        }
        Some(Purpose::Printer) => {
            model.words.printed = Some(text);
            page::over(model, Overlay::None, effects);
            effects.push(Effect::Print);
        }
        None => {}
    }
}

/// Closes the copy form and reports what was done.
fn done(model: &mut Model, text: &str, effects: &mut Vec<Effect>) {
    model.words.copy.text = None;
    if model.overlay == Overlay::Copy {
        page::over(model, Overlay::None, effects);
    }
    stepping::note(model, text, effects);
}

/// Positions of a copy, for the name of a file: `step 5`, `steps 0 to 89`.
fn range(model: &Model) -> String {
    let copy = &model.words.copy;
    let position = model.trace.as_ref().and_then(shown).map_or(0, |(_, at)| at);
    if copy.one {
        format!("step {position}")
    } else {
        format!("steps {from} to {to}", from = copy.from, to = copy.to)
    }
}

fn what(model: &Model) -> String {
    let copy = &model.words.copy;
    if copy.one {
        return "this state".to_owned();
    }
    let numbering = model.numbering();
    let (from, to) = (numbering.number(copy.from), numbering.number(copy.to));
    format!("steps {from} to {to}")
}
