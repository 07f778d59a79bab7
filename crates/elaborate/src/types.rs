//! Elaboration of type expressions.

use crate::elaborator::Elaborator;
use crate::faults::Fault;
use crate::scope::Scope;
use crate::shaped::Shaped;
use crate::sizes::{SIZE_LIMIT, mentions};
use fletch_smooth::Shape;
use fletch_syntax::tree::{Size, Type, TypeKind};

impl<'a> Elaborator<'a> {
    /// The type with its shapes; unknown after a diagnostic.
    pub(crate) fn shaped_type(&mut self, scope: &Scope, ty: &Type) -> Shaped {
        match &ty.node {
            TypeKind::Unit => Shaped::unit(),
            TypeKind::Product(parts) => Shaped::product(
                parts
                    .iter()
                    .map(|part| self.shaped_type(scope, part))
                    .collect(),
            ),
            TypeKind::Real(sizes) => {
                let dims: Vec<Option<usize>> =
                    sizes.iter().map(|size| self.size(scope, size)).collect();
                let Some(dims) = dims.into_iter().collect::<Option<Vec<usize>>>() else {
                    return Shaped::Unknown;
                };
                let shape = Shape::new(dims);
                if shape.size() > SIZE_LIMIT {
                    self.report.add(ty.span, Fault::LargeTensor);
                    return Shaped::Unknown;
                }
                Shaped::Real(shape)
            }
        }
    }

    /// Infers values of `unknown` sizes by matching a declared type with the type of an argument.
    pub(crate) fn infer_from_type(
        &mut self,
        scope: &mut Scope,
        unknown: &mut Vec<&str>,
        ty: &Type,
        found: &Shaped,
    ) {
        match (&ty.node, found) {
            (TypeKind::Product(parts), Shaped::Product(found)) if parts.len() == found.len() => {
                for (part, found) in parts.iter().zip(found) {
                    self.infer_from_type(scope, unknown, part, found);
                }
            }
            (TypeKind::Real(sizes), Shaped::Real(shape)) => {
                if sizes.len() == shape.rank() {
                    for (size, dim) in sizes.iter().zip(shape.dims()) {
                        self.infer_from_size(scope, unknown, size, *dim);
                    }
                } else {
                    self.infer_from_factors(scope, unknown, sizes, shape.size());
                }
            }
            _ => {}
        }
    }

    /// True if all names in a type have a value, or are among the `unknown` ones to be inferred; otherwise a diagnostic is reported.
    pub(crate) fn resolvable(&mut self, scope: &Scope, unknown: &[&str], ty: &Type) -> bool {
        match &ty.node {
            TypeKind::Unit => true,
            TypeKind::Product(parts) => parts
                .iter()
                .all(|part| self.resolvable(scope, unknown, part)),
            TypeKind::Real(sizes) => {
                let mut names = sizes.iter().flat_map(|size| size.node.names());
                names.all(|name| {
                    unknown.contains(&&*name.text) || self.size_name(scope, name).is_some()
                })
            }
        }
    }

    fn infer_from_size(
        &mut self,
        scope: &mut Scope,
        unknown: &mut Vec<&str>,
        size: &Size,
        target: usize,
    ) {
        if let Some((name, value)) = self.solve(scope, size, target, unknown) {
            let binder = self.names.index(name);
            scope.bind_index(name, binder, fletch_calculus::Index::Size(value));
            unknown.retain(|other| *other != &*name.text);
        }
    }

    /// Matches Real(a × b × …) with a flat size: one factor may be unknown.
    fn infer_from_factors(
        &mut self,
        scope: &mut Scope,
        unknown: &mut Vec<&str>,
        sizes: &[Size],
        target: usize,
    ) {
        let mut open = None;
        let mut rest = target;
        for size in sizes {
            if mentions(size, unknown) {
                if open.replace(size).is_some() {
                    return;
                }
            } else {
                match self.size(scope, size) {
                    Some(known) if known != 0 && rest.is_multiple_of(known) => rest /= known,
                    _ => return,
                }
            }
        }
        if let Some(size) = open {
            self.infer_from_size(scope, unknown, size, rest);
        }
    }
}
