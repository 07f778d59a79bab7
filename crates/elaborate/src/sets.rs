//! Declared data sets: the predictions that each data set fits, and its spans; and the seeds of initial contents of locations. This
//! module edits no text: a caller that does uses the spans.

use crate::items::Items;
use crate::predictions::{Prediction, parts};
use crate::shaped::Shaped;
use fletch_calculus::Value;
use fletch_smooth::Shape;
use fletch_syntax::Span;
use fletch_syntax::tree::{
    self, ArgumentValue, DataDecl, Dataset, GeneratorCall, Init, ItemKind, Size, SizeKind,
};

/// A data set.
#[derive(Clone, Debug)]
pub struct DataSet<'a> {
    decl: &'a DataDecl,
    /// Number of the data set among those without errors, from 0.
    pub number: usize,
    /// Samples of the data set.
    pub samples: Vec<Value>,
    /// Shape of each component of a sample, tuples flattened.
    pub shapes: Vec<Shape>,
    /// The type of a sample.
    pub ty: String,
    /// Span from the end of the name to the end of the declaration: the type, if there is one, `=` and the definition.
    pub rest: Span,
}

impl<'a> DataSet<'a> {
    /// Name of the data set.
    pub fn name(&self) -> &'a str {
        &self.decl.name.text
    }

    /// Name of the generator, combinator or file that the samples come from; `None` if the samples are written in the program.
    pub fn origin(&self) -> Option<&'a str> {
        match &self.decl.dataset {
            Dataset::Samples(_) => None,
            Dataset::Generator(call) => Some(&call.name.text),
            Dataset::Csv(file) => Some(&file.node),
            Dataset::Combined(combination) => Some(&combination.call.name.text),
        }
    }

    /// True if a generator makes the samples.
    pub fn is_generated(&self) -> bool {
        self.generator().is_some()
    }

    /// Call of the generator that makes the samples; `None` if no generator does.
    pub(crate) fn generator(&self) -> Option<&'a GeneratorCall> {
        match &self.decl.dataset {
            Dataset::Generator(call) => Some(call),
            Dataset::Samples(_) | Dataset::Csv(_) | Dataset::Combined(_) => None,
        }
    }

    /// End of the last sample written in the program, if a sample can be added after it. That is the last sample of the data set, or of
    /// the last operand of a `join`.
    pub fn end(&self) -> Option<u32> {
        let written = match &self.decl.dataset {
            Dataset::Combined(combination) if &*combination.call.name.text == "join" => {
                &combination.of.last()?.node
            }
            dataset => dataset,
        };
        match written {
            Dataset::Samples(terms) => terms.last().map(|term| term.span.end),
            Dataset::Generator(_) | Dataset::Csv(_) | Dataset::Combined(_) => None,
        }
    }

    /// Span of the generator or combinator call that makes the samples, if there is one.
    pub fn made(&self) -> Option<Span> {
        match &self.decl.dataset {
            Dataset::Generator(call) => Some(call.span),
            Dataset::Combined(combination) => Some(combination.call.span),
            Dataset::Samples(_) | Dataset::Csv(_) => None,
        }
    }
}

impl<'a> Items<'_, 'a> {
    /// The data sets without errors, in file order.
    pub fn data_sets(&self) -> Vec<DataSet<'a>> {
        let items = self.tree.items.iter();
        let sets = items.filter_map(|item| match &item.node {
            ItemKind::Data(decl) => {
                let samples = self.data.get(&decl.name.text)?.as_ref()?;
                Some((item, decl, samples))
            }
            _ => None,
        });
        let sets = sets
            .enumerate()
            .map(|(number, (item, decl, samples))| DataSet {
                decl,
                number,
                samples: samples.values.clone(),
                shapes: shapes(&samples.shaped),
                ty: samples.shaped.to_string(),
                rest: Span {
                    start: decl.name.span.end,
                    end: item.span.end,
                },
            });
        sets.collect()
    }

    /// The data sets whose samples begin with the inputs of a prediction. Each comes with the number of leading components, tuples
    /// flattened, that are the input.
    pub fn sets_for(&mut self, prediction: Prediction<'a>) -> Vec<(DataSet<'a>, usize)> {
        let inputs = self.inputs_of(prediction);
        let fits = |set: &DataSet<'a>| {
            let samples = self.data.get(set.name());
            let samples = samples.and_then(Option::as_ref);
            samples.is_some_and(|samples| samples.begins_with(&inputs))
        };
        let leaves = inputs.iter().map(Shaped::leaves).sum();
        let sets = self.data_sets().into_iter();
        sets.filter(fits).map(|set| (set, leaves)).collect()
    }

    /// Shapes of the inputs of a prediction, tuples flattened.
    pub fn input_shapes(&mut self, prediction: Prediction<'a>) -> Vec<Shape> {
        let inputs = self.inputs_of(prediction);
        inputs.iter().flat_map(shapes).collect()
    }
}

impl DataSet<'_> {
    /// The entries of each component of a sample, tuples flattened.
    pub fn entries(sample: &Value) -> Vec<&[f64]> {
        let tensors = parts(sample).iter().flat_map(Value::tensors);
        tensors.map(|tensor| tensor.data()).collect()
    }
}

fn shapes(shaped: &Shaped) -> Vec<Shape> {
    match shaped {
        Shaped::Unknown => Vec::new(),
        Shaped::Real(shape) => vec![shape.clone()],
        Shaped::Product(parts) => parts.iter().flat_map(shapes).collect(),
    }
}

/// A seed in the program text, for the initial contents of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed {
    /// The number.
    pub value: u64,
    /// Span of the numeral.
    pub span: Span,
}

/// The seeds of the initial contents of locations, in file order. A seed is a numeral, or the first numeral of a sum such as `1 + i`.
pub fn seeds(program: &tree::Program) -> Vec<Seed> {
    let items = program.items.iter();
    let calls = items.filter_map(|item| match &item.node {
        ItemKind::Loc(decl) => match &decl.init {
            Some(Init::Generator(call)) => Some(call),
            _ => None,
        },
        _ => None,
    });
    calls.filter_map(seed).collect()
}

fn seed(call: &GeneratorCall) -> Option<Seed> {
    let place = match &*call.name.text {
        "glorot" | "he" => 0,
        "normal" => 1,
        "uniform" => 2,
        _ => return None,
    };
    let named = call.arguments.iter().find(|argument| {
        let key = argument.key.as_ref();
        key.is_some_and(|key| &*key.text == "seed")
    });
    let by_place = || {
        let argument = call.arguments.get(place);
        argument.filter(|argument| argument.key.is_none())
    };
    let argument = &named.or_else(by_place)?.value;
    match &argument.node {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        // A non-negative whole number.
        ArgumentValue::Number(value) => (*value >= 0.0 && value.fract() == 0.0).then_some(Seed {
            value: *value as u64,
            span: argument.span,
        }),
        ArgumentValue::Size(size) => numeral(size),
    }
}

/// The numeral of a size, or the first numeral of a sum.
fn numeral(size: &Size) -> Option<Seed> {
    match &size.node {
        SizeKind::Number(value) => Some(Seed {
            value: *value,
            span: size.span,
        }),
        SizeKind::Add(left, right) => numeral(left).or_else(|| numeral(right)),
        _ => None,
    }
}
