//! The tape of a feedback: it keeps, for every moment, the values that the backward pass of a reverse handler uses. A step-by-step run
//! stops if a tape has more numbers than a tensor may have, so checking warns of such a tape.

use crate::elaborator::{Elaborator, place};
use crate::faults::Fault;
use crate::sizes::SIZE_LIMIT;
use fletch_calculus::typing::{self, Assumption, Environment};
use fletch_calculus::{Command, CommandKind, Feedback, ReverseHandler, Term, Type};
use std::collections::BTreeMap;

impl Elaborator<'_> {
    /// Warns of feedbacks in a handled command whose tape has too many numbers.
    pub(crate) fn check_tape(&mut self, handled: &Command, handler: &ReverseHandler) {
        match handled.kind() {
            CommandKind::Let { bound, body, .. } => {
                self.check_tape(bound, handler);
                self.check_tape(body, handler);
            }
            CommandKind::Feedback { feedback, .. } => {
                let numbers = kept(feedback, handler).saturating_mul(feedback.count);
                if numbers > SIZE_LIMIT {
                    let span = place(handled.origin());
                    self.report.add(span, Fault::Tape(numbers));
                }
            }
            _ => {}
        }
    }
}

/// Lower bound of the count of numbers that a moment puts on the tape: the dimension of Z of the clauses that the handler derives,
/// without handlers inside the feedback.
fn kept(feedback: &Feedback, handler: &ReverseHandler) -> usize {
    let mut tape = Tape {
        handler,
        known: BTreeMap::new(),
        used: BTreeMap::new(),
        clauses: 0,
    };
    let [s, x] = &feedback.variables;
    let environment = Environment::default()
        .with(s, Assumption::Term(feedback.of_state.clone()))
        .with(x, Assumption::Term(feedback.of_input.clone()));
    tape.known
        .insert(s.id, (s.id, feedback.of_state.dimension()));
    tape.known
        .insert(x.id, (x.id, feedback.of_input.dimension()));
    tape.command(&environment, &feedback.body);
    let variables = tape.used.values().copied();
    variables.fold(tape.clauses, usize::saturating_add)
}

/// The components of Z found so far.
struct Tape<'a> {
    handler: &'a ReverseHandler,
    /// For each variable, the variable that it is an alias of (or itself), and its dimension.
    known: BTreeMap<u32, (u32, usize)>,
    /// Variables that occur in a non-variable term, with their dimensions: the derivative of the term uses them again.
    used: BTreeMap<u32, usize>,
    /// Total dimension of the values that clauses save.
    clauses: usize,
}

impl Tape<'_> {
    fn command(&mut self, environment: &Environment, command: &Command) {
        match command.kind() {
            CommandKind::Pure(m) => self.term(m),
            CommandKind::Perform(operation, m) => {
                self.term(m);
                let Some(clause) = self.handler.clauses.get(operation) else {
                    return;
                };
                if clause.backward.free().contains(clause.saved.id) {
                    let domain = Assumption::Term(operation.domain.clone());
                    let environment = Environment::default().with(&clause.argument, domain);
                    let given = typing::command(&environment, &clause.forward);
                    let saved = given.map(|given| match &given.ty {
                        Type::Product(parts) => parts.get(1).map_or(0, Type::dimension),
                        Type::Real(_) => 0,
                    });
                    self.clauses = self.clauses.saturating_add(saved.unwrap_or(0));
                }
            }
            CommandKind::Let {
                variable,
                bound,
                body,
                ..
            } => {
                self.command(environment, bound);
                let Ok(given) = typing::command(environment, bound) else {
                    return;
                };
                let other = match bound.kind() {
                    CommandKind::Pure(m) => m.as_variable(),
                    _ => None,
                };
                let known = other.and_then(|other| self.known.get(&other.id)).copied();
                let own = known.unwrap_or((variable.id, given.ty.dimension()));
                self.known.insert(variable.id, own);
                let environment = environment.with(variable, Assumption::Term(given.ty));
                self.command(&environment, body);
            }
            CommandKind::Feedback { argument, feedback } => {
                self.term(argument);
                let inner = kept(feedback, self.handler).saturating_mul(feedback.count);
                self.clauses = self.clauses.saturating_add(inner);
            }
            _ => {}
        }
    }

    fn term(&mut self, m: &Term) {
        if m.as_variable().is_some() {
            return;
        }
        for id in m.free().ids() {
            if let Some((variable, size)) = self.known.get(&id) {
                self.used.insert(*variable, *size);
            }
        }
    }
}
