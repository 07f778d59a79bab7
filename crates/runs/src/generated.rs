//! Plans as WebAssembly modules, run by a host that has a WebAssembly engine: a browser's worker, or a compiler natively.

use fletch_calculus::Tensor;
use fletch_codegen::{Base, Memory, generate};
use fletch_engine::{Plan, Precision};

pub use fletch_codegen::{Function, Module};
pub use fletch_engine::single;

/// Compiles a module and instantiates it; returns the reason if that fails.
pub type Host = fn(&Module) -> Result<Box<dyn Instance>, String>;

/// An instance of a module.
pub trait Instance {
    /// Grows the memory to at least this number of bytes; returns true on success.
    fn reserve(&mut self, bytes: usize) -> bool;
    /// Writes numbers to the memory from the address `place` on, in the precision of the module.
    fn write(&mut self, place: usize, numbers: &[f64]);
    /// Reads numbers from the memory from the address `place` on, in the precision of the module.
    fn read(&self, place: usize, numbers: &mut [f64]);
    /// Calls the export `train` of the module, which [`Module`] describes; returns the number of steps that were not made.
    fn train(&mut self, at: usize, first: usize, end: usize, row: usize, count: usize) -> usize;
}

/// An instance of a plan's module, with the samples in its memory.
pub(crate) struct Generated {
    instance: Box<dyn Instance>,
    memory: Memory,
    samples: usize,
    /// Address of the sample of the last step.
    last: usize,
}

/// Bytes of memory after the last sample: a vector that is only partly needed is read whole.
const SPARE: usize = 64;

impl Generated {
    /// Compiles a plan and writes the samples to the memory of its instance.
    ///
    /// # Errors
    /// In words, if the plan has no module, or if the host cannot run it.
    pub(crate) fn of(
        plan: &Plan,
        samples: &[Vec<Tensor>],
        precision: Precision,
        host: Host,
    ) -> Result<Self, String> {
        let module = generate(plan, precision).map_err(|refused| refused.to_string())?;
        let mut instance = host(&module)?;
        let memory = module.memory;
        // The last row is for a sample that is none of `samples`.
        let end = memory.row * (samples.len() + 1) + memory.samples;
        if !instance.reserve(end + SPARE) {
            return Err("the samples need more memory than there is".to_owned());
        }
        let mut generated = Generated {
            instance,
            samples: samples.len(),
            last: memory.samples,
            memory,
        };
        for (number, sample) in samples.iter().enumerate() {
            generated.write(generated.row(number), sample);
        }
        Ok(generated)
    }

    /// The address of the sample of this number.
    fn row(&self, sample: usize) -> usize {
        self.memory.samples + sample * self.memory.row
    }

    fn write(&mut self, row: usize, sample: &[Tensor]) {
        for (input, at, size) in &self.memory.inputs {
            if let Some(component) = sample.get(*input)
                && component.len() == *size
            {
                self.instance.write(row + at, component.data());
            }
        }
    }

    /// True if a step reads or writes the location of this number.
    pub(crate) fn uses(&self, cell: usize) -> bool {
        self.found(cell).is_some()
    }

    /// Sets the contents of the location of this number, if a step reads or writes it.
    pub(crate) fn set_cell(&mut self, cell: usize, contents: &[f64]) {
        if let Some((_, place, size)) = self.found(cell)
            && size == contents.len()
        {
            self.instance.write(place, contents);
        }
    }

    /// The contents of the location of this number; `None` if no step reads or writes it.
    pub(crate) fn cell(&self, cell: usize) -> Option<Vec<f64>> {
        let (_, place, size) = self.found(cell)?;
        Some(self.numbers(place, size))
    }

    /// The output of this number, as the last step left it.
    pub(crate) fn output(&self, output: usize) -> Option<Vec<f64>> {
        let (base, place, size) = *self.memory.outputs.get(output)?;
        let from = match base {
            Base::Absolute => 0,
            Base::Sample => self.last,
        };
        Some(self.numbers(from + place, size))
    }

    /// Runs `count` steps, on the sample of this number and those that follow, cyclically. Err: number of steps made before the one that
    /// stops.
    pub(crate) fn steps(&mut self, sample: usize, count: usize) -> Result<(), usize> {
        let (first, end) = (self.row(0), self.row(self.samples));
        let left = self.train(self.row(sample), (first, end), count);
        let done = count.saturating_sub(left);
        let last = (sample + done.saturating_sub(1)) % self.samples.max(1);
        self.last = self.row(last);
        if left == 0 { Ok(()) } else { Err(done) }
    }

    /// Runs a step on a sample that is none of its own; returns false if the step stops.
    pub(crate) fn step(&mut self, sample: &[Tensor]) -> bool {
        let at = self.row(self.samples);
        self.write(at, sample);
        self.last = at;
        self.train(at, (at, at + self.memory.row), 1) == 0
    }

    /// Runs `count` steps from the sample at an address on; returns the number of steps that were not made.
    fn train(&mut self, at: usize, (first, end): (usize, usize), count: usize) -> usize {
        self.instance.train(at, first, end, self.memory.row, count)
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
