//! The operations that a command performs outside of all its handlers, in the order of a run.
//!
//! No value decides which operations a command performs: the calculus has no branching. So handlers can be followed without any
//! reduction, and the answer is exact if every term has a value. A clause that never resumes its continuation drops all calls that
//! follow.

use fletch_calculus::{Command, CommandKind, OperationRef, OrdinaryHandler, ReverseHandler};
use std::collections::BTreeMap;

/// Maximum number of visited commands and calls: a clause that resumes twice doubles all calls that follow.
const LIMIT: usize = 200_000;

/// The calls of operations that reach the top level, in order; `None` beyond [`LIMIT`].
pub(crate) fn performed(command: &Command) -> Option<Vec<OperationRef>> {
    let mut follower = Follower::default();
    let list = follower.command(command, &Continuations::new(), None)?;
    follower.calls(list)
}

/// A list of calls that may share its tail with other lists: the index of its first call in [`Follower::calls`]; `None` if the list is
/// empty.
type List = Option<usize>;

/// The calls that each continuation in scope makes, by the number of its variable.
type Continuations = BTreeMap<u32, List>;

#[derive(Default)]
struct Follower {
    /// Calls, each with its tail.
    calls: Vec<(OperationRef, List)>,
    steps: usize,
}

impl Follower {
    /// Counts a step; `None` beyond the limit.
    fn step(&mut self) -> Option<()> {
        self.steps += 1;
        (self.steps <= LIMIT).then_some(())
    }

    fn prepend(&mut self, call: OperationRef, then: List) -> Option<List> {
        self.step()?;
        self.calls.push((call, then));
        Some(Some(self.calls.len() - 1))
    }

    /// The calls of a list, in order.
    fn calls(&mut self, mut list: List) -> Option<Vec<OperationRef>> {
        let mut calls = Vec::new();
        while let Some((call, then)) = list.and_then(|place| self.calls.get(place)) {
            calls.push(call.clone());
            list = *then;
            self.step()?;
        }
        Some(calls)
    }

    fn append(&mut self, first: List, then: List) -> Option<List> {
        let calls = self.calls(first)?.into_iter();
        let mut calls = calls.rev();
        calls.try_fold(then, |then, call| self.prepend(call, then))
    }

    /// The calls of a command, followed by the list `then`.
    fn command(
        &mut self,
        command: &Command,
        continuations: &Continuations,
        then: List,
    ) -> Option<List> {
        self.step()?;
        match command.kind() {
            // RH occurs only in states of a run.
            CommandKind::Pure(_) | CommandKind::Handled(_) => Some(then),
            CommandKind::Perform(operation, _) => self.prepend(operation.clone(), then),
            CommandKind::Let { bound, body, .. } => {
                let then = self.command(body, continuations, then)?;
                self.command(bound, continuations, then)
            }
            CommandKind::Feedback { feedback, .. } => {
                let once = self.command(&feedback.body, &Continuations::new(), None)?;
                let mut then = then;
                // A body that performs nothing needs no repetition.
                for _ in 0..once.map_or(0, |_| feedback.count) {
                    self.step()?;
                    then = self.append(once, then)?;
                }
                Some(then)
            }
            CommandKind::Resume(k, _) => {
                let resumed = continuations.get(&k.id).copied().flatten();
                self.append(resumed, then)
            }
            CommandKind::Handle { body, handler } => {
                let inside = self.command(body, continuations, None)?;
                let outside = self.ordinary(inside, handler, continuations)?;
                self.append(outside, then)
            }
            CommandKind::RevHandle { body, handler, .. } => {
                let inside = self.command(body, &Continuations::new(), None)?;
                self.reverse(inside, handler, then)
            }
        }
    }

    /// The calls of `handle R with H`, given the calls `inside` of R.
    fn ordinary(
        &mut self,
        inside: List,
        handler: &OrdinaryHandler,
        continuations: &Continuations,
    ) -> Option<List> {
        let mut rest = self.command(&handler.return_clause.body, continuations, None)?;
        for call in self.calls(inside)?.into_iter().rev() {
            rest = match handler.clauses.get(&call) {
                None => self.prepend(call, rest)?,
                Some(clause) => {
                    let mut continuations = continuations.clone();
                    continuations.insert(clause.continuation.id, rest);
                    self.command(&clause.body, &continuations, None)?
                }
            };
        }
        Some(rest)
    }

    /// The calls of `rev handle(M)⟨x̄⟩. R with H`, given the calls `inside` of R: those of forward clauses, of the return clause, and of
    /// backward clauses from the last call to the first.
    fn reverse(&mut self, inside: List, handler: &ReverseHandler, then: List) -> Option<List> {
        let closed = Continuations::new();
        let calls = self.calls(inside)?;
        let mut rest = then;
        for call in &calls {
            if let Some(clause) = handler.clauses.get(call) {
                rest = self.command(&clause.backward, &closed, rest)?;
            }
        }
        rest = self.command(&handler.return_clause.body, &closed, rest)?;
        for call in calls.into_iter().rev() {
            rest = match handler.clauses.get(&call) {
                None => self.prepend(call, rest)?,
                Some(clause) => self.command(&clause.forward, &closed, rest)?,
            };
        }
        Some(rest)
    }
}
