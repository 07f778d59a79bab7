//! Sizes: evaluation, and solving for the one unknown that an argument's size determines.

use crate::advice::unknown_size;
use crate::elaborator::Elaborator;
use crate::nearest::nearest;
use crate::scope::Scope;
use fletch_calculus::Index;
use fletch_syntax::tree::{Name, Size, SizeKind};
use fletch_syntax::{Diagnostic, Span};

/// No tensor has more entries than this.
pub(crate) const SIZE_LIMIT: usize = 1 << 24;

impl<'a> Elaborator<'a> {
    /// The number a size stands for; `None` after a diagnostic.
    pub(crate) fn size(&mut self, scope: &Scope, size: &Size) -> Option<usize> {
        let too_large = |elaborator: &mut Self| {
            let message = format!("a size above {SIZE_LIMIT} is too large");
            elaborator
                .report
                .add(Diagnostic::error("F0911", size.span, message));
            None
        };
        let value = match &size.node {
            SizeKind::Number(number) => usize::try_from(*number).ok(),
            SizeKind::Name(name) => return self.size_name(scope, name),
            SizeKind::Add(left, right) => {
                let (left, right) = (self.size(scope, left), self.size(scope, right));
                left?.checked_add(right?)
            }
            SizeKind::Multiply(left, right) => {
                let (left, right) = (self.size(scope, left), self.size(scope, right));
                left?.checked_mul(right?)
            }
            SizeKind::Subtract(left, right) => {
                let (left, right) = (self.size(scope, left), self.size(scope, right));
                let (left, right) = (left?, right?);
                let difference = left.checked_sub(right);
                if difference.is_none() {
                    let message = format!("this size is negative: {left} − {right}");
                    self.report
                        .add(Diagnostic::error("F0302", size.span, message));
                    return None;
                }
                difference
            }
            SizeKind::Ceiling(left, right) => {
                let (left, right) = (self.size(scope, left), self.size(scope, right));
                let (left, right) = (left?, right?);
                if right == 0 {
                    let message = "a size cannot be divided by zero";
                    self.report
                        .add(Diagnostic::error("F0302", size.span, message));
                    return None;
                }
                Some(left.div_ceil(right))
            }
        };
        match value {
            Some(value) if value <= SIZE_LIMIT => Some(value),
            _ => too_large(self),
        }
    }

    pub(crate) fn size_name(&mut self, scope: &Scope, name: &Name) -> Option<usize> {
        match scope.index(&name.text) {
            Some(Index::Size(size)) => return Some(*size),
            Some(Index::Location(_)) => {
                self.not_a_size(name);
                return None;
            }
            None => {}
        }
        if self.declarations.locations.contains_key(&name.text) {
            self.not_a_size(name);
            return None;
        }
        if let Some(value) = self.dims.get(&name.text) {
            return *value;
        }
        let Some(&(declared, size)) = self.declarations.dims.get(&name.text) else {
            self.unknown_index(scope, name);
            return None;
        };
        let value = self
            .expand(declared, name.span, |elaborator| {
                elaborator.size(&Scope::default(), size)
            })
            .flatten();
        self.dims.insert(name.text.clone(), value);
        value
    }

    fn not_a_size(&mut self, name: &Name) {
        let message = format!("`{}` is a location, and a size is needed here", name.text);
        self.report
            .add(Diagnostic::error("F0302", name.span, message));
    }

    /// Reports a name that is neither a size nor a location.
    pub(crate) fn unknown_index(&mut self, scope: &Scope, name: &Name) {
        let known = scope
            .index_names()
            .chain(self.declarations.dims.keys().map(|name| &**name))
            .chain(self.declarations.locations.keys().map(|name| &**name));
        let near = nearest(&name.text, known).map(str::to_owned);
        let message = format!("there is no size or location `{}`", name.text);
        let diagnostic = Diagnostic::error("F0201", name.span, message);
        self.report.add(if near.is_some() {
            suggest(diagnostic, name.span, near)
        } else {
            diagnostic.hint(unknown_size(self.declarations, name))
        });
    }

    /// The value of a size, or `None` where it has a name without a value; reports nothing.
    fn known_size(&mut self, scope: &Scope, size: &Size, unknown: &[&str]) -> Option<usize> {
        if mentions(size, unknown) {
            None
        } else {
            self.size(scope, size)
        }
    }

    /// Solves `size = target` for the one of `unknown` that it mentions exactly once.
    pub(crate) fn solve<'s>(
        &mut self,
        scope: &Scope,
        size: &'s Size,
        target: usize,
        unknown: &[&str],
    ) -> Option<(&'s Name, usize)> {
        match &size.node {
            SizeKind::Name(name) => unknown.contains(&&*name.text).then_some((name, target)),
            SizeKind::Number(_) | SizeKind::Ceiling(..) => None,
            SizeKind::Add(left, right) => {
                match (
                    self.known_size(scope, left, unknown),
                    self.known_size(scope, right, unknown),
                ) {
                    (Some(known), None) => {
                        self.solve(scope, right, target.checked_sub(known)?, unknown)
                    }
                    (None, Some(known)) => {
                        self.solve(scope, left, target.checked_sub(known)?, unknown)
                    }
                    _ => None,
                }
            }
            SizeKind::Subtract(left, right) => {
                match (
                    self.known_size(scope, left, unknown),
                    self.known_size(scope, right, unknown),
                ) {
                    (Some(known), None) => {
                        self.solve(scope, right, known.checked_sub(target)?, unknown)
                    }
                    (None, Some(known)) => {
                        self.solve(scope, left, target.checked_add(known)?, unknown)
                    }
                    _ => None,
                }
            }
            SizeKind::Multiply(left, right) => {
                let quotient = |known: usize| {
                    (known != 0 && target.is_multiple_of(known)).then(|| target / known)
                };
                match (
                    self.known_size(scope, left, unknown),
                    self.known_size(scope, right, unknown),
                ) {
                    (Some(known), None) => self.solve(scope, right, quotient(known)?, unknown),
                    (None, Some(known)) => self.solve(scope, left, quotient(known)?, unknown),
                    _ => None,
                }
            }
        }
    }
}

/// Whether a size mentions one of these names.
pub(crate) fn mentions(size: &Size, names: &[&str]) -> bool {
    match &size.node {
        SizeKind::Number(_) => false,
        SizeKind::Name(name) => names.contains(&&*name.text),
        SizeKind::Add(left, right)
        | SizeKind::Subtract(left, right)
        | SizeKind::Multiply(left, right)
        | SizeKind::Ceiling(left, right) => mentions(left, names) || mentions(right, names),
    }
}

/// Adds a suggestion of a nearest name, with the fix.
pub(crate) fn suggest(diagnostic: Diagnostic, span: Span, near: Option<String>) -> Diagnostic {
    match near {
        Some(near) => {
            let title = format!("write `{near}`");
            diagnostic
                .hint(format!("did you mean `{near}`?"))
                .fix(title, span, near)
        }
        None => diagnostic,
    }
}
