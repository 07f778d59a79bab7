//! Vectors of 128 bits, of numbers of either precision.

use crate::elementary::{self, Arithmetic, POWERS, Powers};
use fletch_smooth::Comparison;
use std::ops::{Add, Div, Mul, Neg, Sub};
use wide::bytemuck::cast;
use wide::{f32x4, f64x2, u32x4, u64x2};

/// Neighbouring numbers.
pub(crate) trait Vector<N>:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Numbers in a vector.
    const LANES: usize;
    /// The numbers themselves.
    type Lanes: Copy;

    /// Broadcast of a number to all lanes.
    fn splat(number: N) -> Self;
    /// Vectors of a slice, without the remainder at its end.
    fn all(numbers: &[N]) -> &[Self::Lanes];
    /// Vectors of a slice, mutable, without the remainder at its end.
    fn all_mut(numbers: &mut [N]) -> &mut [Self::Lanes];
    /// A vector of numbers.
    fn of(lanes: Self::Lanes) -> Self;
    /// The numbers of a vector.
    fn lanes(self) -> Self::Lanes;
    /// The lanes of both in turn.
    fn in_turn(self, other: Self) -> [Self; 2];
    /// Every other lane of both.
    fn every_other(self, other: Self) -> Self;
    /// Two numbers again and again.
    fn two_again(numbers: [N; 2]) -> Self;
    /// A function at each lane.
    fn map(self, function: impl Fn(N) -> N) -> Self;
    /// A function at each lane of two.
    fn both(self, other: Self, function: impl Fn(N, N) -> N) -> Self;
    /// √x.
    fn sqrt(self) -> Self;
    /// |x|.
    fn abs(self) -> Self;
    /// eˣ.
    fn exp(self) -> Self;
    /// σ(x).
    fn logistic(self) -> Self;
    /// Maximum; of a number and a NaN it is the number.
    fn larger(self, other: Self) -> Self;
    /// `then` in the lanes where it holds, else `otherwise`.
    fn choose(is: Comparison, a: Self, b: Self, then: Self, otherwise: Self) -> Self;
    /// Vector with only the first lanes kept; the others are −0, which is neutral in addition.
    fn head(self, lanes: usize) -> Self;
    /// The first lane.
    fn first(self) -> N;
    /// The sum of the lanes: neighbours first.
    fn together(self) -> N;
    /// The sums of the lanes of each of four.
    fn each_together(four: [Self; 4]) -> [N; 4];
}

/// Arithmetic on vectors of numbers of 64 bits.
struct Doubles;
/// Arithmetic on vectors of numbers of 32 bits.
struct Singles;

macro_rules! vector {
    ($vector:ident, $number:ty, $lanes:literal, $on:ident, $exp:path, $logistic:path, $bits:ident, $together:expr, $each_together:expr,
     $in_turn:expr) => {
        impl Vector<$number> for $vector {
            const LANES: usize = $lanes;

            #[inline]
            fn splat(number: $number) -> Self {
                $vector::splat(number)
            }
            type Lanes = [$number; $lanes];

            #[inline]
            fn all(numbers: &[$number]) -> &[[$number; $lanes]] {
                numbers.as_chunks().0
            }
            #[inline]
            fn all_mut(numbers: &mut [$number]) -> &mut [[$number; $lanes]] {
                numbers.as_chunks_mut().0
            }
            #[inline]
            fn of(lanes: [$number; $lanes]) -> Self {
                $vector::new(lanes)
            }
            #[inline]
            fn lanes(self) -> [$number; $lanes] {
                self.to_array()
            }
            #[inline]
            fn in_turn(self, other: Self) -> [Self; 2] {
                let in_turn: fn(Self, Self) -> [Self; 2] = $in_turn;
                in_turn(self, other)
            }
            #[inline]
            fn every_other(self, other: Self) -> Self {
                let [mut first, mut second] = [self, other];
                for _ in 0..usize::ilog2($lanes) {
                    [first, second] = first.in_turn(second);
                }
                first
            }
            #[inline]
            fn two_again([a, b]: [$number; 2]) -> Self {
                $vector::new(std::array::from_fn(
                    |lane| if lane % 2 == 0 { a } else { b },
                ))
            }
            #[inline]
            fn map(self, function: impl Fn($number) -> $number) -> Self {
                $vector::new(self.to_array().map(function))
            }
            #[inline]
            fn both(self, other: Self, function: impl Fn($number, $number) -> $number) -> Self {
                let mut lanes = self.to_array();
                for (a, b) in lanes.iter_mut().zip(other.to_array()) {
                    *a = function(*a, b);
                }
                $vector::new(lanes)
            }
            #[inline]
            fn sqrt(self) -> Self {
                $vector::sqrt(self)
            }
            #[inline]
            fn abs(self) -> Self {
                $vector::abs(self)
            }
            #[inline]
            fn exp(self) -> Self {
                $exp(&mut $on, self)
            }
            #[inline]
            fn logistic(self) -> Self {
                $logistic(&mut $on, self)
            }
            #[inline]
            fn larger(self, other: Self) -> Self {
                let larger = self.simd_lt(other).select(other, self);
                self.simd_ne(self).select(other, larger)
            }
            #[inline]
            fn choose(is: Comparison, a: Self, b: Self, then: Self, otherwise: Self) -> Self {
                let holds = match is {
                    Comparison::Less => a.simd_lt(b),
                    Comparison::AtMost => a.simd_le(b),
                    Comparison::Equal => a.simd_eq(b),
                };
                holds.select(then, otherwise)
            }
            #[inline]
            fn head(self, lanes: usize) -> Self {
                let mut numbers = self.to_array();
                for (lane, number) in numbers.iter_mut().enumerate() {
                    *number = if lane < lanes { *number } else { -0.0 };
                }
                $vector::new(numbers)
            }
            #[inline]
            fn first(self) -> $number {
                let [first, ..] = self.to_array();
                first
            }
            #[inline]
            fn together(self) -> $number {
                let together: fn([$number; $lanes]) -> $number = $together;
                together(self.to_array())
            }
            #[inline]
            fn each_together(four: [Self; 4]) -> [$number; 4] {
                let each_together: fn([$vector; 4]) -> [$number; 4] = $each_together;
                each_together(four)
            }
        }

        impl Arithmetic for $on {
            type Vector = $vector;

            #[inline]
            #[allow(clippy::cast_possible_truncation)] // It is rounded.
            fn constant(&mut self, number: f64) -> $vector {
                $vector::splat(number as $number)
            }
            #[inline]
            fn add(&mut self, a: $vector, b: $vector) -> $vector {
                a + b
            }
            #[inline]
            fn sub(&mut self, a: $vector, b: $vector) -> $vector {
                a - b
            }
            #[inline]
            fn mul(&mut self, a: $vector, b: $vector) -> $vector {
                a * b
            }
            #[inline]
            fn div(&mut self, a: $vector, b: $vector) -> $vector {
                a / b
            }
            #[inline]
            fn within(&mut self, x: $vector, [least, most]: [f64; 2]) -> $vector {
                let (least, most) = (self.constant(least), self.constant(most));
                // For unordered operands WebAssembly returns the first, other machines the second.
                if cfg!(target_arch = "wasm32") {
                    x.fast_min(most).fast_max(least)
                } else {
                    least.fast_max(most.fast_min(x))
                }
            }
            #[inline]
            fn where_less(
                &mut self,
                a: $vector,
                b: $vector,
                then: $vector,
                otherwise: $vector,
            ) -> $vector {
                a.simd_lt(b).select(then, otherwise)
            }
            #[inline]
            fn zero_where_less(&mut self, a: $vector, b: $vector, otherwise: $vector) -> $vector {
                otherwise & !a.simd_lt(b)
            }
            #[inline]
            fn add_shifted(&mut self, a: $vector, b: $vector, right: u32, left: u32) -> $vector {
                let bits = |vector: $vector| cast::<$vector, $bits>(vector);
                cast(bits(a) + ((bits(b) >> right) << left))
            }
        }
    };
}

vector!(
    f64x2,
    f64,
    2,
    Doubles,
    elementary::exp,
    elementary::logistic,
    u64x2,
    |[a, b]| a + b,
    |four| {
        let [[a, b], [c, d], [e, f], [g, h]] = four.map(f64x2::to_array);
        let [first, second] = [[[a, c], [b, d]], [[e, g], [f, h]]]
            .map(|[left, right]| (f64x2::new(left) + f64x2::new(right)).to_array());
        let ([a, b], [c, d]) = (first, second);
        [a, b, c, d]
    },
    |a, b| f64x2::transpose([a, b])
);
vector!(
    f32x4,
    f32,
    4,
    Singles,
    elementary::exp_single,
    elementary::logistic_single,
    u32x4,
    |[a, b, c, d]| (a + b) + (c + d),
    |four| {
        let [a, b, c, d] = f32x4::transpose(four);
        ((a + b) + (c + d)).to_array()
    },
    |a, b| [a.unpack_lo(b), a.unpack_hi(b)]
);

impl Powers for Doubles {
    #[inline]
    fn power(&mut self, bits: f64x2) -> f64x2 {
        let table = &*POWERS;
        bits.map(|lane| {
            let [number, ..] = lane.to_bits().to_le_bytes();
            let power = table.get(usize::from(number & 127));
            power.copied().unwrap_or(f64::NAN)
        })
    }
}
