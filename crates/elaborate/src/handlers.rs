//! Handlers at their uses: the clauses of a named handler and of the handlers that it extends, its arguments evaluated once, and a clause
//! for every operation that reaches it.

use crate::calls::{Instance, returned};
use crate::clauses::Candidate;
use crate::declarations::Callable;
use crate::effects::Performed;
use crate::elaborator::Elaborator;
use crate::faults::{Fault, Help, Wanted, Why};
use crate::names::{Fact, NameKind};
use crate::repair::return_clause;
use crate::scope::Scope;
use crate::shaped::Shaped;
use fletch_calculus::{Clause, OperationRef, OrdinaryHandler, ReturnClause, ReverseHandler};
use fletch_syntax::Span;
use fletch_syntax::tree::{self, ClauseKind, HandlerCall, HandlerDecl, HandlerKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A handler with its parameters bound: its own clauses, then the inherited ones, in order.
pub(crate) struct Resolved<'a> {
    pub(crate) name: Arc<str>,
    /// C; `None` for a handler literal, whose C is determined by its use.
    pub(crate) handled: Option<Shaped>,
    /// D of an ordinary handler.
    pub(crate) result: Option<Shaped>,
    pub(crate) clauses: Vec<Candidate<'a>>,
    pub(crate) span: Span,
}

impl<'a> Elaborator<'a> {
    /// H of `rev handle … with H`, for a command of type `handled` that performs these operations.
    pub(crate) fn reverse_handler(
        &mut self,
        scope: &mut Scope,
        handler: &'a tree::Handler,
        handled: &Shaped,
        operations: &Performed,
        body: Span,
    ) -> Option<ReverseHandler> {
        let resolved = self.resolve(scope, handler, handled)?;
        if resolved.result.is_some() {
            let other = Fault::OtherHandler(resolved.name, false);
            self.report.add(handler.span, other);
            return None;
        }
        let handled = self.handled_type(&resolved, handled, handler.span, body);
        let return_clause = self.return_clause(&resolved, &handled, &handled)?;
        let mut clauses = BTreeMap::new();
        for (operation, calls) in operations {
            if let Some(clause) = self.reverse_clause(&resolved, operation, calls, handler.span) {
                clauses.insert(operation.clone(), clause);
            }
        }
        self.check_reuse(operations, &clauses);
        if clauses.len() != operations.len() || !handled.is_known() {
            return None;
        }
        let ty = handled.ty();
        Some(ReverseHandler {
            name: resolved.name,
            handled: ty.clone(),
            result: ty,
            return_clause,
            clauses,
            origin: self.origin(resolved.span),
        })
    }

    /// H of `handle … with H`, and its result type D.
    pub(crate) fn ordinary_handler(
        &mut self,
        scope: &mut Scope,
        handler: &'a tree::Handler,
        handled: &Shaped,
        operations: &Performed,
        body: Span,
    ) -> Option<(OrdinaryHandler, Shaped)> {
        let resolved = self.resolve(scope, handler, handled)?;
        if resolved.handled.is_some() && resolved.result.is_none() {
            let other = Fault::OtherHandler(resolved.name, true);
            self.report.add(handler.span, other);
            return None;
        }
        let handled = self.handled_type(&resolved, handled, handler.span, body);
        // A handler literal has the result type of its return clause.
        let result = match &resolved.result {
            Some(result) => result.clone(),
            None => self.returned_type(&resolved, &handled)?,
        };
        // A handler around `k • M` needs the operations of the resumed continuation before its clauses are elaborated. So clauses with
        // such a handler are elaborated again until no operation is added.
        let mut outside = Performed::new();
        let computed = self.partial_arguments.len();
        let (return_clause, clauses) = loop {
            let outer = self.effects.enter_clauses(outside.clone());
            let made = self.ordinary_clauses(&resolved, &handled, &result, operations);
            let (found, inside) = self.effects.leave_clauses(outer);
            let made = made?;
            if !inside
                || found
                    .keys()
                    .all(|operation| outside.contains_key(operation))
            {
                for (operation, calls) in found {
                    self.effects.perform(operation, calls);
                }
                break made;
            }
            outside = found;
            self.partial_arguments.truncate(computed);
        };
        if !handled.is_known() || !result.is_known() {
            return None;
        }
        let ordinary = OrdinaryHandler {
            name: resolved.name,
            handled: handled.ty(),
            result: result.ty(),
            return_clause,
            clauses,
            origin: self.origin(resolved.span),
        };
        Some((ordinary, result))
    }

    /// The return clause, and the clauses for these operations. An operation without a clause is performed outside.
    fn ordinary_clauses(
        &mut self,
        resolved: &Resolved<'a>,
        handled: &Shaped,
        result: &Shaped,
        operations: &Performed,
    ) -> Option<(ReturnClause, BTreeMap<OperationRef, Clause>)> {
        let return_clause = self.return_clause(resolved, handled, result)?;
        let mut clauses = BTreeMap::new();
        for (operation, calls) in operations {
            match self.ordinary_clause(resolved, operation, calls, result) {
                Ok(Some(clause)) => {
                    clauses.insert(operation.clone(), clause);
                }
                Ok(None) => self.effects.perform(operation.clone(), calls.clone()),
                Err(()) => return None,
            }
        }
        Some((return_clause, clauses))
    }

    /// C: the declared type, if there is one; the type of the handled command must agree with it.
    fn handled_type(
        &mut self,
        resolved: &Resolved<'a>,
        found: &Shaped,
        use_: Span,
        body: Span,
    ) -> Shaped {
        let Some(declared) = &resolved.handled else {
            return found.clone();
        };
        if !declared.agrees(found) {
            let places = [use_, resolved.span];
            let (declared, found) = (declared.clone(), found.clone());
            let fault = Fault::Handled(resolved.name.clone(), declared, found, places);
            self.report.add(body, fault);
            return Shaped::Unknown;
        }
        declared.clone()
    }

    fn returned_type(&mut self, resolved: &Resolved<'a>, handled: &Shaped) -> Option<Shaped> {
        let (pattern, body, mut scope) = self.find_return(resolved)?;
        let computed = self.partial_arguments.len();
        let (shaped, _) = self.collecting(|elaborator| {
            elaborator.pattern(&mut scope, pattern, handled);
            elaborator.command(&mut scope, body).1
        });
        self.partial_arguments.truncate(computed);
        Some(shaped)
    }

    fn find_return(
        &mut self,
        resolved: &Resolved<'a>,
    ) -> Option<(&'a tree::Pattern, &'a tree::Command, Scope)> {
        let found = resolved
            .clauses
            .iter()
            .find_map(|candidate| match &candidate.clause.node {
                ClauseKind::Return(pattern, body) => Some((
                    pattern,
                    body,
                    candidate.scope.clone(),
                    candidate.clause.span,
                )),
                _ => None,
            });
        match found {
            Some((pattern, body, scope, span)) => {
                self.expansion.see(span);
                Some((pattern, body, scope))
            }
            None => {
                let fault = Fault::NoReturn(resolved.name.clone());
                self.report.add(resolved.span, fault);
                let first = resolved.clauses.first();
                let added = || Some(return_clause(first?.clause.span));
                self.report.repair(resolved.span, added);
                None
            }
        }
    }

    pub(crate) fn return_clause(
        &mut self,
        resolved: &Resolved<'a>,
        handled: &Shaped,
        result: &Shaped,
    ) -> Option<ReturnClause> {
        let (pattern, body, mut scope) = self.find_return(resolved)?;
        let binder = self.pattern(&mut scope, pattern, handled);
        let (command, found) = self.command(&mut scope, body);
        let why = Why::Return(resolved.name.clone());
        if !self.expect(result, &found, returned(body), why) || !found.is_known() {
            return None;
        }
        let (variable, body) = binder.around_clause(self, command, pattern.span);
        Some(ReturnClause { variable, body })
    }

    /// Resolves a handler that is used for a command of this type.
    fn resolve(
        &mut self,
        scope: &mut Scope,
        handler: &'a tree::Handler,
        handled: &Shaped,
    ) -> Option<Resolved<'a>> {
        match &handler.node {
            HandlerKind::Literal(clauses) => {
                // Handlers are typed in the empty environment; constants and indices stay visible.
                let mut inner = scope.clone();
                inner.enter(None);
                self.check_clause_heads(clauses);
                let candidates = clauses.iter().map(|clause| Candidate {
                    clause,
                    scope: inner.clone(),
                });
                Some(Resolved {
                    name: Arc::from("{…}"),
                    handled: None,
                    result: None,
                    clauses: candidates.collect(),
                    span: handler.span,
                })
            }
            HandlerKind::Call(call) => self.resolve_call(scope, call, handled),
        }
    }

    fn resolve_call(
        &mut self,
        scope: &mut Scope,
        call: &'a HandlerCall,
        handled: &Shaped,
    ) -> Option<Resolved<'a>> {
        let Some(decl) = self.handler_declaration(call) else {
            for argument in &call.arguments {
                self.term(scope, argument);
            }
            return None;
        };
        let inner = self.handler_scope(scope, decl, call, handled)?;
        self.expand(&decl.name, call.span, |elaborator| {
            elaborator.resolve_declared(decl, inner)
        })
        .flatten()
    }

    /// Resolves a declared handler in the scope of its parameters.
    pub(crate) fn resolve_declared(
        &mut self,
        decl: &'a HandlerDecl,
        mut inner: Scope,
    ) -> Option<Resolved<'a>> {
        let handled = self.shaped_type(&inner, &decl.handled);
        let result = decl
            .result
            .as_ref()
            .map(|result| self.shaped_type(&inner, result));
        let mut clauses: Vec<Candidate<'a>> = decl
            .clauses
            .iter()
            .map(|clause| Candidate {
                clause,
                scope: inner.clone(),
            })
            .collect();
        let own_return = decl
            .clauses
            .iter()
            .any(|clause| matches!(clause.node, ClauseKind::Return(..)));
        for extended in &decl.extends {
            let base = self.resolve_call(&mut inner, extended, &handled)?;
            if base.result.is_some() != result.is_some() {
                let other = Fault::OtherBase(decl.name.text.clone(), base.name);
                self.report.add(extended.span, other);
                return None;
            }
            let base_handled = base.handled.unwrap_or(Shaped::Unknown);
            if !base_handled.agrees(&handled) && !own_return {
                let name = decl.name.text.clone();
                let inherited = Fault::Inherited(name, handled, base.name, base_handled);
                self.report.add(extended.span, inherited);
                return None;
            }
            clauses.extend(base.clauses);
        }
        Some(Resolved {
            name: decl.name.text.clone(),
            handled: Some(handled),
            result,
            clauses,
            span: decl.name.span,
        })
    }

    fn handler_declaration(&mut self, call: &HandlerCall) -> Option<&'a HandlerDecl> {
        match self.declarations.callables.get(&call.name.text).copied() {
            Some(Callable::Handler(decl)) => Some(decl),
            Some(other) => {
                let fault = Fault::NoHandler(call.name.text.clone(), other.kind());
                self.report.add(call.name.span, fault);
                None
            }
            None => {
                let kinds = [NameKind::Handler];
                let near = self.declarations.nearest(&call.name.text, &kinds, &[]);
                self.unknown(Wanted::Handler, &call.name, Help::near(near));
                None
            }
        }
    }

    /// Scope with the parameters of a handler bound to constants.
    fn handler_scope(
        &mut self,
        scope: &mut Scope,
        decl: &'a HandlerDecl,
        call: &'a HandlerCall,
        handled: &Shaped,
    ) -> Option<Scope> {
        let Instance {
            scope: mut inner,
            seen_in,
            given,
            ..
        } = self.instance(
            scope,
            &decl.name,
            &decl.index_params,
            &decl.params,
            &call.indices,
            &call.arguments,
            Some((&decl.handled, handled)),
            call.span,
        )?;
        let before = self.facts.within(seen_in);
        let mut complete = true;
        for ((param, (term, found)), argument) in decl.params.iter().zip(given).zip(&call.arguments)
        {
            let expected = self.shaped_type(&inner, &param.ty);
            self.facts
                .note(param.name.span, || Fact::Variable(expected.clone()));
            let (name, handler) = (param.name.text.clone(), decl.name.text.clone());
            let why = Why::Parameter(name.clone(), handler.clone());
            let agrees = self.expect(&expected, &found, argument.span, why);
            if !agrees || !found.is_known() || !expected.is_known() {
                complete = false;
                continue;
            }
            if !term.free().is_empty() {
                let place = argument.span;
                let is_backward = self
                    .backward
                    .is_some_and(|around| around.start <= place.start && place.end <= around.end);
                let open = Fault::Open(name, param.name.span, handler, is_backward);
                self.report.add(argument.span, open);
                complete = false;
                continue;
            }
            let binding = self.handler_argument(term, expected, argument.span);
            inner.bind(&param.name, binding);
        }
        self.facts.within(before);
        if !complete {
            // With wrong arguments the clauses are not checked, so mark them as visited.
            self.expansion.see(decl.name.span);
            for clause in &decl.clauses {
                self.expansion.see(clause.span);
            }
            return None;
        }
        Some(inner)
    }
}
