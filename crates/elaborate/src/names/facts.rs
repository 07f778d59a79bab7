//! Facts that the elaboration finds about occurrences of names. The facts of the first instance are kept: a definition expanded again, or
//! a clause instantiated again, adds none.

use crate::shaped::Shaped;
use fletch_calculus::{Index, LocationRef, OperationRef};
use fletch_syntax::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Fact about an occurrence of a name.
#[derive(Clone, Debug)]
pub(crate) enum Fact {
    /// At a binder: the type of the variable.
    Variable(Shaped),
    /// At a binder: B ⇝ D.
    Continuation(Shaped, Shaped),
    /// At an index parameter: the index bound to it.
    Index(Index),
    /// At the declaration of a command or function: the type of its result.
    Result(Shaped),
    /// At the declaration of a data set: the type of a sample, and their number.
    Samples(Shaped, usize),
    /// At a call of an operation: the instance and its types.
    Operation(OperationRef, Shaped, Shaped),
    /// At an occurrence of a location: the cell.
    Location(LocationRef),
    /// At an application of a function symbol: the types of argument and result.
    Symbol(Shaped, Shaped),
}

impl Fact {
    fn is_known(&self) -> bool {
        match self {
            Fact::Variable(shaped) | Fact::Result(shaped) | Fact::Samples(shaped, _) => {
                shaped.is_known()
            }
            Fact::Continuation(input, output) | Fact::Symbol(input, output) => {
                input.is_known() && output.is_known()
            }
            Fact::Operation(..) | Fact::Index(_) | Fact::Location(_) => true,
        }
    }
}

/// A fact, with the instance of a definition or clause that it holds in.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) fact: Fact,
    pub(crate) instance: Option<Arc<str>>,
}

/// Handler of an operation call.
#[derive(Clone, Debug)]
pub(crate) enum Handled {
    /// The clause at this span, of the handler with this name.
    By(Arc<str>, Span),
    /// No handler: the operation reaches the top level.
    TopLevel,
}

/// All facts, by span.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    seen: BTreeMap<Span, Seen>,
    handled: BTreeMap<Span, Handled>,
    /// All indices of each call that omits some of them, by the start of the call.
    completed: BTreeMap<u32, Vec<Index>>,
    /// Calls that each clause makes, by the span of the clause.
    calls: BTreeMap<Span, BTreeSet<Span>>,
    /// Instance being elaborated.
    instance: Option<Arc<str>>,
}

impl Facts {
    /// Records a fact at a span, unless a fact with known types is recorded there.
    pub(crate) fn note(&mut self, place: Span, fact: impl FnOnce() -> Fact) {
        let known = self
            .seen
            .get(&place)
            .is_some_and(|seen| seen.fact.is_known());
        if known {
            return;
        }
        let seen = Seen {
            fact: fact(),
            instance: self.instance.clone(),
        };
        self.seen.insert(place, seen);
    }

    pub(crate) fn at(&self, place: Span) -> Option<&Seen> {
        self.seen.get(&place)
    }

    /// Records all indices of a call that omits some of them. In an instance of a definition nothing is recorded: the next instance may
    /// have other indices.
    pub(crate) fn complete(&mut self, call: Span, all: impl FnOnce() -> Vec<Index>) {
        if self.instance.is_none() {
            self.completed.entry(call.start).or_insert_with(all);
        }
    }

    /// All indices of the call that starts at a name, if the call omits some of them.
    pub(crate) fn completed(&self, name: Span) -> Option<&[Index]> {
        self.completed.get(&name.start).map(Vec::as_slice)
    }

    /// Sets the instance for later facts; returns the previous one.
    pub(crate) fn within(&mut self, instance: Option<Arc<str>>) -> Option<Arc<str>> {
        std::mem::replace(&mut self.instance, instance)
    }

    /// Records the handler of the operation in these calls.
    pub(crate) fn handle(&mut self, calls: &Calls, handled: &Handled) {
        for place in &calls.places {
            self.handled
                .entry(*place)
                .or_insert_with(|| handled.clone());
        }
    }

    /// Records that a clause makes these calls.
    pub(crate) fn clause_calls(&mut self, clause: Span, calls: &Calls) {
        self.calls.entry(clause).or_default().extend(&calls.places);
    }

    /// The handlers of the call at a span, in words: `handled by H_AE, what that performs by H_MLP`.
    pub(crate) fn handling(&self, place: Span) -> Option<String> {
        match self.handled.get(&place)? {
            Handled::TopLevel => Some("performed at the top level".to_owned()),
            Handled::By(handler, clause) => {
                let mut outer: Vec<&str> = Vec::new();
                for call in self.calls.get(clause).into_iter().flatten() {
                    if let Some(Handled::By(name, _)) = self.handled.get(call)
                        && !outer.contains(&&**name)
                    {
                        outer.push(name);
                    }
                }
                Some(if outer.is_empty() {
                    format!("handled by {handler}")
                } else {
                    format!(
                        "handled by {handler}, what that performs by {}",
                        outer.join(", ")
                    )
                })
            }
        }
    }
}

/// Spans of the calls of one operation.
#[derive(Clone, Debug)]
pub(crate) struct Calls {
    /// The operation's name in each call.
    pub(crate) places: BTreeSet<Span>,
    /// The first call.
    pub(crate) first: Span,
    /// The second call; equal to `first` if the first call runs twice.
    pub(crate) second: Option<Span>,
}

impl Calls {
    /// No calls, for a clause that is elaborated without any call of it.
    pub(crate) fn none(place: Span) -> Calls {
        Calls {
            places: BTreeSet::new(),
            first: place,
            second: None,
        }
    }

    /// One call, whose name has the span `name`.
    pub(crate) fn once(name: Span, call: Span) -> Calls {
        Calls {
            places: BTreeSet::from([name]),
            first: call,
            second: None,
        }
    }

    /// Appends later calls.
    pub(crate) fn extend(&mut self, later: &Calls) {
        self.second = self.second.or(Some(later.first));
        self.places.extend(&later.places);
    }

    /// Marks these calls as run more than once.
    pub(crate) fn run_twice(mut self) -> Calls {
        self.second = self.second.or(Some(self.first));
        self
    }

    /// Marks these calls as run more than once if their caller is called more than once.
    pub(crate) fn repeated(mut self, caller: &Calls) -> Calls {
        if caller.second.is_some() {
            self.second = self.second.or(Some(self.first));
        }
        self
    }
}
