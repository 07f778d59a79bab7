//! The runs of ordinary handlers, and the clauses that ran in them.

use super::{Calls, Event, Known};
use fletch_calculus::{OperationRef, OrdinaryHandler, Term};
use fletch_reduction::{Action, Frame, State, Step};
use std::sync::Arc;

/// One run of an ordinary handler at the top.
#[derive(Debug)]
pub(crate) struct OrdinaryRun {
    pub(crate) handler: Arc<OrdinaryHandler>,
    /// The position before the step to the return clause; of several, the last so far.
    pub(crate) turned_at: Option<usize>,
    /// The position from which its result is with what is around it.
    pub(crate) done_at: Option<usize>,
    /// How many frames are around it.
    depth: usize,
}

/// One operation that an ordinary handler met.
#[derive(Debug)]
pub(crate) struct Clause {
    pub(crate) operation: OperationRef,
    /// The operation, as a reader knows it.
    pub(crate) name: Arc<str>,
    pub(crate) handler: Arc<str>,
    pub(crate) met_at: usize,
    /// Whether it has no clause there and is performed outside.
    pub(crate) outside: bool,
    /// The position from which the rest goes on, and with what; of several, the first.
    pub(crate) resumed: Option<(usize, Term)>,
}

impl Calls {
    /// Notes the handlers around the focus of the first state.
    pub(crate) fn start(&mut self, state: &State) {
        self.came_up(0, state, state.frames().depth());
    }

    /// Notes the ordinary handlers among the innermost `added` frames of the state at this position.
    fn came_up(&mut self, position: usize, state: &State, added: usize) {
        let depth = state.frames().depth();
        let frames: Vec<(usize, &Frame)> = state.frames().iter().take(added).enumerate().collect();
        for (inner, frame) in frames.into_iter().rev() {
            if let Frame::Handle { handler, .. } = frame {
                let at = self.ordinary.len();
                self.note(position, Event::OrdinaryBegins(at));
                self.open.push(at);
                self.ordinary.push(OrdinaryRun {
                    handler: handler.clone(),
                    turned_at: None,
                    done_at: None,
                    depth: depth - inner - 1,
                });
            }
        }
    }

    /// Notes what the step from `position` says of ordinary handlers.
    pub(super) fn record_ordinary(&mut self, position: usize, before: &State, step: &Step) {
        match &step.action {
            Action::HandleOp {
                handler,
                operation,
                outside,
                ..
            } => {
                let index = self.clauses.len();
                if !outside {
                    self.note(position, Event::Clause(index));
                }
                self.clauses.push(Clause {
                    operation: operation.clone(),
                    name: operation.to_string().into(),
                    handler: handler.clone(),
                    met_at: position,
                    outside: *outside,
                    resumed: None,
                });
                // The rest of the run is bound to the first variable that the step draws.
                let result = before.supply().clone().fresh("");
                self.variables.insert(result.id, Known::Resumed(index));
                let at_top = step.contractum.path.is_empty();
                self.clause = (at_top && !outside).then_some((index, step.contractum.frames));
            }
            Action::HandleRet { .. } => {
                self.clause = None;
                let run = self.open.last().copied();
                if let Some(at) = run.filter(|_| step.contractum.path.is_empty()) {
                    self.note(position, Event::OrdinaryReturns(at));
                    if let Some(run) = self.ordinary.get_mut(at) {
                        run.turned_at = Some(position);
                    }
                }
            }
            _ => {}
        }
        if !matches!(step.action, Action::Bind { .. } | Action::HandleRet { .. }) {
            return self.came_in(position, step);
        }
        // A value leaves the innermost frame.
        let depth = before.frames().depth();
        let after = position + 1;
        while let Some(at) = self.open.last().copied()
            && let Some(run) = self.ordinary.get_mut(at)
            && run.turned_at.is_some()
            && depth <= run.depth
        {
            run.done_at = Some(after);
            self.open.pop();
            self.note(after, Event::OrdinaryEnds(at));
        }
        let resumes = match &step.action {
            Action::Bind { variable, .. } => {
                matches!(self.variables.get(&variable.id), Some(Known::Resumed(_)))
            }
            _ => false,
        };
        // What a resumption puts back is not new.
        if !resumes {
            self.came_in(position, step);
        }
    }

    fn came_in(&mut self, position: usize, step: &Step) {
        if step.contractum.path.is_empty() {
            let depth = step.next.frames().depth();
            let added = depth.saturating_sub(step.contractum.frames);
            self.came_up(position + 1, &step.next, added);
        }
    }
}
