//! A declared command over its parameters: what it denotes is an arrow from their types.

use crate::declarations::{Callable, Declarations};
use crate::elaborator::Elaborator;
use crate::names::NameKind;
use crate::report::Report;
use crate::scope::{Binding, Lookup, Scope};
use fletch_calculus::{Command, Type, Variable};
use fletch_syntax::tree;

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

/// Why a name is not one of a command over its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotOpen {
    /// Nothing has this name.
    Unknown,
    /// It is the name of something else.
    NoCommand(NameKind),
    /// It has index parameters, and nothing calls it, so that its sizes are not known.
    NoInstance,
}

/// The command of this name, of a program that was checked without an error: `main`, or a declared one; one with index
/// parameters where the program first calls it.
///
/// # Errors
/// If there is no such command, or no instance of it.
pub fn open(program: &tree::Program, name: &str) -> Result<Open, NotOpen> {
    let mut report = Report::of(program);
    let declarations = Declarations::collect(program, &mut report);
    let mut elaborator = Elaborator::new(&declarations, report);
    elaborator.declare_locations();
    let main = declarations.mains.first();
    let main = main.map(|main| elaborator.command(&mut Scope::default(), main));
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
    let decl = match declarations.callables.get(name) {
        Some(Callable::Command(decl)) => *decl,
        Some(other) => return Err(NotOpen::NoCommand(other.kind())),
        None => return Err(NotOpen::Unknown),
    };
    elaborator.definitions();
    let scope = match elaborator.expansion.first_instance(name) {
        Some(scope) => scope.clone(),
        None if decl.index_params.is_empty() => Scope::default(),
        None => return Err(NotOpen::NoInstance),
    };
    let mut scope = elaborator.parameter_scope(scope, &decl.params);
    let variables = variables(&scope, &decl.params);
    let (command, shaped) = elaborator.command(&mut scope, &decl.body);
    Ok(Open {
        variables,
        command,
        ty: shaped.ty(),
    })
}

/// The parameters that are bound in a scope, with their types.
pub(crate) fn variables(scope: &Scope, params: &[tree::Param]) -> Vec<(Variable, Type)> {
    let bound = params.iter().filter_map(|param| {
        let Lookup::Found(Binding::Local { variable, shaped }) = scope.variable(&param.name.text)
        else {
            return None;
        };
        Some((variable.clone(), shaped.ty()))
    });
    bound.collect()
}
