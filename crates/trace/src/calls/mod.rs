//! Record of the handled calls of a run: when each call ran forward, the value it saved, when its cotangent arrived, and the
//! handler's run that it belongs to. The record grows with the trace. The sandwich, the index and the sentences read it.
//!
//! A call that a nested handler meets is code of the outer handler. Its values are known when the outer handler renames their
//! variables and thereby gives them values (RH-let); at the top they are known by a `bind`.

mod naming;
mod ordinary;
mod record;

pub use naming::{called, callee};
pub use ordinary::{Clause, OrdinaryRun};

use ordinary::ActiveClause;

use fletch_calculus::{Call, Called, OrdinaryHandler, Origin, Term, Type, Variable};
use fletch_reduction::{Frame, State};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One handled call. A position is the one before the step concerned, unless said otherwise.
#[derive(Debug)]
pub struct CallRecord {
    /// The call, as reduction made it.
    pub call: Arc<Call>,
    /// Name of the callee for a reader: `FC[ℓ0]`, `swish`, `+`.
    pub name: Arc<str>,
    /// True if the call is a pure term without any function: it only moves values.
    pub moves: bool,
    /// Number of the run that met the call.
    pub run: usize,
    /// The call of a nested handler whose clause contains this call, and which of its clauses.
    pub within: Option<(usize, Pass)>,
    /// Number of the call that the same run met next.
    next: Option<usize>,
    /// The position before the step that meets it.
    pub met_at: usize,
    /// Result of the call, once known.
    pub result: Option<Term>,
    /// Value saved by the forward clause.
    pub saved: Option<Term>,
    /// Names that the backward clause gives to the components of the saved value; empty if it binds none.
    pub saved_names: Vec<Variable>,
    /// Name that the backward clause gives to its cotangent, if any.
    pub cotangent_name: Option<Variable>,
    /// The position from which its backward half is pending.
    pub waits_from: Option<usize>,
    /// The cotangent of its result, once it has arrived.
    pub cotangent: Option<Term>,
    /// The position from which its cotangent is known.
    pub cotangent_at: Option<usize>,
    /// The position from which its backward clause runs.
    pub backward_at: Option<usize>,
    /// The first stop at which the cotangent is propagated back through a called function.
    pub carried_at: Option<usize>,
    /// Cotangents that the backward clause passes to the earlier calls.
    pub contribution: Option<Term>,
    /// The position from which its backward half is done.
    pub done_at: Option<usize>,
    /// The type of the cotangent of its result.
    pub cotangent_type: Option<Type>,
    /// The positions before the heap accesses of its clauses.
    pub accesses: Vec<usize>,
}

impl CallRecord {
    /// True if an operation was called, or a feedback, which has clauses too; false for a function or a pure term.
    pub fn operation(&self) -> bool {
        matches!(self.call.called, Called::Operation(_) | Called::Feedback(_))
    }

    /// The stop whose sentence explains how the backward half begins, if there is such a stop.
    pub fn told(&self) -> Option<usize> {
        match self.operation() {
            true => self.backward_at,
            false => self.carried_at,
        }
    }
}

/// Syntax that directly encloses a `rev handle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    /// None: the `rev handle` is the whole handled command, or the whole program.
    Nothing,
    /// A `let` that binds the result to the variable of this number.
    Let(u32),
    /// A `handle`, by the address of its ordinary handler. A `handle` in a clause of the run has a handler of another address, and
    /// returns before the run is over.
    Handle(usize),
}

impl Around {
    fn of(frame: Option<&Frame>) -> Around {
        match frame {
            Some(Frame::Let { variable, .. }) => Around::Let(variable.id),
            Some(Frame::Handle { handler, .. }) => Around::handled(handler),
            None => Around::Nothing,
        }
    }

    fn handled(by: &Arc<OrdinaryHandler>) -> Around {
        Around::Handle(Arc::as_ptr(by).addr())
    }
}

/// One run of a reverse handler.
#[derive(Debug)]
pub struct ReverseRun {
    /// The handler's name.
    pub handler: Arc<str>,
    /// Origin of the `rev handle`.
    pub origin: Origin,
    /// Origin of the return clause.
    pub return_origin: Origin,
    /// Number of the run whose handler handles this `rev handle`; `None` at the top.
    pub parent: Option<usize>,
    /// Numbers of the runs that it handles, in the order in which they began.
    pub inner: Vec<usize>,
    /// Numbers of its calls, in the order in which they were met.
    pub calls: Vec<usize>,
    /// The position before `rev-handle` or RH-handle.
    pub from: usize,
    /// The position before RH-ret.
    pub turned_at: Option<usize>,
    /// Form of the return clause.
    pub turn: Turn,
    /// Argument of the return clause.
    pub returned: Option<Term>,
    /// The position from which the result of the return clause is known, and that result.
    pub turned_until: Option<(usize, Term)>,
    /// The position from which the enclosing syntax has its result.
    pub done_at: Option<usize>,
    around: Around,
}

/// Form of a return clause, read off its syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The clause computes a value, in training the gradient of a loss: cotangents travel back.
    Gradient {
        /// True for a multiple, as in α · (x − t): then all cotangents have the factor.
        scaled: bool,
    },
    /// The clause returns its argument.
    Same,
    /// The clause performs operations of the program.
    Other,
}

impl Turn {
    /// True if cotangents travel back.
    pub fn is_gradient(self) -> bool {
        matches!(self, Turn::Gradient { .. })
    }
}

/// A pass of a handled call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pass {
    /// The forward clause.
    Forward,
    /// The backward clause.
    Backward,
}

/// Owner of the code that a step runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// No handler: code of the program outside of all handlers.
    Program,
    /// A pass of a call.
    Call(usize, Pass),
    /// The return clause of a run.
    Return(usize),
    /// The handled command of a run, or the equations of RH applied to it.
    Run(usize),
    /// A clause of an ordinary handler.
    Clause(usize),
}

/// Event at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A run of a reverse handler begins.
    Begins(usize),
    /// A call is met; its forward pass begins.
    Forward(usize),
    /// A call's backward clause begins.
    Backward(usize),
    /// The return clause of a run begins.
    Returns(usize),
    /// A run is over.
    Ends(usize),
    /// A run of an ordinary handler begins.
    OrdinaryBegins(usize),
    /// A clause of an ordinary handler begins.
    Clause(usize),
    /// An ordinary handler's return clause begins.
    OrdinaryReturns(usize),
    /// A run of an ordinary handler is over.
    OrdinaryEnds(usize),
}

/// Record of the handled calls of a run.
#[derive(Debug, Default)]
pub struct Calls {
    /// The calls of reverse handlers, in the order in which they were met.
    pub records: Vec<CallRecord>,
    /// The runs of reverse handlers, in the order in which they began.
    pub runs: Vec<ReverseRun>,
    /// The clauses of ordinary handlers, in the order in which they ran.
    pub clauses: Vec<Clause>,
    /// The runs of ordinary handlers, in the order in which they began.
    pub ordinary: Vec<OrdinaryRun>,
    /// Numbers of the runs of ordinary handlers that are not over, innermost last.
    open: Vec<usize>,
    /// Events with their positions, ascending.
    pub events: Vec<(usize, Event)>,
    /// Numbers of the runs at the top, in the order in which they began.
    pub top: Vec<usize>,
    /// Numbers of the runs that are not over, the latest last.
    unended: Vec<usize>,
    /// Positions from which cotangents are known, with the numbers of their calls.
    came_back: Vec<(usize, usize)>,
    /// Positions from which return clauses are done, with the numbers of their runs.
    turned: Vec<(usize, usize)>,
    /// First stops at which a cotangent is propagated back through a function, with the numbers of the calls.
    carried: Vec<(usize, usize)>,
    /// Positions from which backward halves are done, with the numbers of their calls.
    went_back: Vec<(usize, usize)>,
    /// Position and owner of every read and write of the heap.
    accesses: Vec<(usize, Owner)>,
    variables: BTreeMap<u32, Known>,
    /// True if steps were forgotten; they are recomputed when requested.
    pub made_again: bool,
    /// Owner of the operation that an ordinary handler has just passed outwards; the frames around the operation are removed by then.
    passed_on: Option<Owner>,
    /// Active clauses of ordinary handlers, the innermost last.
    active: Vec<ActiveClause>,
}

/// Meaning of the value that a variable is bound to.
#[derive(Clone, Copy, Debug)]
pub enum Known {
    /// The result of a call.
    Result(usize),
    /// The value saved by a call.
    Saved(usize),
    /// The cotangent of a call.
    Cotangent(usize),
    /// The result of the return clause of a run.
    Turn(usize),
    /// The argument with which a clause of an ordinary handler resumes.
    Resumed(usize),
}

/// Maximum number of frames that are searched for the owner of a step.
const FRAMES_LOOKED_AT: usize = 64;

impl Calls {
    /// The events at a position.
    pub fn events_at(&self, position: usize) -> impl Iterator<Item = Event> {
        let from = self.events.partition_point(|(at, _)| *at < position);
        let events = self.events.iter().skip(from);
        events
            .take_while(move |(at, _)| *at == position)
            .map(|(_, event)| *event)
    }

    /// Meaning of this variable's value, if it has one for a reader.
    pub fn known(&self, variable: &Variable) -> Option<Known> {
        self.variables.get(&variable.id).copied()
    }

    /// The heap accesses from position `from` to before `to`, each with its owner.
    pub fn accesses(&self, from: usize, to: usize) -> impl Iterator<Item = (usize, Owner)> {
        let first = self.accesses.partition_point(|(at, _)| *at < from);
        let accesses = self.accesses.iter().skip(first);
        accesses.take_while(move |(at, _)| *at < to).copied()
    }

    /// The calls met from position `from` to before `to`.
    pub fn met(&self, from: usize, to: usize) -> impl Iterator<Item = &CallRecord> {
        let first = self.records.partition_point(|record| record.met_at < from);
        let records = self.records.iter().skip(first);
        records.take_while(move |record| record.met_at < to)
    }

    /// The calls whose cotangents arrive from position `from` to before `to`, in the order of arrival.
    pub fn came_back(&self, from: usize, to: usize) -> impl Iterator<Item = &CallRecord> {
        let first = self.came_back.partition_point(|(at, _)| *at < from);
        let came = self.came_back.iter().skip(first);
        came.take_while(move |(at, _)| *at < to)
            .filter_map(|(_, call)| self.records.get(*call))
    }

    /// True if the value that returns to a call is a cotangent. This always holds for a function; for an operation it holds if the
    /// return clause of its handler computes a gradient.
    pub fn gradient(&self, record: &CallRecord) -> bool {
        let run = self.runs.get(record.run);
        !record.operation() || run.is_none_or(|run| run.turn.is_gradient())
    }

    /// True if `run` is `outer` or is nested in it.
    pub fn is_inside(&self, run: usize, outer: usize) -> bool {
        let mut around = Some(run);
        while let Some(at) = around {
            if at == outer {
                return true;
            }
            around = self.runs.get(at).and_then(|run| run.parent);
        }
        false
    }

    /// True if a term kept by a handled call is the given term of a step. Recomputed steps have terms of their own, so in a trace
    /// that has forgotten steps, terms of equal value are the same.
    pub fn same(&self, kept: &Term, term: &Term) -> bool {
        let equal = || {
            kept.to_value()
                .is_some_and(|value| term.to_value() == Some(value))
        };
        kept.same(term) || self.made_again && equal()
    }

    /// The call whose backward half gives one of these values, from position `from` to before `to`.
    pub fn gives(&self, from: usize, to: usize, values: &[&Term]) -> Option<&CallRecord> {
        let first = self.went_back.partition_point(|(at, _)| *at < from);
        let done = self.went_back.iter().skip(first);
        let mut done = done
            .take_while(|(at, _)| *at < to)
            .filter_map(|(_, call)| self.records.get(*call));
        done.find(|record| {
            let given = record.contribution.as_ref();
            given.is_some_and(|given| values.iter().any(|value| self.same(given, value)))
        })
    }

    /// The run whose return clause is done from position `from` to before `to`.
    pub fn turned(&self, from: usize, to: usize) -> Option<&ReverseRun> {
        let first = self.turned.partition_point(|(at, _)| *at < from);
        let (_, run) = self.turned.get(first).filter(|(at, _)| *at < to)?;
        self.runs.get(*run)
    }

    /// The call of the function that a cotangent is propagated back through at this position.
    pub fn carried(&self, position: usize) -> Option<&CallRecord> {
        let begun = self.carried.partition_point(|(at, _)| *at <= position);
        let (_, call) = self.carried.get(begun.checked_sub(1)?)?;
        let record = self.records.get(*call)?;
        record
            .done_at
            .is_none_or(|done| position < done)
            .then_some(record)
    }

    /// Records the owner of the step from a stop. The first stop in the backward half of a function becomes its `carried_at`.
    pub fn stops(&mut self, position: usize, owner: Owner) {
        if let Owner::Call(at, Pass::Backward) = owner
            && let Some(record) = self.records.get_mut(at)
            && !record.operation()
            && !record.moves
            && record.carried_at.is_none()
            && record.cotangent_at.is_some()
        {
            record.carried_at = Some(position);
            self.carried.push((position, at));
        }
    }

    /// The clauses of ordinary handlers that begin from position `from` to before `to`.
    pub fn clauses_between(&self, from: usize, to: usize) -> impl Iterator<Item = &Clause> {
        let first = self.clauses.partition_point(|clause| clause.met_at < from);
        let clauses = self.clauses.iter().skip(first);
        clauses.take_while(move |clause| clause.met_at < to)
    }

    /// Owner of the heap access from this position; the program, if there is no access.
    pub fn accessor(&self, position: usize) -> Owner {
        let found = self.accesses.binary_search_by_key(&position, |(at, _)| *at);
        let access = found.ok().and_then(|index| self.accesses.get(index));
        access.map_or(Owner::Program, |(_, owner)| *owner)
    }

    /// Name of an owner, such as `FC[ℓ0]` and `backward`.
    pub fn owner_name(&self, owner: Owner) -> Option<(Arc<str>, &'static str)> {
        match owner {
            Owner::Program => None,
            Owner::Call(call, pass) => {
                let pass = match pass {
                    Pass::Forward => "forward",
                    Pass::Backward => "backward",
                };
                Some((self.records.get(call)?.name.clone(), pass))
            }
            Owner::Run(run) => Some((self.runs.get(run)?.handler.clone(), "network")),
            Owner::Return(run) => Some((self.runs.get(run)?.handler.clone(), "return clause")),
            Owner::Clause(clause) => {
                let clause = self.clauses.get(clause)?;
                Some((clause.name.clone(), "clause"))
            }
        }
    }

    /// Owner of the step from this state.
    pub fn owner(&self, state: &State) -> Owner {
        use fletch_calculus::Role;
        if let Some(owner) = self.passed_on {
            return owner;
        }
        let mut depth = state.frames().depth();
        let active = self.active.last();
        for frame in state.frames().iter().take(FRAMES_LOOKED_AT) {
            if let Some(active) = active.filter(|active| depth <= active.outside) {
                return self.of_clause(active.clause, state);
            }
            let call = match frame {
                Frame::Let { role, .. } => match role {
                    Role::Plain => None,
                    Role::Forward(call) => {
                        self.index(call).map(|at| Owner::Call(at, Pass::Forward))
                    }
                    Role::Backward(call) => {
                        self.index(call).map(|at| Owner::Call(at, Pass::Backward))
                    }
                    Role::Continuation(call) => self.index(call).map(|at| self.after(at, state)),
                },
                Frame::Handle { .. } => None,
            };
            if let Some(owner) = call {
                return owner;
            }
            depth -= 1;
        }
        if let Some(active) = active {
            return self.of_clause(active.clause, state);
        }
        match self.top.iter().rev().find_map(|at| {
            let run = self.runs.get(*at)?;
            (run.done_at.is_none()).then_some((*at, run))
        }) {
            Some((at, run)) => self.inside(at, run.calls.first().copied(), state),
            None => Owner::Program,
        }
    }

    /// Owner of a step outside of all passes of calls, while a clause of an ordinary handler runs: a run that began in the clause, or
    /// the clause itself.
    fn of_clause(&self, clause: usize, state: &State) -> Owner {
        let begun = self.clauses.get(clause).map(|clause| clause.met_at);
        let run = self
            .top
            .last()
            .and_then(|at| Some((*at, self.runs.get(*at)?)));
        match run {
            Some((at, run)) if run.done_at.is_none() && Some(run.from) > begun => {
                self.inside(at, run.calls.first().copied(), state)
            }
            _ => Owner::Clause(clause),
        }
    }

    /// Owner of code in the continuation of a call.
    fn after(&self, call: usize, state: &State) -> Owner {
        match self.records.get(call) {
            Some(record) => self.inside(record.run, record.next, state),
            None => Owner::Program,
        }
    }

    /// Owner of a run's code outside of its clauses; `call` is the next call of the run.
    fn inside(&self, run: usize, call: Option<usize>, state: &State) -> Owner {
        use fletch_calculus::CommandKind;
        if let CommandKind::Handled(_) = state.focus().kind() {
            return Owner::Run(run);
        }
        match call.and_then(|at| Some((at, self.records.get(at)?))) {
            Some((at, record)) if record.cotangent_at.is_some() => Owner::Call(at, Pass::Backward),
            Some((at, record)) if record.waits_from.is_none() => Owner::Call(at, Pass::Forward),
            Some((at, _)) => Owner::Call(at, Pass::Backward),
            None => match self.runs.get(run) {
                Some(record) if record.turned_at.is_some() => Owner::Return(run),
                _ => Owner::Run(run),
            },
        }
    }

    /// The number of a call's record.
    fn index(&self, call: &Call) -> Option<usize> {
        match self.variables.get(&call.result.id) {
            Some(Known::Result(index)) => Some(*index),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)] // A failed test is a panic.

    use crate::calls::Owner;
    use crate::cases::{HANDLED, NESTED, run};

    #[test]
    fn a_cotangent_is_carried_through_a_function_from_the_derivative_until_it_is_given_on() {
        let trace = run("main = rev handle(3)⟨x⟩. ⌊sin(x)⌋ with H");
        let calls = trace.calls();
        let record = &calls.records[0];
        let (carried, done) = (record.carried_at.unwrap(), record.done_at.unwrap());
        let rule = trace.step(carried).unwrap().action.rule();
        assert_eq!(rule.name(), "rd");
        assert!(calls.carried(carried - 1).is_none());
        assert_eq!(&*calls.carried(carried).unwrap().name, "sin");
        assert_eq!(&*calls.carried(done - 1).unwrap().name, "sin");
        assert!(calls.carried(done).is_none());
    }

    #[test]
    fn an_access_of_the_heap_is_by_the_innermost_call() {
        let by = |source: &str| {
            let trace = run(source);
            let calls = trace.calls();
            let accesses = calls.accesses(0, trace.len());
            let names = accesses.map(|(_, owner)| {
                let (name, part) = calls.owner_name(owner)?;
                Some(format!("{name} {part}"))
            });
            names.map(Option::unwrap_or_default).collect::<Vec<_>>()
        };
        assert_eq!(by(HANDLED), ["D forward", "D backward"]);
        let inner = ["D forward", "D forward", "D backward", "D backward"];
        assert_eq!(by(NESTED), inner, "not by E");
        assert_eq!(by("main = Get[w]()"), [""], "by the program");
        assert_eq!(run("main = Get[w]()").calls().accessor(0), Owner::Program);
    }

    #[test]
    fn the_value_of_a_function_is_always_a_cotangent_that_of_an_operation_only_behind_a_gradient() {
        let gradient = |clause: &str, main: &str| {
            let trace = run(&format!(
                "handler K : Real(1) {{ x ↦ {clause} D ( x ↦ ⌊⟨x, ()⟩⌋ | y, _ ↦ ⌊y⌋ ) }}
                main = rev handle(3)⟨x⟩. {main} with K"
            ));
            let calls = trace.calls();
            calls.gradient(&calls.records[0])
        };
        assert!(gradient("⌊x − 1⌋", "D(x)"));
        assert!(!gradient("⌊x⌋", "D(x)"));
        assert!(gradient("⌊x⌋", "⌊sin(x)⌋"));
    }
}
