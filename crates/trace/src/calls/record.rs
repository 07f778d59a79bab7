//! What each step says of handled calls.

use super::naming;
use super::redex_context::{self, Enclosing, RedexContext};
use super::{Around, CallRecord, Calls, Event, Known, Owner, Pass, Run};
use crate::administrative::only_moves;
use fletch_calculus::{Call, Called, Command, CommandKind, Role, Term, Variable};
use fletch_reduction::{Action, Frame, State, Step};
use std::sync::Arc;

impl Calls {
    /// Notes what the step from position `position` says of handled calls.
    pub(crate) fn record(&mut self, position: usize, before: &State, step: &Step, owner: Owner) {
        self.passed_on =
            matches!(step.action, Action::HandleOp { outside: true, .. }).then_some(owner);
        match &step.action {
            // What a value returns to is the run's end before it is the end of what is around.
            Action::HandleRet { .. } => {
                self.record_reverse(position, before, step, owner);
                self.record_ordinary(position, before, step);
            }
            // What was taken out of a clause is still out of it when the clause resumes it.
            _ => {
                self.record_ordinary(position, before, step);
                self.record_reverse(position, before, step, owner);
            }
        }
    }

    fn record_reverse(&mut self, position: usize, before: &State, step: &Step, owner: Owner) {
        match &step.action {
            Action::RevHandle(_) => {
                let around = match before.frames().pop() {
                    Some((Frame::Let { variable, .. }, _)) => Around::Let(variable.id),
                    Some((Frame::Handle { .. }, _)) => Around::Handle,
                    None => Around::Nothing,
                };
                self.begins(position, None, before.focus(), around);
            }
            Action::RhHandle { .. } => {
                let context = RedexContext::of(before.focus(), &step.redex.path);
                let parent = self.handling(position, before, &context.levels);
                self.begins(position, parent, context.at, context.around());
            }
            Action::RhOp { .. } | Action::RhTerm { .. } => self.meets(position, before, step),
            Action::RhRet { value, .. } => self.returns(position, before, step, value),
            Action::RhLet { .. } => self.renamed(position, before, step),
            Action::Bind {
                variable, value, ..
            } => self.left(position, before, step, variable, value),
            Action::HandleRet { .. } => self.handle_returned(position, before, step),
            Action::Get { .. } | Action::Put { .. } => self.accessed(position, owner),
            _ => {}
        }
    }

    /// Notes that the run has come to its end, at this position.
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

    fn begins(&mut self, from: usize, parent: Option<usize>, place: &Command, around: Around) {
        let Some(handler) = place.reverse_handler() else {
            return;
        };
        let number = self.runs.len();
        self.runs.push(Run {
            handler: handler.name.clone(),
            origin: place.origin(),
            return_origin: handler.return_clause.body.origin(),
            parent,
            inner: Vec::new(),
            calls: Vec::new(),
            from,
            turned_at: None,
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

    /// The run that the innermost of these RH commands stands for, the outermost being in the focus.
    fn handling(&mut self, at: usize, before: &State, levels: &[Enclosing<'_>]) -> Option<usize> {
        let mut run = None;
        for (depth, level) in levels.iter().enumerate() {
            let continued = match (depth, level.parent.map(Command::kind)) {
                (0, _) => match before.frames().pop() {
                    Some((Frame::Let { role, .. }, _)) => self.continued(role),
                    _ => None,
                },
                (_, Some(CommandKind::Let { role, .. })) => self.continued(role),
                _ => None,
            };
            run = continued.or_else(|| self.begun(run));
            if run.is_none() {
                // A handled command that is resumed a second time.
                self.begins(at, None, level.handled, Around::Nothing);
                run = self.runs.len().checked_sub(1);
            }
        }
        run
    }

    /// The run of the call whose continuation this is.
    fn continued(&self, role: &Role) -> Option<usize> {
        match role {
            Role::Continuation(call) => {
                let record = self.records.get(self.index(call)?)?;
                Some(record.run)
            }
            _ => None,
        }
    }

    /// The last run under this one, or at the top, that has met nothing yet.
    fn begun(&self, parent: Option<usize>) -> Option<usize> {
        let begun = match parent {
            Some(parent) => &self.runs.get(parent)?.inner,
            None => &self.top,
        };
        let fresh = |run: &Run| run.calls.is_empty() && run.turned_at.is_none();
        let found = begun.iter().rev();
        found
            .copied()
            .find(|at| self.runs.get(*at).is_some_and(fresh))
    }

    /// RH-op and RH-term.
    fn meets(&mut self, position: usize, before: &State, step: &Step) {
        let context = RedexContext::of(before.focus(), &step.redex.path);
        let path = &step.contractum.path;
        let place = if path.is_empty() {
            // The frames that the unfolding added; the outermost of them is the call's.
            let added = step
                .next
                .frames()
                .depth()
                .saturating_sub(step.contractum.frames);
            let outermost = step.next.frames().iter().take(added).last().cloned();
            outermost.map(|frame| frame.plug(step.next.focus().clone()))
        } else {
            Some(RedexContext::of(step.next.focus(), path).at.clone())
        };
        let Some(place) = place else { return };
        let CommandKind::Let { role, body, .. } = place.kind() else {
            return;
        };
        let Role::Forward(call) = role else { return };
        let Some(run) = self.handling(position, before, &context.levels) else {
            return;
        };
        let index = self.records.len();
        let (name, moves) = match &step.action {
            Action::RhTerm { term, .. } => {
                let computed = match step.next.focus().kind() {
                    CommandKind::Pure(m) if path.is_empty() => m,
                    _ => term,
                };
                let moves = only_moves(computed, None);
                (naming::called(&call.called, term), moves)
            }
            _ => (
                naming::called(&call.called, &Term::unit(call.origin)),
                false,
            ),
        };
        let within = match context.role() {
            Some(Role::Forward(call)) => self.index(call).map(|at| (at, Pass::Forward)),
            Some(Role::Backward(call)) => self.index(call).map(|at| (at, Pass::Backward)),
            _ => None,
        };
        let cotangent_type = match &call.called {
            Called::Operation(operation) => Some(operation.codomain.clone()),
            Called::Function(symbol) => Some(symbol.codomain()),
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
            saved_names: naming::saved(call, body),
            cotangent_name: naming::cotangent(
                call,
                context.levels.last().map(|level| level.handled),
            ),
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

    /// RH-ret.
    fn returns(&mut self, position: usize, before: &State, step: &Step, value: &Term) {
        let context = RedexContext::of(before.focus(), &step.redex.path);
        let Some(number) = self.handling(position, before, &context.levels) else {
            return;
        };
        // It is one of the innermost handler's values, so a value of those around it.
        let mut around = context;
        around.levels.pop();
        let value = around.resolved(value);
        let path = &step.contractum.path;
        let cotangent = if path.is_empty() {
            let added = step
                .next
                .frames()
                .depth()
                .saturating_sub(step.contractum.frames);
            match step.next.frames().iter().take(added).last() {
                Some(Frame::Let { variable, .. }) => Some(variable.id),
                _ => None,
            }
        } else {
            match RedexContext::of(step.next.focus(), path).at.kind() {
                CommandKind::Let { variable, .. } => Some(variable.id),
                _ => None,
            }
        };
        if let Some(cotangent) = cotangent {
            self.variables.insert(cotangent, Known::Turn(number));
        }
        if let Some(run) = self.runs.get_mut(number) {
            run.turned_at = Some(position);
            run.returned = Some(value);
        }
        self.note(position, Event::Returns(number));
        // What this handler handled was all another run.
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

    /// RH-let: a variable of the program gets another name, and with it a value.
    fn renamed(&mut self, position: usize, before: &State, step: &Step) {
        let context = RedexContext::of(before.focus(), &step.redex.path);
        let CommandKind::Let {
            variable,
            bound,
            body,
            role,
        } = context.at.kind()
        else {
            return;
        };
        let CommandKind::Pure(replacement) = bound.kind() else {
            return;
        };
        let value = context.resolved(replacement);
        self.bound(position, role, variable, &value);
        if let Some(call) = redex_context::backward(redex_context::role(body)) {
            self.backward_starts(position + 1, call);
        }
    }

    /// A value leaves the innermost `let`.
    fn left(&mut self, at: usize, before: &State, step: &Step, x: &Variable, value: &Term) {
        let Some((Frame::Let { role, .. }, _)) = before.frames().pop() else {
            return;
        };
        self.bound(at, role, x, value);
        let added = step
            .next
            .frames()
            .depth()
            .saturating_sub(step.contractum.frames);
        if let Some(Frame::Let {
            role: Role::Backward(call),
            ..
        }) = step.next.frames().iter().take(added).last()
        {
            self.backward_starts(at + 1, call);
        }
    }

    /// A variable has got its value, from a `let` of this role.
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
                self.clause = None;
                if let Some(clause) = self.clauses.get_mut(at)
                    && clause.resumed.is_none()
                {
                    clause.resumed = Some((after, value.clone()));
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

    /// A run is over, and with it the call that it met first.
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

    /// The youngest run of this kind whose return clause has run, but that is not over.
    fn unfinished(&self, kind: impl Fn(&Run) -> bool) -> Option<usize> {
        let begun = self.unended.iter().rev().copied();
        begun.into_iter().find(|at| {
            let run = self.runs.get(*at);
            run.is_some_and(|run| run.turned_at.is_some() && kind(run))
        })
    }

    /// A value returns from an ordinary handler, which may be what was around a run.
    fn handle_returned(&mut self, position: usize, before: &State, step: &Step) {
        let parent = if step.contractum.path.is_empty() {
            None
        } else {
            let context = RedexContext::of(before.focus(), &step.redex.path);
            self.handling(position, before, &context.levels)
        };
        let run = self.unfinished(|run| run.around == Around::Handle && run.parent == parent);
        if let Some(run) = run {
            self.ends(position, run);
        }
    }

    /// `Get` and `Put`.
    fn accessed(&mut self, position: usize, mut owner: Owner) {
        self.accesses.push((position, owner));
        // A call of a handler further inside has what its code does.
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
