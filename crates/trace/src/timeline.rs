//! Timeline of a run: for every position the part whose code runs there, and the positions of the terms and heap accesses
//! outside of all reverse handlers. Diagrams are highlighted by it.

use crate::calls::{Calls, Event, Owner, Pass};
use fletch_calculus::Origin;
use fletch_reduction::{Action, State};
use std::collections::BTreeMap;

/// Part at work at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A pass of a call, by its number.
    Call(usize, Pass),
    /// The return clause of a run.
    Return(usize),
    /// A term or a heap access outside of all runs, by its number.
    Outside(usize),
}

/// A term or a heap access outside of all runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outside {
    /// All of the term, or the access.
    pub origin: Origin,
    /// True for an access of the heap.
    pub access: bool,
    /// The position before its first step.
    pub from: usize,
    /// The position from which it is done; none where a run ends inside of it.
    pub until: Option<usize>,
}

/// The table.
#[derive(Debug, Default)]
pub struct Timeline {
    /// Positions at which the part at work changes, each with the new part.
    changes: Vec<(usize, Option<Work>)>,
    /// Terms and accesses outside of all runs, in order.
    pub outside: Vec<Outside>,
    /// The part of a reverse handler's run that each clause of an ordinary handler is code of, if it is.
    clauses: Vec<Option<Work>>,
    /// The part of another run that a run began in, if it did.
    inside: BTreeMap<usize, Work>,
}

impl Timeline {
    /// Part at work in the step from a position; None where only the equations of a handler go on.
    pub fn at(&self, position: usize) -> Option<Work> {
        let after = self.changes.partition_point(|(from, _)| *from <= position);
        let (_, work) = self.changes.get(after.checked_sub(1)?)?;
        *work
    }

    /// The part of another run that a run is in: its code is a clause of that one.
    pub fn inside(&self, run: usize) -> Option<Work> {
        self.inside.get(&run).copied()
    }

    /// Notes the step from this position, or that there is none.
    pub(crate) fn record(
        &mut self,
        position: usize,
        before: &State,
        action: Option<&Action>,
        owner: Owner,
        calls: &Calls,
    ) {
        let work = match owner {
            Owner::Call(call, pass) => Some(Work::Call(call, pass)),
            Owner::Return(run) => Some(Work::Return(run)),
            Owner::Run(_) => calls.events_at(position).find_map(|event| match event {
                Event::Forward(call) => Some(Work::Call(call, Pass::Forward)),
                Event::Returns(run) => Some(Work::Return(run)),
                _ => None,
            }),
            Owner::Clause(clause) => match self.clauses.get(clause).copied().flatten() {
                Some(work) => Some(work),
                None => self.outside(position, before, action),
            },
            Owner::Program => self.outside(position, before, action),
        };
        let handled = work.filter(|work| !matches!(work, Work::Outside(_)));
        match (action, handled) {
            (Some(Action::HandleOp { .. }), handled) => self.clauses.push(handled),
            (Some(Action::RevHandle(begun)), Some(work)) => {
                self.inside.insert(begun.run as usize, work);
            }
            _ => {}
        }
        if !matches!(work, Some(Work::Outside(_))) {
            self.close(position);
        }
        if self.changes.last().is_none_or(|(_, last)| *last != work) {
            self.changes.push((position, work));
        }
    }

    /// Records a term or access outside of all runs; a term goes on from step to step until it is a value.
    fn outside(
        &mut self,
        position: usize,
        before: &State,
        action: Option<&Action>,
    ) -> Option<Work> {
        let focus = before.focus();
        let term = focus.argument().filter(|term| !term.is_closed_value());
        let (origin, access) = match (action, term) {
            (_, Some(term)) => (term.origin(), false),
            (Some(Action::Get { .. } | Action::Put { .. }), None) => (focus.origin(), true),
            _ => {
                self.close(position);
                return None;
            }
        };
        let open = self.outside.last().filter(|last| last.until.is_none());
        if open.is_none_or(|last| last.access || access) {
            self.close(position);
            self.outside.push(Outside {
                origin,
                access,
                from: position,
                until: None,
            });
        }
        Some(Work::Outside(self.outside.len() - 1))
    }

    /// Notes that the run has come to its value.
    pub(crate) fn ends(&mut self, position: usize) {
        self.close(position);
        self.changes.push((position, None));
    }

    /// Ends the term or access outside of all runs.
    fn close(&mut self, position: usize) {
        if let Some(last) = self.outside.last_mut()
            && last.until.is_none()
        {
            last.until = Some(position);
        }
    }
}
