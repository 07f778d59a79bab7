//! Pictures of predictions while they are trained: a surface over two inputs, a curve over one, signals, images with their classes, or
//! a table. The kind follows from the types of the prediction and of the data sets that fit it. A prediction is planned when it is
//! first selected, and the plan is run on the same inputs with each heap.

use crate::clip;
use fletch_calculus::Tensor;
use fletch_elaborate::{DataSet, Files, Items, Prediction, with_items};
use fletch_runs::Planned;
use fletch_runs::generated::Host;
use fletch_smooth::Shape;
use fletch_syntax::{Diagnostic, tree};
use serde::{Deserialize, Serialize};

/// Number of rows and columns of a surface.
pub const SIDE: usize = 64;
/// Number of points of a curve.
const STRETCH: usize = 161;
/// Maximum number of points of a data set drawn on a surface or next to a curve.
const POINTS: usize = 600;
/// Maximum number of images drawn.
const IMAGES: usize = 40;
/// Maximum number of signals to choose from.
const SIGNALS: usize = 12;
/// Maximum number of rows of a table.
const LINES: usize = 16;
/// A vector longer than `SIGNAL` can be a signal. An image has at least `IMAGE` entries.
const SIGNAL: usize = 8;
const IMAGE: usize = 16;
/// Margin of a picture beyond its data on each side, as a fraction of their range.
const MARGIN: f64 = 0.12;

/// Kind of picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// Two input numbers: colours over a rectangle.
    Surface,
    /// One input number: curves.
    Curve,
    /// An input vector and an output of the same size: signals.
    Signals,
    /// Small input images of equal size.
    Images {
        /// Rows of an image.
        rows: u32,
        /// Columns of an image.
        columns: u32,
    },
    /// Any other inputs and outputs: a table.
    #[default]
    Table,
}

/// The static part of a picture, which stays the same while a prediction is trained.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sketch {
    /// Name of the prediction.
    pub name: String,
    /// Kind of the picture.
    pub kind: Kind,
    /// Number of inputs of the prediction.
    pub inputs: u32,
    /// Number of outputs of the prediction; 0 if it cannot be elaborated or planned.
    pub outputs: u32,
    /// Smallest and largest value of each input, with a margin; for surfaces and curves only.
    pub ranges: Vec<(f64, f64)>,
    /// Data sets that fit the prediction.
    pub sets: Vec<Samples>,
}

/// The drawn samples of a data set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// Name of the data set.
    pub name: String,
    /// Index of the data set among those of the program.
    pub number: u32,
    /// Generator or file of the samples; `None` if they are written in the program.
    pub origin: Option<String>,
    /// Number of all samples.
    pub count: u32,
    /// Number of target values in a sample.
    pub targets: u32,
    /// Inputs of the drawn samples, one sample after the other.
    pub input: Vec<f64>,
    /// Targets of the drawn samples, one sample after the other.
    pub target: Vec<f64>,
}

/// Selection of a picture by the reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// Index of the prediction.
    pub prediction: u32,
    /// Index of the data set among those of the prediction.
    pub set: u32,
}

/// Current values of a prediction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pictured {
    /// Prediction and data set of the picture.
    pub look: Look,
    /// Index of the training, from 0, if several run side by side.
    pub number: u32,
    /// Number of outputs per input.
    pub outputs: u32,
    /// Outputs, one input after the other. A surface has [`SIDE`] × [`SIDE`] inputs, rows from top to bottom. A curve has points from
    /// left to right. Any other picture has an input for each drawn sample. NaN where the prediction stops.
    pub values: Vec<f64>,
    /// Values with the initial heap, for curves and signals; otherwise empty.
    pub before: Vec<f64>,
}

/// The pictures of a program.
pub(crate) struct Pictures {
    program: tree::Program,
    files: Files,
    host: Option<Host>,
    sketches: Vec<Sketch>,
    /// Plan of each prediction, made when its picture is first selected.
    plans: Vec<Option<Made>>,
    /// Values of each prediction with the initial heap, once computed.
    before: Vec<Option<Vec<f64>>>,
}

/// The plan of a prediction at the inputs of its picture; `None` if it stops at every input.
struct Made {
    plan: Option<Planned>,
    /// Number of inputs for each data set, or one number if all share the same inputs.
    shown: Vec<usize>,
    outputs: usize,
}

impl Pictures {
    /// Makes the pictures of a program. The program was checked with these files and has no error.
    pub(crate) fn new(program: &tree::Program, files: &Files, host: Option<Host>) -> Pictures {
        let sketches: Vec<Sketch> = with_items(program, files, |items| {
            let predictions = items.predictions().into_iter();
            predictions
                .map(|prediction| sketch(items, prediction))
                .collect()
        });
        Pictures {
            program: program.clone(),
            files: files.clone(),
            host,
            plans: sketches.iter().map(|_| None).collect(),
            before: sketches.iter().map(|_| None).collect(),
            sketches,
        }
    }

    /// The static parts of the pictures.
    pub(crate) fn sketches(&self) -> &[Sketch] {
        &self.sketches
    }

    /// Values of a prediction with this heap. Returns `None` if there is no such prediction.
    ///
    /// # Errors
    /// The diagnostic for which it cannot be planned.
    pub(crate) fn look(
        &mut self,
        look: Look,
        heap: &[(String, Tensor)],
        initial: &[(String, Tensor)],
    ) -> Result<Option<Pictured>, Box<Diagnostic>> {
        let number = look.prediction as usize;
        if self.sketches.get(number).is_none() {
            return Ok(None);
        }
        self.make(number)?;
        let (Some(sketch), Some(Some(made)), Some(before)) = (
            self.sketches.get_mut(number),
            self.plans.get_mut(number),
            self.before.get_mut(number),
        ) else {
            return Ok(None);
        };
        sketch.outputs = clip(made.outputs);
        if matches!(sketch.kind, Kind::Curve | Kind::Signals) && before.is_none() {
            let all = made.shown.iter().sum();
            *before = Some(made.values(0, all, initial));
        }
        let set = look.set as usize;
        let one = matches!(sketch.kind, Kind::Surface | Kind::Curve);
        let from: usize = match one {
            true => 0,
            false => made.shown.iter().take(set).sum(),
        };
        let count = made.shown.get(if one { 0 } else { set });
        let count = count.copied().unwrap_or(0);
        let values = made.values(from, count, heap);
        let range = from * made.outputs..(from + count) * made.outputs;
        let before = before.as_ref().and_then(|before| before.get(range));
        Ok(Some(Pictured {
            look,
            number: 0,
            outputs: clip(made.outputs),
            values,
            before: before.map_or(Vec::new(), <[f64]>::to_vec),
        }))
    }

    /// Outputs of a prediction for an input, with this heap. Returns `None` if it stops.
    pub(crate) fn at(
        &mut self,
        number: usize,
        input: &[f64],
        heap: &[(String, Tensor)],
    ) -> Option<Vec<f64>> {
        self.make(number).ok()?;
        let made = self.plans.get_mut(number)?.as_mut()?;
        let plan = made.plan.as_mut()?;
        plan.load_by_name(heap);
        plan.outputs_at(input)
    }

    /// Plans a prediction, unless it is planned.
    fn make(&mut self, number: usize) -> Result<(), Box<Diagnostic>> {
        let (Some(sketch), Some(slot)) = (self.sketches.get(number), self.plans.get_mut(number))
        else {
            return Ok(());
        };
        if slot.is_some() {
            return Ok(());
        }
        let (inputs, shown) = inputs(sketch);
        let host = self.host;
        let made = with_items(&self.program, &self.files, |items| {
            let prediction = items.predictions().get(number).copied();
            let prediction = prediction?;
            let zero = items.zero_input(prediction);
            let sizes: Vec<usize> = zero.tensors().into_iter().map(Tensor::len).collect();
            let samples = inputs.chunks(sizes.iter().sum::<usize>().max(1));
            let mut samples: Vec<_> = samples.map(|numbers| split(numbers, &sizes)).collect();
            if samples.is_empty() {
                // Without data, one input of zeros makes a plan, so that a reader can still try inputs.
                samples.push(zero.tensors().into_iter().cloned().collect());
            }
            Some(Planned::of_prediction(
                items, prediction, &zero, samples, host,
            ))
        });
        let plan = made.transpose()?.flatten();
        let outputs = plan.as_ref().map_or(0, Planned::outputs);
        *slot = Some(Made {
            plan,
            shown,
            outputs,
        });
        Ok(())
    }
}

impl Made {
    /// Outputs for `count` of the inputs, starting at index `from`.
    fn values(&mut self, from: usize, count: usize, heap: &[(String, Tensor)]) -> Vec<f64> {
        let mut values = Vec::with_capacity(count * self.outputs);
        if let Some(plan) = &mut self.plan {
            plan.load_by_name(heap);
            for sample in from..from + count {
                if !plan.outputs_of(sample, &mut values) {
                    values.resize((sample + 1 - from) * self.outputs, f64::NAN);
                }
            }
        }
        values
    }
}

/// Splits numbers into vectors of these sizes.
pub(super) fn split(mut numbers: &[f64], sizes: &[usize]) -> Vec<Tensor> {
    let parts = sizes.iter().map(|size| {
        let (part, rest) = numbers.split_at((*size).min(numbers.len()));
        numbers = rest;
        Tensor::vector(part.to_vec())
    });
    parts.collect()
}

/// Inputs of a picture, and the number of inputs for each data set, or one number if all share the same inputs.
fn inputs(sketch: &Sketch) -> (Vec<f64>, Vec<usize>) {
    let between = |(from, to): (f64, f64), at: usize, of: usize| {
        from + (to - from) * at as f64 / (of - 1).max(1) as f64
    };
    match (sketch.kind, sketch.ranges.as_slice()) {
        (Kind::Surface, [across, up]) => {
            let mut inputs = Vec::with_capacity(2 * SIDE * SIDE);
            for row in (0..SIDE).rev() {
                for column in 0..SIDE {
                    inputs.push(between(*across, column, SIDE));
                    inputs.push(between(*up, row, SIDE));
                }
            }
            (inputs, vec![SIDE * SIDE])
        }
        (Kind::Curve, [range]) => {
            let places = 0..STRETCH;
            (
                places.map(|at| between(*range, at, STRETCH)).collect(),
                vec![STRETCH],
            )
        }
        _ => {
            let inputs = (sketch.inputs as usize).max(1);
            let sets = sketch.sets.iter();
            let shown = sets.map(|set| set.input.len() / inputs).collect();
            let all = sketch.sets.iter().flat_map(|set| &set.input);
            (all.copied().collect(), shown)
        }
    }
}

/// Makes the static part of the picture of a prediction.
fn sketch<'a>(items: &mut Items<'_, 'a>, prediction: Prediction<'a>) -> Sketch {
    let shapes = items.input_shapes(prediction);
    let sets = items.sets_for(prediction);
    let glyphs = sets
        .first()
        .is_some_and(|(set, _)| set.origin() == Some("glyphs"));
    let inputs: usize = shapes.iter().map(Shape::size).sum();
    let targets = sets.first().map(|(set, leaves)| {
        let rest = set.shapes.get(*leaves..).unwrap_or(&[]);
        rest.iter().map(Shape::size).sum::<usize>()
    });
    // The type of the output is known only after elaboration.
    let zero = items.zero_input(prediction);
    let outputs = items.on_input(prediction, &zero);
    let outputs = outputs.map_or(0, |program| program.ty.sizes().iter().sum());
    let kind = kind(&shapes, outputs, targets, glyphs);
    let most = match kind {
        Kind::Surface | Kind::Curve => POINTS,
        Kind::Signals => SIGNALS,
        Kind::Images { .. } => IMAGES,
        Kind::Table => LINES,
    };
    let sets: Vec<Samples> = sets
        .iter()
        .map(|(set, leaves)| samples(set, *leaves, most))
        .collect();
    Sketch {
        name: prediction.name().to_owned(),
        ranges: match kind {
            Kind::Surface | Kind::Curve => (0..inputs).map(|at| range(&sets, at, inputs)).collect(),
            _ => Vec::new(),
        },
        kind,
        inputs: clip(inputs),
        outputs: clip(outputs),
        sets,
    }
}

/// Kind of picture for the inputs, the number of outputs and the number of target values in a sample. Digits are images, whatever
/// shape their type has.
fn kind(shapes: &[Shape], outputs: usize, targets: Option<usize>, glyphs: bool) -> Kind {
    let inputs: usize = shapes.iter().map(Shape::size).sum();
    match (inputs, shapes) {
        (2, _) => Kind::Surface,
        (1, _) => Kind::Curve,
        (_, [shape]) => {
            let side = root(inputs);
            let (rows, columns) = match shape.dims() {
                [rows, columns] => (*rows, *columns),
                _ => (side, side),
            };
            let flat = shape.rank() < 2;
            let square = inputs >= IMAGE && rows * columns == inputs;
            let classes = (2..inputs.min(1001)).contains(&outputs)
                && targets.is_none_or(|targets| targets == outputs || targets == 0);
            if square && (classes || (outputs == inputs && (glyphs || !flat))) {
                let (rows, columns) = (clip(rows), clip(columns));
                Kind::Images { rows, columns }
            } else if inputs > SIGNAL && outputs == inputs {
                Kind::Signals
            } else {
                Kind::Table
            }
        }
        _ => Kind::Table,
    }
}

/// Integer square root, rounded down.
fn root(number: usize) -> usize {
    (0..)
        .take_while(|side| side * side <= number)
        .last()
        .unwrap_or(0)
}

/// Samples of a set to draw, at most `most`.
fn samples(set: &DataSet<'_>, leaves: usize, most: usize) -> Samples {
    let mut drawn = Samples {
        name: set.name().to_owned(),
        number: clip(set.number),
        origin: set.origin().map(str::to_owned),
        count: clip(set.samples.len()),
        ..Samples::default()
    };
    for sample in set.samples.iter().take(most) {
        let parts = DataSet::entries(sample);
        let (input, target) = parts.split_at(leaves.min(parts.len()));
        drawn.input.extend(input.iter().copied().flatten());
        let before = drawn.target.len();
        drawn.target.extend(target.iter().copied().flatten());
        drawn.targets = clip(drawn.target.len() - before);
    }
    drawn
}

/// Smallest and largest value of an input in the data sets, with a margin.
fn range(sets: &[Samples], at: usize, inputs: usize) -> (f64, f64) {
    let all = sets
        .iter()
        .flat_map(|set| set.input.iter().skip(at).step_by(inputs.max(1)));
    range_of(all.copied())
}

/// Smallest and largest of these numbers, with a margin. Non-finite numbers are ignored.
pub(super) fn range_of(all: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = all.filter(|value| value.is_finite());
    let (least, most) = finite.fold(
        (f64::INFINITY, f64::NEG_INFINITY),
        |(least, most), value| (least.min(value), most.max(value)),
    );
    if least > most {
        return (-1.0, 1.0);
    }
    let margin = match most > least {
        true => MARGIN * (most - least),
        false => 1.0,
    };
    (least - margin, most + margin)
}
