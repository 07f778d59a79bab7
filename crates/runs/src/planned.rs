//! A command as a plan with its samples: planned once, and run as often as there are samples, by what [`Backend`] decides. Where a step
//! stops, a run of the denotation from the same heap tells the reason.

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

/// A command on a sample that is left open, as a plan, and the samples.
pub struct Planned {
    program: Program,
    /// The sizes of a sample's components.
    sizes: Vec<usize>,
    backend: Backend,
}

/// Reason for which a command has no plan.
pub(crate) enum NotPlanned {
    /// The arrow of the command would be enormous.
    Large(Fault),
    /// The command stops at an operation that no handler treats, or is ill typed: a run of its arrow says where.
    Stops,
}

impl Planned {
    /// Nothing for a command that stops wherever it is run: a run of its arrow says where.
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

    /// A prediction on these inputs, each the tensors of its parameters; the first says of which sizes they are. In double precision,
    /// whatever trains. Nothing for a command that stops wherever it is run.
    ///
    /// # Errors
    /// If its arrow would be enormous, or the input is of another type than the prediction takes.
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

    /// A program on these samples, in the total reading; nothing for a command that stops wherever it is run.
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

    /// A program that is run once, and so has no module.
    pub(crate) fn once(
        program: Program,
        mode: Partiality,
        precision: Precision,
    ) -> Result<Planned, NotPlanned> {
        let arrow = Arrow::of(&[], &program.main, &program.ty).map_err(NotPlanned::Large)?;
        let samples = Vec::new();
        Planned::of_arrow(&arrow, program, samples, Wanted::All, mode, precision, None)
    }

    /// An arrow over the locations of a program, which gives what the program does, on these samples.
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

    /// Reason for which the plan does not run as a generated module, if it does not.
    pub(crate) fn not_generated(&self) -> Option<&str> {
        self.backend.not_generated()
    }

    /// Gives its locations these contents, by number.
    pub(crate) fn load(&mut self, cells: &[(String, Tensor)]) {
        for (number, (_, contents)) in cells.iter().enumerate() {
            self.backend.set_cell(number, contents.data());
            if let Some(known) = self.program.initial.get_mut(number) {
                *known = contents.clone();
            }
        }
    }

    /// Gives its locations the contents that have their names; a location of no such name keeps its own.
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

    /// The location of this number gets these contents for the next step.
    pub(crate) fn set_cell(&mut self, location: usize, contents: &[f64]) {
        self.backend.set_cell(location, contents);
    }

    /// The contents of all locations, by number.
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

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        self.program.ty.sizes().iter().sum()
    }

    /// Adds the numbers that it gives at a sample; returns true if there are any: it may stop.
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

    /// The numbers that it gives at another sample, whose entries are these, of all tensors one after the other; nothing if they are too
    /// few, or if it stops.
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

    /// Runs so many steps, on this sample and those that follow, cyclically. Err: the number of steps before the one that
    /// stops; the locations hold their contents after those.
    pub(crate) fn steps(&mut self, from: usize, count: usize) -> Result<(), usize> {
        self.backend.steps(from, count)
    }

    /// The number that a measure gives at one of its samples; nothing if it stops.
    pub(crate) fn number(&mut self, sample: usize) -> Option<f64> {
        self.backend.steps(sample, 1).ok()?;
        sum(&self.numbers()?)
    }

    /// The number that a measure gives at this sample; nothing if it stops.
    pub(crate) fn number_at(&mut self, sample: &[Tensor]) -> Option<f64> {
        sum(&self.numbers_at(sample)?)
    }

    /// The value at this sample; nothing if it stops.
    pub(crate) fn value_at(&mut self, sample: &[Tensor]) -> Option<Value> {
        let mut outputs = self.numbers_at(sample)?.into_iter().map(Tensor::vector);
        Value::assemble(&self.program.ty, &mut outputs)
    }

    /// The parts of the value at this sample; nothing if it stops.
    fn numbers_at(&mut self, sample: &[Tensor]) -> Option<Vec<Vec<f64>>> {
        let stepped = self.backend.step(sample);
        self.numbers().filter(|_| stepped)
    }

    /// The parts of the value of the last step.
    fn numbers(&self) -> Option<Vec<Vec<f64>>> {
        let outputs = 0..self.program.ty.sizes().len();
        outputs.map(|output| self.backend.output(output)).collect()
    }
}

/// The sum of the only part of a value.
fn sum(parts: &[Vec<f64>]) -> Option<f64> {
    match parts {
        [number] => Some(number.iter().sum()),
        _ => None,
    }
}
