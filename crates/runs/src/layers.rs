//! The values inside the network of an item: the results of its operations and symbols on the forward pass, from any heap, computed by a
//! plan of its arrow (`Arrow::with_layers`). `statistics` summarises them for a training.

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

/// Maximum number of moments of a feedback whose layers are distinguished by moment.
const MOMENTS: usize = 256;

/// A value on the forward pass, as one layer of the network.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// The operation or symbol whose result it is, without sizes: `FC[ℓ0]`.
    pub name: String,
    /// The variable that the result is bound to, if there is one.
    pub variable: Option<String>,
    /// The range of the activation, if the symbol is one that is known by name.
    pub activation: Option<Activation>,
    /// The entries of the value, as indices into the numbers of [`Layers::at`].
    pub value: Range<usize>,
    /// The entries of its cotangent on the backward pass, as indices into the same numbers; `None` if there is no cotangent.
    pub cotangent: Option<Range<usize>>,
    /// The components of the sample that the value depends on.
    pub reads: Vec<usize>,
}

/// The range of an activation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Activation {
    /// `relu`: no values below 0; a unit with value 0 is inactive.
    Rectified,
    /// `tanh`, `sigmoid`: between these bounds; a value near a bound is saturated.
    Bounded(f64, f64),
}

impl Activation {
    /// The activation of the symbol of this name; `rows[tanh]` has that of `tanh`.
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
    /// `None` if there are no layers or no samples, or if the command stops wherever it is run.
    plan: Option<Planned>,
}

impl Layers {
    /// The network of a prediction, on these inputs: each is the tensors of the parameters. `like` is an input as a value.
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

    /// The network of a `train` item, on these samples or batches.
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

    /// True if values can be computed: there are layers, and samples to compute them at.
    pub fn runs(&self) -> bool {
        self.plan.is_some()
    }

    /// Sets the heap from which values are computed from now on.
    pub fn load(&mut self, heap: &[(String, Tensor)]) {
        if let Some(plan) = &mut self.plan {
            plan.load_by_name(heap);
        }
    }

    /// The numbers of all layers at the sample of this number; `None` if the command stops there.
    pub fn at(&mut self, sample: usize) -> Option<Vec<f64>> {
        let mut numbers = Vec::new();
        let whole = self.plan.as_mut()?.outputs_of(sample, &mut numbers);
        whole.then_some(numbers)
    }
}
