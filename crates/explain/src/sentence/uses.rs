//! Use of a value: its purpose, or the next variable that it is bound to.

use super::{Stretch, step};
use fletch_calculus::{Builtin, CommandKind, LocationRef, Term, TermKind, Variable};
use fletch_reduction::Action;
use fletch_trace::{CallRecord, Calls, Clause, Known, ReverseRun, Status, added, idle};

/// Destination of a value.
pub(super) enum Destination<'t> {
    /// A variable.
    Name(Variable),
    /// The variables of a pattern.
    Components(Vec<Variable>),
    /// The variable that a call's result is bound to.
    Result(Variable, &'t CallRecord),
    /// The continuation that a clause of an ordinary handler resumes, and the variable that the value is bound to there.
    Rest(&'t Clause, Option<Variable>),
    /// A call that waits for its cotangent.
    Cotangent(&'t CallRecord),
    /// A call that waits for its cotangent, which is this component of the value.
    Part(Term, &'t CallRecord),
    /// This component of the value: only it is needed.
    Goes(Term),
    /// The heap, at a location.
    Contents(LocationRef),
    /// A location from whose contents the value is subtracted.
    Change(LocationRef),
    /// The calls before this one, for which the value is the result of its backward half.
    Given(&'t CallRecord),
    /// The result of a reverse handler's whole run.
    Input,
}

impl Destination<'_> {
    /// True if the destination is the value's purpose, not just the next variable it is bound to.
    pub(super) fn is_purpose(&self) -> bool {
        !matches!(
            self,
            Destination::Name(_)
                | Destination::Components(_)
                | Destination::Result(..)
                | Destination::Rest(..)
        )
    }
}

/// The use of a value in a stretch.
#[derive(Default)]
pub(super) struct Use<'t> {
    /// The run of a handler whose first cotangent the value is.
    pub(super) first: Option<&'t ReverseRun>,
    /// Destination of the value.
    pub(super) destination: Option<Destination<'t>>,
}

/// The run whose return clause is done in the stretch.
pub(super) fn turned<'t>(stretch: &Stretch<'t>) -> Option<&'t ReverseRun> {
    let calls = stretch.trace.calls();
    calls.turned(stretch.from + 1, stretch.to + 1)
}

/// The value that the first step of the stretch makes.
pub(super) fn value(stretch: &Stretch<'_>) -> Option<Term> {
    match &stretch.step.action {
        Action::Eval { result, .. } | Action::Add { result, .. } => Some(result.clone()),
        Action::Get { .. } => match stretch.trace.state(stretch.from + 1).focus().kind() {
            CommandKind::Pure(contents) => Some(contents.clone()),
            _ => None,
        },
        // A return clause that passes its argument on unchanged.
        Action::RhRet { .. } => {
            let (_, value) = turned(stretch)?.turned_until.as_ref()?;
            Some(value.clone())
        }
        _ => None,
    }
}

/// Use of the value that the first step makes.
pub(super) fn of<'t>(stretch: &Stretch<'t>) -> Use<'t> {
    let (trace, calls) = (stretch.trace, stretch.trace.calls());
    let Some(made) = value(stretch) else {
        return Use::default();
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
            if let Some(sum) = added(step, followed) {
                *followed = sum;
            }
        }
        let (Action::Bind {
            variable,
            value: bound,
            ..
        }
        | Action::Let {
            variable,
            value: bound,
            ..
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
        // Names that a derivative introduces mean nothing to a reader.
        let passing =
            matches!(step.action, Action::Let { .. }) && variable.id >= trace.first_introduced;
        if !bound.same(&value) || &*variable.name == "_" || passing {
            continue;
        }
        found = match (next, found) {
            (Some(next), _) => Some(next),
            (None, None) => Some(match step::pattern_of(trace.state(position)) {
                Some(components) => Destination::Components(components),
                None => Destination::Name(variable.clone()),
            }),
            (None, Some(Destination::Rest(clause, None))) => {
                Some(Destination::Rest(clause, Some(variable.clone())))
            }
            (None, found) => found,
        };
    }
    let first = turned(stretch).filter(|run| {
        let cotangent = run.turned_until.as_ref().map(|(_, cotangent)| cotangent);
        cotangent.is_some_and(|kept| calls.same(kept, &made) || calls.same(kept, &value))
    });
    // A value that is only bound to variables may have another purpose.
    if found
        .as_ref()
        .is_none_or(|found| matches!(found, Destination::Name(_) | Destination::Components(_)))
    {
        let awaited = || {
            let mut came = calls.came_back(stretch.from + 1, stretch.to + 1);
            came.find(|record| {
                let arrived = record.cotangent.as_ref().filter(|_| !record.moves);
                arrived.is_some_and(|kept| calls.same(kept, &made) || calls.same(kept, &value))
            })
        };
        let given = || calls.gives(stretch.from + 1, stretch.to + 1, &[&made, &value]);
        let name = found.take().filter(|_| first.is_none() && !ends(stretch));
        found = put(stretch, &value)
            .or_else(|| awaited().map(Destination::Cotangent))
            .or_else(|| input(stretch, &value))
            .or_else(|| given().map(Destination::Given))
            .or(name)
            .or_else(|| only(stretch, &made).map(Destination::Goes));
    }
    Use {
        first,
        destination: found,
    }
}

/// Component of a tuple, if the stretch takes out and needs this component only.
fn only(stretch: &Stretch<'_>, tuple: &Term) -> Option<Term> {
    let trace = stretch.trace;
    let mut taken = (stretch.from + 1..stretch.to).filter_map(|position| {
        let step = trace.step(position)?;
        match &step.action {
            Action::Proj {
                tuple: from,
                result,
                ..
            } if from.same(tuple) && !idle(step, trace.state(position)) => Some(result),
            _ => None,
        }
    });
    let part = taken.next()?;
    taken.next().is_none().then(|| part.clone())
}

/// True if the run of the program ends with the stretch.
pub(super) fn ends(stretch: &Stretch<'_>) -> bool {
    stretch.to == stretch.trace.len() && matches!(stretch.trace.status(), Status::Value(_))
}

/// Destination of a value that a `Put` is about to write.
fn put<'t>(stretch: &Stretch<'_>, value: &Term) -> Option<Destination<'t>> {
    let next = stretch.trace.state(stretch.to);
    let CommandKind::Perform(operation, argument) = next.focus().kind() else {
        return None;
    };
    let (Builtin::Put, location) = operation.heap_access()? else {
        return None;
    };
    // An ordinary handler may have a clause for the `Put`, and write something else.
    let steps = stretch.trace.steps(stretch.to..stretch.trace.len());
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
    match parts.pair() {
        Some((from, taken)) if minus.name() == "minus" && taken.same(value) => {
            let TermKind::Constant(from) = from.kind() else {
                return None;
            };
            let there = next.heap().get(location)?;
            (from.data() == there.data()).then(|| Destination::Change(location.clone()))
        }
        _ => None,
    }
}

/// Destination of the cotangent of the input, if the program ends with this value.
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

/// Destination of a value bound to a variable of a handled run. The value is known from position `known` on.
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
