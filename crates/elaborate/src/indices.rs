//! Indices in brackets: evaluating arguments, and binding parameters to them. The same binding serves
//! calls, where a mismatch is an error, and clauses, where it means that the clause is not the one.

use crate::elaborator::{Elaborator, counted};
use crate::names::Fact;
use crate::scope::Scope;
use fletch_calculus::{Index, LocationRef};
use fletch_syntax::tree::{self, IndexKind, IndexParam, IndexParamKind, Name, SizeKind};
use fletch_syntax::{Diagnostic, Span};

/// Why a list of index parameters does not fit a list of indices.
pub(crate) enum Misfit {
    /// The parameter at this position and the index there differ, in these words.
    At(usize, String),
    /// A diagnostic was given already.
    Reported,
}

impl<'a> Elaborator<'a> {
    /// The value of an index; `None` after a diagnostic.
    pub(crate) fn index(&mut self, scope: &Scope, index: &tree::Index) -> Option<Index> {
        match &index.node {
            IndexKind::Size(size) => self.size(scope, size).map(Index::Size),
            IndexKind::Symbol(_) => {
                let message = "a size or a location is needed here, not a function symbol";
                self.report
                    .add(Diagnostic::error("F0301", index.span, message));
                None
            }
            IndexKind::Name(name, arguments) if arguments.is_empty() => {
                self.named_index(scope, name)
            }
            IndexKind::Name(name, arguments) => {
                let arguments: Vec<Option<Index>> = arguments
                    .iter()
                    .map(|argument| self.index(scope, argument))
                    .collect();
                let arguments = arguments.into_iter().collect::<Option<Vec<Index>>>()?;
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

    fn named_index(&mut self, scope: &Scope, name: &Name) -> Option<Index> {
        if let Some(index) = scope.index(&name.text) {
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

    /// Notes what a list of index parameters is bound to, for the index of names.
    pub(crate) fn note_indices(&mut self, scope: &Scope, params: &[IndexParam]) {
        for param in params {
            let (name, shape) = match &param.node {
                IndexParamKind::Name(name) => (name, &[][..]),
                IndexParamKind::Location { name, shape } => (name, &shape[..]),
                IndexParamKind::Size(_) => continue,
            };
            let sizes = shape.iter().filter_map(|size| match &size.node {
                SizeKind::Name(name) => Some(name),
                _ => None,
            });
            for name in sizes.chain([name]) {
                if let Some(index) = scope.index(&name.text) {
                    self.facts.note(name.span, || Fact::Index(index.clone()));
                }
            }
        }
    }

    /// Binds parameters to indices in `scope`. In a list, a bare name binds unless bound earlier in it;
    /// compound sizes are compared after all names are bound. With `clause`, a declared location without
    /// `∷` stands for itself.
    pub(crate) fn bind_indices(
        &mut self,
        scope: &mut Scope,
        params: &[IndexParam],
        indices: &[Index],
        clause: bool,
    ) -> Result<(), Misfit> {
        let mut binder = Binder {
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
                                    .ok_or(Misfit::Reported)?;
                                if own.number != location.number {
                                    let message =
                                        format!("`{}` is not `{}`", location.name, own.name);
                                    return Err(Misfit::At(position, message));
                                }
                            }
                            None => binder.location(scope, position, name, location)?,
                        }
                    }
                },
                IndexParamKind::Location { name, shape } => {
                    let Index::Location(location) = index else {
                        return Err(Misfit::At(
                            position,
                            format!("`{index}` is a size, and a location is needed"),
                        ));
                    };
                    if location.sizes.len() != shape.len() {
                        let message = format!(
                            "`{}` has {}, and {} needed",
                            location.name,
                            counted(location.sizes.len(), "dimension"),
                            if shape.len() == 1 {
                                "1 is".to_owned()
                            } else {
                                format!("{} are", shape.len())
                            },
                        );
                        return Err(Misfit::At(position, message));
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
                        let message =
                            format!("`{}` is a location, and a size is needed", location.name);
                        return Err(Misfit::At(position, message));
                    }
                },
            }
        }
        for (position, size, actual) in binder.deferred {
            let expected = self.size(scope, size).ok_or(Misfit::Reported)?;
            if expected != actual {
                return Err(Misfit::At(
                    position,
                    format!("{expected} is needed, and {actual} is given"),
                ));
            }
        }
        Ok(())
    }

    /// The indices of a call of something with these parameters. Size indices may be left out: then
    /// `infer` finds them from the arguments. Gives all indices in order, bound in `scope`.
    pub(crate) fn call_indices(
        &mut self,
        scope: &mut Scope,
        callee: &Name,
        params: &'a [IndexParam],
        given: Vec<Index>,
        span: Span,
        infer: impl FnOnce(&mut Self, &mut Scope, &mut Vec<&str>),
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
            let message = format!(
                "`{}` takes {} in brackets, {} given",
                callee.text,
                counted(params.len(), "index").replace("indexs", "indices"),
                given.len(),
            );
            let names = |params: &[&IndexParam]| -> String {
                let names: Vec<&str> = params
                    .iter()
                    .map(|param| match &param.node {
                        IndexParamKind::Name(name) | IndexParamKind::Location { name, .. } => {
                            &*name.text
                        }
                        IndexParamKind::Size(_) => "…",
                    })
                    .collect();
                names.join(", ")
            };
            let hint = if located.is_empty() {
                format!(
                    "write `{}[{}](…)`, or no brackets at all where the arguments determine the sizes",
                    callee.text,
                    names(&params.iter().collect::<Vec<_>>())
                )
            } else {
                format!(
                    "write `{0}[{1}](…)` with {2} for {1}",
                    callee.text,
                    names(&located),
                    if located.len() == 1 {
                        "a location"
                    } else {
                        "locations"
                    }
                )
            };
            self.report.add(
                Diagnostic::error("F0301", span, message)
                    .label(callee.span, "it is declared here")
                    .hint(hint),
            );
            return None;
        }
        let locations: Vec<IndexParam> = located.into_iter().cloned().collect();
        let bound = self.bind_indices(scope, &locations, &given, false);
        self.report_misfit(bound, callee, &locations, span)?;
        let mut unknown: Vec<&str> = params
            .iter()
            .filter_map(|param| match &param.node {
                IndexParamKind::Name(name) if scope.index(&name.text).is_none() => {
                    Some(&*name.text)
                }
                _ => None,
            })
            .collect();
        infer(self, scope, &mut unknown);
        let mut all = Vec::with_capacity(params.len());
        for param in params {
            let index = match &param.node {
                IndexParamKind::Name(name) | IndexParamKind::Location { name, .. } => {
                    scope.index(&name.text).cloned()
                }
                IndexParamKind::Size(size) => self.size(scope, size).map(Index::Size),
            };
            let Some(index) = index else {
                let name = unknown.first().copied().unwrap_or("its size");
                let message = format!(
                    "the arguments of `{}` do not determine the index `{name}`",
                    callee.text
                );
                self.report.add(
                    Diagnostic::error("F0304", span, message)
                        .hint(format!("write all indices: `{}[…](…)`", callee.text)),
                );
                return None;
            };
            all.push(index);
        }
        Some(all)
    }

    fn report_misfit(
        &mut self,
        bound: Result<(), Misfit>,
        callee: &Name,
        params: &[IndexParam],
        span: Span,
    ) -> Option<()> {
        match bound {
            Ok(()) => Some(()),
            Err(Misfit::Reported) => None,
            Err(Misfit::At(position, message)) => {
                let message = format!(
                    "index {} of `{}` does not fit: {message}",
                    position + 1,
                    callee.text
                );
                let mut diagnostic = Diagnostic::error("F0303", span, message);
                if let Some(param) = params.get(position) {
                    diagnostic = diagnostic.label(param.span, "it is declared here");
                }
                self.report.add(diagnostic);
                None
            }
        }
    }
}

/// The names bound so far by one list of parameters, and the comparisons put off until all are.
struct Binder<'p> {
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
    ) -> Result<(), Misfit> {
        if self.has(name) {
            return match scope.index(&name.text) {
                Some(Index::Size(earlier)) if *earlier == size => Ok(()),
                Some(earlier) => Err(Misfit::At(
                    position,
                    format!("`{}` is {earlier} already, not {size}", name.text),
                )),
                None => Ok(()),
            };
        }
        self.bound.push(&name.text);
        scope.bind_index(&name.text, Index::Size(size));
        Ok(())
    }

    fn location(
        &mut self,
        scope: &mut Scope,
        position: usize,
        name: &'p Name,
        location: &LocationRef,
    ) -> Result<(), Misfit> {
        if self.has(name) {
            return match scope.location(&name.text) {
                Some(earlier) if earlier.number == location.number => Ok(()),
                _ => Err(Misfit::At(
                    position,
                    format!("`{}` is another location already", name.text),
                )),
            };
        }
        self.bound.push(&name.text);
        scope.bind_index(&name.text, Index::Location(location.clone()));
        Ok(())
    }
}
