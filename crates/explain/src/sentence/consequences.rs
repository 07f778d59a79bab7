//! Consequences of a step up to the next stop: the destination of its result, when the other steps only move values.

use super::uses::{Destination, Use};
use super::words::{Sentence, Telling, is_unit};
use super::{Stretch, shortcuts, step, terms, uses};
use fletch_calculus::{Called, Variable};
use fletch_print::Piece;
use fletch_reduction::Action;
use fletch_trace::{CallRecord, Level, ReverseRun, Turn, idle};

/// Sentence for a stretch: its first step, and the uses of the step's result in the other steps.
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

/// Sentence for the first step alone, and for the purpose of its result.
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

/// Sentences for the cotangents that arrive in the stretch and that no other sentence mentions.
pub(super) fn arrivals(stretch: &Stretch<'_>, telling: Telling<'_>) -> Vec<Piece> {
    others(stretch, &Use::default(), telling)
}

/// Sentence for the first step. While a cotangent is propagated back through a function, the sentence is about that.
fn first(stretch: &Stretch<'_>, telling: Telling<'_>) -> Vec<Piece> {
    let trace = stretch.trace;
    let mut say = Sentence::new(telling);
    let step = || step::sentence(trace, stretch.from, telling);
    let Some(record) = trace.calls().carried(stretch.from) else {
        return step();
    };
    let arrived = record.cotangent.as_ref();
    let starts = record.carried_at == Some(stretch.from);
    match (&stretch.step.action, &record.call.called) {
        (Action::Eval { symbol, result, .. }, _)
            if symbol.reverse_of().is_some()
                && !is_unit(result)
                && idle(stretch.step, trace.state(stretch.from)) =>
        {
            say.pieces = step();
            say.unended().text(", which is not needed");
            if let Some(variable) = derived(stretch, record) {
                say.text(": zero goes back to ").variable(variable);
            }
            say.text(".");
            say.pieces
        }
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
                short,
            },
            _,
        ) if arrived.is_some_and(|kept| stretch.trace.calls().same(kept, cotangent)) => {
            say.text(if starts { "Now" } else { "Once more" })
                .text(" back through ")
                .call(record)
                .text(", for ")
                .variable(variable);
            if body.free().contains(variable.id) {
                say.text(": its reverse derivative at ")
                    .value(point)
                    .text(" ")
                    .text(terms::written_out(body))
                    .text(", to carry the cotangent ")
                    .value(cotangent)
                    .text(" back.");
            } else if is_unit(point) {
                say.text(", which carries nothing: so nothing goes back there.");
            } else {
                say.text(": it does not depend on ")
                    .variable(variable)
                    .text(", so zero goes back there.");
            }
            if *short {
                say.text(" ");
                shortcuts::derivative(&mut say, stretch.step, variable);
            }
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

/// The variable along which the current term was differentiated, if the term does not depend on it.
fn derived<'t>(stretch: &Stretch<'t>, record: &CallRecord) -> Option<&'t Variable> {
    let from = record.carried_at.or(record.cotangent_at)?;
    let mut steps = stretch.trace.steps(from..stretch.from).rev();
    let derivative = steps.find_map(|step| match &step.action {
        Action::Rd {
            variable,
            body,
            point,
            ..
        } => Some((variable, body, point)),
        _ => None,
    });
    let (variable, body, point) = derivative?;
    (!body.free().contains(variable.id) && !is_unit(point)).then_some(variable)
}

/// Adds the destination of the first step's value.
fn destined(say: &mut Sentence<'_>, stretch: &Stretch<'_>, used: &Use<'_>) {
    match (&stretch.step.action, used.first, uses::value(stretch)) {
        (Action::RhRet { .. }, Some(_), Some(value)) => {
            say.text(match used.first.map(|run| run.turn) {
                Some(Turn::Gradient { .. }) => " This first cotangent is ",
                _ => " What goes back is ",
            })
            .value(&value)
            .text(".");
        }
        (_, Some(run), _) => {
            say.unended().text(", ").text(turn(run));
            if let Some(at) = number(stretch, run).filter(|_| run.parent.is_some()) {
                say.text(" in ").run(stretch.trace.calls(), at);
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
                None if stretch.trace.calls().gradient(record) => ", the cotangent that ",
                None => ", what ",
            });
            say.call(record).text(" has waited for");
        }
        Destination::Part(part, record) => {
            say.text("; of this, ")
                .value(part)
                .text(if stretch.trace.calls().gradient(record) {
                    " is the cotangent that "
                } else {
                    " is what "
                })
                .call(record)
                .text(" has waited for");
        }
        Destination::Goes(part) => {
            say.text("; of this, ").value(part).text(" goes on");
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
        Destination::Components(variables) => {
            let names = variables.iter();
            let names = names.map(|name| say.apart(|say| say.variable(name)));
            let names = names.collect();
            say.text(", which is taken apart into ").list(names);
        }
        Destination::Contents(location) => {
            say.text(", the new contents of ").location(&location.name);
        }
        Destination::Change(location) => {
            say.text(", which is then subtracted from ")
                .location(&location.name);
        }
        Destination::Given(record) if stretch.trace.calls().gradient(record) => {
            say.text(", the cotangent of the input of ").call(record);
        }
        Destination::Given(record) => {
            say.text(", what ").call(record).text(" gives back");
        }
        Destination::Input => {
            say.text(", the cotangent of the input");
        }
    }
    say.text(".");
}

/// Sentences for the cotangents known by the end of the stretch that no other sentence mentions.
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
        say.next().text("With that, the return clause of ");
        match number(stretch, run) {
            Some(at) => say.run(calls, at),
            None => say.handler(&run.handler),
        };
        say.text(" has given ")
            .text(turn(run))
            .text(", ")
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
            say.next().text("With that, ").call(record);
            say.text(if stretch.trace.calls().gradient(record) {
                " has its cotangent, "
            } else {
                " has what it has waited for, "
            })
            .value(cotangent)
            .text(".");
        }
    }
    say.pieces
}

/// Result of a run's return clause, in words.
pub(super) fn turn(run: &ReverseRun) -> &'static str {
    match run.turn {
        Turn::Gradient { .. } => "the first cotangent",
        Turn::Same | Turn::Other => "what goes back first",
    }
}

/// The number of a run.
fn number(stretch: &Stretch<'_>, run: &ReverseRun) -> Option<usize> {
    let mut runs = stretch.trace.calls().runs.iter();
    runs.position(|known| std::ptr::eq(known, run))
}

/// Adds `; w and x are saved for the way back`.
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

/// Values that a call saved, by name; `None` if it saved nothing.
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
