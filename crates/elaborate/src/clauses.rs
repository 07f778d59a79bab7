//! Clauses, instantiated on demand. An operation takes the first of a handler's clauses that matches it, with the clause's indices bound.
//! An operation without a matching clause gets the paper's default.

use crate::calls::{builtin, returned};
use crate::declarations::Callable;
use crate::elaborator::Elaborator;
use crate::faults::{Fault, Help, Wanted, Why};
use crate::handlers::Resolved;
use crate::indices::Mismatch;
use crate::locations::instance_name;
use crate::names::{Calls, Fact, Handled, NameKind, Resolution};
use crate::scope::{Binding, Scope};
use crate::shaped::Shaped;
use fletch_calculus::{Clause, Command, Index, OperationRef, ReverseClause, Term};
use fletch_syntax::Span;
use fletch_syntax::tree::{self, ClauseKind, IndexParam, Name};
use std::sync::Arc;

/// A clause in the scope of its handler's parameters.
#[derive(Clone)]
pub(crate) struct Candidate<'a> {
    pub(crate) clause: &'a tree::Clause,
    pub(crate) scope: Scope,
}

/// A clause that matches an operation, with its indices bound.
pub(crate) struct Match<'a> {
    pub(crate) clause: &'a tree::Clause,
    scope: Scope,
    /// Description of the instance, if the clause is schematic.
    instance: Option<Arc<str>>,
}

impl<'a> Elaborator<'a> {
    /// The clause of a reverse handler for an operation; `None` after a diagnostic.
    pub(crate) fn reverse_clause(
        &mut self,
        resolved: &Resolved<'a>,
        operation: &OperationRef,
        calls: &Calls,
        use_: Span,
    ) -> Option<ReverseClause> {
        let Some(found) = self.matching(resolved, operation) else {
            return (!self.meant(resolved, operation))
                .then(|| self.default_clause(resolved, operation, calls, use_));
        };
        self.instantiated(found, &resolved.name, calls, |elaborator, found| {
            elaborator.reverse_instance(found, operation, &resolved.name)
        })
    }

    /// Elaborates an instance of a clause, which handles the calls `calls`. Operations that the clause performs count once for each of
    /// these calls.
    fn instantiated<T>(
        &mut self,
        found: Match<'a>,
        handler: &Arc<str>,
        calls: &Calls,
        look: impl FnOnce(&mut Self, Match<'a>) -> T,
    ) -> T {
        let clause = found.clause.span;
        let instance = found.instance.clone();
        let reported = self
            .report
            .within(instance.clone().map(|text| (clause, text)));
        let seen = self.facts.within(instance);
        let (result, performed) = self.collecting(|elaborator| look(elaborator, found));
        self.facts.within(seen);
        self.report.within(reported);
        self.facts
            .handle(calls, &Handled::By(handler.clone(), clause));
        for (operation, inner) in performed {
            self.facts.clause_calls(clause, &inner);
            self.effects.perform(operation, inner.repeated(calls));
        }
        result
    }

    fn reverse_instance(
        &mut self,
        found: Match<'a>,
        operation: &OperationRef,
        handler: &Arc<str>,
    ) -> Option<ReverseClause> {
        let ClauseKind::Reverse {
            operation: name,
            forward_pattern,
            forward,
            cotangent,
            saved,
            backward,
            ..
        } = &found.clause.node
        else {
            let other = Fault::OtherClause(handler.clone(), true);
            self.report.add(found.clause.span, other);
            return None;
        };
        let (domain, codomain) = self.operation_types(operation);
        let mut scope = found.scope.clone();
        let binder = self.pattern(&mut scope, forward_pattern, &domain);
        let (forward_command, forward_type) = self.command(&mut scope, forward);
        let (argument, forward_command) =
            binder.around_clause(self, forward_command, forward_pattern.span);
        let saved_type = self.saved_type(&forward_type, &codomain, name, returned(forward));

        let mut scope = found.scope;
        let cotangent_binder = self.pattern(&mut scope, cotangent, &codomain);
        let saved_binder = self.pattern(&mut scope, saved, &saved_type);
        let around = self.backward.replace(backward.span);
        let (backward_command, backward_type) = self.command(&mut scope, backward);
        self.backward = around;
        let why = Why::Backward(operation.clone());
        let agrees = self.expect(&domain, &backward_type, returned(backward), why);
        let (saved, backward_command) =
            saved_binder.around_clause(self, backward_command, saved.span);
        let (cotangent, backward_command) =
            cotangent_binder.around_clause(self, backward_command, cotangent.span);
        let sound =
            saved_type.is_known() && forward_type.is_known() && backward_type.is_known() && agrees;
        sound.then(|| ReverseClause {
            argument,
            forward: forward_command,
            cotangent,
            saved,
            backward: backward_command,
            default: false,
            origin: self.origin(found.clause.span),
        })
    }

    /// D of Qᶠ : B × D.
    fn saved_type(
        &mut self,
        forward: &Shaped,
        codomain: &Shaped,
        operation: &Name,
        span: Span,
    ) -> Shaped {
        match forward {
            Shaped::Unknown => Shaped::Unknown,
            Shaped::Product(parts) => match parts.as_slice() {
                [result, saved] => {
                    let why = Why::Forward(operation.text.clone());
                    if self.expect(codomain, result, span, why) {
                        saved.clone()
                    } else {
                        Shaped::Unknown
                    }
                }
                _ => self.no_pair(forward, span),
            },
            Shaped::Real(_) => self.no_pair(forward, span),
        }
    }

    fn no_pair(&mut self, found: &Shaped, span: Span) -> Shaped {
        self.report.add(span, Fault::NoPair(found.clone()));
        Shaped::Unknown
    }

    /// (x ↦ let y ⇐ Op(x) in ⌊⟨y, 0⟩⌋ | y, z ↦ ⌊0⌋), the clause that the paper lets a handler omit.
    fn default_clause(
        &mut self,
        resolved: &Resolved<'a>,
        operation: &OperationRef,
        calls: &Calls,
        use_: Span,
    ) -> ReverseClause {
        if operation.builtin.is_none() {
            let default = Fault::Default(resolved.name.clone(), operation.clone());
            self.report.add(use_, default);
        }
        self.effects.perform(operation.clone(), calls.clone());
        let at = self.origin(use_);
        let (x, y) = (self.supply.fresh("x"), self.supply.fresh("y"));
        let pair = Term::tuple(vec![Term::variable(&y, at), Term::unit(at)], at);
        let performed = Command::perform(operation.clone(), Term::variable(&x, at), at);
        ReverseClause {
            forward: Command::bind(y, performed, Command::pure(pair, at), at),
            argument: x,
            cotangent: self.supply.fresh("y"),
            saved: self.supply.fresh("z"),
            backward: Command::pure(Term::zero(&operation.domain, at), at),
            default: true,
            origin: at,
        }
    }

    /// The clause of an ordinary handler for an operation; `Ok(None)` if no clause matches, `Err` after a diagnostic.
    pub(crate) fn ordinary_clause(
        &mut self,
        resolved: &Resolved<'a>,
        operation: &OperationRef,
        calls: &Calls,
        result: &Shaped,
    ) -> Result<Option<Clause>, ()> {
        let Some(found) = self.matching(resolved, operation) else {
            return if self.meant(resolved, operation) {
                Err(())
            } else {
                Ok(None)
            };
        };
        self.instantiated(found, &resolved.name, calls, |elaborator, found| {
            elaborator.ordinary_instance(found, operation, result, &resolved.name)
        })
        .map(Some)
    }

    fn ordinary_instance(
        &mut self,
        found: Match<'a>,
        operation: &OperationRef,
        result: &Shaped,
        handler: &Arc<str>,
    ) -> Result<Clause, ()> {
        let ClauseKind::Ordinary {
            continuation,
            pattern,
            body,
            ..
        } = &found.clause.node
        else {
            let other = Fault::OtherClause(handler.clone(), false);
            self.report.add(found.clause.span, other);
            return Err(());
        };
        let (domain, codomain) = self.operation_types(operation);
        let mut scope = found.scope;
        let k = self.supply.fresh_like(&continuation.text);
        self.facts.note(continuation.span, || {
            Fact::Continuation(codomain.clone(), result.clone())
        });
        let binding = Binding::Continuation {
            variable: k.clone(),
            input: codomain,
            output: result.clone(),
        };
        scope.bind(continuation, binding);
        let binder = self.pattern(&mut scope, pattern, &domain);
        let (command, shaped) = self.command(&mut scope, body);
        let why = Why::Clause(handler.clone());
        let agrees = self.expect(result, &shaped, returned(body), why);
        let (argument, command) = binder.around_clause(self, command, pattern.span);
        if !agrees || !shaped.is_known() {
            return Err(());
        }
        Ok(Clause {
            continuation: k,
            argument,
            body: command,
            origin: self.origin(found.clause.span),
        })
    }

    /// True if a clause with a rejected head may be meant for the operation. Such a head names no operation, has the wrong number of
    /// indices, or has an unknown size.
    fn meant(&mut self, resolved: &Resolved<'a>, operation: &OperationRef) -> bool {
        resolved.clauses.iter().any(|candidate| {
            let Some((name, params)) = candidate.clause.node.head() else {
                return false;
            };
            let declared = self.declarations.callables.get(&name.text);
            let known =
                matches!(declared, Some(Callable::Operation(_))) || builtin(&name.text).is_some();
            if !known {
                return operation.builtin.is_none();
            }
            let indices = &operation.indices;
            *name.text == *operation.name
                && (params.len() != indices.len()
                    || matches!(
                        self.bind_indices(&mut candidate.scope.clone(), params, indices, true),
                        Err(Mismatch::Reported)
                    ))
        })
    }

    /// The first clause that matches the operation and its indices.
    pub(crate) fn matching(
        &mut self,
        resolved: &Resolved<'a>,
        operation: &OperationRef,
    ) -> Option<Match<'a>> {
        for candidate in &resolved.clauses {
            let Some((name, params)) = candidate.clause.node.head() else {
                continue;
            };
            if *name.text != *operation.name || params.len() != operation.indices.len() {
                continue;
            }
            let mut scope = candidate.scope.clone();
            if self
                .bind_indices(&mut scope, params, &operation.indices, true)
                .is_ok()
            {
                self.expansion.see(candidate.clause.span);
                let instance = self.seen_in(&operation.name, &operation.indices, params, &scope);
                let before = self.facts.within(instance.clone());
                self.note_indices(&scope, params);
                self.facts.within(before);
                return Some(Match {
                    clause: candidate.clause,
                    scope,
                    instance,
                });
            }
        }
        None
    }

    /// Description of the current instance of a definition or clause with index parameters, for the index of names; `None` without index
    /// parameters.
    pub(crate) fn seen_in(
        &self,
        name: &str,
        indices: &[Index],
        params: &[IndexParam],
        scope: &Scope,
    ) -> Option<Arc<str>> {
        if params.is_empty() {
            return None;
        }
        let text = describe_instance(instance_name(name, indices), params, scope, self.names);
        Some(if self.report.is_lenient() {
            Arc::from(format!("a made-up instance, {text}"))
        } else {
            Arc::from(text)
        })
    }

    /// Checks that clauses name existing operations, with the right number of indices, and that each clause can be reached.
    pub(crate) fn check_clause_heads(&mut self, clauses: &'a [tree::Clause]) {
        let Some(first) = clauses.first() else { return };
        if !self.expansion.check_heads(first.span) {
            return;
        }
        self.check_reachable(clauses);
        for (name, params) in clauses.iter().filter_map(|clause| clause.node.head()) {
            let expected = match self.declarations.callables.get(&name.text) {
                Some(Callable::Operation(decl)) => decl.params.len(),
                _ if builtin(&name.text).is_some() => 1,
                Some(other) => {
                    let fault = Fault::NoOperation(name.text.clone(), other.kind());
                    self.report.add(name.span, fault);
                    continue;
                }
                None => {
                    let (kinds, heap) = ([NameKind::Operation], ["Get", "Put"]);
                    let near = self.declarations.nearest(&name.text, &kinds, &heap);
                    self.unknown(Wanted::Operation, name, Help::near(near));
                    continue;
                }
            };
            if params.len() != expected {
                let given = params.len();
                let count = Fault::ClauseIndices(name.text.clone(), expected, given);
                self.report.add(name.span, count);
            }
        }
    }

    /// Domain and codomain of an operation, with their shapes as declared.
    fn operation_types(&mut self, operation: &OperationRef) -> (Shaped, Shaped) {
        if let Some((access, location)) = operation.heap_access() {
            let contents = Shaped::Real(location.shape());
            return match access {
                fletch_calculus::Builtin::Get => (Shaped::unit(), contents),
                fletch_calculus::Builtin::Put => (contents, Shaped::unit()),
            };
        }
        match self.declarations.callables.get(&operation.name).copied() {
            Some(Callable::Operation(decl)) => {
                let mut scope = Scope::default();
                match self.bind_indices(&mut scope, &decl.params, &operation.indices, false) {
                    Ok(()) | Err(Mismatch::Reported | Mismatch::At(..)) => (
                        self.shaped_type(&scope, &decl.domain),
                        self.shaped_type(&scope, &decl.codomain),
                    ),
                }
            }
            _ => (
                Shaped::of_type(&operation.domain),
                Shaped::of_type(&operation.codomain),
            ),
        }
    }
}

/// `FC[ℓ0] with n = 2, m = 8`
fn describe_instance(
    instance: String,
    params: &[IndexParam],
    scope: &Scope,
    names: &Resolution<'_>,
) -> String {
    let mut sizes = Vec::new();
    for name in params.iter().flat_map(|param| param.node.names()) {
        if let Some(Index::Size(size)) = scope.index(names.index(name)) {
            let part = format!("{} = {size}", name.text);
            if !sizes.contains(&part) {
                sizes.push(part);
            }
        }
    }
    if sizes.is_empty() {
        instance
    } else {
        format!("{instance} with {}", sizes.join(", "))
    }
}
