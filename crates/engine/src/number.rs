//! Numbers that a plan computes with, of 64 or of 32 bits (IEEE 754, binary64 and binary32).

use crate::elementary::{self, Arithmetic, Powers, Table};
use fletch_smooth::{Binary, Comparison, Elementary};
use serde::{Deserialize, Serialize};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Width of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Precision {
    /// 32 bits.
    Single,
    /// 64 bits.
    #[default]
    Double,
}

impl Precision {
    /// The size of a number, in bytes.
    pub fn bytes(self) -> usize {
        match self {
            Precision::Single => 4,
            Precision::Double => 8,
        }
    }

    /// Number of lanes in a vector of 128 bits.
    pub fn lanes(self) -> usize {
        16 / self.bytes()
    }
}

/// Rounds to the nearest number of 32 bits. The lowest and the largest finite number become the lowest and the largest of 32 bits.
#[allow(clippy::cast_possible_truncation)] // It is rounded.
pub fn single(number: f64) -> f32 {
    match number {
        f64::MIN => f32::MIN,
        f64::MAX => f32::MAX,
        number => number as f32,
    }
}

/// xʸ to 0.53 units in the last place for a positive normal x other than 1, where a subnormal result is 0. For any other x, the power of
/// `libm`.
pub fn pow(x: f64, y: f64) -> f64 {
    match elementary::logarithm(x) {
        Some(logarithm) => elementary::raised(&mut Doubles, y, logarithm),
        None => libm::pow(x, y),
    }
}

/// A number of some precision.
pub(crate) trait Number:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Number of lanes in a vector of 128 bits.
    const LANES: usize;

    /// Rounds to the nearest number of this precision. The lowest and the largest finite number become the lowest and the largest of this
    /// precision.
    fn of(number: f64) -> Self;
    /// Converts to double precision, which is exact.
    fn double(self) -> f64;
    /// √x.
    fn sqrt(self) -> Self;
    /// |x|.
    fn abs(self) -> Self;
    /// eˣ.
    fn exp(self) -> Self;
    /// σ(x).
    fn logistic(self) -> Self;

    /// Value of a function at x. A function without an implementation in this precision is computed in double precision, then rounded.
    fn at(function: Elementary, x: Self) -> Self {
        match function {
            Elementary::Exp => x.exp(),
            Elementary::Logistic => x.logistic(),
            Elementary::Neg => -x,
            Elementary::Sqrt => x.sqrt(),
            Elementary::Abs => x.abs(),
            _ => Self::of(function.at(x.double())),
        }
    }

    /// Result of a binary operation. The maximum of a number and a NaN is the number; the maximum of equal numbers is the first.
    fn both(operation: Binary, a: Self, b: Self) -> Self {
        match operation {
            Binary::Add => a + b,
            Binary::Sub => a - b,
            Binary::Mul => a * b,
            Binary::Div => a / b,
            Binary::Max if a.double().is_nan() || a < b => b,
            Binary::Max => a,
            Binary::Pow => Self::of(pow(a.double(), b.double())),
        }
    }

    /// True if a comparison holds. No comparison with a NaN holds.
    fn holds(is: Comparison, a: Self, b: Self) -> bool {
        match is {
            Comparison::Less => a < b,
            Comparison::AtMost => a <= b,
            Comparison::Equal => a == b,
        }
    }
}

/// Implements [`Number`] for a float type, and [`Arithmetic`] on single numbers of that type, for [`elementary`].
macro_rules! number {
    ($number:ident, $on:ident, $lanes:literal, $of:expr, $exp:ident, $logistic:ident) => {
        /// Arithmetic on numbers of this width.
        struct $on;

        impl Number for $number {
            const LANES: usize = $lanes;

            fn of(number: f64) -> $number {
                let of: fn(f64) -> $number = $of;
                of(number)
            }
            fn double(self) -> f64 {
                f64::from(self)
            }
            fn sqrt(self) -> $number {
                $number::sqrt(self)
            }
            fn abs(self) -> $number {
                $number::abs(self)
            }
            fn exp(self) -> $number {
                elementary::$exp(&mut $on, self)
            }
            fn logistic(self) -> $number {
                elementary::$logistic(&mut $on, self)
            }
        }

        impl Arithmetic for $on {
            type Vector = $number;

            #[allow(clippy::cast_possible_truncation)] // It is rounded.
            fn constant(&mut self, number: f64) -> $number {
                number as $number
            }
            fn add(&mut self, a: $number, b: $number) -> $number {
                a + b
            }
            fn sub(&mut self, a: $number, b: $number) -> $number {
                a - b
            }
            fn mul(&mut self, a: $number, b: $number) -> $number {
                a * b
            }
            fn div(&mut self, a: $number, b: $number) -> $number {
                a / b
            }
            fn within(&mut self, x: $number, range: [f64; 2]) -> $number {
                let [least, most] = range.map(|bound| self.constant(bound));
                let x = if most < x { most } else { x };
                if x < least { least } else { x }
            }
            fn where_less(
                &mut self,
                a: $number,
                b: $number,
                then: $number,
                otherwise: $number,
            ) -> $number {
                if a < b { then } else { otherwise }
            }
            fn zero_where_less(&mut self, a: $number, b: $number, otherwise: $number) -> $number {
                if a < b { 0.0 } else { otherwise }
            }
            fn add_shifted(&mut self, a: $number, b: $number, right: u32, left: u32) -> $number {
                let shifted = (b.to_bits() >> right) << left;
                $number::from_bits(a.to_bits().wrapping_add(shifted))
            }
        }
    };
}

number!(f64, Doubles, 2, |number| number, exp, logistic);
number!(f32, Singles, 4, single, exp_single, logistic_single);

impl Powers for Doubles {
    fn power(&mut self, bits: f64, table: Table) -> f64 {
        let [number, ..] = bits.to_bits().to_le_bytes();
        let power = table.entries().get(usize::from(number & 127));
        power.copied().unwrap_or(f64::NAN)
    }
}
