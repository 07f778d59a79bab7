//! Programs run by the engine: planned once, and run as often as there are samples. Where a step stops, a run of the
//! denotation from the same heap tells the reason.

use fletch_arrows::{Arrow, Fault};
use fletch_calculus::{Origin, Program, Tensor, Value};
use fletch_elaborate::component;
use fletch_engine::{Machine, Plan, Precision, Refused, Stop, Wanted, looped, lower, plan};
use fletch_smooth::Partiality;
use std::borrow::Cow;

/// Locations by name, with their contents, in the order of their numbers.
pub type Cells = Vec<(String, Tensor)>;

/// A command as a plan with its memory.
pub(crate) struct Compiled {
    machine: Machine,
    /// Contents of the locations before a step, if it may stop.
    before: Option<Vec<f64>>,
    program: Program,
}

/// Reason for which the engine does not run a command.
pub(crate) enum NotCompiled {
    /// The arrow of the command would be enormous.
    Large(Fault),
    /// The command stops at an operation that no handler treats, or is ill typed: a run of its arrow says where.
    Stops,
}

/// The arrow of a command.
pub(crate) fn arrow(program: &Program) -> Result<Arrow, NotCompiled> {
    Arrow::of(&[], &program.main, &program.ty).map_err(NotCompiled::Large)
}

/// Origin of the first statement that gives a NaN in a run from this heap.
pub(crate) fn first_nan(
    program: &Program,
    heap: &[(String, Tensor)],
    precision: Precision,
) -> Option<Origin> {
    let arrow = Arrow::of(&[], &program.main, &program.ty).ok()?;
    let line = lower(&arrow, &[], |_| None, Wanted::All).ok()?;
    let plan = looped(&line, Partiality::Total);
    let mut machine = Machine::new(&plan, Partiality::Total, precision);
    for (number, (_, contents)) in heap.iter().enumerate() {
        machine.set_cell(number, contents.data());
    }
    machine.step_to_nan(&plan)
}

impl Compiled {
    /// A command, whose sample has components of these sizes; of its value only what is wanted.
    pub(crate) fn of(
        program: Program,
        sample: &[usize],
        wanted: Wanted,
        mode: Partiality,
        precision: Precision,
    ) -> Result<Compiled, NotCompiled> {
        let arrow = arrow(&program)?;
        Compiled::with_plan(&arrow, program, sample, wanted, mode, precision, |_| {})
    }

    /// As [`Compiled::of`], of an arrow over the locations of a program, which gives what the program does; `look` gets the plan, to
    /// generate code from it.
    pub(crate) fn with_plan(
        arrow: &Arrow,
        program: Program,
        sample: &[usize],
        wanted: Wanted,
        mode: Partiality,
        precision: Precision,
        look: impl FnOnce(&Plan),
    ) -> Result<Compiled, NotCompiled> {
        let line = lower(arrow, sample, component, wanted);
        let line = line.map_err(|_: Refused| NotCompiled::Stops)?;
        let plan = plan(&line, mode);
        look(&plan);
        let mut machine = Machine::new(&plan, mode, precision);
        for (number, contents) in program.initial.iter().enumerate() {
            machine.set_cell(number, contents.data());
        }
        Ok(Compiled {
            before: plan.may_stop().then(Vec::new),
            machine,
            program,
        })
    }

    /// Gives its locations these contents, by number.
    pub(crate) fn load(&mut self, cells: &[(String, Tensor)]) {
        for (number, (_, contents)) in cells.iter().enumerate() {
            self.machine.set_cell(number, contents.data());
            if let Some(known) = self.program.initial.get_mut(number) {
                *known = contents.clone();
            }
        }
    }

    /// True if a step reads or writes the location of this number.
    pub(crate) fn uses(&self, location: usize) -> bool {
        self.machine.cells().contains(&location)
    }

    /// The location of this number gets these contents for the next step.
    pub(crate) fn set_cell(&mut self, location: usize, contents: &[f64]) {
        self.machine.set_cell(location, contents);
    }

    /// The contents of all locations, by number.
    pub(crate) fn heap(&self) -> impl Iterator<Item = (String, Tensor)> {
        let locations = self.program.locations.iter().zip(&self.program.initial);
        locations.enumerate().map(|(number, (location, initial))| {
            let contents = self.machine.cell(number).map(Cow::into_owned);
            let contents = contents.and_then(|data| Tensor::new(location.shape(), data));
            let contents = contents.unwrap_or_else(|| initial.clone());
            (location.name.to_string(), contents)
        })
    }

    /// One step at a sample. If it stops, the locations hold what they held before.
    pub(crate) fn step(&mut self, sample: &[Tensor]) -> Result<(), Stop> {
        for (input, component) in sample.iter().enumerate() {
            self.machine.set_input(input, component.data());
        }
        if let Some(before) = &mut self.before {
            before.clear();
            for number in 0..self.program.locations.len() {
                before.extend_from_slice(&self.machine.cell(number).unwrap_or_default());
            }
        }
        let stepped = self.machine.step();
        if stepped.is_err()
            && let Some(before) = &self.before
        {
            let mut rest = before.as_slice();
            for number in 0..self.program.locations.len() {
                let size = self.machine.cell(number).map_or(0, |cell| cell.len());
                let (contents, after) = rest.split_at(size.min(rest.len()));
                self.machine.set_cell(number, contents);
                rest = after;
            }
        }
        stepped
    }

    /// The sizes of the parts of its value.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        self.program.ty.sizes()
    }

    /// The value of the last step.
    pub(crate) fn value(&self) -> Option<Value> {
        let sizes = self.program.ty.sizes();
        let outputs = (0..sizes.len()).map_while(|output| self.machine.output(output));
        let mut outputs = outputs.map(|data| Tensor::vector(data.into_owned()));
        Value::assemble(&self.program.ty, &mut outputs)
    }
}
