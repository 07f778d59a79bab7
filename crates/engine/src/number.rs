//! Numbers that a machine computes with, of 64 or of 32 bits (IEEE 754, binary64 and binary32).

use crate::vectors::Vector;
use fletch_smooth::{Binary, Elementary};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};
use wide::bytemuck::Pod;
use wide::{f32x4, f64x2};

/// Width of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Precision {
    /// 32.
    Single,
    /// 64.
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

    /// Numbers in a vector of 128 bits.
    pub fn lanes(self) -> usize {
        16 / self.bytes()
    }
}

/// A number of some precision.
pub(crate) trait Number:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Pod
    + 'static
{
    /// Neighbours in 128 bits.
    type Vector: Vector<Self>;

    /// No number.
    const NAN: Self;

    /// The nearest to a number; the lowest finite one is the lowest in every precision, the largest the largest.
    fn of(number: f64) -> Self;
    /// The number itself.
    fn double(self) -> f64;
    /// √x.
    fn sqrt(self) -> Self;
    /// |x|.
    fn abs(self) -> Self;
    /// eˣ.
    fn exp(self) -> Self;
    /// σ(x).
    fn logistic(self) -> Self;

    /// A function at it. What has no form of its own is rounded from double precision.
    #[inline]
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

    /// An operation on two.
    #[inline]
    fn both(operation: Binary, a: Self, b: Self) -> Self {
        match operation {
            Binary::Add => a + b,
            Binary::Sub => a - b,
            Binary::Mul => a * b,
            Binary::Div => a / b,
            Binary::Max | Binary::Pow => Self::of(operation.at(a.double(), b.double())),
        }
    }
}

impl Number for f64 {
    type Vector = f64x2;

    const NAN: f64 = f64::NAN;

    fn of(number: f64) -> f64 {
        number
    }
    fn double(self) -> f64 {
        self
    }
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
    fn abs(self) -> f64 {
        f64::abs(self)
    }
    fn exp(self) -> f64 {
        Vector::exp(f64x2::splat(self)).first()
    }
    fn logistic(self) -> f64 {
        Vector::logistic(f64x2::splat(self)).first()
    }
}

impl Number for f32 {
    type Vector = f32x4;

    const NAN: f32 = f32::NAN;

    #[allow(clippy::cast_possible_truncation)] // It is rounded.
    fn of(number: f64) -> f32 {
        match number {
            f64::MIN => f32::MIN,
            f64::MAX => f32::MAX,
            number => number as f32,
        }
    }
    fn double(self) -> f64 {
        f64::from(self)
    }
    fn sqrt(self) -> f32 {
        f32::sqrt(self)
    }
    fn abs(self) -> f32 {
        f32::abs(self)
    }
    fn exp(self) -> f32 {
        Vector::exp(f32x4::splat(self)).first()
    }
    fn logistic(self) -> f32 {
        Vector::logistic(f32x4::splat(self)).first()
    }
}
