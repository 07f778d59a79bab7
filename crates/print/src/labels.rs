//! Plain names for the locations and operations of a program that is printed as text. Every instance of a family
//! gets a name of its own.

use crate::names::subscripted;
use fletch_calculus::{Index, Location, OperationRef, Program};
use std::collections::{BTreeMap, BTreeSet};

/// The names of locations and operations.
#[derive(Debug, Default)]
pub struct Labels {
    locations: BTreeMap<usize, String>,
    operations: BTreeMap<OperationRef, String>,
}

impl Labels {
    /// Labels for the locations of a program and for these operations.
    pub fn of(program: &Program, operations: BTreeSet<OperationRef>) -> Labels {
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
        let mut taken = BTreeSet::new();
        let (plain, instances): (Vec<_>, Vec<_>) = operations
            .into_iter()
            .filter(|operation| operation.builtin.is_none())
            .partition(|operation| operation.indices.is_empty());
        for operation in plain.into_iter().chain(instances) {
            let name = distinct(&plain_name(&operation.to_string()), &mut taken);
            labels.operations.insert(operation, name);
        }
        labels
    }

    /// The name of a location.
    pub fn location(&self, location: &Location) -> String {
        let name = self.locations.get(&location.number);
        name.cloned().unwrap_or_else(|| plain_name(&location.name))
    }

    /// The name of an operation: `Get[w]`, or the plain name of an instance.
    pub fn operation(&self, operation: &OperationRef) -> String {
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
    pub fn operations(&self) -> impl Iterator<Item = &OperationRef> {
        self.operations.keys()
    }
}

/// Plain form of a name: `velocity_a_1` for `velocity[a[1]]`.
fn plain_name(name: &str) -> String {
    let spaced = name.replace(['[', ']', ',', ' '], "_");
    let parts: Vec<&str> = spaced.split('_').filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        // A name that is plain already keeps its underscores.
        _ if !name.contains('[') => name.to_owned(),
        parts => parts.join("_"),
    }
}

fn distinct(name: &str, taken: &mut BTreeSet<String>) -> String {
    let name = name.into();
    let mut candidates = (0..).map(|count| subscripted(&name, count).to_string());
    let free = candidates.find(|candidate| taken.insert(candidate.clone()));
    free.unwrap_or_default()
}
