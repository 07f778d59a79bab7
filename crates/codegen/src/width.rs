//! Vector instructions by the precision of their numbers.

use fletch_engine::{Precision, single};
use wasm_encoder::{Instruction, MemArg};

/// Size of a vector, in bytes.
pub(crate) const VECTOR: usize = 16;

/// Instructions for numbers of a precision.
pub(crate) trait Width: Copy {
    fn neg(self) -> Instruction<'static>;
    fn abs(self) -> Instruction<'static>;
    fn sqrt(self) -> Instruction<'static>;
    fn add(self) -> Instruction<'static>;
    fn sub(self) -> Instruction<'static>;
    fn mul(self) -> Instruction<'static>;
    fn div(self) -> Instruction<'static>;
    /// Maximum; the first of unordered operands.
    fn larger(self) -> Instruction<'static>;
    /// Minimum; the first of unordered operands.
    fn smaller(self) -> Instruction<'static>;
    fn less(self) -> Instruction<'static>;
    fn at_most(self) -> Instruction<'static>;
    fn equal(self) -> Instruction<'static>;
    fn differs(self) -> Instruction<'static>;
    fn splat(self) -> Instruction<'static>;
    fn extract(self, lane: usize) -> Instruction<'static>;
    fn replace(self, lane: usize) -> Instruction<'static>;
    /// Conversion of an index to a number.
    fn converted(self) -> Instruction<'static>;
    fn load_splat(self, at: MemArg) -> Instruction<'static>;
    fn load_lane(self, at: MemArg, lane: usize) -> Instruction<'static>;
    fn store_lane(self, at: MemArg, lane: usize) -> Instruction<'static>;
    fn trunc(self) -> Instruction<'static>;
    /// The largest number below ½.
    fn below_half(self) -> f64;
    fn shift_right(self) -> Instruction<'static>;
    fn shift_left(self) -> Instruction<'static>;
    /// Integer addition of the bits.
    fn add_bits(self) -> Instruction<'static>;
    /// Bytes of a number, which is rounded to this precision; little-endian.
    fn to_bytes(self, number: f64) -> Vec<u8>;
}

macro_rules! either {
    ($precision:expr, $single:ident, $double:ident) => {
        match $precision {
            Precision::Single => Instruction::$single,
            Precision::Double => Instruction::$double,
        }
    };
}

#[allow(clippy::cast_possible_truncation)] // There are at most four lanes, and numbers are rounded.
impl Width for Precision {
    fn neg(self) -> Instruction<'static> {
        either!(self, F32x4Neg, F64x2Neg)
    }
    fn abs(self) -> Instruction<'static> {
        either!(self, F32x4Abs, F64x2Abs)
    }
    fn sqrt(self) -> Instruction<'static> {
        either!(self, F32x4Sqrt, F64x2Sqrt)
    }
    fn add(self) -> Instruction<'static> {
        either!(self, F32x4Add, F64x2Add)
    }
    fn sub(self) -> Instruction<'static> {
        either!(self, F32x4Sub, F64x2Sub)
    }
    fn mul(self) -> Instruction<'static> {
        either!(self, F32x4Mul, F64x2Mul)
    }
    fn div(self) -> Instruction<'static> {
        either!(self, F32x4Div, F64x2Div)
    }
    fn larger(self) -> Instruction<'static> {
        either!(self, F32x4PMax, F64x2PMax)
    }
    fn smaller(self) -> Instruction<'static> {
        either!(self, F32x4PMin, F64x2PMin)
    }
    fn less(self) -> Instruction<'static> {
        either!(self, F32x4Lt, F64x2Lt)
    }
    fn at_most(self) -> Instruction<'static> {
        either!(self, F32x4Le, F64x2Le)
    }
    fn equal(self) -> Instruction<'static> {
        either!(self, F32x4Eq, F64x2Eq)
    }
    fn differs(self) -> Instruction<'static> {
        either!(self, F32x4Ne, F64x2Ne)
    }
    fn splat(self) -> Instruction<'static> {
        either!(self, F32x4Splat, F64x2Splat)
    }
    fn extract(self, lane: usize) -> Instruction<'static> {
        match self {
            Precision::Single => Instruction::F32x4ExtractLane(lane as u8),
            Precision::Double => Instruction::F64x2ExtractLane(lane as u8),
        }
    }
    fn replace(self, lane: usize) -> Instruction<'static> {
        match self {
            Precision::Single => Instruction::F32x4ReplaceLane(lane as u8),
            Precision::Double => Instruction::F64x2ReplaceLane(lane as u8),
        }
    }
    fn converted(self) -> Instruction<'static> {
        either!(self, F32ConvertI32U, F64ConvertI32U)
    }
    fn load_splat(self, at: MemArg) -> Instruction<'static> {
        match self {
            Precision::Single => Instruction::V128Load32Splat(at),
            Precision::Double => Instruction::V128Load64Splat(at),
        }
    }
    fn load_lane(self, memarg: MemArg, lane: usize) -> Instruction<'static> {
        let lane = lane as u8;
        match self {
            Precision::Single => Instruction::V128Load32Lane { memarg, lane },
            Precision::Double => Instruction::V128Load64Lane { memarg, lane },
        }
    }
    fn store_lane(self, memarg: MemArg, lane: usize) -> Instruction<'static> {
        let lane = lane as u8;
        match self {
            Precision::Single => Instruction::V128Store32Lane { memarg, lane },
            Precision::Double => Instruction::V128Store64Lane { memarg, lane },
        }
    }
    fn trunc(self) -> Instruction<'static> {
        either!(self, F32x4Trunc, F64x2Trunc)
    }
    fn below_half(self) -> f64 {
        match self {
            Precision::Single => f64::from(0.5_f32.next_down()),
            Precision::Double => 0.5_f64.next_down(),
        }
    }
    fn shift_right(self) -> Instruction<'static> {
        either!(self, I32x4ShrU, I64x2ShrU)
    }
    fn shift_left(self) -> Instruction<'static> {
        either!(self, I32x4Shl, I64x2Shl)
    }
    fn add_bits(self) -> Instruction<'static> {
        either!(self, I32x4Add, I64x2Add)
    }
    fn to_bytes(self, number: f64) -> Vec<u8> {
        match self {
            Precision::Single => single(number).to_le_bytes().to_vec(),
            Precision::Double => number.to_le_bytes().to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Width;
    use fletch_engine::Precision;

    #[test]
    fn an_instruction_has_the_lanes_of_its_precision_and_is_otherwise_the_same() {
        let all = |width: Precision| {
            let instructions = [
                width.neg(),
                width.abs(),
                width.sqrt(),
                width.add(),
                width.sub(),
                width.mul(),
                width.div(),
                width.larger(),
                width.smaller(),
                width.less(),
                width.at_most(),
                width.equal(),
                width.differs(),
                width.splat(),
                width.extract(1),
                width.replace(1),
                width.trunc(),
            ];
            instructions.map(|instruction| format!("{instruction:?}"))
        };
        let doubles = all(Precision::Single).map(|text| text.replace("F32x4", "F64x2"));
        assert_eq!(doubles, all(Precision::Double));
    }

    #[test]
    fn a_number_is_rounded_to_its_precision() {
        let bytes = |width: Precision| width.to_bytes(0.1);
        assert_eq!(bytes(Precision::Single), 0.1_f32.to_le_bytes());
        assert_eq!(bytes(Precision::Double), 0.1_f64.to_le_bytes());
    }

    #[test]
    fn what_is_added_to_round_takes_a_half_to_one_and_all_below_it_to_zero() {
        let single = |x: f32| (x + fletch_engine::single(Precision::Single.below_half())).trunc();
        assert_eq!([0.5_f32.next_down(), 0.5, 1.5].map(single), [0.0, 1.0, 2.0]);
        let double = |x: f64| (x + Precision::Double.below_half()).trunc();
        assert_eq!([0.5_f64.next_down(), 0.5, 1.5].map(double), [0.0, 1.0, 2.0]);
    }
}
