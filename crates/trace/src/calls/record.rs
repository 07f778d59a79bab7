//! Record of handled calls, step by step.

use super::naming;
use super::{Around, CallRecord, Calls, Event, Known, Owner, Pass, ReverseRun};
use crate::administrative::only_moves;
use fletch_calculus::{Call, Called, Command, CommandKind, Handled, Origin, Role, Term, Variable};
use fletch_reduction::{Action, Decomposition, State, Step};
use std::sync::Arc;

impl Calls {
    /// Records the effect of the step from `position` on handled calls.
    pub(crate) fn record(&mut self, position: usize, before: &State, step: &Step, owner: Owner) {
        self.passed_on =
            matches!(step.action, Action::HandleOp { outside: true, .. }).then_some(owner);
        match &step.action {
            // A returning value ends the inner run before the outer one.
            Action::HandleRet { .. } => {
                self.record_reverse(position, before, step, owner);
                self.record_ordinary(position, before, step);
            }
            // A run that a clause has captured still counts as captured at the step that resumes it.
            _ => {
                self.record_ordinary(position, before, step);
                self.record_reverse(position, before, step, owner);
            }
        }
    }

    fn record_reverse(&mut self, position: usize, before: &State, step: &Step, owner: Owner) {
        match &step.action {
            Action::RevHandle(handled) => {
                let around = Around::of(before.frames().pop().map(|(frame, _)| frame));
                self.begins(position, None, handled, step.origin, around);
            }
            Action::RhHandle { inner, .. } => {
                let outer = step.handled();
                let body = outer.map(|outer| Decomposition::of(&outer.body));
                let around = Around::of(body.as_ref().and_then(|body| body.frames.last()));
                self.begins(position, outer.map(number), inner, step.origin, around);
            }
            Action::RhOp { call, .. } | Action::RhFeedback { call, .. } => {
                self.meets(position, step, call, false);
            }
            Action::RhTerm {
                term,
                met: Some((call, _)),
                ..
            } => {
                let computed = match step.next.focus().kind() {
                    CommandKind::Pure(m) if !step.within() => m,
                    _ => term,
                };
                self.meets(position, step, call, only_moves(computed, None));
            }
            Action::RhRet { value, result, .. } => {
                if let Some(run) = step.handled().map(number) {
                    // The value belongs to the unfolded RH command; its variables have values in
                    // the RH command one level out.
                    self.returns(position, run, step.resolved(value, 1), result);
                }
            }
            // A variable of the program is renamed, and thereby gets a value.
            Action::RhLet {
                variable,
                replacement,
                body,
                role,
            } => {
                let value = step.resolved(&Term::variable(replacement, step.origin), 0);
                self.bound(position, role, variable, &value);
                self.body_starts(position + 1, body);
            }
            Action::Bind {
                variable,
                value,
                body,
                role,
            } => {
                self.bound(position, role, variable, value);
                self.body_starts(position + 1, body);
            }
            Action::HandleRet { handler, .. } => {
                self.handle_returned(position, step, Around::handled(handler));
            }
            Action::Get { .. } | Action::Put { .. } => self.accessed(position, owner),
            _ => {}
        }
    }

    /// Records that the run ends at this position.
    pub(crate) fn finish(&mut self, position: usize) {
        for run in self.unended.clone().into_iter().rev() {
            self.ends(position, run);
        }
        self.abandon(0, position);
        while let Some(at) = self.open.pop() {
            if let Some(run) = self.ordinary.get_mut(at) {
                run.done_at = Some(position);
            }
            self.note(position, Event::OrdinaryEnds(at));
        }
    }

    pub(super) fn note(&mut self, position: usize, event: Event) {
        let at = self.events.partition_point(|(at, _)| *at <= position);
        self.events.insert(at, (position, event));
    }

    /// Records the start of a run. Reduction numbers runs in the same order.
    fn begins(
        &mut self,
        from: usize,
        parent: Option<usize>,
        handled: &Handled,
        origin: Origin,
        around: Around,
    ) {
        let handler = &handled.handler;
        let number = self.runs.len();
        self.runs.push(ReverseRun {
            handler: handler.name.clone(),
            origin,
            return_origin: handler.return_clause.body.origin(),
            parent,
            inner: Vec::new(),
            calls: Vec::new(),
            from,
            turned_at: None,
            turn: naming::turn(&handler.return_clause),
            returned: None,
            turned_until: None,
            done_at: None,
            around,
        });
        match parent.and_then(|parent| self.runs.get_mut(parent)) {
            Some(parent) => parent.inner.push(number),
            None => self.top.push(number),
        }
        self.unended.push(number);
        self.note(from, Event::Begins(number));
    }

    /// Records a call met by RH-op, RH-feedback or RH-term.
    fn meets(&mut self, position: usize, step: &Step, call: &Arc<Call>, moves: bool) {
        let index = self.records.len();
        let run = call.run as usize;
        let name = match &step.action {
            Action::RhTerm { term, .. } => naming::called(&call.called, term),
            _ => naming::callee(&call.called),
        };
        let clause = match (&call.called, step.handled()) {
            (Called::Operation(operation), Some(handled)) => handled.handler.clauses.get(operation),
            _ => None,
        };
        let within = match &call.within {
            Role::Forward(call) => self.index(call).map(|at| (at, Pass::Forward)),
            Role::Backward(call) => self.index(call).map(|at| (at, Pass::Backward)),
            Role::Plain | Role::Continuation(_) => None,
        };
        let cotangent_type = match &call.called {
            Called::Operation(operation) => Some(operation.codomain.clone()),
            Called::Function(symbol) => Some(symbol.codomain()),
            Called::Feedback(feedback) => Some(feedback.codomain()),
            Called::Term => None,
        };
        self.variables.insert(call.result.id, Known::Result(index));
        if let Some(saved) = &call.saved {
            self.variables.insert(saved.id, Known::Saved(index));
        }
        self.variables
            .insert(call.cotangent.id, Known::Cotangent(index));
        let previous = self.runs.get(run).and_then(|run| run.calls.last().copied());
        if let Some(previous) = previous.and_then(|at| self.records.get_mut(at)) {
            previous.next = Some(index);
        }
        if let Some(run) = self.runs.get_mut(run) {
            run.calls.push(index);
        }
        self.records.push(CallRecord {
            name: name.into(),
            moves,
            run,
            within,
            next: None,
            met_at: position,
            result: None,
            saved: None,
            saved_names: clause.map(naming::saved).unwrap_or_default(),
            cotangent_name: clause.and_then(naming::cotangent),
            waits_from: None,
            cotangent: None,
            cotangent_at: None,
            backward_at: None,
            carried_at: None,
            contribution: None,
            done_at: None,
            cotangent_type,
            accesses: Vec::new(),
            call: call.clone(),
        });
        self.note(position, Event::Forward(index));
    }

    /// Records the start of a return clause, by RH-ret.
    fn returns(&mut self, position: usize, number: usize, value: Term, result: &Variable) {
        self.variables.insert(result.id, Known::Turn(number));
        if let Some(run) = self.runs.get_mut(number) {
            run.turned_at = Some(position);
            run.returned = Some(value);
        }
        self.note(position, Event::Returns(number));
        // An inner run that is the whole command of this handler ends here too.
        let inner = self
            .runs
            .get(number)
            .and_then(|run| run.inner.last().copied());
        if let Some(inner) = inner
            && self
                .runs
                .get(inner)
                .is_some_and(|run| run.around == Around::Nothing)
        {
            self.ends(position, inner);
        }
    }

    /// Records the start of the body of a `let`, which may be the backward clause of a call.
    fn body_starts(&mut self, position: usize, body: &Command) {
        if let Some(Role::Backward(call)) = body.role() {
            self.backward_starts(position, call);
        }
    }

    /// Records the value of a variable that a `let` of this role binds.
    fn bound(&mut self, position: usize, role: &Role, variable: &Variable, value: &Term) {
        let after = position + 1;
        match role {
            Role::Backward(call) => {
                if let Some(at) = self.index(call) {
                    self.call_done(after, at, Some(value));
                }
            }
            Role::Continuation(call) => {
                let next = self.index(call).and_then(|at| self.records.get(at)?.next);
                if let Some(next) = next {
                    self.call_done(after, next, None);
                }
            }
            Role::Plain | Role::Forward(_) => {}
        }
        if let Some(part) = self.variables.get(&variable.id).copied() {
            self.learn(after, part, value);
        }
        let ends = self.unfinished(|run| run.around == Around::Let(variable.id));
        if let Some(run) = ends {
            self.ends(after, run);
        }
    }

    fn learn(&mut self, after: usize, part: Known, value: &Term) {
        match part {
            Known::Result(at) => {
                if let Some(record) = self.records.get_mut(at)
                    && record.result.is_none()
                {
                    record.result = Some(value.clone());
                    if record.call.saved.is_none() {
                        record.waits_from = Some(after);
                        record.cotangent_type = value.to_value().map(|value| value.ty());
                    }
                }
            }
            Known::Saved(at) => {
                if let Some(record) = self.records.get_mut(at)
                    && record.saved.is_none()
                {
                    record.saved = Some(value.clone());
                    record.waits_from = Some(after);
                }
            }
            Known::Cotangent(at) => {
                if let Some(record) = self.records.get_mut(at)
                    && record.cotangent.is_none()
                {
                    record.cotangent = Some(value.clone());
                    record.cotangent_at = Some(after);
                    self.came_back.push((after, at));
                }
            }
            Known::Turn(at) => {
                if let Some(run) = self.runs.get_mut(at)
                    && run.turned_until.is_none()
                {
                    run.turned_until = Some((after, value.clone()));
                    self.turned.push((after, at));
                }
            }
            Known::Resumed(at) => {
                if let Some(clause) = self.clauses.get_mut(at) {
                    clause.resumed.get_or_insert_with(|| (after, value.clone()));
                }
            }
        }
    }

    fn backward_starts(&mut self, position: usize, call: &Arc<Call>) {
        let Some(at) = self.index(call) else { return };
        if let Some(record) = self.records.get_mut(at)
            && record.backward_at.is_none()
        {
            record.backward_at = Some(position);
            self.note(position, Event::Backward(at));
        }
    }

    fn call_done(&mut self, position: usize, at: usize, contribution: Option<&Term>) {
        if let Some(record) = self.records.get_mut(at)
            && record.done_at.is_none()
            && record.cotangent_at.is_some()
        {
            record.done_at = Some(position);
            record.contribution = contribution.cloned();
            let done = self.went_back.partition_point(|(at, _)| *at <= position);
            self.went_back.insert(done, (position, at));
        }
    }

    /// Records the end of a run, and with it the end of the call that the run met first.
    fn ends(&mut self, position: usize, number: usize) {
        let Some(run) = self.runs.get_mut(number) else {
            return;
        };
        if run.done_at.is_some() || run.turned_at.is_none() {
            return;
        }
        run.done_at = Some(position);
        self.unended.retain(|at| *at != number);
        let first = run.calls.first().copied();
        if let Some(first) = first {
            self.call_done(position, first, None);
        }
        self.note(position, Event::Ends(number));
    }

    /// The latest run that satisfies `kind`, whose return clause has run, and that is not over.
    fn unfinished(&self, kind: impl Fn(&ReverseRun) -> bool) -> Option<usize> {
        let begun = self.unended.iter().rev().copied();
        begun.into_iter().find(|at| {
            let run = self.runs.get(*at);
            run.is_some_and(|run| run.turned_at.is_some() && kind(run))
        })
    }

    /// Records that a value returns from an ordinary handler, which may enclose a run.
    fn handle_returned(&mut self, position: usize, step: &Step, around: Around) {
        let parent = step.handled().map(number);
        let run = self.unfinished(|run| run.around == around && run.parent == parent);
        if let Some(run) = run {
            self.ends(position, run);
        }
    }

    /// Records a `Get` or a `Put`.
    fn accessed(&mut self, position: usize, mut owner: Owner) {
        self.accesses.push((position, owner));
        // A heap access in a clause is also an access of the calls whose clauses contain that clause.
        while let Owner::Call(at, _) = owner
            && let Some(record) = self.records.get_mut(at)
        {
            record.accesses.push(position);
            owner = match record.within {
                Some((outer, pass)) => Owner::Call(outer, pass),
                None => Owner::Program,
            };
        }
    }
}

/// The number of the run that an RH command continues.
fn number(handled: &Arc<Handled>) -> usize {
    handled.run as usize
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

    use crate::calls::{CallRecord, Pass};
    use crate::cases::{HANDLED, NESTED, check, run};
    use crate::trace::Trace;
    use fletch_calculus::Term;
    use fletch_notation::print;

    fn value(term: Option<&Term>) -> String {
        term.map_or("nothing".to_owned(), print)
    }

    /// Text of the positions of a call, and of the values known from there on.
    fn told(record: &CallRecord) -> Vec<String> {
        let at = |at: Option<usize>| at.map_or("never".to_owned(), |at| at.to_string());
        vec![
            format!("{} is met at {}", record.name, record.met_at),
            format!(
                "waits from {} with {}, saved {}",
                at(record.waits_from),
                value(record.result.as_ref()),
                value(record.saved.as_ref())
            ),
            format!(
                "has its cotangent at {}, {}",
                at(record.cotangent_at),
                value(record.cotangent.as_ref())
            ),
            format!("runs back from {}", at(record.backward_at)),
            format!(
                "is done at {} with {}",
                at(record.done_at),
                value(record.contribution.as_ref())
            ),
        ]
    }

    fn operations(trace: &Trace) -> Vec<String> {
        let records = &trace.calls().records;
        let operations = records.iter().filter(|record| record.operation());
        let lines = operations.map(|record| {
            let handler = &trace.calls().runs[record.run].handler;
            let within = match record.within {
                Some((call, pass)) => format!(" within {} {pass:?}", records[call].name),
                None => String::new(),
            };
            format!("{} under {handler}{within}", record.name)
        });
        lines.collect()
    }

    #[test]
    fn a_call_waits_between_its_forward_and_its_backward_clause() {
        check(
            &told(&run(HANDLED).calls().records[0]),
            "
                D is met at 1
                waits from 10 with 6, saved ⟨2, 3⟩
                has its cotangent at 16, 5
                runs back from 18
                is done at 29 with 10",
        );
    }

    #[test]
    fn a_function_is_a_call_that_saves_nothing() {
        let trace = run("main = rev handle(3)⟨x⟩. let y ⇐ D(x) in ⌊y ⊙ y⌋ with H");
        let record = &trace.calls().records[1];
        assert!(!record.operation() && !record.moves);
        assert_eq!(value(record.result.as_ref()), "36");
        assert_eq!(value(record.saved.as_ref()), "nothing");
        // The cotangent is 36 − 1, and that of D, from two uses, 6 · 35 + 6 · 35.
        assert_eq!(value(record.cotangent.as_ref()), "35");
        let first = &trace.calls().records[0];
        assert_eq!(value(first.cotangent.as_ref()), "420");
    }

    #[test]
    fn cotangents_come_back_in_the_order_opposite_to_that_of_the_calls() {
        let trace = run("main = rev handle(3)⟨x⟩. let y ⇐ D(x) in ⌊sin(y)⌋ with H");
        let names = |records: Vec<&CallRecord>| {
            let names = records.iter().map(|record| record.name.to_string());
            names.collect::<Vec<_>>()
        };
        let calls = trace.calls();
        assert_eq!(names(calls.met(0, trace.len()).collect()), ["D", "sin"]);
        let back = calls.came_back(0, trace.len());
        assert_eq!(names(back.collect()), ["sin", "D"]);
    }

    #[test]
    fn a_call_in_a_clause_of_an_inner_handler_is_within_that_clause() {
        let trace = run(NESTED);
        check(
            &operations(&trace),
            "
                E under J
                D under H within E Forward
                D under H within E Backward",
        );
        // Accesses of a call in a clause are accesses of the call of the clause, too.
        let records = &trace.calls().records;
        let accesses = |pass| {
            let within = Some((0, pass));
            let found = records.iter().find(|record| record.within == within);
            found.unwrap().accesses.clone()
        };
        let (forward, backward) = (accesses(Pass::Forward), accesses(Pass::Backward));
        let mut both = [forward, backward].concat();
        both.sort_unstable();
        assert_eq!(both.len(), 4, "a Get and a Put of each");
        assert_eq!(records[0].accesses, both);
    }

    #[test]
    fn a_run_is_over_once_its_value_has_left_it() {
        let trace = run("main = let a ⇐ rev handle(3)⟨x⟩. D(x) with H in ⌊a + 1⌋");
        let run = &trace.calls().runs[0];
        assert_eq!((run.from, run.turned_at), (0, Some(10)));
        // The step from 30 is `bind a`.
        assert_eq!(run.done_at, Some(31));
    }

    #[test]
    fn an_inner_run_that_is_all_of_the_command_ends_where_the_outer_one_turns() {
        let trace = run(NESTED);
        let [outer, inner] = trace.calls().runs.as_slice() else {
            panic!();
        };
        assert_eq!(inner.parent, Some(0));
        assert_eq!(inner.done_at, outer.turned_at);
        assert_eq!(outer.done_at, Some(trace.len()));
    }

    #[test]
    fn a_call_is_of_a_run_that_has_begun_also_after_a_feedback_with_a_handler_inside() {
        let fed = "feedback[2](x, [[1], [2]])⟨s, x⟩.";
        let inside = "(rev handle(x)⟨x⟩. ⌊sin(x)⌋ with H)";
        let after = "rev handle(a)⟨x⟩. ⌊cos(x)⌋ with H";
        for main in [
            format!("let a ⇐ rev handle(3)⟨x⟩. ({fed} {inside}) with H in {after}"),
            format!("let a ⇐ rev handle(3)⟨x⟩. ({fed} ({fed} {inside})) with H in {after}"),
            format!("rev handle(3)⟨x⟩. (let a ⇐ ({fed} {inside}) in {after}) with H"),
        ] {
            let trace = run(&format!("main = {main}"));
            let calls = trace.calls();
            let cos = calls.records.iter().find(|record| &*record.name == "cos");
            let cos = cos.unwrap();
            let last = calls.runs.last().unwrap();
            assert_eq!(cos.run + 1, calls.runs.len(), "{main}");
            assert!(
                last.from < cos.met_at && last.turned_at > Some(cos.met_at),
                "{main}"
            );
        }
    }
}
