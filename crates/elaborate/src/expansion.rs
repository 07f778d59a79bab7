//! Expansion of definitions: the definitions being expanded, to detect cycles, and the definitions and clauses that some use has visited.

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
    /// Reported cycles, each as the spans of its definitions.
    circles: BTreeSet<BTreeSet<Span>>,
    /// Spans of the definitions and clauses that a use has visited.
    seen: BTreeSet<Span>,
    /// Handlers whose clause heads have been checked, by the span of their first clause.
    heads: BTreeSet<Span>,
    /// Bindings of the index parameters of definitions at their first call, by name.
    instances: BTreeMap<Arc<str>, Scope>,
}

impl<'a> Expansion<'a> {
    /// Begins the expansion of a definition. If that would close a cycle, the error is the cycle, from this definition to the last open
    /// one.
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

    /// True if the cycle has not been reported before, from any of its definitions.
    pub(crate) fn is_new(&mut self, circle: &[&'a Name]) -> bool {
        self.circles
            .insert(circle.iter().map(|name| name.span).collect())
    }

    /// Records a call of a definition, whose index parameters are bound in this scope. The first call counts.
    pub(crate) fn instantiate(&mut self, name: &Name, scope: &Scope) {
        if !self.instances.contains_key(&name.text) {
            self.instances.insert(name.text.clone(), scope.clone());
        }
    }

    /// Scope with the index parameters of a definition, as bound in its first call.
    pub(crate) fn first_instance(&self, name: &str) -> Option<&Scope> {
        self.instances.get(name)
    }

    /// Marks the definition or clause at a span as visited by a use.
    pub(crate) fn see(&mut self, place: Span) {
        self.seen.insert(place);
    }

    pub(crate) fn has_seen(&self, place: Span) -> bool {
        self.seen.contains(&place)
    }

    /// True at the first check of a list of clause heads; the span of the first clause identifies the list.
    pub(crate) fn check_heads(&mut self, first: Span) -> bool {
        self.heads.insert(first)
    }
}
