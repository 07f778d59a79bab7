//! The state of an elaboration.

use crate::declarations::{Callable, Declarations};
use crate::names::{Calls, Facts};
use crate::report::Report;
use crate::shaped::Shaped;
use crate::sizes::SIZE_LIMIT;
use fletch_calculus::{
    EvaluationError, LocationRef, OperationRef, Origin, Supply, Tensor, Term, Value, evaluate,
};
use fletch_smooth::Partiality;
use fletch_syntax::tree::Name;
use fletch_syntax::{Diagnostic, Span};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Definitions are expanded before the run; an expansion that grows beyond this is refused.
const EXPANSION_LIMIT: usize = 200_000;
/// Nested lets, handlers and calls after expansion. Later passes recurse over them.
const DEPTH_LIMIT: usize = 2_000;

/// What is known of a continuation while the clause that may resume it is being looked at.
#[derive(Default)]
struct Resumed {
    /// What it may perform.
    operations: Performed,
    /// The number of collections around and at the clause.
    level: usize,
    /// Whether it is resumed inside another handler.
    inside: bool,
}

pub(crate) struct Elaborator<'a> {
    pub(crate) declarations: &'a Declarations<'a>,
    pub(crate) report: Report,
    pub(crate) supply: Supply,
    pub(crate) locations: Vec<LocationRef>,
    pub(crate) initial: Vec<Tensor>,
    pub(crate) location_numbers: BTreeMap<String, usize>,
    /// Values of dimensions; `None` for one that was rejected.
    pub(crate) dims: BTreeMap<Arc<str>, Option<usize>>,
    /// The operations that the command being looked at may perform, with the places of their calls;
    /// innermost collection last.
    pub(crate) performed: Vec<Performed>,
    /// What was seen at the places of names, for the index of names.
    pub(crate) facts: Facts,
    /// The continuation of the ordinary clause that is being looked at.
    resumed: Resumed,
    /// Definitions being expanded, outermost first.
    pub(crate) expanding: Vec<&'a Name>,
    /// Definitions that have been expanded, by place.
    pub(crate) expanded: BTreeSet<Span>,
    /// Circles that were reported, by the places of their definitions.
    circles: BTreeSet<BTreeSet<Span>>,
    /// Handlers whose clause heads have been checked, by the place of their first clause.
    pub(crate) checked_heads: BTreeSet<Span>,
    /// Clauses that some instance has used, by place.
    pub(crate) used_clauses: BTreeSet<Span>,
    nodes: usize,
    depth: usize,
    numbers: usize,
}

/// The operations that a command may perform, with the places of their calls.
pub(crate) type Performed = BTreeMap<OperationRef, Calls>;

/// A term of the calculus with what is known of its type.
pub(crate) type Typed = (Term, Shaped);

impl<'a> Elaborator<'a> {
    pub(crate) fn new(declarations: &'a Declarations<'a>, report: Report) -> Self {
        Elaborator {
            declarations,
            report,
            supply: Supply::default(),
            locations: Vec::new(),
            initial: Vec::new(),
            location_numbers: BTreeMap::new(),
            dims: BTreeMap::new(),
            performed: vec![Performed::new()],
            facts: Facts::default(),
            resumed: Resumed::default(),
            expanding: Vec::new(),
            expanded: BTreeSet::new(),
            circles: BTreeSet::new(),
            checked_heads: BTreeSet::new(),
            used_clauses: BTreeSet::new(),
            nodes: 0,
            depth: 0,
            numbers: 0,
        }
    }

    /// Stands for something that was rejected.
    pub(crate) fn rejected(&self, span: Span) -> Typed {
        (Term::unit(origin(span)), Shaped::Unknown)
    }

    /// Counts a node; false, with one diagnostic, when there are too many.
    pub(crate) fn afford(&mut self, span: Span) -> bool {
        self.nodes += 1;
        if self.nodes == EXPANSION_LIMIT {
            self.report.add(
                Diagnostic::error(
                    "F0912",
                    span,
                    "the program grows too large when its definitions are expanded",
                )
                .hint("call fewer definitions from definitions, or iterate less often"),
            );
        }
        self.nodes < EXPANSION_LIMIT
    }

    /// Forgets what was counted of a command that is run and gone.
    pub(crate) fn start_anew(&mut self) {
        self.nodes = 0;
        self.numbers = self.initial.iter().map(Tensor::len).sum();
    }

    /// Counts the numbers of a tensor that is about to be made; false, with one diagnostic, when all of the
    /// program's together are too many.
    pub(crate) fn hold(&mut self, numbers: usize, span: Span) -> bool {
        let before = self.numbers;
        self.numbers = before.saturating_add(numbers);
        if self.numbers > SIZE_LIMIT && before <= SIZE_LIMIT {
            let message =
                format!("the tensors of the program together hold more than {SIZE_LIMIT} numbers");
            self.report.add(
                Diagnostic::error("F0911", span, message)
                    .hint("use smaller dimensions, or fewer locations"),
            );
        }
        self.numbers <= SIZE_LIMIT
    }

    /// Goes a level deeper; false, with a diagnostic, when it is too deep. To be followed by [`Self::ascend`].
    pub(crate) fn descend(&mut self, span: Span) -> bool {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            self.report.add(
                Diagnostic::error(
                    "F0913",
                    span,
                    "the program nests too deeply when its definitions are expanded",
                )
                .hint("use fewer nested `let`s, or iterate less often"),
            );
        }
        self.depth <= DEPTH_LIMIT
    }

    pub(crate) fn ascend(&mut self, levels: usize) {
        self.depth = self.depth.saturating_sub(levels);
    }

    /// Runs `body` while `name` is being expanded, unless that is circular.
    pub(crate) fn expand<T>(
        &mut self,
        name: &'a Name,
        call: Span,
        body: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        if let Some(position) = self
            .expanding
            .iter()
            .position(|open| open.span == name.span)
        {
            let cycle: Vec<&'a Name> = self.expanding.iter().skip(position).copied().collect();
            self.circular(&cycle, name, call);
            return None;
        }
        self.expanded.insert(name.span);
        self.expanding.push(name);
        let result = body(self);
        self.expanding.pop();
        Some(result)
    }

    /// Reports a circle of definitions, once, wherever it was entered.
    fn circular(&mut self, cycle: &[&'a Name], name: &Name, call: Span) {
        let mut circle = BTreeSet::new();
        circle.extend(cycle.iter().map(|open| open.span));
        if !self.circles.insert(circle) {
            return;
        }
        let names: Vec<&str> = cycle
            .iter()
            .map(|open| &*open.text)
            .chain([&*name.text])
            .collect();
        let message = format!(
            "the definition of `{}` is circular: {}",
            name.text,
            names.join(" → ")
        );
        let diagnostic = Diagnostic::error("F0203", call, message)
            .label(name.span, "declared here")
            .hint(self.circular_hint(name));
        // It is an error wherever it was found.
        let lenient = self.report.leniently(false);
        self.report.add(diagnostic);
        self.report.leniently(lenient);
    }

    /// What to do about a circle through `name`, by what it is the name of.
    fn circular_hint(&self, name: &Name) -> &'static str {
        match self.declarations.callables.get(&name.text) {
            Some(callable) if callable.name().span == name.span => match callable {
                Callable::Command(_) | Callable::Predict(_) => {
                    "a call is replaced by the command's body before the run, so it cannot call itself; `iterate[i : n](x)⟨x⟩. P` does P n times"
                }
                Callable::Function(_) => {
                    "a call is replaced by the function's body before the run, so it cannot call itself; write the steps out, or repeat them in a command with `iterate`"
                }
                Callable::Handler(_) => {
                    "a handler has its own clauses, then those of the handlers it extends: `extends` must come to an end"
                }
                Callable::Operation(_) => "an operation is declared by its types alone",
            },
            _ => {
                "each dimension is computed once, from numbers and other dimensions: give one of them a number"
            }
        }
    }

    /// Notes that an operation may be performed here, by these calls.
    pub(crate) fn performs(&mut self, operation: OperationRef, calls: Calls) {
        if let Some(collection) = self.performed.last_mut() {
            match collection.entry(operation) {
                Entry::Vacant(entry) => {
                    entry.insert(calls);
                }
                Entry::Occupied(mut entry) => entry.get_mut().extend(&calls),
            }
        }
    }

    /// A continuation is resumed here: what it may perform, it performs here.
    pub(crate) fn resumes(&mut self) {
        if self.performed.len() > self.resumed.level {
            self.resumed.inside = true;
        }
        for (operation, calls) in self.resumed.operations.clone() {
            self.performs(operation, calls);
        }
    }

    /// The same as `collecting`, with what the continuation of `body` may perform; also says whether `body`
    /// resumes it inside another handler.
    pub(crate) fn resuming<T>(
        &mut self,
        operations: Performed,
        body: impl FnOnce(&mut Self) -> T,
    ) -> (T, Performed, bool) {
        let resumed = Resumed {
            operations,
            level: self.performed.len() + 1,
            inside: false,
        };
        let outer = std::mem::replace(&mut self.resumed, resumed);
        let (result, found) = self.collecting(body);
        let inside = std::mem::replace(&mut self.resumed, outer).inside;
        (result, found, inside)
    }

    /// The operations that `body` may perform, apart from those noted so far.
    pub(crate) fn collecting<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> (T, Performed) {
        self.performed.push(Performed::new());
        let result = body(self);
        (result, self.performed.pop().unwrap_or_default())
    }

    /// The value of a closed term that is computed once, before the run.
    pub(crate) fn evaluated(&mut self, term: &Term, span: Span) -> Option<Value> {
        let diagnostic = match evaluate(term, Partiality::Paper, &mut self.supply) {
            Ok(value) => return Some(value),
            Err(EvaluationError::Undefined { symbol, reason, .. }) => {
                let message = format!("`{symbol}` is undefined here: {reason}");
                Diagnostic::error("F0601", span, message).hint(
                    "arguments of handlers and samples of data sets are computed before the run",
                )
            }
            Err(EvaluationError::TooLarge { .. }) => {
                let message = "a reverse derivative in this term is too large to be written out";
                Diagnostic::error("F0605", span, message)
            }
            // Only after an error that was reported.
            Err(EvaluationError::IllTyped { .. }) => return None,
        };
        self.report.add(diagnostic);
        None
    }

    /// Reports unless both types agree; warns where two matrices of equal size differ in shape.
    pub(crate) fn expect(
        &mut self,
        expected: &Shaped,
        found: &Shaped,
        span: Span,
        why: impl FnOnce() -> String,
    ) {
        if !expected.agrees(found) {
            let message = format!("expected {expected}, found {found}");
            self.report
                .add(Diagnostic::error("F0401", span, message).label(span, why()));
        } else if let Some((left, right)) = expected.clash(found) {
            let message = format!(
                "a {right} matrix is used as a {left} matrix: the sizes agree, the shapes differ"
            );
            let diagnostic = Diagnostic::warning("F0305", span, message).label(span, why()).hint(
                "transpose it, or write `reshape[m, n](…)` if the entries are meant as they stand",
            );
            self.report.add(diagnostic);
        }
    }
}

/// The place as the calculus keeps it.
pub(crate) fn origin(span: Span) -> Origin {
    Origin {
        start: span.start,
        end: span.end,
    }
}

/// `1 argument`, `2 arguments`
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}
