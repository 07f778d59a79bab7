//! A plan compiled to a module and run in the native host, on one sample.

use fletch_calculus::{Program, Tensor};
use fletch_codegen::{Memory, generate};
use fletch_engine::{Plan, Precision};
use fletch_runs::generated::Instance;

/// A module instance with its memory layout.
pub struct Running {
    instance: Box<dyn Instance>,
    memory: Memory,
}

impl Running {
    /// Instantiates a module in double precision. Locations hold the initial contents of the program; the one
    /// row of samples is this sample.
    ///
    /// # Errors
    /// If no module can be generated for the plan.
    pub fn new(plan: &Plan, program: &Program, sample: &[Tensor]) -> Result<Running, String> {
        let module = generate(plan, Precision::Double).map_err(|refused| refused.to_string())?;
        let mut instance = fletch_native::host(&module)?;
        let memory = module.memory;
        for (cell, place, _) in &memory.cells {
            let contents = program.initial.get(*cell).map_or(&[][..], Tensor::data);
            instance.write(*place, contents);
        }
        for (input, place, _) in &memory.inputs {
            let component = sample.get(*input).map_or(&[][..], Tensor::data);
            instance.write(memory.samples + place, component);
        }
        Ok(Running { instance, memory })
    }

    /// Makes `count` steps. Returns false if a step stops early.
    pub fn steps(&mut self, count: usize) -> bool {
        let Memory { samples, row, .. } = self.memory;
        let end = samples + row;
        self.instance.train(samples, samples, end, row, count) == 0
    }

    /// Returns the contents of a location, empty if no step reads or writes it.
    pub fn cell(&self, cell: usize) -> Vec<f64> {
        let mut cells = self.memory.cells.iter();
        let found = cells.find(|(number, ..)| *number == cell);
        let (_, place, size) = found.copied().unwrap_or_default();
        let mut numbers = vec![0.0; size];
        self.instance.read(place, &mut numbers);
        numbers
    }

    /// Returns the size of its memory before the samples, in bytes.
    pub fn bytes(&self) -> usize {
        self.memory.samples
    }
}
