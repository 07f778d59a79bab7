//! The inside of the trained network: a small picture of each unit of the forward pass, over the data of the selected picture, and
//! statistics of its layers and locations. The network is that of the selected prediction. Without a prediction, it is the network of the
//! current `train` item.

use super::pictures::{Kind, Look, Pictures, Sketch, range_of, split};
use crate::clip;
use fletch_calculus::Tensor;
use fletch_elaborate::{Files, Items, Train, with_items};
use fletch_runs::generated::Host;
use fletch_runs::layers::statistics::{self, Watch};
use fletch_runs::layers::{Activation, Layers};
use fletch_syntax::{Diagnostic, tree};
use serde::{Deserialize, Serialize};

/// Number of rows and columns of the picture of a unit over two inputs.
const SIDE: usize = 32;
/// Number of points of the curve of a unit over one input.
const STRETCH: usize = 64;
/// Maximum numbers of samples, of units of a layer and of layers that are drawn.
const SAMPLES: usize = 40;
const UNITS: usize = 64;
const LAYERS: usize = 24;
/// Maximum number of pictures of units over a plane or a line, and minimum number for each layer.
const PICTURES: usize = 128;
const LEAST: usize = 4;
/// Maximum number of weights of a layer that are included in a reply.
const EDGES: usize = 256;
/// Byte that represents NaN.
const NOTHING: u8 = 255;

/// Domain of the picture of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Over {
    /// Two inputs: number of rows, which is also the number of columns. Rows go from top to bottom.
    Plane(u32),
    /// One input, from left to right.
    Line,
    /// Samples of a data set, in order.
    #[default]
    Samples,
}

/// The inside of a network.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inside {
    /// Name of the prediction, or of the data set of the `train` item, whose network this is.
    pub of: String,
    /// True if the network is that of a `train` item.
    pub trained: bool,
    /// Domain of the pictures.
    pub over: Over,
    /// Number of inputs that vary over the pictures.
    pub inputs: u32,
    /// Layers of the forward pass, in order.
    pub layers: Vec<Drawn>,
    /// Number of layers that are left out.
    pub left: u32,
    /// Statistics of the current `train` item.
    pub figures: Figures,
    /// Reason for which there are no pictures, if there are none.
    pub empty: Option<String>,
    /// Number of complete epochs of the training at the heap shown.
    pub epochs: u32,
}

/// Pictures of the units of a layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Drawn {
    /// Name of the layer, such as `FC[ℓ0]`.
    pub name: String,
    /// Variable to which the program binds the value of the layer, if any.
    pub variable: Option<String>,
    /// Number of units. The first ones are drawn.
    pub units: u32,
    /// Largest absolute value of each drawn unit: the scale of its picture.
    pub scales: Vec<f64>,
    /// Values of each drawn unit, one unit after the other: 0 stands for −scale, 127 for 0, 254 for the scale, 255 for NaN.
    #[serde(with = "crate::bytes")]
    pub entries: Vec<u8>,
    /// Matrix by which the layer multiplies, if its name has one.
    pub weights: Option<Weights>,
}

/// The matrix of a location: a row for each unit of a layer, a column for each input of the layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// Name of the location.
    pub name: String,
    /// Number of columns.
    pub columns: u32,
    /// Entries, row by row.
    pub entries: Vec<f64>,
}

impl Weights {
    /// The first location in the brackets of a layer's name whose contents are a matrix with a row for each unit: for `Dense[w, b]`, the
    /// location `w`. `None` if there is none, or if the matrix has more than `EDGES` entries.
    fn of(layer: &str, units: usize, heap: &[(String, Tensor)]) -> Option<Weights> {
        let inside = layer.split_once('[')?.1.strip_suffix(']')?;
        let mut names = inside.split(", ");
        let (name, tensor) = names.find_map(|name| {
            let (_, tensor) = heap.iter().find(|(own, _)| own == name)?;
            (tensor.shape().as_matrix()?.0 == units).then_some((name, tensor))
        })?;
        let (_, columns) = tensor.shape().as_matrix()?;
        (units * columns <= EDGES).then(|| Weights {
            name: name.to_owned(),
            columns: clip(columns),
            entries: tensor.data().to_vec(),
        })
    }
}

/// Statistics of a training, see [`statistics::Statistics`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Number of steps evaluated, and number of steps of an epoch.
    pub steps: (u32, u32),
    /// Statistics of the layers of the forward pass.
    pub layers: Vec<LayerFigures>,
    /// Name, norm and mean change by a step, for each location.
    pub places: Vec<(String, f64, Option<f64>)>,
}

/// Statistics of a layer, see [`statistics::OfLayer`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // Documented there.
pub struct LayerFigures {
    pub name: String,
    pub variable: Option<String>,
    /// True for `relu`: its dead units are the units that are never active.
    pub rectified: bool,
    pub units: u32,
    pub mean: f64,
    pub deviation: f64,
    pub dead: Option<u32>,
    pub saturated: Option<f64>,
    pub gradient: Option<f64>,
}

/// A planned network, with its statistics.
pub(super) struct Network {
    /// Selected picture, to which the network belongs.
    look: Look,
    of: String,
    trained: bool,
    over: Over,
    layers: Layers,
    /// Number of inputs at which it is evaluated.
    count: usize,
    watch: Option<Watch>,
    /// Index of the current `train` item.
    item: usize,
}

impl Network {
    /// Plans the network of the selected prediction; without a prediction, the network of the `train` item of this index. Returns `None` if
    /// there is no such item.
    ///
    /// # Errors
    /// The diagnostic for which it cannot be planned.
    pub(super) fn new(
        (program, files): (&tree::Program, &Files),
        pictures: &Pictures,
        (look, item): (Look, usize),
        host: Option<Host>,
    ) -> Result<Option<Network>, Box<Diagnostic>> {
        let sketch = pictures.sketches().get(look.prediction as usize);
        let watch = Watch::new(program, files, item, host)?;
        let drawn = with_items(program, files, |items| match sketch {
            Some(sketch) => of_prediction(items, sketch, look, host).transpose(),
            None => {
                let train = items.trains().get(item).copied();
                train.map(|train| of_train(items, train, host))
            }
        });
        let drawn = drawn.transpose()?;
        Ok(drawn.map(|(of, over, layers, count)| Network {
            look,
            of,
            trained: sketch.is_none(),
            over,
            layers,
            count,
            watch,
            item,
        }))
    }

    /// True if the network belongs to this picture and this item.
    pub(super) fn is_of(&self, look: Look, item: usize) -> bool {
        (self.look, self.item) == (look, item)
    }

    /// Evaluates the network with a heap.
    pub(super) fn at(&mut self, heap: &[(String, Tensor)]) -> Inside {
        self.layers.load(heap);
        let all: Vec<Option<Vec<f64>>> = (0..self.count).map(|at| self.layers.at(at)).collect();
        let shown = self.layers.layers.iter().take(LAYERS);
        let most = match self.over {
            Over::Plane(_) | Over::Line => (PICTURES / shown.len().max(1)).clamp(LEAST, UNITS),
            Over::Samples => UNITS,
        };
        let layers: Vec<Drawn> = shown
            .map(|layer| {
                let units = layer.value.len();
                let mut drawn = Drawn {
                    name: layer.name.clone(),
                    variable: layer.variable.clone(),
                    units: clip(units),
                    weights: Weights::of(&layer.name, units, heap),
                    ..Drawn::default()
                };
                for unit in layer.value.clone().take(most) {
                    let values = all.iter().map(|numbers| {
                        let value = numbers.as_ref().and_then(|numbers| numbers.get(unit));
                        value.copied().unwrap_or(f64::NAN)
                    });
                    drawn.add(&values.collect::<Vec<f64>>());
                }
                drawn
            })
            .collect();
        let empty = match (layers.is_empty(), self.layers.runs()) {
            (true, _) => Some("nothing that it computes on the way out depends on the input"),
            (false, false) if self.count == 0 => Some("there are no samples for it"),
            (false, false) => Some("it stops wherever it is run"),
            (false, true) => None,
        };
        let watch = self.watch.as_mut();
        Inside {
            of: self.of.clone(),
            trained: self.trained,
            over: self.over,
            inputs: match self.over {
                Over::Plane(_) => 2,
                Over::Line => 1,
                Over::Samples => 0,
            },
            left: clip(self.layers.layers.len().saturating_sub(LAYERS)),
            layers: if empty.is_some() { Vec::new() } else { layers },
            figures: watch.map_or_else(Figures::default, |watch| figures(watch.at(heap))),
            empty: empty.map(str::to_owned),
            epochs: 0,
        }
    }
}

impl Drawn {
    /// Adds the picture of a unit.
    fn add(&mut self, values: &[f64]) {
        let finite = values.iter().filter(|value| value.is_finite());
        let scale = finite.fold(0.0, |most: f64, value| most.max(value.abs()));
        let entries = values.iter().map(|value| {
            if value.is_nan() {
                return NOTHING;
            }
            let share = match scale > 0.0 {
                true => (value / scale).clamp(-1.0, 1.0),
                false => 0.0,
            };
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // From 0 to 254.
            let entry = (127.0 * (share + 1.0)).round() as u8;
            entry
        });
        self.entries.extend(entries);
        self.scales.push(scale);
    }
}

type Found = (String, Over, Layers, usize);

/// The network of the selected prediction, at the inputs of its picture.
fn of_prediction(
    items: &mut Items<'_, '_>,
    sketch: &Sketch,
    look: Look,
    host: Option<Host>,
) -> Result<Option<Found>, Box<Diagnostic>> {
    let Some(prediction) = items.predictions().get(look.prediction as usize).copied() else {
        return Ok(None);
    };
    let zero = items.zero_input(prediction);
    let sizes: Vec<usize> = zero.tensors().into_iter().map(Tensor::len).collect();
    let (over, inputs) = match (sketch.kind, sketch.ranges.as_slice()) {
        (Kind::Surface, [across, up]) => (Over::Plane(clip(SIDE)), plane(*across, *up)),
        (Kind::Curve, [range]) => (Over::Line, line(*range)),
        _ => {
            let set = sketch.sets.get(look.set as usize);
            let inputs = set.map_or(&[][..], |set| &set.input);
            let inputs = inputs.chunks_exact((sketch.inputs as usize).max(1));
            let inputs = inputs.take(SAMPLES).map(<[f64]>::to_vec);
            (Over::Samples, inputs.collect())
        }
    };
    let count = inputs.len();
    let samples = inputs.iter().map(|numbers| split(numbers, &sizes));
    let samples = samples.collect();
    let layers = Layers::of_prediction(items, prediction, &zero, samples, host)?;
    Ok(Some((prediction.name().to_owned(), over, layers, count)))
}

/// The network of a `train` item. If it depends on one or two numbers of a sample, it is evaluated over their range, else at the samples.
fn of_train<'a>(
    items: &mut Items<'_, 'a>,
    train: Train<'a>,
    host: Option<Host>,
) -> Result<Found, Box<Diagnostic>> {
    let samples = (0..train.steps).filter_map(|step| items.sample(train, step));
    let samples: Vec<Vec<Tensor>> = samples.collect();
    let name = train.data().to_owned();
    let count = samples.len().min(SAMPLES);
    let at_samples: Vec<_> = samples.iter().take(count).cloned().collect();
    let layers = Layers::of_train(items, train, at_samples, host)?;
    let mut reads: Vec<usize> = layers
        .layers
        .iter()
        .flat_map(|it| it.reads.clone())
        .collect();
    reads.sort_unstable();
    reads.dedup();
    // The entries that vary: component of the sample, and index in the component.
    let first = samples.first();
    let places = reads.iter().flat_map(|component| {
        let part = first.and_then(|sample| sample.get(*component));
        (0..part.map_or(0, Tensor::len)).map(|at| (*component, at))
    });
    let places: Vec<(usize, usize)> = places.collect();
    let range = |(component, at): (usize, usize)| {
        let entries = samples.iter().filter_map(|sample| sample.get(component));
        range_of(entries.filter_map(|part| part.data().get(at).copied()))
    };
    let (over, inputs) = match (train.is_by_batch(), places.as_slice()) {
        (false, [x, y]) => (Over::Plane(clip(SIDE)), plane(range(*x), range(*y))),
        (false, [x]) => (Over::Line, line(range(*x))),
        _ => return Ok((name, Over::Samples, layers, count)),
    };
    let Some(like) = first else {
        return Ok((name, Over::Samples, layers, count));
    };
    let varied = inputs.iter().map(|numbers| {
        let mut sample: Vec<Vec<f64>> = like.iter().map(|part| part.data().to_vec()).collect();
        for ((component, at), number) in places.iter().zip(numbers) {
            if let Some(entry) = sample
                .get_mut(*component)
                .and_then(|part| part.get_mut(*at))
            {
                *entry = *number;
            }
        }
        sample.into_iter().map(Tensor::vector).collect()
    });
    let varied: Vec<Vec<Tensor>> = varied.collect();
    let count = varied.len();
    let layers = Layers::of_train(items, train, varied, host)?;
    Ok((name, over, layers, count))
}

fn between((from, to): (f64, f64), at: usize, of: usize) -> f64 {
    from + (to - from) * at as f64 / (of - 1) as f64
}

/// Points of a grid over a rectangle, rows from top to bottom.
fn plane(across: (f64, f64), up: (f64, f64)) -> Vec<Vec<f64>> {
    let rows = (0..SIDE).rev().flat_map(|row| {
        (0..SIDE).map(move |column| vec![between(across, column, SIDE), between(up, row, SIDE)])
    });
    rows.collect()
}

/// Points on an interval, from left to right.
fn line(range: (f64, f64)) -> Vec<Vec<f64>> {
    let places = 0..STRETCH;
    places.map(|at| vec![between(range, at, STRETCH)]).collect()
}

fn figures(found: statistics::Statistics) -> Figures {
    let layers = found.layers.into_iter().map(|layer| LayerFigures {
        name: layer.name,
        variable: layer.variable,
        rectified: layer.activation == Some(Activation::Rectified),
        units: clip(layer.units),
        mean: layer.mean,
        deviation: layer.deviation,
        dead: layer.dead.map(clip),
        saturated: layer.saturated,
        gradient: layer.gradient,
    });
    let places = found.places.into_iter();
    Figures {
        steps: (clip(found.steps.0), clip(found.steps.1)),
        layers: layers.collect(),
        places: places.map(|it| (it.name, it.norm, it.change)).collect(),
    }
}
