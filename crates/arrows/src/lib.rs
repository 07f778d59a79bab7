//! Denotational semantics (section *Categorical Semantics*): a command denotes an arrow of the free strong promonad over
//! PSmooth. An arrow is written as wires and statements. Its operations have a fixed order; its pure maps may move along their
//! wires. The same arrow is drawn, compared and run.

mod bundle;
mod canonical;
#[cfg(test)]
mod cases;
mod commands;
mod equality;
mod evaluation;
mod layers;
mod listing;
mod loops;
mod node;
mod noted;
mod ordinary;
mod reverse_algebra;
mod rounding;
mod scope;
mod terms;
mod writer;

pub use equality::{Comparing, Difference, Equality, Place, Rounding, equality};
pub use evaluation::{Stopped, Traced, WORK, evaluate, wires};
pub use listing::{listing, passages};
pub use node::{Handled, Loop, Node, NodeKind, Pass, Passage, Provenance, Whole};
pub use noted::Layer;
pub use reverse_algebra::calls;
pub use writer::Fault;

use fletch_calculus::{Command, Index, Location, Operation, Origin, Type, Variable};
use fletch_smooth::{Builder, Map, Wire};
use std::sync::Arc;
use writer::Writer;

/// ⟦Δ ⊢ P : A⟧: an arrow from ⟦Δ⟧ to ⟦A⟧.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// The statements, from the base types of Δ to those of A.
    pub map: Map<Node>,
    /// The type A of the results.
    pub codomain: Type,
}

/// Origin of a `rev handle`, and for each wire of its handled command the wire of the arrow with the forward value; `None` for
/// a dropped wire.
pub type Forward = (Origin, Vec<Option<Wire>>);

impl Arrow {
    /// The arrow of a command P : A over these variables.
    ///
    /// # Errors
    /// Fails if the arrow would exceed a limit on its size, or if the command does not have the type `codomain`.
    pub fn of(
        variables: &[(&Variable, &Type)],
        command: &Command,
        codomain: &Type,
    ) -> Result<Arrow, Fault> {
        Ok(Arrow::with_network(variables, command, codomain)?.0)
    }

    /// Arrow of a command, with the network of the first `rev handle` outside of handlers: the origin of the `rev handle`, and
    /// for each wire of the network the wire of the arrow with the forward value; `None` for a dropped wire.
    ///
    /// # Errors
    /// As [`Arrow::of`].
    pub fn with_network(
        variables: &[(&Variable, &Type)],
        command: &Command,
        codomain: &Type,
    ) -> Result<(Arrow, Option<Forward>), Fault> {
        Arrow::written(variables, command, codomain, 0)
    }

    /// Arrow of a command. A feedback of at most `moments` moments is written out; a longer one is a loop.
    ///
    /// # Errors
    /// As [`Arrow::of`].
    pub fn unrolled(
        variables: &[(&Variable, &Type)],
        command: &Command,
        codomain: &Type,
        moments: usize,
    ) -> Result<(Arrow, Option<Forward>), Fault> {
        Arrow::written(variables, command, codomain, moments)
    }

    fn written(
        variables: &[(&Variable, &Type)],
        command: &Command,
        codomain: &Type,
        unrolled: usize,
    ) -> Result<(Arrow, Option<Forward>), Fault> {
        let origin = command.origin();
        let mut writer = Writer::new(Vec::new());
        writer.unrolled = unrolled;
        let (piece, became) =
            writer.abstracted_tracing(variables, origin, |writer| writer.command(command))?;
        let arrow = Arrow {
            map: piece.map,
            codomain: codomain.clone(),
        };
        let outputs = arrow.map.outputs().iter().map(|wire| arrow.map.size(*wire));
        if outputs.eq(codomain.sizes()) {
            Ok((arrow, writer.forward(&became)))
        } else {
            Err(Fault::IllTyped { origin })
        }
    }

    /// Numbers of statements and, among them, of operations; a loop's body counts once.
    pub fn counts(&self) -> (usize, usize) {
        fn operations(map: &Map<Node>) -> usize {
            let statements = map.statements().iter();
            let counts = statements.map(|statement| match &statement.applied.kind {
                NodeKind::Operation(_) => 1,
                NodeKind::Loop(inner) => operations(&inner.body),
                NodeKind::Symbol(_) | NodeKind::Constant(_) => 0,
            });
            counts.sum()
        }
        (node::looped::written(&self.map), operations(&self.map))
    }

    /// True if a statement of the arrow is a loop.
    pub fn has_loops(&self) -> bool {
        let mut statements = self.map.statements().iter();
        statements.any(|statement| matches!(statement.applied.kind, NodeKind::Loop(_)))
    }

    /// The arrow with each loop written out; `None` if it would have more than `statements` statements. The copies of statement
    /// n have n as `part_of`.
    pub fn expanded(&self, statements: usize) -> Option<Arrow> {
        if node::looped::work(&self.map) > statements {
            return None;
        }
        let map = self.map.opened(|b, node, arguments| match &node.kind {
            NodeKind::Loop(looped) => node::looped::expand(b, looped, arguments, &node.provenance),
            _ => b.apply(node.clone(), arguments),
        });
        let codomain = self.codomain.clone();
        Some(Arrow { map, codomain })
    }
}

impl Arrow {
    /// The arrow with its first operation replaced by these results, as after a step of a heap rule. A loop that contains the
    /// operation is written out. An arrow without operations stays as it is.
    #[must_use]
    pub fn performed(&self, results: &[fletch_calculus::Tensor]) -> Arrow {
        let mut first = true;
        let map = self
            .map
            .opened(|b, node, arguments| perform(b, node, arguments, results, &mut first));
        let codomain = self.codomain.clone();
        Arrow { map, codomain }
    }

    /// Arrow with its heap locations renumbered by `number`. The copy of statement n has n as `part_of`.
    #[must_use]
    pub fn relocated(&self, mut number: impl FnMut(&Location) -> usize) -> Arrow {
        let map = relocated(&self.map, &mut number);
        let codomain = self.codomain.clone();
        Arrow { map, codomain }
    }
}

fn relocated(map: &Map<Node>, number: &mut dyn FnMut(&Location) -> usize) -> Map<Node> {
    map.opened(|b, node, arguments| {
        let kind = match &node.kind {
            NodeKind::Operation(operation) => {
                let mut index = |index: &Index| match index {
                    Index::Size(size) => Index::Size(*size),
                    Index::Location(location) => Index::Location(Arc::new(Location {
                        name: location.name.clone(),
                        number: number(location),
                        sizes: location.sizes.clone(),
                    })),
                };
                let indices = operation.indices.iter().map(&mut index).collect();
                NodeKind::Operation(Arc::new(Operation {
                    name: operation.name.clone(),
                    indices,
                    domain: operation.domain.clone(),
                    codomain: operation.codomain.clone(),
                    builtin: operation.builtin,
                }))
            }
            NodeKind::Loop(looped) => NodeKind::Loop(Arc::new(Loop {
                body: relocated(&looped.body, number),
                ..(**looped).clone()
            })),
            NodeKind::Symbol(_) | NodeKind::Constant(_) => node.kind.clone(),
        };
        let provenance = node.provenance.clone();
        b.apply(Node { kind, provenance }, arguments)
    })
}

/// Writes a statement; the first operation is replaced by its results, as constants.
fn perform(
    b: &mut Builder<Node>,
    node: &Node,
    arguments: &[Wire],
    results: &[fletch_calculus::Tensor],
    first: &mut bool,
) -> Vec<Wire> {
    match &node.kind {
        NodeKind::Operation(_) if std::mem::take(first) => {
            let constants = results.iter().flat_map(|tensor| {
                let kind = NodeKind::Constant(tensor.clone());
                let provenance = node.provenance.clone();
                b.apply(Node { kind, provenance }, &[])
            });
            constants.collect()
        }
        NodeKind::Loop(looped) if *first && looped.has(&|node| node.operation().is_some()) => {
            node::looped::copies(
                b,
                looped,
                arguments,
                &node.provenance,
                &mut |b, node, arguments| perform(b, node, arguments, results, first),
            )
        }
        _ => b.apply(node.clone(), arguments),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A failed test is a panic.

    use super::Arrow;
    use crate::cases::{arrow, check, command, of_program};
    use fletch_calculus::{Tensor, Type};

    #[test]
    fn what_the_first_operation_gave_stands_in_its_place() {
        let arrow = arrow("x : Real(1) ⊢ let a ⇐ Get[w]() in let _ ⇐ Put[w](a + x) in Get[w]()");
        check(
            &arrow.performed(&[Tensor::vector(vec![2.0])]),
            "
                in   w0 : 1
                   0 w1 : 1 = 2()
                   1 w2 : 1 = plus(w1, w0)
                   2 w3 : 0 = Put[w](w2)
                   3 w4 : 0 = ()()
                   4 w5 : 1 = Get[w](w4)
                out  w5",
        );
    }

    #[test]
    fn a_loop_is_written_out_where_its_first_operation_is_performed() {
        let looped = |body: &str| {
            of_program(&format!(
                "loc w ∷ (1)
                main = let s ⇐ (feedback[2](1, ())⟨s, _⟩. {body}) in let a ⇐ Get[w]() in ⌊s + a⌋"
            ))
        };
        let results = [Tensor::vector(vec![2.0])];
        let pure = looped("⌊sin(s)⌋").performed(&results);
        assert_eq!((pure.has_loops(), pure.counts().1), (true, 0));
        let reads = looped("let b ⇐ Get[w]() in ⌊s ⊙ b⌋").performed(&results);
        assert_eq!((reads.has_loops(), reads.counts().1), (false, 2));
    }

    #[test]
    fn the_network_goes_forward_on_wires_of_the_arrow() {
        let read = command("rev handle([5])⟨x⟩. let y ⇐ D(x) in ⌊sin[1](y)⌋ with H");
        let ty = Type::real(1);
        let (arrow, forward) = Arrow::with_network(&[], &read.subject, &ty).unwrap();
        let (_, wires) = forward.unwrap();
        let wires: Vec<String> = wires
            .iter()
            .map(|wire| wire.map_or("dropped".to_owned(), |wire| format!("w{}", wire.0)))
            .collect();
        // The wires are x, the result of D, and its sin.
        assert_eq!(wires, ["w0", "w3", "w4"]);
        check(
            &arrow,
            "
                in
                   0 w0 : 1 = 5()
                   1 w1 : 0 = ()()              H forward D
                   2 w2 : 1 = Get[w](w1)        H forward D
                   3 w3 : 1 = hadamard(w2, w0)  H forward D
                   4 w4 : 1 = sin(w3)           H forward sin
                   5 w5 : 1 = sin(w4)           H return
                   6 w6 : 1 = rd[sin](w3, w5)   H backward sin
                   7 w7 : 1 = hadamard(w6, w0)  H backward D
                   8 w8 : 0 = Put[w](w7)        H backward D
                   9 w9 : 1 = hadamard(w2, w6)  H backward D
                out  w9",
        );
    }
}
