//! Views of the traces of random programs: stops are in order, the layers of the sandwich only advance, and sentences end.

use fletch_playground::Session;
use fletch_playground::protocol::{
    Ask, Entry, Index, Level, Phase, Reply, RunStatus, Show, Stack, StepView,
};
use fletch_tests::generate;
use fletch_tests::random::{Case, for_all, programs};
use fletch_trace::Budget;
use std::collections::BTreeMap;

/// Maximal number of steps of a run.
const STEPS: usize = 200;

#[test]
fn random_programs_can_be_read() {
    for_all(programs() / 10, generate::program, 2500, 2, readable);
}

/// Checks all views of a program. Skips a program that does not run, as an argument of a handler may be undefined.
fn readable(source: &str) -> Result<Case<()>, String> {
    let mut session = Session::new(Budget::steps(STEPS));
    session.ask(1, Ask::load(source));
    let advance = Ask::Advance {
        milliseconds: u32::MAX,
    };
    let Reply::Advanced(advanced) = session.ask(1, advance) else {
        return Ok(Case::Skipped("does not run"));
    };
    let Reply::Indexed(index) = session.ask(1, Ask::Index) else {
        return Err("no index".to_owned());
    };
    // A clause of an ordinary handler may drop its continuation, and with it a run that then never finishes.
    let over = advanced.status == RunStatus::Value && !source.contains(", k;");
    let mut phases = BTreeMap::new();
    for position in 0..=index.steps {
        let view = show(&mut session, position, level(&index, position));
        told(&view).map_err(|error| format!("{error} at {position}"))?;
        for stack in &view.sandwich {
            stands(stack, &mut phases, over && position == index.steps)
                .map_err(|error| format!("{error} at {position}, {stack:#?}"))?;
        }
    }
    Ok(Case::Holds(()))
}

/// Returns the coarsest level that stops at this position.
fn level(index: &Index, position: u32) -> Level {
    let levels = [
        (Level::Handlers, &index.handlers),
        (Level::Operations, &index.operations),
        (Level::Plain, &index.plain),
    ];
    let stops = levels.iter().find(|(_, stops)| stops.contains(&position));
    stops.map_or(Level::Every, |(level, _)| *level)
}

fn show(session: &mut Session, position: u32, level: Level) -> StepView {
    let show = Show {
        position,
        level,
        width: 80,
        ..Show::default()
    };
    match session.ask(1, Ask::Show(show)) {
        Reply::Shown(view) => *view,
        other => panic!("{other:?}"),
    }
}

fn told(view: &StepView) -> Result<(), String> {
    let pieces = view.sentence.iter().map(|piece| piece.text.as_str());
    let told: String = pieces.collect();
    let ends = told.ends_with('.') && !told.contains("  ") && !told.contains(" .");
    let next = view.next.is_none_or(|next| next > view.position);
    match (ends, next) {
        (true, true) => Ok(()),
        (false, _) => Err(format!("sentence: {told:?}")),
        (_, false) => Err("stop: not ahead".to_owned()),
    }
}

/// Checks a stack of the sandwich: the phase of every layer only advances, inner layers are at least as far as outer
/// layers, and all layers are done when the run is over.
fn stands(
    stack: &Stack,
    phases: &mut BTreeMap<(u32, u32, String), Phase>,
    over: bool,
) -> Result<(), String> {
    let mut last = 0;
    for entry in &stack.entries {
        match entry {
            Entry::Inner(stack) => stands(stack, phases, over)?,
            Entry::Left(_) => {}
            Entry::Call(layer) => {
                let key = (stack.from, layer.met_at, layer.name.clone());
                let before = phases
                    .insert(key, layer.phase)
                    .map_or(0, |phase| phase as u8);
                if before > layer.phase as u8 {
                    return Err(format!("phase: {} goes back", layer.name));
                }
                let rank = match layer.phase {
                    Phase::Waiting => 0,
                    Phase::Forward | Phase::Backward => 1,
                    Phase::Done => 2,
                };
                if rank < last {
                    return Err(format!("order: {} is behind", layer.name));
                }
                last = rank;
                if over && layer.phase != Phase::Done {
                    return Err(format!("end: {} is not done", layer.name));
                }
            }
        }
    }
    match (over, stack.done_at) {
        (true, None) => Err("over: the run is not over".to_owned()),
        _ => Ok(()),
    }
}
