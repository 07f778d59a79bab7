//! Where everything is in the memory of a module, in bytes: the buffers of the plan, then constants; what follows is the host's, for samples.

use fletch_engine::{Holds, Plan};
use std::collections::HashMap;

/// The size of a number.
pub(crate) const NUMBER: usize = 8;
/// The size of a vector.
pub(crate) const VECTOR: usize = 16;
/// A vector that is only partly needed is read whole; so much may follow what is read last.
const SPARE: usize = 64;

/// Where a host finds what a module reads and writes. Samples are rows of equal length, one after the other, anywhere from `samples` on; the
/// memory is grown for them by the host, with 64 bytes to spare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The locations that a step reads or writes: the number of each, where its contents are, and how many numbers.
    pub cells: Vec<(usize, usize, usize)>,
    /// The inputs of the line: the number of each, where it is in the row of a sample, and how many numbers.
    pub inputs: Vec<(usize, usize, usize)>,
    /// The length of a row.
    pub row: usize,
    /// The outputs of the line: where each is after a step, unless it is an input, and how many numbers.
    pub outputs: Vec<Option<(usize, usize)>>,
    /// Where the host's part begins.
    pub samples: usize,
}

/// A place in memory: absolute, or in the row of the sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Base {
    Absolute,
    Sample,
}

/// The places of buffers, and the constants that vectors need.
pub(crate) struct Places {
    /// For each buffer.
    buffers: Vec<(Base, usize)>,
    pub(crate) memory: Memory,
    /// What the memory begins with: places and numbers.
    pub(crate) initial: Vec<(usize, Vec<f64>)>,
    pool: HashMap<[u64; 2], usize>,
    /// Where the powers of two are, once something needs them.
    powers: Option<usize>,
    end: usize,
}

impl Places {
    pub(crate) fn of(plan: &Plan) -> Places {
        let layout = plan.layout();
        let mut places = Places {
            buffers: Vec::new(),
            memory: Memory {
                cells: Vec::new(),
                inputs: Vec::new(),
                row: 0,
                outputs: Vec::new(),
                samples: 0,
            },
            initial: Vec::new(),
            pool: HashMap::new(),
            powers: None,
            end: (layout.size * NUMBER).next_multiple_of(64),
        };
        for (buffer, (start, _)) in plan.buffers.iter().zip(&layout.places) {
            let start = start * NUMBER;
            let memory = &mut places.memory;
            let place = match &buffer.holds {
                Holds::Input(input) => {
                    let at = memory.row;
                    memory.inputs.push((*input, at, buffer.size));
                    memory.row += (buffer.size * NUMBER).next_multiple_of(VECTOR);
                    (Base::Sample, at)
                }
                Holds::Cell(cell) => {
                    memory.cells.push((*cell, start, buffer.size));
                    (Base::Absolute, start)
                }
                Holds::Constant(constant) => {
                    places.initial.push((start, constant.0.to_vec()));
                    (Base::Absolute, start)
                }
                Holds::Local => (Base::Absolute, start),
            };
            places.buffers.push(place);
        }
        let output = |buffer: &usize| match places.buffers.get(*buffer)? {
            (Base::Absolute, start) => Some((*start, plan.buffers.get(*buffer)?.size)),
            (Base::Sample, _) => None,
        };
        places.memory.outputs = plan.outputs.iter().map(output).collect();
        places
    }

    /// Where a buffer begins.
    pub(crate) fn buffer(&self, buffer: usize) -> (Base, usize) {
        let place = self.buffers.get(buffer).copied();
        place.unwrap_or((Base::Absolute, 0))
    }

    /// Where a vector of these bits is.
    pub(crate) fn vector(&mut self, lanes: [u64; 2]) -> usize {
        *self.pool.entry(lanes).or_insert_with(|| {
            let at = self.end;
            self.end += VECTOR;
            self.initial.push((at, lanes.map(f64::from_bits).to_vec()));
            at
        })
    }

    /// Where the powers of two are.
    pub(crate) fn powers(&mut self) -> usize {
        *self.powers.get_or_insert_with(|| {
            let at = self.end;
            self.end += fletch_engine::elementary::POWERS.len() * NUMBER;
            let powers = fletch_engine::elementary::POWERS.to_vec();
            self.initial.push((at, powers));
            at
        })
    }

    /// What a host is told, when all is placed.
    pub(crate) fn finish(mut self) -> (Memory, Vec<(usize, Vec<f64>)>) {
        self.memory.samples = (self.end + SPARE).next_multiple_of(64);
        (self.memory, self.initial)
    }
}
