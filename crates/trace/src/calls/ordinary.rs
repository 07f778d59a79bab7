//! Record of the runs of ordinary handlers, and of the clauses that ran in them.

use super::{Calls, Event, Known};
use fletch_calculus::{OperationRef, OrdinaryHandler, Term};
use fletch_reduction::{Action, Frame, State, Step};
use std::sync::Arc;

/// One run of an ordinary handler at the top.
#[derive(Debug)]
pub struct OrdinaryRun {
    /// The handler.
    pub handler: Arc<OrdinaryHandler>,
    /// The position from which the handler is among the frames of the state.
    from: usize,
    /// The position from which the enclosing syntax has its result.
    pub done_at: Option<usize>,
    /// Number of frames around the run.
    depth: usize,
}

/// One operation that an ordinary handler met.
#[derive(Debug)]
pub struct Clause {
    /// The operation.
    pub operation: OperationRef,
    /// Name of the operation for a reader.
    pub name: Arc<str>,
    /// The handler's name.
    pub handler: Arc<str>,
    /// The position before the step that meets it.
    pub met_at: usize,
    /// True if the handler has no clause for the operation, which is then performed outside.
    pub outside: bool,
    /// The position from which the continuation proceeds, and the value that it is resumed with; of several, the first.
    pub resumed: Option<(usize, Term)>,
    /// Place of the operation; `None` in the command of a reverse handler, as such code belongs to the handler's run.
    place: Option<Place>,
}

impl Clause {
    /// Number of frames around the operation; `None` in the command of a reverse handler.
    pub(crate) fn operation_depth(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.depth)
    }

    /// Number of frames around the handler that met the operation; `None` in the command of a reverse handler.
    pub(crate) fn handler_depth(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.outside)
    }
}

/// An active clause: it has neither resumed nor returned a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct ActiveClause {
    /// Number of the clause.
    pub(super) clause: usize,
    /// Number of frames around its code.
    pub(super) outside: usize,
}

/// Place of an operation that an ordinary handler meets: its frames and clauses, to which a resumption returns.
#[derive(Debug)]
struct Place {
    /// The clauses that are active there, the innermost last.
    active: Vec<ActiveClause>,
    /// Number of frames around the operation.
    depth: usize,
    /// Number of frames around the handler.
    outside: usize,
}

impl Calls {
    /// Records the handlers around the focus of the first state.
    pub fn start(&mut self, state: &State) {
        self.came_up(0, state.frames().depth(), state.frames().iter());
    }

    /// Records the ordinary handlers among `frames`, the innermost frames of the state at this position, which has `depth` frames.
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

    /// Records the effect of the step from `position` on ordinary handlers.
    pub(super) fn record_ordinary(&mut self, position: usize, before: &State, step: &Step) {
        match &step.action {
            Action::HandleOp { .. } => self.performed(position, before, step),
            // Code that a reverse handler handles belongs to its run: a value that leaves a handler there leaves no frame
            // of the state.
            Action::HandleRet { .. } if !step.within() => {
                // A handler inside a clause may return while the clause continues.
                self.leave(before.frames().depth());
                if let Some(at) = self.open.last().copied() {
                    self.note(position, Event::OrdinaryReturns(at));
                }
            }
            _ => {}
        }
        let leaves = match &step.action {
            Action::Bind { variable, .. } => match self.variables.get(&variable.id) {
                // A resumption restores frames that are recorded already.
                Some(Known::Resumed(clause)) => {
                    self.goes_back(*clause, step.next.frames().depth());
                    return;
                }
                _ => true,
            },
            Action::HandleRet { .. } => !step.within(),
            _ => false,
        };
        if leaves {
            self.value_leaves(position + 1, before.frames().depth());
        }
        self.came_in(position, step);
    }

    /// Records the operation that an ordinary handler meets.
    #[inline(never)] // A start does without it.
    fn performed(&mut self, position: usize, before: &State, step: &Step) {
        let Action::HandleOp {
            handler,
            operation,
            result,
            outside,
            ..
        } = &step.action
        else {
            return;
        };
        let index = self.clauses.len();
        if !outside {
            self.note(position, Event::Clause(index));
        }
        let place = Place {
            active: self.active.clone(),
            depth: before.frames().depth(),
            outside: step.contractum.frames,
        };
        let runs = !step.within();
        if runs {
            // A clause whose code directly surrounds the handler stays active.
            self.leave(place.outside + 1);
        }
        if runs && !outside {
            self.active.push(ActiveClause {
                clause: index,
                outside: place.outside,
            });
        }
        self.clauses.push(Clause {
            operation: operation.clone(),
            name: operation.to_string().into(),
            handler: handler.name.clone(),
            met_at: position,
            outside: *outside,
            resumed: None,
            place: runs.then_some(place),
        });
        // The argument of the resumption is bound to this variable.
        self.variables.insert(result.id, Known::Resumed(index));
    }

    /// Leaves the innermost of `depth` frames, and the active clauses whose code is inside.
    fn leave(&mut self, depth: usize) {
        let inside = |active: &mut ActiveClause| active.outside >= depth;
        while self.active.pop_if(inside).is_some() {}
    }

    /// Records a resumption by a clause: the continuation proceeds in `depth` frames, and the clauses around its operation
    /// are active again.
    #[inline(never)] // A start does without it.
    fn goes_back(&mut self, clause: usize, depth: usize) {
        let met = self.clauses.get(clause);
        let Some(place) = met.and_then(|clause| clause.place.as_ref()) else {
            return;
        };
        let own = self.active.iter();
        let own = own.take_while(|active| active.clause != clause).count();
        self.active.truncate(own);
        let taken = place.active.iter();
        let taken = taken.filter(|active| active.outside > place.outside);
        self.active.extend(taken.map(|active| ActiveClause {
            outside: active.outside + depth - place.depth,
            ..*active
        }));
    }

    /// Records that a value leaves the innermost of `depth` frames: the runs that began inside it are over.
    fn value_leaves(&mut self, after: usize, depth: usize) {
        self.leave(depth);
        if !self.active.is_empty() {
            // An active clause may still resume the continuation that it was taken out of.
            return;
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

    /// Ends the runs of reverse handlers that began since `from`, and that no clause has resumed.
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

    fn accessors(program: &str) -> Vec<Owner> {
        let trace = run(program);
        let accesses = trace.calls().accesses(0, trace.len());
        accesses.map(|(_, owner)| owner).collect()
    }

    #[test]
    fn a_clause_goes_on_after_an_operation_in_it_that_another_handler_treats() {
        for (clause, inside, around) in [
            ("k • x", "(handle E(x) with N)", "D(3)"),
            ("⌊x⌋", "(handle E(x) with N)", "D(3)"),
            ("let y ⇐ k • x in ⌊y⌋", "(handle E(x) with N)", "D(3)"),
            ("k • x", "E(x)", "(let y ⇐ D(3) in ⌊y + y⌋)"),
            ("let y ⇐ k • x in ⌊y⌋", "E(x)", "D(3)"),
        ] {
            let by = accessors(&format!(
                "
                op E : Real(1) ▷ Real(1)
                handler O : Real(1) ⇒ Real(1) {{
                  x ↦ ⌊x⌋
                  D, k; x ↦ let y ⇐ {inside} in let m ⇐ Get[w]() in k • y
                }}
                handler N : Real(1) ⇒ Real(1) {{ x ↦ ⌊x⌋ E, k; x ↦ {clause} }}
                main = handle (handle {around} with O) with N"
            ));
            assert_eq!(by, [Owner::Clause(0)], "{clause}, {inside}");
        }
    }

    #[test]
    fn a_run_goes_on_where_a_value_leaves_a_handler_in_its_command() {
        for main in [
            "handle ⌊3⌋ with P",
            "handle D(3) with O",
            "handle D(3) with Q",
        ] {
            let by = accessors(&format!(
                "
                handler I : Real(1) ⇒ Real(1) {{ x ↦ ⌊x⌋ D, k; x ↦ k • x }}
                handler R : Real(1) {{ x ↦ let m ⇐ Get[w]() in ⌊x⌋ }}
                handler P : Real(1) ⇒ Real(1) {{
                  x ↦ rev handle(x)⟨x⟩. (handle ⌊x⌋ with I) with R
                }}
                handler O : Real(1) ⇒ Real(1) {{
                  x ↦ ⌊x⌋
                  D, k; x ↦ rev handle(x)⟨x⟩. (handle ⌊x⌋ with I) with R
                }}
                handler Q : Real(1) ⇒ Real(1) {{
                  x ↦ ⌊x⌋
                  D, k; x ↦ rev handle(x)⟨x⟩. (handle D(x) with I) with R
                }}
                main = {main}"
            ));
            assert_eq!(by, [Owner::Return(0)], "{main}");
        }
    }

    #[test]
    fn a_run_that_a_clause_begins_goes_on_after_an_operation_that_is_performed_outside() {
        let by = accessors(
            "
            handler R : Real(1) { x ↦ let m ⇐ Get[w]() in let n ⇐ Get[w]() in ⌊m⌋ }
            handler O : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋ D, k; x ↦ rev handle(x)⟨x⟩. ⌊x⌋ with R }
            handler P : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋ }
            main = handle (handle D(3) with O) with P",
        );
        assert_eq!(by, [Owner::Return(0), Owner::Return(0)]);
    }

    #[test]
    fn a_run_is_not_over_where_a_handler_in_its_clause_returns() {
        let by = accessors(
            "
            handler Q : Real(1) ⇒ Real(1) { x ↦ let n ⇐ Get[w]() in ⌊x⌋ }
            handler R : Real(1) { x ↦ handle (let m ⇐ Get[w]() in ⌊x⌋) with Q }
            handler P : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋ }
            main = handle (rev handle(3)⟨x⟩. ⌊x⌋ with R) with P",
        );
        assert_eq!(by, [Owner::Return(0), Owner::Return(0)]);
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
