//! Questions of the editor, formatting, insertion of handlers, and texts that are fetched: explanations of codes, examples, lessons.

use crate::compare::{self, CompareMsg};
use crate::editor::update as program;
use crate::editor::{Explanation, KeyMap};
use crate::effects::{Effect, Timer, Wanted, stored};
use crate::examples;
use crate::model::{Health, Model, Overlay, Pane, WorkerId};
use crate::tour;
use crate::update::ask::send;
use fletch_playground::protocol::{Ask, EditorDiagnostic, Insertion, Question, SHELF, TextEdit};
use std::rc::Rc;

/// Time in milliseconds that a notice stays.
const NOTICE: u32 = 5000;

/// Passes a question of the editor to the worker. The question is about the current text, whatever was checked last,
/// so it contains the text; the worker parses it only if it differs from the one it knows.
pub(crate) fn asked(model: &mut Model, number: u32, question: Question, effects: &mut Vec<Effect>) {
    let source = model.program.text.to_string();
    let ask = Ask::Question { source, question };
    if send(model, WorkerId::Steps, number, ask, effects).is_none() {
        effects.push(Effect::Answer(number, None));
    }
}

/// Uses another key map, and stores it for later visits.
#[inline(never)] // A start does without it.
pub(crate) fn keys(model: &mut Model, keys: KeyMap, effects: &mut Vec<Effect>) {
    model.keys = keys;
    effects.push(Effect::Keys(keys));
    effects.push(Effect::Store(stored::KEY_MAP, keys.name().into()));
}

/// Requests the edits that format the text.
pub(crate) fn format(model: &mut Model, effects: &mut Vec<Effect>) {
    let formatting = |ask: &Ask| {
        let question = Question::Format;
        matches!(ask, Ask::Question { question: asked, .. } if *asked == question)
    };
    if model.worker.awaits(formatting) || matches!(model.worker.health, Health::Failed(_)) {
        return;
    }
    asked(model, 0, Question::Format, effects);
}

/// Handles the formatter's answer about a text, which may have changed since.
#[inline(never)] // A start does without it.
pub(crate) fn formatted(
    model: &mut Model,
    text: &str,
    edits: Result<Vec<TextEdit>, Box<EditorDiagnostic>>,
    effects: &mut Vec<Effect>,
) {
    if *text != *model.program.text {
        return notice(
            model,
            "Not formatted: the program has changed meanwhile.",
            effects,
        );
    }
    match edits {
        Ok(edits) if edits.is_empty() => {
            notice(model, "The program is formatted already.", effects)
        }
        Ok(edits) => {
            notice(
                model,
                "Formatted. Undo in the editor takes it back.",
                effects,
            );
            effects.push(Effect::Edit(edits.into()));
        }
        Err(error) => {
            let why = format!(
                "Not formatted, because line {line} cannot be read: {message}",
                line = error.line,
                message = error.message
            );
            notice(model, &why, effects);
        }
    }
}

/// Requests the edits that insert the handler with this number on the shelf, adapted to the program.
#[inline(never)] // A start does without it.
pub(crate) fn insert(model: &mut Model, number: usize, effects: &mut Vec<Effect>) {
    let Some(on_shelf) = SHELF.get(number) else {
        return;
    };
    if matches!(model.worker.health, Health::Failed(_)) {
        return;
    }
    let name = on_shelf.name.to_owned();
    asked(model, 0, Question::Insert { name }, effects);
}

/// Handles the edits that insert a handler into a text, which may have changed since.
#[inline(never)] // A start does without it.
pub(crate) fn inserted(
    model: &mut Model,
    text: &str,
    made: Result<Box<Insertion>, String>,
    effects: &mut Vec<Effect>,
) {
    if *text != *model.program.text {
        return notice(
            model,
            "Nothing was inserted: the program has changed meanwhile.",
            effects,
        );
    }
    match made {
        Ok(made) => {
            effects.push(Effect::Edit(made.edits.into()));
            effects.push(Effect::GoTo(made.from));
            notice(
                model,
                "Inserted, with an item that uses it. Undo in the editor takes it back.",
                effects,
            );
        }
        Err(why) => notice(model, &format!("Nothing was inserted: {why}."), effects),
    }
}

pub(crate) fn notice(model: &mut Model, text: &str, effects: &mut Vec<Effect>) {
    model.notice = Some(text.into());
    effects.push(Effect::Start(Timer::Notice, NOTICE));
}

/// Opens the explanation of a diagnostic's code.
#[inline(never)] // A start does without it.
pub(crate) fn explain(model: &mut Model, code: Rc<str>, effects: &mut Vec<Effect>) {
    model.overlay = Overlay::Explanation;
    let known = model
        .explanation
        .as_ref()
        .is_some_and(|known| known.code == code && matches!(known.text, Some(Ok(_))));
    if !known {
        effects.push(Effect::Fetch(Wanted::Explanation(code.clone())));
        model.explanation = Some(Explanation { code, text: None });
    }
}

/// Goes to the declaration with this number in the outline.
#[inline(never)] // A start does without it.
pub(crate) fn declaration(model: &mut Model, number: usize, effects: &mut Vec<Effect>) {
    let Some(entry) = model.check.outline.get(number) else {
        return;
    };
    effects.push(Effect::GoTo(entry.from));
    model.overlay = Overlay::None;
    model.layout.pane = Pane::Program;
}

/// Fetches the example that the draft began as, to find out if it was changed.
pub(crate) fn miss_original(model: &Model, effects: &mut Vec<Effect>) {
    let number = examples::number(&model.program.name);
    if let Some(number) = number.filter(|_| model.program.original.is_empty()) {
        effects.push(Effect::Fetch(Wanted::Original(number)));
    }
}

/// Handles a fetched text, unless it is no longer needed.
pub(crate) fn fetched(
    model: &mut Model,
    wanted: Wanted,
    text: Result<Rc<str>, Rc<str>>,
    effects: &mut Vec<Effect>,
) {
    match wanted {
        Wanted::Example(number) if model.opening == Some(number) => {
            model.opening = None;
            match text {
                Ok(text) => program::opened(model, number, &text, effects),
                Err(why) => {
                    let why = format!("The example could not be loaded: {why}.");
                    notice(model, &why, effects);
                }
            }
        }
        Wanted::Example(_) => {}
        Wanted::Original(number) => {
            let here = examples::number(&model.program.name) == Some(number);
            if let (Ok(text), true) = (text, here && model.program.original.is_empty()) {
                model.program.original = text;
            }
        }
        Wanted::Compared(number) => {
            compare::update::change(model, CompareMsg::Fetched(number, text), effects);
        }
        Wanted::Lesson(name) => tour::update::came(model, &name, text, effects),
        Wanted::Lessons => tour::update::listed(model, text, effects),
        Wanted::Explanation(code) => {
            if let Some(open) = model.explanation.as_mut().filter(|open| open.code == code) {
                open.text = Some(text);
            }
        }
    }
}
