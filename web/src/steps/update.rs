//! Going through the run: levels, jumps, playing and breakpoints.

pub(crate) mod heap;
pub(crate) mod reading;
pub(crate) mod search;
pub(crate) mod trace;
pub(crate) mod words;

use crate::effects::{Effect, Timer, stored};
use crate::model::{Model, Overlay};
use crate::steps::run::{RunState, Trace};
use crate::steps::update::search::SearchMsg;
use crate::steps::{LEVELS, Speed, Target, Way};
use crate::update::Move;
use fletch_playground::protocol::{Index, Level, Rule, RunStatus, TickKind};
use std::rc::Rc;

/// Action of the reader on the controls of the steps.
#[derive(Clone, Debug, PartialEq)]
pub enum StepMsg {
    /// The slider was moved to the stop of this number.
    Slide(u32),
    /// Ten stops at once.
    Leap(Way),
    /// Another level.
    Level(Level),
    /// Play, or pause.
    Play,
    /// Another speed.
    Speed(Speed),
    /// Slower, or faster.
    SpeedBy(Way),
    /// To the next or the previous of a kind.
    Jump(Target, Way),
    /// The last jump once more.
    Again(Way),
    /// The lines with a breakpoint.
    Breakpoints(Rc<[u32]>),
    /// Open or close the controls that a narrow screen has no room for.
    More,
    /// The search over the steps.
    Search(SearchMsg),
}

/// How long a note about a move stays, in milliseconds.
const READ: u32 = 4000;

#[inline(never)] // A start does without it.
pub(crate) fn change(model: &mut Model, msg: StepMsg, effects: &mut Vec<Effect>) {
    // The note stays while a reader looks for what else there is.
    if msg != StepMsg::More {
        model.stepping.note = None;
    }
    match msg {
        StepMsg::Slide(position) => slide(model, position, effects),
        StepMsg::Leap(way) => leap(model, way, effects),
        StepMsg::Level(level) => set_level(model, level, effects),
        StepMsg::Play => play(model, effects),
        StepMsg::Speed(speed) => set_speed(model, speed, effects),
        StepMsg::SpeedBy(way) => set_speed(model, model.stepping.speed.changed(way), effects),
        StepMsg::Jump(target, way) => {
            model.stepping.target = Some(target.clone());
            if matches!(model.overlay, Overlay::Jump(_)) {
                crate::update::page::over(model, Overlay::None, effects);
                model.stepping.more = false;
                effects.push(Effect::Focus(crate::ids::MORE.to_owned()));
            }
            jump(model, &target, way, effects);
        }
        StepMsg::Again(way) => match model.stepping.target.clone() {
            Some(target) => jump(model, &target, way, effects),
            None => note(model, "Choose what to jump to first.", effects),
        },
        StepMsg::Breakpoints(lines) => model.stepping.breakpoints = lines,
        StepMsg::More => model.stepping.more = !model.stepping.more,
        StepMsg::Search(msg) => search::change(model, msg, effects),
    }
}

/// Moves along the trace.
#[inline(never)] // A start does without it.
pub(crate) fn go(model: &mut Model, step: Move, effects: &mut Vec<Effect>) {
    let Some(trace) = &model.trace else { return };
    let here = trace.position;
    let stops = trace.stops(model.stepping.level);
    let ticks = trace.index.ticks.iter().map(|tick| tick.position);
    let position = match step {
        Move::First => 0,
        Move::Previous => stops.before(here),
        Move::Next => {
            let next = stops.after(here);
            pause(model, effects);
            return trace::move_to(model, next, Some(here), effects);
        }
        Move::Last => trace.steps,
        Move::PreviousTick => ticks.filter(|tick| *tick < here).max().unwrap_or(0),
        Move::NextTick => ticks
            .filter(|tick| *tick > here)
            .min()
            .unwrap_or(trace.steps),
    };
    trace::show(model, position, effects);
}

/// To the stop where the slider is.
fn slide(model: &mut Model, number: u32, effects: &mut Vec<Effect>) {
    let Some(trace) = &model.trace else { return };
    let stop = trace.stops(model.stepping.level).numbered(number);
    trace::show(model, stop, effects);
}

fn leap(model: &mut Model, way: Way, effects: &mut Vec<Effect>) {
    let Some(trace) = &model.trace else { return };
    let stops = trace.stops(model.stepping.level);
    let position = (0..10).fold(trace.position, |here, _| match way {
        Way::Back => stops.before(here),
        Way::On => stops.after(here),
    });
    trace::show(model, position, effects);
}

pub(crate) fn set_level(model: &mut Model, level: Level, effects: &mut Vec<Effect>) {
    model.stepping.level = level;
    if let Some((.., name)) = LEVELS.iter().find(|(known, ..)| *known == level) {
        effects.push(Effect::Store(stored::LEVEL, (*name).into()));
    }
    search::find_all(model);
    search::ask(model, effects);
    let Some(trace) = &model.trace else { return };
    let position = trace.stops(level).at_or_before(trace.position);
    trace::show(model, position, effects);
    trace::keep_place(model, effects);
}

fn set_speed(model: &mut Model, speed: Speed, effects: &mut Vec<Effect>) {
    model.stepping.speed = speed;
    effects.push(Effect::Store(stored::SPEED, speed.name().into()));
}

fn play(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.stepping.playing {
        return pause(model, effects);
    }
    if !model.can_step() {
        return;
    }
    model.stepping.playing = true;
    let at_end = model
        .trace
        .as_ref()
        .is_some_and(|trace| trace.position >= trace.steps && !runs(trace) && trace.steps > 0);
    if at_end {
        trace::move_to(model, 0, None, effects);
    } else {
        play_on(model, effects);
    }
}

/// Stops to play.
pub(crate) fn pause(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.stepping.playing {
        model.stepping.playing = false;
        effects.push(Effect::Cancel(Timer::Play));
    }
}

/// A view is drawn: while the steps go by themselves, the next one is due after a while. Nothing else starts that
/// clock, so a slow worker slows the steps down and none is passed over.
pub(crate) fn drawn(model: &Model, effects: &mut Vec<Effect>) {
    if model.stepping.playing && !model.is_behind() {
        effects.push(Effect::Start(Timer::Play, model.stepping.speed.pause()));
    }
}

/// The next step is due.
pub(crate) fn play_on(model: &mut Model, effects: &mut Vec<Effect>) {
    if !model.stepping.playing {
        return;
    }
    if !model.can_step() {
        return pause(model, effects);
    }
    if model.is_behind() {
        return;
    }
    let Some(trace) = &model.trace else { return };
    let here = trace.position;
    let next = trace.stops(model.stepping.level).after(here);
    if next == here {
        if runs(trace) {
            effects.push(Effect::Start(Timer::Play, model.stepping.speed.pause()));
        } else {
            pause(model, effects);
        }
        return;
    }
    let breakpoint = entered(&trace.index, &model.stepping.breakpoints)
        .find(|(step, _)| (here + 1..=next).contains(step));
    let over = next == trace.steps && !runs(trace);
    if breakpoint.is_some() || over {
        pause(model, effects);
    }
    let breakpoint = breakpoint.map(|(_, line)| line);
    trace::move_to(model, next, Some(here), effects);
    if let Some(line) = breakpoint {
        note(
            model,
            &format!("Paused at the breakpoint of line {line}."),
            effects,
        );
    }
}

/// Tells if more steps may come.
fn runs(trace: &Trace) -> bool {
    trace.state == RunState::Worker(RunStatus::Running)
}

/// The steps at which a line with a breakpoint is entered, each with the line.
fn entered<'a>(index: &'a Index, lines: &'a [u32]) -> impl Iterator<Item = (u32, u32)> + 'a {
    let line_of = |place: &u32| {
        usize::try_from(*place)
            .ok()
            .and_then(|place| index.places.get(place))
            .map(|(_, _, line)| *line)
    };
    let mut before = None;
    // Without breakpoints there is nothing to walk through.
    let places: &[u32] = if lines.is_empty() { &[] } else { &index.place };
    (0..).zip(places).filter_map(move |(step, place)| {
        let line = line_of(place);
        let enters = line != before;
        before = line;
        line.filter(|line| enters && lines.contains(line))
            .map(|line| (step, line))
    })
}

fn jump(model: &mut Model, target: &Target, way: Way, effects: &mut Vec<Effect>) {
    let Some(trace) = &model.trace else { return };
    if trace.indexed().is_none() && trace.index.steps == 0 {
        let text = "Jumps are possible once the run has ended or was stopped.";
        return note(model, text, effects);
    }
    let here = trace.position;
    let positions = positions(model, trace, target);
    let found = match way {
        Way::On => positions.iter().find(|position| **position > here),
        Way::Back => positions.iter().rev().find(|position| **position < here),
    };
    // The cursor's steps go round.
    let found = match (found, target, way) {
        (None, Target::Cursor, Way::On) => positions.first(),
        (None, Target::Cursor, Way::Back) => positions.last(),
        _ => found,
    };
    match found {
        Some(position) => trace::show(model, *position, effects),
        None => {
            let text = nothing_there(target, way);
            note(model, &text, effects);
        }
    }
}

fn nothing_there(target: &Target, way: Way) -> String {
    let side = match way {
        Way::Back => "earlier",
        Way::On => "later",
    };
    match target {
        Target::Operation => format!("No {side} operation."),
        Target::Put => format!("No {side} Put."),
        Target::Unfolding => format!("Nothing {side} is unfolded."),
        Target::Rule(rule) => format!("No {side} step by {name}.", name = rule.name()),
        Target::Cursor => "No step comes from where the cursor is.".to_owned(),
        Target::Breakpoint => format!("No breakpoint at a {side} step."),
    }
}

/// The positions of a kind, ascending.
fn positions(model: &Model, trace: &Trace, target: &Target) -> Vec<u32> {
    let index = &*trace.index;
    let ticks = |kinds: &[TickKind]| {
        let ticks = index.ticks.iter().filter(|tick| kinds.contains(&tick.kind));
        ticks.map(|tick| tick.position).collect()
    };
    match target {
        Target::Operation => ticks(&[TickKind::Forward, TickKind::Backward]),
        Target::Put => ticks(&[TickKind::Put]),
        Target::Unfolding => by_rule(index, Rule::is_equation),
        Target::Rule(wanted) => by_rule(index, |rule| rule == *wanted),
        Target::Cursor => at_cursor(model, index),
        Target::Breakpoint => {
            let stops = trace.stops(model.stepping.level);
            entered(index, &model.stepping.breakpoints)
                .map(|(step, _)| stops.at_or_after(step))
                .collect()
        }
    }
}

fn by_rule(index: &Index, wanted: impl Fn(Rule) -> bool) -> Vec<u32> {
    let wanted: Vec<bool> = index.rules.iter().map(|rule| wanted(*rule)).collect();
    let steps = (0..).zip(&index.rule);
    steps
        .filter(|(_, rule)| wanted.get(usize::from(**rule)) == Some(&true))
        .map(|(step, _)| step)
        .collect()
}

/// The steps of the narrowest place around the cursor, or else those of its line.
fn at_cursor(model: &Model, index: &Index) -> Vec<u32> {
    let (cursor, line) = (model.stepping.cursor, model.program.cursor.0);
    let narrowest = index
        .places
        .iter()
        .filter(|(from, to, _)| *from <= cursor && cursor <= *to)
        .map(|(from, to, _)| to - from)
        .min();
    let wanted: Vec<bool> = index
        .places
        .iter()
        .map(|(from, to, at)| match narrowest {
            Some(length) => *from <= cursor && cursor <= *to && to - from == length,
            None => *at == line,
        })
        .collect();
    (0..)
        .zip(&index.place)
        .filter(|(_, place)| {
            let place = usize::try_from(**place).ok();
            place.and_then(|place| wanted.get(place)) == Some(&true)
        })
        .map(|(step, _)| step)
        .collect()
}

/// Says something of a move, to eyes and ears, until the next one.
pub(crate) fn note(model: &mut Model, text: &str, effects: &mut Vec<Effect>) {
    model.stepping.note = Some(text.into());
    effects.push(Effect::Start(Timer::Noted, READ));
}
