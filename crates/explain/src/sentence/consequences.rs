//! The consequences of a step up to the next stop: where its result goes, when only values are moved about.

use super::uses::{Destination, Use};
use super::words::{Sentence, Telling, is_unit};
use super::{Stretch, step, uses};
use fletch_calculus::Called;
use fletch_print::Piece;
use fletch_reduction::Action;
use fletch_trace::{CallRecord, Level};

/// What happens in the stretch: its first step, and what the others do with its result.
pub(super) fn sentence(stretch: &Stretch<'_>, telling: Telling<'_>) -> Vec<Piece> {
    let used = uses::of(stretch);
    let mut say = Sentence::new(telling);
    say.pieces = first(stretch, telling);
    destined(&mut say, stretch, &used);
    if uses::ends(stretch) && stretch.to > stretch.from + 1 {
        say.unended().text(", and with that the run is over.");
    }
    say.then(others(stretch, &used, telling));
    say.pieces
}

/// The first step alone, and what its result is for.
pub(super) fn purpose(stretch: &Stretch<'_>, telling: Telling<'_>) -> Vec<Piece> {
    let index = stretch.trace.index();
    let mut say = Sentence::new(telling);
    say.pieces = first(stretch, telling);
    if !index.is_stop(Level::Plain, stretch.from) {
        return say.pieces;
    }
    let next = index.next(Level::Plain, stretch.from);
    let stretch = Stretch {
        to: next.unwrap_or(stretch.to),
        ..*stretch
    };
    let mut used = uses::of(&stretch);
    used.destination = used.destination.filter(Destination::is_purpose);
    destined(&mut say, &stretch, &used);
    say.then(others(&stretch, &used, telling));
    say.pieces
}

/// The cotangents that arrive in the stretch, if no other sentence tells it.
pub(super) fn arrivals(stretch: &Stretch<'_>, telling: Telling<'_>) -> Vec<Piece> {
    others(stretch, &Use::default(), telling)
}

/// The first step. While a cotangent is carried back through a function, that is what it is about.
fn first(stretch: &Stretch<'_>, telling: Telling<'_>) -> Vec<Piece> {
    let trace = stretch.trace;
    let mut say = Sentence::new(telling);
    let step = || step::sentence(stretch.step, trace.state(stretch.from), telling);
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
            say.text(".").then(step());
            say.pieces
        }
    }
}

/// What becomes of the value of the first step.
fn destined(say: &mut Sentence<'_>, stretch: &Stretch<'_>, used: &Use<'_>) {
    match (&stretch.step.action, used.first, uses::value(stretch)) {
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
    let Some(destination) = &used.destination else {
        return;
    };
    say.unended();
    match destination {
        Destination::Cotangent(record) => {
            say.text(match used.first {
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
fn others(stretch: &Stretch<'_>, used: &Use<'_>, telling: Telling<'_>) -> Vec<Piece> {
    let calls = stretch.trace.calls();
    let mut say = Sentence::new(telling);
    let told = |record: &CallRecord| match &used.destination {
        Some(Destination::Cotangent(told) | Destination::Part(_, told)) => {
            std::ptr::eq(*told, record)
        }
        _ => false,
    };
    if let Some(run) = uses::turned(stretch).filter(|_| used.first.is_none())
        && let Some((_, cotangent)) = &run.turned_until
    {
        say.next()
            .text("With that, the return clause of ")
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
            say.next()
                .text("With that, ")
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
