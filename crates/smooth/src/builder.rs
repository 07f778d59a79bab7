//! Builds straight-line maps: shares equal statements, drops those that nothing needs, and has one method per
//! primitive that reverse derivatives are written in, so that a derivative reads as its formula.

use std::collections::HashMap;

use crate::arithmetic::Arithmetic;
use crate::lift::Axis;
use crate::linear::Linear;
use crate::reductions::Reduction;
use crate::{Map, Primitive, Statement};

/// A wire of a straight-line map: an input, or the result of a statement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Wire(pub usize);

/// A straight-line map under construction.
pub struct Builder {
    inputs: Vec<usize>,
    statements: Vec<Statement>,
    /// For sharing only: looked up, never iterated.
    known: HashMap<(Primitive, Vec<Wire>), Wire>,
}

impl Builder {
    /// A map with inputs of these sizes and no statements yet.
    pub fn new(inputs: Vec<usize>) -> Builder {
        Builder {
            inputs,
            statements: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// The wires of the inputs.
    pub fn inputs(&self) -> Vec<Wire> {
        (0..self.inputs.len()).map(Wire).collect()
    }

    /// The size of a wire.
    pub fn size(&self, wire: Wire) -> usize {
        match self.inputs.get(wire.0) {
            Some(n) => *n,
            None => self.definition(wire).map_or(0, |s| s.primitive.output()),
        }
    }

    fn definition(&self, wire: Wire) -> Option<&Statement> {
        self.statements.get(wire.0.checked_sub(self.inputs.len())?)
    }

    /// The wire of the primitive at these wires: a new statement, or one that is there already.
    pub fn push(&mut self, primitive: impl Into<Primitive>, arguments: &[Wire]) -> Wire {
        let primitive = primitive.into();
        let mut arguments = arguments.to_vec();
        // A commutative primitive has two arguments.
        if primitive.is_commutative() && !arguments.is_sorted() {
            arguments.reverse();
        }
        let next = Wire(self.inputs.len() + self.statements.len());
        let key = (primitive, arguments);
        if let Some(wire) = self.known.get(&key) {
            return *wire;
        }
        let (primitive, arguments) = key.clone();
        self.known.insert(key, next);
        self.statements.push(Statement {
            primitive,
            arguments,
            live: true,
        });
        next
    }

    /// Writes a whole map at these wires; the wires of its outputs.
    pub fn inline(&mut self, map: &Map, inputs: &[Wire]) -> Vec<Wire> {
        let wires = self.inline_wires(map, inputs);
        map.outputs
            .iter()
            .filter_map(|w| wires.get(w.0).copied())
            .collect()
    }

    /// As [`Builder::inline`], but answers the wire for every wire of the map.
    pub(crate) fn inline_wires(&mut self, map: &Map, inputs: &[Wire]) -> Vec<Wire> {
        self.inline_with(map, inputs, &|primitive| primitive.clone())
    }

    /// Writes a map with every statement applied to each of b rows or columns.
    pub(crate) fn inline_lifted(
        &mut self,
        map: &Map,
        inputs: &[Wire],
        b: usize,
        axis: Axis,
    ) -> Vec<Wire> {
        let wires = self.inline_with(map, inputs, &|primitive| {
            crate::lift::lifted(primitive, b, axis)
        });
        map.outputs
            .iter()
            .filter_map(|w| wires.get(w.0).copied())
            .collect()
    }

    fn inline_with(
        &mut self,
        map: &Map,
        inputs: &[Wire],
        change: &dyn Fn(&Primitive) -> Primitive,
    ) -> Vec<Wire> {
        let mut wires = inputs.to_vec();
        for statement in &map.statements {
            let arguments: Vec<Wire> = statement
                .arguments
                .iter()
                .filter_map(|w| wires.get(w.0).copied())
                .collect();
            wires.push(self.push(change(&statement.primitive), &arguments));
        }
        wires
    }

    /// The map with these outputs. A statement that no output needs is dropped, unless it is partial: then it stays
    /// as a check, for the domain of a composite is where all its parts are defined.
    pub fn finish(self, outputs: Vec<Wire>) -> Map {
        let base = self.inputs.len();
        let mut needed = vec![false; base + self.statements.len()];
        for wire in &outputs {
            if let Some(slot) = needed.get_mut(wire.0) {
                *slot = true;
            }
        }
        let mut kept = vec![false; self.statements.len()];
        for (position, statement) in self.statements.iter().enumerate().rev() {
            let live = needed.get(base + position).copied().unwrap_or(false);
            if !live && !statement.primitive.is_partial() {
                continue;
            }
            if let Some(slot) = kept.get_mut(position) {
                *slot = true;
            }
            for wire in &statement.arguments {
                if let Some(slot) = needed.get_mut(wire.0) {
                    *slot = true;
                }
            }
        }
        let mut renamed: Vec<Wire> = (0..base).map(Wire).collect();
        let mut statements: Vec<Statement> = Vec::new();
        for (position, (mut statement, kept)) in self.statements.into_iter().zip(kept).enumerate() {
            renamed.push(Wire(base + statements.len()));
            if kept {
                for wire in &mut statement.arguments {
                    *wire = renamed.get(wire.0).copied().unwrap_or(*wire);
                }
                statement.live = needed.get(base + position).copied().unwrap_or(false);
                statements.push(statement);
            }
        }
        let outputs = outputs
            .into_iter()
            .map(|w| renamed.get(w.0).copied().unwrap_or(w))
            .collect();
        Map {
            inputs: self.inputs,
            statements,
            outputs,
        }
    }

    /// 0 in Real(n).
    pub fn zero(&mut self, n: usize) -> Wire {
        self.push(Arithmetic::Zero { n }, &[])
    }

    /// a + b.
    pub fn add(&mut self, a: Wire, b: Wire) -> Wire {
        let n = self.size(a);
        self.push(Arithmetic::Add { n }, &[a, b])
    }

    /// −a.
    pub fn neg(&mut self, a: Wire) -> Wire {
        if let Some(Statement {
            primitive,
            arguments,
            ..
        }) = self.definition(a)
            && primitive.name() == "neg"
            && let [inner] = arguments.as_slice()
        {
            return *inner;
        }
        let n = self.size(a);
        self.push(Arithmetic::Neg { n }, &[a])
    }

    /// a − b.
    pub fn minus(&mut self, a: Wire, b: Wire) -> Wire {
        let n = self.size(a);
        self.push(Arithmetic::Minus { n }, &[a, b])
    }

    /// a ⊙ b.
    pub fn hadamard(&mut self, a: Wire, b: Wire) -> Wire {
        let n = self.size(a);
        self.push(Arithmetic::Hadamard { n }, &[a, b])
    }

    /// s · x for a scalar s.
    pub fn scale(&mut self, s: Wire, x: Wire) -> Wire {
        let n = self.size(x);
        self.push(Linear::Scale { n }, &[s, x])
    }

    /// ⟨a, b⟩.
    pub fn dot(&mut self, a: Wire, b: Wire) -> Wire {
        let n = self.size(a);
        self.push(Linear::Dot { n }, &[a, b])
    }

    /// Σᵢ aᵢ.
    pub fn sum(&mut self, a: Wire) -> Wire {
        let n = self.size(a);
        self.push(Reduction::Sum { n }, &[a])
    }

    /// (s, …, s) of n entries.
    pub fn broadcast(&mut self, s: Wire, n: usize) -> Wire {
        self.push(Reduction::Broadcast { n }, &[s])
    }
}
