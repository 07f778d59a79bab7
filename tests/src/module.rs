//! A plan as a module in the native host, on one sample.

use fletch_calculus::{Program, Tensor};
use fletch_codegen::{Memory, generate};
use fletch_engine::{Plan, Precision};
use fletch_runs::generated::Instance;

/// A module with its memory.
pub struct Running {
    instance: Box<dyn Instance>,
    memory: Memory,
}

impl Running {
    /// A module in double precision, whose locations hold what a program says, on this sample.
    ///
    /// # Errors
    /// If the plan has no module.
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

    /// Makes so many steps; false if one stops.
    pub fn steps(&mut self, count: usize) -> bool {
        let Memory { samples, row, .. } = self.memory;
        let end = samples + row;
        self.instance.train(samples, samples, end, row, count) == 0
    }

    /// The contents of a location; none if no step reads or writes it.
    pub fn cell(&self, cell: usize) -> Vec<f64> {
        let mut cells = self.memory.cells.iter();
        let found = cells.find(|(number, ..)| *number == cell);
        let (_, place, size) = found.copied().unwrap_or_default();
        let mut numbers = vec![0.0; size];
        self.instance.read(place, &mut numbers);
        numbers
    }

    /// Bytes of its memory before the sample.
    pub fn bytes(&self) -> usize {
        self.memory.samples
    }
}
