//! Readable, distinct names for unique variables.
//!
//! A variable of the program keeps its name unless another of that name is in scope. Variables that the
//! run introduced are told apart within a state by subscripts, the oldest without one: backward, the
//! youngest vanish first, so names stay from step to step.

use fletch_calculus::{Command, CommandKind, Term, TermKind, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The names of one printed command.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Names of variables that the run introduced.
    introduced: BTreeMap<u32, String>,
    taken: BTreeSet<String>,
    /// Binders around the place being printed, innermost last.
    scope: Vec<(u32, String)>,
}

impl Names {
    /// Names for a command; variables from number `first_introduced` on come from the run.
    pub(crate) fn of(command: &Command, first_introduced: u32) -> Names {
        let mut found = BTreeMap::new();
        binders(command, first_introduced, &mut found);
        let mut names = Names::default();
        let mut counts: BTreeMap<Arc<str>, usize> = BTreeMap::new();
        for (id, base) in found {
            let count = counts.entry(base.clone()).or_insert(0);
            let mut name = subscripted(&base, *count);
            while names.taken.contains(&name) {
                *count += 1;
                name = subscripted(&base, *count);
            }
            *count += 1;
            names.taken.insert(name.clone());
            names.introduced.insert(id, name);
        }
        names
    }

    /// The name of a variable where it is used.
    pub(crate) fn get(&self, variable: &Variable) -> String {
        let bound = self
            .scope
            .iter()
            .rev()
            .find(|(id, _)| *id == variable.id)
            .map(|(_, name)| name);
        match bound.or_else(|| self.introduced.get(&variable.id)) {
            Some(name) => name.clone(),
            None => variable.name.to_string(),
        }
    }

    /// The name of a variable where it is bound; valid until [`Self::leave`].
    pub(crate) fn enter(&mut self, variable: &Variable) -> String {
        let name = match self.introduced.get(&variable.id) {
            Some(name) => name.clone(),
            None if &*variable.name == "_" => "_".to_owned(),
            None => {
                let mut count = 0;
                let mut name = variable.name.to_string();
                while self
                    .scope
                    .iter()
                    .any(|(id, other)| *other == name && *id != variable.id)
                {
                    count += 1;
                    name = subscripted(&variable.name, count);
                }
                name
            }
        };
        self.scope.push((variable.id, name.clone()));
        name
    }

    /// Ends the scope of the last `count` binders.
    pub(crate) fn leave(&mut self, count: usize) {
        self.scope.truncate(self.scope.len().saturating_sub(count));
    }
}

/// `x`, `x₁`, `x₂`, …
fn subscripted(base: &str, count: usize) -> String {
    if count == 0 {
        return base.to_owned();
    }
    let digits: String = count
        .to_string()
        .chars()
        .filter_map(|digit| char::from_u32(u32::from(digit) - 0x30 + 0x2080))
        .collect();
    format!("{base}{digits}")
}

fn binders(command: &Command, first: u32, found: &mut BTreeMap<u32, Arc<str>>) {
    let mut bind = |variable: &Variable| {
        if variable.id >= first {
            found.insert(variable.id, variable.name.clone());
        }
    };
    match command.kind() {
        CommandKind::Pure(m) | CommandKind::Perform(_, m) => term_binders(m, first, found),
        CommandKind::Resume(k, m) => {
            bind(k);
            term_binders(m, first, found);
        }
        CommandKind::Let {
            variable,
            bound,
            body,
            ..
        } => {
            bind(variable);
            binders(bound, first, found);
            binders(body, first, found);
        }
        CommandKind::RevHandle {
            argument,
            variables,
            body,
            ..
        } => {
            variables.iter().for_each(&mut bind);
            term_binders(argument, first, found);
            binders(body, first, found);
        }
        CommandKind::Handled {
            values,
            variables,
            body,
            ..
        } => {
            variables.iter().for_each(&mut bind);
            for value in values.iter() {
                term_binders(value, first, found);
            }
            binders(body, first, found);
        }
        CommandKind::Handle { body, .. } => binders(body, first, found),
    }
}

fn term_binders(term: &Term, first: u32, found: &mut BTreeMap<u32, Arc<str>>) {
    match term.kind() {
        TermKind::Variable(x) => {
            if x.id >= first {
                found.insert(x.id, x.name.clone());
            }
        }
        TermKind::Constant(_) => {}
        TermKind::Apply(_, m) | TermKind::Project(_, m) => term_binders(m, first, found),
        TermKind::Add(m, n) => {
            term_binders(m, first, found);
            term_binders(n, first, found);
        }
        TermKind::Tuple(parts) => parts
            .iter()
            .for_each(|part| term_binders(part, first, found)),
        TermKind::Let(x, m, n) => {
            if x.id >= first {
                found.insert(x.id, x.name.clone());
            }
            term_binders(m, first, found);
            term_binders(n, first, found);
        }
        TermKind::ReverseDerivative {
            cotangent,
            variable,
            body,
            point,
        } => {
            if variable.id >= first {
                found.insert(variable.id, variable.name.clone());
            }
            term_binders(cotangent, first, found);
            term_binders(body, first, found);
            term_binders(point, first, found);
        }
    }
}
