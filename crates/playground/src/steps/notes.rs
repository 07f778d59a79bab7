//! The step notes that a run has reached: what a front end shows as captions, and a lecturer reads beforehand.

use fletch_ide::place;
use fletch_syntax::{self as syntax, LineIndex, Note};
use fletch_trace::Trace;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What the author of a program says of a step, by a step note above a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caption {
    /// The text; lines end with `\n`.
    pub text: String,
    /// Whether the line is entered here; else it was the last one entered.
    pub fresh: bool,
}

/// The step notes of a program, and when its run reaches them; looked up as far as was asked, and kept.
#[derive(Default)]
pub(crate) struct Notes {
    notes: Vec<Note>,
    /// For every place of the trace, the line where it begins.
    lines: Vec<u32>,
    /// The line of the last step looked at.
    line: Option<u32>,
    /// How many steps were looked at.
    looked: usize,
    /// The steps that enter a line with a note, each with the number of the note, ascending.
    reached: Vec<(usize, usize)>,
}

impl Notes {
    /// The notes of a source whose `main` stands on this line. A run begins there.
    pub(crate) fn of(source: &str, index: &LineIndex, main: Option<u32>) -> Notes {
        let notes = syntax::notes(source, index);
        let first = notes.iter().position(|note| Some(note.line) == main);
        Notes {
            reached: first.map(|note| (0, note)).into_iter().collect(),
            notes,
            ..Notes::default()
        }
    }

    /// What is said at a position whose step goes to the next stop: the notes of the lines that are entered on the way.
    /// Where none is, the last one stays.
    pub(crate) fn caption(
        &mut self,
        trace: &Trace,
        index: &LineIndex,
        steps: Range<usize>,
    ) -> Option<Caption> {
        if self.notes.is_empty() {
            return None;
        }
        self.look(trace, index, steps.end);
        let upto = self
            .reached
            .partition_point(|(step, _)| *step < steps.end.max(1));
        let before = self
            .reached
            .partition_point(|(step, _)| *step < steps.start);
        let fresh = before < upto;
        let said = self
            .reached
            .get(if fresh { before } else { upto.checked_sub(1)? }..upto)?;
        let texts = said.iter().filter_map(|(_, note)| self.notes.get(*note));
        let mut texts: Vec<&str> = texts.map(|note| note.text.as_str()).collect();
        texts.dedup();
        Some(Caption {
            text: texts.join("\n"),
            fresh,
        })
    }

    /// Looks at the steps up to this one.
    fn look(&mut self, trace: &Trace, index: &LineIndex, until: usize) {
        let tables = trace.index();
        let news = tables.places.iter().skip(self.lines.len());
        let news = news.map(|origin| index.line_column(place::span(*origin).start).0);
        self.lines.extend(news);
        let places = tables.place.iter().take(until).skip(self.looked);
        for place in places {
            let line = self.lines.get(*place as usize).copied();
            if line != self.line
                && let Some(note) = self.notes.iter().position(|note| Some(note.line) == line)
            {
                self.reached.push((self.looked, note));
            }
            self.line = line;
            self.looked += 1;
        }
    }
}
