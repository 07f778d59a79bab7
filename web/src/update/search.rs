//! The search over the steps: words that stand in what a step does.

use super::trace;
use crate::effects::Effect;
use crate::model::{Model, Way};
use fletch_playground::protocol::Index;
use std::rc::Rc;

/// What the reader does with the search.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchMsg {
    /// Open its box, and give it the keyboard.
    Open,
    /// Other words.
    Typed(Rc<str>),
    /// To the next or the previous step found.
    Find(Way),
    /// Close it.
    Close,
}

pub(super) fn change(model: &mut Model, msg: SearchMsg, effects: &mut Vec<Effect>) {
    let search = &mut model.stepping.search;
    match msg {
        SearchMsg::Open => {
            search.open = true;
            model.stepping.more = false;
            effects.push(Effect::Focus("search-steps".into()));
            find_all(model);
        }
        SearchMsg::Typed(text) => {
            search.text = text;
            find_all(model);
        }
        SearchMsg::Find(way) => find(model, way, effects),
        SearchMsg::Close => {
            search.open = false;
            search.hits = Rc::default();
            effects.push(Effect::Focus("command".into()));
        }
    }
}

/// Searches anew, after the words or the trace have changed.
pub(super) fn find_all(model: &mut Model) {
    let search = &mut model.stepping.search;
    let Some(trace) = model.trace.as_ref().filter(|_| search.open) else {
        return;
    };
    search.hits = hits(&trace.index, &search.text).into();
}

fn find(model: &mut Model, way: Way, effects: &mut Vec<Effect>) {
    let Some(trace) = &model.trace else { return };
    let (here, hits) = (trace.position, &model.stepping.search.hits);
    // After the last one comes the first.
    let found = match way {
        Way::On => hits.iter().find(|hit| **hit > here).or(hits.first()),
        Way::Back => hits.iter().rev().find(|hit| **hit < here).or(hits.last()),
    };
    if let Some(hit) = found.copied() {
        trace::show(model, hit, effects);
    }
}

/// The steps whose text has all the words.
fn hits(index: &Index, words: &str) -> Vec<u32> {
    let words = ascii(words);
    let words: Vec<&str> = words.split_whitespace().collect();
    if words.is_empty() {
        return Vec::new();
    }
    let found: Vec<bool> = index
        .labels
        .iter()
        .map(|label| {
            let label = ascii(label);
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

/// A text as one would type it, in small letters: `l1` for `ℓ1`, `alpha` for `α`.
fn ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() {
            plain.push(character.to_ascii_lowercase());
            continue;
        }
        let spelled = fletch_syntax::names()
            .iter()
            .chain(fletch_syntax::spellings())
            .find(|(_, unicode)| unicode.chars().eq([character]));
        match (character, spelled) {
            ('ℓ', _) => plain.push('l'),
            ('₀'..='₉', _) => plain.extend(char::from_digit(u32::from(character) - 0x2080, 10)),
            ('′', _) => plain.push('\''),
            (_, Some((name, _))) => {
                plain.extend(name.chars().map(|letter| letter.to_ascii_lowercase()))
            }
            (_, None) => plain.extend(character.to_lowercase()),
        }
    }
    plain
}
