//! Elementary functions, written once over the trait [`Arithmetic`]. The interpreter implements it on numbers, the code generator on the
//! code that it emits, so both give the same bits.

use std::sync::LazyLock;

/// Arithmetic on vectors of numbers of 64 or of 32 bits (IEEE 754).
pub trait Arithmetic {
    /// A vector.
    type Vector: Copy;

    /// Broadcast of a number to all lanes.
    fn constant(&mut self, number: f64) -> Self::Vector;
    /// a + b.
    fn add(&mut self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// a − b.
    fn sub(&mut self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// a · b.
    fn mul(&mut self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// a / b.
    fn div(&mut self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Clamps x to a range; a NaN stays a NaN.
    fn within(&mut self, x: Self::Vector, range: [f64; 2]) -> Self::Vector;
    /// `then` where a < b, else `otherwise`.
    fn where_less(
        &mut self,
        a: Self::Vector,
        b: Self::Vector,
        then: Self::Vector,
        otherwise: Self::Vector,
    ) -> Self::Vector;
    /// 0 where a < b, else `otherwise`.
    fn zero_where_less(
        &mut self,
        a: Self::Vector,
        b: Self::Vector,
        otherwise: Self::Vector,
    ) -> Self::Vector;
    /// Integer sum of the bits of a and the bits of b, which are first shifted to the right by `right`, then to the left by `left`.
    fn add_shifted(
        &mut self,
        a: Self::Vector,
        b: Self::Vector,
        right: u32,
        left: u32,
    ) -> Self::Vector;
}

/// Arithmetic in 64 bits with a table of powers of two.
pub trait Powers: Arithmetic {
    /// The entry of a table whose number is in the lowest seven bits of `bits`.
    fn power(&mut self, bits: Self::Vector, table: Table) -> Self::Vector;
}

/// A table of the powers 2^(j/128), for j from 0 to 127.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The powers, rounded.
    Rounded,
    /// Difference between each exact power and the rounded one.
    More,
}

impl Table {
    /// Numbers of the table, in the order of j.
    pub fn entries(self) -> &'static [f64; 128] {
        let [rounded, more] = &*POWERS;
        match self {
            Table::Rounded => rounded,
            Table::More => more,
        }
    }
}

static POWERS: LazyLock<[[f64; 128]; 2]> = LazyLock::new(|| {
    let exponent = |j: usize| j as f64 / 128.0;
    let rounded = std::array::from_fn(|j| libm::exp2(exponent(j)));
    let more = |j: usize| {
        let power = rounded.get(j).copied().unwrap_or(1.0);
        // [`logarithm`] gives `None` at 1, where log₂ is 0.
        let [high, low] = logarithm(power).unwrap_or([0.0; 2]);
        (exponent(j) - high - low) * std::f64::consts::LN_2 * power
    };
    [rounded, std::array::from_fn(more)]
});

/// Largest argument whose eˣ is finite in 64 bits.
const LARGEST: f64 = 709.782_712_893_384;

/// eˣ to 0.51 units in the last place; a subnormal result is 0. With x = (128 m + j) ln 2 / 128 + r, eˣ is 2ᵐ · 2^(j/128) · eʳ. A
/// polynomial of degree 5 approximates eʳ for |r| ≤ ln 2 / 256.
pub fn exp<A: Powers>(on: &mut A, x: A::Vector) -> A::Vector {
    let value = power(on, x);
    bounded(on, x, value, [-708.396_418_532_264_1, LARGEST])
}

/// σ(x) = 1/(1 + e⁻ˣ) to one or two units in the last place; 0 where e⁻ˣ exceeds every finite number.
pub fn logistic<A: Powers>(on: &mut A, x: A::Vector) -> A::Vector {
    let minus = opposite(on, x, [-708.0, LARGEST]);
    let value = power(on, minus);
    let value = inverse(on, value);
    let least = on.constant(-LARGEST);
    on.zero_where_less(x, least, value)
}

/// eˣ, valid where the result is a normal number.
fn power<A: Powers>(on: &mut A, x: A::Vector) -> A::Vector {
    // Adding this constant to a number below 2⁵¹ leaves the nearest integer in the lowest bits of the sum.
    let magic = 6_755_399_441_055_744.0;
    let scale = 128.0 * std::f64::consts::LOG2_E;
    // ln 2 / 128 in two parts. The product of the first part and any integer that occurs here is exact.
    let parts = [0x3F76_2E42_FEF0_0000, 0x3D64_73DE_6AF2_78ED].map(f64::from_bits);
    let (shifted, r) = reduced(on, x, magic, scale, parts);
    let small = less_one(on, r, SMALL);
    let power = on.power(shifted, Table::Rounded);
    let change = on.mul(power, small);
    let value = on.add(power, change);
    on.add_shifted(value, shifted, 7, 52)
}

/// The integer nearest to x · `scale`, in the lowest bits of its sum with `magic`; and x minus the product of that integer and a number in
/// two parts.
fn reduced<A: Arithmetic>(
    on: &mut A,
    x: A::Vector,
    magic: f64,
    scale: f64,
    [high, low]: [f64; 2],
) -> (A::Vector, A::Vector) {
    let (magic, scale) = (on.constant(magic), on.constant(scale));
    let scaled = on.mul(x, scale);
    let shifted = on.add(scaled, magic);
    let whole = on.sub(shifted, magic);
    let (high, low) = (on.constant(high), on.constant(low));
    let first = on.mul(whole, high);
    let r = on.sub(x, first);
    let second = on.mul(whole, low);
    (shifted, on.sub(r, second))
}

/// Coefficients of a polynomial of degree 5 for eʳ − 1 where |r| ≤ ln 2 / 256: of r⁵, then of the lower powers down to r².
const SMALL: (f64, &[f64]) = (1.0 / 120.0, &[1.0 / 24.0, 1.0 / 6.0, 0.5]);

/// Coefficients of a polynomial of degree 6 for eʳ − 1 where |r| ≤ ln 2 / 2: of r⁶, then of the lower powers down to r².
const SMALL_SINGLE: (f64, &[f64]) = (
    0.001_381_314_5,
    &[0.008_369_419, 0.041_668_456, 0.166_665_15, 0.499_999_94],
);

/// eʳ − 1 by a polynomial. The coefficient of r is 1.
fn less_one<A: Arithmetic>(
    on: &mut A,
    r: A::Vector,
    (highest, others): (f64, &[f64]),
) -> A::Vector {
    let mut sum = on.constant(highest);
    for factor in others {
        let factor = on.constant(*factor);
        let product = on.mul(sum, r);
        sum = on.add(product, factor);
    }
    let square = on.mul(r, r);
    let rest = on.mul(sum, square);
    on.add(r, rest)
}

/// 2^(y · l) for a [`logarithm`] l, to 0.53 units in the last place; a subnormal result is 0. With y · l = (128 m + j) / 128 + r, the power
/// is 2ᵐ · 2^(j/128) · 2ʳ. Each part of a number has few enough digits that all products but the last are exact (Dekker, “A floating-point
/// technique for extending the available precision”, 1971).
pub fn raised<A: Powers>(on: &mut A, y: A::Vector, [high, low]: [f64; 2]) -> A::Vector {
    let nearest = on.constant(high + low);
    let nearest = on.mul(y, nearest);
    let (high, low, zero) = (on.constant(high), on.constant(low), on.constant(0.0));
    // The leading 26 bits of y, and the remainder.
    let first = on.add_shifted(zero, y, 27, 27);
    let others = on.sub(y, first);
    let first = on.mul(first, high);
    let (others, last) = (on.mul(others, high), on.mul(y, low));
    let rest = on.add(others, last);
    let exponent = on.add(first, rest);
    // Adding this constant to a number below 2⁴⁴ leaves the nearest multiple of 1/128 in the lowest bits of the sum.
    let magic = on.constant(52_776_558_133_248.0);
    let shifted = on.add(exponent, magic);
    let whole = on.sub(shifted, magic);
    let r = on.sub(first, whole);
    let r = on.add(r, rest);
    let scale = on.constant(std::f64::consts::LN_2);
    let r = on.mul(r, scale);
    let small = less_one(on, r, SMALL);
    let (power, more) = (
        on.power(shifted, Table::Rounded),
        on.power(shifted, Table::More),
    );
    let change = on.mul(power, small);
    let change = on.add(change, more);
    let value = on.add(power, change);
    let value = on.add_shifted(value, shifted, 7, 52);
    bounded(on, nearest, value, [-1022.0, 1024.0])
}

/// log₂ x with a relative error of 2⁻⁶⁴, in two parts: the leading 26 bits, and the remainder. `None` for 1, and for every x that is no
/// positive normal number. With x = 2ⁿ · m and s = (m − 1) / (m + 1), log₂ x is n + 2 log₂ e · (s + s³/3 + s⁵/5 + …), where |s| ≤ 3 − 2√2.
pub fn logarithm(x: f64) -> Option<[f64; 2]> {
    if x <= 0.0 || x == 1.0 || !x.is_normal() {
        return None;
    }
    let [bits, least] = [x, std::f64::consts::FRAC_1_SQRT_2].map(|x| x.to_bits().cast_signed());
    let n = (bits - least) >> 52;
    let m = f64::from_bits((bits - (n << 52)).cast_unsigned());
    let (above, below) = (m - 1.0, sum(1.0, [m, 0.0]));
    let s = above / below[0];
    let [near, far] = product([s, 0.0], below);
    let s = [s, (above - near - far) / below[0]];
    let square = product(s, s);
    let term = |sum: f64, k: u32| sum * square[0] + 1.0 / f64::from(2 * k + 1);
    let series = (2..14).rev().fold(0.0, term) * square[0];
    // The second parts of 1/3 and of 2 log₂ e are the differences from the nearest numbers of 64 bits.
    let series = sum(1.0 / 3.0, [series, 1.850_371_707_708_594e-17]);
    let series = sum(1.0, product(square, series));
    let scale = [2.0 * std::f64::consts::LOG2_E, 4.071_054_748_186_206_6e-17];
    let [high, low] = sum(n as f64, product(product(s, series), scale));
    let [high, others] = halves(high);
    Some([high, others + low])
}

/// The leading 26 bits of a number, and the remainder.
fn halves(x: f64) -> [f64; 2] {
    let first = f64::from_bits(x.to_bits() >> 27 << 27);
    [first, x - first]
}

/// a + b + `rest` in two parts, the rounded sum and the remainder, for |a| ≥ |b| or a = 0.
fn sum(a: f64, [b, rest]: [f64; 2]) -> [f64; 2] {
    let sum = a + b;
    [sum, b - (sum - a) + rest]
}

/// Product of two numbers that have two parts each, also in two parts.
fn product([a, a_rest]: [f64; 2], [b, b_rest]: [f64; 2]) -> [f64; 2] {
    let ([a0, a1], [b0, b1]) = (halves(a), halves(b));
    let rest = a0 * b0 - a * b + a0 * b1 + a1 * b0 + a1 * b1;
    sum(a * b, [rest + (a * b_rest + a_rest * b), 0.0])
}

/// eˣ in 32 bits to 0.7 units in the last place; a subnormal result is 0. With x = m ln 2 + r, eˣ is 2ᵐ · eʳ. For |r| ≤ ln 2 / 2 a
/// polynomial of degree 6 approximates eʳ with a relative error of at most 3.3e-9.
pub fn exp_single<A: Arithmetic>(on: &mut A, x: A::Vector) -> A::Vector {
    let value = power_single(on, x);
    bounded(on, x, value, [-87.336_54, 88.722_84])
}

/// σ(x) in 32 bits to one or two units in the last place; at least e⁻⁸⁷, so that the result is a normal number.
pub fn logistic_single<A: Arithmetic>(on: &mut A, x: A::Vector) -> A::Vector {
    let minus = opposite(on, x, [-87.0, 87.0]);
    let value = power_single(on, minus);
    inverse(on, value)
}

/// eˣ in 32 bits, valid where the result is a normal number.
fn power_single<A: Arithmetic>(on: &mut A, x: A::Vector) -> A::Vector {
    // Adding this constant to a number below 2²² leaves the nearest integer in the lowest bits of the sum.
    let magic = 12_582_912.0;
    // ln 2 in two parts. The product of the first part and any integer that occurs here is exact.
    let parts = [0.693_359_375, std::f64::consts::LN_2 - 0.693_359_375];
    let (shifted, r) = reduced(on, x, magic, std::f64::consts::LOG2_E, parts);
    let small = less_one(on, r, SMALL_SINGLE);
    let one = on.constant(1.0);
    let value = on.add(small, one);
    on.add_shifted(value, shifted, 0, 23)
}

/// `value` where x is in this range; 0 below the range, ∞ above it. A NaN stays a NaN.
fn bounded<A: Arithmetic>(
    on: &mut A,
    x: A::Vector,
    value: A::Vector,
    [least, most]: [f64; 2],
) -> A::Vector {
    let (least, most) = (on.constant(least), on.constant(most));
    let infinity = on.constant(f64::INFINITY);
    let above = on.add(x, infinity);
    let value = on.where_less(x, most, value, above);
    on.zero_where_less(x, least, value)
}

/// −x, clamped to this range.
fn opposite<A: Arithmetic>(on: &mut A, x: A::Vector, range: [f64; 2]) -> A::Vector {
    let zero = on.constant(0.0);
    let minus = on.sub(zero, x);
    on.within(minus, range)
}

/// 1/(1 + x).
fn inverse<A: Arithmetic>(on: &mut A, x: A::Vector) -> A::Vector {
    let one = on.constant(1.0);
    let sum = on.add(one, x);
    on.div(one, sum)
}

#[cfg(test)]
mod tests {
    use crate::number::{Number, pow};

    /// Asserts that a power is that of `libm` or an adjacent number, or 0 where that of `libm` is subnormal.
    fn check(x: f64, y: f64) {
        let (found, expected) = (pow(x, y), libm::pow(x, y));
        let is_near = found.to_bits().abs_diff(expected.to_bits()) <= 1;
        let is_same = is_near || found.is_nan() && expected.is_nan();
        let is_flushed = found == 0.0 && expected.is_subnormal();
        assert!(is_same || is_flushed, "{x}^{y}: {found}, not {expected}");
    }

    #[test]
    fn powers_are_those_of_the_library() {
        for step in (0..4000).map(f64::from) {
            check(0.999, 250.0 * step + 1.0);
            check(0.9, step + 1.0);
            check(1.0 + 1e-9 * step, 1e5 * step);
            check(0.001 + 0.017 * step, 0.037 * step - 70.0);
            check(libm::exp(0.35 * step - 700.0), 0.999 - step / 2003.0);
        }
    }

    #[test]
    fn powers_without_rounding_are_exact() {
        for x in (1..=200).map(f64::from) {
            for (y, exact) in [(-0.0, 1.0), (1.0, x), (2.0, x * x), (3.0, x * x * x)] {
                assert_eq!(pow(x, y), exact, "{x}^{y}");
            }
            assert_eq!(pow(x * x, 0.5), x, "{x}");
        }
        assert_eq!(pow(2.0, -1022.0), f64::MIN_POSITIVE);
        assert_eq!(pow(10.0, 22.0), 1e22);
    }

    #[test]
    fn powers_of_all_kinds_of_numbers_are_those_of_the_library() {
        let all = [
            0.0,
            0.3,
            0.5,
            1.0,
            2.0,
            3.0,
            1e-310,
            1e300,
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
        ];
        let all = all.into_iter().flat_map(|x| [x, -x]);
        for x in all.clone() {
            all.clone().for_each(|y| check(x, y));
        }
        assert_eq!(pow(0.9, 7000.0), 0.0);
        assert_eq!(pow(0.9, -7000.0), f64::INFINITY);
    }

    #[test]
    fn the_exponential_is_that_of_the_library() {
        let mut worst: f64 = 0.0;
        for step in -70_839_i32..70_978 {
            let x = f64::from(step) * 0.01 + 0.003;
            let (found, expected) = (Number::exp(x), libm::exp(x));
            worst = worst.max((found - expected).abs() / expected);
        }
        assert!(worst < 3e-16, "{worst}");
        for (x, expected) in [
            (0.0, 1.0),
            (-0.0, 1.0),
            (-1000.0, 0.0),
            (1000.0, f64::INFINITY),
            (f64::INFINITY, f64::INFINITY),
            (f64::NEG_INFINITY, 0.0),
        ] {
            assert_eq!(Number::exp(x), expected, "{x}");
        }
        assert!(Number::exp(f64::NAN).is_nan());
    }

    #[test]
    fn the_logistic_function_is_that_of_an_exponential() {
        let mut worst: f64 = 0.0;
        for step in -70_799_i32..10_000 {
            let x = f64::from(step) * 0.01 + 0.003;
            let (found, expected) = (Number::logistic(x), 1.0 / (1.0 + libm::exp(-x)));
            worst = worst.max((found - expected).abs() / expected);
        }
        assert!(worst < 5e-16, "{worst}");
        let mut worst: f64 = 0.0;
        for step in -86_999_i32..50_000 {
            let x = f32::of(f64::from(step) * 0.001 + 0.0003);
            let found = Number::logistic(x).double();
            let expected = 1.0 / (1.0 + libm::exp(-x.double()));
            worst = worst.max((found - expected).abs() / expected);
        }
        assert!(worst < 2.0 * f64::from(f32::EPSILON), "{worst}");
        for x in [-709.79, -1000.0, f64::NEG_INFINITY] {
            assert_eq!(Number::logistic(x), 0.0, "{x}");
            assert!((0.0..1e-37).contains(&Number::logistic(f32::of(x))), "{x}");
        }
        for x in [1000.0, f64::INFINITY] {
            assert_eq!(Number::logistic(x), 1.0, "{x}");
            assert_eq!(Number::logistic(f32::of(x)), 1.0, "{x}");
        }
        assert!(Number::logistic(f64::NAN).is_nan());
        assert!(Number::logistic(f32::NAN).is_nan());
    }

    #[test]
    fn so_it_is_in_single_precision() {
        let mut worst: f64 = 0.0;
        for step in -87_336_i32..88_722 {
            let x = f32::of(f64::from(step) * 0.001 + 0.0003);
            let (found, expected) = (Number::exp(x).double(), libm::exp(x.double()));
            worst = worst.max((found - expected).abs() / expected);
        }
        assert!(worst < 0.7 * f64::from(f32::EPSILON), "{worst}");
        for (x, expected) in [
            (0.0_f32, 1.0),
            (-0.0, 1.0),
            (-100.0, 0.0),
            (100.0, f32::INFINITY),
            (f32::INFINITY, f32::INFINITY),
            (f32::NEG_INFINITY, 0.0),
        ] {
            assert_eq!(Number::exp(x), expected, "{x}");
        }
        assert!(Number::exp(f32::NAN).double().is_nan());
    }
}
