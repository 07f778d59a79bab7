//! The network of an item, looked at: the values that its operations and symbols give on the way out, from any heap, by a plan of its arrow
//! (`Arrow::with_layers`). `statistics` sums them up for a training.

pub mod statistics;

use crate::ending;
use crate::generated::Host;
use crate::planned::{NotPlanned, Planned};
use fletch_arrows::Arrow;
use fletch_calculus::{Program, Tensor, Value};
use fletch_elaborate::{Items, Prediction, Train, component};
use fletch_engine::{Precision, Wanted};
use fletch_smooth::Partiality;
use fletch_syntax::Diagnostic;
use std::ops::Range;

/// Maximum number of moments of a feedback whose layers are told apart.
const MOMENTS: usize = 256;

/// A value on the way out.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// The operation or the symbol that gives it, without sizes: `FC[ℓ0]`.
    pub name: String,
    /// The variable that stands for it, if there is one.
    pub variable: Option<String>,
    /// Range of an activation that is known by name.
    pub activation: Option<Activation>,
    /// Entries of the layer among the numbers of [`Layers::at`].
    pub value: Range<usize>,
    /// The entries of the cotangent that comes back to it, among the same, if one does.
    pub cotangent: Option<Range<usize>>,
    /// The components of the sample that it depends on.
    pub reads: Vec<usize>,
}

/// The values that an activation may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Activation {
    /// `relu`: nothing below 0, where it is not active.
    Rectified,
    /// `tanh`, `sigmoid`: between these two, near which it is saturated.
    Bounded(f64, f64),
}

impl Activation {
    /// The activation that a symbol is, by its name; of `rows[tanh]` that of `tanh`.
    pub fn of(symbol: &str) -> Option<Activation> {
        let inner = symbol.rsplit('[').next().unwrap_or(symbol);
        let lifted = symbol.starts_with("rows[") || symbol.starts_with("cols[");
        match if lifted {
            inner.trim_end_matches(']')
        } else {
            symbol
        } {
            "relu" => Some(Activation::Rectified),
            "tanh" => Some(Activation::Bounded(-1.0, 1.0)),
            "sigmoid" => Some(Activation::Bounded(0.0, 1.0)),
            _ => None,
        }
    }
}

/// The layers of a network, as a plan with samples.
pub struct Layers {
    /// The layers, in the order in which they are computed.
    pub layers: Vec<Layer>,
    /// Nothing where there is no layer, or where the command stops wherever it is run.
    plan: Option<Planned>,
}

impl Layers {
    /// The network of a prediction, on these inputs, each the tensors of its parameters.
    ///
    /// # Errors
    /// If its arrow would be enormous.
    pub fn of_prediction<'a>(
        items: &mut Items<'_, 'a>,
        prediction: Prediction<'a>,
        like: &Value,
        inputs: Vec<Vec<Tensor>>,
        host: Option<Host>,
    ) -> Result<Layers, Box<Diagnostic>> {
        let program = items.on_any_input(prediction, like)?;
        Layers::of(program, inputs, host)
    }

    /// The network of a `train` item, on these samples, or batches.
    ///
    /// # Errors
    /// If its arrow would be enormous.
    pub fn of_train<'a>(
        items: &mut Items<'_, 'a>,
        train: Train<'a>,
        samples: Vec<Vec<Tensor>>,
        host: Option<Host>,
    ) -> Result<Layers, Box<Diagnostic>> {
        let program = items.on_any(train)?;
        Layers::of(program, samples, host)
    }

    fn of(
        mut program: Program,
        samples: Vec<Vec<Tensor>>,
        host: Option<Host>,
    ) -> Result<Layers, Box<Diagnostic>> {
        let found = Arrow::with_layers(&program.main, &program.ty, MOMENTS, &component);
        let (arrow, found) = found.map_err(|fault| Box::new(ending::no_arrow(&fault)))?;
        let mut ends = vec![0];
        for size in arrow.codomain.sizes() {
            ends.push(ends.last().copied().unwrap_or(0) + size);
        }
        let entries = |output: usize| match ends.get(output..output + 2) {
            Some([from, to]) => *from..*to,
            _ => 0..0,
        };
        let layers = found.into_iter().map(|layer| Layer {
            activation: layer
                .symbol
                .and_then(|symbol| Activation::of(&symbol.name())),
            name: layer.name,
            variable: layer.variable.map(|name| name.to_string()),
            value: entries(layer.value),
            cotangent: layer.cotangent.map(entries),
            reads: layer.reads.into_iter().collect(),
        });
        let layers: Vec<Layer> = layers.collect();
        program.ty = arrow.codomain.clone();
        let planned = |program, samples| {
            let (wanted, mode, precision) = (Wanted::Value, Partiality::Total, Precision::Double);
            Planned::of_arrow(&arrow, program, samples, wanted, mode, precision, host)
        };
        let plan = match layers.is_empty() || samples.is_empty() {
            true => None,
            false => match planned(program, samples) {
                Ok(plan) => Some(plan),
                Err(NotPlanned::Stops) => None,
                Err(NotPlanned::Large(fault)) => {
                    return Err(Box::new(ending::no_arrow(&fault)));
                }
            },
        };
        Ok(Layers { layers, plan })
    }

    /// True if it has values: there are layers, and samples to compute them at.
    pub fn runs(&self) -> bool {
        self.plan.is_some()
    }

    /// Computes from this heap from now on.
    pub fn load(&mut self, heap: &[(String, Tensor)]) {
        if let Some(plan) = &mut self.plan {
            plan.load_by_name(heap);
        }
    }

    /// The numbers of all layers at a sample, by number; nothing if the command stops there.
    pub fn at(&mut self, sample: usize) -> Option<Vec<f64>> {
        let mut numbers = Vec::new();
        let whole = self.plan.as_mut()?.outputs_of(sample, &mut numbers);
        whole.then_some(numbers)
    }
}
