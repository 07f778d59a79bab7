//! Made-up instances. A clause that no operation of the program reaches, and an indexed definition that nothing calls, is checked at
//! invented indices, so that a handler can be written before its network. Errors found there count as warnings only, and the heap cells
//! that such a check touches are forgotten.
//!
//! Invented sizes may not be sizes that the definition is meant for. So several choices of sizes are tried, and the faults of the best
//! choice are reported.

use crate::calls::builtin;
use crate::declarations::Callable;
use crate::elaborator::Elaborator;
use crate::handlers::Resolved;
use crate::names::{Calls, Fact, Resolution};
use crate::report::Found;
use crate::sample;
use crate::scope::{Binding, Scope};
use crate::shaped::Shaped;
use fletch_calculus::{Builtin, Index, Location, LocationRef, Operation, OperationRef, Value};
use fletch_syntax::Span;
use fletch_syntax::tree::{Clause, HandlerDecl, IndexParam, IndexParamKind, Name, SizeKind};
use std::sync::Arc;

/// Made-up locations are numbered above this number; no heap has as many cells.
const MADE_UP: usize = 1 << 30;

impl<'a> Elaborator<'a> {
    /// Checks the clauses of a handler that no use has visited.
    pub(crate) fn check_unused_clauses(&mut self, decl: &'a HandlerDecl) {
        let unused: Vec<&'a Clause> = decl
            .clauses
            .iter()
            .filter(|clause| !self.expansion.has_seen(clause.span))
            .collect();
        if !unused.is_empty() || !self.expansion.has_seen(decl.name.span) {
            self.made_up(|elaborator, invention| {
                elaborator.check_made_up(decl, &unused, invention);
            });
        }
    }

    /// Checks an indexed function or command that nothing calls.
    pub(crate) fn check_unused_definition(&mut self, callable: Callable<'a>) {
        let (name, index_params) = match callable {
            Callable::Function(decl) => (&decl.name, &decl.index_params),
            Callable::Command(decl) => (&decl.name, &decl.index_params),
            Callable::Operation(_) | Callable::Handler(_) | Callable::Predict(_) => return,
        };
        if self.expansion.has_seen(name.span) {
            return;
        }
        self.made_up(|elaborator, invention| {
            let mut scope = Scope::default();
            let Some(indices) = invention.indices(elaborator, &mut scope, index_params) else {
                return;
            };
            let seen_in = elaborator.seen_in(&name.text, &indices, index_params, &scope);
            let instance = seen_in.clone().map(|text| (name.span, text));
            let reported = elaborator.report.within(instance);
            let seen = elaborator.facts.within(seen_in);
            elaborator.note_indices(&scope, index_params);
            elaborator.definition(callable, scope);
            elaborator.facts.within(seen);
            elaborator.report.within(reported);
        });
    }

    /// Checks made-up instances until one has no faults; otherwise reports the faults of the instance that has fewest.
    fn made_up(&mut self, check: impl Fn(&mut Self, &mut Invention)) {
        let cells = self.cells.count();
        let lenient = self.report.leniently(true);
        let mut best: Option<Vec<Found>> = None;
        for choice in Choice::ALL {
            let length = self.report.length();
            let mut invention = Invention::new(choice);
            self.collecting(|elaborator| check(elaborator, &mut invention));
            self.cells.forget(cells);
            let found = self.report.withdraw(length);
            let better = best.as_ref().is_none_or(|best| found.len() < best.len());
            let done = found.is_empty();
            if better {
                best = Some(found);
            }
            if done {
                break;
            }
        }
        self.report.leniently(lenient);
        self.report.restore(best.unwrap_or_default());
    }

    fn check_made_up(
        &mut self,
        decl: &'a HandlerDecl,
        clauses: &[&'a Clause],
        invention: &mut Invention,
    ) {
        let mut scope = Scope::default();
        if invention
            .indices(self, &mut scope, &decl.index_params)
            .is_none()
        {
            return;
        }
        for param in &decl.params {
            let shaped = self.shaped_type(&scope, &param.ty);
            if !shaped.is_known() {
                return;
            }
            self.facts
                .note(param.name.span, || Fact::Variable(shaped.clone()));
            let value = sample::open(&Value::zero(&shaped.ty()));
            scope.bind(&param.name, Binding::Constant { value, shaped });
        }
        let resolved = self.expand(&decl.name, decl.name.span, |elaborator| {
            elaborator.resolve_declared(decl, scope)
        });
        let Some(resolved) = resolved.flatten() else {
            return;
        };
        for clause in clauses {
            match clause.node.head() {
                None => {
                    let handled = resolved.handled.clone().unwrap_or(Shaped::Unknown);
                    let result = resolved.result.clone().unwrap_or_else(|| handled.clone());
                    self.return_clause(&resolved, &handled, &result);
                }
                Some((operation, params)) => {
                    self.check_made_up_clause(&resolved, clause.span, operation, params, invention);
                }
            }
        }
    }

    fn check_made_up_clause(
        &mut self,
        resolved: &Resolved<'a>,
        clause: Span,
        name: &Name,
        params: &[IndexParam],
        invention: &mut Invention,
    ) {
        let candidate = resolved
            .clauses
            .iter()
            .find(|candidate| candidate.clause.span == clause);
        let Some(scope) = candidate.map(|candidate| candidate.scope.clone()) else {
            return;
        };
        let calls = Calls::none(name.span);
        // The operation has the indices of its declaration at made-up sizes; or, if they are not general enough for this clause, the
        // indices that the clause itself names. A clause after another one that matches the same operations is never checked.
        let operation = [false, true].into_iter().find_map(|own| {
            let operation =
                self.made_up_operation(name, params, own.then_some(&scope), invention)?;
            let found = self.matching(resolved, &operation)?;
            (found.clause.span == clause).then_some(operation)
        });
        let Some(operation) = operation else { return };
        match &resolved.result {
            None => {
                self.reverse_clause(resolved, &operation, &calls, name.span);
            }
            Some(result) => {
                let result = result.clone();
                let _ = self.ordinary_clause(resolved, &operation, &calls, &result);
            }
        }
    }

    /// The declared location that a bare name in a clause refers to.
    fn declared_location(&mut self, param: &IndexParam) -> Option<LocationRef> {
        let IndexParamKind::Name(name) = &param.node else {
            return None;
        };
        let decl = self.declarations.locations.get(&name.text).copied()?;
        if !decl.params.is_empty() {
            return None;
        }
        self.location_instance(decl, &[], name.span)
    }

    /// An instance of an operation that a clause with these parameters may match: an instance of its declaration, or of the parameters
    /// themselves in their `own` scope.
    fn made_up_operation(
        &mut self,
        name: &Name,
        params: &[IndexParam],
        own: Option<&Scope>,
        invention: &mut Invention,
    ) -> Option<OperationRef> {
        if let Some(access) = builtin(&name.text) {
            let location = match (params, own) {
                ([param], Some(scope)) => {
                    let mut scope = scope.clone();
                    invention.indices(self, &mut scope, std::slice::from_ref(param))?
                }
                ([param], None) => vec![match self.declared_location(param) {
                    Some(location) => Index::Location(location),
                    None => invention.matrix(param)?,
                }],
                _ => return None,
            };
            let [Index::Location(location)] = location.as_slice() else {
                return None;
            };
            return Some(match access {
                Builtin::Get => Operation::get(location),
                Builtin::Put => Operation::put(location),
            });
        }
        let Some(Callable::Operation(decl)) = self.declarations.callables.get(&name.text).copied()
        else {
            return None;
        };
        if params.len() != decl.params.len() {
            return None;
        }
        let mut indices = match own {
            None => invention.indices(self, &mut Scope::default(), &decl.params)?,
            Some(scope) => invention.indices(self, &mut scope.clone(), params)?,
        };
        // A clause that names a declared location matches only that location.
        for (param, index) in params.iter().zip(&mut indices) {
            if matches!(index, Index::Location(_))
                && let Some(location) = self.declared_location(param)
            {
                *index = Index::Location(location);
            }
        }
        let mut scope = Scope::default();
        self.bind_indices(&mut scope, &decl.params, &indices, false)
            .ok()?;
        let domain = self.shaped_type(&scope, &decl.domain);
        let codomain = self.shaped_type(&scope, &decl.codomain);
        (domain.is_known() && codomain.is_known()).then(|| {
            Arc::new(Operation {
                name: decl.name.text.clone(),
                indices,
                domain: domain.ty(),
                codomain: codomain.ty(),
                builtin: None,
            })
        })
    }
}

/// Choice of made-up sizes. The sizes are distinct, so that a matrix and its transpose differ.
#[derive(Clone, Copy)]
enum Choice {
    /// 7, 6, 5, …: a later size fits as a window of an earlier one.
    Falling,
    /// 48, 24, 12, …: each size is a multiple of the next, and the first is large enough for borders.
    Halving,
    /// 2, 3, 4, …
    Rising,
}

impl Choice {
    const ALL: [Choice; 3] = [Choice::Falling, Choice::Halving, Choice::Rising];
}

/// Source of made-up sizes and locations.
struct Invention {
    choice: Choice,
    sizes: usize,
    locations: usize,
}

impl Invention {
    fn new(choice: Choice) -> Self {
        Invention {
            choice,
            sizes: 0,
            locations: 0,
        }
    }

    fn size(&mut self) -> usize {
        self.sizes += 1;
        match self.choice {
            Choice::Falling => 8usize.saturating_sub(self.sizes).max(2),
            Choice::Halving => (96usize.checked_shr(self.sizes as u32).unwrap_or(0)).max(2),
            Choice::Rising => 1 + self.sizes.min(20),
        }
    }

    /// A location of two sizes, for a clause of `Get` or `Put` that matches all locations.
    fn matrix(&mut self, param: &IndexParam) -> Option<Index> {
        let IndexParamKind::Name(name) = &param.node else {
            return None;
        };
        let sizes = vec![self.size(), self.size()];
        Some(self.location(name, sizes))
    }

    fn location(&mut self, name: &Name, sizes: Vec<usize>) -> Index {
        self.locations += 1;
        Index::Location(Arc::new(Location {
            name: name.text.clone(),
            number: MADE_UP + self.locations,
            sizes,
        }))
    }

    /// An index for each parameter; the names of the parameters get bound in `scope`.
    fn indices(
        &mut self,
        elaborator: &mut Elaborator<'_>,
        scope: &mut Scope,
        params: &[IndexParam],
    ) -> Option<Vec<Index>> {
        let mut indices = Vec::with_capacity(params.len());
        for param in params {
            let index = match &param.node {
                IndexParamKind::Name(name) => self.bound_size(elaborator.names, scope, name),
                IndexParamKind::Size(size) => Index::Size(elaborator.size(scope, size)?),
                IndexParamKind::Location { name, shape } => {
                    let mut sizes = Vec::with_capacity(shape.len());
                    for size in shape {
                        let value = match &size.node {
                            SizeKind::Name(name) => {
                                match self.bound_size(elaborator.names, scope, name) {
                                    Index::Size(size) => size,
                                    Index::Location(_) => return None,
                                }
                            }
                            _ => elaborator.size(scope, size)?,
                        };
                        sizes.push(value);
                    }
                    let location = self.location(name, sizes);
                    scope.bind_index(name, elaborator.names.index(name), location.clone());
                    location
                }
            };
            indices.push(index);
        }
        Some(indices)
    }

    fn bound_size(&mut self, names: &Resolution<'_>, scope: &mut Scope, name: &Name) -> Index {
        let binder = names.index(name);
        if let Some(index) = scope.index(binder) {
            return index.clone();
        }
        let index = Index::Size(self.size());
        scope.bind_index(name, binder, index.clone());
        index
    }
}
