//! A step and what follows it up to the next stop: where its result goes, when only values are moved about.

use super::words::Sentence;
use super::{Stretch, step};
use crate::calls::{CallRecord, Calls, Clause, Known};
use crate::made;
use crate::names::Names;
use crate::protocol::Piece;
use crate::trace::Status;
use fletch_calculus::{CommandKind, Term, TermKind, Variable};
use fletch_reduction::Action;

/// Where a value goes.
enum Destination<'t> {
    /// To a variable.
    Name(Variable),
    /// To the variable that a call's result is bound to.
    Result(Variable, &'t CallRecord),
    /// To a call that waits for its cotangent.
    Cotangent(&'t CallRecord),
    /// To the rest of the command, from a clause of an ordinary handler.
    Rest(&'t Clause, Option<Variable>),
}

/// What happens in the stretch: its first step, and what the others do with its result.
pub(super) fn sentence(stretch: &Stretch<'_>, names: &Names) -> Vec<Piece> {
    let trace = stretch.trace;
    let mut say = Sentence::new(names);
    say.pieces = step::sentence(stretch.step, trace.state(stretch.from), names);
    if stretch.to <= stretch.from + 1 {
        return say.pieces;
    }
    let over = stretch.to == trace.len() && matches!(trace.status(), Status::Value(_));
    let value = match &stretch.step.action {
        Action::Eval { result, .. } | Action::Add { result, .. } => Some(result.clone()),
        Action::Get { .. } => match trace.state(stretch.from + 1).focus().kind() {
            CommandKind::Pure(contents) => Some(contents.clone()),
            _ => None,
        },
        Action::RhRet { .. } => {
            inner_turn(&mut say, stretch);
            None
        }
        _ => None,
    };
    match value.and_then(|value| destination(stretch, value)) {
        Some(Destination::Cotangent(record)) => {
            say.unended()
                .text(", the cotangent that ")
                .call(record)
                .text(" has waited for.");
        }
        Some(Destination::Result(variable, record)) => {
            say.unended()
                .text(", which takes the place of ")
                .variable(&variable);
            if record.waits_from.is_some_and(|from| from <= stretch.to) {
                saved(&mut say, record);
            }
            say.text(".");
        }
        Some(Destination::Rest(clause, variable)) => {
            say.unended()
                .text(", with which the rest after ")
                .operation(&clause.operation)
                .text(" goes on");
            if let Some(variable) = variable {
                say.text(" as ").variable(&variable);
            }
            say.text(".");
        }
        Some(Destination::Name(variable)) if !over => {
            say.unended()
                .text(", which takes the place of ")
                .variable(&variable)
                .text(".");
        }
        Some(Destination::Name(_)) | None => {}
    }
    if over {
        say.unended().text(", and with that the run is over.");
    }
    say.pieces
}

/// `; w and x are saved for the way back`
fn saved(say: &mut Sentence<'_>, record: &CallRecord) {
    let Some(names) = saved_names(say, record) else {
        return;
    };
    let verb = if names.len() == 1 { " is" } else { " are" };
    say.text("; ")
        .list(names)
        .text(verb)
        .text(" saved for the way back");
}

/// What a call saved, by its names; nothing if it saved nothing.
pub(super) fn saved_names<'n>(
    say: &Sentence<'n>,
    record: &CallRecord,
) -> Option<Vec<Sentence<'n>>> {
    let saved = record.saved.as_ref()?;
    if is_unit(saved) {
        return None;
    }
    let named = record.saved_names.iter().filter(|name| &*name.name != "_");
    let names: Vec<Sentence<'n>> = named
        .map(|name| say.apart(|say| say.variable(name)))
        .collect();
    Some(if names.is_empty() {
        vec![say.apart(|say| say.value(saved))]
    } else {
        names
    })
}

fn is_unit(term: &Term) -> bool {
    match term.kind() {
        TermKind::Constant(tensor) => tensor.is_empty(),
        TermKind::Tuple(parts) => parts.iter().all(is_unit),
        _ => false,
    }
}

/// A call of an inner handler whose backward clause starts.
fn inner_turn(say: &mut Sentence<'_>, stretch: &Stretch<'_>) {
    let mut records = stretch
        .trace
        .calls()
        .came_back(stretch.from, stretch.to + 1);
    if let Some(record) = records.find(|record| record.operation())
        && let Some(cotangent) = &record.cotangent
    {
        say.text(" ")
            .call(record)
            .text(" gets ")
            .value(cotangent)
            .text(" as its cotangent, and its backward clause starts.");
    }
}

fn destination<'t>(stretch: &Stretch<'t>, value: Term) -> Option<Destination<'t>> {
    let calls = stretch.trace.calls();
    let mut value = value;
    let mut found = None;
    for position in stretch.from + 1..stretch.to {
        let Some(step) = stretch.trace.step(position) else {
            break;
        };
        if let Some(sum) = made::added(step, &value) {
            value = sum;
        }
        let (Action::Bind {
            variable,
            value: bound,
        }
        | Action::Let {
            variable,
            value: bound,
        }) = &step.action
        else {
            continue;
        };
        if !bound.same(&value) || &*variable.name == "_" {
            continue;
        }
        found = match (further(calls, variable, position + 1), found) {
            (Some(next), _) => Some(next),
            (None, None) => Some(Destination::Name(variable.clone())),
            (None, Some(Destination::Rest(clause, None))) => {
                Some(Destination::Rest(clause, Some(variable.clone())))
            }
            (None, found) => found,
        };
    }
    found
}

/// Where a variable of a handled run leads.
fn further<'t>(calls: &'t Calls, variable: &Variable, known: usize) -> Option<Destination<'t>> {
    match calls.known(variable)? {
        Known::Result(at) => {
            let record = calls.records.get(at).filter(|record| !record.moves)?;
            Some(Destination::Result(variable.clone(), record))
        }
        Known::Cotangent(at) => {
            let record = calls.records.get(at).filter(|record| !record.moves)?;
            (record.cotangent_at == Some(known)).then_some(Destination::Cotangent(record))
        }
        Known::Resumed(at) => Some(Destination::Rest(calls.clauses.get(at)?, None)),
        Known::Saved(_) | Known::Turn(_) => None,
    }
}
