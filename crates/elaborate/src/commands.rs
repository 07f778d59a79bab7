//! Elaboration of commands.

use crate::calls::returned;
use crate::elaborator::Elaborator;
use crate::faults::{Fault, Help, Wanted, Why};
use crate::feedback::Written;
use crate::names::Fact;
use crate::repair::{Entrance, product_command};
use crate::scope::{Binding, Lookup, Scope};
use crate::shaped::Shaped;
use fletch_calculus::{Command, CommandKind, Index, Term};
use fletch_smooth::counted;
use fletch_syntax::Span;
use fletch_syntax::tree::{self, Pattern};
use std::sync::Arc;
use tree::CommandKind as Surface;

/// Command of the calculus with the known part of its type.
pub(crate) type TypedCommand = (Command, Shaped);

impl<'a> Elaborator<'a> {
    pub(crate) fn rejected_command(&mut self, span: Span) -> TypedCommand {
        (
            Command::pure(Term::unit(self.origin(span)), self.origin(span)),
            Shaped::Unknown,
        )
    }

    /// Elaborates a command. The type is unknown if a fault was reported.
    pub(crate) fn command(
        &mut self,
        scope: &mut Scope,
        command: &'a tree::Command,
    ) -> TypedCommand {
        let span = command.span;
        if !self.afford(span) || !self.descend(span) {
            self.budget.ascend(1);
            return self.rejected_command(span);
        }
        let result = match &command.node {
            Surface::Error => self.rejected_command(span),
            Surface::Pure(term) => {
                let (term, shaped) = self.term(scope, term);
                (Command::pure(term, self.origin(span)), shaped)
            }
            Surface::Let(..) => self.let_command(scope, command),
            Surface::Call {
                name,
                indices,
                arguments,
            } => self.call(scope, name, indices, arguments, span),
            Surface::RevHandle {
                argument,
                patterns,
                body,
                handler,
            } => self.rev_handle(scope, argument, patterns, body, handler, span),
            Surface::Handle { body, handler } => self.handle(scope, body, handler, span),
            Surface::Iterate {
                variable,
                count,
                argument,
                patterns,
                body,
            } => self.iterate(scope, variable, count, argument, patterns, body, span),
            Surface::Feedback {
                count,
                argument,
                patterns,
                body,
            } => {
                let written = Written {
                    count,
                    argument,
                    patterns,
                    body,
                };
                self.feedback(scope, &written, span)
            }
            Surface::Resume(k, term) => self.resume(scope, k, term, span),
        };
        self.budget.ascend(1);
        result
    }

    fn let_command(&mut self, scope: &mut Scope, command: &'a tree::Command) -> TypedCommand {
        let mark = scope.mark();
        let mut bindings = Vec::new();
        let mut rest = command;
        let mut levels = 0;
        while let Surface::Let(pattern, bound, body) = &rest.node {
            levels += 1;
            if !self.descend(rest.span) {
                self.budget.ascend(levels);
                scope.reset(&mark);
                return self.rejected_command(command.span);
            }
            let (bound, shaped) = self.command(scope, bound);
            let destructuring = self.pattern(scope, pattern, &shaped);
            bindings.push((
                destructuring,
                bound,
                self.origin(rest.span.to(pattern.span)),
            ));
            rest = body;
        }
        let (body, shaped) = self.command(scope, rest);
        scope.reset(&mark);
        self.budget.ascend(levels);
        let command = bindings
            .into_iter()
            .rev()
            .fold(body, |body, (destructuring, bound, at)| {
                let (variable, body) = destructuring.around_command(body);
                Command::bind(variable, bound, body, at)
            });
        (command, shaped)
    }

    fn rev_handle(
        &mut self,
        scope: &mut Scope,
        argument: &'a tree::Term,
        patterns: &'a [Pattern],
        body: &'a tree::Command,
        handler: &'a tree::Handler,
        span: Span,
    ) -> TypedCommand {
        let (argument_term, input) = self.term(scope, argument);
        let mark = scope.mark();
        scope.enter(Entrance::of(argument, patterns));
        let types = self.binder_types(patterns, &input, argument.span);
        let binders: Vec<_> = patterns
            .iter()
            .zip(&types)
            .map(|(pattern, ty)| self.pattern(scope, pattern, ty))
            .collect();
        let ((body_command, handled), operations) =
            self.collecting(|elaborator| elaborator.command(scope, body));
        scope.reset(&mark);
        let at = self.origin(span);
        let mut body_command = body_command;
        let mut variables = Vec::with_capacity(binders.len());
        for (binder, pattern) in binders.into_iter().zip(patterns).rev() {
            let (variable, wrapped) = binder.around_clause(self, body_command, pattern.span);
            variables.insert(0, variable);
            body_command = wrapped;
        }
        let Some(handler) = self.reverse_handler(scope, handler, &handled, &operations, body.span)
        else {
            return self.rejected_command(span);
        };
        if !input.is_known() || !handled.is_known() {
            return self.rejected_command(span);
        }
        self.check_tape(&body_command, &handler);
        let kind = CommandKind::RevHandle {
            argument: argument_term,
            variables: Arc::from(variables),
            body: body_command,
            handler: Arc::new(handler),
        };
        (Command::new(kind, at), input)
    }

    fn handle(
        &mut self,
        scope: &mut Scope,
        body: &'a tree::Command,
        handler: &'a tree::Handler,
        span: Span,
    ) -> TypedCommand {
        let ((body_command, handled), operations) =
            self.collecting(|elaborator| elaborator.command(scope, body));
        let Some((handler, result)) =
            self.ordinary_handler(scope, handler, &handled, &operations, body.span)
        else {
            return self.rejected_command(span);
        };
        if !handled.is_known() {
            return self.rejected_command(span);
        }
        let kind = CommandKind::Handle {
            body: body_command,
            handler: Arc::new(handler),
        };
        (Command::new(kind, self.origin(span)), result)
    }

    /// Unrolls an iteration before the run, as nested lets: let p ⇐ ⌊M⌋ in let p ⇐ P₀ in … P_{k−1}.
    #[allow(clippy::too_many_arguments)] // One per part of the grammar's rule.
    fn iterate(
        &mut self,
        scope: &mut Scope,
        variable: &'a tree::Name,
        count: &'a tree::Size,
        argument: &'a tree::Term,
        patterns: &'a [Pattern],
        body: &'a tree::Command,
        span: Span,
    ) -> TypedCommand {
        let at = self.origin(span);
        let (input, mut shaped) = self.term(scope, argument);
        let Some(count) = self.size(scope, count) else {
            return self.rejected_command(span);
        };
        let mark = scope.mark();
        let mut current = Command::pure(input, self.origin(argument.span));
        let mut rounds = Vec::new();
        let mut levels = 0;
        for round in 0..count {
            levels += 1;
            if !self.descend(span) || !self.afford(span) {
                self.budget.ascend(levels);
                scope.reset(&mark);
                return self.rejected_command(span);
            }
            scope.reset(&mark);
            scope.bind_index(variable, variable.span, Index::Size(round));
            if round == 0 {
                let rounds = format!("the first of {}", counted(count, "round"));
                let before = self.facts.within(Some(Arc::from(rounds)));
                self.facts
                    .note(variable.span, || Fact::Index(Index::Size(round)));
                self.facts.within(before);
            }
            let types = self.binder_types(patterns, &shaped, argument.span);
            let binder = if let [only] = patterns {
                self.pattern(scope, only, types.first().unwrap_or(&Shaped::Unknown))
            } else {
                let span = patterns
                    .iter()
                    .map(|pattern| pattern.span)
                    .reduce(Span::to)
                    .unwrap_or(span);
                let tuple = Pattern::new(tree::PatternKind::Tuple(patterns.to_vec()), span);
                self.pattern(scope, &tuple, &Shaped::product(types))
            };
            let (next, result) = self.command(scope, body);
            let agrees = self.expect(&shaped, &result, returned(body), Why::Iterate);
            if !agrees || !result.is_known() {
                self.budget.ascend(levels);
                scope.reset(&mark);
                return self.rejected_command(span);
            }
            rounds.push((binder, current));
            current = next;
            shaped = result;
        }
        scope.reset(&mark);
        self.budget.ascend(levels);
        let command = rounds
            .into_iter()
            .rev()
            .fold(current, |body, (binder, bound)| {
                let (variable, body) = binder.around_command(body);
                Command::bind(variable, bound, body, at)
            });
        (command, shaped)
    }

    /// Types of the patterns of a binder list, one for each.
    fn binder_types(&mut self, patterns: &[Pattern], input: &Shaped, span: Span) -> Vec<Shaped> {
        if let [_] = patterns {
            return vec![input.clone()];
        }
        match input {
            Shaped::Unknown => vec![Shaped::Unknown; patterns.len()],
            Shaped::Product(types) if types.len() == patterns.len() => types.clone(),
            other => {
                let apart = Fault::BindersApart(patterns.len(), other.clone());
                self.report.add(span, apart);
                vec![Shaped::Unknown; patterns.len()]
            }
        }
    }

    fn resume(
        &mut self,
        scope: &mut Scope,
        k: &tree::Name,
        term: &'a tree::Term,
        span: Span,
    ) -> TypedCommand {
        let (argument, found) = self.term(scope, term);
        match self.lookup(scope, k) {
            Lookup::Found(Binding::Continuation {
                variable,
                input,
                output,
            }) => {
                let (variable, input, output) = (variable.clone(), input.clone(), output.clone());
                let why = Why::Continuation(k.text.clone());
                if !self.expect(&input, &found, term.span, why) {
                    return self.rejected_command(span);
                }
                self.effects.resume();
                (
                    Command::new(CommandKind::Resume(variable, argument), self.origin(span)),
                    output,
                )
            }
            Lookup::Hidden(border) => {
                let hidden = Fault::HiddenContinuation(k.text.clone(), border);
                self.report.add(k.span, hidden);
                self.rejected_command(span)
            }
            Lookup::Found(_) => {
                let fault = Fault::ResumedVariable(k.text.clone());
                self.report.add(k.span, fault);
                let product = || Some(product_command(span, k.span, term.span));
                self.report.repair(k.span, product);
                self.rejected_command(span)
            }
            Lookup::Unknown => {
                self.unknown(Wanted::Continuation, k, Help::Declare);
                self.rejected_command(span)
            }
        }
    }
}
