//! Calls: operations are performed; definitions are expanded, with their parameters bound by `let`.

use crate::commands::TypedCommand;
use crate::declarations::Callable;
use crate::elaborator::{Elaborator, Typed};
use crate::faults::{Fault, Help, Wanted, Why};
use crate::names::{Calls, Fact, NameKind};
use crate::scope::{Binding, Scope};
use crate::shaped::Shaped;
use fletch_calculus::{Builtin, Command, Index, Operation, OperationRef, Term, Variable};
use fletch_smooth::is_symbol;
use fletch_syntax::Span;
use fletch_syntax::tree::{self, Name, OpDecl, Param};
use std::sync::Arc;

/// A definition at one of its calls, with its index parameters bound.
pub(crate) struct Instance {
    /// The scope of its body.
    pub(crate) scope: Scope,
    /// Indices of the call.
    pub(crate) indices: Vec<Index>,
    /// Description of the instance, if the definition is indexed.
    pub(crate) seen_in: Option<Arc<str>>,
    /// The elaborated arguments.
    pub(crate) given: Vec<Typed>,
}

/// The scope of a body with all parameters bound, the description of the instance, and the parameters with their arguments.
type Bound = (Scope, Option<Arc<str>>, Vec<(Variable, Term)>);

impl<'a> Elaborator<'a> {
    /// `Op[…](…)` or `R[…](…)`
    pub(crate) fn call(
        &mut self,
        scope: &mut Scope,
        name: &'a Name,
        indices: &'a [tree::Index],
        arguments: &'a [tree::Term],
        span: Span,
    ) -> TypedCommand {
        if let Some(builtin) = builtin(&name.text) {
            return self.heap_access(scope, builtin, name, indices, arguments, span);
        }
        match self.declarations.callables.get(&name.text).copied() {
            Some(Callable::Operation(decl)) => {
                self.call_operation(scope, decl, name, indices, arguments, span)
            }
            Some(Callable::Command(decl)) => {
                self.call_command(scope, decl, indices, arguments, span)
            }
            other => {
                for argument in arguments {
                    self.term(scope, argument);
                }
                self.not_a_command(scope, name, other, span);
                self.rejected_command(span)
            }
        }
    }

    fn not_a_command(
        &mut self,
        scope: &Scope,
        name: &Name,
        callable: Option<Callable<'a>>,
        span: Span,
    ) {
        let function = callable.is_none() && is_symbol(&name.text);
        let kind = match callable {
            Some(callable) => callable.kind(),
            None if function => NameKind::Function,
            None => {
                if let Some(fault) = self.called(scope, name) {
                    return self.report.add(name.span, fault);
                }
                let kinds = [NameKind::Operation, NameKind::Command];
                let heap = ["Get", "Put"];
                let near = self.declarations.nearest(&name.text, &kinds, &heap);
                return self.unknown(Wanted::Call, name, Help::near(near));
            }
        };
        let place = if kind == NameKind::Function {
            span
        } else {
            name.span
        };
        let fault = Fault::NoCommand(name.text.clone(), kind);
        self.report.add(place, fault);
    }

    fn heap_access(
        &mut self,
        scope: &mut Scope,
        builtin: Builtin,
        name: &Name,
        indices: &'a [tree::Index],
        arguments: &'a [tree::Term],
        span: Span,
    ) -> TypedCommand {
        let [index] = indices else {
            let instead = match (builtin, indices, arguments) {
                (Builtin::Get, [], [only]) => match &only.node {
                    tree::TermKind::Variable(location) => {
                        Some((span, format!("Get[{}]()", location.text)))
                    }
                    _ => None,
                },
                _ => None,
            };
            let count = Fault::HeapIndices(builtin, indices.len(), instead);
            self.report.add(name.span, count);
            return self.rejected_command(span);
        };
        let (argument, found) = self.arguments(scope, arguments, span);
        let location = match self.index(scope, index) {
            Some(Index::Location(location)) => location,
            Some(Index::Size(size)) => {
                let fault = Fault::SizeAsLocation(builtin, size);
                self.report.add(index.span, fault);
                return self.rejected_command(span);
            }
            None => return self.rejected_command(span),
        };
        let contents = Shaped::Real(location.shape());
        let (operation, input, output) = match builtin {
            Builtin::Get => (Operation::get(&location), Shaped::unit(), contents),
            Builtin::Put => (Operation::put(&location), contents, Shaped::unit()),
        };
        self.perform(
            operation,
            (argument, found),
            &input,
            output,
            name,
            arguments,
            span,
        )
    }

    fn call_operation(
        &mut self,
        scope: &mut Scope,
        decl: &'a OpDecl,
        name: &Name,
        indices: &'a [tree::Index],
        arguments: &'a [tree::Term],
        span: Span,
    ) -> TypedCommand {
        let (argument, found) = self.arguments(scope, arguments, span);
        let Some(given) = self.indices(scope, indices) else {
            return self.rejected_command(span);
        };
        let mut inner = Scope::default();
        let all = self.call_indices(
            &mut inner,
            &decl.name,
            &decl.params,
            given,
            span,
            |elaborator, scope, unknown| {
                elaborator.infer_from_type(scope, unknown, &decl.domain, &found);
                found.is_known() && elaborator.resolvable(scope, unknown, &decl.domain)
            },
        );
        let Some(all) = all else {
            return self.rejected_command(span);
        };
        let input = self.shaped_type(&inner, &decl.domain);
        let output = self.shaped_type(&inner, &decl.codomain);
        let operation = Arc::new(Operation {
            name: decl.name.text.clone(),
            indices: all,
            domain: input.ty(),
            codomain: output.ty(),
            builtin: None,
        });
        self.perform(
            operation,
            (argument, found),
            &input,
            output,
            name,
            arguments,
            span,
        )
    }

    #[allow(clippy::too_many_arguments)] // The parts of a call, and the operation's types.
    fn perform(
        &mut self,
        operation: OperationRef,
        (argument, found): Typed,
        input: &Shaped,
        output: Shaped,
        name: &Name,
        arguments: &[tree::Term],
        span: Span,
    ) -> TypedCommand {
        self.facts.note(name.span, || {
            Fact::Operation(operation.clone(), input.clone(), output.clone())
        });
        let place = arguments
            .iter()
            .map(|argument| argument.span)
            .reduce(Span::to)
            .unwrap_or(span);
        let unit = Shaped::unit();
        if found.is_known() && (*input == unit) != (found == unit) && !input.agrees(&found) {
            let fault = if *input == unit {
                Fault::NoArgument(operation, arguments.len())
            } else {
                Fault::ArgumentMissing(operation, input.clone())
            };
            self.report.add(span, fault);
            return self.rejected_command(span);
        }
        let why = Why::Argument(operation.clone());
        if !self.expect(input, &found, place, why) {
            // The result type stays unknown, so consequences of this fault are not reported.
            return self.rejected_command(span);
        }
        if !output.is_known() || !input.is_known() || !found.is_known() {
            return (self.rejected_command(span).0, output);
        }
        let calls = Calls::once(name.span, span);
        self.effects.perform(operation.clone(), calls);
        (
            Command::perform(operation, argument, self.origin(span)),
            output,
        )
    }

    fn call_command(
        &mut self,
        scope: &mut Scope,
        decl: &'a tree::CommandDecl,
        indices: &'a [tree::Index],
        arguments: &'a [tree::Term],
        span: Span,
    ) -> TypedCommand {
        let instance = self.instance(
            scope,
            &decl.name,
            &decl.index_params,
            &decl.params,
            indices,
            arguments,
            None,
            span,
        );
        let Some(instance) = instance else {
            return self.rejected_command(span);
        };
        let places = arguments.iter().map(|argument| argument.span);
        let (mut inner, seen_in, bound) =
            self.parameters(&decl.name, &decl.params, instance, places);
        let before = self.facts.within(seen_in);
        let expanded = self.expand(&decl.name, span, |elaborator| {
            let (body, found) = elaborator.command(&mut inner, &decl.body);
            elaborator.result(
                &inner,
                decl.result.as_ref(),
                found,
                returned(&decl.body),
                &decl.name,
                body,
            )
        });
        self.facts.within(before);
        let Some((body, shaped)) = expanded else {
            return self.rejected_command(span);
        };
        let body = bound
            .into_iter()
            .rev()
            .fold(body, |body, (variable, argument)| {
                let at = argument.origin();
                Command::bind(variable, Command::pure(argument, at), body, at)
            });
        (body, shaped)
    }

    pub(crate) fn call_function(
        &mut self,
        scope: &mut Scope,
        decl: &'a tree::FunDecl,
        indices: &[tree::Index],
        arguments: &'a [tree::Term],
        span: Span,
    ) -> Typed {
        let instance = self.instance(
            scope,
            &decl.name,
            &decl.index_params,
            &decl.params,
            indices,
            arguments,
            None,
            span,
        );
        let Some(instance) = instance else {
            return self.rejected(span);
        };
        let places = arguments.iter().map(|argument| argument.span);
        self.function(decl, instance, places, span)
    }

    /// Expands a function at elaborated arguments; `places` are the spans of the arguments.
    pub(crate) fn function(
        &mut self,
        decl: &'a tree::FunDecl,
        instance: Instance,
        places: impl Iterator<Item = Span>,
        span: Span,
    ) -> Typed {
        let (mut inner, seen_in, bound) =
            self.parameters(&decl.name, &decl.params, instance, places);
        if !self.descend(span) {
            self.budget.ascend(1);
            return self.rejected(span);
        }
        let before = self.facts.within(seen_in);
        let expanded = self.expand(&decl.name, span, |elaborator| {
            let (body, found) = elaborator.term(&mut inner, &decl.body);
            elaborator.result(
                &inner,
                decl.result.as_ref(),
                found,
                decl.body.span,
                &decl.name,
                body,
            )
        });
        self.facts.within(before);
        self.budget.ascend(1);
        let Some((body, shaped)) = expanded else {
            return self.rejected(span);
        };
        let body = bound
            .into_iter()
            .rev()
            .fold(body, |body, (variable, argument)| {
                let at = argument.origin();
                Term::bind(variable, argument, body, at)
            });
        (body, shaped)
    }

    /// The body of a definition with the type of its result. A declared type is checked against the type of the body, and determines the
    /// shapes.
    pub(crate) fn result<T>(
        &mut self,
        scope: &Scope,
        declared: Option<&tree::Type>,
        found: Shaped,
        place: Span,
        name: &Name,
        body: T,
    ) -> (T, Shaped) {
        let shaped = match declared {
            None => found,
            Some(declared) => {
                let expected = self.shaped_type(scope, declared);
                let why = Why::Result(name.text.clone(), declared.span);
                if self.expect(&expected, &found, place, why) && found.is_known() {
                    expected
                } else {
                    Shaped::Unknown
                }
            }
        };
        self.facts.note(name.span, || Fact::Result(shaped.clone()));
        (body, shaped)
    }

    /// Binds the parameters of a definition to the arguments of a call; `places` are the spans of the arguments.
    fn parameters(
        &mut self,
        name: &'a Name,
        params: &'a [Param],
        instance: Instance,
        places: impl Iterator<Item = Span>,
    ) -> Bound {
        let Instance {
            scope: mut inner,
            seen_in,
            given,
            ..
        } = instance;
        let before = self.facts.within(seen_in.clone());
        let mut bound = Vec::with_capacity(params.len());
        for ((param, (term, found)), place) in params.iter().zip(given).zip(places) {
            let expected = self.shaped_type(&inner, &param.ty);
            let why = Why::Parameter(param.name.text.clone(), name.text.clone());
            let agrees = self.expect(&expected, &found, place, why);
            self.facts
                .note(param.name.span, || Fact::Variable(expected.clone()));
            let shaped = if agrees && found.is_known() {
                expected
            } else {
                Shaped::Unknown
            };
            let variable = self.supply.fresh_like(&param.name.text);
            inner.bind(
                &param.name,
                Binding::Local {
                    variable: variable.clone(),
                    shaped,
                },
            );
            bound.push((variable, term));
        }
        self.facts.within(before);
        (inner, seen_in, bound)
    }

    /// Elaborates the arguments of a call of a definition, and binds its index parameters. The index parameters of a handler are also
    /// inferred from the type of the handled command.
    #[allow(clippy::too_many_arguments)] // The parts of a call and of a declaration.
    pub(crate) fn instance(
        &mut self,
        scope: &mut Scope,
        name: &Name,
        index_params: &'a [tree::IndexParam],
        params: &'a [Param],
        indices: &[tree::Index],
        arguments: &'a [tree::Term],
        handled: Option<(&tree::Type, &Shaped)>,
        span: Span,
    ) -> Option<Instance> {
        let given = arguments.iter().map(|argument| self.term(scope, argument));
        let given: Vec<Typed> = given.collect();
        let values = self.indices(scope, indices)?;
        self.instance_at(name, index_params, params, values, given, handled, span)
    }

    /// Instance of a definition at elaborated arguments.
    #[allow(clippy::too_many_arguments)] // The parts of a call and of a declaration.
    pub(crate) fn instance_at(
        &mut self,
        name: &Name,
        index_params: &'a [tree::IndexParam],
        params: &'a [Param],
        values: Vec<Index>,
        given: Vec<Typed>,
        handled: Option<(&tree::Type, &Shaped)>,
        span: Span,
    ) -> Option<Instance> {
        if given.len() != params.len() {
            let count = Fault::Arguments(name.clone(), params.len(), given.len());
            self.report.add(span, count);
            return None;
        }
        let mut scope = Scope::default();
        let infer = |elaborator: &mut Self, scope: &mut Scope, unknown: &mut Vec<&str>| {
            for (param, (_, found)) in params.iter().zip(&given) {
                elaborator.infer_from_type(scope, unknown, &param.ty, found);
            }
            if let Some((ty, found)) = handled {
                elaborator.infer_from_type(scope, unknown, ty, found);
            }
            let mut params = params.iter();
            given.iter().all(|(_, found)| found.is_known())
                && handled.is_none_or(|(ty, found)| {
                    found.is_known() && elaborator.resolvable(scope, unknown, ty)
                })
                && params.all(|param| elaborator.resolvable(scope, unknown, &param.ty))
        };
        let all = self.call_indices(&mut scope, name, index_params, values, span, infer)?;
        self.expansion.instantiate(name, &scope);
        let seen_in = self.seen_in(&name.text, &all, index_params, &scope);
        let before = self.facts.within(seen_in.clone());
        self.note_indices(&scope, index_params);
        self.facts.within(before);
        Some(Instance {
            scope,
            indices: all,
            seen_in,
            given,
        })
    }
}

pub(crate) fn builtin(name: &str) -> Option<Builtin> {
    match name {
        "Get" => Some(Builtin::Get),
        "Put" => Some(Builtin::Put),
        _ => None,
    }
}

/// Span of the command at the end of a chain of `let`s, which computes the result.
pub(crate) fn returned(command: &tree::Command) -> Span {
    let mut last = command;
    while let tree::CommandKind::Let(_, _, body) = &last.node {
        last = body;
    }
    last.span
}
