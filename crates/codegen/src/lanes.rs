//! Code of scalar operations, applied to each lane of vectors.

use crate::code::{Code, Kind, at};
use crate::memory::Places;
use crate::module::{Function, Imports};
use crate::width::{VECTOR, Width};
use fletch_engine::Precision;
use fletch_engine::elementary::{self, Arithmetic, Powers, Table};
use fletch_smooth::{Binary, Comparison, Elementary};
use wasm_encoder::Instruction;

/// Writer of code whose operands are on the stack.
pub(crate) struct Lanes<'c> {
    pub(crate) code: &'c mut Code,
    pub(crate) places: &'c mut Places,
    pub(crate) imports: &'c mut Imports,
}

impl Lanes<'_> {
    fn width(&self) -> Precision {
        self.places.precision()
    }

    /// Pushes a vector with this number in each lane.
    pub(crate) fn splat(&mut self, number: f64) {
        self.vector(self.width(), |_| number);
    }

    /// Pushes a vector of this width, with a number for each lane.
    pub(crate) fn vector(&mut self, width: Precision, at_lane: impl Fn(usize) -> f64) {
        let lanes = (0..width.lanes()).flat_map(|lane| width.to_bytes(at_lane(lane)));
        self.bytes(lanes.collect());
    }

    /// Pushes a mask with all bits of the first `lanes` lanes set.
    pub(crate) fn mask(&mut self, lanes: usize) {
        let number = self.width().bytes();
        let bit = |byte: usize| if byte < lanes * number { 255 } else { 0 };
        self.bytes((0..VECTOR).map(bit).collect());
    }

    fn bytes(&mut self, bytes: Vec<u8>) {
        if bytes.iter().all(|byte| *byte == 0) {
            return self.code.put(Instruction::V128Const(0));
        }
        // A constant that is loaded from memory takes no register.
        let place = self.places.vector(bytes);
        self.code.index(0);
        self.code.put(Instruction::V128Load(at(place)));
    }

    /// Applies a function to the vector on the stack, of which the first `lanes` lanes are needed.
    pub(crate) fn map(&mut self, function: Elementary, lanes: usize) {
        let width = self.width();
        let simple = match function {
            Elementary::Neg => width.neg(),
            Elementary::Abs => width.abs(),
            Elementary::Sqrt => width.sqrt(),
            Elementary::Exp => {
                return self.written(width, |writer, x| match width {
                    Precision::Single => elementary::exp_single(writer, x),
                    Precision::Double => elementary::exp(writer, x),
                });
            }
            Elementary::Logistic => {
                return self.written(width, |writer, x| match width {
                    Precision::Single => elementary::logistic_single(writer, x),
                    Precision::Double => elementary::logistic(writer, x),
                });
            }
            Elementary::Log => return self.each(Function::Log, lanes),
            Elementary::Log1p => return self.each(Function::Log1p, lanes),
            Elementary::Sin => return self.each(Function::Sin, lanes),
            Elementary::Cos => return self.each(Function::Cos, lanes),
            Elementary::Tanh => return self.each(Function::Tanh, lanes),
            Elementary::Erf => return self.each(Function::Erf, lanes),
            Elementary::Erfc => return self.each(Function::Erfc, lanes),
            Elementary::Round => return self.round(),
        };
        self.code.put(simple);
    }

    /// Rounds to the nearest integers, half away from zero: trunc(x + h), where h is the largest number below ½, with the sign of x.
    fn round(&mut self) {
        let width = self.width();
        let x = self.code.take(Kind::Vector);
        self.code.put(Instruction::LocalTee(x));
        self.splat(width.below_half());
        self.code.get(x);
        self.splat(-0.0);
        for instruction in [
            Instruction::V128And,
            Instruction::V128Or,
            width.add(),
            width.trunc(),
        ] {
            self.code.put(instruction);
        }
        self.code.give(x);
    }

    /// Applies a function of [`elementary`] to the vector on the stack, whose numbers have this width.
    fn written(
        &mut self,
        width: Precision,
        function: impl FnOnce(&mut Writer<'_, '_>, u32) -> u32,
    ) {
        let x = self.code.take(Kind::Vector);
        self.code.set(x);
        let mut writer = Writer {
            lanes: self,
            width,
            made: vec![x],
        };
        let value = function(&mut writer, x);
        let made = writer.made;
        self.code.get(value);
        self.code.give_all(made);
    }

    /// Replaces the exponents on the stack by powers of the number that has this logarithm, computed in double precision. The first `lanes`
    /// exponents are needed.
    pub(crate) fn raised(&mut self, logarithm: [f64; 2], lanes: usize) {
        if self.width() == Precision::Double {
            return self.raised_doubles(logarithm);
        }
        let y = self.code.take(Kind::Vector);
        self.code.set(y);
        for half in 0..lanes.div_ceil(2) {
            self.code.get(y);
            if half == 1 {
                self.code.get(y);
                self.code.put(Instruction::I8x16Shuffle(LAST_FIRST));
            }
            self.code.put(Instruction::F64x2PromoteLowF32x4);
            self.raised_doubles(logarithm);
            self.code.put(Instruction::F32x4DemoteF64x2Zero);
            if half == 1 {
                self.code.put(Instruction::I8x16Shuffle(FIRSTS));
            }
        }
        self.code.give(y);
    }

    /// Replaces two exponents in double precision on the stack by powers.
    fn raised_doubles(&mut self, logarithm: [f64; 2]) {
        self.written(Precision::Double, |writer, y| {
            elementary::raised(writer, y, logarithm)
        });
    }

    /// Applies a function of the host lane by lane, in the first `lanes` lanes alone.
    fn each(&mut self, function: Function, lanes: usize) {
        let x = self.code.take(Kind::Vector);
        self.code.set(x);
        let call = self.imports.of(function);
        for lane in 0..lanes {
            self.extract(x, lane);
            self.code.put(Instruction::Call(call));
            self.insert(lane);
        }
        self.code.give(x);
    }

    /// Pushes a lane, in double precision.
    fn extract(&mut self, vector: u32, lane: usize) {
        self.code.get(vector);
        self.code.put(self.places.precision().extract(lane));
        if self.width() == Precision::Single {
            self.code.put(Instruction::F64PromoteF32);
        }
    }

    /// Inserts a number in double precision as a lane; the first one makes a vector.
    fn insert(&mut self, lane: usize) {
        let width = self.width();
        if width == Precision::Single {
            self.code.put(Instruction::F32DemoteF64);
        }
        self.code.put(match lane {
            0 => width.splat(),
            _ => width.replace(lane),
        });
    }

    /// Applies an operation to both vectors on the stack, of which the first `lanes` lanes are needed.
    pub(crate) fn binary(&mut self, operation: Binary, lanes: usize) {
        let width = self.width();
        let simple = match operation {
            Binary::Add => width.add(),
            Binary::Sub => width.sub(),
            Binary::Mul => width.mul(),
            Binary::Div => width.div(),
            Binary::Max => {
                // The operand that is not a NaN wins.
                let [a, b] = self.two();
                for instruction in [
                    Instruction::LocalGet(b),
                    Instruction::LocalGet(a),
                    Instruction::LocalGet(b),
                    width.larger(),
                    Instruction::LocalGet(a),
                    Instruction::LocalGet(a),
                    width.differs(),
                    Instruction::V128Bitselect,
                ] {
                    self.code.put(instruction);
                }
                return self.code.give_all([a, b]);
            }
            Binary::Pow => {
                let [a, b] = self.two();
                let call = self.imports.of(Function::Pow);
                for lane in 0..lanes {
                    self.extract(a, lane);
                    self.extract(b, lane);
                    self.code.put(Instruction::Call(call));
                    self.insert(lane);
                }
                return self.code.give_all([a, b]);
            }
        };
        self.code.put(simple);
    }

    /// Moves both operands from the stack to locals.
    fn two(&mut self) -> [u32; 2] {
        let [a, b] = [(); 2].map(|()| self.code.take(Kind::Vector));
        self.code.set(b);
        self.code.set(a);
        [a, b]
    }

    /// Replaces both vectors on the stack by a mask of the lanes where the comparison holds.
    pub(crate) fn compare(&mut self, is: Comparison) {
        let width = self.width();
        self.code.put(match is {
            Comparison::Less => width.less(),
            Comparison::AtMost => width.at_most(),
            Comparison::Equal => width.equal(),
        });
    }
}

/// Shuffle of two vectors: the last half of one and the first half of the other, in bytes.
const LAST_FIRST: [u8; VECTOR] = [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23];
/// Shuffle of two vectors: the first half of each, in bytes.
const FIRSTS: [u8; VECTOR] = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];

/// Writer of an elementary function; each vector is a local.
struct Writer<'l, 'c> {
    lanes: &'l mut Lanes<'c>,
    width: Precision,
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
        self.lanes.vector(self.width, |_| number);
        self.made()
    }
    fn add(&mut self, a: u32, b: u32) -> u32 {
        self.of(&[a, b], &[self.width.add()])
    }
    fn sub(&mut self, a: u32, b: u32) -> u32 {
        self.of(&[a, b], &[self.width.sub()])
    }
    fn mul(&mut self, a: u32, b: u32) -> u32 {
        self.of(&[a, b], &[self.width.mul()])
    }
    fn div(&mut self, a: u32, b: u32) -> u32 {
        self.of(&[a, b], &[self.width.div()])
    }
    fn within(&mut self, x: u32, [least, most]: [f64; 2]) -> u32 {
        let width = self.width;
        // For unordered operands both instructions return the first.
        self.lanes.code.get(x);
        for (bound, nearer) in [(most, width.smaller()), (least, width.larger())] {
            self.lanes.vector(width, |_| bound);
            self.lanes.code.put(nearer);
        }
        self.made()
    }
    fn where_less(&mut self, a: u32, b: u32, then: u32, otherwise: u32) -> u32 {
        let select = [self.width.less(), Instruction::V128Bitselect];
        self.of(&[then, otherwise, a, b], &select)
    }
    fn zero_where_less(&mut self, a: u32, b: u32, otherwise: u32) -> u32 {
        let select = [self.width.less(), Instruction::V128AndNot];
        self.of(&[otherwise, a, b], &select)
    }
    fn add_shifted(&mut self, a: u32, b: u32, right: u32, left: u32) -> u32 {
        let (right, left) = (right.cast_signed(), left.cast_signed());
        let width = self.width;
        let instructions = [
            Instruction::I32Const(right),
            width.shift_right(),
            Instruction::I32Const(left),
            width.shift_left(),
            width.add_bits(),
        ];
        let from = if right == 0 { 2 } else { 0 };
        self.of(&[a, b], instructions.get(from..).unwrap_or(&[]))
    }
}

impl Powers for Writer<'_, '_> {
    fn power(&mut self, bits: u32, table: Table) -> u32 {
        let table = at(self.lanes.places.powers(table));
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
                // The instruction takes the address first, then the vector.
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

#[cfg(test)]
mod tests {
    use crate::cases::{access, check, entrywise, made, planned};
    use fletch_engine::Item;
    use fletch_smooth::{Binary, Operation};

    #[test]
    fn the_host_is_called_for_no_lane_behind_the_end() {
        check(
            &planned("x : Real(3) ⊢ ⌊tanh[3](x)⌋"),
            "
            (v128.store offset=64 (i32.const 0) (local.set 1 (v128.load (local.get 0))) (local.tee 1 (f64x2.replace_lane 1 (f64x2.splat (call 0 (f64x2.extract_lane 0 (local.get 1)))) (call 0 (f64x2.extract_lane 1 (local.get 1))))))
            (local.set 2 (v128.load offset=16 (local.get 0)))
            (local.set 2 (f64x2.splat (call 0 (f64x2.extract_lane 0 (local.get 2)))))
            (v128.store64_lane offset=80 0 (i32.const 0) (local.get 2))",
        );
    }

    #[test]
    fn the_larger_of_a_number_and_none_is_the_number() {
        let body = vec![
            Operation::Read(0),
            Operation::Read(1),
            Operation::Binary(Binary::Max, 0, 1),
        ];
        let reads = vec![access(0, &[1]), access(1, &[1])];
        let each = entrywise(&[2], reads, body, access(2, &[1]));
        // The result is the second number (local 2) where the first (local 1) differs from itself, else the larger.
        check(
            &made(vec![Item::Loop(each)], &[2, 2], &[2]),
            "
            (v128.store offset=128 (i32.const 0) (local.set 1 (v128.load (local.get 0)) (local.set 2 (v128.load offset=16 (local.get 0)))) (local.tee 2 (v128.bitselect (local.get 2) (f64x2.pmax (local.get 1) (local.get 2)) (f64x2.ne (local.get 1) (local.get 1)))))",
        );
    }

    #[test]
    fn a_number_is_rounded_by_what_has_its_sign() {
        check(
            &planned("x : Real(2) ⊢ ⌊round[2](x)⌋"),
            "
            (v128.store offset=64 (i32.const 0) (local.tee 1 (f64x2.trunc (f64x2.add (local.tee 1 (v128.load (local.get 0))) (v128.or (v128.load offset=128 (i32.const 0)) (v128.and (local.get 1) (v128.load offset=144 (i32.const 0))))))))",
        );
    }
}
