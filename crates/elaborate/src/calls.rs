//! Calls: operations are performed, definitions expanded with their parameters bound by `let`.

use crate::commands::TypedCommand;
use crate::declarations::Callable;
use crate::elaborator::{Elaborator, Typed, counted, origin};
use crate::miscalled::{called_variable, located, turned};
use crate::names::{Calls, Fact};
use crate::nearest::nearest;
use crate::scope::{Binding, Scope};
use crate::shaped::Shaped;
use crate::sizes::suggest;
use fletch_calculus::{Builtin, Command, Index, Operation, OperationRef, Term, Variable};
use fletch_syntax::tree::{self, Name, OpDecl, Param};
use fletch_syntax::{Diagnostic, Span};
use std::sync::Arc;

/// A definition where it is called.
struct Instance {
    /// Its parameters with the arguments of the call.
    bound: Vec<(Variable, Term)>,
    /// The scope of its body.
    scope: Scope,
    /// Which instance it is, if it is indexed.
    seen_in: Option<Arc<str>>,
}

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
        let function = matches!(callable, Some(Callable::Function(_)))
            || (callable.is_none() && fletch_smooth::is_symbol(&name.text));
        let diagnostic = if function {
            let message = format!(
                "`{}` is a function, and a command is needed here",
                name.text
            );
            Diagnostic::error("F0205", span, message).hint(format!(
                "write `⌊{}(…)⌋`, the command that returns its value",
                name.text
            ))
        } else if let Some(callable) = callable {
            let message = format!(
                "`{}` is {}, and cannot be called as a command",
                name.text,
                callable.describe()
            );
            let diagnostic = Diagnostic::error("F0205", name.span, message);
            match callable {
                Callable::Handler(_) => diagnostic.hint(format!(
                    "it treats the operations of another command: `rev handle(M)⟨x⟩. P with {0}` or `handle P with {0}`",
                    name.text
                )),
                _ => diagnostic,
            }
        } else if let Some(diagnostic) = called_variable(scope, name) {
            diagnostic
        } else {
            let known = self
                .declarations
                .callables
                .iter()
                .filter(|(_, callable)| {
                    matches!(callable, Callable::Operation(_) | Callable::Command(_))
                })
                .map(|(name, _)| &**name)
                .chain(["Get", "Put"]);
            let near = nearest(&name.text, known).map(str::to_owned);
            let message = format!("there is no operation or command `{}`", name.text);
            let diagnostic = Diagnostic::error("F0201", name.span, message);
            if near.is_some() {
                suggest(diagnostic, name.span, near)
            } else {
                diagnostic.hint(format!(
                    "declare it: `op {0} : A ▷ B` if handlers are to say what it does, or `command {0}(…) = …`",
                    name.text
                ))
            }
        };
        self.report.add(diagnostic);
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
            let message = format!(
                "`{}` takes one location, {} given",
                name.text,
                indices.len()
            );
            let hint = match builtin {
                Builtin::Get => "write the location in brackets: `Get[ℓ]()` reads what ℓ holds",
                Builtin::Put => "write the location in brackets: `Put[ℓ](M)` stores M in ℓ",
            };
            let diagnostic = Diagnostic::error("F0301", name.span, message).hint(hint);
            self.report.add(match (builtin, indices, arguments) {
                (Builtin::Get, [], [only]) => match &only.node {
                    tree::TermKind::Variable(location) => {
                        let written = format!("Get[{}]()", location.text);
                        diagnostic.fix(format!("write `{written}`"), span, written)
                    }
                    _ => diagnostic,
                },
                _ => diagnostic,
            });
            return self.rejected_command(span);
        };
        let (argument, found) = self.arguments(scope, arguments, span);
        let location = match self.index(scope, index) {
            Some(Index::Location(location)) => location,
            Some(Index::Size(size)) => {
                let message = format!(
                    "`{}` takes a location, and this is the size {size}",
                    name.text
                );
                self.report
                    .add(Diagnostic::error("F0303", index.span, message));
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
        let given: Vec<Option<Index>> = indices
            .iter()
            .map(|index| self.index(scope, index))
            .collect();
        let Some(given) = given.into_iter().collect::<Option<Vec<Index>>>() else {
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
            self.wrong_arity(&operation, input, arguments.len(), span);
            return self.rejected_command(span);
        }
        let why = format!("`{operation}` takes {input}{}", located(&operation));
        if !input.agrees(&found) {
            let message = format!("expected {input}, found {found}");
            let diagnostic = Diagnostic::error("F0401", place, message).label(place, why);
            self.report.add(match turned(&operation, &found) {
                Some(hint) => diagnostic.hint(hint),
                None => diagnostic,
            });
            // What follows from the mistake is not said.
            return self.rejected_command(span);
        }
        self.expect(input, &found, place, || why);
        if !output.is_known() || !input.is_known() || !found.is_known() {
            return (self.rejected_command(span).0, output);
        }
        self.performs(operation.clone(), Calls::once(name.span, span));
        (Command::perform(operation, argument, origin(span)), output)
    }

    /// An operation that takes nothing and is given something, or the other way round.
    fn wrong_arity(&mut self, operation: &OperationRef, input: &Shaped, given: usize, span: Span) {
        let (message, hint) = if *input == Shaped::unit() {
            (
                format!("`{operation}` takes no argument, {given} given"),
                format!("write `{operation}()`"),
            )
        } else {
            (
                format!("`{operation}` takes a {input}, and no argument is given"),
                format!("write it in the parentheses: `{operation}(…)`"),
            )
        };
        self.report
            .add(Diagnostic::error("F0402", span, message).hint(hint));
    }

    fn call_command(
        &mut self,
        scope: &mut Scope,
        decl: &'a tree::CommandDecl,
        indices: &'a [tree::Index],
        arguments: &'a [tree::Term],
        span: Span,
    ) -> TypedCommand {
        let Some(Instance {
            bound,
            scope: mut inner,
            seen_in,
        }) = self.parameters(
            scope,
            &decl.name,
            &decl.index_params,
            &decl.params,
            indices,
            arguments,
            span,
        )
        else {
            return self.rejected_command(span);
        };
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
        let Some(Instance {
            bound,
            scope: mut inner,
            seen_in,
        }) = self.parameters(
            scope,
            &decl.name,
            &decl.index_params,
            &decl.params,
            indices,
            arguments,
            span,
        )
        else {
            return self.rejected(span);
        };
        if !self.descend(span) {
            self.ascend(1);
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
        self.ascend(1);
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

    /// The body of a definition with the type of its result: the declared one, which sets the shape, held
    /// against the body's.
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
                if expected.agrees(&found) {
                    // Says where the shapes differ.
                    self.expect(&expected, &found, place, || {
                        format!("`{}` is declared to return {expected}", name.text)
                    });
                } else {
                    let message = format!("expected {expected}, found {found}");
                    self.report.add(
                        Diagnostic::error("F0401", place, message)
                            .label(place, format!("this is what `{}` returns", name.text))
                            .label(declared.span, format!("declared to be {expected} here")),
                    );
                }
                if expected.agrees(&found) && found.is_known() {
                    expected
                } else {
                    Shaped::Unknown
                }
            }
        };
        self.facts.note(name.span, || Fact::Result(shaped.clone()));
        (body, shaped)
    }

    /// The parameters of a definition bound to the arguments of a call.
    #[allow(clippy::too_many_arguments)] // The parts of a call and of a declaration.
    fn parameters(
        &mut self,
        scope: &mut Scope,
        name: &'a Name,
        index_params: &'a [tree::IndexParam],
        params: &'a [Param],
        indices: &[tree::Index],
        arguments: &'a [tree::Term],
        span: Span,
    ) -> Option<Instance> {
        let given: Vec<Typed> = arguments
            .iter()
            .map(|argument| self.term(scope, argument))
            .collect();
        let values: Vec<Option<Index>> = indices
            .iter()
            .map(|index| self.index(scope, index))
            .collect();
        let values = values.into_iter().collect::<Option<Vec<Index>>>()?;
        if given.len() != params.len() {
            let message = format!(
                "`{}` takes {}, {} given",
                name.text,
                counted(params.len(), "argument"),
                given.len()
            );
            let diagnostic =
                Diagnostic::error("F0402", span, message).label(name.span, "it is declared here");
            self.report.add(diagnostic);
            return None;
        }
        let mut inner = Scope::default();
        let all = self.call_indices(
            &mut inner,
            name,
            index_params,
            values,
            span,
            |elaborator, scope, unknown| {
                for (param, (_, found)) in params.iter().zip(&given) {
                    elaborator.infer_from_type(scope, unknown, &param.ty, found);
                }
                given.iter().all(|(_, found)| found.is_known())
                    && params
                        .iter()
                        .all(|param| elaborator.resolvable(scope, unknown, &param.ty))
            },
        )?;
        let instance = self.seen_in(&name.text, &all, index_params, &inner);
        let before = self.facts.within(instance.clone());
        self.note_indices(&inner, index_params);
        let mut bound = Vec::with_capacity(params.len());
        for ((param, (term, found)), argument) in params.iter().zip(given).zip(arguments) {
            let expected = self.shaped_type(&inner, &param.ty);
            self.expect(&expected, &found, argument.span, || {
                format!("`{}` of `{}` is a {expected}", param.name.text, name.text)
            });
            self.facts
                .note(param.name.span, || Fact::Variable(expected.clone()));
            let shaped = if expected.agrees(&found) && found.is_known() {
                expected
            } else {
                Shaped::Unknown
            };
            let variable = self.supply.fresh_like(&param.name.text);
            inner.bind(
                &param.name.text,
                Binding::Local {
                    variable: variable.clone(),
                    shaped,
                },
            );
            bound.push((variable, term));
        }
        self.facts.within(before);
        Some(Instance {
            bound,
            scope: inner,
            seen_in: instance,
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

/// Where a chain of `let`s ends: the part of a command that its result comes from.
pub(crate) fn returned(command: &tree::Command) -> Span {
    let mut last = command;
    while let tree::CommandKind::Let(_, _, body) = &last.node {
        last = body;
    }
    last.span
}
