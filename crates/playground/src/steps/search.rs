//! Search through the sentences at the stops of a level. The sentences are made at the first search, in slices, and kept in the
//! spelling in which a reader types.

use super::view;
use fletch_explain::{self as explain, Telling};
use fletch_print::{Chips, Names};
use fletch_trace::{Level, Trace};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Request to search the sentences at the stops of a level.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Search {
    /// Level whose stops are searched.
    pub level: Level,
    /// Words that a sentence must all contain, as displayed or as typed on a keyboard.
    pub words: String,
}

/// Result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Stops whose sentences contain all words, ascending.
    pub positions: Vec<u32>,
    /// First stop whose sentence has not been searched; `None` if all were.
    pub searched: Option<u32>,
    /// True if repeating the request would search further sentences: each reply has a time limit.
    pub more: bool,
}

/// Maximum number of sentences searched, counted from the first stop.
const STOPS: usize = 20_000;

/// Time limit of one reply, in milliseconds.
const SLICE: f64 = 50.0;

/// Number of sentences made between two checks of the clock.
const BATCH: usize = 64;

/// Cache of the sentences of a trace that were searched so far.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// Number of steps of the trace when the sentences were made.
    steps: usize,
    levels: BTreeMap<Level, Vec<String>>,
}

impl Told {
    /// Finds the stops whose sentences contain all the words.
    pub(crate) fn search(
        &mut self,
        trace: &Trace,
        source: &str,
        asked: &Search,
        now: fn() -> f64,
    ) -> Found {
        if self.steps != trace.len() {
            // The sentence at a stop goes until the next stop, so further steps may change the last sentence.
            *self = Told {
                steps: trace.len(),
                levels: BTreeMap::new(),
            };
        }
        let stops = trace.index().all(asked.level);
        let told = self.levels.entry(asked.level).or_default();
        let started = now();
        while let Some(batch) = stops.get(told.len()..stops.len().min(STOPS))
            && !batch.is_empty()
        {
            let batch = batch.iter().take(BATCH);
            told.extend(batch.map(|stop| sentence(trace, source, *stop as usize, asked.level)));
            if now() - started > SLICE {
                break;
            }
        }
        let words = typed(&asked.words);
        let words: Vec<&str> = words.split_whitespace().collect();
        let fits = |text: &str| !words.is_empty() && words.iter().all(|word| has(text, word));
        let found = stops.iter().zip(&*told).filter(|(_, text)| fits(text));
        Found {
            positions: found.map(|(stop, _)| *stop).collect(),
            searched: stops.get(told.len()).copied(),
            more: told.len() < stops.len().min(STOPS),
        }
    }
}

fn sentence(trace: &Trace, source: &str, position: usize, level: Level) -> String {
    // Subscripts distinguish names within one state, and computing them costs more than the sentence.
    let names = Names::default();
    let telling = Telling {
        names: &names,
        chips: &Chips::default(),
        first: 0,
        source,
    };
    let pieces = view::sentence(trace, position, level, telling);
    typed(&explain::plain(&pieces))
}

/// True if a word of the text starts with `word`: `put` is not found in `input`. A `word` that starts with no letter or digit is
/// found anywhere in the text.
fn has(text: &str, word: &str) -> bool {
    let inside = |character: char| character.is_alphanumeric();
    let mut places = text.match_indices(word).map(|(at, _)| at);
    places.any(|at| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        !(word.starts_with(inside) && before.is_some_and(inside))
    })
}

/// The lower-case form of a capital letter of the alphabets in which names are written: Latin-1, Greek without accents, Cyrillic.
/// Covering all letters would take a table as large as the rest of this crate.
fn small(character: char) -> char {
    match character {
        'À'..='Ö' | 'Ø'..='Þ' | 'Α'..='Ρ' | 'Σ'..='Ϋ' | 'А'..='Я' => {
            char::from_u32(u32::from(character) + 0x20).unwrap_or(character)
        }
        other => other,
    }
}

/// A text in the spelling in which a reader types, in lower case: `l1` for `ℓ1`, `alpha` for `α`.
pub fn typed(text: &str) -> String {
    static SPELLED: OnceLock<BTreeMap<char, String>> = OnceLock::new();
    let spelled = SPELLED.get_or_init(|| {
        let mut spelled = BTreeMap::new();
        let names = fletch_syntax::names().iter();
        for (name, unicode) in names.chain(fletch_syntax::spellings()) {
            let mut characters = unicode.chars();
            if let (Some(character), None) = (characters.next(), characters.next()) {
                let name = name.to_ascii_lowercase();
                spelled.entry(character).or_insert(name);
            }
        }
        spelled
    });
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            _ if character.is_ascii() => plain.push(character.to_ascii_lowercase()),
            'ℓ' => plain.push('l'),
            '₀'..='₉' => plain.extend(char::from_digit(u32::from(character) - 0x2080, 10)),
            '′' => plain.push('\''),
            _ => match spelled.get(&character) {
                Some(name) => plain.push_str(name),
                None => plain.push(small(character)),
            },
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::{has, typed};

    #[test]
    fn words_are_found_at_their_start_and_signs_anywhere() {
        let text = "input fc[l1](x) + y";
        for word in ["in", "l1", "+", "(x", "]"] {
            assert!(has(text, word), "{word}");
        }
        for word in ["put", "c[l1", "*", "(zzz"] {
            assert!(!has(text, word), "{word}");
        }
    }

    #[test]
    fn words_are_sought_in_small_letters() {
        for (text, small) in [
            ("FC[ℓ₁]", "fc[l1]"),
            ("α Σ", "alpha sigma"),
            ("Ärger", "ärger"),
            ("Шаг Ώ", "шаг Ώ"),
        ] {
            assert_eq!(typed(text), small);
        }
    }
}
