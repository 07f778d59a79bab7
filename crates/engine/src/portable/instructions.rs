//! Assignments with addresses: the instructions that the machine executes.

use super::operations::{Assignment, At, Form};

/// One instruction; its addresses are those of the first point of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) form: Form,
    /// True if nothing may be written past the last point.
    pub(super) exactly: bool,
    /// Number of points.
    pub(super) points: usize,
    pub(super) to: usize,
    /// Operand addresses. For a way: its address, its number and the first point of the block; for a sum in lanes both addresses,
    /// and its number.
    pub(super) from: [usize; 4],
}

/// Address field of an instruction.
#[derive(Clone, Copy, Debug)]
struct Slot {
    instruction: usize,
    /// Operand number; none for the destination.
    operand: Option<usize>,
}

/// Instructions, and which of their places are elsewhere in another block.
#[derive(Clone, Debug, Default)]
pub(super) struct Instructions {
    pub(super) code: Vec<Instruction>,
    /// Fields that hold the address of a way.
    ways: Vec<(Slot, usize)>,
    /// Fields that hold the address of a register.
    registers: Vec<Slot>,
    /// Fields that hold the first point of the block.
    firsts: Vec<Slot>,
}

impl Instructions {
    /// Instructions for assignments, before registers are in their places and ways where they begin.
    pub(super) fn of(assignments: &[Assignment]) -> Instructions {
        let mut made = Instructions::default();
        for (number, assignment) in assignments.iter().enumerate() {
            let slot = |operand: Option<usize>| Slot {
                instruction: number,
                operand,
            };
            let mut instruction = Instruction {
                form: assignment.form,
                exactly: assignment.exactly,
                points: 0,
                to: made.place(assignment.to, slot(None)),
                from: [0; 4],
            };
            let operands = assignment.from.iter().enumerate();
            for ((operand, at), place) in operands.zip(&mut instruction.from) {
                *place = made.place(*at, slot(Some(operand)));
            }
            let along = match (assignment.form, assignment.from.as_slice()) {
                (Form::Gather, [At::Way(way)]) => Some(*way),
                (Form::Scatter, _) => match assignment.to {
                    At::Way(way) => Some(way),
                    At::Place(_) | At::Register(_) => None,
                },
                _ => None,
            };
            if let (Some(way), [_, number, ..]) = (along, &mut instruction.from) {
                *number = way;
                made.firsts.push(slot(Some(2)));
            }
            made.code.push(instruction);
        }
        made
    }

    /// Address, as far as it is known; fields that depend on a block are recorded.
    fn place(&mut self, at: At, slot: Slot) -> usize {
        match at {
            At::Way(way) => {
                self.ways.push((slot, way));
                0
            }
            At::Place(place) => place,
            At::Register(register) => {
                self.registers.push(slot);
                register
            }
        }
    }

    /// Copy with registers placed from this address on.
    pub(super) fn settled(&self, first: usize) -> Instructions {
        let mut settled = self.clone();
        for slot in settled.registers.drain(..) {
            if let Some(place) = slot.of(&mut settled.code) {
                *place += first;
            }
        }
        settled
    }

    /// Moves the instructions to a block: its ways' addresses, its first point, and its number of points.
    pub(super) fn go(&mut self, places: &[usize], from: usize, points: usize) {
        for instruction in &mut self.code {
            instruction.points = points;
        }
        for (slot, way) in &self.ways {
            if let (Some(place), Some(there)) = (slot.of(&mut self.code), places.get(*way)) {
                *place = *there;
            }
        }
        for slot in &self.firsts {
            if let Some(point) = slot.of(&mut self.code) {
                *point = from;
            }
        }
    }

    /// Copy of the instructions, moved to such a block.
    pub(super) fn at(&self, places: &[usize], from: usize, points: usize) -> Vec<Instruction> {
        let mut there = self.clone();
        there.go(places, from, points);
        there.code
    }
}

impl Slot {
    fn of(self, code: &mut [Instruction]) -> Option<&mut usize> {
        let instruction = code.get_mut(self.instruction)?;
        match self.operand {
            None => Some(&mut instruction.to),
            Some(operand) => instruction.from.get_mut(operand),
        }
    }
}
