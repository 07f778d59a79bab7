//! A step and what follows it up to the next stop: where its result goes, when only values are moved about.

use super::words::Sentence;
use super::{Stretch, step};
use crate::calls::{CallRecord, Calls, Clause, Known, Run};
use crate::made;
use crate::names::Names;
use crate::protocol::{Level, Piece};
use crate::trace::Status;
use fletch_calculus::{Builtin, Called, CommandKind, LocationRef, Term, TermKind, Variable};
use fletch_reduction::Action;

/// Where a value goes.
enum Destination<'t> {
    /// To a variable.
    Name(Variable),
    /// To the variable that a call's result is bound to.
    Result(Variable, &'t CallRecord),
    /// To the rest of the command, from a clause of an ordinary handler.
    Rest(&'t Clause, Option<Variable>),
    /// To a call that waits for its cotangent.
    Cotangent(&'t CallRecord),
    /// A component of it goes to a call that waits for its cotangent.
    Part(Term, &'t CallRecord),
    /// Into the heap.
    Contents(LocationRef),
    /// It is taken from what the heap has there.
    Change(LocationRef),
    /// It is what the backward part of a call gives to what came before.
    Given(&'t CallRecord),
    /// It is what the whole run of a reverse handler comes to.
    Input,
}

impl Destination<'_> {
    /// Whether it is what the value is computed for, and not only where it is moved to next.
    fn is_purpose(&self) -> bool {
        !matches!(
            self,
            Destination::Name(_) | Destination::Result(..) | Destination::Rest(..)
        )
    }
}

/// What becomes of a value in a stretch.
#[derive(Default)]
struct Fate<'t> {
    /// The run of a handler whose first cotangent it is.
    first: Option<&'t Run>,
    destination: Option<Destination<'t>>,
}

/// What happens in the stretch: its first step, and what the others do with its result.
pub(super) fn sentence(stretch: &Stretch<'_>, names: &Names) -> Vec<Piece> {
    let trace = stretch.trace;
    let fate = fate(stretch);
    let mut say = Sentence::new(names);
    say.pieces = first(stretch, names);
    destined(&mut say, stretch, &fate);
    let over = stretch.to == trace.len() && matches!(trace.status(), Status::Value(_));
    if over && stretch.to > stretch.from + 1 {
        say.unended().text(", and with that the run is over.");
    }
    say.pieces.extend(others(stretch, &fate, names));
    say.pieces
}

/// The first step alone, and what its result is for.
pub(super) fn purpose(stretch: &Stretch<'_>, names: &Names) -> Vec<Piece> {
    let index = stretch.trace.index();
    let mut say = Sentence::new(names);
    say.pieces = first(stretch, names);
    if !index.is_stop(Level::Plain, stretch.from) {
        return say.pieces;
    }
    let next = index.next(Level::Plain, stretch.from);
    let stretch = Stretch {
        to: next.unwrap_or(stretch.to),
        ..*stretch
    };
    let mut fate = fate(&stretch);
    fate.destination = fate.destination.filter(Destination::is_purpose);
    destined(&mut say, &stretch, &fate);
    say.pieces.extend(others(&stretch, &fate, names));
    say.pieces
}

/// The cotangents that arrive in the stretch, if no other sentence tells it.
pub(super) fn arrivals(stretch: &Stretch<'_>, names: &Names) -> Vec<Piece> {
    others(stretch, &Fate::default(), names)
}

/// The first step. While a cotangent is carried back through a function, that is what it is about.
fn first(stretch: &Stretch<'_>, names: &Names) -> Vec<Piece> {
    let trace = stretch.trace;
    let mut say = Sentence::new(names);
    let step = || step::sentence(stretch.step, trace.state(stretch.from), names);
    let Some(record) = trace.calls().carried(stretch.from) else {
        return step();
    };
    let arrived = record.cotangent.as_ref();
    let starts = record.carried_at == Some(stretch.from);
    match (&stretch.step.action, &record.call.called) {
        (Action::Eval { symbol, .. }, Called::Function(function))
            if symbol.reverse_of() == Some(function) =>
        {
            step()
        }
        (Action::Eval { symbol, .. }, _) if !starts && symbol.reverse_of().is_none() => {
            say.pieces = step();
            say.unended().text(", computed again for the way back.");
            say.pieces
        }
        (
            Action::Rd {
                cotangent,
                variable,
                point,
                body,
            },
            _,
        ) if arrived.is_some_and(|arrived| arrived.same(cotangent))
            && body.free().contains(variable.id) =>
        {
            say.text(if starts { "Now" } else { "Once more" })
                .text(" back through ")
                .call(record)
                .text(": its reverse derivative along ")
                .variable(variable)
                .text(" at ")
                .value(point)
                .text(" is written out by the chain rule, to carry the cotangent ")
                .value(cotangent)
                .text(" back.");
            say.pieces
        }
        _ if !starts => step(),
        _ => {
            say.text("Now back through ").call(record);
            if let Some(arrived) = arrived {
                say.text(", with the cotangent ").value(arrived);
            }
            say.text(".").next().pieces.extend(step());
            say.pieces
        }
    }
}

/// What becomes of the value of the first step.
fn destined(say: &mut Sentence<'_>, stretch: &Stretch<'_>, fate: &Fate<'_>) {
    match (&stretch.step.action, fate.first, value(stretch)) {
        (Action::RhRet { .. }, Some(_), Some(value)) => {
            say.text(" This first cotangent is ")
                .value(&value)
                .text(".");
        }
        (_, Some(run), _) => {
            say.unended().text(", the first cotangent");
            if run.parent.is_some() {
                say.text(" of ").handler(&run.handler);
            }
            say.text(".");
        }
        (_, None, _) => {}
    }
    let Some(destination) = &fate.destination else {
        return;
    };
    say.unended();
    match destination {
        Destination::Cotangent(record) => {
            say.text(match fate.first {
                Some(_) => ", which ",
                None => ", the cotangent that ",
            });
            say.call(record).text(" has waited for");
        }
        Destination::Part(part, record) => {
            say.text("; of this, ")
                .value(part)
                .text(" is the cotangent that ")
                .call(record)
                .text(" has waited for");
        }
        Destination::Result(variable, record) => {
            say.text(", which takes the place of ").variable(variable);
            if record.waits_from.is_some_and(|from| from <= stretch.to) {
                saved(say, record);
            }
        }
        Destination::Rest(clause, variable) => {
            say.text(", with which the rest after ")
                .operation(&clause.operation)
                .text(" goes on");
            if let Some(variable) = variable {
                say.text(" as ").variable(variable);
            }
        }
        Destination::Name(variable) => {
            say.text(", which takes the place of ").variable(variable);
        }
        Destination::Contents(location) => {
            say.text(", the new contents of ").location(&location.name);
        }
        Destination::Change(location) => {
            say.text(", which is then subtracted from ")
                .location(&location.name);
        }
        Destination::Given(record) => {
            say.text(", the cotangent of the input of ").call(record);
        }
        Destination::Input => {
            say.text(", the cotangent of the input");
        }
    }
    say.text(".");
}

/// What else is there by the end of the stretch: cotangents that no other sentence tells.
fn others(stretch: &Stretch<'_>, fate: &Fate<'_>, names: &Names) -> Vec<Piece> {
    let calls = stretch.trace.calls();
    let mut say = Sentence::new(names);
    let told = |record: &CallRecord| match &fate.destination {
        Some(Destination::Cotangent(told) | Destination::Part(_, told)) => {
            std::ptr::eq(*told, record)
        }
        _ => false,
    };
    if let Some(run) = turned(stretch).filter(|_| fate.first.is_none())
        && let Some((_, cotangent)) = &run.turned_until
    {
        say.text(" With that, the return clause of ")
            .handler(&run.handler)
            .text(" has given the first cotangent, ")
            .value(cotangent)
            .text(".");
    }
    for record in calls.came_back(stretch.from + 1, stretch.to + 1) {
        let own = match record.operation() {
            true => record.backward_at,
            false => record.carried_at,
        };
        if own.is_some() || record.moves || told(record) {
            continue;
        }
        if let Some(cotangent) = &record.cotangent {
            say.text(" With that, ")
                .call(record)
                .text(" has its cotangent, ")
                .value(cotangent)
                .text(".");
        }
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

/// The run whose return clause is done in the stretch.
fn turned<'t>(stretch: &Stretch<'t>) -> Option<&'t Run> {
    let calls = stretch.trace.calls();
    calls.turned(stretch.from + 1, stretch.to + 1)
}

/// The value that the first step makes.
fn value(stretch: &Stretch<'_>) -> Option<Term> {
    match &stretch.step.action {
        Action::Eval { result, .. } | Action::Add { result, .. } => Some(result.clone()),
        Action::Get { .. } => match stretch.trace.state(stretch.from + 1).focus().kind() {
            CommandKind::Pure(contents) => Some(contents.clone()),
            _ => None,
        },
        // A return clause that only gives on what it gets.
        Action::RhRet { .. } => {
            let (_, value) = turned(stretch)?.turned_until.as_ref()?;
            Some(value.clone())
        }
        _ => None,
    }
}

/// What becomes of the value that the first step makes.
fn fate<'t>(stretch: &Stretch<'t>) -> Fate<'t> {
    let (trace, calls) = (stretch.trace, stretch.trace.calls());
    let Some(made) = value(stretch) else {
        return Fate::default();
    };
    let mut parts = match made.kind() {
        TermKind::Tuple(parts) => parts.to_vec(),
        _ => Vec::new(),
    };
    let mut value = made.clone();
    let mut found = None;
    for position in stretch.from + 1..stretch.to {
        let Some(step) = trace.step(position) else {
            break;
        };
        for followed in parts.iter_mut().chain([&mut value]) {
            if let Some(sum) = made::added(step, followed) {
                *followed = sum;
            }
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
        let next = further(calls, variable, position + 1);
        if let Some(Destination::Cotangent(record)) = next
            && parts.iter().any(|part| part.same(bound))
        {
            found = Some(Destination::Part(bound.clone(), record));
            break;
        }
        // Names that a derivative brings along mean nothing to a reader.
        let passing =
            matches!(step.action, Action::Let { .. }) && variable.id >= trace.first_introduced;
        if !bound.same(&value) || &*variable.name == "_" || passing {
            continue;
        }
        found = match (next, found) {
            (Some(next), _) => Some(next),
            (None, None) => Some(Destination::Name(variable.clone())),
            (None, Some(Destination::Rest(clause, None))) => {
                Some(Destination::Rest(clause, Some(variable.clone())))
            }
            (None, found) => found,
        };
    }
    let first = turned(stretch).filter(|run| {
        let cotangent = run.turned_until.as_ref().map(|(_, cotangent)| cotangent);
        cotangent.is_some_and(|cotangent| cotangent.same(&made) || cotangent.same(&value))
    });
    // Where it is only moved on, it may be for something else.
    if found
        .as_ref()
        .is_none_or(|found| matches!(found, Destination::Name(_)))
    {
        let awaited = || {
            let mut came = calls.came_back(stretch.from + 1, stretch.to + 1);
            came.find(|record| {
                let arrived = record.cotangent.as_ref().filter(|_| !record.moves);
                arrived.is_some_and(|arrived| arrived.same(&made) || arrived.same(&value))
            })
        };
        let given = || calls.gives(stretch.from + 1, stretch.to + 1, &[&made, &value]);
        let name = found.take().filter(|_| first.is_none() && !ends(stretch));
        found = put(stretch, &value)
            .or_else(|| awaited().map(Destination::Cotangent))
            .or_else(|| input(stretch, &value))
            .or_else(|| given().map(Destination::Given))
            .or(name);
    }
    Fate {
        first,
        destination: found,
    }
}

/// Whether the run of the program ends with the stretch.
fn ends(stretch: &Stretch<'_>) -> bool {
    stretch.to == stretch.trace.len() && matches!(stretch.trace.status(), Status::Value(_))
}

/// What a `Put` is about to do with a value.
fn put<'t>(stretch: &Stretch<'_>, value: &Term) -> Option<Destination<'t>> {
    let next = stretch.trace.state(stretch.to);
    let CommandKind::Perform(operation, argument) = next.focus().kind() else {
        return None;
    };
    let (Builtin::Put, location) = operation.heap_access()? else {
        return None;
    };
    // An ordinary handler may have a clause for it, and put something else there.
    let steps = stretch.trace.steps().iter().skip(stretch.to);
    let mut steps =
        steps.take_while(|step| !matches!(step.action, Action::HandleOp { outside: false, .. }));
    steps.find(|step| matches!(step.action, Action::Put { .. }))?;
    if argument.same(value) {
        return Some(Destination::Contents(location.clone()));
    }
    let TermKind::Apply(minus, pair) = argument.kind() else {
        return None;
    };
    let TermKind::Tuple(parts) = pair.kind() else {
        return None;
    };
    match &**parts {
        [from, taken] if minus.name() == "minus" && taken.same(value) => {
            let TermKind::Constant(from) = from.kind() else {
                return None;
            };
            let there = next.heap().get(location)?;
            (from.data() == there.data()).then(|| Destination::Change(location.clone()))
        }
        _ => None,
    }
}

/// The cotangent of the input, if the run ends with it.
fn input<'t>(stretch: &Stretch<'_>, value: &Term) -> Option<Destination<'t>> {
    let trace = stretch.trace;
    let mut runs = trace.calls().runs.iter().rev();
    let over = runs.any(|run| run.parent.is_none() && run.done_at == Some(trace.len()));
    match trace.state(trace.len()).focus().kind() {
        CommandKind::Pure(last) if ends(stretch) && over && last.same(value) => {
            Some(Destination::Input)
        }
        _ => None,
    }
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
