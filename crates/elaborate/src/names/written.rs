//! Types, sizes and parameters as text: as written, but with dimensions replaced by their values.

use crate::indices::bound_names;
use fletch_syntax::tree::{IndexParam, IndexParamKind, Param, Size, SizeKind, Type, TypeKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Values of dimensions, except those that the index parameters of a declaration shadow.
pub(super) struct Written<'d> {
    dims: &'d BTreeMap<Arc<str>, Option<usize>>,
    bound: BTreeSet<&'d str>,
}

impl<'d> Written<'d> {
    pub(super) fn new(
        dims: &'d BTreeMap<Arc<str>, Option<usize>>,
        params: &'d [IndexParam],
    ) -> Self {
        // `collect` would use its own instance of a sort, which enlarges the first download.
        let mut bound = BTreeSet::new();
        bound.extend(bound_names(params));
        Written { dims, bound }
    }

    /// The value of a size; `None` if a name in it has no value here.
    pub(super) fn value(&self, size: &Size) -> Option<usize> {
        match &size.node {
            SizeKind::Number(number) => usize::try_from(*number).ok(),
            SizeKind::Name(name) if self.bound.contains(&*name.text) => None,
            SizeKind::Name(name) => self.dims.get(&name.text).copied().flatten(),
            SizeKind::Add(left, right) => self.value(left)?.checked_add(self.value(right)?),
            SizeKind::Subtract(left, right) => self.value(left)?.checked_sub(self.value(right)?),
            SizeKind::Multiply(left, right) => self.value(left)?.checked_mul(self.value(right)?),
            SizeKind::Ceiling(left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                (right != 0).then(|| left.div_ceil(right))
            }
        }
    }

    pub(super) fn size(&self, size: &Size) -> String {
        if let Some(value) = self.value(size) {
            return value.to_string();
        }
        let grouped = |part: &Size, always: bool| {
            let sum = matches!(part.node, SizeKind::Add(..) | SizeKind::Subtract(..));
            let product = matches!(part.node, SizeKind::Multiply(..));
            if self.value(part).is_none() && (sum || always && product) {
                format!("({})", self.size(part))
            } else {
                self.size(part)
            }
        };
        match &size.node {
            SizeKind::Number(number) => number.to_string(),
            SizeKind::Name(name) => name.text.to_string(),
            SizeKind::Add(left, right) => format!("{} + {}", self.size(left), self.size(right)),
            SizeKind::Subtract(left, right) => {
                format!("{} - {}", self.size(left), grouped(right, false))
            }
            SizeKind::Multiply(left, right) => {
                format!("{} * {}", grouped(left, false), grouped(right, true))
            }
            SizeKind::Ceiling(left, right) => {
                format!("⌈{}/{}⌉", self.size(left), self.size(right))
            }
        }
    }

    pub(super) fn sizes(&self, sizes: &[Size], separator: &str) -> String {
        let sizes: Vec<String> = sizes.iter().map(|size| self.size(size)).collect();
        sizes.join(separator)
    }

    pub(super) fn type_(&self, ty: &Type) -> String {
        match &ty.node {
            TypeKind::Unit => "1".to_owned(),
            TypeKind::Real(sizes) => match sizes.as_slice() {
                [only] if self.value(only) == Some(0) => "1".to_owned(),
                sizes => format!("Real({})", self.sizes(sizes, " × ")),
            },
            TypeKind::Product(parts) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| match part.node {
                        TypeKind::Product(_) => format!("({})", self.type_(part)),
                        _ => self.type_(part),
                    })
                    .collect();
                parts.join(" × ")
            }
        }
    }

    /// `x : Real(2), y : Real(3)`
    pub(super) fn params(&self, params: &[Param]) -> String {
        let params: Vec<String> = params
            .iter()
            .map(|param| format!("{} : {}", param.name.text, self.type_(&param.ty)))
            .collect();
        params.join(", ")
    }

    /// `[ℓ ∷ (n, m)]`; empty without parameters.
    pub(super) fn index_params(&self, params: &[IndexParam]) -> String {
        if params.is_empty() {
            return String::new();
        }
        let params: Vec<String> = params.iter().map(|param| self.index_param(param)).collect();
        format!("[{}]", params.join(", "))
    }

    pub(super) fn index_param(&self, param: &IndexParam) -> String {
        match &param.node {
            IndexParamKind::Name(name) => name.text.to_string(),
            IndexParamKind::Location { name, shape } => {
                format!("{} ∷ ({})", name.text, self.sizes(shape, ", "))
            }
            IndexParamKind::Size(size) => self.size(size),
        }
    }
}
