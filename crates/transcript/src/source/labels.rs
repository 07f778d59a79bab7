//! Names for a program that is written out: plain ones for locations and operations, and for variables
//! such as cannot capture one another.

use fletch_calculus::{
    Command, CommandKind, Handler, Index, Location, OperationRef, Program, Variable,
};
use std::collections::{BTreeMap, BTreeSet};

/// The names of locations and operations.
#[derive(Debug, Default)]
pub(super) struct Labels {
    locations: BTreeMap<usize, String>,
    operations: BTreeMap<OperationRef, String>,
}

impl Labels {
    pub(super) fn of(program: &Program, command: &Command) -> Labels {
        let mut labels = Labels::default();
        let mut taken = BTreeSet::new();
        // Names that are plain already are kept.
        let (plain, instances): (Vec<_>, Vec<_>) = program
            .locations
            .iter()
            .partition(|location| !location.name.contains('['));
        for location in plain.into_iter().chain(instances) {
            let name = distinct(&plain_name(&location.name), &mut taken);
            labels.locations.insert(location.number, name);
        }
        let mut found = BTreeSet::new();
        operations(command, &mut found);
        let mut taken = BTreeSet::new();
        let (plain, instances): (Vec<_>, Vec<_>) = found
            .into_iter()
            .filter(|operation| operation.builtin.is_none())
            .partition(|operation| operation.indices.is_empty());
        for operation in plain.into_iter().chain(instances) {
            let name = distinct(&plain_name(&operation.to_string()), &mut taken);
            labels.operations.insert(operation, name);
        }
        labels
    }

    pub(super) fn location(&self, location: &Location) -> String {
        let name = self.locations.get(&location.number);
        name.cloned().unwrap_or_else(|| plain_name(&location.name))
    }

    /// `Get[w]`, or the plain name of an instance.
    pub(super) fn operation(&self, operation: &OperationRef) -> String {
        if operation.builtin.is_some() {
            let indices: Vec<String> = operation
                .indices
                .iter()
                .map(|index| match index {
                    Index::Location(location) => self.location(location),
                    Index::Size(size) => size.to_string(),
                })
                .collect();
            return format!("{}[{}]", operation.name, indices.join(", "));
        }
        let name = self.operations.get(operation);
        name.cloned()
            .unwrap_or_else(|| plain_name(&operation.to_string()))
    }

    /// The operations to declare.
    pub(super) fn operations(&self) -> impl Iterator<Item = &OperationRef> {
        self.operations.keys()
    }
}

/// `velocity[a[1]]` as `velocity_a_1`.
fn plain_name(name: &str) -> String {
    let spaced = name.replace(['[', ']', ',', ' '], "_");
    let parts: Vec<&str> = spaced.split('_').filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        // Underscores of a name that is plain already are its own.
        _ if !name.contains('[') => name.to_owned(),
        parts => parts.join("_"),
    }
}

fn distinct(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut candidate = name.to_owned();
    let mut count = 1;
    while !taken.insert(candidate.clone()) {
        candidate = subscripted(name, count);
        count += 1;
    }
    candidate
}

/// The variables in scope, by number, with their names, innermost last.
#[derive(Debug, Default)]
pub(super) struct Scope(Vec<(u32, String)>);

impl Scope {
    /// A name unlike those of all other variables in scope; `_` for one that is not used.
    pub(super) fn enter(&mut self, variable: &Variable, used: bool) -> String {
        let base = readable(&variable.name);
        let mut name = base.clone();
        let mut count = 1;
        while self
            .0
            .iter()
            .any(|(id, other)| *other == name && *id != variable.id)
        {
            name = subscripted(&base, count);
            count += 1;
        }
        let shown = if used { name.clone() } else { "_".to_owned() };
        self.0.push((variable.id, name));
        shown
    }

    pub(super) fn leave(&mut self, count: usize) {
        self.0.truncate(self.0.len().saturating_sub(count));
    }

    pub(super) fn get(&self, variable: &Variable) -> String {
        let found = self.0.iter().rev().find(|(id, _)| *id == variable.id);
        found.map_or_else(|| readable(&variable.name), |(_, name)| name.clone())
    }
}

/// A proposed name as an identifier: `x_in″` as `x_in′′`.
fn readable(name: &str) -> String {
    let name = name.replace('″', "′′");
    if name == "_" || name.is_empty() {
        "v".to_owned()
    } else {
        name
    }
}

fn subscripted(base: &str, count: usize) -> String {
    let digits = count.to_string();
    let digits = digits
        .chars()
        .filter_map(|digit| char::from_u32(u32::from(digit) - 0x30 + 0x2080));
    base.chars().chain(digits).collect()
}

/// All operations of a command and of its handlers.
fn operations(command: &Command, found: &mut BTreeSet<OperationRef>) {
    match command.kind() {
        CommandKind::Pure(_) | CommandKind::Resume(..) | CommandKind::Handled(_) => {}
        CommandKind::Perform(operation, _) => {
            found.insert(operation.clone());
        }
        CommandKind::Let { bound, body, .. } => {
            operations(bound, found);
            operations(body, found);
        }
        CommandKind::RevHandle { body, handler, .. } => {
            operations(body, found);
            clauses(handler, found, |clause, found| {
                operations(&clause.forward, found);
                operations(&clause.backward, found);
            });
        }
        CommandKind::Handle { body, handler } => {
            operations(body, found);
            clauses(handler, found, |clause, found| {
                operations(&clause.body, found);
            });
        }
    }
}

fn clauses<C>(
    handler: &Handler<C>,
    found: &mut BTreeSet<OperationRef>,
    visit: impl Fn(&C, &mut BTreeSet<OperationRef>),
) {
    operations(&handler.return_clause.body, found);
    for (operation, clause) in &handler.clauses {
        found.insert(operation.clone());
        visit(clause, found);
    }
}
