//! Timeline of a run, by which diagrams are highlighted. It has for every position the unit of work whose code runs there: a pass of
//! a call, a return clause, or a term or heap access outside of all reverse handlers. It also has the moments of feedbacks, with the
//! terms and accesses in them.

use crate::calls::{Calls, Clause, Event, Known, Owner, Pass};
use fletch_calculus::{Feedback, Origin, Term};
use fletch_reduction::{Action, Frame, Frames, State};
use std::collections::BTreeMap;

/// Unit of work whose code runs at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A pass of a call, by the number of the call.
    Call(usize, Pass),
    /// The return clause of a run, by the number of the run.
    Return(usize),
    /// A term or a heap access outside of all runs, by its index in [`Timeline::outside`].
    Outside(usize),
}

/// A term or a heap access outside of all runs, or in a moment of a feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outside {
    /// Unit of work of a run that contains it, in a moment of a feedback; `None` outside of all runs.
    pub around: Option<Work>,
    /// The innermost moment that contains it, by its index in [`Timeline::moments`].
    pub moment: Option<usize>,
    /// Origin of the whole term, or of the access.
    pub origin: Origin,
    /// True for an access of the heap.
    pub access: bool,
    /// The position before its first step.
    pub from: usize,
    /// The position from which it is done; `None` where a run stops within it.
    pub until: Option<usize>,
}

/// A feedback that runs: one written in the program, or a clause that a handler derives for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looped {
    /// Origin of the command.
    pub origin: Origin,
    /// Unit of work of a run that contains the feedback; `None` outside of all runs.
    pub around: Option<Work>,
    /// The moment of an enclosing feedback that it runs in, by the index of the moment.
    pub inside: Option<usize>,
    /// Number of all its moments; `left` is the number of those that have not begun.
    whole: usize,
    left: usize,
}

/// A moment of a feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The feedback, by its index in [`Timeline::loops`].
    pub looped: usize,
    /// Number of the moment, from 1; the same in the forward pass and in the backward pass.
    pub number: usize,
    /// The position before the step that begins it.
    pub from: usize,
    /// The position from which it is over; `None` before that is known.
    pub until: Option<usize>,
}

/// A moment that is not over.
#[derive(Debug)]
struct Open {
    /// The moment, by its index in [`Timeline::moments`].
    moment: usize,
    /// Number of frames around the feedback.
    depth: usize,
    /// True until the `let` that names W₁ has finished, if there is one.
    names: bool,
    /// Variable of the `let` directly inside these frames: W₁, then ⟨s′, y⟩.
    variable: Option<u32>,
    /// Clause of an ordinary handler, by its number, whose continuation has captured the moment; `None` while the moment runs.
    captured: Option<usize>,
}

impl Open {
    /// True if the moment is over in a state with these frames.
    fn is_over(&mut self, frames: &Frames) -> bool {
        let inside = frames.outermost(self.depth + 1);
        let variable = match inside.iter().next() {
            Some(Frame::Let { variable, .. }) if inside.depth() > self.depth => Some(variable.id),
            _ => None,
        };
        if variable.is_none() {
            return true;
        }
        let before = std::mem::replace(&mut self.variable, variable);
        if before.is_none() || before == variable {
            return false;
        }
        !std::mem::take(&mut self.names)
    }
}

/// Timeline of a run.
#[derive(Debug, Default)]
pub struct Timeline {
    /// Positions at which the unit of work changes, each with the new unit.
    changes: Vec<(usize, Option<Work>)>,
    /// Terms and accesses outside of all runs and in moments, in order.
    pub outside: Vec<Outside>,
    /// Feedbacks, in the order in which they began.
    pub loops: Vec<Looped>,
    /// Moments of the loops, in the order in which they began.
    pub moments: Vec<Moment>,
    /// Moments that are not over, the innermost last.
    open: Vec<Open>,
    /// Clause that resumes its continuation with the last step.
    resumes: Option<usize>,
    /// For each clause of an ordinary handler, the unit of work of a reverse handler's run that contains it, if one does.
    clauses: Vec<Option<Work>>,
    /// Unit of work of another run in which a run began, if it did; by the number of the run that began.
    inside: BTreeMap<usize, Work>,
}

impl Timeline {
    /// Unit of work of the step from a position; `None` where only the equations of a handler are applied, and at steps outside of
    /// all runs that compute no term and access no location.
    pub fn at(&self, position: usize) -> Option<Work> {
        let after = self.changes.partition_point(|(from, _)| *from <= position);
        let (_, work) = self.changes.get(after.checked_sub(1)?)?;
        *work
    }

    /// Unit of work of another run in which a run began: its code is in a clause of that other run.
    pub fn inside(&self, run: usize) -> Option<Work> {
        self.inside.get(&run).copied()
    }

    /// Records the step from this position; `action` is `None` if there is no step.
    pub(crate) fn record(
        &mut self,
        position: usize,
        before: &State,
        action: Option<&Action>,
        owner: Owner,
        calls: &Calls,
    ) {
        self.resume(before.frames(), calls);
        self.end_moments(position, before.frames());
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
                None => self.outside(position, before, action, None),
            },
            Owner::Program => self.outside(position, before, action, None),
        };
        let handled = work.filter(|work| !matches!(work, Work::Outside(_)));
        match (action, handled) {
            (Some(Action::HandleOp { .. }), handled) => {
                self.clauses.push(handled);
                self.capture(calls);
            }
            (Some(Action::Bind { variable, .. }), _) => {
                self.resumes = match calls.known(variable) {
                    Some(Known::Resumed(clause)) => Some(clause),
                    _ => None,
                };
            }
            (Some(Action::RevHandle(begun)), Some(work)) => {
                self.inside.insert(begun.run as usize, work);
            }
            _ => {}
        }
        match handled {
            Some(around) if !self.open.is_empty() => {
                self.outside(position, before, action, Some(around));
            }
            _ if !matches!(work, Some(Work::Outside(_))) => self.close(position),
            _ => {}
        }
        // A feedback unfolded inside a handled command begins no moment: the moment is a component of that command.
        if let Some(Action::Feedback {
            feedback,
            input: Some(input),
            ..
        }) = action
            && !matches!(owner, Owner::Run(_))
        {
            self.moment(position, before, (feedback, input), handled);
        }
        if self.changes.last().is_none_or(|(_, last)| *last != work) {
            self.changes.push((position, work));
        }
    }

    /// Records the start of a moment of a feedback.
    fn moment(
        &mut self,
        position: usize,
        before: &State,
        (feedback, input): (&Feedback, &Term),
        around: Option<Work>,
    ) {
        let inside = self.open.last().map(|open| open.moment);
        let begun = self.loops.iter().rposition(|looped| {
            let goes_on = looped.left == feedback.count && looped.whole == feedback.whole;
            goes_on && looped.inside == inside && looped.around == around
        });
        let begun = begun.filter(|_| feedback.count < feedback.whole);
        let looped = begun.unwrap_or_else(|| {
            self.loops.push(Looped {
                origin: before.focus().origin(),
                around,
                inside,
                whole: feedback.whole,
                left: feedback.count,
            });
            self.loops.len() - 1
        });
        if let Some(looped) = self.loops.get_mut(looped) {
            looped.left = feedback.count.saturating_sub(1);
        }
        self.open.push(Open {
            moment: self.moments.len(),
            depth: before.frames().depth(),
            names: !input.is_value(),
            variable: None,
            captured: None,
        });
        self.moments.push(Moment {
            looped,
            number: feedback.moment_number(),
            from: position,
            until: None,
        });
    }

    /// Records that an ordinary handler has met an operation: its continuation captures the moments in the handled command.
    fn capture(&mut self, calls: &Calls) {
        let Some(met) = calls.clauses.last() else {
            return;
        };
        let inside = |open: &&mut Open| met.handler_depth().is_some_and(|depth| open.depth > depth);
        for open in self.open.iter_mut().filter(inside) {
            open.captured.get_or_insert(calls.clauses.len() - 1);
        }
    }

    /// Moves the moments of a continuation that has been resumed to where it goes on.
    fn resume(&mut self, frames: &Frames, calls: &Calls) {
        let Some(clause) = self.resumes.take() else {
            return;
        };
        let met = calls.clauses.get(clause);
        let Some(depth) = met.and_then(Clause::operation_depth) else {
            return;
        };
        for open in &mut self.open {
            if open.captured == Some(clause) {
                open.captured = None;
                open.depth = (open.depth + frames.depth()).saturating_sub(depth);
                // A continuation that is resumed again has other variables.
                open.variable = None;
            }
        }
    }

    /// Ends the moments that are over in a state with these frames, and the captured moments inside them.
    fn end_moments(&mut self, position: usize, frames: &Frames) {
        let mut kept = self.open.len();
        for (at, open) in self.open.iter_mut().enumerate().rev() {
            if open.captured.is_none() {
                if !open.is_over(frames) {
                    break;
                }
                kept = at;
            }
        }
        while self.open.len() > kept
            && let Some(open) = self.open.pop()
        {
            self.over(open.moment, position);
        }
    }

    fn over(&mut self, moment: usize, position: usize) {
        if let Some(moment) = self.moments.get_mut(moment) {
            moment.until = Some(position);
        }
    }

    /// Records a term or access outside of all runs, or in a moment; a term continues from step to step until it is a value.
    fn outside(
        &mut self,
        position: usize,
        before: &State,
        action: Option<&Action>,
        around: Option<Work>,
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
                around,
                moment: self.open.last().map(|open| open.moment),
                origin,
                access,
                from: position,
                until: None,
            });
        }
        Some(Work::Outside(self.outside.len() - 1))
    }

    /// Records that the run has reached its value.
    pub(crate) fn ends(&mut self, position: usize) {
        self.close(position);
        while let Some(open) = self.open.pop() {
            self.over(open.moment, position);
        }
        self.changes.push((position, None));
    }

    /// Ends the current term or access outside of all runs.
    fn close(&mut self, position: usize) {
        if let Some(last) = self.outside.last_mut()
            && last.until.is_none()
        {
            last.until = Some(position);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

    use super::{Timeline, Work};
    use crate::calls::Pass;
    use crate::cases::{HANDLED, check, run};
    use crate::trace::Trace;

    /// The units of work, each with its first position.
    fn parts(trace: &Trace) -> Vec<String> {
        let calls = trace.calls();
        let part = |work: Option<Work>| match work {
            None => "nothing".to_owned(),
            Some(Work::Call(call, pass)) => format!("{} {pass:?}", calls.records[call].name),
            Some(Work::Return(run)) => format!("{} return", calls.runs[run].handler),
            Some(Work::Outside(number)) => format!("outside {number}"),
        };
        let mut found: Vec<(usize, String)> = Vec::new();
        for position in 0..=trace.len() {
            let part = part(trace.timeline().at(position));
            if found.last().is_none_or(|(_, last)| *last != part) {
                found.push((position, part));
            }
        }
        let lines = found.into_iter();
        lines.map(|(from, part)| format!("{from} {part}")).collect()
    }

    fn outside(timeline: &Timeline) -> Vec<String> {
        let outside = timeline.outside.iter();
        let lines = outside.map(|outside| {
            let kind = if outside.access { "access" } else { "term" };
            format!(
                "{kind} from {} until {}",
                outside.from,
                outside.until.unwrap()
            )
        });
        lines.collect()
    }

    fn moments(timeline: &Timeline) -> Vec<String> {
        let moments = timeline.moments.iter();
        let lines = moments.map(|moment| {
            let (looped, until) = (moment.looped, moment.until.unwrap());
            let whole = timeline.loops[looped].whole;
            let number = moment.number;
            format!(
                "loop {looped}: {number} of {whole} from {} until {until}",
                moment.from
            )
        });
        lines.collect()
    }

    #[test]
    fn a_step_is_the_work_of_a_pass_or_of_the_return_clause() {
        check(
            &parts(&run(HANDLED)),
            "
                0 nothing
                1 D Forward
                10 H return
                14 D Backward
                30 nothing",
        );
    }

    #[test]
    fn a_term_outside_of_handlers_goes_on_until_it_is_a_value() {
        let trace =
            run("main = let a ⇐ Get[w]() in let b ⇐ ⌊sin(a) + a⌋ in let _ ⇐ Put[w](a) in ⌊b⌋");
        check(
            &outside(trace.timeline()),
            "
                access from 0 until 1
                term from 2 until 4
                access from 5 until 6",
        );
    }

    #[test]
    fn a_moment_lasts_until_its_body_has_given_its_value() {
        let trace = run("main = feedback[2](0, [[1], [2]])⟨s, x⟩. ⌊⟨s + x, s⟩⌋");
        check(
            &moments(trace.timeline()),
            "
                loop 0: 1 of 2 from 0 until 3
                loop 0: 2 of 2 from 7 until 10",
        );
    }

    #[test]
    fn a_moment_continues_where_its_continuation_is_resumed() {
        for (main, expected) in [
            (
                "handle (feedback[2](1, ())⟨s, _⟩. let v ⇐ Get[w]() in ⌊s + v⌋) with P",
                "
                loop 0: 1 of 2 from 0 until 8
                loop 0: 2 of 2 from 12 until 20",
            ),
            (
                "handle (feedback[2](1, ())⟨s, _⟩. let v ⇐ D(s) in ⌊s + v⌋) with O",
                "
                loop 0: 1 of 2 from 0 until 7
                loop 0: 2 of 2 from 11 until 18",
            ),
            (
                "let r ⇐ handle (feedback[2](1, ())⟨s, _⟩. D(s)) with N in ⌊r⌋",
                "
                loop 0: 1 of 2 from 0 until 3",
            ),
        ] {
            let trace = run(&format!(
                "
                handler P : Real(1) ⇒ Real(1) {{ x ↦ ⌊x⌋ }}
                handler O : Real(1) ⇒ Real(1) {{
                  x ↦ ⌊x⌋
                  D, k; x ↦ let y ⇐ k • x in ⌊y⌋
                }}
                handler N : Real(1) ⇒ Real(1) {{
                  x ↦ ⌊x⌋
                  D, k; x ↦ ⌊x⌋
                }}
                main = {main}"
            ));
            check(&moments(trace.timeline()), expected);
        }
    }

    #[test]
    fn the_last_moment_is_the_first_on_the_way_back() {
        let trace =
            run("main = rev handle(3)⟨x⟩. feedback[2](x, [[1], [2]])⟨s, x⟩. ⌊s + x⌋ with H");
        let timeline = trace.timeline();
        let numbers = timeline.moments.iter().map(|moment| moment.number);
        assert_eq!(numbers.collect::<Vec<_>>(), [1, 2, 2, 1]);
        let parts = timeline.loops.iter().map(|looped| match looped.around {
            Some(Work::Call(_, pass)) => pass,
            other => panic!("{other:?}"),
        });
        assert_eq!(parts.collect::<Vec<_>>(), [Pass::Forward, Pass::Backward]);
    }

    #[test]
    fn a_run_that_begins_in_a_clause_is_inside_of_its_pass() {
        let trace = run("
            op E : Real(1) ▷ Real(1)
            handler J : Real(1) {
              x ↦ ⌊x⌋
              E ( x ↦ let y ⇐ rev handle(x)⟨v⟩. D(v) with H in ⌊⟨y, ()⟩⌋ | y, _ ↦ ⌊y⌋ )
            }
            main = rev handle(3)⟨x⟩. E(x) with J");
        assert_eq!(trace.timeline().inside(0), None);
        assert_eq!(
            trace.timeline().inside(1),
            Some(Work::Call(0, Pass::Forward))
        );
    }
}
