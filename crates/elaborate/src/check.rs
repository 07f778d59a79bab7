//! The check of a whole program: every declaration is checked, and `main` is elaborated.

use crate::calls::returned;
use crate::data::{DataSets, Samples};
use crate::declarations::Callable;
use crate::effects::Performed;
use crate::elaborator::{Elaborator, place};
use crate::faults::Fault;
use crate::files::Files;
use crate::indices::bound_names;
use crate::names::{Fact, Handled, Occurrence, hiding, occurrences, unused};
use crate::performed::performed;
use crate::report::{Finding, Report};
use crate::scope::{Binding, Scope};
use crate::shaped::Shaped;
use crate::table::Table;
use fletch_calculus::{
    Command, CommandKind, OperationRef, Origin, Program, Type, depth, size, typing,
};
use fletch_smooth::Partiality;
use fletch_syntax::{Span, tree};
use std::collections::BTreeSet;

/// The result of elaboration.
#[derive(Debug)]
pub struct Elaboration {
    /// Errors, warnings and hints, sorted by span.
    pub findings: Vec<Finding>,
    /// `main`, if it has a type. It may be run even if the run will meet an unhandled operation.
    pub main: Option<Main>,
    /// Every occurrence of a name in the program, sorted by span, one for each span.
    pub names: Vec<Occurrence>,
}

/// The closed command to run.
#[derive(Debug)]
pub struct Main {
    /// The program of the calculus.
    pub program: Program,
    /// Depth of reverse handlers.
    pub depth: usize,
    /// The size of its typing derivation.
    pub size: usize,
}

/// Checks a program and elaborates its `main`. `source` is read only for text that fixes keep.
pub fn elaborate(program: &tree::Program, source: &str) -> Elaboration {
    elaborated(program, source, None)
}

/// As [`elaborate`], with the files of the program's data sets; any other file is reported as missing.
pub fn elaborate_with_files(program: &tree::Program, source: &str, files: &Files) -> Elaboration {
    elaborated(program, source, Some(files))
}

fn elaborated(program: &tree::Program, source: &str, files: Option<&Files>) -> Elaboration {
    let mut report = Report::of(program);
    let table = Table::of(program, &mut report);
    let mut elaborator = Elaborator::new(&table, report);
    elaborator.files = files;
    let (main, data) = elaborator.everything();
    let predicted = elaborator.predicted(&data);
    for callable in &table.declarations.callable_order {
        match callable {
            Callable::Handler(decl) => elaborator.check_unused_clauses(decl),
            definition => elaborator.check_unused_definition(*definition),
        }
    }
    let names = occurrences(&table.names, &elaborator.facts, &elaborator.dims);
    let mut hints = hiding(&table.names);
    if !elaborator.report.has_mistakes() {
        hints.extend(unused(&table.names, &table.declarations, &predicted));
    }
    for (place, hint) in hints {
        elaborator.report.add(place, hint);
    }
    let mut result = None;
    if let Some((command, ty, span)) = main.filter(|_| elaborator.report.is_runnable()) {
        let fault = match typing::command(&typing::Environment::default(), &command) {
            Ok(derivation) if derivation.ty == ty => {
                result = Some(Main {
                    depth: depth(&command),
                    size: size(&command),
                    program: elaborator.program(command, ty),
                });
                None
            }
            Ok(_) => Some((span, "its type differs from the one computed".to_owned())),
            Err(error) => Some((place(error.origin), error.kind.to_string())),
        };
        if let Some((span, message)) = fault {
            elaborator.report.add(span, Fault::Internal(message));
        }
    }
    Elaboration {
        findings: elaborator.report.into_findings(source),
        main: result,
        names,
    }
}

/// A `main` that has a type: its command, type and span.
type TypedMain = (Command, Type, Span);

impl<'a> Elaborator<'a> {
    /// Elaborates all declarations of a program in a fixed order: `main`, definitions, data sets, items. So the heap has the same cells
    /// with the same numbers whichever command is run: one cell for each location, and for each instance that occurs.
    pub(crate) fn everything(&mut self) -> (Option<TypedMain>, DataSets) {
        self.declare_locations();
        let main = self.declarations.mains.first();
        let main = main.and_then(|main| self.main(main));
        self.definitions();
        (main, self.data_items())
    }

    /// The data sets that predictions take their inputs from, as the spans of their names.
    fn predicted(&mut self, data: &DataSets) -> BTreeSet<Span> {
        let mut predicted = BTreeSet::new();
        for callable in &self.declarations.callable_order {
            let Callable::Predict(decl) = callable else {
                continue;
            };
            let inputs = decl.params.iter();
            let inputs: Vec<Shaped> = inputs
                .map(|param| self.shaped_type(&Scope::default(), &param.ty))
                .collect();
            let fitting = self.declarations.data.iter().filter(|(name, _)| {
                let samples = data.get(*name).and_then(Option::as_ref);
                samples.is_some_and(|samples| samples.begins_with(&inputs))
            });
            predicted.extend(fitting.map(|(_, decl)| decl.name.span));
        }
        predicted
    }

    fn main(&mut self, main: &'a tree::Command) -> Option<TypedMain> {
        self.reading = Partiality::Paper;
        let ((command, shaped), operations) =
            self.collecting(|elaborator| elaborator.whole_command(&mut Scope::default(), main));
        self.reading = Partiality::Total;
        self.at_top_level(&operations);
        if !shaped.is_known() {
            return None;
        }
        let called = |operation: &_| find_call(&command, operation).map_or(main.span, place);
        self.unhandled(&operations, Some(&command), called);
        Some((command, shaped.ty(), main.span))
    }

    /// Records the operations that reach the top level, for the index of names.
    fn at_top_level(&mut self, operations: &Performed) {
        for calls in operations.values() {
            self.facts.handle(calls, &Handled::TopLevel);
        }
    }

    /// Reports the first unhandled operation, at its span. An operation that only a dropped continuation would perform is not reported: a
    /// run never reaches it. For a command without a type (`None`), the report is about the first of `operations`, which may be
    /// performed.
    fn unhandled(
        &mut self,
        operations: &Performed,
        command: Option<&Command>,
        place: impl Fn(&OperationRef) -> Span,
    ) {
        self.at_top_level(operations);
        let mut possible = operations
            .keys()
            .filter(|operation| operation.builtin.is_none());
        let Some(possible) = possible.next().cloned() else {
            return;
        };
        let Some(command) = command else {
            let span = place(&possible);
            return self.report.add(span, Fault::Unhandled(possible));
        };
        let (operation, fault): (_, fn(OperationRef) -> Fault) = match performed(command) {
            None => (Some(possible), Fault::PerhapsUnhandled),
            Some(calls) => {
                let mut calls = calls.into_iter();
                let unhandled = calls.find(|call| call.builtin.is_none());
                (unhandled, Fault::Unhandled)
            }
        };
        if let Some(operation) = operation {
            self.report.add(place(&operation), fault(operation));
        }
    }

    /// Checks definitions without index parameters on their own. Other definitions are checked at their uses, or at a made-up instance.
    pub(crate) fn definitions(&mut self) {
        for (name, _) in self.declarations.dims.values() {
            self.size_name(&Scope::default(), name);
        }
        for callable in &self.declarations.callable_order {
            match callable {
                Callable::Operation(decl) if decl.params.is_empty() => {
                    self.shaped_type(&Scope::default(), &decl.domain);
                    self.shaped_type(&Scope::default(), &decl.codomain);
                }
                Callable::Operation(decl) => {
                    let names = bound_names(&decl.params);
                    for ty in [&decl.domain, &decl.codomain] {
                        self.resolvable(&Scope::default(), &names, ty);
                    }
                }
                Callable::Function(tree::FunDecl { index_params, .. })
                | Callable::Command(tree::CommandDecl { index_params, .. })
                    if index_params.is_empty() =>
                {
                    self.collecting(|elaborator| {
                        elaborator.definition(*callable, Scope::default());
                    });
                }
                Callable::Function(_) | Callable::Command(_) => {}
                Callable::Handler(decl) => {
                    self.check_clause_heads(&decl.clauses);
                }
                Callable::Predict(decl) => {
                    let (command, operations) =
                        self.collecting(|elaborator| elaborator.check_predict(decl));
                    self.unhandled(&operations, command.as_ref(), |_| decl.body.span);
                }
            }
        }
    }

    /// Checks a function or command whose index parameters are bound in `scope`.
    pub(crate) fn definition(&mut self, callable: Callable<'a>, scope: Scope) {
        match callable {
            Callable::Function(decl) => {
                let mut scope = self.parameter_scope(scope, &decl.params);
                self.expand(&decl.name, decl.name.span, |elaborator| {
                    let (body, found) = elaborator.term(&mut scope, &decl.body);
                    let declared = decl.result.as_ref();
                    elaborator.result(&scope, declared, found, decl.body.span, &decl.name, body);
                });
            }
            Callable::Command(decl) => {
                let mut scope = self.parameter_scope(scope, &decl.params);
                self.expand(&decl.name, decl.name.span, |elaborator| {
                    let (body, found) = elaborator.command(&mut scope, &decl.body);
                    let declared = decl.result.as_ref();
                    elaborator.result(
                        &scope,
                        declared,
                        found,
                        returned(&decl.body),
                        &decl.name,
                        body,
                    );
                });
            }
            Callable::Operation(_) | Callable::Handler(_) | Callable::Predict(_) => {}
        }
    }

    pub(crate) fn parameter_scope(&mut self, mut scope: Scope, params: &'a [tree::Param]) -> Scope {
        for param in params {
            let shaped = self.shaped_type(&scope, &param.ty);
            self.facts
                .note(param.name.span, || Fact::Variable(shaped.clone()));
            let variable = self.supply.fresh_like(&param.name.text);
            scope.bind(&param.name, Binding::Local { variable, shaped });
        }
        scope
    }

    pub(crate) fn data_items(&mut self) -> DataSets {
        let data = self.data_sets();
        for (name, decl) in &self.declarations.data {
            if let Some(Some(Samples { shaped, values })) = data.get(name) {
                self.facts.note(decl.name.span, || {
                    Fact::Samples(shaped.clone(), values.len())
                });
            }
        }
        for decl in &self.declarations.trains {
            let (command, operations) =
                self.collecting(|elaborator| elaborator.check_train(decl, &data));
            self.unhandled(&operations, command.as_ref(), |_| decl.body.span);
        }
        for decl in &self.declarations.measures {
            let (command, operations) =
                self.collecting(|elaborator| elaborator.check_measure(decl, &data));
            self.unhandled(&operations, command.as_ref(), |_| decl.body.span);
        }
        data
    }
}

/// First call of an operation in a command or in a clause of one of its handlers.
fn find_call(command: &Command, operation: &OperationRef) -> Option<Origin> {
    match command.kind() {
        CommandKind::Pure(_) | CommandKind::Resume(..) | CommandKind::Handled(_) => None,
        CommandKind::Perform(performed, _) => (performed == operation).then(|| command.origin()),
        CommandKind::Let { bound, body, .. } => {
            find_call(bound, operation).or_else(|| find_call(body, operation))
        }
        CommandKind::Feedback { feedback, .. } => find_call(&feedback.body, operation),
        // Clauses perform their operations outside their handler, whereas the handler may handle the operations of its body.
        CommandKind::RevHandle { body, .. } | CommandKind::Handle { body, .. } => {
            let mut outside = clause_bodies(command).into_iter();
            outside
                .find_map(|clause| find_call(clause, operation))
                .or_else(|| find_call(body, operation))
        }
    }
}

/// The commands in the clauses of a command's handler, in order.
pub(crate) fn clause_bodies(command: &Command) -> Vec<&Command> {
    match command.kind() {
        CommandKind::RevHandle { handler, .. } => {
            let clauses = handler.clauses.values();
            let sides = clauses.flat_map(|clause| [&clause.forward, &clause.backward]);
            sides.chain([&handler.return_clause.body]).collect()
        }
        CommandKind::Handle { handler, .. } => {
            let clauses = handler.clauses.values().map(|clause| &clause.body);
            clauses.chain([&handler.return_clause.body]).collect()
        }
        _ => Vec::new(),
    }
}
