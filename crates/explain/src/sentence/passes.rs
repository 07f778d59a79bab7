//! Sentences for a pass of a handled operation, or of a handler's run, forward or backward.

use super::words::{Sentence, Telling, is_unit};
use super::{Stretch, consequences, step};
use fletch_calculus::Term;
use fletch_print::Piece;
use fletch_reduction::Action;
use fletch_trace::{CallRecord, Calls, Event, ReverseRun, Turn};

/// Sentences for the passes of operations that start with the stretch; `None` if no pass starts there.
pub(super) fn operation(stretch: &Stretch<'_>, telling: Telling<'_>) -> Option<Vec<Piece>> {
    let calls = stretch.trace.calls();
    let mut say = Sentence::new(telling);
    let mut told = None;
    let events = calls.events_at(stretch.from);
    let events = with_first(events, |event| matches!(event, Event::Ends(_)));
    for (number, event) in events.iter().enumerate() {
        // A pass that follows at the same position describes the remainder of the stretch.
        let alone = number + 1 == events.len();
        let this = match *event {
            Event::Forward(at) => {
                let record = calls.records.get(at).filter(|call| call.operation());
                record.and_then(|record| forward(say.next(), stretch, record))
            }
            Event::Backward(at) => {
                let record = calls.records.get(at)?;
                backward(say.next(), stretch, record, alone)
            }
            Event::Returns(at) => returns(say.next(), stretch, at),
            Event::Clause(at) => clause(say.next(), stretch, at),
            Event::Ends(at) => {
                ends(say.next(), stretch, at);
                None
            }
            _ => None,
        };
        told = told.or(this);
    }
    told?;
    functions(&mut say, stretch);
    Some(say.pieces)
}

/// Sentence for the end of a run, or for the start of a backward clause and its argument; empty if the stretch starts with neither.
pub(super) fn starts<'n>(stretch: &Stretch<'_>, telling: Telling<'n>) -> Sentence<'n> {
    let calls = stretch.trace.calls();
    let mut say = Sentence::new(telling);
    for event in calls.events_at(stretch.from) {
        let Event::Ends(at) = event else { continue };
        ends(say.next(), stretch, at);
    }
    for (record, cotangent) in starting(calls, stretch.from) {
        say.next()
            .text("The backward clause of ")
            .call(record)
            .text(" starts");
        let gradient = stretch.trace.calls().gradient(record);
        match (&record.cotangent_name, gradient) {
            (Some(name), true) => say.text(": ").variable(name).text(" is the cotangent, "),
            (Some(name), false) => say.text(": ").variable(name).text(" is what came back, "),
            (None, true) => say.text(". Its cotangent is "),
            (None, false) => say.text(". What came back is "),
        };
        say.value(cotangent);
        if let Some(saved) = consequences::saved_names(&say, record) {
            let verb = if saved.len() == 1 { " was" } else { " were" };
            say.text("; ")
                .list(saved)
                .text(verb)
                .text(" saved on the way forward");
        }
        say.text(".");
    }
    say
}

/// The operations whose backward clauses start at a position, with their cotangents.
pub(super) fn starting(
    calls: &Calls,
    position: usize,
) -> impl Iterator<Item = (&CallRecord, &Term)> {
    let records = calls.events_at(position).filter_map(|event| match event {
        Event::Backward(at) => calls.records.get(at).filter(|call| call.operation()),
        _ => None,
    });
    records.filter_map(|record| Some((record, record.cotangent.as_ref()?)))
}

fn ends(say: &mut Sentence<'_>, stretch: &Stretch<'_>, at: usize) {
    let calls = stretch.trace.calls();
    let Some(run) = calls.runs.get(at) else {
        return;
    };
    say.text("The run of ").run(calls, at).text(" is over");
    if let Some(given) = given(stretch, run) {
        say.text(": it gives ").value(given);
        if run.turn.is_gradient() {
            say.text(", the cotangent of its input");
        }
    }
    say.text(".");
}

/// Result of a run that ends here, if the step before passed it to the context.
fn given<'t>(stretch: &Stretch<'t>, run: &ReverseRun) -> Option<&'t Term> {
    run.turned_at?;
    if let Action::RhRet { .. } | Action::HandleRet { .. } = stretch.step.action {
        return None;
    }
    match &stretch.trace.step(stretch.from.checked_sub(1)?)?.action {
        Action::Bind { value, .. } => Some(value),
        _ => None,
    }
}

/// Reorders events: those that satisfy `kind` come before all others.
fn with_first(events: impl Iterator<Item = Event>, kind: impl Fn(&Event) -> bool) -> Vec<Event> {
    let (mut first, rest): (Vec<Event>, Vec<Event>) = events.partition(kind);
    first.extend(rest);
    first
}

/// Sentences for the passes of handlers' runs that start with the stretch; `None` if no pass starts there.
pub(super) fn handler(stretch: &Stretch<'_>, telling: Telling<'_>) -> Option<Vec<Piece>> {
    let calls = stretch.trace.calls();
    let mut say = Sentence::new(telling);
    let events = calls.events_at(stretch.from);
    let over = |event: &Event| matches!(event, Event::Ends(_) | Event::OrdinaryEnds(_));
    let events = with_first(events, over);
    let mut told = None;
    for event in events {
        match event {
            Event::Ends(at) => ends(say.next(), stretch, at),
            Event::OrdinaryEnds(at) => {
                let run = calls.ordinary.get(at)?;
                say.next().text("The run of ").handler(&run.handler.name);
                say.text(" is over.");
            }
            Event::OrdinaryBegins(at) => {
                let run = calls.ordinary.get(at)?;
                say.next().handler(&run.handler.name);
                say.text(" handles the command in it, one operation after the other.");
                told = Some(());
            }
            Event::Begins(_) | Event::OrdinaryReturns(_) => {
                let first = first(stretch, telling);
                say.then(first);
                told = Some(());
            }
            Event::Returns(at) => {
                told = returns(say.next(), stretch, at);
            }
            Event::Forward(_) | Event::Backward(_) | Event::Clause(_) => {}
        }
    }
    match told {
        Some(()) => happened(&mut say, stretch),
        None if say.pieces.is_empty() => return None,
        None => {
            let pieces = consequences::sentence(stretch, telling);
            say.then(pieces);
        }
    }
    Some(say.pieces)
}

fn first(stretch: &Stretch<'_>, telling: Telling<'_>) -> Vec<Piece> {
    step::sentence(stretch.trace, stretch.from, telling)
}

/// Adds `FC[ℓ0] runs forward on [1, 0]: it reads ℓ0, gives [0.1, …] and saves w and x for the way back.`
fn forward(say: &mut Sentence<'_>, stretch: &Stretch<'_>, record: &CallRecord) -> Option<()> {
    let (value, default) = match &stretch.step.action {
        Action::RhOp { value, default, .. } => (value, *default),
        Action::RhFeedback { value, .. } => (value, false),
        _ => return None,
    };
    let result = record
        .result
        .as_ref()
        .filter(|_| record.waits_from.is_some_and(|from| from <= stretch.to));
    let Some(result) = result.filter(|_| !default) else {
        // The effects of the call come later, at stops of their own.
        say.pieces = step::sentence(stretch.trace, stretch.from, say.telling());
        return Some(());
    };
    say.call(record).text(" runs forward");
    if !is_unit(value) {
        say.text(" on ").value(value);
    }
    say.text(": it ");
    let mut parts = accesses(say, stretch, record);
    parts.push(say.apart(|say| say.text("gives ").value(result)));
    if let Some(saved) = consequences::saved_names(say, record) {
        let part = say.apart(|say| say.text("saves ").list(saved).text(" for the way back"));
        parts.push(part);
    }
    say.verbs(parts).text(".");
    Some(())
}

/// Adds `FC[ℓ1] gets its cotangent −0.0606: it writes ℓ1 and passes [−0.009, …] back to what came before.`
fn backward(
    say: &mut Sentence<'_>,
    stretch: &Stretch<'_>,
    record: &CallRecord,
    alone: bool,
) -> Option<()> {
    let cotangent = record.cotangent.as_ref()?;
    say.call(record);
    say.text(if stretch.trace.calls().gradient(record) {
        " gets its cotangent "
    } else {
        " gets back "
    })
    .value(cotangent);
    let given = record
        .contribution
        .as_ref()
        .filter(|_| alone && record.done_at.is_some_and(|at| at <= stretch.to));
    match given {
        Some(given) => {
            say.text(": it ");
            let mut parts = accesses(say, stretch, record);
            if !is_unit(given) {
                let given = say.apart(|say| {
                    say.text("passes ")
                        .value(given)
                        .text(" back to what came before")
                });
                parts.push(given);
            } else if parts.is_empty() {
                parts.push(say.apart(|say| say.text("passes nothing back")));
            }
            say.verbs(parts).text(".");
        }
        None => {
            say.text(", and its backward clause starts.");
        }
    }
    Some(())
}

/// Predicates for the heap accesses of a call in the stretch.
fn accesses<'n>(
    say: &Sentence<'n>,
    stretch: &Stretch<'_>,
    record: &CallRecord,
) -> Vec<Sentence<'n>> {
    let accesses = record.accesses.iter().copied();
    touched(
        say,
        stretch,
        accesses.filter(|at| (stretch.from..stretch.to).contains(at)),
    )
}

/// Predicates for heap accesses: `reads ℓ0`, `writes ℓ1 and ℓ2`.
fn touched<'n>(
    say: &Sentence<'n>,
    stretch: &Stretch<'_>,
    accesses: impl Iterator<Item = usize>,
) -> Vec<Sentence<'n>> {
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    for at in accesses {
        let (cells, name) = match stretch.trace.step(at).map(|step| &step.action) {
            Some(Action::Get { location, .. }) => (&mut reads, &location.name),
            Some(Action::Put { location, .. }) => (&mut writes, &location.name),
            _ => continue,
        };
        if !cells.contains(name) {
            cells.push(name.clone());
        }
    }
    let named = |cells: Vec<_>, verb: &str| {
        let cells: Vec<Sentence<'n>> = cells
            .iter()
            .map(|cell: &std::sync::Arc<str>| say.apart(|say| say.location(cell)))
            .collect();
        (!cells.is_empty()).then(|| say.apart(|say| say.text(verb).list(cells)))
    };
    if reads == writes {
        return named(reads, "reads and writes ").into_iter().collect();
    }
    let parts = [named(reads, "reads "), named(writes, "writes ")];
    parts.into_iter().flatten().collect()
}

/// Adds the sentence for the return clause of a run, with its result if that is known by the end of the stretch.
fn returns(say: &mut Sentence<'_>, stretch: &Stretch<'_>, at: usize) -> Option<()> {
    let calls = stretch.trace.calls();
    let run = calls.runs.get(at)?;
    let returned = run.returned.as_ref()?;
    say.text("The network of ")
        .run(calls, at)
        .text(" has come to ")
        .value(returned)
        .text(". Its return clause")
        .text(step::turns(Some(run.turn)));
    let known = run.turned_until.as_ref();
    if let Some((_, value)) = known.filter(|(at, _)| *at <= stretch.to)
        && run.turn != Turn::Same
    {
        say.text(", ").value(value);
    }
    if run.parent.is_none() {
        say.text(step::in_training(run.turn));
    }
    say.text(".");
    Some(())
}

/// Adds `FC[ℓ0] is handled by H_infer: its clause runs on [1, 0], reads ℓ0, and the rest goes on with [0.1, …].`
fn clause(say: &mut Sentence<'_>, stretch: &Stretch<'_>, at: usize) -> Option<()> {
    let calls = stretch.trace.calls();
    let clause = calls.clauses.get(at)?;
    let Action::HandleOp { argument, .. } = &stretch.step.action else {
        return None;
    };
    say.operation(&clause.operation)
        .text(" is handled by ")
        .handler(&clause.handler);
    say.text(": its clause runs");
    if !is_unit(argument) {
        step::known(stretch.step, say.text(" on "), argument, 0);
    }
    let accesses = calls.accesses(stretch.from, stretch.to).map(|(at, _)| at);
    let parts = touched(say, stretch, accesses);
    if !parts.is_empty() {
        say.text(", ").verbs(parts);
    }
    let resumed = clause.resumed.as_ref();
    if let Some((_, value)) = resumed.filter(|(from, _)| *from <= stretch.to) {
        say.text(", and the rest goes on");
        if !is_unit(value) {
            say.text(" with ").value(value);
        }
    }
    say.text(".");
    Some(())
}

/// Adds sentences for the functions that run in the stretch: they have no clauses, and no stops of their own.
fn functions(say: &mut Sentence<'_>, stretch: &Stretch<'_>) {
    let calls = stretch.trace.calls();
    let plain = |record: &&CallRecord| !record.operation() && at_top(calls, record);
    let given: Vec<Sentence<'_>> = met(calls, stretch)
        .filter(plain)
        .filter_map(|record| {
            let result = record.result.as_ref()?;
            let known = record.waits_from.is_some_and(|at| at <= stretch.to);
            known.then(|| say.apart(|say| say.call(record).text(" gives ").value(result)))
        })
        .collect();
    if !given.is_empty() {
        say.text(" Then ").list(given).text(".");
    }
    let back: Vec<Sentence<'_>> = came_back(calls, stretch)
        .into_iter()
        .filter(plain)
        .map(|record| say.apart(|say| say.call(record)))
        .collect();
    if !back.is_empty() {
        say.text(" From there the cotangent goes back through ")
            .list(back)
            .text(".");
    }
}

/// Adds a summary of many steps: calls run forward, calls run backward, operations handled, and locations written.
pub(super) fn happened(say: &mut Sentence<'_>, stretch: &Stretch<'_>) {
    let calls = stretch.trace.calls();
    let mut parts = Vec::new();
    let mut named = |records: Vec<&CallRecord>, way: &str| {
        let mut known: Vec<&str> = Vec::new();
        let mut names = Vec::new();
        for record in records {
            if !known.contains(&&*record.name) {
                known.push(&record.name);
                names.push(say.apart(|say| say.call(record)));
            }
        }
        let verb = if names.len() == 1 { " runs " } else { " run " };
        if !names.is_empty() {
            parts.push(say.apart(|say| say.list(names).text(verb).text(way)));
        }
    };
    named(met(calls, stretch).collect(), "forward");
    named(came_back(calls, stretch), "backward");
    let mut cells: Vec<&str> = Vec::new();
    for (at, _) in calls.accesses(stretch.from, stretch.to) {
        if let Some(Action::Put { location, .. }) = stretch.trace.step(at).map(|step| &step.action)
            && !cells.contains(&&*location.name)
        {
            cells.push(&location.name);
        }
    }
    let clauses = calls.clauses_between(stretch.from, stretch.to);
    let mut handled: Vec<&str> = Vec::new();
    let mut operations = Vec::new();
    for clause in clauses.filter(|clause| !clause.outside) {
        if !handled.contains(&&*clause.name) {
            handled.push(&clause.name);
            operations.push(say.apart(|say| say.operation(&clause.operation)));
        }
    }
    if !operations.is_empty() {
        let verb = if operations.len() == 1 { " is" } else { " are" };
        parts.push(say.apart(|say| say.list(operations).text(verb).text(" handled")));
    }
    if !cells.is_empty() {
        let verb = if cells.len() == 1 { " is" } else { " are" };
        let cells = cells
            .iter()
            .map(|cell| say.apart(|say| say.location(cell)))
            .collect();
        parts.push(say.apart(|say| say.list(cells).text(verb).text(" written")));
    }
    if !parts.is_empty() {
        say.text(" Up to the next stop, ").clauses(parts).text(".");
    }
}

/// The calls met in the stretch, without those that only move values.
fn met<'t>(calls: &'t Calls, stretch: &Stretch<'_>) -> impl Iterator<Item = &'t CallRecord> {
    let records = calls.met(stretch.from, stretch.to);
    records.filter(|record| !record.moves)
}

/// The calls whose cotangents arrive in the stretch, without those whose backward clauses start at one of its ends:
/// the sentences of these stops mention them.
fn came_back<'t>(calls: &'t Calls, stretch: &Stretch<'_>) -> Vec<&'t CallRecord> {
    let (from, to) = (stretch.from, stretch.to);
    let records = calls.came_back(from + 1, to);
    let starts = |record: &&CallRecord| record.backward_at.is_none_or(|at| from < at && at < to);
    records
        .filter(|record| !record.moves)
        .filter(starts)
        .collect()
}

/// True if the run of the call is not inside another run.
fn at_top(calls: &Calls, record: &CallRecord) -> bool {
    let run = calls.runs.get(record.run);
    run.is_some_and(|run| run.parent.is_none())
}
