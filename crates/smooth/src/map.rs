//! Straight-line maps: the morphisms of PSmooth between products of base types, as single-assignment programs over
//! flat wires. Maps are built by [`Builder`]; their reverse derivative is in `reverse.rs`.

use std::sync::Arc;

use crate::{Builder, Partiality, Primitive, Wire, tensor};

/// One assignment: the next wire is the primitive at these wires.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Statement {
    /// The primitive that is applied.
    pub primitive: Primitive,
    /// The wires it is applied to; all defined before.
    pub arguments: Vec<Wire>,
    /// Whether the result is used. Otherwise the statement is only there for its domain: it is checked, not run.
    pub live: bool,
}

/// A map Real(n₁) × … × Real(n_k) → Real(m₁) × … × Real(m_l) as a straight line: wires 0 … k−1 are the inputs,
/// wire k + i is the result of the i-th statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Map {
    pub(crate) inputs: Vec<usize>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) outputs: Vec<Wire>,
}

impl Map {
    /// The map that is one primitive.
    pub fn primitive(primitive: &Primitive) -> Map {
        let mut b = Builder::new(primitive.inputs());
        let arguments = b.inputs();
        let result = b.push(primitive.clone(), &arguments);
        b.finish(vec![result])
    }

    /// The sizes of the inputs.
    pub fn inputs(&self) -> &[usize] {
        &self.inputs
    }

    /// The statements, in order of evaluation.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// The wires that are the outputs.
    pub fn outputs(&self) -> &[Wire] {
        &self.outputs
    }

    /// The size of a wire of this map.
    pub fn size(&self, wire: Wire) -> usize {
        match self.inputs.get(wire.0) {
            Some(n) => *n,
            None => self
                .statements
                .get(wire.0 - self.inputs.len())
                .map_or(0, |s| s.primitive.output()),
        }
    }

    /// The outputs at these inputs (of the sizes [`Map::inputs`]); otherwise why the point is outside the domain.
    pub fn eval(&self, inputs: &[Arc<[f64]>], mode: Partiality) -> Result<Vec<Arc<[f64]>>, String> {
        if inputs.len() != self.inputs.len()
            || inputs
                .iter()
                .zip(&self.inputs)
                .any(|(data, n)| data.len() != *n)
        {
            return Err("the argument is of another type".to_owned());
        }
        let mut wires: Vec<Arc<[f64]>> = Vec::with_capacity(inputs.len() + self.statements.len());
        wires.extend(inputs.iter().cloned());
        let empty: Arc<[f64]> = Arc::new([]);
        let mut arguments: Vec<Arc<[f64]>> = Vec::new();
        for statement in &self.statements {
            arguments.clear();
            arguments.extend(
                statement
                    .arguments
                    .iter()
                    .filter_map(|wire| wires.get(wire.0).cloned()),
            );
            let slices: Vec<&[f64]> = arguments.iter().map(|data| &**data).collect();
            statement.primitive.check(&slices, mode)?;
            wires.push(if statement.live {
                apply(&statement.primitive, &slices)
            } else {
                Arc::clone(&empty)
            });
        }
        Ok(self
            .outputs
            .iter()
            .filter_map(|wire| wires.get(wire.0).cloned())
            .collect())
    }

    /// The map that applies this one to each of b rows (or columns) of its inputs: each statement is lifted.
    pub(crate) fn lifted(&self, b: usize, axis: crate::lift::Axis) -> Map {
        let mut builder = Builder::new(self.inputs.iter().map(|n| n.saturating_mul(b)).collect());
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
