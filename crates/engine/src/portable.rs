//! A plan run by an interpreter: each loop block by block along its innermost extent, each assignment of its body on a whole block. Sums
//! are taken in the order that the plan says. A step allocates nothing.

use crate::entries::{binary, map};
use crate::loops::{Access, Holds, Item, Loop, Plan, Scatter, Source, next};
use crate::rows::{BLOCK, Scratch, gather, row};
use crate::scatter::scattered;
use fletch_smooth::{Operation, Partiality, Primitive, Step};

/// A plan with its memory.
#[derive(Clone, Debug)]
pub struct Machine {
    memory: Vec<f64>,
    /// Where each buffer starts, and its size.
    places: Vec<(usize, usize)>,
    /// The buffers of the inputs, and of the locations by number.
    inputs: Vec<(usize, usize)>,
    cells: Vec<(usize, usize)>,
    outputs: Vec<usize>,
    code: Vec<Code>,
    mode: Partiality,
    scratch: Scratch,
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

impl Machine {
    /// A machine for a plan; locations hold zeros.
    pub fn new(plan: &Plan, mode: Partiality) -> Machine {
        let layout = plan.layout();
        let mut machine = Machine {
            memory: vec![0.0; layout.size],
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
                    if let Some(slot) = machine.buffer(number) {
                        slot.copy_from_slice(&constant.0);
                    }
                }
                Holds::Local => {}
            }
        }
        let longest = machine.code.iter().map(Code::registers).max().unwrap_or(0);
        machine.scratch.registers = vec![0.0; longest.max(1) * BLOCK];
        machine
    }

    fn buffer(&mut self, number: usize) -> Option<&mut [f64]> {
        let (start, size) = *self.places.get(number)?;
        self.memory.get_mut(start..start + size)
    }

    /// The locations that a step reads or writes, by number.
    pub fn cells(&self) -> impl Iterator<Item = usize> {
        self.cells.iter().map(|(cell, _)| *cell)
    }

    /// The contents of a location that a step reads or writes.
    pub fn cell(&self, cell: usize) -> Option<&[f64]> {
        let (_, buffer) = self.cells.iter().find(|(number, _)| *number == cell)?;
        let (start, size) = *self.places.get(*buffer)?;
        self.memory.get(start..start + size)
    }

    /// Gives such a location contents of its size.
    pub fn set_cell(&mut self, cell: usize, contents: &[f64]) {
        let found = self.cells.iter().find(|(number, _)| *number == cell);
        if let Some((_, buffer)) = found.copied()
            && let Some(slot) = self.buffer(buffer)
            && slot.len() == contents.len()
        {
            slot.copy_from_slice(contents);
        }
    }

    /// Gives an input of the line a value of its size.
    pub fn set_input(&mut self, input: usize, value: &[f64]) {
        let found = self.inputs.iter().find(|(number, _)| *number == input);
        if let Some((_, buffer)) = found.copied()
            && let Some(slot) = self.buffer(buffer)
            && slot.len() == value.len()
        {
            slot.copy_from_slice(value);
        }
    }

    /// An output of the line, after a step.
    pub fn output(&self, output: usize) -> Option<&[f64]> {
        let (start, size) = *self.places.get(*self.outputs.get(output)?)?;
        self.memory.get(start..start + size)
    }

    /// One step.
    ///
    /// # Errors
    /// Where a primitive is not defined. What was written to the heap before stays written.
    pub fn step(&mut self) -> Result<(), Stop> {
        let (memory, scratch) = (self.memory.as_mut_slice(), &mut self.scratch);
        let mut code = self.code.iter();
        code.try_for_each(|code| code.run(memory, scratch, self.mode))
    }

    /// One step, of which the first item that gives a NaN is told, by its number in the plan.
    pub fn step_to_nan(&mut self, plan: &Plan) -> Option<usize> {
        for (number, (code, item)) in self.code.iter().zip(&plan.items).enumerate() {
            let (memory, scratch) = (self.memory.as_mut_slice(), &mut self.scratch);
            code.run(memory, scratch, self.mode).ok()?;
            let is_nan = |buffer: usize| {
                let (start, size) = self.places.get(buffer).copied().unwrap_or((0, 0));
                let entries = memory.get(start..start + size).unwrap_or(&[]);
                entries.iter().any(|entry| entry.is_nan())
            };
            if item.writes().into_iter().any(is_nan) {
                return Some(number);
            }
        }
        None
    }
}

impl Code {
    fn run(&self, memory: &mut [f64], scratch: &mut Scratch, mode: Partiality) -> Result<(), Stop> {
        match self {
            Code::Fill(start, size) => {
                if let Some(buffer) = memory.get_mut(*start..start + size) {
                    buffer.fill(0.0);
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
                for (slot, (start, size)) in slices.iter_mut().zip(arguments) {
                    *slot = memory.get(*start..start + size).unwrap_or(&[]);
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

fn run(each: &Loop, memory: &mut [f64], scratch: &mut Scratch) {
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
fn block(
    each: &Loop,
    memory: &mut [f64],
    scratch: &mut Scratch,
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
                None => out.fill(f64::NAN),
            },
            Operation::Index(level) if level == innermost => {
                for (index, out) in (from..).zip(out.iter_mut()) {
                    *out = index as f64;
                }
            }
            Operation::Index(level) => {
                out.fill(indices.get(level).map_or(0.0, |index| *index as f64));
            }
            Operation::Constant(constant) => out.fill(constant),
            Operation::Map(function, x) => map(function, at(x), out),
            Operation::Binary(operation, a, b) => binary(operation, at(a), at(b), out),
            Operation::Choose(is, [a, b, then, otherwise]) => {
                let operands = at(a).iter().zip(at(b)).zip(at(then)).zip(at(otherwise));
                for (out, (((a, b), then), otherwise)) in out.iter_mut().zip(operands) {
                    *out = if is.holds(*a, *b) { *then } else { *otherwise };
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
