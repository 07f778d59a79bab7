//! The state of an elaboration: components that each own the data they change, and the operations that involve several components.

use crate::budget::Budget;
use crate::cells::Cells;
use crate::commands::TypedCommand;
use crate::declarations::{Callable, Declarations};
use crate::effects::{Effects, Performed};
use crate::expansion::Expansion;
use crate::faults::{Fault, Why};
use crate::files::Files;
use crate::names::{Facts, NameKind, Resolution};
use crate::report::Report;
use crate::sample;
use crate::scope::{Binding, Lookup, Scope};
use crate::shaped::Shaped;
use crate::table::Table;
use fletch_calculus::{
    Command, EvaluationError, Origin, Part, Program, Supply, Term, TermKind, Type, Value, evaluate,
};
use fletch_smooth::{Applied, Partiality};
use fletch_syntax::Span;
use fletch_syntax::tree::{self, Name};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) struct Elaborator<'a> {
    pub(crate) declarations: &'a Declarations<'a>,
    pub(crate) names: &'a Resolution<'a>,
    pub(crate) report: Report,
    /// Facts about the occurrences of names, for the index of names.
    pub(crate) facts: Facts,
    pub(crate) budget: Budget,
    pub(crate) supply: Supply,
    /// Number of the next node.
    occurrence: u32,
    pub(crate) cells: Cells,
    /// Values of dimensions; `None` for one that was rejected.
    pub(crate) dims: BTreeMap<Arc<str>, Option<usize>>,
    pub(crate) expansion: Expansion<'a>,
    pub(crate) effects: Effects,
    /// Handler arguments of the current command that may be undefined. A run computes them before the command.
    pub(crate) partial_arguments: Vec<Term>,
    /// Span of the command of the backward clause being elaborated.
    pub(crate) backward: Option<Span>,
    /// Default reading of partial symbols in a run of the current command: the paper's reading for `main`, total mode for an item.
    pub(crate) reading: Partiality,
    /// The files of data sets; `None` if nobody has looked for files.
    pub(crate) files: Option<&'a Files>,
}

/// Term of the calculus with the known part of its type.
pub(crate) type Typed = (Term, Shaped);

impl<'a> Elaborator<'a> {
    pub(crate) fn new(table: &'a Table<'a>, report: Report) -> Self {
        Elaborator {
            declarations: &table.declarations,
            names: &table.names,
            report,
            facts: Facts::default(),
            budget: Budget::default(),
            supply: Supply::default(),
            occurrence: 0,
            cells: Cells::default(),
            dims: BTreeMap::new(),
            expansion: Expansion::default(),
            effects: Effects::default(),
            partial_arguments: Vec::new(),
            backward: None,
            reading: Partiality::Total,
            files: None,
        }
    }

    /// Origin of the next node, which is elaborated from this span.
    pub(crate) fn origin(&mut self, span: Span) -> Origin {
        let occurrence = self.occurrence;
        self.occurrence = occurrence.wrapping_add(1);
        let Span { start, end } = span;
        Origin {
            start,
            end,
            occurrence,
        }
    }

    /// Placeholder for a rejected term.
    pub(crate) fn rejected(&mut self, span: Span) -> Typed {
        (Term::unit(self.origin(span)), Shaped::Unknown)
    }

    /// Meaning of a variable in a scope.
    pub(crate) fn lookup<'s>(&self, scope: &'s Scope, name: &Name) -> Lookup<'s> {
        match self.names.variable(name) {
            Some((_, Some(border))) => Lookup::Hidden(border),
            // A rejected binder binds nothing.
            Some((binder, None)) => (scope.binding(binder)).map_or(Lookup::Unknown, Lookup::Found),
            None => Lookup::Unknown,
        }
    }

    /// Fault of calling a name, if the name is a variable or a continuation.
    pub(crate) fn called(&self, scope: &Scope, name: &Name) -> Option<Fault> {
        let found = self.lookup(scope, name);
        let name = name.text.clone();
        match found {
            Lookup::Unknown => None,
            Lookup::Found(Binding::Continuation { .. }) => Some(Fault::CalledContinuation(name)),
            Lookup::Found(_) | Lookup::Hidden(_) => Some(Fault::CalledVariable(name)),
        }
    }

    pub(crate) fn afford(&mut self, span: Span) -> bool {
        self.budget.afford(span, &mut self.report)
    }

    pub(crate) fn descend(&mut self, span: Span) -> bool {
        self.budget.descend(span, &mut self.report)
    }

    /// Runs `body` as the expansion of `name`; `None` if the expansion is circular.
    pub(crate) fn expand<T>(
        &mut self,
        name: &'a Name,
        call: Span,
        body: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        if let Err(circle) = self.expansion.enter(name) {
            if self.expansion.is_new(&circle) {
                let declared = self.declarations.callables.get(&name.text);
                let declared = declared.filter(|callable| callable.name().span == name.span);
                let names = circle.iter().map(|open| open.text.clone());
                let names = names.chain([name.text.clone()]).collect();
                let kind = declared.map_or(NameKind::Dimension, Callable::kind);
                self.report
                    .add(call, Fault::Circular(names, name.span, kind));
            }
            return None;
        }
        let result = body(self);
        self.expansion.leave();
        Some(result)
    }

    /// Runs `body` and collects the operations that it may perform, in a collection of their own.
    pub(crate) fn collecting<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> (T, Performed) {
        self.effects.open();
        let result = body(self);
        (result, self.effects.close())
    }

    /// Program that runs a command on the initial heap.
    pub(crate) fn program(&self, main: Command, ty: Type) -> Program {
        let (locations, initial) = self.cells.contents();
        Program {
            locations: locations.to_vec(),
            initial: initial.to_vec(),
            main,
            ty,
            supply: self.supply.clone(),
        }
    }

    /// Elaborates a command that is run as a whole. A run evaluates the arguments of its handlers first: each argument that may be
    /// undefined gets a `let` around the command, so that every engine stops there.
    pub(crate) fn whole_command(
        &mut self,
        scope: &mut Scope,
        command: &'a tree::Command,
    ) -> TypedCommand {
        // Occurrence numbers start again at 0, so they do not depend on what was elaborated before.
        self.occurrence = 0;
        let around = std::mem::take(&mut self.partial_arguments);
        let (command, shaped) = self.command(scope, command);
        let arguments = std::mem::replace(&mut self.partial_arguments, around);
        let command = arguments.into_iter().rev().fold(command, |body, argument| {
            let at = argument.origin();
            let unused = self.supply.fresh_like(&Arc::from("_"));
            Command::bind(unused, Command::pure(argument, at), body, at)
        });
        (command, shaped)
    }

    /// Value of a term of a sample, in total mode, as in a training; `None` after a diagnostic.
    pub(crate) fn evaluated(&mut self, term: &Term, span: Span) -> Option<Value> {
        let error = match evaluate(term, Partiality::Total, &mut self.supply) {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        self.no_value(error, span);
        None
    }

    /// Binding of a handler parameter. A closed argument is evaluated once, before the run, and the parameter is bound to its value. The
    /// parameter is bound to the argument itself if the argument depends on an open sample, or if it has no value and stops the run.
    pub(crate) fn handler_argument(&mut self, term: Term, shaped: Shaped, span: Span) -> Binding {
        if sample::depends(&term) {
            if is_partial(&term) {
                self.partial_arguments.push(term.clone());
            }
            return Binding::Closed { term, shaped };
        }
        let in_paper = match evaluate(&term, Partiality::Paper, &mut self.supply) {
            Ok(value) => return Binding::Constant { value, shaped },
            Err(error) => error,
        };
        self.partial_arguments.push(term.clone());
        match evaluate(&term, Partiality::Total, &mut self.supply) {
            Ok(value) => {
                if let EvaluationError::Undefined { symbol, reason, .. } = in_paper
                    && self.reading == Partiality::Paper
                {
                    self.report.add(span, Fault::Unread(symbol, reason));
                }
                Binding::Constant { value, shaped }
            }
            Err(error) => {
                self.no_value(error, span);
                Binding::Closed { term, shaped }
            }
        }
    }

    fn no_value(&mut self, error: EvaluationError, span: Span) {
        let fault = match error {
            EvaluationError::Undefined { symbol, reason, .. } => Fault::Undefined(symbol, reason),
            EvaluationError::TooLarge { .. } => Fault::LargeDerivative,
            // Possible only after a reported error.
            EvaluationError::IllTyped { .. } => return,
        };
        self.report.add(span, fault);
    }

    /// Compares two types as far as they are known, and reports a fault if they differ; warns where two matrices of equal
    /// size differ in shape.
    pub(crate) fn expect(
        &mut self,
        expected: &Shaped,
        found: &Shaped,
        span: Span,
        why: Why,
    ) -> bool {
        let agrees = expected.agrees(found);
        if !agrees {
            let (expected, found) = (expected.clone(), found.clone());
            self.report.add(span, Fault::Mistyped(expected, found, why));
        } else if let Some((left, right)) = expected.clash(found) {
            let (left, right) = (left.clone(), right.clone());
            self.report
                .add(span, Fault::Clash(left, right, expected.clone(), why));
        }
        agrees
    }
}

/// True if a term has a symbol that may be undefined.
fn is_partial(term: &Term) -> bool {
    let here = match term.kind() {
        TermKind::Apply(symbol, _) => symbol.is_kept(),
        _ => false,
    };
    here || Part::Term(term).children().any(|part| match part {
        Part::Term(term) => is_partial(term),
        Part::Command(_) => false,
    })
}

/// Span of an origin in the calculus.
pub(crate) fn place(origin: Origin) -> Span {
    Span {
        start: origin.start,
        end: origin.end,
    }
}
