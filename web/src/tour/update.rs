//! Updates of the tour.

use super::{Attempted, Judging, Kept, Open, TRIES, fragment, named, words};
use crate::compare::{About, CompareMsg, From};
use crate::editor::OWN;
use crate::editor::update as program;
use crate::editor::update::assist::notice;
use crate::effects::{Effect, File, stored};
use crate::ids;
use crate::model::{Model, Overlay, Pane, Shared, Tab, WorkerId};
use crate::steps::update::trace;
use crate::steps::{level_named, update as steps};
use crate::update::{ask, page};
use fletch_playground::protocol::{
    Ask, Judged, Judgement, Mode, Standing, Submitted, Toured, Touring,
};
use fletch_tour::{Given, Lesson, Listing};
use std::collections::BTreeMap;
use std::rc::Rc;

/// An event of the tour.
#[derive(Clone, Debug, PartialEq)]
pub enum TourMsg {
    /// Open the lesson with this name, at this question or exercise. An empty name stands for the lesson that was open last.
    Open(Rc<str>, Rc<str>),
    /// Turn to the next lesson; `false`: to the previous one.
    Turn(bool),
    /// Leave the tour. The program stays.
    Close,
    /// Show the list of lessons, or the text of the lesson again.
    List,
    /// Search the list for these words.
    Seek(Rc<str>),
    /// The stored work and last lesson of the tour, by key; `None` if the browser stores nothing.
    Kept(Option<Rc<BTreeMap<String, String>>>),
    /// Text typed for the prediction with this number.
    Type(usize, Rc<str>),
    /// Judge the answer to the prediction with this number.
    Answer(usize, Given),
    /// Skip the prediction with this number.
    Skip(usize),
    /// Put the program of the lesson into the editor again.
    Program,
    /// Put the program of an exercise into the editor, as the reader left it; `true`: from its start.
    Exercise(Rc<str>, bool),
    /// Check the program of the exercise in the editor.
    Check,
    /// Stop judging.
    Stop,
    /// Open the next hint of an exercise.
    Hint(Rc<str>),
    /// Open or close the solution of an exercise.
    Solution(Rc<str>),
    /// Compare the solution of an exercise with the program in the editor.
    Compare(Rc<str>),
    /// Go to a bookmark of the run.
    Mark(Rc<str>),
    /// Set the reader's name for a hand-in.
    Name(Rc<str>),
    /// Save the reader's work as a file to hand in.
    HandIn,
    /// Forget all of the reader's work.
    Forget,
}

#[inline(never)] // A start does without it.
pub(crate) fn change(model: &mut Model, msg: TourMsg, effects: &mut Vec<Effect>) {
    match msg {
        TourMsg::Open(name, anchor) => open(model, name, anchor, effects),
        TourMsg::Turn(on) => {
            let (before, after) = model.tour.around();
            let next = if on { after } else { before };
            if let Some(name) = next.map(|entry| Rc::from(entry.name.as_str())) {
                open(model, name, "".into(), effects);
            }
        }
        TourMsg::Close => {
            model.tour.open = None;
            model.tour.wanted = None;
            model.tour.listed = false;
            if model.layout.pane == Pane::Text {
                model.layout.pane = Pane::Steps;
            }
            effects.push(Effect::Fragment("".into()));
            effects.push(Effect::Focus("tour".into()));
            release(model, None, effects);
        }
        TourMsg::List => {
            model.tour.listed = !model.tour.listed;
            model.tour.sought = "".into();
            if model.tour.listed {
                effects.push(Effect::RecallTour);
                effects.push(Effect::Focus("seek-lesson".into()));
            }
        }
        TourMsg::Seek(text) => model.tour.sought = text,
        TourMsg::Kept(kept) => recalled(model, kept, effects),
        TourMsg::Type(number, text) => {
            if let Some(open) = &mut model.tour.open {
                open.typed.insert(number, text);
                open.said.remove(&number);
            }
        }
        TourMsg::Answer(number, given) => answer(model, number, given, effects),
        TourMsg::Skip(number) => {
            let held = model.held().map(|(_, place)| place);
            work(model, effects, |kept| {
                kept.predictions.entry(number).or_default().skipped = true;
            });
            release(model, held, effects);
        }
        TourMsg::Program => show_program(model, effects),
        TourMsg::Exercise(id, anew) => begin(model, &id, anew, effects),
        TourMsg::Check => check(model, effects),
        TourMsg::Stop => {
            if let Some(open) = &mut model.tour.open {
                open.judging = None;
            }
        }
        TourMsg::Hint(id) => attempted(model, &id, effects, |of| of.hints += 1),
        TourMsg::Solution(id) => attempted(model, &id, effects, |of| {
            of.solution = !of.solution;
            of.seen |= of.solution && !of.is_done();
        }),
        TourMsg::Compare(id) => compare(model, &id, effects),
        TourMsg::Mark(id) => mark(model, &id, effects),
        TourMsg::Name(name) => model.tour.name = name,
        TourMsg::HandIn => hand_in(model, effects),
        TourMsg::Forget => {
            let names: Vec<String> = model.tour.kept.keys().cloned().collect();
            effects.extend(names.iter().map(|name| Effect::ForgetTour(key(name))));
            model.tour.kept = Rc::default();
            if let Some(open) = &mut model.tour.open {
                open.said.clear();
                open.verdicts.clear();
            }
            show_program(model, effects);
        }
    }
}

/// Storage key of the work in a lesson.
fn key(lesson: &str) -> Rc<str> {
    format!("{}.{lesson}", stored::TOUR).into()
}

fn open(model: &mut Model, name: Rc<str>, anchor: Rc<str>, effects: &mut Vec<Effect>) {
    if model.overlay == Overlay::Help {
        model.overlay = Overlay::None;
    }
    let tour = &mut model.tour;
    tour.trouble = None;
    if let Some(open) = tour.open.as_ref()
        && (name.is_empty() || *name == *open.lesson.name)
    {
        tour.listed = false;
        return visit(&anchor, effects);
    }
    tour.wanted = Some((name.clone(), anchor));
    effects.push(Effect::RecallTour);
    if tour.listing.is_none() {
        effects.push(Effect::Fetch(crate::effects::Wanted::Lessons));
    }
    if !name.is_empty() {
        effects.push(Effect::Fetch(crate::effects::Wanted::Lesson(name)));
    }
}

/// Scrolls to a question or an exercise, or to the head of the lesson if `anchor` is empty.
fn visit(anchor: &str, effects: &mut Vec<Effect>) {
    let id = if anchor.is_empty() { "lesson" } else { anchor };
    effects.push(Effect::Visit(id.to_owned()));
}

/// Reads the work that the browser stores of the tour.
fn recalled(
    model: &mut Model,
    kept: Option<Rc<BTreeMap<String, String>>>,
    effects: &mut Vec<Effect>,
) {
    model.tour.forgets = kept.is_none();
    if let Some(kept) = kept {
        let prefix = format!("{}.", stored::TOUR);
        let lessons = kept.iter().filter_map(|(key, text)| {
            // Work that another version stored in another format stays in storage, unread.
            let kept: Kept = serde_json::from_str(text).ok()?;
            Some((key.strip_prefix(&prefix)?.to_owned(), kept))
        });
        model.tour.kept = Rc::new(lessons.collect());
        model.tour.last = kept.get(stored::TOUR).map(|name| name.as_str().into());
    }
    enter(model, effects);
}

/// Opens the lesson that was open last, or else the first one, if the reader has named none.
fn enter(model: &mut Model, effects: &mut Vec<Effect>) {
    let nameless = |wanted: &(Rc<str>, Rc<str>)| wanted.0.is_empty();
    if !model.tour.wanted.as_ref().is_some_and(nameless) {
        return;
    }
    let Some(listing) = &model.tour.listing else {
        return;
    };
    let has = |name: &Rc<str>| listing.lessons.iter().any(|entry| entry.name == **name);
    let last = model.tour.last.clone().filter(has);
    let first = listing.lessons.first();
    let name = last.or_else(|| first.map(|entry| entry.name.as_str().into()));
    if let Some(name) = name {
        model.tour.wanted = Some((name.clone(), "".into()));
        effects.push(Effect::Fetch(crate::effects::Wanted::Lesson(name)));
    }
}

/// Stores the fetched list of lessons, or the reason why it could not be fetched.
#[inline(never)] // A start does without it.
pub(crate) fn listed(model: &mut Model, text: Result<Rc<str>, Rc<str>>, effects: &mut Vec<Effect>) {
    let read = text.and_then(|text| {
        let listing: Result<Listing, _> = serde_json::from_str(&text);
        listing.map_err(|error| error.to_string().into())
    });
    match read {
        Ok(listing) => model.tour.listing = Some(Shared::new(listing)),
        Err(why) => trouble(model, "The list of lessons", &why),
    }
    enter(model, effects);
}

fn trouble(model: &mut Model, what: &str, why: &str) {
    model.tour.trouble = Some(format!("{what} could not be loaded: {why}.").into());
}

/// Opens a fetched lesson, or reports the reason why it could not be fetched.
#[inline(never)] // A start does without it.
pub(crate) fn came(
    model: &mut Model,
    name: &str,
    text: Result<Rc<str>, Rc<str>>,
    effects: &mut Vec<Effect>,
) {
    let Some((_, anchor)) = model.tour.wanted.take_if(|(wanted, _)| **wanted == *name) else {
        return;
    };
    let read = text.and_then(|text| {
        let lesson: Result<Lesson, _> = serde_json::from_str(&text);
        lesson
            .map(|lesson| (lesson, text))
            .map_err(|error| error.to_string().into())
    });
    let (lesson, source) = match read {
        Ok(read) => read,
        Err(why) => return trouble(model, "The lesson", &why),
    };
    let show = lesson.front.show.clone();
    model.tour.open = Some(Open {
        lesson: Shared::new(lesson),
        source,
        typed: BTreeMap::new(),
        said: BTreeMap::new(),
        verdicts: BTreeMap::new(),
        exercise: None,
        judging: None,
    });
    model.tour.listed = false;
    model.tour.last = Some(name.into());
    effects.push(Effect::Store(stored::TOUR, name.into()));
    // Positions in a lesson belong to the paper's reading.
    model.mode = Mode::default();
    model.layout.pane = Pane::Text;
    show_program(model, effects);
    if let Some(level) = &show.level {
        steps::set_level(model, level_named(level), effects);
    }
    let tab = show.view.as_deref().and_then(Tab::named);
    page::tab(model, tab.unwrap_or(Tab::Steps), effects);
    if let Some(of) = &show.of {
        model.diagram.of = of.as_str().into();
    }
    model.layout.pane = Pane::Text;
    if let Some(place) = model.travel.resumed.take() {
        place.resume(model);
    }
    match anchor.strip_prefix("exercise-") {
        Some(id) => begin(model, id, false, effects),
        None => visit(&anchor, effects),
    }
}

/// Puts the lesson's program into the editor, and sets the page's address to that of the lesson.
fn show_program(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(open) = &model.tour.open else { return };
    let lesson = open.lesson.clone();
    let title = format!("{} · {}", lesson.number, lesson.front.title);
    let text = lesson.program();
    if *model.program.text != *text || open.exercise.is_some() {
        program::begin(model, OWN, &title, text, text, effects);
        model.program.given = title.as_str().into();
        // The program before stays among the drafts; opening a lesson reports nothing about it.
        model.notice = None;
    } else {
        // The open questions of the lesson hold the run of the same text, so it has to run again.
        program::load_anew(model, effects);
    }
    stay(model, None);
    address(model, "", effects);
}

/// Records the exercise in the editor. Replacing the program has cleared the last one, so the program is there already.
fn stay(model: &mut Model, exercise: Option<&str>) {
    if let Some(open) = &mut model.tour.open {
        open.exercise = exercise.map(Rc::from);
    }
}

/// Compares the solution of an exercise with the program in the editor, in the tab of comparisons.
fn compare(model: &mut Model, id: &str, effects: &mut Vec<Effect>) {
    let Some(open) = &model.tour.open else {
        return;
    };
    let exercise = open.lesson.exercise(id);
    let Some(solution) = exercise.and_then(|of| open.lesson.file(&of.solution)) else {
        return;
    };
    let solution: Rc<str> = solution.into();
    for msg in [
        CompareMsg::About(About::Commands),
        CompareMsg::From(From::Pasted),
        CompareMsg::Pasted(solution),
    ] {
        crate::compare::update::change(model, msg, effects);
    }
    page::tab(model, Tab::Compare, effects);
}

fn address(model: &Model, anchor: &str, effects: &mut Vec<Effect>) {
    let Some(open) = &model.tour.open else { return };
    let fragment = fragment(&open.lesson.name, anchor);
    effects.push(Effect::Fragment(fragment.into()));
}

/// Forgets the exercise, because another program is in the editor.
pub(crate) fn left(model: &mut Model) {
    if let Some(open) = &mut model.tour.open {
        open.exercise = None;
        open.judging = None;
    }
}

/// Changes the reader's work in the open lesson, and stores it.
fn work(model: &mut Model, effects: &mut Vec<Effect>, change: impl FnOnce(&mut Kept)) {
    let Some(open) = &model.tour.open else { return };
    let name = open.lesson.name.clone();
    let all = Rc::make_mut(&mut model.tour.kept);
    let kept = all.entry(name.clone()).or_default();
    change(kept);
    if let Ok(text) = serde_json::to_string(kept) {
        effects.push(Effect::KeepTour(key(&name), text.into()));
    }
}

fn attempted(
    model: &mut Model,
    id: &str,
    effects: &mut Vec<Effect>,
    change: impl FnOnce(&mut Attempted),
) {
    work(model, effects, |kept| {
        change(kept.exercises.entry(id.to_owned()).or_default());
    });
}

fn answer(model: &mut Model, number: usize, given: Given, effects: &mut Vec<Effect>) {
    #[allow(clippy::cast_possible_truncation)] // A lesson has a few questions.
    let at = number as u32;
    let submitted = match &given {
        #[allow(clippy::cast_possible_truncation)]
        Given::Choice(choice) => Submitted::Choice(at, *choice as u32),
        Given::Typed(text) => Submitted::Typed(at, text.clone()),
    };
    submit(
        model,
        Judging::Prediction(number, given),
        submitted,
        effects,
    );
}

fn check(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(id) = model
        .tour
        .open
        .as_ref()
        .and_then(|open| open.exercise.clone())
    else {
        return;
    };
    let text = model.program.text.to_string();
    let submitted = Submitted::Program(id.to_string(), text);
    submit(model, Judging::Exercise(id), submitted, effects);
}

fn submit(model: &mut Model, judging: Judging, submitted: Submitted, effects: &mut Vec<Effect>) {
    ask::start(model, effects);
    let Some(open) = &mut model.tour.open else {
        return;
    };
    open.judging = Some(judging);
    let asked = Touring::Begin(open.source.to_string(), submitted);
    ask::send(model, WorkerId::Figures, 0, Ask::Tour(asked), effects);
}

/// Handles a reply on judging: a result, or the news that the worker needs more time.
#[inline(never)] // A start does without it.
pub(crate) fn judged(model: &mut Model, came: Toured, effects: &mut Vec<Effect>) {
    let Some(judging) = model
        .tour
        .open
        .as_ref()
        .and_then(|open| open.judging.clone())
    else {
        return;
    };
    // A reply to an earlier submission is ignored.
    let newer = |ask: &Ask| matches!(ask, Ask::Tour(Touring::Begin(..)));
    if model.second.awaits(newer) {
        return;
    }
    if came == Toured::Working {
        let ask = Ask::Tour(Touring::GoOn);
        ask::send(model, WorkerId::Figures, 0, ask, effects);
        return;
    }
    if let Some(open) = &mut model.tour.open {
        open.judging = None;
    }
    match (judging, came) {
        (Judging::Prediction(number, given), Toured::Judged(judged)) => {
            predicted(model, number, given, judged, effects);
        }
        (Judging::Exercise(id), Toured::Checked(verdict)) => {
            let state = verdict.state;
            attempted(model, &id, effects, |of| {
                of.tries += 1;
                // An exercise that was done stays done.
                if !(of.is_done() && state == Standing::NotYet) {
                    of.state = Some(state);
                }
            });
            if let Some(open) = &mut model.tour.open {
                open.verdicts.insert(id.to_string(), verdict);
            }
            effects.push(Effect::Visit(ids::verdict(&id)));
            if model.layout.pane != Pane::Text {
                model.layout.pane = Pane::Text;
            }
        }
        (_, Toured::Failed(why)) => notice(model, &format!("It cannot be judged: {why}."), effects),
        _ => {}
    }
}

fn predicted(
    model: &mut Model,
    number: usize,
    given: Given,
    judged: Judged,
    effects: &mut Vec<Effect>,
) {
    let held = model.held().map(|(_, place)| place);
    let Judged {
        judgement,
        answer,
        because,
    } = judged;
    let right = matches!(judgement, Judgement::Right(_));
    let counts = !matches!(judgement, Judgement::NoAnswer(_));
    let told = (answer, because);
    work(model, effects, |kept| {
        let of = kept.predictions.entry(number).or_default();
        if counts {
            of.given = Some(given);
            of.right = right;
            of.tries += u32::from(!right);
        }
        if right || of.tries >= TRIES {
            of.told = Some(told);
        }
    });
    if let Some(open) = &mut model.tour.open {
        open.said.insert(number, words(&judgement).into());
        if right {
            open.typed.remove(&number);
        }
    }
    release(model, held, effects);
}

/// Runs the program again if the question that held the run no longer does. The reader moves to the position where the run was held.
fn release(model: &mut Model, held: Option<u32>, effects: &mut Vec<Effect>) {
    let now = model.held().map(|(_, place)| place);
    if now == model.worker.hold {
        return;
    }
    if let (Some(held), Some(trace)) = (held, &mut model.trace) {
        (trace.position, trace.from) = (held, None);
    }
    program::load_anew(model, effects);
}

fn begin(model: &mut Model, id: &str, anew: bool, effects: &mut Vec<Effect>) {
    let Some(open) = &model.tour.open else { return };
    let lesson = open.lesson.clone();
    let Some(exercise) = lesson.exercise(id) else {
        return visit("", effects);
    };
    let start = lesson.file(&exercise.start).unwrap_or("");
    let kept = model.tour.work();
    let kept = kept.exercises.get(id).filter(|of| !of.text.is_empty());
    let text = match kept {
        Some(of) if !anew => of.text.clone(),
        _ => start.to_owned(),
    };
    let title = format!("{} · {}", lesson.number, exercise.title);
    program::begin(model, OWN, &title, start, &text, effects);
    model.program.given = title.as_str().into();
    // An exercise always has the same draft, so the reader continues it.
    model.program.draft = format!("tour-{}-{id}", lesson.name).into();
    program::keep(model, effects);
    model.notice = None;
    stay(model, Some(id));
    attempted(model, id, effects, |of| of.text = text);
    if let Some(open) = &mut model.tour.open {
        open.verdicts.remove(id);
    }
    let anchor = format!("exercise-{id}");
    address(model, &anchor, effects);
    model.layout.pane = Pane::Text;
    visit(&anchor, effects);
}

/// Stores the changed program of an exercise.
pub(crate) fn edited(model: &mut Model, effects: &mut Vec<Effect>) {
    let id = model
        .tour
        .open
        .as_ref()
        .and_then(|open| open.exercise.clone());
    if let Some(id) = id {
        let text = model.program.text.to_string();
        attempted(model, &id, effects, |of| of.text = text);
        if let Some(open) = &mut model.tour.open {
            open.verdicts.remove(&*id);
        }
    }
}

/// Goes to a bookmark of the run, or to the position before it at which the run is held.
fn mark(model: &mut Model, id: &str, effects: &mut Vec<Effect>) {
    let Some(open) = &model.tour.open else { return };
    let place = open.lesson.places.marks.get(id).copied();
    let shows = open.shows_program(&model.program.text);
    let Some(place) = place else { return };
    if !shows {
        show_program(model, effects);
        model.stepping.left = place;
    }
    model.layout.pane = Pane::Steps;
    page::tab(model, Tab::Steps, effects);
    if let Some((_, held)) = model.held().filter(|(_, held)| *held < place) {
        trace::show(model, held, effects);
        return notice(
            model,
            "The run is held before that step: answer the question first, or skip it.",
            effects,
        );
    }
    trace::show(model, place, effects);
}

fn hand_in(model: &mut Model, effects: &mut Vec<Effect>) {
    let name = model.tour.name.trim().to_owned();
    if name.is_empty() {
        notice(model, "A hand-in needs your name.", effects);
        effects.push(Effect::Focus("hand-in-name".into()));
        return;
    }
    let file: String = name
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' })
        .collect();
    let file = format!("fletch-tour-{file}.json");
    if let Ok(text) = serde_json::to_string_pretty(&model.tour.handed_in()) {
        effects.push(Effect::Save(File::text(&file, "application/json", &text)));
        notice(model, &format!("Saved {file}."), effects);
    }
}

/// Opens the lesson that a fragment names; returns false if the fragment is not one of the tour.
#[inline(never)] // A start does without it.
pub(crate) fn linked(model: &mut Model, fragment: &str, effects: &mut Vec<Effect>) -> bool {
    let Some((name, anchor)) = named(fragment) else {
        return false;
    };
    open(model, name, anchor, effects);
    true
}

/// Handles back and forward of the browser: opens the lesson that the address names, or closes the tour.
#[inline(never)] // A start does without it.
pub(crate) fn returned(model: &mut Model, fragment: &str, effects: &mut Vec<Effect>) {
    match named(fragment) {
        Some((name, anchor)) => {
            open(model, name, anchor, effects);
            let draft = model.program.draft.clone();
            if let Some(open) = &mut model.tour.open {
                // The id of a draft of an exercise contains the id of the exercise.
                let id = draft.strip_prefix(&format!("tour-{}-", open.lesson.name));
                open.exercise = id.map(Rc::from);
            }
        }
        None => {
            model.tour.open = None;
            model.tour.listed = false;
        }
    }
}
