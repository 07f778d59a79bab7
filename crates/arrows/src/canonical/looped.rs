//! Loops that are kept: two are equal, for any number of moments, if their bodies have one canonical form.

use super::{Act, Canonical, Check, Form, Forms, Id, Performed};
use crate::node::Loop;
use std::collections::BTreeMap;

/// Canonical form of a loop. The forms of its body are those of an arrow: the inputs of the body, and the results of its operations, have
/// numbers of their own.
#[derive(PartialEq, Eq)]
pub(super) struct LoopForm {
    count: usize,
    constants: usize,
    states: usize,
    backwards: bool,
    inputs: Vec<usize>,
    operations: Vec<(Act, Vec<Id>)>,
    outputs: Vec<Id>,
    domain: Vec<Check>,
}

impl Forms {
    /// The results of a loop. One that performs operations is performed in its turn, as an operation is.
    pub(super) fn looped(
        &mut self,
        looped: &Loop,
        arguments: &[Id],
        number: usize,
        canonical: &mut Canonical,
    ) -> Vec<Id> {
        let form = self.body(looped, number);
        let (performs, is_partial) = (!form.operations.is_empty(), !form.domain.is_empty());
        let known = self.loops.iter().position(|other| *other == form);
        let known = known.unwrap_or_else(|| {
            self.loops.push(form);
            self.loops.len() - 1
        });
        let op = canonical.operations.len();
        if performs {
            canonical.operations.push(Performed {
                operation: Act::Loop(known),
                arguments: arguments.to_vec(),
                statement: number,
            });
        } else if is_partial {
            let check = (format!("loop {known}"), arguments.to_vec());
            canonical.domain.entry(check).or_insert(number);
        }
        let sizes = looped.outputs().into_iter().enumerate();
        sizes
            .map(|(k, n)| match performs {
                true => self.known(Form::Result(op, k), n),
                false => self.known(Form::Loop(known, arguments.to_vec(), k), n),
            })
            .collect()
    }

    fn body(&mut self, looped: &Loop, number: usize) -> LoopForm {
        let map = &looped.body;
        let mut canonical = Canonical {
            inputs: map.inputs().to_vec(),
            operations: Vec::new(),
            outputs: Vec::new(),
            makers: BTreeMap::new(),
            domain: BTreeMap::new(),
        };
        let inputs = map.inputs().iter().enumerate();
        let mut wires: Vec<Id> = inputs
            .map(|(k, n)| self.known(Form::Input(k), *n))
            .collect();
        let at = |wires: &[Id], these: &[fletch_smooth::Wire]| -> Vec<Id> {
            let these = these.iter();
            these
                .filter_map(|wire| wires.get(wire.0).copied())
                .collect()
        };
        for statement in map.statements() {
            let arguments = at(&wires, &statement.arguments);
            wires.extend(self.results(statement, &arguments, number, &mut canonical));
        }
        let operations = canonical.operations.into_iter();
        LoopForm {
            count: looped.count,
            constants: looped.constants,
            states: looped.states,
            backwards: looped.backwards,
            inputs: canonical.inputs,
            operations: operations
                .map(|performed| (performed.operation, performed.arguments))
                .collect(),
            outputs: at(&wires, map.outputs()),
            domain: canonical.domain.into_keys().collect(),
        }
    }
}
