//! Scalar operations on vectors of two numbers.

use crate::code::{Code, Kind, at};
use crate::memory::Places;
use crate::module::{Function, Imports};
use fletch_engine::elementary::{self, Arithmetic};
use fletch_smooth::{Binary, Comparison, Elementary};
use wasm_encoder::Instruction;

/// Writes code for the operands on the stack.
pub(crate) struct Lanes<'c> {
    pub(crate) code: &'c mut Code,
    pub(crate) places: &'c mut Places,
    pub(crate) imports: &'c mut Imports,
}

impl Lanes<'_> {
    /// A number in each lane.
    pub(crate) fn splat(&mut self, number: f64) {
        self.vector([number; 2]);
    }

    pub(crate) fn vector(&mut self, lanes: [f64; 2]) {
        let lanes = lanes.map(f64::to_bits);
        if lanes == [0; 2] {
            return self.code.put(Instruction::V128Const(0));
        }
        // From memory it takes no register.
        let place = self.places.vector(lanes);
        self.code.index(0);
        self.code.put(Instruction::V128Load(at(place)));
    }

    pub(crate) fn map(&mut self, function: Elementary) {
        let simple = match function {
            Elementary::Neg => Instruction::F64x2Neg,
            Elementary::Abs => Instruction::F64x2Abs,
            Elementary::Sqrt => Instruction::F64x2Sqrt,
            Elementary::Exp => {
                let x = self.code.take(Kind::Vector);
                self.code.set(x);
                let mut writer = Writer {
                    lanes: self,
                    made: vec![x],
                };
                let value = elementary::exp(&mut writer, x);
                let made = writer.made;
                self.code.get(value);
                return self.code.give_all(made);
            }
            Elementary::Log => return self.each(Function::Log),
            Elementary::Log1p => return self.each(Function::Log1p),
            Elementary::Sin => return self.each(Function::Sin),
            Elementary::Cos => return self.each(Function::Cos),
            Elementary::Tanh => return self.each(Function::Tanh),
            Elementary::Round => return self.each(Function::Round),
        };
        self.code.put(simple);
    }

    /// Lane by lane, by the host.
    fn each(&mut self, function: Function) {
        let x = self.code.take(Kind::Vector);
        self.code.set(x);
        let call = self.imports.of(function);
        for lane in 0..2 {
            self.code.get(x);
            self.code.put(Instruction::F64x2ExtractLane(lane));
            self.code.put(Instruction::Call(call));
            self.code.put(match lane {
                0 => Instruction::F64x2Splat,
                _ => Instruction::F64x2ReplaceLane(lane),
            });
        }
        self.code.give(x);
    }

    pub(crate) fn binary(&mut self, operation: Binary) {
        let simple = match operation {
            Binary::Add => Instruction::F64x2Add,
            Binary::Sub => Instruction::F64x2Sub,
            Binary::Mul => Instruction::F64x2Mul,
            Binary::Div => Instruction::F64x2Div,
            Binary::Max => {
                // The one that is a number.
                let [a, b] = self.two();
                for instruction in [
                    Instruction::LocalGet(b),
                    Instruction::LocalGet(a),
                    Instruction::LocalGet(b),
                    Instruction::F64x2PMax,
                    Instruction::LocalGet(a),
                    Instruction::LocalGet(a),
                    Instruction::F64x2Ne,
                    Instruction::V128Bitselect,
                ] {
                    self.code.put(instruction);
                }
                return self.code.give_all([a, b]);
            }
            Binary::Pow => {
                let [a, b] = self.two();
                let call = self.imports.of(Function::Pow);
                for lane in 0..2 {
                    for operand in [a, b] {
                        self.code.get(operand);
                        self.code.put(Instruction::F64x2ExtractLane(lane));
                    }
                    self.code.put(Instruction::Call(call));
                    self.code.put(match lane {
                        0 => Instruction::F64x2Splat,
                        _ => Instruction::F64x2ReplaceLane(lane),
                    });
                }
                return self.code.give_all([a, b]);
            }
        };
        self.code.put(simple);
    }

    /// Both operands, in locals.
    fn two(&mut self) -> [u32; 2] {
        let [a, b] = [(); 2].map(|()| self.code.take(Kind::Vector));
        self.code.set(b);
        self.code.set(a);
        [a, b]
    }

    /// A mask of the lanes where it holds.
    pub(crate) fn compare(&mut self, is: Comparison) {
        self.code.put(match is {
            Comparison::Less => Instruction::F64x2Lt,
            Comparison::AtMost => Instruction::F64x2Le,
            Comparison::Equal => Instruction::F64x2Eq,
        });
    }
}

/// Writes what a function computes; each vector is a local.
struct Writer<'l, 'c> {
    lanes: &'l mut Lanes<'c>,
    made: Vec<u32>,
}

impl Writer<'_, '_> {
    fn made(&mut self) -> u32 {
        let local = self.lanes.code.take(Kind::Vector);
        self.lanes.code.set(local);
        self.made.push(local);
        local
    }

    fn of(&mut self, operands: &[u32], instructions: &[Instruction<'static>]) -> u32 {
        for operand in operands {
            self.lanes.code.get(*operand);
        }
        for instruction in instructions {
            self.lanes.code.put(instruction.clone());
        }
        self.made()
    }
}

impl Arithmetic for Writer<'_, '_> {
    type Vector = u32;

    fn constant(&mut self, number: f64) -> u32 {
        self.lanes.splat(number);
        self.made()
    }
    fn add(&mut self, a: u32, b: u32) -> u32 {
        self.of(&[a, b], &[Instruction::F64x2Add])
    }
    fn sub(&mut self, a: u32, b: u32) -> u32 {
        self.of(&[a, b], &[Instruction::F64x2Sub])
    }
    fn mul(&mut self, a: u32, b: u32) -> u32 {
        self.of(&[a, b], &[Instruction::F64x2Mul])
    }
    fn where_less(&mut self, a: u32, b: u32, then: u32, otherwise: u32) -> u32 {
        let select = [Instruction::F64x2Lt, Instruction::V128Bitselect];
        self.of(&[then, otherwise, a, b], &select)
    }
    fn add_shifted(&mut self, a: u32, b: u32, right: u32, left: u32) -> u32 {
        let (right, left) = (right.cast_signed(), left.cast_signed());
        let instructions = [
            Instruction::I32Const(right),
            Instruction::I64x2ShrU,
            Instruction::I32Const(left),
            Instruction::I64x2Shl,
            Instruction::I64x2Add,
        ];
        self.of(&[a, b], &instructions)
    }
    fn power(&mut self, bits: u32) -> u32 {
        let table = at(self.lanes.places.powers());
        // The address of an entry, from the lowest bits of a lane.
        let code = &mut *self.lanes.code;
        for lane in [0, 1] {
            code.get(bits);
            code.put(Instruction::I32x4ExtractLane(2 * lane));
            code.index(127);
            code.put(Instruction::I32And);
            code.index(3);
            code.put(Instruction::I32Shl);
            if lane == 0 {
                code.put(Instruction::V128Load64Splat(table));
            } else {
                // The address comes first.
                let (address, vector) = (code.take(Kind::Index), code.take(Kind::Vector));
                code.set(address);
                code.set(vector);
                code.get(address);
                code.get(vector);
                code.put(Instruction::V128Load64Lane {
                    memarg: table,
                    lane,
                });
                code.give_all([address, vector]);
            }
        }
        self.made()
    }
}
