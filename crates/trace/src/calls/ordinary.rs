//! The runs of ordinary handlers, and the clauses that ran in them.

use super::{Calls, Event, Known};
use fletch_calculus::{OperationRef, OrdinaryHandler, Term};
use fletch_reduction::{Action, Frame, State, Step};
use std::sync::Arc;

/// One run of an ordinary handler at the top.
#[derive(Debug)]
pub struct OrdinaryRun {
    /// The handler.
    pub handler: Arc<OrdinaryHandler>,
    /// The position at which it has come to the top.
    from: usize,
    /// The position from which its result is with what is around it.
    pub done_at: Option<usize>,
    /// Number of frames around the run.
    depth: usize,
}

/// One operation that an ordinary handler met.
#[derive(Debug)]
pub struct Clause {
    /// The operation.
    pub operation: OperationRef,
    /// The operation, as a reader knows it.
    pub name: Arc<str>,
    /// The handler's name.
    pub handler: Arc<str>,
    /// The position before the step that meets it.
    pub met_at: usize,
    /// True if the handler has no clause for the operation, which is performed outside.
    pub outside: bool,
    /// The position from which the rest goes on, and with what; of several, the first.
    pub resumed: Option<(usize, Term)>,
    /// The clause that performs the operation, and the number of frames around it, where the operation is performed outside.
    pub(super) by: Option<(usize, usize)>,
}

impl Calls {
    /// Notes the handlers around the focus of the first state.
    pub fn start(&mut self, state: &State) {
        self.came_up(0, state.frames().depth(), state.frames().iter());
    }

    /// Notes the ordinary handlers among the innermost frames of the state of this depth, at this position.
    fn came_up<'f>(
        &mut self,
        position: usize,
        depth: usize,
        frames: impl Iterator<Item = &'f Frame>,
    ) {
        let frames: Vec<(usize, &Frame)> = frames.enumerate().collect();
        for (inner, frame) in frames.into_iter().rev() {
            if let Frame::Handle { handler, .. } = frame {
                let at = self.ordinary.len();
                self.note(position, Event::OrdinaryBegins(at));
                self.open.push(at);
                self.ordinary.push(OrdinaryRun {
                    handler: handler.clone(),
                    from: position,
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
                result,
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
                    handler: handler.name.clone(),
                    met_at: position,
                    outside: *outside,
                    resumed: None,
                    by: self.clause.filter(|_| *outside),
                });
                // The argument of the resumption is bound to this variable.
                self.variables.insert(result.id, Known::Resumed(index));
                let runs = !step.within() && !outside;
                self.clause = runs.then_some((index, step.contractum.frames));
            }
            Action::HandleRet { .. } => {
                // A handler inside a clause may return while the clause goes on.
                let depth = before.frames().depth();
                self.clause = self.clause.filter(|(_, outside)| depth > *outside);
                let run = self.open.last().copied();
                if let Some(at) = run.filter(|_| !step.within()) {
                    self.note(position, Event::OrdinaryReturns(at));
                }
            }
            _ => {}
        }
        if !matches!(step.action, Action::Bind { .. } | Action::HandleRet { .. }) {
            return self.came_in(position, step);
        }
        self.value_leaves(position + 1, before.frames().depth());
        let resumes = match &step.action {
            Action::Bind { variable, .. } => {
                matches!(self.variables.get(&variable.id), Some(Known::Resumed(_)))
            }
            _ => false,
        };
        // A resumption puts back runs that are known already.
        if !resumes {
            self.came_in(position, step);
        }
    }

    /// A value leaves the innermost of so many frames: what began inside of it is over.
    fn value_leaves(&mut self, after: usize, depth: usize) {
        if let Some((_, outside)) = self.clause {
            if depth > outside {
                // A clause runs, which may resume what it was taken out of.
                return;
            }
            self.clause = None;
        }
        while let Some(at) = self.open.last().copied()
            && let Some(run) = self.ordinary.get_mut(at)
            && depth <= run.depth
        {
            run.done_at = Some(after);
            let from = run.from;
            self.open.pop();
            self.note(after, Event::OrdinaryEnds(at));
            self.abandon(from, after);
        }
    }

    /// Runs of reverse handlers that began since `from` will not come to their end: a clause has not resumed them.
    pub(super) fn abandon(&mut self, from: usize, after: usize) {
        while let Some(at) = self.unended.last().copied()
            && let Some(run) = self.runs.get_mut(at)
            && run.from >= from
        {
            run.done_at = Some(after);
            self.unended.pop();
            self.note(after, Event::Ends(at));
        }
    }

    fn came_in(&mut self, position: usize, step: &Step) {
        let depth = step.next.frames().depth();
        self.came_up(position + 1, depth, step.entered());
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing)] // A failed test is a panic.

    use crate::calls::Owner;
    use crate::cases::{check, run};
    use crate::trace::Trace;
    use fletch_notation::print;

    fn clauses(trace: &Trace) -> Vec<String> {
        let clauses = trace.calls().clauses.iter();
        let lines = clauses.map(|clause| {
            let by = if clause.outside { "outside of" } else { "by" };
            let (name, handler, met) = (&clause.name, &clause.handler, clause.met_at);
            let resumed = match &clause.resumed {
                Some((at, with)) => format!("resumed at {at} with {}", print(with)),
                None => "not resumed".to_owned(),
            };
            format!("{name} {by} {handler}: met at {met}, {resumed}")
        });
        lines.collect()
    }

    fn ends(trace: &Trace) -> Vec<Option<usize>> {
        let runs = trace.calls().ordinary.iter();
        runs.map(|run| run.done_at).collect()
    }

    #[test]
    fn a_clause_resumes_the_rest_and_goes_on_after_it() {
        let trace = run("
            handler O : Real(1) ⇒ Real(1) {
              x ↦ ⌊x⌋
              D, k; x ↦ let y ⇐ k • (x + 1) in ⌊y + y⌋
            }
            main = handle (let y ⇐ D(3) in D(y)) with O");
        check(
            &clauses(&trace),
            "
                D by O: met at 0, resumed at 3 with 4
                D by O: met at 4, resumed at 7 with 5",
        );
        // One run: the handler is deep, and its last clause ends with ⌊y + y⌋.
        assert_eq!(ends(&trace), [Some(trace.len())]);
    }

    #[test]
    fn a_clause_goes_on_after_an_operation_that_is_performed_outside() {
        let trace = run("
            handler O : Real(1) ⇒ Real(1) {
              x ↦ ⌊x⌋
              D, k; x ↦ let m ⇐ Get[w]() in let _ ⇐ Put[w](x) in k • m
            }
            handler P : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋ }
            main = handle (handle D(3) with O) with P");
        let accesses = trace.calls().accesses(0, trace.len());
        let by: Vec<Owner> = accesses.map(|(_, owner)| owner).collect();
        assert_eq!(by, [Owner::Clause(0), Owner::Clause(0)]);
    }

    #[test]
    fn an_operation_without_a_clause_is_performed_outside() {
        let trace = run("
            handler O : Real(1) ⇒ Real(1) { x ↦ ⌊x + x⌋ }
            main = let a ⇐ handle Get[w]() with O in ⌊sin(a)⌋");
        check(
            &clauses(&trace),
            "Get[w] outside of O: met at 0, resumed at 3 with 2",
        );
        assert_eq!(ends(&trace), [Some(6)], "before sin");
    }

    #[test]
    fn a_clause_that_does_not_resume_ends_the_runs_that_it_drops() {
        let trace = run("
            op E : Real(1) ▷ Real(1)
            handler J : Real(1) {
              x ↦ ⌊x⌋
              E ( x ↦ let y ⇐ D(x) in ⌊⟨y, ()⟩⌋ | y, _ ↦ ⌊y⌋ )
            }
            handler O : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋ D, k; x ↦ ⌊x + 1⌋ }
            main = let a ⇐ handle (rev handle(3)⟨x⟩. E(x) with J) with O in ⌊sin(a)⌋");
        check(&clauses(&trace), "D by O: met at 2, not resumed");
        let run = &trace.calls().runs[0];
        assert_eq!((run.turned_at, run.done_at), (None, Some(5)));
        assert_eq!(ends(&trace), [Some(5)]);
    }
}
