//! Sizes: their evaluation, and solving for the one unknown that the size of an argument determines.

use crate::advice::unknown_size;
use crate::elaborator::Elaborator;
use crate::faults::{Fault, Help, Wanted};
use crate::nearest::nearest;
use crate::scope::Scope;
use fletch_calculus::Index;
use fletch_syntax::tree::{Name, Size, SizeKind};

/// Maximal number of entries of a tensor.
pub(crate) const SIZE_LIMIT: usize = 1 << 24;

impl<'a> Elaborator<'a> {
    /// Evaluates a size; `None` after a diagnostic.
    pub(crate) fn size(&mut self, scope: &Scope, size: &Size) -> Option<usize> {
        let value = match &size.node {
            SizeKind::Number(number) => usize::try_from(*number).ok(),
            SizeKind::Name(name) => return self.size_name(scope, name),
            SizeKind::Add(left, right)
            | SizeKind::Subtract(left, right)
            | SizeKind::Multiply(left, right)
            | SizeKind::Ceiling(left, right) => {
                let (left, right) = (self.size(scope, left), self.size(scope, right));
                let (left, right) = (left?, right?);
                match &size.node {
                    SizeKind::Subtract(..) if left < right => {
                        self.report.add(size.span, Fault::NegativeSize(left, right));
                        return None;
                    }
                    SizeKind::Ceiling(..) if right == 0 => {
                        self.report.add(size.span, Fault::DividedByZero);
                        return None;
                    }
                    SizeKind::Subtract(..) => left.checked_sub(right),
                    SizeKind::Ceiling(..) => Some(left.div_ceil(right)),
                    SizeKind::Multiply(..) => left.checked_mul(right),
                    _ => left.checked_add(right),
                }
            }
        };
        match value {
            Some(value) if value <= SIZE_LIMIT => Some(value),
            _ => {
                self.report.add(size.span, Fault::LargeSize);
                None
            }
        }
    }

    pub(crate) fn size_name(&mut self, scope: &Scope, name: &Name) -> Option<usize> {
        match scope.index(self.names.index(name)) {
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
        let fault = Fault::LocationAsSize(name.text.clone());
        self.report.add(name.span, fault);
    }

    /// Reports a name that is neither a size nor a location.
    pub(crate) fn unknown_index(&mut self, scope: &Scope, name: &Name) {
        let known = scope
            .index_names()
            .chain(self.declarations.dims.keys().map(|name| &**name))
            .chain(self.declarations.locations.keys().map(|name| &**name));
        let help = match nearest(&name.text, known) {
            Some(near) => Help::Near(near.to_owned()),
            None => unknown_size(self.declarations, name),
        };
        self.unknown(Wanted::Index, name, help);
    }

    /// Reports a name that nothing declares or binds.
    pub(crate) fn unknown(&mut self, wanted: Wanted, name: &Name, help: Help) {
        let unknown = Fault::Unknown(wanted, name.text.clone(), help);
        self.report.add(name.span, unknown);
    }

    /// The value of a size; `None`, without a diagnostic, if the size mentions a name in `unknown`.
    fn known_size(&mut self, scope: &Scope, size: &Size, unknown: &[&str]) -> Option<usize> {
        if mentions(size, unknown) {
            None
        } else {
            self.size(scope, size)
        }
    }

    /// Solves `size = target` for the one name of `unknown` that the size mentions, if it mentions exactly one, once.
    pub(crate) fn solve<'s>(
        &mut self,
        scope: &Scope,
        size: &'s Size,
        target: usize,
        unknown: &[&str],
    ) -> Option<(&'s Name, usize)> {
        let (left, right) = match &size.node {
            SizeKind::Name(name) => {
                return unknown.contains(&&*name.text).then_some((name, target));
            }
            SizeKind::Number(_) | SizeKind::Ceiling(..) => return None,
            SizeKind::Add(left, right)
            | SizeKind::Subtract(left, right)
            | SizeKind::Multiply(left, right) => (left, right),
        };
        let sides = (
            self.known_size(scope, left, unknown),
            self.known_size(scope, right, unknown),
        );
        let (open, known) = match sides {
            (Some(known), None) => (right, known),
            (None, Some(known)) => (left, known),
            _ => return None,
        };
        let target = match &size.node {
            SizeKind::Add(..) => target.checked_sub(known)?,
            SizeKind::Subtract(..) if sides.0.is_some() => known.checked_sub(target)?,
            SizeKind::Subtract(..) => target.checked_add(known)?,
            _ if known != 0 && target.is_multiple_of(known) => target / known,
            _ => return None,
        };
        self.solve(scope, open, target, unknown)
    }
}

/// True if a size mentions one of these names.
pub(crate) fn mentions(size: &Size, names: &[&str]) -> bool {
    let mut mentioned = size.node.names().into_iter();
    mentioned.any(|name| names.contains(&&*name.text))
}
