//! A declared command over its parameters. It denotes an arrow from the types of the parameters.

use crate::calls::returned;
use crate::declarations::Callable;
use crate::elaborator::Elaborator;
use crate::names::NameKind;
use crate::report::Report;
use crate::scope::{Binding, Scope};
use crate::table::Table;
use fletch_calculus::{Command, Tensor, Type, Variable};
use fletch_syntax::{Diagnostic, Instance, tree};
use std::sync::Arc;

/// x₁ : A₁, …, xₙ : Aₙ ⊢ P : B
#[derive(Debug)]
pub struct Open {
    /// x₁ : A₁, …, xₙ : Aₙ
    pub variables: Vec<(Variable, Type)>,
    /// P
    pub command: Command,
    /// B
    pub ty: Type,
}

/// The code of the error for an index that nothing determines.
const UNDETERMINED: &str = "F0304";

/// Reason why a name has no command over its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotOpen {
    /// Nothing is declared with this name.
    Unknown,
    /// The name is declared, but is no command.
    NoCommand(NameKind),
    /// The command has index parameters, and no call determines its sizes.
    NoInstance,
}

/// The command `name` of a program that was checked without an error: `main`, or a declared command. A command with index parameters is
/// opened at its first instance, as the program first calls it.
///
/// # Errors
/// If there is no such command, or if the command has index parameters and no call determines its instance.
pub fn open(program: &tree::Program, name: &str) -> Result<Open, NotOpen> {
    let mut report = Report::of(program);
    let table = Table::of(program, &mut report);
    let mut elaborator = Elaborator::new(&table, report);
    elaborator.declare_locations();
    let main = table.declarations.mains.first();
    let main = main.map(|main| elaborator.whole_command(&mut Scope::default(), main));
    if name == "main" {
        let (command, shaped) = main.ok_or(NotOpen::Unknown)?;
        let ty = shaped.ty();
        let variables = Vec::new();
        return Ok(Open {
            variables,
            command,
            ty,
        });
    }
    let decl = match table.declarations.callables.get(name) {
        Some(Callable::Command(decl)) => *decl,
        Some(other) => return Err(NotOpen::NoCommand(other.kind())),
        None => return Err(NotOpen::Unknown),
    };
    elaborator.definitions();
    // Besides `main` and the definitions, `train`, `measure` and `predict` items call commands.
    if elaborator.expansion.first_instance(name).is_none() && !decl.index_params.is_empty() {
        elaborator.data_items();
    }
    let scope = match elaborator.expansion.first_instance(name) {
        Some(scope) => scope.clone(),
        None if decl.index_params.is_empty() => Scope::default(),
        None => return Err(NotOpen::NoInstance),
    };
    let mut scope = elaborator.parameter_scope(scope, &decl.params);
    let variables = variables(&scope, &decl.params);
    let (command, shaped) = elaborator.whole_command(&mut scope, &decl.body);
    Ok(Open {
        variables,
        command,
        ty: shaped.ty(),
    })
}

/// Reason why a command has no instance with the given indices.
#[derive(Debug)]
pub enum NotOpenAt {
    /// The program has no such command.
    Named(NotOpen),
    /// Faults of the indices; spans are in the text that the indices were read from.
    Indices(Vec<Diagnostic>),
    /// Errors of the body with these indices; spans are in the program.
    Body(Vec<Diagnostic>),
}

/// Opens the declared command at the given indices, in a program that was checked without an error.
///
/// # Errors
/// If there is no such command, if the indices do not fit it, or if its body has errors with them.
pub fn open_at(
    program: &tree::Program,
    source: &str,
    instance: &Instance,
) -> Result<Open, NotOpenAt> {
    let mut report = Report::of(program);
    let table = Table::of(program, &mut report);
    let mut elaborator = Elaborator::new(&table, report);
    elaborator.declare_locations();
    let decl = match table.declarations.callables.get(&instance.name.text) {
        Some(Callable::Command(decl)) => *decl,
        Some(other) => return Err(NotOpenAt::Named(NotOpen::NoCommand(other.kind()))),
        None => return Err(NotOpenAt::Named(NotOpen::Unknown)),
    };
    // Warnings of `main` and the definitions are discarded here, so that they do not suppress those of the instance.
    if let Some(main) = table.declarations.mains.first() {
        elaborator.command(&mut Scope::default(), main);
    }
    elaborator.definitions();
    let errors = |elaborator: &mut Elaborator<'_>| -> Vec<Diagnostic> {
        let report = std::mem::replace(&mut elaborator.report, Report::of(program));
        let findings = report.into_findings(source).into_iter();
        let found = findings.map(|finding| finding.diagnostic);
        found.filter(Diagnostic::is_error).collect()
    };
    errors(&mut elaborator);
    let indices = elaborator.indices(&Scope::default(), &instance.indices);
    let span = match (instance.indices.first(), instance.indices.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => instance.name.span,
    };
    let mut scope = Scope::default();
    let mut missing: Option<Arc<str>> = None;
    let given = indices.and_then(|given| {
        let params = &decl.index_params;
        // Sizes cannot be inferred from arguments: the instance has none.
        let infer = |_: &mut Elaborator<'_>, _: &mut Scope, unknown: &mut Vec<&str>| {
            missing = unknown.first().map(|name| Arc::from(*name));
            false
        };
        elaborator.call_indices(&mut scope, &decl.name, params, given, span, infer)
    });
    let Some(given) = given else {
        let mut found = errors(&mut elaborator);
        for error in &mut found {
            // Labels point into the program, but the error is about the text of the indices.
            error.labels.clear();
            error.fix = None;
            error.hint = declared(source, decl);
        }
        if let Some(name) = missing {
            let callee = &decl.name.text;
            let message = format!(
                "the index `{name}` of `{callee}` is not given, and no location determines it"
            );
            let error = Diagnostic::error(UNDETERMINED, span, message);
            found.push(Diagnostic {
                hint: declared(source, decl),
                ..error
            });
        }
        return Err(NotOpenAt::Indices(found));
    };
    let (_, initial) = elaborator.cells.contents();
    let numbers = initial.iter().map(Tensor::len).sum();
    elaborator.budget.start_anew(numbers);
    let seen_in = elaborator.seen_in(&decl.name.text, &given, &decl.index_params, &scope);
    let named = seen_in.map(|text| (decl.name.span, text));
    elaborator.report.within(named);
    let mut scope = elaborator.parameter_scope(scope, &decl.params);
    let variables = variables(&scope, &decl.params);
    let (command, found) = elaborator.whole_command(&mut scope, &decl.body);
    let result = decl.result.as_ref();
    let place = returned(&decl.body);
    let (command, shaped) = elaborator.result(&scope, result, found, place, &decl.name, command);
    let found = errors(&mut elaborator);
    if !found.is_empty() {
        return Err(NotOpenAt::Body(found));
    }
    Ok(Open {
        variables,
        command,
        ty: shaped.ty(),
    })
}

/// Hint that shows how the command's index parameters are declared.
fn declared(source: &str, decl: &tree::CommandDecl) -> Option<String> {
    let name = &decl.name.text;
    Some(
        match (decl.index_params.first(), decl.index_params.last()) {
            (Some(first), Some(last)) => {
                let params = first.span.to(last.span).text(source);
                format!("it is declared as `{name}[{params}]`")
            }
            _ => format!("it is declared without indices: write `{name}`"),
        },
    )
}

/// Variables and types of the parameters that are bound in a scope.
pub(crate) fn variables(scope: &Scope, params: &[tree::Param]) -> Vec<(Variable, Type)> {
    let bound = params.iter().filter_map(|param| {
        let Some(Binding::Local { variable, shaped }) = scope.binding(param.name.span) else {
            return None;
        };
        Some((variable.clone(), shaped.ty()))
    });
    bound.collect()
}
