//! Plans as WebAssembly modules, run by a host that has an engine for them: a browser in its worker.

use fletch_calculus::Tensor;
use fletch_codegen::{Memory, generate};
use fletch_engine::{Plan, Precision};

pub use fletch_codegen::{Function, Module};

/// Compiles a module and makes an instance of it, or says why that cannot be.
pub type Host = fn(&Module) -> Result<Box<dyn Instance>, String>;

/// An instance of a module.
pub trait Instance {
    /// Sees to it that the memory has so many bytes; returns true if it has.
    fn reserve(&mut self, bytes: usize) -> bool;
    /// Writes numbers to the memory, from this address on, in the precision of the module.
    fn write(&mut self, place: usize, numbers: &[f64]);
    /// Reads numbers from the memory, in the precision of the module.
    fn read(&self, place: usize, numbers: &mut [f64]);
    /// Calls what the module exports as `train`, of which [`Module`] says what it does; how many steps were not made.
    fn train(&mut self, at: usize, first: usize, end: usize, row: usize, count: usize) -> usize;
}

/// A plan as an instance, with its samples in its memory.
pub(crate) struct Generated {
    instance: Box<dyn Instance>,
    memory: Memory,
    samples: usize,
}

/// A vector that is only partly needed is read whole, so the memory goes on after the last sample.
const SPARE: usize = 64;

impl Generated {
    /// # Errors
    /// In words, if the plan has no module, or the host cannot run it.
    pub(crate) fn of(
        plan: &Plan,
        samples: &[Vec<Tensor>],
        precision: Precision,
        host: Host,
    ) -> Result<Self, String> {
        let module = generate(plan, precision).map_err(|refused| refused.to_string())?;
        let mut instance = host(&module)?;
        let memory = module.memory;
        let end = memory.row * samples.len() + memory.samples;
        if !instance.reserve(end + SPARE) {
            return Err("the samples need more memory than there is".to_owned());
        }
        for (number, sample) in samples.iter().enumerate() {
            let row = memory.samples + number * memory.row;
            for (input, at, _) in &memory.inputs {
                if let Some(component) = sample.get(*input) {
                    instance.write(row + at, component.data());
                }
            }
        }
        Ok(Generated {
            instance,
            memory,
            samples: samples.len(),
        })
    }

    /// The location of this number gets these contents, if a step reads or writes it.
    pub(crate) fn set_cell(&mut self, cell: usize, contents: &[f64]) {
        if let Some((_, place, size)) = self.found(cell)
            && size == contents.len()
        {
            self.instance.write(place, contents);
        }
    }

    /// The contents of a location, if a step reads or writes it.
    pub(crate) fn cell(&self, cell: usize) -> Option<Vec<f64>> {
        let (_, place, size) = self.found(cell)?;
        Some(self.numbers(place, size))
    }

    /// An output of the last step.
    pub(crate) fn output(&self, output: usize) -> Option<Vec<f64>> {
        let (place, size) = (*self.memory.outputs.get(output)?)?;
        Some(self.numbers(place, size))
    }

    /// Adds an output of the last step; returns true if it is there.
    pub(crate) fn read(&self, output: usize, numbers: &mut Vec<f64>) -> bool {
        let Some(Some((place, size))) = self.memory.outputs.get(output).copied() else {
            return false;
        };
        let before = numbers.len();
        numbers.resize(before + size, 0.0);
        if let Some(part) = numbers.get_mut(before..) {
            self.instance.read(place, part);
        }
        true
    }

    /// Runs so many steps, on this sample and those that follow, cyclically. Err: the number of steps before the one that stops.
    pub(crate) fn steps(&mut self, sample: usize, count: usize) -> Result<(), usize> {
        let Memory { row, samples, .. } = self.memory;
        let end = samples + self.samples * row;
        let at = samples + sample * row;
        match self.instance.train(at, samples, end, row, count) {
            0 => Ok(()),
            left => Err(count.saturating_sub(left)),
        }
    }

    fn found(&self, cell: usize) -> Option<(usize, usize, usize)> {
        let mut cells = self.memory.cells.iter();
        cells.find(|(number, ..)| *number == cell).copied()
    }

    fn numbers(&self, place: usize, size: usize) -> Vec<f64> {
        let mut numbers = vec![0.0; size];
        self.instance.read(place, &mut numbers);
        numbers
    }
}
