//! A `train` or `measure` item as a plan with its samples: run by the interpreter of plans, and as a generated module where
//! there is a host.

use crate::compiled::{self, Cells, Compiled, NotCompiled};
use crate::ending;
use crate::generated::{Generated, Host};
use fletch_arrows::Arrow;
use fletch_calculus::{Program, Tensor, Value};
use fletch_elaborate::{Item, Items, Prediction};
use fletch_engine::{Precision, Wanted};
use fletch_smooth::Partiality;
use fletch_syntax::Diagnostic;

/// A command on a sample that is left open, as a plan, and the samples.
pub struct Planned {
    pub(crate) command: Compiled,
    pub(crate) samples: Vec<Vec<Tensor>>,
    /// The instance of a module that runs it; the machine does if there is none, for this reason.
    generated: Result<Generated, String>,
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

    fn with(
        program: Program,
        samples: Vec<Vec<Tensor>>,
        wanted: Wanted,
        precision: Precision,
        host: Option<Host>,
    ) -> Result<Option<Planned>, Box<Diagnostic>> {
        let planned = compiled::arrow(&program)
            .and_then(|arrow| Planned::of_arrow(&arrow, program, samples, wanted, precision, host));
        match planned {
            Ok(planned) => Ok(Some(planned)),
            Err(NotCompiled::Stops) => Ok(None),
            Err(NotCompiled::Large(fault)) => Err(Box::new(ending::no_arrow(&fault))),
        }
    }

    /// An arrow over the locations of a program, which gives what the program does, on these samples.
    pub(crate) fn of_arrow(
        arrow: &Arrow,
        program: Program,
        samples: Vec<Vec<Tensor>>,
        wanted: Wanted,
        precision: Precision,
        host: Option<Host>,
    ) -> Result<Planned, NotCompiled> {
        let sizes = samples.first().into_iter().flatten().map(Tensor::len);
        let sizes: Vec<usize> = sizes.collect();
        let mut generated = Err("there is no host for it".to_owned());
        let command = Compiled::with_plan(
            arrow,
            program,
            &sizes,
            wanted,
            Partiality::Total,
            precision,
            |plan| {
                if let Some(host) = host {
                    generated = Generated::of(plan, &samples, precision, host);
                }
            },
        )?;
        Ok(Planned {
            command,
            samples,
            generated,
        })
    }

    /// Reason for which the plan does not run as a generated module, if it does not.
    pub(crate) fn not_generated(&self) -> Option<&str> {
        self.generated.as_ref().err().map(String::as_str)
    }

    /// Gives its locations these contents, by number.
    pub(crate) fn load(&mut self, cells: &[(String, Tensor)]) {
        self.command.load(cells);
        if let Ok(generated) = &mut self.generated {
            for (number, (_, contents)) in cells.iter().enumerate() {
                generated.set_cell(number, contents.data());
            }
        }
    }

    /// Gives its locations the contents that have their names; a location of no such name keeps its own.
    pub fn load_by_name(&mut self, cells: &[(String, Tensor)]) {
        let own = self.command.heap();
        let cells = own.map(|(name, contents)| {
            let mut given = cells.iter();
            let found = given.find(|(other, _)| *other == name);
            let found = found.map(|(_, contents)| contents.clone());
            (name, found.unwrap_or(contents))
        });
        let cells: Cells = cells.collect();
        self.load(&cells);
    }

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        self.command.sizes().iter().sum()
    }

    /// Adds the numbers that it gives at a sample; returns true if there are any: it may stop.
    pub fn outputs_of(&mut self, sample: usize, numbers: &mut Vec<f64>) -> bool {
        if let Ok(generated) = &mut self.generated {
            if generated.steps(sample, 1).is_err() {
                return false;
            }
            let before = numbers.len();
            let parts = 0..self.command.sizes().len();
            let whole = parts.into_iter().all(|part| generated.read(part, numbers));
            if whole {
                return true;
            }
            numbers.truncate(before);
        }
        let sample = self.samples.get(sample);
        let stepped = sample.map(|sample| self.command.step(sample));
        match stepped {
            Some(Ok(())) => {
                let value = self.command.value();
                numbers.extend(value.iter().flat_map(Value::tensors).flat_map(Tensor::data));
                value.is_some()
            }
            _ => false,
        }
    }

    /// The numbers that it gives at another sample, whose entries are these, of all tensors one after the other; nothing if they are too
    /// few, or if it stops.
    pub fn outputs_at(&mut self, entries: &[f64]) -> Option<Vec<f64>> {
        let mut rest = entries;
        let mut sample = Vec::new();
        for part in self.samples.first()? {
            let (own, after) = rest.split_at_checked(part.len())?;
            sample.push(Tensor::vector(own.to_vec()));
            rest = after;
        }
        self.command.step(&sample).ok()?;
        let value = self.command.value()?;
        let tensors = value.tensors().into_iter();
        Some(tensors.flat_map(Tensor::data).copied().collect())
    }

    /// The contents of all locations, by number.
    pub(crate) fn heap(&self) -> Cells {
        let mut heap: Cells = self.command.heap().collect();
        if let Ok(generated) = &self.generated {
            for (number, (_, contents)) in heap.iter_mut().enumerate() {
                let found = generated.cell(number);
                let found = found.and_then(|data| Tensor::new(contents.shape().clone(), data));
                if let Some(found) = found {
                    *contents = found;
                }
            }
        }
        heap
    }

    /// Runs so many steps, on this sample and those that follow, cyclically. Err: the number of steps before the one that
    /// stops; the locations hold their contents after those.
    pub(crate) fn steps(&mut self, from: usize, count: usize) -> Result<(), usize> {
        match &mut self.generated {
            Ok(generated) => generated.steps(from, count),
            Err(_) => {
                for done in 0..count {
                    let sample = self.samples.get((from + done) % self.samples.len().max(1));
                    let stepped = sample.map(|sample| self.command.step(sample));
                    stepped.transpose().map_err(|_| done)?;
                }
                Ok(())
            }
        }
    }

    /// The number that a measure gives at a sample; nothing if it stops.
    pub(crate) fn number(&mut self, sample: usize) -> Option<f64> {
        if let Ok(generated) = &mut self.generated {
            generated.steps(sample, 1).ok()?;
            if let Some(number) = generated.output(0) {
                return Some(number.iter().sum());
            }
        }
        self.command.step(self.samples.get(sample)?).ok()?;
        match self.command.value()? {
            Value::Real(number) => Some(number.data().iter().sum()),
            Value::Tuple(_) => None,
        }
    }
}
