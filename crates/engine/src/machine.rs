//! Portable machine in either precision. Inputs and outputs are in double precision.

use crate::loops::Plan;
use crate::number::{Number, Precision};
use crate::portable::{Portable, Stop};
use fletch_calculus::Origin;
use fletch_smooth::Partiality;
use std::borrow::Cow;

/// A plan with its memory.
#[derive(Clone, Debug)]
pub struct Machine(Of);

#[derive(Clone, Debug)]
enum Of {
    Single(Portable<f32>),
    Double(Portable<f64>),
}

/// Dispatches to the machine of either precision.
macro_rules! either {
    ($machine:expr, $portable:ident => $what:expr) => {
        match $machine {
            Of::Single($portable) => $what,
            Of::Double($portable) => $what,
        }
    };
}

impl Machine {
    /// A machine for a plan; locations hold zeros.
    pub fn new(plan: &Plan, mode: Partiality, precision: Precision) -> Machine {
        Machine(match precision {
            Precision::Single => Of::Single(Portable::new(plan, mode)),
            Precision::Double => Of::Double(Portable::new(plan, mode)),
        })
    }

    /// The locations that a step reads or writes, by number.
    pub fn cells(&self) -> Vec<usize> {
        either!(&self.0, portable => portable.cells().collect())
    }

    /// The contents of a location that a step reads or writes.
    pub fn cell(&self, cell: usize) -> Option<Cow<'_, [f64]>> {
        match &self.0 {
            Of::Single(portable) => portable.cell(cell).map(double),
            Of::Double(portable) => portable.cell(cell).map(Cow::Borrowed),
        }
    }

    /// Gives such a location contents of its size.
    pub fn set_cell(&mut self, cell: usize, contents: &[f64]) {
        either!(&mut self.0, portable => portable.set_cell(cell, contents));
    }

    /// Gives an input of the line a value of its size.
    pub fn set_input(&mut self, input: usize, value: &[f64]) {
        either!(&mut self.0, portable => portable.set_input(input, value));
    }

    /// An output of the line, after a step.
    pub fn output(&self, output: usize) -> Option<Cow<'_, [f64]>> {
        match &self.0 {
            Of::Single(portable) => portable.output(output).map(double),
            Of::Double(portable) => portable.output(output).map(Cow::Borrowed),
        }
    }

    /// Runs one step.
    ///
    /// # Errors
    /// Stops where a primitive is not defined. Heap writes made before the stop remain.
    pub fn step(&mut self) -> Result<(), Stop> {
        either!(&mut self.0, portable => portable.step())
    }

    /// Runs one step; the origin of the first item that writes a NaN.
    pub fn step_to_nan(&mut self, plan: &Plan) -> Option<Origin> {
        let statement = either!(&mut self.0, portable => portable.step_to_nan(plan))?;
        plan.origins.get(statement?).copied()
    }
}

fn double(numbers: &[f32]) -> Cow<'_, [f64]> {
    numbers.iter().map(|number| number.double()).collect()
}
