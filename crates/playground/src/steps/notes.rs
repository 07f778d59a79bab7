//! The step notes of a run: captions for a front end, and the notes of a lecturer.

use fletch_calculus::Origin;
use fletch_ide::place;
use fletch_syntax::{self as syntax, LineIndex, Note};
use fletch_trace::{Level, Pass, Trace, Work};
use serde::{Deserialize, Serialize};

/// Step note on display at a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caption {
    /// The text; lines end with `\n`.
    pub text: String,
    /// True if the stop before does not show this note.
    pub fresh: bool,
}

/// The step notes of a program, and at which steps each is shown; looked up as far as was asked, and kept.
#[derive(Default)]
pub(crate) struct Notes {
    notes: Vec<Note>,
    /// For each note, true if the run was on its line on the way out.
    gone_out: Vec<bool>,
    /// The number of the note for `main`, which a run begins with.
    first: Option<usize>,
    /// For every place of the trace, the line where it begins.
    lines: Vec<u32>,
    /// True if the last examined step is on the way back.
    back: bool,
    /// Number of steps examined so far.
    looked: usize,
    /// The steps from which on another note is shown, or none, each with its number.
    shown: Vec<(usize, Option<usize>)>,
}

impl Notes {
    /// The notes of a source whose `main` stands on this line.
    pub(crate) fn of(source: &str, index: &LineIndex, main: Option<u32>) -> Notes {
        let notes = syntax::notes(source, index);
        Notes {
            first: notes.iter().position(|note| Some(note.line) == main),
            gone_out: vec![false; notes.len()],
            notes,
            ..Notes::default()
        }
    }

    /// The note at a position: that of the line of its redex.
    pub(crate) fn caption(
        &mut self,
        trace: &Trace,
        index: &LineIndex,
        position: usize,
        level: Level,
    ) -> Option<Caption> {
        let note = self.at(trace, index, position)?;
        let before = trace.index().previous(level, position);
        let before = before.and_then(|before| self.at(trace, index, before));
        Some(Caption {
            text: self.notes.get(note)?.text.clone(),
            fresh: before != Some(note),
        })
    }

    /// The lines whose notes no step of the run is on, ascending.
    pub(crate) fn unreached(&mut self, trace: &Trace, index: &LineIndex) -> Vec<u32> {
        if self.notes.is_empty() {
            return Vec::new();
        }
        self.look(trace, index, trace.len());
        let unreached = self.notes.iter().enumerate().filter(|(number, note)| {
            !note.text.is_empty() && !self.shown.iter().any(|(_, shown)| *shown == Some(*number))
        });
        let mut lines: Vec<u32> = unreached.map(|(_, note)| note.line).collect();
        lines.dedup();
        lines
    }

    /// The number of the note that is shown at a position.
    fn at(&mut self, trace: &Trace, index: &LineIndex, position: usize) -> Option<usize> {
        if self.notes.is_empty() || position >= trace.len() {
            return None;
        }
        self.look(trace, index, position + 1);
        let after = self.shown.partition_point(|(step, _)| *step <= position);
        self.shown.get(after.checked_sub(1)?)?.1
    }

    /// Looks at the steps up to this one.
    fn look(&mut self, trace: &Trace, index: &LineIndex, until: usize) {
        let tables = trace.index();
        let news = tables.places.iter().skip(self.lines.len());
        let news = news.map(|origin| index.line_column(place::span(*origin).start).0);
        self.lines.extend(news);
        let places = tables.place.iter().take(until).skip(self.looked);
        for place in places {
            let work = trace.timeline().at(self.looked);
            match work {
                Some(Work::Call(_, pass)) => self.back = pass == Pass::Backward,
                Some(_) => self.back = false,
                // Between two calls only equations go on.
                None => {}
            }
            let line = self.lines.get(*place as usize).copied();
            let origin = tables.places.get(*place as usize).copied();
            let line = line.filter(|_| !is_over(trace, work, origin));
            let note = line.and_then(|line| self.note(line));
            let mut note = note.or_else(|| {
                // The way back through a line is the backward clause of its call.
                let back = backward(trace, work);
                let mut notes = back.iter().filter_map(|call| {
                    let call = trace.calls().records.get(*call)?;
                    let line = index.line_column(place::span(call.call.origin).start).0;
                    let of_line = |note: &Note| note.back && note.line == line;
                    self.notes.iter().position(of_line)
                });
                notes.next()
            });
            if self.looked == 0 {
                note = note.or(self.first);
            }
            if self.shown.last().and_then(|(_, shown)| *shown) != note {
                self.shown.push((self.looked, note));
            }
            self.looked += 1;
        }
    }

    /// The note for a line as the run goes now. A line that the run is on only on its way back, as those of a backward
    /// clause, has no way out that its note could be for.
    fn note(&mut self, line: u32) -> Option<usize> {
        let back = self.back;
        let mut found = None;
        for (number, note) in self.notes.iter().enumerate() {
            let Some(gone_out) = self.gone_out.get_mut(number).filter(|_| note.line == line) else {
                continue;
            };
            if !back {
                *gone_out = true;
            }
            if note.back == back || (found.is_none() && !note.back && !*gone_out) {
                found = Some(number);
            }
        }
        found
    }
}

/// True if the run of a handler turns back where it has met its last call: the redex stands for the result of that, which is over.
fn is_over(trace: &Trace, work: Option<Work>, redex: Option<Origin>) -> bool {
    let Some(Work::Return(run)) = work else {
        return false;
    };
    let calls = trace.calls();
    let last = calls.runs.get(run).and_then(|run| run.calls.last());
    let last = last.and_then(|call| calls.records.get(*call));
    last.is_some_and(|last| Some(last.call.origin) == redex)
}

/// The calls whose backward clause is at work, the innermost first. The clause of a handler inside another is code that the outer one
/// goes out through.
fn backward(trace: &Trace, work: Option<Work>) -> Vec<usize> {
    let mut found = Vec::new();
    let Some(Work::Call(call, pass)) = work else {
        return found;
    };
    if pass == Pass::Backward {
        found.push(call);
        return found;
    }
    let records = &trace.calls().records;
    let mut within = records.get(call).and_then(|record| record.within);
    while let Some((call, pass)) = within {
        if pass == Pass::Backward {
            found.push(call);
        }
        // A call is part of one that was met before.
        let around = records.get(call).and_then(|record| record.within);
        within = around.filter(|(around, _)| *around < call);
    }
    found
}
