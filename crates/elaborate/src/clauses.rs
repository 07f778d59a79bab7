//! Clauses, instantiated on demand: the first of a handler's clauses that matches an operation is
//! taken, a clause's indices bound; an operation without one gets the paper's default.

use crate::calls::{builtin, returned};
use crate::declarations::Callable;
use crate::elaborator::{Elaborator, counted, origin};
use crate::handlers::Resolved;
use crate::indices::Misfit;
use crate::locations::instance_name;
use crate::names::{Calls, Fact, Handled};
use crate::scope::{Binding, Scope};
use crate::shaped::Shaped;
use fletch_calculus::{Clause, Command, Index, OperationRef, ReverseClause, Term};
use fletch_syntax::tree::{self, ClauseKind, IndexParam, Name};
use fletch_syntax::{Diagnostic, Span};
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
    instance: String,
    /// The same for the index of names, if the clause is schematic.
    seen_in: Option<Arc<str>>,
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
            // A clause whose head is wrong was meant for it, and was reported.
            let meant = resolved
                .clauses
                .iter()
                .any(|candidate| wrong_head(candidate, operation));
            return (!meant).then(|| self.default_clause(resolved, operation, calls, use_));
        };
        self.instantiated(found, &resolved.name, calls, |elaborator, found| {
            elaborator.reverse_instance(found, operation, &resolved.name)
        })
    }

    /// Looks at an instance of a clause, which is what these calls get: what it calls is called as often.
    fn instantiated<T>(
        &mut self,
        found: Match<'a>,
        handler: &Arc<str>,
        calls: &Calls,
        look: impl FnOnce(&mut Self, Match<'a>) -> T,
    ) -> T {
        let clause = found.clause.span;
        let instance = Some((clause, found.instance.clone()));
        let reported = self.report.within(instance);
        let seen = self.facts.within(found.seen_in.clone());
        let (result, performed) = self.collecting(|elaborator| look(elaborator, found));
        self.facts.within(seen);
        self.report.within(reported);
        self.facts
            .handle(calls, &Handled::By(handler.clone(), clause));
        for (operation, inner) in performed {
            self.facts.clause_calls(clause, &inner);
            self.performs(operation, inner.repeated(calls));
        }
        result
    }

    fn reverse_instance(
        &mut self,
        found: Match<'a>,
        operation: &OperationRef,
        handler: &str,
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
            self.wrong_kind(found.clause, handler, "reverse");
            return None;
        };
        let (domain, codomain) = self.operation_types(operation);
        let mut scope = found.scope.clone();
        let binder = self.pattern(&mut scope, forward_pattern, &domain);
        let (forward_command, forward_type) = self.command(&mut scope, forward);
        let (argument, forward_command) =
            binder.around_clause(self, forward_command, origin(forward_pattern.span));
        let saved_type = self.saved_type(&forward_type, &codomain, name, returned(forward));

        let mut scope = found.scope;
        let cotangent_binder = self.pattern(&mut scope, cotangent, &codomain);
        let saved_binder = self.pattern(&mut scope, saved, &saved_type);
        let (backward_command, backward_type) = self.command(&mut scope, backward);
        self.expect(&domain, &backward_type, returned(backward), || {
            format!(
                "a backward clause gives the cotangent of the argument of `{operation}`, {domain}"
            )
        });
        let (saved, backward_command) =
            saved_binder.around_clause(self, backward_command, origin(saved.span));
        let (cotangent, backward_command) =
            cotangent_binder.around_clause(self, backward_command, origin(cotangent.span));
        let sound = saved_type.is_known()
            && forward_type.is_known()
            && backward_type.is_known()
            && domain.agrees(&backward_type);
        sound.then(|| ReverseClause {
            argument,
            forward: forward_command,
            cotangent,
            saved,
            backward: backward_command,
            default: false,
            origin: origin(found.clause.span),
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
                    self.expect(codomain, result, span, || {
                        format!(
                            "the first component is the result of `{}`, {codomain}",
                            operation.text
                        )
                    });
                    if result.agrees(codomain) {
                        saved.clone()
                    } else {
                        Shaped::Unknown
                    }
                }
                _ => {
                    let message = format!(
                        "a forward clause gives a pair of result and saved value, and this has {}",
                        counted(parts.len(), "component")
                    );
                    self.report.add(
                        Diagnostic::error("F0504", span, message)
                            .hint("save several things as one tuple: `⟨result, ⟨a, b⟩⟩`"),
                    );
                    Shaped::Unknown
                }
            },
            Shaped::Real(_) => {
                let message = format!(
                    "a forward clause gives a pair of result and saved value, and this is a {forward}"
                );
                self.report.add(
                    Diagnostic::error("F0504", span, message)
                        .hint("save what the backward clause needs as the second component: `⌊⟨result, saved⟩⌋`; if it needs nothing, `()`"),
                );
                Shaped::Unknown
            }
        }
    }

    /// (x ↦ let y ⇐ Op(x) in ⌊⟨y, 0⟩⌋ | y, z ↦ ⌊0⌋), as the paper omits clauses.
    fn default_clause(
        &mut self,
        resolved: &Resolved<'a>,
        operation: &OperationRef,
        calls: &Calls,
        use_: Span,
    ) -> ReverseClause {
        if operation.builtin.is_none() {
            let message = format!(
                "`{}` has no clause for `{operation}`: the default cuts the gradient",
                resolved.name
            );
            let indices = if operation.indices.is_empty() {
                ""
            } else {
                "[…]"
            };
            let hint = format!(
                "the default performs `{operation}` outside and sends 0 back, so nothing before it learns; a clause `{}{indices} ( x ↦ … | y, z ↦ … )` says otherwise",
                operation.name
            );
            self.report
                .add(Diagnostic::warning("F0505", use_, message).hint(hint));
        }
        self.performs(operation.clone(), calls.clone());
        let at = origin(use_);
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

    /// The clause of an ordinary handler; `Ok(None)` if it has none, `Err` after a diagnostic.
    pub(crate) fn ordinary_clause(
        &mut self,
        resolved: &Resolved<'a>,
        operation: &OperationRef,
        calls: &Calls,
        result: &Shaped,
    ) -> Result<Option<Clause>, ()> {
        let Some(found) = self.matching(resolved, operation) else {
            return Ok(None);
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
        handler: &str,
    ) -> Result<Clause, ()> {
        let ClauseKind::Ordinary {
            continuation,
            pattern,
            body,
            ..
        } = &found.clause.node
        else {
            self.wrong_kind(found.clause, handler, "ordinary");
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
        scope.bind(&continuation.text, binding);
        let binder = self.pattern(&mut scope, pattern, &domain);
        let (command, shaped) = self.command(&mut scope, body);
        self.expect(result, &shaped, returned(body), || {
            format!("a clause of `{handler}` gives what the handler gives, {result}")
        });
        let (argument, command) = binder.around_clause(self, command, origin(pattern.span));
        if !shaped.is_known() || !result.agrees(&shaped) {
            return Err(());
        }
        Ok(Clause {
            continuation: k,
            argument,
            body: command,
            origin: origin(found.clause.span),
        })
    }

    /// The first clause whose operation and indices match.
    pub(crate) fn matching(
        &mut self,
        resolved: &Resolved<'a>,
        operation: &OperationRef,
    ) -> Option<Match<'a>> {
        for candidate in &resolved.clauses {
            let (name, params) = match &candidate.clause.node {
                ClauseKind::Return(..) => continue,
                ClauseKind::Reverse {
                    operation, params, ..
                }
                | ClauseKind::Ordinary {
                    operation, params, ..
                } => (operation, params),
            };
            if *name.text != *operation.name || params.len() != operation.indices.len() {
                continue;
            }
            let mut scope = candidate.scope.clone();
            if self
                .bind_indices(&mut scope, params, &operation.indices, true)
                .is_ok()
            {
                self.used_clauses.insert(candidate.clause.span);
                let instance = self.instance_text(operation.to_string(), params, &scope);
                let seen_in = self.seen_in(&operation.name, &operation.indices, params, &scope);
                let before = self.facts.within(seen_in.clone());
                self.note_indices(&scope, params);
                self.facts.within(before);
                return Some(Match {
                    clause: candidate.clause,
                    scope,
                    instance,
                    seen_in,
                });
            }
        }
        None
    }

    /// Which instance of something with index parameters is being looked at, as the index of names says it.
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
        let instance = instance_name(name, indices);
        Some(Arc::from(self.instance_text(instance, params, scope)))
    }

    /// `FC[ℓ0] with n = 2, m = 8`, and whether that is made up.
    fn instance_text(&self, instance: String, params: &[IndexParam], scope: &Scope) -> String {
        let text = describe_instance(instance, params, scope);
        if self.report.is_lenient() && !params.is_empty() {
            format!("a made-up instance, {text}")
        } else {
            text
        }
    }

    /// Checks that clauses name operations that exist, with the right number of indices, and that each can
    /// be reached.
    pub(crate) fn check_clause_heads(&mut self, clauses: &'a [tree::Clause]) {
        let Some(first) = clauses.first() else { return };
        if !self.checked_heads.insert(first.span) {
            return;
        }
        self.check_reachable(clauses);
        for clause in clauses {
            let (name, params) = match &clause.node {
                ClauseKind::Return(..) => continue,
                ClauseKind::Reverse {
                    operation, params, ..
                }
                | ClauseKind::Ordinary {
                    operation, params, ..
                } => (operation, params),
            };
            let expected = match self.declarations.callables.get(&name.text) {
                Some(Callable::Operation(decl)) => decl.params.len(),
                _ if builtin(&name.text).is_some() => 1,
                other => {
                    let diagnostic = match other {
                        Some(callable) => {
                            let message = format!(
                                "`{}` is {}, and clauses are for operations",
                                name.text,
                                callable.describe()
                            );
                            Diagnostic::error("F0502", name.span, message)
                        }
                        None => {
                            let known = self.declarations.callables.iter().filter_map(
                                |(name, callable)| {
                                    matches!(callable, Callable::Operation(_)).then_some(&**name)
                                },
                            );
                            let near =
                                crate::nearest::nearest(&name.text, known.chain(["Get", "Put"]));
                            let near = near.map(str::to_owned);
                            let message = format!("there is no operation `{}`", name.text);
                            crate::sizes::suggest(
                                Diagnostic::error("F0201", name.span, message),
                                name.span,
                                near,
                            )
                        }
                    };
                    self.report.add(diagnostic);
                    continue;
                }
            };
            if params.len() != expected {
                let message = format!(
                    "`{}` has {}, and this clause {}",
                    name.text,
                    counted(expected, "index").replace("indexs", "indices"),
                    params.len()
                );
                self.report.add(
                    Diagnostic::error("F0301", name.span, message)
                        .hint("a clause names all indices of its operation, in brackets"),
                );
            }
        }
    }

    fn wrong_kind(&mut self, clause: &tree::Clause, handler: &str, needed: &str) {
        let (needed_here, found) = match needed {
            "reverse" => ("a reverse", "an ordinary"),
            _ => ("an ordinary", "a reverse"),
        };
        let message =
            format!("`{handler}` is used as {needed_here} handler, and this is {found} clause");
        let hint = match needed {
            "reverse" => "a reverse clause is `Op[…] ( x ↦ forward | y, z ↦ backward )`",
            _ => "an ordinary clause is `Op[…], k; x ↦ …`",
        };
        self.report
            .add(Diagnostic::error("F0502", clause.span, message).hint(hint));
    }

    /// The declared types of an operation with their shapes.
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
                    Ok(()) | Err(Misfit::Reported | Misfit::At(..)) => (
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

/// Whether a clause names the operation with another number of indices.
fn wrong_head(candidate: &Candidate<'_>, operation: &OperationRef) -> bool {
    match &candidate.clause.node {
        ClauseKind::Return(..) => false,
        ClauseKind::Reverse {
            operation: name,
            params,
            ..
        }
        | ClauseKind::Ordinary {
            operation: name,
            params,
            ..
        } => *name.text == *operation.name && params.len() != operation.indices.len(),
    }
}

/// `FC[ℓ0] with n = 2, m = 8`
fn describe_instance(instance: String, params: &[IndexParam], scope: &Scope) -> String {
    let mut sizes = Vec::new();
    for param in params {
        let names: Vec<&Name> = match &param.node {
            tree::IndexParamKind::Name(name) => vec![name],
            tree::IndexParamKind::Location { shape, .. } => shape
                .iter()
                .filter_map(|size| match &size.node {
                    tree::SizeKind::Name(name) => Some(name),
                    _ => None,
                })
                .collect(),
            tree::IndexParamKind::Size(_) => Vec::new(),
        };
        for name in names {
            if let Some(Index::Size(size)) = scope.index(&name.text) {
                let part = format!("{} = {size}", name.text);
                if !sizes.contains(&part) {
                    sizes.push(part);
                }
            }
        }
    }
    if sizes.is_empty() {
        instance
    } else {
        format!("{instance} with {}", sizes.join(", "))
    }
}
