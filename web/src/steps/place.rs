//! Bookmark of the reader in the run of a program. The browser tab keeps it as one line of text, so a page that is reloaded
//! continues at the same position.

use crate::model::Model;
use crate::present::Stand;
use crate::steps::{LEVELS, level_named};
use fletch_playground::protocol::Level;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Bookmark in the run of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Hash of the program's text.
    text: u64,
    /// Position in the run.
    pub position: u32,
    /// Level of the stepper.
    pub level: Level,
    /// True if the notice about the link that the program came from has been closed.
    pub read: bool,
}

impl Place {
    /// Bookmark of the current state; `None` in the run of a training sample, and in an embedded page, which keeps nothing.
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

    /// The bookmark as a line of text: hash, position, level, and whether the notice is closed.
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

    /// Reads a line written by [`Place::line`]; `None` if it has another form.
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

    /// Restores the bookmark at the start of the page, unless the page starts with another text.
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

/// Hash of a text. It may change with a release of the page; a bookmark of an older release is then ignored.
#[inline(never)] // A start does without it.
fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
