//! Readable, distinct names for unique variables.
//!
//! A variable of the program keeps its name unless another of that name is in scope. Variables that the run
//! introduced are distinguished within a state by subscripts; the oldest has none. In the backward pass the
//! youngest vanish first, so names stay from step to step.

use crate::folds::Folds;
use fletch_calculus::{Command, Part, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The names of one printed command.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Names of variables that the run introduced, in order of their numbers.
    introduced: Vec<(u32, Arc<str>)>,
    /// Variables in scope at the node being printed, innermost last.
    scope: Vec<(u32, Arc<str>)>,
    /// True if every name must be valid in program text.
    plain: bool,
}

impl Names {
    /// Names for the shown part of a command; variables from number `first_introduced` on come from the run.
    pub fn of(command: &Command, folds: &Folds, first_introduced: u32) -> Names {
        let mut found = Vec::new();
        let shown = Part::Command(folds.shown(command).0);
        binders(shown, first_introduced, folds, &mut found);
        found.sort_unstable_by_key(|variable| variable.id);
        found.dedup_by_key(|variable| variable.id);
        let mut names = Names::default();
        let mut taken: BTreeSet<Arc<str>> = BTreeSet::new();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for variable in found {
            let count = counts.entry(&variable.name).or_insert(0);
            let mut name = subscripted(&variable.name, *count);
            while taken.contains(&name) {
                *count += 1;
                name = subscripted(&variable.name, *count);
            }
            *count += 1;
            taken.insert(name.clone());
            names.introduced.push((variable.id, name));
        }
        names
    }

    /// Names that are valid in program text, none of which captures another.
    pub fn plain() -> Names {
        Names {
            plain: true,
            ..Names::default()
        }
    }

    /// Name of a variable without subscripts.
    fn base(&self, variable: &Variable) -> Arc<str> {
        match &*variable.name {
            "_" | "" if self.plain => "v".into(),
            name if self.plain && name.contains('″') => name.replace('″', "′′").into(),
            _ => variable.name.clone(),
        }
    }

    /// The name of a variable where it is used.
    pub fn get(&self, variable: &Variable) -> Arc<str> {
        let bound = self
            .scope
            .iter()
            .rev()
            .find(|(id, _)| *id == variable.id)
            .map(|(_, name)| name);
        let known = bound.or_else(|| self.introduced(variable));
        known.cloned().unwrap_or_else(|| self.base(variable))
    }

    fn introduced(&self, variable: &Variable) -> Option<&Arc<str>> {
        let position = self
            .introduced
            .binary_search_by_key(&variable.id, |(id, _)| *id)
            .ok()?;
        self.introduced.get(position).map(|(_, name)| name)
    }

    /// The name of a variable where it is bound; valid until [`Self::leave`].
    pub fn enter(&mut self, variable: &Variable) -> Arc<str> {
        let name = match self.introduced(variable) {
            Some(name) => name.clone(),
            None if &*variable.name == "_" && !self.plain => variable.name.clone(),
            None => {
                let base = self.base(variable);
                let mut count = 0;
                let mut name = base.clone();
                while self
                    .scope
                    .iter()
                    .any(|(id, other)| *other == name && *id != variable.id)
                {
                    count += 1;
                    name = subscripted(&base, count);
                }
                name
            }
        };
        self.scope.push((variable.id, name.clone()));
        name
    }

    /// Ends the scope of the last `count` binders.
    pub fn leave(&mut self, count: usize) {
        self.scope.truncate(self.scope.len().saturating_sub(count));
    }
}

/// Name with a subscript: `x`, `x₁`, `x₂`, … for 0, 1, 2, …
pub(crate) fn subscripted(base: &Arc<str>, count: usize) -> Arc<str> {
    if count == 0 {
        return base.clone();
    }
    let digits: String = count
        .to_string()
        .chars()
        .filter_map(|digit| char::from_u32(u32::from(digit) - 0x30 + 0x2080))
        .collect();
    format!("{base}{digits}").into()
}

fn binders<'c>(part: Part<'c>, first: u32, folds: &Folds, found: &mut Vec<&'c Variable>) {
    if folds.contains(part) {
        return;
    }
    let introduced = part
        .variables()
        .iter()
        .filter(|variable| variable.id >= first);
    found.extend(introduced);
    part.children()
        .for_each(|child| binders(child, first, folds, found));
}
