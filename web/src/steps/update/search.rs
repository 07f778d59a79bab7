//! The search over the steps, by words in the label of a step or in its sentence. The page has the labels. The worker composes and
//! searches the sentences, so their matches come later.

use crate::effects::Effect;
use crate::model::{Model, WorkerId};
use crate::steps::Direction;
use crate::steps::update::set_level;
use crate::steps::update::trace;
use crate::update::ask::send;
use fletch_playground::protocol::{Ask, Found, Index, Level, Search};
use fletch_playground::typed;
use std::rc::Rc;

/// Action of the reader on the search.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchMsg {
    /// Open the search box and focus it.
    Open,
    /// Replace the words.
    Typed(Rc<str>),
    /// Go to the next or the previous match.
    Find(Direction),
    /// Select the level of every step, so that matches between the stops become stops.
    Every,
    /// Close the search box.
    Close,
}

pub(crate) fn change(model: &mut Model, msg: SearchMsg, effects: &mut Vec<Effect>) {
    let search = &mut model.stepping.search;
    match msg {
        SearchMsg::Open => {
            search.open = true;
            model.stepping.more = false;
            effects.push(Effect::Focus("search-steps".into()));
            find_all(model);
            ask(model, effects);
        }
        SearchMsg::Typed(text) => {
            search.text = text;
            find_all(model);
            ask(model, effects);
        }
        SearchMsg::Find(way) => find(model, way, effects),
        SearchMsg::Every => {
            set_level(model, Level::Every, effects);
            find(model, Direction::Forward, effects);
            effects.push(Effect::Focus("search-steps".into()));
        }
        SearchMsg::Close => {
            search.open = false;
            search.hits = Rc::default();
            search.between = 0;
            effects.push(Effect::Focus("command".into()));
        }
    }
}

/// Searches again, after the words or the trace have changed.
pub(crate) fn find_all(model: &mut Model) {
    let search = &mut model.stepping.search;
    let Some(trace) = model.trace.as_ref().filter(|_| search.open) else {
        return;
    };
    // Matches between the stops of the level are only counted, and offered separately.
    let stops = trace.stops(model.stepping.level);
    let (mut found, between): (Vec<u32>, Vec<u32>) = hits(&trace.index, &search.text)
        .into_iter()
        .partition(|position| stops.has(*position));
    let words = Search {
        level: model.stepping.level,
        words: search.text.to_string(),
    };
    if search.asked == (trace.revision, words) {
        found.extend(&search.told.positions);
        found.sort_unstable();
        found.dedup();
    }
    search.hits = found.into();
    search.between = between.len();
}

/// Requests the sentences that contain the words, unless they are known or requested.
pub(crate) fn ask(model: &mut Model, effects: &mut Vec<Effect>) {
    let search = &model.stepping.search;
    let Some(trace) = model.trace.as_ref().filter(|_| search.open) else {
        return;
    };
    let revision = trace.revision;
    let wanted = Search {
        level: model.stepping.level,
        words: search.text.to_string(),
    };
    let known = search.asked == (revision, wanted.clone()) && !search.told.more;
    if known
        || search.text.trim().is_empty()
        || trace.indexed().is_none()
        || trace.revision != model.worker.holds
        || model.worker.awaits(|ask| matches!(ask, Ask::Search(_)))
    {
        return;
    }
    send(
        model,
        WorkerId::Steps,
        revision,
        Ask::Search(wanted),
        effects,
    );
}

/// Stores the matching sentences, which may answer an earlier query.
pub(crate) fn found(
    model: &mut Model,
    asked: (u32, Search),
    found: Found,
    effects: &mut Vec<Effect>,
) {
    model.stepping.search.asked = asked;
    model.stepping.search.told = found;
    find_all(model);
    ask(model, effects);
}

fn find(model: &mut Model, way: Direction, effects: &mut Vec<Effect>) {
    let Some(trace) = &model.trace else { return };
    let (here, hits) = (trace.position, &model.stepping.search.hits);
    // The search wraps around at the ends of the run.
    let found = match way {
        Direction::Forward => hits.iter().find(|hit| **hit > here).or(hits.first()),
        Direction::Backward => hits.iter().rev().find(|hit| **hit < here).or(hits.last()),
    };
    if let Some(hit) = found.copied() {
        trace::show(model, hit, effects);
    }
}

/// Steps whose label contains all the words.
fn hits(index: &Index, words: &str) -> Vec<u32> {
    let words = typed(words);
    let words: Vec<&str> = words.split_whitespace().collect();
    if words.is_empty() {
        return Vec::new();
    }
    let found: Vec<bool> = index
        .labels
        .iter()
        .map(|label| {
            let label = typed(label);
            words.iter().all(|word| label.contains(word))
        })
        .collect();
    (0..)
        .zip(&index.label)
        .filter(|(_, label)| {
            let label = usize::try_from(**label).ok();
            label.and_then(|label| found.get(label)) == Some(&true)
        })
        .map(|(step, _)| step)
        .collect()
}
