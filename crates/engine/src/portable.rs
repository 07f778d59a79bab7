//! A plan run by an interpreter: each loop block by block along its innermost extent, each assignment of its body on a whole block. Sums
//! are taken in the order that the plan says. A step allocates nothing.

use crate::entries::{binary, map};
use crate::loops::{Access, Holds, Item, Loop, Plan, Scatter, Source, next};
use crate::number::Number;
use crate::rows::{BLOCK, Scratch, gather, row};
use crate::scatter::scattered;
use fletch_smooth::{Operation, Partiality, Primitive, Step};

/// A plan with its memory, in numbers of one precision.
#[derive(Clone, Debug)]
pub(crate) struct Portable<N> {
    memory: Vec<N>,
    /// Where each buffer starts, and its size.
    places: Vec<(usize, usize)>,
    /// The buffers of the inputs, and of the locations by number.
    inputs: Vec<(usize, usize)>,
    cells: Vec<(usize, usize)>,
    outputs: Vec<usize>,
    code: Vec<Code>,
    mode: Partiality,
    scratch: Scratch<N>,
}

/// One item, with its buffers in their places.
#[derive(Clone, Debug)]
enum Code {
    Fill(usize, usize),
    Loop(Box<Loop>),
    Scatter(Box<Scatter>),
    Check(Primitive, Vec<(usize, usize)>, Option<usize>),
    Copy { from: usize, to: usize, size: usize },
}

/// Where a step stopped: a primitive is not defined at its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The statement of the arrow.
    pub part_of: Option<usize>,
}

impl<N: Number> Portable<N> {
    /// A machine for a plan; locations hold zeros.
    pub(crate) fn new(plan: &Plan, mode: Partiality) -> Portable<N> {
        let layout = plan.layout();
        let mut machine = Portable {
            memory: vec![N::of(0.0); layout.size],
            inputs: Vec::new(),
            cells: Vec::new(),
            outputs: plan.outputs.clone(),
            code: (plan.items.iter())
                .map(|item| code(item, &layout.places))
                .collect(),
            places: layout.places,
            mode,
            scratch: Scratch::default(),
        };
        for (number, buffer) in plan.buffers.iter().enumerate() {
            match &buffer.holds {
                Holds::Input(input) => machine.inputs.push((*input, number)),
                Holds::Cell(cell) => machine.cells.push((*cell, number)),
                Holds::Constant(constant) => {
                    machine.set(Some(number), &constant.0);
                }
                Holds::Local => {}
            }
        }
        let longest = machine.code.iter().map(Code::registers).max().unwrap_or(0);
        machine.scratch.registers = vec![N::of(0.0); longest.max(1) * BLOCK];
        machine
    }

    fn buffer(&self, number: usize) -> Option<&[N]> {
        let (start, size) = *self.places.get(number)?;
        self.memory.get(start..start + size)
    }

    /// Gives a buffer contents of its size.
    fn set(&mut self, buffer: Option<usize>, contents: &[f64]) {
        let place = buffer.and_then(|number| self.places.get(number));
        if let Some((start, size)) = place.copied()
            && size == contents.len()
            && let Some(slots) = self.memory.get_mut(start..start + size)
        {
            for (slot, number) in slots.iter_mut().zip(contents) {
                *slot = N::of(*number);
            }
        }
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = usize> {
        self.cells.iter().map(|(cell, _)| *cell)
    }

    pub(crate) fn cell(&self, cell: usize) -> Option<&[N]> {
        self.buffer(found(&self.cells, cell)?)
    }

    pub(crate) fn set_cell(&mut self, cell: usize, contents: &[f64]) {
        self.set(found(&self.cells, cell), contents);
    }

    pub(crate) fn set_input(&mut self, input: usize, value: &[f64]) {
        self.set(found(&self.inputs, input), value);
    }

    pub(crate) fn output(&self, output: usize) -> Option<&[N]> {
        self.buffer(*self.outputs.get(output)?)
    }

    pub(crate) fn step(&mut self) -> Result<(), Stop> {
        let (memory, scratch) = (self.memory.as_mut_slice(), &mut self.scratch);
        let mut code = self.code.iter();
        code.try_for_each(|code| code.run(memory, scratch, self.mode))
    }

    pub(crate) fn step_to_nan(&mut self, plan: &Plan) -> Option<usize> {
        for (number, (code, item)) in self.code.iter().zip(&plan.items).enumerate() {
            let (memory, scratch) = (self.memory.as_mut_slice(), &mut self.scratch);
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

/// The buffer of a location or an input.
fn found(buffers: &[(usize, usize)], wanted: usize) -> Option<usize> {
    let mut buffers = buffers.iter();
    let found = buffers.find(|(number, _)| *number == wanted);
    found.map(|(_, buffer)| *buffer)
}

impl Code {
    fn run<N: Number>(
        &self,
        memory: &mut [N],
        scratch: &mut Scratch<N>,
        mode: Partiality,
    ) -> Result<(), Stop> {
        match self {
            Code::Fill(start, size) => {
                if let Some(buffer) = memory.get_mut(*start..start + size) {
                    buffer.fill(N::of(0.0));
                }
            }
            Code::Copy { from, to, size } => {
                if from + size <= memory.len() && to + size <= memory.len() {
                    memory.copy_within(*from..from + size, *to);
                }
            }
            Code::Loop(each) => run(each, memory, scratch),
            Code::Scatter(scatter) => scattered(scatter, memory, scratch),
            Code::Check(primitive, arguments, part_of) => {
                // No primitive takes more.
                let mut slices: [&[f64]; 4] = [&[]; 4];
                let [a, b, c, d] = &mut scratch.checked;
                for ((slot, values), (start, size)) in
                    slices.iter_mut().zip([a, b, c, d]).zip(arguments)
                {
                    let numbers = memory.get(*start..start + size).unwrap_or(&[]);
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

    fn registers(&self) -> usize {
        match self {
            Code::Loop(each) => {
                let summed = each.sum.as_ref().map_or(0, |sum| sum.body.len());
                each.body.len().max(summed) + 1
            }
            Code::Scatter(_) => 2,
            _ => 0,
        }
    }
}

fn code(item: &Item, places: &[(usize, usize)]) -> Code {
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
            Code::Loop(Box::new(each))
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

fn run<N: Number>(each: &Loop, memory: &mut [N], scratch: &mut Scratch<N>) {
    let innermost = each.space.len().saturating_sub(1);
    let extent = each.space.last().copied().unwrap_or(1);
    let outer = each.space.get(..innermost).unwrap_or(&[]);
    if each.space.contains(&0) {
        return;
    }
    let mut indices = std::mem::take(&mut scratch.indices);
    indices.clear();
    indices.resize(innermost, 0);
    loop {
        let mut from = 0;
        while from < extent {
            let length = BLOCK.min(extent - from);
            block(each, memory, scratch, &indices, from, length);
            from += length;
        }
        if !next(&mut indices, outer) {
            break;
        }
    }
    scratch.indices = indices;
}

/// Computes one block of a row, and writes it.
fn block<N: Number>(
    each: &Loop,
    memory: &mut [N],
    scratch: &mut Scratch<N>,
    indices: &[usize],
    from: usize,
    length: usize,
) {
    let innermost = indices.len();
    let mut registers = std::mem::take(&mut scratch.registers);
    let (sums, rest) = registers.split_at_mut(BLOCK);
    if let (Some(sum), Some(sums)) = (&each.sum, sums.get_mut(..length)) {
        crate::sums::block(sum, memory, indices, from, sums, rest, &mut scratch.numbers);
    }
    for (number, operation) in each.body.iter().enumerate() {
        let (before, after) = rest.split_at_mut((number * BLOCK).min(rest.len()));
        let Some(out) = after.get_mut(..length) else {
            break;
        };
        let at = |register: usize| {
            let start = register * BLOCK;
            before.get(start..start + length).unwrap_or(&[])
        };
        match *operation {
            Operation::Read(position) => match each.sources.get(position) {
                Some(Source::Sum) => out.copy_from_slice(sums.get(..length).unwrap_or(&[])),
                Some(Source::Entry(access)) => {
                    let (start, step) = row(access, indices, innermost);
                    gather(memory, start, step, from, out);
                }
                None => out.fill(N::NAN),
            },
            Operation::Index(level) if level == innermost => {
                for (index, out) in (from..).zip(out.iter_mut()) {
                    *out = N::of(index as f64);
                }
            }
            Operation::Index(level) => {
                out.fill(N::of(indices.get(level).map_or(0.0, |index| *index as f64)));
            }
            Operation::Constant(constant) => out.fill(N::of(constant)),
            Operation::Map(function, x) => map(function, at(x), out),
            Operation::Binary(operation, a, b) => binary(operation, at(a), at(b), out),
            Operation::Choose(is, [a, b, then, otherwise]) => {
                let operands = at(a).iter().zip(at(b)).zip(at(then)).zip(at(otherwise));
                for (out, (((a, b), then), otherwise)) in out.iter_mut().zip(operands) {
                    *out = if is.holds(a.double(), b.double()) {
                        *then
                    } else {
                        *otherwise
                    };
                }
            }
        }
    }
    for (access, register) in &each.writes {
        let start = register * BLOCK;
        let values = rest.get(start..start + length).unwrap_or(&[]);
        let (place, step) = row(access, indices, innermost);
        let place = place + step.stride * from;
        if step.stride == 1 {
            if let Some(slots) = memory.get_mut(place..place + length) {
                slots.copy_from_slice(values);
            }
        } else {
            let slots = memory.get_mut(place..).unwrap_or(&mut []);
            for (slot, value) in slots.iter_mut().step_by(step.stride.max(1)).zip(values) {
                *slot = *value;
            }
        }
    }
    scratch.registers = registers;
}
