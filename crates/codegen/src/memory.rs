//! Memory layout of a module, in bytes: the buffers of the plan, then constants; the remainder belongs to the host, for samples.

use crate::width::{VECTOR, Width};
use fletch_engine::elementary::Table;
use fletch_engine::{Holds, Plan, Precision};
use std::collections::HashMap;

/// Padding in bytes, since a vector that is only partly needed is loaded whole.
const SPARE: usize = 64;

/// Layout of a module's memory, for its host. The host stores samples as contiguous rows of equal length, anywhere from `samples` on, and
/// grows the memory for them, with 64 bytes to spare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Locations that a step reads or writes: number, address in bytes, and count of numbers.
    pub cells: Vec<(usize, usize, usize)>,
    /// Inputs of the line: number, position in the row of a sample in bytes, and count of numbers.
    pub inputs: Vec<(usize, usize, usize)>,
    /// Length of a row, in bytes.
    pub row: usize,
    /// Outputs of the line: base and address of each after a step, and count of numbers.
    pub outputs: Vec<(Base, usize, usize)>,
    /// Precision of all numbers.
    pub precision: Precision,
    /// Address from which the memory belongs to the host.
    pub samples: usize,
}

/// Start to which an address is relative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// The start of the memory.
    Absolute,
    /// The row of the sample.
    Sample,
}

/// Addresses of buffers, and of the constants that vectors need.
pub(crate) struct Places {
    /// Base and address of each buffer.
    buffers: Vec<(Base, usize)>,
    pub(crate) memory: Memory,
    /// Initial contents of the memory: addresses and bytes.
    pub(crate) initial: Vec<(usize, Vec<u8>)>,
    pool: HashMap<Vec<u8>, usize>,
    /// Address of each table of powers of two, once a function needs it.
    rounded: Option<usize>,
    more: Option<usize>,
    /// Number of a buffer of one number, in which checks count, once a check needs it.
    flag: Option<usize>,
    /// Backups of locations before a step that may stop: address, address of the copy, and size in bytes.
    kept: Vec<(usize, usize, usize)>,
    end: usize,
}

impl Places {
    pub(crate) fn of(plan: &Plan, precision: Precision) -> Places {
        let layout = plan.layout();
        let number = precision.bytes();
        let mut places = Places {
            buffers: Vec::new(),
            memory: Memory {
                cells: Vec::new(),
                inputs: Vec::new(),
                row: 0,
                outputs: Vec::new(),
                precision,
                samples: 0,
            },
            initial: Vec::new(),
            pool: HashMap::new(),
            rounded: None,
            more: None,
            flag: None,
            kept: Vec::new(),
            end: (layout.size * number).next_multiple_of(64),
        };
        for (buffer, (start, _)) in plan.buffers.iter().zip(&layout.places) {
            let start = start * number;
            let memory = &mut places.memory;
            let place = match &buffer.holds {
                Holds::Input(input) => {
                    let at = memory.row;
                    memory.inputs.push((*input, at, buffer.size));
                    memory.row += (buffer.size * number).next_multiple_of(VECTOR);
                    (Base::Sample, at)
                }
                Holds::Cell(cell) => {
                    memory.cells.push((*cell, start, buffer.size));
                    (Base::Absolute, start)
                }
                Holds::Constant(constant) => {
                    places.initial.push((start, bytes(precision, &constant.0)));
                    (Base::Absolute, start)
                }
                Holds::Local => (Base::Absolute, start),
            };
            places.buffers.push(place);
        }
        if plan.may_stop() {
            for (_, place, size) in &places.memory.cells {
                let bytes = size * number;
                places.kept.push((*place, places.end, bytes));
                places.end += bytes.next_multiple_of(64);
            }
        }
        let output = |buffer: &usize| {
            let (base, start) = places.buffer(*buffer);
            let size = plan.buffers.get(*buffer).map_or(0, |buffer| buffer.size);
            (base, start, size)
        };
        places.memory.outputs = plan.outputs.iter().map(output).collect();
        places
    }

    /// Precision of the numbers.
    pub(crate) fn precision(&self) -> Precision {
        self.memory.precision
    }

    /// Base and address of a buffer.
    pub(crate) fn buffer(&self, buffer: usize) -> (Base, usize) {
        let place = self.buffers.get(buffer).copied();
        place.unwrap_or((Base::Absolute, 0))
    }

    /// Address of a vector constant of these bytes, shared among its uses.
    pub(crate) fn vector(&mut self, bytes: Vec<u8>) -> usize {
        if let Some(known) = self.pool.get(&bytes) {
            return *known;
        }
        let at = self.end;
        self.end += VECTOR;
        self.initial.push((at, bytes.clone()));
        self.pool.insert(bytes, at);
        at
    }

    /// Number of a buffer of one number, allocated at its first use.
    pub(crate) fn flag(&mut self) -> usize {
        *self.flag.get_or_insert_with(|| {
            self.buffers.push((Base::Absolute, self.end));
            self.end += VECTOR;
            self.buffers.len() - 1
        })
    }

    /// Backups of locations before a step: address, address of the copy, and size in bytes.
    pub(crate) fn kept(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        self.kept.iter().copied()
    }

    /// Address of a table of powers of two.
    pub(crate) fn powers(&mut self, table: Table) -> usize {
        let slot = match table {
            Table::Rounded => &mut self.rounded,
            Table::More => &mut self.more,
        };
        *slot.get_or_insert_with(|| {
            let at = self.end;
            let powers = bytes(Precision::Double, table.entries());
            self.end += powers.len();
            self.initial.push((at, powers));
            at
        })
    }

    /// Layout for the host, after all constants have addresses.
    pub(crate) fn finish(&mut self) -> Memory {
        self.memory.samples = (self.end + SPARE).next_multiple_of(64);
        self.memory.clone()
    }
}

fn bytes(precision: Precision, numbers: &[f64]) -> Vec<u8> {
    let numbers = numbers.iter();
    numbers
        .flat_map(|number| precision.to_bytes(*number))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Places;
    use crate::cases::{made, planned, stopping};
    use fletch_engine::{Plan, Precision};

    /// Addresses of the inputs in a row, then the length of the row.
    fn row(plan: &Plan, precision: Precision) -> Vec<usize> {
        let memory = Places::of(plan, precision).memory;
        let inputs = memory.inputs.iter().map(|(_, at, _)| *at);
        inputs.chain([memory.row]).collect()
    }

    #[test]
    fn an_input_begins_at_the_boundary_of_a_vector() {
        let plan = made(Vec::new(), &[3, 1, 2], &[1]);
        assert_eq!(row(&plan, Precision::Double), [0, 32, 48, 64]);
        assert_eq!(row(&plan, Precision::Single), [0, 16, 32, 48]);
    }

    #[test]
    fn a_location_has_a_copy_if_its_step_may_stop() {
        let step = |function: &str| {
            format!("let a ⇐ Get[v]() in let _ ⇐ Put[v]({function}[2](a)) in ⌊()⌋")
        };
        let kept = |plan: &Plan| {
            Places::of(plan, Precision::Double)
                .kept()
                .collect::<Vec<_>>()
        };
        assert_eq!(kept(&stopping(&step("log"))), [(0, 64, 16)]);
        assert_eq!(kept(&stopping(&step("exp"))), []);
    }

    #[test]
    fn equal_constants_are_one_and_samples_begin_behind_room_to_spare() {
        let plan = planned("x : Real(2) ⊢ ⌊x + x⌋");
        let mut places = Places::of(&plan, Precision::Double);
        let [one, other, again] = [1, 2, 1].map(|byte| places.vector(vec![byte; 16]));
        assert_eq!((one, other, again), (128, 144, 128));
        // Constants end at 160; 64 bytes follow that a load may read.
        assert_eq!(places.finish().samples, 256);
    }
}
