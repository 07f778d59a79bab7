//! A location used twice: each backward clause subtracts from the value that its forward clause saved, so the last `Put` wins and the
//! other gradients are lost. This is a warning, unless the clause reads the location again before it stores.

use crate::check::clause_bodies;
use crate::effects::Performed;
use crate::elaborator::{Elaborator, place};
use crate::faults::Fault;
use fletch_calculus::{
    Builtin, Command, CommandKind, Index, LocationRef, OperationRef, Origin, ReverseClause,
};
use fletch_syntax::Span;
use std::collections::BTreeMap;

/// The uses of one location by operations whose backward clauses store a value without reading the location again.
struct Uses<'c> {
    location: &'c LocationRef,
    calls: Vec<Span>,
    put: Span,
}

impl<'a> Elaborator<'a> {
    /// Warns of locations that a reverse handler with these clauses updates twice.
    pub(crate) fn check_reuse(
        &mut self,
        operations: &Performed,
        clauses: &BTreeMap<OperationRef, ReverseClause>,
    ) {
        let mut uses: BTreeMap<usize, Uses<'_>> = BTreeMap::new();
        for (operation, calls) in operations {
            let Some(clause) = clauses.get(operation).filter(|clause| !clause.default) else {
                continue;
            };
            for index in &operation.indices {
                let Index::Location(location) = index else {
                    continue;
                };
                let mut read = false;
                if let Some(put) = stale_put(&clause.backward, location, &mut read) {
                    let entry = uses.entry(location.number).or_insert_with(|| Uses {
                        location,
                        calls: Vec::new(),
                        put: place(put),
                    });
                    entry.calls.push(calls.first);
                    entry.calls.extend(calls.second);
                }
            }
        }
        for Uses {
            location,
            mut calls,
            put,
        } in uses.into_values()
        {
            calls.sort();
            let [first, second, ..] = calls.as_slice() else {
                continue;
            };
            let earlier = Some(*first).filter(|first| first != second);
            let reused = Fault::Reused(location.name.clone(), earlier, put);
            self.report.add(*second, reused);
        }
    }
}

/// The first `Put` to a location that no `Get` of the location precedes.
fn stale_put(command: &Command, location: &LocationRef, read: &mut bool) -> Option<Origin> {
    match command.kind() {
        CommandKind::Pure(_) | CommandKind::Resume(..) | CommandKind::Handled(_) => None,
        CommandKind::Perform(operation, _) => match operation.heap_access() {
            Some((Builtin::Get, other)) if other.number == location.number => {
                *read = true;
                None
            }
            Some((Builtin::Put, other)) if other.number == location.number && !*read => {
                Some(command.origin())
            }
            _ => None,
        },
        CommandKind::Let { bound, body, .. } => {
            stale_put(bound, location, read).or_else(|| stale_put(body, location, read))
        }
        CommandKind::Feedback { feedback, .. } => stale_put(&feedback.body, location, read),
        CommandKind::RevHandle { body, .. } | CommandKind::Handle { body, .. } => {
            let mut bodies = [body].into_iter().chain(clause_bodies(command));
            bodies.find_map(|body| stale_put(body, location, read))
        }
    }
}
