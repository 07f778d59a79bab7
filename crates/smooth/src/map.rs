//! Straight-line maps: the morphisms of PSmooth between products of base types, as single-assignment programs over flat wires. A
//! statement applies a primitive, or a symbol as a box; an arrow has operations as well. Maps are built by [`Builder`]; their
//! reverse derivative is in `reverse.rs`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::builder::{Applied, among};
use crate::{Builder, Partiality, Primitive, Wire, tensor};

/// Assignment of the results of an operation, at these wires, to the next wires.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Statement<A = Primitive> {
    /// The operation.
    pub applied: A,
    /// Wires of the arguments; all defined before.
    pub arguments: Vec<Wire>,
    /// Wire of the first result; those of the others follow.
    pub first: Wire,
    /// Statement that this one is an expansion of, in the map that was opened ([`Map::opened`]).
    pub part_of: Option<usize>,
    /// True if a result is used. Otherwise the statement is kept only for its domain: it is checked, not run.
    pub live: bool,
}

impl<A: Applied> Statement<A> {
    /// The numbers of the wires of its results.
    pub fn results(&self) -> Range<usize> {
        self.first.0..self.first.0 + self.applied.outputs().len()
    }
}

/// A map Real(n₁) × … × Real(n_k) → Real(m₁) × … × Real(m_l) as a straight line: wires 0 … k−1 are the inputs,
/// the next ones are the results of the statements, one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Map<A = Primitive> {
    /// The sizes of all wires.
    pub(crate) sizes: Vec<usize>,
    pub(crate) inputs: usize,
    pub(crate) statements: Vec<Statement<A>>,
    pub(crate) outputs: Vec<Wire>,
    pub(crate) names: BTreeMap<usize, Arc<str>>,
}

impl<A: Applied> Map<A> {
    /// The sizes of the inputs.
    pub fn inputs(&self) -> &[usize] {
        self.sizes.get(..self.inputs).unwrap_or(&[])
    }

    /// The statements, in order of evaluation.
    pub fn statements(&self) -> &[Statement<A>] {
        &self.statements
    }

    /// The wires that are the outputs.
    pub fn outputs(&self) -> &[Wire] {
        &self.outputs
    }

    /// The size of a wire of this map.
    pub fn size(&self, wire: Wire) -> usize {
        self.sizes.get(wire.0).copied().unwrap_or(0)
    }

    /// Name of a wire, if it has one.
    pub fn name(&self, wire: Wire) -> Option<&Arc<str>> {
        self.names.get(&wire.0)
    }

    /// Images of the outputs under a renaming of the wires.
    pub(crate) fn outputs_among(&self, wires: &[Wire]) -> Vec<Wire> {
        among(wires, &self.outputs)
    }

    /// Returns the outputs at these inputs. `apply` appends the results of a statement at its arguments.
    pub fn run<V: Clone, E>(
        &self,
        inputs: &[V],
        mut apply: impl FnMut(&Statement<A>, &[V], &mut Vec<V>) -> Result<(), E>,
    ) -> Result<Vec<V>, E> {
        let values = |values: &[V], wires: &[Wire]| -> Vec<V> {
            wires
                .iter()
                .filter_map(|wire| values.get(wire.0).cloned())
                .collect()
        };
        let mut wires: Vec<V> = Vec::with_capacity(self.sizes.len());
        wires.extend(inputs.iter().cloned());
        for statement in &self.statements {
            let arguments = values(&wires, &statement.arguments);
            apply(statement, &arguments, &mut wires)?;
        }
        Ok(values(&wires, &self.outputs))
    }
}

impl Map {
    /// The map that is one primitive.
    pub fn primitive(primitive: &Primitive) -> Map {
        let mut b = Builder::new(primitive.inputs());
        let arguments = b.inputs();
        let result = b.push(primitive.clone(), &arguments);
        b.finish(vec![result])
    }

    /// Returns the outputs at these inputs (of the sizes [`Map::inputs`]), or the reason why the point is outside the domain.
    pub fn eval(&self, inputs: &[Arc<[f64]>], mode: Partiality) -> Result<Vec<Arc<[f64]>>, String> {
        if !inputs
            .iter()
            .map(|data| data.len())
            .eq(self.inputs().iter().copied())
        {
            return Err("the argument is of another type".to_owned());
        }
        let empty: Arc<[f64]> = Arc::new([]);
        self.run(inputs, |statement, arguments, wires| {
            let slices: Vec<&[f64]> = arguments.iter().map(|data| &**data).collect();
            statement.applied.check(&slices, mode)?;
            wires.push(if statement.live {
                apply(&statement.applied, &slices)
            } else {
                Arc::clone(&empty)
            });
            Ok(())
        })
    }

    /// The first primitive whose argument lies outside its domain in the paper's reading, at inputs where total mode has a value.
    pub(crate) fn obstacle(&self, inputs: &[Arc<[f64]>]) -> Option<&Primitive> {
        let empty: Arc<[f64]> = Arc::new([]);
        let mut wires = inputs.to_vec();
        for statement in &self.statements {
            let arguments = statement.arguments.iter();
            let slices: Vec<&[f64]> = arguments
                .filter_map(|wire| wires.get(wire.0).map(|data| &**data))
                .collect();
            if statement.applied.check(&slices, Partiality::Paper).is_err() {
                return Some(&statement.applied);
            }
            let result = if statement.live {
                apply(&statement.applied, &slices)
            } else {
                Arc::clone(&empty)
            };
            wires.push(result);
        }
        None
    }

    /// The map that applies this one to each of b rows (or columns) of its inputs: each statement is lifted.
    pub(crate) fn lifted(&self, b: usize, axis: crate::lift::Axis) -> Map {
        let mut builder = Builder::new(self.inputs().iter().map(|n| n.saturating_mul(b)).collect());
        let inputs = builder.inputs();
        let outputs = builder.inline_lifted(self, &inputs, b, axis);
        builder.finish(outputs)
    }
}

/// The result of one primitive at a point of its domain.
pub(crate) fn apply(primitive: &Primitive, inputs: &[&[f64]]) -> Arc<[f64]> {
    let mut out = tensor::zeros(primitive.output());
    // The buffer is fresh, so it is ours alone.
    if let Some(out) = Arc::get_mut(&mut out) {
        primitive.apply(inputs, out);
    }
    out
}
