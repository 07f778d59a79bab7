//! Clauses that no operation of the program reaches are checked at one made-up instance, so that a
//! handler can be written before its network. What is found there are warnings only, and the heap cells
//! that such a check touches are forgotten.

use crate::declarations::Callable;
use crate::elaborator::Elaborator;
use crate::handlers::Resolved;
use crate::names::{Calls, Fact};
use crate::scope::{Binding, Scope};
use crate::shaped::Shaped;
use fletch_calculus::{Index, Location, Operation, Value};
use fletch_syntax::tree::{
    ClauseKind, HandlerDecl, IndexParam, IndexParamKind, Name, OpDecl, SizeKind,
};
use std::sync::Arc;

/// Numbers of made-up locations start here; no heap has so many cells.
const MADE_UP: usize = 1 << 30;

impl<'a> Elaborator<'a> {
    /// Checks what no use of a handler has looked at.
    pub(crate) fn check_unused_clauses(&mut self, decl: &'a HandlerDecl) {
        if decl
            .clauses
            .iter()
            .all(|clause| self.used_clauses.contains(&clause.span))
        {
            return;
        }
        let cells = self.locations.len();
        let numbers = self.location_numbers.clone();
        let lenient = self.report.leniently(true);
        self.collecting(|elaborator| elaborator.check_made_up(decl));
        self.report.leniently(lenient);
        self.locations.truncate(cells);
        self.initial.truncate(cells);
        self.location_numbers = numbers;
    }

    fn check_made_up(&mut self, decl: &'a HandlerDecl) {
        let mut scope = Scope::default();
        let mut invention = Invention::default();
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
            let value = Value::zero(&shaped.ty());
            scope.bind(&param.name.text, Binding::Constant { value, shaped });
        }
        let resolved = self.expand(&decl.name, decl.name.span, |elaborator| {
            elaborator.resolve_declared(decl, scope)
        });
        let Some(resolved) = resolved.flatten() else {
            return;
        };
        for clause in &decl.clauses {
            if self.used_clauses.contains(&clause.span) {
                continue;
            }
            match &clause.node {
                ClauseKind::Return(..) => {
                    let handled = resolved.handled.clone().unwrap_or(Shaped::Unknown);
                    let result = resolved.result.clone().unwrap_or_else(|| handled.clone());
                    self.return_clause(&resolved, &handled, &result);
                }
                ClauseKind::Reverse {
                    operation, params, ..
                }
                | ClauseKind::Ordinary {
                    operation, params, ..
                } => {
                    self.check_made_up_clause(&resolved, operation, params, &mut invention);
                }
            }
        }
    }

    fn check_made_up_clause(
        &mut self,
        resolved: &Resolved<'a>,
        name: &Name,
        params: &[IndexParam],
        invention: &mut Invention,
    ) {
        let Some(Callable::Operation(decl)) = self.declarations.callables.get(&name.text).copied()
        else {
            return;
        };
        let Some(operation) = self.made_up_operation(decl, params, invention) else {
            return;
        };
        let operation = Arc::new(operation);
        let calls = Calls::none(name.span);
        if self.matching(resolved, &operation).is_none() {
            return;
        }
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

    /// An instance of an operation that a clause with these parameters may match.
    fn made_up_operation(
        &mut self,
        decl: &'a OpDecl,
        params: &[IndexParam],
        invention: &mut Invention,
    ) -> Option<Operation> {
        if params.len() != decl.params.len() {
            return None;
        }
        let mut scope = Scope::default();
        let mut indices = invention.indices(self, &mut scope, &decl.params)?;
        // Where the clause names a declared location, only that one will do.
        for (param, index) in params.iter().zip(&mut indices) {
            if let IndexParamKind::Name(name) = &param.node
                && let Some(location) = self.declarations.locations.get(&name.text).copied()
                && location.params.is_empty()
                && matches!(index, Index::Location(_))
            {
                *index = Index::Location(self.location_instance(location, &[], name.span)?);
            }
        }
        let mut scope = Scope::default();
        self.bind_indices(&mut scope, &decl.params, &indices, false)
            .ok()?;
        let domain = self.shaped_type(&scope, &decl.domain);
        let codomain = self.shaped_type(&scope, &decl.codomain);
        (domain.is_known() && codomain.is_known()).then(|| Operation {
            name: decl.name.text.clone(),
            indices,
            domain: domain.ty(),
            codomain: codomain.ty(),
            builtin: None,
        })
    }
}

/// Sizes and locations out of thin air: distinct sizes, large enough for windows and borders.
#[derive(Default)]
struct Invention {
    sizes: usize,
    locations: usize,
}

impl Invention {
    fn size(&mut self) -> usize {
        self.sizes += 1;
        // 7, 6, 5, …: later names tend to be windows of earlier ones.
        8usize.saturating_sub(self.sizes).max(2)
    }

    /// An index for each parameter, its names bound in `scope`.
    fn indices(
        &mut self,
        elaborator: &mut Elaborator<'_>,
        scope: &mut Scope,
        params: &[IndexParam],
    ) -> Option<Vec<Index>> {
        let mut indices = Vec::with_capacity(params.len());
        for param in params {
            let index = match &param.node {
                IndexParamKind::Name(name) => self.bound_size(scope, name),
                IndexParamKind::Size(size) => Index::Size(elaborator.size(scope, size)?),
                IndexParamKind::Location { name, shape } => {
                    let mut sizes = Vec::with_capacity(shape.len());
                    for size in shape {
                        let value = match &size.node {
                            SizeKind::Name(name) => match self.bound_size(scope, name) {
                                Index::Size(size) => size,
                                Index::Location(_) => return None,
                            },
                            _ => elaborator.size(scope, size)?,
                        };
                        sizes.push(value);
                    }
                    self.locations += 1;
                    let number = MADE_UP + self.locations;
                    let location = Index::Location(Arc::new(Location {
                        name: name.text.clone(),
                        number,
                        sizes,
                    }));
                    scope.bind_index(&name.text, location.clone());
                    location
                }
            };
            indices.push(index);
        }
        Some(indices)
    }

    fn bound_size(&mut self, scope: &mut Scope, name: &Name) -> Index {
        if let Some(index) = scope.index(&name.text) {
            return index.clone();
        }
        let index = Index::Size(self.size());
        scope.bind_index(&name.text, index.clone());
        index
    }
}
