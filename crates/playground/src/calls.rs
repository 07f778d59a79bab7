//! The handled calls of a run: when each ran forward, what it saved, when its cotangent came back.
//! Kept beside the trace as it grows; the sandwich and the ticks of the slider read it.

use fletch_calculus::{Call, Called, CommandKind, Origin, Role, Term, Type};
use fletch_reduction::{Action, Frame, State, Step};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One handled call. Positions are those before the step meant, unless said otherwise.
#[derive(Debug)]
pub(crate) struct CallRecord {
    pub(crate) call: Arc<Call>,
    pub(crate) met_at: usize,
    pub(crate) result: Option<Term>,
    pub(crate) saved: Option<Term>,
    /// The position from which its backward part waits.
    pub(crate) waits_from: Option<usize>,
    pub(crate) cotangent: Option<Term>,
    /// The position from which it has its cotangent.
    pub(crate) cotangent_at: Option<usize>,
    /// The position from which its backward part is done.
    pub(crate) done_at: Option<usize>,
    /// The type of the cotangent that it waits for.
    pub(crate) cotangent_type: Option<Type>,
    /// How many frames were around its backward part.
    depth: usize,
    /// Which run of a handler it belongs to.
    pub(crate) run: usize,
}

/// One run of a handler at the top: what one sandwich shows.
#[derive(Debug)]
pub(crate) struct Run {
    /// The position before `rev-handle`.
    pub(crate) from: usize,
    /// The position before RH-ret.
    pub(crate) turned_at: Option<usize>,
    pub(crate) returned: Option<Term>,
    /// The position from which the return clause's result is there, and that result.
    pub(crate) turned_until: Option<(usize, Term)>,
    pub(crate) handler: Arc<str>,
    pub(crate) return_origin: Origin,
    depth: usize,
    turn_depth: usize,
    /// The position from which the whole run is over.
    pub(crate) done_at: Option<usize>,
}

#[derive(Debug, Default)]
pub(crate) struct Calls {
    pub(crate) records: Vec<CallRecord>,
    pub(crate) runs: Vec<Run>,
    variables: BTreeMap<u32, (usize, Part)>,
}

#[derive(Clone, Copy, Debug)]
enum Part {
    Result,
    Saved,
    Cotangent,
}

impl Calls {
    /// Notes what the step from position `position` says of handled calls.
    pub(crate) fn record(&mut self, position: usize, before: &State, step: &Step) {
        match &step.action {
            Action::RevHandle { handler, .. } => self.runs.push(Run {
                from: position,
                turned_at: None,
                returned: None,
                turned_until: None,
                handler: handler.clone(),
                return_origin: return_origin(before),
                depth: before.frames().depth(),
                turn_depth: 0,
                done_at: None,
            }),
            // Only calls met at the top belong to the stack; those of an inner handler are still code.
            Action::RhOp { .. } | Action::RhTerm { .. } if step.contractum.path.is_empty() => {
                self.met(position, before, step);
            }
            Action::RhRet { value, .. } if step.contractum.path.is_empty() => {
                if let Some(run) = self.runs.last_mut() {
                    run.turned_at = Some(position);
                    run.returned = Some(value.clone());
                    run.turn_depth = before.frames().depth();
                }
            }
            Action::Bind { variable, value } => self.bound(position, before, variable.id, value),
            _ => {}
        }
    }

    fn met(&mut self, position: usize, before: &State, step: &Step) {
        let depth = before.frames().depth();
        // The frames that the unfolding added, innermost first; the outermost of them is the call's.
        let added = step.next.frames().depth().saturating_sub(depth);
        let outermost = step.next.frames().iter().take(added).last();
        let call = match outermost {
            Some(Frame::Let {
                role: Role::Forward(call),
                ..
            }) => call.clone(),
            _ => return,
        };
        let index = self.records.len();
        self.variables.insert(call.result.id, (index, Part::Result));
        if let Some(saved) = &call.saved {
            self.variables.insert(saved.id, (index, Part::Saved));
        }
        self.variables
            .insert(call.cotangent.id, (index, Part::Cotangent));
        let cotangent_type = match &call.called {
            Called::Operation(operation) => Some(operation.codomain.clone()),
            Called::Function(symbol) => Some(symbol.codomain()),
            Called::Term => None,
        };
        self.records.push(CallRecord {
            call,
            met_at: position,
            result: None,
            saved: None,
            waits_from: None,
            cotangent: None,
            cotangent_at: None,
            done_at: None,
            cotangent_type,
            depth,
            run: self.runs.len().saturating_sub(1),
        });
    }

    fn bound(&mut self, position: usize, before: &State, variable: u32, value: &Term) {
        let after = position + 1;
        let popped = before.frames().pop();
        if let Some((
            Frame::Let {
                role: Role::Backward(call),
                ..
            },
            _,
        )) = popped
        {
            let result = call.result.id;
            if let Some(record) = self
                .records
                .iter_mut()
                .rev()
                .find(|record| record.call.result.id == result)
            {
                record.done_at = Some(after);
            }
        }
        if let Some((index, part)) = self.variables.get(&variable).copied()
            && let Some(record) = self.records.get_mut(index)
        {
            match part {
                Part::Result => {
                    record.result = Some(value.clone());
                    if record.call.saved.is_none() {
                        record.waits_from = Some(after);
                        record.cotangent_type = value.to_value().map(|value| value.ty());
                    }
                }
                Part::Saved => {
                    record.saved = Some(value.clone());
                    record.waits_from = Some(after);
                }
                Part::Cotangent => {
                    record.cotangent = Some(value.clone());
                    record.cotangent_at = Some(after);
                }
            }
        }
        // A pure call is done when its tuple of cotangents leaves the place where the call stood.
        let depth = before.frames().depth();
        for record in self
            .records
            .iter_mut()
            .rev()
            .take_while(|record| record.depth + 2 >= depth)
        {
            let pure = record.call.saved.is_none();
            if pure
                && record.cotangent_at.is_some()
                && record.done_at.is_none()
                && depth <= record.depth
            {
                record.done_at = Some(after);
            }
        }
        for run in self.runs.iter_mut().rev() {
            // RH-ret puts its let where RH stood; the return clause may bind inside it.
            if run.turned_at.is_some() && run.turned_until.is_none() && depth == run.turn_depth + 1
            {
                run.turned_until = Some((after, value.clone()));
            }
            if run.done_at.is_none() && run.turned_until.is_some() && depth <= run.depth {
                run.done_at = Some(after);
            }
        }
    }

    /// The run of a handler that a position belongs to: the last one begun.
    pub(crate) fn run_at(&self, position: usize) -> Option<(usize, &Run)> {
        self.runs
            .iter()
            .enumerate()
            .rev()
            .find(|(_, run)| run.from <= position)
    }
}

fn return_origin(before: &State) -> Origin {
    match before.focus().kind() {
        CommandKind::RevHandle { handler, .. } => handler.return_clause.body.origin(),
        _ => before.focus().origin(),
    }
}
