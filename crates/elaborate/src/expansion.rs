//! Expansion of definitions: those being expanded, for cycles, and those already visited by a use.

use crate::scope::Scope;
use fletch_syntax::Span;
use fletch_syntax::tree::Name;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// State of the expansion of definitions.
#[derive(Default)]
pub(crate) struct Expansion<'a> {
    /// Definitions being expanded, outermost first.
    open: Vec<&'a Name>,
    /// Circles that were reported, by the places of their definitions.
    circles: BTreeSet<BTreeSet<Span>>,
    /// Definitions and clauses visited by a use, by place.
    seen: BTreeSet<Span>,
    /// Handlers whose clause heads have been checked, by the place of their first clause.
    heads: BTreeSet<Span>,
    /// Bindings of the index parameters of definitions at their first call, by name.
    instances: BTreeMap<Arc<str>, Scope>,
}

impl<'a> Expansion<'a> {
    /// Begins to expand a definition; otherwise the circle that this would close, from it to the last.
    pub(crate) fn enter(&mut self, name: &'a Name) -> Result<(), Vec<&'a Name>> {
        let open = |open: &&Name| open.span == name.span;
        if let Some(position) = self.open.iter().position(open) {
            return Err(self.open.iter().skip(position).copied().collect());
        }
        self.seen.insert(name.span);
        self.open.push(name);
        Ok(())
    }

    pub(crate) fn leave(&mut self) {
        self.open.pop();
    }

    /// True if a cycle was not reported before, from any of its definitions.
    pub(crate) fn is_new(&mut self, circle: &[&'a Name]) -> bool {
        self.circles
            .insert(circle.iter().map(|name| name.span).collect())
    }

    /// Notes a call of a definition, whose index parameters are bound in this scope.
    pub(crate) fn instantiate(&mut self, name: &Name, scope: &Scope) {
        if !self.instances.contains_key(&name.text) {
            self.instances.insert(name.text.clone(), scope.clone());
        }
    }

    /// The index parameters of a definition where it is first called.
    pub(crate) fn first_instance(&self, name: &str) -> Option<&Scope> {
        self.instances.get(name)
    }

    /// Marks the definition or clause at a place as visited by a use.
    pub(crate) fn see(&mut self, place: Span) {
        self.seen.insert(place);
    }

    pub(crate) fn has_seen(&self, place: Span) -> bool {
        self.seen.contains(&place)
    }

    /// True the first time that a list of clause heads is checked; the place of the first clause identifies the list.
    pub(crate) fn check_heads(&mut self, first: Span) -> bool {
        self.heads.insert(first)
    }
}
