//! Indices in brackets: evaluation of index arguments, and binding of index parameters to them. Calls and clauses use the same binding:
//! in a call a mismatch is an error, in a clause it means that the clause does not match.

use crate::elaborator::Elaborator;
use crate::faults::{Fault, Unfit};
use crate::names::{Fact, Resolution};
use crate::scope::Scope;
use fletch_calculus::{Index, LocationRef};
use fletch_syntax::Span;
use fletch_syntax::tree::{self, IndexKind, IndexParam, IndexParamKind, Name, SizeKind};
use std::sync::Arc;

/// Reason why a list of index parameters does not fit a list of indices.
pub(crate) enum Mismatch {
    /// The parameter and the index at this position, from 0, differ.
    At(usize, Unfit),
    /// A fault has been reported.
    Reported,
}

impl<'a> Elaborator<'a> {
    /// The value of an index; `None` after a diagnostic.
    pub(crate) fn index(&mut self, scope: &Scope, index: &tree::Index) -> Option<Index> {
        match &index.node {
            IndexKind::Size(size) => self.size(scope, size).map(Index::Size),
            IndexKind::Symbol(_) => {
                self.report.add(index.span, Fault::SymbolIndex);
                None
            }
            IndexKind::Name(name, arguments) if arguments.is_empty() => {
                self.named_index(scope, name)
            }
            IndexKind::Name(name, arguments) => {
                let arguments = self.indices(scope, arguments)?;
                match self.declarations.locations.get(&name.text).copied() {
                    Some(decl) => self
                        .location_instance(decl, &arguments, index.span)
                        .map(|location| self.named_location(name, location)),
                    None => {
                        self.unknown_index(scope, name);
                        None
                    }
                }
            }
        }
    }

    /// The values of indices; `None` after a fault in one of them.
    pub(crate) fn indices(&mut self, scope: &Scope, indices: &[tree::Index]) -> Option<Vec<Index>> {
        let values = indices.iter().map(|index| self.index(scope, index));
        values.collect::<Vec<_>>().into_iter().collect()
    }

    fn named_index(&mut self, scope: &Scope, name: &Name) -> Option<Index> {
        if let Some(index) = scope.index(self.names.index(name)) {
            return Some(index.clone());
        }
        if let Some(decl) = self.declarations.locations.get(&name.text).copied() {
            return self
                .location_instance(decl, &[], name.span)
                .map(|location| self.named_location(name, location));
        }
        let size = tree::Size::new(SizeKind::Name(name.clone()), name.span);
        self.size(scope, &size).map(Index::Size)
    }

    fn named_location(&mut self, name: &Name, location: LocationRef) -> Index {
        self.facts
            .note(name.span, || Fact::Location(location.clone()));
        Index::Location(location)
    }

    /// Records the values of a list of index parameters, for the index of names.
    pub(crate) fn note_indices(&mut self, scope: &Scope, params: &[IndexParam]) {
        for name in params.iter().flat_map(|param| param.node.names()) {
            if let Some(index) = scope.index(self.names.index(name)) {
                self.facts.note(name.span, || Fact::Index(index.clone()));
            }
        }
    }

    /// Binds parameters to indices in `scope`. A bare name binds unless it is bound earlier in the list; compound sizes are compared
    /// after all names are bound. With `clause`, the name of a declared location without `∷` refers to that location.
    pub(crate) fn bind_indices(
        &mut self,
        scope: &mut Scope,
        params: &[IndexParam],
        indices: &[Index],
        clause: bool,
    ) -> Result<(), Mismatch> {
        let mut binder = Binder {
            names: self.names,
            bound: Vec::new(),
            deferred: Vec::new(),
        };
        for (position, (param, index)) in params.iter().zip(indices).enumerate() {
            match &param.node {
                IndexParamKind::Name(name) => match index {
                    Index::Size(size) => binder.size(scope, position, name, *size)?,
                    Index::Location(location) => {
                        let declared = self.declarations.locations.get(&name.text).copied();
                        match declared
                            .filter(|decl| clause && decl.params.is_empty() && !binder.has(name))
                        {
                            Some(decl) => {
                                let own = self
                                    .location_instance(decl, &[], name.span)
                                    .ok_or(Mismatch::Reported)?;
                                if own.number != location.number {
                                    let (given, own) = (location.name.clone(), own.name.clone());
                                    let other = Unfit::OtherLocation(given, own);
                                    return Err(Mismatch::At(position, other));
                                }
                            }
                            None => binder.location(scope, position, name, location)?,
                        }
                    }
                },
                IndexParamKind::Location { name, shape } => {
                    let location = match index {
                        Index::Location(location) => location,
                        Index::Size(size) => {
                            return Err(Mismatch::At(position, Unfit::Size(*size)));
                        }
                    };
                    let (given, needed) = (location.sizes.len(), shape.len());
                    if given != needed {
                        let rank = Unfit::Rank(location.name.clone(), given, needed);
                        return Err(Mismatch::At(position, rank));
                    }
                    for (size, actual) in shape.iter().zip(&location.sizes) {
                        match &size.node {
                            SizeKind::Name(name) => binder.size(scope, position, name, *actual)?,
                            _ => binder.deferred.push((position, size, *actual)),
                        }
                    }
                    binder.location(scope, position, name, location)?;
                }
                IndexParamKind::Size(size) => match index {
                    Index::Size(actual) => binder.deferred.push((position, size, *actual)),
                    Index::Location(location) => {
                        let location = Unfit::Location(location.name.clone());
                        return Err(Mismatch::At(position, location));
                    }
                },
            }
        }
        for (position, size, actual) in binder.deferred {
            let expected = self.size(scope, size).ok_or(Mismatch::Reported)?;
            if expected != actual {
                let differs = Unfit::Differs(expected, actual);
                return Err(Mismatch::At(position, differs));
            }
        }
        Ok(())
    }

    /// All indices of a call, in order, bound in `scope`; `None` after a diagnostic. `params` are the parameters of the callee. A call
    /// may omit size indices: then `infer` finds them from the arguments. `infer` returns false if the arguments or the parameters' types
    /// have faults.
    pub(crate) fn call_indices(
        &mut self,
        scope: &mut Scope,
        callee: &Name,
        params: &'a [IndexParam],
        given: Vec<Index>,
        span: Span,
        infer: impl FnOnce(&mut Self, &mut Scope, &mut Vec<&str>) -> bool,
    ) -> Option<Vec<Index>> {
        if given.len() == params.len() {
            let bound = self.bind_indices(scope, params, &given, false);
            self.report_misfit(bound, callee, params, span)?;
            return Some(given);
        }
        let located: Vec<&IndexParam> = params
            .iter()
            .filter(|param| matches!(param.node, IndexParamKind::Location { .. }))
            .collect();
        let only_locations = given
            .iter()
            .all(|index| matches!(index, Index::Location(_)));
        if !only_locations || given.len() != located.len() {
            let all = names(params.iter());
            let located = names(located.into_iter());
            let count = Fault::CallIndices(callee.clone(), all, located, given.len());
            self.report.add(span, count);
            return None;
        }
        let locations: Vec<IndexParam> = located.into_iter().cloned().collect();
        let bound = self.bind_indices(scope, &locations, &given, false);
        self.report_misfit(bound, callee, &locations, span)?;
        let mut unknown: Vec<&str> = params
            .iter()
            .filter_map(|param| match &param.node {
                IndexParamKind::Name(name) if scope.index(self.names.index(name)).is_none() => {
                    Some(&*name.text)
                }
                _ => None,
            })
            .collect();
        let sound = infer(self, scope, &mut unknown);
        let mut all = Vec::with_capacity(params.len());
        for param in params {
            let index = match &param.node {
                IndexParamKind::Name(name) | IndexParamKind::Location { name, .. } => {
                    scope.index(self.names.index(name)).cloned()
                }
                IndexParamKind::Size(size) => self.size(scope, size).map(Index::Size),
            };
            let Some(index) = index else {
                // The faults of the arguments have been reported, so this consequence is not.
                if !sound {
                    return None;
                }
                let name = unknown.first().copied().unwrap_or("its size");
                let (callee, name) = (callee.text.clone(), Arc::from(name));
                let undetermined = Fault::Undetermined(callee, name, names(params.iter()));
                self.report.add(span, undetermined);
                return None;
            };
            all.push(index);
        }
        self.facts.complete(span, || all.clone());
        Some(all)
    }

    fn report_misfit(
        &mut self,
        bound: Result<(), Mismatch>,
        callee: &Name,
        params: &[IndexParam],
        span: Span,
    ) -> Option<()> {
        match bound {
            Ok(()) => Some(()),
            Err(Mismatch::Reported) => None,
            Err(Mismatch::At(position, why)) => {
                let declared = params.get(position).map(|param| param.span);
                let misfit = Fault::Misfit(callee.text.clone(), position, why, declared);
                self.report.add(span, misfit);
                None
            }
        }
    }
}

/// The names that a list of index parameters binds.
pub(crate) fn bound_names(params: &[IndexParam]) -> Vec<&str> {
    let names = params.iter().flat_map(|param| param.node.names());
    names.map(|name| &*name.text).collect()
}

/// The names bound so far by one list of parameters, and the comparisons deferred until all names are bound.
struct Binder<'p> {
    names: &'p Resolution<'p>,
    bound: Vec<&'p str>,
    deferred: Vec<(usize, &'p tree::Size, usize)>,
}

impl<'p> Binder<'p> {
    fn has(&self, name: &Name) -> bool {
        self.bound.contains(&&*name.text)
    }

    fn size(
        &mut self,
        scope: &mut Scope,
        position: usize,
        name: &'p Name,
        size: usize,
    ) -> Result<(), Mismatch> {
        if self.has(name) {
            return match scope.index(self.names.index(name)) {
                Some(Index::Size(earlier)) if *earlier == size => Ok(()),
                Some(earlier) => {
                    let bound = Unfit::BoundSize(name.text.clone(), earlier.clone(), size);
                    Err(Mismatch::At(position, bound))
                }
                None => Ok(()),
            };
        }
        self.bound.push(&name.text);
        scope.bind_index(name, self.names.index(name), Index::Size(size));
        Ok(())
    }

    fn location(
        &mut self,
        scope: &mut Scope,
        position: usize,
        name: &'p Name,
        location: &LocationRef,
    ) -> Result<(), Mismatch> {
        if self.has(name) {
            return match scope.index(self.names.index(name)) {
                Some(Index::Location(earlier)) if earlier.number == location.number => Ok(()),
                _ => {
                    let bound = Unfit::BoundLocation(name.text.clone());
                    Err(Mismatch::At(position, bound))
                }
            };
        }
        self.bound.push(&name.text);
        scope.bind_index(
            name,
            self.names.index(name),
            Index::Location(location.clone()),
        );
        Ok(())
    }
}

/// Names of index parameters; `…` for a parameter that is a compound size.
fn names<'a>(params: impl Iterator<Item = &'a IndexParam>) -> Vec<Arc<str>> {
    let names = params.map(|param| match &param.node {
        IndexParamKind::Name(name) | IndexParamKind::Location { name, .. } => name.text.clone(),
        IndexParamKind::Size(_) => Arc::from("…"),
    });
    names.collect()
}
