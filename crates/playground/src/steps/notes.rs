//! The step notes of a run. A step note is a comment `--: text` of the source: a caption that a front end shows while the run is at
//! the line below the comment. A note `--: back: text` is shown on the backward pass.

use fletch_calculus::Origin;
use fletch_ide::place;
use fletch_syntax::{self as syntax, LineIndex, Note};
use fletch_trace::{Level, Pass, Trace, Work};
use serde::{Deserialize, Serialize};

/// Step note shown at a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caption {
    /// Text of the note; lines are separated by `\n`.
    pub text: String,
    /// True if the previous stop does not show this note.
    pub fresh: bool,
}

/// The step notes of a program, and the steps at which each is shown. Steps are examined on demand, and the results kept.
#[derive(Default)]
pub(crate) struct Notes {
    notes: Vec<Note>,
    /// For each note, true if the run has been at its line on the forward pass.
    gone_out: Vec<bool>,
    /// Index of the note for `main`, with which a run begins.
    first: Option<usize>,
    /// Line of each origin in the index of the trace (`places`).
    lines: Vec<u32>,
    /// True if the last examined step is on the backward pass.
    back: bool,
    /// Number of steps examined so far.
    looked: usize,
    /// Steps from which on another note is shown, each with the index of that note, or with `None` for no note.
    shown: Vec<(usize, Option<usize>)>,
}

impl Notes {
    /// Collects the notes of a source. `main` is the line of its `main`, from 1.
    pub(crate) fn of(source: &str, index: &LineIndex, main: Option<u32>) -> Notes {
        let notes = syntax::notes(source, index);
        Notes {
            first: notes.iter().position(|note| Some(note.line) == main),
            gone_out: vec![false; notes.len()],
            notes,
            ..Notes::default()
        }
    }

    /// The note shown at a position: the note for the line of its redex.
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

    /// Lines whose notes are shown at no step of the run, ascending.
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

    /// Index of the note that is shown at a position.
    fn at(&mut self, trace: &Trace, index: &LineIndex, position: usize) -> Option<usize> {
        if self.notes.is_empty() || position >= trace.len() {
            return None;
        }
        self.look(trace, index, position + 1);
        let after = self.shown.partition_point(|(step, _)| *step <= position);
        self.shown.get(after.checked_sub(1)?)?.1
    }

    /// Examines the steps before position `until`.
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
                // Between two calls, a run only applies equations, which do not change the direction.
                None => {}
            }
            let line = self.lines.get(*place as usize).copied();
            let origin = tables.places.get(*place as usize).copied();
            let line = line.filter(|_| !is_over(trace, work, origin));
            let note = line.and_then(|line| self.note(line));
            let mut note = note.or_else(|| {
                // The backward pass through a line is the backward clause of the call on that line.
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

    /// Index of the note for a line, given the current direction. A line reached only on the backward pass, such as a line of a
    /// backward clause, may show its forward note: its note cannot be meant for a forward pass.
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

/// True if the run of a handler is at its return clause while the redex still has the origin of the last call, which is finished.
fn is_over(trace: &Trace, work: Option<Work>, redex: Option<Origin>) -> bool {
    let Some(Work::Return(run)) = work else {
        return false;
    };
    let calls = trace.calls();
    let last = calls.runs.get(run).and_then(|run| run.calls.last());
    let last = last.and_then(|call| calls.records.get(*call));
    last.is_some_and(|last| Some(last.call.origin) == redex)
}

/// Calls whose backward clause is at work, innermost first. A backward clause of an inner handler counts too: the outer handler runs
/// it on its forward pass.
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
        // The chain ends where a call does not begin before the call inside it.
        let around = records.get(call).and_then(|record| record.within);
        within = around.filter(|(around, _)| *around < call);
    }
    found
}
