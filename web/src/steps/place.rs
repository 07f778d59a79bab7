//! The place that a reader has come to in a program, as the tab keeps it: a page that is loaded again is as it was left.

use crate::model::Model;
use crate::present::Stand;
use crate::steps::{LEVELS, level_named};
use fletch_playground::protocol::Level;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A place in the run of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The text whose run it is in, by its hash.
    text: u64,
    /// The position.
    pub position: u32,
    /// The level.
    pub level: Level,
    /// True if the notice about the link that the program came by has been read.
    pub read: bool,
}

impl Place {
    /// The place that a reader is at; none in the run of a sample, and in a page that keeps nothing.
    #[inline(never)] // A start does without it.
    pub fn of(model: &Model) -> Option<Place> {
        if model.sampled.is_some() || model.showing.stand == Stand::Embedded {
            return None;
        }
        let trace = model.trace.as_ref();
        Some(Place {
            text: hash(&model.program.text),
            position: trace.map_or(model.stepping.left, |trace| trace.position),
            level: model.stepping.level,
            read: model.travel.told.is_none(),
        })
    }

    /// The line that is kept of it.
    #[inline(never)] // A start does without it.
    pub fn line(&self) -> String {
        let named = LEVELS.iter().find(|(level, ..)| *level == self.level);
        format!(
            "{text:016x} {position} {level} {read}",
            text = self.text,
            position = self.position,
            level = named.map_or("", |(.., name)| *name),
            read = self.read
        )
    }

    /// Reads such a line; `None` if it is another one.
    #[inline(never)] // A start does without it.
    pub fn kept(line: &str) -> Option<Place> {
        let words: Vec<&str> = line.split(' ').collect();
        let [text, position, level, read] = words[..] else {
            return None;
        };
        Some(Place {
            text: u64::from_str_radix(text, 16).ok()?,
            position: position.parse().ok()?,
            level: level_named(level),
            read: read.parse().ok()?,
        })
    }

    /// Lets a page begin there, unless it begins with another text.
    #[inline(never)] // A start does without it.
    pub fn resume(self, model: &mut Model) {
        if self.text != hash(&model.program.text) {
            return;
        }
        model.stepping.left = self.position;
        if let Some(trace) = &mut model.trace {
            (trace.position, trace.from) = (self.position, None);
        }
        model.stepping.level = self.level;
        if self.read {
            model.travel.told = None;
        }
    }
}

/// The hash of a text. Another release of the page may have another one, and then a place is forgotten.
#[inline(never)] // A start does without it.
fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
