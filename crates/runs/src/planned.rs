//! A command with its samples, planned once and run as often as needed; [`Backend`] decides what runs the plan. Where a step stops, a run
//! of the denotation from the same heap gives the reason.

use crate::backend::Backend;
use crate::ending;
use crate::generated::Host;
use fletch_arrows::{Arrow, Fault};
use fletch_calculus::{Program, Tensor, Value};
use fletch_elaborate::{Item, Items, Prediction, component};
use fletch_engine::{Precision, Refused, Wanted, lower, plan};
use fletch_smooth::Partiality;
use fletch_syntax::Diagnostic;

/// Locations by name, with their contents, in the order of their numbers.
pub type Cells = Vec<(String, Tensor)>;

/// The plan of a command whose sample is left open, with the samples to run it on.
pub struct Planned {
    program: Program,
    /// Number of entries of each component of a sample.
    sizes: Vec<usize>,
    backend: Backend,
}

/// Reason for which a command has no plan.
pub(crate) enum NotPlanned {
    /// The arrow of the command would be enormous.
    Large(Fault),
    /// The command stops at an operation that no handler treats, or is ill typed. A run of its arrow gives the position.
    Stops,
}

impl Planned {
    /// Plans an item, on its first `count` samples or batches. Returns `None` for a command that stops wherever it is run; a run of its
    /// arrow gives the position.
    pub(crate) fn of<'a>(
        items: &mut Items<'_, 'a>,
        item: impl Into<Item<'a>>,
        count: usize,
        wanted: Wanted,
        precision: Precision,
        host: Option<Host>,
    ) -> Result<Option<Planned>, Box<Diagnostic>> {
        let item = item.into();
        let program = items.on_any(item)?;
        let samples = (0..count).filter_map(|step| items.sample(item, step));
        let samples = samples.collect();
        Planned::with(program, samples, wanted, precision, host)
    }

    /// Plans a prediction, on these inputs: each is the tensors of the parameters, of the sizes of the first input. `like` is an input as a
    /// value. The plan computes in double precision, whatever the precision of the training. Returns `None` for a command that stops
    /// wherever it is run.
    ///
    /// # Errors
    /// If its arrow would be enormous, or if the type of `like` is not that of the prediction's input.
    pub fn of_prediction<'a>(
        items: &mut Items<'_, 'a>,
        prediction: Prediction<'a>,
        like: &Value,
        inputs: Vec<Vec<Tensor>>,
        host: Option<Host>,
    ) -> Result<Option<Planned>, Box<Diagnostic>> {
        let program = items.on_any_input(prediction, like)?;
        Planned::with(program, inputs, Wanted::Value, Precision::Double, host)
    }

    /// Plans a program on these samples, in the total reading. Returns `None` for a command that stops wherever it is run.
    pub(crate) fn with(
        program: Program,
        samples: Vec<Vec<Tensor>>,
        wanted: Wanted,
        precision: Precision,
        host: Option<Host>,
    ) -> Result<Option<Planned>, Box<Diagnostic>> {
        let arrow = Arrow::of(&[], &program.main, &program.ty).map_err(NotPlanned::Large);
        let planned = arrow.and_then(|arrow| {
            let mode = Partiality::Total;
            Planned::of_arrow(&arrow, program, samples, wanted, mode, precision, host)
        });
        match planned {
            Ok(planned) => Ok(Some(planned)),
            Err(NotPlanned::Stops) => Ok(None),
            Err(NotPlanned::Large(fault)) => Err(Box::new(ending::no_arrow(&fault))),
        }
    }

    /// Plans a program that is run once, so without a module.
    pub(crate) fn once(
        program: Program,
        mode: Partiality,
        precision: Precision,
    ) -> Result<Planned, NotPlanned> {
        let arrow = Arrow::of(&[], &program.main, &program.ty).map_err(NotPlanned::Large)?;
        let samples = Vec::new();
        Planned::of_arrow(&arrow, program, samples, Wanted::All, mode, precision, None)
    }

    /// Plans an arrow over the locations of a program, whose value has the program's type, on these samples.
    pub(crate) fn of_arrow(
        arrow: &Arrow,
        program: Program,
        samples: Vec<Vec<Tensor>>,
        wanted: Wanted,
        mode: Partiality,
        precision: Precision,
        host: Option<Host>,
    ) -> Result<Planned, NotPlanned> {
        let sizes = samples.first().into_iter().flatten().map(Tensor::len);
        let sizes: Vec<usize> = sizes.collect();
        let line = lower(arrow, &sizes, component, wanted);
        let line = line.map_err(|_: Refused| NotPlanned::Stops)?;
        let plan = plan(&line, mode);
        let mut backend = Backend::of(plan, samples, mode, precision, host);
        for (number, contents) in program.initial.iter().enumerate() {
            backend.set_cell(number, contents.data());
        }
        Ok(Planned {
            program,
            sizes,
            backend,
        })
    }

    /// The reason for which the plan does not run as a generated module; `None` if it does.
    pub(crate) fn not_generated(&self) -> Option<&str> {
        self.backend.not_generated()
    }

    /// Sets the contents of all locations, in the order of their numbers.
    pub(crate) fn load(&mut self, cells: &[(String, Tensor)]) {
        for (number, (_, contents)) in cells.iter().enumerate() {
            self.backend.set_cell(number, contents.data());
            if let Some(known) = self.program.initial.get_mut(number) {
                *known = contents.clone();
            }
        }
    }

    /// Sets the contents of the locations that are named here; the others keep theirs.
    pub fn load_by_name(&mut self, cells: &[(String, Tensor)]) {
        let own = self.heap().into_iter();
        let cells = own.map(|(name, contents)| {
            let mut given = cells.iter();
            let found = given.find(|(other, _)| *other == name);
            let found = found.map(|(_, contents)| contents.clone());
            (name, found.unwrap_or(contents))
        });
        let cells: Cells = cells.collect();
        self.load(&cells);
    }

    /// True if a step reads or writes the location of this number.
    pub(crate) fn uses(&self, location: usize) -> bool {
        self.backend.uses(location)
    }

    /// Sets the contents of the location of this number for the next step.
    pub(crate) fn set_cell(&mut self, location: usize, contents: &[f64]) {
        self.backend.set_cell(location, contents);
    }

    /// The contents of all locations, in the order of their numbers.
    pub(crate) fn heap(&self) -> Cells {
        let locations = self.program.locations.iter().zip(&self.program.initial);
        let cells = locations.enumerate().map(|(number, (location, initial))| {
            let contents = self.backend.cell(number);
            let contents = contents.and_then(|data| Tensor::new(location.shape(), data));
            let contents = contents.unwrap_or_else(|| initial.clone());
            (location.name.to_string(), contents)
        });
        cells.collect()
    }

    /// Number of entries of the value.
    pub fn outputs(&self) -> usize {
        self.program.ty.sizes().iter().sum()
    }

    /// Appends the entries of the value at the sample of this number; returns false, and appends none, if the step stops.
    pub fn outputs_of(&mut self, sample: usize, numbers: &mut Vec<f64>) -> bool {
        if self.backend.steps(sample, 1).is_err() {
            return false;
        }
        let Some(outputs) = self.numbers() else {
            return false;
        };
        outputs.iter().for_each(|part| numbers.extend(part));
        true
    }

    /// The entries of the value at another sample. `entries` are those of all components of the sample, one component after the other.
    /// Returns `None` if there are too few entries, or if the step stops.
    pub fn outputs_at(&mut self, entries: &[f64]) -> Option<Vec<f64>> {
        let mut rest = entries;
        let mut sample = Vec::new();
        for size in &self.sizes {
            let (own, after) = rest.split_at_checked(*size)?;
            sample.push(Tensor::vector(own.to_vec()));
            rest = after;
        }
        let numbers = self.numbers_at(&sample)?;
        Some(numbers.concat())
    }

    /// Runs `count` steps, on the sample of this number and those that follow, cyclically. Err: number of steps made before the one that
    /// stops; the locations hold their contents after these steps.
    pub(crate) fn steps(&mut self, from: usize, count: usize) -> Result<(), usize> {
        self.backend.steps(from, count)
    }

    /// The number that a measure gives at its sample of this number; `None` if the step stops.
    pub(crate) fn number(&mut self, sample: usize) -> Option<f64> {
        self.backend.steps(sample, 1).ok()?;
        sum(&self.numbers()?)
    }

    /// The number that a measure gives at this sample; `None` if the step stops.
    pub(crate) fn number_at(&mut self, sample: &[Tensor]) -> Option<f64> {
        sum(&self.numbers_at(sample)?)
    }

    /// The value at this sample; `None` if the step stops.
    pub(crate) fn value_at(&mut self, sample: &[Tensor]) -> Option<Value> {
        let mut outputs = self.numbers_at(sample)?.into_iter().map(Tensor::vector);
        Value::assemble(&self.program.ty, &mut outputs)
    }

    /// The tensors of the value at this sample, as their entries; `None` if the step stops.
    fn numbers_at(&mut self, sample: &[Tensor]) -> Option<Vec<Vec<f64>>> {
        let stepped = self.backend.step(sample);
        self.numbers().filter(|_| stepped)
    }

    /// The tensors of the value of the last step, as their entries.
    fn numbers(&self) -> Option<Vec<Vec<f64>>> {
        let outputs = 0..self.program.ty.sizes().len();
        outputs.map(|output| self.backend.output(output)).collect()
    }
}

/// The sum of the entries of a value that is a single tensor; `None` for any other value.
fn sum(parts: &[Vec<f64>]) -> Option<f64> {
    match parts {
        [number] => Some(number.iter().sum()),
        _ => None,
    }
}
