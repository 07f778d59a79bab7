//! Moves along the run: levels, jumps, playing and breakpoints.

pub(crate) mod heap;
pub(crate) mod reading;
pub(crate) mod search;
pub(crate) mod trace;
pub(crate) mod words;

use crate::effects::{Effect, Timer, stored};
use crate::model::{Model, Overlay};
use crate::steps::run::{RunState, Trace};
use crate::steps::update::search::SearchMsg;
use crate::steps::{Direction, LEVELS, Speed, Target};
use crate::update::Move;
use fletch_playground::protocol::{Index, Level, Rule, RunStatus, TickKind};
use std::rc::Rc;

/// Action of the reader on the controls of the steps.
#[derive(Clone, Debug, PartialEq)]
pub enum StepMsg {
    /// Move the slider to the stop with this number.
    Slide(u32),
    /// Move by ten stops.
    Leap(Direction),
    /// Select a level.
    Level(Level),
    /// Start or pause playing.
    Play,
    /// Select a speed.
    Speed(Speed),
    /// Play slower or faster.
    SpeedBy(Direction),
    /// Jump to the next or the previous occurrence of a target.
    Jump(Target, Direction),
    /// Repeat the last jump in a direction.
    Again(Direction),
    /// Set the lines with a breakpoint, 1-based.
    Breakpoints(Rc<[u32]>),
    /// Open or close the controls that a narrow screen has no room for.
    More,
    /// Change the search over the steps.
    Search(SearchMsg),
}

/// Time for which a note about a move is shown, in milliseconds.
const READ: u32 = 4000;

#[inline(never)] // A start does without it.
pub(crate) fn change(model: &mut Model, msg: StepMsg, effects: &mut Vec<Effect>) {
    // The note stays while the reader opens the other controls.
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

/// Moves to the stop with the given number.
fn slide(model: &mut Model, number: u32, effects: &mut Vec<Effect>) {
    let Some(trace) = &model.trace else { return };
    let stop = trace.stops(model.stepping.level).numbered(number);
    trace::show(model, stop, effects);
}

fn leap(model: &mut Model, way: Direction, effects: &mut Vec<Effect>) {
    let Some(trace) = &model.trace else { return };
    let stops = trace.stops(model.stepping.level);
    let position = (0..10).fold(trace.position, |here, _| match way {
        Direction::Backward => stops.before(here),
        Direction::Forward => stops.after(here),
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

/// Stops playing.
pub(crate) fn pause(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.stepping.playing {
        model.stepping.playing = false;
        effects.push(Effect::Cancel(Timer::Play));
    }
}

/// Starts the timer for the next step once a view is drawn, while the page plays. Only this function starts the timer, so a slow
/// worker slows playing down and no step is skipped.
pub(crate) fn drawn(model: &Model, effects: &mut Vec<Effect>) {
    if model.stepping.playing && !model.is_behind() {
        effects.push(Effect::Start(Timer::Play, model.stepping.speed.pause()));
    }
}

/// Plays the next step when its timer has fired.
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

/// True if the worker may report more steps by itself.
fn runs(trace: &Trace) -> bool {
    trace.state == RunState::Worker(RunStatus::Running)
}

/// Steps that enter a line with a breakpoint, each with that line.
fn entered<'a>(index: &'a Index, lines: &'a [u32]) -> impl Iterator<Item = (u32, u32)> + 'a {
    let line_of = |place: &u32| {
        usize::try_from(*place)
            .ok()
            .and_then(|place| index.places.get(place))
            .map(|(_, _, line)| *line)
    };
    let mut before = None;
    // Skips the walk over all steps in the common case.
    let places: &[u32] = if lines.is_empty() { &[] } else { &index.place };
    (0..).zip(places).filter_map(move |(step, place)| {
        let line = line_of(place);
        let enters = line != before;
        before = line;
        line.filter(|line| enters && lines.contains(line))
            .map(|line| (step, line))
    })
}

fn jump(model: &mut Model, target: &Target, way: Direction, effects: &mut Vec<Effect>) {
    let Some(trace) = &model.trace else { return };
    if trace.indexed().is_none() && trace.index.steps == 0 {
        let text = "Jumps are possible once the run has ended or was stopped.";
        return note(model, text, effects);
    }
    let here = trace.position;
    let positions = positions(model, trace, target);
    let found = match way {
        Direction::Forward => positions.iter().find(|position| **position > here),
        Direction::Backward => positions.iter().rev().find(|position| **position < here),
    };
    // A jump to the cursor wraps around at the ends of the run.
    let found = match (found, target, way) {
        (None, Target::Cursor, Direction::Forward) => positions.first(),
        (None, Target::Cursor, Direction::Backward) => positions.last(),
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

fn nothing_there(target: &Target, way: Direction) -> String {
    let side = match way {
        Direction::Backward => "earlier",
        Direction::Forward => "later",
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

/// Positions of a target, ascending.
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

/// Steps whose source span is the narrowest around the cursor, or else the steps of the cursor's line.
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

/// Shows a note about a move, also to screen readers, for [`READ`] milliseconds or until the next move.
pub(crate) fn note(model: &mut Model, text: &str, effects: &mut Vec<Effect>) {
    model.stepping.note = Some(text.into());
    effects.push(Effect::Start(Timer::Noted, READ));
}
