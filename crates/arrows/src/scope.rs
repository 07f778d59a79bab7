//! Arrows under construction: what is being written, and what the names in scope stand for.

use crate::bundle::Bundle;
use crate::node::{Node, Passage};
use fletch_calculus::{OrdinaryHandler, Origin};
use fletch_smooth::{Applied, Builder, Map, Statement, Wire};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// The arrow under construction, and what the variables of Δ stand for.
pub(crate) struct Scope {
    pub(crate) builder: Builder<Node>,
    /// Looked up, never iterated.
    pub(crate) variables: HashMap<u32, Bundle>,
    pub(crate) continuations: HashMap<u32, Rc<Continuation>>,
    pub(crate) met: Met,
}

/// What has been written here so far.
#[derive(Default)]
pub(crate) struct Met {
    /// How many runs of reverse handlers.
    pub(crate) runs: u32,
    /// How many terms from each place.
    pub(crate) terms: HashMap<(u32, u32), u32>,
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

/// A piece of an arrow that is written apart, to be placed or acted on: its statements, and the form of what it gives.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) map: Map<Node>,
    pub(crate) form: Bundle,
}

impl Piece {
    /// Its outputs, among the wires that stand for its own.
    pub(crate) fn outputs(&self, wires: &[Wire]) -> Option<Bundle> {
        let mut outputs = self.map.outputs().iter();
        let mut outputs = std::iter::from_fn(|| wires.get(outputs.next()?.0).copied());
        self.form.over(&mut outputs)
    }
}

/// (y. handle F[⌊y⌋] with H): what is left of a handled arrow, from a statement on.
pub(crate) struct Continuation {
    pub(crate) piece: Rc<Piece>,
    pub(crate) handler: Arc<OrdinaryHandler>,
    /// The statement that comes next.
    pub(crate) next: usize,
    /// The wires so far, but for what it is resumed with.
    pub(crate) wires: Vec<Wire>,
    /// The part of a handled command that the handler stands in.
    pub(crate) within: Option<Arc<Passage>>,
    pub(crate) origin: Origin,
}

/// What is left to write of a command in tail position.
pub(crate) enum Rest {
    /// Nothing: it gives these wires.
    Value(Bundle),
    /// A continuation, resumed with these wires.
    Resume(Rc<Continuation>, Bundle),
}

/// These of the wires.
pub(crate) fn among(wires: &[Wire], these: &[Wire]) -> Vec<Wire> {
    these
        .iter()
        .filter_map(|wire| wires.get(wire.0).copied())
        .collect()
}

/// The results of a statement, as wires.
pub(crate) fn results<A: Applied>(statement: &Statement<A>) -> impl Iterator<Item = Wire> + use<A> {
    statement.results().map(Wire)
}
