//! Canonical forms of loops that are not written out. Two loops with one count are equal if their bodies have one canonical
//! form; they are then equal for any number of moments.

use super::{Act, Canonical, Check, Form, Forms, Id, Performed};
use crate::node::Loop;
use std::collections::BTreeMap;

/// Canonical form of a loop. The body has forms like an arrow: its inputs, and the results of its operations, are numbered from 0.
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
    /// Forms of the results of a loop. A loop that performs operations has its position among the operations of the arrow.
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

#[cfg(test)]
mod tests {
    use crate::cases::of_program;
    use crate::{Arrow, Equality, equality};
    use fletch_smooth::Partiality;

    fn looped(count: usize, body: &str) -> Arrow {
        of_program(&format!(
            "loc w ∷ (1) loc v ∷ (1)
            main = let a ⇐ Get[w]() in feedback[{count}](a, ())⟨s, _⟩. {body}"
        ))
    }

    fn verdict(left: &Arrow, right: &Arrow) -> String {
        match equality(left, right, Partiality::Paper) {
            Equality::Equal { any_length } => format!("equal, at any length: {any_length}"),
            Equality::Different(difference) => difference.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_loop_that_performs_operations_is_performed_in_its_turn() {
        let body = |location: &str| format!("let b ⇐ Get[{location}]() in ⌊s ⊙ b⌋");
        let long = 1_000_000;
        assert_eq!(
            verdict(&looped(long, &body("w")), &looped(long, &body("w"))),
            "equal, at any length: true"
        );
        // Operation 1 is Get[w] before the loops.
        assert_eq!(
            verdict(&looped(2, &body("w")), &looped(2, &body("v"))),
            "they differ in operation 2: Get[w] against Get[v]"
        );
    }

    #[test]
    fn loops_of_other_counts_are_compared_moment_by_moment() {
        assert_eq!(
            verdict(&looped(2, "⌊sin(s)⌋"), &looped(3, "⌊sin(s)⌋")),
            "they differ in output 1: the result of operation 1 against sin(the result of operation 1)"
        );
        assert_eq!(
            verdict(&looped(2, "⌊sin(sin(s))⌋"), &looped(4, "⌊sin(s)⌋")),
            "equal, at any length: false"
        );
    }

    #[test]
    fn a_loop_has_the_domain_of_its_moments() {
        assert_eq!(
            verdict(
                &looped(2, "let _ ⇐ ⌊log(s)⌋ in ⌊sin(s)⌋"),
                &looped(2, "⌊sin(s)⌋")
            ),
            "they differ in what has to be defined: log(the result of operation 1) against nothing"
        );
        let unused = |body: &str| {
            of_program(&format!(
                "loc w ∷ (1) main = let a ⇐ Get[w]() in let _ ⇐ (feedback[2](a, ())⟨s, _⟩. ⌊{body}⌋) in ⌊a⌋"
            ))
        };
        assert_eq!(
            verdict(&unused("log(s)"), &unused("log(s)")),
            "equal, at any length: true"
        );
        assert_eq!(
            verdict(&unused("log(s)"), &unused("sin(s)")),
            "they differ in what has to be defined: log(the result of operation 1) against nothing"
        );
    }
}
