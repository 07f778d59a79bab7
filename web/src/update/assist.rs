//! What the editor asks, and what is fetched for the page: answers to questions about the text, formatting,
//! explanations of codes, examples.

use super::program;
use crate::effects::{Effect, Timer, Wanted};
use crate::examples;
use crate::model::{Explanation, Health, Model, Overlay, Pane, Sent};
use crate::texts;
use fletch_playground::protocol::{Answer, EditorDiagnostic, Question, Request, TextEdit};
use std::rc::Rc;

/// How long a short notice stays.
const NOTICE: u32 = 5000;

/// Passes a question of the editor on. It is about the text as it is now, whatever was last checked, so the text
/// goes with it: the worker reads it only if it is another one than it knows.
pub(super) fn asked(model: &mut Model, number: u32, question: Question, effects: &mut Vec<Effect>) {
    if let Health::Failed(_) = model.worker.health {
        effects.push(Effect::Answer(number, None));
        return;
    }
    model.worker.in_flight.push_back(Sent::Ask(number));
    effects.push(Effect::Send(Request::Ask {
        source: model.program.text.to_string(),
        question,
    }));
}

/// Formats the text, once the worker has said how.
pub(super) fn format(model: &mut Model, effects: &mut Vec<Effect>) {
    let formatting = |sent: &Sent| matches!(sent, Sent::Format(_));
    if model.worker.in_flight.iter().any(formatting) {
        return;
    }
    if let Health::Failed(_) = model.worker.health {
        return;
    }
    model
        .worker
        .in_flight
        .push_back(Sent::Format(model.program.text.clone()));
    effects.push(Effect::Send(Request::Ask {
        source: model.program.text.to_string(),
        question: Question::Format,
    }));
}

/// The formatter has answered about a text, which may have changed since.
pub(super) fn formatted(
    model: &mut Model,
    text: &Rc<str>,
    edits: Result<Vec<TextEdit>, Box<EditorDiagnostic>>,
    effects: &mut Vec<Effect>,
) {
    if *text != model.program.text {
        return notice(model, texts::editor::NOT_FORMATTED_THE_PROGRAM_HAS, effects);
    }
    match edits {
        Ok(edits) if edits.is_empty() => notice(
            model,
            texts::editor::THE_PROGRAM_IS_FORMATTED_ALREADY,
            effects,
        ),
        Ok(edits) => {
            notice(model, texts::editor::FORMATTED_UNDO_IN_THE_EDITOR, effects);
            effects.push(Effect::Edit(edits.into()));
        }
        Err(error) => {
            let why = texts::editor::not_formatted_because_line_cannot(&error.line, &error.message);
            notice(model, &why, effects);
        }
    }
}

pub(super) fn notice(model: &mut Model, text: &str, effects: &mut Vec<Effect>) {
    model.notice = Some(text.into());
    effects.push(Effect::Start(Timer::Notice, NOTICE));
}

/// Opens the explanation of a code.
pub(super) fn explain(model: &mut Model, code: Rc<str>, effects: &mut Vec<Effect>) {
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

/// Goes to a declaration of the outline.
pub(super) fn declaration(model: &mut Model, number: usize, effects: &mut Vec<Effect>) {
    let Some(entry) = model.check.outline.get(number) else {
        return;
    };
    effects.push(Effect::GoTo(entry.from));
    model.overlay = Overlay::None;
    model.layout.pane = Pane::Program;
}

/// Asks for the text of the example that the draft began as, to tell whether it was changed.
pub(super) fn miss_original(model: &Model, effects: &mut Vec<Effect>) {
    let number = examples::number(&model.program.name);
    if let Some(number) = number.filter(|_| model.program.original.is_empty()) {
        effects.push(Effect::Fetch(Wanted::Original(number)));
    }
}

/// A text has come, if it is still wanted.
pub(super) fn fetched(
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
                    let why = texts::editor::the_example_could_not_be(&why);
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
        Wanted::Explanation(code) => {
            if let Some(open) = model.explanation.as_mut().filter(|open| open.code == code) {
                open.text = Some(text);
            }
        }
    }
}

/// The worker has answered a question of the editor.
pub(super) fn answered(number: u32, answer: Answer, effects: &mut Vec<Effect>) {
    effects.push(Effect::Answer(number, Some(Rc::new(answer))));
}
