//! Arrows under construction: the statements written so far, and the meaning of the names in scope.

use crate::bundle::Bundle;
use crate::node::{Node, Passage};
use fletch_calculus::{OrdinaryHandler, Origin};
use fletch_smooth::{Applied, Builder, Map, Statement, Wire};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// The arrow under construction, and the wires of the variables of Δ.
pub(crate) struct Scope {
    pub(crate) builder: Builder<Node>,
    /// Looked up, never iterated.
    pub(crate) variables: HashMap<u32, Bundle>,
    pub(crate) continuations: HashMap<u32, Rc<Continuation>>,
    pub(crate) met: Met,
}

/// Counters of the runs and terms written so far.
#[derive(Default)]
pub(crate) struct Met {
    /// Number of runs of reverse handlers.
    pub(crate) runs: u32,
    /// Number of interpretations of each node so far. The flag separates code of clauses of ordinary handlers that belongs to a
    /// passage (`Writer::within`) from all other code.
    copies: HashMap<(Origin, bool), u32>,
}

impl Met {
    /// Counts an interpretation of a node; returns the number of earlier ones with the same flag.
    pub(crate) fn again(&mut self, origin: Origin, within: bool) -> u32 {
        let count = self.copies.entry((origin, within)).or_insert(0);
        *count += 1;
        *count - 1
    }
}

impl Scope {
    pub(crate) fn empty(inputs: Vec<usize>) -> Scope {
        Scope {
            builder: Builder::empty(inputs),
            variables: HashMap::new(),
            continuations: HashMap::new(),
            met: Met::default(),
        }
    }
}

/// A separately written piece of an arrow, to be placed or transformed: its statements, and the form of its result.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) map: Map<Node>,
    pub(crate) form: Bundle,
}

impl Piece {
    /// Outputs of the piece under a renaming of its wires; `None` if a wire is missing.
    pub(crate) fn outputs(&self, wires: &[Wire]) -> Option<Bundle> {
        let mut outputs = self.map.outputs().iter();
        let mut outputs = std::iter::from_fn(|| wires.get(outputs.next()?.0).copied());
        self.form.over(&mut outputs)
    }
}

/// The continuation (y. handle F[⌊y⌋] with H): the remainder of a handled arrow, from a statement on.
pub(crate) struct Continuation {
    pub(crate) piece: Rc<Piece>,
    pub(crate) handler: Arc<OrdinaryHandler>,
    /// Index of the next statement.
    pub(crate) next: usize,
    /// The wires so far, without those of the value that it is resumed with.
    pub(crate) wires: Vec<Wire>,
    /// Passage that the handler belongs to.
    pub(crate) within: Option<Arc<Passage>>,
    pub(crate) origin: Origin,
}

/// Remainder of a command in tail position.
pub(crate) enum Rest {
    /// No remainder: the command's value is on these wires.
    Value(Bundle),
    /// A continuation, resumed with these wires.
    Resume(Rc<Continuation>, Bundle),
}

/// Images of wires under a renaming.
pub(crate) fn among(wires: &[Wire], these: &[Wire]) -> Vec<Wire> {
    these
        .iter()
        .filter_map(|wire| wires.get(wire.0).copied())
        .collect()
}

/// Wires of the results of a statement.
pub(crate) fn results<A: Applied>(statement: &Statement<A>) -> impl Iterator<Item = Wire> + use<A> {
    statement.results().map(Wire)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A failed test is a panic.

    use super::Piece;
    use crate::bundle::Bundle;
    use crate::cases::arrow;
    use fletch_smooth::Wire;

    #[test]
    fn a_piece_gives_its_outputs_among_the_wires_that_it_is_placed_at() {
        let piece = Piece {
            map: arrow("x : Real(1), y : Real(2) ⊢ ⌊⟨y, x, y⟩⌋").map,
            form: Bundle::Tuple(vec![
                Bundle::One(Wire(1)),
                Bundle::Tuple(vec![Bundle::One(Wire(0)), Bundle::One(Wire(1))]),
            ]),
        };
        let one = |wire| Bundle::One(Wire(wire));
        let placed = piece.outputs(&[Wire(7), Wire(5)]).unwrap();
        assert_eq!(
            placed,
            Bundle::Tuple(vec![one(5), Bundle::Tuple(vec![one(7), one(5)])])
        );
        assert_eq!(piece.outputs(&[Wire(7)]), None, "y has no wire");
    }

    #[test]
    fn runs_are_numbered_as_they_are_written_also_inside_of_an_ordinary_handler() {
        let arrow = arrow(
            "x : Real(1) ⊢ let a ⇐ rev handle(x)⟨x⟩. ⌊x⌋ with H in
              handle (let b ⇐ (rev handle(a)⟨x⟩. ⌊x⌋ with H) in rev handle(b)⟨x⟩. ⌊x⌋ with H) with O",
        );
        let statements = arrow.map.statements().iter();
        let passages = statements.filter_map(|it| it.applied.provenance.passage.clone());
        let runs: Vec<u32> = passages.map(|passage| passage.run).collect();
        assert_eq!(runs, [0, 1, 2]);
    }
}
