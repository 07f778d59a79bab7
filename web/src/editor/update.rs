//! The text: editing, opening, checking.

pub(crate) mod assist;

use crate::drafts::Kept;
use crate::drafts::update::Own;
use crate::editor::{CheckPhase, OWN, Program};
use crate::effects::{Draft, Effect, Timer, Wanted, stored};
use crate::examples;
use crate::ids;
use crate::model::{Model, Overlay, Pane, WorkerId, mode_name};
use crate::present::Stand;
use crate::steps::run::RunState;
use crate::steps::update::trace;
use crate::tour::update::TourMsg;
use crate::train;
use crate::update::ask;
use fletch_playground::protocol::{Ask, Checked, Mode, Offer};
use std::rc::Rc;

/// Time in milliseconds that the text stays unchanged before it is checked.
const REST: u32 = 150;
/// Time in milliseconds before the page shows that a worker is busy.
pub(crate) const PATIENCE: u32 = 200;

pub(crate) fn edited(model: &mut Model, text: Rc<str>, effects: &mut Vec<Effect>) {
    if model.program.text == text {
        return;
    }
    // The embedding page has asked for a text that cannot be edited.
    if model.showing.fixed {
        effects.push(Effect::SetText(model.program.text.clone()));
        return;
    }
    match model.replaced.take_if(|replaced| replaced.text == text) {
        Some(replaced) => {
            model.program = Program {
                revision: model.program.revision,
                ..(*replaced).clone()
            }
        }
        None => model.program.text = text,
    }
    train::update::sampled::leave(model);
    train::update::edited(&mut model.train);
    crate::share::update::edited(model, effects);
    crate::steps::update::pause(model, effects);
    model.check.phase = CheckPhase::Edited;
    if model.tour.open.is_some() {
        crate::tour::update::edited(model, effects);
    }
    keep(model, effects);
    effects.push(Effect::Start(Timer::Check, REST));
}

/// Keeps the program in this browser: for this tab, and once the reader has changed it for later visits.
pub(crate) fn keep(model: &Model, effects: &mut Vec<Effect>) {
    // An embedded page keeps nothing: it belongs to the page around it.
    if model.showing.stand == Stand::Embedded {
        return;
    }
    let program = &model.program;
    effects.push(Effect::Keep(Draft {
        id: program.draft.clone(),
        given: program.given.clone(),
        heading: program.heading(),
        file: program.file().into(),
        text: program.text.clone(),
        lasts: program.text != program.original || !program.files.is_empty(),
    }));
}

/// Checks the program again, because something other than its text has changed.
pub(crate) fn load_anew(model: &mut Model, effects: &mut Vec<Effect>) {
    // The check of the previous state finishes first if it is in progress.
    model.check.phase = CheckPhase::Edited;
    load(model, effects);
}

/// Sends the text to be checked. If a check is in progress, the next one starts after it.
pub(crate) fn load(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.worker.awaits(|ask| matches!(ask, Ask::Load { .. })) {
        return;
    }
    if !model.worker.lives() {
        model.check.phase = CheckPhase::Stopped;
        return;
    }
    ask::prepare(model, WorkerId::Steps, effects);
    model.program.revision += 1;
    model.check.phase = CheckPhase::Checking;
    model.worker.stopping = false;
    effects.extend([
        Effect::Start(Timer::Slow, PATIENCE),
        Effect::Cancel(Timer::Check),
    ]);
    let ask = Ask::Load {
        source: model.program.text.to_string(),
        heap: model.heap.edits.to_vec(),
        mode: model.mode,
    };
    let revision = model.program.revision;
    ask::send(model, WorkerId::Steps, revision, ask, effects);
}

/// Runs the program again in this mode. The reader stays at the same step as far as the steps of both modes agree.
pub(crate) fn run_as(model: &mut Model, mode: Mode, effects: &mut Vec<Effect>) {
    if model.mode == mode {
        return;
    }
    model.mode = mode;
    effects.push(Effect::Store(stored::MODE, mode_name(mode).into()));
    crate::steps::update::pause(model, effects);
    load_anew(model, effects);
}

/// Handles the result of a check, of the current text or of an earlier one.
pub(crate) fn checked(
    model: &mut Model,
    revision: u32,
    checked: Checked,
    effects: &mut Vec<Effect>,
) {
    if revision != model.program.revision {
        return;
    }
    if checked.main.is_some() {
        model.worker.holds = revision;
    }
    if model.check.phase != CheckPhase::Checking {
        // The text has changed since; its timer is running, or ran out during this check.
        effects.push(Effect::Start(Timer::Check, REST));
        return;
    }
    model.check.phase = CheckPhase::Checked;
    model.check.diagnostics = checked.diagnostics.into();
    model.check.outline = checked.outline.into();
    model.check.main = checked.main;
    model.check.files = checked.files.into();
    model.check.offer = None;
    if model.is_idle() {
        trace::withdraw(model, effects);
        ask::send(model, WorkerId::Steps, revision, Ask::Offer, effects);
    }
    effects.push(Effect::Diagnose(model.check.diagnostics.clone()));
    trace::resume(model, effects);
    if model.worker.awaits(|ask| *ask == Ask::Offer) {
        // A search for an offer that takes long can be stopped.
        effects.push(Effect::Start(Timer::Slow, PATIENCE));
    }
}

/// Stores a `main` that the program could have; `None` if there is none.
pub(crate) fn offered(model: &mut Model, revision: u32, offer: Option<Offer>) {
    if revision == model.program.revision {
        model.check.offer = offer.map(Rc::new);
    }
}

/// Handles Ctrl-Enter: shows the run from its start, or checks the open exercise.
#[inline(never)] // A start does without it.
pub(crate) fn run(model: &mut Model, effects: &mut Vec<Effect>) {
    let tour = model.tour.open.as_ref();
    if tour.is_some_and(|open| open.exercise.is_some()) {
        return crate::tour::update::change(model, TourMsg::Check, effects);
    }
    model.layout.pane = Pane::Steps;
    effects.push(Effect::Focus("command".into()));
    let lost = model
        .trace
        .as_ref()
        .is_some_and(|trace| trace.state == RunState::Lost);
    crate::steps::update::pause(model, effects);
    if let Some(trace) = &mut model.trace {
        (trace.position, trace.from) = (0, None);
    }
    if model.check.phase != CheckPhase::Checked || lost {
        load(model, effects);
    } else {
        trace::show(model, 0, effects);
    }
}

/// Inserts the offered `main` into the program.
#[inline(never)] // A start does without it.
pub(crate) fn insert_main(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(offer) = model.check.offer.clone().filter(|_| model.is_idle()) {
        effects.push(Effect::Edit(Rc::new([offer.edit.clone()])));
    }
}

/// Opens an example once its text is fetched. Until then the editor stays as it is.
pub(crate) fn open(model: &mut Model, number: usize, effects: &mut Vec<Effect>) {
    model.overlay = Overlay::None;
    // The stage gets the focus, so a reader who chose the example by keys can step by keys.
    effects.push(Effect::Focus(ids::STAGE.into()));
    if number == 0 {
        model.opening = None;
        opened(model, number, examples::FIRST, effects);
    } else {
        model.opening = Some(number);
        effects.push(Effect::Fetch(Wanted::Example(number)));
    }
}

/// Opens an example whose text is there.
pub(crate) fn opened(model: &mut Model, number: usize, text: &str, effects: &mut Vec<Effect>) {
    if let Some(example) = examples::all().nth(number) {
        begin(model, example.file, example.title, text, text, effects);
    }
}

/// Text of a new program: a minimal one that runs.
const NEW: &str = "-- Untitled\n\nmain = ⌊1 + 2⌋\n";

/// Begins a new program.
#[inline(never)] // A start does without it.
pub(crate) fn create(model: &mut Model, effects: &mut Vec<Effect>) {
    model.overlay = Overlay::None;
    model.opening = None;
    model.layout.pane = Pane::Program;
    begin(model, OWN, "", NEW, NEW, effects);
    effects.push(Effect::GoTo(0));
}

/// Opens a file of the reader, as a new draft.
#[inline(never)] // A start does without it.
pub(crate) fn from_file(model: &mut Model, name: &str, text: &str, effects: &mut Vec<Effect>) {
    model.overlay = Overlay::None;
    model.opening = None;
    model.layout.pane = Pane::Program;
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    begin(model, OWN, stem, "", text, effects);
    model.program.given = stem.into();
    keep(model, effects);
}

/// Opens a kept program, with its files and its undo history.
#[inline(never)] // A start does without it.
pub(crate) fn reopen(model: &mut Model, kept: &Kept, own: Own, effects: &mut Vec<Effect>) {
    let was_changed = model.program.text != model.program.original;
    let title = kept.heading().to_owned();
    model.opening = None;
    model.layout.pane = Pane::Program;
    model.replaced = Some(Rc::new(model.program.clone()));
    place(model, &kept.file, &title, "", &kept.text, effects);
    model.program.draft = kept.id.clone();
    model.program.given = own.given;
    model.program.files = own.files;
    crate::share::update::enter(model, true, effects);
    // The opened program has its own undo history, which does not lead back to the program before.
    model.replaced = None;
    let stays = if was_changed {
        " What you wrote before is among your programs."
    } else {
        ""
    };
    crate::editor::update::assist::notice(model, &format!("Opened {title}.{stays}"), effects);
    crate::drafts::update::restore(model, own.history, effects);
    keep(model, effects);
    load(model, effects);
    crate::editor::update::assist::miss_original(model, effects);
}

/// Puts another program into the editor, as a draft of its own, and checks it.
pub(crate) fn begin(
    model: &mut Model,
    name: &str,
    title: &str,
    original: &str,
    text: &str,
    effects: &mut Vec<Effect>,
) {
    replace(model, name, title, original, text, effects);
    crate::share::update::enter(model, true, effects);
    load(model, effects);
}

/// Puts back a program that was open before, as it was left.
#[inline(never)] // A start does without it.
pub(crate) fn put(model: &mut Model, program: &Program, effects: &mut Vec<Effect>) {
    let Program {
        name,
        title,
        original,
        text,
        ..
    } = program;
    exchange(model, name, title, original, text, effects);
    model.program.draft = program.draft.clone();
    model.program.given = program.given.clone();
    model.program.files = program.files.clone();
    keep(model, effects);
    load(model, effects);
}

/// Puts another program into the editor, as a draft of its own. The replaced program stays kept, and undo in the
/// editor brings it back.
#[inline(never)] // A start does without it.
pub(crate) fn replace(
    model: &mut Model,
    name: &str,
    title: &str,
    original: &str,
    text: &str,
    effects: &mut Vec<Effect>,
) {
    exchange(model, name, title, original, text, effects);
    model.program.draft = model.drafts.begin();
    keep(model, effects);
}

fn exchange(
    model: &mut Model,
    name: &str,
    title: &str,
    original: &str,
    text: &str,
    effects: &mut Vec<Effect>,
) {
    let program = &model.program;
    if program.text != program.original && *program.text != *text {
        let opened = if name == OWN && title.is_empty() {
            "Began a new program."
        } else {
            &format!("Opened {title}.")
        };
        let notice = format!("{opened} Undo in the editor brings your program back.");
        model.notice = Some(notice.into());
        effects.push(Effect::Start(Timer::Notice, 8000));
    }
    model.replaced = Some(Rc::new(program.clone()));
    place(model, name, title, original, text, effects);
    effects.push(Effect::SetText(model.program.text.clone()));
    effects.push(Effect::Breakpoints(Rc::default()));
}

/// Replaces the program in the model, and resets all state that belongs to the program before.
fn place(
    model: &mut Model,
    name: &str,
    title: &str,
    original: &str,
    text: &str,
    effects: &mut Vec<Effect>,
) {
    model.heap = Default::default();
    model.sampled = None;
    crate::tour::update::left(model);
    let program = &mut model.program;
    model.drafts.elsewhere = false;
    program.name = name.into();
    program.title = title.into();
    program.original = original.into();
    program.text = text.into();
    program.cursor = (1, 1);
    program.given = "".into();
    program.files = Rc::new([]);
    crate::steps::update::pause(model, effects);
    model.stepping.left = 0;
    if let Some(trace) = &mut model.trace {
        (trace.position, trace.from) = (0, None);
    }
    model.check.phase = CheckPhase::Edited;
    model.stepping.breakpoints = Rc::default();
    model.reading.toggled = Rc::default();
    model.diagram.take(Default::default());
}

/// Line and column, from 1, of an offset in UTF-16 code units. Columns count characters.
pub(crate) fn line_and_column(text: &str, offset: u32) -> (u32, u32) {
    let (mut line, mut column, mut passed) = (1, 1, 0);
    for character in text.chars() {
        if passed >= offset {
            break;
        }
        passed += if u32::from(character) > 0xFFFF { 2 } else { 1 };
        if character == '\n' {
            line += 1;
            column = 1;
        } else {
            column += 1;
        }
    }
    (line, column)
}
