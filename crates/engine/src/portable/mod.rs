//! A plan run by an interpreter: each loop block by block, each assignment of its body on all points of a block, in vectors; short loops in
//! one go. Sums are taken in the order that the plan says. A step allocates nothing.

mod axes;
mod build;
mod builder;
mod compute;
mod dots;
mod folds;
mod forms;
mod groups;
mod instructions;
mod kernel;
mod memory;
mod merge;
mod operations;
mod pool;
mod products;
mod scatter;
mod shapes;
mod straight;
mod sums;
mod updates;
mod ways;

use crate::loops::{Access, Holds, Item, Loop, Plan, Scatter, Source};
use crate::number::Number;
use fletch_smooth::{Operation, Partiality, Primitive, Step};
use kernel::Kernel;
use memory::Memory;
use pool::Pool;
use scatter::scattered;
use straight::Straight;

/// A plan with its memory, in numbers of one precision.
#[derive(Clone, Debug)]
pub(crate) struct Portable<N> {
    memory: Memory<N>,
    /// Start and size of each buffer.
    places: Vec<(usize, usize)>,
    /// Start and size of each input; size 0 for one that is not read.
    inputs: Vec<(usize, usize)>,
    /// The buffers of the locations by number.
    cells: Vec<(usize, usize)>,
    outputs: Vec<usize>,
    /// Code of each item.
    code: Vec<Code>,
    /// Execution order of a step.
    parts: Vec<Part>,
    mode: Partiality,
    scratch: Scratch<N>,
}

/// A part of a step.
#[derive(Clone, Debug)]
enum Part {
    /// One item, by its number.
    Item(usize),
    /// Several items in one go.
    Straight(Straight),
}

/// One item, its buffers replaced by addresses.
#[derive(Clone, Debug)]
enum Code {
    Fill(usize, usize),
    Loop(Box<Kernel>),
    Scatter(Box<Scatter>),
    Check(Primitive, Vec<(usize, usize)>, Option<usize>),
    Copy { from: usize, to: usize, size: usize },
}

/// Buffers for intermediate values, allocated once.
#[derive(Clone, Debug, Default)]
struct Scratch<N> {
    kernels: kernel::Scratch,
    /// Values of a scatter's assignments.
    numbers: Vec<N>,
    indices: Vec<usize>,
    /// Arguments of a partial primitive.
    checked: [Vec<f64>; 4],
}

/// Stop of a step: a primitive is not defined at its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The statement of the arrow.
    pub part_of: Option<usize>,
}

impl<N: Number> Portable<N> {
    /// A machine for a plan; locations hold zeros.
    pub(crate) fn new(plan: &Plan, mode: Partiality) -> Portable<N> {
        let layout = plan.layout();
        let mut pool = Pool {
            first: layout.size,
            constants: Vec::new(),
            rows: Vec::new(),
            registers: 0,
        };
        let items = plan.items.iter();
        let mut code: Vec<Code> = items
            .map(|item| code(item, &layout.places, &mut pool))
            .collect();
        // Padding: a vector load may read past the entries that it needs.
        let registers = (layout.size + pool.constants.len()).next_multiple_of(16) + 16;
        let mut parts = Vec::new();
        for (number, code) in code.iter_mut().enumerate() {
            if let Code::Loop(kernel) = code {
                kernel.begin(registers);
                let mut straight = match parts.pop() {
                    Some(Part::Straight(straight)) => straight,
                    other => {
                        parts.extend(other);
                        Straight::default()
                    }
                };
                let taken = straight.takes::<N>(kernel, registers);
                if !straight.is_empty() {
                    parts.push(Part::Straight(straight));
                }
                if taken {
                    continue;
                }
            }
            parts.push(Part::Item(number));
        }
        let mut memory = Memory::<N>::new(registers + pool.registers + 32);
        let constants = memory.numbers_mut().iter_mut().skip(layout.size);
        for (slot, constant) in constants.zip(&pool.constants) {
            *slot = N::of(*constant);
        }
        let mut machine = Portable {
            memory,
            inputs: Vec::new(),
            cells: Vec::new(),
            outputs: plan.outputs.clone(),
            code,
            parts,
            places: layout.places,
            mode,
            scratch: Scratch {
                kernels: kernel::Scratch {
                    registers,
                    ..kernel::Scratch::default()
                },
                ..Scratch::default()
            },
        };
        for (number, buffer) in plan.buffers.iter().enumerate() {
            match &buffer.holds {
                Holds::Input(input) => {
                    let count = machine.inputs.len().max(input + 1);
                    machine.inputs.resize(count, (0, 0));
                    let place = machine.places.get(number).copied();
                    if let (Some(slot), Some(place)) = (machine.inputs.get_mut(*input), place) {
                        *slot = place;
                    }
                }
                Holds::Cell(cell) => machine.cells.push((*cell, number)),
                Holds::Constant(constant) => {
                    machine.set_buffer(Some(number), &constant.0);
                }
                Holds::Local => {}
            }
        }
        machine
    }

    fn buffer(&self, number: usize) -> Option<&[N]> {
        let (start, size) = *self.places.get(number)?;
        self.memory.numbers().get(start..start + size)
    }

    /// Gives a place contents of its size.
    #[inline]
    fn set(&mut self, place: Option<(usize, usize)>, contents: &[f64]) {
        if let Some((start, size)) = place
            && size == contents.len()
            && let Some(slots) = self.memory.numbers_mut().get_mut(start..start + size)
        {
            for (slot, number) in slots.iter_mut().zip(contents) {
                *slot = N::of(*number);
            }
        }
    }

    /// Gives a buffer contents of its size.
    fn set_buffer(&mut self, buffer: Option<usize>, contents: &[f64]) {
        let place = buffer.and_then(|number| self.places.get(number));
        self.set(place.copied(), contents);
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = usize> {
        self.cells.iter().map(|(cell, _)| *cell)
    }

    pub(crate) fn cell(&self, cell: usize) -> Option<&[N]> {
        self.buffer(found(&self.cells, cell)?)
    }

    pub(crate) fn set_cell(&mut self, cell: usize, contents: &[f64]) {
        self.set_buffer(found(&self.cells, cell), contents);
    }

    #[inline]
    pub(crate) fn set_input(&mut self, input: usize, value: &[f64]) {
        self.set(self.inputs.get(input).copied(), value);
    }

    pub(crate) fn output(&self, output: usize) -> Option<&[N]> {
        self.buffer(*self.outputs.get(output)?)
    }

    pub(crate) fn step(&mut self) -> Result<(), Stop> {
        let (memory, scratch) = (self.memory.numbers_mut(), &mut self.scratch);
        for part in &self.parts {
            match part {
                Part::Straight(straight) => straight.run(memory),
                Part::Item(number) => {
                    if let Some(code) = self.code.get_mut(*number) {
                        code.run(memory, scratch, self.mode)?;
                    }
                }
            }
        }
        Ok(())
    }

    pub(crate) fn step_to_nan(&mut self, plan: &Plan) -> Option<usize> {
        for (number, (code, item)) in self.code.iter_mut().zip(&plan.items).enumerate() {
            let (memory, scratch) = (self.memory.numbers_mut(), &mut self.scratch);
            code.run(memory, scratch, self.mode).ok()?;
            let is_nan = |buffer: usize| {
                let (start, size) = self.places.get(buffer).copied().unwrap_or((0, 0));
                let entries = memory.get(start..start + size).unwrap_or(&[]);
                entries.iter().any(|entry| entry.double().is_nan())
            };
            if item.writes().into_iter().any(is_nan) {
                return Some(number);
            }
        }
        None
    }
}

/// The buffer of a location.
fn found(buffers: &[(usize, usize)], wanted: usize) -> Option<usize> {
    let mut buffers = buffers.iter();
    let found = buffers.find(|(number, _)| *number == wanted);
    found.map(|(_, buffer)| *buffer)
}

impl Code {
    #[inline(never)]
    fn run<N: Number>(
        &mut self,
        memory: &mut [N],
        scratch: &mut Scratch<N>,
        mode: Partiality,
    ) -> Result<(), Stop> {
        match self {
            Code::Fill(start, size) => {
                if let Some(buffer) = memory.get_mut(*start..*start + *size) {
                    buffer.fill(N::of(0.0));
                }
            }
            Code::Copy { from, to, size } => {
                if *from + *size <= memory.len() && *to + *size <= memory.len() {
                    memory.copy_within(*from..*from + *size, *to);
                }
            }
            Code::Loop(kernel) => kernel.run(memory, &mut scratch.kernels),
            Code::Scatter(scatter) => scattered(scatter, memory, scratch),
            Code::Check(primitive, arguments, part_of) => {
                // No primitive takes more.
                let mut slices: [&[f64]; 4] = [&[]; 4];
                let [a, b, c, d] = &mut scratch.checked;
                for ((slot, values), (start, size)) in
                    slices.iter_mut().zip([a, b, c, d]).zip(&*arguments)
                {
                    let numbers = memory.get(*start..*start + *size).unwrap_or(&[]);
                    values.clear();
                    values.extend(numbers.iter().map(|number| number.double()));
                    *slot = values;
                }
                let slices = slices.get(..arguments.len()).unwrap_or(&[]);
                if primitive.check(slices, mode).is_err() {
                    return Err(Stop { part_of: *part_of });
                }
            }
        }
        Ok(())
    }
}

fn code(item: &Item, places: &[(usize, usize)], pool: &mut Pool) -> Code {
    let place = |buffer: usize| places.get(buffer).copied().unwrap_or((0, 0));
    let moved = |access: &Access| Access {
        offset: access.offset + place(access.buffer).0,
        ..access.clone()
    };
    match item {
        Item::Fill(buffer) => {
            let (start, size) = place(*buffer);
            Code::Fill(start, size)
        }
        Item::Put { cell, from } => Code::Copy {
            from: place(*from).0,
            to: place(*cell).0,
            size: place(*cell).1,
        },
        Item::Check {
            primitive,
            arguments,
            part_of,
            ..
        } => {
            let arguments = arguments.iter().map(|buffer| place(*buffer));
            Code::Check(primitive.clone(), arguments.collect(), *part_of)
        }
        Item::Scatter(scatter) => {
            let mut scatter = scatter.clone();
            scatter.reads = scatter.reads.iter().map(moved).collect();
            scatter.write = moved(&scatter.write);
            Code::Scatter(Box::new(scatter))
        }
        Item::Loop(each) => {
            let mut each = each.clone();
            if each.space.is_empty() {
                each.add_axis();
            }
            if let Some(sum) = &mut each.sum {
                sum.reads = sum.reads.iter().map(moved).collect();
            }
            for source in &mut each.sources {
                if let Source::Entry(access) = source {
                    *access = moved(access);
                }
            }
            for (access, _) in &mut each.writes {
                *access = moved(access);
            }
            let size = |buffer: usize| place(buffer).1;
            Code::Loop(Box::new(build::kernel(&merge::merged(each), &size, pool)))
        }
    }
}

impl Loop {
    /// Puts one more loop around all, of one point, in which nothing moves.
    pub fn add_axis(&mut self) {
        self.space.insert(0, 1);
        let still = Step {
            stride: 0,
            scale: (1, 1),
        };
        for access in self.accesses() {
            access.steps.insert(0, still);
        }
        if let Some(sum) = &mut self.sum {
            for operation in &mut sum.body {
                if let Operation::Index(level) = operation {
                    *level += 1;
                }
            }
        }
    }
}
