//! Reference interpreter, which defines what a plan means. It visits each loop point by point, and computes one number for each assignment
//! of the body. Sums are taken in the order that the plan says. Generated code gives the same bits (`tests/tests/codegen.rs`). The
//! interpreter is not optimised for speed: it runs what is run once, and plans that have no module.

use crate::loops::{
    Access, Body, Fold, Holds, Item, Loop, Plan, Rounds, Source, Sum, for_each, set,
};
use crate::number::{Number, Precision};
use fletch_calculus::Origin;
use fletch_smooth::{Binary, Operation, Partiality, Primitive};

/// A plan with the numbers of its buffers. Inputs and outputs are in double precision.
#[derive(Clone, Debug)]
pub struct Reference {
    plan: Plan,
    mode: Partiality,
    numbers: Numbers,
}

/// The numbers of all buffers, in either precision.
#[derive(Clone, Debug)]
enum Numbers {
    Single(Vec<Vec<f32>>),
    Double(Vec<Vec<f64>>),
}

/// Dispatches to the numbers of either precision.
macro_rules! either {
    ($numbers:expr, $buffers:ident => $what:expr) => {
        match $numbers {
            Numbers::Single($buffers) => $what,
            Numbers::Double($buffers) => $what,
        }
    };
}

/// Stop of a step, because a primitive is not defined at its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Number of the statement of the arrow that stopped.
    pub part_of: Option<usize>,
}

impl Reference {
    /// Reference of a plan, with zeros in all locations.
    pub fn new(plan: Plan, mode: Partiality, precision: Precision) -> Reference {
        let numbers = match precision {
            Precision::Single => Numbers::Single(beginning(&plan)),
            Precision::Double => Numbers::Double(beginning(&plan)),
        };
        Reference {
            plan,
            mode,
            numbers,
        }
    }

    /// The locations that a step reads or writes, by number.
    pub fn cells(&self) -> Vec<usize> {
        let buffers = self.plan.buffers.iter();
        let cells = buffers.filter_map(|buffer| match buffer.holds {
            Holds::Cell(cell) => Some(cell),
            _ => None,
        });
        cells.collect()
    }

    /// The contents of a location that a step reads or writes.
    pub fn cell(&self, cell: usize) -> Option<Vec<f64>> {
        self.contents(self.buffer(&Holds::Cell(cell))?)
    }

    /// Sets the contents of a location that a step reads or writes. Contents of another size are ignored.
    pub fn set_cell(&mut self, cell: usize, contents: &[f64]) {
        self.set(&Holds::Cell(cell), contents);
    }

    /// Sets the value of an input of the line. A value of another size is ignored.
    pub fn set_input(&mut self, input: usize, value: &[f64]) {
        self.set(&Holds::Input(input), value);
    }

    /// An output of the line, after a step.
    pub fn output(&self, output: usize) -> Option<Vec<f64>> {
        self.contents(*self.plan.outputs.get(output)?)
    }

    /// Runs one step.
    ///
    /// # Errors
    /// The step stops where a primitive is not defined; locations then hold what they held before.
    pub fn step(&mut self) -> Result<(), Stop> {
        let (plan, mode) = (&self.plan, self.mode);
        let stopped = either!(&mut self.numbers, buffers => {
            let before = plan.may_stop().then(|| kept(plan, buffers));
            let mut run = Run { buffers, mode, to_nan: false };
            let stopped = run.items(&plan.items);
            if let (Err(_), Some(before)) = (stopped, before) {
                for (number, contents) in before {
                    run.set(number, contents);
                }
            }
            stopped
        });
        match stopped {
            Err(End::Stop(stop)) => Err(stop),
            Err(End::Nan(_)) | Ok(()) => Ok(()),
        }
    }

    /// Runs one step until an item writes a NaN; returns the origin of that item.
    pub fn step_to_nan(&mut self) -> Option<Origin> {
        let (plan, mode) = (&self.plan, self.mode);
        let ended = either!(&mut self.numbers, buffers => {
            Run { buffers, mode, to_nan: true }.items(&plan.items)
        });
        match ended {
            Err(End::Nan(statement)) => plan.origins.get(statement?).copied(),
            Err(End::Stop(_)) | Ok(()) => None,
        }
    }

    fn buffer(&self, holds: &Holds) -> Option<usize> {
        let mut buffers = self.plan.buffers.iter();
        buffers.position(|buffer| buffer.holds == *holds)
    }

    fn contents(&self, buffer: usize) -> Option<Vec<f64>> {
        either!(&self.numbers, buffers => {
            let numbers = buffers.get(buffer)?.iter();
            Some(numbers.map(|number| number.double()).collect())
        })
    }

    fn set(&mut self, holds: &Holds, contents: &[f64]) {
        let Some(buffer) = self.buffer(holds) else {
            return;
        };
        either!(&mut self.numbers, buffers => {
            if let Some(numbers) = buffers.get_mut(buffer)
                && numbers.len() == contents.len()
            {
                *numbers = of(contents);
            }
        });
    }
}

/// Converts numbers to this precision.
fn of<N: Number>(numbers: &[f64]) -> Vec<N> {
    numbers.iter().map(|number| N::of(*number)).collect()
}

/// The buffers before the first step. A buffer that a step must write before it reads it holds NaN.
fn beginning<N: Number>(plan: &Plan) -> Vec<Vec<N>> {
    let buffers = plan.buffers.iter();
    let buffers = buffers.map(|buffer| match &buffer.holds {
        Holds::Constant(constant) => of(&constant.0),
        Holds::Input(_) | Holds::Cell(_) => vec![N::of(0.0); buffer.size],
        Holds::Local => vec![N::of(f64::NAN); buffer.size],
    });
    buffers.collect()
}

/// The contents of all locations, each with the number of its buffer.
fn kept<N: Number>(plan: &Plan, buffers: &[Vec<N>]) -> Vec<(usize, Vec<N>)> {
    let all = plan.buffers.iter().zip(buffers).enumerate();
    let cells = all.filter(|(_, (buffer, _))| matches!(buffer.holds, Holds::Cell(_)));
    cells
        .map(|(number, (_, contents))| (number, contents.clone()))
        .collect()
}

/// Reason why a run ends before its last item.
#[derive(Clone, Copy)]
enum End {
    Stop(Stop),
    /// An item of this statement has written a NaN.
    Nan(Option<usize>),
}

/// Execution of items.
struct Run<'b, N> {
    buffers: &'b mut [Vec<N>],
    mode: Partiality,
    /// True if the execution ends at the first NaN.
    to_nan: bool,
}

impl<N: Number> Run<'_, N> {
    fn items(&mut self, items: &[Item]) -> Result<(), End> {
        items.iter().try_for_each(|item| self.item(item))
    }

    fn item(&mut self, item: &Item) -> Result<(), End> {
        match item {
            Item::Fill(buffer) => self.set(*buffer, vec![N::of(0.0); self.buffer(*buffer).len()]),
            Item::Put { cell, from } => self.set(*cell, self.buffer(*from).to_vec()),
            Item::Loop(each) => self.points(each, |_, value| value),
            Item::Scatter(each) => self.points(each, |sum, value| sum + value),
            Item::Check {
                primitive,
                arguments,
                part_of,
                ..
            } => self.check(primitive, arguments, *part_of)?,
            Item::Repeat(rounds) => return self.rounds(rounds),
        }
        let is_nan = |buffer: usize| {
            let mut numbers = self.buffer(buffer).iter();
            numbers.any(|number| number.double().is_nan())
        };
        match self.to_nan && item.writes().into_iter().any(is_nan) {
            true => Err(End::Nan(item.statement())),
            false => Ok(()),
        }
    }

    /// Executes a loop: at each point its sum, then its body, then its writes, each of which computes the new number at its entry from the
    /// old one and from the value.
    fn points(&mut self, each: &Loop, write: fn(N, N) -> N) {
        let mut values = Vec::new();
        for_each(&each.space, &[], |point| {
            let sum = each.sum.as_ref();
            let sum = sum.map(|sum| self.sum(sum, point, &mut values));
            self.assign(&each.body, sum, point, &mut values);
            for (access, assignment) in &each.writes {
                let buffer = self.buffers.get_mut(access.buffer);
                let number = buffer.and_then(|buffer| buffer.get_mut(access.place(point)));
                if let Some(number) = number {
                    *number = write(*number, value(&values, *assignment));
                }
            }
        });
    }

    /// Reduction of a loop at a point.
    fn sum(&self, sum: &Sum, point: &[usize], values: &mut Vec<N>) -> N {
        let last = sum.body.operations.len().saturating_sub(1);
        let mut terms = |term: &mut dyn FnMut(&[usize], &[N])| {
            for_each(&sum.extents, point, |indices| {
                self.assign(&sum.body, None, indices, values);
                term(indices, values);
            });
        };
        match sum.fold {
            Fold::InTurn(start) => {
                let (addends, mut total) = (sum.addends(), N::of(start));
                terms(&mut |_, values| {
                    for addend in &addends {
                        total = total + value(values, *addend);
                    }
                });
                total
            }
            Fold::Lanes(start) => {
                let mut lanes = vec![N::of(start); N::LANES];
                terms(&mut |indices, values| {
                    let lane = indices.last().map_or(0, |innermost| innermost % N::LANES);
                    if let Some(lane) = lanes.get_mut(lane) {
                        *lane = *lane + value(values, last);
                    }
                });
                together(&lanes)
            }
            Fold::Maximum => {
                let mut largest = N::of(f64::NEG_INFINITY);
                terms(&mut |_, values| {
                    largest = N::both(Binary::Max, largest, value(values, last));
                });
                largest
            }
            Fold::AtMaximum => {
                let (mut found, mut largest) = (None, N::of(f64::NEG_INFINITY));
                terms(&mut |indices, values| {
                    let key = sum.body.entries().next();
                    let key = key.and_then(|key| self.read(key, indices));
                    let key = key.unwrap_or(N::of(f64::NAN));
                    if found.is_none() || largest < key {
                        found = Some(value(values, last));
                    }
                    if largest < key {
                        largest = key;
                    }
                });
                found.unwrap_or(N::of(0.0))
            }
        }
    }

    fn check(
        &self,
        primitive: &Primitive,
        arguments: &[usize],
        part_of: Option<usize>,
    ) -> Result<(), End> {
        let double = |buffer: &usize| {
            let numbers = self.buffer(*buffer).iter();
            numbers.map(|number| number.double()).collect()
        };
        let arguments: Vec<Vec<f64>> = arguments.iter().map(double).collect();
        let slices: Vec<&[f64]> = arguments.iter().map(Vec::as_slice).collect();
        let checked = primitive.check(&slices, self.mode);
        checked.map_err(|_| End::Stop(Stop { part_of }))
    }

    /// Executes a loop over moments. A sequence is the concatenation of the entries of all moments.
    fn rounds(&mut self, rounds: &Rounds) -> Result<(), End> {
        for (from, to) in &rounds.first {
            self.copy((*from, 0), (*to, 0), self.buffer(*to).len());
        }
        for t in rounds.moments.numbers() {
            for (from, to) in &rounds.entries {
                let size = self.buffer(*to).len();
                self.copy((*from, t * size), (*to, 0), size);
            }
            self.items(&rounds.items)?;
            for (from, to) in &rounds.results {
                let size = self.buffer(*from).len();
                self.copy((*from, 0), (*to, t * size), size);
            }
        }
        for (from, to) in &rounds.last {
            self.copy((*from, 0), (*to, 0), self.buffer(*from).len());
        }
        Ok(())
    }

    /// Copies `size` numbers from a position in one buffer to a position in another.
    fn copy(&mut self, (from, start): (usize, usize), (to, place): (usize, usize), size: usize) {
        let numbers = self.buffer(from).get(start..start + size);
        let numbers = numbers.unwrap_or(&[]).to_vec();
        let slots = self.buffers.get_mut(to).into_iter().flatten();
        for (slot, number) in slots.skip(place).zip(numbers) {
            *slot = number;
        }
    }

    fn buffer(&self, number: usize) -> &[N] {
        self.buffers.get(number).map_or(&[], Vec::as_slice)
    }

    fn set(&mut self, number: usize, contents: Vec<N>) {
        set(self.buffers, number, contents);
    }

    fn read(&self, access: &Access, indices: &[usize]) -> Option<N> {
        let buffer = self.buffers.get(access.buffer)?;
        buffer.get(access.place(indices)).copied()
    }

    /// Computes the operations of a body at these indices into `values`.
    fn assign(&self, body: &Body, sum: Option<N>, indices: &[usize], values: &mut Vec<N>) {
        let read = |operand: usize| match body.sources.get(operand)? {
            Source::Sum => sum,
            Source::Entry(access) => self.read(access, indices),
        };
        values.clear();
        for operation in &body.operations {
            let at = |assignment: usize| value(values, assignment);
            let next = match *operation {
                Operation::Read(operand) => read(operand).unwrap_or(N::of(f64::NAN)),
                Operation::Index(level) => {
                    N::of(indices.get(level).map_or(f64::NAN, |i| *i as f64))
                }
                Operation::Constant(constant) => N::of(constant),
                Operation::Map(function, x) => N::at(function, at(x)),
                Operation::Binary(operation, a, b) => N::both(operation, at(a), at(b)),
                Operation::Choose(is, [a, b, then, otherwise]) => {
                    match N::holds(is, at(a), at(b)) {
                        true => at(then),
                        false => at(otherwise),
                    }
                }
            };
            values.push(next);
        }
    }
}

/// The value of an assignment; NaN if there is none.
fn value<N: Number>(values: &[N], assignment: usize) -> N {
    values.get(assignment).copied().unwrap_or(N::of(f64::NAN))
}

/// The sum of the lanes of a vector, neighbours first.
fn together<N: Number>(lanes: &[N]) -> N {
    if lanes.len() < 2 {
        return value(lanes, 0);
    }
    let (left, right) = lanes.split_at(lanes.len() / 2);
    together(left) + together(right)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)] // A failed test is a panic.
mod tests;
