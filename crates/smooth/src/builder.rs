//! Builder of straight-line maps, over primitives, symbols, or any other operation on wires. It shares equal statements, and
//! drops unneeded ones. A builder of primitives has one method for each primitive in which reverse derivatives are written, so
//! that a derivative reads as its formula.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::Arc;

use crate::arithmetic::Arithmetic;
use crate::lift::Axis;
use crate::linear::Linear;
use crate::reductions::Reduction;
use crate::{Map, Primitive, Statement};

/// A wire of a straight-line map: an input, or the result of a statement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Wire(pub usize);

/// Operation of a straight-line statement: a [`Primitive`]; a [`Symbol`](crate::Symbol), which is a box that can be opened to its
/// primitives; and any further operations of an arrow.
pub trait Applied: Clone + Eq + Hash {
    /// Sizes of the arguments.
    fn inputs(&self) -> Vec<usize>;
    /// Sizes of the results.
    fn outputs(&self) -> Vec<usize>;
    /// True if a statement is kept when nothing uses its results, for its domain or for its effect.
    fn is_kept(&self) -> bool;
    /// True if equal applications have equal results, so that one statement is enough.
    fn is_shared(&self) -> bool {
        true
    }
    /// True for a commutative operation: swapped arguments then share a statement.
    fn is_commutative(&self) -> bool {
        false
    }
}

/// Operation whose reverse derivative is written in operations of the same type.
pub trait Differentiable: Applied {
    /// 0 in Real(n), without an argument.
    fn zero(n: usize) -> Self;
    /// The addition of Real(n).
    fn plus(n: usize) -> Self;
    /// True if RD f may be undefined at a point where total mode has a value of f, as for a square root at 0. Such a derivative
    /// is kept for its domain even without a cotangent.
    fn derivative_is_kept(&self) -> bool {
        false
    }
    /// Writes RD f into the builder, at the wires of the point, of f(point) and of the cotangents of the results, each of which
    /// may be zero (`None`). Returns the cotangent of each argument.
    fn reverse(
        &self,
        b: &mut Builder<Self>,
        point: &[Wire],
        results: &[Wire],
        cotangents: &[Option<Wire>],
    ) -> Vec<Option<Wire>>;
}

/// Callback that writes an operation at these wires, and returns its results.
type Open<'a, A, C> = &'a mut dyn FnMut(&mut Builder<A>, &C, &[Wire]) -> Vec<Wire>;

/// A straight-line map under construction.
pub struct Builder<A = Primitive> {
    /// The sizes of the wires.
    sizes: Vec<usize>,
    inputs: usize,
    statements: Vec<Statement<A>>,
    /// The statement of the map being opened.
    opening: Option<usize>,
    /// Names of wires, by the numbers of the wires.
    names: BTreeMap<usize, Arc<str>>,
    /// For sharing only: looked up, never iterated.
    known: HashMap<(A, Vec<Wire>), Wire>,
}

impl<A: Applied> Builder<A> {
    /// A map with inputs of these sizes and no statements yet.
    pub fn empty(inputs: Vec<usize>) -> Builder<A> {
        Builder {
            inputs: inputs.len(),
            sizes: inputs,
            statements: Vec::new(),
            opening: None,
            names: BTreeMap::new(),
            known: HashMap::new(),
        }
    }

    /// The wires of the inputs.
    pub fn inputs(&self) -> Vec<Wire> {
        (0..self.inputs).map(Wire).collect()
    }

    /// The size of a wire.
    pub fn size(&self, wire: Wire) -> usize {
        self.sizes.get(wire.0).copied().unwrap_or(0)
    }

    /// Number of wires.
    pub fn wires(&self) -> usize {
        self.sizes.len()
    }

    /// The operation that gives a wire, if it has no arguments and no other results and may be written again.
    pub fn closed(&self, wire: Wire) -> Option<&A> {
        let after = (self.statements).partition_point(|statement| statement.first <= wire);
        let statement = self.statements.get(after.checked_sub(1)?)?;
        let applied = &statement.applied;
        let alone = statement.first == wire && statement.arguments.is_empty();
        (alone && applied.is_shared() && applied.outputs().len() == 1).then_some(applied)
    }

    /// Names a wire, unless it has a name.
    pub fn name(&mut self, wire: Wire, name: &Arc<str>) {
        self.names.entry(wire.0).or_insert_with(|| name.clone());
    }

    /// Returns the wires of the results of an operation at these wires, from a new statement or an existing equal one.
    pub fn apply(&mut self, applied: A, arguments: &[Wire]) -> Vec<Wire> {
        let (first, count) = self.state(applied, arguments.to_vec());
        (first.0..first.0 + count).map(Wire).collect()
    }

    /// Returns the wire of the first result of an operation at these wires, from a new statement or an existing equal one.
    pub fn apply_one(&mut self, applied: A, arguments: &[Wire]) -> Wire {
        self.state(applied, arguments.to_vec()).0
    }

    /// Writes a statement or finds an equal one; returns its first result and the number of results.
    fn state(&mut self, applied: A, mut arguments: Vec<Wire>) -> (Wire, usize) {
        if applied.is_commutative() && !arguments.is_sorted() {
            arguments.reverse();
        }
        let outputs = applied.outputs();
        let (next, count) = (Wire(self.sizes.len()), outputs.len());
        if applied.is_shared() {
            let key = (applied.clone(), arguments.clone());
            if let Some(wire) = self.known.get(&key) {
                return (*wire, count);
            }
            self.known.insert(key, next);
        }
        self.sizes.extend(outputs);
        self.statements.push(Statement {
            applied,
            arguments,
            first: next,
            part_of: self.opening,
            live: true,
        });
        (next, count)
    }

    /// Writes a whole map at these wires; returns the wires of its outputs.
    pub fn inline(&mut self, map: &Map<A>, inputs: &[Wire]) -> Vec<Wire> {
        let wires = self.inline_with(map, inputs, &mut |b, applied, arguments| {
            b.apply(applied.clone(), arguments)
        });
        map.outputs_among(&wires)
    }

    /// Attributes the statements written from here on to this statement of the opened map.
    pub fn opening(&mut self, statement: Option<usize>) {
        self.opening = statement;
    }

    /// Writes a map of other operations at these wires, each statement by `open`. Returns a wire for every wire of the map.
    pub fn inline_with<C: Applied>(
        &mut self,
        map: &Map<C>,
        inputs: &[Wire],
        open: Open<'_, A, C>,
    ) -> Vec<Wire> {
        let mut wires = inputs.to_vec();
        for statement in &map.statements {
            let arguments = among(&wires, &statement.arguments);
            wires.extend(open(self, &statement.applied, &arguments));
        }
        wires
    }

    /// The map with these outputs. A statement that no output needs is dropped, unless it is to be kept: a composite is defined
    /// only where all its components are.
    pub fn finish(self, outputs: Vec<Wire>) -> Map<A> {
        self.finish_tracing(outputs).0
    }

    /// Finished map, with the renaming of its wires; `None` for a dropped wire.
    pub fn finish_tracing(self, mut outputs: Vec<Wire>) -> (Map<A>, Vec<Option<Wire>>) {
        let mut needed = vec![false; self.sizes.len()];
        let need = |needed: &mut [bool], wires: &[Wire]| {
            for wire in wires {
                if let Some(slot) = needed.get_mut(wire.0) {
                    *slot = true;
                }
            }
        };
        need(&mut needed, &outputs);
        // Backwards: marks the needed wires, and keeps the statements that give them.
        let mut kept = Vec::new();
        for mut statement in self.statements.into_iter().rev() {
            let results = statement.results();
            statement.live = needed
                .get(results)
                .is_some_and(|slots| slots.contains(&true));
            if statement.live || statement.applied.is_kept() {
                need(&mut needed, &statement.arguments);
                kept.push(statement);
            }
        }
        // Forwards: renumbers the wires of the kept statements.
        let mut renamed: Vec<Option<Wire>> = (0..self.sizes.len())
            .map(|wire| (wire < self.inputs).then_some(Wire(wire)))
            .collect();
        let rename = |renamed: &[Option<Wire>], wire: &mut Wire| {
            *wire = renamed.get(wire.0).copied().flatten().unwrap_or(*wire);
        };
        let mut sizes = self.sizes.get(..self.inputs).unwrap_or(&[]).to_vec();
        let mut statements = Vec::with_capacity(kept.len());
        for mut statement in kept.into_iter().rev() {
            let results = statement.results();
            statement.first = Wire(sizes.len());
            for wire in results {
                if let Some(slot) = renamed.get_mut(wire) {
                    *slot = Some(Wire(sizes.len()));
                }
                sizes.extend(self.sizes.get(wire));
            }
            for wire in &mut statement.arguments {
                rename(&renamed, wire);
            }
            statements.push(statement);
        }
        for wire in &mut outputs {
            rename(&renamed, wire);
        }
        let names = self
            .names
            .into_iter()
            .filter(|(wire, _)| *wire < self.inputs || needed.get(*wire).copied().unwrap_or(false));
        let names = names.filter_map(|(wire, name)| Some(((*renamed.get(wire)?)?.0, name)));
        let map = Map {
            names: names.collect(),
            sizes,
            inputs: self.inputs,
            statements,
            outputs,
        };
        (map, renamed)
    }
}

/// Values of these wires, among the values of all wires.
pub fn among<V: Clone>(values: &[V], these: &[Wire]) -> Vec<V> {
    these
        .iter()
        .filter_map(|wire| values.get(wire.0).cloned())
        .collect()
}

impl<A: Applied> Map<A> {
    /// Opens the map into one of other operations, where `open` writes the expansion of each statement. Each new statement has
    /// the number of its statement in this map as `part_of`. So a map of symbols is a diagram of boxes, and the opened map
    /// shows the primitives inside them.
    pub fn opened<B: Applied>(
        &self,
        mut open: impl FnMut(&mut Builder<B>, &A, &[Wire]) -> Vec<Wire>,
    ) -> Map<B> {
        let mut b = Builder::empty(self.inputs().to_vec());
        let (inputs, mut statement) = (b.inputs(), 0);
        let wires = b.inline_with(self, &inputs, &mut |b, applied, arguments| {
            b.opening(Some(statement));
            statement += 1;
            open(b, applied, arguments)
        });
        b.finish(self.outputs_among(&wires))
    }
}

impl<A: Differentiable> Builder<A> {
    /// 0 in Real(n).
    pub fn zero(&mut self, n: usize) -> Wire {
        self.state(A::zero(n), Vec::new()).0
    }

    /// a + b.
    pub fn add(&mut self, a: Wire, b: Wire) -> Wire {
        let n = self.size(a);
        self.state(A::plus(n), vec![a, b]).0
    }
}

impl Builder {
    /// A map of primitives with inputs of these sizes and no statements yet.
    pub fn new(inputs: Vec<usize>) -> Builder {
        Builder::empty(inputs)
    }

    /// Writes a primitive at these wires; returns its result.
    pub fn push(&mut self, primitive: impl Into<Primitive>, arguments: &[Wire]) -> Wire {
        self.state(primitive.into(), arguments.to_vec()).0
    }

    /// Writes a map with every statement lifted to b rows or columns.
    pub(crate) fn inline_lifted(
        &mut self,
        map: &Map,
        inputs: &[Wire],
        count: usize,
        axis: Axis,
    ) -> Vec<Wire> {
        let wires = self.inline_with(map, inputs, &mut |b, primitive, arguments| {
            b.apply(crate::lift::lifted(primitive, count, axis), arguments)
        });
        map.outputs_among(&wires)
    }

    fn definition(&self, wire: Wire) -> Option<&Statement> {
        self.statements.get(wire.0.checked_sub(self.inputs)?)
    }

    /// −a.
    pub fn neg(&mut self, a: Wire) -> Wire {
        if let Some(Statement {
            applied, arguments, ..
        }) = self.definition(a)
            && applied.name() == "neg"
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
