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

use crate::line::Moments;
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
    step: Sequence,
    mode: Partiality,
    scratch: Scratch<N>,
}

/// Items that run one after the other.
#[derive(Clone, Debug)]
struct Sequence {
    /// Code of each item.
    code: Vec<Code>,
    /// Execution order.
    parts: Vec<Part>,
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
    Copy(Copied),
    Repeat(Box<Repeated>),
}

/// Copy of so many numbers from one address to another.
#[derive(Clone, Copy, Debug)]
struct Copied {
    from: usize,
    to: usize,
    size: usize,
}

/// A loop over moments. A copy from or to a sequence is that of moment 0.
#[derive(Clone, Debug)]
struct Repeated {
    moments: Moments,
    before: Vec<Copied>,
    entries: Vec<Copied>,
    step: Sequence,
    results: Vec<Copied>,
    after: Vec<Copied>,
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
        let code: Vec<Code> = items
            .map(|item| code(item, &layout.places, &mut pool))
            .collect();
        // Padding: a vector load may read past the entries that it needs.
        let registers = (layout.size + pool.constants.len()).next_multiple_of(16) + 16;
        let step = Sequence::of::<N>(code, registers);
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
            step,
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
        let memory = self.memory.numbers_mut();
        self.step.run(memory, &mut self.scratch, self.mode)
    }

    /// Runs one step; the statement of the first item that writes a NaN, if that has one.
    pub(crate) fn step_to_nan(&mut self, plan: &Plan) -> Option<Option<usize>> {
        let memory = self.memory.numbers_mut();
        let places = &self.places;
        let seen = |item: &Item, memory: &[N]| {
            let is_nan = |buffer: usize| {
                let (start, size) = places.get(buffer).copied().unwrap_or((0, 0));
                let entries = memory.get(start..start + size).unwrap_or(&[]);
                entries.iter().any(|entry| entry.double().is_nan())
            };
            item.writes().into_iter().any(is_nan)
        };
        let step = &mut self.step;
        step.run_to(&plan.items, &seen, memory, &mut self.scratch, self.mode)
    }
}

/// Tells if an item has written what is looked for.
type Seen<'s, N> = &'s dyn Fn(&Item, &[N]) -> bool;

impl Sequence {
    fn of<N: Number>(mut code: Vec<Code>, registers: usize) -> Sequence {
        let mut parts = Vec::new();
        for (number, code) in code.iter_mut().enumerate() {
            if let Code::Repeat(repeated) = code {
                let inner = std::mem::take(&mut repeated.step.code);
                repeated.step = Sequence::of::<N>(inner, registers);
            }
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
        Sequence { code, parts }
    }

    fn run<N: Number>(
        &mut self,
        memory: &mut [N],
        scratch: &mut Scratch<N>,
        mode: Partiality,
    ) -> Result<(), Stop> {
        for part in &self.parts {
            match part {
                Part::Straight(straight) => straight.run(memory),
                Part::Item(number) => {
                    if let Some(code) = self.code.get_mut(*number) {
                        code.run(memory, scratch, mode)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Runs item by item, those of a loop too; the statement of the first one that has written what is looked for, or nothing where a
    /// step stops or ends.
    fn run_to<N: Number>(
        &mut self,
        items: &[Item],
        seen: Seen<'_, N>,
        memory: &mut [N],
        scratch: &mut Scratch<N>,
        mode: Partiality,
    ) -> Option<Option<usize>> {
        for (code, item) in self.code.iter_mut().zip(items) {
            if let (Code::Repeat(repeated), Item::Repeat(rounds)) = (&mut *code, item) {
                copy(&repeated.before, memory);
                for t in repeated.moments.numbers() {
                    repeated.entry(t, memory);
                    let step = &mut repeated.step;
                    let found = step.run_to(&rounds.items, seen, memory, scratch, mode);
                    if found.is_some() {
                        return found;
                    }
                    repeated.result(t, memory);
                }
                copy(&repeated.after, memory);
                continue;
            }
            code.run(memory, scratch, mode).ok()?;
            if seen(item, memory) {
                return Some(item.statement());
            }
        }
        None
    }
}

/// Makes copies, one after the other.
fn copy<N: Number>(copies: &[Copied], memory: &mut [N]) {
    for Copied { from, to, size } in copies {
        if *from + *size <= memory.len() && *to + *size <= memory.len() {
            memory.copy_within(*from..*from + *size, *to);
        }
    }
}

impl Repeated {
    /// Copies the entries of moment t to where the moment reads them.
    fn entry<N: Number>(&self, t: usize, memory: &mut [N]) {
        for one in &self.entries {
            let from = one.from + t * one.size;
            copy(&[Copied { from, ..*one }], memory);
        }
    }

    /// Copies what moment t gives to its place in the sequences.
    fn result<N: Number>(&self, t: usize, memory: &mut [N]) {
        for one in &self.results {
            let to = one.to + t * one.size;
            copy(&[Copied { to, ..*one }], memory);
        }
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
            Code::Copy(one) => copy(&[*one], memory),
            Code::Repeat(repeated) => {
                copy(&repeated.before, memory);
                for t in repeated.moments.numbers() {
                    repeated.entry(t, memory);
                    repeated.step.run(memory, scratch, mode)?;
                    repeated.result(t, memory);
                }
                copy(&repeated.after, memory);
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
    let copied = |from: usize, to: usize, like: usize| Copied {
        from: place(from).0,
        to: place(to).0,
        size: place(like).1,
    };
    match item {
        Item::Fill(buffer) => {
            let (start, size) = place(*buffer);
            Code::Fill(start, size)
        }
        Item::Put { cell, from } => Code::Copy(copied(*from, *cell, *cell)),
        Item::Repeat(rounds) => {
            let items = rounds.items.iter();
            let code: Vec<Code> = items.map(|item| code(item, places, pool)).collect();
            let each = |copies: &[(usize, usize)], of_moment: fn((usize, usize)) -> usize| {
                let copies = copies.iter();
                copies
                    .map(|(from, to)| copied(*from, *to, of_moment((*from, *to))))
                    .collect()
            };
            Code::Repeat(Box::new(Repeated {
                before: each(&rounds.first, |(_, to)| to),
                entries: each(&rounds.entries, |(_, to)| to),
                step: Sequence {
                    code,
                    parts: Vec::new(),
                },
                results: each(&rounds.results, |(from, _)| from),
                after: each(&rounds.last, |(from, _)| from),
                moments: rounds.moments,
            }))
        }
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
