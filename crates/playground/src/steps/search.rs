//! A search through the sentences at the stops of a level. They are made when they are first searched, a slice of
//! them at a time, and kept as one would type them.

use super::view;
use fletch_explain::{self as explain, Telling};
use fletch_print::{Chips, Names};
use fletch_trace::{Level, Trace};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A search through the sentences at the stops of a level.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Search {
    /// The level.
    pub level: Level,
    /// The words, all of which a sentence has to have: as they are, or as one types them.
    pub words: String,
}

/// Result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The stops, ascending.
    pub positions: Vec<u32>,
    /// The first stop whose sentence was not searched, if it was not all of them.
    pub searched: Option<u32>,
    /// True if the same request would search further sentences: each answer has a time limit.
    pub more: bool,
}

/// Maximum number of stops whose sentences are searched, counted from the first.
const STOPS: usize = 20_000;

/// Time limit of one answer, in milliseconds.
const SLICE: f64 = 50.0;

/// Number of sentences made between two looks at the clock.
const BATCH: usize = 64;

/// The sentences of a trace, as far as they were searched.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// The steps of the trace that they are about.
    steps: usize,
    levels: BTreeMap<Level, Vec<String>>,
}

impl Told {
    /// The stops whose sentences have all the words.
    pub(crate) fn search(
        &mut self,
        trace: &Trace,
        source: &str,
        asked: &Search,
        now: fn() -> f64,
    ) -> Found {
        if self.steps != trace.len() {
            // More steps may follow a stop that was the last one.
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
    // Subscripts tell names of one state apart, and cost more than the sentence.
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

/// True if a word of the text starts with the needle: `put` is not found in `input`.
fn has(text: &str, word: &str) -> bool {
    let inside = |character: char| character.is_alphanumeric();
    let mut places = text.match_indices(word).map(|(at, _)| at);
    !word.starts_with(inside)
        || places.any(|at| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            !before.is_some_and(inside)
        })
}

/// The small letter of a capital of the alphabets that names are written in: Latin-1, Greek without accents, Cyrillic. All others
/// would take a table as large as the rest of this crate.
fn small(character: char) -> char {
    match character {
        'À'..='Ö' | 'Ø'..='Þ' | 'Α'..='Ρ' | 'Σ'..='Ϋ' | 'А'..='Я' => {
            char::from_u32(u32::from(character) + 0x20).unwrap_or(character)
        }
        other => other,
    }
}

/// A text as one would type it, in small letters: `l1` for `ℓ1`, `alpha` for `α`.
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
    use super::typed;

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
