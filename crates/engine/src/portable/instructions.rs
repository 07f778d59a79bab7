//! Single assignments with everything in its place: what a machine goes through.

use super::operations::{Assignment, At, Form};

/// One assignment: places are those of the first point of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) form: Form,
    /// Whether nothing may be written behind the last point.
    pub(super) exactly: bool,
    /// So many points there are.
    pub(super) points: usize,
    pub(super) to: usize,
    /// Of what lies along a way the place, the number of the way and the first point of the block; of a sum in lanes both places, and
    /// which one it is.
    pub(super) from: [usize; 4],
}

/// One of the places of an instruction.
#[derive(Clone, Copy, Debug)]
struct Slot {
    instruction: usize,
    /// None for where the result goes.
    operand: Option<usize>,
}

/// Instructions, and which of their places are elsewhere in another block.
#[derive(Clone, Debug, Default)]
pub(super) struct Instructions {
    pub(super) code: Vec<Instruction>,
    /// What is where a way is.
    ways: Vec<(Slot, usize)>,
    /// What is in a register.
    registers: Vec<Slot>,
    /// Where it is said which point is the first.
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

    /// The place, as far as it is known.
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

    /// The same with registers from this place on.
    pub(super) fn settled(&self, first: usize) -> Instructions {
        let mut settled = self.clone();
        for slot in settled.registers.drain(..) {
            if let Some(place) = slot.of(&mut settled.code) {
                *place += first;
            }
        }
        settled
    }

    /// Goes to a block of so many points whose first one this is, where ways are at these places.
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

    /// All of them at such a block.
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
